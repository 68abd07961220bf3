"""Public states from the tree alone: they are what a bystander sees, and nothing crosses them."""

from collections import defaultdict

import numpy as np
import pytest

import workbench as wb
from workbench.search.public import below, knowledge, states, timed

SEEN = {
    "kuhn": ({}, lambda seen: seen[1]),
    "leduc": ({"suit_isomorphism": True}, lambda seen: seen[1:]),
    "no_limit_leduc": ({"stack": 6}, lambda seen: seen[1:]),
    "toepen": ({"betting": False}, lambda seen: seen[1]),
}


@pytest.mark.parametrize("name", SEEN)
def test_a_public_state_is_what_a_bystander_sees(name):
    options, public = SEEN[name]
    tree = wb.compile_game(wb.load_game(name, **options))
    state = wb.search.public_states(tree)
    pairs = {
        (public(tree.seen[tree.infoset[h]]), int(state[h]))
        for h in np.flatnonzero(tree.infoset >= 0)
    }
    assert len(pairs) == len({seen for seen, _ in pairs}) == len({number for _, number in pairs})


@pytest.mark.parametrize("follow", [True, False])
def test_no_information_set_has_a_foot_on_either_side(follow):
    """Toepen with bets, where forced moves are left out of the tree: states may be larger than what
    is public, but what lies below one is closed, and the clock is right."""
    tree = wb.compile_game(wb.load_game("toepen", suits=2, follow_suit=follow))
    game, choice, place = timed(tree)
    assert (game.num_histories > tree.num_histories) == follow
    assert game.num_choices == tree.num_choices
    assert [game.actions[c] for c in choice] == list(tree.actions)
    assert sorted(set(place)) == sorted(place)
    probs = np.empty(tree.num_choices)
    sigma = wb.solve(tree, "cfr+", 5).strategy
    probs[choice] = sigma.probs
    assert wb.exploitability(wb.Strategy(game, probs)) == pytest.approx(wb.exploitability(sigma))
    state, nothing = states(game), np.zeros(game.num_histories, bool)
    where = defaultdict(set)
    for h in np.flatnonzero(game.infoset >= 0):
        where[int(game.infoset[h])].add(h)
    for number in np.unique(state[game.infoset >= 0])[::60]:
        inside = below(game, np.flatnonzero(state == number), nothing)
        assert all(where[i] <= set(inside) for i in set(game.infoset[inside]) - {-1})
        assert len(set(state[game.parent[np.flatnonzero(state == number)]])) == 1


def test_what_a_player_knows_where_another_acts(kuhn):
    """In Kuhn she knows her card, whoever acts, and what was done."""
    for player in (0, 1):
        found = knowledge(kuhn, player)
        same = defaultdict(set)
        for h in np.flatnonzero(kuhn.infoset >= 0):
            first, second, *moves = kuhn.history_label(h).split()
            same[int(found[h])].add(((first, second)[player], *moves))
        assert all(len(known) == 1 for known in same.values())
        assert len(same) == 12


def test_a_game_without_a_clock_is_refused():
    """Two cards lie on the table and two players each see one, in an order nobody is told."""
    rules = wb.load_game("""
game who_was_first
chance
  A 1/2: player 1 sees x
    go: player 2 sees y
      go: pays 1 -1
      stop: pays 0 0
    stop: pays 0 0
  B 1/2: player 2 sees y
    go: player 1 sees x
      go: pays -1 1
      stop: pays 0 0
    stop: pays 0 0
""")
    with pytest.raises(wb.GameError, match="has no clock"):
        wb.search.public_states(wb.compile_game(rules))
