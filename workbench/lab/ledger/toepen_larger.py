"""Larger games of Toepen, solved: how many more iterations do they take?"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.curves import curves_of
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run

if TYPE_CHECKING:
    import pandas as pd

GAMES = {
    f"{suits}/{ranks}/{hand}b": Toepen(suits, ranks, hand, suit_isomorphism=True)
    for suits, ranks, hand in [(3, 3, 2), (3, 3, 3), (4, 4, 3)]
}
LARGEST = "4/4/3b"
CLOSE = 0.02  # points, b₁ + b₂: when a game counts as solved here


class Work:
    """A run on each game."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.iterations = effort, effort.pick(200, 100)

    @cached_property
    def runs(self) -> dict[str, Run]:
        names = [name for name in GAMES if name != LARGEST or not self.effort.quick]
        found = self.effort.solve(
            Experiment(GAMES[name], iterations=self.iterations, checkpoints=5) for name in names
        )
        return dict(zip(names, found, strict=True))

    def solved(self, name: str) -> dict[str, float]:
        """How large a game is, when its run came close, and where it ended."""
        run = self.runs[name]
        near = run.trace[2 * run.trace.exploitability <= CLOSE]
        if not len(near):
            raise GameError(f"{run!r} did not come to {CLOSE} points")
        return {
            "sets": run.strategy.tree.num_infosets,
            f"iterations to {CLOSE}": int(near.iteration.iloc[0]),
            f"points after {run.iterations}": float(f"{2 * run.exploitability:.4f}"),
            "seconds": round(run.seconds),
        }

    def growth(self, small: str, large: str) -> Ours:
        """Iterations of the larger game for each of the smaller one; fewer than its sets?"""
        if large == LARGEST:
            self.effort.full_only("compiling it takes minutes")
        before, after = self.solved(small), self.solved(large)
        sets, iterations = (after[name] / before[name] for name in list(before)[:2])
        return Ours(
            iterations, note="times as many iterations of cfr+", holds=iterations < sets,
            facts={"times as many information sets": round(sets), small: before, large: after},
        )  # fmt: skip

    @property
    def curves(self) -> pd.DataFrame:
        table = curves_of({name: [run] for name, run in self.runs.items()})
        table["exploitability"] *= 2  # b₁ + b₂
        return table


LARGER = Entry(
    """Le (2021), Sections 4.1.4 and 4.2.4: what larger games take.

    The thesis stops at three suits, three ranks and three cards with betting, far from converged
    after 100,000 sampled iterations. It takes its curves for a sign that the full game could be
    much easier to learn than its size suggests, and speaks of MCCFR. We measure with CFR+: here its
    largest game is solved, and one of four suits and four ranks, nineteen times as large. How: on
    the sequence form, suits merged without loss (`suit_isomorphism`), players follow suit, exact
    best responses. Points are b₁ + b₂, over two hands, one in each seat.

    Compiling the larger game takes minutes and a few gigabytes the first time; it is kept on disk.
    """,
    Work,
    {
        "iterations to 0.02 points, from 3/3/2b to 3/3/3b": lambda w: w.growth("3/3/2b", "3/3/3b"),
        "iterations to 0.02 points, from 3/3/3b to 4/4/3b": lambda w: w.growth("3/3/3b", LARGEST),
    },
    lambda work: {
        "game": "toepen with betting, follow_suit and suit_isomorphism",
        "solver": "cfr+",
        "iterations": work.iterations,
        **NO_SEEDS,
    },
    lambda work: work.curves,
)

ENTRIES = {"le-2021-larger-games": LARGER}
