"""One hand of a jam/fold tournament: where every decision leads, and fictitious play in one state.

Given how all three play, each hand h of the player who decides leads to each of the 25 outcomes
with some probability, if she goes in and if she folds: `outcomes`, put together from the sums of
`sums.py`. None of these numbers depends on what an outcome is worth: the same ones serve fictitious
play, policy iteration and the ex-post check.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.showdowns import WINNER
from workbench.jamfold.sums import SEAT, Play, move
from workbench.jamfold.tournament import INFOSETS, LINES, OUTCOMES
from workbench.kernels import kernel
from workbench.poker.cards.hand_classes import HANDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FF, _FJF, _FJC, _JFF, _JFC, _JCF, _JCC = (first for _, first in LINES.values())


@kernel
def outcomes(three: Floats, two: Floats, single: Floats, hand: Floats, out: Floats) -> None:
    """out: (6, 2, 25, 169) joint probability of the decider's hand and an outcome, if she goes in
    (0) or folds (1) and chance and the others lead there.

    A pot of two is a duel without regard to the third hand, minus those in which that hand came
    along. `single[k]` is seen from h; an outcome from the earlier seat, so a later h turns it."""
    out[:] = 0.0
    for h in range(169):
        for w in range(13):
            out[0, 0, _JCC + w, h] = three[0, 0, w, h]
            out[0, 0, _JCF + WINNER[0, w], h] -= three[0, 0, w, h]
            out[1, 0, _JCC + w, h] = three[1, 0, w, h]
            out[1, 0, _JCF + WINNER[0, w], h] -= three[1, 0, w, h]
            out[3, 0, _JCC + w, h] = three[2, 0, w, h]
            out[3, 1, _JCF + WINNER[0, w], h] += three[2, 0, w, h]
            out[4, 0, _JFC + WINNER[1, w], h] -= three[2, 0, w, h]
        jam = call = small = met = folded = 0.0
        for o in range(3):
            out[0, 0, _JCF + o, h] += single[1, 0, o, h]
            out[0, 0, _JFC + o, h] = single[4, 0, o, h] - two[0, 0, o, h]
            out[0, 1, _FJC + o, h] = two[1, 0, o, h]
            out[1, 0, _JCF + o, h] += single[0, 0, 2 - o, h]
            out[1, 1, _JFC + o, h] = two[2, 0, o, h]
            out[2, 0, _FJC + o, h] = single[5, 0, o, h] - two[3, 0, o, h]
            out[4, 0, _JFC + o, h] += single[0, 0, 2 - o, h]
            out[5, 0, _FJC + o, h] = single[2, 0, 2 - o, h] - two[4, 0, o, h]
            out[4, 1, _JFF, h] += out[4, 0, _JFC + o, h]
            out[5, 1, _FJF, h] += out[5, 0, _FJC + o, h]
            jam += single[1, 0, o, h] + out[0, 0, _JFC + o, h]  # the button is called
            small += single[2, 0, o, h]  # the small blind jams after a fold
            call += two[1, 0, o, h]
            met += single[0, 0, o, h]  # the button jams
            folded += out[1, 1, _JFC + o, h]
        out[0, 0, _JFF, h] = hand[h] - jam
        out[0, 1, _FF, h] = hand[h] - small
        out[0, 1, _FJF, h] = small - call
        out[1, 1, _JFF, h] = met - folded
        out[2, 1, _FF, h] = hand[h] - met
        out[2, 0, _FJF, h] = hand[h] - met
        for o in range(3):
            out[2, 0, _FJF, h] -= out[2, 0, _FJC + o, h]


def all_outcomes(play: Play, some: slice = slice(None)) -> Floats:
    """(n, 6, 2, 25, 169) the `outcomes` of all states or of some."""
    states = range(len(play.sigma))[some]
    out = np.empty((len(states), len(INFOSETS), 2, OUTCOMES, HANDS))
    for k, s in enumerate(states):
        hand = play.deal.hand[play.last[s]]
        outcomes(play.three[s], play.two[s], play.single[s], hand, out[k])
    return out


@kernel
def advantages(out: Floats, worth: Floats, gain: Floats) -> None:
    """gain: (6, 169) what going in is worth more than folding, times the chance to get there."""
    for k in range(6):
        seat = SEAT[k]
        for h in range(169):
            gain[k, h] = 0.0
        for o in range(OUTCOMES):
            for h in range(169):
                gain[k, h] += (out[k, 0, o, h] - out[k, 1, o, h]) * worth[o, seat]


def fictitious_play(
    play: Play, s: int, worth: Floats, fixed: Ints, *, start: int, iterations: int,
    enough: float,
) -> None:  # fmt: skip
    """Fictitious play in state s, whose outcomes are worth (25, 3), until nobody gains `enough`.

    fixed: (6,) see `answer`. `start`: how many iterations σ counts for."""
    gain = np.empty((len(INFOSETS), HANDS))
    for t in range(iterations):
        advantages(all_outcomes(play, slice(s, s + 1))[0], worth, gain)
        target = answer(gain, fixed, play.beta[s])
        won = ((target - play.sigma[s]) * gain).sum(axis=1)
        if np.bincount(SEAT, won).max() <= enough:
            break
        move(play, s, target, 2.0 / (start + t + 2))


def answer(gain: Floats, fixed: Ints, before: Floats, tie: float = 0.0) -> Floats:
    """(…, 6, 169) the best response: in where that gains, else fold; ties as before.

    fixed: (…, 6) 1 always in, 0 never, −1 decides."""
    decided = np.where(np.abs(gain) <= tie, before, gain > 0.0)
    return np.where(fixed[..., None] >= 0, fixed[..., None], decided)
