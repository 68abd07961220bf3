"""A searcher without a tree: the same questions, answered by `resolve`."""

import numpy as np
import pytest

import workbench as wb

SPOTS = [
    (0, ("A♥", "K♥ Q♠", "cc/cc/"), ("c", "r")),
    (1, ("Q♥", "A♥ A♠", "rc/rrc/r"), ("f", "c", "r")),
    (0, ("K♥", "A♥ A♠", "rc/cc/cr"), ("f", "c", "r")),
]


@pytest.fixture(scope="module")
def blueprint():
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    cut = wb.cluster_hands(rules, buckets=(1, 2, 3), metric="ehs")
    return wb.solve(rules, "cfr+", iterations=200, abstraction=cut, progress=False).strategy


@pytest.mark.parametrize("safe", [True, False])
def test_one_hand_at_a_time_is_all_hands_at_once(blueprint, safe):
    """What it answers is what `resolve_all` writes down, and that is `strategy()`."""
    searcher = wb.search.Searcher(blueprint, when=2, safe=safe, iterations=40)
    whole = wb.poker.resolve_all(blueprint, safe=safe, iterations=40)
    np.testing.assert_array_equal(searcher.strategy().probs, whole.probs)
    for player, seen, actions in SPOTS:
        known = whole.at(seen)
        answer = searcher.probabilities(player, seen, actions)
        assert answer == pytest.approx([known[action] for action in actions])
    if safe:
        assert wb.exploitability(whole) < wb.exploitability(blueprint)


def test_what_it_considered(blueprint):
    """What my moves win on average over her hands is what the whole strategy wins with them."""
    searcher = wb.search.Searcher(blueprint, when=2, safe=False, iterations=40)
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
            paid = blueprint.tree.rules.paid(seen[2])[player]
            np.testing.assert_allclose(thought.wins[:, 0], -paid)
        if seen[2].endswith("/"):
            worth = searcher._mind._resolved(player, seen, 2).table().set_index("hand")
            mean = worth.loc[seen[0], f"player {player + 1} wins"]
            assert answer @ thought.values == pytest.approx(mean)
