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

Fictitious play gives its t-th response weight t, as CFR+ averages: the same rule, fewer rounds.

All seats are alike up to their place relative to the button: strategies and values belong to
(state, seat), and one decision problem with 3 n situations checks all three players at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold import stage
from workbench.jamfold.equity_tables import Equities
from workbench.jamfold.tournament import BIG, Arrays, Tournament
from workbench.rules import GameError
from workbench.settings import Between, Positive, check, need_kind, need_one_of

Floats = NDArray[np.float64]

METHODS = ("vi-fp", "pi-fp", "fp-pi", "fp-vi")
TIE = 2e-12  # gains below this part of the top prize are rounding: what was chosen before is kept
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
    play: stage.Play
    worth: Floats  # (n, 3) what the algorithm believes states are worth
    real: Floats  # (n, 3) what the strategies earn
    best: Floats  # (n, 3) what a player could earn who alone played best
    moved: float  # how far `worth` (or, with fictitious play outside, a strategy) moved
    reply: Floats | None = None  # (n, 6, 169) fictitious play outside: what is mixed in next

    @property
    def gain(self) -> float:
        """The ex-post check: the most that anybody could gain in any state."""
        return float((self.best - self.real).max())


def rounds(
    game: Tournament,
    method: str,
    start: Round | None = None,
    effort: Effort | None = None,
    table: Equities | None = None,
) -> Iterator[Round]:
    """The outer loop, for as long as somebody asks. The strategies of a start keep their table."""
    need_one_of("method", method, METHODS)
    arrays = need_kind("game", game, Tournament).arrays
    effort = Effort() if effort is None else need_kind("effort", effort, Effort)
    for name, given, kind in (("start", start, Round), ("equities", table, Equities)):
        if given is not None:
            need_kind(name, given, kind)
    now = start
    if now is None:  # values of ICM
        play = stage.new_play(stage.deal_of(table), fixed(arrays), last(arrays))
        now = Round(0, play, arrays.icm.copy(), arrays.icm, arrays.icm, np.inf)
    step = _values_outside if method.endswith("fp") else _play_outside
    while True:
        now = step(arrays, method, replace(now, play=now.play.copy()), effort)
        yield now


def _values_outside(arrays: Arrays, method: str, now: Round, effort: Effort) -> Round:
    """One round of value or policy iteration, with fictitious play inside."""
    _solve_stages(arrays, now, effort)
    out = stage.all_outcomes(now.play)
    real = value_of(arrays, out, now.play.sigma)
    best = best_policy(arrays, out, now.play.sigma)[1]
    worth = best if method == "pi-fp" else one_step(arrays, out, now.play.sigma, now.worth)
    moved = float(np.abs(worth - now.worth).max())
    return Round(now.outer + 1, now.play, worth, real, best, moved)


def _play_outside(arrays: Arrays, method: str, now: Round, effort: Effort) -> Round:
    """One round of fictitious play, with policy or value iteration inside: mix in the reply of the
    round before, then find out what the new strategies earn, and the reply to them."""
    play, rate = now.play, 2.0 / (now.outer + 3)
    if now.reply is not None:
        for s in range(len(play.sigma)):
            stage.move(play, s, now.reply[s], rate)
    elif not now.outer:  # strategies for values of ICM
        rate, some = 1.0, replace(effort, inner=min(effort.inner, FIRST))
        _solve_stages(arrays, now, some)
    out = stage.all_outcomes(play)
    real = value_of(arrays, out, play.sigma)
    if method == "fp-pi":
        reply, best = best_policy(arrays, out, play.beta if now.outer else play.sigma)
    else:
        reply = _pessimistic(arrays, out, play.beta, real)
        best = best_policy(arrays, out, reply)[1]
    return Round(now.outer + 1, play, best, real, best, rate, np.where(reply > 0.5, 1.0, 0.0))


def _solve_stages(arrays: Arrays, now: Round, effort: Effort) -> None:
    """Fictitious play in every state, with the values of now."""
    play, worth = now.play, arrays.values(now.worth)
    top, given = arrays.prizes.max(), fixed(arrays)
    start = effort.memory if now.outer else 1
    for s in range(len(worth)):
        stage.fictitious_play(play, s, worth[s], given[s], start=start, iterations=effort.inner,
                        enough=effort.enough * top)  # fmt: skip


def fixed(arrays: Arrays) -> NDArray[np.int64]:
    """(n, 6) 1: always in, 0: never, −1: a decision."""
    return np.where(arrays.forced, 1, np.where(arrays.absent, 0, -1))


