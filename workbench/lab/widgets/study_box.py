"""A fold below the card table and the game browser: save the spot as a study, or open one."""

import os
from collections.abc import Callable

from ipywidgets import Layout, Textarea

from workbench.lab.html import framed
from workbench.lab.play.studies import Study
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError, Rules

HINT = "What is to be said here. A line that begins with -> is an arrow: -> bet -> call: why"


class StudyBox:
    """`make(text, title)` is the study of where a panel stands; `go(study)` takes it there, and
    `rules()` are those of the panel, for studies of a game of one's own."""

    def __init__(
        self, panel: Panel, make: Callable[[str, str], Study], go: Callable[[Study], None],
        rules: Callable[[], Rules | None],
    ) -> None:  # fmt: skip
        self._panel, self._make, self._go, self._rules = panel, make, go, rules
        self._known = set[str]()  # files that were saved or opened here
        look = {"width": "26em", "label_width": "3em"}
        self.title = ui.text("Title", "", "study-title", tooltip="Of the study", **look)
        self.file = ui.text("File", "spot.toml", "study-file", tooltip="Of the study", **look)
        self.text = ui.tag(Textarea(rows=3, layout=Layout(width="auto")), "study-text")
        self.text.placeholder = self.text.tooltip = HINT
        buttons = panel.make_buttons(
            ("Save study", "save_study", self.save, "Write this spot and what is said", ""),
            ("Open study", "open_study", self.open, "Go to the spot of this file", ""),
        )
        self.shown = ui.place("study")
        named = ui.row(self.file, *buttons)
        self.view = ui.Fold("Study", "study", self.title, self.text, named).view

    def save(self) -> None:
        """Write the spot with what is said about it."""
        name = self._path()
        if os.path.exists(name) and name not in self._known:
            raise GameError(f"there is a file {name} already; name another one, or open it first")
        path = self._make(self.text.value, self.title.value.strip()).save(name)
        self._known.add(name)
        self._panel.say(f"This spot is written to {path}", "note")

    def open(self) -> None:
        """Go to the spot of the file."""
        self._go(Study.load(name := self._path(), self._rules()))
        self._known.add(name)

    def show(self, study: Study) -> None:
        """What a study says, beside the panel that stands in its spot."""
        self.shown.value = framed(study.said())

    def _path(self) -> str:
        return os.path.expanduser(str(self.file.value).strip())
