"""A button that saves a report: of this notebook, or of a run that is asked for when it is clicked.

wb.widgets.report_button()                     the notebook it stands in, as last saved
wb.widgets.report_button(run)                  a run
wb.widgets.report_button(lambda: panel.run)    whatever the panel has by then
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from workbench.rules import GameError
from workbench.widgets.panel import Panel
from workbench.widgets.style import button, say

__all__ = ["ReportButton", "report_button"]


def report_button(
    source: Any = None, path: str | Path | None = None, *, label: str = "Save report"
) -> ReportButton:
    """A button for a run, the path of a notebook, or a function that gives one of them.

    >>> report_button("01.ipynb").button.description
    'Save report'
    """
    return ReportButton(source, path, label)


class ReportButton(Panel):
    """What `report_button` shows; `button` alone can be put into another panel."""

    def __init__(self, source: Any, path: str | Path | None, label: str) -> None:
        self.source, self.path = source, path
        self.button = button(label, "report", tip="one HTML file that needs no network")
        self.button.on_click(self.act(self.save))
        super().__init__("Report", [self.button], "report-panel")

    def save(self) -> None:
        """Write the report and say where it is."""
        from workbench.reports import write_report

        source = self.source() if callable(self.source) else self.source
        if source is None:
            source = _this_notebook()
        report = write_report(source, self.path)
        say(self.message, "\n".join([f"Saved {report}", *report.notes]), "note")


def _this_notebook() -> Path:
    """JupyterLab tells its kernels the name of their notebook."""
    name = os.environ.get("JPY_SESSION_NAME", "")
    if not name.endswith(".ipynb"):
        raise GameError("the name of this notebook is not known here; report_button('NAME.ipynb')")
    return Path(Path(name).name)
