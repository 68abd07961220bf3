"""Public states: what everybody at the table knows, found in the tree alone.

Everyday example: two people play Kuhn poker, one has bet. You watch, and see no card. What you know
is the *public state*: the six deals that are still possible after this bet. Whoever wants to think
from here on must think about all six, because each player considers deals that the other one knows
to be wrong, and so on. But nobody needs to think about what would have happened without the bet.

    at one moment of the game two histories are in one public state if
        a player cannot tell them apart     they share an information set, or one choice has led to
                                            both of them just now
        or if this is so later              some children of theirs are in one public state

One sweep from the ends up finds them. The same sweep with one player's information sets says what
she *knows* at histories where somebody else acts. So the rest of the game below a public state is
closed: no information set has one foot inside and one outside.

**A clock.** In Toepen a player with one card of the suit has to play it. The tree leaves such
forced moves out, so one information set may have histories of different lengths. `timed` puts waits
back (chance, with one outcome), until every information set has one time. Where the tree cannot
tell that somebody had no choice, a state is larger than what is public, and closed all the same.

>>> import workbench as wb
>>> kuhn = wb.compile_game(wb.load_game("kuhn"))
>>> state = public_states(kuhn)
>>> after = state[kuhn.infoset == kuhn.find_infoset("J pb")]  # player 1 has a Jack and faces a bet
>>> [kuhn.history_label(h) for h in range(58) if state[h] in after]
['J Q p b', 'J K p b', 'Q J p b', 'Q K p b', 'K J p b', 'K Q p b']
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from workbench.passes import breadth_first, ranges
from workbench.rules import GameError
from workbench.tree import CHANCE, NOBODY, FloatArray, GameTree, IntArray, assemble, kept

Histories = NDArray[np.int64]
QUIET = {"player": CHANCE, "infoset": -1, "choice": -1, "chance": 1.0, "outcome": -1}  # a wait


class Timed(NamedTuple):
    """A game in which every information set stands at one depth, and the way there."""

    tree: GameTree
    choice: IntArray  # (K,) the number of each choice of the game
    place: IntArray  # (N,) the number of each history of the game


def public_states(tree: GameTree) -> IntArray:
    """(N,) the number of each history's public state; where nobody decides any more, its own."""
    game = timed(tree)
    return states(game.tree)[game.place]


@kept
def states(tree: GameTree) -> IntArray:
    """The same for a timed game."""
    return _joined(tree, tree.infoset, tree.choice)


def knowledge(tree: GameTree, player: int) -> IntArray:
    """(N,) what a player knows at each history of a timed game: equal numbers, nothing she can tell
    apart. Where she never acts again, it is what she did last; such numbers are below 0."""
    acts = tree.player == player
    found = _joined(tree, np.where(acts, tree.infoset, -1), np.full_like(tree.choice, -1))
    later = acts.copy()
    for level in reversed([*tree.levels()]):
        np.logical_or.at(later, tree.parent[level], later[level])
    return np.where(later, found, -2 - tree.last_choice(player)).astype(np.int32)


def _joined(tree: GameTree, infoset: IntArray, choice: IntArray) -> IntArray:
    """(N,) histories of a depth that share an infoset, a choice, or a number among their children
    get one number. Level by level, each joins what has common links."""
    found, count = np.zeros(tree.num_histories, np.int32), 0
    m, k = tree.num_infosets, tree.num_choices
    below = slice(0, 0)
    for level in reversed([slice(0, 1), *tree.levels()]):
        who, links = np.arange(level.stop - level.start), []
        for keys, first in ((infoset[level], 0), (choice[level], m)):
            links.append((who[keys >= 0], first + keys[keys >= 0]))
        links.append((tree.parent[below] - level.start, m + k + found[below]))
        rows, keys = (np.concatenate(each) for each in zip(*links, strict=True))
        _, keys = np.unique(keys, return_inverse=True)
        size = len(who) + int(keys.max(initial=-1)) + 1
        graph = coo_array((np.ones(len(rows)), (rows, len(who) + keys)), shape=(size, size))
        number, label = connected_components(graph, directed=False)
        found[level] = count + label[: len(who)]
        count, below = count + number, level
    return found


