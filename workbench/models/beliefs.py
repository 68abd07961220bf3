"""What one can see of an opponent's hands, and what one then believes about the opponent.

**Hand.** You bet, she folds, and nobody shows a card: the hand may have ended in as many ways as
she may have cards. So a hand, as a player saw it, is the set of *ends* she cannot tell apart. She
knows her own decisions and the names of all moves. The rest she knows only if the moves alone do
not settle who is paid, for then cards have to be shown. A fold shows nothing, a showdown shows
everything, and what a Toepen player holds when somebody gives up stays hidden. If other customs
hold, name the ends yourself. Ends are rows of `tree.utility`.

**Counts.** You thought that she calls every second bet, as firmly as if you had seen `weight`
decisions; then she called three times out of four. For each information set I and action a

    σ(a | I)  ∝  weight · prior(a | I) + n(I, a)                        (a Dirichlet prior)
    n(I, a)   =  Σ over hands and their ends z through (I, a) of  luck(z) π(z) / Σ_z' luck(z') π(z')

where n counts what she did, and a hand is shared out among its ends as chance and σ make them
likely. Both lines are solved by going round `SWEEPS` times from the prior (expectation
maximisation), so the model depends on which hands were seen, not on their order.

People change seats, so a model is a strategy for both seats, learnt from the hands of both.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> model = Counts(Strategy.uniform(tree), weight=1)
>>> model.saw(Hand.played(tree, 0, [(-1, "Q"), (-1, "K"), (0, "p"), (1, "b"), (0, "b")]))
>>> model.strategy.at("K p")
{'p': 0.25, 'b': 0.75}
>>> Hand.played(tree, 0, [(-1, "Q"), (-1, "K"), (0, "b"), (1, "p")])
Hand seen by player 0: one of 2 ends
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from workbench.later import pd
from workbench.linear_programs import need_two_players
from workbench.passes import betting, luck, own_reach
from workbench.rules import GameError, label_of, shown
from workbench.sequence_form import sequence_form, up
from workbench.settings import as_tuple, need_kind, need_number, need_several, need_whole
from workbench.strategy import Strategy, need_numbers, need_strategy, normalised
from workbench.tree import CHANCE, FloatArray, GameTree, IntArray, kept, need_players, need_tree

SWEEPS = 20  # of sharing out hidden cards


class Ends(NamedTuple):
    """The Z ends of a tree, in order."""

    history: IntArray  # (Z,)
    luck: FloatArray  # (Z,)   the share of chance in reaching z
    last: IntArray  # (P, Z) a player's last choice on the way, -1 if she made none
    sight: IntArray  # (P, Z) equal where a player cannot tell ends apart


@kept
def ends_of(tree: GameTree) -> Ends:
    """What models ask of a tree again and again."""
    history = np.flatnonzero(tree.terminal >= 0).astype(np.int32)
    last = np.stack([tree.last_choice(i)[history] for i in range(tree.num_players)])
    moves = betting(tree)[0][history]  # (Z,)
    low, high = np.full((2, int(moves.max(initial=0)) + 1, tree.num_players), np.inf)
    np.minimum.at(low, moves, tree.utility)
    np.minimum.at(high, moves, -tree.utility)
    shown = np.any(low < -high, axis=1)[moves]  # the moves alone do not settle who is paid
    card = np.where(shown, np.arange(len(history)), -1)
    known = [np.stack([mine, moves, card]) for mine in last]
    sight = [np.unique(one, axis=1, return_inverse=True)[1].ravel() for one in known]
    return Ends(history, luck(tree)[history], last, np.stack(sight).astype(np.int32))


@dataclass(frozen=True, eq=False, repr=False)
class Hand:
    """What `player` knows of a hand that is over; see help('workbench.models.beliefs')."""

    tree: GameTree
    player: int  # who looks: her seat
    ends: IntArray  # the hand ended in one of these

    def __post_init__(self) -> None:
        need_players(need_tree(self.tree), (self.player,))
        ends = np.unique(need_numbers("ends", self.ends, None, "a hand", np.int32))
        if not len(ends) or ends[0] < 0 or ends[-1] >= (many := self.tree.num_terminals):
            raise GameError(f"the ends of a hand are some of the {many:,} of {self.tree.name!r}")
        object.__setattr__(self, "ends", ends)

    @classmethod
    def ended(cls, tree: GameTree, player: int, end: int) -> Hand:
        """What a player knows if the hand ended in this one."""
        sight = ends_of(need_tree(tree)).sight[need_players(tree, (player,))[0]]
        same = sight == sight[need_whole("the end of a hand", end, 0, tree.num_terminals - 1)]
        return cls(tree, player, np.flatnonzero(same).astype(np.int32))

    @classmethod
    def played(cls, tree: GameTree, player: int, moves: Iterable[tuple[int, Any]]) -> Hand:
        """The same from all moves of the hand, (seat, what), that left a choice; chance has seat
        -1."""
        at, pairs = 0, "pairs (seat, what)"
        need_players(need_tree(tree), (player,))
        for move in need_several("moves", moves, pairs):
            if isinstance(move, str) or len(pair := as_tuple(move)) != 2:
                raise GameError(f"moves must be a list of {pairs}, not of {shown(move)}")
            (seat, what), turn = pair, int(tree.player[at])
            if turn >= CHANCE and need_whole("the seat of a move", seat, CHANCE) != turn:
                whose = f"seat {turn}" if turn >= 0 else "chance, seat -1"
                raise GameError(f"after {tree.history_label(at)} it is the turn of {whose}")
            for h in range(tree.first_child[at], tree.first_child[at + 1]):
                dealt, made = tree.outcome[h], tree.choice[h]
                if what == (tree.actions[made] if made >= 0 else tree.outcomes[dealt]):
                    at = h
                    break
            else:
                raise GameError(f"{label_of(what)!r} cannot follow {tree.history_label(at)}")
        if tree.terminal[at] < 0:
            raise GameError(f"the hand is not over after {tree.history_label(at)}")
        return cls.ended(tree, player, int(tree.terminal[at]))

    def __repr__(self) -> str:
        return f"Hand seen by player {self.player}: one of {len(self.ends)} ends"


@runtime_checkable
class Model(Protocol):
    """What somebody believes about an opponent; `times` (M,): how often she was seen to decide at
    each information set, None if the model does not count."""

    @property
    def tree(self) -> GameTree: ...
    @property
    def strategy(self) -> Strategy: ...
    @property
    def times(self) -> FloatArray | None: ...
    def saw(self, hand: Hand, /) -> None: ...
    def table(self) -> pd.DataFrame: ...


def need_hand(hand: Hand, tree: GameTree) -> Hand:
    """Refuse what is no hand of this game."""
    if not need_kind("a hand", hand, Hand).tree.same_as(tree):
        raise GameError(f"this is a hand of {hand.tree.name!r}, and the model is of {tree.name!r}")
    return hand


class Counts:
    """Counted habits; see help('workbench.models.beliefs')."""

    def __init__(self, prior: Strategy, weight: float = 2.0) -> None:
        self.prior, self.tree = prior, need_strategy(prior).tree
        need_two_players(self.tree, "a model of an opponent")
        self.weight, self.hands = need_number("weight", weight), 0
        self._seen: Counter[tuple[int, bytes]] = Counter()  # player, ends
        self._found: tuple[Strategy, FloatArray] | None = None

    def saw(self, hand: Hand) -> None:
        """Take note of a hand."""
        self._seen[need_hand(hand, self.tree).player, hand.ends.tobytes()] += 1
        self.hands, self._found = self.hands + 1, None

    @property
    def strategy(self) -> Strategy:
        """How she is expected to play."""
        return self._learn()[0]

    @property
    def times(self) -> FloatArray:
        """(M,) how often she is thought to have decided at each information set."""
        return np.asarray(np.add.reduceat(self._learn()[1], self.tree.first_choice[:-1]))

    def table(self) -> pd.DataFrame:
        """One row for each choice where she has decided, the most telling sets first: how often,
        what is expected now, and what was expected before the first hand."""
        sets, found = self.tree.choice_infoset, self.strategy.table()
        times, found["times"], found["prior"] = self.times[sets], self._learn()[1], self.prior.probs
        change = (found["probability"] - found["prior"]).abs().groupby(sets).transform("max")
        order = np.lexsort((sets, -(times * change).to_numpy()))
        return found.iloc[order[times[order] > 0.005]].reset_index(drop=True)

    def _learn(self) -> tuple[Strategy, FloatArray]:
        """The strategy, and n of every choice."""
        if self._found is None:
            strategy, counts = self.prior, np.zeros(self.tree.num_choices)
            views = [self._views(player) for player in (0, 1)]
            for _ in range(SWEEPS if self._seen else 0):
                likely = own_reach(self.tree, strategy.probs) * ends_of(self.tree).luck  # (P, Z)
                for player, (ends, which, often) in enumerate(views):
                    share = shares(ends, which, likely[1 - player]) * often[which]
                    hers = self.tree.choices_of(1 - player)
                    made = choices_made(self.tree, 1 - player, ends, share)
                    counts[hers.start : hers.stop] = made[hers.start : hers.stop]
                strategy = normalised(self.tree, self.weight * self.prior.probs + counts)
            self._found = strategy, counts
        return self._found

    def _views(self, player: int) -> tuple[IntArray, IntArray, FloatArray]:
        """(E,) ends of all different hands seen from this seat, (E,) whose, (hands,) how often."""
        seen = [(key[1], often) for key, often in self._seen.items() if key[0] == player]
        ends = [np.frombuffer(of, np.int32) for of, _ in seen] or [np.zeros(0, np.int32)]
        which = np.repeat(np.arange(len(ends), dtype=np.int32), [len(of) for of in ends])
        return np.concatenate(ends), which, np.array([often for _, often in seen] or [0], float)


def shares(ends: IntArray, which: IntArray, likely: FloatArray) -> FloatArray:
    """(E,) how likely each end is among those of its hand; `likely`: (Z,) each on its own. What
    the model rules out altogether is shared evenly."""
    weight = likely[ends]
    total = np.bincount(which, weight)[which]
    even = 1.0 / np.bincount(which)[which]
    return np.where(total > 0.0, weight / np.where(total > 0.0, total, 1.0), even)


def choices_made(tree: GameTree, player: int, ends: IntArray, share: FloatArray) -> FloatArray:
    """(S,) how often each of a player's choices was made on the way to these ends."""
    form, last, k = sequence_form(tree), ends_of(tree).last[player][ends], tree.num_choices
    count: Any = np.bincount(np.where(last >= 0, last, k + player), share, form.num_sequences)
    low, high = form.first_infoset[player : player + 2]
    up(form, np.ones(k), low, high, count, np.zeros(len(form.above)))
    return np.asarray(count)
