"""Nothing that a notebook brings along becomes active: it neither runs, fetches nor breaks out."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.lab.reports.reader import check, page, shown
from workbench.lab.reports.cleaning import Cleaner, harmless

FAR = "https://example.org/x"
RUN = "run()"
HOSTILE = [
    f"<script>{RUN}</script>", f"<script src={FAR}></script>", f"<img src=x onerror={RUN}>",
    f"<img src={FAR} srcset={FAR} alt=far>", f"<div style='background: url({FAR})' onclick={RUN}>",
    f"<svg><style><img src=x onerror={RUN}></style></svg>", f"<svg/onload={RUN}>",
    f"<math><style><meta http-equiv=refresh content='0;url={FAR}'></style></math>",
    f"<meta http-equiv=refresh content='0;url={FAR}'>", f"<base href={FAR}>",
    f"<link rel=stylesheet href={FAR}>", f"<iframe src={FAR}></iframe>",
    f"<iframe srcdoc='<script>{RUN}</script>'></iframe>", f"<object data={FAR}></object>",
    f"<form action={FAR}><input name=pw><button formaction={FAR}>x</button></form>",
    f"<style>@im\\port '{FAR}';</style>", f"<style>@import '{FAR}';</style>",
    f"<style>body{{background: u\\72l({FAR})}}</style>", "<style>x {y: '</style>'}</style>",
    f"<style>body{{background: image-set('{FAR}' 1x)}}</style>",
    f"<style>/* it's */ p {{b: url({FAR})}} /* ' */</style>",
    f"<p style=\"--u: '{FAR}'; background: image-set(var(--u) 1x)\">x</p>",
    f"<svg><image href={FAR}></image><use href={FAR}#x></use></svg>",
    f"<svg fill='url({FAR}#x)'><a xlink:href='javascript:{RUN}'><text>x</text></a></svg>",
    f"<svg><a><animate attributeName=href values='javascript:{RUN}'/></a></svg>",
    f"<video poster={FAR} src={FAR}></video>", f"<table background={FAR}><tr><td>x</table>",
    f"<a href='javascript:{RUN}'>x</a>", f"<a href='java&#10;script:{RUN}'>x</a>",
    f"<a href='data:text/html,<script>{RUN}</script>'>x</a>",
    f"<details open ontoggle={RUN}>x</details>", f"<p \x0conclick={RUN}>x",
    f"<!--><img src=x onerror={RUN}>-->", f"<!--a--!><img src=x onerror={RUN}>-->",
    f"<svg><![CDATA[><img src=x onerror={RUN}>]]></svg>", f"<?x ><img src=x onerror={RUN}>?>",
    *(
        f'<{tag}><p title="</{tag}><img src=x onerror={RUN}>"></p></{tag}>'
        for tag in ("noscript", "title", "textarea", "xmp", "noembed", "noframes", "select")
    ),
    f"<template shadowrootmode=open><script>{RUN}</script></template>",
    f"<math><annotation-xml encoding='text/html'><script>{RUN}</script></annotation-xml>",
    f"<math><mtext><mglyph><style><!--</style><img title='--><img src=x onerror={RUN}>'>",
    f"<a ping={FAR} onerror=1>x</a>", f"<link rel=prefetch href={FAR}>",
    "<plaintext>", "</div></main></body><b>", "<h2 id=main name=body>t</h2><div id=fold>x</div>",
    f'"><img src=x onerror={RUN}>', "<?xml version='1.0'?><svg><foreignObject><p>x",
    f"$\\href{{javascript:{RUN}}}{{x}}$ $\\text{{<img src=x onerror={RUN}>}}$",
]  # fmt: skip


@pytest.mark.parametrize("html", HOSTILE)
def test_through_every_door(html, tmp_path):
    """The same text as prose, title, code and as every kind of output."""
    kinds = ("text/html", "text/latex", "text/markdown", "text/plain", "image/png", "image/svg+xml")
    outputs = [shown({kind: html}, {"alt": html}) for kind in kinds]
    outputs += [
        shown({"text/html": f"<div data-switch><select><option>{html}</select>{html}</div>"}),
        new_output("stream", name="stderr", text=html),
        new_output("error", ename=html, evalue=html, traceback=[html]),
    ]
    text, _ = page(
        tmp_path,
        new_markdown_cell(f"# One {html}\n\n## Two {html}\n\n{html}\n\n![x](attachment:{html})"),
        new_code_cell(html, outputs=outputs),
        new_markdown_cell("The end.", attachments={"a": {html: html}}),
    )
    reader = check(text)
    main = BeautifulSoup(text, "html.parser").main
    assert main.get_text().rstrip().endswith("The end.")  # nothing swallows the rest
    assert not {have.get("name") for _, have in reader.tags} - {None, "viewport", "generator"}


def test_broken_html_stays_inside(tmp_path):
    html = "<table><tr><td>a<td>b<tr><th>c</table></div></p><ul><li>one<li>two</ul><b><i>x</b></i>"
    text, _ = page(tmp_path, new_code_cell("x", outputs=[shown({"text/html": html})]))
    reader = check(text)
    assert len(reader.all("td")) == len(reader.all("li")) == 2


def test_what_only_shows_something_stays():
    cleaner = Cleaner()
    kept = (
        '<details open><summary>s</summary><svg viewbox="0 0 1 1"><title>t</title>'
        '<path d="M0 0" fill="url(#g)"></path></svg></details>'
        '<p class="c" id="place" style="width: calc(1em + 2px)">a<br>b &lt; <abbr title="f(x)">c'
        '</abbr></p><a href="https://example.org">w</a><math><mi>x</mi></math>'
    )
    made, meant = (BeautifulSoup(each, "html.parser") for each in (cleaner.clean(kept), kept))
    assert made == meant
    sheet = '@media (width > 9px) {.x::before {content: "\\201C (x"; color: rgba(0, 0, 0, .4)}}'
    cleaner.clean(f"<style>{sheet}</style><style scoped>p {{}}</style><style>{sheet}</style>")
    assert list(cleaner.styles) == [sheet]
    assert not harmless("width: 1px; background: url(x)")
