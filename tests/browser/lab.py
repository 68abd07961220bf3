"""JupyterLab for tests and screenshots: a server in an empty folder, and a notebook in a browser.

    with lab_server(folder) as server, opened(browser, server, ["1 + 1"]) as notebook:
        notebook.run()
        notebook.find("wb-start").click()

Nothing of the user's own Jupyter is read or written.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, ConsoleMessage, Error, FloatRect, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

ROOT = Path(__file__).resolve().parents[2]
WINDOW = {"width": 1280, "height": 1000}
WAIT = 600_000  # milliseconds: more than a busy machine needs that has kept nothing yet

OVERRIDES = """{
  "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false},
  "@jupyterlab/docmanager-extension:plugin": {"autosave": false}
}"""

PAGE = """{
  "buildCheck": false,
  "disabledExtensions": {"@jupyterlab/apputils-extension:splash": true}
}"""  # whether to build itself anew, and a picture while it loads: a second of work each time

READY = """() => {
  const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
  return context?.isReady && context.session?.kernel?.status === "idle";
}"""
HASTE = "import workbench.lab.widgets.play_table as module; module.DOUBLE = 0"  # no click is double


@dataclass(frozen=True)
class Server:
    """A running JupyterLab."""

    url: str
    token: str
    folder: Path


@contextmanager
def lab_server(folder: Path) -> Iterator[Server]:
    """JupyterLab on the folder `work` inside this one."""
    work, own = folder / "work", folder / "jupyter"
    work.mkdir(parents=True)
    (own / "lab" / "settings").mkdir(parents=True)
    (own / "labconfig").mkdir()
    (own / "labconfig" / "default_setting_overrides.json").write_text(OVERRIDES, encoding="utf-8")
    (own / "labconfig" / "page_config.json").write_text(PAGE, encoding="utf-8")
    spec = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]}
    spec |= {"display_name": "Forked", "language": "python", "env": {"FORKED": "1"}}
    (own / "kernels" / "forked").mkdir(parents=True)
    (own / "kernels" / "forked" / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    token = secrets.token_hex(12)
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    environment = {
        **inherited,  # pictures are shown as in any notebook, not as in other tests
        "PYTHONPATH": str(ROOT),
        "IPYTHONDIR": str(own / "ipython"),
        "JUPYTER_CONFIG_DIR": str(own),
        "JUPYTER_PATH": str(own),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(own / "lab" / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(own / "lab" / "workspaces"),
    }
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        [
            sys.executable, "-c", "from tests.forked_kernels import lab; lab()",
            "--no-browser", "--allow-root",
            "--expose-app-in-browser", "--ip=127.0.0.1", f"--port={port}",
            "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
            f"--ServerApp.root_dir={work}",
        ],
        env=environment, cwd=work, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    server = Server(f"http://127.0.0.1:{port}", token, work)
    try:
        _wait_for(server, process, folder / "server.log")
        yield server
    finally:
        process.terminate()  # kernels end with their server
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_for(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + WAIT / 1000
    while True:
        try:
            urllib.request.urlopen(f"{server.url}/api/status?token={server.token}", timeout=5)
            return
        except OSError:
            said = log.read_text(errors="replace")[-2000:]
            assert process.poll() is None, f"JupyterLab did not start: {said}"
            assert time.monotonic() < deadline, f"JupyterLab does not answer: {said}"
            time.sleep(0.2)


@dataclass
class Notebook:
    """A notebook in the browser."""

    page: Page
    errors: list[str] = field(default_factory=list)  # of the page's console

    def run(self) -> None:
        """Start all cells; returns at once."""
        self.page.evaluate(_RUN)

    def ran(self) -> None:
        """Wait until all cells that `run` started have ended."""
        self.page.wait_for_function("() => window.ran", timeout=WAIT, polling=100)

    def ready(self) -> None:
        """Wait until the kernel has a session and nothing to do."""
        self.page.wait_for_function(READY, timeout=WAIT, polling=100)

    def save(self) -> None:
        """Save the notebook, as Ctrl-S does."""
        self.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")

    def find(self, name: str) -> Locator:
        """The widgets with this class."""
        return self.page.locator(f".jp-OutputArea .{name}")

    def says(self, name: str, words: str) -> None:
        """Wait until the widget with this class says this."""
        try:
            self.find(name).filter(has_text=words).first.wait_for()
        except TooLate as error:
            error.add_note(f"{name} says {self.find(name).all_inner_texts()}, not {words!r}")
            raise

    def standing(self) -> str:
        """For whoever reads of a failure: what panels say, and where their threads are."""
        try:
            said = [words for words in self.find("wb-message").all_inner_texts() if words]
            threads = self.page.evaluate(_SOON, [_ASK, _THREADS])
        except Error as error:
            return f"The page does not answer: {error}"
        return f"Messages of the panels: {said}\nThreads of the kernel:\n{threads}"

    def press(self, name: str, words: str = "") -> None:
        """Click on the widget with this class and these words."""
        self.find(name).filter(has_text=words).locator("visible=true").first.click()

    def type_in(self, name: str, value: str) -> None:
        """Fill the field of the widget with this class, and leave it."""
        field = self.find(name).locator("input")
        field.fill(value)
        field.press("Tab")

    def box(self, name: str) -> FloatRect:
        """Where the first visible widget with this class stands."""
        found = self.find(name).locator("visible=true").first.bounding_box()
        assert found is not None
        return found

    def choose(self, name: str, option: str) -> None:
        self.find(name).locator("select").select_option(option)

    def image(self, name: str) -> str:
        """The picture inside the widget with this class, as its bytes in text."""
        return str(self.find(name).locator("img").get_attribute("src"))

    def ask(self, code: str) -> str:
        """What the kernel prints when it runs this, beside the notebook."""
        return str(self.page.evaluate(_ASK, code))

    def too_wide(self, name: str) -> list[str]:
        """What does not fit into the panel with this class when the window is a phone's."""
        self.page.evaluate("() => jupyterapp.shell.collapseLeft()")
        self.page.set_viewport_size({"width": 390, "height": 844})
        panel = self.find(name).first
        for _ in range(600):  # until all is in its place
            wide = panel.evaluate("panel => panel.clientWidth")
            found = list(panel.evaluate(_TOO_WIDE))
            if wide < 390 and not found:
                break
            self.page.wait_for_timeout(50)
        return found


