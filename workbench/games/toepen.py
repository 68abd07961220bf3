"""Toepen: a Dutch game of tricks in which only the last trick counts, and anybody may raise.

Everyday example: two players hold two cards each. The first leads the 9♥, the second must follow
with the 10♥ and wins the trick, so she leads the last one. She knocks on the table: "one more
point". A first player who doubts that the last trick can be taken folds and pays one point; one
who calls and loses pays two.

    deck       `suits` suits of the `ranks` highest ranks; 10 9 8 7 A K Q J, the ten is highest
    deal       `hand` cards each, all at once; player 1 leads
    trick      the other follows suit if she can, and wins with a higher card of the led suit only;
               the winner leads the next trick, the winner of the last one wins the hand
    betting    before playing a card its player may "bet" or "check", unless she was the last to
               bet; the other answers "call" or "fold"
    payoffs    1 point and 1 for every call; who folds pays the points before the bet

`seen` is (the hand she was dealt, the table): ("10♠ 9♥", "check 9♠ bet") is a player who led
the 9♠ and faces a bet; a slash ends a trick. With betting="leader" only the player who leads a
trick may bet before it, with betting=False nobody. Without `follow_suit` every card may be
played to every trick: that is the game behind the published sizes with betting (Le 2021).

With `suit_isomorphism` suits have no names. Every player calls her suits by the order in which
they matter to her: of all ways to rename the suits, she takes those under which her hand comes
first in the order of the deck, then the cards on the table, one after the other. Deals that
differ by a renaming are merged. Cards that two of these ways exchange look alike to her: they
are one action, and chance picks the real card. It is the same game, only smaller.

>>> toepen = Toepen(suits=2, ranks=3)
>>> state = toepen.next(toepen.start(), "10♠ 9♥ | 9♠ 10♥")
>>> for action in ["check", "9♥", "check", "10♥", "bet"]:
...     state = toepen.next(state, action)
>>> toepen.node(state)
Decision(player=0, seen=('10♠ 9♥', 'check 9♥ check 10♥ / bet'), actions=('call', 'fold'))
>>> toepen.node(toepen.next(state, "fold"))
Terminal(payoffs=(-1.0, 1.0))
>>> for action in ["call", "9♠", "bet", "call", "10♠"]:
...     state = toepen.next(state, action)
>>> toepen.node(state)
Terminal(payoffs=(3.0, -3.0))
>>> len(toepen.node(toepen.start()).probabilities)
90
>>> len(Toepen(suits=2, ranks=3, suit_isomorphism=True).node(toepen.start()).probabilities)
48
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import ClassVar, NamedTuple

from workbench.games.options import full_name, require_bool, require_whole
from workbench.rules import Chance, Decision, GameError, Node, Terminal

__all__ = ["Toepen"]

_RANKS = ("10", "9", "8", "7", "A", "K", "Q", "J")  # from high to low
_SUITS = "♠♥♦♣"
_MOST_DEALS = 5_000_000  # what chance can list one by one

Cards = tuple[int, ...]  # a card is its place in the deck: suit by suit, from high to low
Views = tuple[Cards, ...]  # ways to rename the suits: the new name of every card of the deck

_DEAL, _BET, _ANSWER, _PLAY, _DRAW, _OVER = range(6)  # what happens next


class State(NamedTuple):
    """A moment of the hand; pairs are (player 0's, player 1's)."""

    phase: int
    player: int = 0  # who acts; when all is over, who has won
    hands: tuple[Cards, Cards] = ((), ())  # the cards still held
    views: tuple[Views, Views] = ((), ())  # the renamings that each cannot tell apart
    dealt: tuple[str, str] = ("", "")  # the hand at the beginning, as its owner calls it
    table: tuple[str, str] = ("", "")  # what happened since, as each player calls it
    led: int = -1  # the card to follow; -1: the player leads
    stake: int = 1
    bettor: int = -1  # who was the last to bet
    drawn: Cards = ()  # the cards among which chance picks


@dataclass(frozen=True)
class Toepen:
    """One hand of Toepen for two players; see the first lines of this file."""

    suits: int = 3
    ranks: int = 3
    hand: int = 2
    betting: bool | str = True
    follow_suit: bool = True
    suit_isomorphism: bool = False

    players: ClassVar[int] = 2

    def __post_init__(self) -> None:
        require_whole("toepen", "suits", self.suits, 1, len(_SUITS))
        require_whole("toepen", "ranks", self.ranks, 1, len(_RANKS))
        require_whole("toepen", "hand", self.hand, 1, len(_SUITS) * len(_RANKS) // 2)
        if not isinstance(self.betting, bool) and self.betting != "leader":
            raise GameError(
                f"toepen: betting must be True, False or 'leader', not {self.betting!r}"
            )
        require_bool("toepen", "follow_suit", self.follow_suit)
        require_bool("toepen", "suit_isomorphism", self.suit_isomorphism)
        if 2 * self.hand > self.suits * self.ranks:
            raise GameError(
                f"toepen: two hands of {self.hand} need {2 * self.hand} cards, {self.suits} suits "
                f"of {self.ranks} ranks give {self.suits * self.ranks}; take more suits or ranks, "
                "or smaller hands"
            )

    @property
    def name(self) -> str:
        return full_name("toepen", self)

    @property
    def deck(self) -> tuple[str, ...]:
        """The names of the cards: suit by suit, from high to low."""
        return _deck(self.suits, self.ranks)

    def start(self) -> State:
        return State(_DEAL)

    def node(self, state: State) -> Node:
        phase, player = state.phase, state.player
        if phase == _PLAY:
            names = self.deck
            actions = tuple([names[label] for label in sorted(self._playable(state))])
        elif phase == _BET:
            actions = ("bet", "check")
        elif phase == _ANSWER:
            actions = ("call", "fold")
        elif phase == _OVER:
            won = float(state.stake)
            return Terminal((won, -won) if player == 0 else (-won, won))
        elif phase == _DRAW:
            return Chance({self.deck[card]: 1 / len(state.drawn) for card in state.drawn})
        else:
            return self._deals()
        return Decision(player, (state.dealt[player], state.table[player]), actions)

    def next(self, state: State, action: str) -> State:
        phase, player, hands, views, dealt, table, led, stake, bettor, _ = state
        if phase == _PLAY:
            cards = hands[player]
            if len(cards) > 1:
                cards = self._playable(state)[_places(self.suits, self.ranks)[action]]
            if len(cards) > 1:
                return state._replace(phase=_DRAW, drawn=cards)
            return self._played(state, cards[0])
        if phase == _DRAW:
            return self._played(state, _places(self.suits, self.ranks)[action])
        if phase == _DEAL:
            return self._dealt(action)
        ours = _add(table[0], action)
        table = (ours, ours if table[0] is table[1] else _add(table[1], action))
        if action == "bet":
            return State(_ANSWER, 1 - player, hands, views, dealt, table, led, stake, player)
        if action == "fold":
            return State(_OVER, bettor, stake=stake)
        if action == "call":  # now the bettor plays her card
            return State(_PLAY, bettor, hands, views, dealt, table, led, stake + 1, bettor)
        return State(_PLAY, player, hands, views, dealt, table, led, stake, bettor)

    def _deals(self) -> Chance:
        """Both hands at once. Deals that are the same up to the names of suits are one."""
        cards, hand = self.suits * self.ranks, self.hand
        total = comb(cards, hand) * comb(cards - hand, hand)
        if total > _MOST_DEALS:
            raise GameError(
                f"{self.name!r} has {total:,} deals, too many to list; take fewer suits or ranks, "
                "or smaller hands"
            )
        deck, ways = self.deck, _renamings(self.suits, self.ranks, self.suit_isomorphism)
        deals = {}
        for first, left in _smallest(tuple(range(cards)), hand, ways):
            rest = tuple(card for card in range(cards) if card not in first)
            for second, same in _smallest(rest, hand, left):
                text = " | ".join(" ".join(deck[card] for card in held) for held in (first, second))
                deals[text] = len(ways) / len(same) / total
        return Chance(deals)

    def _dealt(self, deal: str) -> State:
        """The first decision after a deal such as "10♠ 9♥ | 9♠ 10♥"."""
        deck, places = self.deck, _places(self.suits, self.ranks)
        ways = _renamings(self.suits, self.ranks, self.suit_isomorphism)
        hands, views, dealt = [], [], []
        for text in deal.split(" | "):
            hands.append(tuple(sorted(places[card] for card in text.split())))
            held, same = _rename(hands[-1], ways)
            views.append(same)
            dealt.append(" ".join(deck[card] for card in held))
        return State(
            _BET if self.betting else _PLAY,
            hands=(hands[0], hands[1]),
            views=(views[0], views[1]),
            dealt=(dealt[0], dealt[1]),
        )

    def _playable(self, state: State) -> dict[int, Cards]:
        """What the player may play: the name she gives a card -> the cards that she calls so."""
        hand, led, ranks = state.hands[state.player], state.led, self.ranks
        views = state.views[state.player]
        if led >= 0 and len(hand) > 1 and self.follow_suit:
            hand = tuple([card for card in hand if card // ranks == led // ranks]) or hand
        if len(views) == 1:
            way = views[0]
            return {way[card]: (card,) for card in hand}
        alike: dict[int, Cards] = {}
        for card in hand:
            label = min([way[card] for way in views])
            alike[label] = (*alike.get(label, ()), card)
        return alike

    def _played(self, state: State, card: int) -> State:
        """The state after a card: the other player's turn, or the next trick, or the end."""
        _, player, hands, views, dealt, table, led, stake, bettor, _ = state
        left = tuple([held for held in hands[player] if held != card])
        hands = (left, hands[1]) if player == 0 else (hands[0], left)
        if led < 0:
            follow, end = card, ""
            player = 1 - player
        else:
            follow, end = -1, " /"
            if card > led or card // self.ranks != led // self.ranks:  # a trick of the leader
                player = 1 - player
            if not left:
                return State(_OVER, player, stake=stake)
        first, ours = self._look(views[0], table[0], card, end)
        if views[0] is views[1]:  # both use the same names
            views, table = (first, first), (ours, ours)
        else:
            second, theirs = self._look(views[1], table[1], card, end)
            views, table = (first, second), (ours, theirs)
        may_bet = self.betting and bettor != player and (self.betting is True or follow < 0)
        phase = _BET if may_bet else _PLAY
        return State(phase, player, hands, views, dealt, table, follow, stake, bettor)

    def _look(self, ways: Views, table: str, card: int, end: str) -> tuple[Views, str]:
        """A player sees a card: the renamings that are left to her, and the table."""
        label = ways[0][card]
        if len(ways) > 1:
            label = min([way[card] for way in ways])
            ways = tuple([way for way in ways if way[card] == label])
        return ways, _add(table, self.deck[label]) + end


