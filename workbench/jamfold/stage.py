"""One hand of a jam/fold tournament: where every decision leads, and fictitious play in one state.

Given how all three play, each hand h of the player who decides leads to each of the 25 outcomes
with some probability, if she goes in and if she folds: `outcomes`. None of these numbers depends on
what an outcome is worth: the same ones serve fictitious play, policy iteration and the ex-post
check. They are put together from sums over the hands of the others.

Strategies are probabilities of going in, one row of 169 hands for each of the six information sets
(`tournament.INFOSETS`): σ (6, 169). For every hand h of the player who decides, the probabilities
of the orders w of a showdown are sums over the other two players' hands y and z,

    F_w[h] = Σ_y Σ_z  P(h, y, z) · P(order w | h, y, z) · σ_x(y) · σ_x'(z)

for the pairs (x, x') of information sets whose two players decide after each other: three pairs
that may end in a showdown of three (`THREE`, 13 orders) and five in one of two (`TWO`, 3 orders).
Sums over one other hand (`single`) say the rest.

4.8 million triples make F dear, and fictitious play asks for it a thousand times. But there
strategies change in a simple way: the average σ moves towards a best response β, and β changes in
a few hands. F is bilinear, so four sums are kept for each pair, of (σ, σ), (σ, β), (β, σ) and
(β, β): a hand that changes in β costs one slice of the table (0.1 ms), and a step
σ ← (1 − λ) σ + λ β costs nothing but adding up.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.equity_tables import ORDERS, WINNER, Equities, equities, moved_orders
from workbench.jamfold.tournament import BIG, BUTTON, INFOSETS, LINES, OUTCOMES, SMALL
from workbench.kernels import kernel
from workbench.poker.cards.hand_classes import HANDS

Bytes = NDArray[np.uint8]
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# the seat whose hand is h, and the information sets of the other two
THREE = np.array([(BUTTON, 1, 3), (SMALL, 0, 3), (BIG, 0, 1)])
TWO = np.array([(BUTTON, 1, 4), (BUTTON, 2, 5), (SMALL, 0, 4), (SMALL, 0, 5), (BIG, 0, 2)])
POT = np.array([(BUTTON, BIG), (SMALL, BIG), (BUTTON, BIG), (SMALL, BIG), (SMALL, BIG)])  # of TWO
SEAT = np.array([seat for seat, _ in INFOSETS])


def _listed() -> Ints:
    """(3, 3, 13): the order of (button, small, big) when a table lists seats (i, j, the third)."""
    listed = np.zeros((3, 3, len(ORDERS)), np.int64)
    for p, moved in moved_orders().items():
        listed[p.index(0), p.index(1)] = moved
    return listed


_LISTED = _listed()


@dataclass(frozen=True, eq=False)
class DealTables:
    """The tables of all deals, as the kernels want them."""

    table: Equities  # they are made of
    finishes: Bytes  # (169, 13, 169, 169) hand h against y and z: the orders, in 255ths
    between: Bytes  # (169, 3, 3, 169, 169) who wins between h and y, h and z, y and z
    weight: Singles  # (169, 169, 169) the probability of a deal, per 255th
    duels: Floats  # (2, 3, 169, 169) of two hands, and that the first one wins, ties, loses
    hand: Floats  # (2, 169) the probability of each class


@lru_cache(maxsize=1)
def deal_of(table: Equities | None = None) -> DealTables:
    """From a table of equities, the one that comes along if none is given: a second, and 200 MB.

    Duels are there twice. With a third player at the table they are what the table of three hands
    says, summed over the third hand: so all seats see the same pots, to the last digit. Between
    the last two players they are exact."""
    table = equities() if table is None else table
    finishes = table.finishes
    between = np.zeros((HANDS, 3, 3, HANDS, HANDS), np.uint8)
    for w in range(len(ORDERS)):
        for pot in range(3):
            between[:, pot, WINNER[pot, w]] += finishes[:, w]
    units = between[:, 0].sum(axis=1, dtype=np.uint16)
    weight = (table.deals / np.maximum(units, 1)).astype(np.float32)
    duels = np.empty((2, 3, HANDS, HANDS))
    for h in range(HANDS):
        duels[0, :, h] = (between[h, 0] * weight[h].astype(float)).sum(axis=2)
    duels[1] = table.duels
    return DealTables(table, finishes, between, weight, duels, duels.sum(axis=(1, 3)))


@dataclass(frozen=True, eq=False)
class Play:
    """How all play in each of n states, and the sums that belong to it. Kernels change it."""

    deal: DealTables
    last: Ints  # (n,) 1: the last two players, 0: three
    sigma: Floats  # (n, 6, 169) the average
    beta: Floats  # (n, 6, 169) the last best response
    three: Floats  # (n, 3, 4, 13, 169) of σσ, σβ, βσ, ββ
    two: Floats  # (n, 5, 4, 3, 169)
    single: Floats  # (n, 6, 2, 3, 169) of σ, β: duels of a hand with those of one set

    def copy(self) -> "Play":
        return self.at(np.arange(len(self.sigma)))

    def at(self, states: Ints) -> "Play":
        """A copy of these states."""
        return Play(self.deal, *(part[states] for part in list(vars(self).values())[1:]))


def play_of(deal: DealTables, sigma: Floats, last: Ints, beta: Floats | None = None) -> Play:
    """The sums for strategies (n, 6, 169); `beta`: the last responses, else σ itself."""
    n = len(sigma)
    play = Play(
        deal, last, np.zeros_like(sigma), np.zeros_like(sigma),
        np.zeros((n, 3, 4, len(ORDERS), HANDS)), np.zeros((n, 5, 4, 3, HANDS)),
        np.zeros((n, 6, 2, 3, HANDS)),
    )  # fmt: skip
    for s in range(n):
        move(play, s, sigma[s], 1.0)
        if beta is not None:
            move(play, s, beta[s], 0.0)
    return play


def new_play(deal: DealTables, fixed: Ints, last: Ints) -> Play:
    """Everybody goes in with the better third of all hands, in n states; fixed: (n, 6), see
    `fictitious_play`."""
    strength = deal.duels[1, 0].sum(axis=1) / deal.hand[1]
    better = np.argsort(-strength)
    sigma = np.zeros((2, len(INFOSETS), HANDS))
    sigma[:, :, better[np.cumsum(deal.hand[1, better]) <= 1 / 3]] = 1.0
    kinds, which = np.unique(np.c_[last, fixed], axis=0, return_inverse=True)  # alike at first
    play = play_of(deal, sigma, np.arange(2)).at(kinds[:, 0])
    for s, held in enumerate(kinds[:, 1:, None]):
        move(play, s, np.where(held >= 0, held, sigma[0]), 1.0)
    return play.at(which.ravel())


def move(play: Play, s: int, target: Floats, rate: float) -> None:
    """In state s, β becomes `target` (6, 169), and σ moves by `rate` towards it."""
    deal = play.deal
    _move(deal.finishes, deal.between, deal.weight, deal.duels[play.last[s]], play.sigma[s],
          play.beta[s], play.three[s], play.two[s], play.single[s], target, rate)  # fmt: skip


@kernel(fastmath={"reassoc", "contract"})
def _sums(slab: Bytes, weight: Singles, rows: Singles, out: Singles) -> None:
    """out: (4, w, 169), the table's slab (w, 169, 169) of one hand summed over its last axis with
    four rows of weights (4, 169) at once."""
    for w in range(len(slab)):
        for y in range(169):
            a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
            for z in range(169):
                chance = np.float32(slab[w, y, z]) * weight[y, z]
                a += chance * rows[0, z]
                b += chance * rows[1, z]
                c += chance * rows[2, z]
                d += chance * rows[3, z]
            out[0, w, y], out[1, w, y], out[2, w, y], out[3, w, y] = a, b, c, d


@kernel
def _change(
    finishes: Bytes, between: Bytes, weight: Singles, sigma: Floats, beta: Floats,
    three: Floats, two: Floats, k: int, change: float, rows: Singles, out: Singles,
) -> None:  # fmt: skip
    """One hand of β changes at set k: the sums that it is part of. The tables are that hand's."""
    seat, n = SEAT[k], 0
    for p in range(3):  # two of the three, or none
        if k == THREE[p, 1] or k == THREE[p, 2]:
            other = THREE[p, 2] if k == THREE[p, 1] else THREE[p, 1]
            for h in range(169):  # to compile a slice would take four seconds
                rows[n, h], rows[n + 1, h] = sigma[other, h], beta[other, h]
            n += 2
    if n:
        _sums(finishes, weight, rows, out)
        n = 0
        for p in range(3):
            if k == THREE[p, 1] or k == THREE[p, 2]:
                mixed, to = 2 if k == THREE[p, 1] else 1, _LISTED[seat, THREE[p, 0]]
                for w in range(13):
                    for h in range(169):
                        three[p, mixed, to[w], h] += change * out[n, w, h]
                        three[p, 3, to[w], h] += change * out[n + 1, w, h]
                n += 2
    for q in range(5):
        if k == TWO[q, 1] or k == TWO[q, 2]:
            hero, other = TWO[q, 0], TWO[q, 2] if k == TWO[q, 1] else TWO[q, 1]
            for h in range(169):
                rows[0, h], rows[1, h] = sigma[other, h], beta[other, h]
            first = 0 if POT[q, 0] == seat else 1 if POT[q, 0] == hero else 2  # places in the table
            second = 0 if POT[q, 1] == seat else 1 if POT[q, 1] == hero else 2
            _sums(between[first + second - 1], weight, rows, out[:, :3])
            mixed = 2 if k == TWO[q, 1] else 1
            for o in range(3):
                turned = o if first < second else 2 - o
                for h in range(169):
                    two[q, mixed, turned, h] += change * out[0, o, h]
                    two[q, 3, turned, h] += change * out[1, o, h]


