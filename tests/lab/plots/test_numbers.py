"""Gaps, ranges, trade-offs and cross tables: every number stands where it belongs."""

import numpy as np
import pandas as pd
import pytest
from workbench.lab.lectures.tradeoff import plot_tradeoff

import workbench as wb
from tests.lab.plots.artists import legend, named
from workbench.lab.plots.gaps import plot_gaps
from workbench.lab.plots.ranges import plot_ranges
from workbench.lab.plots.tournament import plot_tournament

ROWS = {"JQ-K": [489.7, 509.2, 474.7], "J-QK": [744.0]}
WAYS = {"base": [(132, 490)], "all": [(186, 151)], "two": [(186, 220)], "woven": [(444, 115)]}


def at(line):
    return np.array(line.get_xydata()).tolist()


def test_gaps_join_what_is_promised_and_what_is_paid():
    ax = plot_gaps({"JQ-K": (0.001, 0.49), "naive": (float("nan"), 1.25), "lp": (0.0, 0.5)})
    promised, paid = map(at, ax.lines)
    assert promised[0] == [0.001, 0]
    assert promised[2] == [0.001, 2]  # zero: at the left end
    assert paid == [[0.49, 0], [1.25, 1], [0.5, 2]]
    assert named(ax.texts) == ["0.001", "not known", "0", "0.49", "1.25", "0.5"]
    assert named(ax.get_yticklabels()) == ["JQ-K", "naive", "lp"]
    assert ax.get_xlim()[0] < 0.001 < 1.25 < ax.get_xlim()[1]
    assert named(plot_gaps({"lossless": (0.0, 0.0)}).texts) == ["0", "0"]  # zeros can be drawn
    alone = plot_gaps({"naive": (float("nan"), 0.5)})  # nothing to compare with
    assert named(alone.texts) == ["0.5"]
    assert legend(alone) == ["in the real game"]


def test_ranges_stand_in_their_rows():
    ax = plot_ranges(ROWS, bands={"J-QK": (738.9, 789.1)}, marks={"JQ-K": 496.31}, unit="chips")
    band, dots, mark = map(at, ax.lines)
    assert band == [[738.9, 1], [789.1, 1]]
    assert dots == [[489.7, 0], [509.2, 0], [474.7, 0], [744.0, 1]]
    assert mark == [[496.31, 0]]
    assert len({str(line.get_marker()) for line in ax.lines}) == 3  # not colour alone
    assert named(ax.get_yticklabels()) == list(ROWS)
    assert ax.yaxis_inverted()  # the first row on top
    assert legend(ax) == ["possible", "ours", "published"]
    assert legend(plot_ranges(ROWS, unit="milli-antes")) == []  # dots alone explain themselves


def test_ranges_with_gaps_and_kinds():
    values = {"all": [123.0, 198.0, 560.0], "early": [215.0, 243.0, 290.0]}
    gap = {"all": [(123.0, 254.0), (455.0, 560.0)], "early": (213.0, 290.0)}
    ax = plot_ranges(values, bands=gap, kinds=["cfr", "cfr", "dcfr"])
    low, high, early, cfr, dcfr = map(at, ax.lines)
    assert (low, high) == ([[123, 0], [254, 0]], [[455, 0], [560, 0]])
    assert early == [[213, 1], [290, 1]]
    assert cfr == [[123, -0.15], [198, -0.15], [215, 0.85], [243, 0.85]]
    assert dcfr == [[560, 0.15], [290, 1.15]]  # a little lower: none hides another
    assert legend(ax) == ["possible", "cfr", "dcfr"]
    assert ax.lines[3].get_marker() != ax.lines[4].get_marker()  # not colour alone
    with pytest.raises(wb.GameError, match="row 'all' has 3 values, but there are 2 kinds"):
        plot_ranges(values, kinds=["cfr", "dcfr"])


def test_the_points_of_a_tradeoff():
    ax = plot_tradeoff(WAYS, cost="sets")
    assert [at(line) for line in ax.lines] == [[list(*pairs)] for pairs in WAYS.values()]
    assert len({line.get_marker() for line in ax.lines}) == len(WAYS)  # not colour alone
    assert legend(ax) == [*WAYS]


def test_a_staircase_is_the_least_so_far():
    ways = {"a": [(1, 9), (5, 2), (3, 7)], "b": [(2, 8), (3, 4), (4, 6)], "c": [(8, 0)]}
    line = plot_tradeoff(ways, stairs={"best of a and b": ["a", "b"]}).lines[0]
    assert line.get_drawstyle() == "steps-post"
    for budget, least in [(1, 9), (2, 8), (3, 4), (4.5, 4), (5, 2), (8, 2)]:
        assert [y for x, y in at(line) if x <= budget][-1] == least


def test_every_pair_has_its_number(kuhn):
    friends = {"uniform": wb.Strategy.uniform(kuhn)}
    for name, move in (("bold", "b"), ("timid", "p")):
        friends[name] = wb.Strategy.from_function(kuhn, lambda *asked, move=move: move)
    ax = plot_tournament(1000 * wb.tournament(friends), title="milli-antes")
    assert {text.get_position(): text.get_text() for text in ax.texts} == {
        (1, 0): "−375", (2, 0): "500",
        (0, 1): "375", (2, 1): "1000",
        (0, 2): "−500", (1, 2): "−1000",
    }  # fmt: skip
    assert named(ax.get_yticklabels()) == named(ax.get_xticklabels()) == list(friends)
    assert ax.get_title() == "milli-antes"
    twins = pd.DataFrame([[0.0, -1e-9], [1e-9, 0.0]], index=["a", "b"], columns=["a", "b"])
    assert named(plot_tournament(twins, decimals=1).texts) == ["0.0", "0.0"]  # and no minus
