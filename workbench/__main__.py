"""The command line: `workbench lab` and `workbench solve GAME`, also as `python -m workbench`.

    workbench solve leduc --solver dcfr --iterations 2000 --option players=2
    workbench solve data/games/my_game.txt --target 0.001 --json

Results go to standard output, progress and complaints to standard error. Bad input is
answered by one line and exit code 2; after Ctrl-C (exit code 130) stands what was reached.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from workbench._version import __version__

BAD_INPUT, INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = _parser()
    args, rest = parser.parse_known_args(arguments)
    if rest and args.command != "lab":
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        if args.command == "reproduce":
            return _reproduce(args)
        return _lab(rest) if args.command == "lab" else _solve(args)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except ValueError as error:  # GameError is one
        _complain(str(error))
    return BAD_INPUT


def _complain(message: str) -> None:
    print("workbench:", " ".join(message.split()), file=sys.stderr)


# ---- what may be asked ----------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _complain(f"{message} (see {self.prog} --help)")
        raise SystemExit(BAD_INPUT)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="workbench", description="Imperfect-information games, solved.")
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser(
        "lab",
        help="compile the kernels and open JupyterLab on the first notebook",
        epilog="Further arguments go to JupyterLab, for example --no-browser.",
    )
    solve = commands.add_parser("solve", help="solve a game and show how good the solution is")
    add = solve.add_argument
    add("game", metavar="GAME", help="a name, or the path of a game written as text")
    add("--solver", default="cfr+", help="cfr+ (default), cfr, linear-cfr, dcfr, pcfr+, lp, …")
    add("--iterations", type=int, default=1000, help="at most so many (default 1000)")
    add("--target", type=float, help="stop at this exploitability")
    add("--seed", type=int, default=0, help="for solvers that draw at random (default 0)")
    add("--abstraction", metavar="NAME", help="solve a smaller game, judge in the full one")
    add(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, e.g. --option players=3; may be repeated",
    )
    add(
        "--checkpoints",
        type=_checkpoints,
        metavar="N[,N…]",
        help="measure every N iterations, or at these (default: ever less often)",
    )
    add("--save", type=Path, metavar="FILE", help="write the strategy to an npz file")
    add("--json", action="store_true", help="print one JSON object instead of a table")
    again = commands.add_parser(
        "reproduce", help="published tables and figures beside what we find, with verdicts"
    ).add_argument
    again("names", metavar="NAME", nargs="*", help="measure again (default: show what was kept)")
    again("--quick", action="store_true", help="fewer iterations: half a minute for an entry")
    again("--save", action="store_true", help="keep what was measured in data/results")
    again("--json", action="store_true", help="print a list of rows instead of a table")
    return parser


def _option(text: str) -> tuple[str, bool | int | float | str]:
    """
    >>> _option("players=3"), _option("suit_isomorphism=true")
    (('players', 3), ('suit_isomorphism', True))
    """
    name, equals, value = text.partition("=")
    if not (equals and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, such as players=3")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    for number in (int, float):
        try:
            return name, number(value)
        except ValueError:
            continue
    return name, value


def _checkpoints(text: str) -> int | list[int]:
    """
    >>> _checkpoints("100"), _checkpoints("1,10,100")
    (100, [1, 10, 100])
    """
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        message = f"{text!r} is neither a number nor a list of numbers, such as 10,100,1000"
        raise argparse.ArgumentTypeError(message) from None
    return numbers if "," in text else numbers[0]


# ---- what is done ---------------------------------------------------------------------


def _lab(arguments: list[str]) -> int:
    from workbench.lab import open_lab, warm

    print("Compiling kernels (once after each change): ", end="", file=sys.stderr)
    end = {True: "\n", False: " · "}
    warm(lambda done, n, what: print(what, end=end[done == n], file=sys.stderr, flush=True))
    open_lab(arguments)
    return 0


def _reproduce(args: argparse.Namespace) -> int:
    from workbench.experiments.reproduce.command import reproduce

    print(reproduce(args))
    return 0


def _solve(args: argparse.Namespace) -> int:
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


# ---- what is shown --------------------------------------------------------------------


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


if __name__ == "__main__":
    sys.exit(main())
