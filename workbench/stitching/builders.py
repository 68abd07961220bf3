"""Ready-made partitions: experts by what has been bet, by card, by round.

Betting and rounds are read off the tree itself, so they serve any game whose moves are public:

    betting     the actions on the way to a history, chance left out: b(h) in the papers
    round       how often chance has moved after somebody had decided something

A forced move (one action) is no move of the tree and no part of b(h).

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> betting_experts(tree, ["r", "cr", "ccr", "cccr"])
GraftingPartition of 'leduc': base 72, r 372, cr 372, ccr 60, cccr 60 infosets
>>> round_experts(tree)  # the post-flop models of PsOpti
GraftingPartition of 'leduc': base 36, cc 180, rc 180, crc 180, rrc 180, crrc 180 infosets
>>> card_experts(tree, start=1)  # the flop grafts of Waugh et al.
GraftingPartition of 'leduc': base 36, J 300, Q 300, K 300 infosets
>>> three = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))
>>> heads_up_experts(three).names[:5]
('rf', 'crf', 'rcf', 'rrf', 'ccrf')

For a game of one's own there is `GraftingPartition.from_function(tree, f)`, where
f(player, seen, actions) answers with the name of an expert or None.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from workbench.form import form_of
from workbench.games.merge_cards import rank_of
from workbench.passes import Betting, betting, rounds
from workbench.rules import GameError, label_of
from workbench.settings import as_tuple, did_you_mean, need_bool, need_function
from workbench.stitching.partition import GraftingPartition
from workbench.tree import GameTree, IntArray, need_tree


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
    several = isinstance(prefixes, Iterable) and not isinstance(prefixes, str)
    wanted: list[Any] = list(as_tuple(prefixes)) if several else [prefixes]
    if not all(isinstance(each, Iterable) for each in wanted):
        raise GameError(f"prefixes are like ['r', 'cr'] or [('c', 'r')], not {prefixes!r}")
    masks: dict[Betting, NDArray[np.bool_]] = {}
    names: list[str] = []
    for prefix in wanted:
        text = prefix if isinstance(prefix, str) else None
        ways = [tuple(map(label_of, prefix))] if text is None else _readings(text, sequences)
        if len(ways) > 1:
            raise GameError(
                f"{text!r} can be read as {' or as '.join(map(repr, ways))} in {tree.name!r}; "
                "give the actions you mean, as a tuple"
            )
        way = ways[0] if ways else ()
        begins = _begins(sequences, way)
        if not ways or not begins.any():
            near = did_you_mean(text or "".join(way), ["".join(s) for s in sequences])
            raise GameError(
                f"nobody ever bets {prefix!r} in {tree.name!r}{near} {'A' if '?' in near else 'a'} "
                "prefix is the players' actions in a row, without chance; the first is one of "
                f"{', '.join(s[0] for s in sequences if len(s) == 1)}"
            )
        name = text if text is not None else " ".join(way)
        if way in masks:
            raise GameError(f"{name!r} is in the list twice; an expert for each way is enough")
        masks[way] = begins[number]
        names.append(name)
    if len(set(names)) < len(names):
        names = [repr(way) for way in masks]
    found = GraftingPartition.from_histories(tree, dict(zip(names, masks.values(), strict=True)))
    spelt = json.dumps(
        [name if "".join(way) == name else way for name, way in zip(names, masks, strict=True)]
    )
    return replace(found, code=f"wb.betting_experts(tree, {spelt})")


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


def heads_up_experts(
    tree: GameTree, fold: Hashable = "f", *, last_round: int = 0
) -> GraftingPartition:
    """An expert for each way in which the first fold can come, as long as the game goes on.

    With three players these are the two-player games of Abou Risk & Szafron (2010). Folds after
    `last_round` have no expert.
    """
    number, sequences = betting(tree)
    early = rounds(tree) <= _round(tree, "last_round", last_round)
    word = label_of(fold)
    ways = [sequences[k] for k in np.unique(number[early])]
    ways = [way for way in ways if word in way and way.index(word) == len(way) - 1]
    if not ways:
        raise GameError(
            f"nobody ever plays {word!r} in {tree.name!r}; give its word for folding: fold=..."
        )
    found = _cut(tree, number, sequences, ways)
    if not found.names:
        raise GameError(
            f"in {tree.name!r} nobody decides anything after the first {word!r}: no experts there"
        )
    code = f"wb.stitching.heads_up_experts(tree, {json.dumps(word)}, last_round={last_round})"
    return replace(found, code=code)


def round_experts(tree: GameTree, start: int = 1, *, by_betting: bool = True) -> GraftingPartition:
    """Experts take over at the beginning of a round; the first is round 0.

    One for each betting that leads there, as PsOpti's post-flop models (Billings et al. 2003),
    or a single one.
    """
    need_bool("by_betting", by_betting)
    later = rounds(tree) >= _round(tree, "start", start)
    code = f"wb.round_experts(tree, {start}, by_betting={by_betting})"
    if not by_betting:
        return replace(GraftingPartition.from_histories(tree, {f"round {start}": later}), code=code)
    number, sequences = betting(tree)
    first = later.copy()
    first[1:] &= ~later[tree.parent[1:]]
    ways = [sequences[k] for k in np.unique(number[first])]
    return replace(_cut(tree, number, sequences, ways, later), code=code)


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
    need_tree(tree)
    if not (cards is None or isinstance(cards, Iterable)):
        raise GameError(f"cards are like 'JQ' or ['J', 'Q'], not {cards!r}")
    if card is not None:
        need_function("card", card, "seen")
    elif any(isinstance(seen, tuple) and " " in str(seen[:1]) for seen in tree.seen):
        raise GameError(
            f"players of {tree.name!r} hold several cards; say what an expert is chosen by, for "
            "example card=lambda seen: seen[0]"
        )
    elif {label_of(_rank(seen)) for seen in tree.seen} & {"", "·"}:
        raise GameError(
            f"{tree.name!r} has decisions where nobody has seen a card; say what an expert is "
            "chosen by, for example card=lambda seen: seen"
        )
    look = _rank if card is None else card
    chosen = None if cards is None else [label_of(each) for each in as_tuple(cards)]
    if chosen is not None and len(set(chosen)) < len(chosen):
        raise GameError(f"a card has one expert; {', '.join(chosen)} has one twice")
    deciding = tree.infoset >= 0
    late = np.zeros(tree.num_infosets, np.bool_)
    late[tree.infoset[deciding]] = rounds(tree)[deciding] >= _round(tree, "start", start)
    held = []
    for infoset, seen in enumerate(tree.seen):
        try:
            held.append(label_of(look(seen)))
        except Exception as error:
            player = tree.infoset_player[infoset]
            error.add_note(f"(asked for player {player} who has seen {seen!r})")
            raise
    known = list(dict.fromkeys(held))
    for each in chosen or ():
        if each not in known:
            raise GameError(
                f"nobody holds {each!r} in {tree.name!r}{did_you_mean(each, known)} "
                f"Cards: {', '.join(known)}"
            )
    names = tuple(name for name in known if chosen is None or name in chosen)
    part = [names.index(name) + 1 if name in names else 0 for name in held]
    asked = "" if chosen is None else f", {json.dumps(chosen)}"
    code = f"wb.card_experts(tree{asked}, start={start})" if card is None else "part"
    return GraftingPartition(tree, names, np.where(late, np.array(part, np.int32), 0), code)


def _cut(
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


def _rank(seen: Any) -> Hashable:
    """Of a card in a tuple; of a text that says it all ("Qpb") the first letter."""
    if isinstance(seen, tuple) and seen:
        return cast("Hashable", rank_of(seen[0]))
    return seen[:1] if isinstance(seen, str) and seen else seen


def _round(tree: GameTree, option: str, value: int) -> int:
    last = int(rounds(tree).max(initial=0))
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not 0 <= value <= last:
        raise GameError(
            f"{option} must be a round of {tree.name!r}, which has rounds 0 to {last}, "
            f"not {value!r}"
        )
    return int(value)
