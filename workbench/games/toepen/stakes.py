"""The words of Toepen: who is in, for how much, and what is asked of whom.

Everyday example: three play for one point. The first knocks on the table ("bet"): two points. The
second stays in ("call"), the third lays down her cards ("fold") and pays the one point that was at
stake before. If the second had folded too, the first would have won both their points at once.

All of this is public and has nothing to do with the cards, so that every deal shares it: `Stakes`
are made once, and know what they become.

>>> stakes = opening(players=3).to_bet[0]
>>> stakes.player, stakes.words
(0, ('bet', 'check'))
>>> stakes = stakes.after["bet"].after["call"]
>>> stakes.player, stakes.words
(2, ('call', 'fold'))
>>> stakes = stakes.after["fold"]
>>> stakes.player, stakes.words, stakes.stake, stakes.paid
(0, (), 2, (0, 0, 1))
>>> stakes.won_by[1].end
Terminal(payoffs=(-2.0, 3.0, -1.0))

Where anybody may bet at any point, all who may are asked before every card, beginning with the
player whose card it is (`before_card`); after a bet that was called they are asked again.

>>> stakes = opening(players=3).before_card(1, limits=(15, 15, 15)).after["check"]
>>> stakes.player, stakes.words, stakes.next_card
(2, ('bet', 'check'), 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from workbench.rules import Terminal

_DEAL, _BET, _CHECK, _ANSWER, _PLAY, _OVER, _AGAIN = range(7)  # what happens next
_WORDS = {_BET: ("bet", "check"), _CHECK: ("check",), _ANSWER: ("call", "fold")}


def _for_all(asks: int) -> cached_property[tuple[Stakes, ...]]:
    """For every seat the stakes in which she is asked this."""

    def stakes(now: Stakes) -> tuple[Stakes, ...]:
        seats = range(len(now.paid))
        return tuple(_stakes(asks, seat, now.stake, now.bettor, now.paid) for seat in seats)

    return cached_property(stakes)


@dataclass(frozen=True, eq=False)
class Stakes:
    """A moment of the betting; see the first lines of this file."""

    asks: int
    player: int  # who is asked; when all is over, who has won
    stake: int  # what it costs to lose; a bet counts when all have answered it
    bettor: int  # who was the last to bet, -1: nobody
    paid: tuple[int, ...]  # what each has paid who folded; 0: she is in
    asked: tuple[int, ...] = ()  # who is asked the same after the player, in order
    turn: int = -1  # whose card comes next, where anybody may bet before it; -1: see `next_card`

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What the player may say; nothing if she has to play a card."""
        return _WORDS.get(self.asks, ())

    @cached_property
    def after(self) -> dict[str, Stakes]:
        """What the stakes become with each of the words."""
        return {word: self._after(word) for word in self.words}

    def _after(self, word: str) -> Stakes:
        player, stake, bettor = self.player, self.stake, self.bettor
        paid, asked, turn = self.paid, self.asked, self.turn
        if word == "check":
            if asked:
                return _stakes(_BET, asked[0], stake, bettor, paid, asked[1:], turn)
            return _stakes(_PLAY, self.next_card, stake, bettor, paid)
        if word == "bet":
            others, seat = [], self.next_in[player]
            while seat != player:
                others.append(seat)
                seat = self.next_in[seat]
            return _stakes(_ANSWER, others[0], stake, player, paid, tuple(others[1:]), turn)
        if word == "fold":
            paid = (*paid[:player], stake, *paid[player + 1 :])
        if asked:
            return _stakes(_ANSWER, asked[0], stake, bettor, paid, asked[1:], turn)
        if paid.count(0) == 1:  # the last one standing wins at once
            return _stakes(_OVER, bettor, stake, bettor, paid)
        if turn >= 0:
            return _stakes(_AGAIN, turn, stake + 1, bettor, paid)
        return _stakes(_PLAY, bettor, stake + 1, bettor, paid)  # now the bettor plays her card

    def before_card(self, turn: int, limits: tuple[int, ...]) -> Stakes:
        """Everybody may bet before this player's card, but who did last, or is at her limit."""
        seats = [turn]
        while (seat := self.next_in[seats[-1]]) != turn:
            seats.append(seat)
        may = [s for s in seats if s != self.bettor and self.stake < limits[s]]
        if not may:
            return self.to_play[turn]
        return _stakes(_BET, may[0], self.stake, self.bettor, self.paid, tuple(may[1:]), turn)

    @property
    def bets_again(self) -> bool:
        """True when a bet has been answered and everybody may bet again (or has to play on)."""
        return self.asks == _AGAIN

    @property
    def next_card(self) -> int:
        """Whose card comes next; when all is over, who has won."""
        return self.turn if self.turn >= 0 else self.player

    to_play = _for_all(_PLAY)  # it is her turn to play a card
    to_bet = _for_all(_BET)  # the same, and she may bet before
    to_check = _for_all(_CHECK)  # the same, and she might bet, but for a limit
    won_by = _for_all(_OVER)  # she has won the hand

    @cached_property
    def next_in(self) -> tuple[int, ...]:
        """For every seat the next one that is in."""
        seats = range(len(self.paid))
        order = [seat for seat in seats if not self.paid[seat]]
        return tuple(next((s for s in order if s > seat), order[0]) for seat in seats)

    @cached_property
    def end(self) -> Terminal | None:
        """When all is over, the payoffs: the winner gets what every other pays."""
        if self.asks != _OVER:
            return None
        payoffs = [float(-(paid or self.stake)) for paid in self.paid]
        payoffs[self.player] = 0.0
        payoffs[self.player] = -sum(payoffs)
        return Terminal(tuple(payoffs))


_stakes = cache(Stakes)  # equal stakes are one object


def opening(players: int) -> Stakes:
    """The stakes before the deal."""
    return _stakes(_DEAL, 0, 1, -1, (0,) * players)
