"""The grid of a strategy as HTML, and what its script reads."""

import json

import pytest

import workbench as wb
from tests.lab.reports.reader import Reader, written
from workbench.lab.plots.strategy_grid import StrategyGrid


def test_the_script_reads_what_the_strategy_does(leduc):
    run = wb.solve(leduc, "cfr+", 50)
    blurred = wb.solve(leduc, "cfr+", 50, abstraction="JQ-K")
    grid = StrategyGrid({"exact": run, "JQ-K": blurred}, after="rc/")
    (box,) = [have for have in Reader(grid._repr_html_()).all("div") if "data-lines" in have]
    data = json.loads(box["data-lines"])
    assert data["at"] == "rc/"
    assert len(data["lines"]) == 8  # the way there, and all of this round
    player, moves, grid, both = data["lines"]["rc/r"]
    assert player == 2
    assert [move[:3] for move in moves] == [
        ["fold", "", "f"], ["call", "", "c"], ["raise", "rc/rr", "r"],
    ]  # fmt: skip
    assert box["aria-label"].startswith("Leduc poker by lines")
    assert grid == 1
    for given, cells in zip((run, blurred), both, strict=True):
        assert len(cells) == 9
        at = [given.strategy.at((f"K{suit}", "Q♥", "rc/r")) for suit in "♠♥"]
        come = [given.strategy.at((f"K{suit}", "", "r"))["c"] for suit in "♠♥"]
        for k, action in enumerate("fcr"):
            mean = sum(one[action] * share for one, share in zip(at, come, strict=True)) / sum(come)
            assert cells[1][k] / 100 == pytest.approx(mean, abs=0.00501)
        assert cells[1][3] / 100 == pytest.approx(sum(come) / 2, abs=0.00501)


def test_a_report_of_a_game_with_lines_has_it(leduc, tmp_path):
    reader = written(wb.write_report(wb.solve(leduc, "cfr+", 20), tmp_path / "run.html"))
    cells = [have["title"] for have in reader.all("td") if have.get("class") == "hand"]
    assert cells[:4] == ["K", "Q", "J", "K on K"]
    assert len(cells) == 3 + 9
    matrix = written(wb.write_report(wb.solve(wb.load_game("rock_paper_scissors"), "cfr+", 5),
                                     tmp_path / "matrix.html"))  # fmt: skip
    assert not any("data-lines" in have for have in matrix.all("div"))


def test_what_cannot_be_shown_is_refused(kuhn, leduc):
    one, other = (wb.Strategy.uniform(tree) for tree in (kuhn, leduc))
    for given, says in (
        ({}, "one strategy, or two of the same game"),
        ({"a": one, "b": one, "c": one}, "one strategy, or two of the same game"),
        ({"a": one, "b": other}, "one strategy, or two of the same game"),
        ("leduc", "a Strategy is needed here, not str"),
    ):
        with pytest.raises(wb.GameError) as refused:
            StrategyGrid(given)
        assert says in str(refused.value)
