"""How Le (2021), Section 4.2, compares six abstractions of Toepen 3/3/3b, and how we do.

A strategy is trained in each abstract game and in the one where nothing but suits is forgotten
("unabstracted"), from the same seeds, and stopped at the same iterations. Four ways:

    as published            the game of the printed numbers (nobody must follow suit, though the
                            text says so), the thesis's suits and the sampling that it describes
                            (toepen_training.py)
    standard                the same game with lossless suits, standard external sampling
    follow suit             the same with the rule that people play by: follow suit if you can
    follow suit, by kind    and decisions of different kinds are never merged

The last three deal without names of suits (`suit_isomorphism`). Where cards look alike, a walk then
draws one of them; with "lossless-suits" it goes below each (`solvers/sampling_tree.py`) and gets a
little further in as many iterations.

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

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
from workbench.lab.ledger.papers.toepen_repeats import Repeats
from workbench.lab.ledger.papers.toepen_training import TEXTBOOK, THESIS, seeds, states
from workbench.lab.ledger.papers.toepen_variants import LARGEST, VARIANTS

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import expected_values, exploitability
from workbench.lab.ledger.entry import Effort
from workbench.progress import StatusLine
from workbench.solvers.base import State, average
from workbench.strategy import Strategy
from workbench.tree import GameTree

PUBLISHED, STANDARD = "as published", "standard"
FOLLOW, KIND = "follow suit", "follow suit, by kind"
WAYS = (PUBLISHED, STANDARD, FOLLOW, KIND)
FULL = "unabstracted"
RULES = (
    "naive", "simple-history", "simple-hand", "advanced-hand", "advanced-history",
    "advanced-combined",
)  # fmt: skip
POINTS = tuple(1000 * k for k in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100))
COLUMNS = ["name", "way", "repeat", "iteration", "score", "exploitability", "reached"]

Sizes = dict[tuple[str, str], tuple[int, int]]  # rule, way -> information sets of each player


def compare(rules: Sequence[str], effort: Effort) -> Repeats:
    """At least these rules: in quick mode only them, once, and in the smallest of the games."""
    repeats = effort.pick(dict.fromkeys(WAYS, 15), {FOLLOW: 1})
    points = effort.pick(POINTS, (1_000, 5_000, 20_000, 100_000))
    standard = f"{TEXTBOOK!r} with suit_isomorphism and the rule"
    settings = {
        "game": f"toepen {LARGEST}",
        "iterations": points[-1],
        "measured at": ", ".join(f"{point:,}" for point in points),
        "seeds": "; ".join(f"{way} {seeds(n)}" for way, n in repeats.items()),
        PUBLISHED: f"need not follow suit; {THESIS!r} with thesis-suits and the rule",
        STANDARD: f"need not follow suit; {standard}",
        FOLLOW: f"must follow suit; {standard}",
        KIND: f"must follow suit; {standard} by kind",
    }
    table, sizes = train_all(tuple(repeats.items()), effort.pick(RULES, tuple(rules)), points)
    return Repeats(effort, table, settings, sizes)


@cache  # several entries show the same training
def train_all(
    ways: tuple[tuple[str, int], ...], rules: tuple[str, ...], points: tuple[int, ...]
) -> tuple[pd.DataFrame, Sizes]:
    """Every rule in every way, so many times: what was measured, and how large the games are."""
    status, sizes = StatusLine(after=2.0), Sizes()
    rows: list[tuple[str, str, int, int, float, float, int]] = []
    for way, repeats in ways:
        tree, suits = game_of(way)
        solver, games = THESIS if way == PUBLISHED else TEXTBOOK, {}
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
                    won = 0.0 if rule == FULL else score(sigma, rival)
                    worst = 2 * exploitability(sigma)
                    seen = reached(coarse, state)
                    rows.append((rule, way, seed, state.iteration, won, worst, seen))
    status.clear()
    return pd.DataFrame(rows, columns=COLUMNS), sizes


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
