"""Limit Hold'em: rules and sizes, buckets, matrices against dealing out, solving, real deals."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

import workbench as wb
from tests.oracles import node_after
from workbench import disk_cache
from workbench.poker.betting.betting import Limit
from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.holdem_buckets import HoldemBuckets, as_cuts
from workbench.poker.buckets.holdem_clustering import histograms
from workbench.poker.buckets.joint_buckets import count, joint_buckets
from workbench.poker.cards.board_sets import CARDS, MOVED, board_sets, held, masks_of
from workbench.poker.cards.seven_cards import strength_of
from workbench.poker.strength import holdem_tables
from workbench.poker.strength.holdem_signals import Cuts, signals

RULES, DECK = wb.load_game("limit_holdem"), wb.poker.Deck()
_after = partial(node_after, RULES)
PERCENTILE = {"metric": "ehs2", "method": "percentile"}


@pytest.fixture(scope="module")
def cut():
    return wb.cluster_hands(RULES, (2, 2, 2, 2), **PERCENTILE)


@pytest.fixture(scope="module")
def run(cut):
    return wb.solve(RULES, "cfr+", iterations=60, abstraction=cut, checkpoints=30)


# ---- rules ---------------------------------------------------------------------------------


def test_rules():
    dealt = ("A♥ K♥", "7♠ 7♦")
    assert _after(*dealt).player == 0  # the small blind acts first before the flop
    assert _after(*dealt, "f").payoffs == (-500.0, 500.0)
    assert _after(*dealt, "c").actions == ("c", "r")  # the big blind may raise
    assert _after(*dealt, "r", "r", "r").actions == ("f", "c")  # the blind was the first bet
    assert len(_after(*dealt, "c", "c").probabilities) == 48 * 47 * 46 // 6
    flop = (*dealt, "c", "c", "Q♥ J♥ 2♣")
    assert _after(*flop).player == 1  # and last afterwards
    assert _after(*flop, "r", "r", "r", "r").actions == ("f", "c")
    river = (*flop, "c", "c", "T♥", "c", "c", "7♣", "r")
    assert _after(*river, "c").payoffs == (3000.0, -3000.0)  # a straight flush; bets are double
    assert _after(*river) == wb.Decision(
        0, ("A♥ K♥", "Q♥ J♥ 2♣ T♥ 7♣", "cc/cc/cc/r"), ("f", "c", "r")
    )


def test_antes_need_no_order():
    assert Limit((5, 5), (10,), (3,)).follow("r").player == 1
    assert Limit((1, 2), (2, 2), (4, 4), (0, 1)).follow("cc/").player == 1


# ---- buckets -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("k", "sizes"), [(2, [662, 664]), (3, [440, 444, 442])])
def test_percentiles(k, sizes):
    cut = wb.cluster_hands(RULES, (k,) * 4, **PERCENTILE)
    assert cut.sizes(0).tolist() == sizes
    flop = cut.sizes(1)
    assert flop.sum() == 1326 * 19600
    assert (np.abs(flop / flop.mean() - 1) < 0.01).all()  # equal shares of equal shares


def test_buckets_and_matrices_that_come_along(tmp_path, monkeypatch):
    """With two or three buckets a round nobody has to count hands, or to make their tables."""
    monkeypatch.setattr(disk_cache, "candidates", lambda: [tmp_path])
    monkeypatch.setattr(holdem_tables, "compute", lambda progress: pytest.fail("tables are made"))
    for k in (2, 3):
        cut = wb.cluster_hands(RULES, (k,) * 4, **PERCENTILE)
        assert cut.classes == (k, k**2, k**3, k**4)
        assert joint_buckets(cut).meets.sum() == pytest.approx(1)
    assert wb.cluster_hands(RULES, (169, 9, 9, 9), recall="imperfect", **PERCENTILE).classes[1] == 9
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_what_comes_along_is_what_counting_gives(monkeypatch):
    """Without the files that come along and those that were kept."""
    monkeypatch.setattr(disk_cache, "load", lambda kind, key, prepared=False: None)
    found = wb.cluster_hands(RULES, (2, 2, 2, 2), **PERCENTILE)
    counted = joint_buckets(found)
    monkeypatch.undo()
    along = wb.cluster_hands(RULES, (2, 2, 2, 2), **PERCENTILE)
    assert along.fingerprint == found.fingerprint
    np.testing.assert_array_equal(joint_buckets(along).meets, counted.meets)
    np.testing.assert_array_equal(joint_buckets(along).wins, counted.wins)


@pytest.mark.slow
def test_a_sequence_follows_its_rounds(cut):
    hand, board = (50, 46), (43, 38, 0, 11, 22)
    whole = cut.sequence(hand, board)
    for cards, r in ((0, 1), (3, 2), (4, 3)):
        assert cut.sequence(hand, board[:cards]) == whole[:r]
    for r in (1, 2, 3):
        assert cut.parents(r)[whole[r]] == whole[r - 1]
    renamed = tuple(card // 4 * 4 + (card + 1) % 4 for card in (*hand, *board))
    assert cut.sequence(renamed[:2], renamed[2:]) == whole
    assert cut.sequence(hand[::-1], (board[2], *board[:2], *board[3:])) == whole


@pytest.mark.slow
def test_preflop_classes_may_be_forgotten():
    cut = wb.cluster_hands(RULES, (169, 2, 2, 2), recall="imperfect", **PERCENTILE)
    assert cut.classes == (169, 2, 2, 2)
    assert not cut.nested
    run = wb.solve(RULES, "external-sampling", iterations=50, abstraction=cut)
    assert np.isnan(run.abstract_exploitability)
    assert sum(run.strategy.at(("A♥ K♥", "", "")).values()) == pytest.approx(1)


@pytest.mark.slow
def test_potential_where_it_fits():
    cut = wb.cluster_hands(RULES, (5, 4, 4, 4), metric="potential", recall="imperfect")
    assert cut.classes == (5, 4, 4, 4)
    assert cut.sizes(0).sum() == 1326
    assert cut.chart()[0, 0] == 4  # aces are with the best
    nines, sixes, ace_king = (cut.chart()[at] for at in ((5, 5), (8, 8), (0, 1)))
    assert nines == sixes != ace_king  # pairs have a future of their own, whatever their strength
    again = HoldemBuckets.restored(RULES, cut.saved())
    assert again.fingerprint == cut.fingerprint
    run = wb.solve(RULES, "external-sampling", iterations=50, abstraction=cut)
    assert sum(run.strategy.at(("K♥ Q♥", "A♥ 8♥ 3♣", "rc/")).values()) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("public", [3, 4])
def test_where_hands_may_lead_against_dealing_the_next_card(public):
    """A hand's histogram is its buckets after each card that may come."""
    later = wb.cluster_hands(RULES, (5, 4, 4, 4), metric="ehs", recall="imperfect")
    cards, cut = signals("ehs").cards, later.cuts[public - 1]
    after = (cards.turns, cards.turn) if public == 3 else (cards.rivers, cards.river)
    points, place = histograms(public, *after, Cuts(cut.first[:1], cut.cuts[:1]))
    left = (52 - public) * (51 - public) // 2
    assert (place >= 0).sum() == left * len(board_sets(public).code)
    for text in ("AhKh Qh7h2c9s", "7d2c 7s7h7c2d", "TsTh 9h8h7h6c"):
        hand, board = map(DECK.parse, text.split())
        board = board[:public]
        at, renaming = board_sets(public).find(masks_of(board))
        found = points[place[at, MOVED[renaming, DECK.hand(hand)]]]
        rest = [card for card in range(52) if card not in (*hand, *board)]
        dealt = [later.sequence(hand, (*board, card))[-1] for card in rest]
        assert found == pytest.approx(np.bincount(dealt, minlength=4) / len(rest))


