"""The command line: results on standard output, one line and exit code 2 for bad input."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyterlab_server.settings_utils import _get_overrides

import workbench as wb
from tests.conftest import ROOT
from tests.runs.helpers import damage
from workbench import Strategy, __version__, exploitability
from workbench.lab.cli import jupyter
from workbench.lab.cli.main import main


def test_solve_prints_a_table_and_the_value(output):
    lines = output("solve kuhn --iterations 500").splitlines()
    assert lines[0] == "kuhn: 2 players, 58 histories, 12 information sets"
    assert lines[2].split() == ["iteration", "seconds", "exploitability", "(chips", "per", "game)"]
    assert lines[-4].split()[0] == "500"
    assert len(lines[3:-3]) == 15  # however many were measured
    name, first, second, *unit = lines[-2].split()
    assert (name, unit) == ("value", ["chips", "per", "game"])
    assert float(first) == pytest.approx(-1 / 18, abs=1e-2)
    assert float(first) == -float(second)


def test_solve_prints_one_json_object(output):
    options = "--option suit_isomorphism=true --option players=2"
    result = json.loads(output(f"solve leduc {options} --solver lp --json"))
    assert result["options"] == {"suit_isomorphism": True, "players": 2}
    assert (result["solver"], result["infosets"], result["stopped"]) == ("lp", 288, "iterations")
    assert result["value"][0] == pytest.approx(-0.0856064241, abs=1e-8)
    assert result["exploitability"] == pytest.approx(0, abs=1e-8)
    assert result["trace"][-1]["exploitability"] == result["exploitability"]


def test_settings_of_the_solver(output):
    given = "--setting gamma=3 --setting engine=tree --iterations 7 --json"
    result = json.loads(output(f"solve kuhn --solver dcfr {given}"))
    assert (result["solver"], result["settings"]) == ("dcfr", {"gamma": 3.0, "engine": "tree"})
    same = wb.solve(wb.load_game("kuhn"), wb.solvers.DCFR(gamma=3.0, engine="tree"), 7)
    assert result["exploitability"] == same.exploitability


def test_buckets_of_hands_by_name(output):
    """Any deck of Rhode Island takes counts, with dashes between rounds, or gameshrink."""
    small = "solve rhode_island --option ranks=3 --option suits=2 --iterations 20"
    lines = output(f"{small} --abstraction 2-4-6").splitlines()
    made = wb.cluster_hands(wb.load_game("rhode_island", ranks=3, suits=2), (2, 4, 6))
    same = wb.solve(made.rules, iterations=20, abstraction=made)
    assert lines[1] == f"solved as 2-4-6: {same.abstraction.coarse.num_infosets:,} information sets"
    assert lines[3].endswith("exploitability (chips per hand)  in the abstract game")
    assert float(lines[-4].split()[2]) == pytest.approx(same.exploitability, abs=1e-8)
    shrunk = json.loads(output(f"{small} --json --abstraction gameshrink"))["exploitability"]
    other = wb.solve(made.rules, iterations=20, abstraction=wb.gameshrink(made.rules))
    assert shrunk == pytest.approx(other.exploitability)
    assert "13-50-250" in wb.list_abstractions("rhode_island")


def test_target_abstraction_checkpoints_and_save(output, tmp_path, leduc):
    file = tmp_path / "sigma.npz"
    settings = f"--abstraction JQ-K --checkpoints 5,10,20 --iterations 20 --save {file} --json"
    result = json.loads(output(f"solve leduc {settings}"))
    assert [row["iteration"] for row in result["trace"]] == [5, 10, 20]
    assert result["infosets"] == 936
    judged = exploitability(Strategy.load(file, leduc))
    assert judged == pytest.approx(result["exploitability"], abs=1e-12)
    result = json.loads(output("solve kuhn --target 0.01 --json"))
    assert result["exploitability"] <= 0.01
    assert result["iterations"] < 1000


BAD_INPUT = """
sovle kuhn
solve
solve kunh
solve kuhn --solver crf+
solve kuhn --setting engin=gpu
solve kuhn --setting engine=abacus
solve kuhn --setting engine=tree --setting engine=gpu
solve kuhn --solver lp --setting engine=gpu
solve leduc --option players=many
solve kuhn --abstraction JQ-K
solve rhode_island --abstraction 13-50
solve limit_holdem
play limit_holdem --abstraction 44
best-response uniform --finer 3 --flops 2
best-response sometimes
solve kuhn --target nan
solve leduc --option players=3 --solver lp
solve kuhn --store taken
solve kuhn --iterations 3 --save pipe
solve kuhn --iterations 3 --save new/
solve kuhn --iterations 3 --seed 9223372036854775808
solve /dev/zero
sweep many.toml --store runs --workers 0
sweep many.toml --store runs --dask what://ever
sweep /dev/zero
sweep pipe
runs --store runs --csv pipe
runs --store file:x?mode=memory
runs --store nowhere
play kuhn --opponent equilibrum
play kuhn --match
play kuhn --seat 3
play kuhn --save taken
play kuhn --save new/
play leduc --option players=3 --option ranks=2 --solver lp
play tournament --option stacks=9,0,0
play tournament --match
reproduce kuhn-1950 gibson-szafron-2011
reproduce kuhn-1950 --quick --save
report pipe
report runs
report page.ipynb -o pipe
report page.ipynb -o new/
report gone.ipynb -o x.html
report taken -o x.html
report page.ipynb -o no/where.html
report page.ipynb -o runs/../page.ipynb
report page.ipynb -o new.IPYNB
report copy -o copy
report page.ipynb -o runs
report . -o page.ipynb
""".splitlines()  # the first one has no command
HOSTILE = {
    "nested lists": "game=" + "[" * 100_000 + "]" * 100_000,
    "nested tables": "game=" + "{a=" * 3000 + "1" + "}" * 3000,
    "a long number": "game='kuhn'\nseed=1" + "0" * 5000,
    "a grid of 1e8": "game='kuhn'\n[grid]\n"
    + "\n".join(f"{name}={list(range(1, 10_001))}" for name in ("seed", "iterations")),
    "not UTF-8": "game='kuhn' # \udcff",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A store, a notebook, a file, and a pipe, which as a device must never be replaced."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    wb.solve(wb.load_game("kuhn"), iterations=3, store="runs")
    for name in ("page.ipynb", "copy"):  # the second is a notebook by another name
        nbformat.write(nbformat.v4.new_notebook(), name)
    Path("many.toml").write_text('game = "kuhn"', encoding="utf-8")
    Path("taken").touch()
    return tmp_path


@pytest.mark.parametrize("line", [*BAD_INPUT, *HOSTILE])
def test_bad_input_gets_one_line_and_exit_code_2(line, folder, capsys):
    """And nothing is written."""
    if line in HOSTILE:
        Path("many.toml").write_bytes(HOSTILE[line].encode(errors="surrogateescape"))
        line = "sweep many.toml --store new"
    before = {path: path.is_file() and path.read_bytes() for path in folder.iterdir()}
    try:
        code = main(line.split())
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("workbench: ")
    assert err.count("\n") == 1
    assert {path: path.is_file() and path.read_bytes() for path in folder.iterdir()} == before
    assert (folder / "pipe").is_fifo()


MANY = """
game = "leduc"
iterations = 20
options = {suit_isomorphism = true}
[grid]
solver = ["cfr", "cfr+"]
abstraction = ["null", "JQ-K"]
"""


@pytest.fixture
def many(tmp_path: Path) -> str:
    """Four experiments and a store for them, as arguments."""
    (tmp_path / "many.toml").write_text(MANY, encoding="utf-8")
    return f"{tmp_path}/many.toml --store {tmp_path}/runs"


def test_sweep_and_runs(output, many, tmp_path):
    swept = json.loads(output(f"sweep {many} --workers 1 --json"))
    assert [(one["solver"], one["abstraction"]) for one in swept] == [
        ("cfr", "null"), ("cfr", "JQ-K"), ("cfr+", "null"), ("cfr+", "JQ-K"),
    ]  # fmt: skip
    assert {one["error"] for one in swept} == {None}
    store, table = f"--store {tmp_path}/runs", tmp_path / "all.csv"
    for command, head in {
        f"sweep {many}": ["solver", "abstraction", "infosets"],  # again: nothing left to do
        f"runs {store} --csv {table}": ["id", "solver", "abstraction"],
    }.items():
        first, _, *lines = output(command).splitlines()
        alike = "game leduc(suit_isomorphism=True), seed 0, iterations 20"
        assert first == f"4 runs, all with {alike}"
        assert (lines[0].split()[:3], len(lines)) == (head, 5)
        assert "exploitability (chips per game)" in lines[0]
        rows = [line.split() for line in lines[1:]]
        names = [[cell for cell in row if cell in ("cfr", "cfr+", "null", "JQ-K")] for row in rows]
        assert names == [["cfr", "JQ-K"], ["cfr", "null"], ["cfr+", "JQ-K"], ["cfr+", "null"]]
    assert len(table.read_text(encoding="utf-8").splitlines()) > 40
    listed = json.loads(output(f"runs {store} --json"))
    assert {one["id"] for one in listed} == {one["run"] for one in swept}
    assert {one["status"] for one in listed} == {"done"}


def test_a_failed_run_is_named_and_the_others_are_shown(output, many, capsys, tmp_path):
    broken = json.loads(output(f"sweep {many} --workers 1 --json"))[2]["run"]
    damage(tmp_path / "runs", broken)
    assert main(["sweep", *many.split()]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2 + 5  # what they share, and a table
    assert err.startswith("workbench: experiment 3 failed: ")
    assert f"run {broken} in {tmp_path}/runs is damaged" in err


def test_solve_keeps_its_run_in_a_store(output, tmp_path):
    command = f"solve kuhn --iterations 30 --store {tmp_path}/runs --json"
    assert output(command) == output(command)  # the seconds too: it was found, not computed again


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_interrupting_prints_what_was_reached(run_python):
    arguments = ["solve", "leduc", "--iterations", "100000000", "--json", "--checkpoints", "1,2"]
    done = run_python("-c", INTERRUPTED, *arguments)
    assert done.returncode == 128 + signal.SIGINT, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["stopped"] == "interrupted"
    assert [row["iteration"] for row in result["trace"]] == [1, 2, result["iterations"]]


# Ctrl-C comes after the second measurement, while the solver goes on, be the machine fast or slow;
# and again until it is heard: what comes while a kernel is compiled may be lost there.
INTERRUPTED = """
import signal, sys, threading
from workbench.lab.cli.main import main
from workbench.runs import run as work

