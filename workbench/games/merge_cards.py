"""Cards that a player does not tell apart, named one by one.

Everyday example: without her glasses a player takes Jacks for Queens. `merge_cards("JQ")` is what
she sees of Kuhn or Leduc poker; a card that is not named is seen as it is. Suits are forgotten.
Ranks with longer names stand in a list: `merge_cards(["10", "J"])`.

Of Leduc's board card she may remember three things:

    board="pair"    whether it pairs her own card: the buckets of the papers
    board="rank"    its rank, even if that no longer tells her whether it pairs
    board="group"   its group, with the same glasses; and whether it pairs her card

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> for board in ("pair", "group", "rank"):
...     print(wb.abstract(tree, merge_cards("JQ", board=board)))
Abstraction 'JQ' of 'leduc': 936 -> 132 infosets
Abstraction 'JQ (board: group)' of 'leduc': 936 -> 162 infosets
Abstraction 'JQ (board: rank)' of 'leduc': 936 -> 192 infosets
>>> wb.abstract(wb.compile_game(wb.load_game("kuhn")), merge_cards("JQ"))
Abstraction 'JQ' of 'kuhn': 12 -> 8 infosets
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

from workbench.rules import Chance, Decision, GameError
from workbench.settings import need_one_of

if TYPE_CHECKING:
    from workbench.rules import Rules
    from workbench.tree import GameTree

Board = Literal["pair", "rank", "group"]
Group = str | tuple[str, ...]  # a letter for each rank, or their names


@dataclass(frozen=True, repr=False)
class MergeCards:
    """A rule that remembers groups of ranks; see `merge_cards`."""

    groups: tuple[Group, ...]
    board: Board = "pair"
    name: str = ""

    def __post_init__(self) -> None:
        ranks = "-".join(map(_label, self.groups)) or "ranks"
        usual = ranks if self.board == "pair" else f"{ranks} (board: {self.board})"
        object.__setattr__(self, "name", self.name or usual)

    @cached_property
    def _group(self) -> dict[str, str]:
        return {rank: _label(ranks) for ranks in self.groups for rank in ranks}

    def __repr__(self) -> str:
        """The Python that makes it."""
        said = [json.dumps(ranks, ensure_ascii=False) for ranks in self.groups]
        said += [] if self.board == "pair" else [f'board="{self.board}"']
        return f"wb.merge_cards({', '.join(said)})"

    def for_tree(self, tree: GameTree) -> MergeCards:
        """The rule for this game, if it fits."""
        known = ranks_of(tree)
        if not known:
            raise GameError(
                f"merge_cards is for games like Kuhn and Leduc, in which (card, …) is seen; in "
                f"{tree.name!r} players see, for instance, {tree.seen[0]!r}"
            )
        long = max(map(len, known)) > 1
        strangers = [rank for rank in self._group if rank not in known]
        if strangers:
            raise GameError(
                f"there is no {strangers[0]!r} in {tree.name!r}; its ranks are {' '.join(known)}"
                + ("; names of several letters stand in a list: ['10', 'J']" if long else "")
            )
        found = getattr(tree, "seen", ())  # none, if only the rules are known
        cards = {card: None for seen in found for card in _cards(seen)}
        if odd := [card for card in cards if rank_of(card) not in known]:
            raise GameError(
                f"{odd[0]!r} in {tree.name!r} is no card with one of the ranks {' '.join(known)}; "
                "a card is a rank and perhaps a suit: 'Q', '10', '10♥', 'Qs'"
            )
        return replace(self, groups=tuple(map(tuple, self.groups))) if long else self  # 1/2, not 12

    def __call__(self, player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        own = rank_of(seen[0])
        group = self._group.get(own, own)
        if len(seen) < 3:
            return group, *seen[1:]
        board = seen[1]
        if board:
            rank = rank_of(board)
            paired = "pair" if rank == own else "no pair"
            theirs = self._group.get(rank, rank)
            board = {"pair": paired, "rank": rank, "group": (theirs, paired)}[self.board]
        return group, board, *seen[2:]


def merge_cards(*groups: str | Iterable[str], board: Board = "pair") -> MergeCards:
    """The rule of a player who does not tell the ranks of a group apart: merge_cards("JQ").

    `board`: what she remembers of Leduc's board card, "pair", "rank" or "group".
    """
    need_one_of("board", board, ("pair", "rank", "group"))
    named = [tuple(ranks) if isinstance(ranks, Iterable) else () for ranks in groups]
    for given, ranks in zip(groups, named, strict=True):
        if not ranks or not all(isinstance(rank, str) and rank for rank in ranks):
            raise GameError(
                f"a group of ranks is a text such as 'JQ' or a list such as ['10', 'J'], "
                f"not {given!r}"
            )
    listed = [rank for ranks in named for rank in ranks]
    twice = [rank for rank in listed if listed.count(rank) > 1]
    if twice:
        raise GameError(f"{twice[0]!r} is named twice; a rank belongs to one group")
    letters = max(map(len, listed), default=1) == 1
    return MergeCards(tuple("".join(ranks) if letters else ranks for ranks in named), board)


def _cards(seen: Any) -> list[Any]:
    """What a player has seen of cards: her own and, if it is there, the board's."""
    return [card for card in (seen[:2] if len(seen) > 2 else seen[:1]) if card]


def _label(ranks: Group) -> str:
    """What a group is called: "JQ", "10/J"."""
    return ranks if isinstance(ranks, str) else "/".join(ranks)


@cache
def rank_of(card: Any) -> Any:
    """A card without its suit.

    >>> [rank_of(card) for card in ("Q", "Q♠", "Qs", "10", "10♥", "Jester", "Jester♥")]
    ['Q', 'Q', 'Q', '10', '10', 'Jester', 'Jester']
    """
    found = re.fullmatch(r"(.+)[♠♥♦♣]|(\d+|.)[shdc]", card) if isinstance(card, str) else None
    return (found[1] or found[2]) if found else card


def ranks_of(game: Rules | GameTree) -> list[str]:
    """The ranks of a game in which (card, …) is seen, lowest first; none for other games.

    >>> from workbench.games.registry import load_game
    >>> ranks_of(load_game("kuhn", cards=5)), ranks_of(load_game("leduc"))
    (['T', 'J', 'Q', 'K', 'A'], ['J', 'Q', 'K'])
    """
    rules = getattr(game, "rules", game)
    named = list(getattr(rules, "rank_names", ""))
    if named or not hasattr(game, "seen"):
        return named
    seen = cast("Any", game).seen  # a game of one's own whose players see ("Q", betting)
    cards = [rank_of(one[0]) for one in seen if isinstance(one, tuple) and len(one) == 2]
    short = all(isinstance(card, str) and (len(card) == 1 or card.isdigit()) for card in cards)
    return list(dict.fromkeys(cards)) if short and len(cards) == len(seen) else []


def shows_board(game: Rules | GameTree) -> bool:
    """Whether players of such a game see (card, board, …).

    >>> from workbench.games.registry import load_game
    >>> shows_board(load_game("kuhn")), shows_board(load_game("leduc"))
    (False, True)
    """
    if hasattr(game, "seen"):
        return len(cast("Any", game).seen[0]) > 2
    state = game.start()
    while isinstance(node := game.node(state), Chance):
        state = game.next(state, next(iter(node.probabilities)))
    return isinstance(node, Decision) and len(node.seen) > 2  # type: ignore[arg-type]
