"""The equilibria that the games' descriptions claim are equilibria, in exact arithmetic.

A claim "value v" holds if player 0's strategy wins at least v against every pure strategy of
player 1, and player 1's strategy loses at most v against every pure strategy of player 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from workbench.games.registry import load_game
from workbench.rules import Chance, Decision, Rules

Strategy = Callable[[int, Hashable, Hashable], Fraction]  # (player, seen, action) -> probability


def value(rules: Rules, strategy: Strategy) -> list[Fraction]:
    """What every player wins when all play `strategy`."""

    def below(state: Any) -> list[Fraction]:
        node = rules.node(state)
        if isinstance(node, Chance):
            weighted = [
                (Fraction(p).limit_denominator(1000), a) for a, p in node.probabilities.items()
            ]
        elif isinstance(node, Decision):
            weighted = [(Fraction(strategy(node.player, node.seen, a)), a) for a in node.actions]
        else:
            return [Fraction(payoff) for payoff in node.payoffs]
        assert sum(p for p, _ in weighted) == 1
        values = [[p * v for v in below(rules.next(state, a))] for p, a in weighted if p]
        return [sum(column, Fraction(0)) for column in zip(*values, strict=True)]

    return below(rules.start())


def pure_strategies(rules: Rules, player: int) -> Iterator[dict[Hashable, Hashable]]:
    """Every way of fixing one action in each information set of a player."""
    offered: dict[Hashable, Any] = {}
    stack = [rules.start()]
    while stack:
        state = stack.pop()
        node = rules.node(state)
        moves = getattr(node, "actions", None) or getattr(node, "probabilities", ())
        if isinstance(node, Decision) and node.player == player:
            offered[node.seen] = node.actions
        stack.extend(rules.next(state, move) for move in moves)
    for actions in itertools.product(*offered.values()):
        yield dict(zip(offered, actions, strict=True))


def best_reply(rules: Rules, strategy: Strategy, player: int) -> Fraction:
    """The most `player` can win while the others play `strategy`."""

    def value_of(pure: dict[Hashable, Hashable]) -> Fraction:
        def mixed(who: int, seen: Hashable, action: Hashable) -> Fraction:
            return Fraction(pure[seen] == action) if who == player else strategy(who, seen, action)

        return value(rules, mixed)[player]

    return max(value_of(pure) for pure in pure_strategies(rules, player))


def table(probabilities: dict[tuple[int, Hashable], dict[str, str | int]]) -> Strategy:
    """A strategy from {(player, seen): {action: "1/3"}}; actions left out have probability 0."""
    return lambda player, seen, action: Fraction(probabilities[player, seen].get(action, 0))


def bets(card_and_betting: dict[tuple[str, str], str | int]) -> dict[Any, Any]:
    return {
        (len(betting) % 2, (card, betting)): {"b": p, "p": 1 - Fraction(p)}
        for (card, betting), p in card_and_betting.items()
    }


EQUILIBRIA = {
    "kuhn": (  # Kuhn (1950): the bluffing frequency 1/3 is one of many
        Fraction(-1, 18),
        bets(
            {("J", ""): "1/3", ("Q", ""): 0, ("K", ""): 1}
            | {("J", "pb"): 0, ("Q", "pb"): "2/3", ("K", "pb"): 1}
            | {("J", "p"): "1/3", ("Q", "p"): 0, ("K", "p"): 1}
            | {("J", "b"): 0, ("Q", "b"): "1/3", ("K", "b"): 1}
        ),
    ),
    "rock_paper_scissors": (
        Fraction(0),
        {(i, ""): dict.fromkeys(["rock", "paper", "scissors"], "1/3") for i in (0, 1)},
    ),
    "biased_pennies": (
        Fraction(1, 7),
        {(0, ""): {"heads": "2/7", "tails": "5/7"}, (1, ""): {"heads": "3/7", "tails": "4/7"}},
    ),
    "smuggler": (
        Fraction(8, 5),
        {(0, ""): {"coast": "3/5", "road": "2/5"}, (1, ""): {"coast": "1/5", "village": "4/5"}},
    ),
    "bluff": (
        Fraction(1, 3),
        {
            (0, "ace"): {"bet": 1},
            (0, "king"): {"bet": "1/3", "fold": "2/3"},
            (1, "bet"): {"call": "2/3", "fold": "1/3"},
        },
    ),
    "figure1": (
        Fraction(2, 9),
        {
            (0, "a"): {"l": "8/9", "r": "1/9"},
            (0, "b or c"): {"l": "4/9", "r": "5/9"},
            (1, ("a or b", "l")): {"x": "1/3", "y": "2/3"},
            (1, ("a or b", "r")): {"x": "2/3", "y": "1/3"},
            (1, ("c", "l")): {"x": 1},
            (1, ("c", "r")): {"y": 1},
        },
    ),
}


@pytest.mark.parametrize("name", sorted(EQUILIBRIA))
def test_zero_sum_equilibrium(name):
    claimed, probabilities = EQUILIBRIA[name]
    rules, strategy = load_game(name), table(probabilities)
    assert value(rules, strategy) == [claimed, -claimed]
    assert best_reply(rules, strategy, 0) == claimed
    assert best_reply(rules, strategy, 1) == -claimed


@pytest.mark.parametrize("name", ["biased_pennies", "smuggler", "kuhn", "figure1"])
def test_uniform_play_is_no_equilibrium(name):
    """A solver that only ever returns its starting point must not pass on these games."""
    rules = load_game(name)
    sizes = {"smuggler": {0: 2, 1: 3}}.get(name, {0: 2, 1: 2})
    gap = sum(best_reply(rules, lambda who, *_: Fraction(1, sizes[who]), i) for i in (0, 1))
    assert gap > Fraction(1, 10)


def test_figure1_loses_when_nobody_sees_chance():
    """In the abstract game player 1 always plays l and player 2 makes that worth 0."""
    rules = load_game("figure1")
    blind = [dict(zip("lr", pair, strict=True)) for pair in itertools.product("xy", repeat=2)]

    def wins(first: str, reply: dict[str, str]) -> Fraction:
        def strategy(player: int, seen: Hashable, action: Hashable) -> Fraction:
            chosen = first if player == 0 else reply[seen[1]]
            return Fraction(chosen == action)

        return value(rules, strategy)[0]

    smallest = {first: min(wins(first, reply) for reply in blind) for first in "lr"}
    # A pure maximin that player 2's best pure reply to every move also attains is the value.
    assert max(smallest.values()) == 0
    assert min(max(wins(first, reply) for first in "lr") for reply in blind) == 0


def test_general_sum_equilibria():
    dilemma = load_game("prisoners_dilemma")
    defect = table({(i, ""): {"defect": 1} for i in (0, 1)})
    cooperate = table({(i, ""): {"cooperate": 1} for i in (0, 1)})
    assert value(dilemma, defect) == [1, 1]
    assert [best_reply(dilemma, defect, i) for i in (0, 1)] == [1, 1]
    assert value(dilemma, cooperate) == [3, 3]
    assert [best_reply(dilemma, cooperate, i) for i in (0, 1)] == [5, 5]

    concert = load_game("bach_or_stravinsky")
    mixed = table(
        {
            (0, ""): {"bach": "2/3", "stravinsky": "1/3"},
            (1, ""): {"bach": "1/3", "stravinsky": "2/3"},
        }
    )
    assert value(concert, mixed) == [Fraction(2, 3)] * 2
    assert [best_reply(concert, mixed, i) for i in (0, 1)] == [Fraction(2, 3)] * 2


def test_gift_has_two_equilibria():
    gift = load_game("gift")
    give, keep = (
        table({(0, "friend"): {first: 1}, (0, "joker"): {first: 1}, (1, "box"): {second: 1}})
        for first, second in [("give", "accept"), ("keep", "refuse")]
    )
    assert value(gift, give) == [1, Fraction(1, 3)]
    assert value(gift, keep) == [0, 0]
    for strategy in (give, keep):
        for player in (0, 1):
            assert best_reply(gift, strategy, player) == value(gift, strategy)[player]


def test_three_fair_coins_are_an_equilibrium():
    odd = load_game("odd_one_out")
    fair: Strategy = lambda *_: Fraction(1, 2)  # noqa: E731
    assert value(odd, fair) == [0, 0, 0]
    assert [best_reply(odd, fair, i) for i in range(3)] == [0, 0, 0]
