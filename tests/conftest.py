"""What all tests share: no windows, reproducible examples, and Python in a clean process."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests.forked_kernels import forked_kernels  # noqa: F401, a fixture
from tests.random_games import tree_of

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of processes that tests start, see Makefile

# The same examples every time, and no clock: a first call compiles kernels, machines are busy.
timeless = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.register_profile("workbench", timeless)
settings.register_profile("thorough", timeless, max_examples=100)
settings.load_profile("workbench")

collect_ignore = ["claims"]  # they are run inside of notebooks, see test_notebooks.py

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config):
    if not config.getoption("markexpr"):  # with the slow tests
        settings.load_profile("thorough")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Who looks for examples walks through all that a module has: half of the time to collect."""
    found = yield
    if not found or ">>>" in file_path.read_text("utf-8"):
        return found
    return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported stays: nobody need look there for garbage, now or after every test; and else
    more rarely than Python does, which takes 7 seconds of 100."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(5_000)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers():
    """One more than there are cores: a test in a browser mostly waits."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(trylast=True)  # after the slow tests have been left out
def pytest_collection_modifyitems(items):
    """Long tests first: those in a browser on one worker, notebooks and the wheel on the others.

    xdist gives each worker an equal part of the list, one after the other, and who has nothing
    left takes from the end of another's part. Neighbouring notebooks stay together: the lectures
    and the lab on Hold'em use the same tables, which the first of them makes.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    browser = [item for item in items if item.get_closest_marker("browser")]
    names = ("test_notebooks.py::test_runs", "test_wheel.py")
    notebooks = [item for item in items if any(name in item.nodeid for name in names)]
    long = {*browser, *notebooks}
    short, ordered = [item for item in items if item not in long], list[pytest.Item]()
    for k in range(workers):
        begin, end = (len(notebooks) * n // (workers - 1) for n in (k - 1, k))
        part = notebooks[begin:end] if k else browser
        room = (len(items) - len(ordered)) // (workers - k) - len(part)
        ordered += part + short[: max(room, 0)]
        del short[: max(room, 0)]
    items[:] = ordered + short


@pytest.fixture(scope="session")
def root():
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def run_python():
    """`run_python("-c", code, cwd=…, env={…})`: Python with these arguments in a new process."""

    def run(
        *arguments,
        cwd=ROOT,
        env=None,
        timeout=1200,  # of one that hangs, not of one on a busy machine
    ):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(cwd), "PYTHONIOENCODING": "utf-8", **(env or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )

    return run


def shared(*game, **options):
    """A tree that all tests of a session share."""
    return pytest.fixture(scope="session")(lambda: tree_of(*game, **options))


kuhn, leduc, figure1, smuggler = map(shared, ("kuhn", "leduc", "figure1", "smuggler"))
ranked = shared("leduc", suit_isomorphism=True)  # by rank
ranked3 = shared("leduc", players=3, suit_isomorphism=True)
