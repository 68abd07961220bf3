"""The pictures of the README: `python -m tests.screenshots` makes them all, or those it is told.

"readme" is drawn by matplotlib, the others are panels: each a cell in a real JupyterLab, driven as
a person would, then cut out. A new panel needs its cell, what to press, and a line in `PANELS`.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
from PIL import Image
from playwright.sync_api import sync_playwright

import workbench as wb
from tests.browser.chromium import FLAGS, find_browser
from tests.browser.lab import Notebook, lab_server, opened

TARGET = Path(__file__).parents[1] / "data" / "pictures"
SCALE = 1.5  # pixels of the picture for one of the page: sharp on any screen
COLOURS = 128  # a quarter of the bytes, and nobody sees it
LARGEST = 200_000  # bytes


@dataclass(frozen=True)
class Shot:
    """A cell that shows a panel, and what to do with it before the picture is taken."""

    cell: str
    drive: Callable[[Notebook], None]
    width: int = 1040  # of the window


def solve(notebook: Notebook, run: int, iterations: str) -> None:
    """Press Start, and wait until the table has this run to its end."""
    notebook.press("wb-start")
    row = notebook.page.locator(f".wb-results tbody tr:nth-child({run})")
    row.filter(has_text=iterations).wait_for()
    notebook.page.locator(".wb-stop[disabled]").wait_for()
    notebook.says("wb-progress", "done")


def race(notebook: Notebook) -> None:
    """Three solvers on Leduc, one after the other."""
    for run, solver in enumerate(("cfr", "cfr+", "pcfr+"), 1):
        notebook.choose("wb-solver", solver)
        solve(notebook, run, "2,000")


def forget(notebook: Notebook) -> None:
    """Three abstractions of Leduc: the second sees more than the first, and loses more."""
    left = {"JQ-K": 132, "J.Q.K": 198, "J-QK": 132}
    for run, (name, sets) in enumerate(left.items(), 1):
        notebook.choose("wb-named", name)
        notebook.says("wb-size", f"936 → {sets} information sets")
        solve(notebook, run, "1,000")


def walk(notebook: Notebook) -> None:
    """The Queen, a pass, a bet: call or fold?"""
    for word in ("Q", "J", "pass", "bet"):
        notebook.press("wb-move", word)
    notebook.says("wb-place", "Q pb")
    notebook.says("wb-tables", "CFR+")
    notebook.page.locator(".wb-tree svg[aria-label*='Q J p b is outlined']").wait_for()


def step(notebook: Notebook) -> None:
    """Eleven iterations of CFR."""
    for name, iteration in (("wb-ten", "10"), ("wb-step", "11")):
        notebook.press(name)
        notebook.says("wb-status", iteration)


def stitch(notebook: Notebook) -> None:
    """Three ways to stitch the same experts in."""
    ways = {"static, S = N": "everybody", "static, S = {i}": "each alone", "dynamic": "all in one"}
    for run, (way, words) in enumerate(ways.items(), 1):
        notebook.choose("wb-stitching", f"{way}: {words}")
        notebook.press("wb-solve")
        notebook.says("wb-results", f"{run}: {way.removeprefix('static, ')}")
        notebook.says("wb-progress", "done")
    notebook.press("wb-fold-sizes")
    notebook.says("wb-sizes", "444")


def play(notebook: Notebook) -> None:
    """Check or call to the end."""
    for word in ("Check", "Call", "Check", "Call"):
        moves = notebook.find("wb-move").filter(has_text=word).locator("visible=true")
        moves.click()
        moves.wait_for(state="hidden")
    notebook.says("wb-review", "for your decisions")


PANELS = {
    "solver-panel": Shot("panel = wb.widgets.SolverPanel('leduc', iterations=2000)", race),
    "abstraction-explorer": Shot("panel = wb.widgets.AbstractionExplorer('leduc')", forget),
    "game-browser": Shot("panel = wb.widgets.GameBrowser('kuhn')", walk),
    "cfr-stepper": Shot("panel = wb.widgets.CFRStepper('kuhn')", step),
    "stitching-explorer": Shot("panel = wb.widgets.StitchingExplorer('leduc')", stitch),
    "table": Shot("panel = wb.widgets.PlayTable('leduc', seat=0, seed=3)", play),
}


def draw() -> None:
    """A tree and five solvers."""
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(15, 5.4), width_ratios=[3, 2], layout="constrained"
    )
    wb.plots.plot_game_tree(wb.load_game("kuhn"), left)
    leduc = wb.compile_game(wb.load_game("leduc"))
    names = ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+")
    runs = {name: wb.solve(leduc, name, iterations=2000) for name in names}
    wb.plots.plot_convergence(runs, right, title="Leduc poker: five solvers (lower is better)")
    figure.savefig(TARGET / "readme.png", dpi=120)


def take(names: Sequence[str]) -> None:
    """Photograph these panels."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        lab_server(Path(folder)) as server,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=FLAGS)
        for name in names:
            shot = PANELS[name]
            window = {"width": shot.width, "height": 2000}
            cells = ["import workbench as wb", f"{shot.cell}\npanel"]
            with opened(
                browser, server, cells, name, viewport=window, device_scale_factor=SCALE
            ) as notebook:
                notebook.page.evaluate(
                    "() => jupyterapp.commands.execute('application:toggle-left-area')"
                )
                notebook.run()
                shot.drive(notebook)
                notebook.ask("panel.wait(60)")  # pictures are drawn after the work
                notebook.ready()
                notebook.page.mouse.move(0, 0)
                notebook.page.evaluate("() => document.activeElement.blur()")
                notebook.page.wait_for_timeout(500)  # the last picture arrives
                keep(notebook.find(f"wb-{name}").screenshot(), TARGET / f"{name}.png")
                assert notebook.errors == []
        browser.close()


def keep(picture: bytes, path: Path) -> None:
    """Write a picture with few colours."""
    few = Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    size = path.stat().st_size
    assert size < LARGEST, f"{path.name} has {size:,} bytes"


if __name__ == "__main__":
    asked = sys.argv[1:] or ["readme", *PANELS]
    if "readme" in asked:
        draw()
    take([name for name in PANELS if name in asked])
