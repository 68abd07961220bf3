"""Which equilibrium? An abstract game has many, and in the real game they are not equally good.

An abstract game says nothing about what it cannot see, so its equilibria form a whole set, and a
published exploitability is that of whichever one the solver happened to find. The honest answer is
the range over the set.

For two players, zero-sum, the equilibria of the abstract game are all pairs of a plan x of player 0
and a plan y of player 1 that are each sure of the abstract value (von Neumann), and real
exploitability is ½ (what x loses to its best reply + what y loses to its), so each player is a
problem of her own, over the plans x with

    E x = e, x ≥ 0,   F' q ≤ A' x,   q[root] ≥ value − slack            (abstract game)

- **smallest**, exact: maximise r[root] so that F' r ≤ A' L x in the *real* game, L being the lift.
- **largest**, a lower bound: the loss is convex in x, so its maximum is at a corner. A try begins
  at the corner that a random direction finds, and climbs: from x to the corner that loses most to
  the real best reply to x, until that no longer helps. The best of many tries is what it is, a
  lower bound on the maximum.

`slack` admits strategies that are only nearly in equilibrium, as learnt ones are: with it the range
is over all plans sure of the abstract value up to so many chips.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from workbench import linear_programs as lp
from workbench.abstraction.abstraction import Abstraction
from workbench.evaluation.values import best_response, seated
from workbench.rules import GameError
from workbench.settings import need_number, need_whole
from workbench.solvers.base import Solver, State, average, find_solver, iterate, start_state
from workbench.strategy import Strategy, normalised
from workbench.tree import FloatArray, GameTree


@dataclass(frozen=True, eq=False)
class EquilibriumRange:
    """Real exploitability over the equilibria of an abstract game, in chips."""

    smallest: float  # exact
    largest: float  # a lower bound on the maximum
    best: Strategy  # of the full game, as all strategies here: exploitable for `smallest`
    worst: Strategy  # exploitable for `largest`

    def __repr__(self) -> str:
        return f"EquilibriumRange: {self.smallest:.6f} (exact) to at least {self.largest:.6f}"


def equilibrium_range(
    abstraction: Abstraction, *, slack: float = 1e-8, tries: int = 10, seed: int = 0
) -> EquilibriumRange:
    """The smallest and (at least) the largest real exploitability of an abstract equilibrium.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("kuhn"))
    >>> beginner = wb.abstract(tree, lambda player, seen, actions: (seen[0] == "K", seen[1]))
    >>> equilibrium_range(beginner)  # a beginner who only asks "is it a King?"
    EquilibriumRange: 0.083333 (exact) to at least 0.333333
    """
    _need_abstraction(abstraction)
    need_number("slack", slack)
    need_whole("tries", tries)
    rng = np.random.default_rng(need_whole("seed", seed, 0, None))
    lost, plays = np.zeros((2, 2)), []  # (player, smallest or largest)
    for i in (0, 1):
        face = _Face(abstraction, i, slack)
        tops = [face.climb(rng) for _ in range(tries)]
        ends = face.smallest(), max(tops, key=lambda point: point.lost)
        lost[i] = [point.lost for point in ends]
        plays.append([face.strategy(point.plan) for point in ends])
    smallest, largest = map(float, lost.mean(axis=0))
    best, worst = map(seated, zip(*plays, strict=True))
    return EquilibriumRange(smallest, largest, best, worst)


class _Point(NamedTuple):
    """A plan of the coarse game, what it loses in the full one, and the reply that takes it."""

    plan: FloatArray
    lost: float
    reply: FloatArray


class _Face:
    """All plans of one player that are sure of the coarse game's value, as inequalities."""

    def __init__(self, abstraction: Abstraction, player: int, slack: float) -> None:
        coarse = lp.need_zero_sum(abstraction.coarse, "equilibrium_range")
        self.abstraction, self.player = abstraction, player
        self.form = lp.need_zero_sum(abstraction.full, "equilibrium_range")
        scale = lp.scale_of(self.form)
        self.e, self.sure = lp.plan_constraints(coarse, player), lp.sure_of(coarse, player, scale)
        lift = _lift_matrix(abstraction, player)
        self.payoff = (lift.T @ lp.payoff_matrix(self.form, player)).tocsr() * scale
        x, q = self.sizes = self.e.shape[1], self.sure.shape[1] - self.e.shape[1]
        self.low = np.r_[np.zeros(x), np.full(q, -np.inf)]
        value = self._solve(np.eye(1, x + q, x)[0], self.sure, self.low)[x]
        self.low[x] = value - max(scale * slack, 1e-9)

    def _solve(self, gain: FloatArray, at_most: Any, low: FloatArray) -> FloatArray:
        return lp.solve_program(gain, at_most=at_most, equal=self.e, low=low)[0]

    def smallest(self) -> _Point:
        """The plan that loses least in the full game."""
        from scipy.sparse import bmat

        f = lp.plan_constraints(self.form, 1 - self.player)
        x, q = self.sizes
        at_most = bmat(
            [[self.sure[:, :x], self.sure[:, x:], None], [-self.payoff.T, None, f.T]], "csc"
        )
        gain = np.eye(1, x + q + f.shape[0], x + q)[0]
        low = np.r_[self.low, np.full(f.shape[0], -np.inf)]
        return self._point(self._solve(gain, at_most, low)[:x])

    def climb(self, rng: np.random.Generator) -> _Point:
        """A plan that loses much, uphill from a corner in a random direction."""
        point = self._corner(rng.normal(size=self.sizes[0]))
        while True:
            above = self._corner(-self.payoff @ point.reply)
            if above.lost <= point.lost + 1e-10 * self.abstraction.full.largest_payoff:
                return point
            point = above

    def _corner(self, direction: FloatArray) -> _Point:
        gain = np.r_[direction, np.zeros(self.sizes[1])]
        return self._point(self._solve(gain, self.sure, self.low)[: self.sizes[0]])

    def _point(self, plan: FloatArray) -> _Point:
        plan = np.maximum(plan, 0.0)
        best = best_response(self.strategy(plan), 1 - self.player)
        reply = lp.plan_of(self.form, self.form.plan(best.strategy.probs), 1 - self.player)
        return _Point(plan, best.value, reply)

    def strategy(self, plan: FloatArray) -> Strategy:
        """The strategy of the full game; the other player is uniform."""
        coarse, weights = self.abstraction.coarse, np.zeros(self.abstraction.coarse.num_choices)
        mine = coarse.choices_of(self.player)
        weights[mine.start : mine.stop] = plan[:-1]
        return self.abstraction.lift(normalised(coarse, weights))


