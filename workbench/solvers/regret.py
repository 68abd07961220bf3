"""Regret matching: play in proportion to what you wish you had played.

    σ(a) = R⁺(a) / Σ R⁺,   uniform if no regret is positive       (Hart & Mas-Colell 2000)

One rule, compiled for each layout of regrets: choices side by side on a tree (`match_choices`, with
sizes that the compiler knows, 5 to 15 % faster), lanes, steps apart, and whole arrays. Every solver
calls one of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.tree import FloatArray, IndexArray

TINY = 1e-300  # regrets this small (nobody ever gets here) have no usable reciprocal


@kernel(inline="always")
def _match(
    first: np.uint64, size: int | np.uint32 | np.uint64, regret: FloatArray, probs: FloatArray
) -> None:
    total = 0.0
    for j in range(size):
        total += max(regret[first + np.uint64(j)], 0.0)
    scale = 1.0 / total if total > TINY else 0.0
    uniform = 0.0 if total > TINY else 1.0 / size
    for j in range(size):
        probs[first + np.uint64(j)] = max(regret[first + np.uint64(j)], 0.0) * scale + uniform


@kernel(forceinline=True)
def match_choices(
    first: np.uint64, size: np.uint32 | np.uint64, regret: FloatArray, probs: FloatArray
) -> None:
    """Write the probabilities of the choices first, first + 1, … of one infoset."""
    if size == 2:  # known sizes are faster: see `sequence_form.up`
        _match(first, 2, regret, probs)
    elif size == 3:
        _match(first, 3, regret, probs)
    else:
        _match(first, size, regret, probs)


@kernel
def regret_matching(
    first_choice: IndexArray, low: int, high: int, regret: FloatArray, probs: FloatArray
) -> None:
    """Write the probabilities of all choices of the infosets low .. high."""
    for infoset in range(low, high):
        first = np.uint64(first_choice[infoset])
        match_choices(first, first_choice[infoset + 1] - first_choice[infoset], regret, probs)


@kernel
def match_lanes(
    plan: FloatArray, row: NDArray[np.int64], c: int, count: int, low: int, lanes: int,
    scale: FloatArray, probs: FloatArray,
) -> None:  # fmt: skip
    """The same for many infosets at once: choice a of the s-th has its regret in plan[row[a] + low
    + s] and its probability in probs[a, s], c <= a < c + count; scale: scratch."""
    one, two = plan[row[c] + low :][:lanes], plan[row[c + 1] + low :][:lanes]
    if count == 2:
        for s in range(lanes):
            total = max(one[s], 0.0) + max(two[s], 0.0)
            scale[s] = 1.0 / total if total > TINY else 0.0
    else:
        three = plan[row[c + 2] + low :][:lanes]
        for s in range(lanes):
            total = max(one[s], 0.0) + max(two[s], 0.0) + max(three[s], 0.0)
            scale[s] = 1.0 / total if total > TINY else 0.0
    uniform = 1.0 / count
    for a in range(c, c + count):
        one, to = plan[row[a] + low :][:lanes], probs[a]
        for s in range(lanes):
            to[s] = max(one[s], 0.0) * scale[s] + (uniform if scale[s] == 0.0 else 0.0)


def match_arrays(where: Callable[..., Any], plan: Any, even: Any = None) -> Any:
    """The same for arrays (infosets, choices, …) of numpy or of torch, with its `where`; `even`:
    the probabilities of those who regret nothing. Times a reciprocal, as above: ties stay ties."""
    positive = plan.clip(0.0)
    total = positive.sum(1)[:, None]
    even = 1.0 / plan.shape[1] if even is None else even
    return where(total > TINY, positive * (1.0 / total.clip(TINY)), even)


@kernel(forceinline=True)
def match_apart(
    regret: NDArray[np.floating[Any]], first: int, apart: int, low: int, high: int,
    probs: FloatArray,
) -> None:  # fmt: skip
    """The same for one infoset whose choice a has its regret in regret[first + a · apart] and its
    probability in probs[a], low <= a < high."""
    total = 0.0
    for a in range(low, high):
        probs[a] = max(np.float64(regret[first + a * apart]), 0.0)
        total += probs[a]
    for a in range(low, high):
        probs[a] = probs[a] / total if total > TINY else 1.0 / (high - low)


@kernel(inline="always")
def discounted(regret: float, positive: float, negative: float) -> float:
    """The discount depends on the sign: 1 and 1 is plain CFR, 1 and 0 the floor of CFR+."""
    return regret * (positive if regret > 0.0 else negative)


@kernel
def update_regrets(
    low: int,
    high: int,
    owner: IndexArray,  # (K,) infoset of a choice
    values: FloatArray,  # (K,) v(I, a)
    value: FloatArray,  # (M,) Σ σ v
    positive: float,
    negative: float,
    regret: FloatArray,  # (K,) changed
) -> None:
    """R ← (R + r) · discount for the choices low .. high, where r(a) = v(I, a) − Σ σ v."""
    for c in range(low, high):
        regret[c] = discounted(regret[c] + (values[c] - value[owner[c]]), positive, negative)
