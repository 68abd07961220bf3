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
from scipy.sparse import block_diag, coo_array, csr_array, hstack, kron

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


def stored(made: Factors, player: int) -> csr_array:
    """A for player 0, −Aᵀ for player 1, written row by row where it is to stand: what the sequence
    form stores for each of them, without room for anything else on the way."""
    rounds = [*zip(made.folds, made.meets, strict=True)]
    ends = [[pair] for pair in rounds]
    ends[-1] += [(made.showdowns, made.wins)]
    every: list[list[tuple[Any, Any]]] = [
        [(f, b) if player == 0 else (csr_array(-f.T), csr_array(b.T)) for f, b in some]
        for some in ends
    ]
    rows = sum(some[0][0].shape[0] * some[0][1].shape[0] for some in every)
    columns = sum(some[0][0].shape[1] * some[0][1].shape[1] for some in every)
    indices, data = np.empty(made.payoffs, np.int32), np.empty(made.payoffs)
    first, at, row, column = np.zeros(rows + 1, np.int32), 0, 0, 0
    for some in every:
        n = some[0][1].shape[0]
        for move in range(some[0][0].shape[0]):
            here = [(q, one * b) for f, b in some for q, one in zip(*_row(f, move), strict=True)]
            here.sort(key=lambda pair: pair[0])
            if here:
                wide = csr_array(hstack([block for _, block in here], "csr"))
                there = column + n * np.array([q for q, _ in here])[wide.indices // n]
                indices[at : at + wide.nnz] = there + wide.indices % n
                data[at : at + wide.nnz] = wide.data
                first[row + 1 : row + n + 1] = at + wide.indptr[1:]
                at += int(wide.nnz)
            else:
                first[row + 1 : row + n + 1] = at
            row += n
        column += some[0][0].shape[1] * n
    return csr_array((data, indices, first), (rows, columns))


def _row(matrix: csr_array, row: int) -> tuple[list[int], list[float]]:
    here = slice(*matrix.indptr[row : row + 2])
    return matrix.indices[here].tolist(), matrix.data[here].tolist()


def sets_of(rules: Any, buckets: HandBuckets, player: int) -> list[tuple[Any, Any]]:
    """A player's information sets from first to last, those of a node of the betting together:
    (starts, choices, classes) their sequences as rows of A; (starts, classes) what is above, -1 for
    the empty sequence."""
    limit, boards = rules.betting, boards_of(rules)
    found, before, ends = list[tuple[Any, Any]](), 0, np.full((1, 1), -1)
    above = np.zeros(buckets.classes[0], np.int64)
    for r, (one, starts, n) in enumerate(
        zip(limit.rounds, limit.starts, buckets.classes, strict=True)
    ):
        if r:
            free, came = buckets.rounds[r] >= 0, buckets.rounds[r - 1][boards[r].parent]
            above = np.zeros(n, np.int64)
            above[buckets.rounds[r][free]] = came[free]
        moves, number = moves_of(limit, r)
        own = int(one.count[one.kind == player].sum())
        at = before + np.arange(starts * own * n).reshape(starts, own, n)
        for d in np.flatnonzero(one.kind == player):
            first, arrive = number[one.first[d]], moves[d, player]
            came_from = ends[:, above] if arrive < 0 else at[:, arrive]
            found.append((at[:, first : first + one.count[d]], came_from))
        last = moves[one.kind == END, player]
        ends = at[:, last].reshape(starts * len(last), n)
        before += at.size
    return found


def flow(rules: Any, buckets: HandBuckets, player: int) -> csr_array:
    """E of E x = (1, 0, 0, …) as in `workbench.linear_programs`: one row for the empty sequence and
    for each information set; columns as rows of A, the empty sequence last."""
    sets, entries, at, below = sets_of(rules, buckets, player), [np.ones(1)], list[Any](), 1
    empty = 1 + max(int(of.max()) for of, _ in sets)
    at.append(np.array([[0], [empty]]))
    for of, above in sets:
        rows = below + np.arange(above.size).reshape(above.shape)
        below += above.size
        mine = np.broadcast_to(rows[:, None, :], of.shape)
        at.append(np.array([mine.ravel(), of.ravel()]))
        entries.append(np.ones(of.size))
        at.append(np.array([rows.ravel(), np.where(above < 0, empty, above).ravel()]))
        entries.append(np.full(above.size, -1.0))
    rows, columns = np.concatenate(at, axis=1)
    return csr_array(coo_array((np.concatenate(entries), (rows, columns)), (below, empty + 1)))


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
    shape, pieces, at = (buckets.classes[r],) * 2, list[Any](), list[Any]()
    found = csr_array(shape, dtype=np.int64)
    for k, (board, weight, own) in enumerate(
        zip(boards.cards, boards.weight, buckets.rounds[r], strict=True), start=1
    ):
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
        if k % 25 == 0 or k == len(boards.cards):  # a few boards at a time take little room
            rows, columns = np.concatenate(at, axis=1)
            found = found + csr_array(coo_array((np.concatenate(pieces), (rows, columns)), shape))
            pieces, at = [], []
    found.eliminate_zeros()
    return found
