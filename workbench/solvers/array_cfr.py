"""The CFR family as array operations, for a GPU: `engine="gpu"`.

The passes are those of `sequence_form.py`. Information sets of a player at which she has made as
many decisions before are one *step*: all of them at once. Sets are numbered by player, step and the
choice that leads there, and each has room for as many choices as the widest, so a step is a part of
an array (sets, width) that is not copied, and regret matching is done for all sets of a player.

    gradient   one product of all payoffs, one sparse matrix that adds them up by sequence
    up         from the last step to the first, a sparse matrix takes it to the step before
    down       from the first to the last, x[choices] = x[above] · σ[choices]

Regrets and sums stay on the machine for all iterations of an `advance`. On a GPU with triton a step
of a game for two is one kernel (fused_cfr.py).
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from workbench.arrays import Array, Machine, machine
from workbench.sequence_form import sequence_form
from workbench.solvers.base import State
from workbench.solvers.regret import match_arrays
from workbench.tree import FloatArray, GameTree, kept


class Step(NamedTuple):
    """Sets of a player after equally many decisions of hers."""

    sets: slice
    above: Array  # (m,) the sequences that lead there; None: she has not moved yet
    before: slice  # the sets of the step before, from the player's first on
    sums: Any  # adds what sets are worth to the choices of that step


class ArrayCFR:
    """A tree on a machine."""

    def __init__(self, tree: GameTree, on: Machine, kernels: bool | None = None) -> None:
        form, self.on, self.graphs = sequence_form(tree), on, dict[Any, Any]()
        sizes, k, many = np.diff(tree.first_choice), tree.num_choices, len(form.above)
        self.width, depth = int(sizes.max()), np.zeros(many, int)
        for infoset, above in enumerate(form.above):
            depth[infoset] = depth[form.owner[above]] + 1 if above < k else 0
        player = np.searchsorted(form.first_infoset[1:], np.arange(many), side="right")
        leads = np.zeros(many, int)  # where the choice that leads to a set stands
        for d in range(depth.max(initial=0) + 1):
            order = np.lexsort((leads, depth, player))
            rank, later = np.argsort(order), np.flatnonzero(depth == d + 1)
            place = rank[form.owner] * self.width + np.arange(k) - tree.first_choice[form.owner]
            leads[later] = place[form.above[later]]
        depth = depth[order]
        name = np.concatenate([place, many * self.width + np.arange(tree.num_players)])
        row = np.repeat(np.arange(form.num_sequences), np.diff(form.row).astype(np.int64))
        self.players, self.steps = list[Any](), list[list[Step]]()
        for low, high in pairwise(form.first_infoset):
            first, last = tree.first_choice[[low, high]]
            mine = np.flatnonzero((row >= first) & (row < last))
            mine = mine[np.argsort(name[row[mine]], kind="stable")]
            adds = self._adding(name[row[mine]] - low * self.width, high - low)
            others = [on.put(name[one]) for one in form.others[mine].T]
            hers = slice(int(low), int(high))
            self.players.append((hers, on.put(form.weight[mine]), others, adds))
            steps = np.arange(depth[low:high].max(initial=-1) + 2)
            edges = low + np.searchsorted(depth[low:high], steps)
            self.steps.append(list[Step]())
            for d, (first, last) in enumerate(pairwise(edges)):
                above, sums, was = None, None, slice(0, 0)
                if d:
                    was = slice(int(edges[d - 1] - low), int(first - low))
                    above = name[form.above[order[first:last]]]
                    sums = self._adding(above - edges[d - 1] * self.width, first - edges[d - 1])
                    above = on.put(above)
                self.steps[-1].append(Step(slice(int(first), int(last)), above, was, sums))
        shape, even = (many, self.width), np.zeros((many, self.width))
        even.ravel()[place] = (1 / sizes)[form.owner]
        self.even, self.place = on.put(even), on.put(place)
        self.regret, self.total, self.probs = (on.zeros(shape) for _ in range(3))
        self.x, self.value = on.put(np.ones(len(name) + even.size - k)), on.zeros((many,))
        self.schedule = on.put(np.ones(3))
        self.passes: Any = self
        if kernels is None:
            kernels = on.gpu and tree.num_players == 2 and bool(find_spec("triton"))
        if kernels:
            from workbench.solvers.fused_cfr import FusedPasses

            self.passes = FusedPasses(self)

    def _adding(self, into: Any, sets: int) -> Any:
        """Adds numbers up by the choice that each belongs to, of so many sets."""
        shape = int(sets) * self.width, len(into)
        return self.on.sparse(csr_array((np.ones(len(into)), (into, np.arange(len(into)))), shape))

    def plan(self, sets: slice) -> Array:
        """(m, width) where the realization plan of sets stands."""
        return self.x[sets.start * self.width : sets.stop * self.width].reshape(-1, self.width)

    def down(self, i: int) -> None:
        for sets, above, _, _ in self.steps[i]:
            x = 1.0 if above is None else self.x[above][:, None]
            self.on.xp.multiply(self.probs[sets], x, out=self.plan(sets))

    def learn(self, i: int, predictive: bool) -> None:
        """What every choice of a player is worth, what she learns from it, and how she plays then:
        that changes nobody's values before the next pass down."""
        hers, payoff, others, adds = self.players[i]
        for one in others:
            payoff = payoff * self.x[one]
        g = (adds @ payoff).reshape(-1, self.width)
        for sets, above, before, sums in reversed(self.steps[i]):
            here = g[sets.start - hers.start : sets.stop - hers.start]
            self.value[sets] = (self.probs[sets] * here).sum(1)
            if above is not None:
                worth = g[before]
                worth += (sums @ self.value[sets]).reshape(-1, self.width)
        instant, regret, total = g - self.value[hers][:, None], self.regret[hers], self.total[hers]
        instant *= self.even[hers] > 0.0  # of what only pads, nothing is learnt
        regret += instant
        regret *= self.on.xp.where(regret > 0.0, self.schedule[0], self.schedule[1])
        total += self.schedule[2] * self.plan(hers)
        plan = regret + instant if predictive else regret
        self.probs[hers] = match_arrays(self.on.xp.where, plan, self.even[hers])

    def iterate(self, alternating: bool, predictive: bool) -> None:
        """One iteration, as `solvers/cfr.py` tells it."""
        for i in range(len(self.players)):
            self.passes.learn(i, predictive)
            if alternating:
                self.passes.down(i)
        for i in range(len(self.players)) if not alternating else ():
            self.passes.down(i)

    def run(self, solver: Any, state: State, schedule: FloatArray) -> State:
        """The iterations of a schedule."""
        kept = self.regret, self.probs, self.total
        for one, given in zip(kept, (state.regret, state.probs, state.strategy_sum), strict=True):
            one.reshape(-1)[self.place] = self.on.put(given)
        for i in range(len(self.players)):
            self.down(i)
        how = solver.alternating, solver.predictive
        if how not in self.graphs:
            changed = [*kept, self.x, self.value]
            self.graphs[how] = self.on.repeated(lambda: self.iterate(*how), changed)
        for row in self.on.put(schedule):
            self.schedule[:] = row
            self.graphs[how]()
        regret, probs, total = found = np.empty((3, len(state.regret)))
        for one, into in zip(kept, found, strict=True):
            self.on.read(one.reshape(-1)[self.place], into)
        done = state.iteration + len(schedule)
        return State(done, regret, probs, total, state.rng, state.game)


@kept
def array_cfr(tree: GameTree) -> ArrayCFR:
    """Made once for a tree."""
    return ArrayCFR(tree, machine())
