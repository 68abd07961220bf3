"""Toepen: a Dutch game of tricks in which only the last trick counts, and anybody may raise.

Everyday example: two players hold two cards each. The first leads the 9♥, the second must follow
with the 10♥ and wins the trick, so she leads the last one. She knocks on the table: "one more
point". A first player who doubts that the last trick can be taken folds and pays one point; one
who calls and loses pays two.

    deck       `suits` suits of the `ranks` highest ranks; 10 9 8 7 A K Q J, the ten is highest
    deal       `hand` cards to each of `players` players, all at once; the first one leads
    trick      the others, in order, follow suit if they can; the highest card of the led suit
               wins, its player leads the next trick, the winner of the last one wins the hand
    betting    before playing a card its player may "bet" or "check", unless she was the last to
               bet; every other player answers, in order, "call" or "fold"
    fold       who folds is out; her card on the table still tells the suit, but wins no trick (if
               nobody who is in has the suit, the first of them to play wins it); the last one
               standing wins at once
    payoffs    a loser pays 1 point and 1 for every bet that was called, who folded pays the points
               before that bet; the winner collects it all

`seen` is (the hand she was dealt, the table): ("10♠ 9♥", "check 9♠ bet") is a player who led
the 9♠ and faces a bet; a slash ends a trick. Decks with too many deals to list one by one can be
played and sampled: `draw` deals at random. With betting="leader" only the player who leads a
trick may bet before it, with betting=False nobody. With betting="anytime" everybody may bet at any
point, as the game is told (Le 2021, section 3.1.1): before every card all who may are asked, the
player whose card it is first, then the others in order, and once more after a bet that was called.
Such a hand ends because stakes do: without `limits` nobody bets to more than 15. Without
`follow_suit` every card may be played to every trick: that is the game behind the published sizes
with betting (Le 2021).
With `limits`, one for each player, nobody may bet to more than her limit: she has to "check". So it
is near the end of a match (`match.py`).

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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import comb, prod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from workbench.games.toepen.hand_rules import TOEPEN_ABSTRACTIONS, ToepenSteps
from workbench.games.toepen.stakes import Stakes, opening
from workbench.games.toepen.suit_names import RANKS, Cards, Renamings, alike, all_names
from workbench.games.toepen.words import ToepenWords
from workbench.games.words import Words
from workbench.progress import counted
from workbench.rules import Chance, Decision, GameError, Node
from workbench.settings import Between, check, full_name

if TYPE_CHECKING:
    from numpy.random import Generator

_MOST_DEALS = 1_000_000  # what chance can list one by one
_BOUND = 15  # points at which a match usually ends: where bets at any point end
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")


class Deal(NamedTuple):
    """What every player was dealt."""

    hands: tuple[int, ...] = ()  # a set of cards as bits: card c is 1 << c
    names: tuple[str, ...] = ()  # the same as its owner calls it


# A moment of the hand, a plain tuple because it is made millions of times: the stakes, the deal,
# the cards played so far (as bits), the trick on the table as (player, card) pairs, for every
# player her view of the suits and the table in her words, and the cards among which chance picks.
Trick = tuple[tuple[int, int], ...]
State = tuple[Stakes, Deal, int, Trick, tuple[Renamings, ...], tuple[str, ...], Cards]


@dataclass(frozen=True)
class Toepen:
    """One hand of Toepen: whoever takes the last trick wins the stake, which bets may raise."""

    suits: Annotated[int, Between(1, 4)] = 3
    ranks: Annotated[int, Between(1, 8), "10 9 8 7 A K Q J, so many of them"] = 3
    hand: Annotated[int, Between(1, 16), "cards for each player"] = 2
    betting: Annotated[
        bool | Literal["leader", "anytime"], "who may bet, and when",
        {
            True: "before one's card", False: "none", "leader": "by the leader",
            "anytime": "at any point",
        },
    ] = True  # fmt: skip
    follow_suit: Annotated[bool, "must a player follow suit?"] = True
    suit_isomorphism: Annotated[bool, "suits have no names: the same game, smaller"] = False
    players: Annotated[int, Between(2, 8)] = 2
    limits: Annotated[tuple[int, ...] | None, Between(1), "the stake up to which each may bet"] = (
        None
    )

    def __post_init__(self) -> None:
        check(self, "toepen")
        if self.limits is not None and len(self.limits) != self.players:
            raise GameError(
                f"toepen: limits must be {self.players} whole numbers, one for each player, not "
                f"{self.limits!r}"
            )
        need, have = self.players * self.hand, self.suits * self.ranks
        if need > have:
            raise GameError(
                f"toepen: {_NUMBERS[self.players - 2]} hands of {self.hand} need "
                f"{need} cards, {self.suits} suits of {self.ranks} ranks give {have}; take more "
                "suits or ranks, or smaller hands"
            )

    unit: ClassVar[str] = "point"
    per: ClassVar[str] = "hand"
    about: ClassVar[str] = (
        "Follow suit if you can; the highest card of the led suit takes the trick and leads the "
        "next one. Only the last trick counts: its winner wins the hand, the others pay. Before "
        "you play a card (before any card, where bets are made at any point) you may bet one point "
        "more, unless you were the last to bet; the others "
        "call, or fold and pay what was at stake before. "
        f"From high to low: {' '.join(RANKS)}."
    )
    words: ClassVar[type[Words]] = ToepenWords
    abstractions: ClassVar[dict[str, Any]] = TOEPEN_ABSTRACTIONS
    abstraction_steps: ClassVar[type[ToepenSteps]] = ToepenSteps
    tables: ClassVar[dict[str, Any]] = {
        "Toepen, one hand": {}, "Toepen, a match to 15": {"match": 15}
    }  # fmt: skip
    match: ClassVar[str] = "workbench.games.toepen.match:ToepenMatch"

    @property
    def name(self) -> str:
        return full_name("toepen", self)

    @property
    def simplest(self) -> Toepen:
        """The same game in its simplest description: limits that nobody can reach are none."""
        if self.betting == "anytime":
            return self
        most = 1 + self.players * self.hand  # everybody bets before every card
        limits = tuple(min(limit, most) for limit in self.limits or ())
        return replace(self, limits=None if set(limits) <= {most} else limits)

    @property
    def deck(self) -> tuple[str, ...]:
        """The names of the cards: suit by suit, from high to low."""
        return all_names(self.suits, self.ranks, False).deck

    def start(self) -> State:
        return opening(self.players), Deal(), 0, (), (), (), ()

    def node(self, state: State) -> Node:
        stakes, deal, _, _, _, tables, drawn = state
        player, actions = stakes.player, stakes.words
        if not actions:
            if stakes.end is not None:
                return stakes.end
            if not deal.hands:
                return self._deals()
            if drawn:
                return Chance({self.deck[card]: 1 / len(drawn) for card in drawn})
            actions = tuple(self._choices(state))
        return Decision(player, (deal.names[player], tables[player]), actions)

    def next(self, state: State, action: str) -> State:
        stakes, deal, played, trick, views, tables, drawn = state
        if stakes.words:
            if self.suit_isomorphism:
                tables = tuple([f"{text} {action}" if text else action for text in tables])
            else:  # all use the same names
                text = tables[0]
                tables = (f"{text} {action}" if text else action,) * self.players
            stakes = stakes.after[action]
            if stakes.bets_again:
                return self._answered(stakes, deal, played, trick, views, tables)
            return stakes, deal, played, trick, views, tables, ()
        if not deal.hands:
            return self._dealt(action)
        if drawn:
            return self._played(state, self.deck.index(action))
        cards = self._choices(state)[action]
        if len(cards) > 1:
            return stakes, deal, played, trick, views, tables, cards
        return self._played(state, cards[0])

    def draw(self, state: State, random: Generator) -> str | None:
        """One outcome of chance, as likely as `node` says, without listing them all."""
        deck, (_, deal, *_, drawn) = self.deck, state
        if deal.hands:
            return deck[drawn[random.integers(len(drawn))]] if drawn else None
        cards = random.permutation(len(deck)).tolist()
        view = all_names(self.suits, self.ranks, self.suit_isomorphism)
        hands = []
        for first in range(0, self.players * self.hand, self.hand):
            held, view = view.of_hand(tuple(cards[first : first + self.hand]))
            hands.append(held)
        return self._text(hands)

    def _deals(self) -> Chance:
        """All hands at once. Deals that are the same up to the names of suits are one."""
        cards, hand = self.suits * self.ranks, self.hand
        total = prod(comb(cards - seat * hand, hand) for seat in range(self.players))
        view = all_names(self.suits, self.ranks, self.suit_isomorphism)
        ways = len(view.ways)
        if total > _MOST_DEALS * ways:
            raise GameError(
                f"{self.name!r} has {total:,} deals, too many to list; take fewer suits or ranks, "
                "or smaller hands, or wb.sample_rules, which draws deals instead of listing them"
            )
        deals = self._hands(tuple(range(cards)), self.players, view)
        return Chance(
            {
                self._text(hands): ways / len(same.ways) / total
                for hands, same in counted(deals, f"listing the deals of {self.name}")
            }
        )

    def _hands(
        self, cards: Cards, players: int, view: Renamings
    ) -> Iterator[tuple[tuple[Cards, ...], Renamings]]:
        """One out of all deals that can be called the same, and the view of who sees them."""
        if not players:
            yield (), view
            return
        for held, seen in view.hands(cards, self.hand):
            rest = tuple(card for card in cards if card not in held)
            for others, same in self._hands(rest, players - 1, seen):
                yield (held, *others), same

    def _text(self, hands: Iterable[Cards]) -> str:
        deck = self.deck
        return " | ".join([" ".join([deck[card] for card in held]) for held in hands])

    def _dealt(self, text: str) -> State:
        """The first decision after a deal such as "10♠ 9♥ | 9♠ 10♥"."""
        deck = self.deck
        nothing = all_names(self.suits, self.ranks, self.suit_isomorphism)
        hands, views, names = [], [], []
        for cards in text.split(" | "):
            held = tuple([deck.index(card) for card in cards.split()])
            called, view = nothing.of_hand(held)
            hands.append(sum(1 << card for card in held))
            views.append(view)
            names.append(" ".join([deck[card] for card in called]))
        deal = Deal(tuple(hands), tuple(names))
        stakes = self._turn(opening(self.players), 0, ())
        return stakes, deal, 0, (), tuple(views), ("",) * self.players, ()

    def _choices(self, state: State) -> dict[str, Cards]:
        """What the player may play: the name she gives a card -> the cards that she calls so."""
        stakes, deal, played, trick, views, _, _ = state
        hand = deal.hands[stakes.player] & ~played
        if trick and self.follow_suit:
            suit = trick[0][1] // self.ranks
            hand = hand & ((1 << self.ranks) - 1) << suit * self.ranks or hand
        return alike(views[stakes.player], hand)

    def _played(self, state: State, card: int) -> State:
        """The state after a card: the next player's turn, or the next trick, or the end."""
        stakes, deal, played, trick, views, tables, _ = state
        played |= 1 << card
        player, trick = self._after(stakes.player, (*trick, (stakes.player, card)), stakes)
        if not trick and not deal.hands[player] & ~played:
            return stakes.won_by[player], deal, played, trick, views, tables, ()
        end = "" if trick else " /"
        if self.suit_isomorphism:
            looks = [view.after[card] for view in views]
            seen = zip(tables, looks, strict=True)
            tables = tuple([f"{text} {name}{end}" if text else name for text, (_, name) in seen])
            views = tuple([view for view, _ in looks])
        else:
            text, name = tables[0], views[0].deck[card]
            tables = (f"{text} {name}{end}" if text else name,) * self.players
        return self._turn(stakes, player, trick), deal, played, trick, views, tables, ()

    def _answered(
        self, stakes: Stakes, deal: Deal, played: int, trick: Trick, views: tuple[Renamings, ...],
        tables: tuple[str, ...],
    ) -> State:  # fmt: skip
        """A bet at any point was called. If the player whose card was to come folded, the turn
        passes; if all others have played, the trick ends without her."""
        player, before = stakes.next_card, trick
        if stakes.paid[player]:
            player, trick = (
                self._after(player, trick, stakes) if trick else (stakes.next_in[player], ())
            )
        if before and not trick:
            if not deal.hands[player] & ~played:
                return stakes.won_by[player], deal, played, trick, views, tables, ()
            tables = tuple([f"{text} /" for text in tables])
        return self._turn(stakes, player, trick), deal, played, trick, views, tables, ()

    def _after(self, player: int, trick: Trick, stakes: Stakes) -> tuple[int, Trick]:
        """Who plays after this player, and to which trick: an empty one if this one is over."""
        follower, leader = stakes.next_in[player], trick[0][0]
        if (follower - leader) % self.players > (player - leader) % self.players:
            return follower, trick
        return self._winner(trick, stakes), ()

    def _winner(self, trick: Trick, stakes: Stakes) -> int:
        """Who wins the trick: the highest card of the led suit, of those who are still in."""
        ranks, paid = self.ranks, stakes.paid
        highest = trick[0][1] // ranks * ranks  # the first card of the led suit
        winner, best = -1, ranks + 1
        for seat, card in trick:
            if not paid[seat]:
                below = card - highest if 0 <= card - highest < ranks else ranks
                if below < best:
                    winner, best = seat, below
        return winner

    def _turn(self, stakes: Stakes, player: int, trick: Trick) -> Stakes:
        """It is the player's turn: may she bet before she plays a card?"""
        betting = self.betting
        if betting == "anytime":
            return stakes.before_card(player, self.limits or (_BOUND,) * self.players)
        if not betting or stakes.bettor == player or (trick and betting == "leader"):
            return stakes.to_play[player]
        if self.limits is not None and stakes.stake >= self.limits[player]:
            return stakes.to_check[player]
        return stakes.to_bet[player]
