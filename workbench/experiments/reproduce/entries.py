"""The entries of the ledger: found by their files, recomputed, kept, read again.

An entry is one published table or figure. Its name ties three files together:

    data/published/gibson-2011-table1.csv       what the text says: item, unit, published,
                                                where, says
    workbench/experiments/reproduce/
      gibson_2011_table1.py                     measure(quick) -> Result, with the same items
    data/results/gibson-2011-table1.json        what we found, and the settings that made it

Whoever adds the first two has added an entry; `workbench reproduce NAME --save` makes the third.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from workbench.experiments.reproduce.ledger import Ours, Published, Result, Row, judge
from workbench.rules import GameError, unknown_name

__all__ = [
    "judged", "list_entries", "module_name", "read_ledger", "read_published", "read_result",
    "read_settings", "recompute", "save_result",
]  # fmt: skip

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


def recompute(name: str, *, quick: bool = False) -> Result:
    """Measure an entry again, all of it; quick: with fewer iterations, in half a minute."""
    read_published(name)  # refuses unknown names
    module = import_module(f"workbench.experiments.reproduce.{module_name(name)}")
    result: Result = module.measure(quick)
    return result


def judged(name: str, result: Result) -> list[Row]:
    """The rows of an entry: published lines and our result, item by item."""
    said = read_published(name)
    items = [line.item for line in said]
    odd = set(items) ^ set(result.ours)
    if odd:
        raise GameError(
            f"{name}: {', '.join(map(repr, sorted(odd)))} is not both published and measured; "
            f"if the entry has changed, run `workbench reproduce {name} --save` again"
        )
    return [judge(name, line, result.ours[line.item]) for line in said]


def save_result(name: str, result: Result) -> Path:
    """Keep a result in data/results, with its settings and the versions that made it."""
    from workbench.experiments.run import provenance

    judged(name, result)  # what does not fit is not kept
    kept = {
        "entry": name,
        "settings": dict(result.settings),
        "made_with": provenance(),
        "ours": {item: _short(ours) for item, ours in result.ours.items()},
    }
    path = DATA / "results" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(kept, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    temporary = path.with_suffix(".part")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
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
