"""Make the table of equities that jam/fold tournaments use: three minutes on one core.

    python data/equities/make.py [--boards 32768] [--seed 0] [-o data/equities/jamfold.npz]

A *board* is five cards as four masks, one a suit. Boards that differ in the names of suits alone
decide nothing differently between classes of hands, so 134,459 stand for all 2,598,960.

Two hands: exact. On each board the pairs of cards are sorted by strength; going upward, a row of
counters per class and per card says how many hands of each class lie below or level and share no
card. One pass gives L + E (lower or equal) for all 169 × 169 pairs of classes, and from both orders
of a pair follow wins and ties. Measured: 18 s on one core.

Three hands: sampled. The 13 ways in which three hands can finish (`ORDERS`, ties included) are
counted for each of the 818,805 unordered triples. The boards are a systematic sample: equally
spaced in the list, so that every kind of board has its share, then shuffled and taken in blocks; in
each block a triple is dealt once. A board that would need a card twice is left out. Boards of one
block share their deal, so the error is measured from block to block.

Then the three hands are fitted to the two, which are exact. Everyday example: a poll that happened
to ask too many old people. Every answer gets another weight, as little changed as possible, until
the poll agrees with the census age by age. That is *raking*. Here the poll is P(order w | h, y, z),
and if the third hand is left out, it must say the same of every pair of hands as the census does:

    Σ_z P(h, y, z) Σ_w P(w | h, y, z) [w lets h win against y]  =  P(h, y) P(h wins against y)

and so for a tie and a loss. Otherwise the players of a pot would see another pot than the one who
folded. Every order decides three duels, so each round multiplies it by three factors (exact over
found), to the power 1/3: generalised iterative scaling (Darroch and Ratcliff, 1972).
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.files import save_arrays
from workbench.jamfold.equity_tables import (
    FILE,
    FORM,
    KIND,
    ORDERS,
    SHARE,
    WINNER,
    Equities,
    free_pairs,
    free_triples,
    moved_orders,
    triples,
)
from workbench.kernels import RandomState, draw, kernel, random_state
from workbench.poker.cards.board_sets import canonical_masks
from workbench.poker.cards.hand_classes import CARDS, CLASS_OF_PAIR, FIRST_PAIR, HANDS, PAIR
from workbench.poker.cards.seven_cards import strengths
from workbench.progress import ProgressBar
from workbench.shipped import shipped

BOARDS, SEED = 32_768, 0  # of the table that comes along
_BLOCK = 64  # boards on which a triple keeps its cards
_MEASURED = 64  # the error is measured on every 64th triple
_CHOOSE = 1_712_304  # boards of five from 48 cards
_WIDTH = 176  # 169 counters and a few that stay empty: whole vectors of the processor
Floats = NDArray[np.float64]
Ranks = NDArray[np.float32]
Triples = NDArray[np.int32]
ENOUGH = 1e-6  # of a duel's probability
MOST = 100  # rounds; 30 do


def compute(boards: int = BOARDS, seed: int = SEED, progress: bool | None = None) -> Equities:
    """Count two hands on all boards and three hands on `boards` of them, and fit these to those."""
    every, shuffle = triples(), np.random.default_rng(seed)
    with ProgressBar("equities", 100, shown=progress) as bar:
        win, tie = _count_two(bar)
        counts, errors = _count_three(every, boards, seed, shuffle, bar)
        share = _symmetric(every, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
        found = Equities(win, tie, np.empty(0, np.uint8), boards, seed, 0.0, 0.0)
        rake(every, share, _chances(every), found.duels)
        bar.show(99)
    orders = _rounded(every, share, shuffle)
    lost = orders / np.maximum(orders.sum(axis=1, dtype=int), 1)[:, None] - share
    rounding = float(((lost @ SHARE) ** 2).mean())
    error, largest = (float(np.sqrt(square + rounding)) for square in (errors.mean(), errors.max()))
    return replace(found, orders=orders, error=error, largest=largest)


def save(table: Equities, path: str | Path) -> Path:
    """One file with a checksum, packed: about 6 MB."""
    packed = lzma.compress(table.orders.T.tobytes(), preset=6)
    return save_arrays(
        path, KIND, win=table.win, tie=table.tie, orders=np.frombuffer(packed, np.uint8),
        made=np.array([FORM, table.boards, table.seed]),
        errors=np.array([table.error, table.largest]),
    )  # fmt: skip


def _count_two(bar: ProgressBar) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    every, weights = canonical_masks(5)
    lower = np.zeros((HANDS, HANDS))
    for weight in np.unique(weights):
        some = every[weights == weight]
        counts = np.zeros((HANDS, 176), np.int32)
        for start in range(0, len(some), 4096):
            count_two(some[start : start + 4096], CLASS_OF_PAIR, counts)
            bar.show(int(10 * start / len(some)))
        lower += counts[:, :HANDS] * float(weight)
    total = free_pairs() * float(_CHOOSE)
    tie = (lower + lower.T) / total - 1  # lower or equal, both ways round
    return lower / total - tie, tie


def _count_three(
    every: NDArray[np.int32], boards: int, seed: int, shuffle: np.random.Generator,
    bar: ProgressBar,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:  # fmt: skip
    """(n, 13) counts, and (n / 64, 3) the squared standard error of each hand's share.

    A share is a ratio, won : dealt, over all blocks. Each block deals anew, so the differences
    between blocks, won − share · dealt, say how far the ratio may be off."""
    rng, block = random_state(seed), min(_BLOCK, boards // 16)
    sample = board_sample(boards, shuffle.random())
    shuffle.shuffle(sample)
    counts = np.zeros((len(every), len(ORDERS)), np.int32)
    parts = np.array_split(np.arange(len(every)), 16)
    some = counts[::_MEASURED]
    before, squares = some.copy(), np.zeros((3, len(some), 3))
    for start in range(0, boards, block):
        ranks = board_ranks(sample[start : start + block])
        for part in parts:  # short pieces, so that Ctrl-C is heard
            these = slice(part[0], part[-1] + 1)
            count_three(every[these], ranks, FIRST_PAIR, PAIR, CARDS, rng, counts[these])
        new, before = some - before, some.copy()
        won, dealt = new @ SHARE, new.sum(axis=1, keepdims=True)
        squares += won * won, won * dealt, dealt * dealt * np.ones(3)
        bar.show(10 + int(88 * start / boards))
    blocks, total = -(-boards // block), np.maximum(before.sum(axis=1, keepdims=True), 1)
    share = before @ SHARE / total
    spread = squares[0] - 2 * share * squares[1] + share**2 * squares[2]
    return counts, np.maximum(spread, 0) / total**2 * blocks / (blocks - 1)


def _chances(every: NDArray[np.int32]) -> NDArray[np.float64]:
    """(n,) the probability that three players hold these classes, whoever holds which."""
    a, b, c = every.T
    ways = free_triples(FIRST_PAIR, CARDS)[a, b, c].astype(float)
    ways *= np.array([6, 3, 1])[(a == b).astype(int) + (b == c)]
    return np.asarray(ways / ways.sum())


def _alike(
    every: NDArray[np.int32],
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
    """Triples (n,) with equal classes, and (k, 13) to which orders these may move each order."""
    a, b, c = every.T
    moved = moved_orders()
    for some, kept in (
        ((a == b) & (b < c), ((0, 1, 2), (1, 0, 2))),
        ((a < b) & (b == c), ((0, 1, 2), (0, 2, 1))),
        ((a == b) & (b == c), tuple(moved)),
    ):
        yield some, np.array([moved[p] for p in kept])


def _symmetric(every: NDArray[np.int32], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equal classes of a triple have equal chances."""
    for some, same in _alike(every):
        share[some] = np.mean([share[some][:, to] for to in same], axis=0)
    return share


