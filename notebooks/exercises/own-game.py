"""Judges for the lab *What does a new rule do to a game?*: Peek, and rules of one's own."""

from itertools import permutations

import workbench as wb
from workbench.lab.exercises import UnfitError, need_function, right, wrong


def check_fair(answer):
    if isinstance(answer, type):
        raise UnfitError("hand in the rules themselves, with a price if they need one: MyGame()")
    tree = wb.compile_game(answer)
    if tree.num_players != 2 or not tree.zero_sum:
        return wrong("A zero-sum game for two players is needed, so that `lp` can solve it.")
    if tree.num_infosets < 8:
        return wrong(f"Only {tree.num_infosets} information sets: that is no longer a poker.")
    if wb.exploitability(wb.Strategy.uniform(tree)) < 0.05:
        return wrong("In this game it hardly matters how one plays.")
    value = float(wb.expected_values(wb.solve(tree, "lp").strategy)[0])
    if abs(value) > 1e-3:
        who = 1 if value > 0 else 2
        return wrong(f"It is worth {value:.4f} to player 1, so player {who} has an advantage.")
    return right("Its value is 0 up to a thousandth, and it still matters how one plays.")


def check_bank(answer):
    if hasattr(answer, "node") and not isinstance(answer, type):
        raise UnfitError("hand in the class itself, without a price: the check chooses prices")
    make = need_function(answer, "Bank(price)")
    for price in (0.25, 0.75):
        rules = make(price)
        wb.compile_game(rules)  # the border checks names, probabilities and infosets
        for cards in permutations("JQK", 2):
            for betting in ("pp", "bp", "bb", "pbp", "pbb", "bl", "pbl"):
                state = rules.start()
                for action in (*cards, *betting):
                    state = rules.next(state, action)
                paid = [float(payoff) for payoff in rules.node(state).payoffs]
                asked = with_bank(cards, betting, price)
                if not all(abs(p - a) < 1e-9 for p, a in zip(paid, asked, strict=True)):
                    return wrong(about_bank(" ".join((*cards, *betting)), paid, asked, price))
    return right(
        "With a bank the payoffs do not cancel, so `lp` refuses: what one wins the other need not "
        "lose. Train with `cfr+` and read both expected values; the bank earns minus their sum."
    )


def with_bank(cards, betting, price):
    """What both players win when the price of a look goes to a bank."""
    last = (len(betting) - 1) % 2
    sign = 1 if "JQK".index(cards[last]) > "JQK".index(cards[1 - last]) else -1
    wins = {"pp": sign, "bp": -1, "bb": 2 * sign, "bl": 2 if sign > 0 else -1}[betting[-2:]]
    both = [wins - price * betting.endswith("l"), -wins]
    return [float(won) for won in (both if last == 0 else both[::-1])]


def about_bank(history, paid, asked, price):
    """Why these payoffs are not those of the game with a bank."""
    if not history.endswith("l"):
        return f"After {history} nobody looked: the payoffs should be {asked}, as in `Peek`."
    if abs(sum(paid)) < 1e-9:
        return f"After {history} the payoffs {paid} still cancel: the bettor gets the price."
    if abs(sum(paid) + 2 * price) < 1e-9:
        return f"After {history} both pay the price; only the one who looks should."
    return f"After {history} at price {price} the players should win {asked}, not {paid}."
