"""Exercises of notebook 10, *What changes with three players?*: chips, and 48ths of a chip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np

from workbench.compiling import compile_game
from workbench.evaluation.best_response import best_response, gains
from workbench.evaluation.values import expected_values
from workbench.lab.exercises.answers import chosen, nearly, numbers, strategy
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import game, solved
from workbench.rules import Chance, Decision, Node, Terminal
from workbench.strategy import Strategy
from workbench.tree import GameTree

BORDER = Question(
    "Odd one out is fair, and three tossed coins are an equilibrium worth 0 to everybody. Two "
    "hundred runs of CFR+ begin at random. Where do their values end?",
    "on the border: somebody loses her chip for sure",
    options=(
        "at 0, 0, 0: a zero-sum game has one value",
        "anywhere between the three corners",
        "on the border: somebody loses her chip for sure",
    ),
    because="All of them are equilibria. On each edge two players show different sides, and the "
    "third is always like one of them.",
)
CIRCLE = Question(
    "The average regret of both children goes to zero; that is a theorem. What can a child gain "
    "against the averages after 3,000 rounds?",
    "about a fifth of a chip, as after thirty rounds or so",
    options=(
        "nearly nothing: small regret, good average",
        "about a fifth of a chip, as after thirty rounds or so",
        "more and more: it grows with the rounds",
    ),
    because="Regret is about what was played *together*. The averages forget that the children "
    "kept out of each other's way.",
)
SEAT = Question(
    "Five runs of one solver on three-player Leduc, each within 12 milli-antes of an equilibrium. "
    "How far apart are the lowest and the highest value of the third seat?",
    237,
    low=0,
    high=500,
    step=1,
    unit="milli-antes",
    because="From −41 to +196: there is no such thing as the value of the third seat.",
)
FOLDS = Question(
    "At one table the base earns −57, with six experts behind raises +114. Eighteen experts behind "
    "folds are perfect: two players, constant sum. What does the base earn with them?",
    -51,
    low=-100,
    high=200,
    step=1,
    unit="milli-antes",
    because="Hardly anybody folds before the flop in Leduc, so hardly anybody meets them.",
)
SOLVERS = ("cfr", "linear-cfr", "dcfr", "cfr+", "pcfr+")
BETTING = ("", "ppb", "pbp", "pbb")  # when player 1 decides in three-player Kuhn poker


class _Kuhn3:
    """Kuhn poker for three, as in the notebook; `ruin`: two who want player 3's loss."""

    players, name = 3, "kuhn for three"

    def __init__(self, ruin: bool = False) -> None:
        self.ruin = ruin

    def start(self) -> tuple[str, str]:
        return "", ""

    def next(self, state: tuple[str, str], move: str) -> tuple[str, str]:
        cards, bets = state
        return (cards + move, bets) if len(cards) < 3 else (cards, bets + move)

    def node(self, state: tuple[str, str]) -> Node:
        cards, bets = state
        if len(cards) < 3:
            return Chance({card: 1 / (4 - len(cards)) for card in "JQKA" if card not in cards})
        if len(bets) < 3 + max(bets.find("b"), 0):
            turn = len(bets) % 3
            return Decision(turn, (cards[turn], bets), ("p", "b"))
        last = {k % 3: word for k, word in enumerate(bets)}
        paid = [1 + (last[i] == "b") for i in range(3)]
        stay = [i for i in range(3) if last[i] == "b"] or [0, 1, 2]
        winner = max(stay, key=lambda i: "JQKA".index(cards[i]))
        won = [float(sum(paid) * (i == winner) - paid[i]) for i in range(3)]
        return Terminal((-won[2], -won[2], won[2]) if self.ruin else won)


class _PaidBack:
    """Rock, paper, scissors of two children; the loser pays, and scissors win two for the first."""

    players, name = 3, "two children, and an aunt who is paid back"

    def start(self) -> tuple[int, ...]:
        return ()

    def next(self, state: tuple[int, ...], word: int) -> tuple[int, ...]:
        return (*state, word)

    def node(self, state: tuple[int, ...]) -> Node:
        if len(state) < 2:
            return Decision(len(state), "", (0, 1, 2))
        lead = (state[0] - state[1]) % 3
        won = (2 if state[0] == 2 else 1) if lead == 1 else -int(lead == 2)
        return Terminal((won, -won, 0))


