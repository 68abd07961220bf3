"""Cards that a player does not tell apart, named one by one.

Everyday example: without her glasses a player takes Jacks for Queens. `merge_cards("JQ")` is what
she sees of Kuhn or Leduc poker; a card that is not named is seen as it is. Suits are forgotten.

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

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

from workbench.rules import Chance, Decision, GameError
from workbench.settings import need_one_of

if TYPE_CHECKING:
    from workbench.rules import Rules
    from workbench.tree import GameTree

Board = Literal["pair", "rank", "group"]


@dataclass(frozen=True, repr=False)
class MergeCards:
    """A rule that remembers groups of ranks; see `merge_cards`."""

    groups: tuple[str, ...]
    board: Board = "pair"
    name: str = ""

    def __post_init__(self) -> None:
        ranks = "-".join(self.groups) or "ranks"
        usual = ranks if self.board == "pair" else f"{ranks} (board: {self.board})"
        object.__setattr__(self, "name", self.name or usual)

    @cached_property
    def _group(self) -> dict[str, str]:
        return {rank: ranks for ranks in self.groups for rank in ranks}

    def __repr__(self) -> str:
        """The Python that makes it."""
        said = [f'"{ranks}"' for ranks in self.groups]
        said += [] if self.board == "pair" else [f'board="{self.board}"']
        return f"wb.merge_cards({', '.join(said)})"

    def for_tree(self, tree: GameTree) -> MergeCards:
        """The rule itself, if it fits the game."""
        known = ranks_of(tree)
        if not known:
            raise GameError(
                f"merge_cards is for games like Kuhn and Leduc, in which (card, …) is seen; in "
                f"{tree.name!r} players see, for instance, {tree.seen[0]!r}"
            )
        strangers = [rank for rank in self._group if rank not in known]
        if strangers:
            raise GameError(
                f"there is no {strangers[0]!r} in {tree.name!r}; its ranks are {' '.join(known)}"
            )
        return self

    def __call__(self, player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        own = seen[0][0]
        group = self._group.get(own, own)
        if len(seen) < 3:
            return group, *seen[1:]
        board = seen[1]
        if board:
            rank = board[0]
            paired = "pair" if rank == own else "no pair"
            theirs = self._group.get(rank, rank)
            board = {"pair": paired, "rank": rank, "group": (theirs, paired)}[self.board]
        return group, board, *seen[2:]


def merge_cards(*groups: str, board: Board = "pair") -> MergeCards:
    """The rule of a player who does not tell the ranks of a group apart: merge_cards("JQ").

    `board`: what she remembers of Leduc's board card, "pair", "rank" or "group".
    """
    need_one_of("board", board, ("pair", "rank", "group"))
    for ranks in groups:
        if not isinstance(ranks, str) or not ranks:
            raise GameError(f"a group of ranks is a text such as 'JQ', not {ranks!r}")
    listed = "".join(groups)
    twice = [rank for rank in listed if listed.count(rank) > 1]
    if twice:
        raise GameError(f"{twice[0]!r} is named twice; a rank belongs to one group")
    return MergeCards(groups, board)


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
    cards = [one[0] for one in seen if isinstance(one, tuple) and len(one) == 2]
    single = all(isinstance(card, str) and len(card) == 1 for card in cards)
    return list(dict.fromkeys(cards)) if single and len(cards) == len(seen) else []


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
