"""The solver panel: choose a game and a solver, press Start, watch the curve come down.

    panel = wb.widgets.SolverPanel("leduc", solver="cfr+", iterations=5000)
    panel

Start begins a new run beside the earlier ones, Stop keeps what there is, Continue goes on with the
run that is chosen below the curve: to the end of what was asked or, if it got there, by as many
iterations more. Ticks hide curves; the strategy of the chosen run unfolds below. "As code" is the
cell that repeats the run. `panel.runs` are the results.

A solver of your own races beside ours: `SolverPanel("leduc", solvers=[MySolver()])`, where
`MySolver` may be a class of three lines that inherits from `wb.solvers.CFR`. Buckets of hands come
in the same way: `SolverPanel("limit_holdem", abstraction=wb.cluster_hands(…))`; a game too large to
be judged shows what is lost within its buckets.

>>> panel = SolverPanel("kuhn", iterations=200)
>>> panel.start()
>>> panel.wait(), panel.runs
(True, [Run of cfr+ on kuhn: 200 iterations, exploitability 0.00...])
>>> panel.close()
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from workbench.abstraction.abstraction import list_abstractions, steps_of
from workbench.compiling import treeless
from workbench.lab.code import Plan
from workbench.lab.html import quiet, status
from workbench.lab.plots.strategy_table import strategy_html
from workbench.lab.widgets.controls import BESIDE, Fold, choose, column, place, relist, row, text
from workbench.lab.widgets.forms import spoken
from workbench.lab.widgets.live_panel import Trial, TrialPanel
from workbench.lab.widgets.pictures import Curve
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.settings import options_of
from workbench.solvers.base import Solver, find_solver, need_served
from workbench.tree import FormAbstraction, GameTree, hands_unlisted

NONE = "none"


def offered_abstractions(game: Rules | GameTree) -> list[str]:
    """The abstractions to choose from in a list: those with names or, where they are made in steps
    (`steps_of`), every first step alone and with each that may follow.

    >>> from workbench.games.registry import load_game
    >>> [len(offered_abstractions(load_game(name))) for name in ("leduc", "kuhn", "toepen")]
    [6, 0, 14]
    """
    steps, known = steps_of(game), list_abstractions(game)
    if steps is None:
        return known
    lists = [option.choices for option in options_of(steps) if option.kind is str]
    return [steps(*chosen).name for chosen in product(*lists) if chosen[0] in known]


class SolverPanel(TrialPanel):
    def __init__(
        self,
        game: str | Rules | GameTree = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        solver: str | Solver | None = None,  # cfr+, or what the game serves
        iterations: int = 1000,
        seed: int = 0,
        abstraction: str | Any | None = None,  # or buckets of hands
        solvers: Sequence[Solver] = (),
    ) -> None:
        self.buckets: Any = abstraction if isinstance(abstraction, FormAbstraction) else None
        abstraction = self.buckets.name if self.buckets else abstraction
        super().__init__("Solver panel", "solver-panel")
        self.filter = text("Sets with", "", "filter", self._show_grid, placeholder="all")
        whole = "The whole strategy, for a spreadsheet"
        save = self.make_buttons(("Save CSV", "csv", self.save_csv, whole, ""))
        self.grid, self.saved = place("grid"), place("saved")
        self.strategy = Fold(
            "Strategy of the chosen run", "strategy",
            row(self.filter, *save, self.saved), self.grid, opened=self._show_grid,
        )  # fmt: skip
        self.ask(game, options, solver or "cfr+", solvers)
        self.abstraction = choose("Abstraction", [(NONE, NONE)], "abstraction", self.edited)
        self.ask_fields(Experiment, {"iterations": iterations, "seed": seed})
        self.drawing = self.curve = Curve()
        self.other_game()
        if abstraction is not None:
            if abstraction not in dict(self.abstraction.options).values():
                self.abstraction.options += ((abstraction, abstraction),)
            self.abstraction.value = abstraction
        self.new_trial()  # refuses wrong arguments now
        if solver and (form := treeless(self.game.rules)):
            need_served(find_solver(solver), form)
        left = column(self.game.view, self.abstraction, self.solver.view, self.form.view)
        right = column(self.buttons, self.bar.view, self.curve.view, self.chooser, **BESIDE)
        both = row(left, right, align="flex-start")
        self.lay_out(
            both, self.ticks.view, self.shown, self.strategy.view, self.code_box.view,
            message=False,
        )  # fmt: skip
        self.show_idle()

    def new_trial(self) -> Trial:
        used = None if self.abstraction.value == NONE else self.abstraction.value
        if self.buckets is not None and used == self.buckets.name:
            used = self.buckets
        return self.trial_of(self.game.value, self.game.options, used, Plan(used))

    def draw(self, *, live: bool = False) -> None:
        super().draw(live=live)
        if not live:
            self._show_grid()

    # ---- the strategy ----------------------------------------------------------------

    def show_code(self) -> None:
        """Show the code of the chosen run, and its strategy if that is unfolded."""
        super().show_code()
        if self.strategy.open:
            self.saved.value = ""
            self._draw()

    def _show_grid(self) -> None:
        if not self.strategy.open:
            return
        try:
            found = strategy_html(self.chosen_run.strategy, find=self.filter.value)
        except GameError as error:
            found = quiet(error)
        self.grid.value = found

    def save_csv(self) -> None:
        """Write the strategy of the chosen run as CSV into the folder of the notebook."""
        try:
            run = self.chosen_run
            name = f"{run.strategy.tree.name}-{run.solver.name}-{self.chosen.index + 1}"
            path = re.sub(r"[^\w+-]+", "-", name).strip("-") + ".csv"
            said = f"Saved {run.strategy.to_csv(path)}"
        except GameError as error:
            said = str(error)
        self.saved.value = status(said)  # beside the button

    def other_game(self) -> None:
        """List its abstractions; the chosen one stays if it fits still."""
        with suppress(GameError):  # an option makes no sense yet; Start says so
            rules = self.game.rules
            self.solver.serve(treeless(rules))
            wanted = [NONE, *offered_abstractions(rules)]
            if self.buckets is not None and self.buckets.rules == rules:
                wanted.append(self.buckets.name)
            before = self.abstraction.options
            relist(self.abstraction, [(spoken(one), one) for one in wanted])
            new = before != self.abstraction.options
            if new and self.abstraction.value == NONE and hands_unlisted(rules):
                self.abstraction.value = wanted[1]  # without buckets it is too large
            self.abstraction.disabled = len(wanted) == 1
        self.edited()
