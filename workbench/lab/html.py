"""What a notebook shows as HTML: one table, one style sheet; numbers are written by `text.py`.

A cell is a text, which is escaped, a number, or `Html`, which is shown as it is; `show` is the one
place where that is decided, and `Html("<b>{}</b>").format(text)` goes through it. So do pages and
the places of panels: whoever forgets to say `Html` sees his tags, and runs nothing. Nothing depends
on colour alone, and the style sheet (`notebook.css`) follows the theme of JupyterLab.

>>> page = table([["a<b", 1234567, bar(0.25)]], "Games", head=("name", "sets", "share"))
>>> '<td class="left">a&lt;b</td><td>1,234,567</td><td>0.250<span' in page
True
>>> "<caption>Games</caption>" in page, page.count("<th ")
(True, 3)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from markupsafe import Markup

from workbench.lab.text import number
from workbench.later import pd

STRESSED = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")

if TYPE_CHECKING:
    from jinja2 import Template


class Html(Markup):
    """Markup: shown as it is. What is put into it or added to it is escaped, unless it is markup.

    >>> print(Html("<p>{} {}</p>").format("a<b", Html("<b>x</b>")) + "<br>")
    <p>a&lt;b <b>x</b></p>&lt;br&gt;
    """

    def format(self, *parts: Any, **named: Any) -> Self:
        shown = {name: show(part) for name, part in named.items()}
        return type(self)(str.format(self, *map(show, parts), **shown))


NOTHING = Html()  # NOTHING.join(…) puts pieces together
CSS = Html(f"<style>{Path(__file__).with_name('notebook.css').read_text(encoding='utf-8')}</style>")


@cache
def template(path: Path) -> Template:
    """Markup with gaps, in a file: what is put into them is escaped, unless it is markup."""
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(loader=FileSystemLoader(path.parent), autoescape=True)
    return environment.get_template(path.name)


def scripted(path: Path, *more: str, **parts: Any) -> Html:
    """The template beside a file, filled, and its script, after `more` scripts there. They run when
    they are shown: a page of Jupyter runs no `script` elements."""
    names = *more, path.with_suffix(".js").name
    script = "".join(path.with_name(name).read_text("utf-8") for name in names)
    page = Html(template(path.with_suffix(".html.j2")).render(parts))
    return CSS + page + Html('<style onload="{}"></style>').format(script)


def signed(value: float, digits: int = 3) -> str:
    """A gain or a loss."""
    return number(float(value), digits, sign=True)


def bar(share: float, text: str | None = None) -> Html:
    """A share as a number, or other words, and as a bar."""
    if share != share:
        return Html("–")
    width = 100.0 * min(max(share, 0.0), 1.0)
    drawn = f'<span class="wb-share" aria-hidden="true"><span style="width:{width:.1f}%"></span>'
    return Html(f"{number(float(share), 3) if text is None else show(text)}{drawn}</span>")


def bold(value: Any) -> Html:
    return Html("<b>{}</b>").format(value)


def quiet(value: Any) -> Html:
    """What is said in passing, such as what will stand here."""
    return Html('<span class="wb-quiet">{}</span>').format(value)


def status(value: Any) -> Html:
    """How things stand, told to screen readers whenever it changes."""
    return Html('<span role="status">{}</span>').format(value)


def abbreviation(name: Any, means: str) -> Html:
    """A name that explains itself."""
    return Html('<abbr title="{}">{}</abbr>').format(means, name)


def show(value: Any) -> Html:
    """A value as HTML; None is nothing."""
    if isinstance(value, Html):
        return value
    if isinstance(value, (Integral, float)) and not isinstance(value, bool):
        return Html(number(value))
    return Html("" if value is None else escape(str(value)))


def table(
    rows: pd.DataFrame | Iterable[Sequence[Any]],
    caption: str = "",
    *,
    head: Sequence[Any] = (),
    left: Collection[int] = (0,),
    kinds: Mapping[int, str] | None = None,
    marks: Sequence[Any] = (),
    named: bool = False,
    look: str = "wb",
) -> Html:
    """A table that scrolls where there is no room for it: a DataFrame, or rows of cells and
    their `head`. `left`: the columns of texts (a DataFrame knows them). `kinds`: classes of rows,
    by number. `marks`: a sign before each row, such as that of its line in a figure. `named`: the
    first cell is the name of its row. `look`: a class that a page knows; the page then scrolls it.
    """
    frame: Any = rows if hasattr(rows, "itertuples") else None
    if frame is not None:
        head, rows = list(frame), frame.itertuples(index=False)
        left = [k for k, kind in enumerate(frame.dtypes) if kind.kind not in "iuf"]
    side = dict.fromkeys(left, ' class="left"')
    heads = "".join(
        f'<th scope="col"{side.get(k, "")}>{show(name)}</th>' for k, name in enumerate(head)
    )
    lines = [f"<thead><tr>{heads}</tr></thead><tbody>" if heads else "<tbody>"]
    row: Any
    for r, row in enumerate(rows):
        cells = [f"<td{side.get(k, '')}>{show(cell)}</td>" for k, cell in enumerate(row)]
        if named:
            cells[0] = f'<th scope="row">{show(row[0])}</th>'
        if marks:
            cells[0] = cells[0].replace(">", f">{show(marks[r])} ", 1)
        kind = f' class="{kinds[r]}"' if kinds and r in kinds else ""
        lines.append(f"<tr{kind}>{''.join(cells)}</tr>")
    said = f"<caption>{show(caption)}</caption>" if caption else ""
    made = f'<table class="{look}">{said}{"".join(lines)}</tbody></table>'
    return Html(f'<div class="wb-scroll">{made}</div>' if look == "wb" else made)


def actions(shown: Iterable[tuple[Any, Any, float, str]]) -> Html:
    """Actions side by side in one cell: (name, number, how much of its ground is coloured, mark).

    >>> page = actions([("p", "0.500", 0.5, ""), ("b", "0.500", 0.5, "▲")])
    >>> page.count('class="wb-act'), page.count("wb-new")
    (2, 1)
    """
    found = []
    for name, text, share, mark in shown:
        ground = f"rgba(61, 143, 199, .28) {100 * share:.1f}%, transparent {100 * share:.1f}%"
        style = f' style="background-image: linear-gradient(90deg, {ground})"' if share else ""
        found.append(
            f'<span class="wb-act{" wb-new" if mark else ""}"{style}><small>{show(name)}</small> '
            f'{show(text)}<span class="wb-mark">{mark}</span></span>'
        )
    return Html("".join(found))


def side_by_side(blocks: Mapping[str, Html]) -> Html:
    """Blocks of HTML with a name each, side by side where there is room."""
    one = Html('<div><div class="wb-name">{}</div>{}</div>')
    shown = NOTHING.join(one.format(name, block) for name, block in blocks.items())
    return Html('<div class="wb-side">{}</div>').format(shown)


def marked(text: str) -> Html:
    """Text as HTML; what stands between backticks is code, between asterisks stressed.

    >>> print(marked("Use `a < b`, *never* `a * b * c`."))
    Use <code>a &lt; b</code>, <em>never</em> <code>a * b * c</code>.
    """
    parts = re.split(r"`([^`]+)`", escape(text, quote=False))
    parts[::2] = [STRESSED.sub(r"<em>\1</em>", part) for part in parts[::2]]
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return Html("".join(parts))


def remark(html: Html, colour: str, name: str, role: str = "") -> Html:
    """Something said in an output of its own, a coloured line beside it. It brings its style along:
    of a notebook that is not trusted yet Jupyter shows no style sheets, but such attributes."""
    what = Html('class="{}" role="{}"' if role else 'class="{}"').format(name, role)
    return Html(
        '<div {} style="border-left: 5px solid {}; '
        'padding: 3px 12px; margin: 3px 0; max-width: 50em; line-height: 1.5">{}</div>'
    ).format(what, colour, html)


def framed(html: Html) -> Html:
    """A panel on a page without widgets."""
    return CSS + Html('<div class="wb-panel wb-still">{}</div>').format(html)


def bare(html: Html) -> Html:
    """Something that stands on its own, without a frame."""
    return CSS + Html('<div class="wb-bare">{}</div>').format(html)
