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

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation import exploitability
from workbench.experiments.expert_rules import expert_rule
from workbench.experiments.reproduce.bases import CHOSEN, SOLVERS
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.entries import read_published
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.experiments.reproduce.leduc_experts import (
    DROPPED,
    RESIDUAL,
    ROWS,
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
    all_equilibria,
    base_row,
)
from workbench.experiments.reproduce.table1_claims import all_claims, check_claims
from workbench.games import load_game
from workbench.solvers import Solver
from workbench.tree import GameTree

NAME = "gibson-szafron-2011-table1"
BASE = {"2p": "JQ-K", "3p": "J-QK"}  # whose strategies are the rows
LINES = (*ROWS, DROPPED)


class Way(NamedTuple):
    """How all games of a field are solved."""

    solver: Solver
    iterations: int
    seed: int = 0


def measure(effort: Effort) -> Result:
    solvers = effort.pick(("cfr+", "cfr", "linear-cfr", "dcfr", "pcfr+"), ("cfr+", "dcfr", "pcfr+"))
    ways = {name: Way(SOLVERS[name], effort.pick(50_000, 10_000)) for name in solvers}
    for seed in effort.pick(SEEDS, ()):
        ways[f"{CHANCE} {seed}"] = Way(PLAIN, 1_000_000, seed)
    ours, inside = _half("2p", ways, effort)
    tree = _game("2p")
    base = abstract(tree, BASE["2p"])
    dynamic = abstract(tree, expert_rule(tree, first_raises(tree), BASE["2p"]))
    suited = abstract(_game("2p", suits=True), BASE["2p"])
    ours["2p exploitability Base"], settings = base_row(suited, effort)
    for row, ab in {"Base": base, "Dynamic": dynamic}.items():
        item = f"2p exploitability {row}"
        ours[f"{item}, all equilibria"] = all_equilibria(ab, ours[item])
    settings["2p, milli-antes to gain inside, largest of all games"] = inside
    skipped = {}
    if effort.quick:
        items = [f"3p earnings {row}" for row in LINES]
        items += [item for item, claim in all_claims() if claim.half == "3p"]
        skipped = dict.fromkeys(items, "three players take minutes")
    else:
        ways = {name: Way(SOLVERS[name], 10_000) for name in ("cfr+", "cfr", "dcfr", "pcfr+")}
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
    earned = {name: field_earnings(field, BASE[half]) for name, field in fields.items()}
    numbers = {
        "earnings": {
            row: {name: MILLI_ANTES * of[row] for name, of in earned.items()} for row in LINES
        }
    }
    if half == "2p":
        numbers["exploitability"] = {
            row: {
                name: MILLI_ANTES * exploitability(field.strategies[BASE[half]][row])
                for name, field in fields.items()
            }
            for row in LINES
        }
    note = f"ours is {CHOSEN} after {ways[CHOSEN].iterations:,} iterations; {_spread(ways, inside)}"
    ours = check_claims(half, numbers, CHOSEN)
    for column, rows in numbers.items():
        for row, found in rows.items():
            over = _over_base(half, row, rows) if column == "earnings" and row != "Base" else ""
            ours[f"{half} {column} {row}"] = Ours.over(found, CHOSEN, over + note)
    return ours, inside


def _over_base(half: str, row: str, rows: Mapping[str, Mapping[str, float]]) -> str:
    """Levels move with the opponents' equilibria; what a row earns more than Base moves less."""
    lead = {name: x - rows["Base"][name] for name, x in rows[row].items()}
    said = {line.item: line.number or 0.0 for line in read_published(NAME)}
    printed = said[f"{half} earnings {row}"] - said[f"{half} earnings Base"]
    return (
        f"more than Base by {lead[CHOSEN]:.1f} ({min(lead.values()):.1f} to "
        f"{max(lead.values()):.1f}), as printed by {printed:.1f}; "
    )


def _spread(ways: Mapping[str, Way], inside: Mapping[str, float]) -> str:
    """What a range is over, and how close to equilibrium its strategies are."""
    drawn = [name for name in ways if name.startswith(CHANCE)]
    sure = [name for name in ways if name not in drawn]
    pieces = []
    for names, who in ((sure, ", ".join(sure)), (drawn, f"{len(drawn)} seeds of {CHANCE}")):
        if names:
            most = max(inside[name] for name in names)
            steps = ways[names[0]].iterations
            pieces.append(f"{who} ({steps:,} iterations; at most {most:.3g} to gain in any game)")
    return f"range over {' and '.join(pieces)}"


def _game(half: str, *, suits: bool = False) -> GameTree:
    return compile_game(load_game("leduc", players=int(half[0]), suit_isomorphism=not suits))
