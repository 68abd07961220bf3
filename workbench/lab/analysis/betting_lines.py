"""A strategy by lines of betting: after each line a grid of hands, and what each of them does.

Everyday example: a player checks and you bet. With which cards does she raise now, and how often?
Some of her hands are never here, because they have bet themselves.

    line     the betting so far, as the rules write it: "", "cr", "rc/r"
    grid     own card × public card (Kuhn, Leduc); on a board: rank × suit (Rhode Island), 13 × 13
    mix      with which probability a cell chooses each move: the mean over hands that come here
    share    how many of its hands come here, as far as the player herself decides it

>>> import workbench as wb
>>> found = betting_lines(wb.Strategy.uniform(wb.compile_game(wb.load_game("leduc"))))
>>> len(found), found["cr"].player, found["cr"].moves
(36, 0, {'f': ('fold', ''), 'c': ('call', 'crc/'), 'r': ('raise', 'crr')})
>>> found["crc/r"].grid.names[:2], found["crc/r"].mix[0].round(2).tolist(), found["crr"].share
(('K on K', 'K on Q'), [0.33, 0.33, 0.33], array([0.5, 0.5, 0.5]))
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from workbench.games.deck import SIGNS
from workbench.games.words import words_for
from workbench.poker.cards.boards import round_of
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR, NAMES
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.rules import GameError, label_of
from workbench.sequence_form import sequence_form
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray

MOST = 100_000  # cells of all grids together; rounds with which there are more are left out
UNLINED = "{!r} has no lines of betting; its players would see them last: ('Q', 'K', 'rc/r')"


class Grid(NamedTuple):
    """The cells of a round, row by row; on a chart rows and columns have no names, cells do."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]  # of the cells; "" where there is no such hand


class Line(NamedTuple):
    """What one line of betting leads to; cells without a hand are left out of its arrays."""

    player: int
    moves: dict[str, tuple[str, str]]  # in words, and the line it leads to; "" if to an end
    grid: Grid
    mix: FloatArray  # (cells, moves)
    share: FloatArray  # (cells,)


Cells = tuple[Grid, FloatArray, FloatArray]  # the grid, and the mix and the share of its cells
Place = tuple[tuple[int, str], tuple[int, str], str]  # row and column, each with its order; name


def betting_lines(strategy: Any, after: str = "", board: str = "") -> dict[str, Line]:
    """The lines of a strategy, earlier rounds first; of a large game those of the first rounds.
    `after`: only lines that lead to this one or go on from it, so that later rounds fit in, too.
    `board`: the public cards in Rhode Island and Hold'em, as far as lines are to go."""
    on_boards = isinstance(strategy, PublicStrategy)
    form: Any = _Cards(strategy, board) if on_boards else _Tree(strategy)
    words, found, size, now = words_for(form.rules), dict[str, Line](), 0, [""]
    while now:
        some, later = dict[str, Line](), list[str]()
        for line in now:  # those that follow in the same round join in
            player, actions, seen = form.spot(line)
            moves = {
                label_of(a): (words.move(a, seen, actions), _next(form, line, a)) for a in actions
            }
            some[line] = Line(player, moves, *form.cells(line))
            size += len(some[line].share)
            if found and size > MOST:
                return found
            for _, then in moves.values():
                if then and (then.startswith(after) or after.startswith(then)):
                    (later if then.endswith("/") else now).append(then)
        now, found = later, found | some
    if after not in found:
        last = max((line for line in found if after.startswith(line)), key=len)
        raise GameError(f"nobody decides after {after!r}; on the way there the last is {last!r}")
    return found


def _next(form: Any, line: str, action: Any) -> str:
    """The line that follows a move, in this round or the next one; "" if to an end."""
    then = line + label_of(action)
    return next((text for text in (then, then + "/") if form.spot(text)), "")


def _cells(title: str, places: list[Any], mix: FloatArray, reach: FloatArray) -> Cells:
    """What stands in the cells of n hands: where they are, what they do, how often they come."""
    rows, columns = (sorted({place[k] for place in places}) for k in (0, 1))
    named = {(row, column): name for row, column, name in places}
    names = tuple(named.get((row, column), "") for row in rows for column in columns)
    grid = Grid(title, tuple(name for _, name in rows), tuple(name for _, name in columns), names)
    cells = {name: k for k, name in enumerate(filter(None, names))}
    cell = np.array([cells[place[2]] for place in places])
    share = np.bincount(cell, reach) / np.bincount(cell)
    come = np.where(share[cell] > 0.0, reach, 1.0)  # nobody comes: as if all did
    total = np.bincount(cell, come)
    return grid, np.column_stack([np.bincount(cell, come * one) / total for one in mix.T]), share


