"""A panel: something to look at, work in the background, and a way to close both.

    class Counter(Panel):
        def __init__(self):
            self.go = button("Start", "start")
            self.go.on_click(self.act(lambda: self.run(self.count, done=self.counted)))
            super().__init__("Counter", [self.go], "counter")

`act` turns an error into one message in the panel, `run` starts a job (and stops the one before),
`later` draws what nobody shall wait for, `close` ends everything. A notebook shows the widget; a
page without a kernel, and a notebook that a script runs from top to bottom, shows `static()`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from workbench.lab.widgets.jobs import Job, Latest, Outcome, Progress, message_of
from workbench.lab.widgets.panel_lifetime import forget_panel, note_panel, watched
from workbench.lab.widgets.style import framed, message, say, sheet
from workbench.rules import GameError

PATIENCE = 60.0  # seconds that a notebook run by a script waits for a panel
UNSEEN = 2.0  # seconds without a view, as after its cell was deleted, until long work is stopped


class Panel:
    """What all panels can do."""

    stops_unseen = False  # its work is long: stop it when nobody sees the panel any more

    def __init__(self, title: str, parts: Iterable[Any], name: str) -> None:
        self.title = title
        self.jobs: dict[str, Job] = {}
        self._later = Latest(title)
        self.closed = False
        if not hasattr(self, "message"):  # else it has its place among the parts
            self.message = message()
            parts = [self.message, *parts]
        self.view = sheet(title, parts, name)
        self._leaving: threading.Timer | None = None
        if self.stops_unseen:
            self.view._view_count = 0  # not None: the browser counts
            self.view.observe(self._viewed, "_view_count")
        note_panel(self)

    def run(
        self,
        work: Callable[[Job], Any],
        *,
        show: Callable[[Progress], None] = lambda progress: None,
        done: Callable[[Outcome], None] = lambda outcome: None,
        lane: str = "",
    ) -> Job:
        """Do this work in the background; what ran before is stopped and forgotten.

        An error is shown as one message, then `done` hears of it as of any other end. Works in
        different lanes leave each other alone.
        """

        if self.closed:
            raise GameError("this panel is closed; run its cell again")

        def ended(outcome: Outcome) -> None:
            if outcome.error:
                say(self.message, outcome.message)
            done(outcome)

        if lane in self.jobs:
            self.jobs[lane].close()
        self.jobs[lane] = Job(work, show=show, done=ended, name=self.title)
        return self.jobs[lane].start()

    @property
    def job(self) -> Job | None:
        """The job of the first lane."""
        return self.jobs.get("")

    @property
    def running(self) -> bool:
        """True while it runs."""
        return self.job is not None and self.job.running

    def wait(self, seconds: float | None = None) -> bool:
        """For scripts: wait for the end of all work; False if it takes longer."""
        ended = all(job.wait(seconds) for job in list(self.jobs.values()))
        return self._later.wait(seconds) and ended

    def later(self, action: Callable[[], Any]) -> None:
        """Draw this soon, beside all other work; only the latest wish counts."""

        def wish() -> None:
            try:
                action()
            except Exception as error:
                if not self.closed:
                    say(self.message, message_of(error))

        self._later.ask(wish)

    def act(self, action: Callable[[], Any]) -> Callable[..., None]:
        """For buttons and choices: do it, and show an error as one message; nothing is lost.

        A button that is disabled by now was clicked twice before the browser heard of it.
        """

        def acted(*event: Any) -> None:
            if event and getattr(event[0], "disabled", False):
                return
            say(self.message, "")
            try:
                action()
            except Exception as error:
                say(self.message, message_of(error))

        return acted

    def close(self) -> None:
        """Stop the work and take the panel off the page."""
        if not self.closed:
            self.closed = True
            forget_panel(self)
            self._later.close()
            if self._leaving is not None:
                self._leaving.cancel()
            for job in self.jobs.values():
                job.close()
            _close(self.view)

    def _viewed(self, change: Any) -> None:
        """The cell was deleted, or its notebook closed; or only moved, then a view comes back."""
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        if change["new"] == 0 and self.running and not self.closed:
            self._leaving = threading.Timer(UNSEEN, self._stop_unseen)
            self._leaving.daemon = True
            self._leaving.start()

    def _stop_unseen(self) -> None:
        for job in list(self.jobs.values()):
            job.stop()

    def static(self) -> str:
        """HTML for a page without a kernel: what this is, and how it stood."""
        said = f"<p><b>{escape(self.title)}</b>. To use it, run this cell in JupyterLab.</p>"
        return framed(said + self.still())

    def still(self) -> str:
        """How the panel stands, without its controls."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' (closed)' if self.closed else ''}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        there = watched()
        if not there:
            self.wait(PATIENCE)  # nobody presses anything: show how it stands when it is done
        shown = self.view._repr_mimebundle_() if there and not self.closed else {}
        return {**shown, "text/plain": repr(self), "text/html": self.static()}


def _close(widget: Any) -> None:
    """A widget and all it is made of."""
    for child in getattr(widget, "children", ()):
        _close(child)
    for part in (widget.layout, getattr(widget, "style", None), widget):
        if part is not None:
            part.close()
