"""`workbench reproduce`: the ledger in a terminal.

Without names, or with `--all`, it shows what was kept and computes nothing; named entries are
measured again. After a crash the same command goes on where it was, if it has a store.
"""

import argparse
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from workbench.lab.ledger import entries
from workbench.lab.ledger.entry import Effort
from workbench.lab.ledger.ledger import VERDICTS, Row, Verdict
from workbench.lab.ledger.notes import short
from workbench.lab.text import PLAIN, columns
from workbench.rules import GameError
from workbench.shipped import CHECKOUT

WIDTH = 100
HEAD = ("item", "published", "ours", "range", "verdict")
SHORT = ("reproduced", "in range", "claims hold", "not reproduced", "do not hold")  # of VERDICTS
SAID = ("inside the range", "not reproduced", "claim does not hold")  # nothing without the note
CLAIMS: tuple[Verdict, Verdict] = ("claim holds", "claim does not hold")
COUNTED = (  # units of what is counted and not measured
    "information sets", "sets", "histories", "nodes", "rows", "non-zeros", "hands", "deals",
    "entries", "strategies", "leaves", "buckets",
)  # fmt: skip
OWN_METHOD = ("gibson-szafron-2011-table1-100m",)  # entries that solve as the document did
QUICK = (
    "--quick: runs are shorter and some solvers are left out, so ranges are narrower; where a "
    "verdict differs from that of `workbench reproduce`, the full run's counts"
)


def reproduce(args: argparse.Namespace) -> str:
    """What the command prints."""
    names: list[str] = args.names
    for name in names:
        entries.read_published(name)  # refuse a wrong name before the work for the others
    if args.save and (args.quick or args.all or not names):
        raise GameError(
            "--save keeps full results of the entries that are named, without --quick and --all"
        )
    if args.save and CHECKOUT is None:
        raise GameError(
            "--save keeps results in data/results of a checkout, and this is an installed package; "
            "leave it out, or write what --json prints to a file of yours"
        )
    rows: list[Row] = []
    settings: dict[str, Mapping[str, Any]] = {}
    effort = Effort(args.quick, args.store, args.workers, args.dask, progress=True)
    skipped: list[str] = []
    measured = [] if args.all else names
    for k, name in enumerate(measured, 1):
        if sys.stderr is not None:  # a line for each: a night needs a log
            how_long = "up to a minute" if args.quick else "seconds to hours"
            sys.stderr.write(f"measuring {name} ({k} of {len(measured)}), {how_long}\n")
            sys.stderr.flush()
        result = entries.recompute(name, effort)
        found = entries.judged(name, result)
        shown = {row.item for row in found}
        skipped += [f"{name}, {item} ({why})" for item, why in result.skipped.items()
                    if item not in shown]  # fmt: skip
        rows += found
        settings[name] = result.settings
        if args.save:
            entries.save_result(name, result)
    if not measured:
        rows = entries.read_ledger(*names)
        settings = {name: entries.read_settings(name) for name in {row.source for row in rows}}
    if args.json:
        return json.dumps([asdict(row) for row in rows], allow_nan=False)
    ranges = {name: str(of.get("ranges", "")) for name, of in settings.items()}
    all_rows = names or args.all
    text = _summary(rows) if not all_rows else ledger_text(rows, ranges, notes=bool(names))
    if args.quick and measured:
        text += f"\n{textwrap.fill(QUICK, WIDTH)}"
    missing = [] if names else sorted(set(entries.list_entries()) - {row.source for row in rows})
    text += "".join(f"\nnot measured yet: {name}" for name in missing)
    text += "".join(f"\nleft out: {what}" for what in skipped)
    return text.translate(PLAIN)


