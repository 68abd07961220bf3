"""Searchers at a card table, without a tree: to the end by `resolve`, or to the end of a round."""

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards
from tests.poker.test_endgames import SMALL, coarse, trained
from workbench.poker.search.endgame import part_after
from workbench.poker.search.leaves import biased, cut_off
from workbench.search.public import below
from workbench.search.searcher import _Seat
from workbench.tree import CHANCE


@pytest.mark.parametrize("depth", [1, 2])
def test_leaves_are_worth_what_the_rest_is_worth(depth):
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


def at_the_end_of_a_round(seat, roots, depth):
    game = seat.mind.game
    deals = (game.player == CHANCE) & (np.diff(game.first_child) > 1)
    inside = below(game, roots, np.zeros(game.num_histories, np.bool_))
    closed = np.zeros(game.num_histories, np.bool_)
    closed[inside] = deals[inside]
    return closed


def on_the_tree(searcher):
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
def test_cards_and_trees_give_the_same_answer(monkeypatch, leaves, safe):
    """Leduc by both engines, cut at the same place: the same strategy after as many iterations, up
    to ties, and the same exploitability."""
    monkeypatch.setattr(_Seat, "_cut", at_the_end_of_a_round)
    tree, sigma, other = wb.compile_game(wb.load_game("leduc")), *(
        trained(LeducCards(), k) for k in (20, 3)
    )  # fmt: skip

    def as_tree(one):
        return wb.Strategy.from_function(tree, one.probabilities)

    how = {"depth": 1, "safe": safe, "iterations": 100}
    ways = {"as it is": sigma, "worse": other} if leaves == "others" else leaves
    found = as_tree(wb.search.Searcher(sigma, leaves=ways, **how).strategy())
    if leaves == "others":
        ways = {name: as_tree(one) for name, one in ways.items()}
    twin = on_the_tree(wb.search.Searcher(as_tree(sigma), leaves=ways, **how))
    assert wb.exploitability(found) == pytest.approx(wb.exploitability(twin), abs=1e-3)
    assert np.abs(found.probs - twin.probs).mean() < 0.002


def test_one_continuation_spoils_a_blueprint_and_several_repair_most_of_it():
    """As on trees. 300 iterations from an equilibrium (0.006 chips, antes are 5) come to 1.10 with
    one continuation and to 0.25 with four; those who trust their beliefs to 3.7 and 2.9. Here 60,
    which leave more of everything."""
    blueprint = trained(SMALL, 1000)
    same = {str(k): blueprint for k in range(4)}  # four, but there is nothing to choose
    ways = ({"leaves": "blueprint"}, {"leaves": "biased"}, {"safe": False}, {"leaves": same})
    one, four, trusting, alike = (
        wb.exploitability(wb.search.Searcher(blueprint, depth=1, iterations=60, **how).strategy())
        for how in ways
    )
    assert wb.exploitability(blueprint) < 0.01
    assert 2 * four < one < trusting
    assert alike == pytest.approx(one, abs=0.3)


@pytest.mark.slow
def test_the_same_with_four_ranks_and_from_the_second_round_on():
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    blueprint = trained(rules, 1000)
    for when in (0, 1):
        one, four, trusting = (
            wb.exploitability(wb.search.Searcher(blueprint, depth=1, when=when, **how).strategy())
            for how in ({"leaves": "blueprint"}, {"leaves": "biased"}, {"safe": False})
        )
        assert four < one < trusting


SPOTS = [
    (0, ("A♥", "K♥ Q♠", "cc/cc/"), ("c", "r")),
    (1, ("Q♥", "A♥ A♠", "rc/rrc/r"), ("f", "c", "r")),
    (0, ("K♥", "A♥ A♠", "rc/cc/cr"), ("f", "c", "r")),
]
EARLY = [(0, ("A♥", "", ""), ("c", "r")), (1, ("Q♥", "A♥", "rc/r"), ("f", "c", "r"))]


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("how", [{"when": 2}, {"depth": 1}], ids=str)
def test_one_hand_at_a_time_is_all_hands_at_once(how, safe):
    """Each thought begins with the beliefs that the one before has led to; in the last round all of
    them are what `resolve_all` writes down."""
    blueprint = coarse(iterations=200)
    searcher = wb.search.Searcher(blueprint, safe=safe, iterations=20, **how)
    whole = searcher.strategy()
    for player, seen, actions in SPOTS if "when" in how else EARLY + SPOTS:
        known = whole.at(seen)
        answer = searcher.probabilities(player, seen, actions)
        assert answer == pytest.approx([known[action] for action in actions], abs=1e-6)
        assert searcher.thought.belief.sum() == pytest.approx(1.0)
    if "when" in how:
        resolved = wb.poker.resolve_all(blueprint, safe=safe, iterations=20)
        np.testing.assert_array_equal(whole.probs, resolved.probs)
        assert not safe or wb.exploitability(whole) < wb.exploitability(blueprint)


def test_what_it_considered():
    """What my moves win on average over her hands is what the whole strategy wins with them."""
    searcher = wb.search.Searcher(coarse(iterations=200), when=2, safe=False, iterations=40)
    searcher.probabilities(0, ("A♥", "", ""), ("c", "r"))
    assert not searcher.thought.searched
    assert searcher.thought.table().empty
    for player, seen, actions in SPOTS:
        answer = searcher.probabilities(player, seen, actions)
        thought = searcher.thought
        assert thought.searched
        assert thought.belief.sum() == pytest.approx(1.0)
        assert not {*thought.hands} & {seen[0], *seen[1].split()}
        if actions[0] == "f":
            paid = SMALL.paid(seen[2])[player]
            np.testing.assert_allclose(thought.wins[:, 0], -paid)
        if seen[2].endswith("/"):
            worth = searcher._mind._resolved(player, seen, 2).table().set_index("hand")
            mean = worth.loc[seen[0], f"player {player + 1} wins"]
            assert answer @ thought.values == pytest.approx(mean)


def test_a_search_deeper_than_the_game_goes_to_its_end():
    blueprint = trained(SMALL, 30)
    deep, to_the_end = (
        wb.search.Searcher(blueprint, **how, safe=True, iterations=20).strategy()
        for how in ({"depth": 9}, {})
    )
    np.testing.assert_allclose(deep.probs, to_the_end.probs)


@pytest.mark.slow  # buckets need the tables of all hands
def test_the_turn_of_holdem():
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
