"""Bets mapped: formulas by hand, the identity, a twin that plays from what it has in mind."""

from math import inf, sqrt

import numpy as np
import pytest

import workbench as wb
from tests.random_games import random_strategy
from workbench.abstraction.bets import MAPPINGS, BetSizes
from workbench.rules import Chance, Decision, Terminal

KUHN = wb.load_game("no_limit_kuhn", stack=9)
LEDUC = wb.load_game("no_limit_leduc", stack=6)


# ---- the formulas --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # f(1, 4, 2), f(1/2, 1, 3/4), f(0, 1, 1/4), by pencil
        ("nearest", (1, 0, 1)),
        ("geometric", (0, 0, 0)),
        ("randomized geometric", (1 * 6 * 2 / (3 * 8), 0.5 * 1.75 * 0.25 / (0.5 * 1.0625), 0)),
        ("pseudo-harmonic", (2 * 2 / (3 * 3), 0.25 * 1.5 / (0.5 * 1.75), 0.6)),
    ],
)
def test_formulas(name, expected):
    f = MAPPINGS[name]
    found = [f(1, 4, 2), f(0.5, 1, 0.75), f(0, 1, 0.25)]
    assert found == pytest.approx(list(expected))
    assert f(1, 4, 1) == 1
    assert f(1, 4, 4) == 0
    if name != "nearest":
        assert f(1, 4, 1.999) >= 0.5 - 0.07 * (name == "pseudo-harmonic")


def test_published_values():
    """Ganzfried & Sandholm (2013), table 1: B = 1, x = 0.25, and the medians of their text."""
    lows = [0.001, 0.01, 0.05, 0.1]
    tartanian, harmonic = MAPPINGS["randomized geometric"], MAPPINGS["pseudo-harmonic"]
    assert [round(tartanian(a, 1, 0.25), 3) for a in lows] == [0.015, 0.131, 0.439, 0.641]
    assert [round(harmonic(a, 1, 0.25), 3) for a in lows] == [0.601, 0.612, 0.663, 0.733]
    assert tartanian(0.3, 1.2, sqrt(0.36)) == pytest.approx(0.5)
    assert harmonic(0.3, 1.2, (0.3 + 1.2 + 0.72) / 3.5) == pytest.approx(0.5)


def test_hearing():
    bets = BetSizes(["pot", "all-in"])
    real, listed = (-1.0, 0.0, 0.25, 1.0, 2.0, 3.0), (-1.0, 0.0, 1.0, 4.0)
    heard = bets.hear(real, listed, 4.0)
    assert heard[:2] == [(0, 0, 1.0), (1, 1, 1.0)]  # fold and call are what they are
    assert heard[2:4] == [(2, 1, pytest.approx(0.6)), (2, 2, pytest.approx(0.4))]
    assert heard[4] == (3, 2, 1.0)  # a bet of the list
    assert heard[5:7] == [(4, 2, pytest.approx(4 / 9)), (4, 3, pytest.approx(5 / 9))]
    assert heard[7] == (5, 3, 1.0)  # all-in is all-in, though 3 is no 4
    assert bets.hear((0.0, 5.0, 7.0), (0.0, 1.0), inf)[1:] == [(1, 1, 1.0), (2, 1, 1.0)]


# ---- which bets are allowed ----------------------------------------------------------


def test_allowed_bets():
    tree = wb.compile_game(KUHN)

    def at(sizes, seen):
        coarse = wb.abstract(tree, BetSizes(sizes)).coarse
        return coarse.actions_at(coarse.find_infoset(seen))

    assert at(["pot", "all-in"], ("Q", "")) == ("c", "r3", "r9")
    assert at(["half pot", 2], ("Q", "")) == ("c", "r2", "r5")
    assert at([0.7], ("Q", "")) == ("c", "r2")  # the nearer chip
    assert at([50], ("Q", "")) == ("c", "r9")  # there is no more
    assert at([], ("Q", "")) == ("c",)
    assert at("pot", ("Q", "r3")) == ("f", "c", "r9")  # the pot after the call is 6
    only_two = BetSizes(lambda player, seen, action: action == "r2" and not player)
    coarse = wb.abstract(tree, only_two).coarse
    assert set(coarse.actions) == {"f", "c", "r2"}


def test_repr_is_code():
    bets = BetSizes(["half pot", 2, "all-in"], mapping="geometric")
    assert eval(repr(bets)) == bets
    assert bets.name == "half pot, 2, all-in; geometric"


# ---- lifting -------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [KUHN, wb.load_game("no_limit_leduc", stack=5)])
@pytest.mark.parametrize("mapping", MAPPINGS)
def test_with_all_bets_it_is_the_identity(rules, mapping):
    tree = wb.compile_game(rules)
    ab = wb.abstract(tree, BetSizes(lambda player, seen, action: True, mapping))
    sigma = random_strategy(ab.coarse, 3)
    assert ab.uncovered == 0
    assert np.abs(ab.lift(sigma).probs - sigma.probs).max() < 1e-12


