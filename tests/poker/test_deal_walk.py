"""External sampling and matches on boards: deals, walks and runs against exact counts."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards, places_in
from workbench.evaluation.matches import sample_scores
from workbench.kernels import random_state
from workbench.poker import bucket_experts
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.cards.boards import boards_of
from workbench.poker.engine.deal_walk import deal_many, new_deal, share_out, walk
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.solvers.base import State, average, find_solver, start_state

SMALL = wb.load_game("rhode_island", ranks=3, suits=2)
SAMPLING = "external-sampling"


def _buckets(rules=SMALL, counts=(2, 3, 4), recall="perfect"):
    return wb.cluster_hands(rules, counts, recall=recall)


def _real_deals(rules):
    """(private, private, board) of two players, each as likely."""
    for cards in permutations(range(rules.deck.size), sum(rules.public_cards)):
        left = [card for card in range(rules.deck.size) if card not in cards]
        for hands in permutations(combinations(left, rules.private_cards), 2):
            if not {*hands[0]} & {*hands[1]}:
                yield *hands, cards


def _dealt(game):
    """{(board, hand, hand): weight} of all deals as the kernels make them."""
    *_, boards = game._deals
    found = {}
    for board, many in enumerate(np.bincount(boards.board)):
        for hands in permutations(np.flatnonzero(boards.strength[board] >= 0), 2):
            if not np.bitwise_and(*boards.cards[list(hands)]):
                found[board, *hands] = float(many)
    total = sum(found.values())
    return {deal: many / total for deal, many in found.items()}


# ---- deals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", [SMALL, wb.load_game("rhode_island", ranks=2, suits=4), LeducCards()], ids=str
)
def test_deals_are_those_of_the_rules(rules):
    """What both players know in each round, and who wins: as often as in all real deals; and that
    is what the dice give."""
    game, real = rules.public_game(), {}
    known, public = HandBuckets.lossless(rules), np.cumsum(rules.public_cards)
    deals = [*_real_deals(rules)]
    for *hands, board in deals:
        seen = [known.at(hand, board[:many]) for hand in hands for many in public]
        one, two = (rules.strength(np.array([*hand, *board])) for hand in hands)
        key = *seen, np.sign(int(one) - int(two))
        real[key] = real.get(key, 0.0) + 1 / len(deals)
    *_, boards = game._deals
    listed = {}
    for (board, *hands), chance in _dealt(game).items():
        one, two = boards.strength[board, hands]
        key = *boards.buckets[board, hands, 0].ravel(), np.sign(one - two)
        listed[key] = listed.get(key, 0.0) + chance
    assert listed == pytest.approx(real, abs=1e-12)

    n, rounds = 200_000, len(public)
    seen, share = np.zeros((n, 2, 1, rounds), np.int32), np.zeros((n, 4, 2))
    deal_many(*game._deals, random_state(1), new_deal(2), seen, share)
    won = share[:, 3, 0] - share[:, 3, 1]
    keys, many = np.unique(np.column_stack([seen.reshape(n, -1), won]), axis=0, return_counts=True)
    assert len(keys) == len(real)
    expected = np.array([real[tuple(key)] for key in keys]) * n
    free = len(keys) - 1
    assert abs(((many - expected) ** 2 / expected).sum() - free) < 4 * np.sqrt(2 * free)


# ---- walks -------------------------------------------------------------------------------


def _regrets(game, player, rng):
    """Some regrets of a player, and pure play of the other: then a walk has no luck."""
    regret = game.start_state().regret  # a fixed strategy where it is followed
    for group, one, d, where in game.deciding():
        if not group.fixed[d]:
            mine = rng.random((one.count[d], (where.stop - where.start) // one.count[d]))
            regret[where] = (mine if one.kind[d] == player else mine == mine.max(axis=0)).ravel()
    return regret


def _many(game, group, count, d):
    """For each choice at a node how many holdings its hands stand for: they count as one in the
    passes where nothing but the names of suits is forgotten. A walk adds them up, as buckets do."""
    r, known = group.number, game.known[group.kind[d]]
    hands = np.arange(boards_of(game.rules)[r].num_classes)
    plain = np.array_equal(known.of_class[r], hands) and game.perfect_recall
    many = boards_of(game.rules)[r].sizes if plain else np.ones(known.classes[r])
    return np.tile(np.repeat(many, len(group.starts)), count)


def _learnt(game, player, start):
    """What one walk for each deal teaches a player, weighted by how likely the deal is."""
    (*_, boards), learnt = game._deals, np.zeros_like(start)
    share, depth = np.zeros((4, 2)), game.flat.depth
    scratch = np.zeros((depth, 4), np.int64), np.zeros((depth, 3)), np.zeros((depth, 3))
    total, rng = np.zeros_like(start), random_state(1)
    for (board, *hands), chance in _dealt(game).items():
        share_out(boards.strength[board, hands], share)
        regret, seen = start.copy(), boards.buckets[board, hands]
        walk(0, player, 1.0, game.layout, seen, share, regret, total, rng, *scratch)
        learnt += chance * (regret - start)
    return learnt * game.flat.unit


def _mixed(expert="", players=()):
    """A base that sees little and plays without luck, and experts who see every hand."""
    part, coarse = wb.betting_experts(SMALL, ["r", "cr"]), _buckets()
    fine = bucket_experts.experts_of(part, None, coarse)
    base = SMALL.public_game(coarse)
    probs = base.matched(_regrets(base, -1, np.random.default_rng(4)))
    if not expert:
        return MixedBuckets(coarse, part, fine)
    how = {"expert": expert, "players": players, "base_probs": probs}
    return MixedBuckets(coarse, part.only(expert), {expert: fine[expert]}, **how)


KNOWN = {
    "hands": lambda: None,
    "nested buckets": _buckets,
    "forgetful buckets": lambda: _buckets(recall="imperfect"),
    "dynamic experts": _mixed,
    "an expert of one": lambda: _mixed("cr", (1,)),
    "an expert of both": lambda: _mixed("cr", (0, 1)),
}


@pytest.mark.parametrize("known", KNOWN)
def test_walks_learn_what_cfr_learns(known):
    """Over all deals: the immediate regrets of one iteration of CFR."""
    game, rng = SMALL.public_game(KNOWN[known]()), np.random.default_rng(3)
    assert game.perfect_recall == (known != "forgetful buckets")
    for player in (0, 1):
        start = _regrets(game, player, rng)
        state = replace(game.start_state(), regret=start.copy())
        state = game.advance(find_solver("cfr", {"alternating": False}), state, 1)
        exact = np.zeros_like(start)
        for group, one, d, where in game.deciding():
            if one.kind[d] == player and not group.fixed[d]:
                exact[where] = (state.regret - start)[where] * _many(game, group, one.count[d], d)
        learnt = _learnt(game, player, start)
        if "an expert" in known:  # walks take her own fixed moves, too, and those of a base
            exact[learnt == 0.0] = 0.0  # without luck lead all hands of a class there, or none
        assert np.abs(exact).max() > 0.1
        np.testing.assert_allclose(learnt, exact, rtol=0, atol=1e-9)


def test_leduc_learns_what_the_tree_learns():
    tree, game = wb.compile_game(wb.load_game("leduc")), LeducCards().public_game()
    where, rng = places_in(tree, game), np.random.default_rng(5)
    for player in (0, 1):
        start = _regrets(game, player, rng)
        probs = game.matched(start)[where]
        flat = State(
            0, start[where], probs, np.zeros(tree.num_choices), random_state(0), tree.checksum
        )
        flat = tree.advance(find_solver("cfr", {"alternating": False}), flat, 1)
        mine = tree.infoset_player[tree.choice_infoset] == player
        exact = np.where(mine, flat.regret - start[where], 0.0)
        together = np.bincount(where, exact, game.num_choices)  # suits are merged
        np.testing.assert_allclose(_learnt(game, player, start), together, rtol=0, atol=1e-9)


def test_leduc_is_solved_as_on_the_tree():
    """As well, on average over some seeds, as the tree in which suits are merged."""
    tree = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
    game, solver, found = LeducCards().public_game(), find_solver(SAMPLING), np.zeros((2, 20))
    for seed in range(20):
        for k, form in enumerate((tree, game)):
            state = form.advance(solver, start_state(form, seed), 5000)
            found[k, seed] = wb.exploitability(average(form, state))
    one, other = found.mean(axis=1)
    assert other == pytest.approx(one, abs=0.03)  # each of them, ± 0.01
    assert other < 0.25


# ---- runs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "most"), [("hands", 0.8), ("nested buckets", 0.6), ("forgetful buckets", None)]
)
def test_runs_find_equilibria(known, most):
    """In chips, after 200,000 iterations, with the hands that the buckets know."""
    run = wb.solve(SMALL, SAMPLING, iterations=200_000, seed=1, abstraction=KNOWN[known]())
    assert isinstance(run.strategy, PublicStrategy)
    found = run.abstract_exploitability if run.abstraction else run.exploitability
    if most is None:  # nobody can say how good it is within its buckets: as good as CFR+
        other = wb.solve(SMALL, "cfr+", iterations=200, abstraction=KNOWN[known]())
        found, most = run.exploitability, other.exploitability + 0.5
    assert found < most


@pytest.mark.parametrize("known", ["hands", "forgetful buckets", "dynamic experts"])
def test_a_run_goes_on(known, tmp_path):
    how = {"solver": SAMPLING, "abstraction": KNOWN[known](), "seed": 3}
    whole, half = (wb.solve(SMALL, iterations=n, **how) for n in (100, 50))
    kept = wb.solve(SMALL, iterations=50, store=tmp_path, **how)
    assert kept.iterations == 50
    for rest in (
        wb.solve(SMALL, iterations=50, start=half.state, **how),
        wb.solve(SMALL, iterations=100, store=tmp_path, **how),
    ):
        assert rest.iterations == 100
        for name in ("regret", "strategy_sum", "rng"):
            assert np.array_equal(getattr(rest.state, name), getattr(whole.state, name))


def test_static_experts():
    """An expert learns against the hands with which the base comes to her part."""
    base = wb.solve(SMALL, "cfr+", iterations=100, abstraction=_buckets()).strategy
    part = wb.betting_experts(SMALL, ["r", "cr"])
    for players in ({0, 1}, {1}):
        exact, sampled = (
            wb.static_experts(SMALL, base, part, players, solver=solver, iterations=n)
            for solver, n in (("cfr+", 100), (SAMPLING, 100_000))
        )
        better = wb.exploitability(base) - wb.exploitability(exact)
        assert wb.exploitability(base) - wb.exploitability(sampled) > 0.75 * better > 0.5


def test_what_boards_do_not_know_is_sampled_on_the_tree_of_a_small_deck():
    odd = find_solver(SAMPLING, {"opponent": "average"})
    run = wb.solve(wb.load_game("rhode_island", ranks=2, suits=2), odd, iterations=3)
    assert isinstance(run.strategy, wb.Strategy)


@pytest.mark.slow
def test_rhode_island():
    """The whole game; 150,000 iterations a second on one core."""
    run = wb.solve("rhode_island", SAMPLING, iterations=1_000_000, seed=1, checkpoints=1_000_000)
    assert run.exploitability < 7
    assert wb.expected_values(run.strategy)[0] == pytest.approx(-0.64, abs=0.5)


# ---- matches -----------------------------------------------------------------------------


def test_matches_are_unbiased():
    uniform = wb.Strategy.uniform(SMALL)
    coarse = wb.solve(SMALL, iterations=30, abstraction=_buckets()).strategy
    seats = wb.seated([coarse, uniform])
    for pair in ({"a": coarse, "b": uniform}, {"a": coarse, "b": seats}):
        exact = wb.tournament(pair).loc["a", "b"]
        for duplicate in (True, False):
            table = wb.sample_match(pair, deals=100_000, seed=4, duplicate=duplicate)
            half = table.loc["a", "margin"]
            assert 0 < half < 0.3
            assert abs(table.loc["a", "winnings"] - exact) < 1.5 * half
            assert table["winnings"].sum() == pytest.approx(0, abs=1e-9)


def test_duplicate_deals_are_duplicates():
    """Whoever plays without dice wins nothing from herself."""
    game = SMALL.public_game()
    pure = PublicStrategy(game, game, game.matched(_regrets(game, -1, np.random.default_rng(1))))
    same, apart = (
        sample_scores([pure, pure], deals=2000, seed=1, duplicate=duplicate)
        for duplicate in (True, False)
    )
    assert not same.any()
    assert apart.any()


def test_an_expert_may_play_alone():
    """Where her game does not go, the base plays."""
    game = SMALL.public_game(_mixed("cr", (0, 1)))
    alone = PublicStrategy(game.real, game, game.matched(game.start_state().regret))
    pair = {"expert": alone, "uniform": wb.Strategy.uniform(SMALL)}
    table, exact = wb.sample_match(pair, deals=20_000, seed=2), wb.tournament(pair)
    assert table.loc["expert", "low"] < exact.loc["expert", "uniform"] < table.loc["expert", "high"]