def last(arrays: Arrays) -> NDArray[np.int64]:
    """(n,) 1 in states of the last two players."""
    return arrays.absent[:, 0].astype(np.int64)


# ---- the decision problem of one player ------------------------------------------------


def policy_value(moves: Floats, reward: Floats) -> Floats:
    """What a policy is worth without discount: the minimal v ≥ 0 with v = r + P v; moves (n, n),
    reward (n,), none negative.

    Two traps make tournaments special (Ganzfried and Sandholm, 2009). A policy may never end: if
    all fold for ever, I − P has no inverse and there are many solutions; rewards are never
    negative, and the minimal one is the truth: situations from which no reward can be reached are
    worth 0. And where two actions are equally good, the one chosen before is kept (`improved`);
    else policy iteration can wander among policies of equal value, into one that never ends.

    >>> policy_value(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2))  # for ever, and never paid
    array([0., 0.])
    """
    pays = reward > 0.0
    while True:  # who can reach a reward
        more = pays | ((moves > 0.0) @ pays)
        if (more == pays).all():
            break
        pays = more
    value = np.zeros(len(reward))
    inside = np.flatnonzero(pays)
    part = np.eye(len(inside)) - moves[np.ix_(inside, inside)]
    value[inside] = np.linalg.solve(part, reward[inside])
    return value


def value_of(arrays: Arrays, out: Floats, policy: Floats) -> Floats:
    """(n, 3) what a policy earns against the strategies that `out` was made of."""
    n = len(out)
    to = _outcome_probs(out, policy)
    reward = np.einsum("sko,sok->sk", to, arrays.prizes)
    moves = np.zeros((n, 3, n, 3))
    s, o, k = np.nonzero((arrays.follow[:, :, None] >= 0) & (arrays.seat >= 0))
    np.add.at(moves, (s, k, arrays.follow[s, o], arrays.seat[s, o, k]), to[s, k, o])
    moves = np.maximum(moves, 0.0)  # a difference of equal sums may come out as −1e-9
    return policy_value(moves.reshape(3 * n, 3 * n), reward.ravel()).reshape(n, 3)


def one_step(arrays: Arrays, out: Floats, policy: Floats, worth: Floats) -> Floats:
    """(n, 3) what a policy earns in one hand, after which states are `worth` so much."""
    return np.asarray(np.einsum("sko,sok->sk", _outcome_probs(out, policy), arrays.values(worth)))


def _outcome_probs(out: Floats, policy: Floats) -> Floats:
    """(n, 3, 25) the probability of each outcome, if one seat plays the policy and the others what
    `out` was made of. The big blind's decisions leave out the first outcome, FF."""
    played = np.einsum("skh,skoh->sko", policy, out[:, :, 0])
    played += np.einsum("skh,skoh->sko", 1.0 - policy, out[:, :, 1])
    to = np.add.reduceat(played, (0, 1, 3), axis=1)  # from decisions to seats
    to[:, BIG, 0] = 1.0 - to[:, BIG, 1:].sum(axis=1)
    return to


def best_policy(arrays: Arrays, out: Floats, start: Floats) -> tuple[Floats, Floats]:
    """Policy iteration from `start`: the policy (n, 6, 169) and its values (n, 3)."""
    policy, value = start, value_of(arrays, out, start)
    for _ in range(MOST):
        better = improved(arrays, out, policy, value)
        if (better == policy).all():
            return policy, value
        policy, value = better, value_of(arrays, out, better)
    raise GameError(
        f"policy iteration has not come to rest in {MOST} rounds, so nobody knows what could be "
        "gained; solve a tournament with fewer units or other prizes"
    )


def _pessimistic(arrays: Arrays, out: Floats, start: Floats, value: Floats) -> Floats:
    """Value iteration from values that are too low: the policy."""
    policy = start
    for _ in range(MOST):
        policy = improved(arrays, out, policy, value)
        before, value = value, one_step(arrays, out, policy, value)
        if np.abs(value - before).max() <= REST * arrays.prizes.max():
            break
    return policy


def improved(arrays: Arrays, out: Floats, policy: Floats, value: Floats) -> Floats:
    """The policy that is best if states are worth `value`; ties keep what was chosen before."""
    gain, worth = np.empty_like(policy), arrays.values(value)
    for s in range(len(out)):
        stage.advantages(out[s], worth[s], gain[s])
    return stage.answer(gain, fixed(arrays), policy, TIE * arrays.prizes.max())
