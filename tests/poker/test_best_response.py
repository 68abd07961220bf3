"""The best response of Hold'em: the river against brute force, flops against a twin, sums."""

from functools import cache

import numpy as np
import pytest

import workbench as wb
from tests.poker.even_opponents import RULES, Even, records
from workbench.poker.betting.betting import FOLD
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.buckets.joint_buckets import count
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.cards.board_sets import CARDS, PAIRS, board_sets, masks_of
from workbench.poker.cards.seven_cards import strengths
from workbench.poker.engine.card_passes import KIND
from workbench.poker.engine.deal_walk import BUCKET, CHOICE, FIRST, NODE, PART
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response import flop_response
from workbench.poker.response.flop_response import FixedOpponent, answer_flop, keeping, next_cards
from workbench.poker.response.reach import meeting
from workbench.poker.response.real_response import (
    OPPONENTS,
    drawn_flops,
    flop_cards,
    opponent_named,
    summed,
)
from workbench.poker.response.response_rounds import (
    alike,
    answered,
    backed_up,
    columns,
    reach_by_kind,
)
from workbench.poker.response.river_response import answer_river, river_reach, river_worth, showdown

BOARD = (3, 17, 22, 40, 51)
PERCENTILE = {"metric": "ehs2", "method": "percentile"}


def _cut(*counts):
    """Buckets that cut every signal at its hundreds, so many in each round."""
    before = np.cumprod((1, *counts[:3]))
    cuts = [
        (np.arange(many) * k, np.tile(np.arange(1, k) * 100, (many, 1)))
        for many, k in zip(before, counts, strict=True)
    ]
    return HoldemBuckets(RULES, cuts)


def _played(game, seed=0, power=4):
    """Random probabilities, some of them close to 0."""
    return game.normalised(np.random.default_rng(seed).random(game.num_choices) ** power)


def _strategy(k):
    return _played(RULES.public_game(_cut(k, k, k, k)))


