"""How Le (2021), Section 4.2, compares six abstractions of Toepen 3/3/3b, and how we do.

A strategy is trained in each abstract game and in the one where nothing but suits is forgotten
("unabstracted"), from the same seeds, and stopped at the same iterations. Four ways:

    as published            the game of the printed numbers (nobody must follow suit, though the
                            text says so), the thesis's suits and the sampling that it describes
                            (toepen_training.py)
    standard                the same game with lossless suits, standard external sampling
    follow suit             the same with the rule that people play by: follow suit if you can
    follow suit, by kind    and decisions of different kinds are never merged (toepen_rules.py)

The last three deal without names of suits (`suit_isomorphism`). Where cards look alike, a walk then
draws one of them; with "lossless-suits" it goes below each (`solvers/walks.py`) and gets a little
further in as many iterations.

At each stop the strategy is lifted to the real game and measured, exactly:

    score           points per hand against the unabstracted strategy of the same seed and age,
                    mean of both seats; the thesis estimates it from 20,000 simulated hands
    exploitability  b₁ + b₂ in the real game, points over two hands, one in each seat: twice
                    `wb.exploitability`; the thesis has none
    reached         information sets with a regret or a weight: something was learnt there. Sets
                    that were only met while the other player learnt are no part of it as
                    published, because the average is taken elsewhere; in the other ways they are
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.evaluation.values import expected_values
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_training import TEXTBOOK, THESIS, seeds, states
from workbench.lab.ledger.toepen_variants import LARGEST, VARIANTS
from workbench.progress import StatusLine
from workbench.solvers.base import State, average
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED, STANDARD = "as published", "standard"
FOLLOW, KIND = "follow suit", "follow suit, by kind"
WAYS = (PUBLISHED, STANDARD, FOLLOW, KIND)
FULL = "unabstracted"
RULES = (
    "naive", "simple-history", "simple-hand", "advanced-hand", "advanced-history",
    "advanced-combined",
)  # fmt: skip
POINTS = tuple(1000 * k for k in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100))
LONG = "training takes minutes to an hour"


@dataclass(frozen=True, eq=False)
class Compared:
    """All strategies at all stops. `table`: rule, way, repeat, iteration and what was measured."""

    repeats: dict[str, int]  # way -> how many
    points: tuple[int, ...]
    table: pd.DataFrame
    sizes: dict[tuple[str, str], tuple[int, int]]  # rule, way -> information sets of each player

    def how(self, way: str) -> str:
        """For notes: what was run."""
        many = self.repeats[way]
        return f"mean of {many} repeats" if many > 1 else "one run"

    @property
    def settings(self) -> dict[str, object]:
        return {
            "game": f"toepen {LARGEST}",
            "iterations": self.points[-1],
            "measured at": ", ".join(f"{point:,}" for point in self.points),
            "seeds": "; ".join(f"{way} {seeds(n)}" for way, n in self.repeats.items()),
            PUBLISHED: f"need not follow suit; {THESIS!r} with thesis-suits and the rule",
            STANDARD: f"need not follow suit; {TEXTBOOK!r} with suit_isomorphism and the rule",
            FOLLOW: f"must follow suit; {TEXTBOOK!r} with suit_isomorphism and the rule",
            KIND: f"must follow suit; {TEXTBOOK!r} with suit_isomorphism and the rule by kind",
        }

    def each(self, rule: str, way: str, what: str = "score", at: int = 0) -> list[float]:
        """The repeats at one stop, by default the last one."""
        table = self.table
        rows = table[(table.rule == rule) & (table.way == way)]
        return [float(y) for y in rows[rows.iteration == (at or self.points[-1])][what]]

    def mean(self, rule: str, way: str, what: str = "score", at: int = 0) -> float:
        return mean(self.each(rule, way, what, at))

    def shown(self, rules: Sequence[str], way: str, what: str = "score", at: int = 0) -> str:
        """For notes: the means, one by one."""
        return ", ".join(f"{rule} {self.mean(rule, way, what, at):.3g}" for rule in rules)

    def lead(self, ahead: str, behind: str, way: str, what: str = "score", at: int = 0) -> Ours:
        """By how much one is above the other, and whether it is."""
        pairs = zip(self.each(ahead, way, what, at), self.each(behind, way, what, at), strict=True)
        leads = [one - two for one, two in pairs]
        note = f"{self.shown([ahead, behind], way, what, at)} after {at or self.points[-1]:,}"
        return self.ours(leads, way, note, holds=mean(leads) > 0)

    def ours(self, each: Sequence[float], way: str, note: str, holds: bool | None = None) -> Ours:
        """The mean, with the range over repeats."""
        low, high = (min(each), max(each)) if len(each) > 1 else (None, None)
        return Ours(mean(each), low, high, f"{note}; {self.how(way)}", holds)

    def curves(self, rules: Sequence[str], what: str = "score") -> pd.DataFrame:
        """As the ledger keeps them: a curve "naive, as published" for each rule and way."""
        rows = self.table[self.table.rule.isin(rules)]
        named = rows.assign(curve=rows.rule + ", " + rows.way)
        return named[["curve", "repeat", "iteration", what]].reset_index(drop=True)


@dataclass(frozen=True)
class Claim:
    """A statement of the text: which rules it is about, and by how much it is true."""

    rules: tuple[str, ...]
    check: Callable[[Compared, str], Ours]


def claims(found: Compared, stated: Mapping[str, Claim]) -> Result:
    """Each claim in each way; what was not trained now is skipped."""
    ours, skipped = {}, {}
    for name, claim in stated.items():
        for way in WAYS:
            if all((rule, way) in found.sizes for rule in claim.rules):
                ours[f"{name}, {way}"] = claim.check(found, way)
            else:
                skipped[f"{name}, {way}"] = LONG
    return Result(ours, found.settings, skipped=skipped)


def compare(effort: Effort, rules: Sequence[str]) -> Compared:
    """At least these rules: in quick mode only them, once, and in the smallest of the games."""
    if effort.quick:
        return _compare(((FOLLOW, 1),), tuple(rules), (1000, 20_000, 100_000))
    return _compare(tuple((way, 15) for way in WAYS), RULES, POINTS)


def game_of(way: str) -> tuple[GameTree, str]:
    """The real game, and the suits that are forgotten there before a rule is asked."""
    published = VARIANTS[LARGEST]
    if way == PUBLISHED:
        return compile_game(published), "thesis-suits"
    rules = replace(published, follow_suit=way != STANDARD, suit_isomorphism=True)
    return compile_game(rules), ""


def reached(tree: GameTree, state: State) -> int:
    """In how many information sets training has left something."""
    there = (state.regret != 0) | (state.strategy_sum != 0)
    return int(np.count_nonzero(np.logical_or.reduceat(there, tree.first_choice[:-1])))


def trained(way: str, rule: str, seed: int, iterations: int) -> Strategy:
    """The same training once more, for what needs the strategy itself."""
    tree, suits = game_of(way)
    coarse, lift = _coarse(tree, suits, rule, way)
    solver = THESIS if way == PUBLISHED else TEXTBOOK
    [state] = states(coarse, solver, seed, [iterations])
    return lift(average(coarse, state))


@cache  # several entries show the same training
def _compare(
    ways: tuple[tuple[str, int], ...], rules: tuple[str, ...], points: tuple[int, ...]
) -> Compared:
    import pandas as pd

    status = StatusLine(after=2.0)
    rows: list[tuple[str, str, int, int, float, float, int]] = []
    sizes: dict[tuple[str, str], tuple[int, int]] = {}
    for way, repeats in ways:
        tree, suits = game_of(way)
        solver = THESIS if way == PUBLISHED else TEXTBOOK
        games = {}
        for rule in (FULL, *rules):
            status.show(f"{way}, {rule}: forgetting")
            games[rule] = coarse, _ = _coarse(tree, suits, rule, way)
            first, second = np.bincount(coarse.infoset_player, minlength=2)
            sizes[rule, way] = int(first), int(second)
        for seed in range(repeats):
            rivals: dict[int, Strategy] = {}  # iteration -> the unabstracted strategy
            for rule, (coarse, lift) in games.items():
                status.show(f"{way}: repeat {seed + 1} of {repeats}, {rule}")
                for state in states(coarse, solver, seed, points):
                    sigma = lift(average(coarse, state))
                    rival = rivals.setdefault(state.iteration, sigma)
                    points_won = 0.0 if rule == FULL else score(sigma, rival)
                    worst = 2 * exploitability(sigma)
                    seen = reached(coarse, state)
                    rows.append((rule, way, seed, state.iteration, points_won, worst, seen))
    status.clear()
    names = ["rule", "way", "repeat", "iteration", "score", "exploitability", "reached"]
    return Compared(dict(ways), points, pd.DataFrame(rows, columns=names), sizes)


def _coarse(
    tree: GameTree, suits: str, rule: str, way: str
) -> tuple[GameTree, Callable[[Strategy], Strategy]]:
    """The game to train in, and the way back."""
    asked = "" if rule == FULL else f"{rule}-by-kind" if way == KIND else rule
    name = "+".join(part for part in (suits, asked) if part)
    if not name:
        return tree, lambda sigma: sigma
    abstraction = abstract(tree, name)
    return abstraction.coarse, abstraction.lift


def score(sigma: Strategy, rival: Strategy) -> float:
    """Points per hand, mean of both seats."""
    first = expected_values([sigma, rival])[0]
    second = expected_values([rival, sigma])[1]
    return float(first + second) / 2
