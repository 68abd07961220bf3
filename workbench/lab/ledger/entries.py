"""The entries of the ledger: found by their files, recomputed, kept, read again.

An entry is one published table or figure. Its name ties three files together:

    data/published/gibson-szafron-2011-table1.csv       what the text says: item, unit,
                                                        published, where, says
    workbench/experiments/reproduce/
      gibson_szafron_2011_table1.py                     measure(effort) -> Result, same items
    data/results/gibson-szafron-2011-table1.json        what we found, and how it was made;
                                                        for a figure also its curves, as .csv

Whoever adds the first two has added an entry; `workbench reproduce NAME --save` makes the third.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.lab.ledger.curves import DIGITS, check_curves
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Published, Result, Row, judge
from workbench.rules import GameError
from workbench.settings import unknown_name

if TYPE_CHECKING:
    import pandas as pd

DATA = Path(__file__).parents[3] / "data"  # of the checkout; absent in an installed package
COLUMNS = ["item", "unit", "published", "where", "says"]


def list_entries() -> list[str]:
    """The names of all entries, in alphabetical order."""
    names = sorted(path.stem for path in (DATA / "published").glob("*.csv"))
    if not names:
        raise GameError(
            "the published numbers are not here: they come with the source of workbench, "
            "in its folder data/published"
        )
    return names


def module_name(name: str) -> str:
    """
    >>> module_name("le-2021-table3.1")
    'le_2021_table3_1'
    """
    return name.replace("-", "_").replace(".", "_")


def read_published(name: str) -> list[Published]:
    """What the text says, line by line."""
    if name not in list_entries():
        raise unknown_name("published source", name, list_entries())
    path = DATA / "published" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restkey="more", strict=True)
        if reader.fieldnames != COLUMNS:
            raise GameError(f"{path.name} must have the columns {', '.join(COLUMNS)}")
        lines = list(reader)
    for number, line in enumerate(lines, 2):
        if "more" in line or None in line.values():
            raise GameError(f"{path.name}: entry {number - 1} does not have {len(COLUMNS)} fields")
    said = [Published(**line) for line in lines]
    if len({line.item for line in said}) < len(said) or not said:
        raise GameError(f"{path.name}: each item must stand there once")
    return said


def recompute(name: str, effort: Effort | None = None, *, quick: bool = False) -> Result:
    """Measure an entry again; quick: with fewer iterations, in half a minute."""
    read_published(name)  # refuses unknown names
    module = import_module(f"workbench.lab.ledger.{module_name(name)}")
    result: Result = module.measure(effort or Effort(quick))
    return result


def judged(name: str, result: Result) -> list[Row]:
    """The rows of an entry: published lines and our result, item by item.

    What a quick measurement skipped is shown as it was kept, and says so; if nothing was kept,
    it has no row.
    """
    said = read_published(name)
    found = dict(result.ours)
    odd = {line.item for line in said} ^ (set(found) | set(result.skipped))
    if odd:
        raise GameError(
            f"{name}: {', '.join(map(repr, sorted(odd)))} is not both published and measured; "
            f"if the entry has changed, run `workbench reproduce {name} --save` again"
        )
    kept = read_result(name).ours if result.skipped and _path(name).exists() else {}
    for item, why in result.skipped.items():
        if item in kept:
            note = f"not measured now ({why}) but kept from a full run; {kept[item].note}"
            found[item] = replace(kept[item], note=note.rstrip("; "))
    return [judge(name, line, found[line.item]) for line in said if line.item in found]


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
        "ours": {item: _short(ours) for item, ours in result.ours.items()},
    }
    path = _path(name)
    path.parent.mkdir(exist_ok=True)
    if result.curves is not None:
        check_curves(result.curves)
        table = result.curves.to_csv(index=False, float_format=DIGITS, lineterminator="\n")
        _write(path.with_name(f"{name}.csv"), table)
    _write(path, json.dumps(kept, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    return path


def read_result(name: str) -> Result:
    """The result that was kept."""
    kept = _kept(name)
    try:
        ours = {item: Ours(**found) for item, found in kept["ours"].items()}
        return Result(ours, kept["settings"])
    except (TypeError, KeyError, AttributeError) as error:
        raise GameError(
            f"data/results/{name}.json is damaged ({error!r}); "
            f"run `workbench reproduce {name} --save` again"
        ) from None


def read_curves(name: str) -> pd.DataFrame | None:
    """The curves that were kept: curve, repeat, x, y; None if the entry is no figure."""
    import pandas as pd

    _kept(name)  # refuses unknown names and entries without a result
    path = _path(name).with_name(f"{name}.csv")
    if not path.exists():
        return None
    try:
        table = pd.read_csv(path, dtype={"curve": str})
        check_curves(table)
    except (ValueError, KeyError) as error:
        raise GameError(
            f"data/results/{path.name} is damaged ({error}); "
            f"run `workbench reproduce {name} --save` again"
        ) from None
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


def _path(name: str) -> Path:
    return DATA / "results" / f"{name}.json"


def _write(path: Path, text: str) -> None:
    """All of it or nothing."""
    temporary = path.with_name(f"{path.name}.part")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    os.replace(temporary, path)


def _kept(name: str) -> dict[str, Any]:
    read_published(name)  # refuses unknown names
    try:
        kept: dict[str, Any] = json.loads(_path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GameError(
            f"{name} has no result yet: run `workbench reproduce {name} --save`"
        ) from None
    except ValueError as error:
        raise GameError(
            f"data/results/{name}.json is damaged ({error}); "
            f"run `workbench reproduce {name} --save` again"
        ) from None
    return kept


def _short(ours: Ours) -> dict[str, Any]:
    return {key: value for key, value in asdict(ours).items() if value not in (None, "", {})}
