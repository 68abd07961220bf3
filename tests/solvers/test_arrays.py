"""Array operations find what kernels find: on numpy here, with torch where it is installed."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards
from tests.random_games import tree_of
from workbench import arrays
from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.engine import card_game
from workbench.poker.engine.card_arrays import CardArrays
from workbench.solvers import array_cfr
from workbench.solvers.array_cfr import ArrayCFR
from workbench.solvers.base import start_state

FAMILY = ["cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+"]
THREES = {"suits": 3, "ranks": 3, "hand": 2, "betting": True}  # of Toepen
needs_triton = pytest.mark.skipif(
    not (find_spec("torch") and find_spec("triton")), reason="no triton"
)
TORCH = pytest.param("torch", marks=pytest.mark.skipif(not find_spec("torch"), reason="no torch"))


@pytest.fixture(params=["numpy", TORCH])
def on(request):
    if request.param == "numpy":
        return arrays.Machine()
    import torch

    return arrays.Torch(torch, "cuda" if torch.cuda.is_available() else "cpu")


def pair(name, alternating):
    engines = ({}, {"engine": "gpu"})
    return tuple(
        wb.solvers.find_solver(name, {"alternating": alternating, **one}) for one in engines
    )


def near(one, other, tolerance=1e-9):
    for name in ("regret", "strategy_sum", "probs"):
        a, b = getattr(one, name), getattr(other, name)
        np.testing.assert_allclose(
            b, a, rtol=0, atol=tolerance * max(1.0, np.abs(a).max(initial=0))
        )


INTERPRETED = """
import torch, numpy as np
from tests.solvers import test_arrays as t
tree, on = t.tree_of("kuhn"), t.arrays.Torch(torch, "cpu")
for name, alternating in (("dcfr", True), ("pcfr+", True), ("cfr", False)):
    kernels, gpu = t.pair(name, alternating)
    weights = np.column_stack(gpu.weights(np.arange(1.0, 7)))
    found = t.ArrayCFR(tree, on, kernels=True).run(gpu, t.start_state(tree), weights)
    t.near(tree.advance(kernels, t.start_state(tree), 6), found)
"""


def interpreted(run_python, code):
    """Kernels of a GPU, run by triton's interpreter in a process of its own."""
    done = run_python("-W", "ignore", "-c", code, env={"TRITON_INTERPRET": "1"})
    if "only 0-dimensional arrays can be converted" in done.stderr:
        pytest.skip("triton's interpreter is older than this numpy")
    assert done.returncode == 0, done.stderr


@needs_triton
def test_the_kernels_of_a_gpu_interpreted(run_python):
    interpreted(run_python, INTERPRETED)


@pytest.mark.parametrize(
    ("game", "options", "name", "alternating", "iterations"),
    [
        *(("leduc", {}, name, order, 20) for name in FAMILY for order in (True, False)),
        ("toepen", {"suits": 2, "ranks": 2}, "cfr+", True, 6),
        *(("toepen", THREES, name, True, 10 if name == "cfr+" else 5) for name in FAMILY),
        ("leduc", {"players": 3}, "cfr+", True, 6),
    ],
)
def test_trees_as_arrays(game, options, name, alternating, iterations, on):
    tree, (kernels, gpu) = tree_of(game, **options), pair(name, alternating)
    if "betting" in options or tree.num_players > 2:  # equal moves, and rounding chooses: see below
        luck = np.random.default_rng(0).random((len(tree.utility), 1))
        tree = replace(tree, utility=tree.utility * (1 + 0.01 * luck))
    weights = np.column_stack(gpu.weights(np.arange(1.0, iterations + 1)))
    found = ArrayCFR(tree, on).run(gpu, start_state(tree), weights)
    near(tree.advance(kernels, start_state(tree), iterations), found)


def test_ties_decided_by_rounding_are_all_that_differs(on):
    """In Toepen choices are often worth exactly the same: a regret of 1e-18 instead of 0, and the
    ways part. From the same strategies both learn the same."""
    tree, (kernels, gpu) = tree_of("toepen", **THREES), pair("dcfr", False)
    engine, state = ArrayCFR(tree, on), start_state(tree)
    for t in range(1, 5):
        found = engine.run(gpu, state, np.column_stack(gpu.weights(np.array([float(t)]))))
        state = tree.advance(kernels, state, 1)
        for name in ("regret", "strategy_sum"):
            np.testing.assert_allclose(getattr(found, name), getattr(state, name), atol=1e-12)


