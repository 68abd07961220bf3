"""Strategies: how a student makes one, how it is refused, kept, and shown."""

import numpy as np
import pytest
from hypothesis import given

from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games, random_strategy
from workbench import Strategy, compile_game, load_game
from workbench.strategy import normalised

ANSWERS = [
    ("coast", [1, 0]),
    ({"coast": 0.25, "road": 0.75}, [0.25, 0.75]),
    ({"road": 1}, [0, 1]),
    ([0.5, 0.5], [0.5, 0.5]),
    ((0.25, 0.75), [0.25, 0.75]),
    (np.array([0.0, 1.0]), [0, 1]),
    ((p for p in [0.5, 0.5]), [0.5, 0.5]),
    ({"coast": np.float32(0.5), "road": "0.5"}, [0.5, 0.5]),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_answers_of_a_function(smuggler, answer, expected):
    def function(player, seen, actions):
        return answer if player == 0 else "village"

    sigma = Strategy.from_function(smuggler, function)
    assert sigma.probs.tolist() == [*expected, 0, 1, 0]


def test_a_strategy_owns_its_probabilities(kuhn):
    mine = np.full(24, 0.5)
    sigma = Strategy(kuhn, mine)
    mine[:] = 7.0
    assert np.all(sigma.probs == 0.5)
    with pytest.raises(ValueError, match="read-only"):
        sigma.probs[0] = 1.0


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_normalising_keeps_proportions(rules, seed):
    tree = compiled(rules)
    weights = np.random.default_rng(seed).integers(0, 3, tree.num_choices).astype(float)
    probs = normalised(tree, weights).probs
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        total = weights[low:high].sum()
        expected = weights[low:high] / total if total else np.full(high - low, 1 / (high - low))
        np.testing.assert_allclose(probs[low:high], expected, atol=1e-15)


def test_at_reads_one_infoset(kuhn):
    sigma = Strategy.from_function(
        kuhn, lambda player, seen, actions: {"b": 0.25, "p": 0.75} if seen[0] == "Q" else "b"
    )
    assert sigma.at(("Q", "p")) == {"p": 0.75, "b": 0.25}
    assert sigma.at("Q p") == {"p": 0.75, "b": 0.25}, "as table() writes it"
    assert sigma.at(("K", ""), player=0) == {"p": 0.0, "b": 1.0}


def test_the_table_has_a_row_for_each_choice(smuggler):
    sigma = Strategy(smuggler, np.array([0.25, 0.75, 0.0, 1.0, 0.0]))
    table = sigma.table()
    assert repr(sigma) == "Strategy of 'smuggler': 2 infosets"
    assert list(table.columns) == ["player", "information set", "action", "probability"]
    assert table["player"].tolist() == [1, 1, 2, 2, 2]
    assert table["action"].tolist() == ["coast", "road", "coast", "village", "road"]
    assert table["probability"].tolist() == [0.25, 0.75, 0.0, 1.0, 0.0]


def test_saved_and_loaded_is_the_same_bit_for_bit(kuhn, tmp_path):
    sigma = random_strategy(kuhn, 5)
    path = sigma.save(tmp_path / "v1.2")
    assert path == tmp_path / "v1.2.npz"
    for name in (path, str(path), tmp_path / "v1.2"):  # the ending is found again
        assert Strategy.load(name, kuhn).probs.tobytes() == sigma.probs.tobytes()
    assert Strategy.load(path, compile_game(load_game("kuhn"))).tree is not kuhn
    Strategy.uniform(kuhn).save(path)
    assert np.all(Strategy.load(path, kuhn).probs == 0.5)
    assert [p.name for p in tmp_path.iterdir()] == ["v1.2.npz"], "no half-written file stays"
