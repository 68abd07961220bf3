"""First-order methods on card games: the same numbers as on a tree that tells the same apart."""

import numpy as np
import pytest

import workbench as wb
from tests.poker.leduc_cards import places_in
from tests.poker.test_engine import _in_buckets, _leduc
from tests.solvers.test_smoothing import ALL, EGT, FP, SMOOTHING
from workbench.poker.cards import threads
from workbench.solvers.base import average, start_state
from workbench.solvers.smoothing import smooth

DECKS = [{"ranks": 2, "suits": 2}, pytest.param({"ranks": 4, "suits": 1}, marks=pytest.mark.slow)]


@pytest.fixture(scope="module", params=["leduc", "buckets", *DECKS], ids=str)
def pair(request):
    """A card game; a tree whose players know as much; which choice of the one each of the other is.

    The engine tells hands apart up to the names of suits, or by buckets: the tree is merged so."""
    what = request.param
    if what in ("leduc", "buckets"):
        tree, cards, _ = _leduc()
        game = cards.abstraction(_in_buckets((0, 0, 1))).coarse if what == "buckets" else cards
    else:
        rules = wb.load_game("rhode_island", **what)
        tree, game = wb.compile_game(rules), rules.public_game()
    places = places_in(tree, game)
    sets = zip(tree.infoset_player.tolist(), tree.seen, tree.first_choice[:-1], strict=True)
    number = {(player, seen): int(places[first]) for player, seen, first in sets}
    merged = wb.abstract(tree, lambda player, seen, actions: number[player, seen])
    found = np.empty(merged.coarse.num_choices, int)
    found[merged.choice_map] = places
    assert merged.coarse.num_infosets == game.num_infosets
    return game, merged.coarse, found


@pytest.mark.parametrize("solver", ALL, ids=repr)
def test_cards_are_a_tree_to_first_order_methods(pair, solver):
    game, tree, places = pair
    np.testing.assert_allclose(game.smooth.spread, smooth(tree).spread, rtol=1e-13)
    assert game.smooth.unit == smooth(tree).unit
    flat, state = start_state(tree), game.start_state()
    for _ in range(12):
        flat, state = tree.advance(solver, flat, 1), game.advance(solver, state, 1)
        np.testing.assert_allclose(state.memory, flat.memory, rtol=1e-9)
        np.testing.assert_allclose(state.strategy_sum[places], flat.strategy_sum, atol=1e-11)
    one, other = average(tree, flat), average(game, state)
    assert wb.exploitability(other) == pytest.approx(wb.exploitability(one), abs=1e-10)


@pytest.mark.parametrize("solver", [ALL[0], ALL[1], SMOOTHING(), FP()], ids=repr)
def test_going_on_is_not_stopping(solver, tmp_path, monkeypatch):
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    whole = wb.solve(rules, solver, 12)
    first = wb.solve(rules, solver, 5, store=tmp_path).state
    monkeypatch.setattr(threads, "SMALL", 0)  # in pieces, on two threads
    monkeypatch.setattr(threads, "cores", lambda: 2)
    parts = wb.solve(rules, solver, 7, start=first)
    for name in ("strategy_sum", "regret", "probs", "memory"):
        assert np.array_equal(getattr(whole.state, name), getattr(parts.state, name))
    kept = wb.solve(rules, solver, 5, store=tmp_path)
    assert np.array_equal(kept.state.memory, first.memory)
    assert kept.exploitability > whole.exploitability


def test_experts_by_the_excessive_gap_technique():
    """Who is held to a strategy pays nothing, and plays it."""
    rules = wb.load_game("rhode_island", ranks=4, suits=1)
    blind = wb.cluster_hands(rules, (1, 2, 3))
    base = wb.solve(rules, abstraction=blind, iterations=30).strategy
    part = wb.betting_experts(rules, ["r", "cr"])
    for players in ({0, 1}, {1}):
        plan = rules.public_game().stitching(
            tree=rules, base=base, part=part, players=players, solver=EGT(), iterations=100
        )
        for expert in plan.experts():
            assert expert.run.abstract_exploitability < 0.1  # 300: 0.04
        stitched = plan.stitch()
        for seen in (("A♠", "", ""), ("A♠", "", "c")):  # before the experts play
            assert stitched.at(seen) == base.at(seen)


def test_going_on_from_another_solver():
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    other = wb.solve(rules, "cfr+", 3).state
    assert wb.solve(rules, SMOOTHING(), 3, start=other).iterations == 6
    found = wb.solve(rules, EGT(), 50).state  # memory is of another length: from its plans
    assert wb.solve(rules, FP(), 10, start=found).exploitability < 1.0


@pytest.mark.slow
def test_rhode_island_takes_half_a_gigabyte(run_python):
    code = (
        "import workbench as wb\n"
        "wb.solve(wb.load_game('rhode_island'), 'egt', {}, checkpoints=[2])\n"
        "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    )
    kept = {"PYTHONDONTWRITEBYTECODE": ""}  # reading numba's sources takes 40 MB
    run_python("-c", code.format(1), env=kept)  # compiles
    done = run_python("-c", code.format(3), env=kept)
    assert int(done.stdout) * 1024 < 0.5e9, done.stderr
