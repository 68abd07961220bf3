"""A folder of notebooks as a course: a page for each, a first page, and links between them.

The first page lists what every notebook says of itself in its first cell: the question (its
title), "What you will see" (a list), "What it needs" (a paragraph that also names the minutes).
The ledger, if the package has one, becomes the last page. No page needs a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from workbench.lab.reports.executing import execute_notebook
from workbench.lab.reports.ledger import ledger_page
from workbench.lab.reports.notebook import Body
from workbench.lab.reports.page import page
from workbench.lab.reports.writing import Report, notebook_page, read_notebook, save, title_of
from workbench.progress import StatusLine
from workbench.rules import GameError

TITLE = "Games of imperfect information"
OPENING = (
    "<p>A course in notebooks: each asks one question and answers it with games small enough to "
    "know the truth. These pages can be read without Python and without a network; with the "
    "workbench every cell can be run and changed (<code>make lab</code>).</p>"
)
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
        _mention(notebook, lessons)
        text, noted = notebook_page(
            notebook, path, link=_links(lessons), around=_around(lessons, k)
        )
        reports.append(save(target / lessons[k].file, text))
        notes += [f"{path.name}: {note}" for note in noted]
    line.show("the ledger")
    reports.append(save(target / "ledger.html", ledger_page(path=_around(lessons, len(lessons)))))
    first = save(target / "index.html", _index(lessons))
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
        title=title_of(notebook, path),
        lead="" if lead.startswith("**") else lead,
        sees=_part(opening, "What you will see"),
        needs=_part(opening, "What it needs"),
        minutes=int(minutes[1]) if minutes else None,
    )


def _part(opening: str, name: str) -> str:
    """The text under a bold name, up to the next one."""
    found = re.search(rf"^\*\*{name}\.?\*\*\.?\s*(.*?)(?=^\*\*\w|^#|\Z)", opening, re.S | re.M)
    return found[1].strip() if found else ""


def _index(lessons: Sequence[Lesson]) -> str:
    body = Body(link=_links(lessons))
    total = sum(each.minutes or 0 for each in lessons)
    items = []
    body.html.append(body.markdown(f"# {TITLE}"))
    for each in lessons:
        number = f"{each.number} · " if each.number else ""
        link = f'<a href="{escape(each.file)}">{number}{escape(each.title)}</a>'
        facts = [f"About {each.minutes} minutes."] if each.minutes else []
        if before := _before(each, lessons):
            facts.append(f"After {', '.join(before)}.")
        minutes = f'<p class="soft">{" ".join(facts)}</p>' if facts else ""
        sees = body.markdown(each.sees)
        needs = body.markdown(_linked(f"**Needs.** {each.needs}", lessons)) if each.needs else ""
        items.append(
            f"<li><h2>{link}</h2>{minutes}{body.markdown(each.lead)}"
            f"<details><summary>What you will see, and what it needs</summary>{sees}{needs}"
            "</details></li>"
        )
    hours = f"<p>{len(lessons)} notebooks, about {round(total / 60)} hours of reading.</p>"
    ledger = (
        '<li><h2><a href="ledger.html">Ledger: published numbers beside ours</a></h2>'
        "<p>Every number and claim of the papers that the course covers, what we find, and a "
        "verdict.</p></li>"
    )
    html = f'{body.html[0]}{OPENING}{hours}<ol class="course">{"".join(items)}{ledger}</ol>'
    return page(TITLE, body.maths.put_back(html))


def _before(one: Lesson, lessons: Sequence[Lesson]) -> list[str]:
    """Links to the notebooks that a lesson builds on."""
    numbers = re.findall(r"\b(\d\d)\b(?! minutes)", one.needs)
    return [
        f'<a href="{escape(each.file)}">{each.number}</a>'
        for each in lessons
        if each.number in numbers
    ]


def _around(lessons: Sequence[Lesson], k: int) -> str:
    """First page, the one before and the one after lesson k (the ledger comes last)."""
    stops = [(each.file, each.title) for each in lessons] + [("ledger.html", "Ledger")]
    links = ['<a href="index.html">All notebooks</a>']
    if k > 0:
        links.append(f'<a href="{stops[k - 1][0]}" rel="prev">← {escape(stops[k - 1][1])}</a>')
    if k + 1 < len(stops):
        links.append(f'<a href="{stops[k + 1][0]}" rel="next">{escape(stops[k + 1][1])} →</a>')
    return "".join(links)


def _links(lessons: Sequence[Lesson]) -> Callable[[str], str | None]:
    """Links to notebooks of the course become links to their pages."""
    pages = {each.file for each in lessons} | {"index.html", "ledger.html"}

    def link(url: str) -> str | None:
        if re.match(r"https?:|mailto:|#", url):
            return url
        file, mark, place = url.removeprefix("./").partition("#")
        file = re.sub(r"\.ipynb$", ".html", file)
        return file + mark + place if file in pages else None

    return link


def _mention(notebook: Any, lessons: Sequence[Lesson]) -> None:
    """ "Notebook 03" in the prose becomes a link."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _linked(cell.source, lessons)


def _linked(source: str, lessons: Sequence[Lesson]) -> str:
    files = {each.number: each.file for each in lessons}

    def linked(found: re.Match[str]) -> str:
        number = found[3] or found[4]
        if found[1] or number not in files:
            return found[0]
        if found[4]:
            return f"**[{number}]({files[number]}) · "
        return f"[{found[2]}{number}]({files[number]})"

    return MENTION.sub(linked, source)
