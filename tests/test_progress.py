"""How far we are, told to a terminal, a log, a panel and nobody."""

import io
from types import SimpleNamespace

import pytest

from workbench import progress
from workbench.progress import ProgressBar, StatusLine, told_to


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def told(line, clock, seconds):
    for _ in range(seconds * 10):
        clock.now += 0.1
        line.show(f"{clock.now - 100:.0f} s")
    line.clear()


def test_a_terminal_has_one_line(clock, monkeypatch):
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


def test_a_log_has_a_line_a_minute(clock, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    told(StatusLine(), clock, 59)
    assert log.getvalue() == ""  # short work leaves pipes alone
    clock.now = 100.0
    told(StatusLine(), clock, 190)
    assert log.getvalue() == "60 s\n120 s\n180 s\n"


def test_nobody_watches(clock, monkeypatch):
    monkeypatch.setattr("sys.stderr", None)  # a program without a console
    told(StatusLine(), clock, 190)


def test_a_listener_hears_all_and_may_stop(clock):
    heard = []
    with told_to(heard.append):
        told(StatusLine(), clock, 1)
    assert len(heard) == 10

    def stop(text):
        raise KeyboardInterrupt

    with told_to(stop), pytest.raises(KeyboardInterrupt):
        StatusLine().show("at once")


def test_the_clock_of_a_bar_starts_with_the_work(clock):
    """A step takes a second; a hundred seconds of compiling pass before the first."""
    heard = []
    with told_to(heard.append), ProgressBar("game", 20, note="gap {:.1f}".format) as bar:
        bar.show(4)  # from an earlier session
        clock.now += 100
        for done in range(5, 21):
            clock.now += 1
            bar.show(done, 1 / done)
        bar.say("waiting")
    assert heard[:2] == [
        "game |████                | 4 of 20, starting",
        "game |█████               | 5 of 20, starting, gap 0.2",
    ]
    assert [text.split("about ")[1].split(",")[0] for text in heard[2:-1]] == [
        f"{left} s left" for left in range(14, -1, -1)
    ]
    assert heard[-1] == "waiting"


def test_a_bar_that_is_not_shown_tells_whom_it_is_given(clock):
    heard = []
    called = []
    with told_to(heard.append):
        for shown in (False, lambda *progress: called.append(progress)):
            bar = ProgressBar("game", 20, shown)
            bar.show(3, 0.5)
            bar.say("waiting")
    assert (heard, called) == ([], [(3, 20, 0.5)])


def test_text_is_no_markup_in_a_notebook(monkeypatch):
    """A game may be called anything; its name stands in the bar while it is compiled."""
    shown = []
    monkeypatch.setattr(progress, "_in_notebook", lambda: True)
    told = "IPython.display.display"
    monkeypatch.setattr(told, lambda page, **more: shown.append(page["text/html"]))
    StatusLine(after=0.0).show("compiling <img src=x onerror=alert(1)>")
    assert shown == ["<small>compiling &lt;img src=x onerror=alert(1)&gt;</small>"]
