"""Panels that are closed when a test ends, and leave no thread."""

from typing import Any

import pytest

from tests.lab.widgets.helpers import SOON, said, threads, until
from workbench.lab.widgets import pictures


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
