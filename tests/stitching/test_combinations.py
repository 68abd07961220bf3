"""What Gibson & Szafron leave for later, and known systems with three players: a few lines each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench import GameTree, Strategy

BOTH = {0, 1}
HOW: dict[str, Any] = {"iterations": 5000}


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


@pytest.fixture(scope="module")
def part(tree: GameTree) -> wb.GraftingPartition:
    return wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"])


@pytest.fixture(scope="module")
def base(tree: GameTree) -> Strategy:
    return wb.solve(tree, abstraction="JQ-K", checkpoints=5000, **HOW).strategy


def milli_antes(strategy: Strategy) -> float:
    return 1000 * wb.exploitability(strategy)


def test_rebuilding_the_base(tree: GameTree, part: wb.GraftingPartition, base: Strategy) -> None:
    """Far worse if everybody knows everybody's experts, about neutral if one knows one's own."""
    early = part.only(["r", "cr"])
    before = wb.static_experts(tree, base, early, BOTH, **HOW)
    for_all = wb.rebuild_base(tree, before, early, "JQ-K", BOTH, **HOW)
    own = wb.seated([wb.rebuild_base(tree, before, early, "JQ-K", i, **HOW) for i in sorted(BOTH)])
    assert milli_antes(for_all) == pytest.approx(772, abs=5)
    assert milli_antes(own) == pytest.approx(milli_antes(before), abs=20)
    inside = np.repeat(early.part > 0, np.diff(tree.first_choice))
    for rebuilt in (for_all, own):
        assert rebuilt.probs[inside].tolist() == before.probs[inside].tolist()
        assert np.abs(rebuilt.probs[~inside] - before.probs[~inside]).max() > 0.01


def test_dynamic_experts_as_base_of_static_ones(tree: GameTree, part: wb.GraftingPartition) -> None:
    dynamic = wb.dynamic_experts(tree, "JQ-K", part, checkpoints=5000, **HOW).strategy
    sewn = wb.static_experts(tree, dynamic, part, BOTH, **HOW)
    assert milli_antes(dynamic) == pytest.approx(116, abs=4)
    assert milli_antes(sewn) == pytest.approx(112, abs=4)


def test_static_experts_that_are_dynamic(
    tree: GameTree, part: wb.GraftingPartition, base: Strategy
) -> None:
    """Inside the r- and cr-experts only what follows a second raise is seen in full."""
    early = part.only(["r", "cr"])
    rule = wb.expert_rule(tree, wb.betting_experts(tree, ["rr", "crr"]), "J.Q.K")
    sizes = [
        wb.expert_sizes(tree, early, BOTH, abstraction=some)["r"]
        for some in ("J.Q.K", rule, "null")
    ]
    assert sizes == sorted(set(sizes))
    sewn = wb.static_experts(tree, base, early, BOTH, abstraction=rule, **HOW)
    assert milli_antes(sewn) < milli_antes(base)


# ---- three players -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three() -> GameTree:
    return wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))


@pytest.fixture(scope="module")
def base3(three: GameTree) -> Strategy:
    return wb.solve(three, abstraction="J-QK", iterations=200, checkpoints=200).strategy


def test_hybrid_experts(three: GameTree, base3: Strategy) -> None:
    """|S| = 2: smaller games than S = {i}, larger ones than S = N."""
    part = wb.betting_experts(three, ["r", "cr"])
    sizes = [
        max(wb.expert_sizes(three, part, players, outside="J-QK").values())
        for players in ({0}, {0, 1}, {0, 1, 2})
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3
    hybrid = wb.static_experts(three, base3, part, {0, 1}, outside="J-QK", iterations=50)
    third = three.choices_of(2)
    assert hybrid.probs[third.start : third.stop].tolist() == (
        base3.probs[third.start : third.stop].tolist()
    )
    assert wb.gains(hybrid).shape == (3,)


def test_heads_up_experts(three: GameTree, base3: Strategy) -> None:
    """After a fold two players are left, and the experts know it."""
    part = wb.heads_up_experts(three).only(["rf", "rrf", "rcf"])
    found = wb.experts(three, base3, part, {0, 1, 2}, iterations=100)
    for expert in found:
        assert len(set(expert.game.tree.infoset_player)) == 2  # who folded decides nothing
        still = expert.run.trace["abstract_exploitability"].iloc[-1]
        assert still < wb.exploitability(expert.game.restrict(base3))
    sewn = wb.stitch(base3, part, {expert.name: expert.strategy for expert in found})
    assert np.abs(sewn.probs - base3.probs).max() > 0.1


def test_three_players_every_kind(three: GameTree, base3: Strategy) -> None:
    """Whoever gets experts alone does better against the base of the others."""
    part = wb.betting_experts(three, ["r", "cr", "ccr"])
    before = wb.expected_values(base3)
    for i in range(3):
        sewn = wb.static_experts(three, base3, part, i, outside="J-QK", iterations=100)
        assert wb.expected_values(sewn)[i] > before[i]
