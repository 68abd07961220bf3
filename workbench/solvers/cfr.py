"""Counterfactual regret minimization and its descendants: one loop, five schedules.

In iteration t, for each player i and each of her infosets I with values v(I, a):

    1.  r(a) = v(I, a) − Σ_b σ(b) v(I, b)             the instantaneous regrets
    2.  R ← R + r, then R ← R · positive_t if R > 0 else R · negative_t
    3.  S ← S + average_t · x                          x: i's realization plan
    4.  σ ← regret matching of R, or of R + r if predictive

and the answer is the average strategy, S normalised. What differs is only this:

                   positive_t        negative_t        average_t   predictive
    cfr            1                 1                 1                    Zinkevich et al. 2007
    cfr+           1                 0                 t                    Tammelin 2014
    linear-cfr     t / (t+1)         t / (t+1)         t                    Brown & Sandholm 2019
    dcfr           t^α / (t^α+1)     t^β / (t^β+1)     t^γ                  Brown & Sandholm 2019
    pcfr+          1                 0                 t²          yes      Farina et al. 2021

Alternating updates (default): a player's new σ is what the next player meets in the same
iteration. Simultaneous: everybody meets the σ of the iteration before.

Two engines find v and x: the sequence form (perfect recall), and passes over the tree
(always possible). They agree to rounding; `engine="auto"` takes the first where it can. A third,
`engine="gpu"`, does what the first does in array operations (`array_cfr.py`). Each adds in another
order, so runs part where choices are worth exactly the same and rounding decides: on Toepen 3/3/2
with betting in iteration 1. With payoffs changed by up to 1 % they agree to 1e-9 in the first 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.passes import counterfactual_pass
from workbench.sequence_form import SequenceForm, down, gradient, need_recall, sequence_form, up
from workbench.settings import Between, check
from workbench.solvers.base import State
from workbench.solvers.regret import regret_matching, update_regrets
from workbench.tree import FloatArray, GameTree, IndexArray, IntArray


@dataclass(frozen=True, kw_only=True)
class CFR:
    """Plain CFR: regrets simply add up, all iterations count the same."""

    name: ClassVar[str] = "cfr"
    exact: ClassVar[bool] = False
    predictive: ClassVar[bool] = False

    alternating: Annotated[bool, "a player's new strategy meets the next one at once"] = True
    engine: Annotated[
        Literal["auto", "sequence", "tree", "gpu"],
        "how values are found; auto takes the faster one of the processor's",
    ] = "auto"

    def __post_init__(self) -> None:
        check(self)

    @property
    def needs(self) -> str:
        """Kernels for single engines take a tree."""
        return "passes" if self.engine in ("auto", "gpu") else "tree"

    def weights(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """positive_t, negative_t, average_t of the table above, for an array of iterations."""
        return np.ones_like(t), np.ones_like(t), np.ones_like(t)

    def check(self, tree: GameTree) -> None:
        if self.engine in ("sequence", "gpu"):
            need_recall(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more iterations, compiled."""
        t = np.arange(state.iteration + 1, state.iteration + iterations + 1, dtype=np.float64)
        schedule = np.array(self.weights(t)).T.copy()
        if self.engine == "gpu":
            from workbench.arrays import alone, need_room
            from workbench.solvers.array_cfr import array_cfr

            with alone, need_room(tree.name):
                return array_cfr(tree).run(self, state, schedule)
        regret, probs = state.regret.copy(), state.probs.copy()
        strategy_sum = state.strategy_sum.copy()
        if self.engine == "sequence" or (self.engine == "auto" and tree.perfect_recall):
            _run_sequence_form(
                sequence_form(tree), schedule, self.alternating, self.predictive, regret, probs,
                strategy_sum,
            )  # fmt: skip
        else:
            _run_tree(
                tree.first_infoset, tree.first_choice.view(np.uint32), tree.choice_infoset,
                tree.parent, tree.player, tree.infoset, tree.choice, tree.chance, tree.terminal,
                tree.utility, schedule, self.alternating, self.predictive, regret, probs,
                strategy_sum,
            )  # fmt: skip
        done = state.iteration + iterations
        return State(done, regret, probs, strategy_sum, state.rng, state.game)


