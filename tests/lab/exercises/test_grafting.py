"""Notebook 11: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import grafting as exercise


@pytest.fixture(scope="module")
def tree() -> wb.GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


def test_jack() -> None:
    kuhn = wb.compile_game(wb.load_game("kuhn"))

    def beginner(player: int, seen: Any, actions: Any) -> Any:
        return seen[0] == "K", seen[1]

    plain = wb.solve(kuhn, "cfr+", 2_000, abstraction=beginner).strategy
    gains = [
        wb.graft_gains(kuhn, plain, part, player, outside=beginner, iterations=2_000).gain
        for part, player in (
            (wb.card_experts(kuhn, ["J"]).of(1), 1),
            (wb.card_experts(kuhn).of(0), 0),
        )
    ]
    assert exercise.check_jack(gains)
    best = wb.best_response(plain, 0).value - wb.expected_values(plain)[0]
    assert best == pytest.approx(1 / 6, abs=1e-3)
    assert "best response would" in exercise.check_jack((1 / 6, best)).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((1 / 3, 0), "greedy"),
        ((83.33, 0), "millibets"),
        ((0, 0), "learns to fold"),
        ((1 / 6, 1 / 3), "perfect player 2"),
        ((1 / 6, 0.5), "player 0"),
    ],
)
def test_jack_wrong(answer: Any, why: str) -> None:
    assert why in exercise.check_jack(answer).text


def test_guest(tree: wb.GameTree) -> None:
    assert exercise.check_guest({"place": 1, "beats": 9})
    assert "beats herself" in exercise.check_guest((1, 10)).text
    assert "Not place 2" in exercise.check_guest((2, 9)).text
    assert "never loses" in exercise.check_guest((1, 8)).text
    room = {name: exercise._base(name) for name in exercise.NAMES}
    for name in exercise.NAMES:
        for kind in ("pre-flop", "flop"):
            room[f"{name} {kind}"] = exercise._grafted(name, kind, name)
    table = wb.standings(room | {"lp": wb.solve(tree, "lp").strategy})
    assert table.index[0] == "lp"  # another equilibrium, the same place
    assert table.loc["lp", "wins"] == 9
    assert 500 * table.loc["lp", "winnings"] == pytest.approx(28, abs=1)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (477, "milli-antes"),
        (0.477, "chips"),
        (247.5, "without grafts"),
        (395, "pre-flop grafts by card"),
    ],
)
def test_betting(answer: float, why: str) -> None:
    assert exercise.check_betting(238.5)
    assert why in exercise.check_betting(answer).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((324, 390), "changed places"),
        ((390, 306), "flop: That partner is as blind as the base"),
        ((390, 170), "flop: That partner sees everything"),
        ((780, 648), "milli-antes"),
    ],
)
def test_sharper(answer: Any, why: str) -> None:
    assert exercise.check_sharper((390, 324))
    assert why in exercise.check_sharper(answer).text


def test_answers_do_not_hang_on_the_number_of_iterations(tree: wb.GameTree) -> None:
    how: dict[str, Any] = {"solver": "pcfr+", "iterations": 10_000}
    base = wb.solve(tree, abstraction="JQ.K", **how).strategy

    def lost(part: wb.GraftingPartition, partner: str) -> float:
        grafts = [wb.graft_gains(tree, base, part.of(i), i, outside=partner, **how) for i in (0, 1)]
        return 500 * wb.exploitability(wb.seated([each.strategy for each in grafts]))

    assert exercise.check_betting(lost(wb.betting_experts(tree, exercise.FIRST), "JQ.K"))
    cards = [wb.card_experts(tree, start=start) for start in (0, 1)]
    assert exercise.check_sharper([lost(part, "J.Q.K") for part in cards])


def test_questions(tree: wb.GameTree) -> None:
    sizes = wb.expert_sizes(tree, wb.card_experts(tree).of(0), 0, outside="J.Q.K")
    assert exercise.SIZE.answer == max(sizes.values())
    room = {name: exercise._base(name) for name in exercise.NAMES}
    pairs = [(name, kind) for name in exercise.NAMES for kind in ("pre-flop", "flop")]
    sharp = {f"{name} {kind}": exercise._grafted(name, kind, None) for name, kind in pairs}
    table = wb.standings(room | sharp)
    lost, won = table["exploitability"].to_dict(), table["winnings"].to_dict()
    assert all(lost[f"{name} {kind}"] < lost[name] for name, kind in pairs)
    assert sum(won[f"{name} {kind}"] < won[name] for name, kind in pairs) == 4
    assert exercise.PARTNER.answer == "safer, but most of them earn less than their base"
