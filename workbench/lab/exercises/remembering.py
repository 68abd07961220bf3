"""Exercises of notebook 06, *Which abstraction should a Toepen player use?*: 3/3/2 with betting."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any

from workbench.abstraction.abstraction import Abstraction, abstract
from workbench.abstraction.clustering import cluster, strength
from workbench.evaluation.best_response import exploitability
from workbench.games.toepen.hand_rules import HandRule, hand_rule
from workbench.lab.exercises.answers import nearly, same_merging
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import game
from workbench.solvers.base import average
from workbench.solvers.external_sampling import ExternalSampling
from workbench.solvers.iterate import iterate
from workbench.strategy import Strategy
from workbench.tree import GameTree

BEGINNERS = Question(
    "Everybody has trained for 1,000 iterations only. `simple-history` knows 32 situations, the "
    "unabstracted strategy 3,099. Who wins when they meet?",
    "simple-history",
    options=("simple-history", "nobody: about even", "the unabstracted strategy"),
    because="It has met each of its situations hundreds of times; the other one has met most of "
    "hers once or twice, or never. After 10,000 iterations it is the other way round.",
)
BETTING = Question(
    'With 10♠ 9♠ it is clearly right to lead the 9 and to keep the 10. But for this rule "bet or '
    'check" and "10♠ or 9♠" are one and the same decision. What will she do about betting?',
    "bet, nearly always",
    options=("bet, nearly always", "check, nearly always", "toss a coin"),
    because="The 9 goes with the bet, by the order of the names. She bets in 99 hands of 100, not "
    "because betting is good but because leading the 9 is.",
)
CLOCK = Question(
    "3/3/3 with betting: 125,000 situations, half a million histories. How long does CFR+ need for "
    "100 iterations, once the game is compiled?",
    "about a second",
    options=("about an hour", "about a minute", "about a second"),
    because="An iteration is one product of a sparse matrix and a vector for each player, some "
    "milliseconds. After a hundred of them a cost of 0.016 (b₁ + b₂) is left.",
)

ITERATIONS = 100_000


def _toepen() -> GameTree:
    return game("toepen", suits=3, ranks=3, hand=2, suit_isomorphism=True)


def _trained(tree: GameTree, iterations: int = ITERATIONS, seed: int = 0) -> Strategy:
    solver = ExternalSampling(linear=False)
    return average(tree, next(iterate(tree, solver, seed=seed, every=iterations)))


def _cost(made: Abstraction) -> float:
    """b1 + b2 in the real game, after as much training as in the notebook."""
    return 2 * exploitability(made.lift(_trained(made.coarse)))


def _made(answer: Any) -> Abstraction:
    """The abstraction of a rule: a `hand_rule`, a function that makes one, a label, or a name."""
    if isinstance(answer, FunctionType) and answer.__code__.co_argcount == 2:
        answer = hand_rule(answer)
    if not (callable(answer) or isinstance(answer, (str, HandRule))):
        raise UnfitError("a rule is needed here: `wb.abstraction.hand_rule(lambda hand, table: …)`")
    return abstract(_toepen(), answer)


@cache
def _buckets(count: int) -> float:
    """What so many buckets cost, found as in section 8."""
    teacher = _trained(_toepen(), 20_000, seed=7)
    return _cost(abstract(_toepen(), cluster(_toepen(), strength(teacher), buckets=count)))


@exercise(
    "A standard error falls like one over the square root of the number of hands.",
    "From 0.0263 to 0.01 is a factor of 2.63. Square it.",
)
def check_blur(answer: Any) -> Verdict:
    """20,000 hands give ±0.0263 points. How many give ±0.01?"""
    return nearly(
        answer,
        20_000 * 2.63**2,
        tolerance=0.05,
        unit="hands",
        slips={
            20_000 * 2.63: "2.63 times as many hands make it better by √2.63 only.",
            20_000 / 2.63**2: "More hands are needed for a smaller margin, not fewer.",
            20_000
            * 2.63**0.5: "The margin falls like 1/√n: square the factor, do not take its root.",
        },
        good="Seven times as many. An exact tournament needs none.",
    )


@exercise(
    "`wb.abstraction.hand_rule(lambda hand, table: …)`; `hand` and `table` have names for what you "
    "need.",
    "`hand.high` and `table.stake`.",
)
def check_stake(answer: Any) -> Verdict:
    """A rule that remembers the number of high cards and the stake, and nothing else."""
    tree, made = _toepen(), _made(answer)
    for by_kind in (True, False):
        asked = hand_rule(lambda hand, table: (hand.high, table.stake), by_kind=by_kind)
        if same_merging(made, abstract(tree, asked)):
            kinds = "" if by_kind else " (With kinds kept apart: 40, and half the cost.)"
            return right(
                f"{made.coarse.num_infosets} situations cost {_cost(made):.2f} (b₁ + b₂).{kinds} "
                "`simple-history`, by kind, has 65 and costs 0.5: cards tell more than the stake."
            )
    sets = made.coarse.num_infosets
    less, more = (
        abstract(tree, hand_rule(one)) for one in (lambda h, t: h.high, lambda h, t: t.stake)
    )
    if same_merging(made, less):
        return wrong("It remembers the high cards and forgets the stake.")
    if same_merging(made, more):
        return wrong("It remembers the stake and forgets the high cards.")
    return wrong(f"{sets} situations; high cards and stake alone leave 40 (18 with kinds mixed).")


@exercise(
    "Use the cells of section 7 with `wb.abstract(tree, 'simple-history')`.",
    "It is mixed if decisions of different kinds share it: `groupby(merged).nunique() > 1`.",
)
def check_mixed(answer: Any) -> Verdict:
    """In how many situations of `simple-history` is a bet confused with a card?"""
    return nearly(
        answer,
        12,
        tolerance=0,
        slips={
            48: "That is `advanced-history`.",
            33: "65 − 32 says how many more there are by kind; a mixed one may fall into several.",
            65: "That is the number of situations by kind.",
            32: "Those are all situations of `simple-history`; not all are mixed.",
        },
        good="12 of 32. By kind they become 65, and the cost falls from 0.85 to 0.52.",
        bad="Count labels that stand for a decision about betting and for one about cards.",
    )


@exercise(
    "300 buckets were found by a teacher who knows nothing about cards. What decides a trick?",
    "The rank of the led card, and whether she can follow suit. Names of suits do not matter: "
    "ranks in the hand, and how many suits.",
    "A stake of 2 or more may all be the same: `min(table.stake, 2)`.",
)
def check_few(answer: Any) -> Verdict:
    """A rule with at most 300 situations that costs less than 300 buckets found by a strategy."""
    made = _made(answer)
    sets = made.coarse.num_infosets
    if sets > 300:
        return wrong(f"{sets} situations; at most 300 are allowed. Forget something more.")
    ours, theirs = _cost(made), _buckets(300)
    said = f"{sets} situations cost {ours:.3f} (b₁ + b₂), 300 buckets {theirs:.3f}."
    return right(said) if ours < theirs else wrong(said)
