"""The equilibria that the games' descriptions claim are equilibria, in exact arithmetic.

A claim "value v" holds if player 0's strategy wins at least v against every pure strategy of
player 1, and player 1's strategy loses at most v against every pure strategy of player 0.
"""

import itertools
from fractions import Fraction

import pytest

from tests.oracles import best_response_by_enumeration, expected_values, positions, uniform_policy
from workbench.games.registry import load_game
from workbench.rules import Decision


def value(rules, policy):
    return expected_values(rules, policy, exact=True)


def best_replies(rules, policy):
    """The most each player can win while the others play `policy`."""
    players = range(rules.players)
    return [best_response_by_enumeration(rules, policy, i, exact=True) for i in players]


def full(rules, probabilities):
    """A policy from {(player, seen): {action: "1/3"}}; actions left out have probability 0."""
    return {
        key: {action: Fraction(at.get(action, 0)) for action in node.actions}
        for _, node in positions(rules)
        if isinstance(node, Decision) and (at := probabilities[key := (node.player, node.seen)])
    }


def bets(card_and_betting):
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
    rules = load_game(name)
    policy = full(rules, probabilities)
    assert all(sum(at.values()) == 1 for at in policy.values())
    assert value(rules, policy) == best_replies(rules, policy) == [claimed, -claimed]


@pytest.mark.parametrize("name", ["biased_pennies", "smuggler", "kuhn", "figure1"])
def test_uniform_play_is_no_equilibrium(name):
    """A solver that only ever returns its starting point must not pass on these games."""
    rules = load_game(name)
    assert sum(best_replies(rules, uniform_policy(rules, exact=True))) > Fraction(1, 10)


def test_figure1_loses_when_nobody_sees_chance():
    """In the abstract game player 1 always plays l and player 2 makes that worth 0."""
    rules = load_game("figure1")
    blind = [dict(zip("lr", pair, strict=True)) for pair in itertools.product("xy", repeat=2)]

    def wins(first, reply):
        chosen = {
            (node.player, node.seen): {(first if node.player == 0 else reply[node.seen[1]]): 1}
            for _, node in positions(rules)
            if isinstance(node, Decision)
        }
        return value(rules, full(rules, chosen))[0]

    smallest = {first: min(wins(first, reply) for reply in blind) for first in "lr"}
    # A pure maximin that player 2's best pure reply to every move also attains is the value.
    assert max(smallest.values()) == 0
    assert min(max(wins(first, reply) for first in "lr") for reply in blind) == 0


# game, what everybody plays, what that is worth, what the best replies win
GENERAL_SUM = [
    ("prisoners_dilemma", {(i, ""): {"defect": 1} for i in (0, 1)}, [1, 1], [1, 1]),
    ("prisoners_dilemma", {(i, ""): {"cooperate": 1} for i in (0, 1)}, [3, 3], [5, 5]),
    (
        "bach_or_stravinsky",
        {(i, ""): {own: "2/3", other: "1/3"} for i, own, other in
         [(0, "bach", "stravinsky"), (1, "stravinsky", "bach")]},
        [Fraction(2, 3)] * 2, [Fraction(2, 3)] * 2,
    ),
    *[
        ("gift", {(0, "friend"): {a: 1}, (0, "joker"): {a: 1}, (1, "box"): {b: 1}}, worth, worth)
        for a, b, worth in [("give", "accept", [1, Fraction(1, 3)]), ("keep", "refuse", [0, 0])]
    ],
    ("odd_one_out", {(i, ""): dict.fromkeys(["heads", "tails"], "1/2") for i in range(3)},
     [0] * 3, [0] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "probabilities", "worth", "best"), GENERAL_SUM)
def test_general_sum_games(name, probabilities, worth, best):
    """Equilibria, where the best replies win no more; and one that is none."""
    rules = load_game(name)
    policy = full(rules, probabilities)
    assert value(rules, policy) == worth
    assert best_replies(rules, policy) == best
