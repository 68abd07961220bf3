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
from html import escape
from typing import Any

import ipywidgets as widgets
import pandas as pd

from workbench.abstraction import list_abstractions
from workbench.experiments import Experiment, Run
from workbench.plots.style import COLOURS
from workbench.rules import GameError, Rules
from workbench.solvers import Solver
from workbench.tree import GameTree
from workbench.widgets.background import Job, Outcome, Progress
from workbench.widgets.choices import GameChoice, SolverChoice
from workbench.widgets.code import CodeBox
from workbench.widgets.curve import Curve
from workbench.widgets.panel import Panel
from workbench.widgets.progress_bar import ProgressBar
from workbench.widgets.style import button, choose, number, row, say, table, tag
from workbench.widgets.trial import Trial

__all__ = ["SolverPanel", "abstractions_of"]

NONE = "none"


class SolverPanel(Panel):
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
        self.trials: list[Trial] = []
        self.game = GameChoice(game, options)
        self.solver = SolverChoice(solver)
        self.abstraction = choose("Abstraction", [NONE], "abstraction")
        self.iterations = number("Iterations", iterations, "iterations")
        self.seed = number("Seed", seed, "seed")
        self.start_button = button("Start", "start", style="primary", tip="Begin a new run")
        self.stop_button = button(
            "Stop", "stop", style="danger", tip="End the run, keep its result"
        )
        self.continue_button = button(
            "Continue", "continue", tip="Go on with the run chosen below the curve"
        )
        self.remove_button = button("Remove", "remove", tip="Take the chosen run away")
        self.chosen = choose("Run", [], "run", width="25em", label_width="3em")
        self.bar, self.curve, self.code_box = ProgressBar(), Curve(), CodeBox()
        self.results = tag(widgets.HTML(), "results")
        self._working: Trial | None = None  # the trial under way, as it was when it began
        self._list_abstractions()
        if abstraction is not None and abstraction not in self.abstraction.options:
            self.abstraction.options = (*self.abstraction.options, abstraction)
        self.abstraction.value = abstraction or NONE
        self._experiment()  # refuses wrong arguments now
        left = widgets.VBox(
            [self.game.view, self.abstraction, self.solver.view, self.iterations, self.seed]
        )
        right = widgets.VBox(
            [
                row(self.start_button, self.stop_button, self.continue_button),
                self.bar.view,
                self.curve.view,
                row(self.chosen, self.remove_button),
            ],
            layout=widgets.Layout(width="540px", max_width="100%"),
        )
        super().__init__(
            "Solver panel",
            [row(left, right, align="flex-start"), self.results, self.code_box.view],
            "solver-panel",
        )
        self._wire()
        self._idle()

    def _wire(self) -> None:
        self.game.on_change(self._list_abstractions)
        for part in (self.game, self.solver):
            part.on_change(self._show_code)
        for control in (self.abstraction, self.iterations, self.seed, self.chosen):
            control.observe(lambda change: self._show_code(), "value")
        for pressed, action in (
            (self.start_button, self.start),
            (self.stop_button, self.stop),
            (self.continue_button, self.resume),
            (self.remove_button, self.remove),
        ):
            pressed.on_click(self.act(action))

    @property
    def runs(self) -> list[Run]:
        """The results, in the order of the table."""
        return [trial.run for trial in self.trials if trial is not self._working]

    @property
    def code(self) -> str:
        """The cell that repeats the chosen run; without runs, the one for these settings."""
        return self.code_box.value

    def start(self) -> None:
        """Begin a new run with the settings of the panel."""
        self._need_idle()
        self._work(Trial(self._experiment(), self.game.code, self.solver.code), len(self.trials))

    def stop(self) -> None:
        """End the run under way and keep what it has."""
        if self.job is not None:
            self.stop_button.disabled = True
            self.job.stop()

    def resume(self) -> None:
        """Go on with the chosen run."""
        self._need_idle()
        if not self.trials:
            raise GameError("there is no run to go on with; press Start")
        at = self.chosen.index
        more = Experiment("kuhn", iterations=self.iterations.value).iterations  # checked
        if self.trials[at].run.solver.exact:
            raise GameError("this run is exact: there is nothing to go on with")
        self._work(self.trials[at].longer(more), at)

    def remove(self) -> None:
        """Forget the chosen run."""
        self._need_idle()
        if self.trials:
            del self.trials[self.chosen.index]
            self._list_runs(len(self.trials) - 1)
            self._idle()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end of the run under way, in a script; False if it takes longer."""
        return self.job is None or self.job.wait(seconds)

    def _need_idle(self) -> None:
        if self.running:
            raise GameError("a run is under way; stop it first")

    def _experiment(self) -> Experiment:
        used = self.abstraction.value
        return Experiment(
            self.game.value,
            options=self.game.options,
            solver=self.solver.value,
            settings=self.solver.options,
            iterations=self.iterations.value,
            seed=self.seed.value,
            abstraction=None if used == NONE else used,
        )

    def _work(self, trial: Trial, at: int) -> None:
        self._before = self.trials[at:][:1]  # what comes back if nothing becomes of it
        self._working = trial
        self.trials[at : at + 1] = [trial]
        self._list_runs(at)
        self.start_button.disabled = self.continue_button.disabled = True
        self.remove_button.disabled, self.stop_button.disabled = True, False
        self.bar.begin()

        def work(job: Job) -> Trial:
            return trial.work(job)

        self.run(work, show=lambda now: self._show(now, at), done=lambda end: self._done(end, at))

    def _show(self, progress: Progress, at: int) -> None:
        """Called from the background while a run is under way."""
        self.bar.show(progress)
        if progress.value is not None and progress.value is not self.trials[at]:
            self.trials[at] = self._working = progress.value
            self._draw(live=True)

    def _done(self, outcome: Outcome, at: int) -> None:
        """Called from the background at the end."""
        trial = outcome.value
        if trial is None or trial.iteration == 0:
            self.trials[at : at + 1] = self._before
            if not outcome.error:
                say(self.message, "Stopped before the first iteration.", "note")
        else:
            self.bar.text(f"stopped after {trial.iteration:,} iterations; measuring")
            self.trials[at] = trial.settled()
        self._working = None
        self.bar.end(stopped=outcome.stopped or bool(outcome.error))
        self._list_runs(min(at, len(self.trials) - 1))
        self._idle()

    def _idle(self) -> None:
        """Nothing is under way."""
        self._draw()
        self._show_code()
        self.stop_button.disabled = True
        self.start_button.disabled = False
        self.continue_button.disabled = self.remove_button.disabled = not self.trials

    def _list_abstractions(self) -> None:
        wanted = (NONE, *abstractions_of(self.game.name.value))
        if self.abstraction.options != wanted:
            self.abstraction.options = wanted
            self.abstraction.disabled = len(wanted) == 1

    def _list_runs(self, at: int) -> None:
        names = [f"{k}: {trial.name} on {trial.game}" for k, trial in enumerate(self.trials, 1)]
        self.chosen.options = [(name, k) for k, name in enumerate(names)]
        if names:
            self.chosen.index = at

    def _show_code(self) -> None:
        if self.trials and self.chosen.index is not None:
            self.code_box.value = self.trials[self.chosen.index].code
            return
        try:
            self.code_box.value = Trial(self._experiment(), self.game.code, self.solver.code).code
        except GameError as error:
            self.code_box.value = f"# {error}"

    def _draw(self, *, live: bool = False) -> None:
        games = {trial.game for trial in self.trials}
        one = len(games) == 1
        traces = {
            f"{k}: {trial.name}" + ("" if one else f", {trial.game}"): trial.trace
            for k, trial in enumerate(self.trials, 1)
        }
        self.curve.draw(traces, games.pop() if one else "", live=live)
        self.results.value = self._table()

    def _table(self) -> str:
        if not self.trials:
            return '<span class="wb-quiet">Results of the runs will stand here.</span>'
        rows = []
        for k, trial in enumerate(self.trials, 1):
            last: Any = trial.trace.iloc[-1] if len(trial.trace) else {}
            rows.append(
                {
                    "run": k,
                    "game": trial.game,
                    "solver": trial.name,
                    "seed": trial.experiment.seed,
                    "iterations": trial.iteration,
                    "exploitability": float(last.get("exploitability", float("nan"))),
                    "in the abstraction": float(last.get("abstract_exploitability", float("nan"))),
                    "information sets": int(last.get("infosets", 0)),
                    "seconds": trial.partial.seconds if trial.partial else 0.0,
                }
            )
        shown = pd.DataFrame(rows)
        if shown["in the abstraction"].isna().all():
            del shown["in the abstraction"]
        return table(shown, colours=COLOURS)

    def static(self) -> str:
        """What was chosen, and the results so far."""
        return super().static() + (
            f"<pre>{escape(self.code)}</pre>" + (self._table() if self.trials else "")
        )


def abstractions_of(game: str) -> list[str]:
    """The abstractions to choose from; rules of Toepen after each way to see suits."""
    names = [name for name in list_abstractions(game) if not name.endswith("-by-kind")]
    suits = [name for name in names if name.endswith("-suits")]
    rules = [name for name in names if name not in suits]
    return [*suits, *(f"{first}+{rule}" for first in suits for rule in rules)] if suits else names
