"""Markov decision problems without discount: what a policy is worth, and the best policy.

A player who knows how the others play faces one: in each situation s choose what to do, get r now
and go on to s'. The worth v of a policy solves v = r + P v. Two traps make tournaments special
(Ganzfried and Sandholm, 2009):

1. A policy may never end: if all fold for ever, I − P has no inverse and v = r + P v has many
   solutions. Rewards are never negative, and the *minimal* one is the truth: situations from which
   no reward can be reached are worth 0.
2. Where two actions are equally good, the one chosen before is kept. Otherwise policy iteration
   can wander among policies of equal value, into one that never ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def policy_value(moves: Floats, reward: Floats) -> Floats:
    """The minimal v ≥ 0 with v = r + P v; moves (n, n), reward (n,), none negative.

    Two situations that lead to each other for ever and never pay are worth 0:

    >>> policy_value(np.array([[0.0, 1.0], [1.0, 0.0]]), np.zeros(2))
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
