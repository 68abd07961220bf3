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

A table of payoffs (.nfg) becomes moves that nobody sees, the first player's first. What the
formats leave to the reader:

    information sets   by number; the name is what a player sees, "(3)" if it has none, "name (3)"
                       if two of one player's have the same
    outcomes           on the way are added up, as Gambit does; all fractions are exact
    known things       an information set or an outcome that has been described need not be again
    names of actions   are numbered where two are the same

Reference: "Game representation formats", Gambit's documentation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from workbench.rules import GameError

_WORD = re.compile(r'\s*(?:,\s*)?("(?:[^"\\]|\\.|\\\n)*"|[{}]|[^\s{},"]+)', re.DOTALL)
_NUMBER = re.compile(r"[-+]?([0-9]{1,400}/[0-9]{1,400}|[0-9.]{1,400}([eE][-+]?[0-9]{1,3})?)")

Payoffs = tuple[Fraction, ...]


def exact(word: str) -> Fraction:
    """The number that a word writes; one that no float can hold is refused."""
    try:
        found = Fraction(word if _NUMBER.fullmatch(word) else "")
        float(found)
        return found
    except (ArithmeticError, ValueError):
        raise GameError(f"{word[:40]!r} is no number; write 2, -0.5 or 1/3") from None


def is_gambit(text: str) -> bool:
    return text.lstrip("\ufeff \n").startswith(("EFG ", "NFG "))


def gambit_text(text: str, file: str = "") -> str:
    """The same game in our format; a mistake is told with its line."""
    return "\n".join(_Reader(text, file).game()) + "\n"


