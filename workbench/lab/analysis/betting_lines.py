"""A strategy by lines of betting: after each line a grid of hands, and what each of them does.

Everyday example: a player checks and you bet. With which cards does she raise now, and how often?
Her King on a King may, her Jack on a Queen will not; and some of her hands are never here, because
they have bet themselves.

    line     the betting so far, as the rules write it: "", "cr", "rc/r"
    grid     what there is to hold, the same for all lines of a round:
             Kuhn, Leduc     own card × public card
             Rhode Island    own card; own card, of the same suit or another × public card;
                             own card × what it makes with both public cards
             Hold'em         the 13 × 13 chart before the flop, then buckets, in a row those that
                             come from one bucket of the round before
    mix      with which probability a cell chooses each move: the mean over its hands, as often
             as they are dealt and come here
    share    how many of its hands come here, as far as the player herself decides it; nan where
             buckets forget what they were

>>> import workbench as wb
>>> found = betting_lines(wb.Strategy.uniform(wb.compile_game(wb.load_game("leduc"))))
>>> len(found), found["cr"].player, found["cr"].moves
(36, 0, {'f': ('fold', ''), 'c': ('call', 'crc/'), 'r': ('raise', 'crr')})
>>> found["crc/r"].grid.names[:2], found["crc/r"].mix[0].round(2).tolist(), found["crr"].share
(('K on K', 'K on Q'), [0.33, 0.33, 0.33], array([0.5, 0.5, 0.5]))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from workbench.games.deck import SIGNS
from workbench.games.words import words_for
from workbench.poker.betting.betting_tree import MOVES
from workbench.poker.cards.boards import boards_of
from workbench.poker.cards.hand_classes import COMBOS, NAMES
from workbench.poker.engine.deal_walk import BUCKET, CHOICE, FIRST, KIND, NODE
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.games.board_poker import STREETS
from workbench.poker.games.rhode_island import RhodeIsland
from workbench.rules import GameError, label_of, shown
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray

MOST = 100_000  # cells of all grids together; rounds with which there are more are left out
KINDS = ("no pair", "pair", "flush", "straight", "three", "straight flush")  # of three cards
UNLINED = (
    "a grid by lines of betting needs a game whose players see their cards and, at last, the moves "
    "so far as one text, ('Q', 'K', 'rc/r'), as in poker; {!r} is another one"
)
Spot = tuple[int, dict[Any, str], Any]  # who moves; the line that follows each move; what is seen


class Grid(NamedTuple):
    """The cells of a round, row by row; a chart has no names of rows, its cells have theirs."""

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


class _Hands(NamedTuple):
    """The n hands that are looked at in a round: (n,) each."""

    grid: Grid
    cell: Any
    weight: Any  # how often each is dealt
    known: Any  # in which bucket each is; in a tree, what is seen of cards
    above: Any = None  # which hand of the round before it was; None: nobody knows

    def mean(self, reach: Any, mix: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mix and the share of cells, out of those of hands, (n, moves) and (n,)."""
        size, come = sum(map(bool, self.grid.names)), self.weight * np.nan_to_num(reach, nan=1.0)
        share = np.bincount(self.cell, come, size) / np.bincount(self.cell, self.weight, size)
        come = np.where(share[self.cell] > 0.0, come, self.weight)  # nobody comes: as if all did
        total = np.bincount(self.cell, come, size)[:, None]
        mean = np.column_stack([np.bincount(self.cell, come * one, size) for one in mix.T]) / total
        return mean, np.where(np.isnan(reach).any(), np.nan, share)


