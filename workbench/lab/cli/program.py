"""The program `workbench`: `main`, which Ctrl-C ends at any moment without a traceback.

Until `main` is there, nothing can be lost, and Ctrl-C simply ends the process: the first lines of
`workbench/__init__.py` see to that. From then on it is a KeyboardInterrupt. Two things are done for
libraries that do not expect one: in the middle of LLVM, which calls back into Python and drops what
is raised there, it comes a little later; and what fails in other words after a Ctrl-C, such as an
import that was broken off, was interrupted, too.
"""

import _thread
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

LATER = 0.05  # seconds
LLVM = f"{os.sep}llvmlite{os.sep}"
INTERRUPTED = 128 + signal.SIGINT

_pressed: list[int] = []  # signals
_coming: list[int] = []  # a thread that presses again, at most one


def run() -> int:
    """Run the command of this process; its exit code."""
    from workbench.lab.cli.main import main

    heard = signal.getsignal(signal.SIGINT) != signal.SIG_IGN  # as it is for `workbench … &`
    try:
        if heard:
            sys.unraisablehook = _dropped
            signal.signal(signal.SIGINT, _press)
        return main()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        if _pressed:
            return INTERRUPTED
        raise
    finally:
        if heard:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # while Python ends


def _press(number: int, frame: FrameType | None) -> None:
    _pressed.append(number)
    while frame is not None:
        if LLVM in frame.f_code.co_filename:
            return _press_later()
        frame = frame.f_back
    raise KeyboardInterrupt


def _dropped(error: Any) -> None:
    if issubclass(error.exc_type, KeyboardInterrupt):
        _press_later()
    else:
        sys.__unraisablehook__(error)


def _press_later() -> None:
    if not _coming:
        _coming.append(_thread.start_new_thread(_wait_and_press, ()))


def _wait_and_press() -> None:
    time.sleep(LATER)
    _coming.clear()
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
