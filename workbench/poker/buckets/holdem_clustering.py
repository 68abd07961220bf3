"""Clustering the hands of Hold'em: cuts between strengths, found on counts instead of hands.

Two billion hands on river boards are too many to sort, but they show only 1,950 different strengths
of the 1,981 that 990 opponents allow. So for each bucket of the round before, hands are counted by
their signal (`workbench.poker.strength.holdem_signals`), and the counts are cut: into equal shares
(percentile), or with the least error (k-means), by the same code as in smaller games. All boards
are counted in every order, so nothing is sampled.

With perfect recall each bucket before has cuts of its own; with imperfect recall all have the same.
169 buckets before the flop are every class by itself.

**Potential-aware** buckets compare hands by where the next card may lead them. Everyday example:
two hands win half of the time. One is a small pair that stays what it is; the other is a flush
draw, worthless or great after the next card. Their strength is the same, their histograms over the
buckets of the next round are not (GS3, Gilpin, Sandholm & Sørensen 2007).

Bottom up, as in smaller games (`hand_clustering.py`). Rounds before are forgotten (imperfect
recall). Nothing is left to come on the river, which is cut by E[HS]. All else is exact up to here:

    turn      16,432 boards, 1,128 hands, 46 rivers: 850 million looks into the table of the river
    flop       1,755 boards, 1,176 hands, 47 turns:   97 million
    preflop        169 hands, all flops

Many hands have the same histogram, so the different ones are found first (each hand gets the sum of
random numbers of its buckets, as in `gameshrink.py`; 64 bits keep them apart), and only those are
written down. If they are more than `MANY`, centres are searched among `MANY` hands spread evenly
over all, and every histogram goes to the nearest centre.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.kernels import kernel
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets, as_cuts, count_signals
from workbench.poker.buckets.point_clusters import running_sums
from workbench.poker.buckets.round_clustering import Clustering
from workbench.poker.cards.board_sets import PAIRS, Longs, board_sets, find, unpack
from workbench.poker.cards.threads import in_pieces
from workbench.poker.strength.holdem_signals import Cards, Cuts, Shorts, bucket_after, signals
from workbench.progress import ProgressBar
from workbench.tree import FloatArray

CLASSES = (169, 1_286_792, 13_960_050, 123_156_254)  # hands on boards, up to suits
DECIDED_BY = (  # these sources; how strong hands are is a fact
    "poker/buckets/hand_clustering", "poker/buckets/holdem_buckets",
    "poker/buckets/holdem_clustering", "poker/buckets/line_clusters",
    "poker/buckets/point_clusters", "poker/buckets/round_clustering",
    "poker/strength/holdem_signals",
)  # fmt: skip
SEEN = (169, 1_286_792, 55_190_538, 2_428_287_420)  # the same, with the order of the rounds
STRENGTHS = {  # different signals in each round; on the river, different strengths
    "ehs": (169, 28_434, 42_487, 1_950),
    "ehs2": (169, 57_713, 42_378, 1_950),
    "potential": (*CLASSES[:3], 1_950),  # histograms, and E[HS] on the river
}
MANY = 100_000  # different histograms among which centres are searched
PIECES = 40


def cluster_holdem(
    rules: Any, wanted: tuple[int, ...], metric: str, how: Clustering, perfect: bool
) -> HoldemBuckets:
    """As many buckets in each round as wanted, from the cache or made now."""
    key = f"{rules.name} {wanted} {metric} {how} {perfect} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("holdem buckets", key, prepared=True)
    if kept is not None:
        return HoldemBuckets.restored(rules, kept)
    if metric == "potential":
        made = _by_potential(rules, wanted, how)
    else:
        made = HoldemBuckets(rules, _by_signal(wanted, metric, how, perfect), metric)
    disk_cache.save("holdem buckets", key, made.saved())
    return made


def _by_signal(wanted: tuple[int, ...], metric: str, how: Clustering, perfect: bool) -> list[Cuts]:
    """From the first round to the last."""
    cuts: list[Cuts] = []
    for r, count in enumerate(wanted):
        counts = _counts(metric, cuts if perfect else [FORGET] * r)
        values = signals(metric).values[r]
        before, signal = np.nonzero(counts)
        heavy = counts[before, signal]
        if r == 0 and count == len(values):  # every class by itself, however many hands it has
            heavy = np.ones(count)
        label = how.round(values[signal], heavy, before, count)
        found = as_cuts(before, signal, label, len(counts))
        if not perfect and cuts:
            many = int(cuts[-1].first.max()) + 1 + cuts[-1].cuts.shape[1]
            found = Cuts(np.repeat(found.first, many), np.repeat(found.cuts, many, axis=0))
        cuts.append(found)
    return cuts


def _counts(metric: str, cuts: list[Cuts]) -> FloatArray:
    """`count_signals`; on the river, where it takes half a minute, from the cache: buckets that
    differ on the river only share it."""
    if len(cuts) < 3:
        return count_signals(metric, cuts)
    digest = hashlib.sha256(metric.encode())
    for one in cuts:
        digest.update(one.first.tobytes() + one.cuts.tobytes())
    key = f"{digest.hexdigest()} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("holdem counts", key)
    if kept is None:
        kept = {"counts": count_signals(metric, cuts)}
        disk_cache.save("holdem counts", key, kept)
    return kept["counts"]


# ---- where hands may lead --------------------------------------------------------------------


def _by_potential(rules: Any, wanted: tuple[int, ...], how: Clustering) -> HoldemBuckets:
    """From the last round to the first."""
    river = _forget(cluster_holdem(rules, wanted, "ehs", how, False).cuts[3], 1)
    cards, values = signals("ehs").cards, signals("ehs").values
    points, place = histograms(4, cards.rivers, cards.river, river)
    turn = _round(how, 4, points, place, values[2], cards.turn, wanted[2])
    points, place = histograms(3, cards.turns, turn, _between(turn, 1))
    flop = _round(how, 3, points, place, values[1], cards.flop, wanted[1])
    free, weight = board_sets(3).free(), board_sets(3).weight.astype(np.float64)
    lead = np.stack([weight @ (free & (flop == one)) for one in range(int(flop.max()) + 1)], axis=1)
    lead /= lead.sum(axis=1, keepdims=True)
    first = _labels(how, lead, np.ones(PAIRS), values[0][cards.preflop], wanted[0])
    labels = {0: first.astype(np.uint16), 1: flop, 2: turn}
    cuts = [_between(first, 1), _between(flop, int(first.max()) + 1)]
    cuts += [_between(turn, int(flop.max()) + 1), _forget(river, int(turn.max()) + 1)]
    return HoldemBuckets(rules, cuts, "ehs", labels=labels)


def histograms(
    public: int, after: Longs, table: Shorts, cut: Cuts
) -> tuple[FloatArray, NDArray[np.int64]]:
    """The different histograms of hands on boards of `public` cards over the buckets of the next
    round, and (boards, 1326) which of them each hand has, -1 where there is none. `after`,
    `table`: the boards of the next round and its signals; cut at `cut`, whatever was before."""
    boards, cards, size = board_sets(public), signals("ehs").cards, 1 + cut.cuts.shape[1]
    free = boards.free()
    keys, place = np.zeros(free.shape, np.uint64), np.full(free.shape, -1, np.int64)
    power = np.random.default_rng(0).integers(1, 2**63, size, np.uint64)
    told = f"where hands on {public} cards may lead"
    with ProgressBar(told, 2 * PIECES) as bar:

        def run(power: NDArray[np.uint64], rows: FloatArray, done: int) -> None:
            looks = (boards.code, after, table, cards, cut, power, keys, place, rows)
            for step, _ in enumerate(in_pieces(_look, len(free), PIECES, *looks), 1):
                bar.show(done + step)

        run(power, np.zeros((0, size)), 0)
        _, first, where = np.unique(keys[free], return_index=True, return_inverse=True)
        rows = np.zeros((len(first), size))
        place.ravel()[np.flatnonzero(free)[first]] = np.arange(len(first))
        run(power * np.uint64(0), rows, PIECES)
    place[free] = where
    return rows / rows.sum(axis=1, keepdims=True), place


def _round(
    how: Clustering, public: int, points: FloatArray, place: NDArray[np.int64], values: FloatArray,
    signal: Shorts, count: int,
) -> Shorts:  # fmt: skip
    """(boards, 1326) the buckets of a round by its histograms, from weak to strong; `values`: what
    the signals of the round are worth."""
    free = place >= 0
    heavy = np.broadcast_to(board_sets(public).weight[:, None], free.shape)[free].astype(float)
    mass: Any = np.bincount(place[free], heavy)
    worth = np.bincount(place[free], heavy * values[signal[free]]) / mass
    label = np.zeros(free.shape, np.uint16)
    label[free] = _labels(how, points, mass, worth, count)[place[free]]
    return label


def _labels(
    how: Clustering, points: FloatArray, mass: FloatArray, worth: FloatArray, count: int
) -> NDArray[np.int64]:
    """(n,) buckets of points, from weak to strong."""
    if how.distance == "emd":  # the buckets of the next round go from weak to strong
        points = running_sums(points, np.arange(points.shape[1], dtype=np.float64))
    some, heavy = np.arange(len(points)), mass
    if len(points) > MANY:
        evenly = (np.arange(MANY) + 0.5) / MANY * mass.sum()
        some, times = np.unique(np.searchsorted(np.cumsum(mass), evenly), return_counts=True)
        heavy = times.astype(np.float64)
    way: Any = how.ways(points[some], heavy, count)
    label = way.labels(len(way.errors))
    if len(some) < len(points):
        label = np.unique(way.nearest(points, len(way.errors)), return_inverse=True)[1]
    mean = np.bincount(label, mass * worth) / np.bincount(label, mass)
    return np.asarray(np.argsort(np.argsort(mean))[label])


def _between(label: NDArray[np.integer[Any]], before: int) -> Cuts:
    """Cuts that leave labels as they are, whatever was before."""
    steps = np.arange(1, int(label.max()) + 1)
    return Cuts(np.zeros(before, np.int64), np.tile(steps, (before, 1)).astype(np.int64))


def _forget(cut: Cuts, before: int) -> Cuts:
    """The cuts of the first row after any of so many buckets."""
    return Cuts(np.repeat(cut.first[:1], before), np.repeat(cut.cuts[:1], before, axis=0))


@kernel
def _look(
    low: int, high: int, boards: Longs, after: Longs, table: Shorts, cards: Cards, cut: Cuts,
    power: NDArray[np.uint64], keys: NDArray[np.uint64], place: NDArray[np.int64], rows: FloatArray,
) -> None:  # fmt: skip
    """Look at every next card of every hand on boards low .. high: keys gets the power of its
    bucket, and the row of the hand (if it has a place) counts it."""
    masks = np.empty(4, np.int64)
    for board in range(low, high):
        unpack(boards[board], masks)
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            at, renaming = find(after, masks)
            masks[suit] ^= bit
            for pair in range(PAIRS):
                one, two = cards.pairs[pair, 0], cards.pairs[pair, 1]
                if one == card or two == card:
                    continue
                if masks[one & 3] >> (one >> 2) & 1 or masks[two & 3] >> (two >> 2) & 1:
                    continue
                bucket = bucket_after(cut, 0, table[at, cards.moved[renaming, pair]])
                keys[board, pair] += power[bucket]
                if place[board, pair] >= 0:
                    rows[place[board, pair], bucket] += 1.0
