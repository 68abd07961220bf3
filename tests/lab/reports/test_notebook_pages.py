"""A notebook becomes one whole page: everything inside, nothing fetched, in order for a reader."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.conftest import ROOT
from tests.lab.reports.reader import Reader, check
from workbench.lab.reports.writing import write_report
from workbench.lab.widgets import SWITCH
from workbench.rules import GameError

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PANEL = re.compile(r"widgets\.(?:\w+Explorer|CFRStepper|GameBrowser|PlayTable|SolverPanel)\b")
PIXEL = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x03\x00\x00\x00\x02" + bytes(20)
).decode()


def shown(data: dict[str, Any], metadata: dict[str, Any] | None = None) -> Any:
    return new_output("display_data", data=data, metadata=metadata or {})


def page(folder: Path, *cells: Any) -> tuple[str, tuple[str, ...]]:
    path = folder / "one.ipynb"
    nbformat.write(new_notebook(cells=list(cells)), path)
    report = write_report(path, folder / "one.html")
    text = report.path.read_text(encoding="utf-8")
    assert report.size == len(text.encode())
    return text, report.notes


def pictures_in(data: dict[str, Any]) -> int:
    """Of a switch those of all options, of a panel those in its text."""
    if SWITCH in data:
        options = data[SWITCH]["options"]
        return sum(1 if "kind" in one else one["html"].count("<img") for one in options)
    return 1 if "image/png" in data else str(data.get("text/html", "")).count("<img")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_every_notebook_of_the_course(path: Path, tmp_path: Path) -> None:
    report = write_report(path, tmp_path / "page.html")
    text = report.path.read_text(encoding="utf-8")
    reader = check(text)
    assert report.size < 3_000_000
    assert not any("formula" in note for note in report.notes)
    body = text.partition("<main")[2]
    for piece in ("$$", "\\frac", "\\sigma", "\ue000"):
        assert piece not in re.sub(r"<(pre|code).*?</\1>", "", body, flags=re.DOTALL), piece
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert len([have for have in reader.all("details") if have.get("class") == "code"]) == len(code)
    pictures = sum(pictures_in(output.get("data", {})) for cell in code for output in cell.outputs)
    pictures += sum(
        cell.source.count("![") for cell in notebook.cells if cell.cell_type == "markdown"
    )
    assert len(reader.all("img")) == pictures > 0
    assert len(reader.all("math")) == len(re.findall(r"<math", text)) > 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_a_panel_can_be_switched_without_python(path: Path) -> None:
    """Beside the panels of a notebook stands what they would have shown, to choose from."""
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    if not any(PANEL.search(cell.source) for cell in code):
        pytest.skip("no panels")
    data = [output.get("data", {}) for cell in code for output in cell.outputs]
    switches = [each[SWITCH] for each in data if SWITCH in each]
    assert switches
    assert all(len(switch["options"]) > 1 for switch in switches)
    alts = [one["alt"] for switch in switches for one in switch["options"] if "kind" in one]
    assert all(alts)


def test_prose_formulas_and_headings(tmp_path: Path) -> None:
    text, notes = page(
        tmp_path,
        new_markdown_cell("# A question?\n\nA *word* and $x_1 < y$, `$no$`, 5 \\$ and 6 \\$."),
        new_markdown_cell("#### Too deep\n\n$$\\sum_i x_i\n+ \\frac12$$\n\n$\\unheard{x}$"),
        new_markdown_cell("## Same\n\n## Same\n\n## Same $x$\n\n**Takeaway.** That."),
    )
    reader = check(text)
    assert reader.headings == [1, 2, 2, 2, 2]
    assert [have.get("id") for have in reader.all("h2")] == ["too-deep", "same", "same-2", "same-3"]
    assert len(reader.all("math")) == 4  # the last one also in the contents
    assert len([have for have in reader.all("math") if have.get("display") == "block"]) == 1
    assert "<mo>&lt;</mo>" in text
    assert "<code>$no$</code>" in text
    assert "5 $ and 6 $" in text
    assert '<code class="formula">\\unheard{x}</code>' in text
    assert notes == ("formula \\unheard{x} is shown as text: \\unheard is unknown",)
    assert '<p class="takeaway"><strong>Takeaway.</strong>' in text


def test_outputs_of_all_kinds(tmp_path: Path) -> None:
    outputs = [
        new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m & <b>\n"),
        shown(
            {"text/html": "<table><thead><tr><th>x</th></tr></thead></table>", "text/plain": "x"}
        ),
        shown({"text/markdown": "*stress*", "text/plain": "no"}),
        shown({"text/latex": "$x^2$", "text/plain": "no"}),
        shown({"text/plain": "only text"}),
        shown({"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "no"}),
        shown({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'/>"}, {"alt": "a drawing"}),
        new_output("error", ename="ValueError", evalue="bad", traceback=["\x1b[0;31mValueError"]),
    ]
    text, notes = page(tmp_path, new_code_cell("x = 1", execution_count=7, outputs=outputs))
    reader = check(text)
    assert reader.texts["h1"] == ["one"]  # a notebook without a title is called after its file
    assert "red &amp; &lt;b&gt;</pre>" in text
    assert "\x1b" not in text
    assert "<em>stress</em>" in text
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in text
    assert "only text" in text
    assert ">no<" not in text
    assert [image["alt"] for image in reader.all("img")] == ["a drawing"]
    assert "data:image/svg+xml;base64," in text
    assert "Code 7" in text
    assert [note.partition(":")[0] for note in notes] == [
        "a panel needs a running notebook; the page says so in its place",
        "a cell ends in an error",
    ]


def test_pictures_are_described(tmp_path: Path) -> None:
    told = {"image/png": {"alt": "A curve that falls."}}
    cells = [
        new_markdown_cell("# Pictures"),
        new_code_cell("a", outputs=[shown({"image/png": PIXEL}, told)]),
        new_code_cell("b", outputs=[shown({"image/png": PIXEL})]),
        new_markdown_cell("**Takeaway.** It *falls*, and\nthen $x$ rises.\n\nMore text."),
        new_code_cell("c", outputs=[shown({"image/png": PIXEL})]),
    ]
    text, notes = page(tmp_path, *cells)
    images = check(text).all("img")
    assert [image["alt"] for image in images] == [
        "A curve that falls.",
        "Figure. It falls, and then x rises.",
        "Figure 3 of this notebook.",
    ]
    assert (images[0]["width"], images[0]["height"]) == ("3", "2")
    assert "2 of 3 pictures have no description" in notes[0]


def test_nothing_from_outside_comes_in(tmp_path: Path) -> None:
    bad = (
        '<script src="https://example.org/x.js"></script><img src="https://example.org/x.png" '
        'alt="far away" onerror="run()"><div style="background: url(https://example.org)" '
        'onclick="run()">kept<iframe src="https://example.org"></iframe></div>'
        '<a href="javascript:run()">link</a><style>@import "https://example.org"</style><b>open'
    )
    (tmp_path / "near.png").write_bytes(base64.b64decode(PIXEL))
    attached = {"in.png": {"image/png": PIXEL}}
    text, notes = page(
        tmp_path,
        new_markdown_cell(f"# Title\n\n{bad}\n"),
        new_markdown_cell(
            "![near](near.png) ![in](attachment:in.png) ![far](https://example.org/y.png)\n\n"
            "[web](https://example.org) [other](02-other.ipynb) [here](#title)",
            attachments=attached,
        ),
        new_code_cell("x", outputs=[shown({"text/html": bad})]),
    )
    reader = check(text)
    assert [image["alt"] for image in reader.all("img")] == ["near", "in"]
    links = [have["href"] for have in reader.all("a")]
    assert links == ["#main", "https://example.org", "#title"]
    assert "other" in reader.texts["span"]  # a neighbour that is not there is text
    assert text.count("kept") == 2
    assert "example.org" not in text.replace('href="https://example.org"', "")
    assert sum("is not beside the notebook" in note for note in notes) == 2


def test_a_notebook_that_was_never_run_says_so(tmp_path: Path) -> None:
    _, notes = page(tmp_path, new_markdown_cell("# T"), new_code_cell("1 + 1"))
    assert notes == ("no cell has an output; run the notebook and save it, or add --run",)
    _, notes = page(tmp_path, new_markdown_cell("# T"))
    assert notes == ()


def test_bad_sources(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"no notebook .*gone\.ipynb"):
        write_report(tmp_path / "gone.ipynb")
    (tmp_path / "bad.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(GameError, match=r"bad\.ipynb is not a notebook"):
        write_report(tmp_path / "bad.ipynb")
    with pytest.raises(GameError, match=r"no notebook .*other\.ipynb; there are bad\.ipynb"):
        write_report(tmp_path / "other.ipynb")
    with pytest.raises(GameError, match=r"no folder .*nowhere"):
        write_report(NOTEBOOKS[0], tmp_path / "nowhere" / "x.html")
    with pytest.raises(GameError, match="not int"):
        write_report(3)  # type: ignore[arg-type]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.ipynb"]


def test_broken_html_stays_inside(tmp_path: Path) -> None:
    html = "<table><tr><td>a<td>b<tr><th>c</table></div></p><ul><li>one<li>two</ul><b><i>x</b></i>"
    text, _ = page(tmp_path, new_code_cell("x", outputs=[shown({"text/html": html})]))
    reader = Reader(text)
    assert len(reader.all("td")) == 2
    assert len(reader.all("li")) == 2
