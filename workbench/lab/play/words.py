"""The cards and moves of a game in words: "You hold the Queen; player 2 bets".

Everyday example: the rules say seen=("Q", "pb"), actions=("p", "b"). A person says "I hold the
Queen, I passed, and he bet: do I call or fold?"

`words_for(rules)` gives the words of a game. A game without words of its own gets the names its
rules use, so that everything can be played:

>>> from workbench.games import load_game
>>> words = words_for(load_game("kuhn"))
>>> words.move("b", ("Q", "p"), ("p", "b")), words.move("b", ("Q", "pb"), ("p", "b"))
('bet', 'call')
>>> words.holds(("Q", "pb"))
['You hold the Queen']
>>> words = words_for(load_game("bluff"))
>>> words.move("bet", "ace", ("bet", "fold")), words.holds(("ace",))
('bet', ['You see “ace”'])

`names` below is what people are called, by seat; the one who reads is "You".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.games.toepen import Toepen
from workbench.lab.play.grammar import a_card, amount, card_name, says
from workbench.lab.play.hand_record import Step
from workbench.lab.play.table_view import Place, Scene
from workbench.rules import Rules
from workbench.tree import label_of

__all__ = ["Words", "situation", "words_for"]


class Words:
    """What all games have, and the fallback for those without words of their own."""

    unit = "point"
    help = "Choose one of the moves; the rules of this game say what they mean."

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def move(self, action: Any, seen: Any, actions: Sequence[Any]) -> str:
        """What an action is called in this moment, as a verb: "call"."""
        return label_of(action)

    def holds(self, seen: Any) -> list[str]:
        """What "you" know besides what people did."""
        return [f"You see “{label_of(seen)}”"]

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """What a step tells the player in seat `you`; nothing if she does not notice it."""
        if step.seat < 0:
            return []  # who knows who sees it
        move = self.move(step.what, step.seen, step.actions)
        return [says(names[step.seat], move) if move.isalpha() else f"{names[step.seat]}: {move}"]

    def done(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """The same, but only what people did."""
        return self.told(step, names, you) if step.seat >= 0 else []

    def folded(self, steps: Sequence[Step]) -> set[int]:
        """The seats that are out."""
        return {
            step.seat
            for step in steps
            if step.seat >= 0 and self.move(step.what, step.seen, step.actions) == "fold"
        }

    def showdown(self, steps: Sequence[Step]) -> set[int]:
        """The seats that show their cards when all is over: nobody if all but one have folded."""
        out = self.folded(steps)
        stay = {*range(self.rules.players)} - out
        return stay if len(stay) > 1 else set()

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        """What is said when cards are shown at the end."""
        return []

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        """The table; `faces`: the seats whose cards are seen, besides one's own."""
        return Scene(tuple(Place() for _ in range(self.rules.players)))


class _Poker(Words):
    """What Kuhn and Leduc share: one card each, betting, a showdown. State: (cards, betting)."""

    def board(self, cards: Sequence[str]) -> tuple[str, ...]:
        return tuple(cards[self.rules.players :])

    def paid(self, betting: str) -> tuple[float, ...]:
        raise NotImplementedError

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        if step.seat >= 0:
            return super().told(step, names, you)
        seat = len(step.before[0])
        if seat == you:
            return [f"You are dealt {self._card(step.what)}"]
        board = seat == self.rules.players
        return [f"The board shows {self._card(step.what)}"] if board else []

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        cards = steps[-1].after[0]
        return [
            says(names[seat], f"show {self._card(cards[seat])}")
            for seat in sorted(self.showdown(steps) - {you})
        ]

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        cards, betting = steps[-1].after if steps else ((), "")
        players, out = self.rules.players, self.folded(steps)
        paid = self.paid(betting)
        places = []
        for seat in range(players):
            held = tuple(cards[seat : seat + 1])
            seen = seat == you or seat in faces
            places.append(Place(held if seen else (None,) * len(held), paid[seat], seat in out))
        return Scene(
            tuple(places), self.board(cards), at_stake=f"pot {amount(sum(paid), self.unit)}"
        )

    def _card(self, card: str) -> str:
        return a_card(card)


class _Kuhn(_Poker):
    unit = "chip"
    help = (
        "Both put 1 chip into the pot and get one card. Pass, or bet 1 chip more; a bet is "
        "answered by calling it or by folding. The higher card wins."
    )

    def move(self, action: Any, seen: Any, actions: Sequence[Any]) -> str:
        facing = seen[1].endswith("b")
        return {"p": "fold" if facing else "pass", "b": "call" if facing else "bet"}[action]

    def holds(self, seen: Any) -> list[str]:
        return [f"You hold {self._card(seen[0])}"]

    def paid(self, betting: str) -> tuple[float, ...]:
        paid = [1.0, 1.0]
        for place, move in enumerate(betting):
            paid[place % 2] += move == "b"
        return tuple(paid)

    def _card(self, card: str) -> str:
        return f"the {card_name(card)}"


class _Leduc(_Poker):
    unit = "chip"
    help = (
        "All put 1 chip into the pot and get one card. Bets are 2 chips; then a card is turned "
        "up for all, and bets are 4. In each round at most one bet and one raise. A pair with the "
        "card on the board wins, else the highest card; equal cards share the pot."
    )

    def move(self, action: Any, seen: Any, actions: Sequence[Any]) -> str:
        facing = "f" in actions
        names = {"f": "fold", "c": "call" if facing else "check", "r": "raise" if facing else "bet"}
        return names[action]

    def holds(self, seen: Any) -> list[str]:
        card, board, _ = seen
        hold = [f"You hold {self._card(card)}"]
        return [*hold, f"the board shows {self._card(board)}"] if board else hold

    def paid(self, betting: str) -> tuple[float, ...]:
        from workbench.games.leduc import follow

        return follow(self.rules.players, betting).paid


def situation(
    words: Words, steps: Sequence[Step], seen: Any, names: Sequence[str], you: int
) -> str:
    """What a player has before her: what she holds, and what was done since her last move.

    >>> from workbench.games import load_game
    >>> from workbench.lab.play.hand_record import replay
    >>> leduc = load_game("leduc")
    >>> moves = [(-1, "Q♠"), (-1, "K♠"), (0, "c"), (1, "c"), (-1, "K♥"), (0, "c"), (1, "r")]
    >>> steps, names = replay(leduc, moves), ["You", "Player 2"]
    >>> situation(words_for(leduc), steps, ("Q♠", "K♥", "cc/cr"), names, you=0)
    'You hold the Queen of spades; the board shows the King of hearts; player 2 bets'
    """
    last = max((k for k, step in enumerate(steps) if step.seat == you), default=-1)
    told = [text for step in steps[last + 1 :] for text in words.done(step, names, you)]
    parts = [*words.holds(seen), *told]
    return "; ".join([parts[0], *(text[0].lower() + text[1:] for text in parts[1:])])


def words_for(rules: Rules) -> Words:
    """The words of a game."""
    from workbench.lab.play.words_toepen import ToepenWords

    known: dict[type, type[Words]] = {Kuhn: _Kuhn, Leduc: _Leduc, Toepen: ToepenWords}
    return known.get(type(rules), Words)(rules)
