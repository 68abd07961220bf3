"""Exploitability of Table 1's Base: over solvers, over seeds, and over all equilibria.

Base needs no experts, so it can have more solvers and more iterations than the other rows. And what
holds for one solver need not hold for another: the range over all equilibria of the abstract game
depends on none. Its smallest number is exact, its largest a lower bound on the maximum.
"""

from __future__ import annotations

from workbench.abstraction import Abstraction
from workbench.experiments.experiment import Experiment
from workbench.experiments.reproduce.bases import CHOSEN, bases
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.ledger import Ours
from workbench.solvers import ChanceSampling
from workbench.solvers.selection import equilibrium_range

__all__ = ["CHANCE", "MILLI_ANTES", "PLAIN", "SEEDS", "all_equilibria", "base_row"]

MILLI_ANTES = 1000.0  # in a chip: the ante is one
CLOSE = 1.0  # milli-antes from equilibrium in the abstract game, as in the paper
CHANCE, SEEDS = "chance sampling", (0, 1, 2)
PLAIN = ChanceSampling(linear=False)  # all iterations count alike, as in CFR


def base_row(ab: Abstraction, effort: Effort) -> tuple[Ours, dict[str, object]]:
    """Exploitability of Base, which needs no experts: more solvers and more iterations."""
    iterations, deals = effort.pick(1_000_000, 50_000), 10_000_000
    found = bases(ab, iterations, effort)
    inside = {name: MILLI_ANTES * base.inside for name, base in found.items()}
    halfway = {name: MILLI_ANTES * base.halfway for name, base in found.items()}
    parts = {name: MILLI_ANTES * found[name].outside for name in found if inside[name] <= CLOSE}
    note = (
        f"ours is {CHOSEN} after {iterations:,} iterations; range over {len(parts)} deterministic "
        f"solvers, each within {CLOSE:g} milli-ante of equilibrium inside"
    )
    if far := [name for name in found if name not in parts]:
        note += f" (not yet so close: {', '.join(far)})"
    drawn = effort.solve(
        Experiment(
            ab.full, abstraction=ab, solver=PLAIN, iterations=deals, seed=seed,
            checkpoints=deals,
        )
        for seed in effort.pick(SEEDS, ())
    )  # fmt: skip
    for run in drawn:
        parts[f"{CHANCE} {run.seed}"] = MILLI_ANTES * run.exploitability
    if drawn:
        most = MILLI_ANTES * max(run.abstract_exploitability for run in drawn)
        note += f", and {len(drawn)} seeds of {CHANCE}, {deals:,} iterations, within {most:.2g}"
    return Ours.over(parts, CHOSEN, note), {
        "iterations for Base": iterations,
        "milli-antes from equilibrium inside": inside,
        "milli-antes outside after half of the iterations": halfway,
    }


def all_equilibria(ab: Abstraction, learnt: Ours) -> Ours:
    """The range of real exploitability over all equilibria of an abstraction."""
    exact, near = (equilibrium_range(ab, slack=slack) for slack in (1e-8, CLOSE / MILLI_ANTES))
    low, high, near_low, near_high = (
        MILLI_ANTES * x for x in (exact.smallest, exact.largest, near.smallest, near.largest)
    )
    return Ours(
        learnt.value,
        min(low, learnt.value),  # a solver stops a little off
        max(high, learnt.value),
        f"ours is {CHOSEN}; the range is over all equilibria of the abstraction: from {low:.2f} "
        f"(exact, by LP) to {high:.2f} or more; over all strategies within {CLOSE:g} milli-ante "
        f"of equilibrium from {near_low:.2f} to {near_high:.2f} or more",
    )
