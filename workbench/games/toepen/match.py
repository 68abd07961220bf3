"""A match of Toepen: hand after hand, until all but one have too many points.

Everyday example: three friends play to fifteen. Whoever does not win the hand writes down what
she pays. With fourteen points one may not bet any more: a bet would be worth two. Who has fifteen
goes to fetch the drinks; the last one at the table has won the match.

    points     a loser gets the points that she pays in the hand; at `bound` points she is out
    betting    nobody may bet to a stake which, with her points, is more than the bound (others may
               be pushed beyond it: they may fold)
    start      the next player, in order, leads the first trick of the next hand

Le (2021, section 3.1.1) tells the full game like this, with two to eight players who may bet at any
point (`Toepen(4, 8, 4, betting="anytime", players=8)`); the thesis itself studies one hand between
two, far from the bound, where the points do not matter, and bets before one's own card, as here by
default. Sources differ elsewhere: the winner may deal
next, a player one point below the bound may start and raise ("pelt"), low hands may be exchanged.

`ToepenMatch(rules, bound).play(deciders, seed)` yields the steps of all hands (`policies.py`),
with players in the place of seats, and four more:

    kind       player               what
    hand       who starts           the players in the order of their seats
    trick      who has won it       "" (not after the last trick: then the hand is over)
    points     who won the hand     a row for each player: hand, player, starts, wins, pays, points
    out        who has too many     her points
    match      who has won          the points of all

A decider is asked with the number of her *seat*, as the rules count: 0 starts. When somebody goes
out, there are fewer seats: give {3: f, 2: g} for a player who decides by f among three and by g
between two. Her actions have the same names in every hand, so what was computed for one hand
can play a match (`wb.judge.decider(strategy, seed)` makes a decider of a strategy).

>>> def bold(player, seen, actions): return actions[0]
>>> def shy(player, seen, actions): return actions[-1]
>>> match = ToepenMatch(Toepen(suits=3, ranks=3), bound=3)
>>> for row in match.scores([bold, shy], seed=0):
...     print(*row.values())
1 0 True True 0 0
1 1 False False 1 1
2 0 False True 0 0
2 1 True False 1 2
3 0 True True 0 0
3 1 False False 1 3
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.random import Generator as Random

from workbench.games.toepen.rules import Toepen, Trick
from workbench.policies import Decider, Standing, Step, need_decider, need_random, play_hand
from workbench.rules import GameError
from workbench.settings import need_kind, need_whole

_FULL = Toepen(suits=4, ranks=8, hand=4)
Member = Decider | Mapping[int, Decider | None] | None


@dataclass(frozen=True)
class ToepenMatch:
    """Hands of `rules` to `bound` points; see help('workbench.games.toepen.match')."""

    rules: Toepen = _FULL
    bound: int = 15

    def __post_init__(self) -> None:
        if need_kind("rules of a match", self.rules, Toepen).limits is not None:
            raise GameError("the limits of a match follow from its points; leave them out")
        need_whole("toepen: bound", self.bound, 1, 1_000_000)

    def play(
        self, deciders: Sequence[Member], seed: int | Random = 0
    ) -> Generator[Step, Any, None]:
        """The events of a match; one decider for each player, None for somebody who is asked."""
        players = self.rules.players
        if len(deciders) != players:
            raise GameError(
                f"the match is for {players} players; there are {len(deciders)} deciders"
            )
        for player, member in enumerate(deciders):
            for decide in member.values() if isinstance(member, Mapping) else (member,):
                need_decider(player, decide)
            if isinstance(member, Mapping) and not {*range(2, players + 1)} <= set(member):
                raise GameError(
                    f"player {player} has deciders for {sorted(member)} players; "
                    f"the match needs all from 2 to {players}"
                )
        return self._hands(deciders, need_random(seed))

    def scores(self, deciders: Sequence[Member], seed: int | Random = 0) -> list[dict[str, Any]]:
        """Play a whole match; its score sheet, one row for each hand and player in it."""
        events = self.play(deciders, seed)
        return [row for event in events if event.kind == "points" for row in event.what]

    def opening(self) -> Standing:
        """Before the first hand: nobody has points, player 0 starts."""
        return Standing((0,) * self.rules.players, tuple(range(self.rules.players)))

    def hand_rules(self, now: Standing) -> Toepen:
        """The rules of the next hand: who is in, and how far each may bet."""
        limits = tuple(self.bound - now.points[player] for player in now.seats)
        return replace(self.rules, players=len(now.seats), limits=limits)

    def after(self, now: Standing, payoffs: Sequence[float]) -> Standing:
        """The standing after a hand with these payoffs, by seat; one player is left at the end."""
        points = list(now.points)
        for player, payoff in zip(now.seats, payoffs, strict=True):
            points[player] += int(max(-payoff, 0))
        order = now.seats[1:] + now.seats[:1]
        return Standing(tuple(points), tuple(p for p in order if points[p] < self.bound))

    def _hands(self, deciders: Sequence[Member], random: Random) -> Generator[Step, Any, None]:
        now, number = self.opening(), 0
        while len(now.seats) > 1:
            number += 1
            seats = now.seats
            yield Step("hand", seats[0], seats)
            members = [deciders[player] for player in seats]
            chosen = [one[len(seats)] if isinstance(one, Mapping) else one for one in members]
            payoffs = yield from _hand(play_hand(self.hand_rules(now), chosen, random), seats)
            now = self.after(now, payoffs)
            rows = [
                {
                    "hand": number,
                    "player": player,
                    "starts": player == seats[0],
                    "wins": payoff > 0,
                    "pays": int(max(-payoff, 0)),
                    "points": now.points[player],
                }
                for player, payoff in sorted(zip(seats, payoffs, strict=True))
            ]
            yield Step("points", seats[payoffs.index(max(payoffs))], rows)
            for player in seats:
                if player not in now.seats:
                    yield Step("out", player, now.points[player])
        yield Step("match", now.seats[0], now.points)


def _hand(
    hand: Generator[Step, Any, None], seats: Sequence[int]
) -> Generator[Step, Any, tuple[float, ...]]:
    """The events of one hand, told of players instead of seats; returns the payoffs."""
    answer: Any = None
    trick: Trick = ()
    while (event := hand.send(answer)).kind != "over":
        answer = yield event._replace(player=seats[event.player] if event.player >= 0 else -1)
        before, (stakes, _, _, trick, *_) = trick, event.state
        if before and not trick and stakes.end is None:
            yield Step("trick", seats[stakes.next_card])
    payoffs: tuple[float, ...] = event.what
    return payoffs
