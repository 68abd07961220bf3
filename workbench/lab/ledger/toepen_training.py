"""How Le (2021) trains and judges in Figures 4.1 and 4.2, and how we do, from the same seeds.

    as told, estimated    the thesis's sampling (average taken at the traverser's nodes, opponents
                          drawn from the average), its suits and its game; judged as in Section
                          4.1.1: each player is trained on for 10,000 iterations against the
                          other, who stays as he is, and what both then win is added up; she
                          goes on from where she stood, with her regrets and her average, as
                          the program published with the thesis does
    as told, exact        the same strategies, lifted to the real game; exact best responses
    standard, exact       standard external sampling with lossless suits, exact best responses

All are b₁ + b₂, points over two hands, one in each seat: twice what `wb.exploitability` says.

"As told" is said of training and judging, which the text describes. The game is the one of the
printed numbers (`toepen_variants.py`): with betting, nobody must follow suit there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.lab.analysis.trained_response import trained_response
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.toepen_variants import VARIANTS
from workbench.progress import StatusLine
from workbench.solvers.base import Solver, State, average
from workbench.solvers.external_sampling import ExternalSampling
from workbench.solvers.iterate import iterate
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd

ESTIMATED, EXACT, STANDARD = "as told, estimated", "as told, exact", "standard, exact"
THESIS = ExternalSampling(linear=False, average_at="traverser", opponent="average")
TEXTBOOK = ExternalSampling(linear=False)
ITERATIONS = 50_000


@dataclass(frozen=True)
class Training:
    """All repeats of some variants: `curves` has a curve "2/3/2, standard, exact" for each."""

    repeats: int
    points: int
    judging: int  # iterations that an estimate trains for
    curves: pd.DataFrame

    @property
    def how(self) -> str:
        """For notes: what was run."""
        return f"mean of {self.repeats} repeats after {ITERATIONS:,} iterations"

    @property
    def settings(self) -> dict[str, object]:
        return {
            "game": "toepen; need not follow suit where there is betting",
            "iterations": ITERATIONS,
            "measured at": f"{self.points} points",
            "seeds": seeds(self.repeats),
            "as told": f"{THESIS!r} with thesis-suits, {self.judging:,} more to estimate",
            "standard": f"{TEXTBOOK!r} with lossless-suits",
        }

    def last(self, variant: str, way: str) -> float:
        """The mean over repeats at the end of training."""
        return mean(self.ends(variant, way))

    def ends(self, variant: str, way: str) -> list[float]:
        """Each repeat at the end of training."""
        rows = self.curves[self.curves.curve == f"{variant}, {way}"]
        return [float(y) for y in rows[rows.iteration == ITERATIONS].exploitability]

    def lead(self, more: str, less: str, way: str, note: str) -> Ours:
        """By how much one variant ends above another; a claim that it does."""
        pairs = zip(self.ends(more, way), self.ends(less, way), strict=True)
        leads = [one - two for one, two in pairs]
        note = f"{note}, range over repeats"
        return Ours(mean(leads), min(leads), max(leads), note, holds=mean(leads) > 0)


def train(variants: Sequence[str], effort: Effort) -> Training:
    """The three ways for each variant and seed."""
    import pandas as pd

    repeats, points, judging = effort.pick((15, 25, 10_000), (3, 5, 10_000))
    stops = range(ITERATIONS // points, ITERATIONS + 1, ITERATIONS // points)
    status = StatusLine(after=2.0)
    rows: list[tuple[str, int, int, float]] = []
    for variant in variants:
        tree = compile_game(VARIANTS[variant])
        told, lossless = abstract(tree, "thesis-suits"), abstract(tree, "lossless-suits")
        for seed in range(repeats):
            status.show(f"{variant}: repeat {seed + 1} of {repeats}")
            for state in states(told.coarse, THESIS, seed, stops):
                sigma = average(told.coarse, state)
                guess = sum(
                    trained_response(
                        sigma,
                        i,
                        THESIS,
                        iterations=judging,
                        seed=seed,
                        start=state,
                        keep_average=True,
                    ).value
                    for i in (0, 1)
                )
                rows.append((f"{variant}, {ESTIMATED}", seed, state.iteration, guess))
                found = 2 * exploitability(told.lift(sigma))
                rows.append((f"{variant}, {EXACT}", seed, state.iteration, found))
            for state in states(lossless.coarse, TEXTBOOK, seed, stops):
                found = 2 * exploitability(lossless.lift(average(lossless.coarse, state)))
                rows.append((f"{variant}, {STANDARD}", seed, state.iteration, found))
    status.clear()
    table = pd.DataFrame(rows, columns=["curve", "repeat", "iteration", "exploitability"])
    return Training(repeats, points, judging, table)


def states(
    tree: GameTree, solver: Solver | str, seed: int, stops: Sequence[int]
) -> Iterator[State]:
    """One training, seen at each of the stops."""
    state: State | None = None
    for stop in stops:
        more = stop - (0 if state is None else state.iteration)
        state = next(iterate(tree, solver, seed=seed, start=state, every=more))
        yield state


def seeds(repeats: int) -> str:
    """For settings and notes: which seeds there were.

    >>> seeds(15), seeds(1)
    ('0 to 14', '0')
    """
    return f"0 to {repeats - 1}" if repeats > 1 else "0"
