"""A player who learns against opponents who make mistakes: what it wins, and what it risks.

Leduc poker by rank. Everybody meets the same learner: `Adaptive` with counts that begin with an
equilibrium (a weight of two decisions), a safe answer, and a budget. Each deal is played in both
seats. What a strategy of the learner wins and risks is computed exactly; what a match brings is
also measured, with a 95 % margin.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from statistics import fmean
from typing import Any

from workbench.lab.lectures.learning_match import learning_match, match_score, worst_opponent

from workbench.compiling import compile_game
from workbench.evaluation.tournament import tournament
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.later import pd
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Counts
from workbench.runs.solve import solve
from workbench.strategy import Strategy

BUDGET, ACCOUNT = 0.1, 1.0  # chips: for each hand; for a whole match with gifts
ROUNDING = 1e-6
ITERATIONS = 3_000
WORST = "worst"


def caller(player: int, seen: Any, actions: Any) -> Any:
    """Never folds, never raises."""
    return "c"


def maniac(player: int, seen: Any, actions: Any) -> Any:
    """Raises whenever it is possible."""
    return "r" if "r" in actions else "c"


def rock(player: int, seen: Any, actions: Any) -> Any:
    """Raises with a King or a pair, and otherwise folds to any bet."""
    wish = "r" if seen[0] in ("K", seen[1]) else "f"
    return wish if wish in actions else "c"


def loose(player: int, seen: Any, actions: Any) -> Any:
    """Loose and passive: calls nine times in ten, whatever the cards are."""
    other = "f" if "f" in actions else "r"
    return {"c": 0.9, other: 0.1}


HABITS: dict[str, Callable[[int, Any, Any], Any]] = {
    "caller": caller, "maniac": maniac, "rock": rock, "loose and passive": loose,
}  # fmt: skip


class Matches:
    """All matches, each played when somebody asks for it."""

    def __init__(self, effort: Effort) -> None:
        self.deals, self.seeds = effort.pick(2_500, 250), range(effort.pick(3, 1))
        self.tree = compile_game(load_game("leduc", suit_isomorphism=True))
        self.settings = {
            "game": self.tree.name,
            "hands": 2 * self.deals,
            "seeds": f"0 to {len(self.seeds) - 1}",
            "budget": f"{BUDGET} chips for each hand; with gifts {ACCOUNT} for all",
            "equilibrium and JQ.K": f"cfr+, {ITERATIONS} iterations",
        }

    @cached_property
    def equilibrium(self) -> Strategy:
        return solve(self.tree, "cfr+", ITERATIONS).strategy

    @cached_property
    def weak(self) -> dict[str, Strategy]:
        habits = {name: Strategy.from_function(self.tree, of) for name, of in HABITS.items()}
        coarse = solve(self.tree, "cfr+", ITERATIONS, abstraction="JQ.K").strategy
        return {**habits, "JQ.K": coarse}

    def play(self, opponent: Any, **how: Any) -> list[pd.DataFrame]:
        """A match for each seed."""
        return [
            learning_match(
                Adaptive(self.tree, Counts(self.equilibrium), **how), opponent,
                deals=self.deals, seed=seed,
            )
            for seed in self.seeds
        ]  # fmt: skip

    @cached_property
    def played(self) -> dict[str, list[pd.DataFrame]]:
        others = {**self.weak, "equilibrium": self.equilibrium, WORST: worst_opponent}
        return {name: self.play(other, budget=BUDGET) for name, other in others.items()}

    def expected(self, name: str) -> float:
        """What the learner's strategies were worth, in chips per hand."""
        return fmean(float(each["expected"].mean()) for each in self.played[name])


def _wins(work: Matches) -> Ours:
    """How much more than an equilibrium it wins, on average over the whole match."""
    plain = {
        name: float(tournament({"a": work.equilibrium, "b": other}).to_numpy()[0, 1])
        for name, other in work.weak.items()
    }
    lead = {name: work.expected(name) - won for name, won in plain.items()}
    first = {name: match_score(work.played[name][0]) for name in work.weak}
    facts = {
        "an equilibrium wins": {name: round(won, 3) for name, won in plain.items()},
        "the learner is worth": {name: round(work.expected(name), 3) for name in work.weak},
        "it won, seed 0": {
            name: f"{one['winnings']:.3f} ± {one['margin']:.3f}" for name, one in first.items()
        },
    }
    return Ours.lead(lead, "rock", "opponents", facts=facts)


def _risks(work: Matches) -> Ours:
    """The largest risk of any hand of any match."""
    parts = {
        name: max(float((each["value"] - each["sure"]).max()) for each in matches)
        for name, matches in work.played.items()
    }
    return Ours.spread(
        parts, WORST, "opponents", holds=max(parts.values()) <= BUDGET + ROUNDING,
        facts={"the worst opponent wins in each hand": round(-work.expected(WORST), 6)},
    )  # fmt: skip


def _in_vain(work: Matches) -> Ours:
    """What it loses to an equilibrium by learning what is not there."""
    lost = [-float(each["expected"].mean()) for each in work.played["equilibrium"]]
    return Ours.mean(lost, holds=max(lost) < BUDGET / 10)


def _gifts(work: Matches) -> Ours:
    """What the worst opponent wins in a whole match if risks are paid from gifts."""
    matches = work.play(worst_opponent, budget=ACCOUNT, gifts=True)
    lost = [float((each["value"] - each["expected"]).sum()) for each in matches]
    plain = [float((each["value"] - each["expected"]).sum()) for each in work.played[WORST]]
    return Ours.mean(
        lost, holds=max(lost) <= ACCOUNT + ROUNDING,
        facts={"with a budget for each hand": round(fmean(plain), 3)},
    )  # fmt: skip


ENTRIES = {
    "workbench-weak-opponents": Entry(
        """Our findings about a player who learns: it wins from the weak and risks what we allow.

        How: five weak opponents, an equilibrium, and an opponent who is told before each hand what
        the learner plays and answers best. What is won and risked is exact for each strategy that
        the learner plays; the learner sees folded cards of nobody.
        """,
        Matches,
        {
            "a learner wins more than an equilibrium": _wins,
            "a learner never risks more than its budget": _risks,
            "learning costs little against an equilibrium": _in_vain,
            "with gifts the worst opponent wins one chip": _gifts,
        },
    ),
}
