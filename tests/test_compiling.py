"""Compiling: the tree says what the rules say, and rules that contradict themselves are refused."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import positions, tandem
from tests.random_games import ANY_PLAYERS, compiled, random_games
from workbench import Chance, Decision, GameError, Terminal, compile_game
from workbench.games.kuhn import Kuhn
from workbench.progress import told_to


@dataclass(frozen=True)
class Told:
    """Rules told as a function from the moves so far to the node; a state is those moves."""

    tell: Callable[[tuple[Any, ...]], Any]
    players: int = 2
    name: str = "told"

    def start(self):
        return ()

    def next(self, state, action):
        return (*state, action)

    def node(self, state):
        return self.tell(state)


END = Terminal((1.0, -1.0))


def told(*nodes):
    """Rules in which the k-th move is always made at the k-th node, or at what a function says of
    the moves so far; then player 0 wins 1."""

    def tell(state):
        node = [*nodes, END][len(state)]
        return node(state) if callable(node) else node

    return Told(tell)


CALL = Decision(0, "call", ("H", "T"))
XY = Chance({"x": 0.5, "y": 0.5})


@given(random_games(players=ANY_PLAYERS, recall=True) | random_games(recall=False))
def test_every_history_of_the_rules_is_in_the_tree(rules):
    tree = compiled(rules)
    visited = [h for h, _, _ in tandem(rules, tree)]
    assert sorted(visited) == list(range(tree.num_histories))
    open_infosets = {
        (node.player, node.seen)
        for _, node in positions(rules)
        if isinstance(node, Decision) and len(node.actions) > 1
    }
    found = zip(tree.infoset_player.tolist(), tree.seen, strict=True)
    assert sorted(found) == sorted(open_infosets)
    assert tree.perfect_recall or rules.recall is not None


def test_forced_moves_are_no_histories():
    forced = Decision(1, "nothing to decide", ("go",))
    sure = Chance({"sunrise": 1.0})
    plain = compile_game(told(CALL))
    detour = compile_game(told(sure, forced, CALL, forced, sure))
    assert plain.num_histories == detour.num_histories == 3
    assert detour.seen == ("call",)
    assert plain.fingerprint == detour.fingerprint


def test_actions_of_an_infoset_may_come_in_any_order():
    either = told(
        XY,
        lambda state: Decision(0, "x", ("l", "r") if state[0] == "x" else ("r", "l")),
        lambda state: Terminal((1.0, -1.0) if state[1] == "l" else (0.0, 0.0)),
    )
    tree = compile_game(either)
    assert tree.actions == ("l", "r")
    assert tree.utility[tree.terminal[tree.choice == 0]].tolist() == [[1, -1], [1, -1]]


def test_seen_may_be_anything_hashable():
    for seen in ["x", 3, None, ("a", 1), frozenset({"a"}), 2.5, True]:
        assert compile_game(told(Decision(0, seen, "LR"))).seen == (seen,)


def pick(state):
    """One action after x, two after y, although the player cannot tell them apart."""
    return Decision(0, "s", ("l",) if state[:1] == ("x",) else ("l", "r"))


REFUSED = {
    "probabilities above one": (told(Chance({"a": 0.5, "b": 0.6})), "sum to 1.1"),
    "a negative probability": (told(Chance({"a": 1.5, "b": -0.5})), "at least 0"),
    "a probability of 400 digits": (told(Chance({"a": 10**400, "b": 0.5})), "probabilities"),
    "no outcome": (told(Chance({})), "dict"),
    "outcomes as a list": (told(Chance([("a", 1.0)])), "dict"),
    "probabilities in words": (told(Chance({"a": "half", "b": 0.5})), "numbers"),
    "more actions elsewhere": (
        told(XY, lambda state: Decision(0, "s", "lr" if state == ("x",) else "lrm")),
        "after y: player 0 who has seen 's' is offered ['l', 'r', 'm']",
    ),
    "one action elsewhere": (told(XY, pick), "after y"),
    "one action here": (told(Chance({"y": 0.5, "x": 0.5}), pick), "after x"),
    "another only action": (told(CALL, Decision(1, "s", "a"), Decision(1, "s", "b")), "['b']"),
    "payoffs too long": (Told(lambda state: Terminal((1.0, 2.0, 3.0)) if state else CALL), "H"),
    "infinite payoffs": (Told(lambda state: Terminal((float("inf"), 0.0))), "finite"),
    "payoffs of 400 digits": (Told(lambda state: Terminal((10**400, 0.0))), "finite"),
    "payoffs in two dimensions": (Told(lambda state: Terminal(np.ones((2, 2)))), "payoffs"),
    "payoffs by player": (told(Terminal({0: 5.0, 1: -5.0})), "list of 2"),
    "two actions that look the same": (told(Decision(0, "s", (1, "1"))), "same name"),
    "equal actions": (told(Decision(0, "s", (True, 1))), "equal"),
    "no action": (told(Decision(0, "s", ())), "no action"),
    "actions without order": (told(Decision(0, "s", {"l", "r"})), "order"),
    "actions that are no list": (told(Decision(0, "s", 3)), "list"),
    "actions from a generator": (told(Decision(0, "s", (a for a in "ab"))), "list"),
    "actions not hashable": (told(Decision(0, "s", (["l"], "r"))), "hashable"),
    "None as an action": (told(Decision(0, "s", (None, "r"))), "None"),
    "seen not hashable": (told(Decision(0, ["a"], "lr")), "hashable"),
    "a player too many": (told(CALL, Decision(2, "s", "lr")), "player 2"),
    "chance as a player": (told(Decision(-1, "s", "lr")), "player -1"),
    "a player by name": (told(Decision("Ann", "s", "lr")), "'Ann'"),
    "nothing": (told(None), "None"),
    "endless": (Told(lambda state: Decision(0, len(state), "lr")), "'told' has"),
    "endless forced moves": (Told(lambda state: Decision(0, len(state), ["on"])), "endless"),
    "a name": ("kuhn", "load_game('kuhn')"),
    "a class": (Kuhn, "Kuhn()"),
    "no rules": (object(), "start"),
    "no players": (Told(lambda state: END, players=0), "100"),
    "half a player": (Told(lambda state: END, players=1.5), "1.5"),
    "no name": (Told(lambda state: END, name=None), "name"),
    "a name that commands a terminal": (Told(lambda state: END, name="\x1b[2J"), "name"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    rules, message = REFUSED[case]
    with pytest.raises(GameError, match=re.escape(message)) as caught:
        compile_game(rules, max_histories=50_000)
    assert str(caught.value).isprintable()


def test_a_long_path_looks_endless_before_it_fills_the_memory():
    rules = Told(lambda state: Decision(0, len(state), "lr") if "r" not in state else END)
    with pytest.raises(GameError, match=r"a history of 5,000 moves, which looks endless: l l l"):
        compile_game(rules)


def test_max_histories_is_exact_and_says_what_to_try():
    assert compile_game(Kuhn(), max_histories=58).num_histories == 58
    message = r"'kuhn' has more than 57 histories \(max_histories\); try a smaller variant"
    with pytest.raises(GameError, match=message):
        compile_game(Kuhn(), max_histories=57)


@given(st.sampled_from(["node", "next"]), st.integers(0, 4))
def test_an_error_of_the_rules_says_where_it_happened(method, moves):
    class Broken(Kuhn):
        def next(self, state, action):
            if method == "next" and len("".join(state)) == moves:
                raise KeyError("a mistake in next")
            return super().next(state, action)

        def node(self, state):
            if method == "node" and len("".join(state)) == moves:
                raise KeyError("a mistake in node")
            return super().node(state)

    with pytest.raises(KeyError, match=f"a mistake in {method}") as caught:
        compile_game(Broken())
    (note,) = caught.value.__notes__
    assert "of 'kuhn' after: " in note


def test_a_node_with_many_outcomes_tells_how_far_it_is():
    """Between two of its outcomes as well: who wants to stop should not wait for the last one."""
    heard = []
    with told_to(heard.append):
        compile_game(told(Chance(dict.fromkeys(range(10_000), 1e-4))))
    assert heard == [f"compiling told: {h:,} histories" for h in (0, 4096, 8192)]
