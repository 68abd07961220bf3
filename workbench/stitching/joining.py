"""Joining: the game of an expert, and experts and base in one strategy.

**Fixing** hands some decisions over to chance, which then plays them as a strategy would. Everyday
example: you practise against a machine that always plays the same way. To you its moves are luck
with known odds, like the cards. So the game with some decisions fixed is a game again, with fewer
decisions: every solver and judge works on it as on any other.

    at a history h of a fixed information set I
        player      chance
        edge ha     weight σ(I, a), no choice
    everywhere else nothing changes; the information sets that are left are numbered anew

It is the game of an expert, the game of a student who trains against one opponent, and, with a coin
flip before it, a restricted Nash response. Every history stays where it was, also behind a move of
probability zero, so arrays over histories serve both games. Nothing can be learnt at an information
set that lies wholly behind such moves; `unreached` says which these are.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> fixed = fix_players(bold, 1)  # player 1 always bets and calls
>>> fixed.tree
GameTree 'kuhn [fixed]': 2 players, 58 histories, 6 infosets, 12 choices
>>> both = fixed.lift(Strategy.uniform(fixed.tree))  # a strategy of Kuhn again
>>> both.at("J"), both.at("J p")
({'p': 0.5, 'b': 0.5}, {'p': 0.0, 'b': 1.0})

**Experts.** With players S, a base σ and a grafting partition G (Gibson & Szafron 2011, Definition
3.2):

    game Γ^j of expert j    a player i in S decides in G_ij only; elsewhere chance plays σ_i
                            players outside S decide everywhere
    expert σ^j              any strategy profile of Γ^j
    stitched σ^S            for i in S: σ_i in G_i0, σ^j_i in G_ij;  for the others: σ

Where the base never goes. If σ gives the moves that lead to G_ij probability zero, nothing can be
learnt there: whatever the expert does changes nobody's winnings in Γ^j. And a solver's average
seldom holds a clean zero, but leftovers of its first iterations, 0.0001 or so. It then depends on
such leftovers how an expert plays that an opponent can lead to in one move. Both rules are here:

    residual = 0        (default) leftovers count: experts learn from whoever still arrives
    residual = 0.01     base probabilities below 0.01 count as zero while experts learn
    unreached           what is played where then nobody arrives: "uniform" (what CFR leaves
                        where it learns nothing) or "base" (the base plays on)
    tremble = 0.01      while experts learn, the base makes one move in a hundred at random: then
                        somebody comes everywhere, however the base plays (Selten 1975)

In two-player Leduc this decides whether experts behind `cc/` make a strategy (S = N) less
exploitable than anything else or nearly as exploitable as its base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.abstraction.abstraction import (
    Abstraction,
    AbstractionFunction,
    chain,
    list_abstractions,
    name_of,
    piecewise,
)
from workbench.abstraction.abstraction import Rule as AbstractionRule
from workbench.passes import luck
from workbench.rules import GameError
from workbench.settings import need_number
from workbench.stitching.partition import GraftingPartition, need_partition
from workbench.strategy import Strategy, need_numbers, need_profile, need_strategy
from workbench.tree import (
    CHANCE,
    GameTree,
    IntArray,
    derived,
    frozen,
    need_players,
    need_tree,
)

Unreached = Literal["uniform", "base"]


# ---- some decisions are chance's -------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Fixed:
    """Two trees with the same histories, and the map between their choices."""

    strategy: Strategy  # of the full game: what the fixed decisions play
    tree: GameTree  # what is left to decide
    choice_map: IntArray  # (K of full,) the choice in `tree`, -1 where it is fixed

    def __post_init__(self) -> None:
        full, left = need_strategy(self.strategy).tree, need_tree(self.tree)
        whose = f"what is fixed of {full.name!r}"
        numbers = need_numbers("choice_map", self.choice_map, (full.num_choices,), whose, np.int32)
        if not np.all((numbers >= -1) & (numbers < left.num_choices)):
            raise GameError(
                f"choice_map must be -1 or one of the {left.num_choices:,} choices of {left.name!r}"
            )
        object.__setattr__(self, "choice_map", frozen(numbers))

    @property
    def full(self) -> GameTree:
        """The game before anything was fixed."""
        return self.strategy.tree

    def lift(self, strategy: Strategy) -> Strategy:
        """The strategy of the full game: this one where it decides, else what was fixed."""
        probs, free = self.strategy.probs.copy(), self.choice_map >= 0
        probs[free] = need_strategy(strategy, self.tree).probs[self.choice_map[free]]
        return Strategy(self.full, probs)

    def restrict(self, strategy: Strategy) -> Strategy:
        """The strategy of what is left to decide that plays like one of the full game."""
        probs, free = np.empty(self.tree.num_choices), self.choice_map >= 0
        probs[self.choice_map[free]] = need_strategy(strategy, self.full).probs[free]
        return Strategy(self.tree, probs)

    @property
    def unreached(self) -> NDArray[np.bool_]:
        """(M of tree,) True where chance never leads, however the others play."""
        there, deciding = np.zeros(self.tree.num_infosets), self.tree.infoset >= 0
        np.maximum.at(there, self.tree.infoset[deciding], luck(self.tree)[deciding])
        return np.asarray(there == 0.0)

    def __repr__(self) -> str:
        return (
            f"Fixed {self.full.name!r}: {self.tree.num_infosets:,} of "
            f"{self.full.num_infosets:,} infosets left to decide"
        )


def fix(strategy: Strategy, fixed: ArrayLike) -> Fixed:
    """Let chance play `strategy` at the information sets where `fixed`, (M,), is True."""
    tree = need_strategy(strategy).tree
    mask = np.asarray(fixed)
    if mask.dtype != np.bool_ or mask.shape != (tree.num_infosets,):
        raise GameError(
            f"fixed must say True or False for each of the {tree.num_infosets:,} information sets "
            f"of {tree.name!r}, not {mask.dtype} of shape {mask.shape}"
        )
    if not mask.any():
        return Fixed(strategy, tree, np.arange(tree.num_choices, dtype=np.int32))
    deciding = tree.infoset >= 0
    given = np.zeros(tree.num_histories, np.bool_)  # (N,) h is now a move of chance
    given[deciding] = mask[tree.infoset[deciding]]
    below = np.zeros(tree.num_histories, np.bool_)  # (N,) the edge into h is one of its moves
    below[1:] = given[tree.parent[1:]]
    chance, outcome = tree.chance.copy(), tree.outcome.copy()
    chance[below] *= strategy.probs[tree.choice[below]]
    rows = {name: row for row, name in enumerate(tree.outcomes)}
    named = np.array([rows.setdefault(action, len(rows)) for action in tree.actions], np.int32)
    outcome[below] = named[tree.choice[below]]
    left, choice_map = derived(  # players see here what they always saw
        tree,
        name=tree.name if tree.name.endswith(" [fixed]") else f"{tree.name} [fixed]",
        player=np.where(given, CHANCE, tree.player).astype(np.int8),
        infoset=np.where(given, -1, tree.infoset).astype(np.int32),
        choice=np.where(below, -1, tree.choice).astype(np.int32),
        chance=chance,
        outcome=outcome,
        outcomes=tuple(rows),
    )
    return Fixed(strategy, left, choice_map)


def fix_players(strategy: Strategy, players: Iterable[int] | int) -> Fixed:
    """Let chance play every decision of these players."""
    tree = need_strategy(strategy).tree
    return fix(strategy, np.isin(tree.infoset_player, need_players(tree, players)))


def fix_others(strategy: Strategy, player: int) -> Fixed:
    """Only `player` decides: her best strategy in this game is her best response.

    >>> import workbench as wb
    >>> fix_others(Strategy.uniform(wb.compile_game(wb.load_game("leduc"))), 0)
    Fixed 'leduc': 468 of 936 infosets left to decide
    """
    tree = need_strategy(strategy).tree
    return fix(strategy, tree.infoset_player != need_players(tree, (player,))[0])


# ---- experts -----------------------------------------------------------------------------


def expert_game(
    base: Strategy, part: GraftingPartition, expert: str, players: Iterable[int] | int
) -> Fixed:
    """Γ^j: what is left to decide when the players of S follow the base outside the part.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
    >>> part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"])
    >>> expert_game(Strategy.uniform(tree), part, "r", {0, 1})
    Fixed 'leduc(suit_isomorphism=True)': 114 of 288 infosets left to decide
    """
    tree = need_strategy(base).tree
    need_partition(part, tree)
    ours = np.isin(tree.infoset_player, need_players(tree, players))
    return fix(base, ours & (part.part != part.number(expert)))


def stitch(
    base: Strategy,
    part: GraftingPartition,
    experts: Mapping[str, Strategy],
    players: Iterable[int] | int | None = None,
) -> Strategy:
    """The base, and in each named part its expert's strategy; for `players`, or for everybody."""
    tree = need_strategy(base).tree
    need_partition(part, tree)
    chosen = range(tree.num_players) if players is None else need_players(tree, players)
    ours = np.isin(tree.infoset_player, chosen)
    if not isinstance(experts, Mapping):
        raise GameError(
            "experts are named: {'r': strategy, …}, one for each part that gets one; "
            f"not {type(experts).__name__}"
        )
    probs = base.probs.copy()
    for name, expert in experts.items():
        here = (ours & (part.part == part.number(name)))[tree.choice_infoset]
        probs[here] = need_strategy(expert, tree).probs[here]
    return Strategy(tree, probs)


