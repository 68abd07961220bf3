"""HTML from notebooks, made fit for a page that everybody can read and that fetches nothing.

Outputs and raw HTML in Markdown are somebody else's. nh3 reads them as browsers do and keeps what
only shows something, by a list of elements and attributes; tinycss2 reads styles, and one that may
fetch something goes. Then tables get a frame that scrolls on a phone, their headers say what they
head, and headings follow each other without gaps:

    >>> clean = Cleaner().clean
    >>> print(clean("<table><thead><tr><th><th>x</thead><tr><th>a</th><td>1</table>"))
    <div aria-label="Table" class="scroll" role="group" tabindex="0"><table><thead><tr>...
    >>> print(clean('<p onclick="run()">text<script src="https://example.org"></script> and more'))
    <p>text and more</p>
"""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import nh3
import tinycss2  # type: ignore[import-untyped]
from bs4 import BeautifulSoup
from bs4.element import Tag
from markupsafe import Markup, escape

TEXT = """a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em
figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub
summary sup table tbody td tfoot th thead time tr tt u ul var wbr"""
DRAWN = """svg g path rect circle ellipse line polyline polygon text tspan title desc defs use
symbol marker clipPath linearGradient radialGradient stop"""
MATHS = """math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover
munderover mtable mtr mtd mstyle mpadded mphantom menclose merror"""
ELEMENTS = {*TEXT.split(), *DRAWN.split(), *MATHS.split()}
LEVELS = ["h1", "h2", "h3", "h4", "h5", "h6"]
DROPPED = {"script", "style", "iframe", "object", "embed", "noscript", "template"}  # with content
SAID = """align alt class colspan dir halign headers height href id lang open reversed role rowspan
scope span src start tabindex title type valign value width cx cy d dx dy gradientUnits
letter-spacing offset opacity points preserveAspectRatio r rx ry text-anchor viewBox x x1 x2 xmlns y
y1 y2 accent columnalign columnspacing display displaystyle fence form linethickness lspace
mathcolor maxsize minsize movablelimits notation rowspacing rspace scriptlevel separator stretchy
symmetric"""
FAMILIES = {"aria-", "fill-", "font-", "stop-", "stroke-"}  # of attributes
STYLED = {"style", "clip-path", "fill", "gradientTransform", "marker-end", "stroke", "transform"}
NAME = re.compile(r"(/?)([a-z][^\s/>]*)", re.IGNORECASE)
MANY = 20_000  # tags of one output: pandas shows 2,400
LONG = 50_000  # letters of one style
ENDLESS = """area br col dd dt hr img input li link meta option p path rect tbody td th tr wbr"""
REPEATED = """a b big code em font i nobr s small strike strong tt u"""  # in each paragraph
DEEP = {False: 400, True: 30}  # elements in each other, and of those that are repeated
# CSS: all functions but these might fetch.
DRAWING = re.compile(
    r"""[\w-]*gradient|(?:rgb|hsl)a?|(?:ok)?l(?:ab|ch)|color(?:-mix)?|calc|min|max|clamp|var|minmax
    |repeat|fit-content|counter|polygon|circle|inset|(?:translate|rotate|scale|skew|matrix)\w*
    |cubic-bezier|steps|drop-shadow|blur|brightness|contrast|opacity|invert|hue-rotate|is|not|where
    |has|nth-[\w-]+""",
    re.VERBOSE,
)
COLOURED = re.compile(r"style=\"[^\"]*(?<![-\w])(?:color\s*:(?!\s*inherit)|background)", re.I)
REFERENCE = re.compile(r"(?:^|\s|url\(\s*['\"]?)#([^\s)'\"]+)")  # to another part of a drawing
BUSY = {"filter", "foreignobject", "animate", "animatetransform", "animatemotion", "set"}
DRAWN_AT_MOST = 200_000  # elements of one drawing, copies counted
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
        if too_much(html):
            text, *rest = html.split("<")
            text += "".join(piece.partition(">")[2] for piece in rest)
            html = str(escape(unescape(text)))
        for attributes, sheet in sheets(html):
            if "scoped" not in attributes and harmless(sheet):  # scoped is pandas' own
                self.styles[sheet] = None
        kept = nh3.clean(
            html,
            tags=ELEMENTS,
            clean_content_tags=DROPPED,
            attributes={"*": {*SAID.split(), *STYLED}},
            generic_attribute_prefixes=FAMILIES,
            attribute_filter=self._allowed,
            url_schemes={"http", "https", "mailto", "data"},
            link_rel=None,
        )
        soup = BeautifulSoup(f"<br>{kept}", "html.parser", multi_valued_attributes=None)
        first, *tags = soup.find_all(True)
        first.extract()  # only there to say that this is HTML
        places = {str(tag["id"]): tag for tag in tags if tag.has_attr("id")}
        for tag in tags:
            if tag.name == "use" and str(tag.get("href", ""))[1:] not in places:
                tag.decompose()  # a copy of something elsewhere
        for tag in soup.find_all("svg"):
            if not tag.decomposed and drawn(tag, places, {}) > DRAWN_AT_MOST:
                tag.replace_with(_instead(soup.new_tag("em"), "too much to draw"))
                tag.decompose()
        for tag in tags:
            if not tag.decomposed:
                self._mend(tag, soup)
        for tag in soup.find_all(LEVELS):
            self._note(tag)
        return Markup(soup.decode())

    def _allowed(self, tag: str, name: str, value: str) -> str | None:
        try:
            return self._kept(tag, name, value)
        except Exception:  # nh3 would keep what its filter fails on
            return None

    def _kept(self, tag: str, name: str, value: str) -> str | None:
        if name == "id":
            new = value not in self.names
            self.names.add(value)
            return value if new else None
        if name in ("href", "src"):
            fits = (tag, name) in (("a", "href"), ("img", "src")) or value.startswith("#")
            return value if fits else None
        return value if name not in STYLED or harmless(value) else None

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
            if source is None or not calm(source):
                _instead(tag, words or "without description")
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


