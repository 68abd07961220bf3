"""The field of Gibson & Szafron's Table 1: five ways to play Leduc in each base abstraction.

    Base                    an equilibrium of the base abstraction
    Dynamic                 one abstraction: the base's, and null inside every expert's part
    Static.S={i}            an expert's game fixes its own player only; the others stay in the
                            base's abstraction outside the part
    Static.S=N.All          an expert's game fixes everybody outside the part
    Static.S=N.Pre-flop     the same, with the experts of the first round only

There is a b-expert for each way b in which the first raise may come: r, cr, ccr, cccr with two
players, six with three. (The text names five there, one of them twice; with six the size of
dynamic experts is the printed one.)

An abstract game has many equilibria, and no linear program covers what experts on top of them lose.
So a field may begin elsewhere: with `start` its Base and Dynamic learn from random regrets
(`workbench.lab.analysis.equilibrium_range`), and experts are stitched onto whatever base comes out.

`DROPPED` is Static.S=N.All by the other rule for parts that the base hardly ever enters, see
`workbench.stitching.joining`: base probabilities below a hundredth count as zero while experts
learn. Whom one meets matters, so there are two fields: everybody's S=N.All keeps leftovers, or
everybody's drops them. A row's earnings in the second field are those of "<row>, dropped".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.abstraction.abstraction import abstract
from workbench.evaluation.tournament import earnings_table
from workbench.evaluation.values import seated
from workbench.lab.analysis.equilibrium_range import random_start
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.runs.store import Store
from workbench.solvers.base import Solver
from workbench.stitching.experts import Expert, expert_sizes, experts
from workbench.stitching.joining import expert_rule, stitch
from workbench.stitching.partition import GraftingPartition, betting_experts
from workbench.strategy import Strategy
from workbench.tree import GameTree

BASES = ("null", "JQ-K", "J-QK")
ALL = "Static.S=N.All"
TWIN = ", dropped"  # the other rule, and the field in which everybody follows it
DROPPED = ALL + TWIN
ROWS = ("Base", "Dynamic", "Static.S={i}", ALL, "Static.S=N.Pre-flop")
RESIDUAL = 0.01
FIRST_RAISE = ("r", "cr", "ccr", "cccr", "ccccr", "cccccr")  # the first P of them before the flop


@dataclass(frozen=True)
class Table1:
    """base -> row -> strategy, and how unfinished they are."""

    strategies: dict[str, dict[str, Strategy]]  # the rows are ROWS and DROPPED
    inside: float  # chips: the largest mean gain left (over players) in any game solved for them


def first_raises(tree: GameTree) -> GraftingPartition:
    """An expert takes over at the first raise."""
    return betting_experts(tree, FIRST_RAISE[: 2 * tree.num_players])


def play_field(
    tree: GameTree,
    solver: Solver | str,
    iterations: int,
    *,
    seed: int = 0,
    start: int | None = None,
    bases: tuple[str, ...] = BASES,
    store: Store | str | Path | None = None,
) -> Table1:
    """All strategies of the table, every game solved alike.

    `start`: the number of a random start for Base and Dynamic; such runs are not stored.
    """
    part = first_raises(tree)
    how: dict[str, Any] = {"solver": solver, "iterations": iterations, "seed": seed}
    found, inside = {}, []
    for name in bases:
        learnt: dict[str, Run] = {}
        for row, rule in (("Base", name), ("Dynamic", expert_rule(tree, part, name))):
            ab = abstract(tree, rule)
            begin = {"store": store} if start is None else {"start": random_start(ab.coarse, start)}
            learnt[row] = solve(tree, abstraction=ab, checkpoints=iterations, **how, **begin)
        stitched, most = stitched_rows(learnt["Base"].strategy, name, **how, store=store)
        found[name] = {row: run.strategy for row, run in learnt.items()} | stitched
        inside += [most, *(run.abstract_exploitability for run in learnt.values())]
    return Table1(found, max(inside))


def stitched_rows(base: Strategy, name: str, **how: Any) -> tuple[dict[str, Strategy], float]:
    """row -> a base of the abstraction `name` with static experts; the largest mean gain left."""
    tree = base.tree
    part, everybody = first_raises(tree), range(tree.num_players)
    alone = [experts(tree, base, part, i, outside=name, **how) for i in everybody]
    kept, cut = (
        experts(tree, base, part, everybody, residual=residual, **how)
        for residual in (0.0, RESIDUAL)
    )

    def stitched(found: list[Expert], players: Any = None) -> Strategy:
        return stitch(base, part, {one.name: one.strategy for one in found}, players)

    early = part.names[: tree.num_players]
    return {
        "Static.S={i}": seated([stitched(of, i) for i, of in enumerate(alone)]),
        ALL: stitched(kept),
        "Static.S=N.Pre-flop": stitched([one for one in kept if one.name in early]),
        DROPPED: stitched(cut),
    }, max(one.run.abstract_exploitability for of in (*alone, kept, cut) for one in of)


def field_earnings(field: Table1, base: str) -> dict[str, float]:
    """What each strategy of a base earns from those of the other bases, in both fields, in chips.

    "Dynamic" is what dynamic experts earn where everybody's S=N.All keeps leftovers, and "Dynamic,
    dropped" what they earn where everybody's drops them.
    """
    found: dict[str, float] = {}
    for end in ("", TWIN):
        members = {
            name: {row: of[row + end if row == ALL else row] for row in ROWS}
            for name, of in field.strategies.items()
        }
        earned = earnings_table(members)["earnings"]
        found |= {row + end: float(earned[base, row]) for row in ROWS}
    return found


def table1_sizes(tree: GameTree, base: str) -> tuple[dict[str, int], list[dict[str, int]]]:
    """row -> the most information sets in one computation; and those of S={i}, by player.

    The null abstraction of the paper tells the board's suit, so the tree must have suits.
    """
    part, everybody = first_raises(tree), range(tree.num_players)
    alone = [expert_sizes(tree, part, i, outside=base) for i in everybody]
    together = expert_sizes(tree, part, everybody)
    return {
        "Base": abstract(tree, base).coarse.num_infosets,
        "Dynamic": abstract(tree, expert_rule(tree, part, base)).coarse.num_infosets,
        "Static.S={i}": max(size for of_player in alone for size in of_player.values()),
        ALL: max(together.values()),
        "Static.S=N.Pre-flop": max(together[name] for name in part.names[: tree.num_players]),
    }, alone
