"""The frame around every page: style, script, landmarks and contents, all in one file.

The page's security policy allows its own script and pictures that are inside, and forbids
everything else. So it cannot ask the network for anything, whatever stands in the notebook.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files

from workbench._version import __version__
from workbench.lab.reports.cleaning import Heading


def page(
    title: str,
    body: str,
    *,
    contents: Sequence[Heading] = (),
    path: str = "",
    ending: str = "",
    foldable: bool = False,
) -> str:
    """A whole page: `body` begins with its h1.

    contents: headings to list (those of level 2). path: links to neighbouring pages, shown above
    and below. ending: a line for the foot of the page. foldable: with a button for all code.

    >>> text = page("A game", "<h1>A game</h1>")
    >>> text.startswith("<!doctype html>"), "http" in text.replace("http-equiv", "")
    (True, False)
    """
    style, script = _asset("page.css"), _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'"
    )
    listed = [heading for heading in contents if heading.level == 2]
    items = "".join(f'<li><a href="#{each.name}">{each.html}</a></li>' for each in listed)
    fold = '<button id="fold" type="button" aria-pressed="false" hidden>Hide all code</button>'
    links = f'<nav class="path" aria-label="{{}}">{path}</nav>' if path else ""
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<meta name="generator" content="workbench {__version__}">\n',
            f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n',
            f"<style>\n{style}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#main">Skip to the text</a>\n',
            f"<header>{links.format('Course')}{fold if foldable else ''}</header>\n",
            '<nav class="contents" aria-label="Contents"><details><summary>Contents</summary>'
            f"<ol>{items}</ol></details></nav>\n"
            if len(listed) > 2
            else "",
            f'<main id="main" tabindex="-1">\n{body}</main>\n',
            f"<footer>{links.format('Course, again')}",
            f"<p>{ending}{' · ' if ending else ''}workbench {__version__}</p></footer>\n",
            f"<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


@cache
def _asset(name: str) -> str:
    return (files("workbench.lab.reports") / name).read_text(encoding="utf-8")