def cut(strategy: Any, residual: float) -> Any:
    """The strategy without probabilities below `residual`; what is left is scaled up to one.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("kuhn"))
    >>> careful = Strategy.from_function(tree, lambda *_: {"p": 0.999, "b": 0.001})
    >>> cut(careful, 0.01).at("J")
    {'p': 1.0, 'b': 0.0}
    """
    if need_number("residual", residual, below=likely(type(strategy))) == 0.0:
        return strategy
    kept = need_profile(strategy).probs >= residual
    if isinstance(strategy, Strategy):  # of many moves all may be below
        tree = strategy.tree
        most = np.maximum.reduceat(strategy.probs, tree.first_choice[:-1])
        kept |= strategy.probs == most[tree.choice_infoset]
    return strategy.weighted(np.where(kept, strategy.probs, 0.0))


def likely(kind: type) -> float:
    """A residual must be below this. Trees keep the likeliest of many moves in any case; in card
    games there are three, and one of them has a third at least."""
    return 0.5 if issubclass(kind, Strategy) else 1 / 3


def trembling(strategy: Any, often: float) -> Any:
    """The strategy, tree or not, that makes a move at random this often, each as likely.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("kuhn"))
    >>> never = Strategy.from_function(tree, lambda *_: "p")
    >>> trembling(never, 0.01).at("J")
    {'p': 0.995, 'b': 0.005}
    """
    if need_number("tremble", often, most=1.0) == 0.0:
        return strategy
    slips = need_profile(strategy).weighted(np.zeros(len(strategy.probs))).probs
    return replace(strategy, probs=(1 - often) * strategy.probs + often * slips, run_id="")


