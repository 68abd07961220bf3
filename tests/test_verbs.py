"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

import pytest

from tests.verbs import GAMES, KEPT, REFUSED, VERBS, verdict
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
    verdict(*cell)


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
