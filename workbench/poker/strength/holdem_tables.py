"""How strong a hand is, exactly: E[HS] and E[HS²] of two cards on every board of Hold'em.

Everyday example: you hold A♥ K♥, the flop is Q♥ J♥ 2♣. Against a random hand you win 0.763 of the
time once all cards are out. But you will know more by then: of the 1,081 pairs of turn and river,
482 make your hand win at least 0.9 of the time, and 378 less than 0.6. A hand that will be either
great or mediocre can be played better than one that always stays in between. E[HS²], here 0.647,
counts that; E[HS] does not.

    HS          hand strength on the river: the share of the 990 other hands that lose, ties half
    E[HS]       its mean over the cards to come          E[HS²]   the mean of its square

>>> hand_strength("AhKh", "QhJhTh 2c 2d")  # doctest: +SKIP
(1.0, 1.0)

The tables hold whole numbers for each board up to suits (board_sets.py) and each pair of cards, so
nothing is rounded:

    river     2 · wins + ties of 990               134,459 boards   16 bits   357 MB
    turn      their sum, and that of their squares  16,432 boards   32 bits   174 MB
    flop      over all 1,081 turns and rivers        1,755 boards   32 bits    19 MB
    preflop   over all 2,118,760 boards                   169 classes

Only the river looks at hands. On a board of five all free pairs are sorted by strength; going
upward, one count of all hands so far and one for each card say how many lie below a hand and share
no card with it. The rounds before are sums over one more card, found under its canonical board.

Measured: 14 s on one core; in a terminal `workbench tables holdem`. They are kept in the cache with
a checksum and mapped into memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.arrays import Torch, gpu
from workbench.games.deck import Deck
from workbench.kernels import kernel
from workbench.poker.cards.board_sets import (
    CARDS,
    MOVED,
    PAIRS,
    Longs,
    board_sets,
    find,
    free_pairs,
    masks_of,
    unpack,
)
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR
from workbench.poker.cards.seven_cards import rank_hands
from workbench.poker.cards.threads import in_pieces
from workbench.poker.strength import table_arrays
from workbench.progress import ProgressBar
from workbench.rules import GameError

KIND, KEY = "holdem", "exact tables, form 2"  # their numbers are facts: only the form may change
MOST = 1980  # 2 · wins + ties against 990 hands
BLOCKED = 2**32 - 1  # where the board holds a card of the pair
RIVERS = {0: 2_118_760, 3: 1081, 4: 46, 5: 1}  # boards of five cards that a hand may still see


@dataclass(frozen=True, eq=False)
class HoldemTables:
    """Sums over the boards of five cards that may still come, of HS in 1980ths and of HS²."""

    preflop: NDArray[np.int64]  # (2, 169)
    flop: NDArray[np.uint32]  # (2, 1755, 1326)
    turn: NDArray[np.uint32]  # (2, 16432, 1326)
    river: NDArray[np.uint16]  # (134459, 1326)


def hand_strength(
    hand: str | Iterable[int], board: str | Iterable[int] = ""
) -> tuple[float, float]:
    """(E[HS], E[HS²]) of two cards on a board of none, three, four or five; exact.

    >>> [round(value, 6) for value in hand_strength("7h2c")]  # doctest: +SKIP
    [0.345836, 0.207292]
    >>> hand_strength("AhKh", "Ah2c3d")
    Traceback (most recent call last):
    workbench.rules.GameError: the hand and the board share A♥; a deck has each card once
    """
    held, public = need_deal(hand, board)
    tables, pair, count = holdem_tables(), Deck().hand(held), RIVERS[len(public)]
    found: Any = tables.preflop[:, CLASS_OF_PAIR[pair]]
    if public:
        at, renaming = board_sets(len(public)).find(masks_of(public))
        of: Any = {3: tables.flop, 4: tables.turn, 5: tables.river[None]}[len(public)]
        found = of[:, at, MOVED[renaming, pair]]
    first, *more = found.tolist()
    second = more[0] if more else first**2  # on the river nothing is left to come
    return first / (MOST * count), second / (MOST**2 * count)


def need_deal(
    hand: str | Iterable[int], board: str | Iterable[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two cards and a board; refuse what nobody can be dealt."""
    deck = Deck()
    held, public = deck.parse(hand), need_board(board)
    if len(held) != 2:
        raise GameError(f"a hand of Hold'em has two cards, not {len(held)}: 'AhKh'")
    if both := {*held} & {*public}:
        raise GameError(
            f"the hand and the board share {deck.name(both.pop())}; a deck has each card once"
        )
    return held, public


def need_board(board: str | Iterable[int]) -> tuple[int, ...]:
    """The cards of a board; refuse what is never on the table."""
    public = Deck().parse(board)
    if len(public) not in RIVERS:
        raise GameError(
            f"a board of Hold'em has none, three, four or five cards, not {len(public)}"
        )
    return public


