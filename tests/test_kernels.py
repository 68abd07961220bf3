"""Kernels come from the disk as long as no source changes, and never after one has changed; never
from somebody else, never from a damaged file; and where they cannot be kept, they still work."""

import errno
import hashlib
import os
import pickle
import random
import shutil
import subprocess
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import numba
import numpy as np
import pytest

from workbench import disk_cache, kernels
from workbench.disk_cache import private, source_hash
from workbench.files import locked
from workbench.kernels import KEEP, cache_folder, draw, kernel, random_state

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
def copy(tmp_path, root):
    """A copy of the package with one kernel that calls another file's kernel."""
    package = tmp_path / "workbench"
    shutil.copytree(root / "workbench", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "inner.py").write_text(INNER, encoding="utf-8")
    (package / "outer.py").write_text(OUTER, encoding="utf-8")
    return tmp_path


def call(run_python, copy, code):
    done = run_python("-c", code, cwd=copy, env={"NUMBA_CACHE_DIR": str(copy / "cache")})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_an_edited_kernel_is_never_served_stale(run_python, copy):
    assert call(run_python, copy, CALL) == ["20", "0"], "compiled in the first process"
    callee, page = copy / "workbench" / "inner.py", copy / "workbench" / "lab" / "notebook.py"
    callee.write_text(INNER.replace("x + 1", "x + 2"), encoding="utf-8")
    assert call(run_python, copy, CALL) == ["30", "0"], "compiled again: the callee has changed"
    callee.write_text(INNER, encoding="utf-8")
    page.write_text(page.read_text(encoding="utf-8") + "# a hint\n", encoding="utf-8")
    assert call(run_python, copy, CALL) == ["20", "1"], "what was kept, whatever the lab says"


def test_the_disk_is_left_alone_when_sources_change_under_a_running_process(run_python, copy):
    assert call(run_python, copy, EDIT_WHILE_RUNNING) == ["20", "None"]


def test_kernels_follow_the_settings_of_the_project():
    @kernel
    def ratio(x, y):
        return x / y

    @kernel(fastmath=True, inline="always")
    def twice(x):
        return x + x

    assert ratio(1.0, 0.0) == np.inf
    assert twice(2.0) == 4.0
    assert twice.targetoptions["fastmath"] is True
    assert ratio.targetoptions["nogil"] is True
    assert ratio.targetoptions["fastmath"] is False
    assert ratio.stats.cache_path is None, "functions outside the package are not cached on disk"


def test_other_peoples_numba_is_unaffected(monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "theirs")

    assert kernel(lambda: 1)() == 1
    assert numba.config.CACHE_DIR == "theirs"


@pytest.mark.skipif(os.name == "nt", reason="the user's folder is found differently")
def test_a_private_temporary_folder_serves_when_no_cache_folder_can_be_written(
    monkeypatch, tmp_path
):
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
    assert cache_folder.__wrapped__() is None, "others could write there"


# ---- whose folder --------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name == "nt", reason="Windows keeps such folders in the profile")
root_only = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act for two accounts"
)
MALLORY = 2001  # somebody else


@posix
def test_a_folder_is_private_if_nobody_else_can_write_or_swap_it(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache, "_alone_in", lambda group: False)
    above, folder = tmp_path / "above", tmp_path / "above" / "folder"
    assert private(folder) == folder, "made where it was missing"
    assert folder.stat().st_mode & 0o777 == 0o700
    for mode in (0o755, 0o700):
        folder.chmod(mode)
        assert private(folder) == folder
    for mode in (0o777, 0o1777, 0o775, 0o702):
        folder.chmod(mode)
        assert private(folder) is None, oct(mode)
    folder.chmod(0o700)
    for mode, fine in ((0o777, False), (0o770, False), (0o1777, True), (0o1770, True)):
        above.chmod(mode)
        assert (private(folder) == folder) is fine, oct(mode)
    above.chmod(0o755)
    (tmp_path / "link").symlink_to("above/../above/folder")
    assert private(tmp_path / "link") == folder, "the link cannot be swapped later"
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    for never in ("loop", "loop/folder", "file", "file/folder"):
        assert private(tmp_path / never) is None, never
    monkeypatch.chdir(tmp_path)
    assert private(Path("above/folder")) == folder, "also after another chdir"


