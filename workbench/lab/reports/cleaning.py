"""HTML from notebooks, made fit for a page that everybody can read and that fetches nothing.

Tables get a frame that scrolls on a phone, their headers say what they head, headings follow
each other without gaps, and whatever would run or fetch something is dropped:

    >>> clean("<table><thead><tr><th></th><th>x</th></tr></thead><tr><th>a</th><td>1</td></table>")
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr><td></td><th
    scope="col">x</th></tr></thead><tr><th scope="row">a</th><td>1</td></tr></table></div>'
    >>> clean('<p onclick="run()">text<script src="https://example.org"></script> and more')
    '<p>text and more</p>'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

VOID = {"area", "br", "col", "hr", "img", "input", "source", "track", "wbr"}
DROPPED = {"script", "iframe", "object", "embed", "noscript", "template"}  # with what is inside
IGNORED = {"html", "head", "body", "meta", "link", "base"}  # the tags alone
ENDS = {  # a start tag that ends an open element
    "li": {"li"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "option": {"option"},
    "tr": {"tr", "td", "th"}, "td": {"td", "th"}, "th": {"td", "th"},
    "tbody": {"tr", "td", "th", "thead", "tbody"}, "tfoot": {"tr", "td", "th", "tbody"},
}  # fmt: skip
FETCHING = re.compile(r"url\(|@import|expression\(|javascript:", re.IGNORECASE)
COLOURED = re.compile(r"style=\"[^\"]*(?<![-\w])(?:color\s*:(?!\s*inherit)|background)", re.I)
KEPT = ("width", "height", "title", "style")  # of a picture
FRAME = '<div class="scroll" tabindex="0" role="group" aria-label="Table">'

Rewrite = Callable[[str], str | None]  # an address -> where it leads on this page, or nowhere


@dataclass(frozen=True)
class Heading:
    level: int
    name: str  # of the place, for links
    html: str


@dataclass
class Outline:
    """The headings of a page: one after the other, none deeper than one below the last."""

    headings: list[Heading] = field(default_factory=list)

    def level(self, wanted: int) -> int:
        return min(wanted, self.headings[-1].level + 1 if self.headings else 1)

    def add(self, level: int, html: str) -> str:
        """Take note of a heading; the name of its place."""
        text = re.sub(r"<[^>]*>|[\ue000-\ue001]|&\w+;", " ", html)
        plain = "-".join(re.findall(r"\w+", text.lower())) or "section"
        name, k = plain, 2
        while any(heading.name == name for heading in self.headings):
            name, k = f"{plain}-{k}", k + 1
        self.headings.append(Heading(level, name, html))
        return name


def clean(
    html: str,
    *,
    outline: Outline | None = None,
    link: Rewrite = lambda url: url,
    picture: Rewrite = lambda url: url if url.startswith("data:image/") else None,
) -> str:
    """A fragment of HTML that is well-formed, accessible, and fetches nothing.

    outline: takes note of headings. link, picture: where addresses lead to; None drops them.
    """
    cleaner = _Cleaner(outline or Outline(), link, picture)
    cleaner.feed(html)
    cleaner.close()
    cleaner.end_all()
    return "".join(cleaner.out)


@dataclass(frozen=True)
class _Open:
    """An element that has begun."""

    tag: str
    place: int  # of its start tag in the output
    end: str  # what ends it
    have: dict[str, str]  # attributes


class _Cleaner(HTMLParser):
    def __init__(self, outline: Outline, link: Rewrite, picture: Rewrite) -> None:
        super().__init__(convert_charrefs=True)
        self.outline, self.link, self.picture = outline, link, picture
        self.out: list[str] = []
        self.open: list[_Open] = []
        self.dropping = ""
        self.depth = 0  # of what is dropped, if it is nested

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.dropping:
            self.depth += tag == self.dropping
            return
        have = {name: value or "" for name, value in attrs if not name.startswith("on")}
        if tag in DROPPED or (tag == "style" and "scoped" in have):
            self.dropping, self.depth = tag, 1
            return
        if tag in IGNORED:
            return
        while self.open and self.open[-1].tag in ENDS.get(tag, ()):
            self._end()
        if tag == "img":
            self._image(have)
            return
        have = {name: value for name, value in have.items() if name not in ("src", "srcset")}
        if FETCHING.search(have.get("style", "")):
            del have["style"]
        start, end = tag, f"</{tag}>"
        if tag == "table":
            have.pop("border", None)
            self.out.append(FRAME)
            end += "</div>"
        elif tag == "th":
            have.setdefault("scope", self._scope(have))
        elif tag == "pre":
            have |= {"tabindex": "0", "class": f"scroll {have.get('class', '')}".strip()}
        elif re.fullmatch("h[1-6]", tag):
            start = f"h{self.outline.level(int(tag[1]))}"
            end = f"</{start}>"
        elif tag == "a" and "href" in have:
            target = None if FETCHING.search(have["href"]) else self.link(have.pop("href"))
            if target is None:
                start, end = "span", "</span>"
                have = {}
            else:
                have["href"] = target
        if tag not in VOID:
            self.open.append(_Open(tag, len(self.out), end, have))
        self.out.append(_tag(start, have))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID and self.open and self.open[-1].tag == tag:
            self._end()

    def handle_endtag(self, tag: str) -> None:
        if self.dropping:
            self.depth -= tag == self.dropping
            if not self.depth:
                self.dropping = ""
        elif any(element.tag == tag for element in self.open):
            while self.open[-1].tag != tag:
                self._end()
            self._end()

    def handle_data(self, data: str) -> None:
        if self.dropping:
            return
        if self.open and self.open[-1].tag == "style":
            self.out.append("" if FETCHING.search(data) else data)
        else:
            self.out.append(escape(data, quote=False))

    def end_all(self) -> None:
        while self.open:
            self._end()

    def _end(self) -> None:
        last = self.open.pop()
        inside, end = "".join(self.out[last.place + 1 :]), last.end
        if last.tag == "th" and not inside.strip():  # an empty header heads nothing
            del last.have["scope"]
            self.out[last.place], end = _tag("td", last.have), "</td>"
        elif re.fullmatch("h[1-6]", last.tag):
            level = int(end[3])
            self.out[last.place] = f'<h{level} id="{self.outline.add(level, inside)}">'
        self.out.append(end)

    def _scope(self, have: dict[str, str]) -> str:
        if any(element.tag == "thead" for element in self.open):
            return "colgroup" if have.get("colspan", "1") != "1" else "col"
        return "rowgroup" if have.get("rowspan", "1") != "1" else "row"

    def _image(self, have: dict[str, str]) -> None:
        source, words = self.picture(have.get("src", "")), have.get("alt", "")
        if source is None:
            self.out.append(f"<em>[picture: {escape(words or 'without description')}]</em>")
        else:
            kept = {name: value for name, value in have.items() if name in KEPT}
            self.out.append(_tag("img", {"src": source, "alt": words, **kept}))


def _tag(name: str, attributes: dict[str, str]) -> str:
    inside = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{inside}>"


def coloured(html: str) -> bool:
    """True if it brings its own colours, which are meant for a light ground.

    >>> coloured('<b style="color: red">!</b>'), coloured('<b style="margin: 0">!</b>')
    (True, False)
    """
    return COLOURED.search(html) is not None
