"""How long does a notebook take to read, honestly?

    python -m tests.reading_time [FILE…]

Minutes are words / 105, nine seconds a line of code, and 70 seconds a figure or a prediction. These
are the times of first readers with a pencil: they took 626 minutes for lectures 01 to 12 where a
fluent reader who never stops to think (words / 160, six seconds, 45 seconds) takes 413. The section
"Exercises" and what follows it do not count: they are done, not read.
"""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workbench.lab.shelves import notebooks, shelf

WORDS, LINE, FIGURE = 105, 0.15, 7 / 6  # words a minute, minutes a line, minutes a figure
EXERCISES = re.compile(r"^##+ Exercises?\b", re.M)
CLAIMED = re.compile(r"[Aa]bout (\d+) minutes")
NOT_READ = re.compile(r"\]\([^)]*\)|<[^>]+>|^\s*\|?[-:| ]+\|?\s*$", re.M)  # addresses, tags, rules
PANEL = "wb-panel"  # an output of a panel, as HTML


@dataclass(frozen=True)
class Reading:
    """What there is to read in a notebook, and what it says about itself."""

    cells: int
    words: int
    lines: int
    asserts: int
    figures: int  # and predictions
    claimed: int | None

    @property
    def minutes(self) -> float:
        return self.words / WORDS + LINE * self.lines + FIGURE * self.figures


def reading(path: Path) -> Reading:
    """Count a notebook, as it is stored."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    opening = "".join(cells[0]["source"]) if cells else ""
    said = CLAIMED.search(opening)
    cut = (k for k, cell in enumerate(cells) if _prose(cell) and EXERCISES.search(_source(cell)))
    cells = cells[: next(cut, len(cells))]
    words = " ".join(NOT_READ.sub(" ", _source(cell)) for cell in cells if _prose(cell))
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    lines = [line for cell in code for line in _source(cell).splitlines() if line.strip()]
    return Reading(
        cells=len(cells),
        words=sum(bool(re.search(r"\w", word)) for word in words.split()),
        lines=len(lines),
        asserts=sum(line.lstrip().startswith("assert ") for line in lines),
        figures=sum(map(_figures, code)),
        claimed=int(said[1]) if said else None,
    )


@cache
def prose(path: Path) -> list[str]:
    """The Markdown cells of a notebook."""
    return [_source(cell) for cell in json.loads(path.read_text("utf-8"))["cells"] if _prose(cell)]


def _source(cell: dict[str, object]) -> str:
    return "".join(cell["source"])  # type: ignore[arg-type]


def _prose(cell: dict[str, object]) -> bool:
    return cell["cell_type"] == "markdown"


def _figures(cell: dict[str, list[dict[str, dict[str, list[str]]]]]) -> int:
    """Pictures and panels that a cell shows; a prediction counts as one."""
    if "predict(" in "".join(cell["source"]):  # type: ignore[arg-type]
        return 1
    shown = [output.get("data", {}) for output in cell["outputs"]]
    pictures = [any(kind.startswith("image/") for kind in data) for data in shown]
    panels = [PANEL in "".join(data.get("text/html", "")) for data in shown]
    return sum(a or b for a, b in zip(pictures, panels, strict=True))


def table(paths: Iterable[Path]) -> str:
    """A line for each notebook."""
    head = f"{'':52} cells  words  lines  asserts  figures  minutes  claimed"
    rows = [head]
    for path in paths:
        one = reading(path)
        name = f"{shelf(path)}/{path.stem}".lstrip("/")
        rows.append(
            f"{name[:52]:52} {one.cells:5} {one.words:6,} {one.lines:6} {one.asserts:8} "
            f"{one.figures:8} {one.minutes:8.0f} {one.claimed or '–':>8}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table([Path(name) for name in sys.argv[1:]] or notebooks()))
