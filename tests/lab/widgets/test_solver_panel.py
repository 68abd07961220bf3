"""The solver panel without kernel and browser: settings, Start, Stop, Continue, code."""

import re
import threading
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, repeated, said, same, text, threads, until
from workbench import compiling
from workbench.games.words import unit_of
from workbench.lab.widgets import jobs as background
from workbench.lab.widgets import live_panel as trial
from workbench.lab.widgets.solver_panel import NONE, SolverPanel
from workbench.runs import run as working


def offered(panel):
    """The abstractions to choose from; what a list calls them says more."""
    return tuple(dict(panel.abstraction.options).values())


def test_a_run_and_its_code(panels):
    panel = panels(SolverPanel, "kuhn", iterations=150)
    empty = panel.curve.view.value
    press(panel, "start")
    (run,) = panel.runs
    assert same(run, wb.solve(wb.load_game("kuhn"), iterations=150))
    assert same(run, repeated(panel.code))
    assert panel.curve.view.value != empty
    assert "cfr+ goes from 0.458" in panel.curve.view.value
    assert "1 kuhn cfr+ 0 150 12" in text(panel.shown.value)
    assert panel.bar.bar.value == 1.0
    assert list(run.trace.columns) == list(working.COLUMNS)


def test_stop_and_continue_are_the_same_run(panels):
    settings = {"solver": "external-sampling", "seed": 3, "abstraction": "JQ-K"}
    panel = panels(SolverPanel, "leduc", iterations=10_000_000, **settings)
    panel.start_button.click()
    until(lambda: panel.trials[0].iteration > 0)
    press(panel, "stop")
    (stopped,) = panel.runs
    assert stopped.stopped == "interrupted"
    assert 0 < stopped.iterations < 10_000_000
    assert stopped.trace["iteration"].iloc[-1] == stopped.iterations
    assert same(stopped, repeated(panel.code))
    panel.continue_button.click()
    until(lambda: panel.trials[0].iteration > stopped.iterations)
    press(panel, "stop")
    (later,) = panel.runs
    assert later.iterations > stopped.iterations
    assert same(later, repeated(panel.code))
    assert later.trace["iteration"].is_monotonic_increasing


def test_hidden_curves_stay_hidden_and_keep_their_looks(panels, monkeypatch):
    painted: list[Any] = []
    panel = panels(SolverPanel, "kuhn", iterations=40)
    monkeypatch.setattr(panel.curve, "paint", lambda drawn, words: painted.append(drawn))

    def looks() -> dict[Any, Any]:
        assert panel.wait(SOON)
        drawn = [line for ax in painted[-1].axes for line in ax.lines if line.get_label()[0] != "_"]
        return {line.get_label(): (line.get_color(), line.get_marker()) for line in drawn}

    for solver in ("cfr", "cfr+", "dcfr"):
        panel.solver.name.value = solver
        press(panel, "start")
    before = looks()
    assert list(before) == ["1: cfr", "2: cfr+", "3: dcfr"]
    panel.ticks.shown[1].value = False
    assert looks() == {name: look for name, look in before.items() if name != "2: cfr+"}
    assert len(panel.runs) == 3  # hidden, not lost
    panel.chosen.index = 0
    press(panel, "remove")
    assert list(looks()) == ["2: dcfr"]
    press(panel, "start")
    assert list(looks()) == ["2: dcfr", "3: dcfr"]
    press(panel, "clear")
    assert panel.runs == []
    assert panel.clear_button.disabled
    assert panel.ticks.shown == []


