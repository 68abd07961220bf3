"""Grafting partitions: which expert plays where.

Everyday example: a football coach plans the whole match roughly, and hires a specialist for
corner kicks and one for penalties. For this to make sense, each moment of the match belongs to one
plan only, a player must know which plan is on, and corner kicks must not turn into penalties.

A grafting partition of player i's histories H_i into G_i0, G_i1, …, G_ip (Waugh et al. 2009,
Definition 7; Gibson & Szafron 2011, Definition 3.1), where G_i0 is what the base plays:

    1. each history lies in exactly one part (a part may be empty)
    2. an information set lies in one part as a whole
    3. after a history of G_ij, j ≥ 1, player i's histories are in G_ij or in G_i0

`GraftingPartition` holds one for every player, with the same parts. Conditions 1 and 2 hold for an
array over information sets by themselves; whoever starts from histories is checked. Condition 3
is always checked, and an error names the history that breaks it.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> def facing_a_bet(player, seen, actions):
...     return "facing a bet" if seen[1].endswith("b") else None
>>> GraftingPartition.from_function(tree, facing_a_bet)
GraftingPartition of 'kuhn': base 6, facing a bet 6 infosets
>>> GraftingPartition.from_function(tree, lambda player, seen, actions: "J" + seen[1])
Traceback (most recent call last):
    ...
workbench.rules.GameError: player 0 is in part 'J' at 'J Q' and later in part 'Jpb' at \
'J Q p b'; after a part a player may only be in the same part or in the base

Ready-made ones are read off the tree itself, so they serve any game whose moves are public:

    betting     the actions on the way to a history, chance left out: b(h) in the papers
    round       how often chance has moved after somebody had decided something

A forced move (one action) is no move of the tree and no part of b(h).

>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> betting_experts(tree, ["r", "cr", "ccr", "cccr"])
GraftingPartition of 'leduc': base 72, r 372, cr 372, ccr 60, cccr 60 infosets
>>> round_experts(tree)  # the post-flop models of PsOpti
GraftingPartition of 'leduc': base 36, cc 180, rc 180, crc 180, rrc 180, crrc 180 infosets
>>> card_experts(tree, start=1)  # the flop grafts of Waugh et al.
GraftingPartition of 'leduc': base 36, J 300, Q 300, K 300 infosets
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from workbench import settings
from workbench.games.merge_cards import rank_of
from workbench.passes import Betting, betting, latest, rounds
from workbench.rules import GameError, label_of, shown
from workbench.strategy import need_numbers
from workbench.tree import GameTree, IntArray, ask_each, form_of, frozen, need_players, need_tree

PartFunction = Callable[[int, Any, tuple[Any, ...]], Hashable]


@dataclass(frozen=True, eq=False, repr=False)
class GraftingPartition:
    """`part[I]` is 0 where the base plays and j where expert j does, j = 1 … p."""

    tree: GameTree
    names: tuple[str, ...]  # (p,) of the experts; part j is names[j - 1]
    part: IntArray  # (M,)
    code: str = "part"  # the Python that makes it of a `tree`, if one of our builders did

    def __post_init__(self) -> None:
        names = tuple(settings.need_several("experts", self.names, "names, like ('r', 'cr')"))
        if not all(isinstance(name, str) for name in names):
            raise GameError(f"experts have names, like ('r', 'cr'), not {shown(self.names)}")
        shape, whose = (need_tree(self.tree).num_infosets,), f"a partition of {self.tree.name!r}"
        part = need_numbers("parts, one for each infoset,", self.part, shape, whose, np.int32)
        strangers = np.flatnonzero((part < 0) | (part > len(names)))
        if len(strangers):
            raise GameError(
                f"'{self.tree.infoset_label(int(strangers[0]))}' is in part "
                f"{part[strangers[0]]}; there are parts 0 (the base) to {len(names)}"
            )
        if len({"base", *names}) <= len(names):
            raise GameError(
                f"experts need different names, none of them 'base', not {', '.join(names)}"
            )
        object.__setattr__(self, "part", frozen(part))
        object.__setattr__(self, "names", names)
        self._check_closed()

    # ---- making ----------------------------------------------------------------------

    @classmethod
    def from_function(cls, tree: GameTree, function: PartFunction) -> GraftingPartition:
        """Ask `function(player, seen, actions)` once per infoset: an expert's name, or None."""
        settings.need_function("what names experts", function, "player, seen, actions")
        names: dict[str, int] = {}
        part = np.zeros(need_tree(tree).num_infosets, np.int32)
        for infoset, (player, seen, _, answer) in enumerate(ask_each(tree, function)):
            if isinstance(answer, (bool, np.bool_)):
                raise GameError(
                    f"a part needs a name, and {answer!r} is none (asked for player {player} who "
                    f"has seen {seen!r}); answer like 'late' if late else None"
                )
            if answer is not None:
                part[infoset] = names.setdefault(label_of(answer), len(names) + 1)
        return cls(tree, tuple(names), part)

    @classmethod
    def from_histories(
        cls, tree: GameTree, parts: Mapping[str, Iterable[int] | NDArray[np.bool_]]
    ) -> GraftingPartition:
        """Parts as sets of histories: their numbers, or a mask (N,). Others are the base's.

        Only histories where somebody decides count, so whole subtrees may be given.
        """
        need_tree(tree)
        if not isinstance(parts, Mapping):
            raise GameError(
                "parts are named: {'late': histories}, with numbers of histories or a mask; "
                f"not {type(parts).__name__}"
            )
        where = np.zeros(tree.num_histories, np.int32)  # (N,) the part of each history
        names = tuple(map(label_of, parts))
        for j, (name, histories) in enumerate(zip(names, parts.values(), strict=True), 1):
            inside = _mask(tree, histories) & (tree.infoset >= 0)
            twice = np.flatnonzero(inside & (where > 0))
            if len(twice):
                raise GameError(
                    f"'{tree.history_label(int(twice[0]))}' is in parts "
                    f"{names[where[twice[0]] - 1]!r} and {name!r}; parts must be disjoint"
                )
            where[inside] = j
        part = np.zeros(tree.num_infosets, np.int32)
        deciding = np.flatnonzero(tree.infoset >= 0)
        part[tree.infoset[deciding]] = where[deciding]
        torn = deciding[part[tree.infoset[deciding]] != where[deciding]]
        if len(torn):
            here = int(torn[0])
            infoset = tree.infoset[here]
            there = int(deciding[tree.infoset[deciding] == infoset][-1])
            called = ("the base", *map(repr, names))
            raise GameError(
                f"'{tree.history_label(here)}' is in {called[where[here]]}, "
                f"'{tree.history_label(there)}' in {called[where[there]]}, and player "
                f"{tree.player[here]} cannot tell them apart ('{tree.infoset_label(infoset)}'); "
                "an information set must lie in one part"
            )
        return cls(tree, names, part)

    # ---- looking ---------------------------------------------------------------------

    def number(self, name: str) -> int:
        """The j of an expert."""
        if not settings.known_in(name, self.names):
            raise settings.unknown_name("expert", name, self.names)
        return self.names.index(name) + 1

    def sizes(self) -> dict[str, int]:
        """How many information sets of the tree each part has; the base comes first."""
        counts = np.bincount(self.part, minlength=len(self.names) + 1)
        return dict(zip(("base", *self.names), counts.tolist(), strict=True))

    def __repr__(self) -> str:
        shown = [f"{name} {size:,}" for name, size in self.sizes().items()]
        if len(shown) > 9:
            shown = [*shown[:8], f"{len(shown) - 8} more"]
        return f"GraftingPartition of {self.tree.name!r}: {', '.join(shown)} infosets"

    # ---- others made of it -----------------------------------------------------------

    def of(self, players: Iterable[int] | int) -> GraftingPartition:
        """The same for these players only: to everybody else all histories are the base's, also
        while an expert learns (`grafts`)."""
        chosen = need_players(self.tree, players)
        theirs = np.isin(self.tree.infoset_player, chosen)
        code = f"{self.code}.of({chosen if len(chosen) > 1 else chosen[0]})"
        return GraftingPartition(self.tree, self.names, np.where(theirs, self.part, 0), code)

    def only(self, names: Iterable[str] | str) -> GraftingPartition:
        """The same with these experts only."""
        chosen = _several(names)
        new = np.zeros(len(self.names) + 1, np.int32)
        new[[self.number(name) for name in chosen]] = np.arange(1, len(chosen) + 1)
        code = f"{self.code}.only({json.dumps(chosen)})"
        return GraftingPartition(self.tree, tuple(chosen), new[self.part], code)

    # ---- checking --------------------------------------------------------------------

    def _check_closed(self) -> None:
        """Condition 3, from the root down: where was each player's latest expert?"""
        tree = self.tree
        deciding = tree.infoset >= 0
        where = np.zeros(tree.num_histories, np.int32)  # (N,) the part of each history
        where[deciding] = self.part[tree.infoset[deciding]]
        for player in range(tree.num_players):
            mine = np.where(tree.player == player, where, 0)
            entered = latest(tree, mine > 0)  # (N,)
            again = np.flatnonzero((mine > 0) & (entered >= 0))
            wrong = again[mine[again] != mine[entered[again]]]
            if len(wrong):
                later, before = int(wrong[0]), int(entered[wrong[0]])
                raise GameError(
                    f"player {player} is in part {self.names[mine[before] - 1]!r} at "
                    f"'{tree.history_label(before)}' and later in part "
                    f"{self.names[mine[later] - 1]!r} at '{tree.history_label(later)}'; after a "
                    "part a player may only be in the same part or in the base"
                )


