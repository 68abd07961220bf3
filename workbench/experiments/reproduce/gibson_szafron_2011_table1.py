"""Gibson & Szafron (2011), Table 1: size, earnings and exploitability of stitched Leduc strategies.

How: `leduc_experts.py` builds the five strategies of each of the three base abstractions, every
game by the same solver. Sizes are counted on the tree with suits. Exploitability is the mean of
what the two best responses win, earnings are exact, against all strategies of the other two bases
in all seatings; both in milli-antes (1000 to the chip). The table's rows are those of JQ-K with two
players and of J-QK with three. `table1_claims.py` has what the text says about them.

The paper ran chance-sampled CFR for 100 million iterations, with two players to within a milli-ante
of equilibrium. The numbers depend on which equilibria a solver ends at, so ranges are over
solvers that come as close in every game, on the tree by rank, and over seeds of chance sampling on
the tree with suits (they change no value, only where a sampler ends), which has fewer iterations
here than there and comes less close. Rows "all equilibria" depend on no solver: the
smallest exploitability of an equilibrium is exact, the largest a lower bound on the maximum.

Where a base hardly ever enters an expert's part, S=N.All depends on a rule that the text does not
state. Its rows come twice, with the base's leftover probabilities kept and dropped, and so do all
earnings, since everybody meets everybody's S=N.All. Chance sampling hardly ever visits such a
part, so its experts there are half trained by either rule.

With three players nothing says that a solver approaches an equilibrium: strategies are whatever
each solver's average is, and the settings say what a player could still gain by deviating.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation import exploitability
from workbench.experiments.expert_rules import expert_rule
from workbench.experiments.reproduce.bases import CHOSEN, SOLVERS
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.entries import read_published
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.experiments.reproduce.leduc_experts import (
    BASES,
    DROPPED,
    RESIDUAL,
    ROWS,
    TWIN,
    Field,
    field_earnings,
    first_raises,
    play_field,
    sizes,
)
from workbench.experiments.reproduce.table1_base import (
    CHANCE,
    MILLI_ANTES,
    PLAIN,
    SEEDS,
    Drawn,
    all_equilibria,
    base_row,
    by_seed,
    drawn,
)
from workbench.experiments.reproduce.table1_claims import all_claims, check_claims
from workbench.experiments.reproduce.table1_theorem import theorem_1
from workbench.games import load_game
from workbench.solvers import Solver
from workbench.tree import GameTree

NAME = "gibson-szafron-2011-table1"
BASE = {"2p": "JQ-K", "3p": "J-QK"}  # whose strategies are the rows
EARNED = (*ROWS, *(row + TWIN for row in ROWS))
LOST = (*ROWS, DROPPED)
FEW = 1_000_000  # deals of chance sampling for a whole field
MORE, FIRST = 10_000_000, SEEDS[:2]  # and for the strategies of JQ-K; Base and Dynamic have more


class Way(NamedTuple):
    """How all games of a field are solved."""

    solver: Solver
    iterations: int
    seed: int = 0
    suits: bool = False
    bases: tuple[str, ...] = BASES


def measure(effort: Effort) -> Result:
    solvers = effort.pick(("cfr+", "cfr", "linear-cfr", "dcfr", "pcfr+"), ("cfr+", "dcfr", "pcfr+"))
    ways = {name: Way(SOLVERS[name], effort.pick(50_000, 10_000)) for name in solvers}
    for seed in effort.pick(SEEDS, ()):
        ways[by_seed(FEW, seed)] = Way(PLAIN, FEW, seed, suits=True)
    fields = _fields("2p", ways, effort)
    for seed in effort.pick(FIRST, ()):
        ways[by_seed(MORE, seed)] = Way(PLAIN, MORE, seed, suits=True, bases=(BASE["2p"],))
    longer = _fields("2p", {name: ways[name] for name in ways if name not in fields}, effort)
    ours, inside = _half("2p", ways, fields, longer)
    learnt = {name: of["Base"] for name, of in fields[CHOSEN].strategies.items()}
    ours |= theorem_1(_game("2p"), learnt, CHOSEN, ways[CHOSEN].iterations)
    settings = _more_of_two_players(ours, effort)
    settings["2p, milli-antes to gain inside, largest of all games"] = inside
    skipped = {}
    if effort.quick:
        items = [f"3p earnings {row}" for row in EARNED]
        items += [item for item, claim in all_claims() if claim.half == "3p"]
        skipped = dict.fromkeys(items, "three players take minutes")
    else:
        ways = {name: Way(SOLVERS[name], 10_000) for name in ("cfr+", "cfr", "dcfr", "pcfr+")}
        three, inside = _half("3p", ways, _fields("3p", ways, effort))
        ours |= three
        settings["3p, milli-antes to gain inside, largest of all games"] = inside
    return Result(
        ours | _sizes("2p") | _sizes("3p"),
        {
            "game": "leduc",
            "abstractions": BASE,
            "residual dropped": f"base probabilities below {RESIDUAL} count as zero",
            **settings,
            "seeds": f"{SEEDS[0]} to {SEEDS[-1]} of chance sampling; nothing else is drawn",
        },
        skipped=skipped,
    )


def _more_of_two_players(ours: dict[str, Ours], effort: Effort) -> dict[str, object]:
    """Base and Dynamic once more: longer runs, and all equilibria. Returns the settings."""
    trees = [_game("2p", suits=suits) for suits in (False, True)]
    views = {
        "Base": [abstract(tree, BASE["2p"]) for tree in trees],
        "Dynamic": [
            abstract(tree, expert_rule(tree, first_raises(tree), BASE["2p"])) for tree in trees
        ],
    }
    sampled = {row: drawn(suited, effort) for row, (_, suited) in views.items()}
    base, dynamic = "2p exploitability Base", "2p exploitability Dynamic"
    ours[base], settings = base_row(views["Base"][1], sampled["Base"], effort)
    ours[dynamic] = _longer(ours[dynamic], sampled["Dynamic"])
    for row, (by_rank, _) in views.items():
        item = f"2p exploitability {row}"
        ours[f"{item}, all equilibria"] = all_equilibria(by_rank, ours[item])
        for column, found in (("outside", sampled[row].outside), ("inside", sampled[row].inside)):
            settings[f"2p {row} by chance sampling, milli-antes {column}, by deals and seed"] = {
                f"{deals:,}": numbers for deals, numbers in found.items()
            }
    return settings


def _longer(row: Ours, sampled: Drawn) -> Ours:
    """A row with the longer runs of chance sampling as well."""
    if not sampled.parts:
        return row
    parts = {**row.parts, **sampled.parts}
    return Ours.over(parts, CHOSEN, f"{row.note}; more deals: {sampled.words()}")


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


def _fields(half: str, ways: Mapping[str, Way], effort: Effort) -> dict[str, Field]:
    return {
        name: play_field(
            _game(half, suits=way.suits), way.solver, way.iterations,
            seed=way.seed, bases=way.bases, store=effort.store,
        )
        for name, way in ways.items()
    }  # fmt: skip


def _half(
    half: str,
    ways: Mapping[str, Way],
    fields: Mapping[str, Field],
    longer: Mapping[str, Field] = MappingProxyType({}),
) -> tuple[dict[str, Ours], dict[str, float]]:
    """Earnings, with two players exploitability, and the claims about them.

    `longer`: strategies of the table's own base only, who meet nobody and so earn nothing.
    """
    inside = {name: MILLI_ANTES * field.inside for name, field in {**fields, **longer}.items()}
    earned = {name: field_earnings(field, BASE[half]) for name, field in fields.items()}
    numbers = {
        "earnings": {
            row: {name: MILLI_ANTES * of[row] for name, of in earned.items()} for row in EARNED
        }
    }
    if half == "2p":
        numbers["exploitability"] = {
            row: {
                name: MILLI_ANTES * exploitability(field.strategies[BASE[half]][row])
                for name, field in {**fields, **longer}.items()
            }
            for row in LOST
        }
    ours = check_claims(half, numbers, CHOSEN, _unfinished(inside) if half == "3p" else "")
    first = f"ours is {CHOSEN} after {ways[CHOSEN].iterations:,} iterations; "
    for column, rows in numbers.items():
        for row, found in rows.items():
            over = _over_base(half, row, rows) if column == "earnings" else ""
            note = over + first + _spread({name: ways[name] for name in found}, inside)
            ours[f"{half} {column} {row}"] = Ours.over(found, CHOSEN, note + _alone(found))
    return ours, inside


def _alone(found: Mapping[str, float]) -> str:
    """The range without the seeds, if there are any: they have come less close."""
    sure = [x for name, x in found.items() if not name.startswith(CHANCE)]
    return f"; without seeds {min(sure):.2f} to {max(sure):.2f}" if len(sure) < len(found) else ""


def _unfinished(inside: Mapping[str, float]) -> str:
    """With three players: how far from an equilibrium each solver may be."""
    each = ", ".join(f"{name} {most:.1f}" for name, most in inside.items())
    return f"; milli-antes that a player could still gain in some game, at most: {each}"


def _over_base(half: str, row: str, rows: Mapping[str, Mapping[str, float]]) -> str:
    """Levels move with the opponents' equilibria; what a row earns more than Base moves less."""
    base = "Base" + (TWIN if row.endswith(TWIN) else "")
    if row == base:
        return ""
    lead = {name: x - rows[base][name] for name, x in rows[row].items()}
    said = {line.item: line.number or 0.0 for line in read_published(NAME)}
    printed = said[f"{half} earnings {row}"] - said[f"{half} earnings Base"]
    return (
        f"more than Base by {lead[CHOSEN]:.1f} ({min(lead.values()):.1f} to "
        f"{max(lead.values()):.1f}), as printed by {printed:.1f}; "
    )


def _spread(ways: Mapping[str, Way], inside: Mapping[str, float]) -> str:
    """What a range is over, and how close to equilibrium its strategies are."""
    groups: dict[tuple[bool, int], list[str]] = {}
    for name, way in ways.items():
        groups.setdefault((name.startswith(CHANCE), way.iterations), []).append(name)
    pieces = []
    for (drawn_at_random, steps), names in groups.items():
        who = f"{len(names)} seeds of {CHANCE}" if drawn_at_random else ", ".join(names)
        most = max(inside[name] for name in names)
        pieces.append(f"{who} ({steps:,} iterations; at most {most:.3g} to gain in any game)")
    return f"range over {' and '.join(pieces)}"


def _game(half: str, *, suits: bool = False) -> GameTree:
    return compile_game(load_game("leduc", players=int(half[0]), suit_isomorphism=not suits))
