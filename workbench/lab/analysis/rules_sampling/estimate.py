"""At least how exploitable is a policy of a game that nobody can walk through?

Responses are trained against it, and play against it on fresh deals:

    wb.judge.estimate_exploitability(rules, policy, iterations=2_000, deals=1_500).low
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from workbench.abstraction.abstraction import Rule
from workbench.evaluation.intervals import margins
from workbench.evaluation.matches import played_scores
from workbench.lab.analysis.rules_sampling.policy import Stopped
from workbench.lab.analysis.rules_sampling.run import sample_rules
from workbench.policies import as_policy
from workbench.rules import Rules, need_rules
from workbench.settings import need_whole


@dataclass(frozen=True)
class Estimate:
    """A sampled lower bound on exploitability: the mean over players of what they gained."""

    value: float
    low: float  # of the 95 % interval of what these responses gain; nan if all deals are alike
    high: float
    gains: tuple[float, ...]  # by player
    infosets: tuple[int, ...]  # reached while training each player's response
    iterations: tuple[int, ...]  # of that training; fewer than asked for if memory was full
    stopped: Stopped  # "memory" if it was for one of them, else "iterations"


def estimate_exploitability(
    rules: Rules,
    policy: Any,
    *,
    iterations: int = 1000,
    deals: int = 1000,
    seed: int = 0,
    memory: int = 2_000_000_000,
    abstraction: Rule | str | None = None,
) -> Estimate:
    """At least how much can be won against a policy, as far as some training shows.

    For each player a response is trained against the policy, which stays as it is, for so many
    iterations. Then the response takes her seat for some fresh deals, and what she wins more than
    the policy itself, on the same deals, is her gain. The best response gains at least as much in
    expectation: this estimates a lower bound, and it can be far below `wb.exploitability`.
    """
    need_rules(rules)
    need_whole("iterations", iterations)
    need_whole("memory", memory, 0)
    need_whole("deals", deals, 2)
    fixed = as_policy(policy)
    seats = [fixed] * rules.players
    usual = played_scores(rules, seats, deals=deals, seed=seed)
    gains, errors, infosets, done = [], [], [], []
    for player in range(rules.players):
        trained = sample_rules(
            rules, iterations, seed=seed, memory=memory, abstraction=abstraction,
            against=(player, fixed),
        )  # fmt: skip
        if trained.stopped == "interrupted":  # half a judgement is none
            raise KeyboardInterrupt
        seats[player] = trained.response(fixed)
        gain = (played_scores(rules, seats, deals=deals, seed=seed) - usual)[:, player]
        seats[player] = fixed
        gains.append(float(gain.mean()))
        errors.append(float(margins(gain[:, None])[0]))
        infosets.append(trained.infosets)
        done.append(trained.iterations)
    value = sum(gains) / rules.players
    known = [error for error in errors if not math.isnan(error)]  # a response may never deviate
    margin = math.hypot(*known) / rules.players if known else math.nan
    stopped: Stopped = "iterations" if min(done) == iterations else "memory"
    low, high = value - margin, value + margin
    return Estimate(value, low, high, tuple(gains), tuple(infosets), tuple(done), stopped)