@cache
def matrices(board):
    """(1326, 1326) which pairs may meet on a board, and who wins."""
    strength = np.empty(PAIRS, np.int32)
    if len(board) == 5:
        strengths(masks_of(board), strength)
    free = ~np.isin(CARDS, board).any(axis=1)
    shares = (CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
    meets = (~shares & free[:, None] & free).astype(float)
    return meets, meets * np.sign(strength[:, None] - strength)


# ---- the river ------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_the_river_equals_brute_force(k):
    rng = np.random.default_rng(k)
    meets, wins = matrices(BOARD)
    bucket = np.where(meets.any(axis=1), rng.integers(0, k**4, PAIRS), -1)
    found = showdown(masks_of(BOARD), bucket, CARDS)
    some = np.flatnonzero(bucket >= 0)[::23]
    for seat in (0, 1):
        rounds = reach_by_kind(_strategy(k), seat)
        of = rounds[3][0]
        whole = river_reach(of, alike(rounds)[2])
        out = np.zeros((PAIRS, len(whole.ends), whole.ends.shape[3]), np.float32)
        answer_river(found, whole, CARDS, 2.0, out)

        def leaf(d, of=of):
            folds = of.tree[d, KIND] == FOLD
            column = (of.folds if folds else of.ends)[of.number[d]]
            return (meets if folds else wins)[some] @ column[bucket]

        truth = backed_up(of, leaf)
        error = out.reshape(PAIRS, -1)[some, :567] / 2 - truth
        assert np.abs(error).max() < 1e-6 * np.abs(truth).max()
        assert not out[bucket < 0].any()


def test_starts_that_are_alike_are_worked_out_once():
    river = alike(reach_by_kind(opponent_named(RULES, "always-call"), 0))[2]
    assert np.count_nonzero(river.times) == 8  # she never raises, so each round has two ends
    assert len(river.kept) == 5  # pots
    rounds = reach_by_kind(opponent_named(RULES, "uniform"), 1)
    for (of,), starts, kinds in zip(rounds[1:], alike(rounds), (4, 8, 16), strict=True):
        assert len(starts.kept) == kinds
        for given in (of.folds, of.ends):
            again = given[:, :, starts.kept][:, :, starts.place] * starts.times
            assert again == pytest.approx(given, rel=1e-11, abs=0)
    rounds = reach_by_kind(_strategy(2), 0)
    assert [len(starts.kept) for starts in alike(rounds)] == [7, 63, 567]
    nobody = [[of._replace(folds=0 * of.folds, ends=0 * of.ends)] for (of,) in rounds]
    assert not any(starts.times.any() for starts in alike(nobody))


def test_starts_differ_if_what_follows_does():
    """Two ways to begin the turn with equal pots, and one of them leads to other rivers."""
    rounds = reach_by_kind(opponent_named(RULES, "uniform"), 0)
    one, two = np.flatnonzero(alike(rounds)[1].place == 3)[:2]
    assert alike(rounds)[1].kept[3] == one
    rounds[3][0].ends[:, :, 9 * two] *= 0.5
    assert alike(rounds)[1].place[two] != 3


def test_the_river_of_an_opponent_who_does_not_look():
    """The list of 1,981 lines against brute force: hands of one board, and what each beats."""
    meets, wins = matrices(BOARD)
    hands = np.flatnonzero(meets.any(axis=1))[::70]
    strength = 990 + wins[hands].sum(axis=1).astype(int)
    sigma = _played(RULES.public_game(HoldemBuckets(RULES, [FORGET] * 4)), 3, 1)
    for seat in (0, 1):
        rounds = reach_by_kind(sigma, seat)
        of, starts = rounds[3][0], alike(rounds)[2]
        river = river_reach(of, starts)

        def leaf(d, of=of):
            folds = of.tree[d, KIND] == FOLD
            return (meets if folds else wins)[hands].sum(axis=1)[:, None] * (
                of.folds if folds else of.ends
            )[of.number[d]]

        found = river_worth(of, river)[strength][:, starts.place] * starts.times
        assert found == pytest.approx(backed_up(of, leaf), rel=1e-5)


def test_rounds_before_equal_brute_force():
    meets, _ = matrices(BOARD[:4])
    rng = np.random.default_rng(1)
    bucket = np.where(meets.any(axis=1), rng.integers(0, 8, PAIRS), -1)
    later = rng.normal(size=(PAIRS, 567))
    for seat in (0, 1):
        rounds = reach_by_kind(_strategy(2), seat)
        of, starts = rounds[2][0], alike(rounds)[1]

        def leaf(d, of=of):
            k = of.number[d]
            if of.tree[d, KIND] != FOLD:
                return later.reshape(PAIRS, 63, 9)[:, :, k]
            return 0.001 * meets @ of.folds[k][bucket]

        free = bucket >= 0
        found = answered([of], starts, [bucket], 0.001, later)
        assert found[free] == pytest.approx(backed_up(of, leaf)[free])
        column = of.folds[3]
        reach = np.where(free[:, None], column[bucket], 0.0)
        assert meeting(CARDS, reach)[free] == pytest.approx((meets @ reach)[free])


# ---- cards ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flop", "turns", "rivers"), [("QhJh2h", 23, 675), ("7h7d2c", 37, 1476), ("AhKd9c", 49, 2352)]
)
def test_renamings_stand_for_all_cards(flop, turns, rivers):
    cards = wb.poker.Deck().parse(flop)
    group, total, seen = keeping(cards), 0.0, 0
    found = list(next_cards(cards, group))
    for turn, weight in found:
        left = keeping((turn,), group)
        after = list(next_cards((*cards, turn), left))
        seen += len(after)
        total += weight * len(group) * sum(one for _, one in after) * len(left)
    assert (len(found), seen, total) == (turns, rivers, 49 * 48)


def test_flops_are_drawn_from_the_whole_deck():
    order = drawn_flops(seed=3)
    assert (drawn_flops(50, seed=3) == order[:50]).all()
    assert (np.unique(order, return_counts=True)[1] == board_sets(3).weight).all()
    assert board_sets(3).find(masks_of(flop_cards(100)))[0] == 100


# ---- strategies that are stitched together ---------------------------------------------------


def _stitched(base, fine, seed=0):
    """Random probabilities of a base, and of experts with more buckets after "r" and "ccr"."""
    parts = wb.betting_experts(RULES, ["r", "ccr"])
    experts = {"r": fine(1), "ccr": fine(2)}
    return _played(RULES.public_game(MixedBuckets(base, parts, experts)), seed)


def test_columns_of_a_stitched_strategy_are_its_moves():
    """What she pays at each end of the river, bucket by bucket, as her probabilities have it."""
    base = _cut(2, 2, 2, 2)
    sigma = _stitched(base, lambda shared: _cut(*(2,) * shared, *(3,) * (4 - shared)))
    kinds = reach_by_kind(sigma, 0)
    assert [[len(of.starts) for of in kinds[r]] for r in (1, 2, 3)] == [
        [4, 3, 0], [32, 27, 4], [288, 243, 36]
    ]  # fmt: skip
    limit = RULES.betting
    with pytest.raises(wb.GameError, match="other buckets in other parts"):
        columns(sigma, 0)
    for k, betting in ((0, "cc/cc/cc/"), (1, "rc/crc/rrc/"), (2, "cc/rc/cc/")):
        of, known = kinds[3][k], sigma.played.known[k]
        start = np.searchsorted(of.starts, limit.start_of(betting)[1])
        for z in (0, known.classes[3] - 1):
            buckets = [z]
            for r in (3, 2, 1):
                buckets.insert(0, known.parents(r)[buckets[0]])
            for end, text in enumerate(limit.rounds[3].ends):
                whole, often = betting + text, 1.0
                for at, move in enumerate(whole):
                    now = limit.follow(whole[:at])
                    if move != "/" and now.player == 1:
                        _, first, step, apart = _place(sigma, whole[:at], move)
                        often *= sigma.probs[first + step * buckets[now.round] + apart]
                paid = limit.follow(whole).paid[0]
                assert of.ends[end, z, start] == pytest.approx(often * paid, rel=1e-12)


