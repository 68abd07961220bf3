"""ICM, the Independent Chip Model (Malmuth and Harville): what a stack of chips is worth.

Everyday example: you hold two thirds of all chips. You win two times in three, says the model; and
if somebody else wins, the rest of the places go by the same rule among those who are left:

    P(i is first) = stack i / all chips
    P(j is second, given who is first) = stack j / chips of all but the first

It knows neither seats nor blinds nor how anybody plays, which is where it goes wrong.

>>> [round(value, 2) for value in icm((6000, 4500, 3000), (50, 30, 20))]
[36.83, 33.62, 29.56]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from workbench.rules import GameError, shown
from workbench.settings import need_number

WORK = 20_000_000  # additions
MOST = 1e15  # chips or dollars: sums and shares of these are exact enough


def icm(stacks: Sequence[float], prizes: Sequence[float]) -> tuple[float, ...]:
    """What each stack is worth, in the unit of the prizes."""
    chips = _numbers("a stack", stacks, "(6000, 4500, 3000)")
    if not sum(chips) > 0:
        raise GameError(f"stacks {shown(stacks)} hold no chips; somebody must have some")
    paid = need_prizes(prizes, len(chips))
    return tuple(_share(chips, paid))


def need_prizes(prizes: Any, players: int) -> tuple[float, ...]:
    """One prize a place, none higher than the one before."""
    paid = _numbers("a prize", prizes, "(50, 30, 20)")
    if len(paid) != players:
        raise GameError(
            f"{len(paid)} prizes for {players} players; give one a place, 0 where none is paid"
        )
    for place in range(1, players):
        if paid[place] > paid[place - 1]:
            raise GameError(
                f"prizes must not rise with the rank: place {place + 1} gets {paid[place]:g}, "
                f"place {place} gets {paid[place - 1]:g}; put the highest prize first"
            )
    return tuple(paid)


def in_order(values: Any) -> bool:
    """Numbers by seat or by place have an order: a list, a tuple, an array; no text, no set."""
    array = getattr(values, "ndim", 0) == 1
    return array or (isinstance(values, Sequence) and not isinstance(values, str | bytes))


def _numbers(what: str, values: Any, such: str) -> list[float]:
    if not in_order(values):
        raise GameError(f"give {what} for each player, such as {such}, not {shown(values)}")
    return [need_number(what, value, most=MOST) for value in values]


def _share(stacks: list[float], prizes: tuple[float, ...]) -> list[float]:
    """Place by place: who may have gone before, as bits, with which probability, and who is next.
    Orders of the same players are one, so that ten at a table are 1,023 sets, not 3,628,800."""
    players, paid = len(stacks), sum(prize > 0 for prize in prizes)
    if players * sum(comb(players, k) for k in range(paid)) > WORK:
        raise GameError(
            f"{players} players and {paid} prizes have too many ways to end; give fewer of either"
        )
    worth, gone = [0.0] * players, {0: 1.0}
    for prize in prizes[:paid]:
        later: dict[int, float] = {}
        for before, often in gone.items():
            left = [i for i in range(players) if not before >> i & 1]
            total = sum(stacks[i] for i in left)
            for i in left:  # players without chips share what is left
                if share := often * (stacks[i] / total if total else 1 / len(left)):
                    worth[i] += share * prize
                    later[before | 1 << i] = later.get(before | 1 << i, 0.0) + share
        gone = later
    return worth
