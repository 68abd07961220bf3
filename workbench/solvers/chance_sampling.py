"""Chance sampling: one deal at a time, and everything the players can do with it.

Play tonight's cards only, but think through every bet and every reply. (So Zinkevich et al. 2007
solved poker; the name is Lanctot et al.'s, 2009)

In iteration t each player i in turn takes one walk from the root:

    chance's node       deal one outcome, at each node anew
    a player's node     walk on below every choice, which gives values v(a); v = Σ_a σ(a) v(a)
    and if it is i's    R(I, a) ← R(I, a) + w_t · π_o · (v(a) − v)
                        S(I, a) ← S(I, a) + w_t · π_i · σ(a)

where π_i is the probability that i's own moves lead here and π_o that the other players' do. After
the walk σ_i is matched to R wherever it has been. A walk comes to a history with chance's
probability, so the regrets are right on average, and so is the average strategy, for any number
of players. Where both π_i and π_o are 0 there is nothing to learn, and the walk turns back.
w_t is t, so that early mistakes are forgotten, or always 1 with `linear=False`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from workbench.solvers.external_sampling import run
from workbench.solvers.sampling import Sampler, Table
from workbench.solvers.sampling_tree import Walks


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(Sampler):
    """Chance-sampled CFR; `linear`: iteration t counts t times."""

    name: ClassVar[str] = "chance-sampling"

    linear: Annotated[bool, "iteration t counts t times; False is the textbook's average"] = True

    def run(self, nodes: Walks, done: int, iterations: int, table: Table) -> None:
        own, others = np.empty((2, nodes.depth + 1))
        run(done, iterations, self.linear, own, others, None, nodes, table)
