"""Le (2021), Section 4.2.3: how exploitable is what MCCFR learns of the thesis's largest game?

Three suits, three ranks, three cards, with betting; nobody must follow suit. The thesis trains for
100,000 iterations and prints one number, 0.914, an estimate: each player goes on training for
100,000 iterations more against the other one. Trained and judged in that way, and exactly; trained
by standard external sampling; and CFR+, which walks through the whole game in each iteration. How
the ways differ: see `toepen_training.py`. All are b₁ + b₂, points over two hands, one in each
seat.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.lab.analysis.trained_response import trained_exploitability
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_training import (
    ESTIMATED,
    EXACT,
    TEXTBOOK,
    THESIS,
    seeds,
    states,
)
from workbench.lab.ledger.toepen_variants import LARGEST, VARIANTS
from workbench.progress import StatusLine
from workbench.solvers.base import average
from workbench.strategy import Strategy
from workbench.tree import GameTree

STOPS = (1_000, 10_000, 100_000)
SWEEPS = (1, 3, 10, 30, 100)  # iterations of CFR+
JUDGING = 100_000  # iterations of an estimate
ITEMS = {
    ESTIMATED: f"{LARGEST}, trained and estimated as told",
    EXACT: f"{LARGEST}, trained as told, exact",
    "standard, exact": f"{LARGEST}, standard training, exact",
}
RULE = "three digits of 'approximately 0.914': 0.9135 to 0.9145 would count as reproduced"
Rows = list[tuple[str, int, int, float]]


def measure(effort: Effort) -> Result:
    import pandas as pd

    repeats = effort.pick(3, 1)
    rows = [] if effort.quick else _as_told(repeats)
    tree = compile_game(replace(VARIANTS[LARGEST], suit_isomorphism=True))
    rows += _standard(tree, repeats)
    curves = pd.DataFrame(rows, columns=["curve", "repeat", "iteration", "exploitability"])
    ours, skipped = {}, {}
    for way, item in ITEMS.items():
        last = curves[(curves.curve == way) & (curves.iteration == STOPS[-1])].exploitability
        if not len(last):
            skipped[item] = "seven million histories have to be abstracted"
            continue
        who = f"mean and range over seeds {seeds(repeats)}" if repeats > 1 else "seed 0"
        note = f"{who} after {STOPS[-1]:,} iterations; {RULE}"
        ours[item] = Ours(mean(last), min(last), max(last), note)
    settings = {
        "game": f"toepen {LARGEST}, need not follow suit",
        "iterations": STOPS[-1],
        "seeds": seeds(repeats),
        "as told": f"{THESIS!r} with thesis-suits, {JUDGING:,} more to estimate",
        "standard": f"{TEXTBOOK!r} with suit_isomorphism",
        "cfr+": f"{SWEEPS[-1]} iterations with suit_isomorphism",
        "points that uniform play loses": 2 * exploitability(Strategy.uniform(tree)),
    }
    return Result(ours, settings, curves, skipped)


def _as_told(repeats: int) -> Rows:
    status, rows = StatusLine(after=2.0), []
    told = abstract(compile_game(VARIANTS[LARGEST]), "thesis-suits")
    for seed in range(repeats):
        status.show(f"as told: repeat {seed + 1} of {repeats}")
        for state in states(told.coarse, THESIS, seed, STOPS):
            sigma = average(told.coarse, state)
            judged = trained_exploitability(
                sigma, THESIS, iterations=JUDGING, seeds=[seed], start=state, keep_average=True
            )
            rows.append((ESTIMATED, seed, state.iteration, float(judged.estimate.iloc[0])))
            rows.append((EXACT, seed, state.iteration, 2 * exploitability(told.lift(sigma))))
    status.clear()
    return rows


def _standard(tree: GameTree, repeats: int) -> Rows:
    """Standard sampling, and CFR+, on the game whose suits have no names."""
    rows = [
        ("standard, exact", seed, state.iteration, 2 * exploitability(average(tree, state)))
        for seed in range(repeats)
        for state in states(tree, TEXTBOOK, seed, STOPS)
    ]
    rows += [
        ("cfr+, exact", 0, state.iteration, 2 * exploitability(average(tree, state)))
        for state in states(tree, "cfr+", 0, SWEEPS)
    ]
    return rows
