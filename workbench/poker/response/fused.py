"""Two kernels for a GPU, in triton: what flop_arrays.py says, without a word to memory in between.

    ahead      W and N of many rivers: signs and buckets are made where they are multiplied
    rivers     a tile of hands and starts: for all rivers of a turn, each leaf is a product of tiles
               on tensor cores, and the betting is settled while the next one is multiplied

Buckets that no hand of a board has are left out: of 4,096 sequences (k = 8) some hundreds occur.

Leaves come in the order in which the betting is settled. Bets after a check are cr, crr, crrr,
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
FOLDS = [3, 2, 1, 0, 7, 6, 5, 4]  # from the last bet to the first, after a check and at once
WARPS, STAGES, STEP = 8, 3, 64  # the fastest of those tried on an H200


@triton.jit
def ahead(
    strength, place, bits, turn, steps, matrix, R, RP, NP,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STEP: tl.constexpr,
):  # fmt: skip
    """W and N, (boards, 2, RP, NP): a tile of hands and of buckets of one board."""
    board, col = tl.program_id(0), tl.program_id(2)
    t = tl.load(turn + board)
    if col * BN < tl.load(steps + t) * STEP:
        i = tl.program_id(1) * BM + tl.arange(0, BM)
        z = col * BN + tl.arange(0, BN)
        mine = tl.load(strength + board * R + i, i < R, 0)
        here = tl.load(place + board * R + i, i < R, -1) >= 0
        held = tl.load(bits + t * R + i, i < R, 0)
        wins, meets = tl.zeros((BM, BN), tl.float32), tl.zeros((BM, BN), tl.float32)
        for j0 in range(0, R, BK):
            j = j0 + tl.arange(0, BK)
            theirs = tl.load(strength + board * R + j, j < R, 0)[None, :]
            bucket = tl.load(place + board * R + j, j < R, -1)
            others = tl.load(bits + t * R + j, j < R, 0)
            apart = ((held[:, None] & others[None, :]) == 0) & here[:, None]
            within = (bucket[:, None] == z[None, :]).to(tl.float16)
            more = (mine[:, None] > theirs).to(tl.float16)
            sign = tl.where(apart, more - (mine[:, None] < theirs).to(tl.float16), 0.0)
            wins = tl.dot(sign.to(tl.float16), within, wins)
            meets = tl.dot(apart.to(tl.float16), within, meets)
        at = (2 * board * RP + i).to(tl.int64)[:, None] * NP + z[None, :]
        tl.store(matrix + at, wins.to(tl.float16))
        tl.store(matrix + at + RP * NP, meets.to(tl.float16))


@triton.jit
def rivers(
    matrix, occur, steps, begins, weight, columns, scale, out, Z, RP, NP, SP,
    BM: tl.constexpr, BS: tl.constexpr, BK: tl.constexpr, FIRST: tl.constexpr,
):  # fmt: skip
    """out (turns, RP, SP): a tile of what hands win from starts, summed over a turn's rivers. One
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
    place = (t * RP + i)[:, None] * SP + s[None, :]
    tl.store(out + place, total * tl.load(scale + s)[None, :])


def packed(folds: Any, ends: Any, on: Any) -> Any:
    """Columns (leaves, Z, S) in order and in two parts of 16 bits, what they were divided by, S."""
    torch, folds, ends = on.torch, on.put(folds), on.put(ends)
    pairs = [one for k in FOLDS for one in (folds[k], ends[1 + k])]
    leaves = torch.stack([*pairs[:8], ends[0], *pairs[8:]])
    starts = leaves.shape[2]
    exact = on.zeros((*leaves.shape[:2], -(-starts // STARTS) * STARTS))
    scale = torch.ones(exact.shape[2], device=on.device)
    scale[:starts] = torch.exp2(torch.floor(torch.log2(leaves.abs().amax((0, 1)))) - 13)
    exact[:, :, :starts] = leaves
    exact /= scale
    large = exact.half()
    return torch.stack([large, (exact - large).half()]), scale, starts


class Rivers:
    """Rivers of some turns: W and N, by the buckets that occur on each."""

    def __init__(
        self, shown: Any, Z: int, strength: Any, bucket: Any, bits: Any, turn: Any, weight: Any
    ) -> None:
        on, (B, self.R) = shown.on, strength.shape
        self.on, self.Z, self.T = on, Z, len(bits)
        self.step = 16 if Z <= 16 else STEP
        wide = min(64, self.step * -(-Z // self.step))
        self.NP, self.RP = -(-min(Z, 1081) // wide) * wide, -(-self.R // ROWS) * ROWS
        turns, (place, occur, many) = on.put(turn), shown.occurring(bucket, Z)
        steps = on.zeros((self.T,), "int64")
        self.steps = steps.scatter_reduce_(0, turns, -(-many // self.step), "amax").int()
        self.occur = on.zeros((B, self.NP), "int32")
        self.occur[:, : occur.shape[1] - 1] = occur[:, :-1]
        self.weight = on.put(weight.astype(np.float32))
        self.begins = on.put(np.searchsorted(turn, np.arange(self.T + 1)).astype(np.int32))
        size = B, 2, self.RP, self.NP
        self.matrix = on.torch.empty(size, dtype=on.torch.float16, device=on.device)
        ahead[(B, self.RP // ROWS, self.NP // wide)](
            strength, place.int(), bits, turns.int(), self.steps, self.matrix,
            self.R, self.RP, self.NP, ROWS, wide, 64, self.step, num_warps=8,
        )  # fmt: skip

    def won(self, of: Any, columns: Any) -> Any:
        """(turns, R, S) the sum over the rivers of each turn of what hands win."""
        parts, scale, starts = columns
        out = self.on.zeros((self.T, self.RP, len(scale)), "float32")
        rivers[(len(scale) // STARTS, self.RP // ROWS, self.T)](
            self.matrix, self.occur, self.steps, self.begins, self.weight, parts, scale, out,
            self.Z, self.RP, self.NP, len(scale), ROWS, STARTS, self.step, of.player == 1,
            num_warps=WARPS, num_stages=STAGES,
        )  # fmt: skip
        return out[:, : self.R, :starts]