def _summary(rows: Sequence[Row]) -> str:
    """One line for each entry, for a screen; then all of them together, and how to see more."""
    counts = {
        source: Counter(row.verdict for row in of)
        for source, of in groupby(rows, key=lambda row: row.source)
    }
    counts["together"] = Counter(row.verdict for row in rows)
    table = [(name, *(of[verdict] or "" for verdict in VERDICTS)) for name, of in counts.items()]
    lines = [f"  {line}" for line in columns([("entry", *SHORT), *table], left=(0,))]
    more = "workbench reproduce --all shows every row, workbench reproduce NAME measures one again"
    what = textwrap.fill(what_is_green(rows), WIDTH, break_on_hyphens=False)
    return "\n".join([*lines, "", what, more])


def what_is_green(rows: Sequence[Row]) -> str:
    """What the documents say and how much of it is found again, each number and statement once.

    A number that several rows read in several ways counts with the first of them, and one that
    was also found by the document's own method counts as that found it.
    """
    printed: dict[tuple[str, float], Row] = {}
    claims: dict[tuple[str, str], set[Verdict]] = {}
    for row in sorted(rows, key=lambda row: row.source not in OWN_METHOD):
        if row.document and row.published is not None:
            printed.setdefault((row.where, row.published), row)
        elif row.document:
            claims.setdefault((row.where, row.says), set()).add(row.verdict)
    numbers = [*printed.values()]
    equal = [row for row in numbers if row.verdict == "reproduced"]
    other = Counter(row.source for row in equal if row.unit not in COUNTED)
    others = ", ".join(f"{count} in {source}" for source, count in other.items())
    whole, none = (sum(of == {verdict} for of in claims.values()) for verdict in CLAIMS)
    return (
        f"The documents print {len(numbers)} of these numbers: {tally(numbers)}. Of the "
        f"{len(equal)}, {len(equal) - other.total()} count something"
        + (f"; the others: {others}" if others else "")
        + f". Of the {len(claims)} statements without a number {whole} hold in every way measured "
        f"here, {none} in none, and {len(claims) - whole - none} in some. The other "
        f"{sum(not row.document for row in rows)} rows are golden values and findings of ours."
    )


def ledger_text(rows: Sequence[Row], ranges: Mapping[str, str], *, notes: bool) -> str:
    """The rows as a table, entry by entry; plain agreement has its note only with `notes`.

    `ranges`: entry -> what holds for all of its ranges, said once.
    """
    cells = [
        (row.item, short(row.published, row), short(row.ours, row), limits(row), row.verdict)
        for row in rows
    ]
    head, *table = columns([HEAD, *cells], left=(0, 3, 4), most=49)
    lines = [f"  {head}"]
    for source, group in groupby(zip(rows, table, strict=True), key=lambda one: one[0].source):
        lines += ["", source, *_paragraph(ranges[source], "  ")]
        where = ""
        for row, line in group:
            if not where and row.scale:
                lines += _paragraph(f"scale: {row.scale}", "  ")
            if row.where != where:
                where = row.where
                lines += _paragraph(where, "  ")
            lines.append(f"  {line}")
            if row.published is None and row.says:
                lines += _paragraph(f"says: {row.says} (ours: {row.unit})", " " * 6)
            if row.note and (notes or row.verdict in SAID):
                lines += _paragraph(row.note, " " * 6)
    return "\n".join([*lines, "", tally(rows)])


def _paragraph(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def limits(row: Row) -> str:
    """Our range; a proven number's as the little it may be off."""
    if row.low is None or row.high is None or row.low == row.high:
        return ""
    if row.high - row.low < 1e-9 * max(1.0, abs(row.ours)):
        return f"± {(row.high - row.low) / 2:.0e}"
    return f"{short(row.low, row)} … {short(row.high, row)}"


def tally(rows: Iterable[Row]) -> str:
    """How many rows have which verdict."""
    counts = Counter(row.verdict for row in rows)
    several = {"claim holds": "claims hold", "claim does not hold": "claims do not hold"}
    return ", ".join(
        f"{counts[verdict]} {several.get(verdict, verdict) if counts[verdict] > 1 else verdict}"
        for verdict in VERDICTS
        if counts[verdict]
    )
