"""Buckets that differ by what has been bet: coarse for the base, finer for experts.

Everyday example: three buckets a round where the base plays, and after a raise four of them on the
flop, turn and river. Before the flop both know the same three: a player must not forget what she
has already decided with (perfect recall).

    MixedBuckets(base, part, {"r": fine})        everybody decides everywhere: the game of dynamic
                                                 experts
    MixedBuckets(…, expert="r", players=S,       players of S decide in the part of the expert only
                 base_probs=probs)            and follow the base elsewhere: the game of a
                                                 static one
    SeatedBuckets(one, other)                    each seat has buckets of its own
"""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.buckets import Buckets, HandBuckets
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.rules import GameError
from workbench.tree import FloatArray

Known = HoldemBuckets | HandBuckets  # the same for everybody, whatever has been bet


class MixedBuckets(Buckets):
    """The base's buckets, and those of each expert in her part."""

    def __init__(
        self, base: Known, part: BettingParts, experts: Mapping[str, Known],
        *, expert: str = "", players: Iterable[int] = (), base_probs: FloatArray | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.part = base.rules, part
        self.all = (base, *(experts[name] for name in part.names))
        self.expert, self.players = part.number(expert) if expert else 0, tuple(sorted(players))
        self.base_probs = base_probs  # (K,) of the game with the base's buckets; for three players
        # who all follow it, those of the first round
        self.nested = True
        for name, fine in zip(("", *part.names), self.all, strict=True):
            if not isinstance(fine, type(base)) or fine.rules != self.rules:
                raise GameError(f"{fine!r} are no buckets of {self.rules.name!r}")
            shared = [
                [one.cuts[r].cuts if isinstance(one, HoldemBuckets) else one.of_class[r]
                 for one in (fine, base)] for r in range(part.shared(name) if name else 0)
            ]  # fmt: skip
            apart = [r for r, (one, other) in enumerate(shared) if not np.array_equal(one, other)]
            if self.rules.players > 2:  # they meet on real deals only, whatever they know
                self.nested &= fine.nested and not apart
                continue
            if (
                isinstance(fine, HoldemBuckets)
                and isinstance(base, HoldemBuckets)
                and (fine.metric != base.metric or fine.labels or base.labels)
            ):
                raise GameError(
                    f"{fine!r} and {base!r} must cut the same signals: give both one metric, "
                    '"ehs" or "ehs2"'
                )
            if not fine.nested:
                raise GameError(
                    f"in {fine!r} players forget what they knew; experts need perfect recall: "
                    'recall="perfect"'
                )
            if apart:
                raise GameError(
                    f"expert {name!r} has {fine.name} buckets, the base {base.name}; in round "
                    f"{apart[0] + 1} they must be the same, because part {name!r} begins after "
                    "players have decided with them"
                )
        shown = [base.name, *(f"{name} {experts[name].name}" for name in part.names)]
        self.name = ", ".join(shown) + (f" for expert {expert} of {players}" if expert else "")

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal buckets and, in the game of an expert, equal play elsewhere."""
        said = (self.part.names, self.expert, self.players, [one.fingerprint for one in self.all])
        digest = hashlib.sha256(repr(said).encode())
        if self.base_probs is not None:
            digest.update(np.ascontiguousarray(self.base_probs).data)
        return digest.hexdigest()

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        found: dict[str, Any] = {"parts": " ".join(self.part.names), "name": self.name}
        for k, one in enumerate(self.all):
            found |= {f"{key} of {k}": value for key, value in one.saved().items()}
        if self.base_probs is not None:
            found |= {"seeding": self.base_probs, "expert": self.expert}
            found |= {"players": np.array(self.players)}
        return found

    @classmethod
    def restored(cls, rules: Any, saved: Any) -> "MixedBuckets":
        part = BettingParts(rules, tuple(str(saved["parts"]).split()))
        base, *others = (
            restored_buckets(rules, _under(saved, f" of {k}")) for k in range(len(part.names) + 1)
        )
        experts = dict(zip(part.names, others, strict=True))
        if "seeding" not in saved:
            return cls(base, part, experts)
        return cls(
            base, part, experts, expert=part.names[int(saved["expert"]) - 1],
            players=saved["players"].tolist(), base_probs=saved["seeding"],
        )  # fmt: skip


class SeatedBuckets(Buckets):
    """For a strategy that is put together of one for each seat."""

    def __init__(self, *seats: HoldemBuckets | MixedBuckets) -> None:
        self.seats, self.rules = seats, seats[0].rules
        self.name = " and ".join(one.name for one in seats)

    @property
    def nested(self) -> bool:
        return all(one.nested for one in self.seats)

    @cached_property
    def fingerprint(self) -> str:
        said = "seats " + " ".join(one.fingerprint for one in self.seats)
        return hashlib.sha256(said.encode()).hexdigest()

    def saved(self) -> dict[str, Any]:
        found: dict[str, Any] = {"seats": len(self.seats), "name": self.name}
        for k, one in enumerate(self.seats):
            found |= {f"{key} at {k}": value for key, value in one.saved().items()}
        return found


def restored_buckets(rules: Any, saved: Any) -> Any:
    """What `saved` of any kind of buckets has made; None of a strategy without."""
    if "name" not in saved:
        return None
    if "seats" in saved:
        seats = [_under(saved, f" at {k}") for k in range(int(saved["seats"]))]
        return SeatedBuckets(*(restored_buckets(rules, one) for one in seats))
    of_hands = HandBuckets if "buckets0" in saved else HoldemBuckets
    return (MixedBuckets if "parts" in saved else of_hands).restored(rules, saved)


def _under(saved: Any, suffix: str) -> dict[str, Any]:
    return {key.removesuffix(suffix): saved[key] for key in saved if key.endswith(suffix)}
