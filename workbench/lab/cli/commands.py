"""What the commands do; what may be asked is in `commands.toml`.

Results go to standard output. Each command answers with its exit code.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import sys
import traceback
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from workbench.files import naming, need_target, write_named
from workbench.games.own_files import is_own_file
from workbench.games.registry import game_maker, load_game
from workbench.games.words import unit_of
from workbench.lab.text import columns, judged, number, printable, stored_name
from workbench.later import pd
from workbench.rules import GameError, Rules, need_rules, shown
from workbench.settings import Option, make, need_whole, options_of, refuse_unknown
from workbench.shipped import shipped
from workbench.solvers.base import find_solver, solver_class
from workbench.tree import hands_unlisted, has_form

FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
ROWS = 15  # of a trace that are printed
ASKED = ["game", "solver", "abstraction", "infosets", "seed", "iterations"]
ORDER = ["game", "solver", "abstraction", "iterations", "seed"]
JSON_ONLY = ["settings", "target", "checkpoints", "kind", "created", "changed", "run", "error"]


def lab(args: argparse.Namespace) -> int:
    from workbench.lab.cli.jupyter import is_root, open_lab, warm
    from workbench.lab.working_copies import find_folder, hand_out

    copies = hand_out(find_folder(args.folder))
    print(*copies.lines(), sep="\n", file=sys.stderr)
    if is_root():
        print("Running as root, as in a container: notebooks may change any file.", file=sys.stderr)
    print("Compiling kernels (once after each change): ", end="", file=sys.stderr)
    for what in warm():
        print(what, end=" · ", file=sys.stderr, flush=True)
    print("ready", file=sys.stderr)
    open_lab(copies.folder, args.rest)
    return 0


def new(args: argparse.Namespace) -> int:
    """Write the skeleton of a game, which is a game, under the name of the file."""
    file: Path = need_target(args.file)
    if not re.fullmatch(r"[\w .-]+\.py", file.name):
        raise GameError(f"{shown(file.name)} is no name for a file of Python, such as dice.py")
    if os.path.lexists(file):
        raise GameError(f"{file} exists already; choose another name, or remove it")
    if _is_taken(file.stem):
        raise GameError(
            f"{file.name} would hide what Python or pytest knows by this name; choose another one, "
            f"such as my_{file.stem.strip('_')}.py"
        )
    text = shipped("data/games/dice.py").read_text(encoding="utf-8")
    name = "".join(part[:1].upper() + part[1:] for part in re.split(r"\W|_", file.stem))
    taken = iskeyword(name) or name.startswith("Test") or (name != "Dice" and name in text)
    name = f"My{name}" if taken or not name.isidentifier() else name
    text = re.sub(r"\bDice\b", name, text).replace("dice.py", file.name)
    text = text.replace('"dice"', json.dumps(file.stem, ensure_ascii=False))
    write_named(file, text.encode())
    where = shlex.quote(str(file))
    print(
        f"{file}: liar's dice, to change into a game of your own. To try it:\n"
        f"  workbench play {where}\n  workbench solve {where} --option sides=4\n  pytest {where}"
    )
    return 0


def _is_taken(name: str) -> bool:
    """
    >>> [_is_taken(name) for name in ("numpy", "conftest", "__init__", "winreg", "dice", "my.dice")]
    [True, True, True, True, False, False]
    """
    if name in {"conftest", *sys.stdlib_module_names} or name.startswith("__"):
        return True
    return name.isidentifier() and find_spec(name) is not None


def solve(args: argparse.Namespace) -> int:
    _need_target("--save", args.save)
    rules, options = _game(args)
    settings = read_options(solver_class(args.solver), args.setting)
    asked: dict[str, Any] = {"solver": find_solver(args.solver, settings)}
    asked |= _taken(args, "iterations seed target abstraction checkpoints store")
    if args.abstraction is None and hands_unlisted(rules):
        usual = "3333" if rules.players == 2 else "169-3-3-3 --solver external-sampling"
        raise GameError(
            f"{rules.name!r} is too large to be solved without buckets of hands; add --abstraction "
            f"{usual}, or other counts for the four rounds"
        )
    run = wb.solve(rules, **asked, progress=True)  # shown to a person only, not in a pipe
    if args.save:
        run.strategy.save(args.save)
    tree, interrupted = run.tree, run.stopped == "interrupted"
    value, why = None, ""
    try:
        value = wb.expected_values([run.strategy] * tree.num_players).tolist()
    except GameError as error:  # a game that nobody can sum over
        why = str(error)
    if args.json:
        result = {
            "game": tree.name,
            "options": options,
            "solver": run.solver.name,
            "settings": settings,
            "abstraction": args.abstraction,
            "seed": run.seed,
            "players": tree.num_players,
            "histories": tree.num_histories,
            "infosets": tree.num_infosets,
            "iterations": run.iterations,
            "stopped": run.stopped,
            "seconds": run.seconds,
            "value": value,
            "exploitability": run.exploitability,
            "trace": run.trace.to_dict(orient="records"),
        }
        _print_json(result)
    else:
        print(
            f"{tree.name}: {tree.num_players} players, {tree.num_histories:,} histories, "
            f"{tree.num_infosets:,} information sets"
        )
        used: Any = run.abstraction
        if used:
            print(f"solved as {args.abstraction}: {used.coarse.num_infosets:,} information sets")
        unit = unit_of(tree)
        names = {"exploitability": f"exploitability{f' ({unit})' if unit else ''}"}
        names |= {"abstract_exploitability": "in the abstract game"} if used else {}
        trace = run.trace[["iteration", "seconds", *names]]
        trace = trace.dropna(axis=1, how="all")  # too large a game to be judged exactly
        print()
        some = trace.iloc[_some(trace["iteration"].tolist())].rename(columns=names)
        rows = [
            (f"{done:,}", f"{seconds:.3f}", *(f"{lost:.9f}" for lost in others))
            for done, seconds, *others in some.itertuples(index=False)
        ]
        print(*columns([tuple(some.columns), *rows]), sep="\n")
        worth = "  ".join(f"{won:+.9f}" for won in value or ())
        print(f"\nvalue  {worth}  {unit}".rstrip() if value else f"\nno value: {why}")
        print(_conclusion(run, args.target, unit))
    return INTERRUPTED if interrupted else 0


def play(args: argparse.Namespace) -> int:
    from workbench.lab.play.terminal import TextTable
    from workbench.policies import Match

    game = _tournament(args) if args.game == "tournament" else _game(args)[0]
    rules: Any = game.rules if isinstance(game, Match) else game
    settings = _taken(args, "opponent match seat review abstraction solver iterations")
    if args.seat is not None:
        settings["seat"] = need_whole("--seat", args.seat, 1, rules.players) - 1
    if args.hands is not None:
        need_whole("--hands", args.hands)
    _need_target("--save", args.save)
    if args.save and Path(args.save).exists():  # its own cards, unless others are named
        settings |= {} if args.seed is None else {"seed": args.seed}
        session = wb.play.Session.load(args.save, game, **settings)
    else:
        session = wb.play.Session(game, seed=args.seed, **settings)
    try:
        session.prepare(progress=True)
    except GameError as error:
        if has_form(rules) or "wb.sample_rules" not in str(error):  # a tree is not the matter
            raise
        fix = "to play it without a tree: --opponent sampled --no-review"
        raise GameError(f"{error}; {fix}") from None
    where = args.save

    def saved() -> None:
        nonlocal where
        if where and (now := session.save(where)) != Path(where):
            where = now
            terminal.show(f"{args.save} has other hands by now; yours are in {now}.")

    terminal = TextTable(
        session,
        input if sys.stdin.isatty() else _ask,
        lambda line: print(line, flush=True),
        hands=None if args.hands is None else len(session.hands) + args.hands,
        saved=saved,
    )
    return INTERRUPTED if terminal.run() else 0


def drill(args: argparse.Namespace) -> int:
    rules, _ = _game(args)
    _need_target("--save", args.save)
    _need_target("--output", args.output)
    seat = None if args.seat is None else need_whole("--seat", args.seat, 1, rules.players) - 1
    seed = 0 if args.save and args.seed is None else args.seed  # a file remembers these questions
    session = wb.play.Session(rules, seat=seat, seed=seed, iterations=args.iterations)
    made = wb.play.Drill(session, file=args.save, **_taken(args, "street spot questions"))
    session.prepare(progress=True)
    if args.output is not None:
        print(printable(str(wb.write_report(made, args.output))))
        return 0
    ask = input if sys.stdin.isatty() else _ask
    return INTERRUPTED if made.run(ask, lambda line: print(line, flush=True)) else 0


def _some(at: Sequence[int]) -> list[int]:
    """Which rows to print of a trace that was measured at these iterations: evenly spaced on a
    logarithmic scale, the first and the last among them.

    >>> _some([1, 2, 3]), _some(range(1, 1001))
    ([0, 1, 2], [0, 1, 2, 4, 7, 11, 19, 31, 51, 84, 138, 227, 372, 610, 999])
    """
    found = list(range(len(at)))
    for points in range(ROWS, 4 * ROWS) if len(at) > ROWS else ():
        wanted = np.geomspace(at[0], at[-1], points) * (1 - 1e-9)
        found = sorted({*np.searchsorted(at, wanted).tolist()})
        if len(found) >= ROWS:  # at the beginning several points may fall on one row
            break
    return found


def _conclusion(run: wb.Run, target: float | None, unit: str) -> str:
    """What was reached, in one sentence."""
    last = run.trace.iloc[-1]
    lost, where = float(last["exploitability"]), ""
    if math.isnan(lost):
        lost, where = float(last["abstract_exploitability"]), " in the abstract game"
    reached = f"{run.iterations:,} iteration{'s' if run.iterations != 1 else ''}"
    began = {"target": "target reached after ", "interrupted": "interrupted after "}
    if run.solver.exact:
        said = "solved exactly"
    elif run.stopped == "iterations" and target is not None:
        said = f"target {target:g} not reached after {reached}"
    else:
        said = began.get(run.stopped, "after ") + reached
    if math.isnan(lost):
        return f"{said}: there is no exact exploitability of this game"
    return f"{said}: {judged(run.tree)}".format(f"{number(lost)} {unit}".rstrip()) + where


def _tournament(args: argparse.Namespace) -> Any:
    """A jam/fold tournament; options are those of `Tournament`, and `stacks`."""
    for name in ("match", "abstraction", "solver", "iterations"):
        if getattr(args, name) != args.usual(name):
            raise GameError(f"--{name} is not for a tournament; leave it out")
    options = {name: Option(name, None, None).read(text) for name, text in args.option}
    refuse_unknown(options, ["units", "players", "prizes", "blinds", "stacks"], "tournament")
    stacks = options.pop("stacks", ())
    if options.get("players") == 2:
        options.setdefault("prizes", (1, 0))
    game = wb.jamfold.Tournament(**options)
    if stacks:
        game.state(stacks)
    # some prizes never settle
    found = wb.jamfold.solve(game, "pi-fp", iterations=25, progress=True)
    print(f"In what was found nobody could gain more than {found.ex_post_gain:.2g}.")
    return wb.jamfold.TournamentMatch(found, stacks)


def _ask(prompt: str) -> str:
    """A line from a pipe, repeated: a person at a terminal sees what she types."""
    print(prompt, end="")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(line.removesuffix("\n"), flush=True)
    return line


def sweep(args: argparse.Namespace) -> int:
    many = wb.Experiment.from_toml(args.file)
    done = wb.sweep(many, store=args.store, workers=args.workers, dask=args.dask)
    table = done.table
    table["unit"] = [unit_of(problem.tree) for problem in done.problems]
    _print_runs(table, args.json)
    failed = table[table["error"].notna()]
    for k, error in failed["error"].items():
        text = printable(f"workbench: experiment {int(str(k)) + 1} failed: {error}")
        print(text, file=sys.stderr)
    return FAILED if len(failed) else 0


def runs(args: argparse.Namespace) -> int:
    _need_target("--csv", args.csv)
    with _opened(args.store) as store:
        table = store.runs()
        if args.csv:
            rows = len(store.trace())
            print(f"{store.export_csv(args.csv)}: {rows:,} measurements", file=sys.stderr)
    _print_runs(table, args.json)
    return 0


def reproduce(args: argparse.Namespace) -> int:
    from workbench.lab.ledger import command
    from workbench.lab.ledger.entries import list_entries

    print(command.reproduce(args), flush=True)
    if args.quick and not args.names:
        note = (
            "--quick has measured nothing: it is for entries that are named, as in `workbench "
            f"reproduce {list_entries()[0]} --quick`; above stands what was kept"
        )
        print("workbench:", note, file=sys.stderr)
    return 0


def tables(args: argparse.Namespace) -> int:
    from workbench.poker.strength.holdem_tables import holdem_tables

    found = holdem_tables(progress=True)
    size = sum(array.nbytes for array in vars(found).values())
    first, second = wb.poker.hand_strength("AhAs")
    print(
        f"holdem: hand strengths of all boards, exact, {size / 1e6:.0f} MB; two aces have E[HS] "
        f"{first:.6f}, E[HS²] {second:.6f}"
    )
    return 0


def best_response(args: argparse.Namespace) -> int:
    from workbench.lab.sweep.flops import best_response_sweep
    from workbench.poker.response.real_response import OPPONENTS

    rules: Any = load_game("limit_holdem")
    if args.finer is not None and args.flops is not None:
        raise GameError("--finer takes no flops and --flops no buckets; give one of the two")
    if args.strategy in OPPONENTS:
        strategy = wb.poker.opponent_named(rules, args.strategy)
    elif Path(args.strategy).exists() or Path(f"{args.strategy}.npz").exists():
        strategy = wb.Strategy.load(args.strategy, rules)
    else:
        raise GameError(
            f"there is no file {args.strategy!r} and no opponent of this name; give the npz file "
            f"of a strategy, or one of {', '.join(sorted(OPPONENTS))}"
        )
    if args.finer is not None:
        count = need_whole("--finer", args.finer, 1, 9)
        finer: Any = wb.cluster_hands(rules, (count,) * 4, metric="ehs2", method="percentile")
        first, second = wb.poker.bucket_response(strategy, finer, progress=True)
        found = {"first": first, "second": second, "exploitability": (first + second) / 2}
        said = f"at least, by a responder with {count} buckets a round; a loose bound"
    else:
        settings = _taken(args, "flops seed store workers dask")
        answer = best_response_sweep(strategy, **settings)
        found = {
            "first": answer.values[0], "second": answer.values[1],
            "exploitability": answer.exploitability, "standard_error": answer.standard_error,
            "held_out": answer.held_out, "flops": answer.flops, "exact": answer.exact,
        }  # fmt: skip
        said = "exact" if answer.exact else _estimate(answer)
        if answer.replaced:
            more = f", and {len(answer.replaced) - 1:,} more" if answer.replaced[1:] else ""
            print(f"workbench: {printable(answer.replaced[0])}{more}", file=sys.stderr)
    if args.json:
        _print_json(found)
    else:
        print(
            f"A best response wins {found['exploitability']:.2f} mbb a hand, {said}.\n"
            f"As small blind {found['first']:.2f}, as big blind {found['second']:.2f}."
        )
    return 0


def _estimate(answer: Any) -> str:
    """How sure the answer from some flops is."""
    of = f"from {answer.flops:,} of 22,100 flops; biased upward"
    if answer.flops == 1:
        return "from 1 of 22,100 flops: one flop tells nothing about the error; take more"
    chosen = f"with moves before the flop chosen on other flops {answer.held_out:.1f}"
    if math.isnan(answer.standard_error):
        return f"{of}, {chosen}; these flops are alike and tell nothing about the error; take more"
    return f"± {answer.standard_error:.1f} (standard error), {of}, {chosen}"


def report(args: argparse.Namespace) -> int:
    found: Any = args.source
    study = found is not None and found.suffix.lower() == ".toml"
    if (found is None) == (args.game is None) and not study:
        raise GameError("a report is of a notebook, a folder, a run, or of --play GAME; name one")
    if args.game is not None:
        if args.store is not None or args.execute:
            raise GameError("--store and --run are for runs and notebooks; --play takes neither")
        rules = _game(args)[0]
        if study:
            args.output = args.output or f"{found.stem}.html"
            found = wb.play.Study.load(found, rules)
        else:
            found = wb.play.Session(rules, **_taken(args, "opponent abstraction"))
    elif args.store is None and (args.source / "store.sqlite").is_file():
        raise GameError(
            f"{args.source} is a store of runs; name one of them, as `workbench runs --store "
            f"{args.source}` lists them: workbench report RUN --store {args.source}"
        )
    elif args.store is not None:
        if args.execute:
            raise GameError("--run is for notebooks; a run of a store has been run already")
        with _opened(args.store) as store:
            found = store.run(str(args.source))
    made = wb.write_report(found, args.output, execute=args.execute)
    for note in made.notes:
        print("workbench:", printable(note), file=sys.stderr)
    print(printable(str(made)))
    return 0


# ---- what was asked -------------------------------------------------------------------


def _game(args: argparse.Namespace) -> tuple[Rules, dict[str, Any]]:
    """The game that was named, and its options, read as the game declares them."""
    with redirect_stdout(sys.stderr):  # what one's own file prints is no result
        kind = game_maker(args.game)
        options = read_options(kind, args.option)
        return need_rules(make(kind, options, args.game)), options


def read_options(kind: Any, texts: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options that were typed as (name, text), read as they are declared.

    >>> read_options(Option, [("name", "x"), ("optional", "true")])
    {'name': 'x', 'optional': True}
    """
    read = {option.name: option.read for option in options_of(kind)}
    found: dict[str, Any] = {}
    for name, text in texts:
        if name in found:
            raise GameError(f"{name!r} is given twice")
        found[name] = read.get(name, str)(text)
    return found