class Mapper:
    """Somebody who plays from a state in mind, in plain recursion, without a tree or weights."""

    def __init__(self, rules, sigma, bets):
        self.rules, self.sigma, self.f = rules, sigma, MAPPINGS[bets.mapping]

    def size(self, node, action):
        high = max(self.rules.follow(node.seen[-1]).paid)
        return (int(action[1:]) - high) / (2 * high)

    def bets(self, node):
        return [action for action in node.actions if action[0] == "r"]

    def plays(self, state, mind, player):
        """Real action, next state in mind, probability."""
        here, there = self.rules.node(state), self.rules.node(mind)
        if not isinstance(there, Decision) or there.player != player:
            return [("c", mind, 1.0)]
        found = []
        for thought, p in self.sigma.at(there.seen, player).items():
            action, legal = thought, self.bets(here)
            if thought[0] == "r":
                wanted = self.size(there, thought)
                if not legal:
                    action = "c"
                elif thought == self.bets(there)[-1]:
                    action = legal[-1]
                else:
                    action = min(legal, key=lambda one: abs(self.size(here, one) - wanted))
            found.append((action, self.rules.next(mind, thought), p))
        return found

    def hears(self, state, mind, action):
        """Next state in mind, probability."""
        here, there = self.rules.node(state), self.rules.node(mind)
        if not isinstance(there, Decision) or there.player != here.player:
            return [(mind, 1.0)]
        if action in ("f", "c"):
            return [(self.rules.next(mind, action), 1.0)]
        coarse = self.sigma.tree
        listed = coarse.actions_at(coarse.find_infoset(there.seen, there.player))
        sizes = {"c": 0.0} | {one: self.size(there, one) for one in listed if one[0] == "r"}
        x, last = self.size(here, action), max(sizes, key=sizes.__getitem__)
        if action == self.bets(here)[-1] and self.bets(there) and last == self.bets(there)[-1]:
            return [(self.rules.next(mind, last), 1.0)]
        low = max((one for one in sizes if sizes[one] <= x), key=sizes.__getitem__)
        if low == last or sizes[low] == x:
            return [(self.rules.next(mind, low), 1.0)]
        high = min((one for one in sizes if sizes[one] > x), key=sizes.__getitem__)
        part = self.f(sizes[low], sizes[high], x)
        return [(self.rules.next(mind, low), part), (self.rules.next(mind, high), 1 - part)]


def naive_value(mapper, other, player):
    """What the mapper wins in this seat against somebody of the full game."""
    rules = mapper.rules

    def value(state, mind):
        node = rules.node(state)
        if isinstance(node, Terminal):
            return float(node.payoffs[player])
        if isinstance(node, Chance):
            along = isinstance(rules.node(mind), Chance)
            return sum(
                p * value(rules.next(state, card), rules.next(mind, card) if along else mind)
                for card, p in node.probabilities.items()
            )
        if node.player == player:
            moves = mapper.plays(state, mind, player)
            return sum(p * value(rules.next(state, a), after) for a, after, p in moves if p)
        total = 0.0
        for action, p in other.at(node.seen, node.player).items():
            for after, heard in mapper.hears(state, mind, action) if p else ():
                total += p * heard * value(rules.next(state, action), after)
        return total

    return value(rules.start(), rules.start())


@pytest.mark.parametrize("sizes", [("pot",), ("half pot", "all-in"), (0.25, 2)], ids=str)
@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("rules", [KUHN, wb.load_game("no_limit_leduc", stack=5)], ids=str)
def test_the_lifted_strategy_plays_like_its_twin(rules, mapping, sizes):
    tree, bets = wb.compile_game(rules), BetSizes(sizes, mapping)
    ab = wb.abstract(tree, bets)
    sigma, other = random_strategy(ab.coarse, 1), random_strategy(tree, 2)
    lifted, mapper = ab.lift(sigma), Mapper(rules, sigma, bets)
    found = [wb.expected_values([lifted, other])[0], wb.expected_values([other, lifted])[1]]
    expected = [naive_value(mapper, other, player) for player in (0, 1)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_one_player_may_map_alone():
    """Whoever may bet anything herself hears every bet as it is."""
    tree = wb.compile_game(KUHN)
    ab = wb.abstract(tree, BetSizes(["pot", "all-in"], "nearest"), players=0)
    run = wb.solve(ab.coarse, "lp")
    gains = wb.gains(ab.lift(run.strategy))
    assert gains[0] >= -1e-9  # what seat 1 may still win by bets that she has not listed
    assert gains[1] == pytest.approx(0, abs=1e-9)


def test_after_cards_are_merged():
    """Whoever looks at no card maps bets as if there were none to forget."""
    tree, bets = wb.compile_game(LEDUC), BetSizes(["pot", "all-in"])
    merged = wb.abstract(tree, wb.abstraction.chain(wb.abstraction.merge_cards("JQ", "K"), bets))
    alone = wb.abstract(tree, bets)
    assert merged.coarse.num_infosets < alone.coarse.num_infosets == 168
    lifted = [ab.lift(wb.Strategy.uniform(ab.coarse)).probs for ab in (merged, alone)]
    assert np.abs(lifted[0] - lifted[1]).max() < 1e-12


def test_solve_takes_it_and_runs_differ_by_mapping():
    runs = [
        wb.solve(KUHN, "lp", abstraction=BetSizes(["pot", "all-in"], mapping))
        for mapping in MAPPINGS
    ]
    assert len({run.run_id for run in runs}) == 4
    assert all(run.abstract_exploitability == pytest.approx(0, abs=1e-9) for run in runs)
    assert min(run.exploitability for run in runs) > 0.01