@cache
def _trio() -> GameTree:
    return compile_game(_Kuhn3())


@cache
def _sigma() -> Strategy:
    """`runs["pcfr+"]` of the notebook."""
    return solved(_trio(), "pcfr+", 5_000)


@exercise(
    "Look at the kingmaker's table in section 1: on that edge the two others share one chip.",
    "`plays('heads', 'tails', heads)` with the right `heads`.",
)
def check_half(answer: Any) -> Verdict:
    """An equilibrium of odd one out in which player 1 wins exactly 1/2 chip."""
    sigma = strategy(answer, game("odd_one_out"))
    gain, value = gains(sigma), expected_values(sigma)
    if gain.max() > 1e-3:
        who = int(gain.argmax())
        return wrong(
            f"This is no equilibrium: player {who + 1} alone could gain {gain[who]:.3g} chips."
        )
    if abs(value[0] - 0.5) > 1e-3:
        return wrong(f"An equilibrium, but player 1 wins {value[0]:.3g} chips in it.")
    return right(
        "Values " + ", ".join(f"{x:+.3g}" for x in value) + ". Whoever loses here could not do "
        "anything about it, and decides how the others share."
    )


@exercise(
    "In `Aunt.node` the payoffs become `(won[0] - won[1], won[1] - won[0], 0)`.",
    "`{name: wb.gains(wb.solve(game, name, 10_000).strategy).max() for name in solvers}`",
)
def check_paid_back(answer: Any) -> Verdict:
    """Which of the five solvers arrive (largest gain below 0.01) once the loser pays the aunt."""
    given = chosen(answer, SOLVERS)
    tree = compile_game(_PaidBack())
    gain = {name: float(gains(solved(tree, name, 10_000)).max()) for name in SOLVERS}
    missing = [name for name in SOLVERS if gain[name] < 0.01 and name not in given]
    if missing:
        return wrong(
            f"{missing[0]} comes down to {gain[missing[0]]:.4f} chips. Are all three payoffs "
            "right? The aunt has 0 in every outcome now."
        )
    return right(
        "All five. The aunt wins and loses nothing, so two are left whose payoffs add up to zero: "
        "small regrets make good averages again (notebook 02)."
    )


@exercise(
    "`favours['a favour for 1']` costs player 3 too much, `sigma` nothing. Let player 2 toss a "
    "coin before the hand: play the one plan or the other. How heavy must the coin be?",
    "With weight w on the favour player 3 has 2.263 (1 − w) − 4 w. Best replies stay best replies "
    "when they are mixed.",
    "`wb.Strategy(trio, (1 - w) * sigma.probs + w * favours['a favour for 1'].probs)`: in general "
    "one mixes plans, not tables, but here it comes to the same.",
)
def check_favour(answer: Any) -> Verdict:
    """`runs["pcfr+"]` with another player 2: player 3 wins 0, and player 2 loses nothing by it."""
    sigma, tree = strategy(answer, _trio()), _trio()
    others = tree.infoset_player[tree.choice_infoset] != 1
    if not np.allclose(sigma.probs[others], _sigma().probs[others], rtol=0, atol=1e-3):
        return wrong("Players 1 and 3 must play on as in `runs['pcfr+']`; only player 2 changes.")
    value, gain = 48 * expected_values(sigma), float(gains(sigma)[1])
    if gain >= 1e-3:
        return wrong(
            f"Player 2 could gain {gain:.4f} chips: this is no best reply, so the favour costs her "
            "something."
        )
    if abs(value[2]) > 0.05:
        return wrong(f"Player 3 wins {value[2]:+.2f} 48ths; 0 is asked for.")
    return right(
        f"Values in 48ths: {', '.join(f'{x:+.2f}' for x in value)}. Player 3 plays an equilibrium "
        "strategy and wins nothing, as a present from player 2 to player 1."
    )


