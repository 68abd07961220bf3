"""Exercises of notebook 01, *What does it mean to play well?*: Kuhn poker."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from workbench.compiling import compile_game
from workbench.evaluation.best_response import best_response, exploitability
from workbench.evaluation.values import expected_values
from workbench.lab.exercises.answers import agree, nearly, need_function, numbers, strategy
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import game
from workbench.strategy import Strategy

HISTORIES = Question(
    "How many histories has Kuhn poker, the empty one included?",
    58,
    low=0,
    high=120,
    because="One empty history, 3 first cards, 6 complete deals, and 8 lines of betting after each "
    "deal: 1 + 3 + 6 + 6 · 8.",
)
JUDGED = Question(
    "Honest bets and calls with the King only, bold always bets. Who wins more from the "
    "coin-tosser, and who is harder to exploit?",
    "bold wins more, honest is harder to exploit",
    options=(
        "honest, both times",
        "bold, both times",
        "bold wins more, honest is harder to exploit",
        "honest wins more, bold is harder to exploit",
    ),
    because="Bold wins 1/2 from the coin-tosser and honest nothing; but bold gives away 1/3 to an "
    "opponent who knows it, honest only 1/4.",
)
LOOKS = Question(
    "A look becomes dearer, say 0.6 chips instead of 0.3. Does the Queen look less often?",
    "no, more often",
    options=("yes, less often", "it makes no difference", "no, more often"),
    because="The price goes to the bettor, so a dear look pays the bluffer. To keep the Jack from "
    "bluffing for it, the Queen looks with 1/(3 − c), which grows with the price c, up to 3/4.",
)

ALPHA_MAX = 1 / 3


def _profile(jack: float, king: float, queen: float, early: float = 0.0) -> Strategy:
    """The notebook's `profile`; `early` is how often player 1's Queen bets first."""
    bet = {
        "": {"J": jack, "Q": early, "K": king},
        "pb": {"J": 0, "Q": queen, "K": 1},
        "p": {"J": 1 / 3, "Q": 0, "K": 1},
        "b": {"J": 0, "Q": 1 / 3, "K": 1},
    }

    def play(player: int, seen: Any, actions: Any) -> Any:
        card, betting = seen
        return {"b": bet[betting][card], "p": 1 - bet[betting][card]}

    return Strategy.from_function(game("kuhn"), play)


@exercise(
    "Take one card at a time. Player 1 passes or bets with probability 1/2 each, so each card has "
    "two halves: what can player 2 win after a pass, and what after a bet?",
    "The Jack: after a pass, betting earns ½·(+1) + ½·(−2) = −½, better than −1. After a bet, "
    "folding earns −1. Now weigh the two halves, and do the same for Q and K.",
    "The Queen earns ½ after a pass (bet: half of the time she folds) and 0 after a bet (call).",
)
def check_replies(answer: Any) -> Verdict:
    """Player 1 tosses coins: what does player 2's best reply earn with J, with Q, with K?"""
    slips = {
        "J": {-1 / 2: "that is after a pass; what if she bets?", -1: "the Jack can bluff."},
        "Q": {1 / 2: "that is after a pass; what if she bets?", 0: "betting after a pass earns."},
        "K": {3 / 2: "that is after a pass; what if she bets?", 2: "that is after a bet."},
    }
    truth = {"J": -3 / 4, "Q": 1 / 4, "K": 7 / 4}
    given = numbers(answer, "JQK")
    if all(agree(given[card], truth[card] / 3) for card in "JQK"):
        return wrong("These are the cards' shares of the mean, one third each: do not divide yet.")
    for card, value in given.items():
        verdict = nearly(value, truth[card], slips=slips[card])
        if not verdict:
            return wrong(f"{card}: {verdict.text[:1].lower()}{verdict.text[1:]}")
    return right("And (−3/4 + 1/4 + 7/4) / 3 = 5/12, what `wb.best_response` found.")


@exercise(
    "Ask for both seats: `wb.best_response(sigma, 0).value` is what your player 2 gives away, "
    "`wb.best_response(sigma, 1).value` what your player 1 does.",
    "A Jack that never calls and a King that always does cost nothing. Then: how often does the "
    "Queen call, and how often does the Jack bluff?",
    "Let the Queen call a bet in about two cases of five; bet the Jack at the start or after a "
    "pass now and then, but never call with it.",
)
def check_mine(answer: Any) -> Verdict:
    """A strategy of your own that is exploitable by less than 1/10."""
    sigma = strategy(answer, game("kuhn"))
    epsilon = exploitability(sigma)
    if epsilon < 1 / 10:
        return right(f"Exploitability {max(epsilon, 0):.4f}. Everything below 1/10 counts.")
    lost = [best_response(sigma, seat).value - fair for seat, fair in ((1, 1 / 18), (0, -1 / 18))]
    worse = 0 if lost[0] >= lost[1] else 1
    return wrong(
        f"Exploitability {epsilon:.4f}, not below 0.1. In the seat of player {worse + 1} yours "
        f"gives away {lost[worse]:.3f} more than an equilibrium, in the other "
        f"{lost[1 - worse]:.3f}: mend player {worse + 1} first."
    )


