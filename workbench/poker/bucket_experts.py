"""Experts on card games: the same verbs as on trees, with buckets instead of abstractions.

A base with three buckets a round, and after a raise before the flop an expert with four of them on
each later round. `part` says where experts play, `base` and `abstraction` are buckets, "3333" or
from `wb.cluster_hands` (nested percentiles; the expert's are the base's until the first card after
her part has begun).

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

from dataclasses import dataclass, field
from functools import cached_property
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
    base = buckets_of(rules_of(rules, part), base)
    return MixedBuckets(base, part, experts_of(part, abstraction, base))


@dataclass(frozen=True, eq=False, repr=False)
class BucketStitching(Stitching):
    """A plan of experts without a tree: `tree` are the rules, `part` is a `BettingParts`, `base` a
    strategy or buckets, and `abstraction` buckets, for all experts or for each."""

    abstraction: Any = field(default=None, kw_only=True)
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
        for name in self.part.names:
            self._buckets(name)  # refuses what does not fit

    @cached_property
    def base_buckets(self) -> Any:
        """The buckets of the base."""
        if isinstance(self.base, PublicStrategy):
            played = self.base.played
            found = played.known[0] if played.lossless else played.buckets
        else:
            found = buckets_of(self.tree, self.base)
        pieces = isinstance(found, MixedBuckets) and not found.part.names  # of one kind of buckets
        return found.all[0] if pieces else found

    @cached_property
    def fine(self) -> dict[str, Known]:
        """The buckets of each expert."""
        return experts_of(self.part, self.abstraction, self.base_buckets)

    def _called(self, name: str) -> bool:
        return bool({*self.players} & {*self.tree.betting.follow(self.part.begins(name)).live})

    def _expert(self, name: str, seeding: PublicStrategy) -> Expert:
        run = self._solved(self.tree, f"expert {name!r}", abstraction=self._buckets(name, seeding))
        found: Any = run.strategy
        return Expert(name, run, found.played, found)

    def stitch(self) -> PublicStrategy:
        base, found = self.base_strategy, self.experts()
        game: Any = self.tree.public_game(MixedBuckets(self.base_buckets, self.part, self.fine))
        sources = {0: base} | {self.part.number(one.name): one.strategy for one in found}
        probs = np.zeros(game.num_choices, game.dtype)
        for part, of in sources.items():
            game.copy_choices(probs, of, game.layout.groups[:, PART] == part)
        both = PublicStrategy(base.tree, game, probs)
        if len(self.players) == game.num_players:
            return both
        seats: list[Any] = [both if i in self.players else base for i in range(game.num_players)]
        return seated(seats)  # type: ignore[return-value]

    def _size(self, name: str) -> int:
        return int(self.tree.public_game(self._buckets(name)).num_infosets)

    def _buckets(self, name: str, seeding: PublicStrategy | None = None) -> MixedBuckets:
        """The game of an expert."""
        held: Any = seeding and seeding.probs
        if seeding and len(self.players) == 3:  # what follows depends on the first round
            held = held[: 3 * seeding.played.flat.sizes[0] * self.base_buckets.classes[0]]
        return MixedBuckets(
            self.base_buckets, self.part.only(name), {name: self.fine[name]},
            expert=name, players=self.players, base_probs=held,
        )  # fmt: skip


def experts_of(part: BettingParts, abstraction: Any, base: Any) -> dict[str, Known]:
    """The buckets of each expert; if none are given, every hand, as soon as others may be known."""
    found, names = for_each(part, abstraction), part.rules.bucket_names
    if not isinstance(base, Known):
        raise GameError(
            f"base (or outside, if only sizes are asked) must be buckets, as {names[0]!r}, or a "
            f"strategy with one kind of them everywhere, not {shown(base)}; all parts are stitched "
            "on it at once"
        )
    for name, given in found.items():
        if not (given is None or (isinstance(given, str) and given == "null")):
            found[name] = buckets_of(part.rules, given)
        elif isinstance(base, HandBuckets):
            count, every = part.shared(name), HandBuckets.lossless(part.rules).of_class
            found[name] = HandBuckets(part.rules, (*base.of_class[:count], *every[count:]))
        else:
            raise GameError(
                f"{part.rules.name!r} has too many hands for an expert to know each; give buckets, "
                f"abstraction={names[0]!r} or wb.cluster_hands(rules, …)"
            )
    return found


def buckets_of(rules: Any, given: Any) -> Any:
    """What is given, by its name or as it is; if nothing is, every hand, where they are listed."""
    form = rules.public_game()
    if given is None and form.known:
        return form.known[0]
    return form.abstraction(given).coarse.buckets if isinstance(given, str) else given


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
