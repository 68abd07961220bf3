"""One hand of a jam/fold tournament: what every decision leads to, given how all three play.

Strategies are probabilities of going in, one row of 169 hands for each of the six information sets
(`tournament.INFOSETS`): σ (6, 169). For every hand h of the player who decides, the probabilities
of the 25 outcomes are sums over the other two players' hands y and z,

    F_w[h] = Σ_y Σ_z  P(h, y, z) · P(order w | h, y, z) · σ_x(y) · σ_x'(z)

for eight pairs of information sets (`PAIRS`), plus sums over one other hand (`duels`) where the
third player's hand does not matter. They do not depend on what the outcomes are worth: the same
numbers serve fictitious play with changing values, policy iteration and the ex-post check.

4.8 million triples times 13 orders make F dear, and fictitious play asks for it a thousand times.
But its strategies change in a simple way: an average σ moves towards a best response β, and β
changes in a few hands. F is bilinear, so four sums are kept for each pair, of (σ, σ), (σ, β),
(β, σ) and (β, β): a hand that changes in β costs one slice of the table (30 µs), and a step
σ ← (1 − λ) σ + λ β costs nothing but adding up. Measured: 0.3 ms an iteration and state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.equities import Equities
from workbench.jamfold.hands import HANDS
from workbench.jamfold.showdowns import ORDERS
from workbench.jamfold.tournament import BIG, BUTTON, INFOSETS, OUTCOMES, SMALL
from workbench.kernels import kernel

Floats = NDArray[np.float64]

PAIRS = np.array(  # (8, 3) the seat whose hand is h, and the information sets of the other two
    [(BUTTON, 1, 3), (BUTTON, 1, 4), (BUTTON, 2, 5), (SMALL, 0, 3), (SMALL, 0, 4), (SMALL, 0, 5),
     (BIG, 0, 1), (BIG, 0, 2)]
)  # fmt: skip
_SEAT = np.array([seat for seat, _ in INFOSETS])
_FF, _FJF, _FJC, _JFF, _JFC, _JCF, _JCC = 0, 1, 2, 5, 6, 9, 12  # first outcomes of `LINES`


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(3, 3, 13): the order of (button, small, big) when a table lists seats (i, j, the third);
    (3, 13): who wins between button and small, button and big, small and big: 0, 1 (tie), 2."""
    listed = np.zeros((3, 3, len(ORDERS)), np.int64)
    for i in range(3):
        for j in {0, 1, 2} - {i}:
            seats = (i, j, 3 - i - j)
            for w, places in enumerate(ORDERS):
                listed[i, j, w] = ORDERS.index(tuple(places[seats.index(k)] for k in range(3)))
    between = ((0, 1), (0, 2), (1, 2))
    winner = [[1 + (p[i] > p[j]) - (p[i] < p[j]) for p in ORDERS] for i, j in between]
    return listed, np.array(winner)


_LISTED, _WINNER = _tables()


@dataclass(frozen=True, eq=False)
class Deal:
    """The tables of all deals, as the kernels want them."""

    finishes: NDArray[np.uint8]  # (169, 13, 169, 169)
    weight: NDArray[np.float32]  # (169, 169, 169) the probability of a deal, per unit of finishes
    duels: Floats  # (3, 169, 169)
    hand: Floats  # (169,) the probability of each class


def deal_of(table: Equities) -> Deal:
    """From a table of equities."""
    units = table.finishes.sum(axis=1, dtype=np.int32)
    weight = np.where(units > 0, table.deals / np.maximum(units, 1), 0).astype(np.float32)
    return Deal(table.finishes, weight, table.duels, table.duels.sum(axis=(0, 2)))


@dataclass(frozen=True, eq=False)
class Play:
    """How all play in each of n states, and the sums that belong to it. Kernels change it."""

    sigma: Floats  # (n, 6, 169) the average
    beta: Floats  # (n, 6, 169) the last best response, 0 or 1 (0 before the first)
    pair: Floats  # (n, 8, 4, 13, 169) of σσ, σβ, βσ, ββ
    single: Floats  # (n, 6, 2, 3, 169) of σ, β: duels of a hand with those of one set

    def copy(self) -> Play:
        return Play(self.sigma.copy(), self.beta.copy(), self.pair.copy(), self.single.copy())


def new_play(deal: Deal, sigma: Floats) -> Play:
    """Sums for strategies (n, 6, 169) that were learnt elsewhere; quick where all fold."""
    n = len(sigma)
    play = Play(
        sigma.copy(), np.zeros_like(sigma),
        np.zeros((n, len(PAIRS), 4, len(ORDERS), HANDS)), np.zeros((n, 6, 2, 3, HANDS)),
    )  # fmt: skip
    for s in range(n):
        _begin(deal.finishes, deal.weight, deal.duels, sigma[s], play.pair[s], play.single[s])
    return play


