"""As code: the cell that does again what was done by hand, to be copied into the notebook."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from workbench.lab.widgets.style import caption, row, tag

COPY = (
    '<button class="jupyter-button widget-button wb-copy" style="width: 6em" '
    'title="Copy this code" data-code="{}" '
    "onclick=\"navigator.clipboard.writeText(this.dataset.code); this.textContent = 'Copied'\">"
    "Copy</button>"
)


class CodeBox:
    """Python in a box, and a button that copies it."""

    def __init__(self, name: str = "code") -> None:
        self.text = tag(widgets.Textarea(layout=widgets.Layout(width="auto")), name)
        self.text.tooltip = "Python that repeats this"
        self.copy = widgets.HTML()
        self.view = widgets.VBox([row(caption("As code"), self.copy), self.text])

    @property
    def value(self) -> str:
        return str(self.text.value)

    @value.setter
    def value(self, code: str) -> None:
        if code != self.text.value:
            self.text.rows = sum(1 + len(line) // 90 for line in code.split("\n")) + 1
            self.text.value = code
            self.copy.value = COPY.format(escape(code, quote=True))