class _Reader:
    """One reading, word by word; line breaks mean nothing."""

    def __init__(self, text: str, file: str) -> None:
        self.file, self.text, self.at, self.word = file, text.lstrip("\ufeff"), 0, ""
        self.infosets: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}  # described so far
        self.taken: set[tuple[int, str]] = set()  # the names of information sets
        self.outcomes: dict[int, Payoffs] = {}
        self.step()

    def error(self, message: str) -> GameError:
        line = self.text.count("\n", 0, self.at) + 1
        return GameError(f"{self.file + ', ' if self.file else ''}line {line}: {message}")

    # ---- words -----------------------------------------------------------------------

    def step(self) -> str:
        """The present word; the next one becomes present ("" at the end)."""
        word, match = self.word, _WORD.match(self.text, self.at)
        if match is None and self.text[self.at :].strip():
            raise self.error(f"cannot read {self.text[self.at :].split()[0][:40]!r}")
        self.at, self.word = (match.end(), match[1]) if match else (len(self.text), "")
        return word

    def need(self, *words: str) -> None:
        if self.word not in words:
            raise self.error(f"expected {' or '.join(words)}, found {self.word or 'the end'}")
        self.step()

    def label(self) -> str:
        if not self.word.startswith('"'):
            raise self.error(f"expected a name in quotes, found {self.word or 'the end'}")
        return " ".join(re.sub(r"\\(.)", r"\1", self.step()[1:-1]).split())

    def whole(self, most: int | None = None, least: int = 0) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", self.word) or int(self.word) < least:
            raise self.error(f"expected a whole number, found {self.word or 'the end'}")
        if most is not None and int(self.word) > most:
            raise self.error(f"{self.word} is more than {most}")
        return int(self.step())

    def number(self) -> Fraction:
        try:
            found = exact(self.word)
        except GameError as wrong:
            raise self.error(str(wrong)) from None
        self.step()
        return found

    def names(self) -> list[str]:
        """{ "one" "two" }, numbered if two are the same."""
        found = []
        self.need("{")
        while self.word != "}":
            found.append(self.label())
        self.step()
        return _distinct(found)

    def payoffs(self) -> Payoffs:
        return tuple(self.number() for _ in range(self.players))

    # ---- games -----------------------------------------------------------------------

    def game(self) -> Iterator[str]:
        kind = self.step()
        self.need("2" if kind == "EFG" else "1")
        self.need("R", "D")
        yield f"game {_quoted(self.label() or 'game')}"
        self.players = len(self.names())
        if not self.players:
            raise self.error("the game has no players")
        yield from self.tree() if kind == "EFG" else self.table()
        if self.word:
            raise self.error(f"the game is complete, but {self.word[:40]!r} follows")

    def tree(self) -> Iterator[str]:
        """One line per node: children after their parent, one branch after the other."""
        if self.word.startswith('"'):
            self.step()  # a comment
        waiting = [(0, "", (Fraction(0),) * self.players)]
        while waiting:
            depth, move, before = waiting.pop()
            here, moves, paid = self.node()
            paid = tuple(map(Fraction.__add__, before, paid))
            yield "  " * depth + move + (here or _pays(paid))
            waiting += [(depth + 1, f"{one}: ", paid) for one in reversed(moves)]

    def node(self) -> tuple[str, Sequence[str], Payoffs]:
        """What stands there in our text, the moves in it, and what it pays."""
        kind = self.word
        self.need("c", "p", "t")
        self.label()
        if kind == "t":
            return "", (), self.outcome()
        player = self.whole(self.players, 1) if kind == "p" else 0
        moves = self.infoset(player)
        here = f"player {player} sees {_quoted(moves[0])}" if player else "chance"
        return here, moves[1], self.outcome()

    def infoset(self, player: int) -> tuple[str, tuple[str, ...]]:
        """What the player sees, and the moves, those of chance with their probabilities."""
        number = self.whole(least=1)
        known = self.infosets.get((player, number))
        if not self.word.startswith('"'):
            if known is None:
                raise self.error(f"information set {number} has not been described yet")
            return known
        name = self.label() or f"({number})"
        moves = self.actions() if player else self.odds()
        if not moves:
            raise self.error(f"information set {number} has no actions")
        if known is None:
            while (player, name) in self.taken:
                name += f" ({number})"
            self.taken.add((player, name))
            known = self.infosets[player, number] = name, moves
        elif known[1] != moves:
            raise self.error(f"information set {number} had other actions before")
        return known

    def actions(self) -> tuple[str, ...]:
        return tuple(map(_quoted, self.names()))

    def odds(self) -> tuple[str, ...]:
        names, weights = [], []
        self.need("{")
        while self.word != "}":
            names.append(self.label())
            weights.append(self.number())
        total = float(sum(weights))
        if abs(total - 1) > 1e-9 or any(weight < 0 for weight in weights):
            raise self.error(f"chance needs probabilities that add up to 1, not to {total:.12g}")
        self.step()
        return tuple(f"{_quoted(a)} {b}" for a, b in zip(_distinct(names), weights, strict=True))

    def outcome(self) -> Payoffs:
        number = self.whole()
        if self.word.startswith('"') and number:
            self.label()
            self.need("{")
            paid = self.payoffs()
            self.need("}")
            if self.outcomes.setdefault(number, paid) != paid:
                raise self.error(f"outcome {number} had other payoffs before")
        if number not in self.outcomes and number:
            raise self.error(f"outcome {number} has not been described yet")
        return self.outcomes.get(number, (Fraction(0),) * self.players)

    def table(self) -> Iterator[str]:
        """Moves that nobody sees, one below the other (in the file player 1's run fastest)."""
        strategies: list[list[str]] = []
        self.need("{")
        while self.word != "}":
            named = self.word == "{"
            counted = [] if named else range(1, self.whole(10**6, 1) + 1)
            strategies.append(self.names() if named else list(map(str, counted)))
        self.step()
        if len(strategies) != self.players or not all(strategies):
            raise self.error(f"strategies of {self.players} players must stand here")
        if self.word.startswith('"'):
            self.step()  # a comment
        paid = self.cells(prod(map(len, strategies)))
        strides = [prod(map(len, strategies[:k])) for k in range(self.players)]
        yield "player 1"
        for profile in product(*(range(len(one)) for one in strategies)):
            end = _pays(paid[sum(map(int.__mul__, profile, strides))])
            for k in range(self.players):
                if not any(profile[k + 1 :]):  # the first profile with this move of player k + 1
                    then = f"player {k + 2}" if k + 1 < self.players else end
                    yield f"{'  ' * (k + 1)}{_quoted(strategies[k][profile[k]])}: {then}"

    def cells(self, count: int) -> list[Payoffs]:
        """What each profile pays: outcomes and their numbers, or the payoffs themselves."""
        if self.word != "{":
            return [self.payoffs() for _ in range(count)]
        outcomes = [(Fraction(0),) * self.players]
        self.step()
        while self.word != "}":
            self.need("{")
            self.label()
            outcomes.append(self.payoffs())
            self.need("}")
        self.step()
        return [outcomes[self.whole(len(outcomes) - 1)] for _ in range(count)]


def _pays(payoffs: Payoffs) -> str:
    return " ".join(["pays", *map(str, payoffs)])


def _distinct(names: list[str]) -> list[str]:
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({k})" for k, name in enumerate(names, 1)]


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
