"""Every verb answers on every game, or says in a sentence why it cannot (`tests/verbs.py`)."""

from __future__ import annotations

import pytest

from tests.verbs import GAMES, VERBS, game_called, tried

SMALL = ("Kuhn",)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in SMALL else pytest.mark.slow) for name in GAMES],
)
@pytest.mark.parametrize("verb", VERBS)
def test_it_works_or_says_why_not(name: str, verb: str) -> None:
    why = tried(verb, game_called(name))
    assert not (name in SMALL and why), why