def need_partition(part: object, tree: GameTree) -> GraftingPartition:
    """Refuse what is no partition, or one of another game."""
    if not isinstance(part, GraftingPartition):
        raise GameError(
            f"a GraftingPartition is needed here, not {type(part).__name__}: "
            "wb.betting_experts(tree, ['r', 'cr'])"
        )
    if not part.tree.same_as(need_tree(tree)):
        raise GameError(f"the partition is of {part.tree!r}, not of {tree!r}")
    return part


def _several(given: Any) -> list[Any]:
    """What is in a list; of a single thing or a text a list."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    return list(settings.as_tuple(given)) if several else [given]


def _mask(tree: GameTree, histories: Iterable[int] | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(N,) histories given as numbers or as a mask."""
    n = tree.num_histories
    mask = np.zeros(n, np.bool_)
    with suppress(IndexError, TypeError, ValueError):  # no numbers of histories, and no mask
        given = histories if isinstance(histories, np.ndarray) else np.asarray(list(histories))
        if not given.size:
            return mask
        if given.ndim == 1 and given.min() >= 0:
            mask[given] = True
            return mask
    raise GameError(f"a part has histories from 0 to {n - 1:,} of {tree.name!r}, or a mask")


# ---- ready-made: by what has been bet, by card, by round ---------------------------------


