"""Names to tick: a row of boxes whose number changes.

Boxes are made once and used again, because a browser keeps every widget it has seen.

>>> heard = []
>>> ticks = Ticks("expert", lambda: heard.append(ticks.value))
>>> ticks.show(["r", "cr", "ccr"], ticked=["r", "cr"])
>>> ticks.value
('r', 'cr')
>>> ticks.view.children[2].value = True
>>> heard
[('r', 'cr', 'ccr')]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import ipywidgets as widgets

from workbench.lab.widgets.style import row, tag


class Ticks:
    """`changed()` is called when somebody ticks; each box has the class wb-name."""

    def __init__(self, name: str, changed: Callable[[], Any]) -> None:
        self.name, self._changed, self._showing = name, changed, False
        self._made: list[Any] = []
        self.view = tag(row(gap="2px 14px"), f"{name}s")

    @property
    def value(self) -> tuple[str, ...]:
        """The names that are ticked."""
        return tuple(box.description for box in self.view.children if box.value)

    @property
    def names(self) -> tuple[str, ...]:
        """All names there are."""
        return tuple(box.description for box in self.view.children)

    def show(self, names: Sequence[str], ticked: Collection[str] | None = None) -> None:
        """These names and no others, all ticked or only some."""
        self._showing = True
        while len(self._made) < len(names):
            box = tag(widgets.Checkbox(indent=False), self.name)
            box.layout.width = "auto"
            box.observe(self._heard, "value")
            self._made.append(box)
        shown = self._made[: len(names)]
        for box, name in zip(shown, names, strict=True):
            box.description, box.value = name, ticked is None or name in ticked
        self.view.children = tuple(shown)
        self._showing = False

    def _heard(self, change: Any) -> None:
        if not self._showing:
            self._changed()

    def show_all(self) -> None:
        """Also those not used at the moment, so that whoever closes the row closes all of them."""
        self.view.children = tuple(self._made)
