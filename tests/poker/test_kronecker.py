"""(Betting) ⊗ (hands): the talk's matrices against the tree's payoffs and the card form's passes.

On small decks A is made in full, from F_r, B_r, S and W, and compared number by number with the
sequence form of the compiled tree. There every card has its suit; A knows hands up to the names of
suits, so sequences of the tree that are one in A are added up. Then the passes of the card form,
which store neither A nor its factors, must compute the same products.
"""

from functools import cache

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from workbench.lab.ledger.papers.kronecker import (
    factors,
    flow,
    moves_of,
    payoff_matrix,
    product,
    sets_of,
    stored,
)

import workbench as wb
from tests.poker.leduc_cards import LeducCards
from workbench import linear_programs
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.gameshrink import gameshrink
from workbench.poker.cards.boards import round_of
from workbench.poker.engine.card_passes import LEARN, Lessons
from workbench.sequence_form import sequence_form

SLOW = pytest.mark.slow
GAMES = ["leduc", "2 2", *(pytest.param(deck, marks=SLOW) for deck in ("5 1", "3 2", "2 3"))]


def rules_of(name):
    if name == "leduc":
        return LeducCards()
    ranks, suits = map(int, name.split())
    return wb.load_game("rhode_island", ranks=ranks, suits=suits)


@cache
def game_of(name):
    """Rules of cards, the compiled tree, the card form, and the talk's matrices."""
    rules = rules_of(name)
    tree = wb.compile_game(wb.load_game("leduc") if name == "leduc" else rules)
    return rules, tree, rules.public_game(), factors(rules, HandBuckets.lossless(rules))


def numbers(rules, tree, kept):
    """(K,) for each choice of a tree its row or column in A."""
    limit, classes, found, before = rules.betting, kept.classes, [], []
    at, moves = cache(kept.at), [moves_of(limit, r)[1] for r in range(len(limit.rounds))]
    for player in (0, 1):
        own = [int(one.count[one.kind == player].sum()) for one in limit.rounds]
        before.append(np.cumsum(np.r_[0, np.array(limit.starts) * own * classes]))
    for infoset, seen in enumerate(tree.seen):
        private, board, history = rules.spot(seen)
        r, start, node = limit.start_of(history)
        one, player = limit.rounds[r], int(tree.infoset_player[infoset])
        assert r == round_of(rules.public_cards, board)
        own = int(one.count[one.kind == player].sum())
        for k in range(one.count[node]):
            move = start * own + moves[r][one.first[node] + k]
            found.append(before[player][r] + move * classes[r] + at(private, board))
    return np.array(found)


def added_up(tree, at, shape):
    """The payoffs of the tree, (sequences of player 0, of player 1), in the order of A."""
    payoff = linear_programs.payoff_matrix(sequence_form(tree), 0)
    hers, his = (np.asarray(tree.choices_of(player)) for player in (0, 1))
    assert payoff.row.max() < len(hers)  # the empty sequences have no payoff
    assert payoff.col.max() < len(his)
    rows, columns = at[hers][payoff.row], at[his][payoff.col]
    return csr_array(coo_array((payoff.data, (rows, columns)), shape))


@pytest.mark.parametrize("name", GAMES)
def test_the_sum_of_products_is_the_payoff_matrix(name):
    rules, tree, game, made = game_of(name)
    kept, matrix = HandBuckets.lossless(rules), payoff_matrix(made)
    at = numbers(rules, tree, kept)
    assert sum(matrix.shape) == game.num_choices
    assert len(set(at)) <= max(matrix.shape)
    difference = added_up(tree, at, matrix.shape) - matrix
    assert abs(difference).max() <= 1e-12
    assert matrix.nnz == made.payoffs > 0
    assert made.nbytes < matrix.data.nbytes / 2
    for player, whole in enumerate((matrix, -matrix.T)):
        assert abs(stored(made, player) - whole).max() <= 1e-15
        assert stored(made, player).has_sorted_indices


# ---- what the passes compute -----------------------------------------------------------------


