"""A panel from a specification: settings, the work they ask for, what it found, and its code.

A *trial* (`Trial`, or a class with the same few names) is a specification together with what has
become of it so far. It never changes; working on it gives a later one:

    name, game, code    what it is called, of what, and the cell that repeats it
    reached             how far it has come, in words; nothing, if there is nothing to keep
    work(job)           go on to the end; what is told last is what Stop leaves
    ended               whoever asks for it has it measured where it was stopped

Stopping and continuing makes no difference to the numbers: the code of a run that was stopped after
1,234 iterations asks for 1,234 iterations and finds the same strategy, bit for bit.

A panel says what its controls ask for (`new_trial`) and places what it wants of the rest: the main
button, Stop, Continue, the list with Remove and Clear all, the report, progress, table, curve,
code. When the cell is deleted or its notebook closed, the work stops as if somebody had pressed
Stop.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from workbench.games.registry import load_game, name_with_options
from workbench.games.words import amount, unit_of
from workbench.lab.code import Plan, solve_cell
from workbench.lab.html import NOTHING, Html, quiet, show, table
from workbench.lab.plots.style import SIGNS, Look, steady
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.forms import GameChoice, SettingsForm, SolverChoice, readable, spoken
from workbench.lab.widgets.jobs import Job, Outcome, Progress, apart, message_of
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Curve, Drawing
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.runs.run import COLUMNS, Partial, Problem, Row, Run, begin, finish, measure, work
from workbench.settings import need_whole, options_of
from workbench.solvers.base import Solver, solver_name
from workbench.tree import GameTree

LIVE = 0.4  # seconds between measurements for the eye, beside those of the trace
PIECE = 0.05  # seconds of work between two looks at Stop; on a busy machine it becomes more
LARGE = 1000  # information sets from which one exact step may take long: see `jobs.apart`


@dataclass(frozen=True, eq=False)
class Trial:
    """A run on its way."""

    experiment: Experiment
    plan: Plan | None = None  # how its abstraction is built
    problem: Problem | None = None
    partial: Partial | None = None
    extra: tuple[Row, ...] = field(default=(), repr=False)  # measured for the eye only

    @property
    def iteration(self) -> int:
        return self.partial.state.iteration if self.partial else 0

    @property
    def reached(self) -> str:
        """How far it has come, in words."""
        return amount(self.iteration, "iteration") if self.iteration else ""

    @property
    def seconds(self) -> float:
        """What it has taken."""
        return self.partial.seconds if self.partial else 0.0

    def work(self, job: Job) -> Trial:
        """Go on to the end, telling the job; what is told last is what a stop leaves."""
        job.tell(None, f"preparing {self.experiment.find_solver().name}")
        problem = self.experiment.problem()
        start = begin(problem) if self.partial is None else replace(self.partial, stopped=None)
        last, cost, extra = time.perf_counter(), 0.0, self.extra

        def tell(partial: Partial) -> None:
            nonlocal last, cost, extra
            done, total = partial.state.iteration, problem.stops[-1]
            so_far = replace(self, problem=problem, partial=partial, extra=extra)
            job.tell(done / total, f"{done:,} of {total:,} iterations", so_far)
            if time.perf_counter() - last > max(LIVE, 10 * cost):
                began = time.thread_time()  # what others compute meanwhile is no cost of this
                extra = (*extra, measure(problem, partial.state, partial.seconds))
                last, cost = time.perf_counter(), time.thread_time() - began

        if problem.solver.exact:
            job.tell(None, f"{problem.solver.name}: solving exactly, in one step")
        if problem.solver.exact and problem.solved.num_infosets > LARGE:
            done = apart(job, work, problem, start)
        else:
            done = work(problem, start, tell=tell, piece=PIECE)
        return replace(self, problem=problem, partial=done, extra=extra)

    @cached_property
    def ended(self) -> Partial | None:
        """Measured where it stands now, so that it has a run."""
        problem, partial = self.problem, self.partial
        if problem is None or partial is None or partial.stopped is not None:
            return partial
        rows = partial.rows
        if not rows or rows[-1][0] < partial.state.iteration:
            rows = (*rows, measure(problem, partial.state, partial.seconds))
        return replace(partial, rows=rows, stopped="interrupted")

    def longer(self, iterations: int) -> Trial:
        """To be continued: to the end of what was asked, or by so many more iterations."""
        asked = self.experiment
        if self.iteration >= asked.iterations:
            asked = replace(asked, iterations=self.iteration + iterations)
        return replace(self, experiment=asked, partial=self.ended)

    @cached_property
    def run(self) -> Run:
        """What `solve` would have returned."""
        assert self.problem
        assert self.ended
        return finish(self.problem, self.ended)

    @property
    def trace(self) -> pd.DataFrame:
        """All that has been measured so far, for the picture: of a game that is too large to be
        judged, within its buckets."""
        known = vars(self).get("ended", self.partial)
        rows = {row[0]: row for row in (*self.extra, *(known.rows if known else ()))}
        found = pd.DataFrame([rows[at] for at in sorted(rows)], columns=list(COLUMNS))
        if not self.judged:
            found["exploitability"] = found["abstract_exploitability"]
        return found

    @property
    def name(self) -> str:
        """Solver and settings."""
        return solver_name(self.experiment.find_solver())

    @cached_property
    def given(self) -> Any:
        """The rules or the tree."""
        game = self.experiment.game
        return load_game(game, **self.experiment.options) if isinstance(game, str) else game

    @property
    def unit(self) -> str:
        """What its game pays in."""
        return unit_of(self.given)

    @property
    def measured(self) -> str:
        """What `exploitability` is called: with three players a mean gain says less."""
        rules = self.given
        players = rules.num_players if isinstance(rules, GameTree) else rules.players
        known = "exploitability" if self.judged else "exploitability within the buckets"
        return "mean gain" if players > 2 else known

    @property
    def judged(self) -> bool:
        """Whether somebody measures the real game."""
        return self.problem is None or self.problem.tree.judged

    @property
    def game(self) -> str:
        """The game's name, with its options, and the abstraction."""
        used: Any = self.experiment.abstraction
        name = readable(name_with_options(self.given))
        return f"{name} [{spoken(getattr(used, 'name', used))}]" if used else name

    @property
    def code(self) -> str:
        """A cell that repeats what was done so far; before the first iteration, what was asked."""
        asked = self.experiment
        count = self.iteration or asked.iterations
        return solve_cell(self.given, asked.find_solver(), count, asked.seed, self.plan)


