"""With three players, experts for what is left of the game when one of them has folded."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from workbench.passes import betting, rounds
from workbench.rules import GameError, label_of
from workbench.stitching.partition import GraftingPartition, experts_behind, need_round
from workbench.tree import GameTree


def heads_up_experts(
    tree: GameTree, fold: Hashable = "f", *, last_round: int = 0
) -> GraftingPartition:
    """An expert for each way in which the first fold can come, as long as the game goes on.

    With three players these are the two-player games of Abou Risk & Szafron (2010). Folds after
    `last_round` have no expert.

    >>> import workbench as wb
    >>> three = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))
    >>> heads_up_experts(three).names[:5]
    ('rf', 'crf', 'rcf', 'rrf', 'ccrf')
    """
    number, sequences = betting(tree)
    early = rounds(tree) <= need_round(tree, "last_round", last_round)
    word = label_of(fold)
    ways = [sequences[k] for k in np.unique(number[early])]
    ways = [way for way in ways if word in way and way.index(word) == len(way) - 1]
    if not ways:
        raise GameError(
            f"nobody ever plays {word!r} in {tree.name!r}; give its word for folding: fold=..."
        )
    found = experts_behind(tree, number, sequences, ways)
    if not found.names:
        raise GameError(
            f"in {tree.name!r} nobody decides anything after the first {word!r}: no experts there"
        )
    code = f"wb.stitching.heads_up_experts(tree, {json.dumps(word)}, last_round={last_round})"
    return replace(found, code=code)
