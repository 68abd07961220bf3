r"""Gambit's files (.efg, .nfg), read as a game in our own text: see `text_game.py`.

Everyday example: an exercise of another course. Its tree is the text, one line per move:

>>> print(gambit_text('''EFG 2 R "odd" { "Ann" "Bob" }
... p "" 1 1 "" { "l" "r" } 0
... t "" 1 "" { 1, -1 }
... p "" 2 1 "asked" { "l" "r" } 2 "fee" { 1/2 0 }
... t "" 3 "" { 0.25 2 }
... t "" 1'''))
game "odd"
player 1 sees "(1)"
  "l": pays 1 -1
  "r": player 2 sees "asked"
    "l": pays 3/4 2
    "r": pays 3/2 -1

A table of payoffs (.nfg) becomes moves that nobody sees, the first player's first. What a player
sees is the name of the information set, "(3)" if it has none, "name (3)" if another has it, too;
actions of the same name are numbered; outcomes on the way are added up, as Gambit does. What has
been described by its number need not be again.

Reference: "Game representation formats", Gambit's documentation.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, partial
from html import unescape
from itertools import product
from math import prod
from typing import TypeVar

from workbench.progress import counted
from workbench.rules import GameError
from workbench.settings import exact

_NAME = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_WORD = re.compile(rf'{_NAME}|\{{[^{{}}"]*(?:{_NAME}[^{{}}"]*)*\}}|[{{}}"]|[^\s{{}},"]+', re.DOTALL)

Payoffs = tuple[Fraction, ...]
Item = TypeVar("Item")


def gambit_text(text: str, file: str = "") -> str:
    """The same game in our format; a mistake is told with its line."""
    lines = _Reader(text.lstrip("\ufeff"), file).game()
    return "\n".join([*counted(lines, f"reading {file or 'the game'}, moves"), ""])


class _Reader:
    """One reading, word by word; what stands in braces is a word, line breaks mean nothing."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.words: list[str] = [*_WORD.findall(text), ""]  # the last one is the end
        self.at = -1  # which was taken last
        self.infosets: dict[tuple[int, int], tuple[str, list[str]]] = {}  # described so far
        self.taken: dict[tuple[int, str], int] = {}  # the names of information sets
        self.outcomes: dict[int, Payoffs] = {}

    @property
    def next(self) -> str:
        return self.words[self.at + 1]

    def take(self, read: Callable[[str], Item]) -> Item:
        """What the next word says."""
        self.at += 1
        try:
            return read(self.words[self.at])
        except GameError as wrong:
            raise self.error(str(wrong)) from None

    def error(self, message: str) -> GameError:
        """A mistake in the word that was taken last."""
        starts = [*(match.start() for match in _WORD.finditer(self.text)), len(self.text)]
        line = self.text.count("\n", 0, starts[self.at]) + 1
        return GameError(f"{self.file and f'{self.file}, '}line {line}: {message}")

    def need(self, *words: str) -> str:
        return self.take(lambda word: _checked(word, word in words, " or ".join(words)))

    def game(self) -> Iterator[str]:
        kind = self.need("EFG", "NFG")
        self.need("2" if kind == "EFG" else "1")
        self.need("R", "D")
        yield f"game {_quoted(self.take(_label) or 'game')}"
        players = self.players = len(self.take(_names))
        self.outcomes[0], self.paid = (Fraction(0),) * players, partial(_payoffs, players=players)
        yield from self.tree() if kind == "EFG" else self.table()
        if self.next:
            raise self.error(f"the game is complete, but {self.next[:40]!r} follows")

    def tree(self) -> Iterator[str]:
        """One line per node: children after their parent, one branch after the other."""
        if self.next.startswith('"'):
            self.take(_label)  # a comment
        waiting = [("", "", self.outcomes[0])]
        while waiting:
            indent, move, before = waiting.pop()
            kind = self.need("c", "p", "t")
            self.take(_label)
            here, moves = ("", []) if kind == "t" else self.situation(kind)
            paid = self.outcome(self.take(_whole))
            paid = tuple(map(Fraction.__add__, before, paid))
            yield indent + move + (here or " ".join(map(str, ("pays", *paid))))
            waiting += [(indent + "  ", f"{one}: ", paid) for one in reversed(moves)]

    def situation(self, kind: str) -> tuple[str, list[str]]:
        """What stands there in our text, and the moves in it."""
        player = self.take(_whole) if kind == "p" else 0
        if kind == "p" and not 1 <= player <= self.players:
            raise self.error(f"there is no player {player}; the game has {self.players}")
        number = self.take(_whole)
        known = self.infosets.get((player, number))
        if self.next.startswith('"'):
            name = self.take(_label) or f"({number})"
            moves = self.take(_names if player else _odds)
            if known is None:
                while self.taken.setdefault((player, name), number) != number:
                    name += f" ({number})"
                here = f"player {player} sees {_quoted(name)}" if player else "chance"
                known = self.infosets[player, number] = here, moves
            elif known[1] != moves:
                raise self.error(f"information set {number} had other actions before")
        if known is None:
            raise self.error(f"information set {number} has not been described yet")
        return known

    def outcome(self, number: int) -> Payoffs:
        if number and self.next.startswith('"'):
            self.take(_label)
            paid = self.take(self.paid)
            if self.outcomes.setdefault(number, paid) != paid:
                raise self.error(f"outcome {number} had other payoffs before")
        if number not in self.outcomes:
            raise self.error(f"outcome {number} has not been described yet")
        return self.outcomes[number]

    def table(self) -> Iterator[str]:
        """Moves that nobody sees, one below the other (in the file player 1's run fastest)."""
        strategies = self.listed(_names) if self.next == "{" else self.take(_counted)
        if len(strategies) != self.players:
            raise self.error(f"strategies of {self.players} players must stand here")
        if self.next.startswith('"'):
            self.take(_label)  # a comment
        paid = self.cells(prod(map(len, strategies)))
        strides = [prod(map(len, strategies[:k])) for k in range(self.players)]
        yield "player 1"
        for profile in product(*(range(len(one)) for one in strategies)):
            end = " ".join(map(str, ("pays", *paid[sum(map(int.__mul__, profile, strides))])))
            for k in range(self.players):
                if not any(profile[k + 1 :]):  # the first profile with this move of player k + 1
                    then = f"player {k + 2}" if k + 1 < self.players else end
                    yield f"{'  ' * (k + 1)}{strategies[k][profile[k]]}: {then}"

    def cells(self, count: int) -> list[Payoffs]:
        """What each profile pays: outcomes and their numbers, or the payoffs themselves."""
        named, size = self.next == "{", self.players
        if named:
            self.outcomes |= enumerate(self.listed(self.paid), 1)
        needed, left = count if named else count * size, len(self.words) - self.at - 2
        if left != needed:
            raise self.error(f"the table needs {needed:,} numbers after this, found {left:,}")
        if named:
            return [self.outcome(self.take(_whole)) for _ in range(count)]
        paid = [self.take(exact) for _ in range(needed)]
        return [tuple(paid[k : k + size]) for k in range(0, needed, size)]

    def listed(self, read: Callable[[str], Item]) -> list[Item]:
        """What stands in braces that hold braces."""
        found = []
        self.need("{")
        while self.next != "}":
            found.append(self.take(read))
        self.need("}")
        return found


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _checked(word: str, fits: bool, what: str) -> str:
    if not fits:
        raise GameError(f"expected {what}, found {word[:40] or 'the end of the file'}")
    return word


