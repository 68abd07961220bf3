"""A jam/fold tournament as a stochastic game: states, what a hand can lead to, prizes.

Everyday example: three players have three chips each, the blinds are one and two. Whoever acts goes
all-in or folds. After the hand the button moves on, and they play from the new stacks; the first to
lose all chips takes the third prize.

    state       the stacks, button first: (button, small blind, big blind). With two players left
                the button is the small blind: (button, big blind), inside (0, button, big blind)
    hand        the button jams or folds, then the small blind, then the big blind; a player who
                need not pay to stay in stays in (a blind that is all-in, or as large as the bet)
    `LINES`     how a hand can end: FF (all fold), FJF (the small blind jams, the big one folds),
                FJC (is called), JFF, JFC, JCF, JCC. A showdown between two adds who wins (3), one
                between three the order (13, ties included): 25 *outcomes* in all
    chips       side pots as usual; an odd chip of a split pot goes to the first seat left of the
                button. Two who go out in one hand are ranked by what they had before it
    next hand   the button passes to the next player who has chips

>>> game = Tournament()
>>> len(game.states), game.states[0], game.states[-1]
(28, (1, 1, 7), (7, 1, 1))
>>> Tournament(prizes=(20, 30, 50))
Traceback (most recent call last):
workbench.rules.GameError: prizes must not rise with the rank: place 2 gets 30, place 1 gets 20; \
put the highest prize first
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.chip_values import icm, in_order, need_prizes
from workbench.jamfold.equity_tables import ORDERS
from workbench.policies import Follow
from workbench.rules import GameError, shown
from workbench.settings import Between, check, need_whole

BUTTON, SMALL, BIG = 0, 1, 2
SEATS = ("button", "small blind", "big blind")
INFOSETS = (  # who decides after what; the letters are what the players before did
    (BUTTON, ""), (SMALL, "J"), (SMALL, "F"), (BIG, "JJ"), (BIG, "JF"), (BIG, "FJ"),
)  # fmt: skip
PLACES: dict[int, tuple[Sequence[int], ...]] = {  # of so many hands that are shown, 0 the best
    1: ((0,),), 2: ((0, 1), (0, 0), (1, 0)), 3: ORDERS,
}  # fmt: skip
LINES: dict[str, tuple[tuple[int, ...], int]] = {  # who shows a hand, and the first outcome
    "FF": ((BIG,), 0), "FJF": ((SMALL,), 1), "FJC": ((SMALL, BIG), 2), "JFF": ((BUTTON,), 5),
    "JFC": ((BUTTON, BIG), 6), "JCF": ((BUTTON, SMALL), 9), "JCC": ((BUTTON, SMALL, BIG), 12),
}  # fmt: skip
OUTCOMES = 25

Stacks = tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """`units` chips among two or three `players`, `prizes` by place, and the two blinds."""

    units: Annotated[int, Between(2, 60)] = 9
    players: Literal[2, 3] = 3
    prizes: Any = (50, 30, 20)
    blinds: Any = (1, 2)
    instead: ClassVar[str] = (
        "solve it by found = wb.jamfold.solve(tournament), play it as "
        "wb.jamfold.TournamentMatch(found)"
    )

    def __post_init__(self) -> None:
        check(self, "tournament")
        object.__setattr__(self, "prizes", need_prizes(self.prizes, self.players))
        if self.units < self.players:
            raise GameError(f"{self.units} units for {self.players} players; each needs one")
        blinds = self.blinds
        if not in_order(blinds) or len(blinds) != 2:
            raise GameError(f"blinds are two numbers, such as (1, 2), not {shown(blinds)}")
        small, big = (need_whole("a blind", blind) for blind in blinds)
        if small > big:
            raise GameError(f"the small blind comes first: blinds=({big}, {small})")
        object.__setattr__(self, "blinds", (small, big))

    @cached_property
    def states(self) -> tuple[Stacks, ...]:
        """The stacks with which all players are still in, button first."""
        return tuple(_stacks(self.units, self.players))

    @cached_property
    def every_state(self) -> tuple[Stacks, ...]:
        """All states with three seats; two players leave the first one empty."""
        three = self.states if self.players == 3 else ()
        return three + tuple((0, *pair) for pair in _stacks(self.units, 2))

    @cached_property
    def number(self) -> dict[Stacks, int]:
        """The number of each state among `every_state`."""
        return {state: s for s, state in enumerate(self.every_state)}

    def state(self, stacks: Any) -> int:
        """The number of a state among `every_state`; stacks that cannot be are refused."""
        if not in_order(stacks):
            raise GameError(f"stacks are whole numbers, button first, not {shown(stacks)}")
        held = tuple(need_whole("a stack", stack, 0) for stack in stacks)
        if sum(held) != self.units:
            raise GameError(
                f"stacks {shown(held)} hold {sum(held)} units, the tournament has {self.units}; "
                "give each unit to one player"
            )
        three = (0, *held) if len(held) == 2 else held
        if three not in self.number:
            raise GameError(
                f"stacks {shown(held)} are no state: button first, each of the {self.players} "
                "players with at least one unit; two players left: (button, big blind)"
            )
        return self.number[three]

    def icm(self, stacks: Sequence[int]) -> tuple[float, ...]:
        """What the stacks of a state are worth to ICM, seat by seat."""
        held = [stack for stack in self.every_state[self.state(stacks)] if stack]
        return icm(held, self.prizes[: len(held)])

    @cached_property
    def arrays(self) -> Arrays:
        """The game as arrays, for the algorithms."""
        return _arrays(self)

    def posted(self, state: Stacks) -> Stacks:
        """The blinds, as far as the stacks go."""
        return 0, min(self.blinds[0], state[SMALL]), min(self.blinds[1], state[BIG])

    def after(self, state: Stacks, showing: Sequence[int], places: Sequence[int]) -> Stacks:
        """The chips of every seat after a hand; who shows has gone all-in."""
        posted = self.posted(state)
        paid = tuple(state[k] if k in showing else posted[k] for k in range(3))
        won = settle(paid, showing, places)
        return tuple(state[k] - paid[k] + won[k] for k in range(3))

    def follow(self, before: Stacks, after: Stacks) -> tuple[list[float], int, list[int]]:
        """From the chips before and after a hand: prizes by seat now, the next state (−1: over),
        and the seat there of everybody (−1: out)."""
        prizes, seats = [0.0, 0.0, 0.0], [-1, -1, -1]
        alive = [seat for seat in (SMALL, BIG, BUTTON) if after[seat]]  # in the order of the button
        if not before[BUTTON]:
            alive = [seat for seat in (BIG, SMALL) if after[seat]]
        out = [seat for seat in range(3) if before[seat] and not after[seat]]
        places = self.prizes[len(alive) : len(alive) + len(out)]
        for seat in out:
            higher = sum(before[other] > before[seat] for other in out)
            level = sum(before[other] == before[seat] for other in out)
            prizes[seat] = sum(places[higher : higher + level]) / level
        if len(alive) == 1:
            prizes[alive[0]] = self.prizes[0]
            return prizes, -1, seats
        for k, seat in enumerate(alive):
            seats[seat] = k + 3 - len(alive)
        stacks = (0, *(after[seat] for seat in alive))[-3:]
        return prizes, self.number[stacks], seats

    def forced(self, state: Stacks) -> tuple[bool, ...]:
        """By information set: the player is in without paying more, so there is nothing to fold."""
        posted, big_is_in = self.posted(state), state[BIG] <= self.blinds[1]
        found = []
        for seat, before in INFOSETS:
            jammed = [state[other] for other, letter in enumerate(before) if letter == "J"]
            facing = max([*jammed, posted[BIG] if seat < BIG else 0])
            cost = min(state[seat], facing) - posted[seat]
            all_in = seat == BIG or big_is_in or state[seat] == posted[seat]  # nothing to bet later
            found.append(seat > BUTTON and cost <= 0 and all_in)
        return tuple(found)


def _stacks(units: int, players: int) -> list[Stacks]:
    if players == 1:
        return [(units,)]
    rest = range(1, units - players + 2)
    return [(mine, *others) for mine in rest for others in _stacks(units - mine, players - 1)]


def settle(paid: Stacks, showing: Sequence[int], places: Sequence[int]) -> Stacks:
    """What every seat takes back, side pot by side pot; `places` of those who show, 0 the best.

    The short stack of 1 wins the main pot of 3, the second-best hand the side pot of 4:

    >>> settle((1, 3, 3), (0, 1, 2), (0, 1, 2))
    (3, 4, 0)
    """
    won, below = [0, 0, 0], 0
    for level in sorted({amount for amount in paid if amount}):
        pot = sum(min(amount, level) - min(amount, below) for amount in paid)
        able = [k for k, seat in enumerate(showing) if paid[seat] >= level]
        best = min((places[k] for k in able), default=min(places))
        winners = [showing[k] for k in able or range(len(showing)) if places[k] == best]
        for k, seat in enumerate(sorted(winners, key=(SMALL, BIG, BUTTON).index)):
            won[seat] += pot // len(winners) + (k < pot % len(winners))
        below = level
    return tuple(won)


@dataclass(frozen=True, eq=False)
class Arrays(Follow):
    """n states of `every_state`, 25 outcomes, 3 seats."""

    forced: NDArray[np.bool_]  # (n, 6) nothing to decide, the player is in
    absent: NDArray[np.bool_]  # (n, 6) nobody to decide: the first seat is empty
    icm: NDArray[np.float64]  # (n, 3)


def _arrays(game: Tournament) -> Arrays:
    n = len(game.every_state)
    prizes, follow = np.zeros((n, OUTCOMES, 3)), np.full((n, OUTCOMES), -1)
    seat, worth = np.full((n, OUTCOMES, 3), -1), np.zeros((n, 3))
    for s, state in enumerate(game.every_state):
        worth[s, 3 - sum(map(bool, state)) :] = game.icm(state)
        for showing, first in LINES.values():
            if not all(state[i] for i in showing):  # nobody sits there
                continue
            for o, places in enumerate(PLACES[len(showing)], first):
                after = game.after(state, showing, places)
                prizes[s, o], follow[s, o], seat[s, o] = game.follow(state, after)
    forced = np.array([game.forced(state) for state in game.every_state])
    gone = [[k == BUTTON or before[0] == "J" for k, before in INFOSETS]]
    absent = np.array(gone) & (np.array(game.every_state)[:, :1] == 0)
    return Arrays(prizes, follow, seat, forced & ~absent, absent, worth)