@posix
def test_in_a_group_of_ones_own_nobody_else_can_write(monkeypatch):
    import grp
    import pwd

    anna, bob = (pwd.struct_passwd((n, "", u, u, "", "", "")) for n, u in (("anna", 7), ("bob", 8)))
    groups = {7: ["anna"], 8: [], 9: ["anna", "bob"]}
    monkeypatch.setattr(os, "geteuid", lambda: 7)
    monkeypatch.setattr(pwd, "getpwall", lambda: [anna, bob])
    monkeypatch.setattr(grp, "getgrgid", lambda g: grp.struct_group(("", "", g, groups[g])))
    alone = disk_cache._alone_in.__wrapped__
    assert [alone(group) for group in (7, 8, 9, 10)] == [True, False, False, False]
    monkeypatch.setattr(pwd, "getpwall", lambda: [bob])
    assert not alone(7), "who is not listed may have unlisted company"


@root_only
def test_a_folder_or_link_of_somebody_else_is_not_private(tmp_path):
    above, link = tmp_path / "above", tmp_path / "link"
    folder = above / "folder"
    assert private(folder)
    link.symlink_to(folder)
    for path in (folder, above):
        os.chown(path, MALLORY, -1)
        assert private(folder) is None
        os.chown(path, 0, -1)
    os.lchown(link, MALLORY, -1)
    assert private(link) is None
    assert private(folder) == folder


