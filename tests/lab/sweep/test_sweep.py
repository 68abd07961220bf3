"""Sweeps on one machine: equal to serial, shared, interrupted, with accidents, in notebooks."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import workbench as wb
from tests.conftest import ROOT
from tests.runs.helpers import Accident
from workbench.lab.sweep import sweep as scheduler
from workbench.lab.sweep import workers
from workbench.progress import StatusLine
from workbench.runs.run import begin
from workbench.runs.solve import solve_stored
from workbench.solvers.base import start_state

KUHN = {"game": "kuhn", "iterations": 200}
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals differ")


def probs(sweep):
    assert not any(sweep.errors), sweep.errors
    return [run.strategy.probs.tobytes() for run in sweep.runs if run]


def test_workers_give_the_serial_numbers_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "SAVE_EVERY", 0.01)  # many pieces
    solvers = ["cfr+", "external-sampling", "outcome-sampling"]
    over = {"solver": solvers, "abstraction": [None, "JQ-K"]}
    ranked = {"suit_isomorphism": True}
    many = wb.grid(over=over, game="leduc", options=ranked, iterations=300, seed=3)
    parallel = wb.sweep(many, store=tmp_path / "two", workers=2)
    serial = wb.sweep(many, store=tmp_path / "one", workers=1)
    assert probs(parallel) == probs(serial)
    table = parallel.table
    assert table["solver"].tolist() == np.repeat(solvers, 2).tolist()
    assert table["abstraction"].fillna("").tolist() == ["", "JQ-K"] * 3
    assert (table["iterations"] == 300).all()
    assert (table["done"] == 300).all()
    assert table["exploitability"].tolist() == serial.table["exploitability"].tolist()
    assert repr(parallel) == "Sweep of 6 experiments, 0 failed"
    assert "JQ-K" in parallel._repr_html_()


def test_finished_runs_are_read_not_computed(tmp_path, monkeypatch):
    assert len(probs(wb.sweep(wb.Experiment(**KUHN), store=tmp_path, workers=1))) == 1
    many = [wb.Experiment(**KUHN, seed=seed) for seed in (0, 1, 0)]  # one of them twice
    first = wb.sweep(many, store=tmp_path, workers=1)
    monkeypatch.setattr(workers, "work", None)  # nobody may call it
    second = wb.sweep(many, store=tmp_path, workers=2)
    assert probs(first) == probs(second)
    assert first.table["run"].tolist() == second.table["run"].tolist()
    with wb.Store(tmp_path) as store:
        assert len(store.runs()) == 2


def test_the_table_says_all_that_was_asked(tmp_path):
    same, coarse = lambda player, seen, actions: seen, lambda player, seen, actions: seen[1]
    many = [
        wb.Experiment("leduc", {"ranks": 4}, solver="dcfr", settings={"alpha": 2.0}, iterations=30,
                      checkpoints=10, target=0.001),
        wb.Experiment("kuhn", abstraction=same, iterations=30, checkpoints=[1, 2]),
        wb.Experiment("kuhn", abstraction=coarse, iterations=30, checkpoints=[1, 2]),
    ]  # fmt: skip
    table = wb.sweep(many, store=tmp_path, workers=1).table
    assert table["game"].tolist() == ["leduc(ranks=4)", "kuhn", "kuhn"]
    assert "alpha=2.0" in table["settings"][0]
    assert table["checkpoints"].tolist() == ["every 10", "1, 2, 30", "1, 2, 30"]
    assert table["target"][0] == 0.001
    assert table["infosets"].tolist()[1:] == [12, 4]  # two functions without a name
    assert table["kind"].nunique() == 3
    with wb.Store(tmp_path) as store:
        kept = store.runs().set_index("id").loc[table["run"], list(many[0].problem().description())]
    assert kept.to_numpy(object, na_value=None).tolist() == (
        table[list(kept)].to_numpy(object, na_value=None).tolist()
    )


def test_a_worker_with_other_files_is_refused():
    experiment = wb.Experiment(**KUHN)
    problem, other = experiment.problem(), wb.Experiment(**KUHN, seed=1)
    start = begin(problem)
    with pytest.raises(wb.GameError, match=r"and the sweep 9\.9: install the same everywhere"):
        workers.piece(problem.run_id, "9.9", problem, start, 1.0)
    with pytest.raises(wb.GameError, match="the same version of workbench, but other games"):
        workers.piece(problem.run_id, wb.__version__, other, start, 1.0)


# ---- accidents -------------------------------------------------------------------------


class Sealed:
    """What no other process can be given."""

    def __reduce__(self):
        raise TypeError("cannot pickle this")

    def __repr__(self):
        return "sealed"


def sealed(player, seen, actions):
    return "same" if player else (seen, SEALED)


SEALED = Sealed()


def accident(tmp_path, times, how):
    folder = tmp_path / f"accidents-{how}-{times}"
    folder.mkdir()
    solver = Accident(str(folder), times, how, os.getpid())
    return wb.Experiment("kuhn", solver=solver, iterations=200)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_run_is_retried_reported_and_alone(tmp_path, workers):
    """One raises, one calls exit, one has an abstraction that no other process can be given."""
    good = wb.grid(over={"seed": range(2)}, **KUHN)
    hopeless, flaky = accident(tmp_path, 99, "raise"), accident(tmp_path, 2, "raise")
    coarse = wb.Experiment(**KUHN, abstraction=sealed)
    many = [hopeless, accident(tmp_path, 99, "exit"), coarse, flaky, *good]
    done = wb.sweep(many, store=tmp_path / "runs", workers=workers)
    first, second, third, *none = done.errors
    assert (first, second) == ("RuntimeError: an accident", "SystemExit: an accident")
    assert workers == 1 or "plain values; or use workers=1" in str(third)
    assert none == [None] * 3
    assert len(list((tmp_path / "accidents-raise-99").iterdir())) == 3  # once, and two retries
    straight = wb.solve(wb.load_game("kuhn"), iterations=200).strategy.probs.tobytes()
    assert [run and run.strategy.probs.tobytes() for run in done.runs[3:]] == [straight] * 3
    assert done.table["error"].notna().tolist() == [error is not None for error in done.errors]
    assert repr(done) == f"Sweep of 6 experiments, {1 + workers} failed"


@needs_signals
def test_a_run_that_kills_its_worker_takes_no_other_with_it(tmp_path):
    good = wb.grid(over={"seed": range(2)}, **KUHN)
    killer, once = accident(tmp_path, 99, "kill"), accident(tmp_path, 1, "kill")
    done = wb.sweep([killer, once, *good], store=tmp_path / "runs", workers=2, retries=1)
    assert [error is None for error in done.errors] == [False] + [True] * 3
    assert "SIGKILL" in str(done.errors[0])
    straight = wb.solve(wb.load_game("kuhn"), iterations=200).strategy.probs.tobytes()
    assert [run and run.strategy.probs.tobytes() for run in done.runs[1:]] == [straight] * 3


def test_what_another_works_on_is_left_to_it(tmp_path, monkeypatch):
    many = wb.grid(over={"seed": range(3)}, **KUHN)
    theirs = many[0].problem()
    with wb.Store(tmp_path) as store:
        held = store.claim(theirs)
        held.__enter__()

        def others_finish(seconds):
            """All else is done, so the sweep waits; in that time the other one ends."""
            assert len(store.runs(status="done")) == 2
            store.save(theirs, workers.work(theirs, store.load(theirs)))
            held.__exit__(None, None, None)
            monkeypatch.setattr(workers, "work", None)

        monkeypatch.setattr(scheduler.time, "sleep", others_finish)
        assert len(set(probs(wb.sweep(many, store=tmp_path, workers=1)))) == 1


def test_progress_counts_runs_and_time_left(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(StatusLine, "show", lambda line, text: shown.append(text))
    monkeypatch.setattr(scheduler, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(scheduler, "OFTEN", 0.0)
    many = wb.grid(over={"seed": range(3)}, game="kuhn", iterations=3)
    wb.sweep(many, store=tmp_path, workers=1)
    shown[:] = [text for text in shown if text.startswith("sweep")]  # not that a game compiles
    ended = [int(text.split("|")[2].split()[0]) for text in shown]
    assert ended == sorted(ended)
    assert set(ended) == {0, 1, 2, 3}
    assert shown[0] == f"sweep |{' ' * 20}| 0 of 3 runs, starting"
    assert all(" s left" in text for text in shown if text.count("█") >= 4)  # two of nine
    assert shown[-1].startswith("sweep |████████████████████| 3 of 3 runs, about 0 s left")
    shown.clear()
    wb.sweep(many, store=tmp_path / "silent", workers=1, progress=False)
    assert not shown


# ---- games of one's own ----------------------------------------------------------------

OWN_GAME = f'''
{(ROOT / "tests" / "own_game.py").read_text(encoding="utf-8")}
from dataclasses import dataclass, replace

@dataclass(frozen=True)
class Seen:
    """What a player sees may be an object of one's own as well."""
    all: tuple[str, str]

