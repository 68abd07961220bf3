"""Table 1 of Gibson & Szafron (2011): an expression for each cell, and for what is said about them.

`leduc_experts.py` builds the strategies, `leduc_runs.py` makes the runs and states the claims.
"""

from __future__ import annotations

from functools import cache

from workbench.lab.ledger.papers.bases import CHOSEN, SOLVERS, adds_up, bounded
from workbench.lab.ledger.papers.claims import NOTHING
from workbench.lab.ledger.papers.graft_theorem import GraftGains, graft_gains
from workbench.lab.ledger.papers.leduc_experts import (
    ROWS,
    TWIN,
    first_raises,
    stitched_rows,
    table1_sizes,
)
from workbench.lab.ledger.papers.leduc_runs import (
    BASE,
    CLAIMS,
    LONGER,
    LOST,
    MILLI_ANTES,
    LeducTable,
    game,
    printed,
    view,
)

from workbench.evaluation.values import exploitability
from workbench.lab.analysis.equilibrium_range import EquilibriumRange, equilibrium_range
from workbench.lab.ledger.entry import Entry
from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.notes import Numbers, span

NAME = "gibson-szafron-2011-table1"
CLOSE = 1.0  # milli-antes of mean gain in the abstract game, as in the paper


@cache
def _counted(half: str) -> tuple[dict[str, int], list[dict[str, int]]]:
    found: tuple[dict[str, int], list[dict[str, int]]] = table1_sizes(
        game(half, suits=True), BASE[half]
    )
    return found


def _size(table: LeducTable, half: str, row: str) -> Ours:
    """The most information sets in one computation, as the paper counts them."""
    found, alone = _counted(half)
    if (half, row) != ("3p", "Static.S={i}"):
        return Ours(found[row])
    facts = {f"r-expert of player {i}": of["r"] for i, of in enumerate(alone, 1)}
    note = "no part has 3,017 sets; counted as the other rows"
    return Ours(found[row], note=note, facts=facts)


def _cell(table: LeducTable, item: str) -> Ours:
    half = table.half(item[:2]).solvers
    return Ours.spread(half.by_item[item], CHOSEN, left=half.inside)


def _earned(table: LeducTable, half: str, row: str, end: str) -> Ours:
    """Levels move with the opponents' equilibria; what a row earns more than Base moves less."""
    runs = table.half(half).solvers
    item, base = (f"{half} earnings {name}{end}" for name in (row, "Base"))
    facts = {}
    if item != base:
        lead = {name: x - runs.by_item[base][name] for name, x in runs.by_item[item].items()}
        facts = {
            "more than Base": lead[CHOSEN],
            "at least": min(lead.values()),
            "at most": max(lead.values()),
            "as printed": printed(NAME)[item] - printed(NAME)[base],
        }
    return Ours.spread(runs.by_item[item], CHOSEN, left=runs.inside, facts=facts)


def _claim(table: LeducTable, item: str) -> Ours:
    runs = table.half(item[:2]).solvers
    signs = NOTHING in CLAIMS[item].pairs[0]
    note = "the smallest win or loss" if signs else "the smallest lead"
    return Ours.lead(runs.by_item[item], CHOSEN, left=runs.inside, note=note)


def _base(table: LeducTable) -> Ours:
    """Exploitability of Base: more iterations, and the solvers that are as close as the paper's."""
    inside = {name: MILLI_ANTES * run.abstract_exploitability for name, run in table.base.items()}
    outside = {name: MILLI_ANTES * run.exploitability for name, run in table.base.items()}
    parts = {name: x for name, x in outside.items() if inside[name] <= CLOSE}
    facts: dict[str, float | str] = {"iterations": table.base[CHOSEN].iterations}
    if far := [name for name in inside if name not in parts]:
        facts["not yet so close"] = " and ".join(far)
    linear = [MILLI_ANTES * run.exploitability for run in table.longer[[*LONGER][-1]]]
    if linear:
        facts["chance sampling with linear weights, 10M deals"] = span(linear, ".2f")
    return Ours.spread(parts, CHOSEN, left=inside, facts=facts)


@cache
def equilibria(row: str, slack: float = 1e-8) -> EquilibriumRange:
    """From the kindest to the cruellest that was found."""
    return equilibrium_range(view(row, suits=False), slack=slack)


def _all_equilibria(table: LeducTable, row: str) -> Ours:
    """The range of real exploitability over all equilibria of an abstraction."""
    ours = (_base(table) if row == "Base" else _cell(table, f"2p exploitability {row}")).value
    exact, near = equilibria(row), equilibria(row, CLOSE / MILLI_ANTES)
    low, high, near_low, near_high = (
        MILLI_ANTES * x for x in (exact.smallest, exact.largest, near.smallest, near.largest)
    )
    within = f"all strategies sure of the value up to {CLOSE:g} milli-ante"
    return Ours(
        ours, min(low, ours), max(high, ours),  # a solver stops a little off
        over="range over all equilibria of the abstraction",
        facts={
            "smallest (exact, by LP)": low, "largest, at least": high,
            within: {"smallest": near_low, "largest, at least": near_high},
        },
    )  # fmt: skip


@cache
def _stitched(iterations: int, store: object) -> dict[str, dict[str, float]]:
    """row -> what static experts lose on the two ends of the range of bases."""
    ends = {"kindest": equilibria("Base").best, "cruellest": equilibria("Base").worst}
    how = {"solver": SOLVERS[CHOSEN], "iterations": iterations, "store": store}
    rows = {name: stitched_rows(base, BASE["2p"], **how)[0] for name, base in ends.items()}
    return {
        row: {name: MILLI_ANTES * exploitability(of[row]) for name, of in rows.items()}
        for row in LOST[2:]
    }


