"""Games of cards against the flat tree: the same strategies, values and exploitability."""

import sys
from concurrent.futures import Future
from functools import cache

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import LeducCards, places_in
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards import threads
from workbench.poker.cards.boards import boards_of, infosets_per_player
from workbench.poker.engine import card_game
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.progress import told_to
from workbench.solvers.base import State, average, find_solver, start_state
from workbench.solvers.regret import regret_matching

FAMILY = ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+")
REST, SLOW = ("cfr", "linear-cfr", "dcfr"), pytest.mark.slow
SMALL = {"ranks": 2, "suits": 2}
LARGER = [{"ranks": r, "suits": s} for r, s in ((5, 1), (3, 2), (2, 4))]


@cache
def _leduc():
    tree, game = wb.compile_game(wb.load_game("leduc")), LeducCards().public_game()
    return tree, game, places_in(tree, game)


def _agree(tree, game, places, solver, iterations):
    flat, state = start_state(tree), game.start_state()
    for _ in range(iterations):
        flat, state = tree.advance(solver, flat, 1), game.advance(solver, state, 1)
        one, other = average(tree, flat), average(game, state)
        np.testing.assert_allclose(other.probs[places], one.probs, rtol=0, atol=1e-12)
    assert wb.exploitability(other) == pytest.approx(wb.exploitability(one), abs=1e-12)
    np.testing.assert_allclose(wb.gains(other), wb.gains(one), atol=1e-12)
    np.testing.assert_allclose(wb.expected_values(other), wb.expected_values(one), atol=1e-12)
    for player in (0, 1):
        mine, yours = wb.best_response(other, player), wb.best_response(one, player)
        assert mine.value == pytest.approx(yours.value, abs=1e-12)
        # it is one strategy that wins so much
        assert wb.expected_values(mine.strategy)[player] == pytest.approx(mine.value, abs=1e-12)
    return one, other


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", FAMILY)
def test_leduc_is_the_same_game(name, alternating):
    solver = find_solver(name, {"alternating": alternating})
    tree, cards, places = _leduc()
    one, other = _agree(tree, cards, places, solver, 15)
    bold = wb.Strategy.from_function(tree, lambda player, seen, actions: actions[-1])
    copied = np.zeros(cards.num_choices)
    copied[places] = bold.probs
    public = PublicStrategy(cards, cards, copied)
    exact = wb.expected_values([one, bold])
    np.testing.assert_allclose(wb.expected_values([other, public]), exact, atol=1e-12)
    flat, cross = wb.tournament({"a": one, "b": bold}), wb.tournament({"a": other, "b": public})
    np.testing.assert_allclose(cross, flat, atol=1e-12)


def _in_step(tree, game, places, solver, iterations):
    """Iteration by iteration from the same regrets, they learn the same: where two choices are
    worth the same, one engine regrets 0, the other 3e-18, and their ways part, both being right."""
    state, sets, probs = game.start_state(), tree.num_infosets, np.empty(tree.num_choices)
    for _ in range(iterations):
        _match(tree, _plan(state)[places], probs)
        flat = State(
            state.iteration, state.regret[places], probs.copy(), state.strategy_sum[places],
            state.rng, tree.checksum,
        )  # fmt: skip
        flat, state = tree.advance(solver, flat, 1), game.advance(solver, state, 1)
        np.testing.assert_allclose(state.regret[places], flat.regret, rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            state.strategy_sum[places], flat.strategy_sum, rtol=1e-14, atol=1e-12
        )
        plan = _plan(state)[places]
        _match(tree, plan, probs)  # what both play next, as far as regrets decide it
        regrets = np.bincount(tree.choice_infoset, np.maximum(plan, 0), sets)[tree.choice_infoset]
        np.testing.assert_allclose(probs * regrets, flat.probs * regrets, rtol=0, atol=1e-12)
    found = average(game, state)
    copied = wb.Strategy(tree, found.probs[places])
    np.testing.assert_allclose(wb.gains(found), wb.gains(copied), atol=1e-12)
    np.testing.assert_allclose(wb.expected_values(found), wb.expected_values(copied), atol=1e-12)


def _plan(state):
    return state.probs if len(state.probs) else state.regret


def _match(tree, plan, probs):
    regret_matching(tree.first_choice.view(np.uint32), 0, tree.num_infosets, plan, probs)


