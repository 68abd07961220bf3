"""The worked solutions are right, and every exercise is asked, answered and left open."""

import json
import re

import pytest

from tests.lab.exercises.course import FILES, NOTEBOOKS, RECORDED, SOLUTIONS, cells_of, solved
from workbench.lab.exercises.core import Exercise
from workbench.lab.exercises.loading import FOLDER, TRUTHS
from workbench.lab.shelves import shelf

SLOW = {"02", "06", "10", "12", "14", "15"}  # 02 walks through Leduc as its lecture does
SLOW |= {"left-for-later", "three-player-leduc", "toepen-tournament"}
each_notebook = pytest.mark.parametrize("number", SOLUTIONS)
CHECK, PREDICT = re.compile(r"exercise\.(check_\w+)"), re.compile(r"predict\(exercise\.(\w+)\)")
ASKED = re.compile(f"{CHECK.pattern}|{PREDICT.pattern}")
MACHINE = re.compile(r"/(?:home|root|Users|tmp|private|opt)/|site-packages")


def test_every_notebook_has_exercises_and_solutions():
    assert sorted(FILES) == sorted(NOTEBOOKS) == sorted(SOLUTIONS)
    assert all(SOLUTIONS[key].name == path.name for key, path in NOTEBOOKS.items())
    assert {path.stem for path in FOLDER.glob("*.py")} <= set(FILES)


@pytest.mark.parametrize(
    "number", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in SOLUTIONS]
)
def test_every_solution_is_right(number):
    """Then what is recorded is what the solution says, up to the exercise's tolerance."""
    _, verdicts = solved(number)
    assert all(verdicts), [verdict for verdict in verdicts if not verdict]
    checked = [
        name for cell in cells_of(SOLUTIONS[number]) for name in CHECK.findall(cell["source"])
    ]
    assert len(verdicts) == len(checked), "end the cell with its check, so that it is shown"
    assert set(checked) == {name for name in vars(FILES[number]) if name.startswith("check_")}


def test_the_record_holds_what_is_compared_and_nothing_else():
    record = json.loads((FOLDER / TRUTHS).read_text("utf-8"))
    assert {f"{number}.{name}" for number, page in record.items() for name in page} == {*RECORDED}


@each_notebook
def test_the_notebook_asks_and_leaves_the_answer_open(number):
    """What is stored is what these questions and checks show, without any widget."""
    cells = [c for c in cells_of(NOTEBOOKS[number]) if ASKED.search(c["source"])]
    for path in (NOTEBOOKS[number], SOLUTIONS[number]):
        sources = [cell["source"] for cell in cells_of(path)]
        assert sum(f'exercise = wb.exercises.load("{number}")' in source for source in sources) == 1
    asked = [cell["source"] for cell in cells if CHECK.search(cell["source"])]
    assert all("..." in source for source in asked)
    predicted = [name for cell in cells for name in PREDICT.findall(cell["source"])]
    names = [name for source in asked for name in CHECK.findall(source)]
    assert sorted([*names, *predicted]) == sorted(vars(FILES[number])), "ask each of them once"
    lecture = shelf(NOTEBOOKS[number]) == "lectures"
    assert (3 if lecture else 2) <= len(asked) <= 5
    assert (2 if lecture else 0) <= len(predicted) <= 4
    for cell in cells:
        data = cell["outputs"][-1]["data"]
        (name,) = [*CHECK.findall(cell["source"]), *PREDICT.findall(cell["source"])]
        one = getattr(FILES[number], name)
        shown = one(...) if isinstance(one, Exercise) else one
        assert "application/vnd.jupyter.widget-view+json" not in data
        assert "".join(data["text/plain"]) == repr(shown)
        assert "".join(data["text/html"]) == shown._repr_html_()


@each_notebook
def test_solutions_are_committed_as_a_clean_run_left_them(number):
    cells = cells_of(SOLUTIONS[number])
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr"
            texts = [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
            assert not MACHINE.search(f"{output.get('text', '')} {texts}")
            if CHECK.search(cell["source"]) and output["output_type"] == "execute_result":
                assert "wb-right" in "".join(output["data"]["text/html"])
