"""Lectures that people finish: as long as they say, and short enough for one sitting."""

import json
import re
from itertools import pairwise

import pytest

from tests.reading_time import Reading, prose, reading
from workbench.lab.reports.course_map import course_map
from workbench.lab.shelves import key, notebooks, shelf

MINUTES, WORDS, CELLS = 50, 2300, 62  # of a lecture, at most
LECTURES = [path for path in notebooks() if shelf(path) == "lectures"]


@pytest.mark.parametrize("path", notebooks(), ids=key)
def test_takes_as_long_as_it_says(path):
    found = reading(path)
    if shelf(path) == "lectures":
        assert found.minutes <= MINUTES
        assert found.words <= WORDS
        assert found.cells <= CELLS
    if shelf(path) in ("lectures", "projects") or key(path) == "00":
        assert found.claimed is not None, "its first cell says: About NN minutes to read"
        # readers with a pencil needed up to a quarter more than is counted
        assert -3 <= found.claimed - found.minutes <= 7, f"honestly {found.minutes:.0f} minutes"


MINUTE = {"half a": 30, "a": 60, "two": 120, "three": 180, "four": 240}  # seconds


@pytest.mark.parametrize("path", notebooks(), ids=key)
def test_it_ran_as_long_as_it_says(path):
    """When its outputs were made, on whatever machine: "under" leaves room for a slower one."""
    text = " ".join(prose(path)[0].split())
    said = re.search(r"runs in (about|under) (.+?) (second|minute)s?\b", text)
    for ran in map(int, re.findall(r" mode, (\d+) seconds", path.read_text("utf-8"))):
        how, count, unit = said.groups()
        limit = int(count) if unit == "second" else MINUTE[count]
        assert ran < limit if how == "under" else limit / 2 <= ran <= 2 * limit


def test_what_is_counted(tmp_path):
    path = tmp_path / "one.ipynb"
    cells = """[
      {"cell_type": "markdown", "source": ["# Why?\\n", "[two words](a.ipynb). About 20 minutes."]},
      {"cell_type": "code", "source": "x = 1\\n\\nassert x",
       "outputs": [{"data": {"image/png": ""}}]},
      {"cell_type": "code", "source": "wb.widgets.predict(exercise.Q)", "outputs": []},
      {"cell_type": "markdown", "source": "## Exercises"},
      {"cell_type": "markdown", "source": "not counted"}]"""
    path.write_text('{"cells": ' + cells + "}", "utf-8")
    assert reading(path) == Reading(cells=3, words=6, lines=3, asserts=1, figures=2, claimed=20)
    assert reading(path).minutes == pytest.approx(6 / 105 + 0.45 + 7 / 3)


def numbered(text, after):
    """The sentences of the numbered list that follows these words, whatever its line breaks."""
    block = re.split(r"^(?:#|\*\*)", text.partition(after)[2], flags=re.M)[0]
    return [" ".join(one.split()) for one in re.split(r"^\d\.\s", block, flags=re.M)[1:]]


@pytest.fixture(scope="module")
def sheets():
    """Sheets of the syllabus by the number of their lecture."""
    text = "\n".join(prose(next(path for path in notebooks() if path.stem == "syllabus")))
    starts = [
        (found[1], found.start()) for found in re.finditer(r"^### \[Lecture (\d\d)", text, re.M)
    ]
    return {one: text[a:b] for (one, a), (_, b) in pairwise([*starts, ("", len(text))])}


def test_the_syllabus_has_a_sheet_for_each_lecture(sheets):
    assert list(sheets) == [key(path) for path in LECTURES]


@pytest.mark.parametrize("path", LECTURES, ids=key)
def test_its_sheet_says_what_the_lecture_says(path, sheets):
    text, sheet = "\n".join(prose(path)), sheets[key(path)]
    title = prose(path)[0].splitlines()[0].removeprefix("# ")
    link = f"[Lecture {key(path)}: {title}](lectures/{path.name})"
    assert sheet.splitlines()[0] == f"### {link}"
    remember = numbered(text, "## To remember")
    assert len(remember) == 3
    assert numbered(sheet, "**To remember.**") == remember
    asked = re.findall(r"^- (.*\?)<br>\*(.*\S)\*$", sheet, re.M)
    assert len(asked) == sheet.count("\n- ") == 3  # each with the answer one hopes for


def test_the_map_in_start_here_is_of_today():
    start = next(path for path in notebooks() if key(path) == "00")
    cells = json.loads(start.read_text("utf-8"))["cells"]
    (cell,) = (cell for cell in cells if "course_map()" in "".join(cell["source"]))
    stored = cell["outputs"][0]["data"]
    assert "".join(stored["text/plain"]) == repr(course_map()), "run `make notebooks` for 00"
    on_shelves = {f"{shelf(path)}/{path.name}" for path in notebooks() if shelf(path)}
    on_shelves = {name for name in on_shelves if not name.startswith("solutions")}
    links = "".join(stored["text/html"])
    assert {name for name in on_shelves if f'href="{name}"' not in links} == set()


def test_every_column_of_a_table_is_headed_by_a_word():
    """A formula alone is no name for those who listen."""
    headed = re.compile(r"^(\|.+\|)\n\|[-:| ]+\|$", re.MULTILINE)
    texts = (text for path in notebooks() for text in prose(path))
    heads = [head for text in texts for row in headed.findall(text) for head in row.split("|")]
    assert len(heads) > 100
    assert [head for head in heads if re.fullmatch(r" *\$[^$]+\$ *", head)] == []


@pytest.mark.parametrize("path", LECTURES, ids=key)
def test_its_sections_are_numbered_without_a_gap(path):
    numbers = [int(k) for k in re.findall(r"^## (\d+) · ", "\n".join(prose(path)), re.M)]
    assert numbers == [*range(1, len(numbers) + 1)] != []
