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
by the first `pays`. Every mistake is told with its line:

>>> load_text("game toss\nplayer 1\n  call: pay 1")
Traceback (most recent call last):
    ...
workbench.rules.GameError: line 3: 'pay 1' is no situation; did you mean 'pays'? Write ...
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.files import need_path, read_file
from workbench.games.gambit_text import gambit_text, is_gambit
from workbench.rules import Chance, Decision, GameError, Node, Terminal, shown
from workbench.settings import did_you_mean

_WORD = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^\s:#"]+|:|#.*)')
_NUMBER = re.compile(r"[-+]?[0-9]{1,400}([./][0-9]{1,400})?")
_COMMAND = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # or half a letter
_PLAYER = re.compile(r"[1-9][0-9]{0,3}")


@dataclass(eq=False)
class Situation:
    """One line of the text: its node, and the situations that follow, by their moves."""

    number: int
    indent: int
    move: str  # that leads here
    probability: Fraction | None
    words: list[str]
    after: dict[Hashable, Situation] = field(default_factory=dict)
    node: Node = field(init=False)


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

    @property
    def row_actions(self) -> tuple[Hashable, ...]:
        """What can be done first; in a game of one move each, the rows of its table."""
        return tuple(self.root.after)

    @property
    def payoffs(self) -> tuple[tuple[float, ...], ...]:
        """What player 1 wins in a game of one move each, a row for each of her actions."""
        rows: Any = self.root.after.values()
        return tuple(tuple(end.node.payoffs[0] for end in row.after.values()) for row in rows)


