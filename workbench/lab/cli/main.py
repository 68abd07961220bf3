"""The command line, also as `python -m workbench`; `commands.toml` says what may be asked.

    workbench solve leduc --solver dcfr --iterations 2000 --option players=2 --store runs
    workbench play dice.py --option sides=4      or my_game.py:MyGame
    printf 'c\\nc\\nr\\n' | workbench play toepen --match

Results go to standard output, progress and complaints to standard error. Bad input is
answered by one line and exit code 2; after Ctrl-C (exit code 130) stands what was reached.
A reader that has seen enough (`workbench runs | head`, exit code 141) is no reason to complain.
"""

import argparse
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from workbench._version import __version__
from workbench.lab.cli import commands
from workbench.lab.text import printable, ungrouped
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
        args.rest = rest
        code = int(args.run(args))
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
    asked = tomllib.loads(Path(commands.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for name, said in asked.items():
        what = said["what"]
        about = f"{what[0].upper()}{what[1:]}. {said.get('more', '')}"
        made = known.add_parser(name, help=what, description=about)
        made.set_defaults(run=getattr(commands, name.replace("-", "_")), usual=made.get_default)
        for names, given in said["arguments"].items():
            kind = {"type": KINDS[given["type"]]} if "type" in given else {}
            made.add_argument(*names.split(), **{**given, **kind})
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


KINDS: dict[str, Callable[[str], Any]] = {
    "whole": _whole, "number": float, "path": Path, "option": _name_and_text,
    "checkpoints": _checkpoints,
}  # fmt: skip
