"""Larger games of Toepen, solved: how many more iterations do they take?"""

from __future__ import annotations

from workbench.lab.ledger.papers.traces import curves_of

from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry, TooLongError
from workbench.lab.ledger.ledger import Ours
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run

GAMES = {
    f"{suits}/{ranks}/{hand}b": Toepen(suits, ranks, hand, suit_isomorphism=True)
    for suits, ranks, hand in ((3, 3, 2), (3, 3, 3), (4, 4, 3))
}
SMALL, MIDDLE, LARGE = GAMES
CLOSE = 0.02  # points, b₁ + b₂: when a game counts as solved here

Runs = dict[str, Run]


def solve_all(effort: Effort) -> Runs:
    """A run on each game."""
    games, iterations = list(GAMES.values())[: effort.pick(3, 2)], effort.pick(200, 100)
    runs = effort.solve(Experiment(game, iterations=iterations, checkpoints=5) for game in games)
    return dict(zip(GAMES, runs, strict=False))


def solved(run: Run) -> dict[str, float]:
    """How large a game is, when its run came close, and where it ended."""
    near = run.trace[2 * run.trace.exploitability <= CLOSE]
    if not len(near):
        raise GameError(f"{run!r} did not come to {CLOSE} points")
    return {
        "sets": run.strategy.tree.num_infosets,
        f"iterations to {CLOSE} points": int(near.iteration.iloc[0]),
        f"points after {run.iterations} iterations": round(2 * run.exploitability, 4),
        "seconds": round(run.seconds),
    }


def growth(runs: Runs, small: str, large: str) -> Ours:
    """Iterations of the larger game for each of the smaller one; fewer than its sets?"""
    if large not in runs:
        raise TooLongError("compiling it takes minutes")
    before, after = solved(runs[small]), solved(runs[large])
    sets, iterations = (after[name] / before[name] for name in list(before)[:2])
    facts = {"times as many information sets": round(sets), small: before, large: after}
    note = "times as many iterations of cfr+"
    return Ours(iterations, note=note, holds=iterations < sets, facts=facts)


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
    solve_all,
    {
        "iterations to 0.02 points, from 3/3/2b to 3/3/3b": (growth, SMALL, MIDDLE),
        "iterations to 0.02 points, from 3/3/3b to 4/4/3b": (growth, MIDDLE, LARGE),
    },
    lambda runs: {
        "game": "toepen with betting, follow_suit and suit_isomorphism",
        "solver": "cfr+",
        "iterations": runs[SMALL].iterations,
        **NO_SEEDS,
    },
    lambda runs: curves_of({name: [run] for name, run in runs.items()}, times=2),
)

ENTRIES = {"le-2021-larger-games": LARGER}
