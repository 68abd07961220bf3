"""The solver panel: choose a game and a solver, press Start, watch the curve come down.

    panel = wb.widgets.SolverPanel("leduc", solver="cfr+", iterations=5000)
    panel

Start begins a new run beside the earlier ones, Stop keeps what there is, Continue goes on with the
run that is chosen below the curve: to the end of what was asked or, if it got there, by as many
iterations more. "As code" is the cell that repeats the run. `panel.runs` are the results.

>>> panel = SolverPanel("kuhn", iterations=200)
>>> panel.start()
>>> panel.wait(), panel.runs
(True, [Run of cfr+ on kuhn: 200 iterations, exploitability 0.00...])
>>> panel.close()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.abstraction.registry import offered_abstractions
from workbench.lab.code import Plan
from workbench.lab.widgets.controls import choose, column, relist, row
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.live_run import Trial
from workbench.lab.widgets.pictures import Curve
from workbench.rules import GameError, Rules
from workbench.solvers.base import Solver
from workbench.tree import GameTree

NONE = "none"


class SolverPanel(TrialPanel):
    """Solve games by pressing buttons; the first lines of this file say how."""

    def __init__(
        self,
        game: str | Rules | GameTree = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        solver: str | Solver = "cfr+",
        iterations: int = 1000,
        seed: int = 0,
        abstraction: str | None = None,
    ) -> None:
        title, name = "Solver panel", "solver-panel"
        super().__init__(title, name, game, options, solver, iterations, seed)
        self.abstraction = choose("Abstraction", [NONE], "abstraction", self.show_code)
        self.curve = Curve()
        self._list_abstractions()
        if abstraction is not None and abstraction not in self.abstraction.options:
            self.abstraction.options = (*self.abstraction.options, abstraction)
        self.abstraction.value = abstraction or NONE
        self.new_trial()  # refuses wrong arguments now
        self.game.on_change(self._list_abstractions)
        left = column(
            self.game.view, self.abstraction, self.solver.view, self.iterations, self.seed
        )
        right = column(
            self.buttons, self.bar.view, self.curve.view, self.chooser,
            width="540px", max_width="100%",
        )  # fmt: skip
        both = row(left, right, align="flex-start")
        self.lay_out(both, self.results, self.code_box.view, message=False)
        self.show_idle()

    def new_trial(self) -> Trial:
        used = None if self.abstraction.value == NONE else self.abstraction.value
        return self.trial_of(self.game.value, self.game.options, used, Plan(used))

    def draw(self, *, live: bool = False) -> None:
        games = {trial.game for trial in self.trials}
        one = len(games) == 1
        traces = {
            f"{k}: {trial.name}" + ("" if one else f", {trial.game}"): trial.trace
            for k, trial in enumerate(list(self.trials), 1)
        }
        unit = self.trials[0].unit if one else ""
        self.curve.draw(traces, games.pop() if one else "", unit, live=live)

    def _list_abstractions(self) -> None:
        """Those of the game with its options; the chosen one stays if it fits still."""
        try:
            wanted = (NONE, *offered_abstractions(self.game.rules))
        except GameError:  # an option makes no sense yet; Start says so
            return
        relist(self.abstraction, wanted)
        self.abstraction.disabled = len(wanted) == 1