def load_text(source: str | Path) -> TextGame:
    """Read a game from a file (one of Gambit's too), or from a string of more than one line."""
    text, file = str(source), ""
    if isinstance(source, Path) or "\n" not in source:
        path = need_path(source)
        file = path.name
        try:
            text = read_file(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise GameError(f"cannot read the game file {str(source)!r}: {reason}") from None
    if is_gambit(text):
        text, file = gambit_text(text, file), ""
    name, players, root = _Reader(file, text).game()
    return TextGame(name, players, text, root)


class _Reader:
    """One reading: lines into words, words into a tree of lines, lines into situations."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.players = 0
        self.offered: dict[tuple[int, Hashable], tuple[tuple[str, ...], int]] = {}

    def error(self, number: int, message: str) -> GameError:
        return GameError(f"{self.file + ', ' if self.file else ''}line {number}: {message}")

    def game(self) -> tuple[str, int, Situation]:
        lines = self.split()
        number, _, words = next(lines, (1, 0, []))
        if len(words) != 2 or words[0] != "game":
            raise self.error(number, "the first line must be 'game NAME'")
        nested = self.nest(number, lines)
        ends = [line for line in nested if line.words[0] == "pays"]
        self.players = len(ends[0].words) - 1 if ends else 0
        for line in nested:
            line.node = self.situation(line)
        return self.word(number, words[1]), self.players, nested[0]

    def split(self) -> Iterator[tuple[int, int, list[str]]]:
        """Line number, indentation and words of every line that says something."""
        for number, line in enumerate(self.text.split("\n"), start=1):
            words, at, rest = [], 0, line.rstrip()
            while at < len(rest):
                match = _WORD.match(rest, at)
                if match is None:
                    raise self.error(number, f"the quotes are not closed: {rest[at:].strip()}")
                words.append(match[1])
                at = match.end()
            if words and words[-1].startswith("#"):
                words.pop()
            if words:
                indentation = line[: len(line) - len(line.lstrip())]
                if indentation.strip(" "):
                    raise self.error(number, "indent with spaces, not with tabs")
                yield number, len(indentation), words

    def nest(self, first: int, lines: Iterator[tuple[int, int, list[str]]]) -> list[Situation]:
        """Hang every line below the last line that is indented less; all lines, the root first."""
        nested: list[Situation] = []
        open_lines: list[Situation] = []
        for number, indent, words in lines:
            if not nested:
                nested = [Situation(number, indent, "", None, words)]
                open_lines = [nested[0]]
                continue
            while open_lines and open_lines[-1].indent >= indent:
                open_lines.pop()
            if not open_lines:
                raise self.error(number, "indent this line: it belongs below the first situation")
            above = open_lines[-1]
            first_below = next(iter(above.after.values()), None)
            if first_below and first_below.indent != indent:
                raise self.error(
                    number,
                    f"indented by {indent} spaces, but the other moves below line {above.number} "
                    f"are indented by {first_below.indent}",
                )
            line = self.branch(number, indent, words)
            known = above.after.setdefault(line.move, line)
            if known is not line:
                raise self.error(
                    number, f"the move {line.move!r} stands already in line {known.number}"
                )
            open_lines.append(line)
            nested.append(line)
        if not nested:
            raise self.error(
                first, "the game has no situation; write one below, such as 'player 1'"
            )
        return nested

    def branch(self, number: int, indent: int, words: list[str]) -> Situation:
        """MOVE: SITUATION, or OUTCOME PROBABILITY: SITUATION."""
        if ":" not in words:
            raise self.error(number, f"expected 'MOVE: SITUATION', found {' '.join(words)!r}")
        colon = words.index(":")
        move, situation = words[:colon], words[colon + 1 :]
        if not situation:
            raise self.error(number, "nothing stands after the colon; where does this move lead?")
        if len(move) not in (1, 2):
            raise self.error(
                number,
                "one name (and for chance a probability) must stand before the colon, found "
                f"{' '.join(move)!r}; a name with spaces needs double quotes",
            )
        probability = self.amount(number, move[1]) if len(move) == 2 else None
        return Situation(number, indent, self.word(number, move[0]), probability, situation)

    def situation(self, line: Situation) -> Node:
        kind, *rest = line.words
        if kind == "pays":
            return self.pays(line, rest)
        if kind == "player":
            return self.decides(line, rest)
        if kind == "chance" and not rest:
            return self.draws(line)
        raise self.error(
            line.number,
            f"{' '.join(line.words)!r} is no situation"
            f"{did_you_mean(kind, ['chance', 'player', 'pays'])} "
            "Write 'chance', 'player 1 sees WORDS' or 'pays 1 -1'",
        )

    def pays(self, line: Situation, rest: list[str]) -> Terminal:
        if line.after:
            below = next(iter(line.after.values()))
            raise self.error(below.number, f"the game was over in line {line.number}")
        if not rest:
            raise self.error(line.number, "'pays' needs one number per player")
        if len(rest) != self.players:
            raise self.error(
                line.number,
                f"{len(rest)} payoffs, but the first 'pays' of this game has {self.players}",
            )
        return Terminal(tuple(float(self.amount(line.number, word)) for word in rest))

    def decides(self, line: Situation, rest: list[str]) -> Decision:
        if not rest or not _PLAYER.fullmatch(rest[0]) or rest[1:2] not in ([], ["sees"]):
            raise self.error(
                line.number, "a decision is written 'player 1 sees WORDS' or 'player 1'"
            )
        if not line.after:
            raise self.error(
                line.number, f"player {rest[0]} has no actions; indent them below this line"
            )
        if 0 < self.players < int(rest[0]):
            raise self.error(
                line.number, f"player {rest[0]} moves, but the game pays {self.players} players"
            )
        for below in line.after.values():
            if below.probability is not None:
                raise self.error(below.number, "only outcomes of chance have a probability")
        words = tuple(self.word(line.number, word) for word in rest[2:])
        seen = words if len(words) > 1 else "".join(words)
        player, actions = int(rest[0]) - 1, tuple(below.move for below in line.after.values())
        known, where = self.offered.setdefault((player, seen), (actions, line.number))
        if sorted(known) != sorted(actions):
            raise self.error(
                line.number,
                f"player {rest[0]} sees the same as in line {where} but has the actions "
                f"{', '.join(actions)} instead of {', '.join(known)}; offer the same actions or "
                "let the player see something else",
            )
        return Decision(player, seen, actions)

    def draws(self, line: Situation) -> Chance:
        if not line.after:
            raise self.error(line.number, "chance has no outcomes; indent them below this line")
        given = [below for below in line.after.values() if below.probability is not None]
        if not given:
            return Chance(dict.fromkeys(line.after, 1 / len(line.after)))
        for below in line.after.values():
            if below.probability is None:
                raise self.error(
                    below.number,
                    f"the outcome {below.move!r} has no probability, the one in line "
                    f"{given[0].number} has; give all of them, or none if they are equal",
                )
            if below.probability < 0:
                raise self.error(below.number, f"the probability {below.probability} is negative")
        total = sum((b.probability for b in given if b.probability is not None), Fraction(0))
        if abs(total - 1) > Fraction(1, 10**9):
            found = str(total) if total.denominator < 10_000 else f"{float(total):.12g}"
            raise self.error(line.number, f"the probabilities below add up to {found}, not to 1")
        return Chance({b.move: float(b.probability or 0) for b in given})

    def amount(self, number: int, word: str) -> Fraction:
        try:
            if not _NUMBER.fullmatch(word):
                raise ValueError
            float(Fraction(word))  # refuses what no float can hold
            return Fraction(word)
        except (ArithmeticError, ValueError):
            raise self.error(number, f"{word!r} is no number; write 2, -0.5 or 1/3") from None

    def word(self, number: int, word: str) -> str:
        """A name without its quotes."""
        try:
            name = str(json.loads(word)) if word.startswith('"') else word
        except ValueError:
            reason = "is no text in double quotes; write \\\\ for a backslash"
            raise self.error(number, f"{word} {reason}") from None
        if _COMMAND.search(name):
            raise self.error(number, f"{shown(name)} holds signs that cannot be shown")
        return name