class Sequences:
    """A player's choices of the card form in the order of A."""

    def __init__(self, rules, game, player):
        self.sets = sets_of(rules, game.known[0], player)
        choice, real = [], []
        views = zip(rules.betting.rounds, game.views(np.arange(game.num_choices)), strict=True)
        for r, (one, view) in enumerate(views):
            own = np.flatnonzero(np.repeat(one.kind, one.count) == player)
            lanes = view[own].transpose(2, 0, 1)  # (starts, moves, classes)
            choice.append(lanes.ravel())
            real.append(np.broadcast_to(game.known[0].sizes(r), lanes.shape).ravel())
        self.choice = np.concatenate(choice)  # (sequences,)
        self.real = np.concatenate(real)  # for how many real hands on real boards it stands

    def plan(self, probs):
        """(sequences,) in the order of A."""
        sigma = probs[self.choice]
        x = np.append(np.zeros(len(sigma)), 1.0)  # -1: the empty sequence
        for at, above in self.sets:
            x[at] = sigma[at] * x[above][:, None]
        return x[:-1]

    def regrets(self, probs, g):
        """What each choice wins more than its information set, as an iteration of CFR finds it from
        gradients; and what the player wins."""
        sigma, q, found = probs[self.choice], np.append(g, 0.0), np.zeros(len(g))
        for at, above in reversed(self.sets):
            worth = (sigma[at] * q[at]).sum(axis=1)
            found[at] = q[at] - worth[:, None]
            np.add.at(q, above, worth)
        return found, float(q[-1])


def learnt(game, probs):
    """The regrets that one pass of the card form finds for both players."""
    regret, total = np.zeros(game.num_choices), np.zeros(game.num_choices)
    reach = [game.walk.down(player, probs) for player in (0, 1)]
    lessons = Lessons(regret, np.zeros(0), total, np.ones(3))
    for i in (0, 1):
        game.walk.up(i, LEARN, probs, reach[1 - i], probs, reach[i], lessons)
    return regret


def products_agree(rules, game, made, matrix, seed):
    rng = np.random.default_rng(seed)
    probs = game.normalised(rng.exponential(size=game.num_choices) ** 2).probs
    players = [Sequences(rules, game, player) for player in (0, 1)]
    plans, regret = [one.plan(probs) for one in players], learnt(game, probs)
    for player, one in enumerate(players):
        other = plans[1 - player]
        g = product(made, other, player)
        if matrix is not None:
            whole = matrix @ other if player == 0 else -(matrix.T @ other)
            np.testing.assert_allclose(g, whole, rtol=0, atol=1e-12)
        worth = game.worth(player, probs, probs)
        assert worth == pytest.approx(plans[player] @ g, abs=1e-12)
        found, value = one.regrets(probs, g)
        assert value == pytest.approx(worth, abs=1e-12)
        each = regret[one.choice] * one.real  # the card form says what one real hand wins
        np.testing.assert_allclose(each, found, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_passes_compute_the_products_and_store_no_matrix(name):
    rules, _, game, made = game_of(name)
    matrix = payoff_matrix(made)
    for seed in range(3):
        products_agree(rules, game, made, matrix, seed)


@pytest.mark.parametrize("name", ["leduc", "2 2"])
def test_plans_are_what_flows(name):
    rules, _, game, _ = game_of(name)
    probs = game.normalised(np.random.default_rng(0).exponential(size=game.num_choices)).probs
    for player in (0, 1):
        sequences, e = Sequences(rules, game, player), flow(rules, game.known[0], player)
        x = np.append(sequences.plan(probs), 1.0)
        np.testing.assert_allclose(e @ x, np.eye(1, e.shape[0])[0], atol=1e-15)
        assert 2 * (e.shape[0] - 1) == game.num_infosets


def test_buckets_are_other_hands_in_the_same_product():
    """The talk's W has probabilities of wins, losses and draws between buckets."""
    rules = rules_of("3 2")
    buckets = gameshrink(rules)
    assert buckets.classes != HandBuckets.lossless(rules).classes
    game, made = rules.public_game(buckets), factors(rules, buckets)
    rng = np.random.default_rng(0)
    probs = game.normalised(rng.exponential(size=game.num_choices)).probs
    assert sum(payoff_matrix(made).shape) == game.num_choices
    for player in (0, 1):
        one, two = (Sequences(rules, game, i) for i in (player, 1 - player))
        won = one.plan(probs) @ product(made, two.plan(probs), player)
        assert game.worth(player, probs, probs) == pytest.approx(won, abs=1e-12)


@pytest.mark.slow
def test_rhode_island_with_all_cards():
    """195,758,394 payoffs: passes of the card form, and products of matrices of 7.6 MB."""
    rules = wb.load_game("rhode_island")
    made = factors(rules, HandBuckets.lossless(rules))
    products_agree(rules, rules.public_game(), made, None, 0)
    assert made.payoffs == 195_758_394
