"""Kernels for a GPU, in triton: what flop_arrays.py says, without a word to memory in between.

    ahead      W and N of many rivers: signs and buckets are made where they are multiplied
    rivers     a tile of hands and starts: for all rivers of a turn, each leaf is a product of tiles
               on tensor cores, and the betting is backed up while the next one is multiplied
    few        the same for at most 16 buckets (k = 2), whose columns stay where they are used

Buckets that no hand of a board has are left out: of 4,096 sequences (k = 8) some hundreds occur.

Leaves come in the order in which the betting is backed up. Bets after a check are cr, crr, crrr,
crrrr, bets at once r, rr, rrr, rrrr; from the last one on, the value of a node is the larger or the
sum of a fold, a call and what was found so far. So one rule serves all leaves: at a node of the
responder value = max(value, leaf), at one of the opponent's value = value + leaf.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from __future__ import annotations

from typing import Any

import numpy as np
import triton
import triton.language as tl

ROWS, STARTS = 128, 64  # a tile of hands and of starts
FEW = 16  # buckets, of which none is left out
FOLDS = [3, 2, 1, 0, 7, 6, 5, 4]  # from the last bet to the first, after a check and at once
WARPS, STAGES, STEP = 8, 3, 64  # the fastest of those tried on an H200


@triton.jit
def ahead(
    rank, place, low, high, turn, steps, matrix, R, RP, NP,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STEP: tl.constexpr,
):  # fmt: skip
    """W and N, (boards, 2, RP, NP): a tile of hands and of buckets of one board. Nothing is
    compared: numbers of 16 bits are multiplied, two at a time."""
    board, col = tl.program_id(0), tl.program_id(2)
    t = tl.load(turn + board)
    if col * BN < tl.load(steps + t) * STEP:
        i = tl.program_id(1) * BM + tl.arange(0, BM)
        z = col * BN + tl.arange(0, BN)
        mine = tl.load(rank + board * R + i, i < R, 0)[:, None]
        a = tl.load(low + t * R + i, i < R, 0)[:, None]
        b = tl.load(high + t * R + i, i < R, 0)[:, None]
        one, none = tl.full((), 1.0, tl.float16), tl.full((), 0.0, tl.float16)  # casts are slow
        wins, meets = tl.zeros((BM, BN), tl.float32), tl.zeros((BM, BN), tl.float32)
        for j0 in range(0, R, BK):
            j = j0 + tl.arange(0, BK)
            theirs = tl.load(rank + board * R + j, j < R, 0)[None, :]
            bucket = tl.load(place + board * R + j, j < R, -1)
            c, d = tl.load(low + t * R + j, j < R, 0), tl.load(high + t * R + j, j < R, 0)
            both, times = (c + d)[None, :], (c * d)[None, :]
            apart = ((a - both) * a + times) * ((b - both) * b + times)  # (a - c)(a - d)(b - c) ..
            apart = tl.minimum(tl.abs(apart), one)
            sign = tl.maximum(tl.minimum(mine - theirs, apart), -apart)
            within = tl.where(bucket[:, None] == z[None, :], one, none)
            wins = tl.dot(sign, within, wins)
            meets = tl.dot(apart, within, meets)
        here = (tl.load(place + board * R + i, i < R, -1) >= 0)[:, None]
        at = (2 * board * RP + i).to(tl.int64)[:, None] * NP + z[None, :]
        tl.store(matrix + at, tl.where(here, wins, 0.0).to(tl.float16))
        tl.store(matrix + at + RP * NP, tl.where(here, meets, 0.0).to(tl.float16))


@triton.jit
def rivers(
    matrix, occur, steps, begins, weight, columns, scale, place, hands, out, Z, R, RP, NP, S, SP,
    BM: tl.constexpr, BS: tl.constexpr, BK: tl.constexpr, FIRST: tl.constexpr,
):  # fmt: skip
    """out (turns, 1326, S): a tile of what hands win from starts, summed over a turn's rivers. One
    loop over rivers, leaves and steps of the product, so that what comes next is loaded early; a
    leaf after a check and the same one without are multiplied together."""
    t = tl.program_id(2)
    i = tl.program_id(1) * BM + tl.arange(0, BM)
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    low, count = tl.load(begins + t), tl.load(steps + t)
    apart = 17 * Z * SP  # from the large parts of the columns to the small ones
    best, nothing = tl.full((BM, BS), float("-inf"), tl.float32), tl.zeros((BM, BS), tl.float32)
    one, two, total = nothing, nothing, nothing  # leaves, and the sum over rivers
    after, bets = (nothing, best) if FIRST else (best, nothing)  # what was found so far
    for at in range((tl.load(begins + t + 1) - low) * 9 * count):
        step, leaf, b = at % count, at // count % 9, low + at // (9 * count)
        folds = (leaf % 2 == 0) & (leaf < 8)  # calls are odd; the 8th: both have checked
        k = step * BK + tl.arange(0, BK)
        row = ((2 * b + folds.to(tl.int32)) * RP + i).to(tl.int64)
        own = tl.load(matrix + row[:, None] * NP + k[None, :])
        z = tl.load(occur + b * NP + k)
        c = columns + (leaf * Z + z)[:, None] * SP + s[None, :]
        d = columns + (tl.minimum(leaf + 9, 16) * Z + z)[:, None] * SP + s[None, :]
        one = tl.dot(own, tl.load(c), one)
        one = tl.dot(own, tl.load(c + apart), one)
        two = tl.dot(own, tl.load(d), two)
        two = tl.dot(own, tl.load(d + apart), two)
        if step == count - 1:
            if leaf == 8:
                if FIRST:
                    value = tl.maximum(after + one, bets)
                    after, bets = nothing, best
                else:
                    value = tl.maximum(after, one) + bets
                    after, bets = best, nothing
                total += tl.load(weight + b) * value
            elif (leaf // 2 % 2 == 1) == FIRST:
                after, bets = tl.maximum(after, one), bets + two
            else:
                after, bets = after + one, tl.maximum(bets, two)
            one, two = nothing, nothing
    put(total * tl.load(scale + s)[None, :], t, i, s, place, hands, out, R, S)


@triton.jit
def put(won, t, i, s, place, hands, out, R, S):
    """Write what the i-th hands of a turn win from the s-th starts that are worked out together."""
    hand, start = tl.load(hands + t * R + i, i < R, 0), tl.load(place + s)
    at = (t * 1326 + hand).to(tl.int64)[:, None] * S + start[None, :]
    tl.store(out + at, won, (i < R)[:, None] & (start >= 0)[None, :])


@triton.jit
def line(wins, meets, columns, step, MINE: tl.constexpr):
    """What hands win after a check, or a bet at once: from the last bet to the first. MINE: 0 or 1,
    at every other bet, beginning with the last or the one before, the responder answers."""
    value = 0.0
    for j in tl.static_range(4):
        fold, call = tl.load(columns + 2 * j * step), tl.load(columns + (2 * j + 1) * step)
        if j % 2 == MINE:
            best = tl.maximum(tl.dot(meets, fold), tl.dot(wins, call))
            value = best if j == 0 else tl.maximum(value, best)
        else:
            value = tl.dot(meets, fold) if j == 0 else tl.dot(meets, fold, value)
            value = tl.dot(wins, call, value)
    return value


@triton.jit
def few(
    matrix, begins, weight, columns, scale, place, hands, out, R, RP, S, SP,
    BM: tl.constexpr, BS: tl.constexpr, K: tl.constexpr, FIRST: tl.constexpr,
):  # fmt: skip
    """As `rivers`, of K buckets; large and small parts of a column stand one above the other."""
    t = tl.program_id(2)
    i = tl.program_id(1) * BM + tl.arange(0, BM)
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    columns += tl.arange(0, 2 * K)[:, None] * SP + s[None, :]
    step, total = 2 * K * SP, tl.zeros((BM, BS), tl.float32)
    for b in range(tl.load(begins + t), tl.load(begins + t + 1)):
        own = matrix + (2 * b * RP + i).to(tl.int64)[:, None] * K + tl.arange(0, K)[None, :]
        wins, meets = tl.load(own), tl.load(own + RP * K)
        wins = tl.reshape(tl.broadcast_to(wins[:, None, :], (BM, 2, K)), (BM, 2 * K))
        meets = tl.reshape(tl.broadcast_to(meets[:, None, :], (BM, 2, K)), (BM, 2 * K))
        after = line(wins, meets, columns, step, 1 if FIRST else 0)
        bets = line(wins, meets, columns + 9 * step, step, 0 if FIRST else 1)
        checked = tl.load(columns + 8 * step)
        if FIRST:
            value = tl.maximum(tl.dot(wins, checked, after), bets)
        else:
            value = tl.maximum(tl.dot(wins, checked), after) + bets
        total += tl.load(weight + b) * value
    put(total * tl.load(scale + s)[None, :], t, i, s, place, hands, out, R, S)


def packed(folds: Any, ends: Any, place: Any, on: Any) -> Any:
    """Columns (leaves, Z, S) in order and in two parts of 16 bits, what they were divided by, and
    where their starts stand among all that are worked out, -1 for none."""
    torch, folds, ends = on.torch, on.put(folds), on.put(ends)
    pairs = [one for k in FOLDS for one in (folds[k], ends[1 + k])]
    leaves = torch.stack([*pairs[:8], ends[0], *pairs[8:]])
    starts, Z = leaves.shape[2], leaves.shape[1]
    exact = on.zeros((17, max(Z, FEW), -(-starts // STARTS) * STARTS))
    scale = torch.ones(exact.shape[2], device=on.device)
    scale[:starts] = torch.exp2(torch.floor(torch.log2(leaves.abs().amax((0, 1)))) - 13)
    exact[:, :Z, :starts] = leaves
    exact /= scale
    large, padded = exact.half(), np.full(len(scale), -1, np.int32)
    padded[:starts] = place
    parts = torch.stack([large, (exact - large).half()], 1 if Z <= FEW else 0)
    return parts, scale, on.put(padded)


class Rivers:
    """Rivers of some turns: W and N, by the buckets that occur on each."""

    def __init__(
        self, shown: Any, Z: int, strength: Any, bucket: Any, hands: Any, turn: Any, weight: Any
    ) -> None:
        on, (B, self.R), T = shown.on, strength.shape, len(hands)
        self.Z, self.hands, self.few = Z, hands, Z <= FEW
        self.step = FEW if self.few else STEP
        wide = min(64, self.step * -(-Z // self.step))
        self.NP, self.RP = -(-min(Z, 1081) // wide) * wide, -(-self.R // ROWS) * ROWS
        turns, place, self.steps = on.put(turn), bucket, on.zeros((T,), "int64") + 1
        if not self.few:
            place, occur, many = shown.occurring(bucket, Z)
            self.steps.scatter_reduce_(0, turns, -(-many // self.step), "amax")
            self.occur = on.zeros((B, self.NP), "int32")
            self.occur[:, : occur.shape[1] - 1] = occur[:, :-1]
        self.weight = on.put(weight.astype(np.float32))
        self.begins = on.put(np.searchsorted(turn, np.arange(T + 1)).astype(np.int32))
        size = B, 2, self.RP, self.NP
        self.matrix = on.torch.empty(size, dtype=on.torch.float16, device=on.device)
        rank = strength if on.gpu else shown.ranked(strength)
        ahead[(B, self.RP // ROWS, self.NP // wide)](
            rank, place.int(), *shown.middle[:, hands], turns.int(), self.steps, self.matrix,
            self.R, self.RP, self.NP, ROWS, wide, 64, self.step, num_stages=1,
        )  # fmt: skip

    def won(self, of: Any, columns: Any, _: Any, out: Any) -> None:
        """Write what hands win on the rivers of each turn into out (turns, 1326, S)."""
        parts, scale, place = columns
        given = self.begins, self.weight, parts, scale, place, self.hands, out
        S, SP, first = out.shape[2], len(scale), of.player == 1
        if self.few:
            few[(SP // 32, self.RP // 64, len(out))](
                self.matrix, *given, self.R, self.RP, S, SP, 64, 32, FEW, first,
                num_warps=4, maxnreg=128,
            )  # fmt: skip
        else:
            rivers[(SP // STARTS, self.RP // ROWS, len(out))](
                self.matrix, self.occur, self.steps, *given, self.Z, self.R, self.RP, self.NP, S,
                SP, ROWS, STARTS, self.step, first, num_warps=WARPS, num_stages=STAGES,
            )  # fmt: skip
