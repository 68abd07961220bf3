"""Kernels come from the disk as long as no source changes, and never after one has changed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numba
import numpy as np
import pytest

from tests.conftest import RunPython
from workbench import kernels
from workbench.disk_cache import source_hash
from workbench.kernels import KEEP, cache_folder, kernel

INNER = """
from workbench.kernels import kernel

@kernel
def inner(x):
    return x + 1
"""

OUTER = """
from workbench.kernels import kernel
from workbench.inner import inner

@kernel
def outer(x):
    return 10 * inner(x)
"""

CALL = """
from workbench.outer import outer
print(outer(1), sum(outer.stats.cache_hits.values()))
"""

EDIT_WHILE_RUNNING = """
import workbench.inner
with open(workbench.inner.__file__, "a") as file:
    file.write("# edited\\n")
from workbench.outer import outer
print(outer(1), outer.stats.cache_path)
"""


@pytest.fixture
def copy(tmp_path: Path, root: Path) -> Path:
    """A copy of the package with one kernel that calls another file's kernel."""
    package = tmp_path / "workbench"
    shutil.copytree(root / "workbench", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "inner.py").write_text(INNER, encoding="utf-8")
    (package / "outer.py").write_text(OUTER, encoding="utf-8")
    return tmp_path


def call(run_python: RunPython, copy: Path, code: str) -> list[str]:
    done = run_python("-c", code, cwd=copy, env={"NUMBA_CACHE_DIR": str(copy / "cache")})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_an_edited_kernel_is_never_served_stale(run_python: RunPython, copy: Path) -> None:
    assert call(run_python, copy, CALL) == ["20", "0"], "compiled in the first process"
    assert call(run_python, copy, CALL) == ["20", "1"], "from the cache in the second"
    callee = copy / "workbench" / "inner.py"
    callee.write_text(INNER.replace("x + 1", "x + 2"), encoding="utf-8")
    assert call(run_python, copy, CALL) == ["30", "0"], "compiled again: the callee has changed"
    callee.write_text(INNER, encoding="utf-8")
    assert call(run_python, copy, CALL) == ["20", "1"], "the first sources' cache still stands"


def test_the_disk_is_left_alone_when_sources_change_under_a_running_process(
    run_python: RunPython, copy: Path
) -> None:
    assert call(run_python, copy, EDIT_WHILE_RUNNING) == ["20", "None"]


def test_kernels_follow_the_settings_of_the_project() -> None:
    @kernel
    def ratio(x: float, y: float) -> float:
        return x / y

    @kernel(fastmath=True, inline="always")
    def twice(x: float) -> float:
        return x + x

    assert ratio(1.0, 0.0) == np.inf
    assert twice(2.0) == 4.0
    assert twice.targetoptions["fastmath"] is True
    assert ratio.targetoptions["nogil"] is True
    assert ratio.targetoptions["fastmath"] is False
    assert ratio.stats.cache_path is None, "functions outside the package are not cached on disk"


def test_an_unknown_option_is_refused() -> None:
    misspelt = kernel(fastmth=True)(lambda x: x)
    with pytest.raises(KeyError, match="fastmth"):
        misspelt(3)


def test_other_peoples_numba_is_unaffected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "theirs")

    assert kernel(lambda: 1)() == 1
    assert numba.config.CACHE_DIR == "theirs"


@pytest.mark.skipif(os.name == "nt", reason="the user's folder is found differently")
def test_a_private_temporary_folder_serves_when_no_cache_folder_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(blocked))
    monkeypatch.delenv("WORKBENCH_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv("HOME", str(blocked))
    monkeypatch.setattr(kernels.tempfile, "tempdir", str(temporary))
    folder = cache_folder.__wrapped__()
    private = temporary / f"workbench-{os.getuid()}"
    assert folder.is_relative_to(private)
    private.chmod(0o777)
    assert not cache_folder.__wrapped__().is_relative_to(private), "others could write there"


def test_the_hash_sees_every_source_of_the_core(tmp_path: Path) -> None:
    def hash_now() -> str:
        return source_hash((Path(path) for path, _, _ in kernels._stamp(tmp_path)), tmp_path)

    (tmp_path / "deep").mkdir()
    hashes = {hash_now()}
    for edit in (
        lambda: (tmp_path / "a.py").write_text("1"),
        lambda: (tmp_path / "deep" / "b.py").write_text("2"),
        lambda: (tmp_path / "deep" / "b.py").rename(tmp_path / "b.py"),
        lambda: (tmp_path / "b.py").write_text("3"),
    ):
        edit()
        hashes.add(hash_now())
    assert len(hashes) == 5
    (tmp_path / "notes.txt").write_text("not a source")
    (tmp_path / ".#a.py").symlink_to("an editor's lock")
    assert hash_now() in hashes


def test_an_edited_sentence_of_the_laboratory_compiles_nothing(
    run_python: RunPython, copy: Path
) -> None:
    assert call(run_python, copy, CALL) == ["20", "0"]
    page = copy / "workbench" / "lab" / "notebook.py"
    page.write_text(page.read_text(encoding="utf-8") + "# a hint\n", encoding="utf-8")
    assert call(run_python, copy, CALL) == ["20", "1"], "from the cache"


def test_kernels_of_the_laboratory_call_only_their_own_file_and_the_core(root: Path) -> None:
    for path in (root / "workbench" / "lab").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "@kernel" in text:
            assert "from workbench.lab" not in text, f"{path.name}: stale code would be served"


def test_only_the_last_used_folders_survive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = [tmp_path / "workbench" / f"kernels-{i}" for i in range(KEEP + 3)]
    for age, folder in enumerate(old):
        folder.mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    current = cache_folder.__wrapped__()
    assert current == tmp_path / "workbench" / f"kernels-{kernels._snapshot()[0]}"
    assert current.is_dir()
    assert [folder for folder in old if folder.exists()] == old[: KEEP - 1]
