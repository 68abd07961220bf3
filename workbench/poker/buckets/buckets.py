"""Hands in buckets: what a player of a coarser game can still tell apart.

Everyday example: on a board with a king, a weak player knows "I have a pair" or "I have nothing".
Two buckets for 51 cards.

`of_class[r]` says for each class of hands of round r which bucket it is in, `rounds[r]` the same
for each canonical board and each hand (-1 where they share a card). Either may be given. Buckets
are numbered 0, 1, … over the whole round, so one bucket may span boards. An information set of the
coarser game is a bucket and the betting so far. If a bucket always tells the bucket of the round
before, the buckets are *nested* and players forget nothing (perfect recall).

>>> from workbench.games.registry import load_game
>>> everything = HandBuckets.lossless(load_game("rhode_island"))
>>> everything, everything.nested, everything.sizes(0).tolist()[:3]
(HandBuckets 13-325-9997 of 'rhode_island', True, [4, 4, 4])
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import SIGNS
from workbench.poker.cards.boards import Boards, boards_of, find_board, round_of
from workbench.rules import GameError
from workbench.settings import as_tuple
from workbench.strategy import need_numbers
from workbench.tree import FloatArray, FormAbstraction, GameTree, IntArray, frozen


class Buckets(FormAbstraction):
    """What all kinds of buckets of hands have."""

    rules: Any
    players: tuple[int, ...] = ()  # in the game of an expert, who follows the base elsewhere: S
    base_probs: FloatArray | None = None  # how

    def on(self, public: Sequence[int]) -> Any:
        """(H,) the bucket of each hand on real public cards; -1 if they share a card."""
        raise NotImplementedError

    def at(self, private: Sequence[int], public: Sequence[int]) -> int:
        """The bucket of one hand on real public cards; -1 if they share a card."""
        return int(self.on(public)[self.rules.deck.hand(private)])

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} of {self.rules.name!r}"


class HandBuckets(Buckets):
    """The buckets of every round, checked when they are made."""

    def __init__(self, rules: Any, rounds: Iterable[Any], name: str = "") -> None:
        self.rules = rules
        self.boards = boards_of(rules)
        given = as_tuple(rounds)
        if len(given) != len(self.boards):
            raise GameError(
                f"buckets for {len(given)} rounds, but {rules.name!r} has {len(self.boards)}"
            )
        self.of_class: tuple[IntArray, ...] = tuple(
            self._checked(r, one) for r, one in enumerate(given)
        )
        self.classes = tuple(int(one.max()) + 1 for one in self.of_class)
        self.name = name or "-".join(map(str, self.classes))

    @classmethod
    def lossless(cls, rules: Any) -> HandBuckets:
        """One bucket for each class of hands: nothing is forgotten but the names of suits."""
        return cls(rules, (np.arange(one.num_classes) for one in boards_of(rules)))

    def _checked(self, r: int, given: Any) -> IntArray:
        boards, where = self.boards[r], f"round {r + 1} of {self.rules.name!r}"
        label = by_class("buckets", given, boards, where, np.int32)
        sizes = np.bincount(np.maximum(label, 0))
        if label.min() < 0 or not sizes.all():
            empty = np.argmin(sizes) if label.min() >= 0 else label.min()
            raise GameError(
                f"buckets of {where}: number them 0, 1, 2, …, without gaps; see bucket {empty}"
            )
        return frozen(label)

    @cached_property
    def rounds(self) -> tuple[IntArray, ...]:
        """For each round (boards, hands) the bucket."""
        return tuple(
            frozen(np.where(one.classes >= 0, label[one.classes], -1).astype(np.int32))
            for one, label in zip(self.boards, self.of_class, strict=True)
        )

    @cached_property
    def nested(self) -> bool:
        """Whether each bucket tells the bucket of the round before: perfect recall."""
        for r in range(1, len(self.rounds)):
            before = self.rounds[r - 1][self.boards[r].parent]
            free = self.rounds[r] >= 0
            pairs = np.unique(np.column_stack([self.rounds[r][free], before[free]]), axis=0)
            if len(pairs) > self.classes[r]:
                return False
        return True

    def sizes(self, round: int) -> NDArray[np.int64]:
        """How many real holdings (a hand and a real board) are in each bucket of a round."""
        return np.bincount(self.of_class[round], self.boards[round].sizes).astype(np.int64)

    def for_tree(self, tree: GameTree) -> Callable[[int, Any, tuple[Any, ...]], Hashable]:
        """The abstraction of a compiled tree of the same game (`wb.abstract`), whose players see
        (card, public cards, betting): they know the bucket and the betting."""
        if tree.rules != self.rules:
            raise GameError(f"{self!r} were made for another game than {tree!r}")

        @cache
        def bucket(private: str, public: str) -> tuple[int, int]:
            mine, board = card_numbers(self.rules, private, public)
            return round_of(self.rules.public_cards, board), self.at(mine, board)

        return lambda player, seen, actions: (*bucket(seen[0], seen[1]), *seen[2:])

    def on(self, public: Sequence[int]) -> IntArray:
        deck = self.rules.deck
        board, renamed = find_board(self.boards, tuple(public))
        hands = [deck.hand(cards) for cards in renamed[deck.hands(self.rules.private_cards)]]
        return self.rounds[round_of(self.rules.public_cards, public)][board, hands]

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        return {f"buckets{r}": one for r, one in enumerate(self.rounds)} | {"name": self.name}

    @classmethod
    def restored(cls, rules: Any, saved: Any) -> HandBuckets:
        rounds = (saved[f"buckets{r}"] for r in range(len(boards_of(rules))))
        return cls(rules, rounds, str(saved["name"]))

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal buckets of the same game."""
        digest = hashlib.sha256(self.rules.name.encode())
        for one in self.rounds:
            digest.update(one.tobytes())
        return digest.hexdigest()


def by_class(what: str, given: Any, boards: Boards, where: str, kind: Any = np.float64) -> Any:
    """(classes,) one number for each class of hands, given so or for each hand on each board."""
    classes, listed = boards.classes, isinstance(given, np.ndarray) and given.ndim == 1
    shape = (boards.num_classes,) if listed else classes.shape
    table = need_numbers(what, given, shape, where, kind)
    if listed:
        return table
    found, free = np.zeros(boards.num_classes, kind), classes >= 0
    found[classes[free]] = table[free]
    if (odd := np.argwhere(free & ~(np.isfinite(table) & (found[classes] == table)))).size:
        board, hand = odd[0]
        raise GameError(
            f"{what} of {where}: hand {hand} on board {board} has {table[board, hand]}; a hand has "
            "one number, and so have all that differ from it only in the names of suits"
        )
    return found


def card_numbers(rules: Any, *names: str) -> tuple[tuple[int, ...], ...]:
    """The numbers of cards as players see them: 'A♥', 'K♥ 2♥', or ranks alone, 'Q', where the
    rules have forgotten suits (equal ranks are then different cards)."""
    suits, signs = rules.deck.suits, SIGNS[-rules.deck.suits :]
    found: list[tuple[int, ...]] = []
    taken: set[int] = set()
    for text in names:
        here = []
        for name in text.split():
            low = rules.rank_names.index(name[0]) * suits
            free = [card for card in range(low, low + suits) if card not in taken]
            here.append(low + signs.index(name[1]) if len(name) > 1 else free[0])
            taken.add(here[-1])
        found.append(tuple(here))
    return tuple(found)
