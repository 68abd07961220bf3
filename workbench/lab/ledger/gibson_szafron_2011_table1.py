"""Gibson & Szafron (2011), Table 1: size, earnings and exploitability of stitched Leduc strategies.

How: `leduc_experts.py` builds the five strategies of each of the three base abstractions, every
game by the same solver. Sizes are counted on the tree with suits. Exploitability is the mean of
what the two best responses win, earnings are exact, against all strategies of the other two bases
in all seatings; both in milli-antes (1000 to the chip). The table's rows are those of JQ-K with two
players and of J-QK with three. `table1_claims.py` has what the text says about them.

The paper ran chance-sampled CFR for 100 million iterations, with two players to within a milli-ante
of equilibrium. The numbers depend on which equilibria a solver ends at, so ranges and verdicts are
over six solvers that come as close in every game, on the tree by rank: "close" is the mean over the
players of what each could gain, so a single one may gain a little more. The slowest, CFR with
simultaneous updates, needs two million iterations for that. Seeds of chance sampling, on the tree
with suits (they change no value, only where a sampler ends), have fewer iterations here than there
and come less close: the notes and settings have them, apart from the ranges. Where a verdict hangs
on one solver, the note names it.

Which equilibria are there to be found? Rows "all equilibria" depend on no solver: the smallest
exploitability of an equilibrium is exact, the largest a lower bound on the maximum. With static
experts a linear program is too large; rows "bases" have many bases instead, also such as
DCFR learns from random starts. What these earn is in the notes.

Where a base hardly ever enters an expert's part, S=N.All depends on a rule that the text does not
state. Its rows come twice, with the base's leftover probabilities kept and dropped, and so do all
earnings, since everybody meets everybody's S=N.All. Chance sampling hardly ever visits such a
part, so its experts there are half trained by either rule. More deals need not mend it: a better
base has fewer leftovers (that of seed 4 enters one part in 296 hands of a million, and in 320 of
ten million).

With three players nothing says that a solver approaches an equilibrium: strategies are whatever
each solver's average is, and the settings say what players could still gain on average by
deviating alone; for plain CFR that is more than most of the differences in the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.games.registry import load_game
from workbench.lab.analysis.equilibrium_range import EquilibriumRange
from workbench.lab.ledger.bases import CHOSEN, SOLVERS
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.entries import read_published
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.leduc_experts import (
    BASES,
    DROPPED,
    RESIDUAL,
    ROWS,
    TWIN,
    Field,
    field_earnings,
    first_raises,
    play_field,
    sew_rows,
    sizes,
)
from workbench.lab.ledger.table1_base import (
    MILLI_ANTES,
    PLAIN,
    SEEDS,
    all_equilibria,
    base_equilibria,
    base_row,
    by_seed,
    drawn,
    every_equilibrium,
    longer,
)
from workbench.lab.ledger.table1_claims import all_claims, check_claims
from workbench.lab.ledger.table1_notes import (
    START,
    kinds,
    mean_gains,
    over_base,
    seeds,
    solvers,
    starts,
)
from workbench.lab.ledger.table1_theorem import theorem_1
from workbench.solvers.base import Solver
from workbench.stitching.expert_rules import expert_rule
from workbench.tree import GameTree

Numbers = dict[str, dict[str, dict[str, float]]]  # column -> row -> solver or seed -> milli-antes

NAME = "gibson-szafron-2011-table1"
BASE = {"2p": "JQ-K", "3p": "J-QK"}  # whose strategies are the rows
EARNED = (*ROWS, *(row + TWIN for row in ROWS))
LOST = (*ROWS, DROPPED)
SLOW = "cfr, simultaneous"
STEPS, MANY = 50_000, 2_000_000  # the second is for the slow one
FEW = 1_000_000  # deals of chance sampling for a whole field
MORE = 10_000_000  # and for JQ-K alone; Base and Dynamic have still more
LEARNER = "dcfr"  # whom random starts hinder least
STARTS = {"2p": range(24), "3p": range(6)}
DRAWN = "2p by chance sampling, milli-antes, by item and run"
STARTED = "{} from random starts of " + LEARNER + ", milli-antes, by item and start"
HALFWAY = f"2p exploitability by {SLOW}, milli-antes after half of the iterations"
INSIDE = "{}, milli-antes to gain inside, largest of all games"  # the mean over players


class Way(NamedTuple):
    """How all games of a field are solved."""

    solver: Solver
    iterations: int
    seed: int = 0
    start: int | None = None  # a random one
    suits: bool = False
    bases: tuple[str, ...] = BASES


def measure(effort: Effort) -> Result:
    names = effort.pick(tuple(SOLVERS), ("cfr+", "dcfr", "pcfr+"))
    steps = effort.pick(STEPS, 10_000)
    ways = {name: Way(SOLVERS[name], MANY if name == SLOW else steps) for name in names}
    ways |= _from_random(effort.pick(STARTS["2p"], range(2)), steps)
    for seed in effort.pick(SEEDS, ()):
        ways[by_seed(FEW, seed)] = Way(PLAIN, FEW, seed, suits=True)
    for seed in effort.pick(SEEDS, ()):
        ways[by_seed(MORE, seed)] = Way(PLAIN, MORE, seed, suits=True, bases=(BASE["2p"],))
    fields = _fields("2p", ways, effort)
    inside = _inside(fields)
    numbers = _numbers("2p", fields)
    ours, settings = half_a_table("2p", numbers, inside)
    ranges = [mean_gains("2p", _iterations(ways), inside)]
    learnt = {name: of["Base"] for name, of in fields[CHOSEN].strategies.items()}
    ours |= theorem_1(_game("2p"), learnt, CHOSEN, ways[CHOSEN].iterations)
    if SLOW in ways:
        half = {SLOW: Way(SOLVERS[SLOW], MANY // 2, bases=(BASE["2p"],))}
        early = _numbers("2p", _fields("2p", half, effort))["exploitability"]
        settings[HALFWAY] = {row: found[SLOW] for row, found in early.items()}
    exact, more = _more_of_two_players(ours, effort)
    ours |= _many_bases(ours, numbers["exploitability"], inside, exact, steps, effort)
    settings |= more
    skipped = {}
    if effort.quick:
        items = [f"3p earnings {row}" for row in EARNED]
        items += [item for item, claim in all_claims() if claim.half == "3p"]
        skipped = dict.fromkeys(items, "three players take minutes")
    else:
        ways = {name: Way(SOLVERS[name], 10_000) for name in ("cfr+", "cfr", "dcfr", "pcfr+")}
        ways |= _from_random(STARTS["3p"], 10_000)
        fields = _fields("3p", ways, effort)
        inside = _inside(fields)
        rows, of_three = half_a_table("3p", _numbers("3p", fields), inside)
        ranges.append(
            mean_gains("3p", {name: way.iterations for name, way in ways.items()}, inside)
        )
        ours, settings = ours | rows, settings | of_three
    return Result(
        ours | _sizes("2p") | _sizes("3p"),
        {
            "game": "leduc",
            "ranges": f"{'. '.join(ranges)}. Mean gain: milli-antes, over the players, the largest "
            "of all games that were solved",
            "abstractions": BASE,
            "residual dropped": f"base probabilities below {RESIDUAL} count as zero",
            **settings,
            "seeds": f"{SEEDS[0]} to {SEEDS[-1]} of chance sampling; random starts have the seeds "
            "in their names; nothing else is drawn",
        },
        skipped=skipped,
    )


def half_a_table(
    half: str, numbers: Numbers, inside: Mapping[str, float]
) -> tuple[dict[str, Ours], dict[str, object]]:
    """The rows of a half, and the settings, with what every start and every seed found."""
    sure, started, drawn_by = kinds(inside)
    settings: dict[str, object] = {
        INSIDE.format(half): sure | drawn_by,
        INSIDE.format(f"{half} from random starts"): started,
    }
    for k, title in ((1, STARTED.format(half)), (2, DRAWN)):
        found = {
            f"{half} {column} {row}": kinds(of)[k]
            for column, rows in numbers.items()
            for row, of in rows.items()
        }
        if any(found.values()):
            settings[title] = found
    return _rows(half, numbers, inside), settings


def _from_random(seeds: Iterable[int], iterations: int) -> dict[str, Way]:
    return {f"{START} {k}": Way(SOLVERS[LEARNER], iterations, start=k) for k in seeds}


def _more_of_two_players(
    ours: dict[str, Ours], effort: Effort
) -> tuple[EquilibriumRange, dict[str, object]]:
    """Base and Dynamic once more: longer runs, and all equilibria. Those of Base, and settings."""
    trees = [_game("2p", suits=suits) for suits in (False, True)]
    views = {
        "Base": [abstract(tree, BASE["2p"]) for tree in trees],
        "Dynamic": [
            abstract(tree, expert_rule(tree, first_raises(tree), BASE["2p"])) for tree in trees
        ],
    }
    sampled = {row: drawn(suited, effort) for row, (_, suited) in views.items()}
    base, dynamic = "2p exploitability Base", "2p exploitability Dynamic"
    printed = _printed()
    ours[base], settings = base_row(views["Base"][1], sampled["Base"], printed[base], effort)
    ours[dynamic] = longer(ours[dynamic], sampled["Dynamic"], printed[dynamic])
    exact = {row: every_equilibrium(by_rank) for row, (by_rank, _) in views.items()}
    for row, (by_rank, _) in views.items():
        item = f"2p exploitability {row}"
        ours[f"{item}, all equilibria"] = all_equilibria(by_rank, ours[item], exact[row])
        for column, found in (("outside", sampled[row].outside), ("inside", sampled[row].inside)):
            settings[f"2p {row} by chance sampling, milli-antes {column}, by deals and seed"] = {
                f"{deals:,}": numbers for deals, numbers in found.items()
            }
    return exact["Base"], settings


def _many_bases(
    ours: Mapping[str, Ours],
    numbers: Mapping[str, Mapping[str, float]],
    inside: Mapping[str, float],
    exact: EquilibriumRange,
    iterations: int,
    effort: Effort,
) -> dict[str, Ours]:
    """What static experts lose on many equilibria of the base."""
    how = {"solver": SOLVERS[CHOSEN], "iterations": iterations, "store": effort.store}
    ends = {"kindest": exact.best, "cruellest": exact.worst}
    sewn = {name: sew_rows(base, BASE["2p"], **how)[0] for name, base in ends.items()}
    printed, found = _printed(), {}
    for row in (row for row in LOST if row.startswith("Static")):
        item = f"2p exploitability {row}"
        at_ends = {name: MILLI_ANTES * exploitability(rows[row]) for name, rows in sewn.items()}
        found[f"{item}, bases"] = base_equilibria(
            ours[item], kinds(numbers[row])[1], at_ends, inside, printed[item]
        )
    return found


def _iterations(ways: Mapping[str, Way]) -> dict[str, int]:
    return {name: way.iterations for name, way in ways.items()}


def _printed() -> dict[str, float]:
    return {line.item: line.number or 0.0 for line in read_published(NAME)}


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
            seed=way.seed, start=way.start, bases=way.bases, store=effort.store,
        )
        for name, way in ways.items()
    }  # fmt: skip


def _numbers(half: str, fields: Mapping[str, Field]) -> Numbers:
    """column -> row -> solver or seed -> milli-antes.

    Who has the strategies of one base only meets nobody, and so earns nothing.
    """
    base = BASE[half]
    earned = {
        name: field_earnings(field, base)
        for name, field in fields.items()
        if len(field.strategies) > 1
    }
    numbers = {
        "earnings": {
            row: {name: MILLI_ANTES * of[row] for name, of in earned.items()} for row in EARNED
        }
    }
    if half == "2p":
        numbers["exploitability"] = {
            row: {
                name: MILLI_ANTES * exploitability(field.strategies[base][row])
                for name, field in fields.items()
            }
            for row in LOST
        }
    return numbers


def _inside(fields: Mapping[str, Field]) -> dict[str, float]:
    return {name: MILLI_ANTES * field.inside for name, field in fields.items()}


def _rows(half: str, numbers: Numbers, inside: Mapping[str, float]) -> dict[str, Ours]:
    """Earnings, with two players exploitability, and the claims about them."""
    ours, said = check_claims(half, numbers, CHOSEN, inside), _printed()
    for column, rows in numbers.items():
        apart = {row: kinds(found) for row, found in rows.items()}
        sure = {row: found for row, (found, _, _) in apart.items()}
        for row, (found, started, drawn_by) in apart.items():
            item = f"{half} {column} {row}"
            note = solvers(found) + starts(started, said[item]) + seeds(drawn_by, said[item])
            if column == "earnings":
                note = over_base(row, sure, said[item] - said[f"{half} earnings Base"]) + note
            ours[item] = Ours.over(found, CHOSEN, note, left=inside)
    return ours


def _game(half: str, *, suits: bool = False) -> GameTree:
    return compile_game(load_game("leduc", players=int(half[0]), suit_isomorphism=not suits))
