"""Kernels of notebooks as forks of one process that has imported what notebooks import.

A new kernel spends about four seconds on numba, pandas, matplotlib, the workbench and itself, and
there are dozens of them. Here one process imports them and loads the usual compiled kernels, and
each kernel begins as its copy: a process of its own with its own folder and variables. What speaks
to its kernel when it is imported is forgotten before that, so the copy imports it again.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import time
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from jupyter_client.provisioning import local_provisioner

LIBRARIES = ("IPython.display", "ipykernel.kernelapp", "ipykernel.subshell_manager", "pandas")
LIBRARIES += ("scipy.optimize", "scipy.sparse", "matplotlib.pyplot")
SPEAKING = "workbench", "ipywidgets"

# jsonschema, of nbformat, reads a grammar of international addresses for three seconds if it can.
sys.modules.setdefault("rfc3987_syntax", None)


class Forked:
    """A kernel as `subprocess.Popen` would show it: what jupyter_client asks of a process."""

    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid = pid

    def poll(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self):
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    terminate = kill


@cache
def source():
    """The process whose copies are kernels. It ends with us: its standard input does."""
    command = [sys.executable, "-c", "from tests.forked_kernels import serve; serve()"]
    how = {"cwd": Path(__file__).parent.parent, "start_new_session": True}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    server = subprocess.Popen(command, text=True, **pipes, **how)
    atexit.register(server.communicate)  # closes its input, and waits
    return server


def launch(cmd, *, env, cwd=None, **_):
    """Instead of jupyter_client's: the command is `python -m ipykernel_launcher -f FILE …`."""
    server = source()
    server.stdin.write(json.dumps([cmd[3:], dict(env), cwd]) + "\n")
    server.stdin.flush()
    return Forked(int(server.stdout.readline()))


@pytest.fixture
def forked_kernels(monkeypatch):
    """Whatever starts a kernel in this test starts a copy, where libraries survive a fork."""
    if sys.platform == "linux":
        monkeypatch.setattr(local_provisioner, "launch_kernel", launch)


def lab():
    """JupyterLab as a program; kernels whose settings say FORKED are copies, others as ever."""
    from jupyterlab.labapp import main

    real = local_provisioner.launch_kernel

    def start(cmd, *, env, **how):
        return (launch if "FORKED" in env else real)(cmd, env=env, **how)

    if sys.platform == "linux":
        source()  # it imports while JupyterLab does
        local_provisioner.launch_kernel = start
    main()


def serve():
    """Import the libraries, then fork for each line of standard input."""
    import numba
    import numpy as np

    numba.njit(lambda x: x[0] + 1)(np.ones(1))  # its compiler wakes up, which takes half a second
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel
    for name in LIBRARIES:
        import_module(name)
    import workbench

    for group in (workbench, workbench.play, workbench.plots, workbench.widgets):
        for name in {*group.__all__} - {"write_report"}:  # it takes as long as all others
            getattr(group, name)
    run = workbench.solve("kuhn", iterations=1)  # kernels that most notebooks call
    workbench.exploitability(run.strategy)
    for name in SPEAKING:
        del sys.modules[name]  # whoever imports it tells the notebook's shell
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a copy ended
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        arguments, env, cwd = json.loads(line)
        if os.fork() == 0:
            become_kernel(arguments, env, cwd, answers)


def become_kernel(arguments, env, cwd, answers):
    from ipykernel.kernelapp import launch_new_instance

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    print(os.getpid(), file=answers)
    answers.close()
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd or ".")
    once = "--InlineBackend.print_figure_kwargs={'bbox_inches': None}"  # "tight" draws twice
    begin = "--IPKernelApp.exec_lines=import ipywidgets"
    end = f"--IPKernelApp.parent_handle={os.getppid()}"
    sys.argv[1:] = [*arguments, once, begin, end]
    launch_new_instance()
    os._exit(0)