def _four(answer: Any) -> list[Strategy]:
    given = list(answer.values()) if isinstance(answer, Mapping) else answer
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UnfitError("four strategies with their names are needed here: {'null': …, …}")
    found = list(given)
    if len(found) != 4 or not all(isinstance(each, Strategy) for each in found):
        raise UnfitError("four strategies are needed here, `three | {'real': real[-1]}`")
    if any(each.tree.num_players != 3 for each in found):
        raise UnfitError("strategies of a game for three are needed here")
    return found


@exercise(
    "`four = three | {'real': real[-1]}`; `permutations(four, 3)` goes through the seatings.",
    "`wb.expected_values([four[name] for name in who])[2]` is what the third chair wins.",
)
def check_chairs(four: Any, answer: Any) -> Verdict:
    """How many seatings four strategies have on three chairs, and in how many the third wins."""
    strategies = _four(four)
    pairs = [(a, b) for k, a in enumerate(strategies) for b in strategies[:k]]
    if any(np.array_equal(a.probs, b.probs) for a, b in pairs):
        return wrong("Two of the four are one and the same strategy.")
    given = numbers(answer, ("seatings", "third chair wins"))
    verdict = nearly(
        given["seatings"],
        24,
        tolerance=0,
        slips={
            4: "So many *tables* there are; the three at a table can change chairs.",
            6: "That is one table. Somebody can stay away, in four ways.",
            64: "That counts tables where a strategy sits twice.",
        },
    )
    if not verdict:
        return wrong(f"seatings: {verdict.text}")
    won = [float(expected_values(list(who))[2]) for who in permutations(strategies, 3)]
    wins = sum(x > 0 for x in won)
    if given["third chair wins"] != wins:
        return wrong(
            f"third chair wins: Not {given['third chair wins']:g} times. Count the seatings in "
            "which the third value is above zero."
        )
    worst = f" Where it does not win, it has {1000 * min(won):.1f} milli-antes." * (wins < 24)
    return right(
        f"{wins} of 24, whoever sits in it.{worst} It is the chair, and not the player, in nearly "
        "all of them; that is why all seatings have to be played."
    )


@cache
def _worst() -> float:
    """The least that player 3 of `runs["pcfr+"]` can be brought to by two who agree, in 48ths."""
    tree = compile_game(_Kuhn3(ruin=True))
    probs, most = _sigma().probs.copy(), -np.inf
    plans = [("b", "p", "p", "p"), *(("p", *rest) for rest in product("pb", repeat=3))]
    seen = {each: k for k, each in enumerate(tree.seen) if tree.infoset_player[k] == 0}
    where = [[tree.first_choice[seen[card, bets]] for bets in BETTING] for card in "JQKA"]
    for chosen_plans in product(plans, repeat=4):
        for places, plan in zip(where, chosen_plans, strict=True):
            for first, word in zip(places, plan, strict=True):
                probs[first : first + 2] = (1, 0) if word == "p" else (0, 1)
        most = max(most, best_response(Strategy(tree, probs), 1).value)
    return float(-48 * most)


@exercise(
    "For each card player 1 has 9 sensible plans: bet, or pass and answer each of the three later "
    "situations with `p` or `b`. `itertools.product(plans, repeat=4)` goes through all of them.",
    "Make a `Kuhn3` whose `wish` is `[-x, -x, x]` with player 3's chips `x`. Seat a plan as player "
    "1 beside `runs['pcfr+']`'s player 3; `wb.best_response(…, 1).value` is what player 3 loses.",
)
def check_worst(answer: Any) -> Verdict:
    """The least that player 3 of `runs["pcfr+"]` wins against any two who agree, in 48ths."""
    truth = _worst()
    return nearly(
        answer,
        truth,
        slips={
            truth / 48: "That is in chips; asked are 48ths.",
            -4: "That is player 2's favour to player 1 alone; here both may change.",
            48 * float(expected_values(_sigma())[2]): "That is what it wins in equilibrium.",
        },
        good="Worth +2.3 in equilibrium, −4 when somebody has a friend, −6 against two who agree. "
        "Two pure plans suffice: for two without a common coin some pair of pure ones is among the "
        "best.",
    )
