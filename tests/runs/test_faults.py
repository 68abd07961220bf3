"""Faults, with real processes: kills at any moment, two owners, a full disk, a read-only folder."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.runs.run import begin, work

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and mounts differ")


def check_against_undisturbed(folder, batches, how):
    """Every run is there, done, and bit for bit what an undisturbed process computes."""
    from tests.runs.kills import experiments

    undisturbed = {}  # nothing is drawn at random: any seed
    with wb.Store(folder) as store:
        problems = [experiment.problem() for experiment in experiments(batches, how)]
        table = store.runs()
        assert sorted(table["id"]) == sorted(problem.run_id for problem in problems)
        assert set(table["status"]) == {"done"}
        assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        for problem in problems:
            kind = problem.solver.name, problem.abstraction is None
            if kind not in undisturbed:
                undisturbed[kind] = work(problem, begin(problem))
            disturbed, straight = store.load(problem), undisturbed[kind]
            for name in ("regret", "probs", "strategy_sum", "memory"):
                ours, theirs = getattr(disturbed.state, name), getattr(straight.state, name)
                assert ours.tobytes() == theirs.tobytes()
            ours, theirs = np.array(disturbed.rows), np.array(straight.rows)
            np.testing.assert_array_equal(ours[:, 2:], theirs[:, 2:])
            trace = store.trace(problem.run_id)["iteration"].tolist()
            assert trace == [row[0] for row in straight.rows]
            store.strategy(problem.run_id, problem.tree)


def check_log(log):
    """Work always begins where the last save ended, and never after a run is finished."""
    saved = {}
    finished = Counter()
    for line in log.read_text().splitlines():
        what, run_id, iteration, *stopped = line.split()
        if what == "begin":
            assert finished[run_id] == 0, f"{run_id} was computed again"
            assert int(iteration) >= saved.get(run_id, 0), f"{run_id} repeats what was saved"
        else:
            saved[run_id] = int(iteration)
            finished[run_id] += stopped != ["None"]
    return finished


@pytest.mark.parametrize(
    ("how", "kills", "seed"),
    [("short", 10, 7), pytest.param("shipped", 4, 3, marks=pytest.mark.slow)],  # about a minute
)
def test_kills_lose_and_repeat_nothing(how, kills, seed, tmp_path, run_python):
    """As shipped: pieces of the usual length in processes beside the one that is killed."""
    folder, log = tmp_path / "runs", tmp_path / "log"
    asked = map(str, (folder, log, kills, seed, how))
    done = run_python("-m", "tests.runs.kills", *asked, timeout=3600)
    assert done.returncode == 0, done.stderr
    killed, batches = map(int, done.stdout.split())
    assert killed >= kills  # two at a time, and one may end before its kill
    finished = check_log(log)  # a child may die after its save and before its note of it
    assert max(finished.values()) == 1
    begun = [int(line.split()[2]) for line in log.read_text().splitlines() if "begin" in line]
    assert any(begun)  # some were taken up half done
    check_against_undisturbed(folder, batches, how)


@pytest.mark.parametrize("solver", ["egt", "iterated-smoothing", "fictitious-play"])
def test_solve_goes_on_after_a_kill(solver, ranked, tmp_path, run_python):
    """The memory of a solver is kept as well: the same numbers, bit for bit."""
    killed = run_python("-c", SOLVE_AND_DIE, solver, str(tmp_path))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    asked = {"iterations": 600, "checkpoints": [50, 600]}
    with wb.Store(tmp_path) as store:
        assert 0 < store.runs()["done"].iloc[0] < 600
        resumed = wb.solve(ranked, solver, **asked, store=store)
        again = store.run(resumed.run_id)
    straight = wb.solve(ranked, solver, **asked)
    for field in fields(straight.state):
        one, two, three = (getattr(run.state, field.name) for run in (resumed, straight, again))
        assert np.array_equal(one, two), field.name
        assert np.array_equal(two, three), field.name


SOLVE_AND_DIE = """
import os, signal, sys
import workbench as wb
from workbench.runs import run, solve

run.CHUNK, solve.SAVE_EVERY = 1e-3, 1e-3

class Dying(wb.Store):
    def save(self, problem, partial):
        super().save(problem, partial)
        if partial.state.iteration > 50:
            os.kill(os.getpid(), signal.SIGKILL)

wb.solve(
    wb.load_game("leduc", suit_isomorphism=True), sys.argv[1], 600, checkpoints=[50, 600],
    store=Dying(sys.argv[2]),
)
"""


def test_many_open_a_new_store_at_once(tmp_path, run_python):
    done = run_python("-c", FORK_AND_OPEN, str(tmp_path))
    assert done.returncode == 0, done.stderr


FORK_AND_OPEN = """
import os, sys
import workbench as wb
wb.Store
for i in range(5):
    children = []
    for _ in range(6):
        child = os.fork()
        if not child:
            try:
                wb.Store(f"{sys.argv[1]}/{i}").close()
            except BaseException as error:
                print(error, file=sys.stderr)
                os._exit(1)
            os._exit(0)
        children.append(child)
    if any([os.waitpid(child, 0)[1] for child in children]):
        sys.exit(1)
