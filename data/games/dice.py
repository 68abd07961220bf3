"""Liar's dice with one die each: a small game to read, to play, and to change into your own.

    workbench play dice.py                         sit down to it
    workbench solve dice.py --option sides=4       solve it, with another option
    pytest dice.py                                 run the tests at the end of this file

and in a notebook `game = wb.load_game("dice.py", sides=4)`, then `wb.solve(game)` or any panel:
`wb.widgets.SolverPanel(game)`. The file is run when the game is loaded.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import workbench as wb
from workbench.games.words import Words
from workbench.settings import Between, full_name

State = tuple[tuple[str, ...], tuple[str, ...]]  # the dice rolled so far, the bids so far


class Spoken(Words):
    """Words that `moves` and `cards` have no place for. All of `Words` can be said anew."""

    def holds(self, seen: Any) -> list[str]:
        return [f"You rolled a {seen[0]}"]


@dataclass(frozen=True)
class Dice:
    """Both roll a die in secret. Bids go up: “1x3” says that at least one of the two dice shows
    a 3, “2x1” that both show a 1. Whoever does not believe the last bid calls liar, and the dice
    are shown: if the bid was true the caller pays a chip, else the bidder does."""

    # The lines above are the rules that a player reads at the table (or put them into `about`).
    # Fields are options: `--option sides=4`, `load_game("dice.py", sides=4)`. Annotations check
    # them, and the text beside them is what a form shows.
    sides: Annotated[int, Between(2, 6), "how many faces a die has"] = 3
    wild: Annotated[bool, "ones count as every face"] = False

    # What is the same for all options is no field: it is a ClassVar, or a property.
    players: ClassVar[int] = 2
    unit: ClassVar[str] = "chip"  # one of what is paid; results are then in "chips per game"
    words: ClassVar[type[Words]] = Spoken  # only if `moves` and `cards` are not enough

    @property
    def name(self) -> str:
        return full_name("dice", self)  # with the options that differ from their defaults

    # ---- the rules: these three make the game, all else is for those who look at it -------

    def start(self) -> State:
        """The state before anything has happened; it may be any object."""
        return (), ()

    def next(self, state: State, action: str) -> State:
        """The state after an action, or after an outcome of chance."""
        dice, bids = state
        return ((*dice, action), bids) if len(dice) < 2 else (dice, (*bids, action))

    def node(self, state: State) -> wb.Chance | wb.Decision | wb.Terminal:
        """What happens in a state: chance moves, somebody decides, or the game is over."""
        dice, bids = state
        if len(dice) < 2:
            return wb.Chance(dict.fromkeys(self.rank_names, 1 / self.sides))
        me = len(bids) % 2  # players are 0 and 1
        if bids and bids[-1] == "liar":
            loser = 1 - me if self.is_true(bids[-2], dice) else me
            return wb.Terminal((-1, 1) if loser == 0 else (1, -1))
        above = self.bids.index(bids[-1]) + 1 if bids else 0
        actions = [*self.bids[above:], *(["liar"] if bids else [])]
        # `seen` is exactly what she knows: her own die and all bids, and not the other die
        return wb.Decision(me, (dice[me], bids), actions)

    @property
    def bids(self) -> list[str]:
        return [f"{count}x{face}" for count in (1, 2) for face in self.rank_names]

    def is_true(self, bid: str, dice: tuple[str, ...]) -> bool:
        """Whether so many dice show this face."""
        count, face = bid.split("x")
        return sum(die == face or (self.wild and die == "1") for die in dice) >= int(count)

    # ---- how people speak of it; leave out what you do not need ----------------------------

    @property
    def moves(self) -> dict[str, str]:
        """What actions are called, as verbs."""
        return {bid: f"bid {bid}" for bid in self.bids} | {"liar": "call liar"}

    def cards(self, seen: Any) -> list[str]:
        """A player's own cards (here her die), from what she has seen."""
        return [seen[0]]

    @property
    def rank_names(self) -> list[str]:
        """The ranks of cards from low to high; panels offer to merge them."""
        return [str(face) for face in range(1, self.sides + 1)]


# ---- tests: what you know about the game from elsewhere -----------------------------------


def test_sizes() -> None:
    """Three faces, and any of the five bids below the highest may have been made or not."""
    tree = wb.compile_game(Dice())
    assert tree.num_infosets == 3 * 2**5
    assert tree.zero_sum
    assert tree.perfect_recall


def test_true_and_false_bids() -> None:
    game = Dice()
    for die, payoffs in (("2", (1, -1)), ("3", (-1, 1))):
        state = game.start()
        for action in (die, "1", "1x2", "liar"):
            state = game.next(state, action)
        assert game.node(state) == wb.Terminal(payoffs)


def test_two_solvers_agree() -> None:
    tree = wb.compile_game(Dice(sides=2, wild=True))
    exact, learnt = wb.solve(tree, "lp"), wb.solve(tree, "cfr+", iterations=1000)
    assert exact.exploitability < 1e-9
    assert learnt.exploitability < 1e-3
