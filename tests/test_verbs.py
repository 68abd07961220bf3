"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

import pytest

from tests.verbs import GAMES, KEPT, REFUSED, VERBS, kept, verdict, written
from workbench.poker.buckets import joint_buckets

FAST = {(verb, "Kuhn") for verb in VERBS}
FAST |= {cell for cell in REFUSED if cell[1] in ("Leduc, three players", "Hold'em")}


@pytest.mark.parametrize(
    "cell",
    [
        pytest.param(cell, marks=[] if cell in FAST else pytest.mark.slow, id=" on ".join(cell))
        for cell in ((verb, name) for name in GAMES for verb in VERBS)
    ],
)
def test_it_works_or_says_why_not(cell, monkeypatch):
    if cell in REFUSED:  # so few boards say nothing else
        monkeypatch.setattr(joint_buckets, "EVERY", (512, 512))
    assert verdict(*cell) == kept()[cell[0]][cell[1]]


def test_the_table_is_of_these_games_and_verbs():
    """✓ where nothing is refused, and sentences with the words that are expected."""
    assert written(kept()) == KEPT.read_text(encoding="utf-8")
    assert [*kept()] == [*VERBS]
    for verb, row in kept().items():
        assert [*row] == [*GAMES]
        assert all(REFUSED.get((verb, name), "✓") in row[name] for name in GAMES)
