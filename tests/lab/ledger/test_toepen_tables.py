"""The small versions of Toepen in the thesis's tables, without waiting for the large ones."""

from __future__ import annotations

import pytest

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.lab.ledger.entries import read_published, read_result
from workbench.lab.ledger.toepen_variants import (
    LARGEST,
    VARIANTS,
    as_told,
    hands,
    upper_bound,
)

RAW = {line.item: line.number for line in read_published("le-2021-table3.1")}
TRANSLATED = {line.item: line.number for line in read_published("le-2021-table3.2")}
SMALL = [name for name, variant in VARIANTS.items() if variant.suits + variant.ranks < 6]


def test_there_are_ten_versions_in_both_tables() -> None:
    items = {f"{name} information sets" for name in VARIANTS}
    assert len(items) == 10
    assert items <= set(RAW)
    assert items <= set(TRANSLATED)
    assert LARGEST in VARIANTS


@pytest.mark.parametrize("name", VARIANTS)
def test_formulas_give_the_printed_numbers(name: str) -> None:
    assert hands(VARIANTS[name]) == RAW[f"{name} hands"]
    assert upper_bound(VARIANTS[name]) == RAW[f"{name} upper bound"]


@pytest.mark.parametrize("name", SMALL)
def test_small_versions_have_the_printed_sizes(name: str) -> None:
    tree = compile_game(VARIANTS[name])
    item = f"{name} information sets"
    assert tree.num_infosets == RAW[item]
    assert abstract(tree, "thesis-suits").coarse.num_infosets == TRANSLATED[item]
    told = compile_game(as_told(VARIANTS[name]))
    same = told.num_infosets == tree.num_infosets
    assert same == (not VARIANTS[name].betting), "with betting the text tells another game"


@pytest.mark.parametrize("entry", ["le-2021-table3.1", "le-2021-table3.2"])
def test_the_large_version_was_measured_in_full(entry: str) -> None:
    found = read_result(entry).ours[f"{LARGEST} information sets"]
    assert found.value == {"le-2021-table3.1": 1_366_338, "le-2021-table3.2": 376_958}[entry]
    assert "need not follow suit" in found.note