@kernel(fastmath={"reassoc", "contract"})
def _slice(
    finishes: NDArray[np.uint8], weight: NDArray[np.float32], first: Any, second: Any,
    to: NDArray[np.int64], change: float, out_first: Floats, out_second: Floats,
) -> None:  # fmt: skip
    """Add `change` times one slice of the table, summed over z with two rows of weights."""
    for w in range(13):
        for y in range(169):
            one, two = np.float32(0), np.float32(0)
            for z in range(169):
                chance = np.float32(finishes[w, y, z]) * weight[y, z]
                one += chance * first[z]
                two += chance * second[z]
            out_first[to[w], y] += change * one
            out_second[to[w], y] += change * two


@kernel
def _begin(
    finishes: NDArray[np.uint8], weight: NDArray[np.float32], duels: Floats, sigma: Floats,
    pair: Floats, single: Floats,
) -> None:  # fmt: skip
    """The sums of (σ, σ), from nothing."""
    nothing = np.zeros((13, 169))
    for p in range(8):
        hero, x, y = PAIRS[p]
        row = sigma[y].astype(np.float32)
        for hand in range(169):
            if sigma[x, hand]:
                _slice(finishes[hand], weight[hand], row, row, _LISTED[_SEAT[x], hero],
                       sigma[x, hand], pair[p, 0], nothing)  # fmt: skip
    for k in range(6):
        for hand in range(169):
            if sigma[k, hand]:
                single[k, 0] += sigma[k, hand] * duels[:, :, hand]


@kernel
def step(
    finishes: NDArray[np.uint8], weight: NDArray[np.float32], duels: Floats, sigma: Floats,
    beta: Floats, pair: Floats, single: Floats, target: Floats, rate: float,
) -> int:  # fmt: skip
    """β becomes `target` (6, 169), then σ moves by `rate` towards it; how many hands changed."""
    changes = 0
    for k in range(6):
        for hand in range(169):
            change = target[k, hand] - beta[k, hand]
            if change == 0.0:
                continue
            changes += 1
            single[k, 1] += change * duels[:, :, hand]
            for p in range(8):
                hero, x, y = PAIRS[p]
                if k == x or k == y:
                    other = y if k == x else x
                    mixed = pair[p, 2 if k == x else 1]
                    _slice(finishes[hand], weight[hand], sigma[other].astype(np.float32),
                           beta[other].astype(np.float32), _LISTED[_SEAT[k], hero], change,
                           mixed, pair[p, 3])  # fmt: skip
            beta[k, hand] = target[k, hand]
    keep = 1.0 - rate
    for p in range(8):
        for w in range(13):
            for h in range(169):
                ss, sb, bs, bb = pair[p, 0, w, h], pair[p, 1, w, h], pair[p, 2, w, h], pair[p, 3, w, h]
                pair[p, 0, w, h] = keep * keep * ss + keep * rate * (sb + bs) + rate * rate * bb
                pair[p, 1, w, h] = keep * sb + rate * bb
                pair[p, 2, w, h] = keep * bs + rate * bb
    for k in range(6):
        for h in range(169):
            sigma[k, h] = keep * sigma[k, h] + rate * beta[k, h]
            for o in range(3):
                single[k, 0, o, h] = keep * single[k, 0, o, h] + rate * single[k, 1, o, h]
    return changes