class Program:
    """What runs when it is unpickled: it makes a folder."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return os.mkdir, (str(self.mark),)


# ---- what is kept, damaged and replaced ----------------------------------------------------

RIGHT = draw(random_state(7))


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Draw a number with a kernel that is new to this process; and whether it was on the disk."""
    monkeypatch.setattr(kernels, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(disk_cache, "_said", set())

    def made(step=1):
        state = np.zeros(4 * step, np.uint64)[::step]
        state[:] = random_state(7)
        again = kernel(forceinline=True)(draw.py_func)
        return again(state), sum(again.stats.cache_hits.values())

    return made


def kept(folder):
    (path,) = folder.glob("kernels.draw-*.nbc")
    return path


def test_what_is_damaged_is_compiled_again(made, tmp_path):
    assert made() == (RIGHT, 0)
    good, rng = kept(tmp_path).read_bytes(), random.Random(3)
    program = pickle.dumps(Program(tmp_path / "mark"))
    wrong = [program, good + b"\0", *(good[:size] for size in (0, len(good) // 2))]
    for place in (0, 40, rng.randrange(len(good))):
        flipped = bytearray(good)
        flipped[place] ^= 1 << rng.randrange(8)
        wrong.append(bytes(flipped))
    for content in (pickle.dumps((1, 2)), pickle.dumps("text"), good[32:-1]):
        wrong.append(hashlib.sha256(content).digest() + content)  # whole, but not what is expected
    for content in wrong:
        kept(tmp_path).write_bytes(content)
        assert made() == (RIGHT, 0)
        assert made() == (RIGHT, 1), "whole again"
    assert not (tmp_path / "mark").exists()


def test_machine_code_for_other_arguments_is_not_taken(made, tmp_path):
    made()
    first = kept(tmp_path)
    assert made(step=2) == (RIGHT, 0), "another layout is another signature"
    (second,) = set(tmp_path.glob("kernels.draw-*.nbc")) - {first}
    shutil.copy(first, second)
    assert made(step=2) == (RIGHT, 0)
    assert made(step=2) == (RIGHT, 1)


@posix
def test_links_and_files_open_to_others_are_not_read(made, tmp_path):
    made()
    path = kept(tmp_path)
    path.chmod(0o666)
    assert made() == (RIGHT, 0)
    assert path.stat().st_mode & 0o777 == 0o600
    if os.geteuid() == 0:  # who can give it away
        os.chown(path, MALLORY, -1)
        assert made() == (RIGHT, 0)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to("elsewhere")
    assert made() == (RIGHT, 0)
    assert not path.is_symlink()
    path.unlink()
    os.mkfifo(path)
    assert made() == (RIGHT, 0), "nobody waits for a pipe"
    assert made() == (RIGHT, 1)


def test_a_full_disk_costs_one_line(made, tmp_path, monkeypatch, capsys):
    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert made() == made() == (RIGHT, 0)
    disk_cache.save("numbers", "one", {"a": np.ones(1)})
    (line,) = capsys.readouterr().err.splitlines()
    assert f"in {tmp_path} (No space left on device)" in line
    assert "WORKBENCH_CACHE_DIR" in line
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".lock"], "nothing half done"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 8 kB."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8k,mode=700", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    if not done:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_nothing_is_left_behind_on_a_disk_that_is_too_small(made, small_disk, monkeypatch, capsys):
    monkeypatch.setattr(kernels, "cache_folder", lambda: small_disk)
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(small_disk))
    assert made() == made() == (RIGHT, 0)
    disk_cache.save("numbers", "one", {"a": np.ones(10_000)})
    disk_cache.save_mapped("numbers", "two", {"a": np.ones(10), "b": np.ones(10_000)})
    (line,) = capsys.readouterr().err.splitlines()
    assert f"in {small_disk} (No space left on device)" in line
    left = [path for path in small_disk.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert not left
    assert disk_cache.load("numbers", "one") is None


def test_a_folder_that_is_gone_is_made_again(made, tmp_path):
    made()
    shutil.rmtree(tmp_path)
    assert made() == (RIGHT, 0)
    assert made() == (RIGHT, 1)


def test_who_waits_for_another_process_gets_what_it_compiled(made, tmp_path, monkeypatch):
    made()
    path = kept(tmp_path)
    hidden = path.rename(tmp_path / "hidden")
    other = ExitStack()
    other.enter_context(locked(tmp_path / "kernels.draw.lock"))

    def done(seconds):
        hidden.rename(path)
        other.close()

    monkeypatch.setattr(kernels.time, "sleep", done)
    assert made() == (RIGHT, 1)


def test_nobody_waits_for_ever(made, tmp_path, monkeypatch):
    monkeypatch.setattr(kernels.KernelFiles, "patience", 0.05)
    with locked(tmp_path / "kernels.draw.lock"):
        assert made() == (RIGHT, 0)
        assert kernels.KernelFiles.patience == 0, "and not again at the next kernel"
    assert made() == (RIGHT, 1)


def test_the_lock_is_free_after_an_error(made, tmp_path):
    broken = kernel(draw.py_func)
    with pytest.raises(numba.core.errors.TypingError):
        broken("text")
    with locked(tmp_path / "kernels.draw.lock", wait=False):
        pass


def test_nonsense_in_each_of_numbas_variables_is_one_line(run_python):
    nonsense = {"NUMBA_NUM_THREADS": "abc", "NUMBA_DISABLE_JIT": "maybe"}
    done = run_python("-c", "import workbench.kernels", env=nonsense)
    assert done.returncode == 0
    for line, (name, value) in zip(done.stderr.splitlines(), nonsense.items(), strict=True):
        assert name in line
        assert value in line


# ---- which sources -------------------------------------------------------------------------


def test_the_hash_sees_every_source_of_the_core(tmp_path):
    def hash_now():
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


def test_kernels_of_the_laboratory_call_only_their_own_file_and_the_core(root):
    for path in chain(*((root / some).rglob("*.py") for some in ("workbench/lab", "data"))):
        text = path.read_text(encoding="utf-8")
        if "@kernel" in text:
            assert "from workbench.lab" not in text, f"{path.name}: stale code would be served"


def test_only_the_last_used_folders_survive(monkeypatch, tmp_path):
    old = [tmp_path / "workbench" / f"kernels-{i}" for i in range(KEEP + 3)]
    for age, folder in enumerate(old):
        folder.mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    current = cache_folder.__wrapped__()
    assert current == tmp_path / "workbench" / f"kernels-{kernels._snapshot()[0]}"
    assert current.is_dir()
    assert [folder for folder in old if folder.exists()] == old[: KEEP - 1]
