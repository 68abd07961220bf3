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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.passes import luck
from workbench.rules import GameError
from workbench.tree import FloatArray, GameTree, IndexArray, frozen, kept


class SequenceForm(NamedTuple):
    """Arrays of the sequence form, as kernels take it; S = K + P sequences, E payoffs in all rows
    together."""

    first_infoset: NDArray[np.int64]  # (P+1,) infosets of player i: first_infoset[i] .. [i+1]
    first_choice: IndexArray  # (M+1,)
    owner: IndexArray  # (K,)   the infoset of a choice
    above: IndexArray  # (M,)   the sequence that leads to I
    row: IndexArray  # (S+1,) payoffs of sequence s: row[s] .. row[s+1]
    others: IndexArray  # (E, P-1) the other players' sequences
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
        down(self, probs, 0, len(self.above), x)
        return x

    def best(self, player: int, probs: FloatArray) -> tuple[float, FloatArray]:
        """What a player wins at best against the others, and the profile in which she does."""
        g, chosen = np.zeros(self.num_sequences), probs.copy()
        low, high = self.first_infoset[player : player + 2]
        all_gradients(self, player, self.plan(probs), g)
        best_up(self, low, high, g, chosen)
        return float(g[len(self.owner) + player]), chosen

    def gains(self, probs: FloatArray) -> FloatArray:
        """(P,) what each player would win by deviating alone: at best, less what she wins."""
        out = np.empty(self.num_players)
        _gains(self, probs, out)
        return out


def need_recall(tree: Any) -> None:
    """Refuse a game, of whatever form, in which somebody forgets."""
    if not tree.perfect_recall:
        raise GameError(
            f"in {tree.name!r} a player forgets what she knew or did (imperfect recall): no exact "
            "best response or sequence form here; lift the strategy to the full game first"
        )


@kept
def sequence_form(tree: GameTree) -> SequenceForm:
    """The sequence form of a tree; refused if somebody forgets."""
    need_recall(tree)
    k, players = tree.num_choices, tree.num_players
    over = tree.terminal >= 0
    sequences = np.empty((tree.num_terminals, players), np.int32)  # (Z, P)
    for i in range(players):
        last = tree.last_choice(i)[over]
        sequences[:, i] = np.where(last >= 0, last, k + i)
    order = np.lexsort(sequences.T[::-1])
    sequences = sequences[order]
    payoff = luck(tree)[over][order, None] * tree.utility[order]  # (Z, P)
    if len(sequences):  # add up the terminals that no plan can tell apart
        new = np.flatnonzero(np.r_[True, np.any(sequences[1:] != sequences[:-1], axis=1)])
        sequences, payoff = sequences[new], np.add.reduceat(payoff, new, axis=0)

    hers = [np.flatnonzero(payoff[:, i]) for i in range(players)]  # where i wins or loses
    row = np.concatenate([sequences[at, i] for i, at in enumerate(hers)])  # (E,)
    others = np.concatenate([np.delete(sequences[at], i, axis=1) for i, at in enumerate(hers)])
    order = np.lexsort([*others.T[::-1], row])
    counts = np.bincount(row, minlength=k + players)
    form = SequenceForm(
        first_infoset=tree.first_infoset,
        first_choice=tree.first_choice.view(np.uint32),
        owner=tree.choice_infoset,
        above=np.where(
            tree.parent_choice >= 0, tree.parent_choice, k + tree.infoset_player.astype(np.int32)
        ).astype(np.uint32),
        row=np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
        others=others[order].astype(np.uint32),
        weight=np.concatenate([payoff[at, i] for i, at in enumerate(hers)])[order],
    )
    for array in form:
        frozen(array)
    return form


@kernel
def gradient(form: SequenceForm, low: Any, high: Any, x: FloatArray, g: FloatArray) -> None:
    """g[s] for the sequences low .. high of one player."""
    row, others, weight = form.row, form.others, form.weight
    width = others.shape[1]
    for s in range(low, high):
        total = 0.0
        if width == 1:
            for e in range(row[s], row[s + 1]):
                total += weight[e] * x[others[e, 0]]
        elif width == 2:
            for e in range(row[s], row[s + 1]):
                total += weight[e] * x[others[e, 0]] * x[others[e, 1]]
        else:
            for e in range(row[s], row[s + 1]):
                product = weight[e]
                for j in range(width):
                    product *= x[others[e, j]]
                total += product
        g[s] = total