@kernel
def outcomes(pair: Floats, single: Floats, hand: Floats, out: Floats) -> None:
    """out: (6, 2, 25, 169) joint probability of the decider's hand and an outcome, if she goes in
    (0) or folds (1) and chance and the others lead there."""
    out[:] = 0.0
    for h in range(169):
        # the button: 0 "", going in or not
        for w in range(13):
            out[0, 0, _JCC + w, h] = pair[0, 0, w, h]
            out[0, 0, _JCF + _WINNER[0, w], h] -= pair[0, 0, w, h]
            out[0, 0, _JFC + _WINNER[1, w], h] -= pair[1, 0, w, h]
            out[0, 1, _FJC + _WINNER[2, w], h] += pair[2, 0, w, h]
        rest, jammed = hand[h], 0.0
        for o in range(3):
            out[0, 0, _JCF + o, h] += single[1, 0, o, h]
            out[0, 0, _JFC + o, h] += single[4, 0, o, h]
            rest -= single[1, 0, o, h] + out[0, 0, _JFC + o, h]
            jammed += single[2, 0, o, h]
        out[0, 0, _JFF, h] = rest
        out[0, 1, _FF, h] = hand[h] - jammed
        out[0, 1, _FJF, h] = jammed - out[0, 1, _FJC, h] - out[0, 1, _FJC + 1, h] - out[0, 1, _FJC + 2, h]
        # the small blind: 1 "J", 2 "F"; the button's view of a duel turns the small blind's round
        for w in range(13):
            out[1, 0, _JCC + w, h] = pair[3, 0, w, h]
            out[1, 0, _JCF + _WINNER[0, w], h] -= pair[3, 0, w, h]
            out[1, 1, _JFC + _WINNER[1, w], h] += pair[4, 0, w, h]
            out[2, 0, _FJC + _WINNER[2, w], h] -= pair[5, 0, w, h]
        met, rest = 0.0, hand[h]  # the button has jammed, or not
        for o in range(3):
            out[1, 0, _JCF + o, h] += single[0, 0, 2 - o, h]
            out[2, 0, _FJC + o, h] += single[5, 0, o, h]
            met += single[0, 0, o, h]
            rest -= single[0, 0, o, h]
        out[1, 1, _JFF, h] = met - out[1, 1, _JFC, h] - out[1, 1, _JFC + 1, h] - out[1, 1, _JFC + 2, h]
        out[2, 0, _FJF, h] = rest - out[2, 0, _FJC, h] - out[2, 0, _FJC + 1, h] - out[2, 0, _FJC + 2, h]
        out[2, 1, _FF, h] = rest
        # the big blind: 3 "JJ", 4 "JF", 5 "FJ"
        for w in range(13):
            out[3, 0, _JCC + w, h] = pair[6, 0, w, h]
            out[3, 1, _JCF + _WINNER[0, w], h] += pair[6, 0, w, h]
            out[4, 0, _JFC + _WINNER[1, w], h] -= pair[6, 0, w, h]
            out[5, 0, _FJC + _WINNER[2, w], h] -= pair[7, 0, w, h]
        for o in range(3):
            out[4, 0, _JFC + o, h] += single[0, 0, 2 - o, h]
            out[5, 0, _FJC + o, h] += single[2, 0, 2 - o, h]
            out[4, 1, _JFF, h] += out[4, 0, _JFC + o, h]
            out[5, 1, _FJF, h] += out[5, 0, _FJC + o, h]


@kernel
def advantages(out: Floats, worth: Floats, gain: Floats) -> None:
    """gain: (6, 169) what going in is worth more than folding, times the chance to get there."""
    for k in range(6):
        seat = _SEAT[k]
        for h in range(169):
            gain[k, h] = 0.0
        for o in range(OUTCOMES):
            for h in range(169):
                gain[k, h] += (out[k, 0, o, h] - out[k, 1, o, h]) * worth[o, seat]


@kernel
def spread(out: Floats, sigma: Floats, to: Floats) -> None:
    """to: (3, 25) the probability of each outcome, if one seat plays `sigma` and the others what
    `out` was made of. Each seat alone; the big blind's decisions leave out FF."""
    to[:] = 0.0
    for k in range(6):
        for o in range(OUTCOMES):
            for h in range(169):
                to[_SEAT[k], o] += (
                    sigma[k, h] * out[k, 0, o, h] + (1.0 - sigma[k, h]) * out[k, 1, o, h]
                )
    to[2, _FF] = 1.0
    for o in range(1, OUTCOMES):
        to[2, _FF] -= to[2, o]


@kernel
def fictitious_play(
    finishes: NDArray[np.uint8], weight: NDArray[np.float32], duels: Floats, hand: Floats,
    sigma: Floats, beta: Floats, pair: Floats, single: Floats, worth: Floats,
    fixed: NDArray[np.int64], start: int, iterations: int, enough: float,
) -> tuple[int, float]:  # fmt: skip
    """Fictitious play in one state whose outcomes are worth (25, 3), until nobody gains `enough`.

    fixed: (6,) 1 always in, 0 never, −1 decides. `start`: iterations that σ already counts for.
    Returns the iterations made, and what the seat that gains most could gain in this hand."""
    out, gain = np.zeros((6, 2, OUTCOMES, 169)), np.zeros((6, 169))
    target = np.zeros((6, 169))
    t = 0
    while True:
        outcomes(pair, single, hand, out)
        advantages(out, worth, gain)
        won = np.zeros(3)
        for k in range(6):
            for h in range(169):
                if fixed[k] >= 0:
                    target[k, h] = fixed[k]
                    continue
                if gain[k, h] != 0.0:
                    target[k, h] = 1.0 if gain[k, h] > 0.0 else 0.0
                else:
                    target[k, h] = beta[k, h]
                won[_SEAT[k]] += (target[k, h] - sigma[k, h]) * gain[k, h]
        left = won.max()
        if t == iterations or (left <= enough and t > 0):
            return t, left
        t += 1
        step(finishes, weight, duels, sigma, beta, pair, single, target, 1.0 / (start + t))
