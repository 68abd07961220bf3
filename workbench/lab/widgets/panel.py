"""A panel: something to look at, work in the background, and a way to close both.

    class Counter(Panel):
        def __init__(self):
            super().__init__("Counter", "counter")
            self.lay_out(*self.make_buttons(("Start", "start", self.start, "Begin", "primary")))

        def start(self):
            self.run(self.count, done=self.counted)

A notebook shows the widget; a page without a kernel, and a notebook that a script runs from top to
bottom, shows `static()`. There nobody presses anything, so the panel first does by itself what its
main button does (`show_off`), once and for some seconds at most; in a live notebook nothing starts
by itself. Since a notebook keeps every widget it has ever shown, each panel is noted
under its cell, and closed just before that cell runs again, and when it has been deleted.
(JupyterLab tells of a deleted cell with the next one that runs; long work stops at once:
`Panel.stops_unseen`.)
"""

import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from IPython.core.getipython import get_ipython
from ipywidgets import Widget

from workbench.lab.html import NOTHING, Html, bold, framed
from workbench.lab.widgets.controls import Many, button, close, place, sheet
from workbench.lab.widgets.jobs import Job, Outcome, Progress, message_of
from workbench.rules import GameError

PATIENCE = 60.0  # seconds that a notebook run by a script waits for a panel
WORK = 20.0  # seconds that it lets the panel work; what there is by then is shown
UNSEEN = 2.0  # seconds without a view, as after its cell was deleted, until long work is stopped

_OPEN: "dict[Panel, str]" = {}  # its cell: the id, or the text where cells have no id
_WATCHED: set[int] = set()  # the shells that tell us before they run a cell


