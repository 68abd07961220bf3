"""Hands and best responses as array operations find what kernels find; on numpy here."""

import numpy as np
import pytest

import workbench as wb
from tests.solvers.test_arrays import interpreted, needs_triton
from workbench.arrays import Machine
from workbench.lab.sweep import flops
from workbench.poker.buckets import joint_buckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.cards.board_sets import CARDS, PAIRS, board_sets, masks_of
from workbench.poker.cards.seven_cards import strengths
from workbench.poker.response import flop_arrays, flop_response
from workbench.poker.response.flop_arrays import FlopArrays
from workbench.poker.response.flop_response import FixedOpponent, answer_flop, by_class
from workbench.poker.strength import table_arrays
from workbench.poker.strength.hand_arrays import HandArrays
from workbench.poker.strength.holdem_signals import count_hands
from workbench.poker.strength.holdem_tables import BLOCKED, MOST, holdem_tables

RULES = wb.load_game("limit_holdem")
EVERY = np.arange(PAIRS)


@pytest.fixture
def few_cards(monkeypatch):
    """Two turns, with one river each."""
    every = flop_response.next_cards

    def some(board, group):
        return list(every(board, group))[5 : 7 if len(board) == 3 else 6]

    for module in (flop_response, flop_arrays):
        monkeypatch.setattr(module, "next_cards", some)


def cut(*counts):
    return wb.cluster_hands(RULES, counts, metric="ehs2", method="percentile")


def anyhow(buckets):
    game = RULES.public_game(buckets)
    return game.normalised(np.random.default_rng(0).random(game.num_choices))


def test_hands_as_arrays():
    rng, hands, found = np.random.default_rng(1), HandArrays(Machine()), np.empty(PAIRS, np.int32)
    boards = np.array([rng.permutation(52)[:5] for _ in range(40)] + [[0, 1, 2, 3, 4]])
    ranks, taken = hands.strengths(boards, EVERY), hands.taken(boards, EVERY)
    places, renamings = hands.find(boards)
    known, zero = cut(2, 2, 2, 2), np.zeros(PAIRS, np.int64)
    before = hands.buckets(known, boards[:, :3], EVERY, known.on(())[None])
    before = hands.buckets(known, boards[:, :4], EVERY, before)
    bucket = hands.buckets(known, boards, EVERY, before)
    for b, board in enumerate(boards.tolist()):
        strengths(masks_of(board), found)
        assert np.array_equal(np.where(taken[b], -1, ranks[b]), found)
        assert (places[b], renamings[b]) == board_sets(5).find(masks_of(board))
        assert np.array_equal(bucket[b], known.on(board))
    (wins,), (meets,) = hands.ahead(ranks[:1], np.where(taken[:1], -1, zero), 1, EVERY[None])
    apart = (CARDS[:, None, :, None] != CARDS[None, :, None, :]).all(axis=(2, 3))
    apart &= ~taken[0] & ~taken[0][:, None]
    assert np.array_equal(meets[:, 0], apart.sum(axis=1))
    assert np.array_equal(wins[:, 0], (np.sign(ranks[0][:, None] - ranks[0]) * apart).sum(axis=1))


def stitched():
    part = wb.betting_experts(RULES, ["r"])
    return anyhow(MixedBuckets(cut(3, 3, 3, 3), part, {"r": cut(3, 4, 4, 4)}))


@pytest.mark.parametrize(
    ("who", "flop"),
    [
        ("call-or-raise", (50, 46, 1)),
        ("uniform", (50, 46, 1)),
        pytest.param(lambda: anyhow(cut(2, 2, 2, 2)), (50, 46, 1), marks=pytest.mark.slow),
        (stitched, (20, 21, 6)),
    ],
)
def test_a_flop_as_arrays(who, flop, few_cards):
    opponent = FixedOpponent(who() if callable(who) else wb.poker.opponent_named(RULES, who))
    (found,) = FlopArrays(opponent, Machine()).records([flop])
    exact = by_class(answer_flop(opponent, flop, threads=False, progress=False).values)
    assert found.shape == flops.RECORD
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-7 * np.abs(exact).max())  # 32 bits


