"""Processes beside this one: each does one job at a time and dies with whoever started it.

A job (a function and its arguments) and its answer travel through pipes as pickles; cloudpickle
takes along what a script or a notebook has defined. A process that dies takes its one job with it
and no other; the next job finds a new one.

>>> with Processes(2) as processes:
...     [processes.submit(divmod, 17, k).result() for k in (5, 6)]
[(3, 2), (2, 5)]
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

BEGIN = """import sys; sys.path[:] = sys.argv[1:]
from workbench.lab.processes import serve; serve()"""


class LostError(RuntimeError):
    """A process has ended in the middle of its job."""


class Processes(Executor):
    """So many processes, each begun when it is first needed; all are killed in the end."""

    def __init__(self, number: int) -> None:
        self._all = [_Process() for _ in range(number)]
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for process in self._all:
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(number, "workbench worker")  # each waits for one

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **names: Any) -> Future[Any]:
        return self._threads.submit(self._ask, function, arguments, names)

    def _ask(self, *job: Any) -> Any:
        process = self._idle.get()
        try:
            return process.ask(job)
        finally:
            self._idle.put(process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """What is still out is lost."""
        for process in self._all:
            process.kill()
        self._threads.shutdown(wait, cancel_futures=True)
        for process in self._all:
            process.bury()


class _Process:
    def __init__(self) -> None:
        self._lock, self._over = threading.Lock(), False
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, job: Any) -> Any:
        import cloudpickle

        try:
            sent = cloudpickle.dumps(job)
        except Exception as error:
            raise pickle.PicklingError(f"cannot pickle what a worker needs: {error}") from None
        with self._lock:
            if self._over:
                raise LostError("nobody waits for it any more")
            process = self._process = self._process or _begin()
        assert process.stdin
        assert process.stdout
        try:
            pickle.dump(sent, process.stdin)
            process.stdin.flush()
            answer = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise LostError(f"its worker {self.bury()}") from None
        value, failure = pickle.loads(answer)
        if failure is not None:
            raise failure
        return value

    def kill(self) -> None:
        with self._lock:
            self._over = True
            if self._process is not None:
                self._process.kill()

    def bury(self) -> str:
        """Leave nothing behind; how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "has ended"
        process.kill()  # nothing happens to one that has ended
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                assert pipe
                pipe.close()
        with suppress(ValueError):  # of numbers that are no signal
            name = signal.Signals(-code).name
            memory = ", perhaps for lack of memory" if name == "SIGKILL" else ""
            return f"was ended by {name}{memory}"
        return f"ended with exit code {code}"


def _begin() -> subprocess.Popen[bytes]:
    """A new process that does not hear Ctrl-C: a terminal sends it to a whole group, but it is
    the owner's to answer."""
    how: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "env": {**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # as many processes as cores are enough
    }
    command = [sys.executable, "-c", BEGIN, *sys.path]
    if sys.platform == "win32":
        return subprocess.Popen(command, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP, **how)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # until it has its own group
    try:
        return subprocess.Popen(command, process_group=0, **how)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve() -> None:
    """Inside of such a process: one job after another, until whoever sends them is gone."""
    import cloudpickle

    if sys.platform != "win32":
        usual = signal.signal(signal.SIGINT, signal.SIG_IGN)  # forget one that waits, see `_begin`
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        signal.signal(signal.SIGINT, usual)
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)  # what a game prints is no answer
    except OSError:  # standard error is closed
        os.dup2(nowhere, 1)
    jobs: SimpleQueue[bytes] = SimpleQueue()

    def listen() -> None:
        try:
            while True:
                jobs.put(pickle.load(asked))
        finally:
            os._exit(1)  # also in the middle of a job

    threading.Thread(target=listen, daemon=True).start()
    while True:
        value, failure = None, None
        try:
            function, arguments, names = pickle.loads(jobs.get())
            value = function(*arguments, **names)
        except BaseException as error:
            failure = error
        try:
            answer = cloudpickle.dumps((value, failure))
            if failure is not None:
                pickle.loads(answer)  # some errors can be written and not read
        except Exception as error:
            failed = failure or error
            text = f"{type(failed).__name__}: {failed}"
            answer = pickle.dumps((None, RuntimeError(text)))
        pickle.dump(answer, answers)
        answers.flush()