@pytest.mark.slow
def test_a_river_of_a_stitched_strategy_equals_brute_force():
    """Static experts on the path: hands of one board, pair by pair, from one way to begin."""
    cut = {k: wb.cluster_hands(RULES, k, metric="ehs2", method="percentile") for k in (
        (2, 2, 2, 2), (2, 3, 3, 3), (2, 2, 3, 3))}  # fmt: skip
    sigma = _stitched(cut[2, 2, 2, 2], lambda shared: cut[(2,) * shared + (3,) * (4 - shared)])
    opponent, (meets, wins) = FixedOpponent(sigma), matrices(BOARD)
    buckets = opponent.buckets(BOARD)
    for betting in ("cc/cc/cc/", "rc/cc/rc/", "cc/rc/cc/"):
        for seat in (0, 1):
            found = np.zeros((PAIRS, len(opponent.starts[seat][2].kept)))
            for of, bucket in zip(opponent.rivers[seat], buckets, strict=True):
                out = np.zeros((PAIRS, len(of.ends), of.ends.shape[3]), np.float32)
                answer_river(showdown(masks_of(BOARD), bucket, CARDS), of, CARDS, 1.0, out)
                found[:, of.place] = out.reshape(PAIRS, -1)[:, : len(of.place)]
            start = RULES.betting.start_of(betting)[1]
            starts = opponent.starts[seat][2]
            won = found[:, starts.place[start]] * starts.times[start]

            def value(text, reach, seat=seat, betting=betting):
                at = RULES.betting.follow(betting + text)
                if at.folded >= 0:
                    return (meets @ reach) * (-1 if at.folded == seat else 1) * min(at.paid)
                if at.player < 0:
                    return (wins @ reach) * at.paid[0]
                below = [value(text + a, reach * _moves(sigma, BOARD, betting + text, a)
                               if at.player != seat else reach)
                         for a in at.actions]  # fmt: skip
                return (np.max if at.player == seat else np.sum)(below, axis=0)

            reach = meets.any(axis=1).astype(float)
            for at, move in enumerate(betting):
                now = RULES.betting.follow(betting[:at])
                if move != "/" and now.player != seat:
                    reach *= _moves(sigma, BOARD, betting[:at], move)
            exact = value("", reach)
            assert np.abs(won - exact).max() < 1e-5 * np.abs(exact).max()


def _moves(sigma, board, betting, move):
    """(1326,) how likely each pair makes a move, hand by hand."""
    part, first, step, apart = _place(sigma, betting, move)
    r = betting.count("/")
    bucket = sigma.played.known[part].on(board[: r and r + 2])
    return np.where(bucket >= 0, sigma.probs[first + step * bucket + apart], 0.0)


def _place(sigma, betting, move):
    """The part after some betting, where its buckets stand, and how far it is to a move."""
    layout, node = sigma.played.layout, sigma.played.flat.node(betting)
    row = layout.groups[layout.group[node]]
    first = row[FIRST] + node * row[NODE]
    return row[PART], first, row[BUCKET], "fcr".index(move) * row[CHOICE]


@pytest.mark.slow
def test_experts_who_play_as_the_base_change_nothing():
    cut = wb.cluster_hands(RULES, (2, 2, 2, 2), metric="ehs2", method="percentile")
    base = _played(RULES.public_game(cut), 1, 1)
    game = RULES.public_game(
        MixedBuckets(cut, wb.betting_experts(RULES, ["r", "ccr"]), {"r": cut, "ccr": cut})
    )
    probs = np.empty(game.num_choices)
    game.copy_choices(probs, base, np.ones(len(game.flat.child), bool))
    stitched = PublicStrategy(base.tree, game, probs)
    plain, both = (answer_flop(one, "7s7h7d") for one in (base, stitched))
    for betting in ("cc", "rc", "crrc"):
        assert both.exploitability(betting) == pytest.approx(
            plain.exploitability(betting), rel=1e-9
        )
    assert both.values == pytest.approx(plain.values, rel=1e-9, abs=1e-12 * plain.values.max())
    seats = wb.seated([stitched, base])
    assert answer_flop(seats, "7s7h7d").values == pytest.approx(
        plain.values, rel=1e-9, abs=1e-12 * plain.values.max()
    )


