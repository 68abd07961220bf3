"""Numbers that appear in several notebooks agree: each stands in notebooks/numbers.toml, once.

There it says what computes it; here it is computed, and each notebook that states it is read.
"""

import re
import tomllib
from fractions import Fraction

import pytest

import workbench as wb
from tests import golden
from tests.conftest import ROOT
from tests.reading_time import prose
from workbench.lab.ledger import read_published
from workbench.lab.shelves import key, notebooks
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.boards import infosets_per_player

NUMBERS = tomllib.loads((ROOT / "notebooks" / "numbers.toml").read_text("utf-8"))
PATHS = {key(path): path for path in notebooks()}
FIELDS = {"what", "value", "unit", "is", "source", "notebooks"}
GAMES = {
    "kuhn": {},
    "leduc": {},
    "toepen": {"suits": 3, "ranks": 3, "hand": 2, "suit_isomorphism": True},
}
each_number = pytest.mark.parametrize("name", NUMBERS)


def published(file, item):
    """A number as it is printed, from the left side of the ledger."""
    text = next(one.published for one in read_published(file) if one.item == item)
    return f"{int(text):,}" if text.isdigit() else text


def read(text):
    """A number as people print it."""
    return float(Fraction(text.replace("−", "-").replace(",", "")))


@each_number
def test_says_what_it_is(name):
    entry = NUMBERS[name]
    assert entry.keys() - {"also"} == FIELDS
    assert entry["is"] in ("exact", "measured", "published")
    assert set(entry["notebooks"]) <= set(PATHS), "a notebook that is not there"
    places = {
        "wb": wb, "golden": golden, "published": published, "HandBuckets": HandBuckets,
        "infosets_per_player": infosets_per_player, "rhode_island": wb.load_game("rhode_island"),
    }  # fmt: skip
    for game, options in GAMES.items():
        if re.search(rf"\b{game}\.|\({game}\b", entry["source"]):
            places[game] = wb.compile_game(wb.load_game(game, **options))
    if entry["is"] == "published":
        assert eval(entry["source"], places) == entry["value"]
    if entry["is"] == "exact":
        digits = len(entry["value"].partition(".")[2])
        half = 1e-9 if "/" in entry["value"] else 0.5 * 10**-digits
        assert float(eval(entry["source"], places)) == pytest.approx(read(entry["value"]), abs=half)


@each_number
def test_stands_in_the_notebooks_that_state_it(name):
    entry = NUMBERS[name]
    ways = "|".join(re.escape(way) for way in (entry["value"], *entry.get("also", ())))
    for one in entry["notebooks"]:
        found = re.search(rf"(?<![\d.,])(?:{ways})(?!\d|[.,]\d)", "\n".join(prose(PATHS[one])))
        assert found, f"{PATHS[one].name} does not say that the {entry['what']} is {entry['value']}"
