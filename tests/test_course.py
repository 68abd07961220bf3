"""Lectures that people finish: as long as they say, and short enough for one sitting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reading_time import Reading, reading
from workbench.lab.shelves import key, notebooks, shelf

MINUTES, WORDS, CELLS = 52, 2600, 62  # of a lecture, at most
TO_REWRITE = {  # shrinks to nothing
    "02", "04", "05", "06", "07", "08", "09", "10",
    "is-that-what-the-paper-says", "left-for-later",
}  # fmt: skip


@pytest.mark.parametrize("path", notebooks(), ids=key)
def test_takes_as_long_as_it_says(path: Path) -> None:
    if key(path) in TO_REWRITE:
        pytest.skip("not yet rewritten")
    found = reading(path)
    if shelf(path) == "lectures":
        assert found.minutes <= MINUTES
        assert found.words <= WORDS
        assert found.cells <= CELLS
    if shelf(path) in ("lectures", "projects") or key(path) == "00":
        assert found.claimed is not None, "its first cell says: About NN minutes to read"
        assert abs(found.claimed - found.minutes) <= 3, f"honestly {found.minutes:.0f} minutes"


def test_what_is_counted(tmp_path: Path) -> None:
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
    assert reading(path).minutes == pytest.approx(6 / 160 + 0.3 + 1.5)
