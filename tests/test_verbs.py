"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

import pytest

from tests.verbs import GAMES, VERBS, kept, verdict

SMALL = ("Kuhn",)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in SMALL else pytest.mark.slow) for name in GAMES]
)
@pytest.mark.parametrize("verb", VERBS)
def test_it_works_or_says_why_not(name, verb):
    assert verdict(verb, name) == kept()[verb][name]


def test_the_table_is_of_these_games_and_verbs():
    """Kuhn can do everything."""
    cells = kept()
    assert [*cells] == [*VERBS]
    assert all([*row] == [*GAMES] and all(row.values()) for row in cells.values())
    assert {row[name] for row in cells.values() for name in SMALL} == {"✓"}
