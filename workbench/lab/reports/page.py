"""A page in the making: a notebook, or HTML of our own, through one template.

`page.html.j2` holds the frame and what stands in it for each kind of cell and output. Text from a
notebook enters a page in two ways: escaped by the template, or as HTML through `Page.clean`.
Nothing is executed; of the forms in which an output is stored, the richest that needs no kernel
is shown. The page's security policy allows its own script and pictures that are inside, and
forbids the rest, so it cannot ask the network for anything, whatever stands in the notebook.
"""

import hashlib
import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jinja2 import Template
from markupsafe import Markup, escape
from nbconvert.filters.ansi import strip_ansi
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from workbench._version import __version__
from workbench.files import write_named
from workbench.games.registry import known_game
from workbench.lab import html
from workbench.lab.play.opponents import opponents_for
from workbench.lab.play.session import Session
from workbench.lab.plots.png import Picture
from workbench.lab.reports.cleaning import Cleaner, Rewrite, coloured, outside
from workbench.lab.reports.lessons import title_of
from workbench.lab.reports.maths import formula
from workbench.lab.reports.table_page import BOOK, table_html
from workbench.rules import GameError
from workbench.settings import FrozenDict

HERE = Path(__file__).parent
SCRIPTS = (
    "../widgets/switch.js",
    "../plots/strategy_grid.js",
    "../play/moves.js",
    "../play/drills.js",
    "table_page.js",
    "search.js",
    "page.js",
)
LONG = 10_000  # letters of a paragraph of Markdown, or of a line of code
EMBEDDED = re.compile(r"base64,[\w+/=]+")  # a picture in Markdown, as long as it likes
UP = 2  # folders above the notebook where its pictures may be; not anywhere on the disk
PICTURE = re.compile(rb"\x89PNG|\xff\xd8|GIF8|RIFF|\s*<(\?xml|!|svg)")
TAKEAWAY = re.compile(r"\*\*(?:Takeaway|Look)\.\*\*(.+?)(?:\n\s*\n|\Z)", re.DOTALL)
COLOURLESS = re.compile(r'<span class="(?!k|s|m|c|n[fcd]|fm|ow)\w+">([^<]*)</span>')


@dataclass(frozen=True)
class Report:
    """What was written, and what its maker should know about it."""

    path: Path  # of the page, or of the first page of a course
    size: int  # bytes, of all pages together
    pages: int = 1
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        pages = f"{self.pages} pages, " if self.pages > 1 else ""
        return f"{self.path} ({pages}{max(1, round(self.size / 1000)):,} kB)"


def save(path: Path, text: str, notes: tuple[str, ...] = ()) -> Report:
    """Write a page, whole or not at all."""
    data = text.encode("utf-8")
    write_named(path, data)
    return Report(path, len(data), notes=notes)


def notebook_page(
    notebook: Any, path: Path, *, link: Rewrite = outside, around: str = "", search: str = ""
) -> tuple[str, tuple[str, ...]]:
    """The page of a notebook, and notes about it. around: links to neighbouring pages;
    search: where the page for searching is."""
    made, title = Page(path.parent, link), path.stem.replace("-", " ")
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    if code and not any(cell.outputs for cell in code):
        made.note("no cell has an output; run the notebook and save it, or add --run")
    text = made.render(
        nb=notebook,
        title=title,
        heading="" if title_of(notebook) else made.clean(Markup("<h1>{}</h1>").format(title)),
        path=around,
        search=search,
        ending=f"From the notebook {path.name}",
        foldable=bool(code),
        contents=True,
    )
    return text, made.noted()


