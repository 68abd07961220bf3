"""`workbench play`: a session in the terminal, or fed by a pipe.

    workbench play leduc
    workbench play kuhn --opponent always-bet --seat 2 --seed 7
    workbench play leduc --option players=3 --save evening.jsonl
    workbench play leduc --abstraction JQ-K         an opponent who confuses Jack and Queen
    workbench play toepen --match
    printf 'c\\nc\\nr\\n' | workbench play leduc --hands 1

A file named by --save that is there already is continued. Solving is shown on standard error.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from workbench.games.registry import load_game
from workbench.lab.play.session import Session
from workbench.lab.play.terminal import Terminal
from workbench.rules import GameError, Rules


def play(args: argparse.Namespace, stdin: TextIO, stdout: TextIO) -> bool:
    """Play; True if the player interrupted."""
    if args.hands is not None and args.hands < 1:
        raise GameError(f"--hands must be at least 1, not {args.hands}")
    if args.seat is not None and args.seat < 1:
        raise GameError(f"--seat is counted from 1, not {args.seat}")
    rules = _rules(args)
    if args.seat is not None and args.seat > rules.players:
        raise GameError(f"--seat: {rules.name!r} has seats 1 to {rules.players}, not {args.seat}")
    session = _session(args, rules)
    try:
        session.prepare(progress=True)
    except GameError as error:
        raise GameError(
            f"{error}; to play it without a tree: --opponent sampled --no-review"
        ) from None
    played = len(session.hands)

    def show(line: str) -> None:
        stdout.write(line + "\n")
        stdout.flush()

    terminal = Terminal(
        session,
        prompter(stdin, stdout),
        show,
        hands=None if args.hands is None else played + args.hands,
        saved=lambda: args.save is None or session.save(args.save),
    )
    return terminal.run()


def prompter(stdin: TextIO, stdout: TextIO) -> Callable[[str], str]:
    """How to ask: a person at a terminal may edit her line; from a pipe it is repeated."""
    if stdin.isatty():
        return input

    def ask(prompt: str) -> str:
        stdout.write(prompt)
        line = stdin.readline()
        if not line:
            raise EOFError
        stdout.write(line if line.endswith("\n") else line + "\n")
        stdout.flush()
        return line

    return ask


def _rules(args: argparse.Namespace) -> Rules:
    is_path = args.game.endswith(".txt") or Path(args.game).name != args.game
    return load_game(Path(args.game) if is_path else args.game, **dict(args.option))


def _session(args: argparse.Namespace, rules: Rules) -> Session:
    settings: dict[str, Any] = {
        "opponent": args.opponent,
        "match": args.match,
        "seat": None if args.seat is None else args.seat - 1,
        "review": args.review,
        "abstraction": args.abstraction,
        "solver": args.solver,
        "iterations": args.iterations,
    }
    if args.save is not None and args.save.exists():  # cards go on as they were
        again = {} if args.seed is None else {"seed": args.seed}
        return Session.load(args.save, rules, **settings, **again)
    settings["seed"] = args.seed
    if args.save is None:
        return Session(rules, **settings)
    if not args.save.absolute().parent.is_dir():  # better now than after the hand
        raise GameError(f"--save: there is no folder {args.save.parent}")
    return Session(rules, **settings)
