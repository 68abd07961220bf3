"""Notebooks of others, read so that a page can rely on their shape; and run, if that is asked for.

They come from many programs, and some were edited by hand. What is missing in a cell counts as
empty; what then is not in Jupyter's format is refused.
"""

import json
from pathlib import Path
from typing import Any

from nbformat import converter, from_dict, reader, validate

from workbench.files import read_file
from workbench.progress import StatusLine
from workbench.rules import GameError

LONG = 1_000_000  # letters of one output; nobody reads on, and a browser would hang


def read_notebook(path: Path) -> Any:
    """The notebook in a file, in the current format."""
    if not path.is_file():
        known = sorted(each.name for each in path.absolute().parent.glob("*.ipynb"))
        there = f"; there are {', '.join(known[:5])}" if known else ""
        raise GameError(f"there is no notebook {path}{there}{' …' if len(known) > 5 else ''}")
    try:
        found = reader.reads(read_file(path).decode("utf-8-sig"))  # type: ignore[no-untyped-call]
        text = json.dumps(converter.convert(found, 4), ensure_ascii=False)  # type: ignore[no-untyped-call]
        half = text.encode("utf-8", "replace")  # of a letter (a lone surrogate): a question mark
        notebook = from_dict(json.loads(half))  # type: ignore[no-untyped-call]
        for cell in notebook.cells:
            _fill(cell)
        validate(notebook, version=4, version_minor=4, relax_add_props=True)  # names are optional
    except Exception as error:  # not JSON, or not a notebook: nbformat has many words for it
        said = next(iter(str(error).splitlines()), type(error).__name__)
        raise GameError(f"{path} is not a notebook: {said}") from error
    return notebook


def _fill(cell: Any) -> None:
    """What hand-made notebooks leave out, and nothing that a page could not show."""
    cell.setdefault("metadata", {})
    cell.setdefault("source", "")
    if cell.cell_type == "code":
        cell.setdefault("execution_count", None)
        for output in cell.setdefault("outputs", []):
            if "text" in output:
                output.text = _cut(output.text)
            if "data" in output:
                output.setdefault("metadata", {})
                output.data = {
                    kind: one if kind.startswith("image/") else _cut(one)
                    for kind, one in output.data.items()
                    if isinstance(one, str) or kind.endswith("json")
                }


def _cut(text: Any) -> Any:
    """What is too long to be read is cut."""
    more = len(text) - LONG if isinstance(text, str) else 0
    return f"{text[:LONG]}\n… and {more:,} letters more" if more > 0 else text


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
