"""From rules in plain Python to flat arrays: ask the rules once about every history.

The walk goes depth first, so only the states on one path are alive at a time, and
writes a few numbers for each history; the arrays are then put into breadth-first order.
A node that leaves no choice (one action, or one outcome of chance) is passed over: it is
no history of the tree.

>>> from workbench.games.registry import load_game
>>> compile_game(load_game("leduc"))
GameTree 'leduc': 2 players, 9,457 histories, 936 infosets, 2,184 choices
>>> compile_game(load_game("leduc"), max_histories=1000)
Traceback (most recent call last):
    ...
workbench.rules.GameError: 'leduc' has more than 1,000 histories (max_histories); try a smaller \
variant, merge equivalent chance outcomes, sample the rules without a tree (wb.sample_rules), or \
raise max_histories (the latest history has 7 moves: J♠ K♠ c c Q♥ r)
"""

from __future__ import annotations

import gc
import time
import warnings
from array import array
from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache as once
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.files import DamagedError, fitting
from workbench.progress import StatusLine
from workbench.rules import (
    MAX_DEPTH,
    Chance,
    Decision,
    GameError,
    Node,
    Rules,
    Terminal,
    complaint,
    label_of,
    need_rules,
)
from workbench.settings import need_whole
from workbench.tree import CHANCE, NOBODY, Form, GameTree, assemble, form_of

_DIFFERENT = (
    "player {} who has seen {!r} is offered {}, but in another history of the same information "
    "set {}; histories in one information set must offer the same actions"
)
WORTH_KEEPING = 2.0  # seconds
LARGEST = 20_000_000  # histories, unless a user asks for more
BYTES = 285  # a history takes at most while it is compiled; measured, without hidden information
LARGE = 2**20  # histories, from which on it is worth estimating how many there will be


def treeless(rules: Any, max_histories: int = LARGEST) -> Form | None:
    """The form that these rules bring, if their tree would be too large."""
    form = form_of(rules)
    return form if form and form.num_histories > max_histories else None


def compile_game(
    rules: Rules | GameTree, max_histories: int = LARGEST, *, cache: bool = True
) -> GameTree:
    """Compile rules into a `GameTree`; refuse rules that contradict themselves.

    A game of the workbench that takes more than two seconds is kept on disk for the next time,
    unless `cache` is False. Rules of one's own may change without notice: no name for a file.
    """
    if isinstance(rules, GameTree):
        return rules
    need_rules(rules)
    need_whole("max_histories", max_histories)
    if form := treeless(rules, max_histories):
        raise GameError(
            f"{rules.name!r} has {form.num_histories:,} histories, more than {max_histories:,} "
            "(max_histories); wb.solve(rules) needs no tree of a game of cards, and buckets of "
            "hands (wb.cluster_hands) make it smaller; or compile a game with fewer cards"
        )
    key = f"{rules!r} {_sources()}" if cache and _says_everything(rules) else ""
    kept = disk_cache.load("trees", key) if key else None
    with suppress(DamagedError), fitting("a kept tree"):
        if kept is not None and len(kept["parent"]) <= max_histories:
            return GameTree.from_arrays(kept, rules)
    began = time.monotonic()
    tree = _Walk(rules, max_histories).compile()
    if key and time.monotonic() - began > WORTH_KEEPING:
        disk_cache.save("trees", key, tree.to_arrays())
    return tree


def _says_everything(rules: Rules) -> bool:
    """Whether these are rules of the workbench whose repr holds all that decides their tree."""
    ours = type(rules).__module__.startswith("workbench.games.") and is_dataclass(rules)
    return ours and all(field.repr for field in fields(rules))  # type: ignore[arg-type]


@once
def _sources() -> str:
    """A hash of what turns rules into arrays."""
    files = [disk_cache.PACKAGE / f"{name}.py" for name in ("tree", "compiling")]
    return disk_cache.source_hash([*files, *(disk_cache.PACKAGE / "games").rglob("*.py")])


