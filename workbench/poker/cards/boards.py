"""The public cards, up to the names of suits.

Everyday example: if the flop is the 7 of hearts, nothing changes if it were the 7 of spades and
all hearts were spades. So 52 first boards are 13, and 52 · 51 second boards are 325.

A *board* of round r is a canonical sequence of public cards: of all its renamings the one with the
smallest numbers (cards of one round are in order). It stands for `weight` real boards. What
precedes a canonical board is canonical, too, so each has one parent in the round before.

Renamings that keep a board still move hands: on the 7 of hearts the 2 of clubs and the 2 of spades
are the same problem. Such hands form one *class*; `classes` numbers them over all boards of a
round. Rhode Island has 13, 325 and 9,997.

>>> boards = make_boards(Deck(), 1, (0, 1, 1))
>>> [(len(one.cards), int(one.weight.sum()), one.num_classes) for one in boards]
[(1, 1, 13), (13, 52, 325), (325, 2652, 9997)]
>>> find_board(boards, (50, 3))[0]  # A♥ 2♠ is as A♣ 2♦
301

The rules say everything: their `deck`, `private_cards`, `public_cards`, `betting`, and `strength`
of private and public cards together. Every card is as likely as any other.

>>> from workbench.games.registry import load_game
>>> rules = load_game("rhode_island")
>>> infosets_per_player(rules), infosets_per_player(rules, (13, 325, 9997))
(26064064, 1968564)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.poker.betting.betting_tree import betting_tree
from workbench.rules import GameError, shown
from workbench.tree import FloatArray, IntArray, frozen, hands_unlisted

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Boards:
    """The B canonical boards of one round, and what H hands are on them."""

    cards: IntArray  # (B, public cards so far)
    weight: IntArray  # (B,) how many real boards it stands for
    parent: IntArray  # (B,) board of the round before; 0 in the first round
    step: IntArray  # (B,) real continuations of the real parent that it stands for
    codes: Codes  # (B,) increasing: how a board is found
    rounds: tuple[int, ...]  # new public cards of each round so far
    deck: Deck
    private: int  # cards in a hand

    def __post_init__(self) -> None:
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                frozen(array)

    @cached_property
    def classes(self) -> IntArray:
        """The class of each hand over the whole round, (B, H); -1 where the board has its card.
        Hands that a renaming exchanges are one class."""
        deck, cards, hands = self.deck, self.cards, self.deck.hands(self.private)
        places = deck.size ** np.arange(self.private - 1, -1, -1, dtype=np.int64)
        least = np.broadcast_to(hands @ places, (len(cards), len(hands))).copy()
        for renamed in deck.suit_orders():
            moved = np.sort(renamed[hands], axis=1) @ places
            keeps = _encode(deck, renamed[cards], self.rounds) == self.codes
            least[keeps] = np.minimum(least[keeps], moved)
        taken = np.zeros((len(cards), deck.size), bool)
        np.put_along_axis(taken, cards, True, axis=1)
        free = ~taken[:, hands].any(axis=2)
        keys = np.arange(len(cards))[:, None] * deck.size**self.private + least
        classes = np.full(free.shape, -1, np.int32)
        classes[free] = np.unique(keys[free], return_inverse=True)[1]
        return frozen(classes)

    @property
    def num_classes(self) -> int:
        return int(self.classes.max()) + 1

    @property
    def sizes(self) -> FloatArray:
        """(classes,) how many real holdings, a hand and a real board, each class stands for."""
        free = self.classes >= 0
        heavy = np.broadcast_to(self.weight[:, None], free.shape)[free]
        return np.asarray(np.bincount(self.classes[free], heavy), np.float64)


def boards_of(rules: Any) -> tuple[Boards, ...]:
    """The boards of each round of a game."""
    if hands_unlisted(rules):
        raise GameError(
            f"{rules.name!r} has too many hands to list them; its buckets are made by "
            "wb.cluster_hands with metric 'ehs' or 'ehs2'"
        )
    return make_boards(rules.deck, rules.private_cards, rules.public_cards)


@cache
def make_boards(deck: Deck, private: int, public: tuple[int, ...]) -> tuple[Boards, ...]:
    """The boards of each round, for so many private cards and so many new public ones."""
    made: list[Boards] = []
    cards, weight = np.zeros((1, 0), np.int32), np.ones(1, np.int32)
    for count, new in enumerate(public, start=1):
        rounds = public[:count]
        more, before = deck.hands(new), cards.shape[1]
        parent = np.repeat(np.arange(len(cards), dtype=np.int32), len(more))
        real = np.column_stack([cards[parent], np.tile(more, (len(cards), 1))])
        fits = ~(real[:, before:, None] == real[:, None, :before]).any(axis=(1, 2))
        real, parent = real[fits], parent[fits]
        codes, first, step = np.unique(
            canonical(deck, real, rounds)[0], return_index=True, return_counts=True
        )
        places = deck.size ** np.arange(sum(rounds) - 1, -1, -1, dtype=np.int64)
        cards, parent = (codes[:, None] // places % deck.size).astype(np.int32), parent[first]
        weight = (weight[parent] * step).astype(np.int32)
        counted = step.astype(np.int32)
        made.append(Boards(cards, weight, parent, counted, codes, rounds, deck, private))
    return tuple(made)


@lru_cache(maxsize=10_000)
def find_board(boards: tuple[Boards, ...], cards: tuple[int, ...]) -> tuple[int, IntArray]:
    """The canonical board of real public cards, and what becomes of each card there, (cards,)."""
    one = boards[round_of(boards[-1].rounds, cards)]
    code, order = canonical(one.deck, np.array([cards], np.int32), one.rounds)
    return int(np.searchsorted(one.codes, code[0])), one.deck.suit_orders()[order[0]]


def round_of(new: tuple[int, ...], cards: Sequence[int]) -> int:
    """The round in which so many public cards lie on the table; `new`: how many each brings."""
    sizes = np.cumsum(new).tolist()
    if len(cards) not in sizes:
        raise GameError(f"{len(cards)} public cards fit no round; a board has {sizes}")
    return int(sizes.index(len(cards)))


def canonical(
    deck: Deck, cards: IntArray, rounds: tuple[int, ...]
) -> tuple[Codes, NDArray[np.int64]]:
    """The smallest code among all renamings of boards (n, cards), and which renaming gives it."""
    best, order = np.full(len(cards), np.iinfo(np.int64).max), np.zeros(len(cards), np.int64)
    for number, renamed in enumerate(deck.suit_orders()):
        codes = _encode(deck, renamed[cards], rounds)
        order[codes < best] = number
        best = np.minimum(best, codes)
    return best, order


def _encode(deck: Deck, cards: IntArray, rounds: tuple[int, ...]) -> Codes:
    """One number per board, (n,): cards as digits, those of one round in order."""
    code, at = np.zeros(len(cards), np.int64), 0
    for new in rounds:
        for card in np.sort(cards[:, at : at + new], axis=1).T:
            code = code * deck.size + card
        at += new
    return code


# ---- how large games are, and how likely their deals ---------------------------------------


def holdings(rules: Any, hands: int = 1) -> tuple[int, ...]:
    """How many hands on real boards there are in each round, (52, 52 · 51, 52 · 51 · 50); or deals
    of so many hands."""
    left, deals, found = rules.deck.size, 1, []
    for new in (*[rules.private_cards] * hands, *rules.public_cards):
        deals *= math.comb(left, new)
        left -= new
        found.append(deals)
    return tuple(found[hands:])


def infosets_per_player(rules: Any, classes: Sequence[int] | None = None) -> int:
    """Information sets of player 0: all, or with so many classes of hands in each round."""
    if not hasattr(rules, "public_cards"):
        raise GameError(f"rules of a card game are needed here, not {shown(rules)}")
    many = np.bincount(betting_tree(rules.betting).info, minlength=4 * len(rules.public_cards))
    return sum(map(mul, classes or holdings(rules), many[::4].tolist()))


def num_histories(rules: Any) -> int:
    """The histories of the game's tree, dealt card by card."""
    cards, tree = rules.deck.size, betting_tree(rules.betting)
    deals, total, starts = 1, 0, 1
    for _ in range(rules.players * rules.private_cards):
        total += deals
        deals *= cards
        cards -= 1
    for r, new in enumerate(rules.public_cards):
        after = tree.first[r + 1]
        moves = tree.child[tree.first[r] : after]
        for k in range(new):
            total += deals * starts * ((k > 0) - (cards == 1))  # a forced deal is no history
            deals *= cards
            cards -= 1
        total += deals * (starts + int((moves != 0).sum()))
        starts = int((moves >= after).sum())
    return total


def chances(rules: Any) -> FloatArray:
    """The probability of each deal of two hands and the board, in each round."""
    return 1.0 / np.array(holdings(rules, 2), np.float64)
