"""The loops over a tree: down for how likely, up for how good. Any number of players.

For a profile σ and a player i write π for the product of the probabilities on the way to
a history, π_i for i's own share of it and π_-i for everybody else's, chance included.

    reach, luck          π(h) and the share of chance in it, from the root down
    betting, round       the actions on the way, chance left out: b(h) in the papers; how often
                         chance has moved after somebody had decided something
    how often, latest    marked histories on the way to h
    history values       u(h) = Σ_{z below h} π(h → z) u(z), from the ends up
    counterfactual       v_i(I, a) = Σ_{h in I} Σ_{z below ha} π_-i(z) π_i(ha → z) u_i(z)

Zinkevich et al. (2007), equation 5, without its division. Nothing here asks for perfect
recall.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.rules import label_of
from workbench.tree import CHANCE, FloatArray, GameTree, IntArray, need_tree


@kernel
def _reach_down(
    parent: IntArray, choice: IntArray, chance: FloatArray, probs: FloatArray, reach: FloatArray
) -> None:
    reach[0] = 1.0
    for h in range(1, len(parent)):
        weight = reach[parent[h]] * chance[h]
        c = choice[h]
        if c >= 0:
            weight *= probs[c]
        reach[h] = weight


def reach(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(N,) π(h): how likely each history is when everybody plays `probs`."""
    out = np.empty(tree.num_histories)
    _reach_down(tree.parent, tree.choice, tree.chance, probs, out)
    return out


def luck(tree: GameTree) -> FloatArray:
    """(N,) the share of chance in π(h): how likely h is if everybody plays towards it."""
    return reach(tree, np.ones(tree.num_choices))


def others_reach(tree: GameTree, probs: FloatArray, player: int) -> FloatArray:
    """(N,) π_-i(h): the share of chance and of everybody else."""
    rest, hers = probs.copy(), tree.choices_of(player)
    rest[hers.start : hers.stop] = 1.0
    return reach(tree, rest)