def betting_lines(strategy: Any, after: str = "") -> dict[str, Line]:
    """The lines of a strategy, earlier rounds first; of a large game those of the first rounds.
    `after`: only lines that lead to this one or go on from it, so that later rounds fit in, too."""
    if not isinstance(after, str):
        raise GameError(f"a line of betting is a text, such as 'rc/r', not {shown(after)}")
    form: Any = (_Cards if isinstance(strategy, PublicStrategy) else _Tree)(strategy)
    words, found, size = words_for(form.rules), dict[str, Line](), 0
    now, later = [("", np.ones((form.players, 1)))], list[Any]()  # lines, and how all come there
    while now:
        line, reach = now.pop(0)
        (player, nexts, seen), hands = form.spot(line), form.hands(line)
        mix, reach = form.mix(line, hands), np.broadcast_to(reach, (len(reach), len(hands.cell)))
        moves = {label_of(a): (words.move(a, seen, (*nexts,)), then) for a, then in nexts.items()}
        found[line] = Line(player, moves, hands.grid, *hands.mean(reach[player], mix))
        size += len(found[line].share)
        if "/" in line and size > MOST:
            return {text: kept for text, kept in found.items() if text.count("/") < line.count("/")}
        for k, then in enumerate(nexts.values()):
            if then and (then.startswith(after) or after.startswith(then)):
                new = reach.copy()
                new[player] *= mix[:, k]
                if then.endswith("/"):
                    above = form.hands(then).above
                    new = np.full((len(new), 1), np.nan) if above is None else new[:, above]
                (later if then.endswith("/") else now).append((then, new))
        now, later = (now, later) if now else (later, [])
    if after not in found:
        last = max((line for line in found if after.startswith(line)), key=len)
        raise GameError(f"nobody decides after {after!r}; on the way there the last is {last!r}")
    return found


class _Tree:
    """Hands are what is seen of cards. Those of one cell differ in suits; they are as likely."""

    def __init__(self, strategy: Strategy) -> None:
        self.sigma, self.tree = strategy, need_strategy(strategy).tree
        self.rules, self.players = self.tree.rules, self.tree.num_players
        self.lines, self.rounds = dict[str, dict[Any, int]](), list[_Hands]()
        try:
            for infoset, seen in enumerate(list[Any](self.tree.seen)):
                self.lines.setdefault(seen[-1], {})[seen[:-1]] = infoset
            nexts = {then for line in self.lines for then in self.spot(line)[1].values()}
            before: list[Any] = []
            for r in range(1 + max(line.count("/") for line in self.lines)):
                lines = [seen for line, seen in self.lines.items() if line.count("/") == r]
                cards = [*lines[0]]
                above = [
                    before.index((*one[:-1], *one[-1].split()[:-1], "")[:2]) for one in cards if r
                ]
                grid, cell = _grid(_keys(self.rules, cards))
                self.rounds.append(_Hands(grid, cell, np.ones(len(cell)), cards, above))
                before = cards
            whole = all({*seen} == {*cards} for seen in lines)
        except (AttributeError, TypeError, ValueError, IndexError):
            whole, nexts = False, set()
        if not whole or not {*self.lines} <= {"", *nexts}:
            raise GameError(UNLINED.format(self.tree.name))

    def spot(self, line: str) -> Spot:
        at = next(iter(self.lines[line].values()))
        nexts = {
            a: next((s for end in ("", "/") if (s := line + label_of(a) + end) in self.lines), "")
            for a in self.tree.actions_at(at)
        }
        return int(self.tree.infoset_player[at]), nexts, self.tree.seen[at]

    def hands(self, line: str) -> _Hands:
        return self.rounds[line.count("/")]

    def mix(self, line: str, hands: _Hands) -> FloatArray:
        infosets = [self.lines[line][one] for one in hands.known]
        choices = np.arange(len(self.tree.actions_at(infosets[0])))
        return np.asarray(self.sigma.probs[self.tree.first_choice[infosets][:, None] + choices])


class _Cards:
    """Hands are those of the card form: on boards, up to suits; classes and buckets of Hold'em."""

    def __init__(self, strategy: PublicStrategy) -> None:
        self.sigma, self.played, self.rules = strategy, strategy.played, strategy.tree.rules
        self.limit, self.players = self.rules.betting, len(self.rules.betting.antes)
        if not self.played.whole:
            raise GameError(f"{self.played.name!r} is part of a game; stitch its expert to a base")

    def spot(self, line: str) -> Spot:
        at, nexts = self.limit.follow(line), {}
        for move in at.actions:
            after = self.limit.follow(line + move)
            last = len(after.live) == 1 or after.round == len(self.rules.public_cards) - 1
            over = after.player < 0
            nexts[move] = "" if over and last else line + move + "/" * over
        return at.player, nexts, ("", "", line)

    def hands(self, line: str) -> _Hands:
        make = _board_hands if self.played.on_boards else _holdem_hands
        return make(self.played, line.count("/"), int(self._group(line)[KIND]))

    def mix(self, line: str, hands: _Hands) -> FloatArray:
        group, node = self._group(line), self.played.flat.node(line)
        first = group[FIRST] + node * group[NODE] + hands.known * group[BUCKET]
        moves = np.array([MOVES.index(move) for move in self.limit.follow(line).actions])
        return np.asarray(self.sigma.probs[first[:, None] + group[CHOICE] * moves], np.float64)

    def _group(self, line: str) -> Any:
        layout = self.played.layout
        return layout.groups[layout.group[self.played.flat.node(line)]]


