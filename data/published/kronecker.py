"""The payoffs of limit poker for two as the talk writes them down: (betting) ⊗ (hands).

Everyday example: after "bet, fold" the pot is the same whatever the cards are, and how likely a
king meets a queen is the same whatever the betting is. So the matrix of all payoffs is a product of
two small ones, and nobody needs to store it (Sandholm 2009, Scalable EGT; Gilpin et al. 2007):

    A = diagonal(A_1, A_2, A_3),    A_r = F_r ⊗ B_r,    in the last round  F_r ⊗ B_r + S ⊗ W

    F_r   (player 0's moves, player 1's moves) what player 0 wins where a fold ends round r
    S     the same where the last round ends with a showdown: what the loser pays
    B_r   (classes of hands, classes of hands) how likely two of them meet in round r
    W     the same at a showdown, with the sign of who wins

A move is a choice at a place of the betting: start of the round, then node. A row of A_r is a
sequence of player 0 that ends in round r: move · classes + class. Both players move in every round,
so payoffs in round r are about sequences that end there, and the empty sequence has none.

>>> from workbench.games.registry import load_game
>>> from workbench.poker.buckets.buckets import HandBuckets
>>> rules = load_game("rhode_island", ranks=2, suits=2)
>>> made = factors(rules, HandBuckets.lossless(rules))
>>> payoff_matrix(made).shape, payoff_matrix(made).nnz, made.nbytes
((6320, 6320), 6800, 20048)

What the passes of the card form compute is A y, round by round and without a single F or B: see
tests/poker/test_kronecker.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array, kron

from workbench.poker.betting.betting import END, FOLD, Limit
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.boards import boards_of, chances


class Factors(NamedTuple):
    """What the talk stores; one matrix for each round, and one pair for showdowns."""

    folds: list[csr_array]  # F_r
    meets: list[csr_array]  # B_r
    showdowns: csr_array  # S
    wins: csr_array  # W

    @property
    def nbytes(self) -> int:
        """Of all of these, as sparse matrices."""
        every = [*self.folds, *self.meets, self.showdowns, self.wins]
        return sum(one.data.nbytes + one.indices.nbytes + one.indptr.nbytes for one in every)

    @property
    def payoffs(self) -> int:
        """How many entries their products have that are not zero: what a sparse matrix stores."""
        pairs = zip([*self.folds, self.showdowns], [*self.meets, self.wins], strict=True)
        return sum(int(one.nnz) * int(two.nnz) for one, two in pairs)


def factors(rules: Any, buckets: HandBuckets) -> Factors:
    """F, B, S and W of a game with these classes of hands."""
    limit, luck = rules.betting, chances(rules)
    last = len(limit.rounds) - 1
    return Factors(
        [betting(limit, r, FOLD) for r in range(last + 1)],
        [meetings(rules, buckets, r) * luck[r] for r in range(last + 1)],
        betting(limit, last, END),
        meetings(rules, buckets, last, showdown=True) * luck[last],
    )


def payoff_matrix(made: Factors) -> csr_array:
    """A, which the talk never makes: one row for each sequence of player 0, a column for each of
    player 1, what player 0 wins times the probability of the cards."""
    rounds = [kron(f, b, "csr") for f, b in zip(made.folds, made.meets, strict=True)]
    rounds[-1] = rounds[-1] + kron(made.showdowns, made.wins, "csr")
    found = csr_array(block_diag(rounds, "csr"))
    found.eliminate_zeros()
    return found


def product(made: Factors, plan: Any, player: int) -> Any:
    """What each sequence of `player` wins against a plan of the other: A y, or −x A, without A.
    (F ⊗ B) y is F Y Bᵀ, for Y the plan as a table of moves and classes."""
    found, at = [], 0
    for r, pair in enumerate(zip(made.folds, made.meets, strict=True)):
        last = r == len(made.folds) - 1
        every: Any = (*pair, made.showdowns, made.wins)
        f, b, s, w = every if player == 0 else (one.T for one in every)
        table = plan[at : at + f.shape[1] * b.shape[1]].reshape(f.shape[1], b.shape[1])
        won = (b @ (f @ table).T).T
        found.append((won + (w @ (s @ table).T).T if last else won).ravel())
        at += table.size
    return np.concatenate(found) * (1.0 if player == 0 else -1.0)


def moves_of(limit: Limit, r: int) -> Any:
    """(nodes, 2) each player's last move before a node of round r, among those of its own in one
    start; -1: none yet. Then (choices,) what number a choice has among those of its player."""
    one = limit.rounds[r]
    owner = np.repeat(one.kind, one.count)
    number = np.where(owner == 0, np.cumsum(owner == 0), np.cumsum(owner == 1)) - 1
    moves = np.full((len(one.text), 2), -1)
    for d in range(1, len(moves)):
        moves[d] = moves[one.parent[d]]
        moves[d, one.kind[one.parent[d]]] = number[one.choice[d]]
    return moves, number


def betting(limit: Limit, r: int, kind: int) -> csr_array:
    """F_r, or S: one entry for each start of the round and each node where it ends so."""
    one, starts, pay = limit.rounds[r], limit.starts[r], limit.pay(r)
    ends, owner = np.flatnonzero(one.kind == kind), np.repeat(one.kind, one.count)
    sizes = [int((owner == player).sum()) for player in (0, 1)]
    lost = (kind == FOLD) & (one.kind[one.parent[ends]] == 0)  # player 0 folds
    won = np.where(lost[:, None], -pay[ends], pay[ends])  # (ends, starts)
    at = [
        (moves_of(limit, r)[0][ends, i][:, None] + size * np.arange(starts)).ravel()
        for i, size in enumerate(sizes)
    ]
    shape = (starts * sizes[0], starts * sizes[1])
    return csr_array(coo_array((won.ravel(), (at[0], at[1])), shape))


def meetings(rules: Any, buckets: HandBuckets, r: int, *, showdown: bool = False) -> csr_array:
    """(classes, classes) how often two classes meet in a round; at a showdown, wins minus losses
    there. Pairs that never meet, or win as often as they lose, have no entry."""
    boards, hands = boards_of(rules)[r], rules.deck.hands(rules.private_cards)
    pieces, at = [], list[Any]()
    for board, weight, own in zip(boards.cards, boards.weight, buckets.rounds[r], strict=True):
        there = np.flatnonzero(own >= 0)
        cards = hands[there]
        counts = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3)).astype(int)
        if showdown:
            public = np.broadcast_to(board, (len(there), len(board)))
            strength = rules.strength(np.hstack([cards, public]))
            counts *= np.sign(strength[:, None] - strength[None, :])
        one, two = np.nonzero(counts)
        pieces.append(int(weight) * counts[one, two])
        at.append(own[there][np.array([one, two])])
    rows, columns = np.concatenate(at, axis=1)
    shape = (buckets.classes[r],) * 2
    found = csr_array(coo_array((np.concatenate(pieces), (rows, columns)), shape))
    found.eliminate_zeros()
    return found
