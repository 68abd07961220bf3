"""Which hands went together: a cell for each early hand, a line for each later bucket."""

import numpy as np
import pytest

import workbench as wb
from workbench.lab.plots.hand_map import plot_hand_map
from workbench.poker.buckets.buckets import HandBuckets

SMALL = wb.load_game("rhode_island", ranks=4, suits=3)


def numbers(ax):
    return [int(text.get_text()) for text in ax.texts if text.get_text().isdigit()]


def test_a_cell_has_the_number_of_its_bucket():
    buckets = HandBuckets.lossless(SMALL)
    ax = plot_hand_map(buckets)
    found = numbers(ax)
    assert sorted(set(found)) == [*range(1, buckets.classes[1] + 1)]
    assert len(found) == 4 * 4 + 4 * 3  # no card is of its own suit and rank
    colours = ax.images[0].get_array()
    assert np.isnan(np.ma.filled(colours, np.nan)).sum() == 4
    assert [text.get_text() for text in ax.get_yticklabels()] == list("AKQJ")


def test_hands_that_went_together_have_one_colour():
    ax = plot_hand_map(wb.cluster_hands(SMALL, (1, 2, 3)), title="two")
    assert set(numbers(ax)) == {1, 2}
    assert len(np.unique(np.ma.compressed(np.ma.masked_invalid(ax.images[0].get_array())))) == 2
    assert ax.get_title() == "two"


def test_other_rounds():
    buckets = wb.cluster_hands(SMALL, (2, 4, 8))
    assert len(numbers(plot_hand_map(buckets, round=0))) == 4
    last = plot_hand_map(buckets, round=2)
    assert len(last.collections[0].get_segments()) == buckets.classes[2]
    leduc = plot_hand_map(wb.cluster_hands(wb.load_game("leduc"), (3, 5)))
    assert len(numbers(leduc)) == 9  # suits make no difference
    with pytest.raises(wb.GameError, match="its rounds are 0 to 2"):
        plot_hand_map(buckets, round=3)
