"""The benchmark's table, its games and its command line; nothing here measures time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import workbench as wb
from tests.bench import __main__ as command
from tests.bench import peers, table
from tests.bench.memory import Ladder, array_bytes
from tests.bench.student import StudentLeduc

ROWS = [
    table.at_least(300, "CFR+ iterations", "leduc", 45_000.0, "iterations/s", 50.0, "OpenSpiel"),
    table.at_least(60, "CFR+ iterations", "leduc", 500.0, "iterations/s", 50.0, "LiteEFG"),
    table.at_least(1, "one exploitability", "kuhn", 0.02, "ms", 0.05, "LiteEFG"),
    table.same("same game: infosets", "leduc", 936, "", 936, "OpenSpiel"),
    table.same("same game: infosets", "leduc", 936, "", 288, "LiteEFG"),
    table.below(0.4, "import workbench", "", 0.25, "s"),
    table.noted("tree", "leduc", 42.8, "B/history"),
]


def test_verdicts_and_ratios() -> None:
    assert [row.passed for row in ROWS] == [True, False, True, True, False, True, None]
    assert [row.ratio for row in ROWS[:3]] == [900.0, 10.0, 2.5]
    said = table.summary([*ROWS, table.below(1, "compile", "leduc", 2.0, "s")]).splitlines()
    assert said[0] == "4 of 7 requirements met. Missed:"
    assert said[-1] == "  compile, leduc: 2 s, required < 1 s"


def test_list_names_missing_peers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module, _ in peers.MODULES.values():
        monkeypatch.setitem(sys.modules, module, None)  # importing it fails
    assert command.main(["--quick", "--list"]) == 0
    printed = capsys.readouterr().out
    assert "OpenSpiel is missing" in printed
    assert "LiteEFG is missing" in printed
    assert all(f"\n  {name} " in printed for name in command.NAMES)
    assert peers.contestants(peers.KUHN, {}) == []


@pytest.mark.parametrize(
    ("asked", "written"),
    [("", "latest.csv"), ("--keep", "kept.csv"), ("--output here.csv", "here.csv")],
)
def test_tracked_results_change_only_on_request(
    asked: str, written: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "KEPT", tmp_path / "kept.csv")
    monkeypatch.setattr(command, "LATEST", tmp_path / "latest.csv")
    monkeypatch.setattr(command, "one_core", lambda: "one core")
    monkeypatch.setattr(command, "sections", lambda: {"start": lambda *_: iter(ROWS[:1])})
    assert command.main(asked.split()) == 0
    assert [path.name for path in tmp_path.iterdir()] == [written]


def test_students_game_is_leduc() -> None:
    own, built_in = wb.compile_game(StudentLeduc()), peers.tree_of(peers.SUITED)
    assert (own.num_histories, own.num_infosets) == (built_in.num_histories, built_in.num_infosets)
    worth = [wb.exploitability(wb.Strategy.uniform(tree)) for tree in (own, built_in)]
    assert worth[0] == pytest.approx(worth[1], abs=1e-12)


def test_big_game_is_as_big_as_it_says() -> None:
    tree = wb.compile_game(Ladder(3, 4))
    assert tree.num_histories == 1 + 3 + 9 * (2**5 - 1)
    assert tree.perfect_recall
    assert array_bytes(tree) >= tree.nbytes