measure, heard = work.measure, threading.Event()
def press():
    while not heard.wait(0.2):
        signal.raise_signal(signal.SIGINT)
def measured(problem, state, seconds):
    if state.iteration > 2:
        heard.set()
    row = measure(problem, state, seconds)
    if state.iteration == 2:
        threading.Thread(target=press).start()
    return row
work.measure = measured
sys.exit(main(sys.argv[1:]))
"""


# Where Ctrl-C may fall.
PRESSED = """
import ctypes, signal, sys, time
from workbench.lab.cli import main, program

def press():
    signal.raise_signal(signal.SIGINT)
    in_llvm.append(True)
def called_back():
    ctypes.CFUNCTYPE(None)(press)()  # what is raised inside is dropped
def compiling():
    called_back()
    assert in_llvm  # it was let through
class Odd:
    def __set_name__(self, owner, name):
        press()
def importing():
    type("Half", (), {"odd": Odd()})  # RuntimeError: Error calling __set_name__

case, in_llvm = sys.argv.pop(), []
if case == "compiling":
    press.__code__ = press.__code__.replace(co_filename="/lib/llvmlite/binding/ffi.py")
def at_work():
    {"called back": called_back, "compiling": compiling, "importing": importing}[case]()
    time.sleep(600)  # until it comes once more
