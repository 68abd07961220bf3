"""Clustering the hands of Hold'em: cuts between strengths, found on counts instead of hands.

Two billion hands on river boards are too many to sort, but they show only 1,950 different strengths
of the 1,981 that 990 opponents allow. So for each bucket of the round before, hands are counted by
their signal (`workbench.poker.strength.holdem_signals`), and the counts are cut: into equal shares
(percentile), or with the least error (k-means), by the same code as in smaller games. All boards
are counted in every order, so nothing is sampled.

With perfect recall each bucket before has cuts of its own; with imperfect recall all have the same.
169 buckets before the flop are every class by itself.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from workbench import disk_cache
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets, as_cuts, count_signals
from workbench.poker.buckets.round_clustering import Clustering
from workbench.poker.strength.holdem_signals import Cuts, signals
from workbench.tree import FloatArray

CLASSES = (169, 1_286_792, 13_960_050, 123_156_254)  # hands on boards, up to suits
DECIDED_BY = (  # these sources; how strong hands are is a fact
    "poker/buckets/hand_clustering", "poker/buckets/holdem_buckets",
    "poker/buckets/holdem_clustering", "poker/buckets/holdem_potential",
    "poker/buckets/line_clusters", "poker/buckets/point_clusters", "poker/buckets/round_clustering",
    "poker/strength/holdem_signals",
)  # fmt: skip
SEEN = (169, 1_286_792, 55_190_538, 2_428_287_420)  # the same, with the order of the rounds
STRENGTHS = {  # different signals in each round; on the river, different strengths
    "ehs": (169, 28_434, 42_487, 1_950),
    "ehs2": (169, 57_713, 42_378, 1_950),
    "potential": (*CLASSES[:3], 1_950),  # histograms, and E[HS] on the river
}


def cluster_holdem(
    rules: Any, wanted: tuple[int, ...], metric: str, how: Clustering, perfect: bool
) -> HoldemBuckets:
    """As many buckets in each round as wanted, from the first round to the last."""
    key = f"{rules.name} {wanted} {metric} {how} {perfect} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("holdem buckets", key, prepared=True)
    if kept is not None:
        return HoldemBuckets.restored(rules, kept)
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
    made = HoldemBuckets(rules, cuts, metric)
    disk_cache.save("holdem buckets", key, made.saved())
    return made


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
