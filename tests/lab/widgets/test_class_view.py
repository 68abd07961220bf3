"""The lecturer's view: where everybody is, what goes wrong, and a sheet for a spreadsheet."""

import csv

import pandas as pd
import pytest

import workbench as wb
from tests.lab.widgets.helpers import said, text, until
from workbench.lab.exercises.hand_ins import VOTE, HandIn, Note
from workbench.lab.widgets.class_view import ClassView

NOW = 1_790_000_000


def hands_in(folder, name, *notes):
    found = {key: Note(*note) for key, *note in notes}
    HandIn(f"who {name}", name, found).write(folder / f"{name}.json")


@pytest.fixture
def folder(tmp_path):
    jack = "1/3", NOW, False, 2, "That is the Jack."
    hands_in(tmp_path, "Anna", ("01 queen", *jack), ("00 coin", "2", NOW - 60, True, 1, "Yes."))
    hands_in(tmp_path, "ben", ("01 queen", *jack), (VOTE + "x", 40, NOW + 5, False, 1, "How many?"))
    hands_in(tmp_path, "Cem", ("01 queen", "=1/2", NOW, True, 1, "Yes."))
    hands_in(tmp_path, "Dora", ("01 queen", "5", NOW, False, 1, "Too much."))
    (tmp_path / "broken.json").write_text("{")
    return tmp_path


def test_where_everybody_is_and_what_goes_wrong(folder):
    where = wb.exercises.progress(folder)
    assert [*where.index] == ["Anna", "ben", "Cem", "Dora"]
    assert [*where["at"]] == ["01 queen", "How many?", "01 queen", "01 queen"]
    assert [*where["right"]] == [1, 0, 1, 0]
    wrong = wb.exercises.common_mistakes(folder)
    assert wrong.to_numpy().tolist() == [
        ["01 queen", "1/3", 2, "That is the Jack."],
        ["01 queen", "5", 1, "Too much."],
    ]
    assert len(wb.exercises.common_mistakes(folder, 1)) == 1


def test_who_has_noted_nothing_is_seen_and_what_is_no_class_is_refused(folder, panels):
    hands_in(folder, "Zoë")
    (folder / "grades.csv").write_text("student,right\n")  # her own sheet is no hand-in
    assert wb.exercises.progress(folder).loc["Zoë", "right"] == 0
    assert wb.exercises.grades(folder).loc["Zoë"].tolist() == [0, "", ""]
    panel = panels(ClassView, folder, live=False)
    assert "5 students · 2 files have a problem" in text(panel.count.value)
    assert "NaT" not in panel.students.value
    assert "<NA>" not in text(panel.students.value)
    with pytest.raises(wb.GameError, match="most must be a whole number of at least 1, not 0"):
        wb.exercises.common_mistakes(folder, 0)
    with pytest.raises(wb.GameError, match="or the table that read_hand_ins makes"):
        wb.exercises.grades(pd.DataFrame())


@pytest.mark.parametrize(("answer", "cell"), [(-1e300, "-1e+300"), ("-1+cmd", "'-1+cmd")])
def test_a_number_is_no_formula(tmp_path, answer, cell):
    hands_in(tmp_path, "Anna", ("01 queen", answer, NOW, False, 1, "No."))
    assert wb.exercises.common_mistakes(tmp_path).answer[0] == cell


def test_the_sheet_for_grading(folder, tmp_path):
    sheet = wb.exercises.grades(folder, tmp_path / "grades.csv")
    assert sheet.loc["Anna"].to_dict() == {"right": 1, "00 coin": "right", "01 queen": "wrong"}
    assert sheet.loc["ben", "00 coin"] == ""
    with (tmp_path / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["student", "right", "00 coin", "01 queen"]
    assert rows[2] == ["Cem", "1", "", "right"]
    with pytest.raises(wb.GameError, match="there is no folder"):
        wb.exercises.grades(folder, tmp_path / "nowhere" / "grades.csv")


def test_a_class_that_has_only_voted_has_whole_numbers(tmp_path):
    hands_in(tmp_path, "Anna", (VOTE + "x", 40, NOW, False, 1, "How many?"))
    wb.exercises.grades(tmp_path, tmp_path / "grades.csv")
    assert (tmp_path / "grades.csv").read_text("utf-8-sig") == "student,right\nAnna,0\n"


def test_nothing_yet(tmp_path, panels):
    assert wb.exercises.progress(tmp_path).empty
    assert wb.exercises.grades(tmp_path).empty
    assert "0 students" in text(panels(ClassView, tmp_path).count.value)


def test_the_panel_follows_and_saves(folder, panels, monkeypatch):
    monkeypatch.chdir(folder)
    panel = panels(ClassView, folder)
    shown = text(panel.students.value)
    assert "Dora" in shown
    assert "4 students · 1 file has a problem" in text(panel.count.value)
    assert "That is the Jack." in panel.mistakes.value
    hands_in(folder, "Emil", ("00 coin", "<b>3", NOW, False, 1, "No."))
    until(lambda: "&lt;b&gt;3" in panel.mistakes.value)
    assert "Emil" in panel.students.value
    panel.save_button.click()
    assert "Saved grades.csv: 5 students" in said(panel)
    assert (folder / "grades.csv").exists()
    panel.file.value = "nowhere/grades.csv"
    panel.save_button.click()
    assert "there is no folder" in said(panel)
