"""Grafts, and Theorem 1 of Waugh et al. (2009) on every graft built."""

from functools import cache

import pytest

import workbench as wb
from tests.random_games import tree_of

LEDUC = tree_of("leduc", suit_isomorphism=True)
BASES = ("J.Q.K", "JQ.K", "J.QK")
GAINS = {  # millibets against an opponent who forgets nothing, ours
    ("J.Q.K", "preflop"): 18.5, ("J.Q.K", "flop"): 13.0, ("JQ.K", "preflop"): 18.8,
    ("JQ.K", "flop"): 9.6, ("J.QK", "preflop"): 79.6, ("J.QK", "flop"): 69.6,
}  # fmt: skip


@cache
def base_of(name):
    return wb.solve(LEDUC, iterations=2000, abstraction=name, checkpoints=2000).strategy


def grafting(kind):
    if kind == "betting":
        return wb.betting_experts(LEDUC, ["r", "cr", "ccr", "cccr"])
    return wb.card_experts(LEDUC, start=int(kind == "flop"))


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("kind", ["preflop", "flop", "betting"])
@pytest.mark.parametrize("name", BASES)
def test_theorem_1(name, kind, player):
    part = grafting(kind).of(player)
    base = base_of(name)
    one = wb.theory.graft_gains(LEDUC, base, part, player, outside=name)
    assert one.gain == pytest.approx(one.total, abs=1e-12)
    assert one.gain >= one.bound - 1e-12
    assert one.holds
    assert set(one.gains) == set(part.names)
    assert 0.0 < one.epsilon < 0.005
    # ε is honest: no graft alone falls below its share of the bound either
    assert min(one.gains.values()) >= -3 * one.epsilon - 1e-12


@pytest.mark.parametrize("player", [0, 1])
def test_theorem_1_with_opponents_that_are_fine_inside(player):
    """As in Table 1, S={i}. What the opponent may know there counts in ε, so ε is large."""
    tree, base = LEDUC, base_of("JQ.K")
    one = wb.theory.graft_gains(tree, base, grafting("betting"), player, outside="JQ.K")
    assert one.holds
    assert one.epsilon > 0.1


def test_grafts_are_not_static_experts_of_one_player():
    """Who else may look closely inside the parts: nobody, or everybody. See `experts.py`."""
    tree, part = LEDUC, grafting("betting")
    base = wb.solve(tree, iterations=2000, abstraction="JQ-K", checkpoints=2000).strategy
    blunt = wb.grafts(tree, base, part, outside="JQ-K")
    alone = [wb.static_experts(tree, base, part, i, outside="JQ-K") for i in (0, 1)]
    assert 1000 * wb.exploitability(blunt) == pytest.approx(450, abs=15)
    assert 1000 * wb.exploitability(wb.seated(alone)) == pytest.approx(160, abs=10)


@pytest.mark.parametrize("kind", ["preflop", "flop"])
@pytest.mark.parametrize("name", BASES)
def test_corollary_1(name, kind):
    """Only player 1 forgets (α₂ = φ₂): then grafts of hers lose no more than 3pε to σ₂."""
    tree = LEDUC
    rules = tree.rules.abstractions
    half = wb.abstraction.piecewise(
        lambda player, seen: player, {0: rules[name], 1: rules["null"]}, name=f"{name} for one"
    )
    run = wb.solve(tree, "pcfr+", 2000, abstraction=half, checkpoints=2000)
    sure = -wb.best_response(run.strategy, 1).value
    assert sure == pytest.approx(wb.expected_values(run.strategy)[0], abs=0.002), "σ₂ is unbounded"
    one = wb.theory.graft_gains(
        tree, run.strategy, grafting(kind).of(0), 0, outside=None, solver="pcfr+", iterations=2000
    )
    assert one.holds
    assert one.epsilon < 0.002
    assert 500 * one.gain == pytest.approx(GAINS[name, kind], rel=0.1)  # equilibria differ
    worst = -wb.best_response(one.strategy, 1).value
    assert (worst < sure - 0.005) == ((name, kind) == ("JQ.K", "flop")), "only σ₂ is promised"
