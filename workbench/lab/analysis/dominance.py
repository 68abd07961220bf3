"""Dominated choices: moves that are never right, whatever the other player does.

Everyday example: in poker, to fold the best possible hand. Against some opponents it costs nothing,
against none does it win anything. Waugh, Bard & Bowling (2009), Definition 6: a pure strategy of
player i is *dominated* if another strategy, pure or mixed, does at least as well against every
strategy of the opponent and strictly better against at least one.

There are far too many pure strategies to look at each, so what is computed here is the same notion
for single choices. A choice (I, a) is dominated if **every pure strategy that gets to I by its own
moves and then plays a is dominated**. Whoever makes such a choice with positive probability
mixes in dominated strategies. (The converse fails: choices that are each fine may be dominated
together, so the mass on dominated choices is a lower bound on that on dominated strategies.)

Exact: a pure strategy is undominated if and only if it is a best reply to some opponent who plays
every move with positive probability (Pearce 1984, Lemma 4). So (I, a) is undominated if and only if
some such opponent makes it part of a best reply. `dominance_lp.py` finds out by linear programs.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> [f"{tree.infoset_label(int(tree.choice_infoset[c]))}: {tree.actions[c]}"
...     for c in np.flatnonzero(dominated_choices(tree))]
['J pb: b', 'K pb: p', 'K p: p', 'K b: p', 'J b: b']
>>> dominated_mass(Strategy.uniform(tree))
array([0.083, 0.25 ])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from workbench.lab.analysis.dominance_lp import Beliefs, Mask
from workbench.passes import reach
from workbench.rules import GameError, label_of
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, GameTree, kept, need_tree

if TYPE_CHECKING:
    import pandas as pd


def dominated_choices(tree: GameTree, among: ArrayLike | None = None) -> Mask:
    """(K,) True for choices that no undominated strategy makes; found once for each tree.

    `among`: (K,) True for the choices to ask about, if not all; the others stay False. In a large
    game that saves most of the work.
    """
    if among is None:
        return _dominated(need_tree(tree))
    asked = np.asarray(among)
    if asked.dtype != np.bool_ or asked.shape != (need_tree(tree).num_choices,):
        raise GameError(
            f"among must say True or False for each of the {tree.num_choices:,} choices of "
            f"{tree.name!r}, not {asked.dtype} of shape {asked.shape}"
        )
    hers = [asked[slice(r.start, r.stop)] for r in map(tree.choices_of, (0, 1))]
    parts = [Beliefs(tree, i).undominated(some) for i, some in enumerate(hers)]
    return np.asarray(asked & ~np.concatenate(parts))


@kept
def _dominated(tree: GameTree) -> Mask:
    found = ~np.concatenate([Beliefs(tree, player).undominated() for player in (0, 1)])
    found.flags.writeable = False
    return found


def dominated_mass(sigma: Strategy) -> FloatArray:
    """(2,) how likely each player makes a dominated choice in one game of this profile."""
    tree = need_strategy(sigma).tree
    wrong, owner = dominated_choices(tree), tree.infoset_player[tree.choice_infoset]
    edge = np.flatnonzero(tree.choice >= 0)
    mass = np.zeros(2)
    for i in (0, 1):
        hers = wrong & (owner == i)
        clean = reach(tree, np.where(hers, 0.0, sigma.probs))  # (N,) without one so far
        first = edge[hers[tree.choice[edge]]]  # the edges on which she makes her first
        often = clean[tree.parent[first]] * tree.chance[first] * sigma.probs[tree.choice[first]]
        mass[i] = often.sum()
    return mass


def dominated_table(sigma: Strategy) -> pd.DataFrame:
    """Where: the dominated choices a profile makes, most frequent first.

    Columns: player (counted from 1), information set, action, probability (at that information
    set), frequency (how often per game it is made, when everybody plays the profile).
    """
    import pandas as pd

    tree = need_strategy(sigma).tree
    often = np.zeros(tree.num_choices)
    edge = tree.choice >= 0
    np.add.at(often, tree.choice[edge], reach(tree, sigma.probs)[edge])
    made = np.flatnonzero(dominated_choices(tree) & (often > 0.0))
    made = made[np.argsort(-often[made], kind="stable")]
    at = tree.choice_infoset[made]
    return pd.DataFrame(
        {
            "player": tree.infoset_player[at].astype(int) + 1,
            "information set": [tree.infoset_label(int(infoset)) for infoset in at],
            "action": [label_of(tree.actions[c]) for c in made],
            "probability": sigma.probs[made],
            "frequency": often[made],
        }
    )
