"""How far we are, told to a terminal, a log, a panel and nobody."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from workbench import progress
from workbench.progress import StatusLine, told_to


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def told(line: StatusLine, clock: SimpleNamespace, seconds: int) -> None:
    for _ in range(seconds * 10):
        clock.now += 0.1
        line.show(f"{clock.now - 100:.0f} s")
    line.clear()


def test_a_terminal_has_one_line(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    told(StatusLine(), clock, 3)
    written = terminal.getvalue()
    assert "\n" not in written
    shown = [text for text in written.split("\r") if text.strip()]
    assert shown[0] == "1 s"
    assert shown[-1] == "3 s"
    assert len(shown) <= 11  # five a second
    assert written.endswith("\r" + " " * 3 + "\r")  # and is empty at the end


def test_a_log_has_a_line_a_minute(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    told(StatusLine(), clock, 59)
    assert log.getvalue() == ""  # short work leaves pipes alone
    clock.now = 100.0
    told(StatusLine(), clock, 190)
    assert log.getvalue() == "60 s\n120 s\n180 s\n"


def test_nobody_watches(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)  # a program without a console
    told(StatusLine(), clock, 190)


def test_a_listener_hears_all_and_may_stop(clock: SimpleNamespace) -> None:
    heard: list[str] = []
    with told_to(heard.append):
        told(StatusLine(), clock, 1)
    assert len(heard) == 10

    def stop(text: str) -> None:
        raise KeyboardInterrupt

    with told_to(stop), pytest.raises(KeyboardInterrupt):
        StatusLine().show("at once")