@cache
def holdem_tables(progress: bool | None = None) -> HoldemTables:
    """The tables, from the cache or made now."""
    kept = disk_cache.load_mapped(KIND, KEY)
    if kept is None:
        made = compute(progress)
        disk_cache.save_mapped(KIND, KEY, vars(made))
        kept = disk_cache.load_mapped(KIND, KEY) or vars(made)
    return HoldemTables(**kept)


def tables_kept() -> bool:
    """Whether the tables are there, so that nobody has to wait for them."""
    return disk_cache.load(KIND, KEY) is not None  # their checksums, written last


def compute(progress: bool | None = None) -> HoldemTables:
    """Make the tables: the river by sorting hands, the others by adding up. On a GPU, if there is
    one, in seconds."""
    if isinstance(machine := gpu(), Torch):
        made = table_arrays.tables(machine)
        return HoldemTables(_preflop(made["flop"]), **made)
    codes = {cards: board_sets(cards).code for cards in (3, 4, 5)}
    river = np.empty((len(codes[5]), PAIRS), np.uint16)
    turn = np.empty((2, len(codes[4]), PAIRS), np.uint32)
    flop = np.empty((2, len(codes[3]), PAIRS), np.uint32)
    stages: tuple[tuple[int, Any, Any], ...] = (
        (80, count_river, (codes[5], CARDS, river)),
        (18, sum_later, (codes[4], codes[5], MOVED, river[None], turn)),
        (2, sum_later, (codes[3], codes[4], MOVED, turn, flop)),
    )
    done, pieces = 0.0, 100
    with ProgressBar("hand tables", 100, shown=progress) as bar:
        for share, function, arguments in stages:
            for _ in in_pieces(function, len(arguments[0]), pieces, *arguments):
                done += share / pieces
                bar.show(done, count=f"{done:.0f} %")
    return HoldemTables(_preflop(flop), flop, turn, river)


def _preflop(flop: NDArray[np.uint32]) -> NDArray[np.int64]:
    """(2, 169) sums over all boards: each is met with ten flops. A class is met with each hand."""
    weight = board_sets(3).weight
    found = np.zeros((2, 169), np.int64)
    for k in (0, 1):
        free = np.where(flop[k] == BLOCKED, 0, flop[k]).astype(np.int64)
        found[k] = np.bincount(CLASS_OF_PAIR, weight @ free).astype(np.int64)
    return found // (10 * np.bincount(CLASS_OF_PAIR))


@kernel
def count_river(
    low: int, high: int, codes: Longs, cards: NDArray[np.int32], out: NDArray[np.uint16]
) -> None:
    """2 · wins + ties of each pair on boards low .. high, (B, 1326)."""
    masks, order = np.empty(4, np.int64), np.empty(1081, np.int64)
    strength, below = np.empty(PAIRS, np.int32), np.empty(52, np.int64)
    for board in range(low, high):
        unpack(codes[board], masks)
        rank_hands(masks, strength, order)
        row = out[board]
        row[:], below[:], start = 65535, 0, 0  # blocked pairs keep it
        while start < 1081:  # a group of equal hands: `start` hands lie below it
            end, own = start, strength[order[start]]
            while end < 1081 and strength[order[end]] == own:
                pair = order[end]
                one, two = cards[pair, 0], cards[pair, 1]
                row[pair] = start - below[one] - below[two]
                end += 1
            for k in range(start, end):
                below[cards[order[k], 0]] += 1
                below[cards[order[k], 1]] += 1
            for k in range(start, end):  # lower, and lower or equal without the hand itself
                pair = order[k]
                row[pair] += end + 1 - below[cards[pair, 0]] - below[cards[pair, 1]]
            start = end


@kernel
def sum_later(
    low: int, high: int, codes: Longs, later_codes: Longs, moved: NDArray[np.uint16],
    later: NDArray[Any], out: NDArray[np.uint32],
) -> None:  # fmt: skip
    """The sums, on boards low .. high, of the next round's numbers over one more card and of their
    squares, (2, B, 1326); `later` has both, (2, …), or numbers only: (1, …), the river."""
    masks, free = np.empty(4, np.int64), np.empty(PAIRS, np.int64)
    sums, known = np.empty((2, PAIRS), np.int64), len(later)
    for board in range(low, high):
        sums[:] = 0
        unpack(codes[board], masks)
        count = free_pairs(masks, free)
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            at, renaming = find(later_codes, masks)
            masks[suit] ^= bit
            for k in range(count):
                pair = free[k]
                if CARDS[pair, 0] != card and CARDS[pair, 1] != card:
                    to = moved[renaming, pair]
                    value = np.int64(later[0, at, to])
                    sums[0, pair] += value
                    sums[1, pair] += np.int64(later[1, at, to]) if known > 1 else value * value
        out[:, board] = BLOCKED
        for k in range(count):  # a board of five is met in one order from the turn, in two before
            out[0, board, free[k]] = sums[0, free[k]] // known
            out[1, board, free[k]] = sums[1, free[k]] // known
