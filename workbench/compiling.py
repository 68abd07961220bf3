"""From rules in plain Python to flat arrays: ask the rules once about every history.

The walk goes depth first, so only the states on one path are alive at a time, and
writes a few numbers for each history; the arrays are then put into breadth-first order.
A node that leaves no choice (one action, or one outcome of chance) is passed over: it is
no history of the tree.

>>> from workbench.games import load_game
>>> compile_game(load_game("leduc"))
GameTree 'leduc': 2 players, 9,457 histories, 936 infosets, 2,184 choices
>>> compile_game(load_game("leduc"), max_histories=1000)
Traceback (most recent call last):
    ...
workbench.rules.GameError: 'leduc' has more than 1,000 histories (max_histories); try a smaller \
variant, merge equivalent chance outcomes, or raise max_histories (the latest history has 7 \
moves: J♠ K♠ c c Q♥ r)
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.assembling import assemble
from workbench.node_checks import complaint
from workbench.progress import StatusLine
from workbench.rules import Chance, Decision, GameError, Node, Rules, Terminal
from workbench.tree import CHANCE, NOBODY, GameTree, label_of

__all__ = ["compile_game"]

_DIFFERENT = (
    "player {} who has seen {!r} is offered {}, but in another history of the same information "
    "set {}; histories in one information set must offer the same actions"
)
MAX_PLAYERS = 100
MAX_DEPTH = 5_000  # a path this long is an endless game, not a long one


def compile_game(rules: Rules | GameTree, max_histories: int = 20_000_000) -> GameTree:
    """Compile rules into a `GameTree`; refuse rules that contradict themselves."""
    if isinstance(rules, GameTree):
        return rules
    if isinstance(rules, type):
        raise GameError(f"{rules.__name__} is a class; compile a game of it: {rules.__name__}()")
    if isinstance(rules, str):
        raise GameError(f"{rules!r} is a name; compile its rules: load_game({rules!r})")
    missing = [
        what for what in ("name", "players", "start", "next", "node") if not hasattr(rules, what)
    ]
    if missing:
        raise GameError(f"{rules!r} is no game: its rules lack {', '.join(missing)}")
    if type(rules.players) is not int or not 1 <= rules.players <= MAX_PLAYERS:
        raise GameError(
            f"players of {rules.name!r} must be a whole number from 1 to {MAX_PLAYERS}, "
            f"not {rules.players!r}"
        )
    if isinstance(max_histories, bool) or not isinstance(max_histories, int) or max_histories < 1:
        raise GameError(
            f"max_histories must be a whole number of at least 1, not {max_histories!r}"
        )
    return _Walk(rules, max_histories).compile()


class _Walk:
    """The buffers of one compilation; one entry per history unless said otherwise."""

    def __init__(self, rules: Rules, max_histories: int) -> None:
        self.rules = rules
        self.limit = max_histories
        self.parent, self.player, self.depth = array("i"), array("b"), array("H")
        self.infoset, self.choice, self.outcome = array("i"), array("i"), array("i")
        self.chance, self.payoffs = array("d"), array("d")  # payoffs: P per terminal
        self.infosets: dict[tuple[int, Hashable], int] = {}
        self.first_choice = array("i", [0])
        self.seen: list[Hashable] = []
        self.actions: list[Hashable] = []
        self.actions_of: list[tuple[Hashable, ...]] = []
        self.action_sets: dict[tuple[Hashable, ...], tuple[Hashable, ...]] = {}  # equal ones once
        self.forced: dict[tuple[int, Hashable], tuple[Hashable, ...]] = {}  # with one action
        self.fine: set[tuple[Hashable, ...]] = set()  # actions that need no second look
        self.outcomes: dict[Hashable, int] = {}

    def compile(self) -> GameTree:
        status = StatusLine()
        try:
            self._walk(status)
        finally:
            status.clear()
        self.infosets.clear()  # memory is at its peak below
        self.forced.clear()
        self.actions_of.clear()
        order = np.argsort(_numpy(self.depth, np.uint16), kind="stable").astype(np.int32)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
        parent = _numpy(self.parent, np.int32)[order]
        parent[1:] = rank[parent[1:]]
        player = _numpy(self.player, np.int8)
        over = player == NOBODY
        row = np.cumsum(over, dtype=np.int32) - 1  # the walk's numbering of terminals
        rows = row[order][over[order]]
        player = player[order]
        over = player == NOBODY
        tree, _ = assemble(
            name=self.rules.name,
            num_players=self.rules.players,
            parent=parent,
            player=player,
            infoset=_numpy(self.infoset, np.int32)[order],
            choice=_numpy(self.choice, np.int32)[order],
            chance=_numpy(self.chance, np.float64)[order],
            terminal=np.where(over, np.cumsum(over, dtype=np.int32) - 1, -1).astype(np.int32),
            utility=_numpy(self.payoffs, np.float64).reshape(-1, self.rules.players)[rows],
            outcome=_numpy(self.outcome, np.int32)[order],
            first_choice=_numpy(self.first_choice, np.int32),
            seen=self.seen,
            actions=self.actions,
            outcomes=tuple(self.outcomes),
        )
        return tree

    def _walk(self, status: StatusLine) -> None:
        ask_next = self.rules.next
        state, node = self._settle(self.rules.start(), -1)
        stack = self._add(state, node, -1, 0, -1, -1, 1.0, [])
        while stack:
            h, state, node = stack.pop()
            depth = self.depth[h] + 1
            if depth > MAX_DEPTH:
                raise GameError(
                    f"{self.rules.name!r} has a history of {MAX_DEPTH:,} moves, which looks "
                    f"endless: {self._path(h)[:120]} ...; "
                    "check that next() always moves towards a Terminal"
                )
            if len(self.parent) & 0xFFF < 2:
                status.show(f"compiling {self.rules.name}: {len(self.parent):,} histories")
            if isinstance(node, Decision):
                infoset = self.infoset[h]
                first = self.first_choice[infoset]
                edges = [(a, first + k, -1, 1.0) for k, a in enumerate(self.actions_of[infoset])]
            else:
                assert isinstance(node, Chance)
                edges = [
                    (o, -1, self.outcomes.setdefault(o, len(self.outcomes)), float(p))
                    for o, p in node.probabilities.items()
                ]
            later: list[tuple[int, Any, Node]] = []
            for move, choice, outcome, weight in edges:
                try:
                    below = ask_next(state, move)
                except Exception as error:
                    error.add_note(
                        f"(in next of {self.rules.name!r} after: {self._path(h)}, {move!r})"
                    )
                    raise
                below, node = self._settle(below, h, move)
                self._add(below, node, h, depth, choice, outcome, weight, later)
            stack.extend(reversed(later))

    def _settle(self, state: Any, above: int, move: Hashable = "") -> tuple[Any, Node]:
        """Pass over forced moves; return the first state where something is open."""
        for _ in range(MAX_DEPTH):
            try:
                node = self.rules.node(state)
                wrong = complaint(node, self.rules.players, self.fine)
                if wrong:
                    raise self._error(above, wrong, move)
                if isinstance(node, Decision) and len(node.actions) == 1:
                    self._check_forced(node, above, move)
                    state = self.rules.next(state, node.actions[0])
                elif isinstance(node, Chance) and len(node.probabilities) == 1:
                    state = self.rules.next(state, next(iter(node.probabilities)))
                else:
                    return state, node
            except GameError:
                raise
            except Exception as error:
                error.add_note(
                    f"(in the rules of {self.rules.name!r} after: {self._path(above)}, {move!r})"
                )
                raise
        raise self._error(
            above, f"{MAX_DEPTH:,} forced moves follow each other; the game looks endless", move
        )

    def _add(
        self,
        state: Any,
        node: Node,
        parent: int,
        depth: int,
        choice: int,
        outcome: int,
        weight: float,
        later: list[tuple[int, Any, Node]],
    ) -> list[tuple[int, Any, Node]]:
        """Write one history; put it on `later` if it has children."""
        h = len(self.parent)
        if h >= self.limit:
            raise GameError(
                f"{self.rules.name!r} has more than {self.limit:,} histories (max_histories); "
                "try a smaller variant, merge equivalent chance outcomes, or raise max_histories "
                f"(the latest history has {depth} moves: {self._path(parent)[-60:]})"
            )
        self.parent.append(parent)
        self.depth.append(depth)
        self.choice.append(choice)
        self.outcome.append(outcome)
        self.chance.append(weight)
        if isinstance(node, Terminal):
            self.player.append(NOBODY)
            self.infoset.append(-1)
            self.payoffs.extend(map(float, node.payoffs))
            return later
        if isinstance(node, Decision):
            self.infoset.append(self._infoset(h, node))
            self.player.append(node.player)
        else:
            self.infoset.append(-1)
            self.player.append(CHANCE)
        later.append((h, state, node))
        return later

    def _check_forced(self, node: Decision, above: int, move: Hashable) -> None:
        """A forced move is no history, but its information set must not disagree with itself."""
        key, actions = (node.player, node.seen), self._intern(node)
        self.forced.setdefault(key, actions)
        known = self._known_actions(self.infosets.get(key, -1), node)
        if known != actions:
            raise self._error(above, _DIFFERENT.format(*key, list(actions), list(known)), move)

    def _intern(self, node: Decision) -> tuple[Hashable, ...]:
        """The node's actions; infosets that offer the same share one tuple."""
        actions = tuple(node.actions)
        return self.action_sets.setdefault(actions, actions)

    def _known_actions(self, infoset: int, node: Decision) -> tuple[Hashable, ...]:
        return self.actions_of[infoset] if infoset >= 0 else self.forced[node.player, node.seen]

    def _infoset(self, h: int, node: Decision) -> int:
        """The infoset of a decision: known, or new."""
        infoset = self.infosets.get((node.player, node.seen), -1)
        actions = self._intern(node)
        if infoset >= 0 or (node.player, node.seen) in self.forced:
            known = self._known_actions(infoset, node)
            if actions != known and (len(actions) != len(known) or set(actions) != set(known)):
                raise self._error(
                    h, _DIFFERENT.format(node.player, node.seen, list(actions), list(known))
                )
            return infoset
        infoset = self.infosets[node.player, node.seen] = len(self.seen)
        self.seen.append(node.seen)
        self.actions_of.append(actions)
        self.actions.extend(actions)
        self.first_choice.append(len(self.actions))
        return infoset

    def _path(self, h: int) -> str:
        """The moves up to a history, for error messages."""
        names, moves = list(self.outcomes), []
        while h > 0:
            moves.append(
                self.actions[self.choice[h]] if self.choice[h] >= 0 else names[self.outcome[h]]
            )
            h = self.parent[h]
        return " ".join(map(label_of, reversed(moves))) or "the start"

    def _error(self, h: int, what: str, move: Hashable = "") -> GameError:
        path = self._path(h) if h > 0 or move == "" else ""
        where = " ".join(filter(None, [path, label_of(move)]))
        return GameError(f"in {self.rules.name!r} after {where}: {what}")


def _numpy(buffer: array[Any], dtype: type[np.generic]) -> NDArray[Any]:
    return np.frombuffer(buffer, dtype) if len(buffer) else np.zeros(0, dtype)