def _lift_matrix(abstraction: Abstraction, player: int) -> Any:
    """L: the plan of the full game is L times the plan of the coarse one."""
    from scipy.sparse import coo_matrix

    full, coarse = abstraction.full, abstraction.coarse
    if np.any(abstraction.choice_map < 0):
        raise GameError(
            f"abstraction {abstraction.name!r} leaves out actions, so plans of the full game are "
            "not linear in plans of the coarse one; look at learnt_equilibria instead"
        )
    share = np.ones(full.num_choices + 1)  # last: the empty sequence
    for infoset in full.infosets_of(player):
        low, high = full.first_choice[infoset : infoset + 2]
        share[low:high] = abstraction.share[low:high] * share[full.parent_choice[infoset]]
    mine, theirs = full.choices_of(player), coarse.choices_of(player)
    columns = np.r_[abstraction.choice_map[mine.start : mine.stop] - theirs.start, len(theirs)]
    entries = np.r_[share[mine.start : mine.stop], 1.0]
    return coo_matrix(
        (entries, (np.arange(len(mine) + 1), columns)), shape=(len(mine) + 1, len(theirs) + 1)
    )


def learnt_equilibria(
    abstraction: Abstraction, solver: Solver | str = "cfr+", *, iterations: int, seeds: int = 10
) -> Iterator[Strategy]:
    """Where a linear program is too large: what a solver learns from so many random starts.

    Each seed begins with random regrets (and, if the solver samples, with random numbers) of its
    own. Strategies of the full game come out; any judge may look at them, for any number of
    players.
    """
    coarse = _need_abstraction(abstraction).coarse
    find_solver(solver).check(coarse)
    need_whole("iterations", iterations)

    def learnt(seed: int) -> Strategy:
        state = next(iterate(coarse, solver, start=random_start(coarse, seed), every=iterations))
        return abstraction.lift(average(coarse, state))

    return map(learnt, range(need_whole("seeds", seeds)))


def _need_abstraction(value: Abstraction) -> Abstraction:
    if not hasattr(value, "coarse"):
        raise GameError(f"an abstraction of a tree is needed: wb.abstract(tree, …), not {value!r}")
    return value


def random_start(tree: GameTree, seed: int) -> State:
    """Regrets as large as the payoffs, drawn at random; they matter less and less."""
    blank, rng = start_state(tree, seed), np.random.default_rng(seed)
    regret = rng.exponential(np.abs(tree.utility).max(initial=1.0), tree.num_choices)
    return replace(blank, regret=regret, probs=normalised(tree, regret).probs.copy())
