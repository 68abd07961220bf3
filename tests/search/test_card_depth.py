"""A search at a card table that stops where the round ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards
from workbench.poker.search.endgame import part_after
from workbench.poker.search.leaves import biased, cut_off
from workbench.search.public import below
from workbench.search.searcher import _Seat
from workbench.tree import CHANCE

SMALL = wb.load_game("rhode_island", ranks=3, suits=2)


def trained(rules: Any, iterations: int) -> Any:
    game = rules.public_game()
    return game.average(game.advance(wb.solvers.CFRPlus(), game.start_state(), iterations))


@pytest.mark.parametrize("depth", [1, 2])
def test_leaves_are_worth_what_the_rest_is_worth(depth: int) -> None:
    """Any play of the first rounds, whatever both come with: with one way to go on, each hand wins
    what it wins in the whole game."""
    sigma, rng = trained(SMALL, 20), np.random.default_rng(0)
    for first in range(3 - depth):
        whole = part_after(sigma, first, None, 0, 1e-6)
        plan = whole.plan_of(sigma)
        for seat, ways in ((0, 1), (1, 4)):
            part = cut_off(whole, depth, seat, sigma, [biased(sigma, "")] * ways)
            some = rng.random(part.walk.num_choices)
            both, start = np.append(some, plan[len(some) :]), rng.random(whole.start[0].shape)
            for player in (0, 1):
                exact = whole.answer(player, both, both, start)
                found = part.answer(player, some, some, start)
                np.testing.assert_allclose(found, exact, atol=1e-12)


def at_the_end_of_a_round(seat: Any, roots: Any, depth: int) -> Any:
    game = seat.mind.game
    deals = (game.player == CHANCE) & (np.diff(game.first_child) > 1)
    inside = below(game, roots, np.zeros(game.num_histories, np.bool_))
    closed = np.zeros(game.num_histories, np.bool_)
    closed[inside] = deals[inside]
    return closed


def on_the_tree(searcher: Any) -> wb.Strategy:
    """A searcher of a tree who thinks where each round begins."""
    mind, seats = searcher._mind, []
    game = mind.game
    begins = np.zeros(game.num_histories, np.bool_)
    deals = (game.player == CHANCE) & (np.diff(game.first_child) > 1)
    begins[1:] = deals[game.parent[1:]] & (game.player[1:] >= 0)
    for seat in mind.seats:
        for state in dict.fromkeys(mind.state[begins].tolist()):
            seat._remember(seat._think(mind.roots(state), False))
        seats.append(wb.Strategy(mind.full, seat.plan[mind.number]))
    return wb.seated(seats)


@pytest.mark.parametrize(
    ("leaves", "safe"),
    [("biased", True), ("biased", False), ("others", True), ("blueprint", False)],
)
def test_cards_and_trees_give_the_same_answer(monkeypatch: Any, leaves: str, safe: bool) -> None:
    """Leduc by both engines, cut at the same place: the same strategy after as many iterations, up
    to ties, and the same exploitability."""
    monkeypatch.setattr(_Seat, "_cut", at_the_end_of_a_round)
    tree, sigma, other = wb.compile_game(wb.load_game("leduc")), *(
        trained(LeducCards(), k) for k in (20, 3)
    )  # fmt: skip

    def as_tree(one: Any) -> wb.Strategy:
        return wb.Strategy.from_function(tree, one.probabilities)

    how: dict[str, Any] = {"depth": 1, "safe": safe, "iterations": 100}
    ways: Any = {"as it is": sigma, "worse": other} if leaves == "others" else leaves
    found = as_tree(wb.search.Searcher(sigma, leaves=ways, **how).strategy())
    if leaves == "others":
        ways = {name: as_tree(one) for name, one in ways.items()}
    twin = on_the_tree(wb.search.Searcher(as_tree(sigma), leaves=ways, **how))
    assert wb.exploitability(found) == pytest.approx(wb.exploitability(twin), abs=1e-3)
    assert np.abs(found.probs - twin.probs).mean() < 0.002


def test_one_continuation_spoils_a_blueprint_and_several_repair_most_of_it() -> None:
    """As on trees. 300 iterations from an equilibrium (0.006 chips, antes are 5) come to 1.10 with
    one continuation and to 0.25 with four; those who trust their beliefs to 3.7 and 2.9."""
    blueprint = wb.solve(SMALL, "cfr+", iterations=1000, progress=False).strategy
    one, four, trusting = (
        wb.exploitability(wb.search.Searcher(blueprint, depth=1, **how).strategy())
        for how in ({"leaves": "blueprint"}, {"leaves": "biased"}, {"safe": False})
    )
    assert wb.exploitability(blueprint) < 0.01
    assert four < 0.3 < 1.0 < one < trusting
    same = {str(k): blueprint for k in range(4)}  # four, but there is nothing to choose
    alike = wb.search.Searcher(blueprint, depth=1, leaves=same).strategy()
    assert wb.exploitability(alike) == pytest.approx(one, abs=0.3)


@pytest.mark.slow
def test_the_same_with_four_ranks_and_from_the_second_round_on() -> None:
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    blueprint = wb.solve(rules, "cfr+", iterations=1000, progress=False).strategy
    for when in (0, 1):
        one, four, trusting = (
            wb.exploitability(wb.search.Searcher(blueprint, depth=1, when=when, **how).strategy())
            for how in ({"leaves": "blueprint"}, {"leaves": "biased"}, {"safe": False})
        )
        assert four < one < trusting


@pytest.mark.parametrize("safe", [True, False])
def test_one_hand_at_a_time_is_all_hands_at_once(safe: bool) -> None:
    """Each thought begins with the beliefs that the one before has led to."""
    blueprint = trained(SMALL, 30)
    searcher = wb.search.Searcher(blueprint, depth=1, safe=safe, iterations=20)
    whole = searcher.strategy()
    for player, seen, actions in (
        (0, ("A♥", "", ""), ("c", "r")),
        (1, ("Q♥", "A♥", "rc/r"), ("f", "c", "r")),
        (0, ("K♥", "A♥ A♠", "rc/cc/cr"), ("f", "c", "r")),
    ):
        known = whole.at(seen)
        answer = searcher.probabilities(player, seen, actions)
        assert answer == pytest.approx([known[action] for action in actions], abs=1e-6)
        assert searcher.thought.belief.sum() == pytest.approx(1.0)
    deep = wb.search.Searcher(blueprint, depth=9, safe=True, iterations=20).strategy()
    to_the_end = wb.search.Searcher(blueprint, safe=True, iterations=20).strategy()
    np.testing.assert_allclose(deep.probs, to_the_end.probs)


@pytest.mark.slow  # buckets need the tables of all hands
def test_the_turn_of_holdem() -> None:
    """1,128 real hands. Each of the four ways by itself: hands win what the engine says, both
    playing the river; 16 bits are right to a few millionths. Then the river begins with the beliefs
    that the turn has led to."""
    rules = wb.load_game("limit_holdem")
    cut = wb.cluster_hands(rules, (2, 2, 2, 2), metric="ehs2", method="percentile")
    sigma = wb.solve(rules, "cfr+", iterations=20, abstraction=cut, progress=False).strategy
    board, betting, rng = "Q♥ J♥ 2♣ T♥", "rc/cc/", np.random.default_rng(0)
    start = rules.betting.start_of(betting)[1]
    whole = part_after(sigma, 2, rules.deck.parse(board), start, 1e-6)
    plan = whole.plan_of(sigma)
    for seat, kind in ((0, ""), (1, "f"), (0, "c"), (1, "r")):
        part = cut_off(whole, 1, seat, sigma, [biased(sigma, kind)])
        some, more = rng.random(part.walk.num_choices), plan.copy()
        for c, text in enumerate(rules.betting.rounds[3].text):
            if text and text[-1] == kind:
                view = whole.walk.views(more)[1]
                view[rules.betting.rounds[3].choice[c]] *= 5.0  # kernels make probabilities of it
        plans = [np.append(some, (plan if i == seat else more)[len(some) :]) for i in (0, 1)]
        reach = rng.random(whole.start[0].shape)
        for player in (0, 1):
            exact = whole.answer(player, plans[1 - player], plans[player], reach)
            found = part.answer(player, some, some, reach)
            assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()
    searcher = wb.search.Searcher(sigma, depth=1, iterations=10)
    hand = "A♥ K♥"
    answers = [
        searcher.probabilities(player, (hand, board, betting + text), moves)
        for player, text, moves in ((1, "", "cr"), (0, "c", "cr"), (1, "cr", "fcr"))
    ]
    assert [sum(answer) for answer in answers] == pytest.approx([1.0] * 3)
    assert len(searcher.thought.hands) == 46 * 45 // 2  # two of 46 unseen cards
    seen = hand, board + " 7♣", betting + "crc/"
    searcher.probabilities(1, seen, "cr")
    turn, river = (searcher._mind._resolved(1, seen, r).part for r in (2, 3))
    number = rules.deck.hand(rules.deck.parse(hand))
    before, now = (
        part.start[1][np.searchsorted(part.held[part.first][0][1], number), 0]
        for part in (turn, river)
    )
    assert now == pytest.approx(before * answers[0][0] * answers[2][1], rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"leaves": "all"}, "needs a game tree"),
        ({"leaves": {}}, "leaves must be"),
        ({"leaves": {"leduc": 1}}, "a strategy of the public-state engine"),
        ({"listed": lambda *_: True}, "all bets are listed"),
    ],
)
def test_what_cards_do_not_know(how: dict[str, Any], says: str) -> None:
    with pytest.raises(wb.GameError, match=says):
        wb.search.Searcher(trained(SMALL, 2), depth=1, **how)
