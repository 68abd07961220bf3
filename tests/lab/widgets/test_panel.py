"""Panels: one message for an error, and nothing is left when a cell is run again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from ipywidgets.widgets import widget

from tests.lab.widgets.test_jobs import SOON, endless, threads, until
from workbench.lab.widgets import panel_lifetime as cells
from workbench.lab.widgets import style
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError


def make() -> Panel:
    return Panel("Test", [style.button("Start", "start")], "test-panel")


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
    monkeypatch.setattr(cells, "_shell", lambda: shell)
    monkeypatch.setattr(cells, "_WATCHED", set())
    yield shell
    for panel in cells.open_panels():
        panel.close()
    until(lambda: not threads())


@pytest.mark.parametrize("cell", ["id-1", None])
def test_a_cell_that_runs_again_closes_its_old_panels(shell: Shell, cell: str | None) -> None:
    first = shell.run(cell, "panel()")
    other = shell.run("id-2", "another()")
    second = shell.run(cell, "panel()")
    assert first.closed
    assert not other.closed
    assert not second.closed
    assert set(cells.open_panels()) == {other, second}
    until(lambda: len(threads()) == 4)


def test_a_deleted_cell_closes_its_panels(shell: Shell) -> None:
    first = shell.run("id-1", "panel()")
    shell.run("id-2", "another()", deleted=("id-1",))
    assert first.closed


def test_two_panels_of_one_cell_live_together(shell: Shell) -> None:
    first = shell.run("id-1", "panel()")
    second = make()
    assert not first.closed
    assert cells.open_panels() == [first, second]
    second.close()
    assert cells.open_panels() == [first]


def test_outside_a_notebook_nothing_is_noted() -> None:
    panel = make()
    assert cells.open_panels() == []
    panel.close()


def test_closing_ends_the_work_and_every_widget() -> None:
    before = set(widget._instances)
    panel = make()
    panel.run(endless)
    panel.close()
    panel.close()
    until(lambda: not threads())
    assert set(widget._instances) == before
    assert repr(panel) == "<Panel (closed)>"


def test_a_second_job_replaces_the_first() -> None:
    panel = make()
    first = panel.run(endless)
    second = panel.run(endless)
    until(lambda: not first.running)
    assert panel.running
    assert second is panel.job
    panel.close()
    until(lambda: not threads())


def test_errors_become_one_message() -> None:
    panel = make()

    def wrong(*job: Any) -> None:
        raise GameError("iterations must be at least 1, not <-3>")

    panel.act(wrong)("a click")
    assert "at least 1, not &lt;-3&gt;" in panel.message.value
    assert panel.message.layout.display == ""
    panel.act(lambda: None)()
    assert panel.message.layout.display == "none"
    job = panel.run(wrong)
    assert job.wait(SOON)
    assert 'role="alert"' in panel.message.value
    assert panel.message.layout.display == ""
    panel.close()


def test_what_a_notebook_keeps() -> None:
    panel = make()
    bundle = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "run this cell in JupyterLab" in bundle["text/html"]
    assert bundle["text/plain"] == "<Panel>"
    panel.close()
    assert "application/vnd.jupyter.widget-view+json" not in panel._repr_mimebundle_()


def test_a_script_keeps_the_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """nbconvert asks that nobody be asked: a view without its kernel would be an error box."""
    panel = make()
    monkeypatch.setattr("workbench.lab.widgets.panel.watched", lambda: False)
    assert set(panel._repr_mimebundle_()) == {"text/plain", "text/html"}
    panel.close()


def test_the_look() -> None:
    shown = style.table(pd.DataFrame({"game": ["a<b"], "sets": [1234567], "gain": [0.001234]}))
    assert '<td class="left">a&lt;b</td><td>1,234,567</td><td>0.00123</td>' in shown
    assert isinstance(style.number("n", 3, "n").value, int)
    assert style.switch("s", True, "s").value is True
    assert style.text("t", "x", "t").style.description_width == style.LABEL
    place = style.picture("curve", width=2, height=1, alt='an "empty" place')
    assert 'alt="an &quot;empty&quot; place"' in place.value
    assert 'width="192" height="96"' in place.value
    empty = place.value
    drawn = style.figure(2, 1)
    drawn.add_subplot()
    style.paint(place, drawn, "axes")
    assert place.value != empty


def test_a_notebook_that_a_script_runs_shows_how_the_panel_stands(shell: Shell) -> None:
    """No widget, which nobody could use, and no thread: what is under way is awaited."""
    ended: list[Any] = []
    panel = shell.run("id-1", "panel()")
    shown = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in shown
    panel.run(lambda job: 5, done=lambda outcome: ended.append(outcome.value))
    shell.parent["content"]["allow_stdin"] = False
    shown = panel._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert "run this cell in JupyterLab" in shown["text/html"]
    assert ended == [5]
