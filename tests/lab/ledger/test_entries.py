"""Every entry has its three parts, they agree, and a new one needs two of them."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from workbench.lab.ledger.papers.traces import curves_of

from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger import entries
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.papers import holdem_experts, toepen_match, weak_opponents
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Run
from workbench.solvers.cfr import CFRPlus

SLOW = {
    "ganzfried-sandholm-tournaments", "le-2021-figure4.2", "le-2021-larger-games",
    "sandholm-2009-gameshrink", "sandholm-2009-memory",
    "gibson-szafron-2011-table1", "gibson-szafron-2011-table2", "waugh-2009-holdem",
    "gibson-szafron-2011-table2-three",
    "le-2021-figure4.3", "le-2021-figure4.4", "le-2021-figure4.5", "le-2021-section4.2.3",
    "le-2021-section4.2.4", "le-2021-table3.1", "le-2021-table3.2", "leduc-golden",
    "sandholm-2009-abstractions", "waugh-2009-leduc", "workbench-toepen-findings",
    "workbench-toepen-match", "workbench-weak-opponents",  # below in small
}  # fmt: skip
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
    for name in entries.list_entries()
]


@pytest.mark.parametrize("name", NAMES)
def test_measured_again_gives_the_verdicts_that_were_kept(name):
    result = entries.recompute(name, quick=True)
    kept, again = entries.read_ledger(name), entries.judged(name, result)
    assert [row.item for row in kept] == [line.item for line in entries.read_published(name)]
    known = entries.read_result(name).ours
    for old, new in zip(kept, again, strict=True):
        parts = result.ours.get(new.item, known[new.item]).parts
        narrower = len(parts) < len(known[new.item].parts)  # fewer solvers, a smaller range
        if old.unit == "seconds":  # of a machine that may have other things to do
            assert new.ours > 0
            continue
        assert new.verdict == old.verdict or narrower
        close = 2.0 if narrower else 1.0 if old.low else 1e-9
        if "Theorem 1: no gain below" in old.item:  # a distance that shrinks with the iterations
            close = 0.1
        unfinished = "so unfinished" in new.note  # told, and only the verdict counts
        if old.unit != "iterations" and not unfinished:  # quick mode has few stops
            assert new.ours == pytest.approx(old.ours, rel=0.05, abs=close)
        assert ("not measured now" in new.note) == (new.item in result.skipped)


def test_findings_in_small(monkeypatch):
    """Short matches say the same, but with one card each equal tallies cost something, too."""
    for name, small in (("DECK", Toepen(2, 3, 1)), ("STAKE", 3), ("BOUND", 6)):
        monkeypatch.setattr(toepen_match, name, small)
    short = partial(weak_opponents.learning_match, deals=20)
    monkeypatch.setattr(
        weak_opponents, "learning_match", lambda *who, seed, **_: short(*who, seed=seed)
    )
    for name, other in (("toepen-match", ["one hand out of reach, equal tallies"]),
                        ("weak-opponents", [])):  # fmt: skip
        found = entries.recompute(f"workbench-{name}", quick=True).ours
        assert [item for item, ours in found.items() if not ours.holds] == other


@pytest.mark.parametrize(
    ("wider", "more", "why"), [(0, True, holdem_experts.WHY), (20, False, holdem_experts.OVERLAP)]
)
def test_less_exploitable_means_beyond_the_intervals(wider, more, why):
    """From the numbers that were kept, and with wider intervals."""
    kept = entries.read_result(name := "gibson-szafron-2011-table2-24m").ours
    lost = {one: kept[f"2p exploitability {row}"] for row, one in holdem_experts.FOUR.items()}
    for one in ("S=N", "S={i}", "Dynamic"):
        lost[one] = replace(lost[one], low=lost[one].low - wider, high=lost[one].high + wider)
    for item, holds in (("less exploitable than Base", more), ("the least exploitable", False)):
        claim, others = entries.all_entries()[name].items[f"2p S=N is {item}"]
        found, old = claim(SimpleNamespace(lost=lost.get), others), kept[f"2p S=N is {item}"]
        assert (found.value, found.holds) == (old.value, holds)
        assert found.note == ("" if holds else why)


@pytest.mark.parametrize("name", entries.list_entries())
def test_kept_results_say_how_they_were_made(name):
    kept = entries.read_result(name).ours
    assert {"game", "seeds", "workbench", "numpy", "python"} <= set(entries.read_settings(name))
    entry = entries.all_entries()[name]
    assert kept.keys() == entry.items.keys()
    assert entries.read_settings(name).get("scale", "") == entry.scale
    for row in entries.read_ledger(name):
        ours = kept[row.item]
        if row.verdict in ("not reproduced", "claim does not hold") or ours.parts:
            assert row.note, f"{row.item}: say why, or what the range is over"
        if row.low != row.high:
            assert ours.over, f"{row.item}: what is the range over?"
        if ours.parts:
            assert row.low == min(ours.parts.values())
            assert row.high == max(ours.parts.values())


def test_what_no_text_claims_says_that_it_is_ours():
    """Findings have no published number, and a claim of a text never says that it is ours."""
    for name in entries.list_entries():
        for line in entries.read_published(name):
            ours = "our own finding" in line.where
            assert ours == name.startswith("workbench-")
            assert not (ours and line.published)


NAME = "doe-2030-table4.2"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, and the expressions of the entry doe-2030-table4.2."""
    (tmp_path / "published").mkdir()
    monkeypatch.setattr(entries, "DATA", tmp_path)
    entry = Entry(
        "Doe (2030), Table 4.2",
        lambda effort: effort,
        {"size": lambda effort: Ours(effort.pick(5, 4), note="five")},
        lambda effort: {"game": "none", "seeds": [1, 2]},
    )
    monkeypatch.setattr(entries, "all_entries", lambda: {NAME: entry})
    return tmp_path


