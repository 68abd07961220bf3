"""What a notebook says of itself in its first cell, and which others it says come before it.

# Why does a good player bluff?

One or two short paragraphs.

**What you will see.**  a list
**What it needs.**  Lecture 01 (…). About 45 minutes to read; it runs in about 20 seconds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.lab.shelves import shelf

MINUTES = re.compile(r"[Aa]bout (\d+)(?:\s*(?:–|-|to)\s*(\d+))?\s+minutes")
NUMBER = re.compile(r"\b(\d\d)\b(?!\s*(?:minutes|seconds|%|,\d|\.\d))")  # of a lecture


@dataclass(frozen=True)
class Lesson:
    """What a notebook says of itself."""

    file: str  # of its page
    place: str  # of the notebook: lectures/01-….ipynb
    shelf: str  # "", lectures, labs or projects
    number: str  # of a lecture, or ""
    title: str
    lead: str  # Markdown: the first paragraph
    sees: str  # Markdown: a list
    needs: str  # Markdown
    minutes: int | None

    @property
    def kind(self) -> str:
        """Lecture 04, Lab, Project, or nothing."""
        one = {"lectures": "Lecture", "labs": "Lab", "projects": "Project"}.get(self.shelf, "")
        return f"{one} {self.number}".strip() if one else ""


def title_of(notebook: Any) -> str:
    """The first heading of level one."""
    for cell in notebook["cells"]:
        found = re.search(r"^#\s+(.+)$", "".join(cell["source"]), re.MULTILINE)
        if found and cell["cell_type"] == "markdown":
            return re.sub(r"[*`$]", "", found[1]).strip()
    return ""


def lesson(notebook: Any, path: Path) -> Lesson:
    """Read the first cell of prose."""
    prose = (cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    opening = "".join(next(prose, ""))
    found = re.match(r"(\d\d)(?=-)", path.stem)
    lead = re.sub(r"^#.*$", "", opening, count=1, flags=re.MULTILINE).strip().split("\n\n")[0]
    minutes, where = MINUTES.search(opening), shelf(path)
    return Lesson(
        file=f"{path.stem}.html",
        place=f"{where}/{path.name}".lstrip("/"),
        shelf=where,
        number=found[1] if found else "",
        title=title_of(notebook) or path.stem.replace("-", " "),
        lead="" if lead.startswith("**") else lead,
        sees=_part(opening, "What you will see"),
        needs=_part(opening, "What it needs"),
        minutes=int(minutes[2] or minutes[1]) if minutes else None,
    )


def _part(opening: str, name: str) -> str:
    """The text under a bold name, up to the next one."""
    found = re.search(rf"^\*\*{name}\.?\*\*\.?\s*(.*?)(?=^\*\*\w|^#|\Z)", opening, re.S | re.M)
    return found[1].strip() if found else ""


def before(one: Lesson, lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons that this one needs, as it says itself."""
    numbers = set(NUMBER.findall(one.needs)) - {one.number}
    return [each for each in lessons if each.number and each.number in numbers]
