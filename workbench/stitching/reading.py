"""What everybody could see: the betting and the round of each history, read off a tree.

    betting     the actions on the way to a history, chance left out: b(h) in the papers
    round       how often chance has moved after somebody had decided something

>>> from workbench.games import load_game
>>> from workbench.compiling import compile_game
>>> tree = compile_game(load_game("leduc"))
>>> number, sequences = betting(tree)
>>> sequences[:5], sequences[number[-1]], int(rounds(tree)[-1])
([(), ('c',), ('r',), ('c', 'c'), ('c', 'r')], ('c', 'r', 'r', 'c', 'c', 'r', 'r', 'c'), 1)
"""

from __future__ import annotations

import numpy as np

from workbench.tree import CHANCE, GameTree, IntArray, label_of, need_tree

__all__ = ["Betting", "betting", "rounds"]

Betting = tuple[str, ...]  # labels of actions


def betting(tree: GameTree) -> tuple[IntArray, list[Betting]]:
    """(N,) which sequence of actions leads to h, and the sequences, shorter ones first."""
    labels = [label_of(action) for action in need_tree(tree).actions]
    words = list(dict.fromkeys(labels))
    word = np.array([words.index(label) for label in labels], np.int64)  # (K,)
    number = np.zeros(tree.num_histories, np.int32)
    sequences: list[Betting] = [()]
    known: dict[tuple[int, int], int] = {}
    for low, high in zip(tree.level_start[1:-1], tree.level_start[2:], strict=True):
        above, choice = number[tree.parent[low:high]], tree.choice[low:high]
        number[low:high] = above
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
        number[low + moved] = new[which]
    return number, sequences


def rounds(tree: GameTree) -> IntArray:
    """(N,) how often chance has moved after somebody had decided something."""
    rounds = np.zeros(need_tree(tree).num_histories, np.int32)
    open_ = np.zeros(tree.num_histories, np.bool_)  # somebody has decided since chance moved
    for low, high in zip(tree.level_start[1:-1], tree.level_start[2:], strict=True):
        above = tree.parent[low:high]
        dealt = tree.player[above] == CHANCE
        rounds[low:high] = rounds[above] + (dealt & open_[above])
        open_[low:high] = ~dealt
    return rounds
