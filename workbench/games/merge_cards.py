"""Cards that a player does not tell apart, named one by one.

Everyday example: without her glasses a player takes Jacks for Queens. `merge_cards("JQ")` is what
she sees of Kuhn or Leduc poker; a card that is not named is seen as it is. Suits are forgotten.
Ranks with longer names stand in a list: `merge_cards(["10", "J"])`.

Of Leduc's board card she may remember three things:

    board="pair"    whether it pairs her own card: the buckets of the papers (where there is one
                    card of each rank nothing pairs, and this is "group")
    board="rank"    its rank, even if that no longer tells her whether it pairs
    board="group"   its group, with the same glasses; and whether it pairs her card

A card stands by itself in `seen`, at any place, inside a tuple as well: a rank of the game's
`rank_names`, perhaps with a suit. Her own is what `cards(seen)` of the rules says or, without it,
the first card; all others are the board's.

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
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Literal, cast

from workbench.games.words import glance, places_of, words_for
from workbench.rules import Chance, GameError, Rules, label_of, rules_in
from workbench.settings import as_tuple, need_one_of
from workbench.tree import GameTree, kept

Board = Literal["pair", "rank", "group"]
Place = tuple[int, ...]  # see `places_of`
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
        return f"wb.abstraction.merge_cards({', '.join(said)})"

    def for_tree(self, tree: GameTree) -> Callable[[int, Any, tuple[Any, ...]], Any]:
        """The rule for this game, if it fits."""
        known = ranks_of(tree)
        if not known:
            raise GameError(
                f"merge_cards is for games like Kuhn, in which (card, …) is seen, not for example "
                f"{tree.seen[0]!r} as in {tree.name!r}; rules may name their ranks in `rank_names`"
            )
        long = max(map(len, known)) > 1
        strangers = [rank for ranks in self.groups for rank in ranks if rank not in known]
        if strangers:
            raise GameError(
                f"there is no {strangers[0]!r} in {tree.name!r}; its ranks are {' '.join(known)}"
                + ("; names of several letters stand in a list: ['10', 'J']" if long else "")
            )
        compiled = isinstance(tree, GameTree)  # else only the rules are known
        own, board, boards, odd = _cards(tree) if compiled else _look_for_cards(tree)
        if odd:
            raise GameError(
                f"{odd[0]!r} in {tree.name!r} is no card with a rank of {' '.join(known)}; a "
                "card is a rank and perhaps a suit, by itself in what is seen: 'Q', '10♥'"
            )
        groups = tuple(map(tuple, self.groups)) if long else self.groups  # 1/2, not 12
        unpaired = self.board == "pair" and "pair" not in boards
        glasses = replace(self, groups=groups, board="group" if unpaired else self.board)

        def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
            return glasses._told(seen, own, board), list(actions)

        return rule

    def __call__(self, player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        """What is remembered of (card, board, …) or (card, …), where no game is known."""
        count = len(_parts(seen))
        return self._told(seen, {(count, 0)}, {(count, 1)} if count > 2 else set())

    def _told(self, seen: Any, own: set[Place], board: set[Place]) -> Hashable:
        mine, cards = {rank_of(part) for at, part in places_of(seen) if at in own}, own | board

        def told(place: Place, part: Any) -> Any:
            if isinstance(part, tuple):
                return tuple(told((*place, k), inner) for k, inner in enumerate(part))
            if place not in cards or not (rank := rank_of(part)):
                return part
            group, paired = self._group.get(rank, rank), "pair" if rank in mine else "no pair"
            if place in own:
                return group
            return {"pair": paired, "rank": rank, "group": (group, paired)}[self.board]

        parts = _parts(seen)
        return tuple(told((len(parts), k), part) for k, part in enumerate(parts))


def merge_cards(*groups: str | Iterable[str], board: Board = "pair") -> MergeCards:
    """The rule of a player who does not tell the ranks of a group apart: merge_cards("JQ").

    `board`: what she remembers of Leduc's board card, "pair", "rank" or "group".
    """
    need_one_of("board", board, ("pair", "rank", "group"))
    named = [as_tuple(ranks) for ranks in groups]
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


def _parts(seen: Any) -> tuple[Any, ...]:
    return seen if isinstance(seen, tuple) else (seen,)


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
    rules = rules_in(game)
    named = list(getattr(rules, "rank_names", ""))
    if named or not hasattr(game, "seen"):
        return named
    seen = cast("Any", game).seen  # a game of one's own whose players see ("Q", betting)
    cards = [rank_of(one[0]) for one in seen if isinstance(one, tuple) and len(one) == 2]
    short = all(isinstance(card, str) and (len(card) == 1 or card.isdigit()) for card in cards)
    return list(dict.fromkeys(cards)) if short and len(cards) == len(seen) else []


def card_places(game: Rules | GameTree) -> tuple[set[Place], set[Place]]:
    """Where cards stand in `seen`: her own, and those of the board; see `places_of`.

    >>> from workbench.games.registry import load_game
    >>> card_places(load_game("kuhn")), card_places(load_game("leduc"))
    (({(2, 0)}, set()), ({(3, 0)}, {(3, 1)}))
    """
    rules, ranks = rules_in(game), {*ranks_of(game)}
    held = words_for(rules).cards if callable(getattr(rules, "cards", None)) else None
    visible = cast("Any", game).seen if hasattr(game, "seen") else None
    found: dict[Place, list[tuple[Any, Any]]] = {}  # what stands there, in what is seen
    for seen in [node.seen for node in glance(rules).decisions] if visible is None else visible:
        for place, part in places_of(seen):
            found.setdefault(place, []).append((part, seen))
    cards = [at for at in sorted(found) if any(rank_of(part) in ranks for part, _ in found[at])]
    own = {  # the rules' own words ask for no player
        place
        for place in cards
        if held and all(label_of(part) in held(0, seen) for part, seen in found[place])
    }
    for count in {place[0] for place in cards} - {place[0] for place in own}:
        own.add(next(place for place in cards if place[0] == count))
    others = [place for place in cards if place not in own]
    board = {at for at in others if all(rank_of(part) in ranks for part, _ in found[at])}
    return own, board


def _look_for_cards(
    game: Rules | GameTree,
) -> tuple[set[Place], set[Place], list[Board], list[Any]]:
    """Places of her own cards and of the board's, `boards_of`, and own cards without a rank."""
    (own, board), known, odd = card_places(game), {*ranks_of(game)}, list[Any]()
    for seen in getattr(game, "seen", ()):
        parts = dict(places_of(seen))
        mine = [place for place in parts if place in own] or list(parts)[:1]
        odd += [parts[place] for place in mine if rank_of(parts[place]) not in known]
    return own, board, boards_of(game), odd


_cards = kept(_look_for_cards)  # a tree of 936 sets: 15 ms, and experts ask for it again and again


def boards_of(game: Rules | GameTree) -> list[Board]:
    """What can be remembered of the board, the usual first; nothing of a game without one.

    >>> from workbench.games.registry import load_game
    >>> boards_of(load_game("kuhn")), boards_of(load_game("leduc"))
    ([], ['pair', 'rank', 'group'])
    """
    rules = rules_in(game)
    if rules is None or not card_places(game)[1]:
        return []
    state, dealt = rules.start(), set[Any]()
    while isinstance(node := rules.node(state), Chance):
        ranks = [rank_of(card) for card in node.probabilities]
        if not dealt.isdisjoint(ranks):
            return ["pair", "rank", "group"]
        dealt.add(ranks[0])
        state = rules.next(state, next(iter(node.probabilities)))
    return ["group", "rank"]  # there is one card of each rank
