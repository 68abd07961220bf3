"""Boards as sets: public cards up to the names of suits, in whatever order they came.

Everyday example: how strong A♠ K♠ is on Q♠ 7♦ 2♣ 9♥ depends neither on which of the four cards was
the turn nor on what the suits are called. So 22,100 flops are 1,755, and 2,598,960 boards of five
cards are 134,459. (Where the order matters, as in what a player remembers, a set stands for each
of its orders: a river board for 20, because 3 of its 5 cards were the flop and one more the turn.)

A board is four masks of 13 bits, one a suit: bit r says that the card of rank r is there. Its
canonical form has the largest mask in suit 0 and the smallest in suit 3; packed into one number,
it is its *code*, and its place among all sorted codes is its index.

Renaming suits moves hands as well. `find` says which of the 24 renamings leads to the canonical
board, and `MOVED[renaming]` what becomes of each of the 1,326 pairs of cards.

>>> [len(board_sets(n).code) for n in (3, 4, 5)], int(board_sets(3).weight.sum())
([1755, 16432, 134459], 22100)
>>> masks = masks_of((50, 47, 0))  # Ah Ks 2c
>>> board, renaming = board_sets(3).find(masks)
>>> unpacked(board_sets(3).code[board]), CARDS[MOVED[renaming, 0]]  # 2c 2d are of suits 2 and 3 now
(array([4096, 2048,    1,    0]), array([2, 3], dtype=int32))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.kernels import kernel
from workbench.settings import need_whole

PAIRS = 1326
Longs = NDArray[np.int64]

CARDS: NDArray[np.int32] = Deck().hands(2)  # (1326, 2) the cards of each pair
ORDERS = list(permutations(range(4)))
_PLACE = np.zeros((52, 52), np.uint16)  # of two cards among the pairs
_PLACE[CARDS[:, 0], CARDS[:, 1]] = _PLACE[CARDS[:, 1], CARDS[:, 0]] = np.arange(PAIRS)

# (24, 52) what becomes of a card when suit order[j] is called j; (24, 1326) the same of pairs
RENAMED = np.arange(52) // 4 * 4 + np.argsort(ORDERS, axis=1)[:, np.arange(52) % 4]
MOVED: NDArray[np.uint16] = _PLACE[RENAMED[:, CARDS[:, 0]], RENAMED[:, CARDS[:, 1]]]
NUMBER = np.full(256, -1)  # of an order that is written as four digits of two bits
NUMBER[np.array(ORDERS) @ (1, 4, 16, 64)] = np.arange(24)


@dataclass(frozen=True, eq=False)
class BoardSets:
    """The boards of so many cards, up to the names of suits."""

    code: Longs  # (B,) increasing
    weight: Longs  # (B,) how many real boards each stands for

    def find(self, masks: Longs) -> tuple[int, int]:
        """The index of a real board, and the number of the renaming that leads there."""
        return find(self.code, masks)

    def free(self) -> NDArray[np.bool_]:
        """(B, 1326) which hands each board leaves."""
        taken = held(self.code)
        return np.asarray(~(taken[:, CARDS[:, 0]] | taken[:, CARDS[:, 1]]))


@cache
def board_sets(cards: int) -> BoardSets:
    """All boards of so many cards."""
    need_whole("cards", cards, 0, 5)
    masks, weight = canonical_masks(cards)
    a, b, c, d = np.sort(masks, axis=1).T[::-1]
    code = a << 39 | b << 26 | c << 13 | d
    order = np.argsort(code)
    return BoardSets(code[order], weight[order])


def canonical_masks(cards: int) -> tuple[Longs, Longs]:
    """(B, 4) masks of the boards up to the names of suits; (B,) how many each is. Suits with fewer
    cards come first, empty ones last."""
    of = {n: [m for m in range(1 << 13) if m.bit_count() == n] for n in range(cards + 1)}
    boards = []
    for shape in _shapes(cards, cards, 4):
        groups = [combinations_with_replacement(of[n], shape.count(n)) for n in sorted({*shape})]
        for chosen in product(*groups):
            held = [mask for group in chosen for mask in group]
            boards.append((*held, 0, 0, 0, 0)[:4])
    masks = np.array(boards, np.int64)
    kept = [(masks[:, order] == masks).all(axis=1) for order in ORDERS]  # by these renamings
    return masks, 24 // np.sum(kept, axis=0)


def _shapes(cards: int, most: int, suits: int) -> Iterator[tuple[int, ...]]:
    """How many cards the suits have: (5,), (4, 1), (3, 2), …"""
    if cards == 0:
        yield ()
    for first in range(min(cards, most), 0, -1) if suits else ():
        for others in _shapes(cards - first, first, suits - 1):
            yield (first, *others)


def masks_of(cards: Iterable[int]) -> Longs:
    """(4,) cards as masks."""
    masks = np.zeros(4, np.int64)
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return masks


def unpacked(code: Longs | int) -> Longs:
    """(…, 4) the masks of each number."""
    return np.asarray(code)[..., None] >> (39, 26, 13, 0) & 0x1FFF


def held(code: Longs) -> NDArray[np.bool_]:
    """(B, 52) which cards boards have, by their numbers."""
    card = np.arange(52)
    return (unpacked(code)[:, card & 3] >> (card >> 2) & 1).astype(np.bool_)


@kernel
def unpack(code: int, masks: Longs) -> None:
    """As `unpacked`, into masks (4,)."""
    for suit in range(4):
        masks[suit] = code >> (39 - 13 * suit) & 0x1FFF


@kernel
def free_pairs(masks: Longs, free: Longs) -> int:
    """free: the pairs that a board leaves, in order; how many."""
    count, pair = 0, 0
    for one in range(52):
        taken = masks[one & 3] >> (one >> 2) & 1
        for two in range(one + 1, 52):
            if not (taken or masks[two & 3] >> (two >> 2) & 1):
                free[count] = pair
                count += 1
            pair += 1
    return count


@kernel
def find(codes: Longs, masks: Longs) -> tuple[int, int]:
    """The place of a board among sorted codes, and the renaming that leads there."""
    a, b = masks[0] << 2, masks[1] << 2 | 1  # with the suit in the last two bits
    c, d = masks[2] << 2 | 2, masks[3] << 2 | 3
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a < c:
        a, c = c, a
    if b < d:
        b, d = d, b
    if b < c:
        b, c = c, b
    code = (a >> 2) << 39 | (b >> 2) << 26 | (c >> 2) << 13 | (d >> 2)
    low, high = 0, len(codes) - 1
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low, NUMBER[a & 3 | (b & 3) << 2 | (c & 3) << 4 | (d & 3) << 6]