def _instead(tag: Tag, words: str) -> Tag:
    """Words instead of a picture."""
    tag.name, tag.attrs, tag.string = "em", {}, f"[picture: {words}]"
    return tag


def drawn(part: Any, places: Mapping[str, Any], known: dict[int, float]) -> float:
    """How many elements a browser draws for this one, with all that it copies or is filled with:
    copies of copies of copies would fill hours, and those of themselves have no end.

    part: of an XML tree, or of BeautifulSoup's. places: elements by their id.
    """
    if id(part) not in known:
        known[id(part)] = math.inf  # if it comes back to itself
        said = part.attrib if isinstance(part, Element) else part.attrs
        names = REFERENCE.findall(" ".join(said.values()))
        inside = part if isinstance(part, Element) else part.find_all(True, recursive=False)
        inner = [*inside, *(places[name] for name in names if name in places)]
        known[id(part)] = 1 + sum(drawn(one, places, known) for one in inner)
    return known[id(part)]


def calm(address: str) -> bool:
    """True if a picture in a `data:` address does not keep a browser busy; only SVG can.

    >>> [calm(f"data:image/svg+xml,<svg>{inside}</svg>") for inside in ("<g/>", "<filter/>", "<g>")]
    [True, False, False]
    """
    head, _, data = address.partition(",")
    if "svg" not in head.lower() and "xml" not in head.lower():
        return True
    try:
        text = unquote_to_bytes(data)
        text = base64.b64decode(text) if head.lower().endswith("base64") else text
        if b"<!ENTITY" in text:
            return False
        parts = list((root := ElementTree.fromstring(text)).iter())
        for part in parts:
            name = part.tag.rpartition("}")[2].lower()
            inner = " ".join(part.attrib.values()) + (part.text or "") * (name == "style")
            if name in BUSY or re.search(r"data:image/(svg|xml)|\\", inner, re.IGNORECASE):
                return False
            if name == "style" and REFERENCE.search(inner):
                return False
        places = {part.attrib["id"]: part for part in parts if "id" in part.attrib}
        return drawn(root, places, {}) <= DRAWN_AT_MOST
    except (ElementTree.ParseError, ValueError, LookupError, RecursionError):
        return False


def harmless(style: str) -> bool:
    r"""True if nothing in a style is fetched, however it is spelt.

    >>> harmless("width: calc(1em + 2px)"), harmless(r"background: u\72l(//example.org)")
    (True, False)
    """
    if "<" in style or len(style) > LONG:
        return False
    parts = list(tinycss2.parse_component_value_list(style))
    while parts:
        part = parts.pop()
        name = getattr(part, "lower_name", "")
        if part.type == "function":
            parts += part.arguments
        elif part.type.endswith(" block"):
            parts += part.content
        if (
            (part.type == "function" and name != "url" and not DRAWING.fullmatch(name))
            or (name == "url" and not all(_inside(one) for one in part.arguments))
            or (part.type == "url" and not _inside(part))
            or (part.type == "at-keyword" and part.lower_value not in ("media", "keyframes"))
            or (part.type == "error" and part.kind.startswith("bad-"))
        ):
            return False
    return True


def _inside(address: Any) -> bool:
    return address.type in ("string", "url") and address.value.startswith("#")


def sheets(html: str) -> Iterator[tuple[str, str]]:
    """The attributes and the text of each style sheet.

    >>> list(sheets("<style>a</style> <STYLE scoped>b</style>"))
    [('', 'a'), (' scoped', 'b')]
    """
    lower, at = html.lower(), 0
    while (start := lower.find("<style", at)) >= 0:
        inside, at = lower.find(">", start), lower.find("</style", start)
        if not start < inside < at:
            return
        yield html[start + len("<style") : inside], html[inside + 1 : at]


def too_much(html: str) -> bool:
    """True if there are tags by ten thousands, or elements in each other by the hundred: to read
    those takes time without end. Counted roughly, in one pass.

    >>> too_much("<p>a<p>b" * 1000), too_much("<div>" * 1000), too_much("<b></b>" * 1000)
    (False, True, False)
    """
    pieces = html.split("<")
    now, depth = Counter[str](), dict.fromkeys(DEEP, 0)
    for piece in pieces[1:MANY]:
        if found := NAME.match(piece):
            name, step = found[2].lower(), -1 if found[1] else 1
            if name not in ENDLESS.split() and now[name] + step >= 0:
                kind = name in REPEATED.split()
                now[name] += step
                depth[kind] += step
                if depth[kind] > DEEP[kind]:
                    return True
    return len(pieces) > MANY


def coloured(html: str) -> bool:
    """True if it brings its own colours, which are meant for a light ground.

    >>> coloured('<b style="color: red">!</b>'), coloured('<b style="margin: 0">!</b>')
    (True, False)
    """
    return COLOURED.search(html) is not None