def keep_base(game: Fixed, answer: Strategy, base: Strategy) -> Strategy:
    """An answer in the full game, but the base's play wherever nobody arrives in Γ^j."""
    probs, alone = game.restrict(answer).probs, game.unreached[game.tree.choice_infoset]
    return game.lift(Strategy(game.tree, np.where(alone, game.restrict(base).probs, probs)))


# ---- what an expert's game forgets: one rule inside the parts, another elsewhere ---------

NamedRule = str | AbstractionRule | None  # None: nothing is forgotten
Rule = NamedRule | Abstraction
Rules = Rule | Mapping[str, Rule]  # one for all experts, or one for each


class _Base(Enum):
    """The place where the base plays. No name of an expert equals it, not even the empty one; a
    label leaves it out."""

    PLAYS = ""

    def __str__(self) -> str:
        return ""


def expert_rule(
    tree: GameTree, part: GraftingPartition, base: Rule, abstraction: Rules = "null"
) -> AbstractionFunction:
    """The abstraction of dynamic experts: `base` where the base plays, finer in the parts.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("leduc"))
    >>> part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"])
    >>> wb.abstract(tree, expert_rule(tree, part, "JQ-K"))
    Abstraction 'JQ-K with experts' of 'leduc': 936 -> 444 infosets

    Give it to `solve`, to `abstract`, or to `static_experts` for experts that are themselves
    dynamic. A set that a rule would spread over two parts is split at the border.
    """
    need_partition(part, tree)
    return piecewise(
        _place(part, part.names),
        {_Base.PLAYS: rule_for(tree, base), **rules_of(tree, part, abstraction)},
        name=f"{_name(base)} with experts",
    )