class _Tree:
    """Hands are what is seen of cards. Those of one cell differ in suits; they are as likely."""

    def __init__(self, strategy: Strategy) -> None:
        self.sigma, self.tree = strategy, need_strategy(strategy).tree
        self.rules, self.lines = self.tree.rules, dict[str, list[int]]()
        for infoset, seen in enumerate(list[Any](self.tree.seen)):
            lined = isinstance(seen, tuple) and len(seen) > 1 and isinstance(seen[-1], str)
            self.lines.setdefault(seen[-1] if lined else UNLINED, []).append(infoset)
        nexts = {_next(self, line, a) for line in self.lines for a in self.spot(line)[1]}
        alike = all(len({self._at(k)[:2] for k in some}) == 1 for some in self.lines.values())
        if not alike or not {*self.lines} <= {"", *nexts}:
            raise GameError(UNLINED.format(self.tree.name))
        form = sequence_form(self.tree)
        self.reach = form.plan(strategy.probs)[form.above]  # (M,)

    def spot(self, line: str) -> Any:
        """Who moves, what she may do, what she has seen; None if nobody decides."""
        return self._at(self.lines[line][0]) if line in self.lines else None

    def _at(self, infoset: int) -> Any:
        tree = self.tree
        return int(tree.infoset_player[infoset]), tree.actions_at(infoset), tree.seen[infoset]

    def cells(self, line: str) -> Cells:
        sets, places = np.array(self.lines[line]), list[Place]()
        for held, *public, _ in (self.tree.seen[k] for k in sets):
            row, column = self._rank(label_of(held)), self._rank(" ".join(map(label_of, public)))
            places.append((row, column, f"{row[1]} on {column[1]}".removesuffix(" on ")))
        title = "Rows: own card. Columns: public card" if "/" in line else "Own card"
        choices = np.arange(len(self.spot(line)[1])) + self.tree.first_choice[sets][:, None]
        return _cells(title, places, self.sigma.probs[choices], self.reach[sets])

    def _rank(self, card: str) -> tuple[int, str]:
        """A card by its rank, the highest first; anything else by its name."""
        name = card.strip(" ·").rstrip(SIGNS)
        return -[*getattr(self.rules, "rank_names", ""), name].index(name), name


class _Cards:
    """Hands are private cards, the same in all rounds of a board."""

    def __init__(self, strategy: PublicStrategy, board: str) -> None:
        self.played, self.rules = strategy.played, strategy.tree.rules
        if not self.played.whole:
            raise GameError(f"{self.played.name!r} is part of a game; stitch its expert to a base")
        deck = self.rules.deck
        some = np.random.default_rng(0).permutation(deck.size)[: sum(self.rules.public_cards)]
        self.board = deck.parse(board or some.tolist())
        self.last = round_of(self.rules, self.board)
        self.cards = deck.hands(self.rules.private_cards)
        self.mix = cache(lambda line: strategy.on(self._public(line), line))

    def spot(self, line: str) -> Any:
        if self.played.flat.node(line) < 0 or line.count("/") > self.last:
            return None
        at = self.rules.betting.follow(line)
        return (at.player, at.actions, ("", "", line)) if at.player >= 0 else None

    def cells(self, line: str) -> Cells:
        public = self._public(line)
        free = np.flatnonzero(~np.isin(self.cards, public).any(axis=1))
        where = " ".join(map(self.rules.deck.name, public))
        title = f"Own cards on {where}" if where else "Own cards before the flop"
        places, reach = [self._place(k) for k in free.tolist()], np.ones(len(self.cards))
        for k, move in enumerate(line):
            before = self.spot(line[:k])  # None where a round ends
            if before and before[0] == self.spot(line)[0]:
                reach *= self.mix(line[:k])[:, before[1].index(move)]
        return _cells(title, places, self.mix(line)[free], reach[free])

    def _public(self, line: str) -> Any:
        return self.board[: sum(self.rules.public_cards[: 1 + line.count("/")])]

    def _place(self, hand: int) -> Place:
        """On the chart of two cards, or by rank and suit."""
        if self.rules.private_cards == 2:
            row, column = divmod(int(CLASS_OF_PAIR[hand]), 13)
            return (row, ""), (column, ""), NAMES[13 * row + column]
        rank, suit = divmod(int(self.cards[hand, 0]), self.rules.deck.suits)
        name = self.rules.deck.name(self.cards[hand, 0])
        return (-rank, name[0]), (-suit, name[1]), name
