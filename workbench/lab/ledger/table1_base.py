"""Exploitability of Table 1's Base and Dynamic: over solvers, over seeds, over all equilibria.

Base and Dynamic need no experts sewn on, so they can have more iterations than the other rows, of
chance sampling above all. It is the paper's solver, it runs on the tree with suits as the paper's
did, and where it ends depends on the seed: so the notes have several, after several numbers of
deals, to see whether they draw together; after 30 million most still leave a mean gain (over the
players) of a little more than a milli-ante, so no range is made of them. What holds for one solver
need not hold for another: the range over all equilibria of the abstract game depends on none. Its
smallest number is exact, its largest a lower bound on the maximum.

Where experts are sewn on, no linear program covers base and experts. There the rows "bases"
try many: those of the solvers, those from random starts that come as close to
equilibrium, and the two ends of the range over all equilibria of the base. Such a range, too, is
only what was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.abstraction.abstraction import Abstraction
from workbench.lab.analysis.equilibrium_range import EquilibriumRange, equilibrium_range
from workbench.lab.ledger.bases import CHOSEN, bases
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.table1_notes import (
    CHANCE,
    START,
    place,
    seeds,
    solvers,
    span,
)
from workbench.runs.experiment import Experiment
from workbench.solvers.chance_sampling import ChanceSampling

MILLI_ANTES = 1000.0  # in a chip: the ante is one
CLOSE = 1.0  # milli-antes of mean gain in the abstract game, as in the paper
SEEDS = tuple(range(8))
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


def base_row(
    ab: Abstraction, sampled: Drawn, printed: float, effort: Effort
) -> tuple[Ours, dict[str, object]]:
    """Exploitability of Base: more iterations.

    The note also has chance sampling, as the paper's, all iterations counting alike, and as it is
    by default, late ones counting more.
    """
    iterations = effort.pick(1_000_000, 50_000)
    found = bases(ab, iterations, effort)
    inside = {name: MILLI_ANTES * base.inside for name, base in found.items()}
    halfway = {name: MILLI_ANTES * base.halfway for name, base in found.items()}
    parts = {name: MILLI_ANTES * found[name].outside for name in found if inside[name] <= CLOSE}
    note = f"{solvers(parts)} after {iterations:,} iterations"
    if far := [name for name in found if name not in parts]:
        note += f" (not yet so close: {', '.join(far)})"
    settings: dict[str, object] = {}
    if sampled.outside:
        note += seeds(sampled.parts, printed)
        linear = drawn(ab, effort, ChanceSampling(), DEALS[:2])
        most = {f"seed {k}": x for k, x in enumerate(linear.outside[DEALS[1]])}
        note += f"; with linear weights {DEALS[1] // 1_000_000}M deals {span(most)}"
        settings[LINEAR] = {f"{deals:,}": found for deals, found in linear.outside.items()}
    return Ours.over(parts, CHOSEN, note, left=inside), {
        **settings,
        "an independent prototype's range for Base": list(EXPECTED),
        "iterations for Base": iterations,
        "milli-antes from equilibrium inside": inside,
        "milli-antes outside after half of the iterations": halfway,
    }


def longer(row: Ours, sampled: Drawn, printed: float) -> Ours:
    """A row whose note has longer runs of chance sampling in place of those of the field."""
    if not sampled.outside:
        return row
    note = row.note.split(f"; {CHANCE}: ")[0]
    return replace(row, note=note + seeds(sampled.parts, printed))


def every_equilibrium(ab: Abstraction) -> EquilibriumRange:
    """From the kindest to the cruellest that was found."""
    return equilibrium_range(ab, slack=1e-8)


def all_equilibria(ab: Abstraction, learnt: Ours, exact: EquilibriumRange) -> Ours:
    """The range of real exploitability over all equilibria of an abstraction."""
    near = equilibrium_range(ab, slack=CLOSE / MILLI_ANTES)
    low, high, near_low, near_high = (
        MILLI_ANTES * x for x in (exact.smallest, exact.largest, near.smallest, near.largest)
    )
    return Ours(
        learnt.value,
        min(low, learnt.value),  # a solver stops a little off
        max(high, learnt.value),
        f"the range is over all equilibria of the abstraction: from {low:.2f} (exact, by LP) to "
        f"{high:.2f} or more; over all strategies sure of the value up to {CLOSE:g} milli-ante "
        f"from {near_low:.2f} to {near_high:.2f} or more",
    )


def base_equilibria(
    learnt: Ours, started: Mapping[str, float], ends: Mapping[str, float],
    inside: Mapping[str, float], printed: float,
) -> Ours:  # fmt: skip
    """The range of what experts lose on many equilibria of the base.

    `started`: by random start, of which those count that come as close as the paper's solver;
    `ends`: on the kindest and the cruellest equilibrium.
    """
    close = {name: x for name, x in started.items() if inside[name] <= CLOSE}
    parts = {**learnt.parts, **close, **ends}
    note = f"range over equilibria of the base: {len(learnt.parts)} solvers' {span(learnt.parts)}"
    if close:
        note += f", those of {len(close)} of {len(started)} {START}s {span(close)}"
    note += "".join(f", the {name} {x:.2f}" for name, x in ends.items())
    return Ours.over(parts, CHOSEN, note + place(parts, printed), left=inside)
