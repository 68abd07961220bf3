"""One hand of a jam/fold tournament as rules, and the tournament as a match of such hands.

Everyday example: you have three chips of nine, the blinds are one and two, and you hold A♥ 8♦. All
of them, or none?

    deal       two cards each; seats as in `tournament.py`, the button acts first
    moves      "J" all-in, "F" fold; who need not pay to stay in has no choice
    showdown   five public cards, side pots, the best five of seven cards
    payoffs    what a hand changes in what the seats' chips are worth, in the unit of the prizes, if
               all go on as found

So a session, a card table and a terminal can play it, against what was found or somebody else, and
a decision costs what the other one would have been worth more.

>>> from workbench.jamfold.found import solve
>>> from workbench.jamfold.tournament import Tournament
>>> match = TournamentMatch(solve(Tournament(units=6, players=2, prizes=(1, 0)), "pi-fp"))
>>> hand = match.hand_rules(match.opening())
>>> state = hand.start()
>>> for action in ("A♥ K♥", "7♠ 2♦", "J", "F"):
...     state = hand.next(state, action)
>>> hand.counts(state), round(hand.node(state).payoffs[0], 2)
((5, 1), 0.33)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from workbench.games.leduc import State
from workbench.games.words import Scene, Words, amount, listed, says
from workbench.jamfold.found import TournamentSolution
from workbench.jamfold.tournament import BIG, INFOSETS, LINES, SEATS, Stacks
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR
from workbench.poker.cards.seven_cards import CATEGORIES, strength_of
from workbench.poker.games.board_poker import BoardPoker, BoardPokerWords, Seen
from workbench.policies import Standing, Step
from workbench.rules import Decision, Node, Terminal
from workbench.settings import need_kind

BOARD = (3, 1, 1)


class JamFoldWords(BoardPokerWords):
    """Chips lie on the table, payoffs are in the unit of the prizes."""

    rules: JamFold
    scored = "chips, {} win"

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        return "stay in" if len(actions) == 1 else "fold" if action == "F" else "jam"

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        scene, pot = super().scene(steps, you, faces), 0.0
        places, seats = [], (SEATS[0], *SEATS[4 - self.rules.players :])
        for place, seat, chips in zip(scene.places, seats, self.rules.stacks, strict=True):
            pot += place.paid or 0.0
            places.append(replace(place, paid=None, note=f"{seat}, {amount(chips, 'chip')}"))
        return replace(scene, places=tuple(places), at_stake=f"pot {amount(pot, 'chip')}")

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        """The hands, who is out, and who is paid a prize."""
        state, told = steps[-1].state, []
        for seat in sorted(self.showdown(steps)):
            category = CATEGORIES[self.rules.strength_at(state, seat) >> 26]
            told.append(says(names[seat], f"show {state[0][seat]}, {category}"))
        for name, chips, prize in zip(names, *self.rules.end(state)[:2], strict=True):
            told += [] if chips else [says(name, "are out")]
            told += [says(name, f"win {prize:g}")] if prize else []
        return told

    def points(self, names: Sequence[str], payoffs: Sequence[float]) -> str:
        """Who has more chips than before."""
        chips = zip(names, payoffs, self.rules.stacks, strict=True)
        won = [says(name, f"win {amount(n - had, 'chip')}") for name, n, had in chips if n > had]
        return listed(won) or "Nobody wins chips"


@dataclass(frozen=True)
class JamFold(BoardPoker):
    """A hand with these stacks, button first, of a tournament that was solved."""

    found: TournamentSolution
    stacks: Stacks

    unit: ClassVar[str] = "dollar"
    per: ClassVar[str] = "hand"
    about: ClassVar[str] = (
        "Everybody gets two cards. The button jams (goes all-in) or folds, then the small blind, "
        "then the big blind. Who has not folded shows; five cards are turned up, and the best five "
        "of seven win, side pot by side pot. Who has no chips left is out, and the first to go "
        "wins least."
    )
    words: ClassVar[type[Words]] = JamFoldWords

    @property
    def name(self) -> str:
        return f"jam or fold, {'-'.join(map(str, self.stacks))}"

    @property
    def players(self) -> int:
        return len(self.stacks)

    @property
    def _first(self) -> int:
        """The first seat as `Tournament` counts: two players leave one empty, as if it folded."""
        return 3 - self.players

    @property
    def _state(self) -> int:
        return self.found.game.state(self.stacks)

    def next(self, state: State, action: str) -> State:
        cards, did = state
        return (cards, did + action) if action in ("F", "J") else ((*cards, action), did)

    def node(self, state: State) -> Node:
        (cards, did), board = state, len(state[0]) - self.players
        if board < 0:
            return self.deal(cards, 2)
        seat = self._first + len(did)
        if seat < BIG or (seat == BIG and "J" in did):
            seen = cards[len(did)], "", did
            forced = self.found.game.arrays.forced[self._place(len(did), seen)[:2]]
            return Decision(len(did), seen, ("J",) if forced else ("F", "J"))
        if len(self._showing(did)) > 1 and board < len(BOARD):
            return self.deal(cards, BOARD[board])
        before = self.found.now.real[self._state, self._first :]
        return Terminal(tuple((np.sum(self.end(state)[1:], axis=0) - before).tolist()))

    def _showing(self, did: str) -> tuple[int, ...]:
        """The seats that show a hand; whoever goes in after another calls."""
        line = "F" * self._first + did.replace("J", "C").replace("C", "J", 1)
        return LINES[line][0]

    def strength_at(self, state: State, seat: int) -> int:
        """How strong a seat's seven cards are."""
        return strength_of(self.deck.parse(" ".join([state[0][seat], *state[0][self.players :]])))

    def end(self, state: State) -> tuple[Stacks, list[float], list[float]]:
        """By seat: the chips when a hand is over, the prizes that are paid, and what the chips are
        worth if all go on as found."""
        game, first, showing = self.found.game, self._first, self._showing(state[1])
        some = showing if len(showing) > 1 else ()
        strong = [self.strength_at(state, seat - first) for seat in some] or [0]
        places = [sum(other > one for other in strong) for one in strong]
        before = game.every_state[self._state]
        after = game.after(before, showing, places)
        prizes, then, to = game.follow(before, after)
        worth = [float(self.found.now.real[then, seat]) if seat >= 0 else 0.0 for seat in to]
        return after[first:], prizes[first:], worth[first:]

    def counts(self, state: State) -> Stacks:
        """The chips: a tournament goes by them, not by what they are worth."""
        return self.end(state)[0]

    def paid(self, did: str) -> Stacks:
        """What each seat has put into the pot."""
        game = self.found.game
        posted = game.posted(game.every_state[self._state])[self._first :]
        went_in = zip(did.ljust(self.players), self.stacks, posted, strict=True)
        return tuple(stack if letter == "J" else blind for letter, stack, blind in went_in)

    # ---- what was found ----------------------------------------------------------------

    @property
    def equilibrium(self) -> JamFold:
        return self

    def _place(self, player: int, seen: Seen) -> tuple[int, int, int]:
        """The numbers of the state, the information set and the hand."""
        before = self._first + player, "F" * self._first + seen[2]
        hand = CLASS_OF_PAIR[self.deck.hand(self.deck.parse(seen[0]))]
        return self._state, INFOSETS.index(before), int(hand)

    def probabilities(self, player: int, seen: Seen, actions: Sequence[str]) -> list[float]:
        often = float(self.found.now.play.sigma[self._place(player, seen)])
        return [often if action == "J" else 1.0 - often for action in actions]

    def worth(self, player: int, seen: Seen) -> dict[str, float]:
        """By action: how it changes what her chips are worth."""
        goes, folds = self.found.action_values(*self._place(player, seen))
        before = float(self.found.now.real[self._state, self._first + player])
        return {"F": float(folds) - before, "J": float(goes) - before}


