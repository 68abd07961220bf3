"""The rest of a game as a game of its own: a small tree, for any solver and any judge.

Everyday example: in the middle of a hand you draw the tree that is left on a napkin. Four things
must be said before anybody can solve it:

    beliefs     chance moves first and picks a history of the public state, with probability in
                proportion to `weight`: chance's own share × my reach (× hers, if we trust it)
    gadget      then, if the other player may decline with what she knows: she is paid `floor` there
                (Burch, Johanson & Bowling 2014)
    leaves      where the napkin ends (`closed`), she chooses how she plays on: as one of some
                *continuations*, each worth a number there (Brown, Sandholm & Amos 2018)
    held        ... or all is drawn to the end, but what I do behind the cut is decided already

        chance ─┬─ deal 1 ── she: enter ── … the rest …
                │                stay ──── −floor
                └─ deal 2 ── …                          ── she: continuation 1 ── worth
                                                               continuation 2 ── worth
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.passes import history_values
from workbench.search.public import Histories, below, breadth_first
from workbench.strategy import Strategy
from workbench.tree import CHANCE, NOBODY, FloatArray, GameTree, IntArray, assemble

Mask = NDArray[np.bool_]
STAY, ENTER = "stay away", "come in"


@dataclass(frozen=True)
class Subgame:
    """The rest of a game below some histories, its roots."""

    tree: GameTree
    choice: IntArray  # (K of the whole game,) its number here, -1 if it is not here
    place: IntArray  # (R,) where each root is

    def plan(self, probs: FloatArray) -> Strategy:
        """What a strategy of the whole game does here; who may stay away or choose among
        continuations takes each as likely."""
        found, here = Strategy.uniform(self.tree).probs.copy(), self.choice >= 0
        found[self.choice[here]] = probs[here]
        return Strategy(self.tree, found)

    def worth(self, probs: FloatArray) -> FloatArray:
        """(R, P) what each player wins from each root on."""
        return history_values(self.tree, probs)[self.place]


def subgame(
    game: GameTree,
    roots: Histories,
    weight: FloatArray,  # (R,)
    other: int,  # the player who may stay away and choose among continuations
    know: IntArray,  # (N,) what she knows at each history
    *,
    floor: FloatArray | None = None,  # (R,) what she is paid if she stays away
    closed: Mask | None = None,  # (N,) nothing is drawn behind these histories
    leaves: FloatArray | None = None,  # (N, m) what she wins there with each continuation
    names: tuple[str, ...] = (),  # (m,) of the continuations
    held: FloatArray | None = None,  # (K,) behind closed histories the first player plays this
) -> Subgame:
    """The tree of all this; `roots` is a public state of a timed, two-player zero-sum game."""
    m, k = game.num_infosets, game.num_choices
    shut = np.zeros(game.num_histories, np.bool_) if closed is None else closed
    inside = below(game, roots, shut & (held is None))
    r, n = len(roots), len(inside)
    new = np.full(game.num_histories, -1, np.int64)  # (N,) its number here
    first = 1 if floor is None else 1 + 2 * r  # the root, then gates and refusals
    new[inside] = first + np.arange(n)
    parent = np.concatenate([[-1], np.zeros(first - 1, np.int64), new[game.parent[inside]]])
    parent[first : first + r] = 0 if floor is None else 1 + np.arange(r)
    player = np.concatenate([[CHANCE], np.full(first - 1, NOBODY), game.player[inside]])
    infoset = np.concatenate([np.full(first, -1), game.infoset[inside]])
    choice = np.concatenate([np.full(first, -1), game.choice[inside]])
    choice[first : first + r] = -1
    chance = np.concatenate([np.ones(first), game.chance[inside]])
    outcome = np.concatenate([np.full(first, -1), game.outcome[inside]])
    outcome[first : first + r] = -1
    wins = np.zeros(first + n)  # of the other player, where it is over
    over = game.terminal[inside]
    wins[first:][over >= 0] = game.utility[over[over >= 0], other]
    sizes, actions = [game.first_choice], list(game.actions)
    seen = list(game.seen)

    def ask(
        knows: IntArray, options: tuple[str, ...]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """New information sets, one for each thing she may know: their numbers, and the first
        choice of each."""
        different, which = np.unique(knows, return_inverse=True)
        numbers, starts = len(seen) + which, len(actions) + len(options) * which
        seen.extend((options[0], int(one)) for one in different)
        actions.extend(options * len(different))
        sizes.append(sizes[-1][-1] + len(options) * np.arange(1, len(different) + 1))
        return numbers, starts

    enter = slice(first, first + r)
    if floor is None:
        chance[enter] = weight / weight.sum()
    else:
        gates, stays = np.arange(1, 1 + r), np.arange(1 + r, first)
        player[gates], chance[gates] = other, weight / weight.sum()
        infoset[gates], start = ask(know[roots], (STAY, ENTER))
        parent[stays], choice[stays], choice[enter] = gates, start, start + 1
        chance[enter], wins[stays] = 1.0, floor
    ends = first + np.flatnonzero(shut[inside])
    if held is not None and len(ends):
        behind = _behind(parent, ends)
        mine = behind & (player == 1 - other)
        edge = np.zeros(len(parent), np.bool_)
        edge[1:] = mine[parent[1:]]
        chance[edge] *= held[choice[edge]]
        player[mine], infoset[mine], choice[edge] = CHANCE, -1, -1
    elif leaves is not None and len(ends):
        at = inside[ends - first]
        player[ends], infoset[ends] = NOBODY, -1
        wins[ends] = leaves[at, 0]
        asked = ends[know[at] >= 0] if leaves.shape[1] > 1 else ends[:0]
        if len(asked):
            at = inside[asked - first]
            player[asked] = other
            infoset[asked], start = ask(know[at], names)
            many, more = len(names), len(names) * len(asked)
            parent = np.concatenate([parent, np.repeat(asked, many)])
            choice = np.concatenate([choice, (start[:, None] + np.arange(many)).ravel()])
            player = np.concatenate([player, np.full(more, NOBODY)])
            infoset = np.concatenate([infoset, np.full(more, -1)])
            outcome = np.concatenate([outcome, np.full(more, -1)])
            chance = np.concatenate([chance, np.ones(more)])
            wins = np.concatenate([wins, leaves[at].ravel()])
    order = breadth_first(parent)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ended = player[order] == NOBODY
    utility = np.empty((int(ended.sum()), 2))
    utility[:, other] = wins[order][ended]
    utility[:, 1 - other] = -utility[:, other]
    tree, numbers = assemble(
        name=f"{game.name} [the rest]", num_players=2,
        parent=np.where(parent >= 0, place[parent], -1)[order].astype(np.int32),
        player=player[order].astype(np.int8), infoset=infoset[order].astype(np.int32),
        choice=choice[order].astype(np.int32), chance=chance[order],
        terminal=np.where(ended, np.cumsum(ended) - 1, -1).astype(np.int32), utility=utility,
        outcome=outcome[order].astype(np.int32), first_choice=np.concatenate(sizes),
        seen=seen, actions=actions, outcomes=game.outcomes, derived_from=game,
    )  # fmt: skip
    assert m <= len(seen)
    return Subgame(tree, numbers[:k], place[enter].astype(np.int32))


def _behind(parent: NDArray[np.int64], ends: NDArray[np.int64]) -> Mask:
    """(n,) at or below some histories; a parent stands before its children."""
    found = np.zeros(len(parent), np.bool_)
    found[ends] = True
    level = np.flatnonzero(found)
    while len(level):
        level = np.flatnonzero(np.isin(parent, level) & ~found)
        found[level] = True
    return found