def on_bases(learnt: Ours, started: Numbers, left: Numbers, ends: Numbers, printed: float) -> Ours:
    """What experts lose on many equilibria of the base: no linear program covers them all.

    `started`: by random start, of which those count that come as close as the paper's solver;
    `ends`: on the kindest and the cruellest equilibrium.
    """
    close = {name: x for name, x in started.items() if left[name] <= CLOSE}
    parts = {**learnt.parts, **close, **ends}
    facts: dict[str, float | str] = {
        f"{len(learnt.parts)} solvers": span([*learnt.parts.values()], ".2f")
    }
    if close:
        facts[f"{len(close)} of {len(started)} random starts"] = span([*close.values()], ".2f")
    facts |= ends
    facts["nearest to what is printed"] = min(parts.values(), key=lambda x: abs(x - printed))
    inside = {**left, **learnt.left}
    return Ours.spread(parts, CHOSEN, "equilibria of the base", left=inside, facts=facts)


def _bases(table: LeducTable, row: str) -> Ours:
    item, started = f"2p exploitability {row}", table.two.started
    ends = _stitched(table.steps, table.effort.store)[row]
    many, said = started.by_item[item], printed(NAME)[item]
    return on_bases(_cell(table, item), many, started.inside, ends, said)


@cache
def grafted(table: LeducTable, sees: bool) -> list[GraftGains]:
    """Every player's experts on every base, as grafts (Waugh et al. 2009).

    The experts of Static.S={i} are grafts, with one difference: in the table's recipe the opponent,
    too, `sees` everything inside an expert's part. Against a coarse base such an opponent could
    gain a lot, so ε is large and the bound says nothing; an expert may then lose. Waugh et al.'s
    opponents stay in the base's abstraction, ε is next to nothing, and the bound bites.
    """
    tree, part = game("2p"), first_raises(game("2p"))
    return [
        graft_gains(
            tree, rows["Base"], part if sees else part.of(i), i, outside=name, solver=CHOSEN,
            iterations=table.steps,
        )
        for name, rows in table.two.solvers.fields[CHOSEN].strategies.items()
        for i in (0, 1)
    ]  # fmt: skip


TABLE_1 = Entry(
    """Gibson & Szafron (2011), Table 1: size, earnings and exploitability of stitched Leduc
    strategies.

    How: `leduc_experts.py` builds the five strategies of each of the three base abstractions, every
    game by the same solver. Sizes are counted on the tree with suits. Exploitability is the mean of
    what the two best responses win, earnings are exact, against all strategies of the other two
    bases in all seatings; both in milli-antes (1000 to the chip). The table's rows are those of
    JQ-K with two players and of J-QK with three.

    The paper ran chance-sampled CFR for 100 million iterations, with two players to within a
    milli-ante of equilibrium. The numbers depend on which equilibria a solver ends at, so ranges
    and verdicts are over six solvers that come as close in every game, on the tree by rank: "close"
    is the mean over the players of what each could gain, so a single one may gain a little more.
    The slowest, CFR with simultaneous updates, needs two million iterations for that. Seeds of
    chance sampling, on the tree with suits (they change no value, only where a sampler ends), have
    fewer iterations here than there and come less close: the notes and settings have them, apart
    from the ranges; `gibson-szafron-2011-table1-100m` has as many as the paper. Where a verdict
    hangs on one solver, the note names it.

    Which equilibria are there to be found? Rows "all equilibria" depend on no solver: the smallest
    exploitability of an equilibrium is exact, the largest a lower bound on the maximum. With static
    experts a linear program is too large; rows "bases" have many bases instead: those of the
    solvers, such as DCFR learns from random starts, and the two ends of the range over all
    equilibria of the base. Such a range is only what was found.

    Where a base hardly ever enters an expert's part, S=N.All depends on a rule that the text does
    not state. Its rows come twice, with the base's leftover probabilities kept and dropped, and so
    do all earnings, since everybody meets everybody's S=N.All. Chance sampling hardly ever visits
    such a part, so its experts there are half trained by either rule. More deals need not mend it:
    a better base has fewer leftovers (that of seed 4 enters one part in 296 hands of a million, and
    in 320 of ten million).

    With three players nothing says that a solver approaches an equilibrium: strategies are whatever
    each solver's average is, and the settings say what players could still gain on average by
    deviating alone; for plain CFR that is more than most of the differences in the table.
    """,
    LeducTable,
    {
        **{f"{half} size {row}": (_size, half, row) for half in BASE for row in ROWS},
        **{
            f"{half} earnings {row}{end}": (_earned, half, row, end)
            for half in BASE for row in ROWS for end in ("", TWIN)
        },
        **{item: (_cell, item) for item in (f"2p exploitability {row}" for row in LOST)},
        "2p exploitability Base": _base,
        **{f"2p exploitability {row}, all equilibria": (_all_equilibria, row) for row in ROWS[:2]},
        **{f"2p exploitability {row}, bases": (_bases, row) for row in LOST[2:]},
        **{item: (_claim, item) for item in CLAIMS},
        "2p Theorem 1: gains of experts add up": lambda table: adds_up(
            grafted(table, True) + grafted(table, False), MILLI_ANTES
        ),
        "2p Theorem 1: no gain below its bound, S={i}": lambda table: bounded(
            grafted(table, True), MILLI_ANTES,
            "the bound says nothing where the opponent sees more than the base's did",
        ),
        "2p Theorem 1: no gain below its bound, grafts": lambda table: bounded(
            grafted(table, False), MILLI_ANTES,
            "opponents in the base's abstraction, as in the theorem",
        ),
    },
)  # fmt: skip

ENTRIES = {NAME: TABLE_1}
