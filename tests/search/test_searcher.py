"""Searchers: what they play is what they say, safe ones are never worse, and why."""

from functools import cache

import numpy as np
import pytest

import workbench as wb
from tests.random_games import random_strategy, tree_of
from workbench.passes import luck, reach
from workbench.search import searcher as module
from workbench.search.searcher import _Mind
from workbench.search.subgame import subgame

Searcher = wb.search.Searcher
LEDUC = tree_of("leduc", suit_isomorphism=True)
EXACT = {"solver": "lp", "tremble": 0.0}


@cache
def trained(tree, iterations, **options):
    return wb.solve(tree, "cfr+", iterations, checkpoints=iterations, **options).strategy


def milli(sigma):
    return 1000 * wb.exploitability(sigma)


def second_trick(player, seen, actions):
    return "/" in seen[1]


# ---- what it says is what it plays -------------------------------------------------------


def pots():
    """No-limit Leduc with four chips: what is listed, and a blueprint that knows no more."""
    small = wb.abstract(
        tree_of("no_limit_leduc", stack=4), wb.abstraction.BetSizes(["pot", "all-in"])
    )
    return small.lift(trained(small.coarse, 50)), {"listed": small}


@pytest.mark.parametrize(
    ("blueprint", "how"),
    [
        *((lambda: (trained(LEDUC, 10), {}), how) for how in (
            {"when": 1}, {"when": 1, "safe": False}, {"depth": 2}, {"depth": 1, "leaves": "all"})),
        *((pots, how) for how in ({"depth": 2}, {"when": 1}, {"when": None})),
    ],
)  # fmt: skip
def test_the_written_strategy_is_what_the_policy_answers(blueprint, how):
    """Asked in any order: a floor looks at other moves from the same place, also after bets that
    are not listed, and what was thought there does not count."""
    sigma, more = blueprint()
    tree, how = sigma.tree, {"iterations": 20, **how, **more}
    whole, asked = Searcher(sigma, **how).strategy(), Searcher(sigma, **how)
    for i in np.random.default_rng(1).permutation(tree.num_infosets)[: 60 if more else None]:
        player, actions = int(tree.infoset_player[i]), tree.actions_at(i)
        answer = asked.probabilities(player, tree.seen[i], actions[::-1])[::-1]
        low, high = tree.first_choice[i : i + 2]
        np.testing.assert_allclose(answer, whole.probs[low:high], atol=1e-12)
    assert wb.exploitability(whole) != pytest.approx(wb.exploitability(sigma))


def test_an_interrupted_searcher_goes_on_as_if_nothing_had_happened(monkeypatch):
    tree, calls, solved = LEDUC, [], module._solved

    def interrupted(*given):
        calls.append(given)
        if len(calls) in (5, 17):
            raise KeyboardInterrupt
        return solved(*given)

    monkeypatch.setattr(module, "_solved", interrupted)
    searcher = Searcher(trained(tree, 10), when=1, iterations=20)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            searcher.strategy()
    whole = Searcher(trained(tree, 10), when=1, iterations=20).strategy()
    np.testing.assert_array_equal(searcher.strategy().probs, whole.probs)


def test_a_match_at_the_table_wins_what_the_written_strategy_wins():
    """Toepen, whose tree has forced moves: a searcher is a policy like any other."""
    tree = tree_of("toepen", suits=2, betting="leader")
    blueprint = trained(tree, 10)
    searcher = Searcher(blueprint, when=second_trick, iterations=50)
    uniform = wb.Strategy.uniform(tree)
    won = wb.expected_values([searcher.strategy(), uniform])[0]
    match = wb.judge.play_match(tree.rules, {"s": searcher, "u": uniform}, deals=2000, seed=1)
    back = wb.expected_values([uniform, searcher.strategy()])[1]
    low, high = match.loc["s", ["low", "high"]]
    assert low < (won + back) / 2 < high


# ---- safe and unsafe ----------------------------------------------------------------------

BLUEPRINTS = {
    "5 iterations": lambda tree: trained(tree, 5),
    "1,000 iterations": lambda tree: trained(tree, 1000),
    "seed 0": lambda tree: random_strategy(tree, 0),
    "seed 1": lambda tree: random_strategy(tree, 1),
    "always the first": lambda tree: wb.Strategy.from_function(tree, lambda p, s, a: a[0]),
}


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_safe_search_to_the_end_is_never_worse(name):
    """Solved exactly, nothing is lost; each seat gives away no more than its blueprint."""
    for tree, when in ((LEDUC, 1), (tree_of("kuhn"), lambda p, seen, a: len(seen[1]) > 0)):
        blueprint = BLUEPRINTS[name](tree)
        safe = Searcher(blueprint, when=when, **EXACT).strategy()
        for player in (0, 1):
            before, after = (wb.best_response(one, player).value for one in (blueprint, safe))
            assert after <= before + 1e-6