def test_settings_are_a_mapping_or_make_one():
    made = [
        Entry("", work, {}, *settings).measure(Effort()).settings
        for work, settings in [
            (lambda effort: 3, [{"seeds": 3}]),
            (lambda effort: 3, [lambda work: {"seeds": work}]),
            (lambda effort: SimpleNamespace(settings={"seeds": 3}), []),
        ]
    ]
    assert made == [{"seeds": 3}] * 3
    for wrong in ([], ["game"], [lambda work: work]):
        with pytest.raises(GameError, match="settings of an entry are a mapping, or a function"):
            Entry("", lambda effort: 3, {}, *wrong).measure(Effort())


def publish(desk: Path, text: str, columns: str = "item,unit,published,where,says") -> None:
    path = desk / "published" / f"{NAME}.csv"
    path.write_text(f"{columns}\n{text}", encoding="utf-8")


def test_a_new_entry_is_one_csv_and_one_table_of_expressions(desk):
    publish(desk, "size,sets,5,Table 4.2,\n")
    assert entries.list_entries() == [NAME]
    assert entries.read_ledger() == []  # nobody has run it
    assert entries.judged(NAME, entries.recompute(NAME, quick=True))[0].verdict == "not reproduced"
    path = entries.save_result(NAME, entries.recompute(NAME))
    assert [row.verdict for row in entries.read_ledger()] == ["reproduced"]
    assert json.loads(path.read_text(encoding="utf-8"))["settings"]["seeds"] == [1, 2]
    assert [file.name for file in path.parent.iterdir()] == ["doe-2030-table4.2.json"]
    assert entries.read_curves(NAME) is None


def test_all_that_is_stated_survives_the_file(desk):
    publish(desk, "size,sets,,T,grows\n")
    ours = Ours.lead({"a": 1.0, "b": -1.0}, "a", left={"b": 0.5}, facts={"x": {"y": 2}}, note="so")
    entries.save_result(NAME, Result({"size": ours}, {"by run": {"size": {"seed 0": 1.0}}}))
    again = entries.read_result(NAME)
    assert again.ours["size"] == ours
    assert again.beside("size") == [{"seed 0": 1.0}]


def test_what_quick_mode_skips_is_shown_as_kept_and_says_so(desk):
    def huge(effort: Effort) -> Ours:
        effort.full_only("takes hours")
        return Ours(7, note="seven")

    publish(desk, "size,sets,5,T,\nhuge,sets,7,T,\n")
    items = {"size": lambda effort: 5.0, "huge": huge}
    entry = Entry("", lambda effort: effort, items, lambda effort: {})
    quick = entry.measure(Effort(quick=True))
    assert [row.item for row in entries.judged(NAME, quick)] == ["size"]  # nothing kept, no row
    with pytest.raises(GameError, match="'huge' was not measured"):
        entries.save_result(NAME, quick)
    entries.save_result(NAME, entry.measure(Effort()))
    size, kept = entries.judged(NAME, quick)
    assert (size.ours, size.note) == (5, "")
    assert (kept.ours, kept.verdict) == (7, "reproduced")
    assert kept.note == "not measured now (takes hours) but kept from a full run; seven"
    with pytest.raises(GameError, match="'huge' is not both"):
        entries.judged(NAME, Result({"size": Ours(5)}, {}))


