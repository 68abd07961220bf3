"""What the tests of panels share."""

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import workbench as wb
from workbench.lab.widgets.jobs import Job

SOON = 600.0  # seconds: more than a busy machine needs that compiles kernels for the first time


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("workbench")]


def until(true: Callable[[], Any]) -> None:
    """Wait for something that must come true."""
    deadline = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


def endless(job: Job) -> None:
    for k in range(1_000_000):
        time.sleep(0.01)
        job.tell(k / 1_000_000, f"step {k}", value=k)


def text(html: str) -> str:
    """What a reader sees, in one line."""
    html = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def said(panel: Any) -> str:
    """The message of a panel, if it shows one."""
    return str(panel.message.value) if panel.message.layout.display == "" else ""


def press(panel: Any, name: str) -> None:
    """Press a button of a panel and wait for what becomes of it."""
    getattr(panel, f"{name}_button").click()
    assert panel.wait(SOON), said(panel)


def put(panel: Any, control: Any, value: Any) -> None:
    """Set a control of a panel and wait for what becomes of it."""
    control.value = value
    assert panel.wait(SOON), said(panel)


def same(a: wb.Run, b: wb.Run) -> bool:
    return a.iterations == b.iterations and np.array_equal(a.strategy.probs, b.strategy.probs)


def repeated(code: str, **given: Any) -> wb.Run:
    """What the copied cell finds."""
    exec(code, given)
    run = given["run"]
    assert isinstance(run, wb.Run)
    return run


def stitches_as_told(explorer: Any, **names: Any) -> bool:
    """Whether the code that a stitching explorer shows makes its strategy."""
    exec(explorer.code_box.value, names)
    (result,) = explorer.done
    return np.array_equal(names["stitched"].probs, result.stitched.strategy.probs)
