"""What commands print; and panels that are closed when a test ends, and leave no thread."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from tests.lab.widgets.helpers import SOON, said, threads, until
from workbench.lab.cli.main import main
from workbench.lab.widgets import pictures

Command = Callable[..., str]


@pytest.fixture
def output(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """`output("solve kuhn --seed 1")`: what a command that succeeds prints when this is typed;
    names with spaces in them follow the line, each by itself."""

    def run(line: str, *names: str, typed: str = "") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main([*line.split(), *names]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Command:
    """`refused("solve kunh")`: the one line that it says instead."""

    def run(line: str, *names: str) -> str:
        assert main([*line.split(), *names]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        return err

    return run


@pytest.fixture
def panels(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`panels(SolverPanel, "kuhn", iterations=20)`: makes panels and closes them.

    What they draw is coarse: here nobody looks at it, in tests/browser somebody does."""
    monkeypatch.setattr(pictures, "DPI", 24)
    made: list[Any] = []

    def make(kind: Any, *arguments: Any, **settings: Any) -> Any:
        made.append(kind(*arguments, **settings))
        return made[-1]

    yield make
    for panel in made:
        panel.close()
    until(lambda: not threads())


@pytest.fixture
def ready(panels: Any) -> Any:
    """The same, and waits until they have done what they do at first."""

    def make(kind: Any, *arguments: Any, **settings: Any) -> Any:
        panel = panels(kind, *arguments, **settings)
        assert panel.wait(SOON), said(panel)
        return panel

    return make
