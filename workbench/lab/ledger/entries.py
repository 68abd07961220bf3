"""The entries of the ledger: found by their files, recomputed, kept, read again.

An entry is one published table or figure. Its name ties three things together:

    data/published/kuhn-1950.csv    what the text says: item, unit, published, where, says
    ENTRIES["kuhn-1950"]            an expression for each item, in some file beside it
    data/results/kuhn-1950.json     what we found, and how it was made; for a figure also its
                                    curves, as .csv

Whoever adds the first two has added an entry; `workbench reproduce NAME --save` makes the third.
"""

from __future__ import annotations

import csv
import json
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from functools import cache
from importlib import import_module
from operator import methodcaller
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from workbench.files import fitting, naming, write_file
from workbench.lab.ledger import papers
from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours, Published, Result, Row, check_curves, judge
from workbench.later import pd
from workbench.rules import GameError
from workbench.settings import unknown_name
from workbench.shipped import shipped

DATA = shipped("data")
COLUMNS = ["item", "unit", "published", "where", "says"]
DIGITS = "%.7g"  # of a number in the file of curves


def list_entries() -> list[str]:
    """The names of all entries, in alphabetical order."""
    names = sorted(path.stem for path in (DATA / "published").glob("*.csv"))
    if not names:
        raise GameError(
            f"there are no published numbers in {DATA / 'published'}; they come with workbench: "
            "install it again"
        )
    return names


@cache
def all_entries() -> dict[str, Entry]:
    """name -> entry: those of every `ENTRIES` in a file of `data/published`."""
    found: dict[str, Entry] = {}
    for file in iter_modules(papers.__path__, f"{papers.__name__}."):
        found |= getattr(import_module(file.name), "ENTRIES", {})
    return found


def read_published(name: str) -> list[Published]:
    """What the text says, line by line."""
    if name not in list_entries():
        raise unknown_name("published source", name, list_entries())
    path = DATA / "published" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file, strict=True)
    if head != COLUMNS:
        raise GameError(f"{path.name} must have the columns {', '.join(COLUMNS)}")
    for number, line in enumerate(lines, 1):
        if len(line) != len(COLUMNS):
            raise GameError(f"{path.name}: entry {number} does not have {len(COLUMNS)} fields")
    with naming(path.name):
        said = [Published(*line) for line in lines]
    if len({line.item for line in said}) < len(said) or not said:
        raise GameError(f"{path.name}: each item must stand there once")
    return said


def recompute(name: str, effort: Effort | None = None, *, quick: bool = False) -> Result:
    """Measure an entry again; quick: with fewer iterations, in at most a minute."""
    read_published(name)  # refuses unknown names
    return all_entries()[name].measure(effort or Effort(quick))


def judged(name: str, result: Result) -> list[Row]:
    """The rows of an entry: published lines and our result, item by item.

    What a quick measurement skipped is shown as it was kept, and says so; if nothing was kept,
    it has no row.
    """
    said = read_published(name)
    odd = {line.item for line in said} ^ (set(result.ours) | set(result.skipped))
    if odd:
        raise GameError(
            f"{name}: {', '.join(map(repr, sorted(odd)))} is not both published and measured; "
            f"if the entry has changed, run `workbench reproduce {name} --save` again"
        )
    kept = read_result(name) if result.skipped and _path(name).exists() else Result({}, {})
    rows = []
    for line in said:
        source = kept if line.item in result.skipped else result
        if line.item in source.ours:
            ours, scale = source.ours[line.item], str(source.settings.get("scale", ""))
            row = judge(name, line, ours, source.beside(line.item), scale)
            if source is kept:
                why = f"not measured now ({result.skipped[line.item]}) but kept from a full run"
                row = replace(row, note=f"{why}; {row.note}" if row.note else why)
            rows.append(row)
    return rows


def save_result(name: str, result: Result) -> Path:
    """Keep a result in data/results, with its settings and the versions that made it."""
    from workbench.runs.run import provenance

    if result.skipped:
        raise GameError(f"{name}: {next(iter(result.skipped))!r} was not measured")
    judged(name, result)  # what does not fit is not kept
    kept = {
        "entry": name,
        "settings": dict(result.settings),
        "made_with": provenance(),
        "ours": {
            item: {key: value for key, value in asdict(ours).items() if value not in (None, "", {})}
            for item, ours in result.ours.items()
        },
    }
    path = _path(name)
    path.parent.mkdir(exist_ok=True)
    if result.curves is not None:
        check_curves(result.curves)
        table = result.curves.to_csv(index=False, float_format=DIGITS, lineterminator="\n")
        write_file(_path(name, "csv"), table.encode())
    numpys = methodcaller("item")  # as Python's own numbers
    text = json.dumps(kept, ensure_ascii=False, indent=1, allow_nan=False, default=numpys)
    return write_file(path, f"{text}\n".encode())


def read_result(name: str) -> Result:
    """The result that was kept."""
    kept = _kept(name)
    with _whole(name):
        ours = {item: Ours(**found) for item, found in kept["ours"].items()}
        return Result(ours, kept["settings"])


def read_curves(name: str) -> pd.DataFrame | None:
    """The curves that were kept: curve, repeat, x, y; None if the entry is no figure."""
    _kept(name)  # refuses unknown names and entries without a result
    path = _path(name, "csv")
    if not path.exists():
        return None
    with _whole(name, "csv"):
        table = pd.read_csv(path, dtype={"curve": str})
        check_curves(table)
    return table


def read_settings(name: str) -> dict[str, Any]:
    """How the kept result was made: the entry's settings, and the versions."""
    kept = _kept(name)
    return {**kept.get("settings", {}), **kept.get("made_with", {})}


def read_ledger(*names: str) -> list[Row]:
    """The rows of these entries (of all of them by default) as they were kept; computes nothing.

    Entries that nobody has run yet have no rows.
    """
    wanted = names or [name for name in list_entries() if _path(name).exists()]
    return [row for name in wanted for row in judged(name, read_result(name))]


def _path(name: str, kind: str = "json") -> Path:
    return DATA / "results" / f"{name}.{kind}"


def _whole(name: str, kind: str = "json") -> AbstractContextManager[None]:
    """What is wrong with a kept file is told by its name."""
    again = f"run `workbench reproduce {name} --save` again"
    return fitting(f"data/results/{name}.{kind}", again)


def _kept(name: str) -> dict[str, Any]:
    read_published(name)  # refuses unknown names
    if not (path := _path(name)).exists():
        raise GameError(f"{name} has no result yet: run `workbench reproduce {name} --save`")
    with _whole(name):
        return dict(json.loads(path.read_text(encoding="utf-8")))