# Most infosets have two or three choices. Told the size in advance, the compiler writes these
# cases out; a loop of unknown length costs more than its two multiplications. With the same in
# regret matching, an iteration of CFR+ on Leduc is a quarter shorter (6.2 -> 4.8 µs by rank).


@kernel(inline="always")
def _mean(first: np.uint64, size: int | np.uint32, probs: FloatArray, g: FloatArray) -> float:
    total = 0.0
    for j in range(size):
        total += probs[first + np.uint64(j)] * g[first + np.uint64(j)]
    return total


@kernel
def all_gradients(form: SequenceForm, player: int, x: FloatArray, g: FloatArray) -> None:
    """g[s] for all sequences of one player, the empty one included."""
    low, high = form.first_infoset[player], form.first_infoset[player + 1]
    empty = np.uint32(len(form.owner) + player)
    gradient(form, form.first_choice[low], form.first_choice[high], x, g)
    gradient(form, empty, np.uint32(empty + 1), x, g)


@kernel
def up(
    form: SequenceForm, probs: FloatArray, low: int, high: int, g: FloatArray, value: FloatArray
) -> None:
    """Average over σ: afterwards g[c] = v(I, a) and value[I] = Σ σ v, infosets low .. high."""
    first_choice, above = form.first_choice, form.above
    for infoset in range(high - 1, low - 1, -1):
        first = np.uint64(first_choice[infoset])
        size = first_choice[infoset + 1] - first_choice[infoset]
        if size == 2:
            total = _mean(first, 2, probs, g)
        elif size == 3:
            total = _mean(first, 3, probs, g)
        else:
            total = _mean(first, size, probs, g)
        value[infoset] = total
        g[above[infoset]] += total


@kernel
def best_up(form: SequenceForm, low: int, high: int, g: FloatArray, probs: FloatArray) -> None:
    """Take the best choice (the first of equals) and write it into probs."""
    first_choice, above = form.first_choice, form.above
    for infoset in range(high - 1, low - 1, -1):
        best = first_choice[infoset]
        for c in range(first_choice[infoset], first_choice[infoset + 1]):
            probs[c] = 0.0
            if g[c] > g[best]:
                best = np.uint32(c)
        probs[best] = 1.0
        g[above[infoset]] += g[best]


@kernel
def down(form: SequenceForm, probs: FloatArray, low: int, high: int, x: FloatArray) -> None:
    """The realization plan below the sequences of the infosets low .. high."""
    first_choice, above = form.first_choice, form.above
    for infoset in range(low, high):
        arrive, first = x[above[infoset]], np.uint64(first_choice[infoset])
        size = first_choice[infoset + 1] - first_choice[infoset]
        if size == 2:
            _extend(first, 2, arrive, probs, x)
        elif size == 3:
            _extend(first, 3, arrive, probs, x)
        else:
            _extend(first, size, arrive, probs, x)


@kernel(inline="always")
def _extend(
    first: np.uint64, size: int | np.uint32, arrive: float, probs: FloatArray, x: FloatArray
) -> None:
    for j in range(size):
        x[first + np.uint64(j)] = arrive * probs[first + np.uint64(j)]


@kernel
def _gains(form: SequenceForm, probs: FloatArray, out: FloatArray) -> None:
    players, k, m = len(out), len(probs), len(form.above)
    x, pure = np.ones(k + players), probs.copy()  # a frozen array would be a type of its own
    down(form, pure, 0, m, x)
    honest = np.zeros(k + players)
    gradient(form, np.uint32(0), np.uint32(k + players), x, honest)
    best = honest.copy()
    up(form, pure, 0, m, honest, np.zeros(m))
    best_up(form, 0, m, best, pure)
    for i in range(players):
        out[i] = best[k + i] - honest[k + i]
