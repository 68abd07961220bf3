"""Command line of the benchmark: `python -m tests.bench [--quick] [--only NAME …] [--keep]`."""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.clock import Settings, one_core
from tests.bench.table import Row, header, line, summary, write

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "data" / "results" / "bench.csv"  # what the documents quote
LATEST = ROOT / "runs" / "bench.csv"  # git ignores it
NAMES = (
    "iterations", "target", "exploitability", "first-order", "sampling", "three-players",
    "own-game", "start", "memory", "sweep", "judges", "largest", "stitching", "rhode-island",
    "holdem", "holdem-three", "tournaments",
)  # fmt: skip

Section = Callable[[Settings, dict[str, str]], Iterator[Row]]


def sections() -> dict[str, Section]:
    """What can be measured; imported late, so that one core is all that numpy ever sees."""
    from tests.bench import (
        holdem,
        holdem_three,
        judges,
        largest,
        memory,
        rhode_island,
        speed,
        start,
        stitching,
        sweep,
        tournaments,
    )  # fmt: skip

    functions: list[Section] = [
        speed.iterations, speed.target, speed.exploitability, speed.first_order, speed.sampling,
        speed.three_players, speed.own_game, start.start, memory.memory, sweep.sweep,
        judges.judges, largest.largest, stitching.stitching, rhode_island.rhode_island,
        holdem.holdem, holdem_three.holdem_three, tournaments.tournaments,
    ]  # fmt: skip
    return dict(zip(NAMES, functions, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the essentials, under a minute")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME",
                        help=f"some of: {', '.join(NAMES)}")  # fmt: skip
    parser.add_argument("--list", action="store_true", help="say what would be measured, and stop")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--output", type=Path, default=LATEST, help="the CSV file")
    where.add_argument("--keep", dest="output", action="store_const", const=KEPT,
                       help=f"keep the results in {_short(KEPT)}")  # fmt: skip
    options = parser.parse_args(arguments)
    if options.list:
        _introduce()
        for name, section in sections().items():
            print(f"  {name:<16} {section.__doc__}")
        return 0

    began = time.monotonic()
    print(f"On {one_core()}, turn by turn; seconds of the processor, the fastest piece counts.")
    here = _introduce()
    print("\n" + header(), flush=True)
    rows: list[Row] = []
    for name, section in sections().items():
        if name in options.only:
            for row in section(Settings(options.quick), here):
                rows.append(row)
                print(line(row), flush=True)
    write(rows, options.output)
    print(
        f"\n{summary(rows)}\n{time.monotonic() - began:.0f} s; written to {_short(options.output)}"
    )
    return 1 if any(row.passed is False for row in rows) else 0


def _short(path: Path) -> str:
    """A path as seen from the project, if it is inside."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def _introduce() -> dict[str, str]:
    """Say who takes part; return the peers that do."""
    import workbench as wb
    from tests.bench import peers

    here, missing = peers.find()
    versions = [f"workbench {wb.__version__}", *(f"{name} {here[name]}" for name in here)]
    print(f"{', '.join(versions)}, Python {platform.python_version()}")
    for message in missing:
        print(message)
    return here


if __name__ == "__main__":
    raise SystemExit(main())
