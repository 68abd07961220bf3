"""A panel that looks into a class folder again and again, while its switch Live is on."""

import time
from typing import Any

from workbench.lab.html import quiet, status
from workbench.lab.widgets.controls import place, switch
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.panel import Panel, watched

SHORT: Any = {"width": "auto", "label_width": "0px", "indent": False}


class FolderWatch(Panel):
    """`seen` is what `read` found last; `draw` shows it."""

    stops_unseen = True
    every = 5.0  # seconds between two looks
    seen: Any
    refreshed = 0  # how often somebody did not wait for the next look

    def __init__(self, title: str, name: str, live: bool) -> None:
        super().__init__(title, name)
        self.live = switch("Live", live and watched(), "live", self.go, **SHORT)
        self.live.tooltip = f"Look into the folder every {self.every:.0f} seconds"
        self.count = place("count")

    @property
    def watching(self) -> bool:
        """Whether there is something to wait for."""
        return True

    def say_count(self, many: str, odd: int) -> None:
        """How many there are, and how many files have a problem."""
        files = "1 file has a problem" if odd == 1 else f"{odd} files have a problem"
        why = f" · {files}: wb.exercises.read_hand_ins says which" if odd else ""
        self.count.value = status(many) + quiet(why)

    def read(self) -> Any:
        raise NotImplementedError

    def draw(self) -> None:
        raise NotImplementedError

    def refresh(self) -> None:
        self.refreshed += 1
        self.seen = self.read()
        self.draw()

    def go(self) -> None:
        """Begin to look, or stop."""
        if self.live.value and self.watching and not self.closed:
            self.run(self._watch, show=self._news, done=self._ended)
        elif self.job is not None:
            self.job.stop()

    def _watch(self, job: Job) -> None:
        while True:
            job.tell(None, value=(self.refreshed, self.read()))
            for _ in range(round(self.every / 0.1)):
                time.sleep(0.1)
                job.tell(None)

    def _news(self, progress: Progress) -> None:
        refreshed, found = progress.value or (-1, None)
        if refreshed == self.refreshed and not self.same(found, self.seen):  # else it is older
            self.seen = found
            self.draw()

    def same(self, one: Any, other: Any) -> bool:
        return bool(one == other)

    def _ended(self, outcome: Outcome) -> None:
        self.live.value = not self.watching and self.live.value  # it looks on afterwards