def test_safe_search_in_an_abstraction_and_in_other_games():
    tree = LEDUC
    coarse = trained(tree, 300, abstraction="JQ-K")
    assert milli(Searcher(coarse, when=1, **EXACT).strategy()) < milli(coarse) - 20
    for tree, when, iterations in (
        (tree_of("no_limit_leduc", stack=4), 1, 20),
        (tree_of("toepen", betting="leader"), second_trick, 1000),
    ):
        blueprint = trained(tree, iterations)
        safe = Searcher(blueprint, when=when, iterations=300).strategy()
        assert milli(safe) <= milli(blueprint) + 0.5  # so far did 300 iterations not get


@pytest.mark.slow
def test_safe_search_in_larger_games():
    for tree, when in ((tree_of("no_limit_leduc", stack=6), 1), (tree_of("toepen"), second_trick)):
        blueprint = trained(tree, 20)
        assert milli(Searcher(blueprint, when=when).strategy()) < milli(blueprint)


def test_unsafe_search_is_worse_and_trust_is_the_cause():
    """From a blueprint without a fault. Take the cause away: an opponent who is held to the
    blueprint until the search begins wins nothing from the trusting searcher."""
    tree = LEDUC
    blueprint = trained(tree, 1000)
    both = Searcher(blueprint, when=1, safe=False).strategy()
    assert milli(blueprint) < 1 < 500 < milli(both)
    for player in (0, 1):  # player 1 has made her first move of the round before player 2 thinks
        before = np.array([not s[1] or (player == 0 and s[2][-1] == "/") for s in tree.seen])
        held = wb.theory.fix(blueprint, before & (tree.infoset_player == player))
        unsafe = wb.seated([blueprint if i == player else both for i in (0, 1)])
        best = wb.best_response(held.restrict(unsafe), player).value
        assert best < wb.expected_values(blueprint)[player] + 0.02
        assert wb.best_response(unsafe, player).value > best + 0.04


# ---- cut off, with values ------------------------------------------------------------------


def test_one_continuation_is_not_enough_and_several_are():
    """The blueprint is an equilibrium, so its values are right. A searcher who stops after two
    moves and lets the opponent play on by the blueprint loses 250; with a choice of four it loses
    2, with every choice 2. What costs is the opponent's choice, not the number of leaves."""
    blueprint = trained(LEDUC, 1000)
    one, four, every = (
        milli(Searcher(blueprint, depth=2, leaves=leaves).strategy())
        for leaves in ("blueprint", "biased", "all")
    )
    assert milli(blueprint) < 1
    assert one > 200
    assert four < 5
    assert every < 5
    same = {str(k): blueprint for k in range(4)}  # four, but there is nothing to choose
    assert milli(Searcher(blueprint, depth=2, leaves=same).strategy()) == pytest.approx(one, abs=40)


def test_leaves_at_the_end_of_the_game_are_not_needed():
    blueprint = trained(LEDUC, 20)
    deep, whole = (
        Searcher(blueprint, depth=depth, when=1, iterations=30).strategy() for depth in (50, None)
    )
    np.testing.assert_array_equal(deep.probs, whole.probs)


def all_in(player, seen, action):
    return action in ("f", "c", "r4")


def test_thinking_after_an_unlisted_bet_saves_the_blueprint():
    """Four chips, and the blueprint knows no bet but all-in. It plays anything after another bet,
    and loses 642; the searcher loses 15. Where all is listed it plays as before."""
    tree = tree_of("no_limit_leduc", stack=4)
    blueprint = trained(tree, 1000, abstraction=wb.abstraction.restrict_actions(all_in))
    searcher = Searcher(blueprint, when=None, listed=all_in)
    found = searcher.strategy()
    assert milli(blueprint) > 600
    assert milli(found) < 20
    trusting = Searcher(blueprint, when=None, listed=all_in, safe=False).strategy()
    assert milli(trusting) > 200
    for seen in (("Q", "", "r4"), ("K", "", "c"), ("J", "Q", "cc/r4")):
        assert found.at(seen) == blueprint.at(seen)
    assert found.at(("Q", "", "r2")) != blueprint.at(("Q", "", "r2"))


def naive_worth(tree, probs, h, player):
    if tree.terminal[h] >= 0:
        return float(tree.utility[tree.terminal[h], player])
    total = 0.0
    for child in range(tree.first_child[h], tree.first_child[h + 1]):
        weight = tree.chance[child] * (probs[tree.choice[child]] if tree.choice[child] >= 0 else 1)
        total += weight * naive_worth(tree, probs, child, player)
    return total