def cards(what):
    if what == "leduc":
        return LeducCards().public_game()
    if what in ("2222", "3333"):
        return wb.load_game("limit_holdem").public_game().abstraction(what).coarse
    if what == "six ranks":
        return wb.load_game("rhode_island", ranks=6).public_game()
    if what in ("S=N", "S={i}", "dynamic"):
        rules = wb.load_game("limit_holdem")
        two = wb.cluster_hands(rules, (2,) * 4, metric="ehs2", method="percentile")  # comes along
        part = ("r", "ccr")
        if what == "dynamic":
            return rules.public_game(
                MixedBuckets(two, BettingParts(rules, part), dict.fromkeys(part, two))
            )
        seeding = rules.public_game(two).normalised(
            np.random.default_rng(1).random(rules.public_game(two).num_choices)
        )
        return rules.public_game(
            MixedBuckets(
                two, BettingParts(rules, part[:1]), {"r": two}, expert="r",
                players=(0, 1) if what == "S=N" else (1,), base_probs=seeding.probs,
            )
        )  # fmt: skip
    rules = wb.load_game("rhode_island", ranks=6, suits=2)
    return rules.public_game(wb.cluster_hands(rules, (2, 5, 9)) if what == "buckets" else None)


@pytest.mark.parametrize("name", ["cfr+", "pcfr+"])
@pytest.mark.parametrize(
    "what", ["leduc", "hands", "six ranks", "buckets", "2222", "dynamic", "S={i}", "S=N"]
)
def test_cards_as_arrays(what, name, on):
    game, (kernels, gpu) = cards(what), pair(name, True)
    one, other, engine = game.start_state(), game.start_state(), CardArrays(game.walk, on)
    game._expect(gpu, other)
    for _ in range(5):  # each from the same regrets: ties would let their ways part
        game.advance(kernels, one, 1)
        engine.run(gpu, other, 1)
        near(one, other)
        for field in ("regret", "strategy_sum", "probs"):
            getattr(other, field)[:] = getattr(one, field)


@pytest.mark.parametrize(
    ("what", "name", "alternating", "iterations"),
    [
        *(("leduc", name, order, 20) for name in FAMILY for order in (True, False)),
        ("six ranks", "cfr+", True, 20),  # with others ties part the ways within eight
        *(pytest.param("3333", name, True, 10, marks=pytest.mark.slow) for name in FAMILY),
    ],
)
def test_cards_as_arrays_one_iteration_after_another(what, name, alternating, iterations, on):
    game, (kernels, gpu) = cards(what), pair(name, alternating)
    one, other, engine = game.start_state(), game.start_state(), CardArrays(game.walk, on)
    game._expect(gpu, other)
    game.advance(kernels, one, iterations)
    engine.run(gpu, other, iterations)
    near(one, other)


@pytest.fixture(params=["tree", "cards"])
def of_its_own(request):
    """A game whose arrays are made anew, and its first state."""
    if request.param == "cards":
        game = LeducCards().public_game()
        return game, game.start_state
    tree = replace(tree_of("leduc"))
    return tree, lambda: start_state(tree)


def make_here(kind, monkeypatch):
    """Arrays are made on such a machine."""
    for module in (array_cfr, card_game):
        monkeypatch.setattr(module, "machine", kind)


def test_two_threads_do_not_disturb_each_other(of_its_own, monkeypatch):
    """Arrays are made once for a game, and a run keeps there what it learns."""

    class Slow(arrays.Machine):
        def repeated(self, step, changed):
            return lambda: (step(), time.sleep(0.001))  # somebody else's turn

    make_here(Slow, monkeypatch)
    (game, start), (_, gpu) = of_its_own, pair("pcfr+", True)
    alone = [game.advance(gpu, start(), many) for many in (20, 30)]
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(game.advance, gpu, start(), many) for many in (20, 30)]
    for one, other in zip(alone, both, strict=True):
        near(one, other.result(), 0.0)


class OutOfMemoryError(RuntimeError):
    """As torch calls its own."""


@pytest.mark.parametrize("where", ["put", "repeated"])  # making the arrays, or running
def test_a_gpu_that_is_full(of_its_own, where, monkeypatch):
    def full(*_):
        raise OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    make_here(type("Full", (arrays.Machine,), {where: full}), monkeypatch)
    (game, start), (_, gpu) = of_its_own, pair("cfr+", True)
    with pytest.raises(wb.GameError, match=r"leduc.* of the GPU; take fewer buckets, or engine="):
        game.advance(gpu, start(), 1)
    make_here(arrays.Machine, monkeypatch)  # and nobody waits for it
    assert where == "repeated" or game.advance(gpu, start(), 1).iteration == 1


def test_solve_with_the_engine_of_a_gpu(monkeypatch, tmp_path):
    make_here(arrays.Machine, monkeypatch)
    gpu, rules = wb.solvers.CFRPlus(engine="gpu"), wb.load_game("rhode_island", ranks=3, suits=2)
    for game in (wb.load_game("kuhn"), rules):
        whole = wb.solve(game, gpu, 60)
        assert whole.exploitability == pytest.approx(
            wb.solve(game, "cfr+", 60).exploitability, rel=0.05
        )
        part = wb.solve(game, gpu, 20, store=tmp_path)
        again = wb.solve(game, gpu, 40, start=part.state)
        assert np.array_equal(again.state.regret, whole.state.regret)
    with pytest.raises(wb.GameError, match="forgets"):
        wb.solve(wb.load_game("forgetful"), gpu, 1)
