"""Hands of Hold'em as array operations, for a GPU: strengths, boards up to suits, who beats whom.

What kernels do board by board (seven_cards.py, board_sets.py, holdem_signals.py), done here for
thousands of boards at once, on numpy or on torch (arrays.py), with the same whole numbers.

Everything that matrices of buckets and best responses ask of a river is one product. S[h, h'] is +1
where hand h beats h', -1 where it loses, 0 where they tie or share a card; Z[h', z] says that h' is
in bucket z. Then

    W = S · Z      (hands of z that h beats) - (hands of z that beat h)
    N = S² · Z     the same without signs and with ties: the hands of z that h may meet

On a GPU a kernel makes S and Z while it multiplies (fused.py): 1.3 million signs a board never go
through memory. All numbers are whole and at most 990, exact in 16 bits.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np

from workbench.arrays import Array, Machine
from workbench.poker.cards.board_sets import CARDS, MOVED, NUMBER, PAIRS, board_sets, held
from workbench.poker.cards.seven_cards import COUNT, MASKS, STRAIGHT, TOP


def _best(n: int) -> Any:
    """(8192,) the n highest bits of each mask."""
    left = MASKS
    for _ in range(n):
        left = left ^ TOP[left]
    return MASKS ^ left


def cards_of(codes: Any) -> Any:
    """(B, n) the cards of boards."""
    return np.nonzero(held(codes))[1].reshape(len(codes), -1)


class HandArrays:
    """What all of Hold'em shares, on a machine."""

    def __init__(self, on: Machine) -> None:
        self.on = on
        self.count, self.straight = on.put(COUNT.astype(np.int64)), on.put(STRAIGHT)
        self.best = {n: on.put(_best(n)) for n in (1, 2, 3, 5)}
        self.moved, self.number = on.put(MOVED.astype(np.int64)), on.put(NUMBER)
        self.suits, cards, pairs = on.put(np.arange(4)), np.arange(52)[:, None], CARDS.astype(int)
        self.mask = on.put((cards % 4 == np.arange(4)) * (1 << cards // 4))  # (52, 4)
        self.bit = on.put(1 << np.arange(52))  # a set of cards in one number
        self.pair_masks, self.pair_bits = (of[on.put(pairs)].sum(1) for of in (self.mask, self.bit))
        self.middle = on.cast(on.put(CARDS.T - 26.0), "float16")  # so that products are exact
        self.codes = cache(lambda n: on.put(board_sets(n).code))  # those of five take long to list
        self._brought = dict[int, tuple[Any, Array]]()

    def brought(self, given: Any) -> Array:
        """A table or cuts, which come here once."""
        if id(given) not in self._brought:
            self._brought[id(given)] = given, self.on.cast(self.on.put(given), "int32")
        return self._brought[id(given)][1]

    def find(self, boards: Array) -> tuple[Array, Array]:
        """Of boards (B, n): their places up to suits, and the renamings that lead there."""
        keys = self.on.sort(self.mask[boards].sum(1) << 2 | self.suits)
        code = number = 0
        for j in range(4):
            code = code << 13 | keys[:, 3 - j] >> 2
            number = number | (keys[:, 3 - j] & 3) << 2 * j
        return self.on.xp.searchsorted(self.codes(boards.shape[1]), code), self.number[number]

    def taken(self, boards: Array, hands: Array) -> Array:
        """(B, R) whether a board (B, n) has a card of hands (B, R) or (R,)."""
        return (self.bit[boards].sum(1)[:, None] & self.pair_bits[hands]) != 0

    def signals(self, table: Any, boards: Array, hands: Array) -> Array:
        """(B, R) what a table, which lives here, says of hands (B, R) or (R,) on boards."""
        at, renaming = self.find(boards)
        return table[at[:, None], self.moved[renaming[:, None], hands]]

    def strengths(self, boards: Array, hands: Array) -> Array:
        """(B, R) how strong hands are on boards of five, as `seven_cards.strength`."""
        where, best, count = self.on.xp.where, self.best, self.count
        masks = self.mask[boards].sum(1)[:, None] | self.pair_masks[hands]
        c, d, h, s = (masks[..., suit] for suit in range(4))
        union, five = c | d | h | s, 0
        for one in (c, d, h, s):
            five = five + where(count[one] >= 5, one, 0)
        twice, repeated = union ^ c ^ d ^ h ^ s, 7 - count[union]
        thrice, four = ((c & d) | (h & s)) & ((c & h) | (d & s)), c & d & h & s
        two, three = best[2][twice], best[1][thrice]

        def number(category: int, ranks: Array, kickers: Array) -> Array:
            return category << 26 | ranks << 13 | kickers

        more = number(2, two, best[1][union ^ two])
        more = where(thrice > 0, number(6, three, best[1][(twice | thrice) ^ three]), more)
        more = where(four > 0, number(7, four, best[1][union ^ four]), more)
        pairs = number(3, thrice, best[2][union ^ thrice])
        pairs = where(thrice > 0, pairs, number(2, twice, best[1][union ^ twice]))
        found = where(repeated == 2, pairs, more)
        found = where(repeated == 1, number(1, twice, best[3][union ^ twice]), found)
        found = where(repeated == 0, best[5][union], found)
        found = where(self.straight[union] > 0, 4 << 26 | self.straight[union], found)
        flush = where(
            self.straight[five] > 0, 8 << 26 | self.straight[five], 5 << 26 | best[5][five]
        )
        return self.on.cast(where(five > 0, flush, found), "int32")

    def ranked(self, strength: Array) -> Array:
        """Strengths of a board as ranks below 2,048, whose differences are exact in 16 bits."""
        return self.on.cast(self.on.xp.searchsorted(self.on.sort(strength), strength), "float16")

    @cached_property
    def strong(self) -> Array:
        """(boards, 1326) how strong pairs are on all boards of five up to suits, by rank, for who
        asks for the same board again and again."""
        boards, every = cards_of(board_sets(5).code), self.on.put(np.arange(PAIRS))
        parts = (self.on.put(some) for some in np.array_split(boards, 20))
        return self.on.xp.concatenate([self.ranked(self.strengths(b, every)) for b in parts])

    def buckets(self, known: Any, boards: Array, hands: Array, before: Array) -> Array:
        """(B, R) those of hands (B, R) or (R,) on boards, -1 where they share a card, from their
        buckets of the round before."""
        r, found = boards.shape[1] - 2, 0
        if known.classes[r] > 1:
            cards, (first, cuts) = known.cards, map(self.brought, known.cuts[r])
            table = self.brought((cards.flop, cards.turn, cards.river)[r - 1])
            signal, found = self.signals(table, boards, hands), first[before]
            for j in range(cuts.shape[1]):
                found = found + (signal >= cuts[:, j][before])
        return self.on.xp.where(self.taken(boards, hands), -1, found)

    def occurring(self, bucket: Array, count: int) -> tuple[Array, Array, Array]:
        """Of buckets (B, R), -1 for none, those that occur: the place of each hand's among them,
        -1 for none, which they are (B, 1 + count or 1,081), and how many (B,)."""
        on, xp, most = self.on, self.on.xp, min(count, 1081)
        rows = on.put(np.arange(len(bucket)))[:, None]
        there = on.zeros((len(bucket), count + 1), "int64")
        there[rows, xp.where(bucket < 0, count, bucket)] = 1
        number = xp.cumsum(there[:, :count], 1)
        occur = on.zeros((len(bucket), most + 1), "int64")
        occur[rows, xp.where(there[:, :count] > 0, number - 1, most)] = on.put(np.arange(count))
        return xp.where(bucket < 0, -1, number[rows, bucket] - 1), occur, number[:, -1]

    def within(self, place: Array, n: int) -> Array:
        """(B, R, n) Z: 1 where a hand is in a bucket."""
        return self.on.cast(place[:, :, None] == self.on.put(np.arange(n)), "float32")

    def meeting(self, strength: Array, hands: Array) -> tuple[Array, Array]:
        """(B, R, R) which hands (B, R) may meet, and S."""
        on, bits = self.on, self.pair_bits[hands]
        meets = on.cast((bits[:, :, None] & bits[:, None, :]) == 0, "float32")
        sign = on.xp.sign(strength[:, :, None] - strength[:, None, :])
        return meets, on.cast(sign, "float32") * meets

    def ahead(self, strength: Array, place: Array, n: int, hands: Array) -> tuple[Array, Array]:
        """W and N (B, R, n); of hands (B, R) on boards their strength and their bucket, -1 where
        the board has one of their cards."""
        meets, sign = self.meeting(strength, hands)
        here, within = self.on.cast(place >= 0, "float32")[:, :, None], self.within(place, n)
        return sign @ within * here, meets @ within * here
