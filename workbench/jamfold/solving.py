"""Four algorithms for a jam/fold tournament, as Ganzfried and Sandholm named their parts.

Everyday example: what is a chip worth? That depends on how all will play, and how to play depends
on what a chip is worth. Two loops chase each other, one inside the other:

    "vi-fp"   values start at ICM. Inside, fictitious play finds an approximate equilibrium of one
              hand in each state; outside, values become what that play earns one hand further on
              (value iteration). May converge to something that is no equilibrium
    "pi-fp"   the same inside; outside, values become those of the best policy against what the
              others play (policy iteration, minimal solution, ties kept)
    "fp-pi"   inside, policy iteration finds the best answer, for the whole tournament, to what
              the others play; outside, fictitious play mixes it into the strategies
    "fp-vi"   the same with value iteration inside, which starts pessimistically, at what the
              strategies are worth as they are

If one of the last three converges, it has found an equilibrium. None is sure to converge; so after
every round of the outer loop the *ex-post check* says how much anybody could still gain.

Measured at nine units, three players, prizes 50, 30, 20, on one core:

              rounds   s     ex-post gain   button   small blind   big blind    (at 3, 3, 3)
    "vi-fp"     7     6.7      0.0012       34.66       32.96        32.38
    "pi-fp"     4     5.8      0.0013       34.69       32.93        32.37
    "fp-pi"    21     5.6      0.0049       34.70       32.93        32.38
    "fp-vi"    21     5.6      0.0049       34.70       32.93        32.38

Fictitious play gives its t-th response weight t, as CFR+ averages: the same rule, fewer rounds.

All seats are alike up to their place relative to the button: strategies and values belong to
(state, seat), and one decision problem with 3 n situations checks all three players at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.decisions import policy_value
from workbench.jamfold.equity_tables import equities
from workbench.jamfold.stage import advantages, answer, fictitious_play, outcomes, spread
from workbench.jamfold.sums import Deal, Play, deal_of, move, new_play
from workbench.jamfold.tournament import INFOSETS, OUTCOMES, Arrays, Tournament
from workbench.settings import Between, Positive, check

Floats = NDArray[np.float64]

METHODS = ("vi-fp", "pi-fp", "fp-pi", "fp-vi")
TIE = 1e-10  # gains below this are rounding: the action chosen before is kept
REST = 1e-4  # value iteration stops when no value moves by more than this part of the top prize
FIRST = 20  # iterations that make the first strategies, if fictitious play is outside
MOST = 500  # rounds of policy or value iteration


@dataclass(frozen=True)
class Effort:
    """How long fictitious play lasts inside: iterations at most, and when a hand is solved well
    enough, as a part of the top prize. `memory`: for how many iterations the earlier rounds count.
    """

    inner: Positive = 60
    enough: Annotated[float, Between(0.0, 1.0)] = 1e-5
    memory: Positive = 20

    def __post_init__(self) -> None:
        check(self, "effort")


@dataclass(frozen=True, eq=False)
class Round:
    """How far an algorithm has come: all it needs to go on."""

    outer: int  # rounds of the outer loop so far
    play: Play
    worth: Floats  # (n, 3) what the algorithm believes states are worth
    real: Floats  # (n, 3) what the strategies earn
    best: Floats  # (n, 3) what a player could earn who alone played best
    moved: float  # how far `worth` (or, with fictitious play outside, a strategy) moved

    @property
    def gain(self) -> float:
        """The ex-post check: the most that anybody could gain in any state."""
        return float((self.best - self.real).max())


@lru_cache(maxsize=1)
def prepared() -> Deal:
    """The tables of all deals: once a session, a second and 100 MB."""
    return deal_of(equities())


def rounds(
    game: Tournament, method: str, start: Round | None = None, effort: Effort | None = None
) -> Iterator[Round]:
    """The outer loop, for as long as somebody asks."""
    effort, arrays = effort or Effort(), game.arrays
    now = start or _first(arrays)
    while True:
        play = now.play.copy()
        if method.endswith("fp"):
            now = _values_outside(arrays, method, replace(now, play=play), effort)
        else:
            now = _play_outside(arrays, method, replace(now, play=play), effort)
        yield now


def _first(arrays: Arrays) -> Round:
    """Values of ICM."""
    play = new_play(prepared(), fixed(arrays))
    return Round(0, play, arrays.icm.copy(), arrays.icm, arrays.icm, np.inf)


def _values_outside(arrays: Arrays, method: str, now: Round, effort: Effort) -> Round:
    """One round of value or policy iteration, with fictitious play inside."""
    _solve_stages(arrays, now, effort)
    out = all_outcomes(now.play)
    real = value_of(arrays, out, now.play.sigma)
    best = best_policy(arrays, out, now.play.sigma)[1]
    worth = best if method == "pi-fp" else one_step(arrays, out, now.play.sigma, now.worth)
    moved = float(np.abs(worth - now.worth).max())
    return Round(now.outer + 1, now.play, worth, real, best, moved)


def _play_outside(arrays: Arrays, method: str, now: Round, effort: Effort) -> Round:
    """One round of fictitious play, with policy or value iteration inside."""
    deal, play = prepared(), now.play
    if not now.outer:
        some = replace(effort, inner=min(effort.inner, FIRST))
        _solve_stages(arrays, now, some)  # strategies for values of ICM
    out = all_outcomes(play)
    real = value_of(arrays, out, play.sigma)
    if method == "fp-pi":
        policy, best = best_policy(arrays, out, play.beta if now.outer else play.sigma)
    else:
        policy, best = _pessimistic(arrays, out, play.beta, real)
    policy = np.where(policy > 0.5, 1.0, 0.0)
    rate = 2.0 / (now.outer + 4)
    for s in range(len(real)):
        move(deal, play, s, policy[s], rate)
    return Round(now.outer + 1, play, best, real, best, rate)


def _solve_stages(arrays: Arrays, now: Round, effort: Effort) -> None:
    """Fictitious play in every state, with the values of now."""
    deal, play, worth = prepared(), now.play, arrays.values(now.worth)
    top, given = arrays.prizes.max(), fixed(arrays)
    start = effort.memory if now.outer else 1
    for s in range(len(worth)):
        fictitious_play(deal, play, s, worth[s], given[s], start=start, iterations=effort.inner,
                        enough=effort.enough * top)  # fmt: skip


def fixed(arrays: Arrays) -> NDArray[np.int64]:
    """(n, 6) 1: always in, 0: never, −1: a decision."""
    return np.where(arrays.forced, 1, np.where(arrays.absent, 0, -1))


# ---- the decision problem of one player ------------------------------------------------


def all_outcomes(play: Play, some: slice = slice(None)) -> Floats:
    """(n, 6, 2, 25, 169) of all states or of some, see `stage.outcomes`."""
    deal, states = prepared(), range(len(play.sigma))[some]
    out = np.empty((len(states), len(INFOSETS), 2, OUTCOMES, 169))
    for k, s in enumerate(states):
        outcomes(play.three[s], play.two[s], play.single[s], deal.hand, out[k])
    return out


def value_of(arrays: Arrays, out: Floats, policy: Floats) -> Floats:
    """(n, 3) what a policy earns against the strategies that `out` was made of."""
    n = len(out)
    to = _spread(out, policy)
    reward = np.einsum("sko,sok->sk", to, arrays.prizes)
    moves = np.zeros((n, 3, n, 3))
    s, o, k = np.nonzero((arrays.follow[:, :, None] >= 0) & (arrays.seat >= 0))
    np.add.at(moves, (s, k, arrays.follow[s, o], arrays.seat[s, o, k]), to[s, k, o])
    moves = np.maximum(moves, 0.0)  # sampled orders against exact duels: −1e-6 may come out
    return policy_value(moves.reshape(3 * n, 3 * n), reward.ravel()).reshape(n, 3)


def one_step(arrays: Arrays, out: Floats, policy: Floats, worth: Floats) -> Floats:
    """(n, 3) what a policy earns in one hand, after which states are `worth` so much."""
    return np.asarray(np.einsum("sko,sok->sk", _spread(out, policy), arrays.values(worth)))


def _spread(out: Floats, policy: Floats) -> Floats:
    to = np.empty((len(out), 3, OUTCOMES))
    for s in range(len(out)):
        spread(out[s], policy[s], to[s])
    return to


def best_policy(arrays: Arrays, out: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Policy iteration from `start`: the policy (n, 6, 169) and its values (n, 3)."""
    policy, value = start, value_of(arrays, out, start)
    for _ in range(MOST):
        better = improved(arrays, out, policy, value)
        if (better == policy).all():
            break
        policy, value = better, value_of(arrays, out, better)
    return policy, value


def _pessimistic(
    arrays: Arrays, out: Floats, start: Floats, value: Floats
) -> tuple[Floats, Floats]:
    """Value iteration from values that are too low: the policy and its values."""
    policy = start
    for _ in range(MOST):
        policy = improved(arrays, out, policy, value)
        before, value = value, one_step(arrays, out, policy, value)
        if np.abs(value - before).max() <= REST * arrays.prizes.max():
            break
    return policy, value_of(arrays, out, policy)


def improved(arrays: Arrays, out: Floats, policy: Floats, value: Floats) -> Floats:
    """The policy that is best if states are worth `value`; ties keep what was chosen before."""
    gain, worth = np.empty_like(policy), arrays.values(value)
    for s in range(len(out)):
        advantages(out[s], worth[s], gain[s])
    return answer(gain, fixed(arrays), policy, TIE)
