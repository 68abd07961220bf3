"""Work in the background: shown, stopped, broken, closed; and no thread is left behind."""

import os
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

import workbench as wb
from tests.lab.widgets.helpers import SOON, endless, threads, until
from workbench.lab.widgets import jobs as background
from workbench.lab.widgets.jobs import Job, Outcome, Progress, apart
from workbench.rules import GameError


@pytest.fixture(autouse=True)
def _none_left() -> Any:
    yield
    until(lambda: not threads())


def test_the_view_hears_of_progress_and_of_the_end_once(monkeypatch):
    monkeypatch.setattr(background, "EVERY", 0.02)
    clock, seen = [0.0], list[int]()
    monkeypatch.setattr(background, "time", SimpleNamespace(monotonic=lambda: clock[-1]))
    shown: list[Progress] = []
    ends: list[Outcome] = []

    def work(job: Job) -> str:
        job.tell(None, "getting ready")
        for k in range(20):
            clock.append(float(k))
            job.tell(k / 20, "working", value=k)
            seen.append(len(shown))
            until(lambda: len(shown) > seen[-1] + 1)  # the view looks at this
        return "answer"

    job = Job(work, show=shown.append, done=ends.append).start()
    assert job.wait(SOON)
    assert not job.running
    assert [(end.value, end.stopped, end.error) for end in ends] == [("answer", False, None)]
    fractions = [one.fraction for one in shown if one.fraction is not None]
    assert fractions == sorted(fractions)
    counted = [one for one in shown if one.left is not None]
    assert counted[-1].left < counted[0].left
    assert all(one.value is not None and one.text == "working" for one in counted)


def test_a_picture_that_cannot_be_drawn_hides_no_end(monkeypatch):
    monkeypatch.setattr(background, "EVERY", 0.02)
    shown, ends, reported = list[float](), list[Outcome](), list[Any]()
    monkeypatch.setattr(threading, "excepthook", reported.append)

    def show(progress: Progress) -> None:
        shown.append(progress.seconds)
        raise ZeroDivisionError

    def work(job: Job) -> str:
        until(lambda: len(shown) > 1)  # the first failure is not the last look
        return "answer"

    job = Job(work, show=show, done=ends.append).start()
    assert job.wait(SOON)
    assert ends == [Outcome("answer")]
    until(lambda: not threads())
    assert [one.exc_type for one in reported] == [ZeroDivisionError]


def test_stop_ends_the_work_and_keeps_what_was_told():
    ends: list[Outcome] = []
    job = Job(endless, done=ends.append).start()
    until(lambda: job._told[2])
    job.stop()
    assert job.wait(SOON)
    assert ends[0].stopped
    assert ends[0].value > 0
    assert ends[0].error is None


def test_stop_is_answered_although_the_work_is_in_one_long_step():
    gate, ends = threading.Event(), list[Outcome]()

    def work(job: Job) -> str:
        job.tell(0.5, value="half")
        gate.wait(SOON)
        return "too late"

    job = Job(work, done=ends.append).start()
    until(lambda: job._told[2])
    job.stop()
    assert job.wait(SOON)  # the gate is still shut
    assert (ends[0].value, ends[0].stopped) == ("half", True)
    gate.set()
    until(lambda: not threads())
    assert len(ends) == 1


def test_an_error_is_one_message_and_what_was_told_is_kept():
    ends: list[Outcome] = []

    def work(job: Job) -> None:
        job.tell(0.1, value="so far")
        raise GameError("two hands of 5 need 10 cards, the deck has 9")

    assert Job(work, done=ends.append).start().wait(SOON)
    assert str(ends[0].error) == "two hands of 5 need 10 cards, the deck has 9"
    assert ends[0].value == "so far"
    assert "not enough memory" in background.message_of(MemoryError())


def test_a_closed_job_is_silent_and_leaves_no_thread():
    heard: list[Any] = []
    job = Job(endless, show=heard.append, done=heard.append).start()
    assert len(threads()) == 2
    job.close()
    before = len(heard)
    until(lambda: not threads())
    assert len(heard) == before
    assert not background._JOBS


def asked(function: Any, *arguments: Any) -> Outcome:
    ends: list[Outcome] = []
    job = Job(lambda job: apart(job, function, *arguments), done=ends.append)
    assert job.start().wait(SOON)
    return ends[0]


def test_answers_and_errors_come_back():
    assert asked(divmod, 17, 5).value == (3, 2)
    assert str(asked(wb.load_game, "khun").error).startswith("there is no game 'khun'")
    assert isinstance(asked(divmod, 1, 0).error, ZeroDivisionError)


def test_what_cannot_be_sent_is_done_here():
    here = threading.Lock()
    assert asked(lambda: here).value is here


def test_a_process_that_dies_is_one_clear_error():
    outcome = asked(os.abort)
    assert isinstance(outcome.error, GameError)
    assert "smaller game" in str(outcome.error)


def asleep(begun: str) -> None:
    open(begun, "w").close()
    time.sleep(10 * SOON)


def test_stop_ends_the_process(tmp_path):
    begun = tmp_path / "begun"
    job = Job(lambda job: apart(job, asleep, str(begun))).start()
    until(begun.exists)
    job.stop()
    assert job.wait(SOON)
    until(lambda: not threads())  # the thread has seen the process end
