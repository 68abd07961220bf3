"""`workbench reproduce`: the ledger without computing, one entry again, wrong names."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from typing import Any

from workbench.lab.cli.main import main
from workbench.lab.ledger import command, entries
from workbench.lab.ledger.command import PLAIN
from workbench.lab.ledger.entries import list_entries, read_ledger, read_settings
from workbench.lab.ledger.ledger import VERDICTS

FIELDS = [
    "source", "item", "unit", "published", "ours", "low", "high", "verdict", "note", "says",
    "where", "scale",
]  # fmt: skip


def test_without_a_name_nothing_is_computed(output, capsys, monkeypatch):
    """All rows are shown, no range without its note, and what all ranges share once."""
    monkeypatch.setattr(entries, "import_module", None)  # no entry can be run
    summary = output("reproduce").splitlines()
    assert len(summary) <= 48  # one large screen
    assert max(map(len, summary)) <= 100
    assert {row.source for row in read_ledger()} <= {line.split()[0] for line in summary if line}
    head, *lines = (line.split() for line in summary if line)
    assert " ".join(head) == "entry reproduced in range claims hold not reproduced do not hold"
    verdicts = Counter(row.verdict for row in read_ledger())
    together = next(line for line in lines if line[0] == "together")
    assert together[1:] == [str(verdicts[verdict]) for verdict in VERDICTS]
    words = " ".join(output("reproduce --all").split())
    verdicts = set()
    for row in read_ledger():
        assert row.source in words
        assert row.item in words
        verdicts.add(row.verdict)
        if row.verdict == "inside the range":
            assert " ".join(row.note[:40].translate(PLAIN).split()) in words
    assert verdicts == set(VERDICTS)
    shared = " ".join(str(read_settings("gibson-szafron-2011-table1")["ranges"]).split())
    assert words.count(shared) == 1
    assert "scale: Rhode Island Hold'em without abstraction; the talk's programs played" in words
    for row in read_ledger("le-2021-table3.1"):
        assert " ".join(row.where.split()) in words
    assert main(["reproduce", "--json", "--quick"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == len(read_ledger())
    assert err.startswith("workbench: --quick has measured nothing")


def test_showing_the_ledger_does_not_wait_for_pictures_or_tables(run_python):
    code = (
        "import sys; from workbench.lab.cli.main import main; main(['reproduce']); "
        "print({'matplotlib', 'pandas', 'pyspiel'} & set(sys.modules))"
    )
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "set()"


def test_json_is_a_list_of_rows(output):
    asked = "reproduce kuhn-1950 gibson-szafron-2011-figure1 --quick --json"
    rows: list[dict[str, Any]] = json.loads(output(asked))
    assert {row["source"] for row in rows} == {"kuhn-1950", "gibson-szafron-2011-figure1"}
    for row in rows:
        assert list(row) == FIELDS
        assert isinstance(row["ours"], int | float)
        assert row["verdict"] in VERDICTS
        for name in ("published", "low", "high"):
            assert row[name] is None or isinstance(row[name], int | float)


def test_each_printed_number_counts_once_and_ours_apart():
    rows = entries.read_ledger()
    printed = {(r.where, r.published) for r in rows if r.document and r.published is not None}
    said = command.what_is_green(rows)
    assert said.startswith(f"The documents print {len(printed)} of these numbers: ")
    assert len(printed) < sum(row.published is not None for row in rows)
    ours = {row.source for row in rows if not row.document}
    assert {"leduc-golden", "kuhn-1950", "workbench-toepen-findings"} <= ours
    assert not any(row.document for row in rows if row.source == "kuhn-1950")
    assert set(command.OWN_METHOD) <= {row.source for row in rows}
    assert "gibson-szafron-2011-table1" not in ours
    counts, documents = [rows[0], replace(rows[0], verdict="not reproduced")], "Le (2021), page 3"
    first, second = (replace(r, published=2.0, where=documents, unit="sets") for r in counts)
    assert "print 1 of these numbers: 1 not reproduced" in command.what_is_green([second, first])
    own = replace(first, source=command.OWN_METHOD[0], verdict="reproduced")
    assert "print 1 of these numbers: 1 reproduced" in command.what_is_green([second, own])


def test_one_entry_is_shown_with_its_notes(output):
    out = output("reproduce kuhn-1950")
    assert "-0.055556" in out
    assert out.isascii()
    assert "11/24" in out
    assert "the full run's counts" not in " ".join(out.split())
    assert out.rstrip().endswith("2 claims hold")
    assert "the full run's counts" in " ".join(output("reproduce kuhn-1950 --quick").split())


def test_save_keeps_what_was_measured(tmp_path, monkeypatch, output):
    shutil.copytree(entries.DATA / "published", tmp_path / "published")
    monkeypatch.setattr(entries, "DATA", tmp_path)
    output("reproduce kuhn-1950")
    assert not (tmp_path / "results").exists()
    output("reproduce kuhn-1950 --save")
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["kuhn-1950.json"]
    lines = output("reproduce").splitlines()
    missing = {f"not measured yet: {name}" for name in list_entries() if name != "kuhn-1950"}
    assert {line for line in lines if line.startswith("not measured")} == missing


def test_an_installed_package_keeps_no_results(monkeypatch, refused):
    monkeypatch.setattr(command, "CHECKOUT", None)
    assert "this is an installed package" in refused("reproduce kuhn-1950 --save")
