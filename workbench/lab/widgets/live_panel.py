"""What panels that solve have in common: runs side by side, with Start, Stop, Continue, Remove.

A panel says what a new trial is (`new_trial`) and how the trials are drawn (`draw`); the rest is
here. When the cell is deleted or its notebook closed, the run stops as if somebody had pressed
Stop.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from workbench.games.words import amount
from workbench.lab.code import Plan
from workbench.lab.html import NOTHING, Html, quiet, show, table
from workbench.lab.plots.style import SIGNS, Look, steady
from workbench.lab.widgets.controls import (
    CodeBox,
    ProgressBar,
    Ticks,
    choose,
    column,
    number,
    place,
    row,
)
from workbench.lab.widgets.forms import GameChoice, SolverChoice
from workbench.lab.widgets.jobs import Outcome, Progress, message_of
from workbench.lab.widgets.live_run import Trial
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.report_button import save_report
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run
from workbench.settings import need_whole
from workbench.solvers.base import Solver
from workbench.tree import GameTree


def trial_looks(trials: Sequence[Trial]) -> list[Look]:
    """Of each trial: that of its solver in all panels, if no earlier one has it."""
    return steady([trial.experiment.find_solver().name for trial in trials])


class TrialPanel(Panel):
    """A panel with runs."""

    stops_unseen = True
    lines = True  # the picture has a line for each run, with a sign that the table shows

    def __init__(
        self, title: str, name: str, game: str | Rules | GameTree,
        options: Mapping[str, Any] | None, solver: str | Solver, iterations: int, seed: int,
        solvers: Sequence[Solver] = (),
    ) -> None:  # fmt: skip
        """The controls that all such panels have; who inherits places them."""
        super().__init__(title, name)
        need_whole("iterations", iterations)
        need_whole("seed", seed, 0, None)
        self.trials: list[Trial] = []
        self._working: int | None = None  # which of them is under way
        self._before: list[Trial] = []  # what comes back if nothing becomes of it
        self._lock = threading.RLock()  # of the trials
        self.game, self.solver = GameChoice(game, options), SolverChoice(solver, solvers)
        self.game.on_change(self.edited)
        self.solver.on_change(self.edited)
        self.iterations = number("Iterations", iterations, "iterations", self.edited)
        self.seed = number("Seed", seed, "seed", self.edited)
        report = "The chosen run as one HTML file that needs no network"
        pressed = self.start_button, self.stop_button, self.continue_button = self.make_buttons(
            ("Start", "start", self.start, "Begin a new run", "primary"),
            ("Stop", "stop", self.stop, "End the run, keep its result", "danger"),
            ("Continue", "continue", self.resume, "Go on with the chosen run", ""),
        )
        self.remove_button, self.clear_button, self.report_button = self.make_buttons(
            ("Remove", "remove", self.remove, "Take the chosen run away", ""),
            ("Clear all", "clear", self.clear, "Take all runs away", ""),
            ("Save report", "report", self.report, report, ""),
        )
        self.remove_button.layout.width = self.clear_button.layout.width = "6em"
        self.report_button.layout.width = "7.8em"
        self.chosen = choose("Run", [], "run", self.show_code, width="17.5em", label_width="3em")
        self.bar, self.code_box, self.results = ProgressBar(), CodeBox(), place("results")
        self.buttons = column(row(*pressed), self.message)  # where the eye is after pressing
        self.chooser = row(self.chosen, self.remove_button, self.clear_button, self.report_button)
        self.ticks = Ticks("curve", self._draw)  # what is not ticked is not drawn
        self.ticks.show([])

    def new_trial(self) -> Trial:
        """What Start begins, as the controls stand; raises GameError if they make no sense."""
        raise NotImplementedError

    def trial_of(
        self, game: Any, options: Mapping[str, Any], abstraction: Any, plan: Plan
    ) -> Trial:
        """A trial with the solver of the panel."""
        asked = Experiment(
            game, options, self.solver.value, self.solver.options, self.iterations.value,
            self.seed.value, abstraction=abstraction,
        )  # fmt: skip
        return Trial(asked, plan)

    def draw(self, *, live: bool = False) -> None:
        """Draw the trials; `live`: one of them is under way."""
        raise NotImplementedError

    @property
    def ready(self) -> bool:
        """True if a new run can begin."""
        return True

    @property
    def runs(self) -> list[Run]:
        """The results, in the order of the table; the one under way is not among them."""
        self._settle()
        return [trial.run for k, trial in enumerate(self.trials) if k != self._working]

    @property
    def code(self) -> str:
        """The cell that repeats the chosen run; without runs, the one for these settings."""
        return self.code_box.value

    # ---- what one can do -------------------------------------------------------------

    def start(self) -> None:
        """Begin a new run with the settings of the panel."""
        self._need_idle()
        self._work(self.new_trial(), len(self.trials))

    def stop(self) -> None:
        """End the run under way and keep what it has."""
        if self.job and self.job.running:
            self.stop_button.disabled = True
            self.bar.text("stopping")
            self.job.stop()

    def resume(self) -> None:
        """Go on with the chosen run."""
        self._need_idle()
        if not self.trials:
            raise GameError("there is no run to go on with; press Start")
        at, more = self.chosen.index, need_whole("iterations", self.iterations.value)
        if self.trials[at].experiment.find_solver().exact:
            raise GameError("this run is exact: there is nothing to go on with")
        self._settle()
        self._work(self.trials[at].longer(more), at)

    def remove(self) -> None:
        """Forget the chosen run."""
        if self.trials:
            self._forget(self.chosen.index, self.chosen.index + 1)

    def clear(self) -> None:
        """Forget all runs."""
        self._forget(0, len(self.trials))

    def _forget(self, first: int, end: int) -> None:
        self._need_idle()
        ticked = [box.value for box in self.ticks.shown]
        with self._lock:
            del self.trials[first:end], ticked[first:end]
        if not self.trials:
            self.bar.clear()
        self._list_runs(len(self.trials) - 1, ticked)
        self.show_idle()

    def report(self) -> None:
        """Save the chosen run as one HTML file in the folder of the notebook."""
        if not self.trials:
            raise GameError("there is no run to report; press Start")
        if self.chosen.index == self._working:
            raise GameError("this run is under way; stop it first, or choose another")
        self._settle()
        self.report_button.disabled = True
        save_report(self, self.trials[self.chosen.index].run, done=self.set_buttons)

    def _need_idle(self) -> None:
        if self._working is not None:
            raise GameError("a run is under way; stop it first")

    # ---- a run under way -------------------------------------------------------------

    def _work(self, trial: Trial, at: int) -> None:
        with self._lock:
            self._before, self._working = self.trials[at:][:1], at
            self.trials[at : at + 1] = [trial]
        self.say("")  # of the run before
        self._list_runs(at)
        self.set_buttons()
        self.bar.begin()
        self.run(
            trial.work,
            show=lambda progress: self._show(progress, at),
            done=lambda outcome: self._done(outcome, at),
        )

    def _show(self, progress: Progress, at: int) -> None:
        """Called from the background while a run is under way."""
        if self.job and self.job.stopping:
            return
        self.bar.show(progress)
        if progress.value is not None and progress.value is not self.trials[at]:
            self.trials[at] = progress.value
            self.results.value = self.table()  # at once: a picture may take its time
            self._draw(live=True)

    def _done(self, outcome: Outcome, at: int) -> None:
        """Called from the background at the end; answers first, measures and draws later."""
        trial = outcome.value
        nothing = trial is None or trial.iteration == 0
        with self._lock:
            self.trials[at : at + 1] = self._before if nothing else [trial]
            self._working = None
        if nothing and not outcome.error:
            self.say("Stopped before the first iteration.", "note")
        self.bar.end(stopped=outcome.stopped or bool(outcome.error))
        if outcome.stopped and not nothing:
            self.bar.text(f"stopped after {amount(trial.iteration, 'iteration')}")
        self._list_runs(min(at, len(self.trials) - 1))
        self.show_idle()

    def _settle(self) -> None:
        """Measure the trials that were stopped where they stand."""
        for k, trial in enumerate(list(self.trials)):
            settled = trial if k == self._working else trial.settled()
            with self._lock:
                if self.trials[k : k + 1] == [trial]:  # nobody has changed it meanwhile
                    self.trials[k] = settled

    # ---- showing ---------------------------------------------------------------------

    def show_idle(self) -> None:
        """Nothing is under way."""
        self.show_code()
        self.set_buttons()
        self._draw()

    def set_buttons(self) -> None:
        """Only what can be done can be pressed."""
        busy = self._working is not None
        self.start_button.disabled = busy or not self.ready
        self.stop_button.disabled = not busy
        for one in (self.continue_button, self.remove_button, self.clear_button):
            one.disabled = busy or not self.trials
        self.report_button.disabled = not self.trials

    @property
    def names(self) -> list[str]:
        """What the trials are called, in the list, beside the ticks and in the legend."""
        one = len({trial.game for trial in self.trials}) == 1
        return [
            f"{k}: {trial.name}" + ("" if one else f", {trial.game}")
            for k, trial in enumerate(self.trials, 1)
        ]

    def _list_runs(self, at: int, ticked: Sequence[bool] | None = None) -> None:
        names = self.names
        self.chosen.options = [(name, k) for k, name in enumerate(names)]
        longest = max(map(len, names), default=0)
        self.chosen.layout.width = f"{max(17.5, 0.6 * longest + 6)}em"
        if self.trials:
            self.chosen.index = at
        ticked = [box.value for box in self.ticks.shown] if ticked is None else ticked
        hidden = {name for name, on in zip(names, ticked, strict=False) if not on}
        self.ticks.show(names, {name for name in names if name not in hidden})
        self.ticks.view.layout.display = "" if len(names) > 1 else "none"

    @property
    def drawn(self) -> list[tuple[int, Trial]]:
        """The trials that are not hidden, with their numbers."""
        ticked = [box.value for box in self.ticks.shown]
        return [
            (k, trial)
            for k, trial in enumerate(list(self.trials), 1)
            if k > len(ticked) or ticked[k - 1]
        ]

    def edited(self) -> None:
        """A field was changed: what was said of it is no longer true if all is well now."""
        with suppress(Exception):  # Start says it
            self.new_trial()
            self.say("")
        self.show_code()

    def show_code(self) -> None:
        """Show the code of the chosen run, or of what Start would begin."""
        if self.trials and self.chosen.index is not None:
            self.code_box.value = self.trials[self.chosen.index].code
            return
        try:
            self.code_box.value = self.new_trial().code
        except Exception as error:  # typed just now; Start says it again, as a message
            self.code_box.value = f"# {message_of(error)}"

    def _draw(self, *, live: bool = False) -> None:
        def drawn() -> None:
            self._settle()
            if not live:
                self.results.value = self.table()
            self.draw(live=live)

        self.later(drawn)

    def table(self) -> Html:
        """The results as HTML."""
        trials = list(self.trials)
        if not trials:
            return quiet("Results of the runs will stand here.")
        one = len({trial.unit for trial in trials}) == 1
        unit = f" ({trials[0].unit})" if one and trials[0].unit else ""
        lost = " or ".join(sorted({trial.measured for trial in trials}))
        rows = []
        for k, trial in enumerate(trials, 1):
            last = dict(trial.trace.iloc[-1]) if len(trial.trace) else {}
            loses = last.get("exploitability", np.nan)
            rows.append({
                "run": k, "game": trial.game, "solver": trial.name, "seed": trial.experiment.seed,
                "iterations": trial.iteration, "sets": int(last.get("infosets", 0)),
                "in the abstraction": last.get("abstract_exploitability", np.nan),
                f"{lost}{unit}": loses if one else f"{show(loses)} {trial.unit}",
                "seconds": trial.partial.seconds if trial.partial else 0.0,
            })  # fmt: skip
        frame = pd.DataFrame(rows)
        if not any(trial.experiment.abstraction and trial.judged for trial in trials):
            frame = frame.drop(columns="in the abstraction")
        signs = [
            Html(f'<span class="wb-sign" style="color: {colour}">{SIGNS[k]}</span>')
            for colour, k in trial_looks(trials)
        ]
        return table(frame, marks=signs if self.lines else ())

    def show_off(self) -> None:
        if not self.trials:
            self.start()

    def picture(self) -> Html:
        """What is drawn of the trials, as HTML."""
        raise NotImplementedError

    def still(self) -> Html:
        """Picture and table of the runs, and the chosen one as code; or what Start would begin."""
        does = "The chosen run as code" if self.trials else "What Start does, as code"
        results = self.picture() + self.table() if self.trials else NOTHING
        code = Html("<details><summary>{}</summary><pre>{}</pre></details>").format(does, self.code)
        return results + code
