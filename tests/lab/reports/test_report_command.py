"""`workbench report` from a shell: files, notes on standard error, one line for bad input."""

import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import workbench as wb
from tests.conftest import ROOT
from tests.lab.reports.reader import check
from workbench.lab.cli.main import main


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    monkeypatch.delenv("MPLBACKEND", raising=False)  # that of the tests is not a notebook's


def write(*code: str) -> None:
    cells = [new_markdown_cell("# One"), *map(new_code_cell, code)]
    nbformat.write(new_notebook(cells=cells), "one.ipynb")


def page(name: str) -> str:
    text = Path(name).read_text("utf-8")
    check(text)
    return text


def test_in_this_folder_by_default(capsys):
    write("1 + 1")
    assert main(["report", "one.ipynb"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("one.html (")
    assert said.err.startswith("workbench: no cell has an output; ")
    assert said.err.count("\n") == 1
    page("one.html")


def test_nothing_is_overwritten():
    write("1 + 1")
    Path("empty").mkdir()
    before = Path("one.ipynb").read_bytes()
    run = wb.solve(wb.load_game("kuhn"), "cfr", 5)
    tried = (run, "one.ipynb"), (run, "empty"), ("one.ipynb", ""), ("one.ipynb", "empty")
    for source, target in tried:
        with pytest.raises(wb.GameError):
            wb.write_report(source, target)
    assert Path("one.ipynb").read_bytes() == before
    assert not list(Path("empty").iterdir())


def test_run_first(capsys):
    """A figure that a kernel draws is described without anybody asking for it."""
    write(
        "import matplotlib.pyplot as plt\nimport workbench as wb",
        "fig, ax = plt.subplots()\nax.plot([1, 2], [3, 4], label='up');",
        "print(6 * 7)",
    )
    before = Path("one.ipynb").read_bytes()
    assert main(["report", "one.ipynb", "-o", "ran.html", "--run"]) == 0
    assert Path("one.ipynb").read_bytes() == before
    reader = check(page("ran.html"))
    assert [image["alt"] for image in reader.all("img")] == ["up: from 3 at 1 to 4 at 2."]
    assert "42" in reader.texts["pre"]
    assert capsys.readouterr().err == ""


def test_run_into_an_error(refused):
    write("1 / 0")
    assert "one.ipynb: cell 2 ends in ZeroDivisionError" in refused("report one.ipynb --run")
    assert not Path("one.html").exists()


@pytest.mark.parametrize(
    "asked",
    [
        "toepen --option ranks=2 --option betting=leader --solver external-sampling "
        "--abstraction lossless-suits+advanced-hand",
        "kuhn --target 0.5 --checkpoints 7 --seed 3",
        "kuhn --solver lp",
    ],
    ids=["toepen", "cfr+", "lp"],
)
def test_a_run_of_a_store(asked, output):
    output(f"solve {asked} --iterations 30 --store kept")
    with wb.Store("kept") as store:
        (run_id,) = store.runs()["id"]
    assert output(f"report {run_id[:5]} --store kept -o run.html").startswith("run.html (")
    assert run_id in page("run.html")


def test_a_run_that_is_not_there_or_somebodys_own(refused):
    assert "there is no store in kept" in refused("report abc --store kept")
    own = wb.solve(
        wb.load_game("kuhn"), iterations=5, abstraction=lambda *asked: "nothing", store="kept"
    )
    for asked, says in {
        "abc": "0 runs in kept begin with 'abc'",
        own.run_id: "somebody's own",
        f"{own.run_id} --run": "--run is for notebooks",
    }.items():
        assert says in refused(f"report {asked} --store kept")