def naive_best(tree, probs, player, hands):
    """The most a player wins from histories on that look alike to her, Σ weight × value."""
    found, groups, rest = 0.0, {}, dict(hands)
    while rest:
        h, weight = rest.popitem()
        if tree.terminal[h] >= 0:
            found += weight * tree.utility[tree.terminal[h], player]
        elif tree.player[h] == player:
            groups.setdefault(int(tree.infoset[h]), {})[h] = weight
        else:
            for child in range(tree.first_child[h], tree.first_child[h + 1]):
                share = probs[tree.choice[child]] if tree.choice[child] >= 0 else 1.0
                rest[child] = weight * tree.chance[child] * share
    for members in groups.values():
        count = tree.first_child[next(iter(members)) + 1] - tree.first_child[next(iter(members))]
        found += max(
            naive_best(
                tree, probs, player, {int(tree.first_child[h]) + a: w for h, w in members.items()}
            )
            for a in range(count)
        )
    return found


def test_values_and_floors_by_plain_recursion():
    """Leduc after a bet and a call, board K: the mean of the small tree is the mean of the whole,
    and each hand's floor is what a best response wins with it."""
    tree = LEDUC
    blueprint = trained(tree, 20)
    mind = _Mind(Searcher(blueprint, when=1, tremble=0.0))
    infoset = tree.find_infoset(("J", "K", "rc/"))
    roots = mind.roots(int(mind.state[np.argmax(tree.infoset == infoset)]))
    assert len(roots) == 8  # of nine pairs of ranks, K K is not left
    often = reach(tree, blueprint.probs)[roots]
    small = subgame(tree, roots, often, 1, mind.know[1])
    probs = np.empty(small.tree.num_choices)
    probs[small.choice[small.choice >= 0]] = blueprint.probs[small.choice >= 0]
    mean = sum(
        w * naive_worth(tree, blueprint.probs, int(h), 0) for h, w in zip(roots, often, strict=True)
    )
    assert wb.expected_values(wb.Strategy(small.tree, probs))[0] == pytest.approx(
        mean / often.sum()
    )
    mine = luck(tree)[roots] * mind.seats[0]._reach(0, roots)
    floor = mind.seats[0]._floor(roots, mine, False)
    assert len(set(mind.know[1][roots])) == 3
    for hand in set(mind.know[1][roots]):
        here = {
            int(h): float(w) for h, w in zip(roots, mine, strict=True) if mind.know[1][h] == hand
        }
        best = naive_best(tree, blueprint.probs, 1, here) / sum(here.values())
        np.testing.assert_allclose(floor[mind.know[1][roots] == hand], best, atol=1e-12)
    gate = subgame(tree, roots, mine, 1, mind.know[1], floor=floor)
    value = wb.expected_values(wb.solve(gate.tree, "lp").strategy)[1]
    assert value <= mine @ floor / mine.sum() + 1e-9 <= value + 1e-6  # the blueprint gives it


def test_a_thought_can_be_read():
    searcher = Searcher(trained(LEDUC, 100), when=1, safe=False)
    with pytest.raises(wb.GameError, match="nobody has asked"):
        _ = searcher.thought
    answer = searcher.probabilities(0, ("Q", "", ""), ("c", "r"))
    assert "knew by heart" in repr(searcher.thought)
    assert not searcher.thought.searched
    np.testing.assert_allclose(searcher.thought.belief, [0.4, 0.2, 0.4])
    answer = searcher.probabilities(0, ("Q", "Q", "rc/"), ("c", "r"))
    thought = searcher.thought
    assert thought.searched
    assert thought.hands == ("J", "K")
    assert list(thought.table()) == ["hand", "belief", "c wins", "r wins"]
    assert thought.table().belief.sum() == pytest.approx(1.0)
    assert list(thought.moves().probability) == answer
    assert thought.values == pytest.approx(thought.belief @ thought.wins)
    assert min(thought.values) > 0  # a pair of Queens


def test_experts_with_everybody_frozen_are_unsafe_search():
    """S = N from the second round on is what a trusting searcher plays who thinks when the round
    begins: player 1, to 0.001. (Player 2 thinks one move later, and trusts that move, too.) With
    S = {i} the opponent stays free, and no seat loses more than the base, as in safe search."""
    tree = LEDUC
    part, second = wb.round_experts(tree), np.array([bool(seen[1]) for seen in tree.seen])
    mine = np.repeat(second & (tree.infoset_player == 0), np.diff(tree.first_choice))
    for iterations in (20, 1000):
        base = trained(tree, iterations)
        frozen = wb.static_experts(tree, base, part, {0, 1}, iterations=300)
        unsafe = Searcher(base, when=1, safe=False, tremble=0.0).strategy()
        np.testing.assert_allclose(frozen.probs[mine], unsafe.probs[mine], atol=2e-3)
        free = wb.seated([wb.static_experts(tree, base, part, i, iterations=1000) for i in (0, 1)])
        safe = Searcher(base, when=1).strategy()
        assert milli(free) < milli(base) + 1
        assert milli(safe) < milli(base) + 2
    assert milli(frozen) > milli(base) + 50
