"""GS1 and GS2 of Sandholm's talk on Rhode Island: a game solved in phases, the second in real time.

    rollout        phase one (two rounds) as if everybody checked and called after it, and does so
    statistics     phase one with the betting of another strategy after it, and that betting
    GS1's way      rollout, then the last round solved at every public state with Bayes' beliefs
    no overlap     statistics, then the last round likewise
    GS2's way      statistics, then the last two rounds likewise: the phases overlap
    as a whole     the equilibrium

Beside them: the equilibrium of an abstraction with its last round solved again, unsafe and safe.

The talk's programs played Texas Hold'em with abstractions of their own. Here nothing but the
phases is approximate, and everything is exact: exploitability, and winnings of each from each.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workbench.lab.ledger.papers.rhode_island import MSB, won

from workbench.evaluation.values import exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.poker.search.phases import first_phase
from workbench.poker.search.resolving import resolve_all
from workbench.runs.solve import solve

BUCKETS = (13, 50, 250)
STEPS = {
    "as a whole": 150, "statistics of": 100, "phase one": 500, "phase two": 100, "blueprint": 300,
    "solved again": 200,
}  # fmt: skip
AGAIN = "the last round of a blueprint solved again"
NO_SURPRISE = "a lead smaller than its own exploitability says little"


class Phases:
    """The six strategies, made once."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort
        self.rules: Any = load_game("rhode_island")

    @cached_property
    def cut(self) -> Any:
        return cluster_hands(self.rules, BUCKETS, metric="ehs2")

    def solved(self, step: str, **how: Any) -> Any:
        """A strategy of the whole game, after as many iterations as this step has."""
        many = STEPS[step]
        run = solve(
            self.rules, "cfr+", many, checkpoints=many, store=self.effort.store,
            progress=self.effort.progress, **how,
        )  # fmt: skip
        return run.strategy

    @cached_property
    def whole(self) -> Any:
        return self.solved("as a whole")

    @cached_property
    def field(self) -> dict[str, Any]:
        self.effort.full_only("solving takes minutes")
        rules, bar = self.rules, self.effort.progress
        other = self.solved("statistics of", abstraction=self.cut)
        made: dict[str, Any] = {
            "as a whole": self.whole,
            "rollout": first_phase(rules, iterations=STEPS["phase one"], progress=bar),
            "statistics": first_phase(
                rules, leaves=other, iterations=STEPS["phase one"], progress=bar
            ),
        }
        for name, first, rounds in (
            ("GS1's way", "rollout", 1), ("no overlap", "statistics", 1),
            ("GS2's way", "statistics", 2),
        ):  # fmt: skip
            made[name] = resolve_all(
                made[first], rounds=rounds, safe=False, iterations=STEPS["phase two"], progress=bar
            )
        return made

    @cached_property
    def left(self) -> dict[str, float]:
        """How exploitable each is, in thousandths of a small bet."""
        return {name: MSB * exploitability(one) for name, one in self.field.items()}

    def wins(self, one: str, two: str) -> float:
        """What the first wins from the second, seats averaged."""
        return float(won(self.field[one], self.field[two]))

    @cached_property
    def again(self) -> dict[str, dict[str, float]]:
        """A blueprint, and with its last round solved again at every public state."""
        blueprint = self.solved("blueprint", abstraction=self.cut)
        made = {"blueprint": blueprint}
        for name, safe in (("unsafe", False), ("safe", True)):
            made[name] = resolve_all(
                blueprint, safe=safe, iterations=STEPS["solved again"],
                progress=self.effort.progress,
            )  # fmt: skip
        return {
            name: {
                "exploitability": round(MSB * exploitability(one), 2),
                "won from the blueprint": round(won(one, blueprint), 2),
                "won from the equilibrium": round(won(one, self.whole), 2),
            }
            for name, one in made.items()
        }

    def meeting(self, one: str, two: str) -> Ours:
        """A claim that the first wins from the second."""
        won = self.wins(one, two)
        note = f"head to head; {NO_SURPRISE}" if one == "as a whole" else "head to head"
        return Ours(won, holds=won > 0, note=note, facts=self.exploited(one, two))

    def safer(self, one: str, two: str) -> Ours:
        """A claim that the first is less exploitable than the second."""
        less = self.left[two] - self.left[one]
        facts = {**self.exploited(one, two), "won head to head": self.wins(one, two)}
        return Ours(less, holds=less > 0, note="by how much less exploitable", facts=facts)

    def exploited(self, *names: str) -> dict[str, float]:
        return {f"{name}, exploitability": self.left[name] for name in names}

    @property
    def settings(self) -> dict[str, Any]:
        measured = {} if self.effort.quick else {
            "exploitability, thousandths of a small bet": {
                name: round(left, 2) for name, left in self.left.items()
            },
            "won from the equilibrium": {
                name: round(self.wins(name, "as a whole"), 2) for name in self.field
            },
            AGAIN: self.again,
        }  # fmt: skip
        return {
            "game": self.rules.name, "solver": "cfr+", "iterations": STEPS,
            "statistics of the equilibrium with so many buckets (E[HS²])": BUCKETS,
            **measured, **NO_SEEDS,
        }  # fmt: skip


ENTRIES = {
    "sandholm-2009-phases": Entry(
        """Sandholm (2009), GS1 and GS2: two phases, the second in real time; on Rhode Island.

        How: phase one is the first two rounds; phase two is solved without abstraction, with
        beliefs by Bayes' rule, at every public state, so that each way to play is one strategy of
        the whole game. The talk measured matches of Texas Hold'em (GS2 won 0.031 small bets a hand
        from GS1); here a claim is true or false of exact numbers on a smaller game, in thousandths
        of a small bet. Nobody in the talk could measure exploitability.
        """,
        Phases,
        {
            "GS2 wins from GS1": (Phases.meeting, "GS2's way", "GS1's way"),
            "statistics win from rollout": (Phases.meeting, "no overlap", "GS1's way"),
            "statistics are less exploitable than rollout": (
                Phases.safer, "no overlap", "GS1's way",
            ),
            "overlapping phases are less exploitable": (Phases.safer, "GS2's way", "no overlap"),
            "solved as a whole wins from GS1": (Phases.meeting, "as a whole", "GS1's way"),
            "solved as a whole wins from GS2": (Phases.meeting, "as a whole", "GS2's way"),
        },
        scale="Rhode Island Hold'em without abstraction; the talk's programs played Texas Hold'em",
    )
}  # fmt: skip
