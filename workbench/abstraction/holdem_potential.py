"""Potential-aware buckets of Hold'em: hands compared by where the next card may lead them.

Everyday example: two hands win half of the time. One is a small pair that stays what it is; the
other is a flush draw, worthless or great after the next card. Their strength is the same, their
histograms over the buckets of the next round are not (GS3, Gilpin, Sandholm & Sørensen 2007).

Bottom up, as in smaller games (`hand_clustering.py`), where the points fit into memory: 169 hands
before the flop and two million on flops (160 MB with ten buckets on the turn). The turn has 18
million, so it is cut by E[HS], as the river is. Rounds before are forgotten (imperfect recall).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.abstraction.holdem_clustering import cluster_holdem
from workbench.abstraction.point_clusters import running_sums
from workbench.kernels import kernel
from workbench.poker.board_sets import CARDS, PAIRS, board_sets, find, unpack, unpacked
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.holdem_signals import Cards, Cuts, bucket_after, signals
from workbench.poker.threads import in_pieces
from workbench.tree import FloatArray

if TYPE_CHECKING:
    from workbench.abstraction.hand_clustering import Clustering


def cluster_potential(rules: Any, wanted: tuple[int, ...], how: Clustering) -> HoldemBuckets:
    """As many buckets in each round as wanted, from the last round to the first."""
    key = f"{rules.name} {wanted} potential {how}, form 1"
    kept = disk_cache.load("holdem buckets", key)
    if kept is not None:
        return HoldemBuckets.restored(rules, kept)
    later = cluster_holdem(rules, wanted, "ehs", how, False)
    cards, weight = signals("ehs").cards, board_sets(3).weight.astype(np.float64)
    taken = np.array([unpacked(code) for code in cards.flops.tolist()])
    taken = taken[:, np.arange(52) & 3] >> (np.arange(52) >> 2) & 1
    free = ~taken[:, CARDS].any(axis=2)  # (1755, 1326)
    points = np.zeros((*free.shape, wanted[2]))
    for _ in in_pieces(_histograms, len(free), 20, cards, later.cuts[2], points):
        pass
    heavy = np.broadcast_to(weight[:, None], free.shape)[free]
    flop = np.zeros(free.shape, np.uint16)
    strength = signals("ehs").values[1][cards.flop[free]]
    flop[free] = _labels(how, points[free] / 47, heavy, strength, wanted[1])
    lead = np.zeros((PAIRS, int(flop.max()) + 1))
    for bucket in range(lead.shape[1]):
        lead[:, bucket] = weight @ (free & (flop == bucket))
    lead /= lead.sum(axis=1, keepdims=True)
    strength = signals("ehs").values[0][cards.preflop]
    first = _labels(how, lead, np.ones(PAIRS), strength, wanted[0])
    cuts = [_between(first, 1), _between(flop[free], int(first.max()) + 1)]
    found = later.cuts[2]
    again = Cuts(
        np.repeat(found.first[:1], int(flop.max()) + 1),
        np.repeat(found.cuts[:1], int(flop.max()) + 1, axis=0),
    )
    labels = {0: first.astype(np.uint16), 1: flop}
    made = HoldemBuckets(rules, [*cuts, again, later.cuts[3]], "ehs", labels=labels)
    disk_cache.save("holdem buckets", key, made.saved())
    return made


def _labels(
    how: Clustering, points: FloatArray, weights: FloatArray, strength: FloatArray, count: int
) -> NDArray[np.int64]:
    """(n,) buckets of points, from weak to strong."""
    if how.distance == "emd":  # the buckets of the next round go from weak to strong
        points = running_sums(points, np.arange(points.shape[1], dtype=np.float64))
    way = how.ways(points, weights, count)
    label = way.labels(len(way.errors))
    mass = np.bincount(label, weights)
    mean = np.bincount(label, weights * strength) / mass
    return np.asarray(np.argsort(np.argsort(mean))[label])


def _between(label: NDArray[np.integer[Any]], before: int) -> Cuts:
    """Cuts that leave labels as they are, whatever was before."""
    steps = np.arange(1, int(label.max()) + 1)
    return Cuts(np.zeros(before, np.int64), np.tile(steps, (before, 1)).astype(np.int64))


@kernel
def _histograms(low: int, high: int, cards: Cards, cut: Cuts, out: FloatArray) -> None:
    """out: (1755, 1326, buckets) in how many of 47 turns a hand is in each bucket."""
    masks = np.empty(4, np.int64)
    for board in range(low, high):
        unpack(cards.flops[board], masks)
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            turn, renaming = find(cards.turns, masks)
            masks[suit] ^= bit
            for pair in range(PAIRS):
                one, two = cards.pairs[pair, 0], cards.pairs[pair, 1]
                if one != card and two != card:
                    signal = cards.turn[turn, cards.moved[renaming, pair]]
                    out[board, pair, bucket_after(cut, 0, signal)] += 1.0
