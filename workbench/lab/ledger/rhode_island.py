"""Rhode Island Hold'em in Sandholm's talk: what GameShrink does, and which buckets win.

Three ways to put hands into buckets, by the names of the talk:

    EB     expectation-based: E[HS]          EB²    E[HS²]          PA     potential-aware

Each abstract game is solved, and its strategy is judged in the real game: exact exploitability, and
exact winnings of each against each. Numbers are in thousandths of the small bet of 10 chips.
"""

from __future__ import annotations

from functools import cached_property
from time import process_time
from typing import Any

from workbench.abstraction.gameshrink import gameshrink, shrink
from workbench.abstraction.hand_clustering import cluster_hands
from workbench.abstraction.hand_signals import real_signals
from workbench.evaluation.best_response import exploitability
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.buckets import HandBuckets
from workbench.poker.public_tables import lp_rows, num_histories
from workbench.runs.solve import solve

MSB = 100.0  # thousandths of a small bet in a chip
ITERATIONS = 250
LONG = "solving takes minutes"
METRICS = {"EB": "ehs", "EB²": "ehs2", "PA": "potential"}
BUCKETS = ((13, 25, 125), (13, 50, 250), (13, 75, 500), (13, 100, 750), (13, 205, 1774))
ROWS = tuple("-".join(map(str, counts)) for counts in BUCKETS)
PAIRS = (("EB", "EB²"), ("EB", "PA"), ("EB²", "PA"))


class RhodeIsland:
    """Strategies of abstractions of the game, each solved once."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.rules: Any = load_game("rhode_island")
        self.solved: dict[str, Any] = {}  # name -> strategy
        self.found: dict[str, dict[str, float]] = {}  # name -> what is left to gain, in msb

    def strategy(self, name: str, buckets: HandBuckets) -> Any:
        """What the abstract game's solution plays in the real game."""
        self.effort.full_only(LONG)
        if name not in self.solved:
            run = solve(
                self.rules, "cfr+", ITERATIONS, abstraction=buckets, checkpoints=ITERATIONS,
                progress=self.effort.progress, store=self.effort.store,
            )  # fmt: skip
            last = run.trace.iloc[-1]
            self.solved[name] = run.strategy
            self.found[name] = {
                "real game": round(MSB * float(last.exploitability), 2),
                "abstract game": round(MSB * float(last.abstract_exploitability), 2),
            }
        return self.solved[name]

    def bucketed(self, row: str, metric: str) -> Any:
        """The strategy with so many buckets by this metric."""
        self.effort.full_only(LONG)
        counts = BUCKETS[ROWS.index(row)]
        buckets = cluster_hands(self.rules, counts, metric=METRICS[metric])  # type: ignore[arg-type]
        return self.strategy(f"{metric} {row}", buckets)

    def wins(self, row: str, one: str, two: str) -> float:
        """What the first wins from the second, seats averaged."""
        both = [self.bucketed(row, metric) for metric in (one, two)]
        first, second = expected_values(both)[0], expected_values(both[::-1])[1]
        return MSB * float(first + second) / 2

    def left(self, row: str, metric: str) -> float:
        """How exploitable a strategy is in the real game."""
        return MSB * exploitability(self.bucketed(row, metric))

    @cached_property
    def seconds(self) -> list[float]:
        """CPU seconds of GameShrink on the tree of real cards, about whose suits it knows nothing,
        building the tree included."""
        taken = []
        for _ in range(3):
            start = process_time()
            shrink(real_signals(self.rules))
            taken.append(process_time() - start)
        return taken

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "game": self.rules.name,
            "solver": "cfr+",
            "iterations": ITERATIONS,
            "exploitability, thousandths of a small bet": self.found,
            **NO_SEEDS,
        }


def _seconds(work: RhodeIsland) -> Ours:
    taken = work.seconds
    best = min(taken)
    return Ours(
        best, best, max(taken), holds=best <= 1, over="best and worst of three runs",
        note="CPU time on 6,632,705 nodes of the signal tree of real cards",
    )  # fmt: skip


def _lossless(work: RhodeIsland) -> Ours:
    left = {}
    for kind in ("published", "refined"):
        buckets = gameshrink(work.rules, lossless=kind)
        left[kind] = MSB * exploitability(work.strategy(f"GameShrink, {kind}", buckets))
    inside = work.found["GameShrink, published"]["abstract game"]
    return Ours(
        left["published"], holds=left["published"] < 2 * inside,
        note="win/loss/draw histograms forget what the opponent knew",
        facts={"left to gain in the abstract game": inside, "refined classes": left["refined"]},
    )  # fmt: skip


