"""A run as a panel sees it: described, on its way, stopped, continued, done.

A *trial* is a description (an `Experiment`) and how far it has come. It never changes; work on
it gives a later one. Stopping and continuing makes no difference to the numbers: the code of a
trial that was stopped after 1,234 iterations asks for 1,234 iterations and finds the same strategy,
bit for bit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from workbench.games.registry import load_game, name_with_options
from workbench.games.words import amount, unit_of
from workbench.lab.code import Plan, solve_cell
from workbench.lab.widgets.forms import spoken
from workbench.lab.widgets.jobs import Job, apart
from workbench.runs.experiment import Experiment
from workbench.runs.run import COLUMNS, Partial, Problem, Row, Run, begin, finish, measure, work
from workbench.solvers.registry import solver_name
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

        text = f"{problem.solver.name}: solving exactly, in one step"
        if problem.solver.exact:
            job.tell(None, text)
        if problem.solver.exact and problem.solved.num_infosets > LARGE:
            done = apart(job, text, work, problem, start)
        else:
            done = work(problem, start, tell=tell, piece=PIECE)
        return replace(self, problem=problem, partial=done, extra=extra)

    @cached_property
    def settled(self) -> Partial | None:
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
        return replace(self, experiment=asked, partial=self.settled)

    @cached_property
    def run(self) -> Run:
        """What `solve` would have returned."""
        assert self.problem
        assert self.settled
        return finish(self.problem, self.settled)

    @property
    def trace(self) -> pd.DataFrame:
        """All that has been measured so far, for the picture: of a game that is too large to be
        judged, within its buckets."""
        known = vars(self).get("settled", self.partial)
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
        return self.problem is None or getattr(self.problem.tree, "judged", True)

    @property
    def game(self) -> str:
        """The game's name, with its options, and the abstraction."""
        used: Any = self.experiment.abstraction
        name = name_with_options(self.given)
        return f"{name} [{spoken(getattr(used, 'name', used))}]" if used else name

    @property
    def code(self) -> str:
        """A cell that repeats what was done so far; before the first iteration, what was asked."""
        asked = self.experiment
        count = self.iteration or asked.iterations
        return solve_cell(self.given, asked.find_solver(), count, asked.seed, self.plan)
