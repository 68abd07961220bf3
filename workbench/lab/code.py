"""As code: the cell that does again what was done by hand, to be copied into a notebook.

>>> from workbench.games.registry import load_game
>>> from workbench.solvers.base import find_solver
>>> dcfr = find_solver("dcfr", {"alpha": 2.0})
>>> print(solve_cell(load_game("leduc", players=3), dcfr, 20_000, 1, Plan("JQ-K")))
import workbench as wb
<BLANKLINE>
game = wb.load_game("leduc", players=3)
run = wb.solve(game, wb.solvers.DCFR(alpha=2.0), iterations=20_000, seed=1,
               abstraction="JQ-K")
run
"""

import re
from dataclasses import dataclass, is_dataclass
from textwrap import wrap
from typing import Any

from workbench.abstraction.abstraction import Rule
from workbench.games.registry import game_code
from workbench.rules import Rules, rules_in
from workbench.settings import Code, code
from workbench.solvers.base import Solver, is_listed, solver_code
from workbench.stitching.joining import rule_code
from workbench.tree import GameTree

OWN = "your own, from the cell that defines it"


@dataclass(frozen=True, eq=False)
class Plan:
    """An abstraction that was built by hand, and the Python that builds it."""

    rule: Rule | str | None  # None: forget nothing
    setup: str = ""  # lines that make a `rule` without a name, of a `game`
    needs_tree: bool = False  # and that must be compiled

    @property
    def code(self) -> str:
        """The rule in a call: its name, or what the lines before have made."""
        return "rule" if self.setup else rule_code(self.rule, game="game") if self.rule else ""


def solve_cell(
    game: Rules | GameTree, solver: Solver, iterations: int, seed: int, plan: Plan | None = None
) -> str:
    """The cell that repeats a run; `game`, `solver` and `rule` there may be one's own."""
    plan, made, first = plan or Plan(None), made_again(game), own_game(game)
    made = f"wb.compile_game({made})" if plan.needs_tree else made
    first += f"game = {made}\n" if made != "game" else ""
    shown = f"{iterations:_}" if iterations >= 10_000 else str(iterations)
    given = {} if solver.exact else {"iterations": Code(shown), "seed": seed}
    given |= {"abstraction": Code(plan.code)} if plan.code else {}
    solved = broken(f"run = {code('solve', given, 'game', solver_code(solver))}", 15)
    setup = plan.setup or (f"# rule: {OWN}\n" if plan.code == "rule" else "")
    lines = f"{first}{own_solver(solver)}{setup}{solved}\nrun"
    return f"import workbench as wb\n\n{lines}"


def made_again(game: Rules | GameTree) -> str:
    """A game as Python; `game`, if it cannot be told how one's own was made."""
    solved: Any = game  # a tree, or what stands for one (`poker/`)
    return game_code(solved.rules if getattr(game, "derived_from", game) is None else game)


def own_game(game: Rules | GameTree) -> str:
    """A line about a game of one's own: where its class comes from, or which name is meant. Nothing
    for one of ours, or one that is found by its file."""
    made = made_again(game)
    if made.startswith("wb."):
        return ""
    kind, name = type(rules_in(game)), made.partition("(")[0]
    if made != "game" and kind.__module__ != "__main__" and name.isidentifier():
        return f"from {kind.__module__} import {name}\n"
    return f"# {name}: {OWN}\n"


def own_solver(solver: Solver) -> str:
    """The line that makes a solver of one's own; nothing for one of ours."""
    if is_listed(solver):
        return ""
    return f"solver = {solver!r}  # {OWN}\n" if is_dataclass(solver) else f"# solver: {OWN}\n"


def broken(call: str, indent: int) -> str:
    """A long call on several lines, each of which begins with the name of an argument."""
    whole = re.sub(r" (?!\w+=)", "\0", call)
    lines = wrap(
        whole, 88, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\0", " ")
