"""Exploitability of Table 1's Base and Dynamic: over solvers, over seeds, over all equilibria.

Base and Dynamic need no experts sewn on, so they can have more iterations than the other rows, of
chance sampling above all. It is the paper's solver, it runs on the tree with suits as the paper's
did, and where it ends depends on the seed: so the notes have several, after several numbers of
deals, to see whether they draw together; after 30 million most are still a little more than a
milli-ante from equilibrium, so no range is made of them. What holds for one solver need not hold
for another: the range over all equilibria of the abstract game depends on none. Its smallest number
is exact, its largest a lower bound on the maximum.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, stdev

from workbench.abstraction import Abstraction
from workbench.experiments.experiment import Experiment
from workbench.experiments.reproduce.bases import CHOSEN, bases
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.ledger import Ours
from workbench.solvers import ChanceSampling
from workbench.solvers.selection import equilibrium_range

__all__ = [
    "CHANCE", "MILLI_ANTES", "PLAIN", "SEEDS", "Drawn", "all_equilibria", "base_row", "by_seed",
    "drawn",
]  # fmt: skip

MILLI_ANTES = 1000.0  # in a chip: the ante is one
CLOSE = 1.0  # milli-antes from equilibrium in the abstract game, as in the paper
CHANCE, SEEDS = "chance sampling", tuple(range(8))
DEALS = (1_000_000, 10_000_000, 30_000_000)  # the paper: 100,000,000
LINEAR = "2p Base by chance sampling with linear weights, milli-antes outside, by deals and seed"
EXPECTED = (474.0, 515.0)  # where an independent prototype found Base, by three solvers
PLAIN = ChanceSampling(linear=False)  # all iterations count alike, as in CFR


def by_seed(deals: int, seed: int) -> str:
    """What a run of chance sampling is called.

    >>> by_seed(10_000_000, 3)
    'chance sampling 10M seed 3'
    """
    return f"{CHANCE} {deals // 1_000_000}M seed {seed}"


@dataclass(frozen=True)
class Drawn:
    """Chance sampling of one abstraction: deals -> milli-antes, one number for each seed."""

    outside: dict[int, list[float]]  # exploitability in the full game
    inside: dict[int, list[float]]  # and in the abstract game

    @property
    def parts(self) -> dict[str, float]:
        """Every seed after every number of deals."""
        return {
            by_seed(deals, seed): x
            for deals, found in self.outside.items()
            for seed, x in enumerate(found)
        }

    def words(self, within: tuple[float, float] | None = None) -> str:
        """Mean, standard deviation and range after each number of deals.

        >>> Drawn({1_000_000: [480.0, 520.0]}, {1_000_000: [7.0, 9.0]}).words()
        '2 seeds of chance sampling: 1M deals 500.0 ± 28.3, 480.0 to 520.0 (9 to gain inside)'
        """
        said = []
        for deals, found in self.outside.items():
            words = f"{deals // 1_000_000}M deals {mean(found):.1f} ± {stdev(found):.1f}"
            words += f", {min(found):.1f} to {max(found):.1f}"
            if within is not None:
                low, high = within
                count = sum(low <= x <= high for x in found)
                words += f", {count} within {low:g} to {high:g}"
            said.append(f"{words} ({max(self.inside[deals]):.2g} to gain inside)")
        return f"{len(found)} seeds of {CHANCE}: {'; '.join(said)}" if said else ""


def drawn(
    ab: Abstraction,
    effort: Effort,
    solver: ChanceSampling = PLAIN,
    stops: tuple[int, ...] = DEALS,
) -> Drawn:
    """Chance sampling with every seed; none in quick mode."""
    runs = effort.solve(
        Experiment(
            ab.full, abstraction=ab, solver=solver, iterations=stops[-1], seed=seed,
            checkpoints=list(stops),
        )
        for seed in effort.pick(SEEDS, ())
    )  # fmt: skip
    outside, inside = (
        {
            deals: [MILLI_ANTES * float(run.trace[column].iloc[k]) for run in runs]
            for k, deals in enumerate(stops)
            if runs
        }
        for column in ("exploitability", "abstract_exploitability")
    )
    return Drawn(outside, inside)


def base_row(ab: Abstraction, sampled: Drawn, effort: Effort) -> tuple[Ours, dict[str, object]]:
    """Exploitability of Base: more iterations.

    The note also has chance sampling, as the paper's, all iterations counting alike, and as it is
    by default, late ones counting more.
    """
    iterations = effort.pick(1_000_000, 50_000)
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
    settings: dict[str, object] = {}
    if sampled.outside:
        note += f"; not in the range: {sampled.words(EXPECTED)}"
        linear = drawn(ab, effort, ChanceSampling(), DEALS[:2])
        note += f"; with linear weights: {linear.words(EXPECTED)}"
        settings[LINEAR] = {f"{deals:,}": found for deals, found in linear.outside.items()}
    return Ours.over(parts, CHOSEN, note), {
        **settings,
        "an independent prototype's range for Base": list(EXPECTED),
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