def test_a_solver_of_ones_own_races_beside_ours(panels):
    @dataclass(frozen=True, kw_only=True)
    class Cubic(wb.solvers.CFRPlus):
        power: float = 3.0
        name: ClassVar[str] = "cubic"

        def weights(self, t: Any) -> Any:
            return np.ones_like(t), np.zeros_like(t), t**self.power

    panel = panels(SolverPanel, "kuhn", iterations=50, solvers=[Cubic(power=4.0)])
    press(panel, "start")
    panel.solver.name.value = "cubic (your own)"
    press(panel, "start")
    mine = panel.runs[1]
    assert mine.solver == Cubic(power=4.0)
    assert "2: cubic (your own)" in panel.curve.view.value
    assert "cubic (your own)" in text(panel.shown.value)
    assert "Cubic(" in panel.code
    assert "# your own" in panel.code
    solver = wb.solve(wb.load_game("kuhn"), Cubic(power=4.0), iterations=50)
    assert same(mine, solver)
    line = next(line for line in panel.code.splitlines() if line.startswith("solver ="))
    code = panel.code.replace(line, "")
    assert same(mine, repeated(code, solver=Cubic(power=4.0)))
    panel.iterations.value = 25
    press(panel, "continue")
    assert (panel.runs[1].iterations, panel.runs[1].stopped) == (75, "iterations")

    class Plain:
        name, exact = "plain", False

        def check(self, tree: wb.GameTree) -> None: ...

        def advance(self, tree: wb.GameTree, state: Any, iterations: int) -> Any:
            return wb.solvers.CFR().advance(tree, state, iterations)

    given = panels(SolverPanel, "kuhn", solver=Plain(), iterations=20)
    assert given.solver.name.value == "plain (your own)"
    press(given, "start")
    assert same(given.runs[0], repeated(given.code, solver=Plain()))
    for wrong, says in (
        ([Plain(), Plain()], "a name of its own"),
        (Plain, "is no solver"),
        (type("Half", (), {"advance": 1})(), "has no 'name'"),
    ):
        with pytest.raises(wb.GameError, match=says):
            SolverPanel("kuhn", solvers=wrong)