@dataclass
class Page:
    """What the template asks for, and notes for the person who makes the page."""

    folder: Path = Path()
    link: Rewrite = outside
    notes: list[str] = field(default_factory=list)
    pictures: int = 0
    undescribed: int = 0  # of those

    def __post_init__(self) -> None:
        self.cleaner = Cleaner(self.link, self._embedded)
        self.clean, self.coloured = self.cleaner.clean, coloured

    def render(self, **parts: Any) -> str:
        """The whole page: a notebook `nb`, or a `body` of our own that begins with its h1."""
        style, *scripts = ((HERE / name).read_text("utf-8") for name in ("page.css", *SCRIPTS))
        script = "".join(scripts)
        digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assets = {"style": Markup(style), "script": Markup(script), "digest": digest}
        frame = template("page.html.j2")
        return frame.render(page=self, version=__version__, **assets, **parts)

    def noted(self) -> tuple[str, ...]:
        """The notes, each once."""
        if self.undescribed:
            self.note(
                f"{self.undescribed} of {self.pictures} pictures have no description of their own; "
                "the takeaway below them stands in for it. Run the notebook again to get one"
            )
        counts = Counter(self.notes).items()
        return tuple(f"{note} ({count} times)" if count > 1 else note for note, count in counts)

    # ---- what the template calls -------------------------------------------------------

    def note(self, text: str) -> str:
        self.notes.append(text)
        return ""

    def markdown(self, source: str, attachments: Mapping[str, Any] | None = None) -> Markup:
        """Markdown as HTML, with formulas; as it stands, where a paragraph is longer than a book's
        page or ten: readers of Markdown look for the end of each sign again and again."""
        if max(map(len, re.split(r"\n\s*\n", EMBEDDED.sub("", source)))) > LONG:
            return self.text(source)
        html = str(_Markdown(renderer=_Renderer(self.notes, attachments or {}))(source))
        return self.clean(re.sub("<p>(?=<strong>Takeaway)", '<p class="takeaway">', html))

    def code(self, source: str) -> Markup:
        """Python in the colours that the style sheet knows; without, in a very long line."""
        if max(map(len, source.split("\n"))) > LONG:
            return Markup(escape(source))
        html = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n")
        return Markup(COLOURLESS.sub(r"\1", html))

    def text(self, said: str, look: str = "output") -> Markup:
        said = strip_ansi(said).rstrip("\n")  # type: ignore[no-untyped-call]
        look += "" if re.search(r"\S  +\S", said) else " prose"  # columns must not be wrapped
        pre = Markup('<pre class="{} scroll" tabindex="0">{}</pre>\n')
        return pre.format(look, said) if said else Markup()

    def figure(self, kind: str, output: Mapping[str, Any], below: Sequence[Any]) -> Markup:
        """A picture; if it has no description, the takeaway in the next cell of prose serves."""
        self.pictures += 1
        metadata = output.get("metadata", {})
        own = metadata.get(kind)
        alt = str((isinstance(own, dict) and own.get("alt")) or metadata.get("alt") or "")
        if not alt:
            self.undescribed += 1
            prose = next((cell.source for cell in below if cell.cell_type == "markdown"), "")
            found = TAKEAWAY.search(prose)
            plain = re.sub(r"[*`$_]|\\[a-z]+", "", " ".join(found[1].split())) if found else ""
            alt = f"Figure. {plain}" if plain else f"Figure {self.pictures} of this notebook."
        return self.image(kind, output["data"][kind], alt)

    def image(self, kind: str, data: str, alt: str) -> Markup:
        """An `img` that needs no other file. data: as notebooks store it."""
        content, drawn = b"", kind == "image/svg+xml"
        with suppress(ValueError):
            content = data.encode() if drawn else b64decode("".join(data.split()), validate=True)
        if not content:
            self.note("a picture is damaged; its description stands there")
            return Markup("<em>[picture: {}]</em>").format(alt)
        places = (16, 20) if kind == "image/png" else ()  # where it says how large it is
        size = tuple(int.from_bytes(content[at : at + 4]) for at in places)
        return Picture(kind, content, alt, size).html

    def play(self, session: Session, alone: bool = False) -> Markup:
        """A card table for the game and the opponents of a session."""
        return self.clean(html.CSS) + table_html(session, alone)

    def table(self, told: Mapping[str, Any]) -> Markup:
        """The card table that the metadata of a cell ask for, {"game": "leduc"}. Anybody may have
        written them: names are names, never those of files."""
        known = ("opponent", "abstraction", "seat")
        try:
            rules = known_game(told["game"], **FrozenDict("options", told.get("options", {})))
            settings = {name: told[name] for name in known if name in told}
            if settings.get("opponent", "equilibrium") not in opponents_for(rules):
                raise GameError(f"{rules.name!r} has no opponent {settings['opponent']!r}")
            return self.play(Session(rules, book=BOOK, **settings))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            self.note(f"there is no card table in the page: {error}")
            return Markup()

    def _embedded(self, url: str) -> str | None:
        """The address of a picture: inside, near the notebook, or not to be had."""
        if url.startswith("data:image/"):
            return url
        path, kind = Path(unquote(url)), guess_type(url, strict=False)[0] or ""
        near = not path.anchor and path.parts.count("..") <= UP and kind.startswith("image/")
        with suppress(OSError, ValueError):  # not every address is a name for a file
            if near and (file := self.folder / path).is_file():
                data = file.read_bytes()
                if PICTURE.match(data):  # and not a secret by another name
                    return Picture(kind, data, "").source
        self.note(f"picture {url} is not beside the notebook; its description stands there")
        return None


def template(name: str) -> Template:
    """A template that stands here."""
    return html.template(HERE / name)


class _Renderer(IPythonRenderer):
    """Markdown as Jupyter reads it, with formulas as MathML."""

    def __init__(self, notes: list[str], attachments: Mapping[str, Any]) -> None:
        super().__init__(escape=False, exclude_anchor_links=True)
        self.notes, self.attached = notes, attachments

    def inline_math(self, body: str) -> str:
        return formula(body, self.notes)

    def block_math(self, body: str) -> str:
        return formula(body, self.notes, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def image(self, text: str, url: str, title: str | None = None) -> str:
        name = unquote(url.removeprefix("attachment:"))
        stored = self.attached.get(name, {}).items()
        url = next((f"data:{kind};base64,{data}" for kind, data in stored), name)
        return str(super().image(text, url, title))


class _Markdown(MarkdownWithMath):
    """Without boxes to tick: a page has none."""

    DEFAULT_PLUGINS = ("strikethrough", "table", "url", "def_list")  # type: ignore[assignment]
