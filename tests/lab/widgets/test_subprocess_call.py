"""A long step in another process: its answer, its errors, and its end when it is stopped."""

from __future__ import annotations

import os
import threading
import time

import pytest

import workbench as wb
from tests.lab.widgets.test_jobs import SOON, threads, until
from workbench.lab.widgets import live_run as trial
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.solver_panel import SolverPanel
from workbench.lab.widgets.subprocess_call import apart
from workbench.rules import GameError


def asked(function: object, *arguments: object) -> Outcome:
    ends: list[Outcome] = []
    job = Job(lambda job: apart(job, "far away", function, *arguments), done=ends.append)  # type: ignore[arg-type]
    assert job.start().wait(SOON)
    return ends[0]


def test_answers_and_errors_come_back() -> None:
    assert asked(divmod, 17, 5).value == (3, 2)
    assert asked(wb.load_game, "khun").message.startswith("there is no game 'khun'")
    assert isinstance(asked(divmod, 1, 0).error, ZeroDivisionError)


def test_what_cannot_be_sent_is_done_here() -> None:
    here = threading.get_ident()
    assert asked(lambda: here).value == here


def test_a_process_that_dies_is_one_clear_error() -> None:
    outcome = asked(os.abort)
    assert isinstance(outcome.error, GameError)
    assert "smaller game" in outcome.message


def test_stop_ends_the_process() -> None:
    job = Job(lambda job: apart(job, "asleep", time.sleep, 10 * SOON)).start()
    time.sleep(0.3)
    job.stop()
    assert job.wait(SOON)
    until(lambda: not threads())  # the thread has seen the process end


def test_an_exact_solver_on_a_larger_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LARGE", 1)
    panel = SolverPanel("kuhn", solver="lp")
    panel.start_button.click()
    assert panel.wait(SOON)
    (run,) = panel.runs
    again = wb.solve(wb.load_game("kuhn"), "lp")
    assert (run.strategy.probs == again.strategy.probs).all()
    panel.close()