def coins(store: Path | None) -> list[Run]:
    tasks = [Experiment("kuhn", iterations=20, checkpoints=[10, 20], seed=seed) for seed in (0, 1)]
    return Effort(store=store).solve(tasks)


def test_curves_are_kept_beside_the_claims(desk):
    publish(desk, "size,sets,5,T,\n")
    table = curves_of({"kuhn": coins(None), "once more": coins(None)[:1]})
    assert list(table.columns) == ["curve", "repeat", "iteration", "exploitability"]
    assert len(table) == 2 * 2 + 1 * 2
    entries.save_result(NAME, Result({"size": Ours(5)}, {}, table))
    pd.testing.assert_frame_equal(entries.read_curves(NAME), table, rtol=1e-6, check_dtype=False)
    (desk / "results" / f"{NAME}.csv").write_text("curve,repeat\n", encoding="utf-8")
    with pytest.raises(GameError, match=r"doe-2030-table4\.2\.csv"):
        entries.read_curves(NAME)


CURVES: dict[str, tuple[list[tuple[object, ...]], str]] = {
    "no lines": ([], "need lines"),
    "a hole": ([("a", 0, 1, float("nan"))], "finite"),
    "twice the same point": ([("a", 0, 1, 2.0), ("a", 0, 1, 3.0)], "two values"),
    "repeats apart": ([("a", 0, 1, 2.0), ("a", 1, 5, 3.0)], "different"),
}


@pytest.mark.parametrize(("lines", "message"), CURVES.values(), ids=CURVES)
def test_curves_that_have_no_mean_are_refused(desk, lines, message):
    publish(desk, "size,sets,5,T,\n")
    table = pd.DataFrame(lines, columns=["curve", "repeat", "iteration", "exploitability"])
    with pytest.raises(GameError, match=message):
        entries.save_result(NAME, Result({"size": Ours(5)}, {}, table))
    assert list((desk / "results").iterdir()) == []


def test_runs_of_an_entry_are_found_again_in_its_store(tmp_path):
    first, again = (coins(tmp_path / "runs") for _ in range(2))
    assert [run.run_id for run in again] == [run.run_id for run in first]
    assert [run.seconds for run in again] == [run.seconds for run in first]  # not run again


def test_a_run_that_fails_is_an_error(monkeypatch):
    monkeypatch.setattr(CFRPlus, "advance", lambda *arguments: 1 / 0)
    with pytest.raises(GameError, match="2 of 2 runs failed, first: ZeroDivisionError: division"):
        coins(None)


BROKEN = {
    "an item that is not measured": ("size,sets,5,T,\nearnings,chips,1,T,\n", "'earnings' is not"),
    "a comma too many": ("size,sets,5,T,yes,no\n", "does not have 5 fields"),
    "too few fields": ("size,sets\n", "does not have 5 fields"),
    "no source": ("size,sets,5,,\n", "without where"),
    "nothing": ("", "must stand there once"),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_tables_are_refused(desk, text, message):
    publish(desk, text)
    with pytest.raises(GameError, match=message):
        entries.save_result(NAME, entries.recompute(NAME))
    assert not (desk / "results").exists()
    publish(desk, text, "item,unit")
    with pytest.raises(GameError, match="must have the columns"):
        entries.read_published(NAME)


@pytest.mark.parametrize("text", ["{", '{"ours": {"size": {"vale": 1}}}', "[]"])
def test_a_damaged_result_is_refused_by_name(desk, text):
    publish(desk, "size,sets,5,T,\n")
    (desk / "results").mkdir()
    (desk / "results" / f"{NAME}.json").write_text(text, encoding="utf-8")
    with pytest.raises(GameError, match=r"doe-2030-table4\.2\.json"):
        entries.read_ledger()


def test_without_a_result_or_the_data_it_says_what_to_do(desk):
    with pytest.raises(GameError, match="come with workbench: install it again"):
        entries.list_entries()
    publish(desk, "size,sets,5,T,\n")
    with pytest.raises(GameError, match=r"run `workbench reproduce doe-2030-table4\.2 --save`"):
        entries.read_result(NAME)
