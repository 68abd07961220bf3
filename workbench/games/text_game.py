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

import json
import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from workbench.files import need_path, read_file
from workbench.games.gambit_text import gambit_text
from workbench.progress import counted
from workbench.rules import Chance, Decision, GameError, Node, Terminal, shown
from workbench.settings import did_you_mean, exact

_WORD = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^\s:#"]+|[:"]|#.*')
_COMMAND = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")  # or half a letter
_PLAYER = re.compile(r"[1-9][0-9]{0,3}")
_TITLE = "the first line must be 'game NAME'"


@dataclass(eq=False, slots=True)
class Situation:
    """One line of the text: its node, and the situations that follow, by their moves."""

    number: int
    indent: int
    move: str  # that leads here
    probability: Fraction | None
    words: list[str]
    after: "dict[Hashable, Situation]" = field(default_factory=dict)
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
    if text.lstrip().startswith(("EFG ", "NFG ")) or file.lower().endswith((".efg", ".nfg")):
        text, file = gambit_text(text, file), ""
    reader = _Reader()
    try:
        return reader.game(text)
    except GameError as error:
        raise GameError(f"{file and f'{file}, '}line {reader.number}: {error}") from None


class _Reader:
    """One reading: lines into words, words into a tree of lines, lines into situations."""

    def __init__(self) -> None:
        self.number = 1  # of the line that is read
        self.lines: list[Situation] = []  # the root first
        self.open: list[Situation] = []  # the latest line and all above it
        self.offered: dict[tuple[int, Hashable], tuple[tuple[str, ...], int]] = {}

    def game(self, text: str) -> TextGame:
        first, name = 1, None
        for self.number, line in enumerate(counted(text.split("\n"), "reading lines"), 1):
            if not (words := _words(line)):
                continue
            if name is None:
                if len(words) != 2 or words[0] != "game":
                    raise GameError(_TITLE)
                first, name = self.number, _name(words[1])
                continue
            indentation = line[: len(line) - len(line.lstrip())]
            if indentation.strip(" "):
                raise GameError("indent with spaces, not with tabs")
            self.lines.append(self.nested(len(indentation), words))
            self.open.append(self.lines[-1])
        self.number = first
        if name is None:
            raise GameError(_TITLE)
        if not self.lines:
            raise GameError("the game has no situation; write one below, such as 'player 1'")
        paid = (len(each.words) - 1 for each in self.lines if each.words[0] == "pays")
        players = next(paid, 0)
        for each in counted(self.lines, "reading situations"):
            self.number = each.number
            each.node = self.situation(each, players)
        return TextGame(name, players, text, self.lines[0])

    def nested(self, indent: int, words: list[str]) -> Situation:
        """A line, MOVE: SITUATION or OUTCOME PROBABILITY: SITUATION, hung below the last line that
        is indented less."""
        if not self.lines:
            return Situation(self.number, indent, "", None, words)
        while self.open and self.open[-1].indent >= indent:
            self.open.pop()
        if not self.open:
            raise GameError("indent this line: it belongs below the first situation")
        above = self.open[-1]
        first = next(iter(above.after.values()), None)
        if first and first.indent != indent:
            raise GameError(
                f"indented by {indent} spaces, but the other moves below line {above.number} are "
                f"indented by {first.indent}"
            )
        if ":" not in words:
            raise GameError(f"expected 'MOVE: SITUATION', found {' '.join(words)!r}")
        colon = words.index(":")
        move, situation = words[:colon], words[colon + 1 :]
        if not situation:
            raise GameError("nothing stands after the colon; where does this move lead?")
        if len(move) not in (1, 2):
            raise GameError(
                "one name (and for chance a probability) must stand before the colon, found "
                f"{' '.join(move)!r}; a name with spaces needs double quotes"
            )
        chance = exact(move[1]) if len(move) == 2 else None
        if above.words[0] == "pays":
            raise GameError(f"the game was over in line {above.number}")
        if chance is not None and above.words[0] == "player":
            raise GameError("only outcomes of chance have a probability")
        if chance is not None and chance < 0:
            raise GameError(f"the probability {chance} is negative")
        if first and (chance is None) != (first.probability is None):
            raise GameError(
                f"{'no probability' if chance is None else 'a probability'} here, unlike in line "
                f"{first.number}; give all of them, or none if they are equal"
            )
        line = Situation(self.number, indent, _name(move[0]), chance, situation)
        if (known := above.after.setdefault(line.move, line)) is not line:
            raise GameError(f"the move {line.move!r} stands already in line {known.number}")
        return line

    def situation(self, line: Situation, players: int) -> Node:
        kind, *rest = line.words
        if kind == "pays":
            if not rest:
                raise GameError("'pays' needs one number per player")
            if len(rest) != players:
                raise GameError(f"{len(rest)} payoffs, but the first 'pays' has {players}")
            return Terminal(tuple(float(exact(word)) for word in rest))
        if kind == "player":
            return self.decides(line, rest, players)
        if kind == "chance" and not rest:
            return _draws(line)
        raise GameError(
            f"{' '.join(line.words)!r} is no situation"
            f"{did_you_mean(kind, ['chance', 'player', 'pays'])} "
            "Write 'chance', 'player 1 sees WORDS' or 'pays 1 -1'"
        )

    def decides(self, line: Situation, rest: list[str], players: int) -> Decision:
        if not rest or not _PLAYER.fullmatch(rest[0]) or rest[1:2] not in ([], ["sees"]):
            raise GameError("a decision is written 'player 1 sees WORDS' or 'player 1'")
        if not line.after:
            raise GameError(f"player {rest[0]} has no actions; indent them below this line")
        if 0 < players < int(rest[0]):
            raise GameError(f"player {rest[0]} moves, but the game pays {players} players")
        words = tuple(map(_name, rest[2:]))
        seen = words if len(words) > 1 else "".join(words)
        player, actions = int(rest[0]) - 1, tuple(below.move for below in line.after.values())
        known, where = self.offered.setdefault((player, seen), (actions, line.number))
        if sorted(known) != sorted(actions):
            raise GameError(
                f"player {rest[0]} sees the same as in line {where} but has the actions "
                f"{', '.join(actions)} instead of {', '.join(known)}; offer the same actions or "
                "let the player see something else"
            )
        return Decision(player, seen, actions)


def _draws(line: Situation) -> Chance:
    if not line.after:
        raise GameError("chance has no outcomes; indent them below this line")
    given = {move: below.probability for move, below in line.after.items()}
    chances = {move: chance for move, chance in given.items() if chance is not None}
    if not chances:
        return Chance(dict.fromkeys(given, 1 / len(given)))
    total = sum(chances.values(), Fraction(0))
    if abs(total - 1) > Fraction(1, 10**9):
        found = str(total) if total.denominator < 10_000 else f"{float(total):.12g}"
        raise GameError(f"the probabilities below add up to {found}, not to 1")
    return Chance({move: float(chance) for move, chance in chances.items()})


def _words(line: str) -> list[str]:
    """The words of a line, without its comment."""
    words: list[str] = _WORD.findall(line)
    if '"' in words:
        raise GameError(f"the quotes are not closed: {line.strip()}")
    return words[:-1] if words and words[-1].startswith("#") else words


@lru_cache(maxsize=10_000)
def _name(word: str) -> str:
    """A name without its quotes."""
    try:
        name = str(json.loads(word)) if word.startswith('"') else word
    except ValueError:
        reason = "is no text in double quotes; write \\\\ for a backslash"
        raise GameError(f"{word} {reason}") from None
    if _COMMAND.search(name):
        raise GameError(f"{shown(name)} holds signs that cannot be shown")
    return name