main.main = at_work
sys.exit(program.run())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("case", ["called back", "compiling", "importing"])
def test_ctrl_c_where_nobody_expects_it(run_python, case):
    done = run_python("-c", PRESSED, case)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("program", ["/bin/workbench", "-m", "script.py"])
def test_ctrl_c_simply_ends_a_program_that_has_just_begun(run_python, program):
    """Only ours: whoever imports the package elsewhere keeps her own ways."""
    code = "import sys; sys.argv = [{!r}]; import signal, workbench; signal.raise_signal(2)"
    done = run_python("-c", code.format(program))
    assert done.returncode == -signal.SIGINT
    assert ("KeyboardInterrupt" in done.stderr) == (program == "script.py"), done.stderr


def test_an_error_of_ours_is_not_called_bad_input(monkeypatch):
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setattr("workbench.solve", broken, raising=False)
    with pytest.raises(ValueError, match="operands"):
        main(["solve", "kuhn"])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ")
def test_a_reader_that_leaves_is_no_error():
    read, write = os.pipe()
    os.close(read)
    try:
        command = [sys.executable, "-m", "workbench", "reproduce"]
        done = subprocess.run(
            command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, timeout=1200, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_module_and_version(run_python):
    done = run_python("-m", "workbench", "--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"workbench {__version__}")


@pytest.mark.parametrize(("inside", "root"), [(True, False), (False, True)])
def test_lab_warms_the_kernels_and_opens_the_first_notebook(
    monkeypatch, capsys, tmp_path, inside, root
):
    """In a checkout and outside of one; as root, which Jupyter refuses unless it is told."""
    own = tmp_path / "ada's course"
    opened: list[list[str]] = []
    monkeypatch.chdir(tmp_path)  # and back again after the test
    monkeypatch.setattr(jupyter, "CHECKOUT", tmp_path if inside else ROOT)
    monkeypatch.setattr(jupyter, "is_root", lambda: root)
    monkeypatch.setattr("jupyterlab.labapp.main", opened.append)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", os.fspath(tmp_path))
    assert main(["lab", "--folder", own.name, "--no-browser"]) == 0
    assert os.environ["JUPYTER_CONFIG_PATH"].startswith(f"{tmp_path}{os.pathsep}")
    news = _get_overrides(os.fspath(tmp_path))[0]["@jupyterlab/apputils-extension:notification"]
    assert news["fetchNews"] == "false"  # nothing pops up over the first panel
    folder, page, *rest = opened[0]
    assert folder == f"--ServerApp.root_dir={tmp_path if inside else own}"
    path = f"{'ada%27s%20course/' if inside else ''}notebooks/00-start-here.ipynb"
    assert page == f"--LabApp.default_url=/lab/tree/{path}"
    assert rest == ["--allow-root"] * root + ["--no-browser"]
    assert (own / "notebooks" / "00-start-here.ipynb").is_file()
    err = capsys.readouterr().err
    assert err.startswith(f"Your copy of the course: {own} (")
    assert ("as root" in err) == root
    assert "cfr+" in err
    assert err.endswith("ready\n")
