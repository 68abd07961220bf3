"""The sequence form: what a player can do, flattened to the sequences of her own moves.

With perfect recall a player reaches a choice by exactly one sequence of earlier choices,
so a sequence is named by its last choice. The sequences are

    0 .. K-1     the choices themselves
    K + i        player i's empty sequence: she has not moved yet

A strategy becomes a *realization plan* x: x[s] is the probability that its player makes
all choices of s, chance and the others permitting (Koller, Megiddo & von Stengel 1994).
Each terminal z pays chance(z) u_i(z) Π_j x_j[seq_j(z)], and terminals with the same
sequences can be added up. So the game is one sparse list of payoffs (a matrix when there
are two players) and, for each player, the order of her own infosets:

    gradient  g[s] = Σ over payoffs with i's sequence s, of weight · Π_{j≠i} x_j
    up        a player's infosets from last to first: choose, add the result to the
              sequence above (an average under σ, the best choice in a best response)
    down      from first to last: x[c] = x[sequence above] · σ[c]

After `up`, g[K + i] is what player i wins. One gradient costs one multiplication per
payoff, so two-player Leduc, 9,457 histories, takes some microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.kernels import kernel
from workbench.rules import GameError
from workbench.tree import FloatArray, GameTree, IntArray

__all__ = ["SequenceForm", "best_up", "down", "gradient", "sequence_form", "up"]


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """Arrays of the sequence form; S = K + P sequences, E payoffs in all rows together."""

    first_infoset: IntArray  # (P+1,) infosets of player i: first_infoset[i] .. [i+1]
    first_choice: IntArray  # (M+1,)
    owner: IntArray  # (K,)   the infoset of a choice
    above: IntArray  # (M,)   the sequence that leads to I
    row: IntArray  # (S+1,) payoffs of sequence s: row[s] .. row[s+1]
    others: IntArray  # (E, P-1) the other players' sequences
    weight: FloatArray  # (E,)   chance · utility of the owner of the row

    @property
    def num_sequences(self) -> int:
        return len(self.row) - 1

    @property
    def num_players(self) -> int:
        return len(self.first_infoset) - 1

    def plan(self, probs: FloatArray) -> FloatArray:
        """(S,) the realization plan of a profile, all players together."""
        x = np.ones(self.num_sequences)
        down(self.first_choice, self.above, probs, 0, len(self.above), x)
        return x


def sequence_form(tree: GameTree) -> SequenceForm:
    """The sequence form of a tree, built once for each tree and kept with it."""
    form = tree.__dict__.get("_sequence_form")
    if form is None:
        form = tree.__dict__["_sequence_form"] = _build(tree)
    assert isinstance(form, SequenceForm)
    return form


def _build(tree: GameTree) -> SequenceForm:
    if not tree.perfect_recall:
        raise GameError(
            f"in {tree.name!r} a player forgets what she knew or did (imperfect recall): no exact "
            "best response or sequence form here; lift the strategy to the full game first"
        )
    k, players = tree.num_choices, tree.num_players
    over = tree.terminal >= 0
    luck = np.ones(tree.num_histories)
    for low, high in zip(tree.level_start[1:-1], tree.level_start[2:], strict=True):
        luck[low:high] = luck[tree.parent[low:high]] * tree.chance[low:high]

    sequences = np.empty((tree.num_terminals, players), np.int32)  # (Z, P)
    for i in range(players):
        last = tree.last_choice(i)[over]
        sequences[:, i] = np.where(last >= 0, last, k + i)
    order = np.lexsort(sequences.T[::-1])
    sequences = sequences[order]
    payoff = luck[over][order, None] * tree.utility[order]  # (Z, P)
    if len(sequences):  # add up the terminals that no plan can tell apart
        new = np.flatnonzero(np.r_[True, np.any(sequences[1:] != sequences[:-1], axis=1)])
        sequences, payoff = sequences[new], np.add.reduceat(payoff, new, axis=0)

    counts = np.zeros(k + players, np.int64)
    others, weights = [], []
    for i in range(players):
        order = np.lexsort([*np.delete(sequences, i, axis=1).T[::-1], sequences[:, i]])
        order = order[payoff[order, i] != 0.0]
        counts += np.bincount(sequences[order, i], minlength=k + players)
        hers, last = sequences[order], np.searchsorted(sequences[order, i], k)
        others.append((np.delete(hers[:last], i, axis=1), np.delete(hers[last:], i, axis=1)))
        weights.append((payoff[order[:last], i], payoff[order[last:], i]))
    # players' choices come first, in order, then their empty sequences
    parts = [rows for rows, _ in others] + [empty for _, empty in others]
    values = [rows for rows, _ in weights] + [empty for _, empty in weights]
    first = [tree.infosets_of(i).start for i in range(players)] + [tree.num_infosets]
    return SequenceForm(
        first_infoset=np.array(first, np.int32),
        first_choice=tree.first_choice,
        owner=tree.choice_infoset,
        above=np.where(
            tree.parent_choice >= 0, tree.parent_choice, k + tree.infoset_player.astype(np.int32)
        ).astype(np.int32),
        row=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        others=np.concatenate(parts).astype(np.int32),
        weight=np.concatenate(values),
    )


# The rows and infosets below are short (three entries, two choices). A `while` with 64-bit
# counters keeps the compiler from preparing each of them for vector instructions, which costs
# more than it wins: gradient 17 -> 14 µs on suited Leduc, regret update 64 -> 7 µs.


@kernel
def gradient(
    row: IntArray,
    others: IntArray,
    weight: FloatArray,
    low: int,
    high: int,
    x: FloatArray,
    g: FloatArray,
) -> None:
    """g[s] for the sequences low .. high of one player."""
    width = others.shape[1]
    entry = np.int64(row[low])
    for s in range(low, high):
        total, end = 0.0, np.int64(row[s + 1])
        if width == 1:
            while entry < end:
                total += weight[entry] * x[others[entry, 0]]
                entry += 1
        elif width == 2:
            while entry < end:
                total += weight[entry] * x[others[entry, 0]] * x[others[entry, 1]]
                entry += 1
        else:
            while entry < end:
                product = weight[entry]
                for j in range(width):
                    product *= x[others[entry, j]]
                total += product
                entry += 1
        g[s] = total


@kernel
def up(
    first_choice: IntArray,
    above: IntArray,
    probs: FloatArray,
    low: int,
    high: int,
    g: FloatArray,
    value: FloatArray,
) -> None:
    """Average over σ: afterwards g[c] = v(I, a) and value[I] = Σ σ v, infosets low .. high."""
    for infoset in range(high - 1, low - 1, -1):
        total, c, end = 0.0, np.int64(first_choice[infoset]), np.int64(first_choice[infoset + 1])
        while c < end:
            total += probs[c] * g[c]
            c += 1
        value[infoset] = total
        g[above[infoset]] += total


@kernel
def best_up(
    first_choice: IntArray,
    above: IntArray,
    low: int,
    high: int,
    g: FloatArray,
    probs: FloatArray,
) -> None:
    """Take the best choice (the first of equals) and write it into probs."""
    for infoset in range(high - 1, low - 1, -1):
        best, end = np.int64(first_choice[infoset]), np.int64(first_choice[infoset + 1])
        c = best
        while c < end:
            probs[c] = 0.0
            if g[c] > g[best]:
                best = c
            c += 1
        probs[best] = 1.0
        g[above[infoset]] += g[best]


@kernel
def down(
    first_choice: IntArray,
    above: IntArray,
    probs: FloatArray,
    low: int,
    high: int,
    x: FloatArray,
) -> None:
    """The realization plan below the sequences of the infosets low .. high."""
    for infoset in range(low, high):
        arrive = x[above[infoset]]
        c, end = np.int64(first_choice[infoset]), np.int64(first_choice[infoset + 1])
        while c < end:
            x[c] = arrive * probs[c]
            c += 1
