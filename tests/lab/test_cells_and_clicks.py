"""A kernel hears clicks while a cell runs, and the cell keeps all it shows; without a browser."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

WAIT = 60  # seconds: more than a busy machine needs
PLOT, OURS = "import matplotlib.pyplot as plt", "import workbench"
FIELDS = """import ipywidgets as widgets, os, threading, time
heard = []

def field(name, said):
    made = widgets.IntText().add_class(name)
    def note(change):
        heard.append(change['new'])
        said()
    made.observe(note, 'value')
    print(made.comm.comm_id)
    return made

def until(count):
    end = time.monotonic() + 60
    while len(heard) < count and time.monotonic() < end:
        time.sleep(0.01)
    assert len(heard) >= count, heard
"""


class Kernel:
    """A kernel and a page that speaks to it as JupyterLab does."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        asked = client.session.msg("create_subshell_request")
        client.control_channel.send(asked)
        self.subshell = self._answer(client.get_control_msg, asked)["content"]["subshell_id"]

    def _answer(self, get: Any, asked: Any) -> Any:
        while True:
            message = get(timeout=WAIT)
            if message["parent_header"].get("msg_id") == asked["header"]["msg_id"]:
                return message

    def start(self, code: str) -> str:
        return str(self.client.execute(code))

    def beside(self, kind: str, content: Any) -> str:
        """Send this to the subshell; the id of the message."""
        message = self.client.session.msg(kind, content)
        message["header"]["subshell_id"] = self.subshell
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def click(self, comm: str, value: int) -> str:
        """Set the field to this value, as the page does; the id of the message."""
        data = {"method": "update", "state": {"value": value}, "buffer_paths": []}
        return self.beside("comm_msg", {"comm_id": comm, "data": data})

    def shown(self, *asked: str) -> dict[str, tuple[int, str]]:
        """When all of these have ended: the pictures and the text that each has shown."""
        pictures, text, busy = dict.fromkeys(asked, 0), dict.fromkeys(asked, ""), set(asked)
        while busy:
            message = self.client.get_iopub_msg(timeout=WAIT)
            whose, content = message["parent_header"].get("msg_id"), message["content"]
            if whose not in text:
                continue
            text[whose] += content.get("text", "") + content.get("evalue", "")
            pictures[whose] += "image/png" in content.get("data", {})
            if content.get("execution_state") == "idle":
                busy.discard(whose)
        return {one: (pictures[one], text[one]) for one in asked}

    def run(self, code: str) -> str:
        """What a cell prints."""
        cell = self.start(code)
        return self.shown(cell)[cell][1].strip()


@contextmanager
def started() -> Iterator[Kernel]:
    """With pictures, and programs that are heard, as in a notebook: not as in other tests."""
    others = ("MPLBACKEND", "PYTEST_CURRENT_TEST")
    env = {name: value for name, value in os.environ.items() if name not in others}
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(env=env, extra_arguments=["--log-level=40"])
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=WAIT)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture
def fresh() -> Iterator[Kernel]:
    with started() as one:
        yield one


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """What the tests share that do not ask what was imported first."""
    with started() as one:
        one.run(f"{PLOT}\n{OURS}")
        yield one


def wait_and_plot(count: int) -> str:
    """A cell that begins a figure, and goes on when so many clicks have been heard."""
    return f"fig, ax = plt.subplots()\nuntil({count})\nax.plot([1, 2]);"


@pytest.mark.parametrize(
    "cells",
    [(PLOT, OURS), (OURS, "%pylab inline"), (PLOT, "plt.plot([1, 2])", OURS)],
    ids=lambda cells: " · ".join(cells),
)
def test_a_cell_keeps_its_figure_while_a_panel_is_used(fresh, cells):
    """Whatever is imported first. When the second click is heard, the first one has ended."""
    for code in cells:
        fresh.run(code)
    fresh.run(FIELDS)
    comm = fresh.run("ours = field('wb-field', lambda: None)")
    cell = fresh.start(wait_and_plot(2))
    clicks = [fresh.click(comm, value) for value in (1, 2)]
    shown = fresh.shown(cell, *clicks)
    assert shown.pop(cell)[0] == 1
    assert {pictures for pictures, _ in shown.values()} == {0}
    assert fresh.run("print(plt.get_fignums())") == "[]"


def test_a_cell_that_awaits_keeps_its_figure(kernel):
    kernel.run(FIELDS)
    comm = kernel.run("plain = field('plain', lambda: None)")
    cell = kernel.start(
        "import asyncio\nfig, ax = plt.subplots()\n"
        "while len(heard) < 2:\n    await asyncio.sleep(0.01)\nax.plot([1, 2])"
    )
    for value in (1, 2):
        kernel.click(comm, value)
    assert kernel.shown(cell)[cell][0] == 1


def test_the_function_of_a_plain_widget_waits_and_shows_its_own_figure(kernel):
    """It may use pyplot, so a cell that draws must have ended."""
    kernel.run(FIELDS)
    ours = kernel.run("ours = field('wb-field', lambda: None)")
    plain = kernel.run(
        "def draw():\n    print(threading.current_thread() is threading.main_thread())\n"
        "    plt.plot([2, 1])\n    plt.show()\nplain = field('plain', draw)"
    )
    cell = kernel.start(wait_and_plot(2))
    drawn, *others = [kernel.click(plain, 7), kernel.click(ours, 1), kernel.click(ours, 2)]
    shown = kernel.shown(cell, drawn, *others)
    assert shown[cell][0] == 1
    assert shown[drawn] == (1, "True\n")
    assert kernel.run("print(heard)") == "[1, 2, 7]"


def test_threads_and_programs_of_a_cell_print_there(kernel):
    """Also when a click has been heard meanwhile. What a program says may come a little later."""
    kernel.run(FIELDS)
    comm = kernel.run("ours = field('wb-field', lambda: None)")
    cell = kernel.start(
        "until(1)\nthread = threading.Thread(target=print, args=('a thread',))\n"
        "thread.start()\nthread.join()\nos.system('echo a program')\nprint('the cell')"
    )
    kernel.click(comm, 1)
    said = {"a thread": "", "a program": "", "the cell": ""}
    while not all(said.values()):
        message = kernel.client.get_iopub_msg(timeout=WAIT)
        for line in message["content"].get("text", "").split("\n"):
            if line in said:
                said[line] = message["parent_header"]["msg_id"]
    assert set(said.values()) == {cell}


def test_clicks_are_heard_in_their_order(kernel):
    """ipykernel 7.4 would let two threads hear them when one of the fields, but not the other, has
    been changed by a thread after the page spoke to the subshell."""
    kernel.run(FIELDS)
    comms = kernel.run("first, second = (field('wb-field', lambda: None) for _ in '12')").split()
    kernel.run(
        "def speak():\n    get = get_ipython().kernel.get_parent\n"
        "    while get()['header']['msg_type'] != 'kernel_info_request':\n"
        "        time.sleep(0.01)\n"
        "    second.description = 'changed'\n    print('spoken')\n"
        "threading.Thread(target=speak).start()"
    )
    kernel.beside("kernel_info_request", {})
    while kernel.client.get_iopub_msg(timeout=WAIT)["content"].get("text") != "spoken\n":
        pass
    values = list(range(1, 401))
    kernel.shown(*[kernel.click(comms[value % 2], value) for value in values])
    assert kernel.run("print(heard)") == str(values)
