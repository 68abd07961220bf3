"""Random numbers inside kernels: a small generator whose whole state is four numbers.

numba has a generator of its own, one for each thread, that nobody can save. A run that stops and
resumes as if nothing had happened needs one it can carry along: xoshiro256++ (Blackman & Vigna
2021), four 64-bit words, under a nanosecond per number, started from numpy's `SeedSequence`, so
that seeds 0, 1, 2, … have nothing to do with one another.

>>> rng = random_state(7)
>>> first = draw(rng)
>>> again = random_state(7)
>>> draw(again) == first, draw(rng) == first
(True, False)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.settings import need_whole

RandomState = NDArray[np.uint64]  # (4,), not all zero


def random_state(seed: int) -> RandomState:
    """(4,) where the random numbers of a seed begin."""
    seed = need_whole("seed", seed, 0, None)
    return np.asarray(np.random.SeedSequence(seed).generate_state(4, np.uint64), np.uint64)


@kernel(forceinline=True)
def _rotated(x: np.uint64, k: int) -> np.uint64:
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@kernel(forceinline=True)
def draw(rng: RandomState) -> float:
    """The next number in [0, 1); `rng` moves on."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    word = _rotated(a + d, 23) + a
    c ^= a
    d ^= b
    rng[1] = b ^ c
    rng[0] = a ^ d
    rng[2] = c ^ (b << np.uint64(17))
    rng[3] = _rotated(d, 45)
    return np.float64(word >> np.uint64(11)) * 2.0**-53
