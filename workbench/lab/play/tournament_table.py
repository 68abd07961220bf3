"""Play a jam/fold tournament against its solution, line by line; every decision has its price.

`TournamentTable(found, show).run(ask)` gets its input and output from outside, as `Terminal` does;
a panel, which cannot wait for an answer, sends answers to `steps()` when a button is pressed. You
sit at a table with two others who play what was found; stacks, blinds and the button move as in
`jamfold/tournament.py`. After each decision it says what the other choice would have been worth:
the cost is in the prizes' unit, if all go on as found.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from workbench.games.deck import Deck
from workbench.games.words import amount, listed, number, says
from workbench.jamfold.found import Found
from workbench.jamfold.tournament import BIG, BUTTON, INFOSETS, LINES, SEATS, SMALL
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR, NAMES
from workbench.poker.cards.seven_cards import CATEGORIES, strength_of

HELP = "j goes all-in, f folds, ? is this help, q stops."
Steps = Generator[str, str, str]  # asks by prompts, is sent answers, returns J or F
DECK = Deck()


def hand_name(cards: list[int]) -> str:
    """The class of two cards: "AKs"."""
    return str(NAMES[CLASS_OF_PAIR[DECK.hand(cards)]])


class TournamentTable:
    """One tournament from equal stacks, or from those that are given (yours is the button's)."""

    def __init__(
        self,
        found: Found,
        show: Callable[[str], None],
        *,
        stacks: tuple[int, ...] | None = None,
        seed: int | None = None,
    ) -> None:
        self.found, self.game, self.show = found, found.game, show
        players = self.game.players
        share, rest = divmod(self.game.units, players)
        given = stacks or tuple(share + (k < rest) for k in range(players))
        self.game.state(given)
        self.stacks = list(given)  # by player; you are the first one
        self.seats = dict(enumerate(range(players), 3 - players))  # who sits there; you: the button
        self.names = ["You", "Ann", "Bob"][:players]
        self.cost, self.hands = 0.0, 0
        self.won: dict[int, float] = {}  # player -> prize
        self.rng = np.random.default_rng(seed)

    def run(self, ask: Callable[[str], str]) -> bool:
        """Play until one has all chips, or you stop; True if you were interrupted."""
        steps, interrupted = self.steps(), False
        try:
            prompt = next(steps)
            while True:
                prompt = steps.send(ask(prompt))
        except StopIteration:
            pass
        except (EOFError, KeyboardInterrupt) as error:
            self.show("")
            self.show(self.sum())
            interrupted = isinstance(error, KeyboardInterrupt)
        return interrupted

    def steps(self) -> Generator[str, str, None]:
        """The tournament as questions: yields prompts, wants j, f, ? or q; q raises EOFError."""
        prizes = ", ".join(f"{prize:g}" for prize in self.game.prizes)
        self.show(f"A tournament for {prizes}; blinds {self.game.blinds[0]} and "
                  f"{self.game.blinds[1]}. {HELP}")  # fmt: skip
        while sum(map(bool, self.stacks)) > 1 and 0 not in self.won:
            yield from self.hand()
        self.show(f"You win {self.won[0]:g}." if self.won[0] else "You win nothing.")
        self.show(self.sum())

    def sum(self) -> str:
        hands = amount(self.hands, "hand")
        return f"{hands}; your decisions cost {number(self.cost)} in all. Goodbye."

    def hand(self) -> Generator[str, str, None]:
        """One hand: the blinds, a decision each, perhaps a showdown, the next button."""
        self.hands += 1
        seats = self.seats
        state = tuple(self.stacks[seats[k]] if k in seats else 0 for k in range(3))
        self.show("")
        places = SEATS if len(seats) == 3 else ("", "button", "big blind")
        sit = [f"{self.names[p]} {state[k]} ({places[k]})" for k, p in seats.items()]
        self.show(f"── Hand {self.hands} · {' · '.join(sit)}")
        cards = [int(card) for card in self.rng.permutation(52)[:11]]
        held = {seat: cards[2 * k : 2 * k + 2] for k, seat in enumerate(seats)}
        did, board = "", cards[6:]
        for seat in (BUTTON, SMALL, BIG):
            if seat == BIG and "J" not in did:
                break
            did += (yield from self.decide(seat, state, held[seat], did)) if seat in seats else "F"
        first = did.find("J")  # whoever goes in later calls
        line = did[: first + 1] + did[first + 1 :].replace("J", "C") if first >= 0 else did
        self.end(state, LINES[line][0], held, board)

    def decide(self, seat: int, state: tuple[int, ...], held: list[int], did: str) -> Steps:
        """J or F; you are asked, unless there is nothing to decide."""
        player, hand = self.seats[seat], hand_name(held)
        s, k, h = self.game.number[state], INFOSETS.index((seat, did)), NAMES.index(hand)
        name = self.names[player]
        if self.game.arrays.forced[s, k]:
            self.show(f"{says(name, 'are')} in without paying more.")
            return "J"
        often = float(self.found.now.play.sigma[s, k, h])
        if player:
            goes = self.rng.random() < often
            self.show(f"{name} {'goes all-in' if goes else 'folds'}.")
            return "J" if goes else "F"
        shown = " ".join(map(DECK.name, sorted(held, reverse=True)))
        goes = yield from self._asked(f"  You hold {shown}.  j all-in   f fold   > ")
        worth = self.found.advantage_at(s, k, h)
        cost = max(0.0, -worth if goes else worth)
        self.cost += cost
        best = "Going in" if worth > 0 else "Folding"
        self.show(f"  {best} is worth {number(abs(worth))} more; the solution goes in with {hand} "
                  f"{often:.0%} of the time. Your choice cost {number(cost)}.")  # fmt: skip
        return "J" if goes else "F"

    def end(
        self, state: tuple[int, ...], showing: tuple[int, ...], held: dict[int, list[int]],
        board: list[int],
    ) -> None:  # fmt: skip
        """Show the hands, share the pots, pay who is out, move the button."""
        strong = [strength_of(held[k] + board) if len(showing) > 1 else 0 for k in showing]
        if len(showing) > 1:
            self.show("The board shows " + " ".join(map(DECK.name, board)) + ".")
            for k, strength in zip(showing, strong, strict=True):
                cards = " ".join(map(DECK.name, held[k]))
                self.show(f"{self.names[self.seats[k]]}: {cards}, {CATEGORIES[strength >> 26]}.")
        places = [sum(other > one for other in strong) for one in strong]
        after = self.game.after(state, showing, places)
        winners = [self.names[self.seats[k]] for k in showing if after[k] > state[k]]
        if winners:
            several = len(winners) > 1 or winners == ["You"]
            self.show(f"{listed(winners)} {'win' if several else 'wins'} chips.")
        prizes, _, to = self.game.follow(state, after)
        for k, player in self.seats.items():
            self.stacks[player] = after[k]
            if to[k] < 0:
                self.won[player] = prizes[k]
            if not after[k]:
                self.show(f"{says(self.names[player], 'are')} out.")
        stay = sorted((to[k], player) for k, player in self.seats.items() if to[k] >= 0)
        self.seats = dict(stay)

    def _asked(self, prompt: str) -> Generator[str, str, bool]:
        while True:
            said = (yield prompt).strip().lower()
            if said in ("q", "quit"):
                raise EOFError
            if said in ("j", "f"):
                return said == "j"
            self.show(f"  {HELP}")
