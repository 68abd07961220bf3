"""The lecturer's view of a class: who is at which exercise, and which wrong answers are commonest.

    wb.widgets.ClassView("/shared/games-course")

It looks into the folder every few seconds while Live is on. "Save sheet" writes a CSV for
grading: a row for each student, a column for each exercise. The folder is that of `wb.classroom`,
or one with files that students have mailed; `wb.exercises.progress`, `common_mistakes` and
`grades` are the same tables without a panel.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from workbench.lab.exercises import class_folder
from workbench.lab.exercises.class_view import common_mistakes, grades, progress
from workbench.lab.exercises.hand_ins import SHEET, read_hand_ins
from workbench.lab.html import Html, quiet, table
from workbench.lab.widgets.controls import place, row, text
from workbench.lab.widgets.folder_watch import FolderWatch


class ClassView(FolderWatch):
    kept = "count", "students", "mistakes"

    def __init__(self, folder: str | Path | None = None, *, live: bool = True) -> None:
        """folder: the class's, or that of the mailed files; without it, that of `wb.classroom`."""
        self.folder = class_folder.existing(folder)
        self.seen = self.read()
        super().__init__("The class", "class-view", live)
        buttons = self.make_buttons(
            ("Refresh", "refresh", self.refresh, "Look into the folder now", ""),
            ("Save sheet", "save", self._save, "Write the results for grading, as CSV", ""),
        )
        self.file = text("as", SHEET, "file", label_width="2em", width="16em")
        self.students, self.mistakes = place("students"), place("mistakes")
        self.lay_out(row(*buttons, self.file, self.live, self.count), self.students, self.mistakes)
        self.draw()
        self.go()

    def read(self) -> pd.DataFrame:
        return read_hand_ins(self.folder)

    def same(self, one: pd.DataFrame, other: pd.DataFrame) -> bool:
        return one.equals(other)

    def _save(self) -> None:
        sheet = grades(self.seen, self.file.value)
        self.say(f"Saved {self.file.value}: {len(sheet)} students", "note")

    def draw(self) -> None:
        found = progress(self.seen)
        odd = self.seen.file[self.seen.problem != ""].nunique()
        self.say_count(f"{len(found)} {'student' if len(found) == 1 else 'students'}", odd)
        found["when"] = found["when"].map(_ago, na_action="ignore")
        found = found.astype(object).where(found.notna(), "")  # nothing can be read of some
        head = ("student", "is at", "result", "tries", "when", "right so far")
        self.students.value = table(
            found.reset_index().itertuples(index=False), "Where everybody is", head=head,
            left=(0, 1, 2, 4), named=True,
        )  # fmt: skip
        wrong = common_mistakes(self.seen)
        self.mistakes.value = Html(
            table(
                wrong.itertuples(index=False), "The commonest wrong answers",
                head=("exercise", "answer", "students", "what the check says"), left=(0, 1, 3),
            )
            if len(wrong)
            else quiet("No wrong answer stands at the moment.")
        )  # fmt: skip


def _ago(when: pd.Timestamp) -> str:
    """How long it is, roughly; a clock that goes ahead says now."""
    minutes = max(0, int((pd.Timestamp.now(tz="UTC") - when).total_seconds() // 60))
    if minutes < 60:
        return f"{minutes} min ago" if minutes else "now"
    return f"{when:%d %b %H:%M} UTC" if minutes >= 24 * 60 else f"{minutes // 60} h ago"
