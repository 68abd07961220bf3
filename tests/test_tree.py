"""The tree's arrays keep their promises, in named games and in random ones."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.own_game import Kuhn4
from tests.random_games import ANY_PLAYERS, RandomGame, compiled, random_games
from tests.test_compiling import XY, told
from workbench import Chance, Decision, Terminal, abstract, compile_game, load_game
from workbench.tree import CHANCE, NOBODY

GAMES = ["kuhn", "leduc", "smuggler", "figure1", "odd_one_out", "gift"]


def check_numbering(tree):
    """Everything that the loops over a tree take for granted."""
    n, m = tree.num_histories, tree.num_infosets
    histories = np.arange(n)
    assert tree.parent[0] == -1
    assert np.all(tree.parent[1:] < histories[1:]), "a parent stands before its children"
    assert np.all(tree.parent[1:] >= 0)
    assert np.all(np.diff(tree.parent[1:]) >= 0), "children of one history stand together"
    assert tree.first_child[0] == 1
    assert tree.first_child[n] == n
    for h in range(n):
        children = range(tree.first_child[h], tree.first_child[h + 1])
        assert all(tree.parent[c] == h for c in children)
        assert (len(children) == 0) == (tree.player[h] == NOBODY) == (tree.terminal[h] >= 0)
        assert (tree.infoset[h] >= 0) == (tree.player[h] >= 0)
        if tree.player[h] == CHANCE:
            assert abs(tree.chance[list(children)].sum() - 1.0) < 1e-12
            assert np.all(tree.choice[list(children)] == -1)
        if tree.infoset[h] >= 0:
            assert tree.player[h] == tree.infoset_player[tree.infoset[h]]
            low, high = tree.first_choice[tree.infoset[h] : tree.infoset[h] + 2]
            weight = np.zeros(high - low)
            np.add.at(weight, tree.choice[list(children)] - low, tree.chance[list(children)])
            np.testing.assert_allclose(weight, 1.0, atol=1e-12)
    over = np.flatnonzero(tree.terminal >= 0)
    assert tree.terminal[over].tolist() == list(range(tree.num_terminals)), "in order of histories"
    assert tree.utility.shape == (tree.num_terminals, tree.num_players)

    assert np.all(np.diff(tree.infoset_player) >= 0), "infosets are numbered player by player"
    decisions = np.flatnonzero(tree.infoset >= 0)
    used, first = np.unique(tree.infoset[decisions], return_index=True)
    assert used.tolist() == list(range(m)), "every infoset has a history"
    for i in range(tree.num_players):
        hers = tree.infosets_of(i)
        assert np.all(tree.infoset_player[hers.start : hers.stop] == i)
        assert np.all(np.diff(first[hers.start : hers.stop]) > 0), "in order of first appearance"
    assert [i for p in range(tree.num_players) for i in tree.infosets_of(p)] == list(range(m))
    ranges = [tree.choices_of(p) for p in range(tree.num_players)]
    assert [c for hers in ranges for c in hers] == list(range(tree.num_choices))
    assert np.all(np.diff(tree.first_choice) >= 1)
    assert len(tree.seen) == m
    assert len(tree.actions) == tree.num_choices
    owners = np.repeat(np.arange(m), np.diff(tree.first_choice))
    assert tree.choice_infoset.tolist() == owners.tolist()
    if tree.perfect_recall:
        for infoset in range(m):
            above = tree.parent_choice[infoset]
            assert above < 0 or owners[above] < infoset, "an infoset stands before what follows it"

    levels = tree.level_start
    assert (levels[0], levels[-1]) == (0, n)
    depth = np.zeros(n, int)
    for h in range(1, n):
        depth[h] = depth[tree.parent[h]] + 1
    assert depth.tolist() == np.repeat(np.arange(len(levels) - 1), np.diff(levels)).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_numbering_of_named_games(name):
    tree = compile_game(load_game(name))
    check_numbering(tree)
    assert tree.zero_sum is (name != "gift")


@given(random_games(players=ANY_PLAYERS) | random_games(recall=False))
def test_numbering_of_random_games(rules):
    check_numbering(compiled(rules))


def two_moves(second_sees):
    """Player 0 moves twice; before the second move she has seen second_sees(first move)."""
    second = lambda state: Decision(0, second_sees(state[0]), "lr")  # noqa: E731
    return compile_game(told(Decision(0, "start", "lr"), second, Terminal((1.0, 0.0))))


def test_recall_is_computed():
    assert two_moves(lambda first: ("later", first)).perfect_recall
    assert not two_moves(lambda first: "later").perfect_recall, "she forgets what she did"
    assert not two_moves(lambda first: "start").perfect_recall, "she forgets that she has moved"
    knew = told(XY, *(lambda state, k=k: Decision(0, (k, state[k]), "lr") for k in (0, 1)))
    assert not compile_game(knew).perfect_recall, "she forgets what she knew"


def coin(p=0.5, win=1.0, seen="call", actions="HT"):
    end = lambda state: Terminal((win if state[0] == state[1] else -win, 0.0))  # noqa: E731
    return compile_game(told(Chance({"H": p, "T": 1 - p}), Decision(0, seen, tuple(actions)), end))


def test_the_fingerprint_changes_with_every_edit():
    trees = [coin(), coin(p=0.25), coin(win=2.0), coin(seen="guess"), coin(actions="HX")]
    trees += [compile_game(load_game("kuhn", cards=cards)) for cards in (3, 4)]
    assert len({tree.fingerprint for tree in trees}) == len(trees)


def test_the_fingerprint_is_of_the_game_not_of_its_name_or_history():
    tree, fresh = coin(), coin()
    # what has been derived from a tree must not change who it is
    assert tree.perfect_recall
    assert tree.zero_sum is False
    assert len(tree.level_start) == 4
    assert tree.fingerprint == fresh.fingerprint
    assert tree.nbytes == fresh.nbytes
    assert replace(tree, name="another").fingerprint == tree.fingerprint


def test_the_fingerprint_is_the_same_in_every_process(run_python):
    code = (
        "from tests.random_games import RandomGame, compiled\n"
        "from tests.test_tree import coin\n"
        "import workbench as wb\n"
        "print(wb.compile_game(wb.load_game('kuhn')).fingerprint)\n"
        "print(coin(seen=frozenset('abcdefg')).fingerprint)\n"
        "print(compiled(RandomGame(7, players=3)).fingerprint)\n"
    )
    run = run_python("-c", code, env={"PYTHONHASHSEED": "77"})  # and here a seed at random
    assert run.returncode == 0, run.stderr
    here = [compile_game(load_game("kuhn")), coin(seen=frozenset("abcdefg"))]
    here.append(compiled(RandomGame(7, players=3)))
    assert run.stdout.split() == [tree.fingerprint for tree in here]


def test_a_pickled_tree_is_the_same_tree():
    tree = compile_game(load_game("leduc", suit_isomorphism=True))
    assert (tree.perfect_recall, tree.zero_sum) == (True, True)
    assert tree.fingerprint
    twin = pickle.loads(pickle.dumps(tree))
    assert twin.fingerprint == tree.fingerprint
    assert twin.seen == tree.seen
    assert twin.perfect_recall
    assert not twin.parent.flags.writeable
    assert len(pickle.dumps(tree)) < 2 * tree.nbytes, "derived arrays are not stored"


def test_copies_know_where_they_come_from(monkeypatch):
    tree = compile_game(load_game("leduc", ranks=2))
    coarse = abstract(tree, "null").coarse
    assert copy.deepcopy(coarse) is copy.copy(coarse) is coarse  # nobody can change it
    assert pickle.loads(pickle.dumps(tree)).rules == tree.rules
    twin = pickle.loads(pickle.dumps(coarse))
    assert (twin.rules, twin.origin) == (None, tree.rules)
    assert twin.derived_from.fingerprint == tree.fingerprint
    elsewhere = pickle.dumps(compile_game(Kuhn4()))
    assert isinstance(pickle.loads(elsewhere).rules, Kuhn4)
    monkeypatch.delattr("tests.own_game.Kuhn4")  # where nobody knows these rules
    here = type("Here", (Kuhn4,), {})()  # and where they cannot even be sent
    for sent in (elsewhere, pickle.dumps(compile_game(here))):
        twin = pickle.loads(sent)
        assert (twin.rules, twin.fingerprint) == (None, compile_game(here).fingerprint)


def test_nothing_in_a_tree_can_be_written(kuhn):
    derived = kuhn.choice_infoset, kuhn.level_start, kuhn.parent_choice, kuhn.first_infoset
    assert not any(array.flags.writeable for array in (*kuhn._arrays(), *derived))
    with pytest.raises(ValueError, match="read-only"):
        kuhn.utility[0, 0] = 5.0
    with pytest.raises(AttributeError):
        kuhn.name = "another"
