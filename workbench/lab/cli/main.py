"""The command line, also as `python -m workbench`: what may be asked; `commands.py` does it.

    workbench solve leduc --solver dcfr --iterations 2000 --option players=2 --store runs
    workbench play dice.py --option sides=4      or my_game.py:MyGame
    printf 'c\\nc\\nr\\n' | workbench play toepen --match

Results go to standard output, progress and complaints to standard error. Bad input is
answered by one line and exit code 2; after Ctrl-C (exit code 130) stands what was reached.
A reader that has seen enough (`workbench runs | head`, exit code 141) is no reason to complain.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from workbench._version import __version__
from workbench.games.words import printable
from workbench.lab.cli import commands
from workbench.lab.text import ungrouped
from workbench.rules import GameError, shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    if sys.stderr is None:  # closed by whoever started this
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # terminals do not know every letter
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    args = argparse.Namespace(command="")
    try:
        parser = _parser()
        try:
            args, rest = parser.parse_known_args(arguments)
        except SystemExit:  # after --help
            if sys.stdout is not None:
                sys.stdout.flush()
            raise
        if rest and args.command != "lab":
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
        if sys.stdout is None:
            _complain("standard output is closed; there is nowhere to print")
            return commands.BAD_INPUT
        code = commands.lab(args.folder, rest) if args.command == "lab" else int(args.run(args))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _forget_output()
        return commands.BROKEN_PIPE
    except KeyboardInterrupt:
        if getattr(args, "store", None) and args.command in ("sweep", "reproduce", "best-response"):
            _complain("interrupted; the same command goes on from what is stored")
        return commands.INTERRUPTED
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        if not error.filename:
            _forget_output()  # standard output is full: what is left over fits nowhere
    except GameError as error:
        _complain(str(error))
    except MemoryError:
        _complain("out of memory; try a smaller variant of the game, or fewer --workers")
    except Exception as error:
        if not (said := commands.in_own_file(error)):
            raise
        print(said, end="", file=sys.stderr)
    return commands.BAD_INPUT


def _complain(message: str) -> None:
    with suppress(OSError):  # the exit code says it, too
        print("workbench:", printable(" ".join(message.split())), file=sys.stderr)


def _forget_output() -> None:
    """Send what is left over to nowhere; at its end Python would try to write it once more."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# ---- what may be asked ----------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(commands.BAD_INPUT)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="workbench", description="Imperfect-information games, solved.")
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    known = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    lab = known.add_parser(
        "lab",
        help="open JupyterLab on your own copy of the course",
        epilog="Further arguments go to JupyterLab, for example --no-browser.",
    )
    where = "your copy of the course; updates leave alone what you changed (default: my-course)"
    lab.add_argument("--folder", type=Path, help=where)

    def command(
        name: str, run: Callable[..., int], what: str, more: str = ""
    ) -> Callable[..., object]:
        said = what[0].upper() + what[1:] + "."
        made = known.add_parser(name, help=what, description=f"{said} {more}")
        made.set_defaults(run=run, usual=made.get_default)
        return made.add_argument

    what = "write a small game with comments and tests, to change into your own"
    add = command("new", commands.new, what)
    add("file", metavar="FILE.py", type=Path, help="e.g. dice.py; never written over")

    more = (
        "For example: workbench solve rhode_island --abstraction 13-50-250 --iterations 200, or "
        "workbench solve limit_holdem --abstraction 3333; wb.list_abstractions(GAME) has the names."
    )
    what = "solve a game and show how good the solution is"
    add = command("solve", commands.solve, what, more)
    add("game", metavar="GAME", help="a name, a game as text, or your own: dice.py, dice.py:Dice")
    add("--solver", default="cfr+", help="cfr+ (default), cfr, dcfr, external-sampling, lp, …")
    add("--iterations", type=_whole, default=1000, help="at most so many (default 1000)")
    add("--target", type=float, help="stop at this exploitability")
    add("--seed", type=_whole, default=0, help="for solvers that draw at random (default 0)")
    add("--abstraction", metavar="NAME", help="solve a smaller game, judge in the full one")
    add("--option", **_OPTION)
    every = "measure every N iterations, or at these (default: ever less often)"
    add("--checkpoints", type=_checkpoints, metavar="N[,N…]", help=every)
    add("--save", metavar="FILE", help="write the strategy to an npz file")
    add("--store", type=Path, metavar="FOLDER", help="keep the run here; found again or resumed")
    add("--json", action="store_true", help="print one JSON object instead of a table")

    what = "play hands against a strategy; learn what they cost"
    more = (
        "GAME tournament is jam/fold poker: its options are units, players, prizes, blinds and "
        "stacks (--option units=9 --option prizes=50,30,20), and of the others it takes --seed."
    )
    add = command("play", commands.play, what, more)
    own = "kuhn, leduc, toepen, tournament, …, a game as text, or your own: dice.py:Dice"
    add("game", metavar="GAME", help=own)
    add("--option", **_OPTION)
    who = "equilibrium (default), uniform, always-MOVE, sampled, or a strategy's npz file"
    add("--opponent", default="equilibrium", metavar="WHO", help=who)
    add("--abstraction", metavar="NAME", help="the opponent is the equilibrium of a smaller game")
    add("--solver", default="cfr+", help="of equilibria (default cfr+)")
    add("--iterations", type=_whole, help="of the solver (default: until it is very good)")
    points = "a match of Toepen to N points (15 if none are given)"
    add("--match", type=_whole, nargs="?", const=15, metavar="N", help=points)
    add("--seat", type=_whole, metavar="N", help="always sit in seat N (default: seats go round)")
    add("--seed", type=_whole, help="of cards and dice (default: other cards every time)")
    add("--hands", type=_whole, metavar="N", help="stop after so many (default: when you like)")
    add("--save", metavar="FILE", help="write the hands here, or go on with this file")
    add("--no-review", dest="review", action="store_false", help="do not judge the hands")

    add = command("sweep", commands.sweep, "run all experiments of a TOML file")
    add("file", metavar="FILE.toml", type=Path, help='e.g. game = "leduc", [grid] seed = [0, 1]')
    add("--store", type=Path, default=Path("runs"), metavar="FOLDER", help="(default: runs)")
    add("--workers", type=_whole, default=2, help="processes on this machine (default 2)")
    add("--dask", metavar="ADDRESS", help=_CLUSTER)
    add("--json", action="store_true", help="print a list of runs instead of a table")

    add = command("runs", commands.runs, "list the runs of a store")
    add("--store", type=Path, default=Path("runs"), metavar="FOLDER", help="(default: runs)")
    add("--csv", metavar="FILE", help="write all measurements to a CSV file")
    add("--json", action="store_true", help="print a list of runs instead of a table")

    what = "published tables and figures beside what we find, with verdicts"
    add = command("reproduce", commands.reproduce, what)
    add("names", metavar="NAME", nargs="*", help="measure again (default: show what was kept)")
    add("--all", action="store_true", help="every row of what was kept (of the entries named)")
    add("--quick", action="store_true", help="fewer iterations: at most a minute for an entry")
    add("--save", action="store_true", help="keep what was measured in data/results")
    add("--store", type=Path, metavar="FOLDER", help="keep the runs here; found again or resumed")
    add("--workers", type=_whole, default=1, help="processes on this machine (default 1)")
    add("--dask", metavar="ADDRESS", help=_CLUSTER)
    add("--json", action="store_true", help="print a list of rows instead of a table")

    what = "how strong every hand of Hold'em is on every board, made once and kept"
    add = command("tables", commands.tables, what)
    add("game", choices=["holdem"], help="(half a minute, 550 MB in the cache)")

    what = "how much a strategy of limit Hold'em with buckets really loses, exact or estimated"
    add = command("best-response", commands.best_response, what)
    whose = "its npz file, or always-call, always-raise, call-or-raise, uniform"
    add("strategy", metavar="STRATEGY", help=whose)
    some = "an estimate from N flops of 22,100 (default: all; hours, or minutes for a name)"
    add("--flops", type=_whole, metavar="N", help=some)
    add("--seed", type=_whole, default=0, help="of the order in which flops are drawn (default 0)")
    finer = "instead, in seconds: a loose lower bound, from a responder with K buckets a round"
    add("--finer", type=_whole, metavar="K", help=finer)
    add("--store", type=Path, default=Path("runs"), metavar="FOLDER", help="(default: runs)")
    add("--workers", type=_whole, default=2, help="processes on this machine (default 2)")
    add("--dask", metavar="ADDRESS", help=_CLUSTER)
    add("--json", action="store_true", help="print one JSON object instead of text")

    what = "an executed notebook, or a run, as one HTML file that needs no network"
    add = command("report", commands.report, what)
    source = "a notebook; a folder of them: a course; with --store the id of a run"
    add("source", metavar="NOTEBOOK", type=Path, help=source)
    add("-o", "--output", metavar="FILE", help="(default: NOTEBOOK.html, or course)")
    add("--store", type=Path, metavar="FOLDER", help="the report of a run that is kept here")
    add("--run", dest="execute", action="store_true", help="run the notebook first, in memory")
    return parser


def _name_and_text(argument: str) -> tuple[str, str]:
    """players=3 as ("players", "3")."""
    name, equals, text = argument.partition("=")
    if not (equals and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{argument!r} is not NAME=VALUE, such as players=3")
    return name, text


def _whole(text: str) -> int:
    """A whole number as people write it: 10000, 10_000 or, quoted, "10 000"."""
    try:
        return int(ungrouped(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number") from None


def _checkpoints(text: str) -> int | list[int]:
    """A number as it is, 1,10,100 as a list."""
    try:
        numbers = [_whole(number) for number in text.split(",")]
    except argparse.ArgumentTypeError:
        message = f"{text!r} is neither a number nor a list of numbers, such as 10,100,1000"
        raise argparse.ArgumentTypeError(message) from None
    return numbers if "," in text else numbers[0]


_CLUSTER = "a Dask cluster instead, e.g. tcp://scheduler:8786"
_OPTION: dict[str, Any] = {
    "type": _name_and_text, "action": "append", "default": [], "metavar": "NAME=VALUE",
    "help": "an option of the game, e.g. --option players=3; may be repeated",
}  # fmt: skip