def _whole(word: str) -> int:
    return int(_checked(word, word.isdecimal() and len(word) < 10, "a whole number"))


@lru_cache(maxsize=10_000)
def _label(word: str) -> str:
    _checked(word, word.startswith('"') and word != '"', "a name in quotes, closed at its end")
    text = re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
    return " ".join(unescape(text).split())


def _inside(word: str, what: str) -> list[str]:
    found: list[str] = _WORD.findall(word[1:-1])
    _checked(word, bool(found) and word.endswith("}"), f"{what} in braces")
    return found


@lru_cache(maxsize=10_000)
def _names(word: str) -> list[str]:
    """{ "one" "two" }, numbered if two are the same."""
    names = [_label(one) for one in _inside(word, "names")]
    if len(set(names)) < len(names):
        names = [f"{name} ({k})" for k, name in enumerate(names, 1)]
    return [_quoted(name) for name in names]


def _odds(word: str) -> list[str]:
    """{ "one" 1/2 "two" 1/2 }"""
    words = _inside(word, "outcomes with probabilities")
    names, weights = _names(f"{{{' '.join(words[::2])}}}"), [exact(one) for one in words[1::2]]
    total = float(sum(weights))
    if len(weights) < len(names) or min(weights) < 0 or abs(total - 1) > 1e-9:
        raise GameError(f"chance needs probabilities that add up to 1, not to {total:.12g}")
    return [f"{name} {weight}" for name, weight in zip(names, weights, strict=True)]


@lru_cache(maxsize=10_000)
def _payoffs(word: str, players: int) -> Payoffs:
    """{ 1 -1 }, perhaps with a name before them"""
    words = _inside(word, "payoffs")
    paid = tuple(exact(one) for one in words if not one.startswith('"'))
    if len(paid) != players:
        raise GameError(f"{len(paid)} payoffs for {players} players")
    return paid


def _counted(word: str) -> list[list[str]]:
    """{ 2 3 }: strategies without names"""
    counts = [_whole(one) for one in _inside(word, "strategies")]
    fits = 0 < min(counts) <= max(counts) <= 10**6
    _checked(word, fits, "numbers of strategies, up to a million")
    return [[_quoted(str(k)) for k in range(1, count + 1)] for count in counts]
