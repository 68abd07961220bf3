"""A folder of notebooks becomes pages that lead to each other, from a first page to the ledger."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook

import workbench as wb
from tests.lab.reports.reader import check
from workbench.lab.reports import course
from workbench.lab.reports.course_map import CourseMap
from workbench.lab.reports.lessons import Lesson, before, lesson
from workbench.lab.reports.writing import write_report
from workbench.lab.shelves import notebooks
from workbench.rules import GameError

FIRST = """# Why *bluff*?

A lead.

**What you will see**

- a picture;
- a number, $1/18$.

**What it needs.** Nothing. About 20 minutes."""
SECOND = """# And then?

**What it needs.** Lecture 01 (bluffs). About 25 minutes to read; it runs in about 12 seconds.

**How to read it.** Slowly."""
BODY = (
    "See lecture 01, Lectures 01, 02 and 09, notebook 09, `lecture 01`, "
    "[this](01-bluff.ipynb#why-bluff), **01 · Why**, "
    "[a term](../glossary.ipynb#Best-response), [solution](../solutions/01-bluff.ipynb), "
    "[a lab](../labs/own-game.ipynb)."
)
NOTEBOOKS = {
    "00-start-here": ["# Start here\n\nAbout 15 minutes.", "[01](lectures/01-bluff.ipynb)"],
    "glossary": ["# Glossary", "### best response\n\nThe best."],
    "lectures/01-bluff": [FIRST],
    "lectures/02-then": [SECOND, BODY],
    "labs/own-game": ["# A game of your own\n\n**What it needs.** Lecture 01. 60 minutes."],
    "projects/replica": ["# Is it so?\n\n**What it needs.** Lectures 01 and 02."],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(course, "ledger_page", lambda path, search: f"<ledger>{path}")  # slow
    monkeypatch.setattr(course, "write_reference", lambda target: [])
    source = tmp_path / "notebooks"
    for name, cells in NOTEBOOKS.items():
        notebook = new_notebook(cells=[new_markdown_cell(cell) for cell in cells])
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, source / f"{name}.ipynb")
    return source


def test_pages_lead_to_each_other(folder: Path, tmp_path: Path) -> None:
    report = write_report(folder, tmp_path / "out")
    assert report.path == tmp_path / "out" / "index.html"
    files = {
        path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir() if path.suffix
    }
    names = {f"{Path(name).name}.html" for name in NOTEBOOKS}
    assert set(files) == {"index.html", "ledger.html", "search.html", *names}
    pages = {name: check(text) for name, text in files.items() if name != "ledger.html"}
    places = {
        (name, have["id"]) for name, page in pages.items() for _, have in page.tags if "id" in have
    }
    for name, page in pages.items():
        for have in page.all("a"):
            file, _, place = have["href"].partition("#")
            assert file in {*files, "", "reference/index.html"}, (name, have)
            assert not place or (file or name, place) in places, (name, have)

    def around(name: str) -> list[tuple[str, str]]:
        return [(have["rel"], have["href"]) for have in pages[name].all("a") if "rel" in have][:2]

    assert around("00-start-here.html") == [("next", "01-bluff.html")] * 2
    assert around("01-bluff.html") == [("prev", "00-start-here.html"), ("next", "02-then.html")]
    assert around("02-then.html") == [("prev", "01-bluff.html")] * 2
    assert around("replica.html") == [("next", "ledger.html")] * 2
    assert around("glossary.html") == []
    main = BeautifulSoup(files["02-then.html"], "html.parser").main
    assert [(link.get_text(), link["href"]) for link in main.find_all("a")] == [
        ("Lecture 01", "01-bluff.html"),
        ("lecture 01", "01-bluff.html"),
        ("Lectures 01", "01-bluff.html"),
        ("02", "02-then.html"),
        ("this", "01-bluff.html#why-bluff"),
        ("01", "01-bluff.html"),
        ("a term", "glossary.html#best-response"),
        ("a lab", "own-game.html"),
    ]
    assert [code.get_text() for code in main.find_all("code")] == ["lecture 01"]


def test_the_first_page_says_what_the_notebooks_say(folder: Path, tmp_path: Path) -> None:
    text = write_report(folder, tmp_path / "out").path.read_text("utf-8")
    main = BeautifulSoup(text, "html.parser").main
    assert [each.get_text() for each in main.find_all("h2")] == [
        "Map of the course", "Start here", "Lectures", "Labs", "Projects", "To look up"
    ]  # fmt: skip
    assert [(each.get_text(), each.a["href"]) for each in main.find_all("h3")] == [
        ("00 · Start here", "00-start-here.html"),
        ("Glossary", "glossary.html"),
        ("01 · Why bluff?", "01-bluff.html"),
        ("02 · And then?", "02-then.html"),
        ("A game of your own", "own-game.html"),
        ("Is it so?", "replica.html"),
    ]
    drawn = main.select(".wb-map a")
    assert {link["href"] for link in drawn} == {
        "00-start-here.html", "01-bluff.html", "02-then.html", "own-game.html", "replica.html"
    }  # fmt: skip
    _, _, first, second, _, _ = main.select(".course > li")
    assert "About 20 minutes. A lead." in " ".join(first.get_text().split())
    assert first.select("details li")[0].get_text() == "a picture;"
    assert first.select("details mn")[-1].get_text() == "18"
    assert second.select_one(".soft").get_text().strip() == "About 25 minutes. After 01."
    assert "Slowly" not in text


def test_the_search_knows_what_all_pages_say(folder: Path, tmp_path: Path) -> None:
    write_report(folder, tmp_path / "out")
    page = BeautifulSoup((tmp_path / "out" / "search.html").read_text("utf-8"), "html.parser")
    index = {place: rest for place, *rest in json.loads(page.find(id="index").string)}
    assert index["glossary.html#best-response"] == ["Glossary", "best response", "The best."]
    title, heading, text = index["01-bluff.html#why-bluff"]
    assert (title, heading) == ("Why bluff?", "")
    assert text.startswith("A lead. What you will see a picture;")
    heads = [
        BeautifulSoup(path.read_text("utf-8"), "html.parser").header
        for path in (tmp_path / "out").glob("*.html")
        if path.name != "ledger.html"  # a stand-in
    ]
    assert {head["data-search"] for head in heads} == {"search.html"}


def lessons(source: Path) -> list[Lesson]:
    return [lesson(nbformat.read(path, as_version=4), path) for path in notebooks(source)]


def test_the_map_is_drawn_from_what_notebooks_need(folder: Path) -> None:
    found = CourseMap(lessons(folder))
    assert repr(found).splitlines() == [
        "Start here (15 minutes)",
        "Why bluff? (Lecture 01, 20 minutes)",
        "And then? (Lecture 02, 25 minutes, after 01)",
        "A game of your own (Lab, after 01)",
        "Is it so? (Project, after 01, 02)",
    ]
    lines = [(need.title, one.title) for one, needs in found.needs.items() for need in needs]
    assert lines == [
        ("Start here", "Why bluff?"),
        ("Why bluff?", "And then?"),
        ("Why bluff?", "A game of your own"),
        ("And then?", "Is it so?"),  # and so after 01
    ]
    page = BeautifulSoup(found.html(), "html.parser")
    assert page.a["href"] == "00-start-here.ipynb"
    assert len(page.find_all("path")) == len(lines)
    assert len(page.find_all("a")) == len(set(found.rows)) == 5


def test_the_real_notebooks_introduce_themselves_and_the_map_leads_to_them() -> None:
    course = wb.reports.course_map()
    home = notebooks()[0].parent
    links = BeautifulSoup(course.html(), "html.parser").find_all("a")
    assert {(home / link["href"]).resolve() for link in links} == {
        path.resolve() for path in notebooks() if path.stem not in ("glossary", "syllabus")
    }
    for found in course.lessons:
        assert found.title
        if found.shelf == "lectures":
            assert found.title.endswith("?")
            assert found.sees.count("\n") >= 2
        if found.shelf:
            assert found.minutes, found.file
            assert found.needs, found.file
            numbers = [one.number for one in before(found, course.lessons)]
            assert not found.number or all(number < found.number for number in numbers)


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no notebooks in"):
        write_report(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
