r"""Games as readable text: one line per move, indented below the move before it.

Everyday example: player 1 draws the ace or the king and folds or bets; player 2 does not see it:

>>> bluff = load_text('''
... game bluff
... chance
...   A 1/2: player 1 sees A
...     fold: pays -1 1
...     bet: player 2 sees bet
...       fold: pays 1 -1
...       call: pays 2 -2
...   K 1/2: player 1 sees K
...     fold: pays -1 1
...     bet: player 2 sees bet
...       fold: pays 1 -1
...       call: pays -2 2
... ''')
>>> bluff
TextGame(name='bluff', players=2)
>>> bluff.node(bluff.next(bluff.start(), "K"))
Decision(player=0, seen='K', actions=('fold', 'bet'))

The format:

    game NAME               the first line; the first situation stands in the line below it
    MOVE: SITUATION         every other line: what somebody does, and where that leads
    # ...                   a comment, to the end of the line

    chance                  below it: OUTCOME PROBABILITY: SITUATION, with probabilities such as
                            1/3 or 0.25 that add up to 1; left out everywhere, they are equal
    player 1 sees WORDS     below it: ACTION: SITUATION. Two situations of one player with the
                            same words are one information set; no words: the player knows nothing
    pays 1 -1               the game is over; one number or fraction per player

Moves that belong to one situation are indented equally, with spaces. A name is a word without
spaces, or anything in double quotes ("raise 2"). **In the file, as everywhere where a person
reads, the first player is player 1; in Python the same player has the index 0.** One word seen
is a string in Python, several words are a tuple of strings. How many players there are is told
by the first `pays`.

`save_text` writes any small game this way; reading it back gives the same game.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.files import need_path, read_file, write_named
from workbench.games.text_parser import Situation, read
from workbench.rules import Chance, Decision, GameError, Node, Rules

LARGEST = 20_000_000  # bytes of a file: 300,000 moves, some seconds
_BARE = re.compile(r'[^\s:#"]+')  # a name that needs no quotes


@dataclass(frozen=True)
class TextGame:
    """The rules that a text describes; two games with the same text are equal."""

    name: str
    players: int
    text: str = field(repr=False)
    root: Situation = field(repr=False, compare=False)

    def start(self) -> Situation:
        return self.root

    def next(self, state: Situation, action: Hashable) -> Situation:
        return state.after[action]

    def node(self, state: Situation) -> Node:
        return state.node


def load_text(source: str | Path) -> TextGame:
    """Read a game from a file, or from a string that has more than one line."""
    text, file = str(source), ""
    if isinstance(source, Path) or "\n" not in source:
        path = need_path(source)
        file = path.name
        try:
            if path.is_file() and path.stat().st_size > LARGEST:
                raise GameError(
                    f"{path} has {path.stat().st_size / 1e6:,.0f} MB, and a game to be read has at "
                    f"most {LARGEST // 10**6}; write its rules in Python: help(wb.Rules)"
                )
            text = read_file(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise GameError(f"cannot read the game file {str(source)!r}: {reason}") from None
    name, players, root = read(text, file)
    return TextGame(name, players, text, root)


def save_text(rules: Rules, path: str | Path, *, max_lines: int = 100_000) -> None:
    """Write a game as text; a game with more than `max_lines` histories is refused."""
    text = to_text(rules, max_lines=max_lines)  # complete before the file is touched
    write_named(need_path(path), text.encode())


def to_text(rules: Rules, *, max_lines: int = 100_000) -> str:
    """A game as text; see the module's first lines for the format."""
    lines = [f"game {_quoted(rules.name)}"]
    spoken: dict[tuple[int, str], Hashable] = {}  # which `seen` a player's words stand for
    stack: list[tuple[int, str, Any]] = [(0, "", rules.start())]
    while stack:
        if len(lines) > max_lines:
            raise GameError(
                f"{rules.name} has more than {max_lines:,} histories, too many for a readable "
                "file; save a smaller variant or raise max_lines"
            )
        depth, move, state = stack.pop()
        node = rules.node(state)
        moves: list[tuple[Hashable, str]] = []
        if isinstance(node, Chance):
            situation = "chance"
            moves = [(o, f"{_quoted(o)} {_number(p)}") for o, p in node.probabilities.items()]
        elif isinstance(node, Decision):
            words = _sees(node.seen)
            situation = f"player {node.player + 1}" + (f" sees {words}" if words else "")
            moves = [(action, _quoted(action)) for action in node.actions]
            if spoken.setdefault((node.player, words), node.seen) != node.seen:
                raise GameError(
                    f"{rules.name}: player {node.player + 1} sees {node.seen!r} and "
                    f"{spoken[node.player, words]!r}, which both read {words!r} as text"
                )
        else:
            situation = " ".join(["pays", *map(_number, node.payoffs)])
        lines.append("  " * depth + move + situation)
        if len({str(name) for name, _ in moves}) < len(moves):
            raise GameError(f"{rules.name}: moves that read alike as text in {node!r}")
        for name, text in reversed(moves):
            stack.append((depth + 1, f"{text}: ", rules.next(state, name)))
    return "\n".join(lines) + "\n"


def _sees(seen: Hashable) -> str:
    """What a player knows, as words; nothing is the empty string."""
    if seen == "":
        return ""
    parts = seen if isinstance(seen, tuple) and len(seen) > 1 else (seen,)
    return " ".join(_quoted(part) for part in parts)


def _quoted(name: Hashable) -> str:
    text = str(name)
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """The shorter of a decimal and a fraction, both exactly this number."""
    number = float(value)
    if not math.isfinite(number):
        raise GameError(f"only finite numbers can be written as text, not {number}")
    if number.is_integer():
        return str(int(number))
    fraction = Fraction(number).limit_denominator(1_000_000)
    decimal = format(Decimal(repr(number)), "f")
    exact = float(fraction) == number
    return str(fraction) if exact and len(str(fraction)) <= len(decimal) else decimal