@dataclass(frozen=True)
class TournamentMatch:
    """A tournament to be played, from equal stacks or from these: `wb.widgets.PlayTable(match)`.

    `stacks`: by player; you are the first one, and on the button at first."""

    found: TournamentSolution
    stacks: Stacks = ()
    instead: ClassVar[str] = "the card table plays it: wb.widgets.PlayTable(match)"

    def __post_init__(self) -> None:
        game = need_kind("found", self.found, TournamentSolution).game
        share, rest = divmod(game.units, game.players)
        equal = tuple(share + (k < rest) for k in range(game.players))
        state = game.every_state[game.state(self.stacks or equal)]
        object.__setattr__(self, "stacks", tuple(filter(None, state)))

    @property
    def rules(self) -> JamFold:
        return JamFold(self.found, self.stacks)

    @property
    def bound(self) -> int:
        return self.found.game.units

    def opening(self) -> Standing:
        return Standing(self.stacks, tuple(range(len(self.stacks))))

    def hand_rules(self, now: Standing) -> JamFold:
        return JamFold(self.found, tuple(now.points[player] for player in now.seats))

    def after(self, now: Standing, payoffs: Sequence[float]) -> Standing:
        """With so many chips by seat the button passes to the next player who has some."""
        points = [*now.points]
        for player, chips in zip(now.seats, payoffs, strict=True):
            points[player] = int(chips)
        order = now.seats[1:] + now.seats[:1]
        return Standing(tuple(points), tuple(player for player in order if points[player]))
