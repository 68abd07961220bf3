"""Notebook 08: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import sewing as exercise


@pytest.fixture(scope="module")
def small() -> wb.GameTree:
    return wb.compile_game(wb.load_game("figure1"))


def blind(player: int, seen: Any, actions: Any) -> Any:
    return "nothing" if player == 0 else seen[-1]


def loss(sigma: wb.Strategy) -> float:
    return float(wb.best_response(sigma, 0).value)


@pytest.mark.parametrize(
    ("answer", "why"),
    [(450, "together"), (180, "suit of the own"), (144, "S = {i}"), (186, "`r`-expert")],
)
def test_rooms(answer: int, why: str) -> None:
    assert exercise.check_rooms(90)
    assert why in exercise.check_rooms(answer).text


def test_no_answer_after_r_is_worse_than_x(small: wb.GameTree) -> None:
    losses = {}
    for near in "xy":
        for far in "xy":

            def expert(player: int, seen: Any, actions: Any, pair: Any = (near, far)) -> Any:
                return pair[int(seen[0] == "c")] if player == 1 else "l"

            sigma = wb.Strategy.from_function(small, expert)
            part = wb.betting_experts(small, ["r"]).of(1)
            losses[near + far] = loss(wb.stitch(exercise._plain(), part, {"r": sigma}))
    assert max(losses.values()) == losses["xx"] == pytest.approx(4 / 3)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((5 / 6, 2 / 3), "CFR+"),
        ((4 / 3, 2 / 5), "the base plays on: That is S = {2}"),
        ((-4 / 3, 2 / 3), "sign"),
    ],
)
def test_corner(answer: Any, why: str) -> None:
    assert exercise.check_corner({"lp": "4/3", "the base plays on": 2 / 3})
    assert why in exercise.check_corner(answer).text


def test_alone() -> None:
    assert exercise.check_alone(["cr", "r"])
    assert exercise.check_alone("r, cr")
    assert "`ccr` alone hurts" in exercise.check_alone(["r", "cr", "ccr"]).text
    assert "`cr` alone helps" in exercise.check_alone({"r"}).text
    assert "'crr' is none" in exercise.check_alone(["crr"]).text


def test_woven(small: wb.GameTree) -> None:
    """All choices of fine sets: 2/9 needs all six sets of the game."""
    assert exercise.check_woven(6)
    assert "1/3" in exercise.check_woven(5).text
    lowest: dict[int, float] = {}
    for fine in (set(some) for k in range(7) for some in combinations(range(6), k)):

        def rule(player: int, seen: Any, actions: Any, fine: set[int] = fine) -> Any:
            infoset = next(
                k for k in range(6) if (small.infoset_player[k], small.seen[k]) == (player, seen)
            )
            return ("fine", infoset) if infoset in fine else blind(player, seen, actions)

        made = wb.abstract(small, rule)
        lost = loss(made.lift(wb.solve(made.coarse, "lp").strategy))
        sets = made.coarse.num_infosets
        lowest[sets] = min(lost, lowest.get(sets, 9.0))
    assert lowest == pytest.approx({3: 2 / 3, 4: 8 / 15, 5: 1 / 3, 6: 2 / 9})


def test_again(small: wb.GameTree) -> None:
    two = wb.betting_experts(small, ["l", "r"]).of(1)
    best = wb.solve(small, "lp").strategy

    def sew(sigma: wb.Strategy, *names: str) -> wb.Strategy:
        return wb.static_experts(
            small, sigma, two.only(list(names)), players={1}, abstraction=None, solver="lp"
        )

    assert exercise.check_again(lambda sigma: sew(sew(sigma, "l"), "r"))
    assert "begin with l" in exercise.check_again(lambda sigma: sew(sew(sigma, "r"), "l")).text
    assert "*old* neighbour" in exercise.check_again(lambda sigma: sew(sigma, "l", "r")).text
    assert "Perfect at once" in exercise.check_again(lambda sigma: best).text
    assert "0.333, 0.333" in exercise.check_again(lambda sigma: sew(sigma, "l")).text


def test_questions(small: wb.GameTree, leduc: wb.GameTree) -> None:
    base = wb.solve(small, "lp", abstraction=blind).strategy
    part = wb.betting_experts(small, ["l"]).of(1)
    losses = [
        loss(wb.static_experts(small, base, part, players=S, abstraction=None, solver="lp"))
        for S in ({1}, {0, 1})
    ]
    assert losses == pytest.approx([1 / 3, 2 / 3])
    assert exercise.REPAIR.answer == "S = {2}; the other one repairs nothing"
    coarse = wb.solve(leduc, "cfr+", 5_000, abstraction="JQ-K").strategy
    experts = wb.betting_experts(leduc, exercise.FIRST)
    tidy = wb.static_experts(
        leduc, coarse, experts, players={0, 1}, residual=0.01, iterations=5_000
    )
    assert exercise.TIDY.answer == pytest.approx(1000 * wb.exploitability(tidy), abs=5)
