"""Numbers and columns of text as people read them, in panels, pictures, pages and a terminal.

>>> rows = [["game", "sets"], ["leduc", number(1234567)], ["kuhn", 12]]
>>> print(*columns(rows, left=[0]), sep="\\n")
game        sets
leduc  1,234,567
kuhn          12
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from numbers import Integral
from typing import Any

from workbench.games import words

PLAIN = str.maketrans({"−": "-", "…": "..", "±": "+-"})  # for terminals of every kind


def number(value: Any, digits: int | None = None, *, sign: bool = False, figures: int = 3) -> str:
    """Whole numbers with commas, others with so many significant figures, or so many digits behind
    the point. A dash if there is none; with `sign`, zero is a plain 0.

    >>> number(1234567), number(0.00123456), number(12345.6), number(float("nan")), number(0.5, 3)
    ('1,234,567', '0.00123', '12,346', '–', '0.500')
    >>> [number(x, 3, sign=True) for x in (-0.5, 0.0, -1e-9, 123.456, 2e4)]
    ['−0.500', '0', '0', '+123.5', '+20,000']
    >>> number(320.25, figures=4), number(2.0, sign=True)
    ('320.2', '+2')
    """
    if value != value:
        return "–"
    plus = "+" if sign and value else ""
    if isinstance(value, Integral):
        return figure(int(value), f"{plus},")
    if digits is None:
        text = figure(value, f"{plus},.{figures}g")
        return figure(value, f"{plus},.0f") if "e+" in text else text
    if abs(value) >= 1000:
        return figure(value, f"{plus},.0f")
    text = words.number(value, 1 if abs(value) >= 100 else digits, sign)
    return "0" if sign and not text.strip("0.") else text


def figure(value: float, form: str) -> str:
    """A number in this form, with a true minus sign."""
    return format(value, form).replace("-", "−")


def judged(tree: Any, who: str = "") -> str:
    """What an exploitability says, with a place for the number: of two players one loses what the
    other wins; in any other game it is what deviating gains.

    >>> from workbench.compiling import compile_game
    >>> from workbench.games.registry import load_game
    >>> [judged(compile_game(load_game("leduc", players=n, ranks=2))) for n in (2, 3)]
    ['loses {} to a perfect opponent', 'a player who alone deviates gains {} on average']
    """
    if tree.num_players == 2 and tree.zero_sum:
        return f"{who} loses {{}} to a perfect opponent".strip()
    return "a player who alone deviates gains {} on average"


def ungrouped(text: str) -> str:
    """A number without what people put between its thousands.

    >>> [ungrouped(text) for text in ("10 000", "1,000,000", "10_000", "10 00", "x")]
    ['10000', '1000000', '10000', '10 00', 'x']
    """
    digits = re.sub(r"(?<=\d)_(?=\d)", "", text.strip())
    grouped = re.fullmatch(r"[+-]?\d{1,3}(,\d{3}|\s\d{3})+", digits)
    return re.sub(r"[,\s]", "", digits) if grouped else digits


def stored_name(solver: str, settings: str) -> str:
    """`solver_name` of one whose settings stand in a table, as Python writes them.

    >>> stored_name("dcfr", "DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)")
    'dcfr(alpha=2.0)'
    """
    from workbench.solvers.base import SOLVERS, find_solver  # a panel of numbers needs no solver

    usual = repr(find_solver(solver)) if solver in SOLVERS else ""
    kind, *given = re.split(r"\(|, ", settings.removesuffix(")"))
    name, *known = re.split(r"\(|, ", usual.removesuffix(")"))
    if kind != name:  # somebody's own
        return settings
    different = [one for one in given if one not in known]
    return f"{solver}({', '.join(different)})" if different else solver


def printable(text: str) -> str:
    r"""A line for a terminal: escape sequences and other control characters are taken out.

    >>> printable("kuhn\x1b[2J\u202e"), printable("50\u00a0%")
    ('kuhn[2J', '50\xa0%')
    """
    return "".join(letter for letter in text if unicodedata.category(letter)[0] != "C")


def columns(rows: Iterable[Sequence[Any]], left: Collection[int] = (), most: int = 99) -> list[str]:
    """Lines for a terminal: each column is as wide as its widest cell, and what is longer than
    `most` sticks out. `left`: the columns of texts."""
    lines = [[str(cell).translate(PLAIN) for cell in row] for row in rows]
    sizes = [[len(cell) for cell in column] for column in zip(*lines, strict=True)]
    widths = [max(size for size in (0, *column) if size <= most) for column in sizes]
    return [
        "  ".join(
            cell.ljust(width) if k in left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
