"""The Leduc rule sets merge exactly what their names say, on the suited and the merged game."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.games.leduc import Leduc
from workbench.rules import Chance, Decision

LEDUC_ABSTRACTIONS = Leduc().abstractions


def decisions(rules: Leduc) -> set[tuple[int, Any, tuple[str, ...]]]:
    """Every (player, seen, actions) of a game."""
    found, stack = set(), [rules.start()]
    while stack:
        state = stack.pop()
        node = rules.node(state)
        if isinstance(node, Chance):
            stack.extend(rules.next(state, outcome) for outcome in node.probabilities)
        elif isinstance(node, Decision):
            found.add((node.player, node.seen, tuple(node.actions)))
            stack.extend(rules.next(state, action) for action in node.actions)
    return found


@pytest.fixture(scope="module")
def games() -> dict[tuple[int, bool], set[tuple[int, Any, tuple[str, ...]]]]:
    return {
        (2, False): decisions(Leduc()),
        (2, True): decisions(Leduc(suit_isomorphism=True)),
        (3, True): decisions(Leduc(players=3, suit_isomorphism=True)),
    }


# Gibson and Szafron (2011), Table 1: 132 and 1,890; null 468 = 6 * 3 + 30 * 3 * 5.
COUNTS = [
    ("null", 2, False, 468),
    ("null", 2, True, 288),
    ("null", 3, True, 4203),
    *[(name, 2, merged, 132) for name in ("JQ-K", "J-QK", "JQ.K", "J.QK") for merged in (0, 1)],
    *[(name, 3, True, 1890) for name in ("JQ-K", "J-QK", "JQ.K", "J.QK")],
    ("J.Q.K", 2, False, 198),
    ("J.Q.K", 2, True, 198),
    ("J.Q.K", 3, True, 2835),
]


@pytest.mark.parametrize(("name", "players", "merged", "expected"), COUNTS)
def test_number_of_information_sets(games, name, players, merged, expected):
    rule = LEDUC_ABSTRACTIONS[name]
    labels = {(player, rule(player, seen, acts)) for player, seen, acts in games[players, merged]}
    assert len(labels) == expected


@pytest.mark.parametrize("name", sorted(LEDUC_ABSTRACTIONS))
def test_only_sets_with_the_same_actions_are_merged(games, name):
    rule = LEDUC_ABSTRACTIONS[name]
    for found in games.values():
        offered: dict[Any, tuple[str, ...]] = {}
        for player, seen, actions in found:
            assert offered.setdefault((player, rule(player, seen, actions)), actions) == actions


@pytest.mark.parametrize("name", sorted(LEDUC_ABSTRACTIONS))
def test_suits_of_the_private_card_are_forgotten(name):
    rule = LEDUC_ABSTRACTIONS[name]
    for first, second in [("", ""), ("Q♥", "Q♠"), ("K♠", "K♠"), ("K♥", "K♥")]:
        assert rule(0, ("Q♠", first, "cc/"), ()) == rule(0, ("Q♥", second, "cc/"), ())


def test_jacks_and_queens_are_alike_only_where_the_name_says_so():
    def same(name: str, first: str, second: str, board: str) -> bool:
        rule = LEDUC_ABSTRACTIONS[name]
        return rule(0, (first, board, "cc/"), ()) == rule(0, (second, board, "cc/"), ())

    assert same("JQ-K", "J", "Q", "K")
    assert not same("JQ-K", "Q", "K", "J")
    assert same("J-QK", "Q", "K", "J")
    assert not same("J-QK", "J", "Q", "K")
    assert not same("JQ-K", "J", "Q", "Q"), "a pair is never merged with no pair"
    assert not same("J.Q.K", "J", "Q", "K")


def test_the_papers_abstractions_belong_to_their_deck():
    assert list(Leduc(ranks=4).abstractions) == ["null"]
    assert list(Leduc(players=3).abstractions) == list(LEDUC_ABSTRACTIONS)
    assert LEDUC_ABSTRACTIONS["null"](0, ("A♠", "", ""), ("c", "r")) == ("A", "", "")
