"""A switch shows precomputed results: native controls, in a notebook and in a page."""

import pandas as pd
import pytest
from IPython.display import HTML
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell

import workbench as wb
from tests.lab.reports.reader import Reader, check, page, shown
from workbench.lab.html import CSS


def drawing(height: float) -> Figure:
    figure = Figure(figsize=(4, 3))
    figure.subplots().plot([0, 1], [0, height], label="line")
    return figure


def test_one_label():
    options = {"low": drawing(1), "high": drawing(2).axes[0], "table": pd.DataFrame({"x": [1]}),
               "text": "a < b\n\nsecond"}  # fmt: skip
    made = wb.widgets.switch(options, label="Height", value="high")
    assert made.value == "high"
    reader = Reader(made._repr_html_())
    assert reader.texts["option"] == ["low", "high", "table", "text"]
    assert ["selected" in have for have in reader.all("option")] == [False, True, False, False]
    assert ["hidden" in have for have in reader.all("figure")] == [True, False, True, True]
    alts = [f"line: from 0 at 0 to {height} at 1." for height in (1, 2)]
    assert [have["alt"] for have in reader.all("img")] == alts
    assert len(reader.all("table")) == 1
    assert reader.texts["p"][:2] == ["a < b", "second"]
    assert len(made._repr_html_()) < 60_000


def test_a_panel_is_shown_as_it_stands():
    """Its choices can then be switched without a kernel; the panels themselves are done with."""
    panels = {name: wb.widgets.CFRStepper.example(name) for name in ("3.2.1", "3.2.2")}
    page = wb.widgets.switch(panels, label="Example")._repr_html_()
    assert all(panel.closed for panel in panels.values())
    assert all(f"Example {name}." in page for name in panels)
    assert page.count("wb-still") == 2 + CSS.count("wb-still")


def test_two_labels_a_gap_and_native_controls(tmp_path):
    """Without script all options are there."""
    options = {("a", "<x>"): drawing(1), ("a", "y"): "text", ("b", "y"): HTML("<b>!</b>")}
    made = wb.widgets.switch(options, label=("First", "Second"), value=("b", "y"))
    assert made.value == ("b", "y")
    figures = Reader(made._repr_html_()).all("figure")
    assert ["hidden" in have for have in figures] == [True, True, False]
    text, _ = page(tmp_path, new_code_cell("x", outputs=[shown({"text/html": made._repr_html_()})]))
    reader = check(text)
    assert [label.strip() for label in reader.texts["label"]] == ["First", "Second"]
    assert reader.texts["option"] == ["a", "b", "<x>", "y"]
    assert [k for k, have in enumerate(reader.all("option")) if "selected" in have] == [1, 3]
    figures = reader.all("figure")
    assert [have["data-option"] for have in figures] == ["0 0", "0 1", "1 1"]
    assert not any("hidden" in have for have in figures)
    captions = [f"First: {first}, Second: {second}" for first, second in options]
    assert reader.texts["figcaption"] == captions
    (image,) = reader.all("img")
    assert image["alt"] == "line: from 0 at 0 to 1 at 1."
    assert int(image["width"] or 0) > 200


def test_the_button_saves(tmp_path, panels, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = wb.solve(wb.load_game("kuhn"), "cfr", 5)
    made = panels(wb.widgets.report_button, lambda: run)
    made.button.click()
    assert made.wait(600)
    assert "Saved kuhn-cfr-5-seed-0.html" in made.message.value
    assert (tmp_path / "kuhn-cfr-5-seed-0.html").stat().st_size > 10_000
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    made = panels(wb.widgets.report_button)
    made.button.click()
    assert "name of this notebook is not known" in made.message.value
    monkeypatch.setenv("JPY_SESSION_NAME", "folder/gone.ipynb")
    made.button.click()
    assert made.wait(600)
    assert "there is no notebook gone.ipynb" in made.message.value


@pytest.mark.parametrize("label", ["", " ", ("Game", "")])
def test_a_choice_without_a_name_is_refused(label):
    with pytest.raises(wb.GameError, match="label: a choice needs a name"):
        wb.widgets.slider({1: "one", 2: "two"}, label=label)