@dataclass(frozen=True, kw_only=True)
class CFRPlus(CFR):
    """CFR+: a regret never falls below zero, later iterations count more."""

    name: ClassVar[str] = "cfr+"

    def weights(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return np.ones_like(t), np.zeros_like(t), t


@dataclass(frozen=True, kw_only=True)
class LinearCFR(CFR):
    """Linear CFR: iteration t counts t times, in the regrets as in the average."""

    name: ClassVar[str] = "linear-cfr"

    def weights(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return t / (t + 1), t / (t + 1), t


@dataclass(frozen=True, kw_only=True)
class DCFR(CFR):
    """Discounted CFR with exponents α, β, γ."""

    name: ClassVar[str] = "dcfr"

    alpha: Annotated[float, "discount of positive regrets: t^α / (t^α + 1)"] = 1.5
    beta: Annotated[float, "discount of negative regrets: t^β / (t^β + 1)"] = 0.0
    gamma: Annotated[float, Between(0, 50), "iteration t counts t^γ in the average"] = 2.0

    def weights(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return _share(t, self.alpha), _share(t, self.beta), t**self.gamma


@dataclass(frozen=True, kw_only=True)
class PCFRPlus(CFRPlus):
    """Predictive CFR+: expects the latest regrets once more; quadratic averaging."""

    name: ClassVar[str] = "pcfr+"
    predictive: ClassVar[bool] = True

    def weights(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        positive, negative, _ = CFRPlus.weights(self, t)
        return positive, negative, t**2


def _share(t: FloatArray, exponent: float) -> FloatArray:
    """t^e / (t^e + 1), also for huge exponents."""
    return np.asarray(1.0 / (1.0 + t**-exponent))


@kernel
def _next_strategy(
    first_choice: IndexArray, owner: IndexArray, low: int, high: int, values: FloatArray,
    value: FloatArray, regret: FloatArray, predicted: FloatArray, probs: FloatArray,
) -> None:  # fmt: skip
    """Step 4 for the infosets low .. high; `predicted`: scratch, (K,) if predictive, else (0,)."""
    if len(predicted):
        for c in range(first_choice[low], first_choice[high]):
            predicted[c] = regret[c] + (values[c] - value[owner[c]])
        regret_matching(first_choice, low, high, predicted, probs)
    else:
        regret_matching(first_choice, low, high, regret, probs)


@kernel
def _run_sequence_form(
    form: SequenceForm, schedule: FloatArray, alternating: bool, predictive: bool,
    regret: FloatArray, probs: FloatArray, strategy_sum: FloatArray,
) -> None:  # fmt: skip
    first_infoset, first_choice, owner = form.first_infoset, form.first_choice, form.owner
    players, k, m = len(first_infoset) - 1, len(regret), len(form.above)
    x, g, value = np.ones(k + players), np.zeros(k + players), np.zeros(m)
    predicted = np.zeros(k if predictive else 0)
    down(form, probs, 0, m, x)
    for t in range(len(schedule)):
        positive, negative, share = schedule[t, 0], schedule[t, 1], schedule[t, 2]
        for i in range(players):
            low, high = first_infoset[i], first_infoset[i + 1]
            first, last = first_choice[low], first_choice[high]
            gradient(form, first, last, x, g)
            up(form, probs, low, high, g, value)
            update_regrets(first, last, owner, g, value, positive, negative, regret)
            for c in range(first, last):
                strategy_sum[c] += share * x[c]
            if alternating:
                _next_strategy(first_choice, owner, low, high, g, value, regret, predicted, probs)
                down(form, probs, low, high, x)
        if not alternating:
            _next_strategy(first_choice, owner, 0, m, g, value, regret, predicted, probs)
            down(form, probs, 0, m, x)


@kernel
def _run_tree(
    first_infoset: NDArray[np.int64], first_choice: IndexArray, owner: IndexArray, parent: IntArray,
    player: NDArray[np.int8], infoset: IntArray, choice: IntArray, chance: FloatArray,
    terminal: IntArray, utility: FloatArray, schedule: FloatArray,
    alternating: bool, predictive: bool,
    regret: FloatArray, probs: FloatArray, strategy_sum: FloatArray,
) -> None:  # fmt: skip
    """As `_run_sequence_form`; x at an infoset is the mean over its histories."""
    players, n, k, m = len(first_infoset) - 1, len(parent), len(regret), len(first_choice) - 1
    others, own, worth = np.zeros(n), np.zeros(n), np.zeros(n)
    values, value, predicted = np.zeros(k), np.zeros(m), np.zeros(k if predictive else 0)
    arrive, size = np.zeros(m), np.zeros(m)
    for h in range(n):
        if infoset[h] >= 0:
            size[infoset[h]] += 1.0
    for t in range(len(schedule)):
        positive, negative, share = schedule[t, 0], schedule[t, 1], schedule[t, 2]
        for i in range(players):
            low, high = first_infoset[i], first_infoset[i + 1]
            first, last = first_choice[low], first_choice[high]
            values[first:last] = 0.0
            value[low:high] = 0.0
            arrive[low:high] = 0.0
            counterfactual_pass(
                parent, player, choice, chance, terminal, utility, probs, i, others, own, worth,
                values,
            )  # fmt: skip
            for h in range(n):
                if player[h] == i:
                    arrive[infoset[h]] += own[h]
            for c in range(first, last):
                value[owner[c]] += probs[c] * values[c]
                strategy_sum[c] += share * (arrive[owner[c]] / size[owner[c]]) * probs[c]
            update_regrets(first, last, owner, values, value, positive, negative, regret)
            if alternating:
                _next_strategy(
                    first_choice, owner, low, high, values, value, regret, predicted, probs
                )
        if not alternating:
            _next_strategy(first_choice, owner, 0, m, values, value, regret, predicted, probs)
