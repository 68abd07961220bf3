"""Cells and clicks do not disturb each other: nothing that a cell shows is lost to a click.

The facts, seen in a browser (JupyterLab 4.6, ipykernel 6.31, 7.3 and 7.4, ipywidgets 8.1):

- JupyterLab sends what happens to widgets to a *subshell*, a second thread of the kernel, which
  works while a cell runs (ipykernel 7; version 6 has none, there every click waits for the cell).
- After each such message the package `comm` calls IPython's `post_execute`, as if a cell had ended.
  matplotlib then shows and closes all open figures, also the one that the running cell has only
  begun: it goes to the click, which belongs to no cell, and the cell ends without a picture and
  without an error. The page of a new panel speaks to the kernel by itself, so nobody need press.
- ipykernel also notes the click as what threads and other programs speak for. What these print
  while the cell still runs goes to the click as well, and is seen nowhere.
- In ipykernel 7.4 a widget is heard by the thread from which it last spoke. So the fields and
  buttons of one panel are heard by two threads, and not in the order of the clicks.

So from `import workbench` on: panels are heard by the subshell, all in one thread, while a cell
runs; they draw without pyplot and print nothing. Any other widget is heard between two cells, as
it was before there were subshells: its function may draw and print as it likes. And only a cell
ends a cell.
"""

import sys
from importlib import import_module
from threading import current_thread
from typing import Any

OURS = "wb-"  # how a class of each control begins, see widgets/controls.py
STATES = "jupyter.widget.control"  # asks for the state of all widgets when a page is loaded anew


def keep_apart(shell: Any) -> None:
    """Let the kernel of this IPython do so; a terminal and ipykernel 6 do it anyway."""
    kernel = getattr(shell, "kernel", None)
    if getattr(kernel, "shell_channel_thread", None) is None:
        return
    _only_cells_end_cells(shell)
    _clicks_speak_for_themselves(shell)
    _panels_are_heard_at_once()


def _only_cells_end_cells(shell: Any) -> None:
    """No `pre_execute` and `post_execute` of a click while a cell runs, whoever listens."""
    trigger, running = shell.events.trigger, True  # the cell that imports us

    def told(event: str, *args: Any, **options: Any) -> None:
        nonlocal running
        if event in ("pre_execute", "post_execute"):
            asked = (shell.get_parent() or {}).get("header") or {}
            if asked.get("msg_type") == "execute_request":
                running = event == "pre_execute"
            elif running or _beside():
                return
        trigger(event, *args, **options)

    shell.events.trigger = told


def _clicks_speak_for_themselves(shell: Any) -> None:
    """What threads and other programs print belongs to the last cell, not to a click beside it."""
    set_parent = shell.set_parent

    def set_own(parent: Any) -> None:
        (shell.set_thread_parent if _beside() else set_parent)(parent)

    shell.set_parent = set_own


def _panels_are_heard_at_once() -> None:
    """A panel by the thread to which the page sends it, any other widget by that of the cells."""
    comms: Any = import_module("ipykernel.comm.comm")

    def listener(comm: Any, data: Any, sent_to: str | None) -> str | None:
        known = getattr(sys.modules.get("ipywidgets.widgets.widget"), "_instances", {})
        classes = getattr(known.get(comm.comm_id), "_dom_classes", ())
        ours = any(name.startswith(OURS) for name in classes)
        return sent_to if ours or comm.target_name == STATES else None

    comms.BaseComm._reply_subshell_for = listener


def _beside() -> bool:
    """True in a thread that hears clicks while another runs cells."""
    return current_thread().name.startswith("subshell")