class Own(Kuhn4):
    def node(self, state):
        node = super().node(state)
        return replace(node, seen=Seen(node.seen)) if isinstance(node, wb.Decision) else node

def group(player, seen, actions):
    return actions if player == 0 else seen

class Mine:
    name, exact = "mine", False
    def check(self, tree):
        pass
    def advance(self, tree, state, iterations):
        return wb.solvers.CFRPlus().advance(tree, state, iterations)
'''
OWN_SWEEP = """
def sweep(folder, **where):
    many = wb.grid(
        over={"game": [Own(), SpokenKuhn4()], "abstraction": [None, group]}, solver=Mine(),
        iterations=300,
    )
    done = wb.sweep(many, store=folder, **where)
    assert done.errors == (None,) * 4, done.errors
    return [run.strategy.probs.tobytes() for run in done.runs]

folder = {folder!r}
assert sweep(folder + "/two", workers=2) == sweep(folder + "/one", workers=1)
"""


def test_a_game_of_ones_own_in_a_script(tmp_path, run_python):
    script = tmp_path / "own.py"
    script.write_text(OWN_GAME + OWN_SWEEP.replace("{folder!r}", repr(str(tmp_path))))
    done = run_python("-W", "error", str(script))
    assert (done.returncode, done.stderr) == (0, "")


# ---- Ctrl-C ----------------------------------------------------------------------------


@needs_signals
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_ctrl_c_ends_a_sweep_that_can_be_resumed(workers, tmp_path):
    file, folder = tmp_path / "endless.toml", tmp_path / "runs"
    file.write_text('game = "kuhn"\niterations = 1_000_000_000\n[grid]\nseed = [0, 1]\n')
    command = [sys.executable, "-c", SHORT_PIECES, "sweep", str(file)]
    process = subprocess.Popen(
        [*command, "--store", str(folder), "--workers", str(workers)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # a group of its own, as in a terminal
    )
    try:
        with wb.Store(folder) as store:
            while process.poll() is None and store.runs().empty:
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the workers too
            out, err = process.communicate(timeout=600)
            assert process.returncode == 128 + signal.SIGINT, err
            assert out == ""
            assert err.splitlines() == [f"workbench: interrupted; {RESUME.format(file.name)}"]
            for experiment in wb.Experiment.from_toml(file):
                problem = experiment.problem()
                with store.claim(problem, wait=False) as partial:  # nobody holds it any more
                    straight = problem.solver.advance(
                        problem.tree, start_state(problem.tree), partial.state.iteration
                    )
                    assert partial.state.regret.tobytes() == straight.regret.tobytes()
            assert store.runs()["done"].max() > 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


RESUME = "the same command goes on from what is stored"
SHORT_PIECES = """
import sys
from workbench.lab.cli.main import main
from workbench.lab.sweep import sweep as scheduler
scheduler.SAVE_EVERY = 0.1
sys.exit(main(sys.argv[1:]))
"""


def test_an_interrupted_solve_is_resumed(tmp_path):
    problem = wb.Experiment(**KUHN, checkpoints=50).problem()

    def interrupt(done, total, exploitability):
        if done >= 60:
            raise KeyboardInterrupt

    with wb.Store(tmp_path) as store:
        first = solve_stored(problem, store, progress=interrupt)
        assert first.stopped == "interrupted"
        assert 60 <= first.iterations < 200
        assert store.runs()["done"].tolist() == [first.iterations]
        second = solve_stored(problem, store)
        assert second.stopped == "iterations"
        assert second.trace["iteration"].tolist() == [50, 100, 150, 200]
        straight = wb.solve(wb.load_game("kuhn"), iterations=200)
        assert second.strategy.probs.tobytes() == straight.strategy.probs.tobytes()
