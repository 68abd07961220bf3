"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.verbs import GAMES, VERBS, game_called, tried

SMALL = ("Kuhn",)
CELLS = [
    pytest.param(name, verb, marks=[] if name in SMALL else pytest.mark.slow)
    for name in GAMES
    for verb in VERBS
]


def table() -> dict[tuple[str, str], str]:
    """(game, verb) -> ✓, or the number of a reason, as the documentation has them."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    first = next(k for k, row in enumerate(rows) if row[0] == "verb")
    names = rows[first][1:]
    return {
        (name, row[0]): cell
        for row in rows[first + 2 :]
        for name, cell in zip(names, row[1:], strict=True)
    }


@pytest.mark.parametrize(("name", "verb"), CELLS)
def test_it_works_or_says_why_not(name: str, verb: str) -> None:
    why = tried(verb, game_called(name))
    assert (not why) == (table()[name, verb] == "✓"), why


def test_no_cell_of_the_documentation_is_empty() -> None:
    cells = table()
    assert {*cells} == {(name, verb) for name in GAMES for verb in VERBS}
    assert all(cells.values())