@pytest.mark.slow
def test_a_chart_of_buckets(cut):
    before = cut.chart()
    assert before[0, 0] == 1
    assert before[12, 7] == 0  # 72 offsuit
    flop = cut.chart(wb.poker.Deck().parse("AhAsAd"))
    assert flop[0, 0] == -1  # only one ace is left
    assert len(wb.plots.plot_bucket_chart(cut).texts) == 169
    ax = wb.plots.plot_bucket_chart(cut, "Qh Jh 2c")
    assert len(ax.texts) == 2 * 169  # with the number of its bucket


def test_labels_as_cuts():
    found = as_cuts(np.array([0, 0, 1, 1]), np.array([3, 9, 3, 9]), np.array([0, 1, 2, 2]), 2)
    assert found.first.tolist() == [0, 2]
    assert found.cuts[0, 0] == 9


# ---- matrices ------------------------------------------------------------------------------


@pytest.mark.slow
def test_matrices_against_every_pair_of_hands(cut):
    codes = board_sets(5).code
    every = len(codes)  # one board
    joint = count(cut, every)
    at = every // 2
    board = np.flatnonzero(held(codes[[at]])[0]).tolist()
    hands = [pair for pair in CARDS.tolist() if not {*pair} & {*board}]
    ranks = [strength_of((*hand, *board)) for hand in hands]
    meets, wins = np.zeros((16, 16)), np.zeros((16, 16))
    free = np.array([[not {*a} & {*b} for b in hands] for a in hands])
    sign = np.sign(np.subtract.outer(ranks, ranks))
    for flop in combinations(board, 3):
        rest = [card for card in board if card not in flop]
        for later in (rest, rest[::-1]):
            z = np.array([cut.sequence(hand, (*flop, *later))[-1] for hand in hands])
            np.add.at(meets, (z[:, None] + 0 * z, z[None] + 0 * z[:, None]), free)
            np.add.at(wins, (z[:, None] + 0 * z, z[None] + 0 * z[:, None]), free * sign)
    weight = board_sets(5).weight
    assert joint.deals == meets.sum() * weight[at]
    assert meets.sum() * weight.sum() == 55_627_620_048_000  # of all boards
    np.testing.assert_allclose(joint.meets, meets / meets.sum(), atol=1e-14)
    np.testing.assert_allclose(joint.wins, wins / meets.sum(), atol=1e-14)


