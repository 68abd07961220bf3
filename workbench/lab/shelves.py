"""Where the notebooks of the course stand: at the top, in lectures, in labs, in projects.

    notebooks/00-start-here.ipynb, glossary.ipynb, syllabus.ipynb
    notebooks/lectures/01-what-does-it-mean-to-play-well.ipynb …
    notebooks/labs/… · notebooks/projects/… · notebooks/solutions/…

Whoever needs them asks here: the pages of the course, the tests, `make notebooks`.

>>> [shelf for shelf in SHELVES if shelf]
['lectures', 'labs', 'projects']
>>> key(notebooks()[0]), key(Path("04-what-does-it-cost.ipynb")), key(Path("own-game.ipynb"))
('00', '04', 'own-game')
"""

import re
import sys
from os.path import relpath
from pathlib import Path

from workbench.shipped import shipped

SHELVES = {"": "Start here", "lectures": "Lectures", "labs": "Labs", "projects": "Projects"}


def notebooks(folder: Path | None = None) -> list[Path]:
    """All notebooks of a course, shelf by shelf, in the order of their names; no solutions."""
    home = shipped("notebooks") if folder is None else folder
    return [path for shelf in SHELVES for path in sorted((home / shelf).glob("*.ipynb"))]


def solutions(folder: Path | None = None) -> list[Path]:
    """The worked solutions, each named like its notebook."""
    home = shipped("notebooks") if folder is None else folder
    return sorted((home / "solutions").glob("*.ipynb"))


def shelf(path: Path) -> str:
    """The shelf on which a notebook stands: the name of its folder, "" at the top."""
    return path.absolute().parent.name if path.absolute().parent.name in SHELVES else ""


def key(path: Path) -> str:
    """What its exercises and claims are called: the number in front, else the whole name."""
    number = re.match(r"\d\d(?=-)", path.stem)
    return number[0] if number else path.stem


if __name__ == "__main__":  # for the Makefile
    sys.stdout.write("".join(f"{relpath(path)}\n" for path in (*notebooks(), *solutions())))
