"""Random numbers: the published generator, its seeds, and how a state carries them along."""

import numpy as np
import pytest

from workbench.kernels import draw, random_state

WORD = (1 << 64) - 1


class Xoshiro:
    """xoshiro256++ as its authors print it, in whole numbers without end."""

    def __init__(self, state):
        self.s = list(state)

    def __call__(self):
        s = self.s
        result = (self.rotl((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
        t = (s[1] << 17) & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = self.rotl(s[3], 45)
        return (result >> 11) * 2.0**-53

    @staticmethod
    def rotl(x, k):
        return ((x << k) | (x >> (64 - k))) & WORD


@pytest.mark.parametrize("start", [[1, 2, 3, 4], [WORD] * 4, [0, 0, 0, 1], [WORD, 0, WORD, 5]])
def test_the_generator_is_the_published_one(start):
    rng, twin = np.array(start, np.uint64), Xoshiro(start)
    assert [draw(rng) for _ in range(2000)] == [twin() for _ in range(2000)]
    assert rng.tolist() == twin.s


def test_first_words_as_published():
    """From 1, 2, 3, 4: the test vector that libraries share (rand_xoshiro)."""
    rng = np.array([1, 2, 3, 4], np.uint64)
    words = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [draw(rng) for _ in words] == [(word >> 11) * 2.0**-53 for word in words]


def test_numbers_are_even_and_seeds_are_strangers():
    numbers = {}
    for seed in (0, 1, 2, 10**30):
        rng = random_state(seed)
        drawn = np.array([draw(rng) for _ in range(20_000)])
        assert 0.0 <= drawn.min() < drawn.max() < 1.0
        counts = np.histogram(drawn, bins=50, range=(0, 1))[0]
        assert ((counts - 400) ** 2 / 400).sum() < 100  # χ², 49 degrees of freedom: p > 1e-5
        assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.03
        numbers[seed] = drawn
    assert abs(np.corrcoef(numbers[0], numbers[1])[0, 1]) < 0.03