def betting_experts(
    tree: GameTree, prefixes: Iterable[str | Iterable[Hashable]]
) -> GraftingPartition:
    """A b-expert for each b: it plays wherever the players' actions begin with b.

    G_i(b) = {h in H_i | b is a prefix of b(h)} (Gibson & Szafron 2011, Section 6). A prefix is
    a string, the actions' labels in a row, or a sequence of actions: "cr" or ("c", "r"). Where a
    string could be read in two ways ("ab" with actions a, b and ab), only the sequence will do.

    In a game without a tree (Rhode Island, Hold'em; give its rules) these are `BettingParts`.
    """
    if form := form_of(tree):
        return form.parts(prefixes)  # type: ignore[no-any-return, arg-type]
    number, sequences = betting(tree)
    wanted = _several(prefixes)
    if not all(isinstance(each, Iterable) for each in wanted):
        raise GameError(f"prefixes are like ['r', 'cr'] or [('c', 'r')], not {prefixes!r}")
    names: dict[Betting, str] = {}
    for prefix in wanted:
        text = prefix if isinstance(prefix, str) else ""
        ways = _readings(text, sequences) if prefix is text else [tuple(map(label_of, prefix))]
        if len(ways) > 1:
            raise GameError(
                f"{text!r} can be read as {' or as '.join(map(repr, ways))} in {tree.name!r}; "
                "give the actions you mean, as a tuple"
            )
        if not ways or not _begins(sequences, ways[0]).any():
            near = settings.did_you_mean(text or "".join(ways[0]), ["".join(s) for s in sequences])
            raise GameError(
                f"nobody ever bets {prefix!r} in {tree.name!r}{near} {'A' if '?' in near else 'a'} "
                "prefix is the players' actions in a row, without chance; the first is one of "
                f"{', '.join(s[0] for s in sequences if len(s) == 1)}"
            )
        if ways[0] in names:
            raise GameError(f"{prefix!r} is in the list twice; an expert for each way is enough")
        names[ways[0]] = text if prefix is text else " ".join(ways[0])
    alike = len({*names.values()}) < len(names)
    names = {way: repr(way) if alike else name for way, name in names.items()}
    masks = {name: _begins(sequences, way)[number] for way, name in names.items()}
    spelt = json.dumps([name if "".join(way) == name else way for way, name in names.items()])
    code = f"wb.betting_experts(tree, {spelt})"
    return replace(GraftingPartition.from_histories(tree, masks), code=code)