@lru_cache(maxsize=32)
def _board_hands(played: Any, r: int, kind: int) -> _Hands:
    rules, boards = played.rules, boards_of(played.rules)
    one = boards[r]
    place = np.unique(one.classes, return_index=True)[1][-one.num_classes :]
    board, hand = np.unravel_index(place, one.classes.shape)
    cards = zip(rules.deck.hands(rules.private_cards)[hand], one.cards[board], strict=True)
    grid, cell = _grid(_keys(rules, [rules.seen_with(*both, "")[:2] for both in cards]))
    above = boards[r - 1].classes[one.parent[board], hand] if r else None
    weight = one.weight[board] * np.bincount(one.classes[one.classes >= 0])
    return _Hands(grid, cell, weight, played.kinds[kind].rounds[r].ravel()[place], above)


@lru_cache(maxsize=32)
def _holdem_hands(played: Any, r: int, kind: int) -> _Hands:
    """The 169 hands before the flop, buckets after it. How a bucket came here is known if it tells
    its bucket of the round before, and if all nodes know the same buckets."""
    buckets, above = played.kinds[kind], None
    if r == 0:
        grid = Grid("Hands before the flop", (), ("",) * 13, NAMES)
        return _Hands(grid, np.arange(len(NAMES)), COMBOS, buckets.chart().ravel())
    each, nested = np.arange(buckets.classes[r]), buckets.nested
    before = buckets.parents(r) if nested else 0 * each
    if nested and len(played.kinds) == 1:
        first = np.unique(_holdem_hands(played, 0, kind).known, return_index=True)[1]
        above = first[before] if r == 1 else before
    pairs = zip(before.tolist(), (each - np.searchsorted(before, before) + 1).tolist(), strict=True)
    rows = [((p, str(p + 1) if nested else ""), (n, str(n))) for p, n in pairs]
    keys = [
        (row, column, f"bucket {row[1]}.{column[1]}".replace(" .", " ")) for row, column in rows
    ]
    grid, cell = _grid(keys, f"Buckets on the {STREETS[r - 1]}, from weak to strong")
    return _Hands(grid, cell, np.ones(len(each)), each, above)


def _keys(rules: Any, views: Sequence[Any]) -> list[Any]:
    """Where somebody stands who has seen each of these cards: row, column, name."""
    found, flushes = list[Any](), isinstance(rules, RhodeIsland)
    for held, *more in views:
        board, row = " ".join(filter(None, map(label_of, more))), _card(rules, label_of(held))
        column, of = _card(rules, board), " on "
        if flushes and " " in board:
            kind = _kind(rules, frozenset(f"{held} {board}".split()))
            column, of = (kind, KINDS[kind]), ", "
        elif flushes and board:
            other = held[-1] != board[-1]
            row = 2 * row[0] + other, f"{row[1]} {'other' if other else 'same'} suit"
        found.append((row, column, f"{row[1]}{of}{column[1]}" if board else row[1]))
    return found


@lru_cache(maxsize=50_000)
def _kind(rules: RhodeIsland, cards: frozenset[str]) -> int:
    return int(rules.strength(np.array(rules.deck.parse(" ".join(cards))))) // 4096 - 3


def _card(rules: Any, name: str) -> tuple[int, str]:
    """A card by its rank, the highest first; anything else by its name."""
    rank = getattr(rules, "rank_names", "").find(name[:1] or " ")
    known = rank >= 0 and name[1:] in ("", *SIGNS)
    return (-rank, name[0].replace("T", "10")) if known else (0, name)


def _grid(keys: Sequence[Any], title: str = "") -> tuple[Grid, Any]:
    """The grid of these hands, and the cell of each."""
    rows, columns = sorted({row for row, _, _ in keys}), sorted({column for _, column, _ in keys})
    named = {(row, column): name for row, column, name in keys}
    names = tuple(named.get((row, column), "") for row in rows for column in columns)
    number = {name: k for k, name in enumerate(filter(None, names))}
    title = title or ("Own card, and the board" if len(columns) > 1 else "Own card")
    grid = Grid(title, tuple(name for _, name in rows), tuple(name for _, name in columns), names)
    return grid, np.array([number[name] for _, _, name in keys])