"""


# ---- full and read-only disks --------------------------------------------------------------

IN_A_SMALL_DISK = 'mount -t tmpfs -o size=3m tmpfs "$1" && shift && exec "$@"'


def in_a_small_disk(folder, *command):
    """Run a command that finds three megabytes of disk at `folder`; nobody else sees the mount."""
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare (Linux) to mount a small disk")
    enter = ["unshare", "--map-root-user", "--mount", "sh", "-c", IN_A_SMALL_DISK, "sh"]
    if subprocess.run([*enter, str(folder), "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not let us mount a small disk")
    return subprocess.run(
        [*enter, str(folder), *command], capture_output=True, text=True, timeout=1200, check=False
    )


FULL_AND_READ_ONLY = """
import subprocess, sys
from pathlib import Path
import workbench as wb

folder = Path(sys.argv[1])
game = wb.load_game("leduc", suit_isomorphism=True)

def solve(seed, store=folder / "runs"):
    return wb.solve(game, iterations=30, seed=seed, store=store)

def refused(what, *words):
    try:
        what()
    except wb.GameError as error:
        message = str(error)
        assert all(word in message for word in (str(folder), *words)), message
        print(message)
    else:
        raise AssertionError("not refused")

def check(*seeds):
    with wb.Store(folder / "runs") as store:
        table = store.runs(status="done")
        assert sorted(table["seed"]) == list(seeds), table
        for run_id in table["id"]:
            assert store.strategy(run_id, first.tree).probs.tobytes() == probs
        assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"

first = solve(0)
probs = first.strategy.probs.tobytes()
ballast = folder / "ballast"

# the disk is full: saving fails, and so does a new store
with wb.Store(folder / "runs") as store:
    with open(ballast, "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096):
                pass
        except OSError:
            pass
    refused(lambda: solve(1, store), "cannot", "is intact; free some space")
refused(lambda: solve(1, folder / "other"), "cannot open the store", "free some space")
assert solve(0).strategy.probs.tobytes() == probs  # what is finished is read as if from a CD
check(0)
refused(lambda: solve(1), "No space left on device; what it held before is intact; free some")
ballast.unlink()
check(0)
solve(1)
check(0, 1)

# it fills up bit by bit: every save either succeeds or leaves things as they were
done = 1
with open(ballast, "wb", buffering=0) as file:
    try:
        file.write(b"x" * 200_000)  # room for the log that cannot be emptied while the disk is full
        for seed in range(2, 200):
            file.write(b"x" * 100_000)
            solve(seed)
            done = seed
    except (wb.GameError, OSError) as error:
        print(type(error).__name__)
assert 1 < done < 199
ballast.unlink()
solve(done + 1)
check(*range(done + 2))

# it is read-only
remount = ["mount", "-o", "remount,ro", str(folder)]
subprocess.run(remount, check=True)
refused(lambda: solve(done + 2), "read-only", "is intact; choose a folder you may write to")
assert solve(0).strategy.probs.tobytes() == probs  # it is there
check(*range(done + 2))
with wb.Store(folder / "runs") as store:
    assert store.read_only
    store.export_csv(folder.parent / "all.csv")
    refused(lambda: store.delete(first.run_id), "read-only")
refused(lambda: wb.Store(folder / "new"), "cannot open the store", "it is read-only")
subprocess.run([*remount[:2], "remount,rw", str(folder)], check=True)
check(*range(done + 2))
print("all is well")
"""


def test_full_disk_and_read_only_folder_leave_the_store_intact(tmp_path):
    done = in_a_small_disk(tmp_path, sys.executable, "-c", FULL_AND_READ_ONLY, str(tmp_path))
    assert done.stdout.splitlines()[-1:] == ["all is well"], done.stdout + done.stderr
    assert "No space left on device" in done.stdout


def test_a_folder_that_takes_no_files(tmp_path):
    """Also root cannot write into a file: a read-only folder for machines without mounts."""
    with wb.Store(tmp_path) as store:
        shutil.rmtree(tmp_path / "locks")
        (tmp_path / "locks").write_text("no folder")
        with pytest.raises(wb.GameError, match="Not a directory; what it held before is intact"):
            wb.solve(wb.load_game("kuhn"), iterations=5, store=store)
        (tmp_path / "locks").unlink()
    assert wb.solve(wb.load_game("kuhn"), iterations=5, store=tmp_path).iterations == 5


ORPHANS = """
import os, time
from workbench.lab.sweep.workers import open_pool
with open_pool(2) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_workers_do_not_outlive_an_owner_that_was_killed():
    owner = subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True)
    with owner.stdout as told:
        worker = int(told.readline())
    os.kill(worker, 0)  # it is there
    owner.kill()
    owner.wait()
    deadline = time.monotonic() + 600
    while _is_alive(worker):
        assert time.monotonic() < deadline, f"worker {worker} is still there"
        time.sleep(0.1)


def _is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")  # one that nobody has buried yet is dead as well
    return not (state.exists() and ") Z " in state.read_text())
