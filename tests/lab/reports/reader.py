"""Reads a page strictly: what it fetches, whether tags are closed, what a screen reader needs."""

from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_notebook, new_output

from workbench.lab.reports.page import Report
from workbench.lab.reports.writing import write_report

VOID = {"br", "col", "hr", "img", "input", "link", "meta", "wbr"}


class Reader(HTMLParser):
    """Feed it a page; it complains about tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}  # by the innermost tag
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = "svg title" if tag == "title" and "svg" in self.open else tag
        self.tags.append((name, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, *names: str) -> list[dict[str, str]]:
        return [have for tag, have in self.tags if tag in names]

    def classed(self, name: str) -> list[str]:
        """The elements of a class."""
        return [tag for tag, have in self.tags if name in have.get("class", "").split()]

    @property
    def headings(self) -> list[int]:
        return [int(tag[1]) for tag, _ in self.tags if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]


def check(text: str) -> Reader:
    """What holds for every page of ours."""
    reader = Reader(text)
    sources = [have[name] for _, have in reader.tags for name in ("src", "srcset") if name in have]
    assert all(source.startswith("data:image/") for source in sources)
    assert [have["href"] for have in reader.all("link")] == ["data:,"]
    assert len(reader.all("script")) == len(reader.all("main")) == len(reader.all("title")) == 1
    assert len(reader.all("meta")) == 4
    assert len(reader.all("style")) == 1
    assert reader.all("html") == [{"lang": "en"}]
    assert not reader.all("iframe", "object", "embed", "base", "form", "input", "textarea", "video")
    assert not any(name.startswith("on") for _, have in reader.tags for name in have)
    assert not any("background" in have or "xlink:href" in have for _, have in reader.tags)
    drawn = [have.get(name, "") for _, have in reader.tags for name in ("style", "fill", "stroke")]
    for style in (*reader.texts["style"], *drawn):
        assert "url(" not in style.replace("url(#", "")
        assert "@import" not in style
    levels = reader.headings
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    assert all(image.get("alt", "").strip() for image in reader.all("img"))
    assert all(have.get("scope") for have in reader.all("th"))
    names = [have["id"] for _, have in reader.tags if "id" in have]
    assert len(names) == len(set(names))
    links = [have["href"] for have in reader.all("a") if "href" in have]
    assert {link[1:] for link in links if link.startswith("#")} <= set(names)
    assert not any("script:" in link or link.startswith("data") for link in links)
    return reader


def written(report: Report) -> Reader:
    """The page of a report."""
    return check(report.path.read_text("utf-8"))


def shown(data: dict[str, Any], metadata: dict[str, Any] | None = None) -> Any:
    """An output."""
    return new_output("display_data", data=data, metadata=metadata or {})


def reported(folder: Path, *cells: Any) -> Report:
    """The report of a notebook of these cells."""
    nbformat.write(new_notebook(cells=list(cells)), folder / "one.ipynb")
    return write_report(folder / "one.ipynb", folder / "one.html")


def page(folder: Path, *cells: Any) -> tuple[str, tuple[str, ...]]:
    """The text of this report, and its notes."""
    report = reported(folder, *cells)
    text = report.path.read_text("utf-8")
    assert report.size == len(text.encode())
    return text, report.notes
