"""One long step that knows no pause, in a process of its own: Stop ends it, and nothing goes on.

Everyday example: a cake in somebody else's oven. One cannot open the door every minute, but one
can ring and say that it is not needed any more.

A linear program is such a step: minutes inside a library that looks neither left nor right.

>>> answer = apart(Job(lambda job: None), "adding up", sum, [1, 2, 3])
>>> answer
6

What cannot be sent to another process (a rule of one's own, from a notebook) is done right here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from workbench.lab.widgets.jobs import Job
from workbench.rules import GameError

LOOK = 0.1  # seconds between two looks at Stop
THERE = "from workbench.lab.widgets.subprocess_call import answer; answer()"


def apart(job: Job, text: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of a function, found by another process, which dies when the job is stopped."""
    try:
        question: bytes | None = pickle.dumps((function, arguments))
    except (AttributeError, TypeError, pickle.PicklingError):
        job.tell(None, text)
        return function(*arguments)
    path = os.pathsep.join(filter(None, sys.path))  # as here, wherever that was started
    process = subprocess.Popen(
        [sys.executable, "-c", THERE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )
    with process:
        try:
            while True:
                job.tell(None, text)
                try:
                    said, _ = process.communicate(question, LOOK)
                    break
                except subprocess.TimeoutExpired:
                    question = None  # it is on its way
        finally:
            process.kill()
    if process.returncode:
        raise GameError(
            "the process that solved this has ended, perhaps for lack of memory; try a smaller "
            "game or an abstraction"
        )
    found, value = pickle.loads(said)
    if not found:
        raise value
    return value


def answer() -> None:
    """What the other process does: read a question, write the answer, and print nothing."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        function, arguments = pickle.load(sys.stdin.buffer)
        said: tuple[bool, Any] = (True, function(*arguments))
    except Exception as error:
        said = (False, error)
    with out:
        pickle.dump(said, out)