def _rounded(
    every: NDArray[np.int32], share: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Shares as 255ths. Their sums are rounded after a random shift, so small numbers are not lost
    on average; with equal classes each share alone, orders that mirror each other alike."""
    summed = np.cumsum(share, axis=1) * 255 + rng.random((len(share), 1))
    out = np.diff(np.floor(summed + 1e-9), axis=1, prepend=0.0)
    for some, same in _alike(every):
        shift = rng.random((int(some.sum()), len(ORDERS)))[:, same.min(axis=0)]
        out[some] = np.floor(255 * share[some] + shift)
    return out.astype(np.uint8)


# ---- counting ---------------------------------------------------------------------------


@kernel
def count_two(boards: NDArray[np.int64], at: NDArray[np.int64], lower: NDArray[np.int32]) -> None:
    """lower: (169, 176), raised by the pairs of hands (a, b) in which b is lower or equal."""
    strength = np.empty(1326, np.int32)
    first, second = np.empty(1326, np.int64), np.empty(1326, np.int64)
    pair = 0
    for one in range(52):
        for two in range(one + 1, 52):
            first[pair], second[pair] = one, two
            pair += 1
    held = np.empty((52, _WIDTH), np.int32)  # the hands so far by card and class
    so_far = np.empty(_WIDTH, np.int32)
    for board in boards:
        strengths(board, strength)
        order = np.argsort(strength)
        held[:], so_far[:] = 0, 0
        start = 0
        while strength[order[start]] < 0:
            start += 1
        while start < 1326:
            end = start
            while end < 1326 and strength[order[end]] == strength[order[start]]:
                pair = order[end]
                so_far[at[pair]] += 1
                held[first[pair], at[pair]] += 1
                held[second[pair], at[pair]] += 1
                end += 1
            for k in range(start, end):
                pair = order[k]
                row, one, two = lower[at[pair]], held[first[pair]], held[second[pair]]
                for b in range(_WIDTH):
                    row[b] += so_far[b] - one[b] - two[b]
                row[at[pair]] += 1  # the hand itself was taken away twice and is there once
            start = end


def board_sample(size: int, start: float) -> NDArray[np.int64]:
    """(size, 4) boards, equally spaced over all 2,598,960; `start` in [0, 1) shifts them."""
    boards, weights = canonical_masks(5)
    places = (np.arange(size) + start) * weights.sum() / size
    return np.asarray(boards[np.searchsorted(np.cumsum(weights), places, side="right")])


@kernel
def board_ranks(boards: NDArray[np.int64]) -> NDArray[np.float32]:
    """(1326, boards) the strength of each pair of cards as its rank on the board; NaN: blocked."""
    out = np.empty((1326, len(boards)), np.float32)
    strength = np.empty(1326, np.int32)
    for k in range(len(boards)):
        strengths(boards[k], strength)
        order = np.argsort(strength)
        rank, before = 0, -1
        for pair in order:
            rank += strength[pair] > before
            before = strength[pair]
            out[pair, k] = np.nan if before < 0 else rank
    return out


@kernel(fastmath={"reassoc"})
def _count_orders(x: Ranks, y: Ranks, z: Ranks, counts: NDArray[np.int32]) -> None:
    """counts: (13,), raised by the boards on which three hands finish in each of `ORDERS`.

    Comparisons with NaN are false, so a board that blocks one of the hands counts nowhere."""
    one, zero = np.float32(1), np.float32(0)
    n0 = n1 = n2 = n3 = n4 = n5 = n6 = n7 = n8 = n9 = n10 = n11 = n12 = zero
    for k in range(len(x)):
        a, b, c = x[k], y[k], z[k]
        n0 += one if (a == b) & (b == c) else zero
        n1 += one if (a == b) & (b > c) else zero
        n2 += one if (a == c) & (a > b) else zero
        n3 += one if (b == c) & (a > b) else zero
        n4 += one if (a > b) & (b > c) else zero
        n5 += one if (a > c) & (c > b) else zero
        n6 += one if (b == c) & (b > a) else zero
        n7 += one if (a == c) & (b > a) else zero
        n8 += one if (b > a) & (a > c) else zero
        n9 += one if (a == b) & (c > a) else zero
        n10 += one if (c > a) & (a > b) else zero
        n11 += one if (b > c) & (c > a) else zero
        n12 += one if (c > b) & (b > a) else zero
    for k, n in enumerate((n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)):
        counts[k] += int(n)


@kernel
def count_three(
    triples: NDArray[np.int32], ranks: NDArray[np.float32], first: NDArray[np.int64],
    pairs: NDArray[np.int64], cards: NDArray[np.int64], rng: RandomState,
    counts: NDArray[np.int32],
) -> None:  # fmt: skip
    """counts: (triples, 13), raised by one deal of each triple, shown down on all boards."""
    for t in range(len(triples)):
        a, b, c = triples[t]
        i = j = k = 0
        for _ in range(1000):  # at least one deal in fifteen fits, or none
            i = first[a] + int(draw(rng) * (first[a + 1] - first[a]))
            j = first[b] + int(draw(rng) * (first[b + 1] - first[b]))
            k = first[c] + int(draw(rng) * (first[c + 1] - first[c]))
            if not (cards[i] & cards[j] or (cards[i] | cards[j]) & cards[k]):
                _count_orders(ranks[pairs[i]], ranks[pairs[j]], ranks[pairs[k]], counts[t])
                break


# ---- raking -----------------------------------------------------------------------------


def rake(every: Triples, orders: Floats, weight: Floats, exact: Floats) -> float:
    """Change `orders` (n, 13) of the triples (n, 3), which come up with probabilities `weight`
    (n,), until their duels are `exact` (3, 169, 169); returns what the worst is still off by."""
    chance, off = np.maximum(exact.sum(axis=0), 1e-300), np.inf
    for _ in range(MOST):
        found = duels_of(every, orders, weight)
        off = float((np.abs(found - exact) / chance).max())
        if off <= ENOUGH:
            break
        factor = np.divide(exact, found, out=np.ones_like(exact), where=found > 0.0)
        _scale(every, np.cbrt(factor), orders)
    return off


def duels_of(every: Triples, orders: Floats, weight: Floats) -> Floats:
    """(3, 169, 169) two hands meet, and the first one wins, ties, loses: the third is left out."""
    out = np.zeros((3, HANDS, HANDS))
    _add(every, orders, weight, out)
    return out


@kernel
def _add(every: Triples, orders: Floats, weight: Floats, out: Floats) -> None:
    """`weight` is that of the triple in any order, so that each pair has a sixth, both ways."""
    for t in range(len(every)):
        a, b, c, part = every[t, 0], every[t, 1], every[t, 2], weight[t] / 6.0
        for w in range(13):
            x = part * orders[t, w]
            ab, ac, bc = WINNER[0, w], WINNER[1, w], WINNER[2, w]
            out[ab, a, b] += x
            out[2 - ab, b, a] += x
            out[ac, a, c] += x
            out[2 - ac, c, a] += x
            out[bc, b, c] += x
            out[2 - bc, c, b] += x


@kernel
def _scale(every: Triples, factor: Floats, orders: Floats) -> None:
    for t in range(len(every)):
        a, b, c, total = every[t, 0], every[t, 1], every[t, 2], 0.0
        for w in range(13):
            orders[t, w] *= (
                factor[WINNER[0, w], a, b] * factor[WINNER[1, w], a, c] * factor[WINNER[2, w], b, c]
            )
            total += orders[t, w]
        if total > 0.0:
            for w in range(13):
                orders[t, w] /= total


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Make a table of equities.")
    asked.add_argument("--boards", type=int, default=BOARDS, help="for three hands, at least 64")
    asked.add_argument("--seed", type=int, default=SEED, help="of deals and boards")
    asked.add_argument("-o", "--output", type=Path, default=shipped(FILE), metavar="FILE")
    given = asked.parse_args()
    table = compute(max(given.boards, 64), given.seed, progress=True)
    print(
        save(table, given.output), f"standard error {table.error:.4f}, at most {table.largest:.4f}"
    )
