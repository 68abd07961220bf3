"""As code: the cell that does again what was done by hand, to be copied into a notebook.

>>> from workbench.games.registry import load_game
>>> from workbench.solvers.registry import find_solver
>>> dcfr = find_solver("dcfr", {"alpha": 2.0})
>>> print(solve_cell(load_game("leduc", players=3), dcfr, 20_000, 1, Plan("JQ-K")))
import workbench as wb
<BLANKLINE>
game = wb.load_game("leduc", players=3)
run = wb.solve(game, wb.solvers.DCFR(alpha=2.0), iterations=20_000, seed=1,
               abstraction="JQ-K")
run
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from workbench.abstraction.registry import Rule
from workbench.games.registry import game_code
from workbench.rules import Rules
from workbench.solvers.base import Solver
from workbench.solvers.registry import solver_code
from workbench.tree import GameTree

OWN = "game  # the game that was given to the panel"


@dataclass(frozen=True, eq=False)
class Plan:
    """An abstraction that was built by hand, and the Python that builds it."""

    rule: Rule | str | None  # None: forget nothing
    setup: str = ""  # lines that make a `rule` without a name, of a `game`
    needs_tree: bool = False  # and that must be compiled

    @property
    def code(self) -> str:
        """The rule in a call: its name, or what the lines before have made."""
        return f'"{self.rule}"' if isinstance(self.rule, str) else "rule" if self.rule else ""


def solve_cell(
    game: Rules | GameTree, solver: Solver, iterations: int, seed: int, plan: Plan | None = None
) -> str:
    """The cell that repeats a run; `game` there is one's own if it has no name here."""
    plan = plan or Plan(None)
    rules = game.rules if isinstance(game, GameTree) and game.derived_from is None else game
    made, _, note = (OWN if (made := game_code(rules)) == "game" else made).partition("  #")
    made = f"wb.compile_game({made})" if plan.needs_tree else made
    shown = f"{iterations:_}" if iterations >= 10_000 else str(iterations)
    given = [] if solver.exact else [f"iterations={shown}", f"seed={seed}"]
    given += [f"abstraction={plan.code}"] if plan.code else []
    whole = [one.replace(" ", "\0") for one in (solver_code(solver), *given)]  # not to be broken
    call = f"run\0=\0wb.solve(game, {', '.join(whole)})"
    solved = "\n".join(
        wrap(call, 88, subsequent_indent=" " * 15, break_long_words=False, break_on_hyphens=False)
    ).replace("\0", " ")
    lines = f"game = {made}{note and f'  #{note}'}\n{plan.setup}{solved}\nrun"
    return f"import workbench as wb\n\n{lines}"
