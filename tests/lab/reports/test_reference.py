"""The reference has every public name, with an example, and its pages fetch nothing."""

import inspect
import re

import pytest
from bs4 import BeautifulSoup

from workbench.lab.reports.reference import (
    _index,
    explained,
    has_example,
    places,
    public_names,
    write_reference,
)

NAMES = {f"{place}.{name}": one for place in places() for name, one in public_names(place).items()}
PLAIN = {  # what is caught, handed back or annotated needs no example
    "wb.GameError", "wb.exercises.UnfitError", "wb.solvers.Solver", "wb.solvers.State",
    "wb.play.Move", "wb.play.Review", "wb.play.Verdict", "wb.play.Worth", "wb.exercises.Verdict",
    "wb.exercises.Exercise", "wb.reports.Report", "wb.reports.write_ledger",
    "wb.poker.HoldemBuckets",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(NAMES) - PLAIN))
def test_every_public_name_has_words_and_an_example(name):
    assert inspect.getdoc(NAMES[name])
    assert has_example(explained(NAMES[name]))


def test_the_index_links_every_name():
    index = BeautifulSoup(_index(), "html.parser").main
    assert index.h1
    assert {link.get_text() for link in index.find_all("a")} == set(NAMES)


@pytest.mark.slow
def test_pages_have_all_names_and_fetch_nothing(tmp_path):
    write_reference(tmp_path)
    index = BeautifulSoup((tmp_path / "index.html").read_text("utf-8"), "html.parser").main
    listed = {link.get_text(): link["href"] for link in index.find_all("a")}
    assert set(listed) == set(NAMES)
    texts = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    for text in texts.values():
        assert not re.search(
            r"<(?:script|link|iframe)[^>]*\b(?:src|href)=\"(?!data:)|@import|url\(http", text
        )
        assert not re.search(r"<img[^>]*src=\"(?!data:)", text)
    for href in listed.values():
        file, _, place = href.partition("#")
        assert f'id="{place}"' in texts[tmp_path / file]
