"""The words of Toepen: hands of several cards, tricks, and stakes instead of a pot.

A card is called as it is played, "10♥"; the ten is the highest: 10 9 8 7 A K Q J. Where suits have
no names (`suit_isomorphism`) everything is told in the names that the reader herself gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench.games.words import Place, Scene, Trick, Words, amount, listed, says

if TYPE_CHECKING:
    from workbench.policies import Step

_SAID = ("bet", "check", "call", "fold")


class ToepenWords(Words):
    """See the first lines of this file."""

    def move(self, action: Any, seen: Any, actions: Sequence[Any]) -> str:
        return action if action in _SAID else f"play the {action}"

    def holds(self, seen: Any) -> list[str]:
        left = _left(*seen)
        return [f"You hold the {listed(left)}" if left else "You have no cards left"]

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        deal, (after, now, *_) = step.before[1], step.state
        if not deal.hands:
            told = [f"You are dealt the {listed(now.names[you].split())}"]
            return [*told, says(names[after.next_card], "lead")]
        played = None if step.what in _SAID else _played(step, you)
        if step.what in _SAID:
            told = [says(names[step.player], step.what)]
        elif played is None:
            return []
        else:
            told = [says(names[played[0]], f"play the {played[1]}")]
        if _ends_trick(step):
            trick = "win the last trick" if after.end else "win the trick"
            told.append(says(names[after.next_card], trick))
        return told

    def done(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """Chance may pick one of two cards that look alike to their player: that is a move too."""
        return self.told(step, names, you) if step.before[1].hands else []

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        return []  # all cards were played

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        if not steps:
            return super().scene(steps, you, faces)
        stakes, deal, played, _, views, tables, _ = steps[-1].state
        places = []
        for seat, hand in enumerate(deal.hands):
            left = hand & ~played
            cards: tuple[str | None, ...] = (None,) * left.bit_count()
            if seat == you:
                cards = tuple(_left(deal.names[you], tables[you])) if left else ()
            elif seat in faces:
                cards = tuple(
                    views[you].after[card][1]
                    for card in range(len(views[you].deck))
                    if left >> card & 1
                )
            places.append(Place(cards, folded=bool(stakes.paid[seat])))
        return Scene(
            tuple(places),
            tricks=_tricks(steps, you),
            at_stake=f"{amount(stakes.stake, self.unit)} at stake",
        )


def _left(hand: str, table: str) -> list[str]:
    """What is left of a hand: the cards on the table are not in it."""
    gone = set(table.split())
    return [card for card in hand.split() if card not in gone]


def _played(step: Step, you: int) -> tuple[int, str] | None:
    """(seat, card as `you` call it) if a card was played in this step."""
    card = (step.state[2] & ~step.before[2]).bit_length() - 1
    return (step.before[0].player, step.before[4][you].after[card][1]) if card >= 0 else None


def _ends_trick(step: Step) -> bool:
    """Whether the trick is complete: by its last card, or because who had to play folds."""
    (_, _, played, trick, *_), (_, _, more, now, *_) = step.before, step.state
    return not now and (played != more or bool(trick))


def _tricks(steps: Sequence[Step], you: int) -> tuple[Trick, ...]:
    tricks: list[Trick] = []
    open_: list[tuple[int, str]] = []
    for step in steps:
        played = _played(step, you) if step.before[1].hands else None
        if played:
            open_.append(played)
        if _ends_trick(step):
            tricks.append(Trick(tuple(open_), step.state[0].next_card))
            open_ = []
    return (*tricks, Trick(tuple(open_))) if open_ else tuple(tricks)
