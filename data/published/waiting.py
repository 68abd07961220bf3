"""A small stochastic game on which the first algorithm converges to no equilibrium.

Everyday example: three guests wait for one of them to pay the bill and end the evening. Whoever
stops ends it, and everybody gets 1. As long as all wait, nothing happens and the evening goes on.

    one state        stop: everybody gets 1, the game is over
                     all wait: nothing is paid, the same state comes again

Waiting for ever pays 0, so in an equilibrium somebody stops. But if everybody *believes* that the
evening is worth 2, waiting looks better than stopping, the belief is confirmed by itself round
after round (2 = 0 + 2), and "vi-fp" has converged to waiting for ever. "pi-fp" asks what a player
would really get: the minimal solution of v = v is 0, so stopping is better.

>>> worked_example("vi-fp", start=2.0)[["believed", "stops", "real", "gain"]].iloc[-1].tolist()
[2.0, 0.0, 0.0, 1.0]
>>> worked_example("pi-fp", start=2.0)[["believed", "stops", "real", "gain"]].iloc[-1].tolist()
[1.0, 1.0, 1.0, 0.0]

A belief that is too low does no harm: from 0 both find the equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from workbench.jamfold.solving import policy_value
from workbench.later import pd
from workbench.settings import Between, check, need_number, need_one_of, need_whole

COLUMNS = ("round", "believed", "wait", "stop", "stops", "real", "best", "gain")


@dataclass(frozen=True)
class Waiting:
    """`players` wait; whoever stops ends the game, and everybody gets 1."""

    players: Annotated[int, Between(1, 1000)] = 3

    def __post_init__(self) -> None:
        check(self, "waiting")

    def play(self, worth: float, stops: float, iterations: int = 100) -> float:
        """Fictitious play in the one state, if it is worth so much to go on: how often each stops.

        All players are alike, so one probability says it all; where both actions are equally
        good, a player keeps to what she did."""
        for t in range(iterations):
            answer = self._better(self._wait(worth, stops), stops)
            stops += (answer - stops) / (t + 1)
        return stops

    def real(self, mine: float, others: float) -> float:
        """What a player gets who stops with probability `mine`, the others with theirs."""
        on = (1.0 - others) ** (self.players - 1) * (1.0 - mine)  # all wait
        return float(policy_value(np.array([[on]]), np.array([1.0 - on]))[0])

    def best(self, stops: float) -> tuple[float, float]:
        """Policy iteration from the player's own strategy: how often to stop, and its worth."""
        mine, worth = stops, self.real(stops, stops)
        while (better := self._better(self._wait(worth, stops), mine)) != mine:
            mine, worth = better, self.real(better, stops)
        return mine, worth

    def _wait(self, worth: float, others: float) -> float:
        """What waiting once more is worth."""
        on = (1.0 - others) ** (self.players - 1)
        return on * worth + (1.0 - on)

    def _better(self, wait: float, before: float) -> float:
        return before if wait == 1.0 else float(wait < 1.0)


def worked_example(method: str = "vi-fp", start: float = 2.0, rounds: int = 5) -> pd.DataFrame:
    """Round by round: the value believed in, what waiting and stopping seem worth, how often all
    stop then, what that really pays, what the best policy would pay, and the gain."""
    need_one_of("method", method, ("vi-fp", "pi-fp"))
    game, worth, stops = Waiting(), need_number("start", start), 0.0
    rows = []
    for k in range(need_whole("rounds", rounds)):
        wait = game._wait(worth, stops)
        stops = game.play(worth, stops)
        real = game.real(stops, stops)
        mine, best = game.best(stops)
        rows.append((k + 1, worth, wait, 1.0, stops, real, best, best - real))
        if method == "pi-fp":
            worth, stops = best, mine
        else:  # one step further: all wait and it goes on, or somebody stops
            worth = 1.0 + (1 - stops) ** game.players * (worth - 1.0)
    return pd.DataFrame(rows, columns=list(COLUMNS))
