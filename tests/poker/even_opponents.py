"""What can be won from an opponent whose moves do not depend on her cards: a twin by other means.

Against her every hand meets a random one, so all that counts on the river is how many of the 990
hands it beats (holdem_tables.py), one of 1,981 numbers. What a round is worth depends on that
number and on what is in the pot; rounds before are means over the next card. No reach, no buckets,
no matrices, betting by its text.
"""

from functools import cache

import numpy as np

import workbench as wb
from workbench.kernels import kernel
from workbench.poker.cards.board_sets import CARDS, MOVED, board_sets, find, masks_of, unpack
from workbench.poker.response.flop_response import by_class
from workbench.poker.response.real_response import flop_cards
from workbench.poker.strength.holdem_tables import holdem_tables

RULES = wb.load_game("limit_holdem")


class Even:
    """Seat 1 - `seat` plays f, c and r with these weights."""

    def __init__(self, weights, seat):
        self.weights, self.seat = dict(zip("fcr", weights, strict=True)), seat

    def _round(self, number, paid, end, text=""):
        """What the responder wins in a round that begins with so much paid by each."""
        calm = "cc/" * number
        at = RULES.betting.follow(calm + text)
        before = 0 if number == 0 else max(RULES.betting.follow(calm).paid)
        if at.folded >= 0:
            stake = min(at.paid) - before + paid
            return (-stake if at.folded == self.seat else stake) + 0.0
        if at.player < 0:
            return end(text, at.paid[0] - before + paid)
        below = {a: lambda a=a: self._round(number, paid, end, text + a) for a in at.actions}
        if at.player == self.seat:
            return np.maximum.reduce(np.broadcast_arrays(*[below[a]() for a in at.actions]))
        weights = {a: self.weights[a] for a in at.actions}
        if not any(weights.values()):
            weights["c"] = 1
        total = sum(weights.values())
        return sum(w / total * below[a]() for a, w in weights.items() if w)

    @cache  # noqa: B019
    def river(self, paid):
        """(1981,) by 2 · wins + ties."""
        ahead = (np.arange(1981) - 990) / 990
        return self._round(3, paid, lambda text, stake: stake * ahead)

    def pots(self, number, paid):
        """What may be paid when the next round begins."""
        found = {}
        self._round(number, paid, lambda text, stake: found.setdefault(text, stake))
        return sorted({*found.values()})

    def turns(self, turns):
        """(turn boards, 1326) for each pot, from the turn on; turns: (n,) canonical boards."""
        pots = [paid for one in self.pots(0, 0) for paid in self.pots(1, one)]
        pots = sorted({*pots})
        ends = sorted({later for paid in pots for later in self.pots(2, paid)})
        table = np.array([self.river(paid) for paid in ends])
        means = np.empty((len(ends), len(turns), 1326))
        codes = board_sets(4).code[turns], board_sets(5).code
        _means(*codes, MOVED, holdem_tables().river, table, means)
        return {
            paid: self._round(2, paid, lambda text, stake: means[ends.index(stake)])
            for paid in pots
        }

    def all_turns(self):
        """The same for all boards, in pieces that fit into memory."""
        pieces = [self.turns(some) for some in np.array_split(np.arange(16_432), 40)]
        return {
            paid: np.concatenate([one[paid].astype(np.float32) for one in pieces])
            for paid in pieces[0]
        }

    def flop(self, cards, after=None):
        """(1326,) for each pot, what hands win on one flop; nan where they share a card."""
        free = [card for card in range(52) if card not in cards]
        found = [board_sets(4).find(masks_of((*cards, card))) for card in free]
        if after is None:
            numbers = sorted({at for at, _ in found})
            found = [(numbers.index(at), g) for at, g in found]
            after = self.turns(np.array(numbers))
        fits = np.array([~(card == CARDS).any(axis=1) for card in free])
        blocked = np.isin(CARDS, cards).any(axis=1)

        def end(text, stake):
            values = np.array([after[stake][at, MOVED[g]] for at, g in found])
            return np.where(blocked, np.nan, np.where(fits, values, 0).sum(axis=0) / 47)

        return {paid: self._round(1, paid, end) for paid in self.pots(0, 0)}


@kernel
def _means(turns, rivers, moved, wins, table, out):
    masks = np.empty(4, np.int64)
    for at in range(len(turns)):
        unpack(turns[at], masks)
        out[:, at] = 0.0
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            board, renaming = find(rivers, masks)
            masks[suit] ^= bit
            for pair in range(moved.shape[1]):
                value = wins[board, moved[renaming, pair]]
                if value <= 1980:
                    for k in range(len(table)):
                        out[k, at, pair] += table[k, value] / 46


def records(opponent, weights, numbers=range(1755)):
    """The records of flops, as real_response.py sums them, by this twin."""
    ends = RULES.betting.rounds[0].ends
    pots = [RULES.betting.follow(end).paid[0] for end in ends]
    numbers = [*numbers]
    values = np.zeros((len(numbers), 2, 169, len(ends)))
    for seat in (0, 1):
        even, reach = Even(weights, seat), opponent.reach(1 - seat, ())[0]
        after = even.all_turns() if len(numbers) > 400 else None
        for k, number in enumerate(numbers):
            on_flop = even.flop(flop_cards(number), after)
            for s, paid in enumerate(pots):
                if reach[s] and paid in on_flop:
                    won = 1081 * opponent.chance[1] * reach[s] * np.nan_to_num(on_flop[paid])
                    values[k, seat, :, s] = by_class(won[:, None])[:, 0]
    return dict(zip(numbers, values, strict=True))
