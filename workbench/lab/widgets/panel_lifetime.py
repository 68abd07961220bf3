"""Which notebook cell made a panel, so that running the cell again clears the old one away.

A notebook keeps every widget it has ever shown, so an old panel would never be collected and its
work never end. Instead, each panel is noted under its cell; just before that cell runs again, and
when it has been deleted, its panels are closed. (JupyterLab tells of a deleted cell with the next
one that runs; long work stops at once, see `Panel.stops_unseen`.) Outside a notebook nothing is
noted.
"""

from __future__ import annotations

from typing import Any, Protocol


class Closable(Protocol):
    """A panel, as far as this file is concerned."""

    def close(self) -> None: ...


_OPEN: dict[str, list[Closable]] = {}  # by cell: its id, or its text where cells have no id
_WATCHED: set[int] = set()  # the shells that tell us before they run a cell


def note_panel(panel: Closable) -> None:
    """Remember which cell makes this panel now."""
    shell = _shell()
    cell = _running_cell(shell)
    if cell:
        _OPEN.setdefault(cell, []).append(panel)
        if id(shell) not in _WATCHED:
            _WATCHED.add(id(shell))
            shell.events.register("pre_run_cell", _before)


def open_panels() -> list[Closable]:
    """The panels that are noted."""
    return [panel for panels in _OPEN.values() for panel in panels]


def forget_panel(panel: Closable) -> None:
    """It is closed."""
    for cell in [cell for cell, panels in _OPEN.items() if panel in panels]:
        _OPEN[cell].remove(panel)
        if not _OPEN[cell]:
            del _OPEN[cell]


def watched() -> bool:
    """False if this cell is run by a script: it asked that nobody be asked for input."""
    content = _parent(_shell()).get("content") or {}
    return bool(content.get("allow_stdin", True))


def _before(info: Any) -> None:
    """A cell is about to run: close what it, or cells deleted since, have made before."""
    parent = _parent(_shell())
    deleted = (parent.get("metadata") or {}).get("deletedCells") or ()
    for cell in (info.cell_id or info.raw_cell, *deleted):
        for panel in list(_OPEN.pop(cell, ())):
            panel.close()


def _shell() -> Any:
    from IPython.core.getipython import get_ipython

    return get_ipython()


def _parent(shell: Any) -> dict[str, Any]:
    """The message that the kernel answers now."""
    parent = shell.get_parent() if hasattr(shell, "get_parent") else None
    return parent or {}


def _running_cell(shell: Any) -> str:
    parent = _parent(shell)
    cell = (parent.get("metadata") or {}).get("cellId") or parent.get("content", {}).get("code")
    return str(cell or "")
