"""A run becomes a page with its settings, its curve, its strategy and where it comes from."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import workbench as wb
from tests.lab.reports.reader import check
from workbench.tree import GameTree


def test_a_run_with_an_abstraction(leduc: GameTree, tmp_path: Path) -> None:
    run = wb.solve(leduc, "cfr+", 50, abstraction="JQ-K", seed=3)
    report = wb.write_report(run, tmp_path / "run.html")
    text = report.path.read_text(encoding="utf-8")
    reader = check(text)
    assert reader.texts["h1"] == ["cfr+ on leduc"]
    assert reader.headings == [1, 2, 2, 2, 2, 2]
    assert f"loses <strong>{run.exploitability:.4g} chips per game</strong> more" in text
    assert re.search(r"the players win [−+.\d]+, [−+.\d]+ chips per game\.", text)
    assert '<th scope="col">Exploitability (chips per game)</th>' in text
    for piece in ("JQ-K (132 information sets)", "936", "iterations=50, seed=3", run.run_id):
        assert piece in text
    assert "wb.solvers.CFRPlus(" in text
    assert len(reader.all("img")) == 1
    alt = reader.all("img")[0]["alt"]
    assert "Up: Exploitability (chips per game), logarithmic." in alt
    assert "in the game: from 2.37 at 1 to" in alt
    assert "in the abstract game: from" in alt


def test_an_exact_run_is_named_after_its_game(
    kuhn: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report = wb.write_report(wb.solve(kuhn, "lp"))
    assert os.fspath(report.path) == "kuhn-lp.html"
    reader = check(report.path.read_text(encoding="utf-8"))
    assert not reader.all("img")  # one point is no curve
    assert str(report) == f"kuhn-lp.html ({round(report.size / 1000)} kB)"


def test_no_run_overwrites_the_report_of_another(
    kuhn: GameTree, leduc: GameTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cfr_plus, dcfr = wb.solvers.CFRPlus, wb.solvers.DCFR
    runs = [
        wb.solve(kuhn, "cfr+", 20),
        wb.solve(kuhn, "cfr+", 30),
        wb.solve(kuhn, "cfr+", 20, seed=1),
        wb.solve(kuhn, cfr_plus(alternating=False), 20),
        wb.solve(kuhn, dcfr(beta=0.5), 20),
        wb.solve(kuhn, dcfr(beta=-0.5), 20),
        wb.solve(kuhn, dcfr(beta=-0.5), 20, abstraction=lambda player, seen, actions: seen),
        wb.solve(leduc, "cfr+", 20),
        wb.solve(leduc, "cfr+", 20, abstraction="JQ-K"),
        wb.solve(leduc, "cfr+", 20, abstraction="J-QK"),
    ]
    paths = [wb.write_report(run).path for run in runs]
    assert len({path.name.lower() for path in paths}) == len(runs)
    assert os.fspath(paths[0]) == "kuhn-cfr+-20-seed-0.html"
    assert os.fspath(paths[8]) == "leduc-JQ-K-cfr+-20-seed-0.html"
    assert wb.write_report(runs[0]).path == paths[0]  # the same run, the same file
