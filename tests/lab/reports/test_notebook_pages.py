"""A notebook becomes one whole page: everything inside, nothing fetched, in order for a reader."""

import base64
import re
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.lab.reports.reader import check, page, shown, written
from workbench.lab.reports import reading
from workbench.lab.reports.writing import write_report
from workbench.lab.shelves import key, notebooks, shelf

NOTEBOOKS = notebooks()
PIXEL = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x03\x00\x00\x00\x02" + bytes(20)
).decode()
WIDGET = "application/vnd.jupyter.widget-view+json"


def pictures_in(data: dict[str, Any]) -> int:
    """Of a panel or a switch those in its text."""
    return 1 if "image/png" in data else str(data.get("text/html", "")).count("<img")


@pytest.mark.parametrize("tables", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_every_notebook_of_the_course(path, tables, tmp_path, monkeypatch):
    """All code, pictures and formulas are there; panels have something to show. The first table to
    play at is there, too; others take seconds each."""
    if not tables and key(path) != "01":
        monkeypatch.setattr("workbench.lab.reports.page.table_html", lambda *_: "")
    report = write_report(path, tmp_path / "page.html")
    reader, text = written(report), report.path.read_text("utf-8")
    assert report.size < 3_000_000
    assert report.notes == ()
    body = re.sub(r"<(pre|code).*?</\1>", "", text.partition("<main")[2], flags=re.DOTALL)
    assert not any(piece in body for piece in ("$$", "\\frac", "\\sigma"))
    cells = nbformat.read(path, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code" and cell.source.strip()]
    assert reader.classed("code").count("details") == len(code)
    data = [output.get("data", {}) for cell in code for output in cell.outputs]
    pictures = sum(cell.source.count("![") for cell in cells if cell.cell_type == "markdown")
    assert len(reader.all("img")) == pictures + sum(map(pictures_in, data))
    if shelf(path) == "lectures":
        assert reader.all("img")
    assert "will stand here" not in text  # panels show what they have found


def test_prose_formulas_and_headings(tmp_path):
    text, notes = page(
        tmp_path,
        new_markdown_cell("# A *question*?\n\nA *word* and $x_1 < y$, `$no$`, 5 \\$ and 6 \\$."),
        new_markdown_cell("#### Too deep\n\n$$\\sum_i x_i\n+ \\frac12$$\n\n$\\unheard{x}$"),
        new_markdown_cell("## Same\n\n## Same\n\n## Same $x$\n\n**Takeaway.** That.\n\n[x] a"),
        new_markdown_cell("**A $\\sigma^*$ and $x^*$.** <h2 id='same'>Mine</h2>"),
    )
    reader = check(text)
    assert reader.texts["title"] == ["A question?"]
    assert reader.headings == [1, 2, 2, 2, 2, 2]
    ids = ["too-deep", "same", "same-2", "same-x", "mine"]
    assert [have.get("id") for have in reader.all("h2")] == ids
    assert len(reader.all("math")) == 6  # one of them also in the contents
    assert len([have for have in reader.all("math") if have.get("display") == "block"]) == 1
    assert "<" in reader.texts["mo"]
    assert reader.texts["code"] == ["$no$", "\\unheard{x}"]
    assert "5 $ and 6 $." in " ".join(reader.texts["p"])
    assert notes == ("formula \\unheard{x} is shown as text: \\unheard is unknown",)
    assert reader.classed("takeaway") == ["p"]


def test_outputs_of_all_kinds(tmp_path):
    outputs = [
        new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m & <b>\n"),
        shown({"text/html": "<table><thead><tr><th>x</th></tr></thead></table>"}),
        shown({"text/markdown": "*stress*", "text/plain": "no"}),
        shown({"text/latex": "$x^2$", "text/plain": "no"}),
        shown({"text/plain": "only text"}),
        shown({"application/x-unheard": "no"}),
        shown({WIDGET: {"model_id": "1"}, "text/plain": "no"}),
        shown({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>"}, {"alt": "a drawing"}),
        new_output("error", ename="ValueError", evalue="bad", traceback=["\x1b[0;31mValueError"]),
    ]
    text, notes = page(tmp_path, new_code_cell("x = 1", execution_count=7, outputs=outputs))
    reader = check(text)
    assert reader.texts["h1"] == ["one"]  # a notebook without a title is called after its file
    assert reader.texts["pre"] == ["red & <b>", "only text", "ValueError"]
    assert reader.texts["em"] == ["stress"]
    assert len(reader.all("msup")) == 1
    assert not any("no" in words for words in reader.texts["pre"])
    (image,) = reader.all("img")
    assert image["alt"] == "a drawing"
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert reader.texts["summary"] == ["Code 7"]
    assert [note.partition(":")[0] for note in notes] == [
        "a panel needs a running notebook; the page says so in its place",
        "a cell ends in an error",
    ]


def test_pictures_are_described(tmp_path):
    told = {"image/png": {"alt": "A curve that falls."}}
    cells = [
        new_markdown_cell("# Pictures"),
        new_code_cell("a", outputs=[shown({"image/png": PIXEL}, told)]),
        new_code_cell("b", outputs=[shown({"image/png": PIXEL})]),
        new_markdown_cell("**Takeaway.** It *falls*, and\nthen $x$ rises.\n\nMore text."),
        new_code_cell("c", outputs=[shown({"image/png": PIXEL})]),
        new_code_cell("d", outputs=[shown({"image/png": "no picture"}, told)]),
    ]
    text, notes = page(tmp_path, *cells)
    reader = check(text)
    images = reader.all("img")
    assert [image["alt"] for image in images] == [
        "A curve that falls.",
        "Figure. It falls, and then x rises.",
        "Figure 3 of this notebook.",
    ]
    assert "[picture: A curve that falls.]" in reader.texts["em"]
    assert (images[0]["width"], images[0]["height"]) == ("3", "2")
    assert notes[0] == "a picture is damaged; its description stands there"
    assert "2 of 4 pictures have no description" in notes[1]


def test_pictures_of_prose_come_from_nearby(tmp_path):
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    for where in (folder, tmp_path, tmp_path / "a"):
        (where / "near.png").write_bytes(base64.b64decode(PIXEL))
    (folder / "key.png").write_text("secret")
    far = ["https://example.org/y.png", "../../../near.png", f"{folder}/near.png", "one.ipynb"]
    far += ["key.png", "folder.png", f"{'long' * 99}.png"]
    (folder / "folder.png").mkdir()
    text, notes = page(
        folder,
        new_markdown_cell("# Pictures\n\n![near](near.png) ![up](../../near.png)"),
        new_markdown_cell("".join(f"![far]({url})" for url in far)),
        new_markdown_cell(
            "![in](attachment:in%20it.png) ![gone](attachment:gone.png) [other](02-other.ipynb) "
            "[web](https://example.org) [here](#pictures)",
            attachments={"in it.png": {"image/png": PIXEL}},
        ),
    )
    reader = check(text)
    assert [image["alt"] for image in reader.all("img")] == ["near", "up", "in"]
    links = [have["href"] for have in reader.all("a")]
    assert links == ["#main", "https://example.org", "#pictures"]
    assert "other" in reader.texts["span"]  # a neighbour that is not there is text
    assert reader.texts["em"] == ["[picture: far]"] * 7 + ["[picture: gone]"]
    assert sum("is not beside the notebook" in note for note in notes) == 8


def test_what_nobody_can_read_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LONG", 20)
    said = new_code_cell("1", execution_count=1, outputs=[new_output("stream", text="x" * 50)])
    assert "x" * 20 + "\n… and 30 letters more" in page(tmp_path, said)[0]
