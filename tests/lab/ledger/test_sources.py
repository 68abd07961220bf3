"""Numbers of data/published that no text prints are computed here a second time, another way.

By recursion on the rules, in fractions, without a compiled tree; the values of abstract games by
a linear program that is built from the same recursion.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from tests import oracles
from tests.conftest import ROOT
from workbench.games.leduc import Leduc
from workbench.lab.ledger.entries import list_entries, read_published
from workbench.lab.ledger.ledger import Published
from workbench.rules import Chance, Decision, Rules, Terminal

YEARS = 1950, 2005, 2007, 2009, 2011, 2012, 2013, 2015, 2018, 2021
GOLDEN = {line.item: line for line in read_published("leduc-golden")}
ABSTRACT = {line.item: line for line in read_published("leduc-abstract-values")}


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
def test_sizes_of_leduc(players):
    histories, sets = count(Leduc(players))
    assert prints(GOLDEN[f"{players}p histories"], histories)
    assert prints(GOLDEN[f"{players}p information sets"], sets)
    by_rank = count(Leduc(players, suit_isomorphism=True))[1]
    assert prints(GOLDEN[f"{players}p information sets by rank"], by_rank)


@PLAYERS
def test_uniform_play(players):
    rules = Leduc(players, suit_isomorphism=True)
    policy = oracles.uniform_policy(rules, exact=True)
    values = oracles.expected_values(rules, policy, exact=True)
    assert sum(values) == 0
    lines = [line for item, line in GOLDEN.items() if item.startswith(f"{players}p uniform value")]
    for line, value in zip(lines, values, strict=False):
        assert prints(line, value)
        assert not line.says or Fraction(line.says) == value
    assert len(lines) == (1 if players == 2 else 3)


def test_best_responses_to_uniform_play():
    rules = Leduc(suit_isomorphism=True)
    policy = oracles.uniform_policy(rules, exact=True)
    best = [oracles.best_response_value(rules, policy, player, exact=True) for player in (0, 1)]
    for player, value in enumerate(best, 1):
        line = GOLDEN[f"2p uniform best response of player {player}"]
        assert prints(line, value)
        assert Fraction(line.says) == value
    assert prints(GOLDEN["2p uniform NashConv"], sum(best))


def buckets(*groups: str) -> Callable[[Any], Any]:
    def label(seen: Any) -> Any:
        card, board, betting = seen
        paired = board[0] == card[0] if board else None
        return next(group for group in groups if card[0] in group), paired, betting

    return label


def game_value(rules: Rules, label: Callable[[Any], Any]) -> float:
    """Koller, Megiddo and von Stengel (1994): max v of player 2's root, s.t. Ex = e, A'x >= F'v.

    A sequence of a player is a number; `sets` says which sequences follow which one.
    """
    numbers: list[dict[Any, int]] = [{(): 0}, {(): 0}]
    sets: list[dict[Any, tuple[int, set[int]]]] = [{}, {}]  # label -> (before, sequences)
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def walk(state: Any, at: tuple[int, int], chance: float) -> None:
        node = rules.node(state)
        if isinstance(node, Terminal):
            payoff[at] += chance * node.payoffs[0]
        elif isinstance(node, Chance):
            for outcome, p in node.probabilities.items():
                walk(rules.next(state, outcome), at, chance * p)
        else:
            i, key = node.player, label(node.seen)
            before, after = sets[i].setdefault(key, (at[i], set()))
            assert before == at[i], "perfect recall"
            for action in node.actions:
                number = numbers[i].setdefault((key, action), len(numbers[i]))
                after.add(number)
                below = (number, at[1]) if i == 0 else (at[0], number)
                walk(rules.next(state, action), below, chance)

    walk(rules.start(), (0, 0), 1.0)
    size = [len(known) for known in numbers]
    flow = []  # (sets + 1, sequences): 1 at the root; what follows a sequence adds up to it
    for i in (0, 1):
        rows = np.zeros((len(sets[i]) + 1, size[i]))
        rows[0, 0] = 1
        for row, (before, after) in enumerate(sets[i].values(), 1):
            rows[row, before] = -1
            rows[row, list(after)] = 1
        flow.append(rows)
    wins = np.zeros(size)
    for at, amount in payoff.items():
        wins[at] = amount
    free = flow[1].shape[0]
    answer = linprog(
        np.r_[np.zeros(size[0]), -1.0, np.zeros(free - 1)],
        A_ub=np.hstack([-wins.T, flow[1].T]),
        b_ub=np.zeros(size[1]),
        A_eq=np.hstack([flow[0], np.zeros((flow[0].shape[0], free))]),
        b_eq=np.r_[1.0, np.zeros(flow[0].shape[0] - 1)],
        bounds=[(0, None)] * size[0] + [(None, None)] * free,
    )
    assert answer.success
    return float(-answer.fun)


@pytest.mark.parametrize(
    ("name", "groups"), [("JQ-K", ("JQ", "K")), ("J-QK", ("J", "QK")), ("J.Q.K", ("J", "Q", "K"))]
)
def test_values_of_abstract_leduc(name, groups):
    value = game_value(Leduc(suit_isomorphism=True), buckets(*groups))
    line = ABSTRACT[f"value of {name} to player 1"]
    assert abs(value - float(line.published)) <= line.precision + 1e-10


def test_value_of_leduc():
    value = game_value(Leduc(suit_isomorphism=True), lambda seen: seen)
    assert value == pytest.approx(float(GOLDEN["2p value to player 1"].published), abs=1e-9)


@pytest.mark.parametrize("name", list_entries())
def test_every_source_can_be_looked_up(name):
    """A text with its place in it, a file of OpenSpiel, or a test that is here."""
    for line in read_published(name):
        texts = (*(f"({year})" for year in YEARS), "OpenSpiel", "tests/")
        assert any(text in line.where for text in texts), line
        for word in line.where.replace(";", " ").split():
            if word.startswith("tests/"):
                assert (ROOT / word).is_file(), line