@pytest.mark.parametrize("deck", [SMALL, *(pytest.param(d, marks=SLOW) for d in LARGER)], ids=str)
def test_small_rhode_island_is_the_same_game(deck):
    rules = wb.load_game("rhode_island", **deck)
    tree, game = wb.compile_game(rules), rules.public_game()
    assert tree.num_histories == game.num_histories
    assert tree.num_infosets == 2 * infosets_per_player(rules)
    places = places_in(tree, game)
    for name in FAMILY:
        if deck == SMALL:
            _agree(tree, game, places, find_solver(name), 3)
        _in_step(tree, game, places, find_solver(name), 4 if deck == SMALL else 6)


# ---- buckets -----------------------------------------------------------------------------


def _in_buckets(groups, forgetful=False):
    """Leduc's hands by rank first, then (rank and) whether the board pairs it."""
    second = boards_of(LeducCards())[1].classes
    ranks = np.array([groups[card // 2] for card in range(6)])
    pair = boards_of(LeducCards())[1].cards // 2 == np.arange(6) // 2
    numbers = pair * 1 if forgetful else ranks * 2 + pair
    numbers = np.where(second >= 0, np.broadcast_to(numbers, second.shape), -1)
    numbers[second >= 0] = np.unique(numbers[second >= 0], return_inverse=True)[1]
    return HandBuckets(LeducCards(), [ranks[None, :], numbers])


@pytest.mark.parametrize("forgetful", [False, True])
@pytest.mark.parametrize("name", ["cfr+", "pcfr+", *(pytest.param(n, marks=SLOW) for n in REST)])
def test_buckets_are_the_abstraction_of_the_tree(name, forgetful):
    buckets = _in_buckets((0, 0, 1), forgetful)
    assert buckets.nested != forgetful

    def rule(player, seen, actions):
        card, board, betting = seen
        pair = board[:1] == card[0] if board else None
        return (
            ("JQ" if card[0] in "JQ" else "K") if pair is None or not forgetful else "",
            pair,
            betting,
        )

    tree, cards, _ = _leduc()
    merged, game = wb.abstract(tree, rule), cards.abstraction(buckets)
    assert game.coarse.num_infosets == merged.coarse.num_infosets
    assert game.coarse.perfect_recall == merged.coarse.perfect_recall == (not forgetful)
    solver, flat, state = find_solver(name), start_state(merged.coarse), game.coarse.start_state()
    places = places_in(tree, game.coarse)
    for _ in range(12):
        flat = merged.coarse.advance(solver, flat, 1)
        state = game.coarse.advance(solver, state, 1)
        one = merged.lift(average(merged.coarse, flat))
        other = game.lift(average(game.coarse, state))
        np.testing.assert_allclose(other.probs[places], one.probs, rtol=0, atol=1e-11)
    assert wb.exploitability(other) == pytest.approx(wb.exploitability(one), abs=1e-12)
    assert wb.best_response(other, 1).strategy.exploitability() == pytest.approx(
        wb.exploitability(wb.best_response(one, 1).strategy), abs=1e-12
    )
    within = average(game.coarse, state)
    if forgetful:
        with pytest.raises(wb.GameError, match="forgets"):
            wb.exploitability(within)
    else:
        exact = wb.exploitability(average(merged.coarse, flat))
        assert wb.exploitability(within) == pytest.approx(exact, abs=1e-12)


def test_experts_on_boards_are_those_of_the_tree():
    """The base sees no card at all; an expert sees everything from the next public card on. Three
    iterations: see `_in_step`."""
    rules, how = wb.load_game("rhode_island", ranks=4, suits=1), {"iterations": 3}
    tree = wb.compile_game(rules)
    blind = HandBuckets(rules, [np.where(one.classes >= 0, 0, -1) for one in boards_of(rules)])

    def outside(player, seen, actions):
        return seen[2]

    def inside(player, seen, actions):
        return seen if seen[1] else seen[2]

    part, flat_part = (wb.betting_experts(one, ["r", "cr"]) for one in (rules, tree))
    base = wb.solve(rules, abstraction=blind, **how).strategy
    flat = wb.solve(tree, abstraction=outside, **how).strategy
    fine = {"abstraction": inside, "outside": outside}
    for players in ({0, 1}, {1}):
        found = wb.static_experts(rules, base, part, players, **how)
        expected = wb.static_experts(tree, flat, flat_part, players, **fine, **how)
        np.testing.assert_allclose(wb.gains(found), wb.gains(expected), atol=1e-9)
        sizes = wb.stitching.expert_sizes(rules, part, players, outside=blind)
        assert sizes == wb.stitching.expert_sizes(tree, flat_part, players, **fine)
    # a base that sees its cards: where a player is held to it, a round has starts of several
    # groups, and reach stands differently behind each
    base, flat = (wb.solve(one, **how).strategy for one in (rules, tree))
    for players in (0, 1, (0, 1)):
        found = wb.static_experts(rules, base, part, players, **how)
        expected = wb.static_experts(tree, flat, flat_part, players, abstraction=None, **how)
        np.testing.assert_allclose(wb.gains(found), wb.gains(expected), atol=1e-9)
    run = wb.dynamic_experts(rules, blind, part, **how)
    other = wb.dynamic_experts(tree, outside, flat_part, abstraction=inside, **how)
    assert run.exploitability == pytest.approx(other.exploitability, abs=1e-9)
    again = wb.Strategy.restored(run.strategy.saved(), rules, "here")
    assert wb.exploitability(again) == run.exploitability


# ---- runs --------------------------------------------------------------------------------


def test_result_does_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(threads, "SMALL", 0)
    used, pool = set(), threads._pool
    monkeypatch.setattr(threads, "_pool", lambda number: used.add(number) or pool(number))
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    rough = HandBuckets(rules, [np.where(one.classes >= 0, 0, -1) for one in boards_of(rules)])
    for buckets in (None, rough):
        game, found = rules.public_game(buckets), []
        for number in (1, 2, 3):
            monkeypatch.setattr(threads, "cores", lambda number=number: number)
            state = game.advance(find_solver("pcfr+"), game.start_state(), 4)
            found.append((state, game.average(state).exploitability() if not buckets else 0))
        for state, worth in found[1:]:
            assert np.array_equal(state.strategy_sum, found[0][0].strategy_sum)
            assert np.array_equal(state.regret, found[0][0].regret)
            assert worth == found[0][1]
    assert used == {2, 3}


@pytest.mark.parametrize("name", ["cfr+", "pcfr+"])
def test_a_run_goes_on_from_its_state(name, tmp_path, monkeypatch):
    rules = wb.load_game("rhode_island", **SMALL)
    whole, half = (wb.solve(rules, name, iterations=n) for n in (12, 6))
    runs = [wb.solve(rules, name, iterations=6, start=half.state) for _ in range(2)]

    def stop(done, total, found):
        if done >= 5:
            raise RuntimeError("power cut")

    monkeypatch.setattr(sys.modules["workbench.runs.solve"], "SAVE_EVERY", 0.0)
    with pytest.raises(RuntimeError):
        wb.solve(rules, name, iterations=12, store=tmp_path, progress=stop)
    with wb.Store(tmp_path) as store:
        assert 0 < store.runs()["done"].iloc[0] < 12
        runs.append(wb.solve(rules, name, iterations=12, store=store))
        runs.append(store.run(runs[-1].run_id))
        assert np.array_equal(store.strategy(runs[-1].run_id, rules).probs, whole.strategy.probs)
    for run in runs:
        assert run.iterations == 12
        assert np.array_equal(run.strategy.probs, whole.strategy.probs)
        assert run.trace["exploitability"].iloc[-1] == whole.exploitability


def test_compiling_is_told(monkeypatch):
    game = wb.load_game("rhode_island", **SMALL).public_game()
    solver = find_solver("cfr+")
    heard = {}
    for there in (True, False):
        monkeypatch.setattr(card_game, "is_compiled", lambda kernel, there=there: there)
        heard[there] = []
        with told_to(heard[there].append):
            game.advance(solver, game.start_state(), 0)
    assert heard[True] == []
    assert "compiling" in heard[False][0]
    monkeypatch.undo()
    assert card_game.is_compiled(card_game.up)  # it has just been called


def test_ctrl_c_leaves_a_whole_iteration(monkeypatch):
    """Whoever interrupts meets a state that goes on as if nothing had happened."""
    rules = wb.load_game("rhode_island", **SMALL)
    game, solver = rules.public_game(), find_solver("cfr+")
    state = game.start_state()

    def interrupted(self):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Future, "result", interrupted)
        with pytest.raises(KeyboardInterrupt):
            game.advance(solver, state, 1000)
    assert state.iteration < 1000
    plain = game.advance(solver, game.start_state(), state.iteration)
    assert np.array_equal(plain.regret, state.regret)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("dcfr", 70), ("cfr+", 130)])
def test_rhode_island_to_twenty_milli_small_bets(name, most):
    """What a student sees in lecture 13 in quick mode (DCFR), and at the table (CFR+); the way to 1
    is in the benchmark."""
    run = wb.solve(wb.load_game("rhode_island"), name, iterations=200, target=0.2)
    assert run.stopped == "target"
    assert run.iterations <= most
    assert wb.expected_values(run.strategy)[0] == pytest.approx(-0.64, abs=0.1)
