"""A folder of notebooks as a course: a page for each, a first page, and links between them.

The first page lists what every notebook says of itself in its first cell: the question (its
title), "What you will see" (a list), "What it needs" (a paragraph that also names the minutes).
The ledger becomes the last page. No page needs a network.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markupsafe import Markup

from workbench.lab.reports.cleaning import Rewrite, outside
from workbench.lab.reports.executing import execute_notebook
from workbench.lab.reports.ledger import ledger_page
from workbench.lab.reports.page import Page, Report, notebook_page, save, title_of
from workbench.lab.reports.reading import read_notebook
from workbench.progress import StatusLine
from workbench.rules import GameError

TITLE = "Games of imperfect information"
OPENING = """# {title}

A course in notebooks: each asks one question and answers it with games small enough to know the
truth. These pages can be read without Python and without a network; with the workbench every cell
can be run and changed (`make lab`).

{count} notebooks, about {hours} hours of reading.

<ol class="course">
{items}
<li>

## [Ledger: published numbers beside ours](ledger.html)

Every number and claim of the papers that the course covers, what we find, and a verdict.

</li></ol>"""
ITEM = """<li>

## [{number}{one.title}](<{one.file}>)

<div class="soft">

{minutes}{before}

</div>

{one.lead}

<details><summary>What you will see, and what it needs</summary>

{one.sees}

{needs}

</details></li>
"""
MINUTES = re.compile(r"[Aa]bout (\d+) minutes")
MENTION = re.compile(r"(`+[^`]*`+|\[[^\]]*\]\([^)]*\))|\b([Nn]otebooks? )(\d\d)\b|\*\*(\d\d) · ")


@dataclass(frozen=True)
class Lesson:
    """What a notebook says of itself."""

    file: str  # of its page
    number: str
    title: str
    lead: str  # Markdown: the first paragraph
    sees: str  # Markdown: a list
    needs: str  # Markdown
    minutes: int | None


def write_course(source: Path, target: Path, *, execute: bool = False) -> Report:
    """Pages for all notebooks of a folder, in the order of their names, and `index.html`."""
    paths = sorted(source.glob("*.ipynb"))
    if not paths:
        raise GameError(f"there are no notebooks in {source}")
    target.mkdir(parents=True, exist_ok=True)
    notebooks = {path: read_notebook(path) for path in paths}
    lessons = [lesson(notebook, path) for path, notebook in notebooks.items()]
    line = StatusLine()
    reports, notes = [], []
    for k, (path, notebook) in enumerate(notebooks.items()):
        line.show(f"{k + 1} of {len(paths)}: {path.name}")
        if execute:
            execute_notebook(notebook, path)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = _linked(cell.source, lessons)
        around = _around(lessons, k)
        text, noted = notebook_page(notebook, path, link=_links(lessons), around=around)
        reports.append(save(target / lessons[k].file, text))
        notes += [f"{path.name}: {note}" for note in noted]
    line.show("the ledger")
    reports.append(save(target / "ledger.html", ledger_page(path=_around(lessons, len(lessons)))))
    first = save(target / "index.html", first_page(lessons))
    line.clear()
    size = first.size + sum(report.size for report in reports)
    return Report(first.path, size, len(reports) + 1, tuple(notes))


def lesson(notebook: Any, path: Path) -> Lesson:
    """Read the first cell of prose."""
    opening = next((cell.source for cell in notebook.cells if cell.cell_type == "markdown"), "")
    found = re.match(r"(\d+)", path.stem)
    lead = re.sub(r"^#.*$", "", opening, count=1, flags=re.MULTILINE).strip().split("\n\n")[0]
    minutes = MINUTES.search(opening)
    return Lesson(
        file=f"{path.stem}.html",
        number=found[1] if found else "",
        title=title_of(notebook) or path.stem.replace("-", " "),
        lead="" if lead.startswith("**") else lead,
        sees=_part(opening, "What you will see"),
        needs=_part(opening, "What it needs"),
        minutes=int(minutes[1]) if minutes else None,
    )


def _part(opening: str, name: str) -> str:
    """The text under a bold name, up to the next one."""
    found = re.search(rf"^\*\*{name}\.?\*\*\.?\s*(.*?)(?=^\*\*\w|^#|\Z)", opening, re.S | re.M)
    return found[1].strip() if found else ""


def first_page(lessons: Sequence[Lesson]) -> str:
    """What the notebooks say of themselves, with links to their pages."""
    made, hours = Page(link=_links(lessons)), sum(each.minutes or 0 for each in lessons) / 60
    items = "".join(_item(each, lessons) for each in lessons)
    source = OPENING.format(title=TITLE, count=len(lessons), hours=round(hours), items=items)
    return made.render(title=TITLE, body=made.markdown(source))


def _item(one: Lesson, lessons: Sequence[Lesson]) -> str:
    """A notebook on the first page, as Markdown."""
    numbers = re.findall(r"\b(\d\d)\b(?! minutes)", one.needs)
    before = [f"[{each.number}](<{each.file}>)" for each in lessons if each.number in numbers]
    return ITEM.format(
        one=one,
        number=f"{one.number} · " if one.number else "",
        minutes=f"About {one.minutes} minutes. " if one.minutes else "",
        before=f"After {', '.join(before)}." if before else "",
        needs=_linked(f"**Needs.** {one.needs}", lessons) if one.needs else "",
    )


def _around(lessons: Sequence[Lesson], k: int) -> Markup:
    """First page, the one before and the one after lesson k (the ledger comes last)."""
    stops = [(each.file, each.title) for each in lessons] + [("ledger.html", "Ledger")]
    links = Markup('<a href="index.html">All notebooks</a>')
    if k > 0:
        links += Markup('<a href="{}" rel="prev">← {}</a>').format(*stops[k - 1])
    if k + 1 < len(stops):
        links += Markup('<a href="{}" rel="next">{} →</a>').format(*stops[k + 1])
    return links


def _links(lessons: Sequence[Lesson]) -> Rewrite:
    """Links to notebooks of the course become links to their pages."""
    pages = {each.file for each in lessons} | {"index.html", "ledger.html"}

    def link(url: str) -> str | None:
        file, mark, place = url.removeprefix("./").partition("#")
        file = re.sub(r"\.ipynb$", ".html", file)
        return file + mark + place if unquote(file) in pages else outside(url)

    return link


def _linked(source: str, lessons: Sequence[Lesson]) -> str:
    """Markdown in which "notebook 03" is a link."""
    files = {each.number: each.file for each in lessons}

    def linked(found: re.Match[str]) -> str:
        number = found[3] or found[4]
        if found[1] or number not in files:
            return found[0]
        if found[4]:
            return f"**[{number}](<{files[number]}>) · "
        return f"[{found[2]}{number}](<{files[number]}>)"

    return MENTION.sub(linked, source)