GAMESHRINK = Entry(
    """Sandholm (2009), Lossless abstraction: Rhode Island Hold'em before and after GameShrink.

    How: signal classes by hashed signatures; rows of the linear program are a player's information
    sets, the other's sequences, and two. The talk calls the abstraction lossless and its solution
    an exact equilibrium. Solved here by CFR+, it leaves about 70 thousandths of a small bet to be
    won in the real game, far more than in the abstract one: the histograms of wins and losses count
    opponents and forget what these opponents knew. Refined until the opponents' classes are kept
    as well (13 / 325 / 7,969 classes), nothing is lost.
    """,
    RhodeIsland,
    {
        "nodes of the game tree": lambda work: Ours(
            num_histories(work.rules),
            note="every card and every bet counted; the talk does not say what it counts",
        ),
        "rows of the linear program": lambda work: lp_rows(work.rules),
        "rows after GameShrink": lambda work: Ours(
            lp_rows(work.rules, (found := gameshrink(work.rules)).classes),
            facts={f"classes of round {r}": n for r, n in enumerate(found.classes, start=1)},
        ),
        "GameShrink runs in one second": _seconds,
        "GameShrink is lossless": _lossless,
    },
)  # fmt: skip


def _number(work: RhodeIsland, row: str, one: str, two: str) -> Ours:
    return Ours(
        work.wins(row, one, two),
        note="which buckets the talk's row has is lost in our text; an abstract game has many "
        "equilibria, and which is found decides thousandths",
    )


def _coarse(work: RhodeIsland) -> Ours:
    parts = {metric: work.wins(ROWS[0], metric, "PA") for metric in ("EB", "EB²")}
    return Ours.lead(parts, "EB", "opponents")


def _fine(work: RhodeIsland) -> Ours:
    parts = {
        f"{metric} {row}": -work.wins(row, metric, "PA")
        for row in ROWS[1:]
        for metric in ("EB", "EB²")
    }
    return Ours.lead(parts, f"EB {ROWS[-2]}", "opponents")


def _alike(work: RhodeIsland) -> Ours:
    parts = {row: abs(work.wins(row, "EB", "EB²")) for row in ROWS}
    found = Ours.spread(parts, max(parts, key=parts.__getitem__), "bucket counts")
    return Ours(
        found.value, found.low, found.high, parts=parts, over=found.over, holds=found.value <= 0.25
    )


def _never(work: RhodeIsland, metrics: tuple[str, ...], lossless: bool) -> Ours:
    left = {metric: work.left(ROWS[-1], metric) for metric in metrics}
    inside = max(work.found[f"{metric} {ROWS[-1]}"]["abstract game"] for metric in metrics)
    kept = max(left.values()) < 2 * inside
    least = min(left.values())
    return Ours(
        least, least, max(left.values()), parts=left, over=f"range over {len(left)} metrics",
        holds=kept == lossless, facts={"left to gain in the abstract game": inside},
    )  # fmt: skip


ABSTRACTIONS = Entry(
    """Sandholm (2009), Potential-aware vs win-probability-based abstraction on Rhode Island.

    How: five bucket counts from coarse to as many as strengths tell apart; hands are clustered by
    k-means, an integer program shares out children (13 buckets in the first round lose nothing);
    CFR+ solves each abstract game; strategies meet in the real game, exactly, seats averaged.
    The talk's table has lost its row names in our text, and its unit: as small bets per hand its
    numbers would exceed what a hand can lose, so they are read as thousandths. An abstract game
    has many equilibria, and which one is found decides thousandths: signs and orderings are what
    can be compared.
    """,
    RhodeIsland,
    {
        **{
            f"row {r}, {one} against {two}": (_number, row, one, two)
            for r, row in enumerate(ROWS, start=1)
            for one, two in PAIRS
        },
        "potential-aware loses when coarse": _coarse,
        "potential-aware wins when finer": _fine,
        "EB and EB² are nearly alike": _alike,
        "win-probability-based is never lossless": (_never, ("EB", "EB²"), False),
        "potential-aware becomes lossless": (_never, ("PA",), True),
    },
)

ENTRIES = {
    "sandholm-2009-gameshrink": GAMESHRINK, "sandholm-2009-abstractions": ABSTRACTIONS
}  # fmt: skip
