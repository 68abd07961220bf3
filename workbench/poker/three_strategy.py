"""A strategy of limit Hold'em for three: a base, and experts that take over after some betting.

Everyday example: a general practitioner who sends you to a specialist as soon as she knows what it
is. The base plays until the betting is one of its experts' ("rf": the button has raised, the small
blind has folded), and from there on the expert does, who tells apart twenty times as many hands.

It plays for all three seats, and may be asked as a policy: `at(("A♥ K♥", "Q♥ J♥ 2♣", "rfc/"))`.
Nobody knows how exploitable it is: with three players and imperfect recall there is no best
response to be had. Let it play: wb.sample_match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from workbench.files import fitting, load_arrays, save_arrays
from workbench.poker.betting_tree import BettingTree, Longs, betting_tree
from workbench.poker.board_sets import PAIRS
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.holdem_signals import bucket_after
from workbench.poker.public_strategy import need_form
from workbench.poker.three_deals import BEGIN, BUCKETS, FROM, TO, Slots, part_of
from workbench.rules import GameError, shown
from workbench.strategy import need_numbers, need_probabilities, need_same_game, run_of
from workbench.tree import FloatArray

if TYPE_CHECKING:
    from pathlib import Path

Parts = tuple[tuple[str, HoldemBuckets], ...]  # the betting before it, and the buckets from there
KIND = "strategy for three"


def spans_of(tree: BettingTree, parts: Parts) -> Longs:
    """(parts, rounds, 4): from, to, begin, buckets; see three_deals.py."""
    found, begin = np.zeros((len(parts), len(tree.sizes), 4), np.int64), 0
    for part, (after, buckets) in enumerate(parts):
        for r, (low, high) in enumerate(tree.blocks(after).tolist()):
            found[part, r] = low, high, begin, buckets.classes[r]
            begin += (high - low) * buckets.classes[r]
    return found


def count_spots(spans: Longs) -> int:
    """How many information sets all parts have room for."""
    return int(((spans[..., TO] - spans[..., FROM]) * spans[..., BUCKETS]).sum())


@dataclass(frozen=True, eq=False, repr=False)
class ThreeStrategy:
    """Three probabilities a spot: of part 0 in `outside`, of all others in `inside`."""

    tree: Any  # the ThreeGame it is a strategy of
    parts: Parts
    outside: Slots
    inside: Slots
    run_id: str = ""

    def __post_init__(self) -> None:
        for values in (self.outside, self.inside):
            values.flags.writeable = False

    @property
    def _betting(self) -> BettingTree:
        return betting_tree(self.tree.rules.betting)

    @cached_property
    def spans(self) -> Longs:
        """(parts, rounds, 4) where it finds its spots; those of experts are counted anew."""
        found = spans_of(self._betting, self.parts)
        found[1:, :, BEGIN] -= len(self.outside) // 3
        return found

    @property
    def num_infosets(self) -> int:
        """The spots it keeps probabilities for."""
        return (len(self.outside) + len(self.inside)) // 3

    @property
    def experts(self) -> tuple[str, ...]:
        """The betting after which an expert plays."""
        return tuple(after for after, _ in self.parts[1:])

    def __repr__(self) -> str:
        of_run = f", from run {self.run_id}" if self.run_id else ""
        helped = f", experts {' '.join(self.experts)}" if self.experts else ""
        return (
            f"ThreeStrategy of {self.tree.name!r}: {self.num_infosets:,} infosets{helped}{of_run}"
        )

    # ---- looking -----------------------------------------------------------------------

    def at(self, seen: Any, player: int | None = None) -> dict[str, float]:
        """`{action: probability}` where a player has seen `seen`, as the rules spell it."""
        rules = self.tree.rules
        try:
            private, public, betting = rules.spot(seen)
            node, at = self._betting.node(betting), rules.betting.follow(betting)
            fits = len(public) == sum(rules.public_cards[: at.round + 1]) and len(private) == 2
        except (GameError, ValueError, TypeError, IndexError):
            fits = False
        if not fits or not at.actions or len({*private, *public}) < len(private) + len(public):
            raise GameError(
                f"a strategy of {self.tree.name!r} is asked about {shown(seen)}, which it does not "
                "know; play the game it was made for"
            )
        place = node - int(self._betting.first[at.round])
        part = part_of(self.spans, at.round, place)
        bucket = self.parts[part][1].sequence(private, public)[-1]
        probs = self._probs(part, at.round, place)[bucket]
        return {action: float(probs["fcr".index(action)]) for action in at.actions}

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        """As a policy is asked; see `workbench.policies`."""
        known = self.at(seen)
        return [known[action] for action in actions]

    def preflop(self, betting: str) -> FloatArray:
        """(1326, 3) how often each pair of cards folds, calls and raises after this betting."""
        buckets = self.parts[0][1]
        node = self._betting.node(betting)
        cut, signals = buckets.cuts[0], buckets.cards.preflop
        held = [int(bucket_after(cut, 0, signals[pair])) for pair in range(PAIRS)]
        return self._probs(part_of(self.spans, 0, node), 0, node)[held].astype(np.float64)

    def _probs(self, part: int, r: int, place: int) -> Slots:
        """(buckets, 3) of one node."""
        low, _, begin, count = self.spans[part, r].tolist()
        values = self.inside if part else self.outside
        spot = begin + (place - low) * count
        return values[3 * spot : 3 * (spot + count)].reshape(count, 3)

    # ---- judging -----------------------------------------------------------------------

    def _not_judged(self) -> NoReturn:
        raise GameError(
            f"in {self.tree.name!r} three players forget what they knew, and nobody can say how "
            "exploitable a strategy is; let it play: wb.sample_match"
        )

    def gains(self) -> FloatArray:
        self._not_judged()

    def exploitability(self) -> float:
        self._not_judged()

    def best_response(self, player: int) -> tuple[float, Any]:
        self._not_judged()

    def expected_values(self, *others: ThreeStrategy) -> FloatArray:
        self._not_judged()

    # ---- keeping -----------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write to an npz file; a reader can check that it is whole, and whose game it is."""
        return save_arrays(path, KIND, **self.saved())

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        found = {"probs": self.outside, "inside": self.inside, "run": self.run_id}
        found |= {"game": self.tree.name, "fingerprint": self.tree.fingerprint}
        found |= {"parts": np.array([after for after, _ in self.parts])}
        for part, (_, buckets) in enumerate(self.parts):
            found |= {f"{part} {name}": value for name, value in buckets.saved().items()}
        return found

    @classmethod
    def load(cls, path: str | Path, rules: Any) -> ThreeStrategy:
        """Read what `save` wrote; refuse a damaged file, or a strategy of another game."""
        return cls.restored(load_arrays(path, KIND), rules, str(path))

    @classmethod
    def restored(cls, saved: Any, rules: Any, where: str) -> ThreeStrategy:
        """The strategy out of its arrays, which were kept in `where`."""
        real = need_form(rules)
        need_same_game(where, saved, rules.name, real.fingerprint, "the rules it was made for")
        with fitting(where):
            parts = []
            for part, after in enumerate(saved["parts"].tolist()):
                begins = f"{part} "
                own = {k.removeprefix(begins): v for k, v in saved.items() if k.startswith(begins)}
                parts.append((str(after), HoldemBuckets.restored(real.rules, own)))
            tree = betting_tree(real.rules.betting)
            spans = spans_of(tree, tuple(parts))
            sizes = [3 * count_spots(spans[:1]), 3 * count_spots(spans[1:])]
            both = [
                need_numbers(
                    "probabilities",
                    saved[name],
                    (size,),
                    f"a strategy of {rules.name!r}",
                    np.float32,
                )
                for name, size in zip(("probs", "inside"), sizes, strict=True)
            ]
            for probs, some in zip(both, (spans[:1], spans[1:]), strict=True):
                need_probabilities(
                    probs, partial(_sum_spots, tree, some),
                    lambda spot: f"spot {spot} the probabilities of allowed moves are wrong",
                    rounding=1e-5,
                )  # fmt: skip
            outside, inside = both
            return cls(real, tuple(parts), outside, inside, run_of(saved))


