"""A run becomes a page with its settings, its curve, its strategy and where it comes from."""

import os
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.reports.reader import written
from workbench.games.kuhn import Kuhn
from workbench.lab.reports.runs import repeat


def test_a_run_with_an_abstraction(ranked, tmp_path):
    run = wb.solve(ranked, "cfr+", 50, abstraction="JQ-K", seed=3)
    report = wb.write_report(run, tmp_path / "run.html")
    reader = written(report)
    assert reader.texts["h1"] == reader.texts["title"] == ["cfr+ on leduc(suit_isomorphism=True)"]
    assert reader.headings == [1, 2, 2, 2, 2, 2, 2]
    assert reader.texts["strong"] == [f"{run.exploitability:.4g} chips per game"]
    values = wb.expected_values([run.strategy] * 2)
    told = " and ".join(reader.texts["p"])
    assert all(f"{value:+.6f}".replace("-", "−") in told for value in values)
    assert "Exploitability (chips per game)" in reader.texts["th"]
    for fact in ("JQ-K (132 information sets)", "288", "cfr+"):
        assert fact in reader.texts["td"]
    assert f"{run.trace['exploitability'].iloc[-1]:.6g}" in reader.texts["td"]
    assert f"Run {run.run_id}" in report.path.read_text("utf-8")
    (image,) = reader.all("img")
    assert "Up: Exploitability (chips per game), logarithmic." in image["alt"]
    assert "in the game: from 2.37 at 1 to" in image["alt"]
    assert "in the abstract game: from" in image["alt"]


class Own(Kuhn):
    """Rules that are somebody's own."""

    name = "my <game>"  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("game", "solver", "more"),
    [
        (wb.load_game("leduc", players=3), "cfr+", {}),
        (wb.load_game("kuhn", cards=4), wb.solvers.DCFR(alpha=2.0), {"seed": 5}),
        (wb.load_game("leduc"), "outcome-sampling", {"abstraction": "JQ-K"}),
        (wb.load_game("toepen", suits=2, betting="leader"), "cfr",
         {"abstraction": "lossless-suits+advanced-hand"}),
        (wb.load_game("kuhn"), "lp", {}),
    ],
    ids=lambda value: getattr(value, "name", None),
)  # fmt: skip
def test_the_printed_cell_repeats_the_run(game, solver, more):
    run = wb.solve(game, solver, 20, **more)
    code, own = repeat(run)
    there: dict[str, Any] = {}
    exec(code, there)
    assert own == {}
    assert np.array_equal(there["run"].strategy.probs, run.strategy.probs)


def test_what_is_somebodys_own_is_named(leduc, tmp_path):
    run = wb.solve(Own(), "cfr", 5, abstraction=lambda player, seen, actions: seen)
    code, own = repeat(run)
    assert 'wb.solve(game, "cfr", iterations=5, seed=0, abstraction=rule)' in code
    assert own == {"game": "my <game>", "rule": "<lambda>"}
    reader = written(wb.write_report(run, tmp_path / "run.html"))
    assert any("game (my <game>) and rule (<lambda>)" in each for each in reader.texts["p"])
    half = wb.abstract(leduc, "JQ-K", players=0)  # has the name, but is not the game's own
    assert repeat(wb.solve(leduc, "cfr", 5, abstraction=half))[1] == {"rule": "JQ-K"}
    assert repeat(wb.solve(half.coarse, "cfr", 5))[1] == {"game": half.coarse.name}


def test_no_run_overwrites_the_report_of_another(kuhn, ranked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = [
        wb.solve(kuhn, "cfr+", 20),
        wb.solve(kuhn, "cfr+", 20, seed=1),
        wb.solve(kuhn, wb.solvers.CFRPlus(alternating=False), 20),
        wb.solve(ranked, "cfr+", 20, abstraction="JQ-K"),
        wb.solve(kuhn, "lp"),
    ]
    reports = [wb.write_report(run) for run in runs]
    paths = [report.path for report in reports]
    assert len({path.name.lower() for path in paths}) == len(runs)
    assert os.fspath(paths[0]) == "kuhn-cfr+-20-seed-0.html"
    assert os.fspath(paths[3]) == "leduc-suit_isomorphism-True-JQ-K-cfr+-20-seed-0.html"
    assert wb.write_report(runs[0]).path == paths[0]  # the same run, the same file
    assert str(reports[-1]) == f"kuhn-lp.html ({round(reports[-1].size / 1000)} kB)"
    assert not written(reports[-1]).all("img")  # one point is no curve
