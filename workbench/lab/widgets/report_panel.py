"""A button that saves a report: of this notebook, or of a run that is asked for when it is clicked.

    wb.widgets.report_button()                         the notebook it stands in, as last saved
    wb.widgets.report_button(run)                      a run
    wb.widgets.report_button(lambda: panel.runs[0])    whatever the panel has by then

The panels that solve have such a button of their own, for the run that is chosen in them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError


class ReportButton(Panel):
    """A button for a run, the path of a notebook, or a function that gives one of them."""

    def __init__(
        self, source: Any = None, path: str | Path | None = None, *, label: str = "Save report"
    ) -> None:
        super().__init__("Report", "report-panel")
        self.source, self.path = source, path
        tip = "one HTML file that needs no network"
        (self.button,) = self.make_buttons((label, "report", self.save, tip, ""))
        self.lay_out(self.button)

    def save(self) -> None:
        """Write the report and say where it is."""
        source = self.source() if callable(self.source) else self.source
        if source is None:  # JupyterLab tells its kernels the name of their notebook
            name = os.environ.get("JPY_SESSION_NAME", "")
            if not name.endswith(".ipynb"):
                raise GameError(
                    "the name of this notebook is not known here; report_button('NAME.ipynb')"
                )
            source = Path(Path(name).name)
        self.save_report(source, self.path)


report_button = ReportButton
