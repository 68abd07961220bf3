"""Partitions for tests: a naive judge of condition 3, and random partitions that obey it."""

import numpy as np

from workbench.stitching.partition import GraftingPartition


def closed(tree, part):
    """After a history of G_ij player i's histories are in G_ij or G_i0, by definition."""

    def walk(h, inside):
        player = int(tree.player[h])
        j = int(part[tree.infoset[h]]) if player >= 0 else 0
        if j and inside.get(player, j) != j:
            return False
        below = {**inside, player: j} if j else inside
        return all(walk(c, below) for c in range(tree.first_child[h], tree.first_child[h + 1]))

    return walk(0, {})


def random_partition(tree, seed, experts=2):
    """Experts begin anywhere; after that a player stays with hers, or is back with the base."""
    rng = np.random.default_rng(seed)
    part = np.zeros(tree.num_infosets, np.int32)
    latest = np.zeros(tree.num_infosets, np.int32)  # the expert met so far, this set included
    for infoset in range(tree.num_infosets):
        above = tree.parent_choice[infoset]
        before = latest[tree.choice_infoset[above]] if above >= 0 else 0
        part[infoset] = before if rng.random() < 0.7 else 0
        if before == 0 and rng.random() < 0.6:
            part[infoset] = rng.integers(1, experts + 1)
        latest[infoset] = max(before, part[infoset])
    return GraftingPartition(tree, tuple(f"e{j}" for j in range(1, experts + 1)), part)