@kept
def timed(tree: GameTree) -> Timed:
    """The game with waiting moves, so that every information set stands at one depth."""
    size = np.diff(tree.level_start)
    depth = np.repeat(np.arange(len(size)), size)
    deciding, time = tree.infoset >= 0, depth.copy()
    while True:
        latest, before = np.zeros(tree.num_infosets, np.int64), time.copy()
        np.maximum.at(latest, tree.infoset[deciding], time[deciding])
        time[deciding] = latest[tree.infoset[deciding]]
        for level in tree.levels():
            time[level] = np.maximum(time[level], time[tree.parent[level]] + 1)
        if np.array_equal(before, time):
            break
        if time.max() > len(size) + tree.num_infosets:
            raise GameError(
                f"{tree.name!r} has no clock: an information set would have to come before itself, "
                "so nobody at the table knows how far the game is, and there is nothing to cut"
            )
    n, wait = tree.num_histories, np.zeros(tree.num_histories, np.int64)
    wait[1:] = time[1:] - time[tree.parent[1:]] - 1
    if not wait.any():
        return Timed(
            tree, np.arange(tree.num_choices, dtype=np.int32), np.arange(n, dtype=np.int32)
        )
    late = np.repeat(np.arange(n), wait)  # whose wait it is
    opens = np.r_[True, late[1:] != late[:-1]]  # the move itself leads to the first wait
    new, rows = n + np.arange(len(late)), {}
    for name, quiet in QUIET.items():
        values, moves = getattr(tree, name), name in ("choice", "chance", "outcome")
        more = np.where(opens & moves, values[late], quiet)
        rows[name] = np.concatenate([np.where((wait > 0) & moves, quiet, values), more])
    rows["parent"] = np.concatenate([tree.parent, np.where(opens, tree.parent[late], new - 1)])
    rows["parent"][late] = new  # the last wait of each is written last
    utility = np.zeros((len(rows["parent"]), tree.num_players))
    utility[:n][tree.terminal >= 0] = tree.utility[tree.terminal[tree.terminal >= 0]]
    game, choice, place = grown(
        rows, utility, name=tree.name, first_choice=tree.first_choice, seen=tree.seen,
        actions=tree.actions, outcomes=tree.outcomes, rules=tree.rules, derived_from=tree,
    )  # fmt: skip
    return Timed(game, choice, place[:n])


def grown(rows: dict[str, Any], utility: FloatArray, **rest: Any) -> tuple[GameTree, Any, Any]:
    """A tree from its histories in any order, with what each pays if it is an end; the new number
    of each choice, and that of each history."""
    order = breadth_first(rows["parent"])
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    rows |= {"parent": np.where(rows["parent"] >= 0, place[rows["parent"]], -1)}
    kind = {"chance": np.float64, "player": np.int8}
    made = {name: values[order].astype(kind.get(name, np.int32)) for name, values in rows.items()}
    over = made["player"] == NOBODY
    made["terminal"] = np.where(over, np.cumsum(over) - 1, -1).astype(np.int32)
    players = utility.shape[1]
    tree, choice = assemble(num_players=players, utility=utility[order][over], **made, **rest)
    return tree, choice, place


def below(tree: GameTree, roots: Histories, closed: NDArray[np.bool_]) -> Histories:
    """The histories from some on, level by level, these included; nothing behind closed ones."""
    level, found = roots, [roots]
    while len(level):
        open_ = level[~closed[level]]
        first = tree.first_child[open_]
        level = ranges(first, tree.first_child[open_ + 1] - first)
        found.append(level)
    return np.concatenate(found)