def own_reach(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(P, Z) π_i(z): how likely each player makes all her moves on the way to an end."""
    own = np.empty((tree.num_players, tree.num_terminals))
    certain, out = np.ones(tree.num_histories), np.empty(tree.num_histories)
    for i, row in enumerate(own):
        mine = np.where(tree.infoset_player[tree.choice_infoset] == i, probs, 1.0)
        _reach_down(tree.parent, tree.choice, certain, mine, out)
        row[:] = out[tree.terminal >= 0]
    return own


def profile_values(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(P,) what each player wins on average."""
    over = tree.terminal >= 0
    return np.asarray(reach(tree, probs)[over] @ tree.utility)


@kernel
def _values_up(
    parent: IntArray, choice: IntArray, chance: FloatArray, probs: FloatArray, values: FloatArray
) -> None:
    for h in range(len(parent) - 1, 0, -1):
        above, c, weight = parent[h], choice[h], chance[h]
        if c >= 0:
            weight *= probs[c]
        for i in range(values.shape[1]):
            values[above, i] += weight * values[h, i]


def history_values(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(N, P) what each player wins on average from each history on."""
    over = tree.terminal >= 0
    values = np.zeros((tree.num_histories, tree.num_players))
    values[over] = tree.utility[tree.terminal[over]]
    _values_up(tree.parent, tree.choice, tree.chance, probs, values)
    return values


@kernel
def counterfactual_pass(
    parent: IntArray,  # (N,)
    player: NDArray[np.int8],  # (N,)
    choice: IntArray,  # (N,)
    chance: FloatArray,  # (N,)
    terminal: IntArray,  # (N,)
    utility: FloatArray,  # (Z, P)
    probs: FloatArray,  # (K,)
    i: int,
    others: FloatArray,  # (N,) scratch: π_-i(h)
    own: FloatArray,  # (N,) out: π_i(h)
    worth: FloatArray,  # (N,) scratch: Σ_z π_-i(z) π_i(h → z) u_i(z)
    values: FloatArray,  # (K,) out, i's part: v_i(I, a)
) -> None:
    """Everything CFR asks of one profile for one player: one pass down, one up."""
    others[0] = own[0] = 1.0
    worth[0] = 0.0
    for h in range(1, len(parent)):
        above, c = parent[h], choice[h]
        theirs, mine = others[above] * chance[h], own[above]
        if c >= 0:
            if player[above] == i:
                mine *= probs[c]
            else:
                theirs *= probs[c]
        others[h], own[h] = theirs, mine
        z = terminal[h]
        worth[h] = theirs * utility[z, i] if z >= 0 else 0.0
    for h in range(len(parent) - 1, 0, -1):
        above, c = parent[h], choice[h]
        if player[above] == i:
            values[c] += worth[h]
            worth[above] += probs[c] * worth[h]
        else:
            worth[above] += worth[h]


def counterfactual(
    tree: GameTree, probs: FloatArray, player: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(K,) v_i(I, a), zero for the others' choices; (N,) π_-i(h); (N,) π_i(h)."""
    others, own, worth = (np.empty(tree.num_histories) for _ in range(3))
    values = np.zeros(tree.num_choices)
    counterfactual_pass(
        tree.parent, tree.player, tree.choice, tree.chance, tree.terminal, tree.utility, probs,
        player, others, own, worth, values,
    )  # fmt: skip
    return values, others, own


# ---- what everybody could see --------------------------------------------------------

Betting = tuple[str, ...]  # labels of actions


def betting(tree: GameTree) -> tuple[IntArray, list[Betting]]:
    """(N,) which sequence of actions leads to h, and the sequences, shorter ones first.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("leduc"))
    >>> number, sequences = betting(tree)
    >>> sequences[:5], sequences[number[-1]]
    ([(), ('c',), ('r',), ('c', 'c'), ('c', 'r')], ('c', 'r', 'r', 'c', 'c', 'r', 'r', 'c'))
    """
    labels = [label_of(action) for action in need_tree(tree).actions]
    words = list(dict.fromkeys(labels))
    word = np.array([words.index(label) for label in labels], np.int64)  # (K,)
    number = np.zeros(tree.num_histories, np.int32)
    sequences: list[Betting] = [()]
    known: dict[tuple[int, int], int] = {}
    for level in tree.levels():
        above, choice = number[tree.parent[level]], tree.choice[level]
        number[level] = above
        moved = np.flatnonzero(choice >= 0)
        if not len(moved):
            continue
        pairs = above[moved] * len(words) + word[choice[moved]]
        different, first, which = np.unique(pairs, return_index=True, return_inverse=True)
        new = np.empty(len(different), np.int32)
        for k in np.argsort(first):
            before, last = divmod(int(different[k]), len(words))
            if (before, last) not in known:
                known[before, last] = len(sequences)
                sequences.append((*sequences[before], words[last]))
            new[k] = known[before, last]
        number[level.start + moved] = new[which]
    return number, sequences


def rounds(tree: GameTree) -> IntArray:
    """(N,) how often chance has moved after somebody had decided something."""
    rounds = np.zeros(need_tree(tree).num_histories, np.int32)
    open_ = np.zeros(tree.num_histories, np.bool_)  # somebody has decided since chance moved
    for level in tree.levels():
        above = tree.parent[level]
        dealt = tree.player[above] == CHANCE
        rounds[level] = rounds[above] + (dealt & open_[above])
        open_[level] = ~dealt
    return rounds


# ---- what lies on the way ------------------------------------------------------------


def how_often(tree: GameTree, marked: NDArray[np.bool_]) -> IntArray:
    """(N,) how many marked histories there are on the way to h, h included."""
    return added_up(tree, marked.astype(np.int32))


def added_up(tree: GameTree, each: NDArray[Any]) -> NDArray[Any]:
    """(N,) the sum of what each history on the way to h brings, h included."""
    total = each.copy()
    for level in tree.levels():
        total[level] += total[tree.parent[level]]
    return total


def latest(tree: GameTree, marked: NDArray[np.bool_]) -> IntArray:
    """(N,) the last marked history before h, -1 if there is none."""
    last = np.full(tree.num_histories, -1, np.int32)
    for level in tree.levels():
        above = tree.parent[level]
        last[level] = np.where(marked[above], above, last[above])
    return last


def breadth_first(parent: NDArray[np.integer]) -> NDArray[np.int64]:
    """(n,) the nodes of a tree in the order of trees, from their parents (-1: the root)."""
    children = np.argsort(parent, kind="stable")
    count = np.bincount(parent[parent >= 0], minlength=len(parent))
    first = len(parent) - len(children) + np.r_[1, 1 + np.cumsum(count)[:-1]]
    level, order = children[:1], [children[:1]]
    while len(level):
        level = children[ranges(first[level], count[level])]
        order.append(level)
    return np.concatenate(order)


def ranges(first: NDArray[np.integer], count: NDArray[np.integer]) -> NDArray[np.int64]:
    """first, first + 1, …: so many of each, one after the other."""
    skipped = np.cumsum(count) - count
    return np.asarray(np.repeat(first - skipped, count) + np.arange(count.sum()))
