"""What is left out of a saved notebook, and what stays."""

from copy import deepcopy
from typing import Any

import nbformat
import pytest

from workbench.lab.saving import VIEW, before_saving

WIDGET = {VIEW: {"model_id": "1", "version_major": 2, "version_minor": 0}, "text/plain": "Box()"}
STATE = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def saved(*shown: dict[str, Any]) -> dict[str, Any]:
    """A notebook with these outputs, as the server would write it."""
    outputs = [{"output_type": "display_data", "data": data, "metadata": {}} for data in shown]
    cell = nbformat.v4.new_code_cell("panel", outputs=outputs)
    words = nbformat.v4.new_markdown_cell("# A title")
    made = nbformat.v4.new_notebook(cells=[words, cell], metadata={"widgets": STATE})
    model = {"type": "notebook", "format": "json", "content": deepcopy(dict(made))}
    before_saving(model=model, path="a.ipynb", contents_manager=None)
    content: dict[str, Any] = model["content"]  # type: ignore[assignment]
    nbformat.validate(nbformat.from_dict(content))
    return content


def kinds(notebook: dict[str, Any]) -> list[set[str]]:
    return [set(output["data"]) for output in notebook["cells"][1]["outputs"]]


@pytest.mark.parametrize("page", ["text/html", "image/png"])
def test_a_page_is_saved_without_its_widget(page):
    notebook = saved(WIDGET | {page: "shown"})
    assert kinds(notebook) == [{"text/plain", page}]
    assert "widgets" not in notebook["metadata"]


def test_a_widget_that_has_no_page_stays_with_its_state():
    notebook = saved(WIDGET | {"text/html": "shown"}, WIDGET, {"text/html": "a table"})
    assert kinds(notebook) == [{"text/plain", "text/html"}, set(WIDGET), {"text/html"}]
    assert notebook["metadata"]["widgets"] == STATE


@pytest.mark.parametrize(
    "model",
    [
        {"type": "notebook"},  # renamed only
        {"type": "notebook", "content": {"worksheets": []}},  # of the old kind
        {"type": "file", "format": "text", "content": "cells"},
    ],
)
def test_other_things_are_left_alone(model):
    before = deepcopy(model)
    before_saving(model=model, path="a", contents_manager=None)
    assert model == before