def first_bets(tree: GameTree) -> list[str | Betting]:
    """The ways in which the first bet can come, for `betting_experts`: until then everybody takes
    the first action that is offered, checks or passes. In a row only where each is one letter.

    >>> import workbench as wb
    >>> [first_bets(wb.compile_game(wb.load_game(name))) for name in ("kuhn", "leduc")]
    [['b', 'pb'], ['r', 'cr', 'ccr', 'cccr']]
    """
    number, sequences = betting(tree)
    decided = {sequences[k] for k in np.unique(number[tree.infoset >= 0])}
    usual = label_of(tree.actions[0]) if tree.actions else ""
    quiet = {(usual,) * n for n in range(max(map(len, sequences)) + 1)}
    return [
        "".join(way) if all(len(action) == 1 for action in way) else way
        for way in sequences
        if way in decided and way[:-1] in quiet and way not in quiet
    ]


def round_experts(tree: GameTree, start: int = 1, *, by_betting: bool = True) -> GraftingPartition:
    """Experts take over at the beginning of a round; the first is round 0.

    One for each betting that leads there, as PsOpti's post-flop models (Billings et al. 2003; also
    in a card game without a tree), or a single one.
    """
    settings.need_bool("by_betting", by_betting)
    if form := form_of(tree):
        if not by_betting:
            raise GameError(f"{form.name!r} has no tree: there parts are by betting")
        return form.round_parts(start)  # type: ignore[no-any-return]
    later = rounds(tree) >= need_round(tree, "start", start)
    code = f"wb.round_experts(tree, {start}, by_betting={by_betting})"
    if not by_betting:
        return replace(GraftingPartition.from_histories(tree, {f"round {start}": later}), code=code)
    number, sequences = betting(tree)
    first = later.copy()
    first[1:] &= ~later[tree.parent[1:]]
    ways = [sequences[k] for k in np.unique(number[first])]
    return replace(experts_behind(tree, number, sequences, ways, later), code=code)


