"""Gibson & Szafron (2011), Table 1: size, earnings and exploitability of stitched Leduc strategies.

How: `leduc_experts.py` builds the five strategies of each of the three base abstractions, every
game by the same solver. Sizes are counted on the tree with suits. Exploitability is the mean of
what the two best responses win, earnings are exact, against all strategies of the other two bases
in all seatings; both in milli-antes (1000 to the chip). The table's rows are those of JQ-K with two
players and of J-QK with three. `table1_claims.py` has what the text says about them.

The paper ran chance-sampled CFR for 100 million iterations, with two players to within a milli-ante
of equilibrium. The numbers depend on which equilibria a solver ends at, so ranges are over
solvers that come as close in every game, and over seeds of chance sampling, which has fewer
iterations here than there and comes less close. Rows "all equilibria" depend on no solver: the
smallest exploitability of an equilibrium is exact, the largest a lower bound on the maximum.

Where a base hardly ever enters an expert's part, S=N.All depends on a rule that the text does not
state. Its rows come twice, with the base's leftover probabilities kept and dropped. Chance sampling
hardly ever visits such a part, so its experts there are half trained by either rule.

With three players nothing says that a solver approaches an equilibrium: strategies are whatever
each solver's average is, and the settings say what a player could still gain by deviating.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workbench.abstraction import Abstraction, abstract
from workbench.compiling import compile_game
from workbench.evaluation import exploitability
from workbench.experiments.experiment import Experiment
from workbench.experiments.expert_rules import expert_rule
from workbench.experiments.reproduce.bases import CHOSEN, SOLVERS, bases
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.experiments.reproduce.leduc_experts import (
    DROPPED,
    RESIDUAL,
    ROWS,
    Field,
    field_earnings,
    first_raises,
    play_field,
    sizes,
)
from workbench.experiments.reproduce.table1_claims import all_claims, check_claims
from workbench.games import load_game
from workbench.solvers import ChanceSampling, Solver
from workbench.solvers.selection import equilibrium_range
from workbench.tree import GameTree

MILLI_ANTES = 1000.0  # in a chip: the ante is one
CLOSE = 1.0  # milli-antes from equilibrium in the abstract game, as in the paper
BASE = {"2p": "JQ-K", "3p": "J-QK"}  # whose strategies are the rows
LINES = (*ROWS, DROPPED)
CHANCE, SEEDS = "chance sampling", (0, 1, 2)
PLAIN = ChanceSampling(linear=False)  # all iterations count alike, as in CFR


class Way(NamedTuple):
    """How all games of a field are solved."""

    solver: Solver
    iterations: int
    seed: int = 0


def measure(effort: Effort) -> Result:
    solvers = effort.pick(("cfr+", "cfr", "linear-cfr", "dcfr", "pcfr+"), ("cfr+", "dcfr", "pcfr+"))
    ways = {name: Way(SOLVERS[name], effort.pick(50_000, 10_000)) for name in solvers}
    for seed in effort.pick(SEEDS, ()):
        ways[f"{CHANCE}, seed {seed}"] = Way(PLAIN, 1_000_000, seed)
    ours, inside = _half("2p", ways, effort)
    ours["2p exploitability Base"], settings = _base(effort)
    tree = _game("2p")
    dynamic = expert_rule(tree, first_raises(tree), BASE["2p"])
    for row, ab in {"Base": abstract(tree, BASE["2p"]), "Dynamic": abstract(tree, dynamic)}.items():
        item = f"2p exploitability {row}"
        ours[f"{item}, all equilibria"] = _all_equilibria(ab, ours[item])
    settings["2p, milli-antes to gain inside, largest of all games"] = inside
    skipped = {}
    if effort.quick:
        items = [f"3p earnings {row}" for row in LINES]
        items += [item for item, claim in all_claims() if claim.half == "3p"]
        skipped = dict.fromkeys(items, "three players take minutes")
    else:
        ways = {name: Way(SOLVERS[name], 10_000) for name in ("cfr+", "cfr", "dcfr")}
        three, inside = _half("3p", ways, effort)
        ours |= three
        settings["3p, milli-antes to gain inside, largest of all games"] = inside
    return Result(
        ours | _sizes("2p") | _sizes("3p"),
        {
            "game": "leduc",
            "abstractions": BASE,
            "residual dropped": f"base probabilities below {RESIDUAL} count as zero",
            **settings,
            "seeds": f"{', '.join(map(str, SEEDS))} of chance sampling; nothing else is drawn",
        },
        skipped=skipped,
    )


def _sizes(half: str) -> dict[str, Ours]:
    """The most information sets in one computation, as the paper counts them."""
    found, alone = sizes(_game(half, suits=True), BASE[half])
    each = " · ".join(f"{of_player['r']:,}" for of_player in alone)
    notes = {
        "Static.S={i}": f"the r-expert has {each} sets for players 1 · 2 · 3, no part has 3,017; "
        "counted as the other rows"
    }
    return {
        f"{half} size {row}": Ours(found[row], note=notes.get(row, "") if half == "3p" else "")
        for row in ROWS
    }


def _half(
    half: str, ways: Mapping[str, Way], effort: Effort
) -> tuple[dict[str, Ours], dict[str, float]]:
    """Earnings, with two players exploitability, and the claims about them."""
    tree = _game(half)
    fields = {
        name: play_field(tree, way.solver, way.iterations, seed=way.seed, store=effort.store)
        for name, way in ways.items()
    }
    inside = {name: MILLI_ANTES * field.inside for name, field in fields.items()}
    note = f"ours is {CHOSEN} after {ways[CHOSEN].iterations:,} iterations; {_spread(ways, inside)}"
    numbers = {"earnings": _earnings(half, fields)}
    if half == "2p":
        numbers["exploitability"] = {
            row: {
                name: MILLI_ANTES * exploitability(field.strategies[BASE[half]][row])
                for name, field in fields.items()
            }
            for row in LINES
        }
    ours = {
        f"{half} {column} {row}": Ours.over(found, CHOSEN, note)
        for column, rows in numbers.items()
        for row, found in rows.items()
    }
    return ours | check_claims(half, numbers, CHOSEN), inside


def _earnings(half: str, fields: Mapping[str, Field]) -> dict[str, dict[str, float]]:
    """row -> solver or seed -> milli-antes"""
    found = {name: field_earnings(field, BASE[half]) for name, field in fields.items()}
    return {row: {name: MILLI_ANTES * of[row] for name, of in found.items()} for row in LINES}


def _spread(ways: Mapping[str, Way], inside: Mapping[str, float]) -> str:
    """What a range is over, and how close to equilibrium its strategies are."""
    pieces = []
    for drawn in (False, True):
        names = [name for name in ways if isinstance(ways[name].solver, ChanceSampling) == drawn]
        if names:
            most = max(inside[name] for name in names)
            pieces.append(
                f"{', '.join(names)} ({ways[names[0]].iterations:,} iterations; in no game more "
                f"than {most:.2g} milli-antes to gain)"
            )
    return f"range over {' and '.join(pieces)}"


def _base(effort: Effort) -> tuple[Ours, dict[str, object]]:
    """Exploitability of Base, which needs no experts: more solvers and more iterations."""
    iterations, deals = effort.pick(1_000_000, 50_000), 10_000_000
    ab = abstract(_game("2p"), BASE["2p"])
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
        parts[f"{CHANCE}, seed {run.seed}"] = MILLI_ANTES * run.exploitability
    if drawn:
        most = MILLI_ANTES * max(run.abstract_exploitability for run in drawn)
        note += f", and {len(drawn)} seeds of {CHANCE}, {deals:,} iterations, within {most:.2g}"
    return Ours.over(parts, CHOSEN, note), {
        "iterations for Base": iterations,
        "milli-antes from equilibrium inside": inside,
        "milli-antes outside after half of the iterations": halfway,
    }


def _all_equilibria(ab: Abstraction, learnt: Ours) -> Ours:
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


def _game(half: str, *, suits: bool = False) -> GameTree:
    return compile_game(load_game("leduc", players=int(half[0]), suit_isomorphism=not suits))