@pytest.mark.slow
def test_preflop_matrix_is_nearly_that_of_all_deals(cut):
    """Every eighth board gives the exact chance of two hands to one part in a thousand."""
    game = RULES.public_game(cut)
    z = np.array([cut.sequence(pair, ())[0] for pair in CARDS.tolist()])
    free = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
    exact = np.array([[free[z == a][:, z == b].sum() for b in (0, 1)] for a in (0, 1)]) / free.sum()
    np.testing.assert_allclose(game.walk.rounds[0][0].space.meets[0], exact, rtol=2e-3)


# ---- solving and playing -------------------------------------------------------------------


@pytest.mark.slow
def test_solving(run):
    assert run.trace["exploitability"].isna().all()
    assert run.trace["abstract_exploitability"].is_monotonic_decreasing
    assert "abstract exploitability" in repr(run)
    assert run.strategy.at(("A♥ A♠", "", ""))["r"] > 0.5
    table = run.strategy.table("Q♥ J♥ 2♣")
    assert len(table.groupby("information set")) == 4 * 7 * 10  # buckets, starts, decisions
    with pytest.raises(wb.GameError, match="does not know"):
        run.strategy.at(("A♥ K♥", "Q♥ J♥", "rc/"))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "target", "value"), [(2, 1.0, 55.1), (3, 5.0, 76.3)])
def test_values(k, target, value):
    cut = wb.cluster_hands(RULES, (k,) * 4, **PERCENTILE)
    found = wb.solve(
        RULES, "cfr+", iterations=2000, target=target, abstraction=cut, checkpoints=100
    )
    assert found.stopped == "target"
    assert wb.expected_values(found.strategy)[0] == pytest.approx(value, abs=0.5)


@pytest.mark.slow
def test_engine_against_a_compiled_best_response(run):
    """A best response in the abstract game wins what the trace says, played out by itself."""
    sigma = run.abstraction.coarse.average(run.state)
    values = [sigma.best_response(player) for player in (0, 1)]
    mean = sum(value for value, _ in values) / 2
    assert mean == pytest.approx(run.abstract_exploitability, abs=1e-6)
    best, answer = values[0]
    seated = wb.expected_values([answer, sigma])
    assert seated[0] == pytest.approx(best, abs=1e-6)


@pytest.mark.slow
def test_external_sampling_agrees(cut):
    found = wb.solve(
        RULES, "external-sampling", iterations=300_000, abstraction=cut, seed=1, checkpoints=300_000
    )
    assert found.abstract_exploitability < 150
    assert wb.expected_values(found.strategy)[0] == pytest.approx(55.1, abs=20)


@pytest.mark.slow
def test_signals_keep_the_order_of_strengths():
    found = signals("ehs2")
    assert len(found.values[0]) == 169
    assert len(found.values[3]) == 1981
    assert all(len(values) <= 65536 for values in found.values)
    assert all((np.diff(values) > 0).all() for values in found.values)


@pytest.mark.slow
def test_experts_see_the_buckets_of_their_parts(run, cut):
    """With the base's buckets everywhere, experts play the very same hands."""
    part = wb.betting_experts(RULES, ["r", "cr", "ccr"])
    mixed = wb.dynamic_experts(RULES, cut, part, abstraction=cut, iterations=60, checkpoints=30)
    other = wb.solve(RULES, "cfr+", iterations=5, abstraction=cut).strategy
    plain, pieces, seats = (
        wb.sample_match({"a": sigma, "b": other}, deals=3000, seed=7).loc["a", "winnings"]
        for sigma in (run.strategy, mixed.strategy, wb.seated([mixed.strategy, run.strategy]))
    )
    assert plain == pieces == seats
    for seen in (("A♥ K♥", "", "r"), ("7♥ 2♥", "Q♥ J♥ 2♣", "cc/r"), ("9♥ 9♠", "Q♥ J♥ 2♣", "rc/")):
        assert mixed.strategy.at(seen) == pytest.approx(run.strategy.at(seen))
    assert len(mixed.strategy.table("Q♥ J♥ 2♣")) == len(run.strategy.table("Q♥ J♥ 2♣"))


def test_slashes_between_rounds_may_be_written():
    plain, slashed = (BettingParts(RULES, (name,)) for name in ("rccr", "rc/cr"))
    assert np.array_equal(plain.parts(), slashed.parts())
    assert slashed.names == ("rc/cr",)


def test_before_the_flop_there_are_169_classes():
    assert wb.fit_buckets(RULES, 10**13).counts["base"] == (169, 218, 218, 219)
    assert wb.fit_buckets(RULES, 10**15, most=200).counts["base"] == (169, 200, 200, 200)
    alone = wb.fit_buckets(RULES, 500_000, "S=N", experts="cr")  # one expert may be a text
    assert alone.counts == wb.fit_buckets(RULES, 500_000, "S=N", experts=["cr"]).counts
