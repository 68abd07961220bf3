"""Rhode Island Hold'em as people meet it: rules, play, panel, command line, files, errors."""

from itertools import islice

import numpy as np
import pytest

import workbench as wb
from tests.lab.play.test_terminal import evening
from tests.oracles import node_after
from workbench.files import save_arrays
from workbench.lab.play.session import Session
from workbench.lab.widgets.play_table import PlayTable

RULES = wb.load_game("rhode_island", ranks=3, suits=2)
FULL = wb.load_game("rhode_island")


@pytest.fixture(scope="module")
def run():
    return wb.solve(RULES, "cfr+", iterations=30)


def test_rules():
    start = ("A♥", "K♠", "r", "r", "r")
    assert node_after(FULL, *start).actions == ("f", "c")  # a bet and two raises
    assert node_after(FULL, *start, "f").payoffs == (25.0, -25.0)
    assert len(node_after(FULL, *start, "c").probabilities) == 50
    board = (*start, "c", "Q♥", "r", "c", "J♥", "c", "c")
    assert node_after(FULL, *board).payoffs == (-55.0, 55.0)  # a straight beats a flush
    tie = ("A♥", "A♠", "c", "c", "K♣", "c", "c", "2♦", "c", "c")
    assert node_after(FULL, *tie).payoffs == (0.0, 0.0)


def test_strategy_is_kept(run, tmp_path):
    path = run.strategy.save(tmp_path / "ri")
    again = wb.Strategy.load(path, RULES)
    assert np.array_equal(again.probs, run.strategy.probs)
    assert again.run_id == run.run_id
    holdem = wb.load_game("limit_holdem")
    for other in (wb.load_game("rhode_island", ranks=2, suits=3), holdem, wb.load_game("kuhn")):
        with pytest.raises(wb.GameError, match=r"of 'rhode_island.*, not of this"):
            wb.Strategy.load(path, other)
    tree = wb.compile_game(wb.load_game("kuhn"))
    kuhn = wb.Strategy.uniform(tree).save(tmp_path / "kuhn")
    assert wb.Strategy.load(kuhn, tree.rules).tree.same_as(tree)  # a tree's, by its rules
    coarse = wb.solve(RULES, iterations=3, abstraction="1-1-1").strategy
    loaded = wb.Strategy.load(coarse.save(tmp_path / "coarse"), RULES)
    assert wb.exploitability(loaded) == wb.exploitability(coarse)
    forged = {**coarse.saved(), "name": "\x1b[2J"}
    with pytest.raises(wb.GameError, match="name is no plain text"):
        wb.Strategy.load(save_arrays(tmp_path / "x", coarse.tree.saved_as, **forged), RULES)


def test_step_by_step(run):
    """Rules serve where a tree does; each state is kept as it was."""
    states = list(islice(wb.iterate(RULES, "cfr+"), 30))
    assert [state.iteration for state in states[:3]] == [1, 2, 3]
    sigma = wb.average(RULES, states[-1])
    assert np.array_equal(sigma.probs, run.strategy.probs)
    again = next(wb.iterate(RULES, "cfr+", start=states[9], every=20))
    assert np.array_equal(again.strategy_sum, run.state.strategy_sum)
    assert states[9].iteration == 10
    uniform = wb.Strategy.uniform(RULES)
    assert set(uniform.at(("A♥", "", "r")).values()) == {1 / 3}
    won = wb.tournament({"solved": run.strategy, "uniform": uniform}).loc["solved", "uniform"]
    assert wb.earnings(run.strategy, [uniform]) == pytest.approx(won)
    assert wb.earnings(run.strategy, [[uniform, uniform]]) == pytest.approx(won)


def test_strategy_is_asked(run):
    found = run.strategy.at(("A♥", "K♠", "cc/r"))
    assert list(found) == ["f", "c", "r"]
    assert sum(found.values()) == pytest.approx(1)
    assert found == run.strategy.at(("A♠", "K♥", "cc/r"))  # only the names of suits differ
    for strange in (("A♥", "A♥", "cc/r"), ("A♥", "", "cc/r"), ("2♥", "", "r"), ("A♥", "", "x"), 7):
        with pytest.raises(wb.GameError):
            run.strategy.at(strange)
    assert "more information sets" in wb.plots.strategy_html(run.strategy)
    table = run.strategy.table("K♥")
    assert set(table.columns) == {"player", "information set", "action", "probability"}
    assert table.groupby(["player", "information set"])["probability"].sum().round(9).eq(1).all()


def test_people_play_it_without_a_tree(monkeypatch):
    from workbench.lab.play import equilibrium_cache

    monkeypatch.setattr(equilibrium_cache, "MOST_HISTORIES", 1000)
    session = Session(RULES, seed=1, iterations=2)
    session.deal()
    while session.playing:
        session.play(session.asked.actions[-1])
    found = session.review(1)  # the engine of card games judges it
    assert found.payoff == pytest.approx(found.value - found.cost + found.luck)
    assert "within the error of the solver" in str(found)
    again = Session(RULES, seed=1, iterations=2)
    assert "The equilibrium: " in evening(again, ["h", "c", "q"])[0]  # the hint
    table = PlayTable(Session(RULES, seed=1, iterations=2))
    assert "not judged" not in table.reviewed.value
    table.close()


def test_a_sweep_compiles_no_tree(monkeypatch, tmp_path):
    def refuse(game, *more):
        raise AssertionError(f"{game} was compiled")

    for where in ("workbench.runs.experiment", "workbench.lab.sweep.sweep"):
        monkeypatch.setattr(f"{where}.compile_game", refuse)
    buckets = wb.cluster_hands(RULES, (3, 5, 9))
    asked = wb.grid(
        over={"solver": ["cfr+", "dcfr"], "abstraction": [None, buckets]}, game=RULES, iterations=4
    )
    asked += [wb.Experiment("rhode_island", {"ranks": 3, "suits": 2}, iterations=4)]
    done = wb.sweep(asked, tmp_path, workers=1, progress=False)
    assert not any(done.errors)
    assert done.table["exploitability"].gt(0).all()
    alone = wb.solve(RULES, "cfr+", iterations=4)
    for same in (done.runs[0], done.runs[-1]):
        assert np.array_equal(same.strategy.probs, alone.strategy.probs)
