"""The CFR family as array operations, for a GPU: `engine="gpu"`.

The passes are those of `sequence_form.py`. Information sets of a player at which she has made as
many decisions before, and has as many choices, are one *step*: all of them at once.

    gradient   one product of all payoffs, one sparse matrix that adds them up by sequence
    up         from the last steps to the first, a sparse matrix takes them to the sequences above
    down       from the first to the last, x[choices] = x[above] · σ[choices]

Regrets and sums stay on the machine for all iterations of an `advance`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from workbench.arrays import Array, Machine, machine
from workbench.sequence_form import sequence_form
from workbench.solvers.base import State
from workbench.solvers.regret import match_arrays
from workbench.tree import FloatArray, GameTree, kept


class Step(NamedTuple):
    """Some information sets of a player."""

    choices: Array  # (m, size)
    above: Array  # (m,) sequences
    sums: Any  # (S, m) adds what a set is worth to the sequence above


class ArrayCFR:
    """A tree on a machine."""

    def __init__(self, tree: GameTree, on: Machine) -> None:
        form, self.on, self.graphs = sequence_form(tree), on, dict[Any, Any]()
        k, players = tree.num_choices, tree.num_players
        sizes, before = np.diff(tree.first_choice), np.zeros(len(form.above), int)
        for infoset, above in enumerate(form.above):
            before[infoset] = before[form.owner[above]] + 1 if above < k else 0
        self.players, self.steps = list[Any](), list[list[Step]]()
        entries = np.diff(form.row.astype(np.int64)).tolist()
        row = np.repeat(np.arange(form.num_sequences), entries)
        for i in range(players):
            first, last = (int(tree.first_choice[m]) for m in form.first_infoset[i : i + 2])
            mine = ((row >= first) & (row < last)) | (row == k + i)
            others = [on.put(one.astype(np.int64)) for one in form.others[mine].T]
            adds = csr_array(
                (np.ones(mine.sum()), (row[mine], np.arange(mine.sum()))),
                (form.num_sequences, int(mine.sum())),
            )
            self.players.append(
                (slice(first, last), on.put(form.weight[mine]), others, on.sparse(adds))
            )
            here, steps = np.arange(*form.first_infoset[i : i + 2]), list[Step]()
            for depth, size in sorted({*zip(before[here], sizes[here], strict=True)}):
                sets = here[(before[here] == depth) & (sizes[here] == size)]
                above = form.above[sets].astype(np.int64)
                place = np.ones(len(sets)), (above, np.arange(len(sets)))
                sums = csr_array(place, (form.num_sequences, len(sets)))
                choices = tree.first_choice[sets][:, None] + np.arange(size)
                steps.append(Step(on.put(choices), on.put(above), on.sparse(sums)))
            self.steps.append(steps)
        self.regret, self.total, self.hope, self.probs = (on.put(np.zeros(k)) for _ in range(4))
        self.x, self.value = on.put(np.ones(k + players)), on.put(np.zeros(k))
        self.schedule = on.put(np.ones(3))

    def down(self, i: int) -> None:
        for choices, above, _ in self.steps[i]:
            self.x[choices] = self.x[above][:, None] * self.probs[choices]

    def learn(self, i: int, predictive: bool) -> None:
        """What every choice of a player is worth, and what she learns from it."""
        hers, weight, others, adds = self.players[i]
        payoff, x = weight, self.x
        for one in others:
            payoff = payoff * x[one]
        g = adds @ payoff
        for choices, _, sums in reversed(self.steps[i]):
            value = (self.probs[choices] * g[choices]).sum(1)
            self.value[choices] = value[:, None]
            g = g + sums @ value
        instant = g[hers] - self.value[hers]
        regret = self.regret[hers] + instant
        regret = regret * self.on.where(regret > 0.0, self.schedule[0], self.schedule[1])
        self.regret[hers] = regret
        self.total[hers] += self.schedule[2] * x[hers]
        self.hope[hers] = regret + instant if predictive else regret

    def match(self, i: int) -> None:
        for choices, _, _ in self.steps[i]:
            self.probs[choices] = match_arrays(self.on.where, self.hope[choices])

    def iterate(self, alternating: bool, predictive: bool) -> None:
        """One iteration, as `solvers/cfr.py` tells it."""
        everybody = range(len(self.players))
        for i in everybody:
            self.learn(i, predictive)
            if alternating:
                self.match(i)
                self.down(i)
        for i in everybody if not alternating else ():
            self.match(i)
            self.down(i)

    def run(self, solver: Any, state: State, schedule: FloatArray) -> State:
        """The iterations of a schedule."""
        self.regret[:], self.probs[:] = self.on.put(state.regret), self.on.put(state.probs)
        self.total[:] = self.on.put(state.strategy_sum)
        for i in range(len(self.players)):
            self.down(i)
        how = solver.alternating, solver.predictive
        if how not in self.graphs:
            changed = [self.regret, self.total, self.hope, self.probs, self.x, self.value]
            self.graphs[how] = self.on.repeated(lambda: self.iterate(*how), changed)
        for row in self.on.put(schedule):
            self.schedule[:] = row
            self.graphs[how]()
        regret, probs, total = np.empty((3, len(state.regret)))
        for one, into in ((self.regret, regret), (self.probs, probs), (self.total, total)):
            self.on.read(one, into)
        done = state.iteration + len(schedule)
        return State(done, regret, probs, total, state.rng, state.game)


@kept
def array_cfr(tree: GameTree) -> ArrayCFR:
    """Made once for a tree."""
    return ArrayCFR(tree, machine())
