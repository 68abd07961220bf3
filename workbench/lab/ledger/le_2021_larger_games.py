"""Le (2021), Sections 4.1.4 and 4.2.4: what larger games take.

The thesis stops at three suits, three ranks and three cards with betting, far from converged after
100,000 sampled iterations, and hopes that larger decks are easier than their sizes suggest. Here
its largest game is solved, and one of four suits and four ranks, eighteen times as large: CFR+ on
the sequence form, suits merged without loss (`suit_isomorphism`), players follow suit, exact
best responses. Points are b₁ + b₂, over two hands, one in each seat.

Compiling the larger game takes minutes and a few gigabytes the first time; it is kept on disk.
"""

from __future__ import annotations

from itertools import pairwise

from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.curves import curves_of
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run

GAMES = {
    f"{suits}/{ranks}/{hand}b": Toepen(suits, ranks, hand, suit_isomorphism=True)
    for suits, ranks, hand in [(3, 3, 2), (3, 3, 3), (4, 4, 3)]
}
LARGEST = "4/4/3b"
CLOSE = 0.02  # points, b₁ + b₂: when a game counts as solved here


def measure(effort: Effort) -> Result:
    names = [name for name in GAMES if name != LARGEST or not effort.quick]
    iterations = effort.pick(200, 100)
    runs = effort.solve(
        Experiment(GAMES[name], iterations=iterations, checkpoints=5) for name in names
    )
    curves = curves_of({name: [run] for name, run in zip(names, runs, strict=True)})
    curves["exploitability"] *= 2  # b₁ + b₂
    found = {name: _Solved(run) for name, run in zip(names, runs, strict=True)}
    ours, skipped = {}, {}
    for small, large in pairwise(GAMES):
        item = f"iterations to {CLOSE} points, from {small} to {large}"
        if large not in found:
            skipped[item] = "compiling it takes minutes"
            continue
        growth = found[large].iterations / found[small].iterations
        larger = found[large].sets / found[small].sets
        ours[item] = Ours(
            growth,
            note=f"times as many iterations of cfr+, for {larger:.0f} times as many information "
            f"sets; {small}: {found[small]}; {large}: {found[large]}",
            holds=growth < larger,
        )
    return Result(
        ours,
        {
            "game": "toepen with betting, follow_suit and suit_isomorphism",
            "solver": "cfr+",
            "iterations": iterations,
            "seeds": "none: nothing is drawn at random",
        },
        curves,
        skipped,
    )


class _Solved:
    """When a run came close, and where it ended."""

    def __init__(self, run: Run) -> None:
        near = run.trace[2 * run.trace.exploitability <= CLOSE]
        if not len(near):
            raise GameError(f"{run!r} did not come to {CLOSE} points")
        self.run = run
        self.iterations = int(near.iteration.iloc[0])
        self.sets = run.strategy.tree.num_infosets

    def __str__(self) -> str:
        run = self.run
        return (
            f"{self.sets:,} sets, {CLOSE} after {self.iterations}, "
            f"{2 * run.exploitability:.4f} after {run.iterations} iterations ({run.seconds:.0f} s)"
        )
