"""A search over all pages of a course that needs no server: one page that holds what all say.

A browser lets a page on the disk read no other file, so the words of all pages stand inside
`search.html`, section by section, and `search.js` looks through them: every word of the question
must occur, in any ending ("reach probability" finds "reach probabilities"); a section that has them
side by side, or in its heading, comes first. The field at the top of each page leads there.

>>> sections('<main><h1 id="a">Kuhn</h1><p>Three cards.<h2 id="b">Play</h2>Bet.', "k.html")
[['k.html#a', 'Kuhn', '', 'Three cards.'], ['k.html#b', 'Kuhn', 'Play', 'Bet.']]
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import Tag
from markupsafe import Markup

from workbench.lab.reports.page import Page, Report, save, template

PAGE = "search.html"
HEADINGS = ("h1", "h2", "h3")
HEAVY = re.compile(r'"data:[^"]*"')  # pictures
SILENT = ("script", "style", "svg", "nav", "button", "select")


def write_search(target: Path, pages: Sequence[Report], around: str) -> Report:
    """The page for searching these pages, beside the first of a course."""
    index: list[list[str]] = []
    for page in pages:
        file = page.path.relative_to(target).as_posix()
        index += sections(page.path.read_text("utf-8"), file)
    words = json.dumps(index, ensure_ascii=False)
    body = Markup(template("search.html.j2").render(index=words))
    return save(target / PAGE, Page().render(title="Search", body=body, path=around, search=PAGE))


def sections(html: str, file: str) -> list[list[str]]:
    """Where each section begins, the title of its page, its heading, and what it says."""
    soup = BeautifulSoup(HEAVY.sub('""', html), "html.parser")
    main = soup.find("main") or soup
    for silent in main.find_all(SILENT):
        silent.extract()
    first = main.find("h1")
    title = _plain(first.get_text()) if first else file
    found: list[list[str]] = []
    for tag in main.descendants:
        if not isinstance(tag, Tag):
            if found and not tag.find_parent(HEADINGS):
                found[-1][3] += f" {tag}"
        elif tag.get("id") and tag.name in (*HEADINGS, "section"):
            heading = tag.get_text() if tag.name in HEADINGS else str(tag["id"])
            found.append(
                [f"{file}#{tag['id']}", title, "" if tag is first else _plain(heading), ""]
            )
    return [[*names, _plain(text)] for *names, text in found]


def _plain(text: str) -> str:
    return " ".join(text.split())
