"""Experts on card games: the same verbs as on trees, with buckets instead of abstractions.

A base with three buckets a round, and after a raise before the flop an expert with four of them on
each later round. `part` says where experts play, `base` and `abstraction` are buckets from
`wb.cluster_hands` (nested percentiles; the expert's are the base's until the first card after her
part has begun).

    rules = wb.load_game("limit_holdem")
    fit = wb.fit_buckets(rules, 500_000, "S=N")
    base = wb.solve(rules, "cfr+", iterations=400, abstraction=fit.base).strategy
    both = wb.static_experts(
        rules, base, fit.part, players={0, 1}, abstraction=fit.experts, iterations=400
    )
    wb.sample_match({"S = N": both, "base": base}, deals=500_000)

    one = wb.static_experts(rules, base, part, players=0, …)     S = {0}: experts for seat 0 only
    wb.seated([one, other])                                      S = {i}: each seat with its own
    run = wb.dynamic_experts(rules, fit.base, fit.part, abstraction=fit.experts, iterations=400)

Inside a part all players have the expert's buckets, outside the base's; so `outside` is the base.
On Rhode Island an expert without `abstraction` knows every hand.

With three players a laptop has room for three buckets of hands a round. But in most hands somebody
folds before the flop, and what is left is a small game for two, with room for sixty: let experts
take over there (Abou Risk & Szafron 2010; Gibson & Szafron 2011, section 6):

    f      the button folds                                the blinds play on
    rf     the button raises, the small blind folds        the big blind and the button
    rrf    both of them raise, the big blind folds         the small blind and the button
    rcf    the small blind calls instead                   the same two, on the flop

    rules = wb.load_game("limit_holdem", players=3)
    part = wb.betting_experts(rules, ["f", "rf", "rrf", "rcf"])
    how = {"solver": "external-sampling", "abstraction": fine, "iterations": 250_000}
    team = wb.static_experts(rules, base, part, players={0, 1, 2}, **how)

With S = N, as here, an expert learns against the hands with which the base comes there. With S =
{i} her game is the whole game, in which the others play as they like, and takes as long as a base.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.evaluation.values import seated
from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.mixed_buckets import Known, MixedBuckets
from workbench.poker.engine.deal_walk import PART
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.rules import GameError, shown
from workbench.stitching.experts import Expert, Stitching
from workbench.stitching.joining import for_each
from workbench.tree import has_form, need_players


def dynamic_buckets(rules: Any, part: BettingParts, base: Any, abstraction: Any) -> MixedBuckets:
    """The abstraction of dynamic experts: the base's buckets, finer in the parts."""
    rules_of(rules, part)
    if not isinstance(base, Known):
        raise GameError(f"base must be buckets from wb.cluster_hands, not {shown(base)}")
    return MixedBuckets(base, part, experts_of(part, abstraction, base))


@dataclass(frozen=True, eq=False, repr=False)
class BucketStitching(Stitching):
    """A plan of experts without a tree: `tree` are the rules, `part` is a `BettingParts`, `base` a
    strategy or buckets, and `abstraction` buckets, for all experts or for each."""

    strategies: ClassVar[Any] = PublicStrategy
    mixed: ClassVar[Any] = staticmethod(dynamic_buckets)

    def _need_players(self) -> list[int]:
        object.__setattr__(self, "tree", rules_of(self.tree, self.part))
        return need_players(self.tree.public_game(), self.players)

    def _check(self) -> None:
        rules = self.tree
        late = [name for name in self.part.names if "/" in self.part.begins(name)[:-1]]
        if late and rules.players > 2:
            raise GameError(f"static experts of three begin before the flop, not after {late[0]!r}")
        if self.outside is not None or self.unreached != "uniform":
            raise GameError(
                f"outside and unreached are for trees: in {rules.name!r} players outside the parts "
                "know the base's buckets, and where nobody comes experts play at random"
            )
        if not isinstance(self.base, Known | PublicStrategy):
            raise GameError(
                f"base must be a strategy of {rules.name!r} or buckets, not {shown(self.base)}"
            )
        if not isinstance(self.base_buckets, Known):
            raise GameError(
                "experts are put onto a base with one kind of buckets, not onto "
                f"{self.base_buckets!r}"
            )
        for name in self.part.names:
            self._buckets(name)  # refuses what does not fit

    @property
    def base_buckets(self) -> Any:
        """The buckets of the base."""
        if isinstance(self.base, PublicStrategy):
            played = self.base.played
            return played.known[0] if played.lossless else played.buckets
        return self.base

    def _called(self, name: str) -> bool:
        return bool({*self._seats} & {*self.tree.betting.follow(self.part.begins(name)).live})

    def _expert(self, name: str, seeding: PublicStrategy) -> Expert:
        run = self._solved(self.tree, f"expert {name!r}", abstraction=self._buckets(name, seeding))
        found: Any = run.strategy
        return Expert(name, run, found.played, found)

    def stitch(self) -> PublicStrategy:
        base, found = self.base_strategy, self.experts()
        experts = experts_of(self.part, self.abstraction, self.base_buckets)
        game: Any = self.tree.public_game(MixedBuckets(self.base_buckets, self.part, experts))
        sources: dict[int, Any] = {0: base}
        sources |= {self.part.number(expert.name): expert.strategy for expert in found}
        probs = np.zeros(game.num_choices, game.dtype)
        for part, of in sources.items():
            game.copy_choices(probs, of, game.layout.groups[:, PART] == part)
        both = PublicStrategy(base.tree, game, probs)
        if len(self._seats) == game.num_players:
            return both
        seats: list[Any] = [both if i in self._seats else base for i in range(game.num_players)]
        return seated(seats)  # type: ignore[return-value]

    def _size(self, name: str) -> int:
        return int(self.tree.public_game(self._buckets(name)).num_infosets)

    def _buckets(self, name: str, seeding: PublicStrategy | None = None) -> MixedBuckets:
        """The game of an expert."""
        fine = experts_of(self.part, self.abstraction, self.base_buckets)[name]
        held: Any = None if seeding is None else seeding.probs
        if seeding is not None and len(self._seats) == 3:  # what follows depends on the first round
            held = held[: 3 * seeding.played.flat.sizes[0] * self.base_buckets.classes[0]]
        return MixedBuckets(
            self.base_buckets, self.part.only(name), {name: fine}, expert=name,
            players=self._seats, base_probs=held,
        )  # fmt: skip

    def _rule_code(self) -> str:
        return "buckets"


def experts_of(part: BettingParts, abstraction: Any, base: Any) -> dict[str, Known]:
    """The buckets of each expert; if none are given, every hand, as soon as others may be known."""
    if isinstance(base, HandBuckets) and (abstraction is None or abstraction == "null"):
        every = HandBuckets.lossless(part.rules).of_class
        shared = {name: part.shared(name) for name in part.names}
        return {
            name: HandBuckets(part.rules, (*base.of_class[:count], *every[count:]))
            for name, count in shared.items()
        }
    return for_each(part, abstraction)


def rules_of(game: Any, part: object) -> Any:
    """The rules of a game with parts: they may be given themselves, or their public game. Refuses
    what is no partition, or one of another game."""
    rules = getattr(game, "rules", game)
    if not has_form(rules):
        raise GameError(f"experts with buckets play card games, not {shown(game)}")
    if not isinstance(part, BettingParts):
        raise GameError(
            f"parts of the betting are needed here, not {type(part).__name__}: "
            "wb.betting_experts(rules, ['r', 'cr'])"
        )
    if part.rules != rules:
        raise GameError(f"{part!r} are not of {rules.name!r}")
    return rules
