"""Numbers of data/published that no text prints are computed here a second time, another way.

By recursion on the rules, in fractions, without a compiled tree; the values of abstract games by
a linear program that is built from the same recursion.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests import oracles
from tests.conftest import ROOT
from workbench.games.leduc import Leduc
from workbench.lab.ledger.entries import list_entries, read_published
from workbench.lab.ledger.ledger import Published
from workbench.rules import Decision, Rules

GOLDEN = {line.item: line for line in read_published("leduc-golden")}


def prints(line: Published, number: Any) -> bool:
    """Is it the printed number, to the last printed digit?"""
    return bool(abs(float(number) - float(line.published)) <= line.precision)


def count(rules: Rules) -> tuple[int, int]:
    """Histories and information sets."""
    nodes = [node for _, node in oracles.positions(rules)]
    seen = {(node.player, node.seen) for node in nodes if isinstance(node, Decision)}
    return len(nodes), len(seen)


PLAYERS = pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.slow)])


@PLAYERS
def test_uniform_play(players: int) -> None:
    rules = Leduc(players, suit_isomorphism=True)
    policy = oracles.uniform_policy(rules, exact=True)
    values = oracles.expected_values(rules, policy, exact=True)
    assert sum(values) == 0
    lines = [line for item, line in GOLDEN.items() if item.startswith(f"{players}p uniform value")]
    for line, value in zip(lines, values, strict=False):
        assert prints(line, value)
        assert not line.says or Fraction(line.says) == value
    assert len(lines) == (1 if players == 2 else 3)


def test_best_responses_to_uniform_play() -> None:
    rules = Leduc(suit_isomorphism=True)
    policy = oracles.uniform_policy(rules, exact=True)
    best = [oracles.best_response_value(rules, policy, player, exact=True) for player in (0, 1)]
    for player, value in enumerate(best, 1):
        line = GOLDEN[f"2p uniform best response of player {player}"]
        assert prints(line, value)
        assert Fraction(line.says) == value
    assert prints(GOLDEN["2p uniform NashConv"], sum(best))


# ---- a linear program from the definition ----------------------------------------------


@pytest.mark.parametrize("name", list_entries())
def test_every_source_can_be_looked_up(name: str) -> None:
    """A text with its place in it, a file of OpenSpiel, or a test that is here."""
    for line in read_published(name):
        texts = ("(2009)", "(2011)", "(2021)", "(1950)", "OpenSpiel", "tests/")
        assert any(text in line.where for text in texts), line
        for word in line.where.replace(";", " ").split():
            if word.startswith("tests/"):
                assert (ROOT / word).is_file(), line
