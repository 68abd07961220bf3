"""What lies on the table, as one player sees it: for whoever draws or prints it.

Cards are names such as "Q♠"; a card that lies face down is None.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Place", "Scene", "Trick"]

Card = str | None


@dataclass(frozen=True)
class Place:
    """What lies in front of one seat."""

    cards: tuple[Card, ...] = ()
    paid: float | None = None  # into the pot, where there is one
    folded: bool = False


@dataclass(frozen=True)
class Trick:
    """Cards that were played together, in order, and the seat that took them (-1: not yet)."""

    cards: tuple[tuple[int, str], ...]  # (seat, card)
    winner: int = -1


@dataclass(frozen=True)
class Scene:
    """The table in one moment."""

    places: tuple[Place, ...]  # by seat
    board: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()
    at_stake: str = ""  # "pot 4 chips"