def _add(text: str, word: str) -> str:
    return f"{text} {word}" if text else word


@cache
def _deck(suits: int, ranks: int) -> tuple[str, ...]:
    return tuple(rank + suit for suit in _SUITS[:suits] for rank in _RANKS[:ranks])


@cache
def _places(suits: int, ranks: int) -> dict[str, int]:
    return {card: place for place, card in enumerate(_deck(suits, ranks))}


@cache
def _renamings(suits: int, ranks: int, isomorphism: bool) -> Views:
    """All ways to rename the suits; without isomorphism the only one is to leave them."""
    orders = permutations(range(suits)) if isomorphism else [tuple(range(suits))]
    return tuple(
        tuple(order[suit] * ranks + rank for suit in range(suits) for rank in range(ranks))
        for order in orders
    )


def _rename(cards: Cards, ways: Views) -> tuple[Cards, Views]:
    """The first hand, in the order of the deck, that `cards` can be renamed to, and the ways."""
    if len(ways) == 1:
        return tuple(sorted([ways[0][card] for card in cards])), ways
    renamed = [tuple(sorted([way[card] for card in cards])) for way in ways]
    least = min(renamed)
    return least, tuple(way for way, hand in zip(ways, renamed, strict=True) if hand == least)


def _smallest(cards: Cards, hand: int, ways: Views) -> Iterator[tuple[Cards, Views]]:
    """One out of all hands that `ways` turn into each other, and the ways that leave it alone."""
    for held in combinations(cards, hand):
        least, same = _rename(held, ways)
        if least == held:
            yield held, same