def card_experts(
    tree: GameTree,
    cards: Iterable[Hashable] | None = None,
    *,
    start: int = 0,
    card: Callable[[Any], Hashable] | None = None,
) -> GraftingPartition:
    """An expert for each private card, from round `start` on.

    `card(seen)` is what an expert is chosen by; by default the rank of the first thing a
    player has seen, her card in Leduc and Kuhn. Hands of several cards need a
    `card` of one's own. `cards`: which have experts.

    To somebody's graft the others' cards are not parts of the game; use `.of(player)`.
    """
    if form := form_of(tree):
        raise GameError(f"{form.name!r} has no tree: there experts play behind bets, for all cards")
    need_tree(tree)
    if not (cards is None or isinstance(cards, Iterable)):
        raise GameError(f"cards are like 'JQ' or ['J', 'Q'], not {cards!r}")
    moves = "|".join(map(re.escape, sorted({*map(label_of, tree.actions)}, reverse=True)))
    look = partial(_rank, moves) if card is None else card
    if card is not None:
        settings.need_function("card", card, "seen")
    elif any(isinstance(seen, tuple) and " " in str(seen[:1]) for seen in tree.seen):
        raise GameError(
            f"players of {tree.name!r} hold several cards; say what an expert is chosen by, for "
            "example card=lambda seen: seen[0]"
        )
    elif {label_of(look(seen)) for seen in tree.seen} & {"", "·"}:
        raise GameError(
            f"{tree.name!r} has decisions where nobody has seen a card; say what an expert is "
            "chosen by, for example card=lambda seen: seen"
        )
    deciding = tree.infoset >= 0
    late = np.zeros(tree.num_infosets, np.bool_)
    late[tree.infoset[deciding]] = rounds(tree)[deciding] >= need_round(tree, "start", start)
    asked = ask_each(tree, lambda player, seen, actions: look(seen))
    held = [label_of(answer) for *_, answer in asked]
    known = list(dict.fromkeys(held))
    chosen = known if cards is None else [label_of(each) for each in settings.as_tuple(cards)]
    if len(set(chosen)) < len(chosen):
        raise GameError(f"a card has one expert; {', '.join(chosen)} has one twice")
    for each in chosen:
        if each not in known:
            raise GameError(
                f"nobody holds {each!r} in {tree.name!r}{settings.did_you_mean(each, known)} "
                f"Cards: {', '.join(known)}"
            )
    names = tuple(name for name in known if name in chosen)
    part = [names.index(name) + 1 if name in names else 0 for name in held]
    which = "" if cards is None else f", {json.dumps(chosen)}"
    code = f"wb.card_experts(tree{which}, start={start})" if card is None else "part"
    return GraftingPartition(tree, names, np.where(late, np.array(part, np.int32), 0), code)


def experts_behind(
    tree: GameTree,
    number: IntArray,
    sequences: list[Betting],
    ways: Iterable[Betting],
    where: NDArray[np.bool_] | None = None,
) -> GraftingPartition:
    """An expert behind each of these bettings, wherever somebody still has to decide."""
    parts: dict[Betting, NDArray[np.bool_]] = {}
    for way in ways:
        inside = _begins(sequences, way)[number] & (tree.infoset >= 0)
        if where is not None:
            inside &= where
        if inside.any():
            parts[way] = inside
    return GraftingPartition.from_histories(
        tree, dict(zip(_names(parts), parts.values(), strict=True))
    )


def _names(ways: Collection[Betting]) -> list[str]:
    """A name for each betting: letters in a row, words with spaces; all as in Python if two would
    be called alike.

    >>> _names([("c", "r"), ("r",)]), _names([("1", "10")]), _names([("a", "b"), ("ab",)])
    (['cr', 'r'], ['1 10'], ['a b', 'ab'])
    """
    names = [("" if all(len(word) == 1 for word in way) else " ").join(way) for way in ways]
    for spell in (" ".join, repr):
        if len(set(names)) < len(names):
            names = [spell(way) for way in ways]
    return names


def _begins(sequences: list[Betting], way: Betting) -> NDArray[np.bool_]:
    """Which bettings begin with this one."""
    return np.array([sequence[: len(way)] == way for sequence in sequences])


def _readings(text: str, sequences: list[Betting]) -> list[Betting]:
    """The beginnings of sequences whose labels in a row make this text: ("ab",) and ("a", "b")."""
    found: dict[Betting, None] = {}
    for sequence in sequences:
        so_far, length = "", 0
        while length < len(sequence) and len(so_far) < len(text):
            so_far, length = so_far + sequence[length], length + 1
        if so_far == text:
            found[sequence[:length]] = None
    return list(found)


def _rank(moves: str, seen: Any) -> Hashable:
    """Of a card in a tuple; of a text the first letter, if moves follow ("Qpb"), else the word."""
    if isinstance(seen, tuple) and seen:
        return cast("Hashable", rank_of(seen[0]))
    found = re.fullmatch(rf"(.)(?:{moves}|[^a-z])*+", seen) if isinstance(seen, str) else None
    return found[1] if found else seen


def need_round(tree: GameTree, option: str, value: int) -> int:
    """Refuse what is no round of a game; the first is 0."""
    last = int(rounds(tree).max(initial=0))
    return settings.need_whole(f"{option}, a round of {tree.name!r},", value, 0, last)
