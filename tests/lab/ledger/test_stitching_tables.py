"""The fields behind Gibson & Szafron's Table 1 and Waugh et al.'s tournament, and what was kept."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from workbench.lab.ledger.papers.bases import SOLVERS, adds_up, bounded
from workbench.lab.ledger.papers.leduc_grafts import NAMES, Nine, play_nine
from workbench.lab.ledger.papers.leduc_table1 import on_bases

import workbench as wb
from tests.golden import LEDUC_EXPERT_SIZES, LEDUC_STITCHED
from workbench import GameTree
from workbench.lab.ledger.entries import read_ledger, read_result, read_settings
from workbench.lab.ledger.entry import Effort, value
from workbench.lab.ledger.ledger import Ours, Result, Row
from workbench.lab.ledger.papers import leduc_experts as table1
from workbench.lab.ledger.papers import leduc_runs as runs
from workbench.lab.ledger.papers import leduc_sampled

ALL, DROPPED, ROWS, TWIN = table1.ALL, table1.DROPPED, table1.ROWS, table1.TWIN
SHORT = dict(zip(ROWS, ("Base", "Dynamic", "S={i}", "S=N All", "S=N Pre-flop"), strict=True))
TABLE, GRAFTS = "gibson-szafron-2011-table1", "waugh-2009-leduc"


@pytest.fixture(scope="module")
def field(ranked: GameTree) -> table1.Table1:
    return table1.play_field(ranked, "cfr+", 50)


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return {row.item: row for row in read_ledger(TABLE)}


@pytest.fixture(scope="module")
def kept() -> Result:
    return read_result(TABLE)


# ---- the field of Table 1 ------------------------------------------------------------------


def test_sizes_by_row(leduc):
    found, alone = table1.table1_sizes(leduc, "JQ-K")
    golden = LEDUC_EXPERT_SIZES[2]
    static = {"Static.S={i}": golden["S={i}"], ALL: golden["S=N"], ROWS[4]: golden["S=N"]}
    assert found == {"Base": golden["Base"], "Dynamic": golden["Dynamic"], **static}
    assert [max(of_player.values()) for of_player in alone] == [golden["S={i}"]] * 2


@pytest.mark.parametrize("rule", ["", TWIN])
@pytest.mark.parametrize("row", ROWS)
def test_earnings_as_the_paper_defines_them(field, row, rule):
    """½ (u_1(σ_1, σ'_2) + u_2(σ'_1, σ_2)), averaged over all σ' of the two other bases.

    By the other rule everybody's S=N.All drops leftovers: mine, and the opponents'.
    """
    members = [ALL + rule if name == ALL else name for name in ROWS]
    mine = field.strategies["JQ-K"][ALL + rule if row == ALL else row]
    found = []
    for base, name in product(("null", "J-QK"), members):
        other = field.strategies[base][name]
        first, second = wb.expected_values([mine, other])[0], wb.expected_values([other, mine])[1]
        found.append((first + second) / 2)
    assert len(found) == 10
    assert table1.field_earnings(field, "JQ-K")[row + rule] == pytest.approx(
        np.mean(found), abs=1e-12
    )


def test_a_random_start_is_another_base_under_the_experts(ranked, tmp_path):
    one, same, other, usual = (
        table1.play_field(ranked, "dcfr", 30, start=start, bases=("JQ-K",), store=tmp_path / "runs")
        for start in (0, 0, 1, None)
    )
    for row in (*ROWS, DROPPED):
        base = one.strategies["JQ-K"][row].probs
        assert np.array_equal(base, same.strategies["JQ-K"][row].probs)
        assert not np.array_equal(base, other.strategies["JQ-K"][row].probs)
        assert not np.array_equal(base, usual.strategies["JQ-K"][row].probs)
    learnt = next(
        wb.theory.learnt_equilibria(wb.abstract(ranked, "JQ-K"), "dcfr", iterations=30, seeds=1)
    )
    assert np.array_equal(one.strategies["JQ-K"]["Base"].probs, learnt.probs)


# ---- claims --------------------------------------------------------------------------------


def test_claims_that_depend_on_the_rule_are_checked_by_both():
    alone = {item for item in runs.STATED if item + TWIN not in runs.CLAIMS}
    assert alone == {"2p Dynamic, S={i} less exploitable than Pre-flop"}
    for item in runs.CLAIMS.keys() - runs.STATED.keys():
        names = {name for pair in runs.CLAIMS[item].pairs for name in pair} - {"nothing"}
        assert ALL not in names
        if runs.CLAIMS[item].column == "earnings":  # within one field
            assert all(name.endswith(TWIN) for name in names)
        else:
            assert DROPPED in names


def test_who_is_said_to_win_must_win():
    """Less than nothing lost by the base is no loss, however far the others are ahead."""
    item = "3p experts earn more than Base"
    for base, lead in ((-4.0, 3.0), (1.0, -1.0)):
        earned = dict.fromkeys(ROWS, 3.0) | {"Base": base}
        twins = {row + TWIN: x for row, x in earned.items()}
        found = runs.items("3p", {"earnings": earned | twins})
        assert found[item] == found[item + TWIN] == lead


def test_bases_count_that_are_close_to_equilibrium():
    learnt = Ours.spread({"cfr+": 150.0, "cfr": 170.0}, "cfr+")
    left = {"random start 0": 0.1, "random start 1": 1.5}
    started = {"random start 0": 455.0, "random start 1": 999.0}
    ends = {"kindest": 560.0, "cruellest": 470.0}
    found = on_bases(learnt, started, left, ends, 432.74)
    assert list(found.parts) == ["cfr+", "cfr", "random start 0", "kindest", "cruellest"]
    assert found.facts["nearest to what is printed"] == 455.0
    assert found.left == {"random start 0": 0.1}


# ---- what was kept -------------------------------------------------------------------------


def test_kept_sizes_and_theorem(rows):
    for half, players in (("2p", 2), ("3p", 3)):
        for row, name in SHORT.items():
            known = LEDUC_EXPERT_SIZES[players][name.split()[0]]
            assert rows[f"{half} size {row}"].ours == known
    odd = rows["3p size Static.S={i}"]
    assert (odd.published, odd.ours, odd.verdict) == (3017, 3021, "not reproduced")
    theorem = [row.verdict for item, row in rows.items() if "Theorem 1" in item]
    assert theorem == ["claim holds"] * 3


def test_kept_exploitability(rows):
    for row, name in SHORT.items():
        low, high = LEDUC_STITCHED[name]
        assert low <= rows[f"2p exploitability {row}"].ours <= high
    for row in ("Base", "Dynamic"):
        learnt, every = (rows[f"2p exploitability {row}{end}"] for end in ("", ", all equilibria"))
        assert every.verdict == "inside the range"
        assert every.low <= learnt.ours <= every.high
    kept, dropped = (rows[f"2p exploitability {row}"] for row in (ALL, DROPPED))
    assert dropped.ours > 2 * kept.ours  # the rule matters


def test_kept_claims_follow_from_the_kept_cells(kept):
    """Solver by solver, start by start, seed by seed."""
    solvers = {item: ours.parts for item, ours in kept.ours.items() if not item.endswith("bases")}
    for half in ("2p", "3p"):
        for table in (solvers, kept.settings[runs.STARTED.format(half)], kept.settings[runs.DRAWN]):
            cells = [item for item in table if item.startswith((f"{half} earn", f"{half} expl"))]
            for run in {run for item in cells for run in table[item]}:
                numbers: dict[str, dict[str, float]] = {"earnings": {}, "exploitability": {}}
                for item in cells:
                    if run in table[item] and item != "2p exploitability Base":  # more iterations
                        _, column, row = item.split(" ", 2)
                        numbers[column][row] = table[item][run]
                numbers = {name: of for name, of in numbers.items() if len(of) >= len(ROWS)}
                for item, lead in runs.items(half, numbers).items():
                    assert table[item][run] == pytest.approx(lead, abs=1e-9)


def test_kept_verdicts_rest_on_runs_that_have_arrived(kept):
    """Members of a two-player range leave a mean gain of at most a milli-ante; seeds do not."""
    inside = kept.settings[runs.INSIDE.format("2p")]
    inside = inside | kept.settings[runs.INSIDE.format("2p from random starts")]
    for item, ours in kept.ours.items():
        if item.startswith("2p") and ours.parts:
            ends = {"kindest", "cruellest"} if item.endswith(", bases") else set()
            if not ends:
                assert list(ours.parts) == list(SOLVERS)
            assert max(inside[way] for way in ours.parts if way not in ends) <= 1
            assert ends <= set(ours.parts)
    assert min(left for run, left in inside.items() if "chance" in run) > 1
    drawn = kept.settings[runs.DRAWN]
    assert drawn.keys() <= kept.ours.keys()
    assert sum("10M" in run for run in drawn[f"2p exploitability {ALL}"]) == len(runs.SEEDS)


def test_kept_seeds_of_the_papers_method_give_the_kept_rows(kept):
    """Expressions and settings once more, on the runs of a night that were kept."""
    found = read_result(leduc_sampled.NAME)
    inside = found.settings["milli-antes to gain inside, largest of all games"]
    work = leduc_sampled.SampledFields(Effort())
    by_item = {item: ours.parts for item, ours in found.ours.items()}
    work.runs = SimpleNamespace(by_item=by_item, inside=inside)  # type: ignore[assignment]
    for item, expression in leduc_sampled.SAMPLED.items.items():
        assert value(expression, work) == found.ours[item]
    assert {name: found.settings[name] for name in work.settings} == work.settings
    low, high = (f"{end(inside.values()):.2f}" for end in (min, max))
    for said in (leduc_sampled.SAMPLED.about, leduc_sampled.SAMPLED.scale):
        assert f"{low} to {high} milli-antes are left" in " ".join(said.split())
    for row in read_ledger(leduc_sampled.NAME):
        assert ("; open" in row.note) == (row.verdict == "not reproduced")
    shorter = kept.settings[runs.DRAWN]
    early = [x for run, x in shorter[f"2p exploitability {ROWS[4]}"].items() if "10M" in run]
    assert len(early) == 8
    assert f"{min(early):.1f}" in leduc_sampled.BY_BASE
    for column, near in ((runs.EXPLOITED, 432.74), (runs.EARNED, 29.2)):
        tried = shorter[f"2p {column} {ALL}"].items()
        assert min(abs(x / near - 1) for run, x in tried if "1M" in run) < 0.08


# ---- the tournament of nine ----------------------------------------------------------------


@pytest.fixture(scope="module")
def nine(ranked: GameTree) -> Nine:
    bases = {
        name: wb.solve(ranked, iterations=100, abstraction=name, checkpoints=100).strategy
        for name in NAMES[:3]
    }
    return play_nine(ranked, bases, "cfr+", 100)


def test_nine_meet(nine):
    for column in ("winnings", "wins", "won from folding"):
        assert list(nine.numbers[column]) == list(NAMES)
    assert sum(nine.numbers["winnings"].values()) == pytest.approx(0.0, abs=1e-9)
    assert sum(nine.numbers["wins"].values()) == 9 * 8 / 2
    assert min(nine.numbers["won from folding"].values()) > 0
    assert nine.numbers["exploitability"]["always folding"] == pytest.approx(500)
    with_folding = nine.numbers["winnings of ten"]
    assert min(with_folding, key=lambda name: with_folding[name]) == "always folding"


def test_theorem_1_on_every_graft(nine):
    assert len(nine.theorem) == 12
    assert all(one.holds and len(one.gains) == 3 for one in nine.theorem)
    summed, spare = adds_up(nine.theorem), bounded(nine.theorem)
    assert summed.holds
    assert summed.value < 1e-12
    assert spare.holds
    assert spare.value > 0


def test_kept_fields_are_as_close_as_the_papers():
    settings = read_settings(GRAFTS)
    epsilon = settings["chips to gain, largest of all games"]
    assert len(settings["fields"]) > 1
    assert max(epsilon[name] for name in settings["fields"]) <= 1e-5
    ours = read_result(GRAFTS).ours
    assert ours["winnings: every graft improves on its base"].holds
    assert ours["winnings: J.Q.K is the best base"].holds