class _Walk:
    """The buffers of one compilation; one entry per history unless said otherwise."""

    def __init__(self, rules: Rules, max_histories: int) -> None:
        self.rules = rules
        self.limit = max_histories
        self.parent, self.depth = array("i"), array("H")
        self.move = array("i")  # into the history: a choice, or ~row of outcomes below chance
        self.place = array("i")  # the infoset, or CHANCE, or NOBODY
        self.weights, self.payoffs = array("d"), array("d")  # per outcome edge; P per terminal
        self.infosets: dict[tuple[int, Hashable], int] = {}
        self.first_choice = array("i", [0])
        self.seen: list[Hashable] = []
        self.owner = array("b")  # per infoset: its player
        self.actions: list[Hashable] = []
        self.actions_of: list[tuple[Hashable, ...]] = []
        self.action_sets: dict[tuple[Hashable, ...], tuple[Hashable, ...]] = {}  # equal ones once
        self.forced: dict[tuple[int, Hashable], tuple[Hashable, ...]] = {}  # with one action
        self.fine: set[tuple[Hashable, ...]] = set()  # actions that need no second look
        self.paid: set[tuple[float, ...]] = set()  # payoffs that need no second look
        self.outcomes: dict[Hashable, int] = {}
        self.stack: list[tuple[int, int, Any, Node]] = []  # open histories, the next one on top
        self.status = StatusLine()
        self.warned = False  # that memory may not do: once is enough

    def compile(self) -> GameTree:
        collecting = gc.isenabled()
        gc.disable()  # looking through millions of names for cycles costs a quarter of the time
        try:
            self._walk()
        except BaseException:  # stopped, perhaps by somebody who waits for an answer: throw away
            _let_go(self.infosets, self.forced, self.actions_of, self.seen, self.actions)
            _let_go(self.stack)
            raise  # what there is before a collection looks through all of it
        finally:
            self.status.clear()
            if collecting:
                gc.enable()
        _let_go(self.infosets, self.forced, self.actions_of)  # memory is at its peak below
        order = np.argsort(_numpy(self.depth, np.uint16), kind="stable").astype(np.int32)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
        parent = _numpy(self.parent, np.int32)[order]
        parent[1:] = rank[parent[1:]]
        del rank
        over = _numpy(self.place, np.int32) == NOBODY
        rows = (np.cumsum(over, dtype=np.int32) - 1)[order]  # the walk's numbering of terminals
        move = _numpy(self.move, np.int32)
        chance = np.ones(len(order))
        chance[np.flatnonzero(move[1:] < 0) + 1] = _numpy(self.weights, np.float64)
        chance, move, place = chance[order], move[order], _numpy(self.place, np.int32)[order]
        del order
        over = place == NOBODY
        owner = np.append(_numpy(self.owner, np.int8), np.array([NOBODY, CHANCE], np.int8))
        outcome = np.where(move < 0, ~move, -1).astype(np.int32)
        outcome[0] = -1
        return assemble(
            name=self.rules.name,
            num_players=self.rules.players,
            parent=parent,
            player=owner[place],  # the last two entries are NOBODY's and CHANCE's, -2 and -1
            infoset=np.maximum(place, -1),
            choice=np.maximum(move, -1),
            chance=chance,
            terminal=np.where(over, np.cumsum(over, dtype=np.int32) - 1, -1).astype(np.int32),
            utility=_numpy(self.payoffs, np.float64).reshape(-1, self.rules.players)[rows[over]],
            outcome=outcome,
            first_choice=_numpy(self.first_choice, np.int32),
            seen=self.seen,
            actions=self.actions,
            outcomes=tuple(self.outcomes),
            rules=self.rules,
        )[0]

    def _walk(self) -> None:
        """Depth first, from left to right."""
        ask_next, stack = self.rules.next, self.stack
        state, node, place = self._skip_forced(self.rules.start(), -1, "")
        self._add(state, node, place, -1, 0, -1)
        while stack:
            h, depth, state, node = stack.pop()
            if depth > MAX_DEPTH:
                raise GameError(
                    f"{self.rules.name!r} has a history of {MAX_DEPTH:,} moves, which looks "
                    f"endless: {self._path(h)[:120]} ...; "
                    "check that next() always moves towards a Terminal"
                )
            moves: Iterable[Hashable]
            if self.place[h] >= 0:
                moves = self.actions_of[self.place[h]]
                number = self.first_choice[self.place[h]]
            else:
                assert isinstance(node, Chance)
                moves, number = node.probabilities, -1
                self.weights.extend(map(float, node.probabilities.values()))
            bottom = len(stack)
            for move in moves:
                try:
                    below = ask_next(state, move)
                except Exception as error:
                    error.add_note(
                        f"(in next of {self.rules.name!r} after: {self._path(h)}, {move!r})"
                    )
                    raise
                below, node, place = self._skip_forced(below, h, move)
                if number < 0:
                    row = self.outcomes.setdefault(move, len(self.outcomes))
                    self._add(below, node, place, h, depth, ~row)
                else:
                    self._add(below, node, place, h, depth, number)
                    number += 1
            stack[bottom:] = stack[bottom:][::-1]

    def _skip_forced(self, state: Any, above: int, move: Hashable) -> tuple[Any, Node, int]:
        """Pass over forced moves, to the first state where something is open; with its node and
        its infoset or CHANCE or NOBODY. What was found good before is not checked again."""
        ask_node, ask_next, infosets = self.rules.node, self.rules.next, self.infosets
        node: Any = None
        try:
            for _ in range(MAX_DEPTH):
                node = ask_node(state)
                kind = type(node)
                if kind is Terminal and type(node.payoffs) is tuple and node.payoffs in self.paid:
                    return state, node, NOBODY
                if kind is Decision:
                    key, actions = (node.player, node.seen), tuple(node.actions)
                    infoset = infosets.get(key, -1)
                    if infoset >= 0 and actions == self.actions_of[infoset]:
                        return state, node, infoset
                    if len(actions) == 1 and actions == self.forced.get(key):
                        state = ask_next(state, actions[0])
                        continue
                place = self._check(node, above, move)
                if place is not None:
                    return state, node, place
                only = node.actions if isinstance(node, Decision) else node.probabilities
                state = ask_next(state, next(iter(only)))
        except GameError:
            raise
        except Exception as error:
            if node is not None and (wrong := complaint(node, self.rules.players)):  # no list, …
                raise self._error(above, wrong, move) from None
            error.add_note(
                f"(in the rules of {self.rules.name!r} after: {self._path(above)}, {move!r})"
            )
            raise
        raise self._error(
            above, f"{MAX_DEPTH:,} forced moves follow each other; the game looks endless", move
        )

    def _check(self, node: Node, above: int, move: Hashable) -> int | None:
        """The infoset of a new node, or CHANCE, or NOBODY; None if the node is forced, which is no
        history, but its information set must not disagree with itself."""
        if wrong := complaint(node, self.rules.players, self.fine):
            raise self._error(above, wrong, move)
        if isinstance(node, Terminal):
            if type(node.payoffs) is tuple and len(self.paid) < 1000:
                self.paid.add(node.payoffs)
            return NOBODY
        if isinstance(node, Chance):
            return CHANCE if len(node.probabilities) > 1 else None
        key, actions = (node.player, node.seen), tuple(node.actions)
        actions = self.action_sets.setdefault(actions, actions)
        infoset = self.infosets.get(key, -1)
        known = self.actions_of[infoset] if infoset >= 0 else self.forced.get(key, actions)
        if known != actions and set(known) != set(actions):
            raise self._error(above, _DIFFERENT.format(*key, list(actions), list(known)), move)
        if len(actions) == 1:
            self.forced[key] = actions
            return None
        if infoset < 0:
            infoset = self.infosets[key] = len(self.seen)
            self.seen.append(node.seen)
            self.owner.append(node.player)
            self.actions_of.append(actions)
            self.actions.extend(actions)
            self.first_choice.append(len(self.actions))
        return infoset

    def _add(self, state: Any, node: Node, place: int, parent: int, depth: int, move: int) -> None:
        """Write one history; put it on the stack if it has children."""
        h = len(self.parent)
        if not h & 0xFFF:
            self.status.show(f"compiling {self.rules.name}: {h:,} histories")
            gc.collect(1)  # what is new; rules may leave cycles behind
            if h >= LARGE and not h & (h - 1) and not self.warned:
                self._look_ahead(h)
        if h >= self.limit:
            raise GameError(
                f"{self.rules.name!r} has more than {self.limit:,} histories (max_histories); "
                "try a smaller variant, merge equivalent chance outcomes, sample the rules without "
                "a tree (wb.sample_rules), or raise max_histories "
                f"(the latest history has {depth} moves: {self._path(parent)[-60:]})"
            )
        self.parent.append(parent)
        self.depth.append(depth)
        self.move.append(move)
        self.place.append(place)
        if place == NOBODY:
            assert isinstance(node, Terminal)
            self.payoffs.extend(map(float, node.payoffs))
        else:
            self.stack.append((h, depth + 1, state, node))

    def _look_ahead(self, h: int) -> None:
        """Warn if the whole tree will not fit into memory. A branch is taken for as large as its
        sisters: of a node with k moves each has 1/k of it."""
        branches = np.bincount(np.array(self.parent[1:], np.int32), minlength=h)
        left = 0.0
        for open_one, *_ in self.stack:
            share, at = 1.0, self.parent[open_one]
            while at >= 0:
                share, at = share / branches[at], self.parent[at]
            left += share
        total = min(h / max(1.0 - left, 1e-9), self.limit)
        needed, free = BYTES * total, _free_memory() + BYTES * h  # which we have taken already
        if needed > free:
            self.warned = True
            warnings.warn(
                f"{self.rules.name!r} has about {total:,.0f} histories, which take up to "
                f"{needed / 1e9:.1f} GB while they are compiled, and {free / 1e9:.1f} GB are free; "
                "stop it and try a smaller variant, a lower max_histories, or wb.sample_rules",
                RuntimeWarning,
                stacklevel=2,
            )

    def _path(self, h: int) -> str:
        """The moves up to a history, for error messages."""
        names, moves = list(self.outcomes), []
        while h > 0:
            move = self.move[h]
            moves.append(self.actions[move] if move >= 0 else names[~move])
            h = self.parent[h]
        return " ".join(map(label_of, reversed(moves))) or "the start"

    def _error(self, h: int, what: str, move: Hashable = "") -> GameError:
        path = self._path(h) if h > 0 or move == "" else ""
        where = " ".join(filter(None, [path, label_of(move)]))
        return GameError(f"in {self.rules.name!r} after {where}: {what}")


def _free_memory() -> float:
    """Bytes that this process may still take, as far as the machine or the container tells."""
    bounds = [float("inf")]
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                bounds.append(1024.0 * int(line.split()[1]))
    with suppress(OSError, ValueError):  # "max" if there is no limit
        limit, used = (Path(f"/sys/fs/cgroup/memory.{what}") for what in ("max", "current"))
        bounds.append(float(int(limit.read_text()) - int(used.read_text())))
    return min(bounds)


def _let_go(*large: dict[Any, Any] | list[Any]) -> None:
    """Empty them little by little: to free millions of objects at once stops all threads."""
    for container in large:
        if isinstance(container, dict):
            while container:
                container.popitem()
        else:
            while container:
                del container[-1000:]


def _numpy(buffer: array[Any], dtype: type[np.generic]) -> NDArray[Any]:
    return np.frombuffer(buffer, dtype) if len(buffer) else np.zeros(0, dtype)
