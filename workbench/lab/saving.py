"""What Jupyter saves of a panel: its page, which needs no kernel, instead of its widget.

A panel shows itself in two ways at once: as a widget, alive as long as its kernel, and as a page
for readers. Jupyter saves both and later prefers the widget, so a notebook opened the next morning
reads "model not found" where the page could stand. This extension of the Jupyter server leaves
such widgets out of the file at every save. The open notebook keeps its live panels.

It is switched on for every server of this environment, `workbench lab` or plain `jupyter lab`, by
`cli/settings/jupyter_server_config.d/workbench.json`, which the installation puts into
`etc/jupyter`. Widgets that have nothing else to show stay, with their stored state.
"""

from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"
PAGES = ("text/html", "text/markdown", "image/")  # how the kinds begin that need no kernel


def leave_out_widgets(notebook: dict[str, Any]) -> None:
    """Remove the widgets of a notebook (as JSON) that have a page, and the state of widgets.

    >>> panel = {"data": {VIEW: {"model_id": "1"}, "text/html": "<p>Solver panel</p>"}}
    >>> leave_out_widgets({"cells": [{"outputs": [panel]}], "metadata": {"widgets": {}}})
    >>> panel
    {'data': {'text/html': '<p>Solver panel</p>'}}
    """
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    shown = [output["data"] for output in outputs if VIEW in output.get("data", ())]
    with_page = [data for data in shown if any(kind.startswith(PAGES) for kind in data)]
    for data in with_page:
        del data[VIEW]
    if len(with_page) == len(shown):  # no widget is left that would need its state
        notebook["metadata"].pop("widgets", None)


def before_saving(*, model: dict[str, Any], **_: Any) -> None:
    """Called by the server with what it is about to write; an error here is only logged."""
    if model["type"] == "notebook" and "cells" in (model.get("content") or ()):
        leave_out_widgets(model["content"])


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(before_saving)