class Panel:
    """What all panels can do."""

    stops_unseen = False  # its work is long: stop it when nobody sees the panel any more
    kept: tuple[str, ...] = ()  # the places that a page without a kernel shows

    def __init_subclass__(cls) -> None:
        """Shift+Tab says how: a panel is described by the first lines of its file."""
        if cls.__module__.startswith("workbench."):
            cls.__doc__ = (sys.modules[cls.__module__].__doc__ or "").partition("\n>>>")[0]

    def __init__(self, title: str, name: str) -> None:
        self.title, self.closed = title, False
        self.named: dict[str, Any] = {}  # buttons and fields
        self.when: dict[Any, Callable[[], Any]] = {}  # what can be used only then
        self._able = threading.RLock()
        self.view = sheet(title, name)
        self.message = place("message", display="none")  # empty it takes no room
        self.jobs: dict[str, Job] = {}
        self._busy_lanes = set[str]()
        self._wish: Callable[[], Any] | None = None  # to be drawn
        self._drawing, self._wishing = False, threading.Lock()
        self._leaving: threading.Timer | None = None

    def lay_out(self, *parts: Any, message: bool = True) -> None:
        """Show these parts, below the `message` unless that is inside one of them."""
        self.view.children += (self.message, *parts) if message else parts
        if self.stops_unseen:
            self.view._view_count = 0  # not None: the browser counts
            self.view.observe(self._viewed, "_view_count")
        _note(self)

    # ---- one message -----------------------------------------------------------------

    def say(self, words: str, kind: str = "error") -> None:
        """Show one message, kind "error" or "note"; no words take it away."""
        role = "alert" if kind == "error" else "status"
        line = Html('<div class="wb-said {}" role="{}">{}</div>')
        self.message.value = line.format(kind, role, words)
        self.message.layout.display = "" if words else "none"

    def act(self, action: Callable[[], Any]) -> Callable[..., None]:
        """For buttons and choices: do it, and show an error as one message; nothing is lost."""

        def acted(*event: Any) -> None:
            if event and getattr(event[0], "disabled", False):
                return  # clicked twice before the browser heard of it
            self.say("")
            try:
                action()
            except Exception as error:
                self.say(message_of(error))
            self.set_buttons()

        return acted

    def make_buttons(self, *wanted: tuple[str, str, Callable[[], Any], str, str]) -> list[Any]:
        """Buttons: label, class, what it does, tip, style ("" or "primary", "danger"). The one of
        the class "stop" is `self.stop_button` from then on."""
        made = {
            f"{name}_button": button(label, name, self.act(action), tip=tip, style=style)
            for label, name, action, tip, style in wanted
        }
        self.named |= made
        return list(made.values())

    def set_buttons(self) -> None:
        """Only what can be used now can be pressed: after every action, and with all work."""
        with self._able:  # of several threads the last one to ask is right
            for control, can in self.when.items():
                control.disabled = not can()

    def button_row(
        self, name: str, pressed: Callable[[int], Any], *, style: str = "", least: str = "2.6em"
    ) -> Many:
        """Buttons whose number changes; `pressed(k)` is called when the k-th of them is pressed."""

        def make(k: int) -> Any:
            made = button("", name, self.act(partial(pressed, k)), style=style)
            made.layout.width, made.layout.min_width = "auto", least
            return made

        return Many(name, make)

    def __getattr__(self, name: str) -> Any:
        """Buttons, and fields of a form, by their names."""
        try:
            return vars(self)["named"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name!r}") from None

    # ---- work ------------------------------------------------------------------------

    def run(
        self,
        work: Callable[[Job], Any],
        *,
        show: Callable[[Progress], None] = lambda progress: None,
        done: Callable[[Outcome], None] = lambda outcome: None,
        lane: str = "",
    ) -> Job:
        """Do this work in the background; what ran in this lane before is stopped and forgotten.

        An error is shown as one message, then `done` hears of it as of any other end; so is an
        error of `done` itself.
        """
        if self.closed:
            raise GameError("this panel is closed; run its cell again")

        def ended(outcome: Outcome) -> None:
            self._busy_lanes.discard(lane)
            if outcome.error:
                self.say(message_of(outcome.error))
            try:
                done(outcome)
            except Exception as error:
                self.say(message_of(error))
            self.set_buttons()

        if lane in self.jobs:
            self.jobs[lane].close()
        self.jobs[lane] = Job(work, show=show, done=ended, name=self.title)
        self._busy_lanes.add(lane)
        self.set_buttons()
        return self.jobs[lane].start()

    def later(self, action: Callable[[], Any]) -> None:
        """Draw this soon, beside all other work; of wishes made meanwhile the latest counts."""
        with self._wishing:
            self._wish = action
            if not (self._drawing or self.closed):
                self._drawing = True
                self.run(self._draw_wishes, lane="later")

    def _draw_wishes(self, job: Job) -> None:
        while True:
            with self._wishing:
                wish, self._wish = self._wish, None
                if wish is None or self.closed:
                    self._drawing = False
                    return
            try:
                wish()
            except Exception as error:
                if not self.closed:
                    self.say(message_of(error))

    def save_report(self, source: Any, path: Any = None) -> None:
        """Write the report of a run or a notebook in the background, and say where it is."""
        from workbench.lab.reports.writing import write_report

        def ended(outcome: Outcome) -> None:
            if outcome.value is not None:
                self.say("\n".join([f"Saved {outcome.value}", *outcome.value.notes]), "note")

        self.say("Writing the report …", "note")
        self.run(lambda job: write_report(source, path), done=ended, lane="report")

    def busy(self, lane: str = "") -> bool:
        """Whether work is under way there; not any more when `done` hears of its end."""
        return lane in self._busy_lanes

    @property
    def job(self) -> Job | None:
        """The job of the first lane."""
        return self.jobs.get("")

    @property
    def running(self) -> bool:
        return self.job is not None and self.job.running

    def wait(self, seconds: float | None = None) -> bool:
        """For scripts: wait for the end of all work; False if it takes longer."""
        while busy := [job for job in list(self.jobs.values()) if job.running]:
            if not busy[0].wait(seconds):
                return False
        return True

    # ---- coming and going ------------------------------------------------------------

    def close(self) -> None:
        """Stop the work and take the panel off the page."""
        if not self.closed:
            self.closed = True
            _OPEN.pop(self, None)
            if self._leaving is not None:
                self._leaving.cancel()
            for job in list(self.jobs.values()):
                job.close()
            made = (self.view, *self.named.values(), *vars(self).values())
            for part in made:  # some are not placed in every panel
                if isinstance(getattr(part, "view", part), Widget):
                    close(getattr(part, "view", part))

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
        for lane, job in list(self.jobs.items()):
            if lane != "later":
                job.stop()

    def show_off(self) -> None:
        """What the main button does, if nobody has pressed it yet: for a page without a kernel."""

    def static(self) -> Html:
        """HTML for a page without a kernel: what this is, and how it stood."""
        said = Html("<p>{}. To use it, run this cell in JupyterLab.</p>").format(bold(self.title))
        return framed(said + self.still())

    def still(self) -> Html:
        """How the panel stands, without its controls."""
        return NOTHING.join(Html("<div>{}</div>").format(getattr(self, n).value) for n in self.kept)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' (closed)' if self.closed else ''}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        there = watched()
        if not there and not self.closed:
            self.wait(PATIENCE)  # nobody presses anything: show how it stands when it is done
            self.act(self.show_off)()
            if not self.wait(WORK):
                self._stop_unseen()
                self.wait(PATIENCE)
        shown = self.view._repr_mimebundle_() if there and not self.closed else {}
        return {**shown, "text/plain": repr(self), "text/html": self.static()}


# ---- cells ---------------------------------------------------------------------------


def watched() -> bool:
    """False if this cell is run by a script: it asked that nobody be asked for input."""
    return bool((_asked().get("content") or {}).get("allow_stdin", True))


def _asked() -> dict[str, Any]:
    """The message that the kernel answers now; nothing outside a notebook."""
    shell = get_ipython()
    return (shell.get_parent() if hasattr(shell, "get_parent") else None) or {}


def _note(panel: Panel) -> None:
    """Remember which cell makes this panel now."""
    asked, shell = _asked(), get_ipython()
    cell = (asked.get("metadata") or {}).get("cellId") or asked.get("content", {}).get("code")
    if cell:
        _OPEN[panel] = cell
        if id(shell) not in _WATCHED:
            _WATCHED.add(id(shell))
            shell.events.register("pre_run_cell", _before)


def _before(info: Any) -> None:
    """A cell is about to run: close what it, or cells deleted since, have made before."""
    deleted = (_asked().get("metadata") or {}).get("deletedCells") or ()
    for panel, cell in list(_OPEN.items()):
        if cell in (info.cell_id or info.raw_cell, *deleted):
            panel.close()
