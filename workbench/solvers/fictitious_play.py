r"""Fictitious play: answer the average of all that the other has done (Brown 1951; Robinson 1951).

Everyday example: you always play the best reply to the habits that you have seen so far, and so
does your opponent. In rock, paper, scissors both run in ever longer laps, and the averages settle.

    x̄_i ← x̄_i + (plan of a best response of i to the averages of the others)

In zero-sum games for two the averages come to an equilibrium. How fast is an old question: Karlin
guessed 1/√t, and Daskalakis and Pan (2014) refuted it for replies that break ties badly. The mean
of *plans* is what counts; a mean of probabilities would be another strategy (lecture 02).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from workbench.kernels import kernel
from workbench.solvers.smoothing import FirstOrder, loop, respond, towards
from workbench.tree import FloatArray


@dataclass(frozen=True, kw_only=True)
class FictitiousPlay(FirstOrder):
    """Fictitious play: everybody answers the others' averages as well as possible."""

    name: ClassVar[str] = "fictitious-play"
    remembers: ClassVar[int] = 1
    leaves_room: ClassVar[bool] = True
    zero_sum: ClassVar[bool] = False

    alternating: Annotated[bool, "a player answers averages that have just been renewed"] = True

    def run(
        self, game: Any, done: int, iterations: int, memory: FloatArray, *arrays: FloatArray
    ) -> FloatArray:
        """Memory: of how many plans x is the mean; the first is uniform play, or all that another
        solver found. probs: the latest answers."""
        memory = memory if len(memory) else np.array([max(float(done), 1.0)])
        x, _, probs = arrays
        loop(_run, game)(game, self.alternating, iterations, memory, x, probs)
        return memory


@kernel
def _run(
    game: Any, alternating: bool, iterations: int, memory: FloatArray, x: FloatArray,
    probs: FloatArray,
) -> None:  # fmt: skip
    players = game.spread.shape[1]
    for _ in range(iterations):
        memory[0] += 1.0
        for i in range(players):
            respond(game, i, 0.0, None, x, probs)
            if alternating:
                towards(game, i, 1.0 / memory[0], x, probs, x)
        if not alternating:
            for i in range(players):
                towards(game, i, 1.0 / memory[0], x, probs, x)
