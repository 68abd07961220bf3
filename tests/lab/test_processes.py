"""Processes beside this one: answers, errors, deaths and what they must not disturb."""

import os
import signal
import sys
import threading
from concurrent.futures import wait
from typing import Any

import numpy as np
import pytest

from workbench.lab.processes import LostError, Processes

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals differ")


class PickyError(Exception):
    """It can be written and not read."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)


def fail(error: BaseException | None) -> None:
    raise error or PickyError("picky", "this")


def test_answers_errors_and_what_cannot_be_said():
    with Processes(1) as processes:
        ask = processes.submit
        assert ask(int, "12", base=3).result() == 5
        with pytest.raises(ZeroDivisionError):
            ask(divmod, 1, 0).result()
        with pytest.raises(SystemExit, match="an accident"):
            ask(fail, SystemExit("an accident")).result()
        with pytest.raises(RuntimeError, match="PickyError: picky"):
            ask(fail, None).result()
        with pytest.raises(RuntimeError, match="cannot pickle"):
            ask(threading.Lock).result()
        lock = threading.Lock()
        with pytest.raises(Exception, match="cannot pickle"):
            ask(lambda: lock).result()
        assert ask(divmod, 17, 5).result() == (3, 2)  # it is still the same process


@needs_signals
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSEGV])
def test_one_that_dies_loses_one_job_in_one_line(fault, capfd):
    with Processes(2) as processes:
        others = [processes.submit(divmod, k, 5) for k in range(8)]
        lost = processes.submit(signal.raise_signal, fault)
        others += [processes.submit(divmod, k, 5) for k in range(8, 16)]
        with pytest.raises(LostError, match=rf"^its worker was ended by {fault.name}(,|$)"):
            lost.result()
        assert [one.result() for one in others] == [divmod(k, 5) for k in range(16)]
    assert capfd.readouterr() == ("", "")  # no fault handler, no warnings


def test_what_a_job_prints_is_no_answer(capfd):
    with Processes(1) as processes:
        assert processes.submit(os.write, 1, b"hello\n").result() == 6
        assert processes.submit(os.read, 0, 9).result() == b""  # nor is a job what it may read
        assert processes.submit(print, "again", flush=True).result() is None
    assert capfd.readouterr() == ("", "hello\nagain\n")


def test_the_end_does_not_wait_for_large_jobs(tmp_path):
    """More than a pipe holds, to processes that no longer read."""
    began = tmp_path / "began"
    with Processes(2) as processes:
        large = [processes.submit(_block, str(began), np.zeros(1 << 20)) for _ in range(6)]
        while not began.exists():
            assert not wait(large, timeout=0.01).done
    assert all(one.done() for one in large)


def _block(began: str, array: Any) -> None:
    open(began, "w").close()
    threading.Event().wait()


@needs_signals
def test_ctrl_c_is_left_to_the_owner(run_python):
    """A terminal sends it to all processes of a group, also to those that are just beginning."""
    code = """
import os, signal, time
from workbench.lab.processes import Processes
signal.signal(signal.SIGINT, lambda *_: None)
with Processes(2) as processes:
    jobs = [processes.submit(os.getpgrp) for _ in range(4)]
    while not all(job.done() for job in jobs):
        os.killpg(0, signal.SIGINT)
        time.sleep(0.02)
    assert os.getpgrp() not in {job.result() for job in jobs}
"""
    done = run_python("-c", f"import os; os.setpgrp()\n{code}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