@kernel
def _average(sums: Floats, rate: float) -> None:
    """The sums (pairs, 4, w, 169) after σ has moved by `rate` towards β."""
    keep = 1.0 - rate
    for p in range(len(sums)):
        for w in range(sums.shape[2]):
            ss, sb, bs, bb = sums[p, 0, w], sums[p, 1, w], sums[p, 2, w], sums[p, 3, w]
            for h in range(169):
                ss[h] = keep * keep * ss[h] + keep * rate * (sb[h] + bs[h]) + rate * rate * bb[h]
                sb[h] = keep * sb[h] + rate * bb[h]
                bs[h] = keep * bs[h] + rate * bb[h]


@kernel
def _move(
    finishes: Bytes, between: Bytes, weight: Singles, duels: Floats, sigma: Floats, beta: Floats,
    three: Floats, two: Floats, single: Floats, target: Floats, rate: float,
) -> None:  # fmt: skip
    rows, out = np.zeros((4, 169), np.float32), np.empty((4, 13, 169), np.float32)
    for k in range(6):
        mean, now = single[k, 0], single[k, 1]
        for hand in range(169):
            change = target[k, hand] - beta[k, hand]
            if change != 0.0:
                for o in range(3):
                    for h in range(169):
                        now[o, h] += change * duels[o, h, hand]
                _change(finishes[hand], between[hand], weight[hand], sigma, beta, three, two, k,
                        change, rows, out)  # fmt: skip
                beta[k, hand] = target[k, hand]
        for o in range(3):
            for h in range(169):
                mean[o, h] += rate * (now[o, h] - mean[o, h])
    for k in range(6):  # above, sums change by the old σ
        for h in range(169):
            sigma[k, h] += rate * (beta[k, h] - sigma[k, h])
    _average(three, rate)
    _average(two, rate)


# ---- outcomes ------------------------------------------------------------------------------


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
        gain[k] = 0.0
        for o in range(OUTCOMES):
            for h in range(169):
                gain[k, h] += (out[k, 0, o, h] - out[k, 1, o, h]) * worth[o, SEAT[k]]


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
