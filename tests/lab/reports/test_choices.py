"""A switch shows precomputed results: live, in a saved notebook, as native controls in a page."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pandas as pd
import pytest
from IPython.display import HTML
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell

import workbench as wb
from tests.lab.reports.reader import check, page, shown
from workbench.lab.html import SWITCH
from workbench.rules import GameError

VIEW = "application/vnd.jupyter.widget-view+json"


def drawing(height: float) -> Figure:
    figure = Figure(figsize=(4, 3))
    figure.subplots().plot([0, 1], [0, height], label="line")
    return figure


def test_one_label() -> None:
    options = {"low": drawing(1), "high": drawing(2).axes[0], "table": pd.DataFrame({"x": [1]}),
               "text": "a < b\n\nsecond"}  # fmt: skip
    made = wb.widgets.switch(options, label="Height")
    assert made.value == "low"
    made.value = "high"
    assert [control.value for control in made.controls] == ["high"]
    stack = made.stack
    assert len(stack.children) == 4
    assert stack.selected_index == 0
    assert 'alt="line: from 0 at 0 to 2 at 1."' in stack.children[1].value
    assert "<table" in stack.children[2].value
    assert stack.children[3].value == "<p>a &lt; b</p><p>second</p>"
    link = made.links[0]
    assert link.source == (made.controls[0], "index")
    assert link.target == (stack, "selected_index")
    bundle, metadata = made._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png", SWITCH, VIEW}
    assert metadata["image/png"]["alt"] == "line: from 0 at 0 to 1 at 1."
    stored = json.loads(json.dumps(bundle[SWITCH]))  # a notebook is JSON
    assert stored["labels"] == ["Height"]
    assert stored["values"] == [["low", "high", "table", "text"]]
    assert stored["options"][0]["alt"] == "line: from 0 at 0 to 1 at 1."
    assert base64.b64decode(stored["options"][0]["data"]).startswith(b"\x89PNG")
    assert len(stored["options"][0]["data"]) < 20_000
    made.close()
    assert made.links[0].comm is None


def test_two_labels_and_a_gap() -> None:
    options = {("a", "x"): "ax", ("a", "y"): "ay", ("b", "y"): "by"}
    made = wb.widgets.switch(options, label=("First", "Second"), value=("b", "y"))
    assert made.value == ("b", "y")
    outer = made.stack
    assert outer.selected_index == 1
    assert [inner.selected_index for inner in outer.children] == [1, 1]
    assert "not computed" in outer.children[1].children[0].value
    assert outer.children[1].children[1].value == "<p>by</p>"
    assert len(made.links) == 3
    with pytest.raises(GameError, match="is no option"):
        made.value = ("b", "x")
    bundle, _ = made._repr_mimebundle_()
    assert "First: b, Second: y" in bundle["text/html"]
    assert "2 more" in bundle["text/html"]
    stored = bundle[SWITCH]
    assert stored["chosen"] == [1, 1]
    assert [option["at"] for option in stored["options"]] == [[0, 0], [0, 1], [1, 1]]
    made.close()


def test_a_panel_is_shown_as_it_stands() -> None:
    """Its choices can then be switched without a kernel; the panels themselves are done with."""
    panels = {name: wb.widgets.CFRStepper.example(name) for name in ("3.2.1", "3.2.2")}
    made = wb.widgets.switch(panels, label="Example")
    assert all(panel.closed for panel in panels.values())
    for name, option in zip(panels, made.stored()["options"], strict=True):
        assert f"Example {name}." in option["html"]
        assert "wb-still" in option["html"]
    made.close()


def test_native_controls(tmp_path: Path) -> None:
    """Without script all options are there, and only what has colours gets a ground for them."""
    red = HTML('<b style="color: red">!</b>')
    options = {("a", "<x>"): drawing(1), ("b", "<x>"): "text", ("c", "<x>"): red}
    made = wb.widgets.switch(options, label=("First", "Second"), value=("b", "<x>"))
    text, _ = page(tmp_path, new_code_cell("x", outputs=[shown({SWITCH: made.stored()})]))
    reader = check(text)
    assert [label.strip() for label in reader.texts["label"]] == ["First", "Second"]
    assert reader.texts["option"] == ["a", "b", "c", "<x>"]
    assert [k for k, have in enumerate(reader.all("option")) if "selected" in have] == [1, 3]
    figures = reader.all("figure")
    assert [have["data-option"] for have in figures] == ["0 0", "1 0", "2 0"]
    assert not any("hidden" in have for have in figures)
    assert "hidden" in next(have for have in reader.all("div") if have.get("class") == "controls")
    captions = [f"First: {name}, Second: <x>" for name in "abc"]
    assert reader.texts["figcaption"] == captions
    assert reader.classed("paper") == ["div"]
    (image,) = reader.all("img")
    size = made.options["a", "<x>"].size  # type: ignore[union-attr]
    assert image["alt"] == "line: from 0 at 0 to 1 at 1."
    assert (image["width"], image["height"]) == tuple(map(str, size))
    made.close()


def test_the_button_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = wb.solve(wb.load_game("kuhn"), "cfr", 5)
    made = wb.widgets.report_button(lambda: run)
    made.button.click()
    assert made.wait(600)
    assert "Saved kuhn-cfr-5-seed-0.html" in made.message.value
    assert (tmp_path / "kuhn-cfr-5-seed-0.html").stat().st_size > 10_000
    made.close()
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    made = wb.widgets.report_button()
    made.button.click()
    assert "name of this notebook is not known" in made.message.value
    monkeypatch.setenv("JPY_SESSION_NAME", "folder/gone.ipynb")
    made.button.click()
    assert made.wait(600)
    assert "there is no notebook gone.ipynb" in made.message.value
    made.close()
