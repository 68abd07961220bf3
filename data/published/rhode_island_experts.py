"""Experts on Rhode Island Hold'em with all 52 cards: whom should an expert's game hold to the base?

Gibson & Szafron (2011) compare S = {i} (only the player who is to use the expert must play the base
on the way to it) with S = N (everybody must) on Leduc, where a tree is walked. Rhode Island has 3.1
billion nodes; here experts that see every hand take over at the first raise of the first round, the
base knows buckets, and an exact best response judges what is stitched.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from workbench.lab.ledger.papers.rhode_island import BUCKETS as CUTS
from workbench.lab.ledger.papers.rhode_island import MSB
from workbench.lab.ledger.papers.rhode_island import ROWS as NAMES

from workbench.evaluation.values import exploitability, seated
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.runs.solve import solve
from workbench.stitching.experts import dynamic_experts, static_experts
from workbench.stitching.partition import betting_experts

BASES = (NAMES[0], NAMES[1], NAMES[3])
PARTS = ("r", "cr")  # the first raise, by either player
KINDS = BASE, DYNAMIC, ALONE, ALL = "base", "dynamic", "S = {i}", "S = N"
STOPS = (100, 250)  # iterations of everything that is solved
LONG = "games of the whole deck are solved, for ten minutes"


class Stitched:
    """What each kind of strategy on each base loses, in thousandths of a small bet."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.rules = effort, load_game("rhode_island")
        self.part: Any = betting_experts(self.rules, PARTS)  # type: ignore[arg-type]
        self.found: dict[str, dict[str, float]] = {}
        self.losses = cache(self._losses)

    def _losses(self, base: str, iterations: int) -> dict[str, float]:
        self.effort.full_only(LONG)
        game: Any = self.rules
        buckets: Any = cluster_hands(self.rules, CUTS[NAMES.index(base)])
        how: Any = {"iterations": iterations, "store": self.effort.store}
        once = {**how, "checkpoints": iterations, "progress": self.effort.progress}
        sigma: Any = solve(self.rules, "cfr+", abstraction=buckets, **once).strategy

        def experts(*players: int) -> Any:
            return static_experts(game, sigma, self.part, players, solver="cfr+", **how)

        made = {
            BASE: sigma,
            DYNAMIC: dynamic_experts(game, buckets, self.part, solver="cfr+", **once).strategy,
            ALONE: seated([experts(0), experts(1)]),
            ALL: experts(0, 1),
        }
        lost = {kind: round(MSB * exploitability(made[kind]), 2) for kind in KINDS}
        self.found[f"{base}, {iterations:,} iterations"] = lost
        return lost

    def lead(self, base: str, better: str, worse: str) -> dict[str, float]:
        """How much less one kind loses than another, by the iterations of all."""
        lost = {f"{stop:,} iterations": self.losses(base, stop) for stop in STOPS}
        return {stop: of[worse] - of[better] for stop, of in lost.items()}

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "game": self.rules.name, "solver": "cfr+", "experts after": ", ".join(PARTS),
            "exploitability, thousandths of a small bet": self.found, **NO_SEEDS,
        }  # fmt: skip


def _better(work: Stitched, base: str, better: str, worse: str) -> Ours:
    last = f"{STOPS[-1]:,} iterations"
    facts = {"left to gain": work.losses(base, STOPS[-1])}
    return Ours.lead(work.lead(base, better, worse), last, "numbers of iterations", facts=facts)


def _finer(work: Stitched) -> Ours:
    """How much of the lead of S = {i} is gone with each finer base."""
    leads = [work.lead(base, ALONE, ALL) for base in BASES]
    falls = {
        f"{finer} instead of {base}, {stop}": one[stop] - two[stop]
        for base, finer, one, two in zip(BASES, BASES[1:], leads, leads[1:], strict=False)
        for stop in one
    }
    return Ours.lead(falls, min(falls, key=falls.__getitem__), "bases and numbers of iterations")


def _all_better(work: Stitched) -> Ours:
    leads = {
        f"{kind} on {base}": work.losses(base, STOPS[-1])[BASE] - work.losses(base, STOPS[-1])[kind]
        for base in BASES
        for kind in KINDS[1:]
    }
    return Ours.lead(leads, min(leads, key=leads.__getitem__), "kinds of experts and bases")


COARSE, _, FINE = BASES

ENTRIES = {
    "workbench-rhode-island-experts": Entry(
        """Our findings about experts on Rhode Island Hold'em: S = {i} against S = N, exactly.

        Gibson & Szafron (2011) compare the two in Leduc and Hold'em; S = N has the smaller games.
        Here the base has 13 buckets in the first round and 25 and 125, 50 and 250, or 100
        and 750 in the others (k-means of E[HS]), experts see every hand from the first raise of
        the first round on, and all that is solved has the same number of CFR+ iterations, 100 or
        250. S = {i} is one strategy for each seat, put together. What the whole strategy loses to a
        best response is exact, in thousandths of the small bet of 10 chips, mean over the seats.
        After longer training the base loses more in the real game; the settings have both.
        """,
        Stitched,
        {
            "experts lose less than their base": _all_better,
            "S = {i} loses less than S = N, coarse base": (_better, COARSE, ALONE, ALL),
            "dynamic experts lose less than S = {i}, coarse base":
                (_better, COARSE, DYNAMIC, ALONE),
            "the finer the base, the smaller the lead of S = {i}": _finer,
            "S = N loses less than S = {i}, fine base": (_better, FINE, ALL, ALONE),
        },
    )
}  # fmt: skip
