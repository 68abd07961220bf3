"""Notebooks of others, read so that a page can rely on their shape.

They come from many programs, and some were edited by hand. What is missing counts as empty, and
what is not of its kind is left out, so that a page shows the rest; a file without cells is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nbformat import converter, reader

from workbench.files import read_file
from workbench.lab.html import SWITCH
from workbench.rules import GameError

WIDGET = "application/vnd.jupyter.widget-view+json"
LONG = 1_000_000  # letters of one text; nobody reads on, and a browser would hang
TEXTS = ("output_type", "name", "text", "ename", "evalue")  # of an output


def read_notebook(path: Path) -> Any:
    """The notebook in a file, in the current format."""
    if not path.is_file():
        known = sorted(each.name for each in path.absolute().parent.glob("*.ipynb"))
        there = f"; there are {', '.join(known[:5])}" if known else ""
        raise GameError(f"there is no notebook {path}{there}{' …' if len(known) > 5 else ''}")
    try:
        found = reader.reads(read_file(path).decode("utf-8-sig"))  # type: ignore[no-untyped-call]
        notebook = converter.convert(found, 4)  # type: ignore[no-untyped-call]
        cells = notebook.cells
        if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
            raise ValueError("its cells are not a list of cells")
    except Exception as error:  # not JSON, or not a notebook: nbformat has many words for it
        said = next(iter(str(error).splitlines()), type(error).__name__)
        raise GameError(f"{path} is not a notebook: {said}") from error
    for cell in cells:
        _mend(cell)
    return notebook


def _mend(cell: Any) -> None:
    """Make sure of all that is asked of a cell."""
    count = cell.get("execution_count")
    cell.cell_type, cell.source = _text(cell.get("cell_type")), _text(cell.get("source"))
    cell.metadata = _names(cell.get("metadata"))
    if cell.cell_type == "code":
        cell.execution_count = count if isinstance(count, int) else None
        cell.outputs = _dicts(cell.get("outputs"))
        for output in cell.outputs:
            _mend_output(output)
    elif "attachments" in cell:
        attached = _names(cell.attachments).items()
        cell.attachments = {name: _texts(stored) for name, stored in attached}


def _mend_output(output: Any) -> None:
    output |= {name: _text(output[name]) for name in TEXTS if name in output}
    output.setdefault("output_type", "")
    if output.output_type == "stream":
        output.setdefault("text", "")
    elif output.output_type == "error":
        lines = output.get("traceback")
        output.traceback = [_text(line) for line in lines] if isinstance(lines, list) else []
        output |= {name: output.get(name, "") for name in ("ename", "evalue")}
    else:
        stored = _names(output.get("data"))
        found = _mended(stored.get(SWITCH))
        switch = {SWITCH: found} if _is_switch(found) else {}
        panel: dict[str, Any] = (
            {WIDGET: {}} if WIDGET in stored else {}
        )  # enough to say that there was one
        output.data = {**_texts(stored), **panel, **switch}
        metadata = _names(output.get("metadata"))
        broken = [kind for kind in output.data if not isinstance(metadata.get(kind, {}), dict)]
        output.metadata = {name: metadata[name] for name in metadata if name not in broken}


def _mended(value: Any) -> Any:
    """The same, all its texts without halves of letters."""
    if isinstance(value, dict):
        return {_text(name): _mended(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_mended(one) for one in value]
    return _text(value) if isinstance(value, str) else value


def _is_switch(stored: Any) -> bool:
    """Whether it is what `workbench/lab/widgets/switches.py` stores."""
    try:
        sizes = [len(_need(values, list)) for values in stored["values"]]
        places = [stored["chosen"], *(option["at"] for option in stored["options"])]
        fits = all(
            0 <= _need(at, int) < size
            for place in places
            for at, size in zip(place, sizes, strict=True)
        )
        for option in stored["options"]:
            if "html" in option:
                _need(option["html"], str)
            else:
                _ = [_need(option[name], str) for name in ("kind", "data", "alt")]
                fits = fits and len([_need(n, int, float) for n in option.get("size", (1, 1))]) == 2
        return fits and len([_need(label, str) for label in stored["labels"]]) == len(sizes)
    except (KeyError, TypeError, ValueError):
        return False


def _need(value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds):
        raise TypeError
    return value


def _text(value: Any, *, picture: bool = False) -> str:
    """A text, also one stored in lines; half a letter (a lone surrogate) becomes a question mark,
    and what is too long to be read is cut, unless it is a picture.

    >>> _text(["a", "b"]), _text("c\\ud800"), _text(5), _text(None)
    ('ab', 'c?', '', '')
    """
    lines: Iterable[Any] = value if isinstance(value, list) else [value]
    found = "".join(line for line in lines if isinstance(line, str))
    if len(found) > LONG and not picture:
        found = f"{found[:LONG]}\n… and {len(found) - LONG:,} letters more"
    return found.encode("utf-8", "replace").decode()


def _names(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> dict[str, str]:
    return {
        name: _text(text, picture=name.startswith("image/"))
        for name, text in _names(value).items()
        if isinstance(text, str | list)
    }


def _dicts(value: Any) -> list[Any]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
