"""Abstraction: one map over choices; what lifting keeps, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests import golden
from tests.random_games import (
    ANY_PLAYERS,
    SEEDS,
    RandomGame,
    compiled,
    land_or_water,
    random_games,
    random_strategy,
)
from tests.test_compiling import told
from tests.test_tree import check_numbering
from workbench.abstraction.abstraction import merge_infosets, restrict_actions
from workbench.passes import profile_values
from workbench.solvers.base import average, start_state
from workbench.solvers.cfr import CFRPlus

# ---- random abstractions -------------------------------------------------------------------


def random_rule(tree, seed, merge, leave_out):
    """Labels: few, shared by infosets with the same names. Names: some equal, some left out."""
    rng = np.random.default_rng(seed)
    answers = {}
    for infoset in range(tree.num_infosets):
        size = len(tree.actions_at(infoset))
        names = [f"a{k}" for k in range(size)]
        if merge:
            names = [f"a{rng.integers(size)}" for _ in range(size)]
        if leave_out:
            names = [name if rng.random() < 0.7 else None for name in names]
            names[0] = names[0] or "a0"
        label = (int(rng.integers(2)), frozenset(name for name in names if name))
        answers[int(tree.infoset_player[infoset]), tree.seen[infoset]] = label, names
    return lambda player, seen, actions: answers[player, seen]


@given(random_games(players=ANY_PLAYERS), SEEDS, st.booleans(), st.booleans())
def test_random_abstractions(rules, seed, merge, leave_out):
    """The coarse game is a proper tree, and a coarse strategy wins the same there and, lifted, in
    the full one; lifting and gathering read the map, choice by choice."""
    tree = compiled(rules)
    ab = wb.abstract(tree, random_rule(tree, seed, merge, leave_out))
    check_numbering(ab.coarse)
    assert ab.coarse.num_infosets <= tree.num_infosets
    assert ab.full is tree
    if not leave_out:
        assert ab.uncovered == 0
        assert ab.coarse.num_histories == tree.num_histories
    coarse = random_strategy(ab.coarse, seed + 1)
    lifted = ab.lift(coarse)
    ours, theirs = profile_values(ab.coarse, coarse.probs), profile_values(tree, lifted.probs)
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    for infoset in range(tree.num_infosets):
        low, high = tree.first_choice[infoset : infoset + 2]
        mapped = ab.choice_map[low:high]
        if np.all(mapped < 0):
            assert ab.uncovered_infosets[infoset]
            np.testing.assert_allclose(lifted.probs[low:high], 1 / (high - low))
            continue
        for c, target in zip(range(low, high), mapped, strict=True):
            if target < 0:
                assert lifted.probs[c] == 0.0
            else:
                m = np.sum(mapped == target)
                assert lifted.probs[c] == pytest.approx(coarse.probs[target] / m, abs=1e-15)
        assert len(set(ab.coarse.choice_infoset[mapped[mapped >= 0]])) == 1
    values = np.arange(1.0, tree.num_choices + 1)
    sums = [values[ab.choice_map == target].sum() for target in range(ab.coarse.num_choices)]
    assert ab.gather(values).tolist() == sums


@given(random_games(players=ANY_PLAYERS))
def test_the_identity_changes_nothing(rules):
    tree = compiled(rules)
    ab = wb.abstract(tree, lambda player, seen, actions: seen)
    assert ab.coarse.fingerprint == tree.fingerprint
    assert ab.choice_map.tolist() == list(range(tree.num_choices))
    assert np.all(ab.share == 1.0)


# ---- Leduc ---------------------------------------------------------------------------------


def test_leduc_brings_its_abstractions(leduc):
    names = ["null", "JQ-K", "J-QK", "J.Q.K", "JQ.K", "J.QK"]
    for game in ("leduc", wb.load_game("leduc", players=3), leduc):
        assert wb.list_abstractions(game) == names
    assert wb.list_abstractions(wb.load_game("leduc", ranks=4)) == ["null"]
    assert wb.list_abstractions("kuhn") == []


@pytest.mark.parametrize("name", sorted(golden.LEDUC_ABSTRACT_INFOSETS))
def test_sizes_of_leduc_abstractions(leduc, name):
    ab = wb.abstract(leduc, name)
    assert ab.coarse.num_infosets == golden.LEDUC_ABSTRACT_INFOSETS[name]
    assert ab.coarse.num_histories == leduc.num_histories
    assert ab.coarse.perfect_recall
    assert ab.uncovered == 0
    assert repr(ab) == f"Abstraction {name!r} of 'leduc': 936 -> {ab.coarse.num_infosets} infosets"


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, golden.LEDUC_ABSTRACT_INFOSETS | {"null": golden.LEDUC_INFOSETS_BY_RANK}),
        (3, golden.LEDUC3_ABSTRACT_INFOSETS | {"JQ.K": 1_890, "J.QK": 1_890}),
    ],
)
def test_sizes_where_suits_have_no_names(players, sizes):
    tree = wb.compile_game(wb.load_game("leduc", players=players, suit_isomorphism=True))
    assert {name: wb.abstract(tree, name).coarse.num_infosets for name in sizes} == sizes


def test_what_looks_the_same_in_leduc(leduc):
    rules = leduc.rules.abstractions

    def same(name, *seen):
        return len({rules[name](0, (*cards, "cc/"), ()) for cards in seen}) == 1

    for name, alike, apart in (("JQ-K", "JQ", "QK"), ("J-QK", "QK", "JQ")):
        assert same(name, (alike[0], ""), (alike[1], ""))
        assert not same(name, (apart[0], ""), (apart[1], ""))
        assert not same(name, (alike[0], alike[1]), (alike[1], alike[1])), "a pair and no pair"
    for name in rules:  # nobody knows the suit of her own card
        assert same(name, ("Q♠", ""), ("Q♥", ""))
        assert same(name, ("Q♠", "Q♥"), ("Q♥", "Q♠"))
        assert same(name, ("Q♠", "K♠"), ("Q♥", "K♠"))


def test_the_null_abstraction_costs_nothing(leduc):
    ab = wb.abstract(leduc, "null")
    coarse = average(ab.coarse, CFRPlus().advance(ab.coarse, start_state(ab.coarse), 500))
    lifted = ab.lift(coarse)
    assert wb.exploitability(lifted) == pytest.approx(wb.exploitability(coarse), abs=1e-12)


def test_merged_actions_are_solved_as_what_they_are(smuggler):
    """Against "land" (half village, half road) the game is [[0, 5/2], [4, 1/2]], value 5/3."""
    ab = wb.abstract(smuggler, land_or_water)
    coarse = average(ab.coarse, CFRPlus().advance(ab.coarse, start_state(ab.coarse), 2000))
    assert wb.expected_values(coarse)[0] == pytest.approx(5 / 3, abs=1e-3)
    by_tree = CFRPlus(engine="tree").advance(ab.coarse, start_state(ab.coarse), 50)
    by_form = CFRPlus(engine="sequence").advance(ab.coarse, start_state(ab.coarse), 50)
    np.testing.assert_allclose(by_tree.regret, by_form.regret, atol=1e-10)


# ---- restricted actions --------------------------------------------------------------------


def test_sets_behind_left_out_actions_are_counted(kuhn):
    """If nobody ever bets, "pb" and "b" are never seen: 3 sets of each."""
    ab = wb.abstract(kuhn, restrict_actions(lambda player, seen, action: action == "p"))
    assert ab.uncovered == 6
    assert repr(ab).endswith("12 -> 6 infosets, 6 uncovered")
    lifted = ab.lift(wb.Strategy.uniform(ab.coarse))
    for player, seen in zip(kuhn.infoset_player, kuhn.seen, strict=True):
        unreached = "b" in seen[1]
        assert lifted.at(seen, int(player))["p"] == (0.5 if unreached else 1.0)


def test_only_some_players_may_forget(leduc):
    half = wb.abstract(leduc, "JQ-K", players=[0])
    assert len(half.coarse.infosets_of(0)) == 132 // 2
    assert len(half.coarse.infosets_of(1)) == golden.LEDUC_INFOSETS // 2
    nobody = wb.abstract(leduc, "JQ-K", players=[])
    assert nobody.coarse.fingerprint == leduc.fingerprint


def test_imperfect_recall_is_allowed_and_known(leduc):
    def this_round_only(player, seen):
        return bool(seen[1]), seen[2].split("/")[-1]

    ab = wb.abstract(leduc, merge_infosets(this_round_only))
    assert not ab.coarse.perfect_recall
    answer = average(ab.coarse, CFRPlus().advance(ab.coarse, start_state(ab.coarse), 20))
    assert wb.exploitability(ab.lift(answer)) > 0.0


# ---- the contract of one's own function ----------------------------------------------------


def test_the_function_is_asked_once_for_each_infoset(kuhn):
    asked = []

    def rule(player, seen, actions):
        asked.append((player, seen, actions))
        return seen

    wb.abstract(kuhn, rule)
    assert sorted(asked) == sorted(
        (int(player), seen, ("p", "b"))
        for player, seen in zip(kuhn.infoset_player, kuhn.seen, strict=True)
    )


def test_names_come_as_a_list_or_as_a_tuple_of_the_right_length(kuhn):
    listed = wb.abstract(kuhn, lambda player, seen, actions: (seen, ["x", "x"]))
    tupled = wb.abstract(kuhn, lambda player, seen, actions: (seen, ("x", "x")))
    assert listed.coarse.fingerprint == tupled.coarse.fingerprint
    assert tupled.coarse.num_choices == kuhn.num_infosets
    longer = wb.abstract(kuhn, lambda player, seen, actions: ("x", ("a", "b", "c")))
    assert longer.coarse.seen == (("x", ("a", "b", "c")),) * 2  # no name per action: a label


def test_a_tuple_that_was_seen_is_part_of_the_label():
    """Two moves that she has seen are no names of the two that she has now."""
    tree = wb.compile_game(told(wb.Decision(0, ("card", ("x", "y")), "pb")))
    for answer in (("card", ("x", "y")), ("any card", ("x", "y"))):
        ab = wb.abstract(tree, lambda player, seen, actions, answer=answer: answer)
        assert (ab.coarse.seen, ab.coarse.actions) == ((answer,), ("p", "b"))


def test_a_game_without_decisions_can_be_abstracted():
    small = (compiled(RandomGame(seed, depth=1)) for seed in range(100))
    tree = next(tree for tree in small if tree.num_infosets == 0)
    ab = wb.abstract(tree, lambda player, seen, actions: seen)
    assert ab.coarse.num_histories == tree.num_histories
    assert ab.lift(wb.Strategy.uniform(ab.coarse)).probs.shape == (0,)


# ---- nothing is shared ---------------------------------------------------------------------


def test_a_strategy_of_the_same_game_by_another_name_is_lifted(leduc):
    ab = wb.abstract(leduc, "JQ-K")
    twin = wb.abstract(leduc, "JQ.K").coarse  # the same game under another name
    assert np.array_equal(
        ab.lift(wb.Strategy.uniform(twin)).probs, ab.lift(wb.Strategy.uniform(ab.coarse)).probs
    )


def test_coarse_trees_share_nothing_writable(leduc):
    ab = wb.abstract(leduc, "JQ-K")
    arrays = {f"coarse.{k}": v for k, v in vars(ab.coarse).items() if isinstance(v, np.ndarray)}
    arrays |= {"choice_map": ab.choice_map, "share": ab.share}
    for name, array in arrays.items():
        assert not array.flags.writeable, name
        base = array.base
        while base is not None:
            assert not getattr(base, "flags", array.flags).writeable, f"{name} can be written below"
            base = getattr(base, "base", None)
    assert leduc.fingerprint == wb.compile_game(wb.load_game("leduc")).fingerprint
