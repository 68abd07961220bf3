"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

import pytest

from tests.verbs import GAMES, KEPT, REFUSED, VERBS, verdict

SLOW = [pytest.param(name, marks=[pytest.mark.slow] * (name != "Kuhn")) for name in GAMES]


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("verb", VERBS)
def test_it_works_or_says_why_not(name, verb):
    verdict(verb, name)


def test_the_table_is_of_these_games_and_verbs():
    """✓ where nothing is refused, and sentences with the words that are expected."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    games, _, *rows = [line.strip("| ").split(" | ") for line in lines if line[:1] == "|"]
    said = dict(line.split(". ", 1) for line in lines if line[:1].isdigit())
    assert games == [*GAMES]
    assert [verb for verb, *_ in rows] == [*VERBS]
    for verb, *row in rows:
        for name, cell in zip(GAMES, row, strict=True):
            assert REFUSED.get((verb, name), "✓") in said.get(cell, cell)
