"""A class: forty students, one folder, files that come by mail, and a lecturer who reads it all."""

import json
import os
import stat
from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import class_folder
from workbench.lab.exercises.hand_ins import LARGEST, MOST, HandIn, Note
from workbench.lab.widgets.prediction import Prediction

EXERCISE = wb.exercises.load("01")
CARDS = wb.exercises.Question("How many cards has a pack of Skat?", 32, high=60, because="Four.")
GOOD = Note("7/1800", 1_790_000_000, True, 2, "Well done.")


@pytest.fixture(autouse=True)
def restart(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A kernel that knows nothing; call it for another one."""
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    monkeypatch.setenv("LOGNAME", "jovyan")

    def again(machine: str = "laptop") -> None:
        monkeypatch.setattr(class_folder, "_here", None)
        monkeypatch.setattr(class_folder, "_noted", HandIn())
        monkeypatch.setattr(class_folder.platform, "node", lambda: machine)

    again()
    return again


def voted(panel: Any, guess: Any) -> str:
    """Guess, press, and read what the panel says."""
    panel.guess.value = guess
    panel.reveal.click()
    return str(panel.shown.value)


def votes_on(question: Any, folder: Any) -> tuple[list[Any], int]:
    """Everybody's guess, and how many files have a problem."""
    votes, odd = class_folder.votes_of(question, folder)
    return [guess for guess, _ in votes.values()], odd


def results(folder: Any) -> dict[tuple[str, str], str]:
    table = wb.exercises.read_hand_ins(folder)
    return {(row.student, row.exercise): row.result for row in table.itertuples()}


def test_answers_are_hidden_until_the_lecturer_opens_them(tmp_path, panels, restart):
    assert class_folder.ask(CARDS, tmp_path) is False
    wb.classroom(tmp_path, name="Anna")
    panel = panels(wb.widgets.predict, CARDS)
    assert isinstance(panel, Prediction)
    for guess in (24, 36):  # she changes her mind
        panel.guess.value = guess
        assert panel.reveal.description == "Vote"
        assert "still hidden" in voted(panel, guess)
    assert "Four" not in panel.static() + panel.shown.value
    assert votes_on(CARDS, tmp_path) == ([36], 0)
    restart()
    wb.classroom(tmp_path, name="anna")  # as good as Anna
    later = panels(wb.widgets.predict, CARDS)
    assert later.guess.value == 36  # of the kernel before
    class_folder.ask(CARDS, tmp_path, opened=True)
    assert "It is 32" in voted(later, 32)  # too late for a prediction
    assert "Four" in later.static()
    assert votes_on(CARDS, tmp_path) == ([36], 0)


def test_a_question_that_nobody_put_to_the_vote_is_answered_at_once(tmp_path, panels):
    wb.classroom(tmp_path)
    panel = panels(wb.widgets.predict, CARDS)
    assert "It is 32" in voted(panel, 24)
    assert "It is 32" in voted(panel, 32)
    class_folder.ask(CARDS, tmp_path)  # the lecturer comes to it later
    assert "noted: 24" in voted(panel, 32)
    assert votes_on(CARDS, tmp_path) == ([24], 0)  # what was said before she knew


def test_what_could_not_be_noted_is_not_said_to_be(tmp_path, panels):
    class_folder.ask(CARDS, tmp_path)
    place = wb.classroom(tmp_path)
    panel = panels(wb.widgets.predict, CARDS)
    for name in place.files:
        (tmp_path / name).mkdir()
    assert voted(panel, 24) == ""
    assert "could not be noted" in panel.message.value
    for name in place.files:
        (tmp_path / name).rmdir()
    (tmp_path / place.file).write_text("{")  # by hand
    assert "noted: 24" in voted(panel, 24)
    assert f"{place.file} is damaged" in panel.message.value
    assert f"your work goes into {place.files[1]}" in panel.message.value
    assert votes_on(CARDS, tmp_path) == ([24], 1)


def test_who_is_who(tmp_path, restart, monkeypatch):
    """A first name, a better one, a namesake on another machine, a neighbour at the same one."""
    wb.classroom(tmp_path, name="A")
    EXERCISE.check_queen("7/1800")
    wb.classroom(tmp_path, name="Anna")
    assert results(tmp_path) == {("Anna", "01 check_queen"): "right"}
    restart("another laptop")
    wb.classroom(tmp_path, name="Anna")
    EXERCISE.check_queen(7 / 900)
    restart()
    wb.classroom(tmp_path, name="Ben")
    EXERCISE.check_queen(7 / 900)
    wb.classroom(tmp_path, name="Anna")  # who has a file already: she sits down, Ben's stays
    found = results(tmp_path)
    assert sorted(student for student, _ in found) == ["Anna", "Anna (2)", "Ben"]
    assert sorted(found.values()) == ["right", "wrong", "wrong"]
    for name in ("anna", "Anna 💛"):  # on a hub she is her account, wherever it runs
        restart(f"container of {name}")
        monkeypatch.setenv("JUPYTERHUB_USER", "anna.k")
        wb.classroom(tmp_path, name=name)
        EXERCISE.check_queen(7 / 900)
    assert len(list(tmp_path.glob("anna-k-*.json"))) == 1
    assert ("Anna 💛", "01 check_queen") in results(tmp_path)


def test_a_class_set_from_outside_and_the_second_day(tmp_path, restart, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CLASS", str(tmp_path))
    for answer in (7 / 900, 7 / 900, 1.0):  # the same again is no other try
        EXERCISE.check_queen(answer)
    restart()
    EXERCISE.check_queen(...)
    for answer in ("7/1800", 2.0):  # right stays right
        EXERCISE.check_queen(answer)
    (row,) = wb.exercises.read_hand_ins(tmp_path).itertuples()
    assert (row.result, row.tries, row.answer) == ("right", 3, "7/1800")
    (file,) = tmp_path.glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o644 or os.name == "nt"
    file.rename(tmp_path / "elsewhere")
    monkeypatch.setenv("WORKBENCH_CLASS", str(tmp_path / "gone"))
    restart()
    assert "could not be noted" in EXERCISE.check_queen("7/1800").text
    assert EXERCISE.check_queen("7/1800")  # and judged all the same
    assert not EXERCISE.check_queen(10**5000)
    assert not EXERCISE.check_queen("\udcff" * 500)
    with pytest.raises(wb.GameError, match=r"there is no folder .*gone; wb\.classroom\(None\)"):
        wb.classroom(tmp_path / "gone")


def test_handing_in_by_mail(tmp_path, restart):
    file = tmp_path / "anna.json"
    with pytest.raises(wb.GameError, match="nothing is noted"):
        wb.exercises.hand_in(file, name="Anna")
    EXERCISE.check_queen("7/1800")
    wb.exercises.hand_in(file, name="Anna")
    restart("the same laptop, on another network")
    EXERCISE.check_replies([0, 0, 0])
    shown = wb.exercises.hand_in(file, name="Anna")
    assert list(shown.result) == ["right", "wrong"]
    restart()
    EXERCISE.check_replies([0, 0, 0])
    with pytest.raises(wb.GameError, match="was handed in by 'Anna', and you are 'Ben'"):
        wb.exercises.hand_in(file, name="Ben")
    wb.exercises.hand_in(tmp_path, name="Ben")
    (tmp_path / "anna (1).json").write_bytes(file.read_bytes())  # she mailed it twice
    assert len(results(tmp_path)) == 3
    other = json.loads(file.read_text("utf-8"))
    other["notes"]["01 check_queen"] |= {"answer": "I cheat", "at": 1}
    (tmp_path / "other.json").write_text(json.dumps(other))
    found = wb.exercises.read_hand_ins(tmp_path)
    assert "7/1800" in set(found.answer)  # hers stays, whatever another file says in her name
    assert sum("other.json" in why for why in found.problem) == 3
    (tmp_path / "other.json").unlink()
    file.write_text("{")
    with pytest.raises(wb.GameError, match=r"is damaged .* take it away, or name another"):
        wb.exercises.hand_in(file, name="Anna")


def test_a_row_for_each_student_and_exercise_whatever_they_are_called(tmp_path):
    """So that the lecturer's table of students and exercises can always be made."""
    note = {"answer": "1", "at": 5, "done": True}
    two = {"01 check_queen": note, "predict z": {**note, "said": "01 check_queen"}}
    long = {f"predict {end}": {**note, "said": "x" * 400 + end} for end in "yz"}
    named = [("Anna", two), ("Anna", long), ("Anna (2)", two), ("Anna\t(2)", two), ("=1", two)]
    for k, (name, notes) in enumerate(named):
        file = tmp_path / f"{k}.json"
        file.write_text(hand_in_text(who=str(k), name=name, notes=notes), encoding="utf-8")
    table = wb.exercises.read_hand_ins(tmp_path)
    assert list(table.problem.unique()) == [""]
    assert set(table.student) == {"'=1", "Anna", "Anna (2)", "Anna (2) (2)", "Anna (2) (3)"}
    grid = table.pivot(index="student", columns="exercise", values="result")
    assert grid.notna().sum(axis=1).tolist() == [2] * 5
    assert {"01 check_queen", "01 check_queen (2)"} < {*grid.columns}


def hand_in_text(**changed: Any) -> str:
    content = {"kind": "hand-in", "format": 1, "name": "Eve", "notes": {}}
    return json.dumps(content | changed)


HOSTILE = {
    "": "damaged",
    "{": "damaged",
    "\udcff\udcfe": "damaged",
    "null": "no hand-in",
    '{"cells": []}': "a notebook",
    " " * (LARGEST + 1): "larger than",
    hand_in_text(kind="strategy"): "no hand-in",
    hand_in_text(): "nothing is noted in it",
    hand_in_text(format=2): "another version",
    hand_in_text(notes=dict.fromkeys(map(str, range(MOST + 1)))): "damaged",
    hand_in_text(notes={"x": None}): "left out x",
    hand_in_text(notes={"x": {"answer": "1", "at": -1}}): "at",
    hand_in_text(notes={"x": {"answer": [], "at": 1}}): "answer",
    hand_in_text(notes={"x": {"answer": float("nan"), "at": 1}}): "answer must be",
    hand_in_text(notes={"x": {"answer": 10**400, "at": 1}}): "answer",
    hand_in_text(notes={"x": {"answer": "1", "at": 1, "done": "yes"}}): "done must be True",
    hand_in_text(notes={"x": {"answer": "1", "at": 1, "run": "rm"}}): "run",
}


def test_damaged_files_are_named_and_the_others_read(tmp_path):
    HandIn("w", "Anna", {"01 check_queen": GOOD}).write(tmp_path / "anna.json")
    for k, text in enumerate(HOSTILE):
        (tmp_path / f"{k:02}.json").write_text(text, "utf-8", "surrogateescape")
    (tmp_path / "folder.json").mkdir()
    if os.name == "posix":
        os.mkfifo(tmp_path / "pipe.json")
        (tmp_path / "zero.json").symlink_to("/dev/zero")
        (tmp_path / "link.json").symlink_to(tmp_path / "anna.json")
    table = wb.exercises.read_hand_ins(tmp_path)
    assert list(table.student[table.result == "right"]) == ["Anna"]
    said = table[table.problem != ""].set_index("file").problem.to_dict()
    for k, words in enumerate(HOSTILE.values()):
        assert words in said.pop(f"{k:02}.json")
    if os.name == "posix":
        assert "regular" in said.pop("pipe.json")
        assert "link" in said.pop("zero.json") + said.pop("link.json")
    assert not said
    with pytest.raises(wb.GameError, match="no file or folder"):
        wb.exercises.read_hand_ins(tmp_path / "gone")


def test_nothing_in_a_file_is_run_or_shown_as_markup(tmp_path):
    bad = Note("=HYPERLINK(1)", 1, said="<script>x</script>\x1b[2J\u202e")
    notes = {"<img src=x>": bad, "@x": Note("-2+3+cmd|' /C calc'!A0", 1), "y": Note("-1/2", 1)}
    HandIn("w", "<b onload=x>Eve", notes).write(tmp_path / "eve.json")
    table = wb.exercises.read_hand_ins(tmp_path)
    assert list(table.answer) == ["'=HYPERLINK(1)", "'-2+3+cmd|' /C calc'!A0", "-1/2"]
    assert table.exercise[1] == "'@x"
    assert table.said[0] == "<script>x</script> [2J"
    page = table.to_html()
    assert not [tag for tag in ("<script", "<img", "<b") if tag in page]
    assert "&lt;b onload=x&gt;Eve" in page


def test_two_notebooks_of_one_student_lose_nothing(tmp_path, run_python):
    """Four kernels note twenty results each, at the same time."""
    code = (
        "import sys; from concurrent.futures import ProcessPoolExecutor as Pool\n"
        "from multiprocessing import get_context\n"
        "import workbench as wb; from workbench.lab.exercises.class_folder import note_result\n"
        "def work(k):\n"
        "    wb.classroom(sys.argv[1], name='Anna')\n"
        "    return [note_result(f'{k} {n}', True, (n,), '') for n in range(20)]\n"
        "if __name__ == '__main__':\n"
        "    with Pool(4, get_context('fork')) as pool:\n"
        "        assert set(sum(pool.map(work, range(4)), [])) == {''}\n"
    )
    done = run_python("-c", code, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert len(results(tmp_path)) == 80


def test_a_closed_vote_notes_nothing_until_it_is_repeated(tmp_path, panels):
    class_folder.ask(CARDS, tmp_path)
    wb.classroom(tmp_path, name="Anna")
    panel = panels(wb.widgets.predict, CARDS)
    voted(panel, 24)
    class_folder.close(CARDS, tmp_path)
    assert "The vote is closed" in voted(panel, 32)
    assert votes_on(CARDS, tmp_path) == ([24], 0)
    class_folder.repeat(CARDS, tmp_path)
    assert "noted: 32" in voted(panel, 32)
    assert votes_on(CARDS, tmp_path) == ([32], 0)
    assert [guess for guess, _ in class_folder.votes_before(CARDS, tmp_path).values()] == [24]
