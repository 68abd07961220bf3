"""Le (2021), Table 3.2: how many information sets are left when suits lose their names.

How: the versions of Table 3.1 are compiled with all suits, and `thesis-suits`, the translation of
the thesis, says which information sets are one. As there, the rows with betting (`b`) are those of
players who need not follow suit.

The text calls the translation lossless. That is a claim of its own: every equilibrium of the
smaller game should be one of the real game, so a single one that loses there refutes it. We solve
3/2/2b in translation, and again with names that depend on the situation alone (`lossless-suits`),
and ask what best responses win in the real game.
"""

from __future__ import annotations

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_variants import LARGEST, VARIANTS, as_told
from workbench.runs.experiment import Experiment

MINUTES = "its 6.8 million histories take minutes"
SOLVED, SOLVERS = "3/2/2b", ("pcfr+", "lp")
NOTHING = 0.001  # points: what an unfinished solver may lose


def measure(effort: Effort) -> Result:
    ours, skipped = {}, {}
    for name, variant in VARIANTS.items():
        item = f"{name} information sets"
        if effort.quick and name == LARGEST:
            skipped[item] = MINUTES
            continue
        note = ""
        if variant.betting:
            told = _sets(as_told(variant))
            note = f"need not follow suit; players who must, as the text says, have {told:,}"
        ours[item] = Ours(_sets(variant), note=note)
    iterations = effort.pick(50_000, 5_000)
    ours["the translation loses nothing"] = _claim(effort, iterations)
    return Result(
        ours,
        {
            "game": "toepen",
            "follow_suit": "True without betting, False with it",
            "abstraction": "thesis-suits",
            "claim": f"{', '.join(SOLVERS)} on {SOLVED}, {iterations:,} iterations",
            "seeds": "none: nothing is drawn at random",
        },
        skipped=skipped,
    )


def _sets(variant: Toepen) -> int:
    return abstract(compile_game(variant), "thesis-suits").coarse.num_infosets


def _claim(effort: Effort, iterations: int) -> Ours:
    """What both best responses win together in the real game, as the thesis measures."""
    tree = compile_game(VARIANTS[SOLVED])
    runs = effort.solve(
        Experiment(tree, abstraction=abstract(tree, name), solver=solver, iterations=iterations)
        for name in ("thesis-suits", "lossless-suits")
        for solver in SOLVERS
    )
    thesis, lossless = runs[: len(SOLVERS)], runs[len(SOLVERS) :]
    lost = {run.solver.name: 2 * run.exploitability for run in thesis}
    inside = 2 * max(run.abstract_exploitability for run in thesis)
    clean = 2 * max(run.exploitability for run in lossless)
    return Ours.over(
        lost,
        SOLVERS[0],
        f"{SOLVED}, equilibria by {' and '.join(SOLVERS)} ({iterations:,} iterations): what both "
        f"best responses win in the real game; inside the smaller game at most {inside:.0e}; with "
        f"lossless-suits at most {clean:.0e} in the real game",
        holds=max(lost.values()) < NOTHING,
    )
