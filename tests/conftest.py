"""What all tests share: no windows, reproducible examples, and Python in a clean process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import settings

from workbench import GameTree, compile_game, load_game

os.environ.setdefault("MPLBACKEND", "Agg")

# A first call compiles kernels, so single examples may be slow; the same examples every time.
settings.register_profile("workbench", deadline=None, derandomize=True)
settings.load_profile("workbench")

collect_ignore = ["claims"]  # they are run inside of notebooks, see test_notebooks.py

ROOT = Path(__file__).resolve().parent.parent

RunPython = Callable[..., subprocess.CompletedProcess[str]]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a browser test had to be run again, although it passed then."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.write_sep("_", f"first attempt of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-1500:])
        for title, text in report.sections:
            terminalreporter.write_line(f"{title}:\n{text[-3000:]}")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def run_python() -> RunPython:
    """`run_python("-c", code, cwd=…, env={…})`: Python with these arguments in a new process."""

    def run(
        *arguments: str,
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        timeout: float = 120,
    ) -> subprocess.CompletedProcess[str]:
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


@pytest.fixture(scope="session")
def kuhn() -> GameTree:
    return compile_game(load_game("kuhn"))


@pytest.fixture(scope="session")
def leduc() -> GameTree:
    return compile_game(load_game("leduc"))


@pytest.fixture(scope="session")
def ranked() -> GameTree:
    """Leduc by rank."""
    return compile_game(load_game("leduc", suit_isomorphism=True))


@pytest.fixture(scope="session")
def ranked3() -> GameTree:
    """The same for three players."""
    return compile_game(load_game("leduc", players=3, suit_isomorphism=True))


@pytest.fixture(scope="session")
def smuggler() -> GameTree:
    return compile_game(load_game("smuggler"))