def test_the_strategy_unfolds_and_becomes_a_file(panels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    panel = panels(SolverPanel, "kuhn", iterations=40)
    panel.strategy.button.value = True
    assert "no finished run" in panel.grid.value
    press(panel, "start")
    assert "12 information sets" in text(panel.grid.value)
    panel.filter.value = "Q pb"
    assert panel.grid.value.count("<tr>") == 2
    press(panel, "csv")
    assert "kuhn-cfr+-1.csv" in panel.saved.value
    written = pd.read_csv(tmp_path / "kuhn-cfr+-1.csv")
    pd.testing.assert_frame_equal(written, panel.runs[0].strategy.table(), check_exact=True)


def test_options_and_settings_reach_the_run_and_the_code(panels):
    panel = panels(SolverPanel, "leduc", iterations=5)
    panel.game.name.value = "toepen"
    panel.game.controls["suits"].value = 2
    panel.game.controls["betting"].value = "leader"
    panel.abstraction.value = "lossless-suits+advanced-hand"
    panel.solver.name.value = "outcome-sampling"
    panel.solver.controls["epsilon"].value = 0.25
    panel.seed.value = 7
    press(panel, "start")
    (run,) = panel.runs
    assert run.tree.name == "toepen(suits=2, betting='leader')"
    assert run.abstraction.name == "lossless-suits+advanced-hand"
    assert run.solver == wb.solvers.OutcomeSampling(epsilon=0.25)
    assert run.seed == 7
    assert same(run, repeated(panel.code))
    panel.game.name.value, panel.solver.name.value = "kuhn", "egt"
    mu = panel.solver.controls["mu"]
    panel.solver.controls["prox"].value, mu.value = "euclidean", 0.1
    press(panel, "start")
    assert panel.runs[1].solver == wb.solvers.EGT(prox="euclidean", mu=0.1)
    mu.value = -1
    panel.start_button.click()
    assert "mu must be" in said(panel)


def test_bad_input_is_one_message_and_loses_nothing(panels):
    panel = panels(SolverPanel, "kuhn", iterations=30)
    press(panel, "start")
    before = panel.runs
    panel.seed.value = -1
    panel.start_button.click()
    assert "seed" in said(panel)
    panel.seed.value = 0
    panel.game.name.value = "toepen"
    panel.game.controls["hand"].value = 5
    panel.start_button.click()
    assert "two hands of 5 need 10 cards" in said(panel)
    panel.game.name.value = "leduc"
    panel.game.controls["ranks"].value = 4
    assert offered(panel) == (NONE, "null")  # the others are for three ranks
    panel.game.controls["ranks"].value = 1
    panel.start_button.click()
    assert "ranks must be a whole number from 2 to 13, not 1" in said(panel)
    assert [run.run_id for run in panel.runs] == [run.run_id for run in before]
    panel.game.controls["ranks"].value = 3
    assert "JQ-K" in offered(panel)
    press(panel, "start")
    assert said(panel) == ""
    assert len(panel.runs) == 2


def test_one_run_at_a_time_and_none_after_closing(panels):
    panel = panels(SolverPanel, "leduc", solver="cfr", iterations=10_000_000)
    panel.start()
    assert panel.start_button.disabled
    panel.start_button.click()  # twice, before the browser has heard that it is disabled
    assert said(panel) == ""
    assert len(panel.trials) == 1
    with pytest.raises(wb.GameError, match="under way"):
        panel.start()
    other = panels(SolverPanel, "kuhn")
    for closed in (panel, other):
        closed.close()
    other.start_button.click()
    assert "closed; run its cell again" in said(other)
    until(lambda: not threads())


def test_stop_while_compiling(panels, monkeypatch):
    monkeypatch.setattr(compiling, "_says_everything", lambda rules: False)  # not from the disk
    panel = panels(SolverPanel, "toepen", options={"hand": 3}, iterations=10)
    panel.start_button.click()
    until(lambda: "compiling" in panel.bar.words.value)
    press(panel, "stop")
    assert panel.runs == []
    assert "before the first iteration" in said(panel)
    panel.start_button.click()
    assert said(panel) == ""  # the old note is gone
    press(panel, "stop")


def test_an_exact_solver_on_a_larger_game(panels, monkeypatch):
    monkeypatch.setattr(trial, "LARGE", 1)  # so it is solved in another process
    panel = panels(SolverPanel, "kuhn", solver="lp")
    press(panel, "start")
    assert same(panel.runs[0], wb.solve(wb.load_game("kuhn"), "lp"))


def test_the_live_curve_moves_between_the_points_of_the_trace(panels, monkeypatch):
    monkeypatch.setattr(background, "EVERY", 0.05)
    monkeypatch.setattr(trial, "LIVE", 0.05)
    panel = panels(SolverPanel, "leduc", iterations=10_000_000)
    panel.start()
    until(lambda: len(panel.trials[0].extra) > 5)
    press(panel, "stop")
    assert len(panel.trials[0].trace) > len(panel.runs[0].trace)


def test_abstractions_to_choose_from(panels):
    panel = panels(SolverPanel, "leduc")
    assert offered(panel) == (NONE, *wb.list_abstractions("leduc"))
    panel.abstraction.value = "JQ-K"
    panel.game.controls["players"].value = 3
    assert panel.abstraction.value == "JQ-K"  # kept: it fits
    panel.game.name.value = "kuhn"
    assert offered(panel) == (NONE,)
    assert panel.abstraction.disabled
    panel.game.name.value = "toepen"
    assert len(offered(panel)) == 1 + 2 + 2 * 6
    assert "thesis-suits+naive" in offered(panel)


def test_buckets_of_a_game_too_large_to_be_judged(panels):
    rules = wb.load_game("limit_holdem")
    cut: Any = wb.cluster_hands(rules, (2, 2, 2, 2), metric="ehs2", method="percentile")
    panel = panels(SolverPanel, "limit_holdem", abstraction=cut, iterations=3)
    assert offered(panel) == (NONE, "2222", "3333", "5555", "2-4-8-16")
    press(panel, "start")
    (run,) = panel.runs
    assert np.isnan(run.exploitability)
    lost = run.trace["abstract_exploitability"].iloc[-1]
    assert f"goes from 3,441 after 1 to {lost:,.0f} after 3" in panel.curve.view.value
    assert "Exploitability within the buckets against" in panel.curve.view.value
    assert unit_of(rules) == "mbb per hand"  # in words it would not fit beside the plot
    made = 'abstraction=wb.cluster_hands(game, (2, 2, 2, 2), metric="ehs2", method="percentile")'
    assert made in " ".join(panel.code.split())
    assert text(panel.shown.value).count("exploitability") == 1  # and not once more within
    assert "in the abstraction" not in panel.shown.value
    panel.game.name.value = "kuhn"
    assert offered(panel) == (NONE,)
    panel.game.name.value = "limit_holdem"
    assert panel.abstraction.value == "2222"  # without buckets it cannot be solved
    press(panel, "clear")
    assert (panel.bar.bar.value, panel.bar.bar.bar_style) == (0.0, "")
    assert text(panel.bar.words.value) == ""


def test_only_solvers_that_serve_the_game_are_offered(panels):
    panel = panels(SolverPanel, "leduc", solver="lp")
    everything = panel.solver.name.options
    panel.game.name.value = "limit_holdem"
    without_tree = dict(panel.solver.name.options).values()
    assert set(dict(everything).values()) - set(without_tree) == {
        "chance-sampling", "lp", "outcome-sampling"
    }  # fmt: skip
    panel.game.controls["players"].value = 3
    assert panel.solver.name.options == (("external-sampling", "external-sampling"),)
    assert '"external-sampling"' in panel.code
    panel.game.name.value = "kuhn"
    assert panel.solver.name.options == everything


def test_stop_answers_while_a_picture_is_drawn_and_before_anything_is_measured(panels, monkeypatch):
    panel = panels(SolverPanel, "leduc", iterations=10_000_000)
    drawing, go = threading.Event(), threading.Event()

    def slow(*args: Any, **settings: Any) -> None:
        drawing.set()
        go.wait(SOON)

    monkeypatch.setattr(panel, "draw", slow)
    panel.start_button.click()
    assert drawing.wait(SOON)
    until(lambda: panel.trials[0].iteration > 0)
    panel.stop_button.click()
    assert panel.job.wait(SOON)  # and the picture is not done yet
    assert "stopped after" in panel.bar.words.value
    assert panel.stop_button.disabled
    assert not panel.start_button.disabled
    (run,) = panel.runs
    assert run.stopped == "interrupted"
    assert run.trace["iteration"].iloc[-1] == run.iterations
    assert same(run, repeated(panel.code))
    go.set()
    assert panel.wait(SOON)
    assert f" {run.iterations:,} 936 " in text(panel.shown.value)


def test_the_chosen_run_as_a_report(panels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    panel = panels(SolverPanel, "kuhn", iterations=60)
    assert panel.report_button.disabled
    with pytest.raises(wb.GameError, match="no finished run"):
        panel.report()
    press(panel, "start")
    panel.seed.value = 1
    press(panel, "start")
    panel.chosen.index = 0
    press(panel, "report")
    file = tmp_path / "kuhn-cfr+-60-seed-0.html"
    assert f"Saved {file.name}" in said(panel)
    assert "cfr+ on kuhn" in file.read_text(encoding="utf-8")
    file.unlink()
    file.mkdir()
    press(panel, "report")
    assert file.name in said(panel)
    assert "Saved" not in said(panel)
    assert not panel.report_button.disabled


def test_with_three_players_it_shows_a_mean_gain(panels):
    panel = panels(SolverPanel, "odd_one_out", iterations=20)
    press(panel, "start")
    assert "sets mean gain seconds" in text(panel.shown.value)
    assert "Mean gain against iterations" in panel.curve.view.value
    panel.game.name.value = "kuhn"
    press(panel, "start")
    assert "exploitability or mean gain" in text(panel.shown.value)


def test_a_run_stops_when_its_cell_is_deleted(panels, monkeypatch):
    monkeypatch.setattr("workbench.lab.widgets.panel.UNSEEN", 10 * SOON)
    panel = panels(SolverPanel, "leduc", iterations=10_000_000)
    panel.view.set_state({"_view_count": 1})  # what the browser does
    panel.start()
    until(lambda: panel.trials[0].iteration > 0)
    panel.view.set_state({"_view_count": 0})
    leaving = panel._leaving
    panel.view.set_state({"_view_count": 1})  # the cell was moved
    leaving.join(SOON)  # it was called off
    assert panel.running
    monkeypatch.setattr("workbench.lab.widgets.panel.UNSEEN", 0.0)
    panel.view.set_state({"_view_count": 0})
    assert panel.wait(SOON)
    (run,) = panel.runs
    assert run.stopped == "interrupted"
    assert not panel.continue_button.disabled


def test_no_thread_goes_on_listing_the_deals_of_a_large_deck(panels):
    """Half a minute of work, of which the view tells; Stop ends it, not only what is shown."""
    panel = panels(
        SolverPanel, "toepen", options={"suits": 4, "ranks": 5, "hand": 3}
    )  # 775,200 deals
    panel.start()
    until(lambda: re.search(r"listing the deals of toepen.*: [1-9]", panel.bar.words.value))
    panel.stop()
    until(lambda: not threads())
    assert panel.message.value.count("Stopped before the first iteration") == 1
