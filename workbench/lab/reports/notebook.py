"""A notebook as a page: prose, foldable code, and what the code showed.

Nothing is executed. Outputs are taken as they are stored; of the forms in which an output is
stored the richest that a page without a kernel can show is taken (`FORMS`).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from workbench.lab.reports.cleaning import Outline, clean, coloured
from workbench.lab.reports.maths import Maths
from workbench.lab.reports.rendered_switch import choices
from workbench.lab.widgets import SWITCH

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
IMAGES = ("image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp")
WIDGET = "application/vnd.jupyter.widget-view+json"
TAKEAWAY = re.compile(r"\*\*(?:Takeaway|Look)\.\*\*(.+?)(?:\n\s*\n|\Z)", re.DOTALL)
KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}
KINDS |= {".svg": "image/svg+xml", ".webp": "image/webp"}

Link = Callable[[str], str | None]


def _only_outside(url: str) -> str | None:
    """A page alone: links into the web and inside the page; neighbours are not there."""
    return url if re.match(r"https?:|mailto:|#", url) else None


@dataclass
class Body:
    """What stands between the beginning and the end of a page, and what there is to say of it."""

    folder: Path = Path()
    link: Link = _only_outside
    outline: Outline = field(default_factory=Outline)
    maths: Maths = field(default_factory=Maths)
    html: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # for the person who makes the page
    pictures: int = 0
    switches: int = 0

    # ---- cells ------------------------------------------------------------------------

    def markdown(self, source: str, attachments: Mapping[str, Any] | None = None) -> str:
        """Markdown as HTML, with formulas."""
        import mistune

        def picture(url: str) -> str | None:
            return self._embedded(url, attachments or {})

        renderer = mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True)  # clean checks
        render = mistune.create_markdown(renderer=renderer, plugins=["table", "strikethrough"])
        raw = str(render(self.maths.take_out(source)))
        html = clean(raw, outline=self.outline, link=self.link, picture=picture)
        return html.replace("<p><strong>Takeaway.", '<p class="takeaway"><strong>Takeaway.')

    def code(self, source: str, number: int | None) -> str:
        first = next((line for line in source.splitlines() if line.strip()), "")
        return (
            f'<details class="code" open><summary>Code{f" {number}" if number else ""}'
            f'<span class="first">: <code>{escape(first)}</code></span></summary>'
            f'<pre class="scroll" tabindex="0"><code>{_highlighted(source)}</code></pre>'
            "</details>\n"
        )

    def output(self, output: Mapping[str, Any], words: str) -> str:
        """One output of a cell; `words` describe a picture that has no description of its own."""
        kind = output["output_type"]
        if kind == "stream":
            look = "output complaint" if output.get("name") == "stderr" else "output"
            return self._text(str(output["text"]), look)
        if kind == "error":
            self.notes.append(f"a cell ends in an error: {output['ename']}: {output['evalue']}")
            return self._text("\n".join(output["traceback"]), "output complaint")
        data, metadata = output["data"], output.get("metadata", {})
        if SWITCH in data:
            self.switches += 1
            return choices(data[SWITCH], self.switches)
        for image in IMAGES:
            if image in data:
                alt = str(metadata.get(image, {}).get("alt") or metadata.get("alt") or "")
                return self.figure(image, data[image], alt, words)
        if "text/html" in data:
            html = clean(str(data["text/html"]), outline=self.outline, link=self.link)
            look = "output paper" if coloured(html) else "output"
            return f'<div class="{look}">{html}</div>\n'
        if "text/markdown" in data:
            return f'<div class="output">{self.markdown(str(data["text/markdown"]))}</div>\n'
        if "text/latex" in data:
            return (
                f'<div class="output"><p>{self.maths.take_out(str(data["text/latex"]))}</p></div>\n'
            )
        if WIDGET in data:
            self.notes.append("a panel needs a running notebook; the page says so in its place")
            return (
                '<p class="output soft">(In the notebook, an interactive panel stands here.)</p>\n'
            )
        return self._text(str(data.get("text/plain", "")), "output")

    def figure(self, kind: str, stored: str | list[str], alt: str, words: str) -> str:
        """A picture; if it has no description, what is said below it serves."""
        self.pictures += 1
        if not alt:
            self.notes.append(f"picture {self.pictures} has no description of its own")
            alt = words or f"Figure {self.pictures} of this notebook."
        text = stored if isinstance(stored, str) else "".join(stored)
        if kind == "image/svg+xml":
            text = base64.b64encode(text.encode()).decode("ascii")
        text = "".join(text.split())
        size = ""
        if kind == "image/png":  # its size is written at a fixed place
            head = base64.b64decode(text[:32])
            width, height = (int.from_bytes(head[at : at + 4]) for at in (16, 20))
            size = f' width="{width}" height="{height}" style="--wide: {width}"'
        return (
            f'<figure class="output scroll" tabindex="0"><img alt="{escape(alt)}"{size} '
            f'src="data:{kind};base64,{text}"></figure>\n'
        )

    # ---- details ----------------------------------------------------------------------

    def _text(self, text: str, look: str) -> str:
        text = ANSI.sub("", text).rstrip("\n")
        look += "" if re.search(r"\S  +\S", text) else " prose"  # columns must not be wrapped
        return f'<pre class="{look} scroll" tabindex="0">{escape(text)}</pre>\n' if text else ""

    def _embedded(self, url: str, attachments: Mapping[str, Any]) -> str | None:
        """The address of a picture in Markdown: attached, beside the notebook, or not to be had."""
        if url.startswith("data:image/"):
            return url
        if url.startswith("attachment:"):
            for kind, data in attachments.get(unquote(url[11:]), {}).items():
                return f"data:{kind};base64,{''.join(data)}"
        file = self.folder / unquote(url)
        kind = KINDS.get(file.suffix.lower(), "")
        if not re.match(r"\w+:", url) and kind and file.is_file():
            return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode('ascii')}"
        self.notes.append(f"picture {url} is not beside the notebook; its description stands there")
        return None


def notebook_body(notebook: Any, folder: Path = Path(), *, link: Link = _only_outside) -> Body:
    """The cells of a notebook (nbformat 4), one after the other."""
    body = Body(folder, link)
    cells = list(notebook.cells)
    for k, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            body.html.append(body.markdown(cell.source, cell.get("attachments")))
        elif cell.cell_type == "code" and cell.source.strip():
            body.html.append(body.code(cell.source, cell.get("execution_count")))
            words = _words_below(cells[k + 1 :])
            body.html += [body.output(output, words) for output in cell.outputs]
    return body


def _words_below(cells: list[Any]) -> str:
    """The takeaway in the next cell of prose, without its markup."""
    prose = next((cell.source for cell in cells if cell.cell_type == "markdown"), "")
    found = TAKEAWAY.search(prose)
    plain = re.sub(r"[*`$_]|\\[a-z]+", "", " ".join(found[1].split())) if found else ""
    return f"Figure. {plain}" if plain else ""


def _highlighted(source: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    kept = {"k", "kn", "kc", "kd", "ow", "s", "s1", "s2", "sd", "sa", "si", "se", "mi", "mf", "mh"}
    kept |= {"c1", "c", "cm", "nf", "nc", "nd", "fm"}
    html = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
    return re.sub(  # names and signs have no colour of their own
        r'<span class="(\w+)">([^<]*)</span>',
        lambda found: found[0] if found[1] in kept else found[2],
        html,
    )