@exercise(
    "Give `profile` a fourth argument for the Queen's first bet, and measure.",
    "`wb.exploitability(profile(0.2, 0.6, 0.2 + 1/3, early=0.1))`; then ask `wb.best_response` who "
    "gains what.",
)
def check_queen(answer: Any) -> Verdict:
    """The exploitability of family(0.2) whose Queen bets first in one case of ten."""
    sigma = _profile(0.2, 0.6, 0.2 + 1 / 3, early=0.1)
    won = expected_values(sigma)
    gains = [best_response(sigma, player).value - won[player] for player in (0, 1)]
    return nearly(
        answer,
        exploitability(sigma),
        slips={
            sum(
                gains
            ): "That is the sum of both players' gains (NashConv); exploitability is the mean.",
            gains[0]: "That is what player 1 gains by mending the Queen; asked is the mean of "
            "both players' gains.",
            gains[1]: "That is what player 2 gains; asked is the mean of both players' gains.",
            best_response(sigma, 1).value: "That is what the best response wins; subtract what it "
            "won before.",
            0: "The Queen should not bet first: only worse cards fold and only better ones call.",
        },
        good="7/1800. Player 2's Jack punishes it by not bluffing after a pass: fewer Queens are "
        "left there to fold. But most of it, 1/180, player 1 throws away by herself.",
        bad="Exploitability is the mean of two gains, each measured against the value now.",
    )


@exercise(
    "`wb.expected_values([family(alpha), other])[0]` for a few α between 0 and 1/3.",
    "Against two of the three, every α wins the same: which mistakes of theirs could α use?",
)
def check_alphas(answer: Any) -> Verdict:
    """The α between 0 and 1/3 that wins most from uniform, from honest and from bold."""
    others = {
        "uniform": Strategy.uniform(game("kuhn")),
        "honest": Strategy.from_function(game("kuhn"), lambda _, seen, __: "bp"[seen[0] != "K"]),
        "bold": Strategy.from_function(game("kuhn"), lambda *_: "b"),
    }
    for name, alpha in numbers(answer, list(others)).items():
        if not 0 <= alpha <= ALPHA_MAX + 1e-3:
            return wrong(f"{name}: α must lie between 0 and 1/3, since the King bets with 3α.")
        tried = [min(alpha, ALPHA_MAX), 0, ALPHA_MAX]
        wins = [
            float(expected_values([_profile(a, 3 * a, a + 1 / 3), others[name]])[0]) for a in tried
        ]
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


@exercise(
    "Only the line of `bl` and the last line change: the payoffs need not cancel any more.",
    "Keep what the one who spoke last wins and what the other wins in two numbers; take the "
    "price from the one who looked only.",
)
def check_bank(answer: Any) -> Verdict:
    """`Peek` with the price paid to a bank; the class itself is the answer."""
    if hasattr(answer, "node") and not isinstance(answer, type):
        raise UnfitError("hand over the class itself, without a price: the check chooses prices")
    make = need_function(answer, "Bank(price)")
    for price in (0.25, 0.75):
        rules = make(price)
        compile_game(rules)  # the border checks names, probabilities and infosets
        for cards in permutations("JQK", 2):
            for betting in ("pp", "bp", "bb", "pbp", "pbb", "bl", "pbl"):
                state = rules.start()
                for action in (*cards, *betting):
                    state = rules.next(state, action)
                paid = [float(payoff) for payoff in rules.node(state).payoffs]
                asked = _with_bank("".join(cards), betting, price)
                if not all(abs(p - a) < 1e-9 for p, a in zip(paid, asked, strict=True)):
                    return wrong(_about_bank(" ".join((*cards, *betting)), paid, asked, price))
    return right(
        "With a bank the payoffs do not cancel, so `lp` refuses: what one wins the other need not "
        "lose. Train with `cfr+` and read both expected values; their sum is what the bank earns."
    )


def _with_bank(cards: str, betting: str, price: float) -> list[float]:
    """What both players win when the price of a look goes to a bank."""
    last = (len(betting) - 1) % 2
    higher = "JQK".index(cards[last]) > "JQK".index(cards[1 - last])
    showdown = {"pp": 1, "bb": 2}.get(betting[-2:], 0)
    wins = showdown if higher else -showdown
    if betting.endswith("bp"):
        wins = -1
    if betting.endswith("l"):
        wins = 2 if higher else -1
    both = [float(wins), float(-wins)]
    if betting.endswith("l"):
        both[0] -= price
    return both if last == 0 else both[::-1]


def _about_bank(history: str, paid: list[float], asked: list[float], price: float) -> str:
    """Why these payoffs are not those of the game with a bank."""
    if not history.endswith("l"):
        return f"After {history} nobody looked: the payoffs should be {asked}, as in `Peek`."
    if abs(sum(paid)) < 1e-9:
        return f"After {history} the payoffs {paid} still cancel: the bettor gets the price."
    if abs(sum(paid) + 2 * price) < 1e-9:
        return f"After {history} both pay the price; only the one who looks should."
    return f"After {history} at price {price} the players should win {asked}, not {paid}."