def trial_looks(trials: Sequence[Trial]) -> list[Look]:
    """Of each trial: that of its solver in all panels, if no earlier one has it."""
    return steady([trial.experiment.find_solver().name for trial in trials])


class TrialPanel(Panel):
    """Trials side by side, the latest last."""

    stops_unseen = True
    verb, does = "Start", "Begin a new run"  # the main button and its tip
    keeps, lost = "End the run, keep its result", "Stopped before the first iteration."
    noun, listed = "run", "run"  # what the list is of, and its class
    follows = True  # the code is that of the chosen trial; else always what the controls say
    lines = True  # the picture has a line for each run, with a sign that the table shows
    drawing: Drawing | None = None  # if the panel places one

    def __init__(self, title: str, name: str, *, folded: bool = False) -> None:
        """The controls that all such panels have; who inherits places them."""
        super().__init__(title, name)
        self.trials: list[Any] = []
        self._working: int | None = None  # which of them is under way
        self._before: list[Any] = []  # what comes back if nothing becomes of it
        report = "The chosen run as one HTML file that needs no network"
        first = self.verb.lower()
        *pressed, remove, clear, save = self.make_buttons(
            (self.verb, first, self.start, self.does, "primary"),
            ("Stop", "stop", self.stop, self.keeps, "danger"),
            ("Continue", "continue", self.resume, "Go on with the chosen run", ""),
            ("Remove", "remove", self.remove, f"Take the chosen {self.noun} away", ""),
            ("Clear all", "clear", self.clear, "Take all runs away", ""),
            ("Save report", "report", self.report, report, ""),
        )
        self.start_button, stop, again = pressed
        self.when |= dict.fromkeys((again, remove, clear), lambda: self.trials and not self.busy())
        self.when[self.start_button] = lambda: not self.busy()
        self.when[stop] = lambda: self.busy() and not self.jobs[""].stopping
        self.when[save] = lambda: self.trials and not self.busy("report")
        setattr(self, first, self.start)
        remove.layout.width = clear.layout.width = "6em"
        save.layout.width = "7.8em"
        label = self.noun.capitalize()
        wide = f"{0.5 * len(label) + 1.5}em"
        self.chosen = ui.choose(label, [], self.listed, self.show_code, label_width=wide)
        self.bar, self.code_box = ui.ProgressBar(), ui.CodeBox(folded=folded)
        self.shown = ui.place("results")
        self.buttons = ui.column(ui.row(*pressed), self.message)  # where the eye is after pressing
        self.chooser = ui.row(self.chosen, remove, clear, save)
        self.ticks = ui.Ticks("curve", self._draw)  # what is not ticked is not drawn
        self.ticks.show([])

    def new_trial(self) -> Any:
        """What the main button begins, as the controls stand; GameError if they make no sense."""
        raise NotImplementedError

    def ask(
        self, game: str | Rules | GameTree, options: Mapping[str, Any] | None,
        solver: str | Solver, solvers: Sequence[Solver] = (),
    ) -> None:  # fmt: skip
        """Controls for a game and a solver."""
        self.game = GameChoice(game, options, self.other_game)
        self.solver = SolverChoice(solver, solvers, self.edited)

    def other_game(self) -> None:
        """Another game was chosen, or an option of it."""
        self.edited()

    def ask_fields(self, kind: Any, given: Mapping[str, Any], **look: Any) -> None:
        """Controls for the fields of a dataclass, `self.form`; each is an attribute, too."""
        for option in options_of(kind):
            if option.name in given:
                option.checked(given[option.name])
        self.form = SettingsForm(self.edited, **look)
        self.form.fill(kind, given)
        self.named |= self.form.controls

    def trial_of(
        self, game: Any, options: Mapping[str, Any], abstraction: Any, plan: Plan
    ) -> Trial:
        """A trial with what was asked for."""
        asked = Experiment(
            game, options, self.solver.value, self.solver.options, self.iterations.value,
            self.seed.value, abstraction=abstraction,
        )  # fmt: skip
        return Trial(asked, plan)

    @property
    def code(self) -> str:
        """The cell that repeats the chosen trial; without any, the one for these settings."""
        return self.code_box.value

    @property
    def runs(self) -> list[Run]:
        """The results, in the order of the table; the one under way is not among them."""
        return [trial.run for trial in self.done]

    @property
    def done(self) -> list[Any]:
        """The trials but for the one that is under way."""
        return [trial for k, trial in enumerate(self.trials) if k != self._working]

    # ---- what one can do -------------------------------------------------------------

    def start(self) -> None:
        """Begin with the settings of the panel."""
        self._need_idle()
        self._work(self.new_trial(), len(self.trials))

    def stop(self) -> None:
        """End what is under way and keep what it has."""
        if self.busy():
            self.bar.text("stopping")
            self.jobs[""].stop()

    def resume(self) -> None:
        """Go on with the chosen run."""
        self._need_idle()
        if not self.trials:
            raise GameError(f"there is no run to go on with; press {self.verb}")
        at, more = self.chosen.index, need_whole("iterations", self.iterations.value)
        if self.trials[at].experiment.find_solver().exact:
            raise GameError("this run is exact: there is nothing to go on with")
        self._work(self.trials[at].longer(more), at)

    def remove(self) -> None:
        """Forget the chosen trial."""
        if self.trials:
            self._forget(slice(self.chosen.index, self.chosen.index + 1))

    def _forget(self, gone: slice) -> None:
        self._need_idle()
        del self.trials[gone]
        if not self.trials:
            self.bar.begin("")
        self._list(len(self.trials) - 1, gone)
        self.show_idle()

    def _need_idle(self) -> None:
        if self._working is not None:
            raise GameError("something is under way; stop it first")

    def clear(self) -> None:
        """Forget all runs."""
        self._forget(slice(None))

    def report(self) -> None:
        """Save the chosen run as one HTML file in the folder of the notebook."""
        self.save_report(self.chosen_run)

    @property
    def chosen_run(self) -> Run:
        """The run that is chosen; GameError if there is none, or it is under way."""
        at = self.chosen.index
        if at is None or at == self._working:
            raise GameError(f"no finished run is chosen; press {self.verb}, or choose another")
        run: Run = self.trials[at].run
        return run

    # ---- work under way --------------------------------------------------------------

    def _work(self, trial: Any, at: int) -> None:
        self._before, self._working = self.trials[at:][:1], at
        self.trials[at : at + 1] = [trial]
        self.say("")  # of the one before
        self._list(at)
        self.bar.begin()
        self.run(
            trial.work,
            show=lambda progress: self._show(progress, at),
            done=lambda outcome: self._done(outcome, at),
        )

    def _show(self, progress: Progress, at: int) -> None:
        """Called from the background while it works."""
        if self.job and self.job.stopping:
            return
        self.bar.show(progress)
        if progress.value is not None and progress.value is not self.trials[at]:
            self.trials[at] = progress.value
            self.shown.value = self.shown_as()  # at once: a picture may take its time
            self._draw(live=True)

    def _done(self, outcome: Outcome, at: int) -> None:
        """Called from the background at the end; answers first, measures and draws later."""
        trial = outcome.value
        reached = trial.reached if trial is not None else ""
        self.trials[at : at + 1] = [trial] if reached else self._before
        self._working = None
        if not (reached or outcome.error):
            self.say(self.lost, "note")
        self.bar.end(stopped=outcome.stopped or bool(outcome.error))
        if outcome.stopped and reached:
            self.bar.text(f"stopped after {reached}")
        self._list(min(at, len(self.trials) - 1))
        self.show_idle()

    # ---- showing ---------------------------------------------------------------------

    def show_idle(self) -> None:
        """Nothing is under way."""
        self.show_code()
        self.set_buttons()
        self.shown.value = self.shown_as()
        self._draw()

    @property
    def names(self) -> list[str]:
        """What the trials are called, in the list, beside the ticks and in the legend."""
        one = len({trial.game for trial in self.trials}) == 1
        return [
            f"{k}: {trial.name}" + ("" if one else f", {trial.game}")
            for k, trial in enumerate(self.trials, 1)
        ]

    def _list(self, at: int, gone: slice = slice(0)) -> None:
        names, ticked = self.names, [box.value for box in self.ticks.shown]
        self.chosen.options = [(name, k) for k, name in enumerate(names)]
        longest = max(map(len, names), default=0)
        self.chosen.layout.width = f"{max(17.5, 0.6 * longest + 6)}em"
        if self.trials:
            self.chosen.index = at
        del ticked[gone]
        hidden = {name for name, on in zip(names, ticked, strict=False) if not on}
        self.ticks.show(names, {name for name in names if name not in hidden})
        self.ticks.view.layout.display = "" if len(names) > 1 else "none"

    @property
    def drawn(self) -> list[tuple[int, Trial]]:
        """The trials that are not hidden, with their numbers."""
        hidden = [k for k, box in enumerate(self.ticks.shown, 1) if not box.value]
        return [(k, trial) for k, trial in enumerate(list(self.trials), 1) if k not in hidden]

    def edited(self) -> None:
        """A field was changed: what was said of it is no longer true if all is well now."""
        with suppress(Exception):  # the main button says it
            self.new_trial()
            self.say("")
        self.show_code()

    def show_code(self) -> None:
        """Show the code of the chosen trial, or of what the main button would begin."""
        try:
            at = self.chosen.index if self.follows and self.trials else None
            self.code_box.value = (self.new_trial() if at is None else self.trials[at]).code
        except Exception as error:  # typed just now; the main button says it again, as a message
            self.code_box.value = f"# {message_of(error)}"

    def _draw(self, *, live: bool = False) -> None:
        def drawn() -> None:
            for trial in self.done:
                _ = trial.ended
            if not live:
                self.shown.value = self.shown_as()
            self.draw(live=live)

        self.later(drawn)

    def draw(self, *, live: bool = False) -> None:
        """The curves of the runs."""
        if not isinstance(self.drawing, Curve):
            return
        trials = list(self.trials)
        games = {trial.game for trial in trials}
        named = dict(enumerate(self.names, 1))
        drawn = {named[k]: trial for k, trial in self.drawn if k in named}
        self.drawing.draw(
            {name: trial.trace for name, trial in drawn.items()},
            "".join(games) if len(games) == 1 else "",
            {name: trial.unit for name, trial in drawn.items()}, live=live,
            order=dict(zip(named.values(), trial_looks(trials), strict=True)),
            measured=" or ".join(sorted({trial.measured for trial in drawn.values()})),
        )  # fmt: skip

    def shown_as(self) -> Html:
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
                "seconds": trial.seconds,
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

    def still(self) -> Html:
        """With picture and table of the trials, and the code of the chosen one or of a new one."""
        chosen = self.trials and self.follows
        does = f"The chosen {self.noun} as code" if chosen else f"What {self.verb} does, as code"
        picture = Html(self.drawing.view.value) if self.drawing else NOTHING
        results = picture + self.shown_as() if self.trials else NOTHING
        code = Html("<details><summary>{}</summary><pre>{}</pre></details>").format(does, self.code)
        return super().still() + results + code
