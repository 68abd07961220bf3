"""Sampling on Toepen: as good as an independent prototype, and the thesis's examples by hand."""

from dataclasses import replace

import numpy as np
import pytest

import workbench as wb
from workbench.games.text_game import load_text
from workbench.games.toepen.rules import Toepen
from workbench.solvers.base import average, start_state
from workbench.solvers.cfr import CFR
from workbench.solvers.external_sampling import ChanceSampling, ExternalSampling

SEEDS = range(5)
# Sum of both best replies (twice the exploitability) after 50,000 iterations of external sampling
# without weights, mean over five seeds of an independent prototype, and the spread over seeds where
# it is given. Suits merged without loss; suits kept.
PLAIN = {"232": (0.00017, 0.0004), "322": (0.00002, 0.005), "332": (0.0005, 0.009)}
BETTING = {
    "232": ((0.041, 0.004), (0.067, 0.004)),
    "322": ((0.028, 0.004), (0.093, 0.004)),
    "332": ((0.067, 0.005), (0.247, 0.009)),
}
SLOW = pytest.mark.slow


def found(deck, betting, merged, solver, iterations=50_000):
    """(5,) what both best replies win, one number per seed."""
    suits, ranks, hand = map(int, deck)
    tree = wb.compile_game(Toepen(suits, ranks, hand, betting))
    if merged:
        tree = wb.abstract(tree, "lossless-suits").coarse
    states = [solver.advance(tree, start_state(tree, seed), iterations) for seed in SEEDS]
    return np.array([2 * wb.exploitability(average(tree, state)) for state in states])


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("deck", PLAIN)
def test_without_betting(deck, merged):
    """The first mistakes weigh 1 in 50,000, so small numbers are a matter of luck; the prototype's
    spread is not known, so ours stands in for it. At 3/2/2 merged that hardly explains its 0.00002:
    a hundred seeds of ours give 0.00014, ten of `wb.sample_rules`, a recursive program that never
    sees a tree, 0.00011. Linear weights forget first mistakes."""
    best = PLAIN[deck][not merged]
    assert found(deck, False, merged, ExternalSampling()).mean() <= best
    standard = found(deck, False, merged, ExternalSampling(linear=False))
    assert standard.mean() <= best + 2 * standard.std(ddof=1)


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("deck", ["232", *(pytest.param(n, marks=SLOW) for n in ("322", "332"))])
def test_with_betting(deck, merged):
    best, spread = BETTING[deck][not merged]
    for linear in (True, False):
        ours = found(deck, True, merged, ExternalSampling(linear=linear))
        assert ours.mean() <= best + spread
        assert ours.std(ddof=1) < 3 * spread


@pytest.mark.slow
def test_the_largest_game_of_the_thesis():
    """3/3/3 with betting, suits merged: 0.30 after 100,000 iterations in the prototype."""
    assert found("333", True, True, ExternalSampling(), 100_000).max() <= 0.31
    standard = found("333", True, True, ExternalSampling(linear=False), 100_000)
    assert standard.max() <= 0.31
    assert standard.mean() == pytest.approx(0.30, abs=0.01)


def example(chance, *worth):
    """With this probability a player may play one of three cards, worth so much each."""
    cards = "".join(f"\n    {card}: pays {value}" for card, value in enumerate(worth))
    here = f"here {chance}: player 1 sees 10♣ 7♣ 8♥{cards}"
    text = f"game example\nchance\n  {here}\n  elsewhere {1 - chance}: pays 0\n"
    return wb.compile_game(load_text(text))


@pytest.mark.parametrize("solver", [CFR(), ChanceSampling(), ExternalSampling()], ids=repr)
def test_the_examples_of_the_thesis(solver):
    """Regrets and strategies are the printed ones; sampled, they come when the dice say so, without
    the factor 0.2 or 0.5 (walks come here that often), and the strategies follow all the same."""
    first, second = example(0.2, -3.0, 6.0, 3.0), example(0.5, -1.0, 0.0, 6.0)
    sampled = not isinstance(solver, CFR)

    def once(tree, before):
        for seed in range(100):  # until the cards are dealt this way
            after = solver.advance(tree, replace(before, rng=start_state(tree, seed).rng), 1)
            if not np.array_equal(after.regret, before.regret):
                return after
        raise AssertionError("never dealt")

    one = once(first, start_state(first))
    expected = np.array([-1.0, 0.8, 0.2])
    assert one.regret.tolist() == pytest.approx(expected * (5.0 if sampled else 1.0))
    assert one.probs.tolist() == pytest.approx([0.0, 0.8, 0.2])
    two = once(second, replace(one, iteration=0, regret=expected))
    increment = np.array([-1.1, -0.6, 2.4]) * (2.0 if sampled else 1.0)
    assert two.regret.tolist() == pytest.approx(expected + increment)
    if not sampled:
        assert two.regret.tolist() == pytest.approx([-2.1, 0.2, 2.6])
        assert two.probs.tolist() == pytest.approx([0.0, 0.2 / 2.8, 2.6 / 2.8])
