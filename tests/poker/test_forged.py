"""Strategies whose files are whole but wrong: every kind is refused as strictly as a tree's."""

import numpy as np
import pytest

import workbench as wb
from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response.real_response import opponent_named

HOLDEM, THREE = wb.load_game("limit_holdem"), wb.load_game("limit_holdem", players=3)
SMALL = wb.load_game("rhode_island", ranks=3, suits=2)
KUHN = wb.compile_game(wb.load_game("kuhn"))


def _mixed():
    """A base with one bucket, and an expert after a raise."""
    one = HoldemBuckets(HOLDEM, [FORGET] * 4)
    game = HOLDEM.public_game(MixedBuckets(one, BettingParts(HOLDEM, ("r",)), {"r": one}))
    return PublicStrategy(HOLDEM.public_game(), game, game.matched(np.zeros(game.num_choices)))


def _seated():
    return HOLDEM.public_game().seated([opponent_named(HOLDEM, "uniform"), _mixed()])


def _three():
    game = THREE.public_game(HoldemBuckets(THREE, [FORGET] * 4))
    return PublicStrategy(THREE.public_game(), game, game.matched(np.zeros(game.num_choices)))


MADE = {
    "tree": (lambda: wb.Strategy.uniform(KUHN), KUHN),
    "boards": (lambda: wb.Strategy.uniform(SMALL), SMALL),
    "buckets": (lambda: opponent_named(HOLDEM, "uniform"), HOLDEM),
    "experts": (_mixed, HOLDEM),
    "seats": (_seated, HOLDEM),
    "three": (_three, THREE),
}
SLOW = pytest.mark.slow  # 29 million numbers
FORGED = {
    "doubled": lambda probs: 2 * probs,
    "negative": lambda probs: -probs,
    "zero": np.zeros_like,
    "nan": lambda probs: np.full_like(probs, np.nan),
    "one below 0": lambda probs: _swapped(probs, -0.5),
    "one a little off": lambda probs: _swapped(probs, 1e-4),
    "short": lambda probs: probs[:-1],
    "text": lambda probs: np.array("a half"),
    "complex": lambda probs: probs + 0j,
    "dates": lambda probs: np.zeros(probs.shape, "M8[s]"),
    "a row": lambda probs: probs[None],
}


def _swapped(probs, by):
    """Something moved from one choice to another information set, far from the first."""
    found, half = probs.copy(), len(probs) // 2  # the last few may all be of one
    found[half], found[-1] = found[half] - by, found[-1] + by
    return found


@pytest.fixture(scope="module", params=[*list(MADE)[:-1], pytest.param("three", marks=SLOW)])
def kept(request):
    """What is in the file of a strategy, and how it is put together again."""
    make, game = MADE[request.param]
    arrays = {name: np.asarray(value) for name, value in make().saved().items()}
    again = wb.Strategy.restored(arrays, game, "a.npz")
    assert np.array_equal(again.saved()["probs"], arrays["probs"])
    return arrays, lambda forged: wb.Strategy.restored(forged, game, "forged.npz")


def _refused(kept, arrays, message):
    with pytest.raises(wb.GameError, match=f"^forged.npz .*{message}") as error:
        kept[1](arrays)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("how", FORGED)
def test_forged_probabilities_are_refused(kept, how):
    arrays, _ = kept
    _refused(kept, {**arrays, "probs": FORGED[how](arrays["probs"])}, "save it again")


def test_a_file_that_lacks_something_is_refused(kept):
    arrays, _ = kept
    for name in arrays:
        if name == "run" or "name" in name:  # it can do without
            continue
        _refused(kept, {k: v for k, v in arrays.items() if k != name}, "")
    _refused(kept, {**arrays, "fingerprint": np.arange(3)}, "no plain text")


def test_forged_buckets_are_refused(kept):
    """They decide where probabilities stand: no array of them may be of another kind."""
    arrays, _ = kept
    for name in arrays.keys() - {"run", "game", "fingerprint", "probs", "seats"}:
        for other in (np.array("x"), np.array(-1.5), np.full((2, 2), np.nan), np.array(10**18)):
            if "name" not in name:  # buckets may have any
                _refused(kept, {**arrays, name: other}, "")
