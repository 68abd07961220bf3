"""Panels: one message for an error, and nothing is left when a cell is run again."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from ipywidgets.widgets import widget

from tests.lab.widgets.helpers import SOON, endless, said, threads, until
from workbench.lab.widgets import controls, pictures
from workbench.lab.widgets import panel as cells
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Drawing, figure
from workbench.rules import GameError

VIEW = "application/vnd.jupyter.widget-view+json"


def make() -> Panel:
    panel = Panel("Test", "test-panel")
    panel.lay_out(controls.place("start"))
    return panel


class Shell:
    """An IPython that runs the cells we say."""

    def __init__(self) -> None:
        self.events = SimpleNamespace(register=lambda name, f: self.hooks.append(f))
        self.hooks: list[Any] = []
        self.parent: dict[str, Any] = {}

    def get_parent(self) -> dict[str, Any]:
        return self.parent

    def run(self, cell: str | None, code: str, deleted: tuple[str, ...] = ()) -> Panel:
        self.parent = {
            "metadata": {"cellId": cell, "deletedCells": list(deleted)},
            "content": {"code": code},
        }
        for hook in self.hooks:
            hook(SimpleNamespace(cell_id=cell, raw_cell=code))
        panel = make()
        panel.run(endless)
        return panel


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Any:
    shell = Shell()
    monkeypatch.setattr(cells, "get_ipython", lambda: shell)
    monkeypatch.setattr(cells, "_WATCHED", set())
    yield shell
    for panel in list(cells._OPEN):
        panel.close()
    until(lambda: not threads())


@pytest.mark.parametrize("cell", ["id-1", None])
def test_a_cell_that_runs_again_closes_its_old_panels(shell, cell):
    first = shell.run(cell, "panel()")
    other = shell.run("id-2", "another()")
    second = shell.run(cell, "panel()")
    assert first.closed
    assert not other.closed
    assert not second.closed
    assert set(cells._OPEN) == {other, second}
    until(lambda: len(threads()) == 4)


def test_two_panels_live_together_until_their_cell_is_deleted(shell):
    first = shell.run("id-1", "panel()")
    second = make()
    assert list(cells._OPEN) == [first, second]
    second.close()
    assert list(cells._OPEN) == [first]
    shell.run("id-2", "another()", deleted=("id-1",))
    assert first.closed


def test_outside_a_notebook_nothing_is_noted(panels):
    panels(make)
    assert not cells._OPEN


def test_closing_ends_the_work_and_every_widget():
    before = set(widget._instances)
    panel = make()
    bundle = panel._repr_mimebundle_()
    assert set(bundle) == {VIEW, "text/html", "text/plain"}
    assert bundle["text/plain"] == "<Panel>"
    panel.run(endless)
    panel.close()
    panel.close()
    until(lambda: not threads())
    assert set(widget._instances) == before
    assert repr(panel) == "<Panel (closed)>"
    assert VIEW not in panel._repr_mimebundle_()


def test_a_second_job_replaces_the_first(panels):
    panel = panels(make)
    first = panel.run(endless)
    second = panel.run(endless)
    until(lambda: not first.running)
    assert panel.running
    assert second is panel.job


def drawing(panel: Panel) -> threading.Event:
    """A panel that draws until the event is set."""
    begun, go = threading.Event(), threading.Event()
    panel.later(lambda: (begun.set(), go.wait(SOON)))
    assert begun.wait(SOON)
    return go


def test_of_wishes_made_meanwhile_the_latest_is_drawn(panels):
    panel, done = panels(make), list[int]()
    go = drawing(panel)
    for k in range(5):
        panel.later(lambda k=k: done.append(k))  # type: ignore[misc]
    assert not panel.wait(0.01)
    go.set()
    assert panel.wait(SOON)
    assert done == [4]
    panel.later(lambda: 1 / 0)
    assert panel.wait(SOON)
    assert "ZeroDivisionError" in said(panel)
    panel.later(lambda: done.append(5))
    assert panel.wait(SOON)
    assert done == [4, 5]


def test_a_closed_panel_forgets_what_was_to_be_drawn(panels):
    panel, done = panels(make), list[str]()
    go = drawing(panel)
    panel.later(lambda: done.append("drawn"))
    panel.close()
    panel.later(lambda: done.append("asked too late"))
    go.set()
    until(lambda: not threads())
    assert done == []


def test_errors_become_one_message(panels):
    panel = panels(make)

    def wrong(*job: Any) -> None:
        raise GameError("iterations must be at least 1, not <-3>")

    panel.act(wrong)("a click")
    assert "at least 1, not &lt;-3&gt;" in said(panel)
    panel.act(lambda: None)()
    assert said(panel) == ""
    assert panel.run(wrong).wait(SOON)
    assert 'role="alert"' in said(panel)


def test_a_notebook_that_a_script_runs_shows_how_the_panel_stands(shell):
    """No widget, which nobody could use, and no thread: what is under way is awaited."""
    ended: list[Any] = []
    panel = shell.run("id-1", "panel()")
    assert VIEW in panel._repr_mimebundle_()
    panel.run(lambda job: 5, done=lambda outcome: ended.append(outcome.value))
    shell.parent["content"]["allow_stdin"] = False
    shown = panel._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "run this cell in JupyterLab" in shown["text/html"]
    assert ended == [5]


def test_pictures_have_a_size_and_words():
    place = Drawing("curve", (2, 1), "soon")
    assert "soon" in place.view.value
    assert "<img" not in place.view.value  # a place that is empty takes no room
    place.paint(figure(2, 1), 'a "full" place')
    assert 'alt="a &quot;full&quot; place"' in place.view.value
    assert 'width="192" height="96"' in place.view.value


@pytest.mark.parametrize(("computed", "gap"), [(0.0, 0.0), (0.5, 2.0)])
def test_the_next_picture_waits_for_what_the_last_one_cost(monkeypatch, computed, gap):
    """Ten seconds in which other programs compute are no cost: the curve goes on."""
    clock = SimpleNamespace(now=0.0, spent=0.0)

    def slowly(drawn: Any, words: str) -> str:
        clock.now += 10.0
        clock.spent += computed
        return ""

    times = SimpleNamespace(monotonic=lambda: clock.now, thread_time=lambda: clock.spent)
    place = Drawing("curve", (2, 1), "soon")
    monkeypatch.setattr(pictures, "time", times)
    monkeypatch.setattr(pictures, "painted", slowly)
    place.paint(pictures.figure(2, 1), "a picture")
    assert place.begin(live=True) == (gap == 0.0)
    clock.now += gap
    assert place.begin(live=True)
