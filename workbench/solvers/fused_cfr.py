"""Two kernels for a GPU, in triton, for the passes of array_cfr.py: a step is one launch.

    up      what choices of a step are worth, by their payoffs and by the sets that follow; what is
            learnt from it, and how one plays then
    down    how likely players now come to their choices

So an iteration of Toepen 3/3/3 with betting, eight steps a player, is 32 launches instead of some
two hundred, and no array of payoffs goes through memory.
"""

# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from workbench.solvers.regret import TINY

SETS, WARPS, AHEAD = 8, 1, 4  # of a block, and how many numbers are asked for at a time
LATER, MORE = 64, 2  # sets and warps on the way down: the fastest of 14 that an H200 tried


@triton.jit
def up(
    first, last, low, entries, payoff, others, below, next_set, value, x, probs, regret,
    total, even, schedule,
    TINY: tl.constexpr, WIDTH: tl.constexpr, WIDE: tl.constexpr, SETS: tl.constexpr,
    AHEAD: tl.constexpr, FOLLOWS: tl.constexpr, PREDICTIVE: tl.constexpr,
):  # fmt: skip
    """The sets first .. last of a player whose sets begin at low."""
    here = first + tl.program_id(0) * SETS + tl.arange(0, SETS)
    choice = tl.arange(0, WIDE)[None, :]
    real = (here < last)[:, None] & (choice < WIDTH)
    at = here[:, None] * WIDTH + choice
    worth = tl.zeros((SETS, WIDE), tl.float64)
    begin = tl.load(entries + at - low * WIDTH, real, 0)
    count = tl.load(entries + at - low * WIDTH + 1, real, 0) - begin
    for low_j in range(0, tl.max(count), AHEAD):
        for j in tl.static_range(AHEAD):
            at_j, more = begin + low_j + j, low_j + j < count
            other = tl.load(others + at_j, more, 0)
            worth += tl.load(payoff + at_j, more, 0.0) * tl.load(x + other, more, 0.0)
    if FOLLOWS:
        begin = tl.load(below + at - first * WIDTH, real, 0)
        count = tl.load(below + at - first * WIDTH + 1, real, 0) - begin
        for low_j in range(0, tl.max(count), AHEAD):
            for j in tl.static_range(AHEAD):
                then = next_set + begin + low_j + j  # sets that follow stand side by side
                worth += tl.load(value + then, low_j + j < count, 0.0)
    uniform = tl.load(even + at, real, 0.0)
    real = uniform > 0.0
    played = tl.load(probs + at, real, 0.0)
    mean = tl.sum(played * worth, 1)
    tl.store(value + here, mean, here < last)
    instant = tl.where(real, worth - mean[:, None], 0.0)
    plan = tl.load(regret + at, real, 0.0) + instant
    plan *= tl.where(plan > 0.0, tl.load(schedule), tl.load(schedule + 1))
    tl.store(regret + at, plan, real)
    come = tl.load(total + at, real, 0.0) + tl.load(schedule + 2) * tl.load(x + at, real, 0.0)
    tl.store(total + at, come, real)
    if PREDICTIVE:
        plan += instant
    plan = tl.where(plan > 0.0, plan, 0.0)
    all_of = tl.sum(plan, 1)[:, None]
    known = all_of > TINY
    tl.store(probs + at, tl.where(known, plan / tl.where(known, all_of, 1.0), uniform), real)


@triton.jit
def down(
    first, last, above, x, probs,
    WIDTH: tl.constexpr, WIDE: tl.constexpr, SETS: tl.constexpr, LATER: tl.constexpr,
):  # fmt: skip
    here = tl.program_id(0) * SETS + tl.arange(0, SETS)
    there = first + here < last
    choice = tl.arange(0, WIDE)[None, :]
    real = there[:, None] & (choice < WIDTH)
    at = (first + here)[:, None] * WIDTH + choice
    come = tl.load(probs + at, real, 0.0)
    if LATER:
        come *= tl.load(x + tl.load(above + here, there, 0), there, 0.0)[:, None]
    tl.store(x + at, come, real)


class FusedPasses:
    """The passes of an `ArrayCFR` of two players on a GPU."""

    def __init__(self, of: Any) -> None:
        self.of = of
        self.steps = [self._steps(i) for i in range(len(of.players))]

    def _steps(self, i: int) -> list[Any]:
        """Of each step of a player, from the last to the first, what `up` reads and what `down`."""
        hers, payoff, (others,), adds = self.of.players[i]
        entries = hers.start, adds.crow_indices().int(), payoff, others.int()
        found, below = list[Any](), entries[1:2]
        for step in reversed(self.of.steps[i]):
            sets, follows = (step.sets.start, step.sets.stop), bool(found)
            above = self.of.x if step.above is None else step.above.int()
            reads = *entries, *below, sets[1]
            found.append((sets, reads, follows, above, step.above is not None))
            if step.above is not None:
                below = (step.sums.crow_indices().int(),)
        return found

    def learn(self, i: int, predictive: bool) -> None:
        of = self.of
        kept = of.value, of.x, of.probs, of.regret, of.total, of.even, of.schedule
        wide = of.width, triton.next_power_of_2(of.width), SETS, AHEAD
        for (first, last), reads, follows, _, _ in self.steps[i]:
            up[(triton.cdiv(last - first, SETS),)](
                first, last, *reads, *kept, TINY, *wide, follows, predictive, num_warps=WARPS
            )

    def down(self, i: int) -> None:
        of = self.of
        wide = of.width, triton.next_power_of_2(of.width), LATER
        for (first, last), _, _, above, later in reversed(self.steps[i]):
            down[(triton.cdiv(last - first, LATER),)](
                first, last, above, of.x, of.probs, *wide, later, num_warps=MORE
            )