# ---- flops: these need the tables of all hands ----------------------------------------------


@pytest.mark.slow
def test_suits_spare_work_and_change_nothing(monkeypatch):
    opponent = FixedOpponent(opponent_named(RULES, "always-call"))
    few = answer_flop(opponent, "8c7c7h")
    monkeypatch.setattr(flop_response, "keeping", lambda cards, group=(): (0,))
    all_cards = answer_flop(opponent, "8c7c7h", threads=False)
    assert (few.boards, all_cards.boards) == (1429, 2352)
    assert few.values == pytest.approx(all_cards.values, rel=1e-5, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPPONENTS)
def test_one_flop_equals_the_twin(name):
    opponent = FixedOpponent(opponent_named(RULES, name))
    found = answer_flop(opponent, "QhJh2h")
    for seat in (0, 1):
        twin = Even(OPPONENTS[name], seat).flop(found.flop)
        for s, end in enumerate(RULES.betting.rounds[0].ends):
            often = found.often(seat, end)
            paid = RULES.betting.follow(end).paid[0]
            if often.any() and paid in twin:
                free = often > 0
                won = found.values[seat, free, s] / often[free]
                assert won == pytest.approx(twin[paid][free], abs=0.01)  # of thousands of mbb


@pytest.mark.slow
def test_looking_up_rivers_is_answering_them():
    """Without the list, an opponent who does not look is met as any other."""
    opponent = FixedOpponent(opponent_named(RULES, "uniform"))
    listed = answer_flop(opponent, "QhJh2h")
    opponent.worth = []
    assert answer_flop(opponent, "QhJh2h").values == pytest.approx(listed.values, rel=1e-4)


@pytest.mark.slow
def test_buckets_are_those_of_the_strategy():
    cut = wb.cluster_hands(RULES, (2, 2, 2, 2), metric="ehs2", method="percentile")
    game = RULES.public_game(cut)
    opponent = FixedOpponent(game.normalised(np.ones(game.num_choices)))
    preflop, flop = opponent.buckets(()), opponent.buckets(BOARD[:3])
    (turn,), (river,) = opponent.buckets(BOARD[:4], flop), opponent.buckets(BOARD)
    for pair in range(0, PAIRS, 31):
        cards = CARDS[pair].tolist()
        if {*cards} & {*BOARD}:
            assert river[pair] == -1
        else:
            seen = preflop[0][pair], flop[0][pair], turn[pair], river[pair]
            assert seen == cut.sequence(cards, BOARD)


@pytest.mark.slow
def test_a_caller_comes_to_a_flop_in_one_way():
    caller = opponent_named(RULES, "always-call")
    best = answer_flop(caller, "AhAsAd")
    assert best.exploitability("cc") > 1000
    assert best.exploitability("rc") == 0  # callers never come there
    with pytest.raises(wb.GameError, match="does not lead to a flop"):
        best.exploitability("rf")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("always-call", 1163.48, 1163.48),  # found by another program
        ("always-raise", 3697.69, 3697.69),
        ("call-or-raise", 2598.11, 2214.99),
        ("uniform", 4400.89, 2531.75),
    ],
)
def test_all_flops_of_the_twin(name, first, second):
    opponent = FixedOpponent(opponent_named(RULES, name))
    whole = records(opponent, OPPONENTS[name])
    found = summed(opponent, drawn_flops(), whole)
    assert found.values == pytest.approx((first, second), abs=0.01)
    assert found.exact
    assert found.standard_error == 0
    some = [summed(opponent, drawn_flops(50, seed), whole) for seed in range(20)]
    error = np.mean([one.standard_error for one in some])
    upper, lower = (
        np.mean([getattr(one, what) for one in some]) for what in ("exploitability", "held_out")
    )
    assert lower - error < found.exploitability < upper + error


@pytest.mark.slow
def test_matrices_of_two_kinds_of_buckets():
    """Equal ones are as the same ones, and what one wins the other loses."""
    coarse, fine = (wb.cluster_hands(RULES, (k,) * 4, **PERCENTILE) for k in (2, 3))
    same, equal = count(coarse, 4096), HoldemBuckets.restored(RULES, coarse.saved())
    found = count(coarse, 4096, theirs=equal)
    assert (found.meets == same.meets).all()
    assert (found.wins == same.wins).all()
    mine, theirs = count(fine, 4096, theirs=coarse), count(coarse, 4096, theirs=fine)
    assert (mine.meets == theirs.meets.T).all()
    assert (mine.wins == -theirs.wins.T).all()
    assert mine.rounds(fine, coarse)[0].sum() == pytest.approx(1)