_RUN = """() => {
  window.ran = false;
  jupyterapp.commands.execute('notebook:run-all-cells').finally(() => { window.ran = true; });
}"""
_TOO_WIDE = """panel => {
  const right = part => part.getBoundingClientRect().right;
  const room = right(panel) - parseFloat(getComputedStyle(panel).paddingRight);
  const parts = [...panel.querySelectorAll("button, select, input, img, caption, .wb-felt")];
  return parts.filter(part => right(part) > room + 1).map(part => part.outerHTML);
}"""
_ASK = """async (code) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const future = kernel.requestExecute({code, store_history: false});
  let text = "";
  future.onIOPub = (message) => {
    if (message.header.msg_type === "stream") text += message.content.text;
    if (message.header.msg_type === "error") text += message.content.evalue;
  };
  await future.done;
  return text.trim();
}"""

_SOON = """([ask, code]) => Promise.race([
  eval(ask)(code),
  new Promise(answer => setTimeout(answer, 10_000, "The kernel does not answer.")),
])"""
_THREADS = """import sys, threading, traceback
for thread in threading.enumerate():
    if thread.name.startswith(("workbench", "subshell")):
        print(thread.name, *traceback.format_stack(sys._current_frames()[thread.ident])[-4:])
del thread"""


@contextmanager
def application(browser: Browser, server: Server, **context: Any) -> Iterator[Page]:
    """JupyterLab in a fresh profile, with no notebook yet."""
    profile = browser.new_context(**{"viewport": WINDOW, **context})
    page = profile.new_page()
    page.set_default_timeout(WAIT)
    try:
        page.goto(f"{server.url}/lab?token={server.token}&reset", timeout=WAIT)
        page.wait_for_function("() => window.jupyterapp", timeout=WAIT)
        page.evaluate("() => jupyterapp.restored")
        yield page
    finally:
        profile.close()


@contextmanager
def shown_in(page: Page, name: str) -> Iterator[Notebook]:
    """A notebook that is there, opened in this JupyterLab; its kernel is ready and ends with it."""
    shown = Notebook(page)

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            shown.errors.append(message.text)

    def hear(error: Error) -> None:
        shown.errors.append(str(error))

    page.on("console", listen)
    page.on("pageerror", hear)
    page.evaluate(_OPEN, f"{name}.ipynb")
    try:
        shown.ready()
        yield shown
    finally:
        page.evaluate(_CLOSE)
        page.remove_listener("console", listen)
        page.remove_listener("pageerror", hear)


_OPEN = """async path => {
  const shown = await jupyterapp.commands.execute('docmanager:open', {path});
  await shown.context.ready;
  jupyterapp.shell.activateById(shown.id);
}"""
_CLOSE = """async () => {
  const shown = jupyterapp.shell.currentWidget;
  await shown?.sessionContext?.shutdown();
  shown?.dispose();
}"""


def write(server: Server, cells: Sequence[str], name: str, kernel: str = "python3") -> None:
    """A notebook of these cells, as a file of the server; the kernel `forked` starts at once."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["kernelspec"] = {"name": kernel, "display_name": kernel}
    nbformat.write(notebook, server.folder / f"{name}.ipynb")


@contextmanager
def opened(
    browser: Browser, server: Server, cells: Sequence[str], name: str = "test", **context: Any
) -> Iterator[Notebook]:
    """A notebook of these cells, opened in a fresh profile; its kernel is ready."""
    write(server, cells, name)
    with reopened(browser, server, name, **context) as shown:
        yield shown


@contextmanager
def reopened(browser: Browser, server: Server, name: str, **context: Any) -> Iterator[Notebook]:
    """A notebook that is there, opened in a fresh profile; its kernel is ready."""
    with application(browser, server, **context) as page, shown_in(page, name) as shown:
        yield shown
