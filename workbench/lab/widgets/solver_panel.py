"""The solver panel: choose a game and a solver, press Start, watch the curve come down.

    panel = wb.widgets.SolverPanel("leduc", solver="cfr+", iterations=5000)
    panel

Start begins a new run beside the earlier ones, Stop keeps what there is, Continue goes on with the
run that is chosen below the curve: to the end of what was asked or, if it got there, by as many
iterations more. "As code" is the cell that repeats the run. `panel.runs` are the results.

>>> panel = SolverPanel("kuhn", iterations=200)
>>> panel.start()
>>> panel.wait()
True
>>> panel.runs
[Run of cfr+ on kuhn: 200 iterations, exploitability 0.00...]
>>> panel.close()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from workbench.abstraction.registry import list_abstractions
from workbench.lab.widgets.curve import Curve
from workbench.lab.widgets.forms import GameChoice
from workbench.lab.widgets.live_panel import TrialPanel
from workbench.lab.widgets.live_run import Trial
from workbench.lab.widgets.style import choose, row
from workbench.rules import Rules
from workbench.runs.experiment import Experiment
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
        self.make_controls(solver, iterations, seed)
        self.game = GameChoice(game, options)
        self.abstraction = choose("Abstraction", [NONE], "abstraction")
        self.curve = Curve()
        self._list_abstractions()
        if abstraction is not None and abstraction not in self.abstraction.options:
            self.abstraction.options = (*self.abstraction.options, abstraction)
        self.abstraction.value = abstraction or NONE
        self.new_trial()  # refuses wrong arguments now
        left = widgets.VBox(
            [self.game.view, self.abstraction, self.solver.view, self.iterations, self.seed]
        )
        right = widgets.VBox(
            [self.buttons, self.bar.view, self.curve.view, self.chooser],
            layout=widgets.Layout(width="540px", max_width="100%"),
        )
        self.game.on_change(self._list_abstractions)
        self.abstraction.observe(lambda change: self.show_code(), "value")
        parts = [row(left, right, align="flex-start"), self.results, self.code_box.view]
        super().__init__("Solver panel", parts, "solver-panel")

    def new_trial(self) -> Trial:
        used = self.abstraction.value
        asked = Experiment(
            self.game.value,
            options=self.game.options,
            solver=self.solver.value,
            settings=self.solver.options,
            iterations=self.iterations.value,
            seed=self.seed.value,
            abstraction=None if used == NONE else used,
        )
        return Trial(asked, game_code=self.game.code, solver_code=self.solver.code)

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
        wanted = (NONE, *abstractions_of(self.game.name.value))
        if self.abstraction.options != wanted:
            self.abstraction.options = wanted
            self.abstraction.disabled = len(wanted) == 1


def abstractions_of(game: str) -> list[str]:
    """The abstractions to choose from; rules of Toepen after each way to see suits."""
    names = [name for name in list_abstractions(game) if not name.endswith("-by-kind")]
    suits = [name for name in names if name.endswith("-suits")]
    rules = [name for name in names if name not in suits]
    return [*suits, *(f"{first}+{rule}" for first in suits for rule in rules)] if suits else names
