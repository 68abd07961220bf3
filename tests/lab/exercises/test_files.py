"""Every slip gets its sentence, bad files are refused, and solutions make what is true."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import workbench as wb
from tests.lab.exercises.course import RECORDED
from tests.truths import write
from workbench.lab.exercises.kinds import Function, Kind, Names, Number, Numbers, evaluate
from workbench.lab.exercises.loading import FOLDER, TRUTHS, load


def written(kind: Kind, values: Any) -> Any:
    """Values as a student would hand them in."""
    if isinstance(kind, Function):
        return dict(zip(kind.at, values.values(), strict=True)).get
    return values


def slips_of(kind: Kind, truth: Any) -> Iterator[tuple[Any, str]]:
    """(a wrong answer, what is to be said about it)"""
    if isinstance(kind, Numbers):
        for slip, why in kind.together.items():
            yield dict(zip(kind.names, kind.all_of(slip, truth), strict=True)), why
        for name in kind.names:
            for value, why in slips_of(kind.part(name), truth[name]):
                yield truth | {name: value}, f"{name}: {why}"
    elif isinstance(kind, Number):
        for slip, why in kind.slips.items():
            yield evaluate(slip, truth), why
    else:
        for slip, why in kind.slips.items():
            yield [name for name in kind.names if name in slip.split(", ")], why
        for name in kind.names:
            if name in truth and name in kind.texts("missing"):
                yield [one for one in truth if one != name], kind.texts("missing")[name]
            elif name not in truth and name in kind.texts("extra"):
                yield [*truth, name], kind.texts("extra")[name]


@pytest.mark.parametrize("check", RECORDED.values(), ids=RECORDED)
def test_every_slip_gets_its_sentence(check):
    rule: Any = check.check
    kinds, truth = list(rule.kinds.values()), rule.truths
    answers = [written(kind, one) for kind, one in zip(kinds, truth, strict=True)]
    verdict = check(*answers)
    assert verdict
    assert verdict.text == rule.good != ""
    for k, kind in enumerate(kinds):
        for value, why in slips_of(kind, truth[k]):
            verdict = check(*answers[:k], written(kind, value), *answers[k + 1 :])
            assert verdict.kind == "wrong"
            assert why in verdict.text
        if isinstance(kind, Names):
            nothing = written(kind, [])
            assert not check(*answers[:k], nothing, *answers[k + 1 :])


DIE = """
[check_die]
question = "What does a die show on average?"
hints = ["Add up the six faces.", "Divide by six."]
kind = "number"
right = "Nobody has ever thrown it."
slips = { "truth - 1/2" = "The faces run from 1 to 6, not from 0." }
"""
ASK = '[check_it]\nquestion = "?"\nhints = ["a", "b"]\n'


WRONG = [
    ("[check_it", "TOML"),
    ("answer = 3", "outside"),
    ('[check_it]\nhints = ["a"]\nkind = "number"', "question"),
    (ASK, "kind"),
    (f"{ASK}kind = 'letters'", "'names'"),
    (f"{ASK}kind = 'number'\ntolerence = 1", "did you mean 'tolerance'?"),
    (f"{ASK}kind = 'number'\nslips = {{ 'exit()' = 'x' }}", "expression"),
    (f"{ASK}kind = 'numbers'\nnames = ['J']\neach.K.unit = 'x'", "'K'"),
    (f"{ASK}kind = 'numbers'\nnames = ['J']\ntogether = {{ '1, 2' = 'x' }}", "2 numbers"),
    (f"{ASK}kind = 'names'\nnames = ['J']\nslips = {{'J, Q' = 'x'}}", "'Q'"),
    ('[WHO]\ntext = "Who?"\nanswer = "she"\noptions = ["he"]', "'she'"),
    ('[WHO]\ntext = 3\nanswer = "she"', "text must be a text"),
]


@pytest.mark.parametrize(("text", "word"), WRONG, ids=range(len(WRONG)))
def test_bad_files_are_refused_by_name(tmp_path, text, word):
    path = tmp_path / "77.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(wb.GameError, match=f"{re.escape(str(path))}.*{re.escape(word)}"):
        load(path)


@pytest.mark.parametrize("name", ["77.toml", "77.py", TRUTHS])
@pytest.mark.parametrize("content", [b"\xff", b"x = " + b"[" * 100_000, b"{", b'{"77": []}'])
def test_damaged_files_are_refused_by_name(tmp_path, name, content):
    if (name, content) == ("77.py", b'{"77": []}'):
        return  # that is Python
    (tmp_path / "77.toml").write_text(DIE, "utf-8")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(wb.GameError, match=re.escape(str(tmp_path / name))):
        load(tmp_path / "77.toml")


def test_judges_and_questions_belong_together(tmp_path):
    path = tmp_path / "77.toml"
    path.write_text(f"{ASK}kind = 'number'", "utf-8")
    path.with_suffix(".py").write_text("def check_it(answer): ...", "utf-8")
    with pytest.raises(wb.GameError, match=r"check_it: a function .* says all, also kind"):
        load(path)
    path.with_suffix(".py").write_text("def check_that(answer): ...", "utf-8")
    with pytest.raises(wb.GameError, match="check_that: it lacks the field 'question'"):
        load(path)
    with pytest.raises(wb.GameError, match=r"no file of exercises '1'.*'00', '01', '02'"):
        load("1")


@pytest.mark.parametrize("expression", ["", "a", "True", "1/0", "9**9**9", "(-1)**0.5"])
def test_expressions_are_read_and_never_executed(expression):
    with pytest.raises(wb.GameError, match="no expression of numbers"):
        evaluate(expression)


def test_a_new_lecture_is_a_notebook_and_a_file(tmp_path, monkeypatch):
    """Found beside the notebook and from its solution; the solution makes what is true."""
    for folder in ("exercises", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "exercises" / "77.toml").write_text(DIE, "utf-8")
    solution = tmp_path / "solutions" / "77-dice.ipynb"

    def solve(answer: str) -> Any:
        source = f'import workbench as wb\nexercise = wb.exercises.load("77")\n{answer}'
        solution.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [source]}]}))
        write(tmp_path)
        return json.loads((tmp_path / "exercises" / TRUTHS).read_text("utf-8"))

    monkeypatch.chdir(tmp_path)
    assert "run `make truths`" in load("77").check_die(3).text
    assert solve("exercise.check_die(sum(range(1, 7)) / 6)") == {"77": {"check_die": [3.5]}}
    assert load("77").check_die("7/2")
    monkeypatch.chdir(tmp_path / "solutions")
    assert "from 1 to 6, not from 0" in load("77").check_die(3).text
    assert solve("exercise.check_die(3.51)") == {"77": {"check_die": [3.5]}}, "close: it stays"
    assert solve("exercise.check_die(1e10 / 3)") == {"77": {"check_die": [3333333333.0]}}
    other = {"77": {"check_die": [{"J": 1}]}}  # of another question
    (tmp_path / "exercises" / TRUTHS).write_text(json.dumps(other))
    assert "run `make truths`" in load("77").check_die(3).text
    assert solve("exercise.check_die(3.5)") == {"77": {"check_die": [3.5]}}
    with pytest.raises(wb.GameError, match="check_die is not solved"):
        solve("")


def test_the_course_is_found_from_anywhere(tmp_path, monkeypatch):
    for folder in (tmp_path, *(FOLDER.parent / name for name in ("", "lectures", "solutions"))):
        monkeypatch.chdir(folder)
        assert wb.exercises.load("01").HISTORIES.answer == 58