def inside_and_outside(
    tree: GameTree, part: GraftingPartition, name: str, inside: AbstractionFunction, outside: Rule
) -> AbstractionFunction:
    """One rule in the part of an expert, another elsewhere."""
    rules = {_Base.PLAYS: rule_for(tree, outside), name: inside}
    return piecewise(_place(part, (name,)), rules, name=f"expert {name}")


def _place(part: GraftingPartition, names: tuple[str, ...]) -> Any:
    """place(player, seen): the name of the part; `_Base` also for parts not named."""
    shown = [_Base.PLAYS, *(name if name in names else _Base.PLAYS for name in part.names)]
    where, parts = part.tree.infoset_of, part.part.tolist()
    return lambda player, seen: shown[parts[where[player, seen]]]


def rules_of(
    tree: GameTree, part: GraftingPartition, abstraction: Rules
) -> dict[str, AbstractionFunction]:
    """A rule for each expert."""
    return {name: rule_for(tree, rule) for name, rule in for_each(part, abstraction).items()}


def for_each(part: Any, abstraction: Any) -> dict[str, Any]:
    """What is forgotten in each part: one thing in all of them, or {expert: what}."""
    if not isinstance(abstraction, Mapping):
        return dict.fromkeys(part.names, abstraction)
    for name in abstraction:
        part.number(name)
    if missing := [name for name in part.names if name not in abstraction]:
        raise GameError(f"abstraction: expert {missing[0]!r} has none; give one for each")
    return {name: abstraction[name] for name in part.names}


def rule_code(rule: Any, own: str = "rule", game: str = "rules") -> str:
    """A rule as Python: its name, or what makes it; what is one's own has a name, or is `own`."""
    if rule is None or repr(rule).startswith("wb."):
        return repr(rule)
    if made := getattr(rule, "made", ""):
        return str(made).replace("(rules,", f"({game},", 1)
    name = _name(rule)
    if isinstance(rule, str):
        return f'"{name}"'
    known = list_abstractions(rule.full) if isinstance(rule, Abstraction) else ()
    return name if name.isidentifier() and name not in known else own


def _name(rule: Rule) -> str:
    return rule.name if isinstance(rule, Abstraction) else "null" if rule is None else name_of(rule)


def _as_merged(tree: GameTree, ab: Abstraction) -> AbstractionFunction:
    """An abstraction of this game as a rule: a set is called what its coarse one is."""
    if not ab.full.same_as(tree):
        raise GameError(f"{ab!r} is not of {tree!r}; abstract that one, or give the rule")
    where, first, coarse = tree.infoset_of, tree.first_choice.tolist(), ab.infoset_map.tolist()

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Any, list[Any]]:
        infoset = where[player, seen]
        if coarse[infoset] < 0:  # the coarse game never comes here, but an expert's may
            return ("uncovered", seen), list(actions)
        there = ab.choice_map[first[infoset] : first[infoset + 1]].tolist()
        names = [ab.coarse.actions[c] if c >= 0 else None for c in there]
        return ("covered", ab.coarse.seen[coarse[infoset]]), names

    return rule


def rule_for(tree: GameTree, rule: Rule) -> AbstractionFunction:
    """A rule by its name. Games without a null abstraction of their own forget nothing in it."""
    known = list_abstractions(tree)
    if rule is None or (isinstance(rule, str) and rule == "null" and "null" not in known):
        return lambda player, seen, actions: seen
    if isinstance(rule, Abstraction):
        return _as_merged(tree, rule)
    return chain(rule).for_tree(tree)
