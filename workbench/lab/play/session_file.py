"""A session in a text file: a line that says what is played, a line for each hand, a line to end.

    {"kind": "session", "format": 1, "game": "leduc", "options": {…}, "seed": 0, …}
    {"hand": 1, "seats": [0, 1], "moves": [[-1, "Q♠"], [-1, "K♥"], [0, "c"], …], "payoffs": […]}
    {"end": 1, "checksum": "…"}

Nothing else is needed: reviews follow from the moves. A file is written in one move, and read with
suspicion: the checksum must fit, and the rules must allow every move.

>>> import tempfile
>>> from pathlib import Path
>>> from workbench.lab.play.session import Session
>>> session = Session("kuhn", opponent="uniform", seed=3)
>>> session.deal(); session.play("b")
>>> with tempfile.TemporaryDirectory() as folder:
...     path = session.save(Path(folder) / "evening.jsonl")
...     again = Session.load(path)
>>> again.hands == session.hands, again.net
(True, -2.0)
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from workbench.files import DamagedError, write_named
from workbench.games.registry import describe, load_game
from workbench.lab.play.hand_record import Hand, Move
from workbench.lab.play.opponents import Opponent
from workbench.lab.play.session import Session
from workbench.policies import Policy
from workbench.rules import GameError, Rules

FORMAT = 1
SETTINGS = ("seat", "seed", "abstraction", "solver", "iterations")


def save_session(session: Session, path: str | Path) -> Path:
    """Write all hands that are over; a hand that is on is left out."""
    path = Path(path)
    if path.is_dir():
        raise GameError(f"{str(path)!r} is a folder; name a file for the hands: evening.jsonl")
    if not path.absolute().parent.is_dir():
        raise GameError(f"there is no folder {path.parent}")
    name, options = _description(session.rules)
    head = {
        "kind": "session",
        "format": FORMAT,
        "game": name,
        "options": options,
        "match": session.match.bound if session.match else None,
        "opponents": [one.name for one in session.opponents],
        "review": session.reviewing,
        **{setting: getattr(session, setting) for setting in SETTINGS},
    }
    lines = [_line(head)]
    for hand in session.hands:
        content = {
            "hand": hand.number, "seats": hand.seats, "moves": hand.moves, "payoffs": hand.payoffs
        }  # fmt: skip
        lines.append(_line(content))
        if _tuples(json.loads(lines[-1])["moves"]) != hand.moves:
            raise GameError(
                f"the moves of {session.rules.name!r} are no plain values (texts, numbers and "
                "tuples of them); its hands cannot be saved"
            )
    lines.append(_line({"end": len(session.hands), "checksum": _checksum(lines)}))
    return write_named(path, ("\n".join(lines) + "\n").encode())


def load_session(path: str | Path, rules: Rules | None = None, **settings: Any) -> Session:
    """Read what `save_session` wrote; `settings` replace those of the file (opponent, review)."""
    path = Path(path)
    if not path.is_file():
        raise GameError(f"there is no file {path}")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        content = [json.loads(line) for line in lines]
        head, *hands, end = content
        known = head["kind"] == "session" and head["format"] <= FORMAT
        whole = end["end"] == len(hands) and end["checksum"] == _checksum(lines[:-1])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamagedError(
            f"{path} is damaged or no saved session ({error}); play another"
        ) from None
    if not known:
        raise GameError(f"{path} was written by a newer workbench; update this one")
    if not whole:
        raise DamagedError(f"{path} is damaged: its checksum does not fit its content")
    try:
        return _session(head, hands, rules, settings)
    except (GameError, KeyError, TypeError, ValueError) as error:
        raise GameError(f"{path}: {error}") from None


def _session(
    head: dict[str, Any], hands: list[dict[str, Any]], rules: Rules | None, settings: dict[str, Any]
) -> Session:
    if rules is None:
        if head["options"] is None:
            raise GameError(f"give the rules of {head['game']!r}: load(path, rules=…)")
        rules = load_game(head["game"], **_tuples(head["options"]))
    elif _description(rules)[0] != head["game"]:
        raise GameError(f"it holds hands of {head['game']!r}, not of {rules.name!r}")
    given: dict[str, Any] = {setting: head[setting] for setting in SETTINGS}
    given |= {"match": head["match"], "review": head["review"]}
    given |= {"opponent": head["opponents"], **settings}
    try:
        session = Session(rules, **given)
    except GameError:
        if "opponent" in settings:
            raise
        session = Session(rules, **{**given, "opponent": [_absent(n) for n in head["opponents"]]})
    for line in hands:
        moves = tuple(Move(seat, _tuples(what)) for seat, what in line["moves"])
        match = len(session.winners) + 1 if session.match else 0
        try:
            hand = Hand(line["hand"], session.hand_rules, tuple(line["seats"]), moves, match)
            session.add(hand)
        except GameError as error:
            raise GameError(f"hand {line['hand']} does not fit the rules: {error}") from None
        if list(hand.payoffs) != line["payoffs"]:
            raise GameError(f"hand {line['hand']} pays {hand.payoffs}, not {line['payoffs']}")
    return session


def _absent(name: str) -> Opponent:
    """Somebody who played then and is not here now: good enough to look back."""

    def refuse(rules: Rules) -> Policy:
        raise GameError(f"the opponent {name!r} is not here; load with opponent=… to play on")

    return Opponent(name, refuse)


def _description(rules: Rules) -> tuple[str, dict[str, Any] | None]:
    """The name of a game, and its options if it is one of the workbench's."""
    return describe(rules) or (rules.name, None)


def _line(content: dict[str, Any]) -> str:
    try:
        return json.dumps(content, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise GameError(f"this session cannot be written as text: {error}") from None


def _tuples(value: Any) -> Any:
    """Lists in the text were tuples."""
    if isinstance(value, dict):
        return {name: _tuples(part) for name, part in value.items()}
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _checksum(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
