"""Tables of what a store knows: runs that fit a filter, and groups of runs side by side.

Twenty seeds of one experiment are one row with a mean and a range. Two experiments never are:
if runs differ in anything but their seed, another column tells them apart.
"""

from __future__ import annotations

import sqlite3
from numbers import Number
from typing import TYPE_CHECKING, Any

from workbench.rules import GameError, shown
from workbench.settings import did_you_mean, known_in

if TYPE_CHECKING:
    import pandas as pd

ASKED = (
    "game", "solver", "settings", "abstraction", "infosets", "iterations", "target", "checkpoints",
    "kind",
)  # fmt: skip


def select(db: sqlite3.Connection, question: str) -> pd.DataFrame:
    """The answer as a table. (As pandas would, but errors stay SQLite's.)"""
    import pandas as pd

    answer = db.execute(question)
    names = [column[0] for column in answer.description]
    return pd.DataFrame.from_records(answer.fetchall(), columns=names, coerce_float=True)


def read_runs(db: sqlite3.Connection, **filters: Any) -> pd.DataFrame:
    """One row per run; those whose columns have these values."""
    table = select(db, "SELECT * FROM runs ORDER BY created, id")
    table = table.drop(columns=["provenance", "experiment"])
    types = {row[1]: row[2] for row in db.execute("PRAGMA table_info(runs)")}
    for column, value in filters.items():
        cells = table[known_column(table, column)]
        text = types[column] == "TEXT"
        if value is not None and not isinstance(value, str if text else Number):
            raise GameError(
                f"{column} must be {'a text' if text else 'a number'}, not {shown(value)}"
            )
        table = table[cells.isna() if value is None else cells == value]
    return table.reset_index(drop=True)


def known_column(table: pd.DataFrame, column: str) -> str:
    """A column's name, refused if there is no such column."""
    if not known_in(column, table):
        raise GameError(
            f"runs have no column {shown(column)}{did_you_mean(column, list(table.columns))} "
            f"Columns: {', '.join(table.columns)}"
        )
    return column


def compare_runs(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Runs that differ in their seed alone, taken together: how many, and how good they are."""
    groups = [known_column(table, by)]
    for column in ASKED:  # one more, if the groups so far are not of one kind
        inside = table.groupby(groups, dropna=False)[column].nunique(dropna=False)
        groups += [column] if column not in groups and (inside > 1).any() else []
    for run, found in zip(table["id"], table["exploitability"], strict=True):
        if not (found is None or isinstance(found, Number)):
            raise GameError(f"run {run} has {shown(found)} as its exploitability; delete that run")
    grouped = table.groupby(groups, dropna=False)["exploitability"]
    columns = grouped.agg(["count", "mean", "min", "max"])
    return columns.set_axis(["runs", "mean", "low", "high"], axis="columns")
