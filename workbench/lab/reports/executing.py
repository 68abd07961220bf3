"""Running a notebook from top to bottom, in a kernel of its own, with a line that says how far."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.progress import StatusLine
from workbench.rules import GameError


def execute_notebook(notebook: Any, path: Path) -> None:
    """Fill the outputs of a notebook that stands at `path`, where its cells find their files."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    line, number = StatusLine(after=0.0), 0

    def begin(cell: Any, cell_index: int) -> None:
        nonlocal number
        number = cell_index + 1
        line.show(f"{path.name}: cell {number} of {len(notebook.cells)}")

    client = NotebookClient(
        notebook,
        timeout=None,
        startup_timeout=600,  # on a busy machine
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--log-level=40"],  # only what went wrong
        resources={"metadata": {"path": str(path.absolute().parent)}},
        on_cell_start=begin,
    )
    try:
        client.execute()
    except CellExecutionError as error:
        said = f"{path.name}: cell {number} ends in {error.ename}: {error.evalue}"
        raise GameError(said) from None
    except Exception as error:  # the kernel died, or never began
        reason = " ".join(str(error).split()) or type(error).__name__
        raise GameError(f"{path.name}: cell {number} cannot be run: {reason}") from error
    finally:
        line.clear()
