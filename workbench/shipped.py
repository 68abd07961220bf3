"""What comes along with the code: games as text, published numbers, kept results, the course.

In a checkout they stand beside the package, in `data` and `notebooks`. A wheel carries both
inside the package, in `workbench/_shipped`. Whoever needs one of these files asks here.

>>> (shipped("data/games") / "gift.txt").is_file()
True
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSIDE = _PACKAGE / "_shipped"  # made by the build, see pyproject.toml

CHECKOUT = None if _INSIDE.is_dir() else _PACKAGE.parent  # None: an installed wheel


def shipped(name: str) -> Path:
    """A file or folder that comes along, by its path in a checkout."""
    return (CHECKOUT or _INSIDE) / name
