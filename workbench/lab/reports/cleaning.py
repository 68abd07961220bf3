"""HTML from notebooks, made fit for a page that everybody can read and that fetches nothing.

Outputs and raw HTML in Markdown may come from anywhere. nh3 reads them as browsers do and keeps
what only shows something, by a list of elements and attributes; a style that may fetch something
goes, and the policy in the page's head forbids it once more. Then tables get a frame that scrolls
on a phone, their headers say what they head, and headings follow each other without gaps:

    >>> clean = Cleaner().clean
    >>> print(clean("<table><thead><tr><th><th>x</thead><tr><th>a</th><td>1</table>"))
    <div aria-label="Table" class="scroll" role="group" tabindex="0"><table><thead><tr>...
    >>> print(clean('<p onclick="run()">text<script src="https://example.org"></script> and more'))
    <p>text and more</p>
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import nh3
from bs4 import BeautifulSoup
from bs4.element import Tag
from markupsafe import Markup

_KEPT = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
ELEMENTS = {name for kind in _KEPT["elements"].values() for name in kind.split()}
LEVELS = ["h1", "h2", "h3", "h4", "h5", "h6"]
DROPPED = {"script", "style", "iframe", "object", "embed", "noscript", "template"}  # with content
STYLED, FAMILIES = set(_KEPT["styled"].split()), set(_KEPT["families"].split())
SAID = set(_KEPT["said"].split())
FETCHES = re.compile(  # CSS, once its escapes are read
    r"<|@(?!media|keyframes)|(?:url|src)\s*\((?!\s*['\"]?#)|image|cross-fade|element\s*\(|paint",
    re.I,
)
COLOURED = re.compile(r"style=\"[^\"]*(?<![-\w])(?:color\s*:(?!\s*inherit)|background)", re.I)
FRAME = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": "Table"}
Rewrite = Callable[[str], str | None]  # an address -> where it leads on this page, or nowhere


def outside(url: str) -> str | None:
    """A page alone: links into the web and inside the page; neighbours are not there."""
    return url if re.match(r"https?:|mailto:|#", url) else None


class Heading(NamedTuple):
    level: int
    name: str  # of the place, for links
    html: Markup


@dataclass
class Cleaner:
    """The fragments of one page: its headings, names of places and style sheets are kept."""

    link: Rewrite = outside
    picture: Rewrite = lambda url: url if url.startswith("data:image/") else None
    headings: list[Heading] = field(default_factory=list)
    styles: dict[str, None] = field(default_factory=dict)  # each once, in order
    names: set[str] = field(default_factory=lambda: {"main", "fold"})  # those of the template
    alike: Counter[str] = field(default_factory=Counter)  # how often a heading was met

    def clean(self, html: str) -> Markup:
        """A fragment of HTML that is well-formed, accessible, and neither runs nor fetches."""
        for attributes, sheet in sheets(html):
            if "scoped" not in attributes and harmless(sheet):  # scoped is pandas' own
                self.styles[sheet] = None
        kept = nh3.clean(
            html,
            tags=ELEMENTS,
            clean_content_tags=DROPPED,
            attributes={"*": SAID | STYLED},
            generic_attribute_prefixes=FAMILIES,
            attribute_filter=self._allowed,
            url_schemes={"http", "https", "mailto", "data"},
            link_rel=None,
        )
        soup = BeautifulSoup(f"<br>{kept}", "html.parser", multi_valued_attributes=None)
        first, *tags = soup.find_all(True)
        first.extract()  # only there to say that this is HTML
        for tag in tags:
            self._mend(tag, soup)
        for tag in soup.find_all(LEVELS):
            self._note(tag)
        return Markup(soup.decode())

    def _allowed(self, tag: str, name: str, value: str) -> str | None:
        with suppress(Exception):  # nh3 would keep what its filter fails on
            if name == "id":
                new = value not in self.names
                self.names.add(value)
                return value if new else None
            if name in ("href", "src"):
                fits = (tag, name) in (("a", "href"), ("img", "src")) or value.startswith("#")
                return value if fits else None
            return value if name not in STYLED or harmless(value) else None
        return None

    def _mend(self, tag: Tag, soup: BeautifulSoup) -> None:
        if tag.name == "table":
            tag.wrap(soup.new_tag("div", attrs=FRAME))
        elif tag.name == "th" and not tag.decode_contents().strip():
            tag.name = "td"  # an empty header heads nothing
            del tag["scope"]
        elif tag.name == "th" and not tag.has_attr("scope"):
            part = tag.find_parent(["thead", "tbody", "table"])
            what = "col" if part and part.name == "thead" else "row"
            tag["scope"] = what if tag.get(f"{what}span", "1") == "1" else f"{what}group"
        elif tag.name == "pre":
            tag["class"], tag["tabindex"] = f"scroll {tag.get('class', '')}".strip(), "0"
        elif tag.name == "a" and tag.has_attr("href"):
            target = self.link(str(tag["href"]))
            if target is None:
                tag.name, tag.attrs = "span", {}
            else:
                tag["href"] = target
        elif (tag.name in LEVELS and tag.find_parent(LEVELS)) or (
            tag.name == "title" and not tag.find_parent("svg")
        ):
            tag.unwrap()
        elif tag.name == "img":
            words, source = str(tag.get("alt", "")), self.picture(str(tag.get("src", "")))
            if source is None:
                words = f"[picture: {words or 'without description'}]"
                tag.name, tag.attrs, tag.string = "em", {}, words
            else:
                tag["src"], tag["alt"] = source, words

    def _note(self, tag: Tag) -> None:
        """A heading, not deeper than one below the last, and the name of its place."""
        level = min(int(tag.name[1]), self.headings[-1].level + 1 if self.headings else 1)
        plain = "-".join(re.findall(r"\w+", tag.get_text().lower())) or "section"
        name = str(tag.get("id", plain))
        while name in self.names and not tag.has_attr("id"):
            self.alike[plain] += 1
            name = f"{plain}-{self.alike[plain] + 1}"
        self.names.add(name)
        tag.name, tag.attrs = f"h{level}", {"id": name}
        self.headings.append(Heading(level, name, Markup(tag.decode_contents())))


def harmless(style: str) -> bool:
    r"""True if nothing in a style is fetched, however it is spelt.

    >>> harmless("width: calc(1em + 2px)"), harmless(r"background: u\72l(//example.org)")
    (True, False)
    """
    read = re.sub(
        r"\\([0-9a-f]{1,6})\s?", lambda code: chr(int(code[1], 16) % 0x110000), style, flags=re.I
    )
    return not FETCHES.search(read.replace("\\", ""))


def sheets(html: str) -> list[tuple[str, str]]:
    """The attributes and the text of each style sheet.

    >>> sheets("<style>a</style> <STYLE scoped>b</style>")
    [('', 'a'), (' scoped', 'b')]
    """
    end = html.lower().rfind("</style") + len("</style")  # beyond it one would look in vain
    return re.findall(r"<style([^<>]*)>(.*?)</style", html[:end], re.IGNORECASE | re.DOTALL)


def coloured(html: str) -> bool:
    """True if it brings its own colours, which are meant for a light ground.

    >>> coloured('<b style="color: red">!</b>'), coloured('<b style="margin: 0">!</b>')
    (True, False)
    """
    return COLOURED.search(html) is not None