def test_the_command_takes_what_a_gpu_finds(few_cards, monkeypatch, tmp_path):
    caller = wb.poker.opponent_named(RULES, "always-call")
    usual = flops.best_response_sweep(
        caller, flops=3, store=tmp_path / "a", progress=False, workers=1
    )
    monkeypatch.setattr(Machine, "room", 3 * flops.EACH)
    monkeypatch.setattr(flops, "_gpu_pool", lambda x: flops._on_gpu(FlopArrays(x, Machine())))
    again = flops.best_response_sweep(caller, flops=3, store=tmp_path / "b", progress=False)
    assert again.values == pytest.approx(usual.values, rel=1e-6)
    assert len([*(tmp_path / "b").glob("*/flop-*.npz")]) == 1
    usual = flops.best_response_sweep(caller, flops=3, store=tmp_path / "b", progress=False)
    assert usual == again  # read from the file of all three


INTERPRETED = """
import torch, numpy as np
from tests.poker import test_flop_arrays as t
from workbench.arrays import Torch
every = t.flop_response.next_cards
t.flop_arrays.next_cards = lambda board, group: list(every(board, group))[5:6]
on, flops = Torch(torch, "cpu"), [(50, 46, 1), (20, 21, 6)]
for who in (t.wb.poker.opponent_named(t.RULES, "uniform"), t.anyhow(t.cut(3, 3, 3, 3))):
    opponent = t.FixedOpponent(who)
    plain, fused = (t.FlopArrays(opponent, on, how) for how in (False, True))
    fused.compile_kernels()
    plain, fused = plain.records(flops), fused.records(flops)
    assert abs(plain - fused).max() < 1e-7 * abs(plain).max()
"""


@needs_triton
def test_the_kernels_of_a_gpu_interpreted(run_python):
    interpreted(run_python, INTERPRETED)


def test_tables_as_arrays():
    on, known, sets = Machine(), holdem_tables(), [board_sets(n) for n in (3, 4, 5)]
    some = slice(3, None, 20_000)
    found = table_arrays.river(on, sets[2].code[some]).astype(np.uint16)
    assert np.array_equal(found, known.river[some])
    later = known.river.astype(np.int32)
    later[later > MOST] = -1
    made = table_arrays.sums(on, sets[1].code[some], (later, later * later), 1)
    assert np.array_equal(np.array(made).astype(np.uint32), known.turn[:, some])
    turn = np.where(known.turn == BLOCKED, -1, known.turn.astype(np.int64))
    made = table_arrays.sums(on, sets[0].code[:3], (turn[0], turn[1]), 2)
    assert np.array_equal(np.array(made).astype(np.uint32), known.flop[:, :3])


def test_counts_as_arrays():
    known, on = cut(2, 2, 2, 2), Machine()
    for n, some, sizes in (
        (3, slice(9, 13), 2**16),
        (4, slice(7, 9), 2**16),
        (5, slice(2, 3), 1981),
    ):
        sets, of = board_sets(n), known.cards
        table, parents = (of.flop, of.turn, of.river)[n - 3], known.classes[n - 3]
        seen = table_arrays.Seen(of, known.cuts[: n - 2])
        found = table_arrays.count(on, n, seen, table, parents, sizes, some)
        between = some.start, some.stop, sets.code, sets.weight, table, of, known.cuts
        assert np.array_equal(found, count_hands(*between, parents, sizes))


@pytest.mark.parametrize("other", [(2, 2, 2, 2), (3, 3, 3, 3)])
def test_joint_buckets_as_arrays(other):
    one, two = cut(2, 2, 2, 2), cut(*other)
    two = one if one.name == two.name else two
    every, boards = 60_000, np.arange(30_000, 134_459, 60_000)
    deals = joint_buckets.count(one, every, theirs=two, progress=False)
    found = table_arrays.joint(Machine(), one, two, boards)
    assert found[0].sum() == deals.deals
    assert np.array_equal(found / deals.deals, [deals.meets, deals.wins])
