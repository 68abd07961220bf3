"""Reasons are claims: what a check quotes is said, and something is asserted about it."""

import json

import pytest

from tests import reasons as script
from tests.reasons import CLAIMS, quoted, reasons, sentences
from workbench.lab.shelves import key, notebooks

NOTEBOOKS = notebooks()
CHECKED = 200  # at least so many causal sentences of the course have a check


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[key(path) for path in NOTEBOOKS])
def test_quoted_words_stand_in_a_causal_sentence_and_are_checked(path):
    checks = quoted(CLAIMS / f"{key(path)}.py")
    said = {words for one in reasons(path) for words in one.checks}
    assert set(checks) - said == set(), "no causal sentence of the notebook says this"
    assert [words for words, asserts in checks.items() if not asserts] == []


def test_so_many_are_checked():
    assert sum(bool(one.checks) for path in NOTEBOOKS for one in reasons(path)) >= CHECKED


def test_what_is_causal(tmp_path, monkeypatch):
    monkeypatch.setattr(script, "CLAIMS", tmp_path)
    text = """She folds *because* the King is [dear](x.html). It pays, so she calls.
So far so good; perhaps it works because of luck. That is why it ends:
- so many cards, all alike

Thus it ends."""
    cells = [{"cell_type": "markdown", "source": text}, {"cell_type": "code", "source": "so = 1"}]
    path = tmp_path / "01-x.ipynb"
    path.write_text(json.dumps({"cells": cells}), "utf-8")
    (tmp_path / "01.py").write_text(
        "# because: the King is dear\nassert 1\n\nassert 2\n# other\nassert 3\n"
        "# because: nobody says this\n",
        "utf-8",
    )
    assert quoted(tmp_path / "01.py") == {"the King is dear": 2, "nobody says this": 0}
    assert [(one.sentence, one.guess, one.checks) for one in reasons(path)] == [
        ("She folds because the King is dear.", False, ("the King is dear",)),
        ("It pays, so she calls.", False, ()),
        ("So far so good; perhaps it works because of luck.", True, ()),
        ("That is why it ends:", False, ()),
        ("Thus it ends.", False, ()),
    ]
    assert "so many cards, all alike" in sentences(path)[-2]
