"""Judges for lecture 01, *What does it mean to play well?*: Kuhn poker."""

from itertools import permutations

import workbench as wb
from workbench.lab.exercises import UnfitError, game, need_function, numbers, right, strategy, wrong


def check_mine(answer):
    sigma = strategy(answer, game("kuhn"))
    epsilon = wb.exploitability(sigma)
    if epsilon < 1 / 10:
        return right(f"Exploitability {max(epsilon, 0):.4f}. Everything below 1/10 counts.")
    fair = {1: 1 / 18, 0: -1 / 18}  # what a best response in this seat wins from an equilibrium
    lost = [wb.best_response(sigma, seat).value - fair[seat] for seat in (1, 0)]
    worse = 0 if lost[0] >= lost[1] else 1
    return wrong(
        f"Exploitability {epsilon:.4f}, not below 0.1. In the seat of player {worse + 1} yours "
        f"gives away {lost[worse]:.3f} more than an equilibrium, in the other "
        f"{lost[1 - worse]:.3f}: mend player {worse + 1} first."
    )


def family(alpha):
    """The equilibria of Kuhn poker, as in the notebook."""
    bet = {
        "": {"J": alpha, "Q": 0, "K": 3 * alpha},
        "pb": {"J": 0, "Q": alpha + 1 / 3, "K": 1},
        "p": {"J": 1 / 3, "Q": 0, "K": 1},
        "b": {"J": 0, "Q": 1 / 3, "K": 1},
    }

    def play(player, seen, actions):
        card, betting = seen
        return {"b": bet[betting][card], "p": 1 - bet[betting][card]}

    return wb.Strategy.from_function(game("kuhn"), play)


def check_alphas(answer):
    others = {
        "uniform": wb.Strategy.uniform(game("kuhn")),
        "honest": wb.Strategy.from_function(game("kuhn"), lambda _, seen, __: "bp"[seen[0] != "K"]),
        "bold": wb.Strategy.from_function(game("kuhn"), lambda *_: "b"),
    }
    for name, alpha in numbers(answer, list(others)).items():
        if not 0 <= alpha <= 1 / 3 + 1e-3:
            return wrong(f"{name}: α must lie between 0 and 1/3, since the King bets with 3α.")
        tried = [min(alpha, 1 / 3), 0, 1 / 3]
        wins = [wb.expected_values([family(a), others[name]])[0] for a in tried]
        if wins[0] < max(wins) - 1e-3:
            return wrong(
                f"{name}: α = {alpha:.3g} wins {wins[0]:.4f}; another wins {max(wins):.4f}."
            )
    return right(
        "From uniform α = 1/3 wins most: who folds too often is to be bluffed. From the other two "
        "every α wins the same. Honest folds to the Jack's bluffs and pays with it, but bets Kings "
        "only, so the Queen's calls lose just as much; with bold, who never folds and always "
        "bets, it is the other way round."
    )


def check_bank(answer):
    if hasattr(answer, "node") and not isinstance(answer, type):
        raise UnfitError("hand over the class itself, without a price: the check chooses prices")
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
        "lose. Train with `cfr+` and read both expected values; their sum is what the bank earns."
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
