"""What notebooks show as HTML: escaped, aligned, with numbers as people read them."""

from xml.etree import ElementTree

import pandas as pd

from workbench.lab.html import CSS, Html, bar, framed, table


def test_a_frame_as_a_table():
    frame = pd.DataFrame({"game": ["a<b"], "sets": [1234567], "gain": [0.001234], "end": [None]})
    page = ElementTree.fromstring(table(frame, "words & more", marks=["★"]))
    cells = {"".join(cell.itertext()): cell.get("class") for cell in page.iter("td")}
    assert cells == {"★ a<b": "left", "1,234,567": None, "0.00123": None, "": "left"}
    assert [head.text for head in page.iter("th")] == list(frame)
    assert {head.get("scope") for head in page.iter("th")} == {"col"}
    assert page.find(".//caption").text == "words & more"  # type: ignore[union-attr]


def test_rows_with_markup_and_kinds():
    rows = [["<i>", Html("<b>x</b>")], ["sum", bar(0.5)]]
    page = ElementTree.fromstring(table(rows, head=("name", "share"), kinds={1: "sum"}))
    first, last = page.findall(".//tbody/tr")
    assert (first[0].text, first[1][0].tag, first.get("class")) == ("<i>", "b", None)
    assert (last[1].text, last.get("class")) == ("0.500", "sum")
    assert last.find(".//span/span").get("style") == "width:50.0%"  # type: ignore[union-attr]


def test_a_page_brings_its_style_sheet_and_fetches_nothing():
    assert framed("<p>x</p>").startswith(CSS)
    assert not any(word in CSS for word in ("url(", "@import", "</style>x"))
