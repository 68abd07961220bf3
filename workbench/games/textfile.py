r"""Games as readable text: one line per move, indented below the move before it.

Everyday example: Ann draws the ace or the king. She folds or bets, Bob does not see her card:

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
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from workbench.games.options import did_you_mean
from workbench.rules import Chance, Decision, GameError, Node, Rules, Terminal

__all__ = ["TextGame", "load_text", "save_text", "to_text"]

_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s:#"]+|:|#.*)')
_BARE = re.compile(r'[^\s:#"]+')
_NUMBER = re.compile(r"[-+]?[0-9]{1,400}([./][0-9]{1,400})?")


@dataclass(frozen=True, eq=False)
class Situation:
    """A node and what follows each of its moves."""

    node: Node
    after: dict[Hashable, Situation]


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
    if isinstance(source, str) and "\n" in source:
        return _Reader("", source).game()
    path = Path(source)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise GameError(f"cannot read the game file {str(path)!r}: {reason}") from None
    return _Reader(path.name, text).game()


def save_text(rules: Rules, path: str | Path, *, max_lines: int = 100_000) -> None:
    """Write a game as text; a game with more than `max_lines` histories is refused."""
    text = to_text(rules, max_lines=max_lines)  # complete before the file is touched
    Path(path).write_text(text, encoding="utf-8")


# ---------------------------------------------------------------------------- reading


@dataclass(eq=False)
class _Line:
    """One line of the text, and later the lines indented below it."""

    number: int
    indent: int
    move: str
    probability: Fraction | None
    words: list[str]  # the situation
    below: list[_Line] = field(default_factory=list)


class _Reader:
    """One reading: lines into words, words into a tree of lines, lines into situations."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.players = 0
        self.offered: dict[tuple[int, Hashable], tuple[tuple[str, ...], int]] = {}

    def fail(self, number: int, message: str) -> NoReturn:
        raise GameError(f"{self.file + ', ' if self.file else ''}line {number}: {message}")

    def game(self) -> TextGame:
        lines = self.split()
        number, _, words = next(lines, (1, 0, []))
        if len(words) != 2 or words[0] != "game":
            self.fail(number, "the first line must be 'game NAME'")
        root = self.nest(number, lines)
        ordered = [root]
        for line in ordered:
            ordered.extend(line.below)
        ordered.sort(key=lambda line: line.number)
        ends = [line for line in ordered if line.words[0] == "pays"]
        self.players = len(ends[0].words) - 1 if ends else 0
        nodes = {line.number: self.situation(line) for line in ordered}
        built: dict[int, Situation] = {}
        for line in reversed(ordered):  # what follows a line stands below it
            after: dict[Hashable, Situation] = {b.move: built[b.number] for b in line.below}
            built[line.number] = Situation(nodes[line.number], after)
        return TextGame(self.word(number, words[1]), self.players, self.text, built[root.number])

    def split(self) -> Iterator[tuple[int, int, list[str]]]:
        """Line number, indentation and words of every line that says something."""
        for number, line in enumerate(self.text.split("\n"), start=1):
            words, at, rest = [], 0, line.rstrip()
            while at < len(rest):
                match = _WORD.match(rest, at)
                if match is None:
                    self.fail(number, f"the quotes are not closed: {rest[at:].strip()}")
                words.append(match[1])
                at = match.end()
            if words and words[-1].startswith("#"):
                words.pop()
            if words:
                indentation = line[: len(line) - len(line.lstrip())]
                if indentation.strip(" "):
                    self.fail(number, "indent with spaces, not with tabs")
                yield number, len(indentation), words

    def nest(self, first: int, lines: Iterator[tuple[int, int, list[str]]]) -> _Line:
        """Hang every line below the last line that is indented less; return the root."""
        open_lines: list[_Line] = []
        for number, indent, words in lines:
            if not open_lines:
                open_lines = [_Line(number, indent, "", None, words)]
                continue
            while open_lines and open_lines[-1].indent >= indent:
                open_lines.pop()
            if not open_lines:
                self.fail(number, "indent this line: it belongs below the first situation")
            above = open_lines[-1]
            if above.below and above.below[0].indent != indent:
                self.fail(
                    number,
                    f"indented by {indent} spaces, but the other moves below line {above.number} "
                    f"are indented by {above.below[0].indent}",
                )
            line = self.branch(number, indent, words)
            earlier = next((b for b in above.below if b.move == line.move), None)
            if earlier is not None:
                self.fail(number, f"the move {line.move!r} was already used in line {earlier.number}")
            above.below.append(line)
            open_lines.append(line)
        if not open_lines:
            self.fail(first, "the game has no situation; write one below, such as 'player 1'")
        return open_lines[0]

    def branch(self, number: int, indent: int, words: list[str]) -> _Line:
        """MOVE: SITUATION, or OUTCOME PROBABILITY: SITUATION."""
        if ":" not in words:
            self.fail(number, f"expected 'MOVE: SITUATION', found {' '.join(words)!r}")
        colon = words.index(":")
        move, situation = words[:colon], words[colon + 1 :]
        if not situation:
            self.fail(number, "nothing stands after the colon; where does this move lead?")
        if len(move) not in (1, 2):
            self.fail(
                number,
                "one name (and for chance a probability) must stand before the colon, found "
                f"{' '.join(move)!r}; a name with spaces needs double quotes",
            )
        probability = self.amount(number, move[1]) if len(move) == 2 else None
        return _Line(number, indent, self.word(number, move[0]), probability, situation)

    def situation(self, line: _Line) -> Node:
        kind, *rest = line.words
        if kind == "pays":
            return self.pays(line, rest)
        if kind == "player":
            return self.decides(line, rest)
        if kind == "chance" and not rest:
            return self.draws(line)
        self.fail(
            line.number,
            f"{' '.join(line.words)!r} is no situation"
            f"{did_you_mean(kind, ['chance', 'player', 'pays']) or ';'} "
            "Write 'chance', 'player 1 sees WORDS' or 'pays 1 -1'",
        )

    def pays(self, line: _Line, rest: list[str]) -> Terminal:
        if line.below:
            self.fail(line.below[0].number, f"the game is over in line {line.number}, nothing follows")
        if not rest:
            self.fail(line.number, "'pays' needs one number per player")
        if len(rest) != self.players:
            self.fail(
                line.number,
                f"{len(rest)} payoffs, but the first 'pays' of this game has {self.players}",
            )
        return Terminal(tuple(float(self.amount(line.number, word)) for word in rest))

    def decides(self, line: _Line, rest: list[str]) -> Decision:
        if not rest or not re.fullmatch(r"[1-9]\d{0,5}", rest[0]) or rest[1:2] not in ([], ["sees"]):
            self.fail(line.number, "a decision is written 'player 1 sees WORDS' or 'player 1'")
        if not line.below:
            self.fail(line.number, f"player {rest[0]} has no actions; indent them below this line")
        if int(rest[0]) > self.players:
            self.fail(
                line.number, f"player {rest[0]} moves, but the game pays {self.players} players"
            )
        for below in line.below:
            if below.probability is not None:
                self.fail(below.number, "only outcomes of chance have a probability")
        words = tuple(self.word(line.number, word) for word in rest[2:])
        seen = words if len(words) > 1 else "".join(words)
        player, actions = int(rest[0]) - 1, tuple(below.move for below in line.below)
        known, where = self.offered.setdefault((player, seen), (actions, line.number))
        if sorted(known) != sorted(actions):
            self.fail(
                line.number,
                f"player {rest[0]} sees the same as in line {where} but has the actions "
                f"{', '.join(actions)} instead of {', '.join(known)}; offer the same actions or "
                "let the player see something else",
            )
        return Decision(player, seen, actions)

    def draws(self, line: _Line) -> Chance:
        if not line.below:
            self.fail(line.number, "chance has no outcomes; indent them below this line")
        given = [below for below in line.below if below.probability is not None]
        if not given:
            return Chance({below.move: 1 / len(line.below) for below in line.below})
        for below in line.below:
            if below.probability is None:
                self.fail(
                    below.number,
                    f"the outcome {below.move!r} has no probability, but line {given[0].number} has "
                    "one; give all of them, or none if they are equally likely",
                )
            if below.probability < 0:
                self.fail(below.number, f"the probability {below.probability} is negative")
        total = sum((b.probability for b in given if b.probability is not None), Fraction(0))
        if abs(total - 1) > Fraction(1, 10**9):
            shown = str(total) if total.denominator < 10_000 else f"{float(total):.6g}"
            self.fail(line.number, f"the probabilities below add up to {shown}, not to 1")
        return Chance({b.move: float(b.probability or 0) for b in given})

    def amount(self, number: int, word: str) -> Fraction:
        try:
            if _NUMBER.fullmatch(word):
                float(Fraction(word))  # refuses what no float can hold
                return Fraction(word)
        except (ZeroDivisionError, OverflowError):
            pass
        self.fail(number, f"{word!r} is no number; write 2, -0.5 or 1/3")

    def word(self, number: int, word: str) -> str:
        """A name without its quotes."""
        try:
            return str(json.loads(word)) if word.startswith('"') else word
        except ValueError:
            self.fail(number, f"{word} is no text in double quotes; write \\\\ for a backslash")


# ---------------------------------------------------------------------------- writing


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
    return str(fraction) if float(fraction) == number and len(str(fraction)) < len(decimal) else decimal
