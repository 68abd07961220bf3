"""Gambit's text format (.efg), with exact fractions: a game for another program's judgement.

Everyday example: the coin of a bluffing game. Chance is 1/2 and 1/2, not 0.5000000001, so
Gambit can answer in exact fractions as well:

>>> import workbench as wb
>>> print(to_efg(wb.compile_game(wb.load_game("bluff"))))
EFG 2 R "bluff" { "player 1" "player 2" }
""
<BLANKLINE>
c "" 1 "" { "ace" 1/2 "king" 1/2 } 0
p "" 1 1 "ace" { "bet" "fold" } 0
p "" 2 1 "bet" { "call" "fold" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { 1 -1 }
t "" 3 "" { -1 1 }
p "" 1 2 "king" { "bet" "fold" } 0
p "" 2 1 "bet" { "call" "fold" } 0
t "" 4 "" { -2 2 }
t "" 2 "" { 1 -1 }
t "" 3 "" { -1 1 }
<BLANKLINE>

A line is a node, in the order of a walk that finishes one branch before the next; its numbers
are the player, the information set (counted for each player), the outcome (0: none).

    payoffs    the simplest fraction that a computer would round to the same number
    chance     likewise; if the fractions of one node do not add up to exactly 1, the numbers
               themselves, divided by their sum
    merged     m actions that an abstraction made one: the action leads to a chance node that
               picks one of m branches, which is what "played with 1/m each" means

Reference: "The extensive game (.efg) file format", Gambit's documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import count
from pathlib import Path

from workbench.files import need_path, write_named
from workbench.tree import GameTree, need_tree

PLAIN = str.maketrans("♠♥♦♣·−\\", "shdc.-/")  # a backslash is only read before a quote
NEAR = 1e-12  # probabilities may carry the rounding of a few operations


def to_efg(tree: GameTree, path: str | Path | None = None) -> str:
    """The game as Gambit reads it, also written to `path` if one is given."""
    need_tree(tree)
    return written(f"EFG 2 R {head(tree)}", '""', "", *_lines(tree), path=path)


def written(*lines: str, path: str | Path | None) -> str:
    """The text of a file, which is written if it has a path."""
    text = "\n".join([*lines, ""])
    if path is not None:
        write_named(need_path(path), text.encode())
    return text


def head(tree: GameTree) -> str:
    """The name of a game, and its players."""
    players = " ".join(quote(f"player {i + 1}") for i in range(tree.num_players))
    return f"{quote(tree.name)} {{ {players} }}"


@lru_cache(maxsize=10_000)
def fraction(value: float) -> Fraction:
    """The simplest fraction that rounds to `value`: small if there is one, else its decimals."""
    for digits in range(7):
        small = Fraction(value).limit_denominator(10**digits)
        if float(small) == value:
            return small
    return Fraction(repr(float(value)))


def distribution(weights: list[float]) -> list[Fraction]:
    """Fractions near the weights that add up to exactly 1."""
    found = [fraction(weight) for weight in weights]
    if sum(found) != 1:
        found = [_near(weight) for weight in weights]
    if sum(found) != 1:
        exact = [Fraction(weight) for weight in weights]
        found = [weight / sum(exact) for weight in exact]
    return found


def _near(weight: float) -> Fraction:
    small = Fraction(weight).limit_denominator(10_000)
    return small if abs(small - Fraction(weight)) <= NEAR else Fraction(weight)


def _lines(tree: GameTree) -> Iterator[str]:
    """One line per node; children after their parent, one branch after the other.

    A node is a history, or the list of histories behind one merged action. Chance nodes and
    outcomes are numbered as they are met.
    """
    infosets: list[str] = []  # number and label of each infoset
    for hers in map(tree.infosets_of, range(tree.num_players)):
        names = labels([tree.infoset_label(infoset) for infoset in hers])
        infosets += [f"{number} {name}" for number, name in enumerate(names, 1)]
    chances, outcomes = count(1), dict[tuple[float, ...], int]()
    waiting: list[int | list[int]] = [0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            children, names = node, [f"{k}" for k in range(1, len(node) + 1)]
        else:
            children = list(range(*map(int, tree.first_child[node : node + 2])))
            names = [tree.edge_label(child) for child in children]
        below: list[int | list[int]] = [*children]
        if isinstance(node, int) and tree.terminal[node] >= 0:
            payoffs = tuple(tree.utility[tree.terminal[node]].tolist())
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)
            yield f't "" {number} "" {{ {" ".join(str(fraction(x)) for x in payoffs)} }}'
        elif isinstance(node, int) and tree.infoset[node] >= 0:
            infoset = int(tree.infoset[node])
            branches: dict[int, list[int]] = {
                choice: [] for choice in range(*map(int, tree.first_choice[infoset : infoset + 2]))
            }
            for child in children:
                branches[int(tree.choice[child])].append(child)
            moves = " ".join(labels([tree.edge_label(one) for one, *_ in branches.values()]))
            yield f'p "" {tree.player[node] + 1} {infosets[infoset]} {{ {moves} }} 0'
            below = [branch[0] if len(branch) == 1 else branch for branch in branches.values()]
        else:
            weights = distribution([float(tree.chance[child]) for child in children])
            edges = " ".join(f"{a} {b}" for a, b in zip(labels(names), weights, strict=True))
            yield f'c "" {next(chances)} "" {{ {edges} }} 0'
        waiting.extend(reversed(below))


def labels(names: list[str]) -> list[str]:
    """Quoted labels; all are numbered if two would be the same, because Gambit refuses that."""
    quoted = [quote(name) for name in names]
    if len(set(quoted)) < len(quoted):
        quoted = [quote(f"{name} ({k})") for k, name in enumerate(names, 1)]
    return quoted


def quote(text: str) -> str:
    r"""A label as Gambit wants it: printable ASCII in quotes, single spaces inside.

    >>> print(quote('Q♠  "é"'))
    "Qs \"&#233;\""
    """
    plain = " ".join(text.translate(PLAIN).split())
    letters = (letter if letter.isprintable() else "?" for letter in plain)
    safe = "".join(letters).encode("ascii", "xmlcharrefreplace").decode()
    return '"' + safe.replace('"', r"\"") + '"'
