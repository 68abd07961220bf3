"""What users call: abstractions by name, estimates with intervals, clear refusals."""

import numpy as np
import pytest

import workbench as wb
from tests.evaluation.test_matches import uniform
from workbench.rules import GameError


def test_an_abstraction_by_name_is_that_of_the_tree(leduc):
    coarse = wb.abstract(leduc, "JQ-K")
    run = wb.sample_rules(wb.load_game("leduc"), 400, seed=1, abstraction="JQ-K")
    assert 0.95 * coarse.coarse.num_infosets <= run.infosets <= coarse.coarse.num_infosets
    probs = run.to_strategy(leduc).probs
    lifted = {}  # one coarse choice, one probability
    for c, at in enumerate(coarse.choice_map.tolist()):
        assert lifted.setdefault(at, probs[c]) == probs[c]


def test_merged_actions_share_their_probability():
    rules = wb.load_game("toepen", suits=2, ranks=2, hand=2)
    tree = wb.compile_game(rules)
    coarse = wb.abstract(tree, "lossless-suits")
    run = wb.sample_rules(rules, 700, abstraction="lossless-suits")
    assert 0.8 * coarse.coarse.num_infosets < run.infosets <= coarse.coarse.num_infosets
    sigma = run.to_strategy(tree)
    merged = np.flatnonzero(coarse.share < 1.0)
    assert len(merged)
    for infoset in np.unique(tree.choice_infoset[merged]):
        low, high = tree.first_choice[infoset : infoset + 2]
        for at in np.unique(coarse.choice_map[low:high]):
            group = sigma.probs[low:high][coarse.choice_map[low:high] == at]
            assert np.all(group == group[0])
    assert wb.exploitability(sigma) < 0.2 * wb.exploitability(wb.Strategy.uniform(tree))


def test_left_out_actions_are_never_played(kuhn):
    def passive(player, seen, actions):
        return seen, ["p", None] if "b" not in seen[1] else list(actions)

    run = wb.sample_rules(wb.load_game("kuhn"), 20, abstraction=passive)
    assert run.probabilities(0, ("K", ""), ("p", "b")) == [1.0, 0.0]
    assert run.infosets == 6  # nobody ever faces a bet


@pytest.mark.parametrize(
    ("exact", "game"), [(11 / 24, "kuhn"), pytest.param(2.373611, "leduc", marks=pytest.mark.slow)]
)
def test_the_estimate_is_a_lower_bound_near_the_truth(exact, game):
    rules = wb.load_game(game)
    found = wb.judge.estimate_exploitability(rules, uniform, iterations=2_000, deals=1_500, seed=2)
    assert found.low <= exact  # responses gain no more than the best ones
    assert found.high > 0.85 * exact
    assert found.value == pytest.approx(sum(found.gains) / 2)


def test_progress_is_told_and_ctrl_c_keeps_the_run():
    calls = []

    def tell(done, total, infosets):
        calls.append((done, total, infosets))
        if done == 7:
            raise KeyboardInterrupt

    run = wb.sample_rules(wb.load_game("kuhn"), 100, progress=tell)
    assert (run.iterations, run.stopped) == (7, "interrupted")
    assert calls[-1] == (7, 100, run.infosets)
    assert "interrupted" in repr(run)


def test_an_estimate_says_when_memory_was_full():
    leduc = wb.load_game("leduc")
    small = wb.judge.estimate_exploitability(
        leduc, uniform, iterations=300, deals=10, memory=20_000
    )
    assert small.stopped == "memory"
    assert max(small.iterations) < 300
    enough = wb.judge.estimate_exploitability(leduc, uniform, iterations=20, deals=10)
    assert (enough.stopped, enough.iterations) == ("iterations", (20, 20))


def test_rules_that_need_the_deck_get_a_glimpse():
    """In a deck of two suits dealt out completely every hand holds the first suit."""
    rules = wb.load_game("toepen", suits=3, ranks=2, hand=2)
    run = wb.sample_rules(rules, 30, abstraction="thesis-suits")
    assert run.abstraction == "thesis-suits"
    assert run.infosets < wb.sample_rules(rules, 30).infosets
    whole = wb.load_game("toepen", suits=2, ranks=6, hand=6, betting=False)
    assert wb.sample_rules(whole, 1, abstraction="thesis-suits").iterations == 1
    without = wb.load_game("toepen", suits=2, ranks=3, suit_isomorphism=True)
    with pytest.raises(GameError, match="suit"):
        wb.sample_rules(without, 1, abstraction="thesis-suits")


def test_a_deck_nobody_can_list():
    rules = wb.load_game("toepen", suits=4, ranks=8, hand=4)
    run = wb.sample_rules(rules, 100, memory=300_000, abstraction="lossless-suits")
    assert run.stopped == "memory"
    assert run.infosets > 1000
    table = wb.judge.play_match(rules, {"run": run, "uniform": uniform}, deals=5)
    assert table["winnings"].sum() == 0.0
    with pytest.raises(GameError, match=r"wb\.sample_rules"):
        wb.compile_game(rules)