def _sum_spots(tree: BettingTree, spans: Longs, values: Slots) -> FloatArray:
    """An array over the slots of some parts, added up at each spot; nan where a move that is not
    allowed there has something."""
    found, begin = [np.zeros(0, np.float32)], 0
    for part in spans:
        for first, (low, high, _, count) in zip(tree.first, part.tolist(), strict=False):
            never = tree.child[first + low : first + high, None] == 0
            end = begin + 3 * (high - low) * count
            slots = values[begin:end].reshape(high - low, count, 3)
            wrong = ((slots != 0.0) & never).any(axis=2)
            found.append(np.where(wrong, np.nan, slots.sum(axis=2)).ravel())
            begin = end
    return np.concatenate(found)


def stitched(base: ThreeStrategy, experts: Mapping[str, ThreeStrategy]) -> ThreeStrategy:
    """The base, and from each betting on the expert that was trained there."""
    own = {after: one.parts[0] for after, one in experts.items()}
    if wrong := [after for after, (place, _) in own.items() if place != after]:
        raise GameError(f"the expert for {wrong[0]!r} was trained after {own[wrong[0]][0]!r}")
    inside = np.concatenate([np.zeros(0, np.float32), *(one.outside for one in experts.values())])
    return ThreeStrategy(base.tree, (base.parts[0], *own.values()), base.outside, inside)


def seats_joined(each: Mapping[int, ThreeStrategy]) -> ThreeStrategy:
    """One expert out of those that players have trained for themselves, each the last part of a
    strategy: everybody plays her own."""
    one = next(iter(each.values()))
    tree, (after, buckets) = one._betting, one.parts[-1]
    owner = [
        np.repeat(tree.info[first + low : first + high] & 3, 3 * count)
        for (low, high), first, count in zip(
            tree.blocks(after).tolist(), tree.first.tolist(), buckets.classes, strict=False
        )
    ]
    whose = np.concatenate(owner)
    probs = np.zeros(len(whose), np.float32)
    for player, sigma in each.items():
        probs[whose == player] = sigma.inside[whose == player]
    return ThreeStrategy(one.tree, ((after, buckets),), probs, np.zeros(0, np.float32))
