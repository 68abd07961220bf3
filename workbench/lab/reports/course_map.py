"""The course as a map: a box for each notebook, a line from what it needs, and each box a link.

`wb.reports.course_map()` draws it from what the notebooks say of themselves in their first cells
(`lessons.py`), so nothing is written twice. Lectures stand below each other, in order; a bow on
their left leads from a lecture to one that needs it. Labs and projects stand on the right, beside
the last lecture that they need. A line that other lines already imply is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.files import read_json
from workbench.lab.html import Html, template
from workbench.lab.reports.lessons import Lesson, before, lesson
from workbench.lab.shelves import notebooks

LEFT, WIDE, BETWEEN, BESIDE = 50, 356, 22, 340  # pixels: bows, lectures, lines, labs and projects
HIGH, DOWN = 46, 14  # of a box, and between two
STYLE = Html(Path(__file__).with_suffix(".css").read_text("utf-8"))


class CourseMap:
    """The map of these lessons, for a place at the top of the course."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self.lessons = [one for one in lessons if one.shelf or one.number]
        self.needs = {one: _fewest(one, self.lessons) for one in self.lessons}
        main = [one for one in self.lessons if one.shelf in ("", "lectures")]
        self.rows = {one: row for row, one in enumerate(main)}
        taken: set[int] = set()
        for one in sorted(set(self.lessons) - set(main), key=self._wanted):
            row = self._wanted(one)[0]
            while row in taken:
                row += 1
            taken.add(row)
            self.rows[one] = row

    def _wanted(self, one: Lesson) -> tuple[int, str, str]:
        """The row of the last lecture that a lab or project needs; then in the order of shelves."""
        return max((self.rows[need] for need in self.needs[one]), default=0), one.shelf, one.file

    def __repr__(self) -> str:
        def line(one: Lesson) -> str:
            after = ", ".join(each.number for each in before(one, self.lessons))
            about = [one.kind, f"{one.minutes} minutes" if one.minutes else ""]
            about += [f"after {after}" if after else ""]
            return f"{one.title} ({', '.join(part for part in about if part)})"

        return "\n".join(line(one) for one in self.lessons)

    def html(self) -> Html:
        """For a page or a notebook."""
        wide = LEFT + WIDE + (BETWEEN + BESIDE if any(map(_beside, self.lessons)) else 0)
        high = (1 + max(self.rows.values(), default=0)) * (HIGH + DOWN) - DOWN
        lines = [self._line(need, one) for one, needs in self.needs.items() for need in needs]
        boxes = {}  # left, top, width, height
        for one in self.lessons:
            x, wide_box = (LEFT + WIDE + BETWEEN, BESIDE) if _beside(one) else (LEFT, WIDE)
            boxes[one] = x, self.rows[one] * (HIGH + DOWN), wide_box, HIGH
        page = template(Path(__file__).with_suffix(".html.j2"))
        return Html(page.render(style=STYLE, wide=wide, high=high, lines=lines, boxes=boxes))

    _repr_html_ = html

    def _line(self, need: Lesson, one: Lesson) -> str:
        """To the next lecture straight down, to a later one in a bow, to a lab across."""
        above, below = (self.rows[each] * (HIGH + DOWN) + HIGH // 2 for each in (need, one))
        if _beside(one):
            return f"M{LEFT + WIDE} {above} L{LEFT + WIDE + BETWEEN} {below}"
        if self.rows[one] == self.rows[need] + 1:
            return f"M{LEFT + WIDE // 2} {above} L{LEFT + WIDE // 2} {below}"
        far = LEFT - min(10 + 13 * (self.rows[one] - self.rows[need]), 1.3 * LEFT)
        above, below = above + 6, below - 6  # lines that leave a box and those that arrive
        return f"M{LEFT} {above} C{far:g} {above} {far:g} {below} {LEFT} {below}"


def course_map() -> CourseMap:
    """The course as a map to click, drawn from what its notebooks say they need.

    >>> course_map()
    Start here...
    """
    return CourseMap([lesson(read_json(path.read_bytes()), path) for path in notebooks()])


def _beside(one: Lesson) -> bool:
    return one.shelf not in ("", "lectures")


def _fewest(one: Lesson, lessons: Sequence[Lesson]) -> list[Lesson]:
    """What comes before, without what comes before that anyway; else the first notebook."""
    needed = before(one, lessons)
    implied = {far for near in needed for far in _all_before(near, lessons)}
    return [each for each in needed if each not in implied] or [
        each for each in lessons[:1] if each is not one and not each.shelf
    ]


def _all_before(one: Lesson, lessons: Sequence[Lesson]) -> set[Lesson]:
    near = [each for each in before(one, lessons) if each.number < one.number]
    return set(near).union(*(_all_before(each, lessons) for each in near))
