"""A folder of notebooks becomes pages that lead to each other, from a first page to the ledger."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook

from tests.conftest import ROOT
from tests.lab.reports.reader import check
from workbench.lab.reports import course
from workbench.lab.reports.course import lesson
from workbench.lab.reports.writing import write_report
from workbench.rules import GameError

FIRST = """# Why *bluff*?

A lead.

**What you will see**

- a picture;
- a number, $1/18$.

**What it needs.** Nothing. About 20 minutes."""
SECOND = """# And then?

**What it needs.** Notebook 01 (bluffs). About 25 minutes to read.

**How to read it.** Slowly."""
BODY = (
    "See notebook 01, notebook 09, `notebook 01`, [this](01-bluff.ipynb#why-bluff), **01 · Why**."
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(course, "ledger_page", lambda path: f"<ledger>{path}")  # it takes a while
    source = tmp_path / "notebooks"
    source.mkdir()
    for name, cells in {"01-bluff": [FIRST], "02-then": [SECOND, BODY]}.items():
        notebook = new_notebook(cells=[new_markdown_cell(cell) for cell in cells])
        nbformat.write(notebook, source / f"{name}.ipynb")
    return source


def test_pages_lead_to_each_other(folder: Path, tmp_path: Path) -> None:
    report = write_report(folder, tmp_path / "out")
    assert report.path == tmp_path / "out" / "index.html"
    assert report.pages == 4
    files = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").iterdir()}
    assert set(files) == {"index.html", "01-bluff.html", "02-then.html", "ledger.html"}
    pages = {name: check(text) for name, text in files.items() if name != "ledger.html"}
    for name, page in pages.items():
        for have in page.all("a"):
            assert have["href"].partition("#")[0] in {*files, ""}, (name, have)
    first, second = pages["01-bluff.html"], pages["02-then.html"]
    assert [have["href"] for have in first.all("a") if "rel" in have] == ["02-then.html"] * 2
    rel = [(have["rel"], have["href"]) for have in second.all("a") if "rel" in have]
    assert rel == [("prev", "01-bluff.html"), ("next", "ledger.html")] * 2
    main = BeautifulSoup(files["02-then.html"], "html.parser").main
    assert [(link.get_text(), link["href"]) for link in main.find_all("a")] == [
        ("Notebook 01", "01-bluff.html"),
        ("notebook 01", "01-bluff.html"),
        ("this", "01-bluff.html#why-bluff"),
        ("01", "01-bluff.html"),
    ]
    assert [code.get_text() for code in main.find_all("code")] == ["notebook 01"]


def test_the_first_page_says_what_the_notebooks_say(folder: Path, tmp_path: Path) -> None:
    text = write_report(folder, tmp_path / "out").path.read_text("utf-8")
    main = BeautifulSoup(text, "html.parser").main
    assert [(each.get_text(), each.a["href"]) for each in main.find_all("h2")] == [
        ("01 · Why bluff?", "01-bluff.html"),
        ("02 · And then?", "02-then.html"),
        ("Ledger: published numbers beside ours", "ledger.html"),
    ]
    first, second, _ = main.select("ol.course > li")
    assert "About 20 minutes. A lead." in " ".join(first.get_text().split())
    assert first.select("details li")[0].get_text() == "a picture;"
    assert first.select("details mn")[-1].get_text() == "18"
    assert second.select_one(".soft").get_text().strip() == "About 25 minutes. After 01."
    assert "Slowly" not in text


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_real_notebooks_introduce_themselves(path: Path) -> None:
    found = lesson(nbformat.read(path, as_version=4), path)
    assert found.title.endswith("?") or found.number == "00"
    if found.number != "00":
        assert found.minutes
        assert found.sees.count("\n") >= 2
        assert found.needs


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="no notebooks in"):
        write_report(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