def in_own_file(error: Exception) -> str:
    """The traceback of a mistake in one's own file, from that file on; empty for any other."""
    if isinstance(error, SyntaxError) and str(error.filename).endswith(".py"):
        return "".join(traceback.format_exception_only(error))
    frame = error.__traceback__
    while frame is not None and not is_own_file(frame.tb_frame.f_code.co_filename):
        frame = frame.tb_next
    return "".join(traceback.format_exception(type(error), error, frame)) if frame else ""


def _taken(args: argparse.Namespace, names: str) -> dict[str, Any]:
    """Arguments that have the name of a setting."""
    return {name: getattr(args, name) for name in names.split()}


def _need_target(option: str, file: str | None) -> None:
    """Better now than after the work."""
    if file is not None:
        with naming(option):
            need_target(file)


def _opened(folder: Path) -> wb.Store:
    if not (folder / "store.sqlite").is_file():  # opening would make one
        raise GameError(f"--store: there is no store in {folder}")
    return wb.Store(folder)


# ---- what is shown --------------------------------------------------------------------


def _print_runs(table: pd.DataFrame, as_json: bool) -> None:
    """What all runs have in common in one line, then a table of what tells them apart."""
    if as_json:
        _print_json(table.drop(columns="unit").to_dict(orient="records"))
        return
    both = zip(table["solver"], table["settings"], strict=True)
    table["solver"] = [stored_name(*one) for one in both]
    table = table.drop(columns=JSON_ONLY, errors="ignore").sort_values(ORDER, kind="stable")
    units = set(table["unit"])
    if len(units) < 2:
        head = f"exploitability{f' ({one})' if (one := ''.join(units)) else ''}"
        table = table.drop(columns="unit").rename(columns={"exploitability": head})
    asked = [name for name in ASKED if name in table]
    alike = [name for name in asked if len(table) > 1 and table[name].nunique(dropna=False) == 1]
    said = [f"{name} {_short(table[name].iloc[0])}" for name in alike if table[name].notna().all()]
    if said:
        print(f"{len(table):,} runs, all with {', '.join(said)}\n")
    told_apart = table.drop(columns=alike)
    rows = [[_short(value) for value in row] for row in told_apart.itertuples(index=False)]
    print(*columns([list(told_apart.columns), *rows]), sep="\n")


def _short(value: Any) -> str:
    """
    >>> [_short(value) for value in (None, float("nan"), "leduc", 12000, 12000.0, 0.000123456)]
    ['', '', 'leduc', '12,000', '12,000', '0.000123']
    """
    value = _without_nan(value)
    return printable(value or "") if value is None or isinstance(value, str) else number(value)


def _print_json(value: Any) -> None:
    print(json.dumps(_without_nan(value), ensure_ascii=False))


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: such numbers become null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
