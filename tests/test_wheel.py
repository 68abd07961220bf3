"""An installed wheel is whole: built, installed beside no checkout, used from an empty folder.

The fresh environment borrows the packages of this one and nothing else: not the checkout, and not
what an editable installation has put into Jupyter's folders. Kernels are not compiled, to be quick.
"""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from tests.conftest import ROOT
from workbench.lab.saving import VIEW
from workbench.lab.shelves import notebooks

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders and signals are POSIX's here")
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)(/\S+)\?token=")
TOKEN = "a-token-for-the-test"
WAIT = 600.0  # seconds: more than a busy machine needs


@dataclass(frozen=True)
class Installed:
    """`run("workbench", …)`: a program of the fresh environment, in an empty folder."""

    folder: Path
    programs: Path
    environment: dict[str, str]

    def start(self, *command, **options):
        command = (str(self.programs / command[0]), *command[1:])
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, **{**more, **options}
        )

    def run(self, *command):
        process = self.start(*command)
        out, err = process.communicate(timeout=WAIT)
        assert process.returncode == 0, err
        return out


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    top = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", top, ROOT]
    subprocess.run([*pip, *build], check=True, cwd=top)
    (wheel,) = top.glob("*.whl")
    here = top / "environment"
    venv.create(here)
    python = here / "bin" / "python"
    (packages,) = here.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    into = ["--python", python, "install", "--no-deps", "--no-index", "--no-compile", wheel]
    subprocess.run([*pip, *into], check=True, cwd=top)
    (top / "empty").mkdir()
    jupyter = Path(sys.prefix, "share", "jupyter")  # JupyterLab's own pages
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return Installed(
        top / "empty",
        here / "bin",
        {
            **kept,
            "HOME": str(top / "home"),
            "JUPYTER_PATH": str(jupyter),
            "JUPYTERLAB_DIR": str(jupyter / "lab"),
            "JUPYTER_TOKEN": TOKEN,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONWARNINGS": "ignore::RuntimeWarning",  # numbers that wrap around, as they should
        },
    )


def test_games_numbers_and_exercises_come_along(installed):
    code = """if True:
        import json, workbench as wb
        from workbench.shipped import CHECKOUT
        found = [len(wb.exercises.load("01").check_queen.hints), str(CHECKOUT), wb.__file__]
        print(json.dumps([wb.list_games(), *found]))"""
    games, hints, checkout, file = json.loads(installed.run("python", "-c", code))
    assert {"gift", "figure1", "kuhn", "leduc"} <= set(games)
    assert hints > 0
    assert checkout == "None"
    assert Path(file).is_relative_to(installed.programs.parent)
    solved = json.loads(installed.run("workbench", "solve", "gift", "--iterations=20", "--json"))
    assert solved["infosets"] == 3
    rows = json.loads(installed.run("workbench", "reproduce", "--json"))
    assert {row["source"] for row in rows} == {
        path.stem for path in (ROOT / "data" / "published").glob("*.csv")
    }
    assert list(installed.folder.iterdir()) == []  # nobody asked for a file


@contextmanager
def lab(installed):
    """`workbench lab --no-browser`: the address of the server, which answers, and the page that it
    opens. It prints the address first and listens a moment later."""
    log = installed.folder.parent / "lab.log"
    with log.open("wb") as file:
        process = installed.start(
            "workbench", "lab", "--no-browser", "--ip=127.0.0.1", "--port=0",
            stdout=file, stderr=subprocess.STDOUT,
        )  # fmt: skip
    deadline, found, refused = time.monotonic() + WAIT, None, "it says no address"
    try:
        while refused:
            said = log.read_text(errors="replace")
            assert process.poll() is None, said
            assert time.monotonic() < deadline, f"{refused}; {said}"
            time.sleep(0.1)
            if found := ADDRESS.search(said):
                try:
                    ask(f"{found[1]}/api/status")
                    refused = ""
                except OSError as error:
                    refused = f"{found[1]} does not answer: {error}"
        assert found
        yield found[1], found[2]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(WAIT)


def ask(address, **options):
    token = {"Authorization": f"token {TOKEN}"}
    request = urllib.request.Request(address, headers=token, **options)
    with urllib.request.urlopen(request, timeout=WAIT) as answer:
        return answer.read()


@pytest.mark.slow
def test_lab_opens_the_students_copy_and_saves_pages(installed):
    data = {VIEW: {"model_id": "1"}, "text/html": "<p>Solver panel</p>"}
    output = nbformat.v4.new_output("display_data", data)
    cells = [nbformat.v4.new_code_cell("panel", outputs=[output])]
    model = {"type": "notebook", "content": nbformat.v4.new_notebook(cells=cells)}
    with lab(installed) as (server, page):
        assert page == "/lab/tree/notebooks/00-start-here.ipynb"
        assert b"jupyter-config-data" in ask(server + page)
        found = json.loads(ask(f"{server}/api/contents/notebooks"))["content"]
        ask(f"{server}/api/contents/mine.ipynb", data=json.dumps(model).encode(), method="PUT")
    names = {one["name"] for one in found}
    assert names >= {path.relative_to(ROOT / "notebooks").parts[0] for path in notebooks()}
    assert {"exercises", "lectures", "solutions"} <= names
    assert [path.name for path in installed.folder.iterdir()] == ["my-course"]
    saved = nbformat.read(installed.folder / "my-course" / "mine.ipynb", as_version=4)
    assert saved.cells[0].outputs[0].data == {"text/html": "<p>Solver panel</p>"}
