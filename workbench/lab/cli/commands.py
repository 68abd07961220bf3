"""What the commands do; the command line itself is in `__main__.py`.

Results go to standard output. Each command answers with its exit code.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from workbench.runs.store import Store

FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
JSON_ONLY = ["solver", "target", "checkpoints", "kind", "created", "changed", "run", "error"]


def lab(arguments: list[str]) -> int:
    from workbench.lab.cli.jupyter import open_lab, warm

    print("Compiling kernels (once after each change): ", end="", file=sys.stderr)
    end = {True: "\n", False: " · "}
    warm(lambda done, n, what: print(what, end=end[done == n], file=sys.stderr, flush=True))
    open_lab(arguments)
    return 0


def reproduce(args: argparse.Namespace) -> int:
    from workbench.lab.ledger import command

    if args.quick and not args.names:
        note = "--quick measures entries that are named; this is what was kept"
        print("workbench:", note, file=sys.stderr)
    print(command.reproduce(args))
    return 0


def solve(args: argparse.Namespace) -> int:
    import workbench as wb

    if args.save and not args.save.absolute().parent.is_dir():  # better now than after the work
        raise wb.GameError(f"--save: there is no folder {args.save.parent}")
    is_path = args.game.endswith(".txt") or Path(args.game).name != args.game
    rules = wb.load_game(Path(args.game) if is_path else args.game, **dict(args.option))
    run = wb.solve(
        rules,
        solver=args.solver,
        iterations=args.iterations,
        seed=args.seed,
        target=args.target,
        abstraction=args.abstraction,
        checkpoints=args.checkpoints,
        progress=True,  # shown to a person only, not in a pipe
        store=args.store,
    )
    value = wb.expected_values([run.strategy] * run.tree.num_players)
    result = {
        "game": run.tree.name,
        "options": dict(args.option),
        "solver": run.solver.name,
        "abstraction": args.abstraction,
        "seed": run.seed,
        "players": run.tree.num_players,
        "histories": run.tree.num_histories,
        "infosets": run.tree.num_infosets,
        "iterations": run.iterations,
        "stopped": run.stopped,
        "seconds": run.seconds,
        "value": value.tolist(),
        "exploitability": run.exploitability,
        "trace": run.trace.to_dict(orient="records"),
    }
    print(json.dumps(_without_nan(result), ensure_ascii=False) if args.json else _table(result))
    if args.save:
        run.strategy.save(args.save)
    return INTERRUPTED if run.stopped == "interrupted" else 0


def play(args: argparse.Namespace) -> int:
    from workbench.lab.play import command

    return INTERRUPTED if command.play(args, sys.stdin, sys.stdout) else 0


def sweep(args: argparse.Namespace) -> int:
    import workbench as wb

    many = wb.Experiment.from_toml(args.file)
    table = wb.sweep(many, store=args.store, workers=args.workers, dask=args.dask).table
    _print_table(table, args.json)
    failed = table[table["error"].notna()]
    for number, error in failed["error"].items():
        print(f"workbench: experiment {int(str(number)) + 1} failed: {error}", file=sys.stderr)
    return FAILED if len(failed) else 0


def runs(args: argparse.Namespace) -> int:
    with _opened(args.store) as store:
        table = store.runs()
        if args.csv:
            store.export_csv(args.csv)
    _print_table(table, args.json)
    return 0


def report(args: argparse.Namespace) -> int:
    import workbench as wb
    from workbench.lab.reports.writing import write_report

    found: Any = args.source
    if args.store is not None:
        if args.execute:
            raise wb.GameError("--run is for notebooks; a run of a store has been run already")
        with _opened(args.store) as store:
            found = store.run(str(args.source))
    made = write_report(found, args.output, execute=args.execute)
    for note in made.notes:
        print("workbench:", note, file=sys.stderr)
    print(made)
    return 0


def _opened(folder: Path) -> Store:
    import workbench as wb

    if not (folder / "store.sqlite").is_file():  # opening would make one
        raise wb.GameError(f"--store: there is no store in {folder}")
    return wb.Store(folder)


# ---- what is shown --------------------------------------------------------------------


def _print_table(table: pd.DataFrame, as_json: bool) -> None:
    table = table if as_json else table.drop(columns=JSON_ONLY, errors="ignore")
    rows = _without_nan(table.to_dict(orient="records"))
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    cells = [[_cell(value) for value in row.values()] for row in rows]
    lines = [list(map(str, table.columns)), *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _cell(value: Any) -> str:
    """
    >>> [_cell(value) for value in (None, "leduc", 12000, 12000.0, 0.000123456)]
    ['', 'leduc', '12,000', '12,000', '0.000123']
    """
    if value is None or isinstance(value, str):
        return value or ""
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:,.3g}"
        if value < 100
        else f"{value:,.0f}"
    )


def _table(result: dict[str, Any]) -> str:
    rows = [
        f"{row['iteration']:>10,}{row['seconds']:>10.3f}{row['exploitability']:>17.9f}"
        for row in result["trace"]
    ]
    return "\n".join(
        [
            f"{result['game']}: {result['players']} players, {result['histories']:,} histories, "
            f"{result['infosets']:,} information sets",
            "",
            f"{'iteration':>10}{'seconds':>10}{'exploitability':>17}",
            *rows,
            "",
            "value  " + "  ".join(f"{value:+.9f}" for value in result["value"]),
            *(["interrupted"] if result["stopped"] == "interrupted" else []),
        ]
    )


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: such numbers become null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
