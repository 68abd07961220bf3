"""A folder of notebooks as a course: a page for each, a first page, and links between them.

The first page has the map of the course and lists its shelves, with what every notebook says of
itself (`lessons.py`). All pages stand in one folder, whatever shelf their notebooks are on, and a
link to a notebook becomes a link to its page. The ledger and the reference of all public names are
pages, too. No page needs a network.
"""

import posixpath
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from markupsafe import Markup

from workbench.lab.reports.cleaning import Rewrite, outside
from workbench.lab.reports.course_map import CourseMap
from workbench.lab.reports.ledger import ledger_page
from workbench.lab.reports.lessons import Lesson, before, lesson
from workbench.lab.reports.page import Page, Report, notebook_page, save, template
from workbench.lab.reports.reading import execute_notebook, read_notebook
from workbench.lab.reports.reference import write_reference
from workbench.lab.reports.search import PAGE, write_search
from workbench.lab.shelves import SHELVES, notebooks
from workbench.progress import StatusLine
from workbench.rules import GameError

TITLE = "Games of imperfect information"
REFERENCE = "reference/index.html"
LEDGER = ("ledger.html", "Ledger")
ALL = Markup('<a href="index.html">All notebooks</a>')
WORD, AND = r"\b(?:[Ll]ecture|[Nn]otebook)s?\s", r"(?:,\s|,?\s(?:and|or|to)\s)"
MENTION = re.compile(rf"(`+[^`]*`+|\[[^\]]*\]\([^)]*\))|({WORD}\d\d(?:{AND}\d\d)*)\b|\*\*(\d\d) · ")
NUMBER = re.compile(rf"((?:{WORD})?)\b(\d\d)\b")


def write_course(source: Path, target: Path, *, execute: bool = False) -> Report:
    """Pages for all notebooks of a folder, shelf by shelf, and `index.html`."""
    paths = notebooks(source)
    if not paths:
        raise GameError(f"there are no notebooks in {source}")
    target.mkdir(parents=True, exist_ok=True)
    read = {path: read_notebook(path) for path in paths}
    lessons = [lesson(notebook, path) for path, notebook in read.items()]
    line = StatusLine()
    reports: list[Report] = []
    notes: list[str] = []
    for one, (path, notebook) in zip(lessons, read.items(), strict=True):
        line.show(f"{len(reports) + 1} of {len(paths)}: {path.name}")
        if execute:
            execute_notebook(notebook, path)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = _linked(cell.source, lessons)
        around = _around(lessons, one.file)
        link = links(lessons, one.shelf)
        text, noted = notebook_page(notebook, path, link=link, around=around, search=PAGE)
        reports.append(save(target / one.file, text))
        notes += [f"{path.name}: {note}" for note in noted]
    line.show("the ledger")
    ledger = ledger_page(path=_around(lessons, LEDGER[0]), search=PAGE)
    reports.append(save(target / LEDGER[0], ledger))
    line.show("the reference")
    reports += write_reference(target / "reference")
    line.show("the search")
    reports.append(write_search(target, reports, ALL))
    first = save(target / "index.html", first_page(lessons))
    line.clear()
    size = first.size + sum(report.size for report in reports)
    return Report(first.path, size, len(reports) + 1, tuple(notes))


def first_page(lessons: Sequence[Lesson]) -> str:
    """The map, and what the notebooks say of themselves, with links to their pages."""
    made = Page(link=links(lessons))
    read = [each for each in lessons if each.shelf or each.number] or lessons  # no glossary
    drawn = CourseMap(lessons).html() if any(each.shelf for each in lessons) else ""
    body = template("course.html.j2").render(
        page=made, title=TITLE, lessons=lessons, read=read, map=drawn, shelves=SHELVES,
        before=before, linked=_linked,
    )  # fmt: skip
    return made.render(title=TITLE, body=Markup(body), search=PAGE)


def _around(lessons: Sequence[Lesson], file: str) -> Markup:
    """The first page, and the ones before and after: lectures follow each other, labs theirs."""
    lectures = any(each.shelf == "lectures" for each in lessons)
    ways: dict[str, list[tuple[str, str]]] = {}
    for each in lessons:
        if each.shelf or each.number or not lectures:  # what is looked up is not on the way
            way = ways.setdefault("" if each.shelf == "lectures" else each.shelf, [])
            way.append((each.file, each.title))
    list(ways.values())[-1].append(LEDGER)
    links = ALL
    for way in ways.values():
        files = [stop[0] for stop in way]
        if file in files:
            k = files.index(file)
            if k > 0:
                links += Markup('<a href="{}" rel="prev">← {}</a>').format(*way[k - 1])
            if k + 1 < len(way):
                links += Markup('<a href="{}" rel="next">{} →</a>').format(*way[k + 1])
    return links


def links(lessons: Sequence[Lesson], shelf: str = "") -> Rewrite:
    """Links to notebooks of the course, from one on this shelf, become links to their pages."""
    pages = {each.place: each.file for each in lessons}
    own = {*pages.values(), "index.html", LEDGER[0], REFERENCE}

    def link(url: str) -> str | None:
        file, mark, place = url.partition("#")
        there = posixpath.normpath(posixpath.join(shelf, unquote(file)))
        if mark and file:
            place = "-".join(re.findall(r"\w+", unquote(place).lower()))  # as headings are named
        if there in pages:
            return pages[there] + mark + place
        return file + mark + place if unquote(file) in own else outside(url)

    return link


def _linked(source: str, lessons: Sequence[Lesson]) -> str:
    """Markdown in which "Lecture 03" is a link, and so are both of "Lectures 03 and 04"."""
    files = {each.number: each.file for each in lessons if each.number}

    def one(found: re.Match[str]) -> str:
        return f"[{found[0]}](<{files[found[2]]}>)" if found[2] in files else found[0]

    def linked(found: re.Match[str]) -> str:
        if found[3]:
            return found[0].replace(found[3], NUMBER.sub(one, found[3]))
        return found[1] or NUMBER.sub(one, found[2])

    return MENTION.sub(linked, source)
