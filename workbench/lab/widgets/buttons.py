"""A row of buttons whose number changes: moves to choose from, the way back.

Buttons are made once and used again, because a browser keeps every widget it has seen.

>>> pressed = []
>>> moves = Buttons("move", pressed.append)
>>> moves.show(["pass", "bet"])
>>> moves.view.children[1].click()
>>> pressed, [one.description for one in moves.view.children]
([1], ['pass', 'bet'])
>>> moves.show(["fold"])
>>> [one.description for one in moves.view.children]
['fold']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from workbench.lab.widgets.style import button, row, tag


class Buttons:
    """`pressed(k)` is called when the k-th of the buttons shown is pressed; each has wb-name."""

    def __init__(self, name: str, pressed: Callable[[int], Any], *, style: str = "") -> None:
        self.name, self.style, self._pressed = name, style, pressed
        self._made: list[Any] = []
        self.view = tag(row(gap="4px 6px"), f"{name}s")

    def show(self, labels: Sequence[str], tips: Sequence[str] = (), *, last: bool = False) -> None:
        """These buttons and no others; `last`: the last one cannot be pressed."""
        while len(self._made) < len(labels):
            self._make(len(self._made))
        shown = self._made[: len(labels)]
        for k, (one, label) in enumerate(zip(shown, labels, strict=True)):
            one.description = label
            one.tooltip = tips[k] if tips else label
            one.disabled = last and k == len(labels) - 1
        self.view.children = tuple(shown)

    def _make(self, k: int) -> None:
        made = button("", self.name, style=self.style, width="auto")
        made.layout.min_width = "2.6em"
        made.on_click(lambda event: self._pressed(k))
        self._made.append(made)

    def show_all(self) -> None:
        """Also those not used at the moment, so that whoever closes the row closes all of them."""
        self.view.children = tuple(self._made)
