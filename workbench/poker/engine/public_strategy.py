"""A strategy of a card game without a tree: probabilities for buckets, judged exactly.

It plays for both seats, knows what a hand is worth against it, and may be asked as a policy:

>>> import workbench as wb
>>> rules = wb.load_game("rhode_island", ranks=3, suits=2)
>>> sigma = PublicStrategy.uniform(rules)
>>> sigma.at(("A♥", "", "r"))
{'f': 0.3333333333333333, 'c': 0.3333333333333333, 'r': 0.3333333333333333}
>>> round(wb.exploitability(sigma), 2) > 0
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from workbench.files import fitting, load_arrays, save_arrays
from workbench.poker.betting.betting_tree import MOVES
from workbench.poker.buckets.mixed_buckets import restored_buckets
from workbench.poker.cards.boards import round_of
from workbench.poker.engine.deal_walk import BUCKET, CHOICE, FIRST, KIND, NODE
from workbench.rules import GameError, need_rules, shown
from workbench.settings import need_whole
from workbench.strategy import need_numbers, need_probabilities, need_same_game, run_of
from workbench.tree import FloatArray, IntArray, has_form

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd


def need_form(rules: Any) -> Any:
    """The game that rules bring along; refused if they bring none."""
    if not has_form(need_rules(rules)):
        raise GameError(f"{rules.name!r} is no card game without a tree; use wb.Strategy")
    return rules.public_game()


SAVED = "strategy of public states"


@dataclass(frozen=True, eq=False, repr=False)
class PublicStrategy:
    """`probs[c]` is the probability of a choice of `played`, whose buckets it can tell apart;
    `tree` is the game it is a strategy of: the same one, or the real game."""

    tree: Any  # a `CardGame`, as `played`
    played: Any
    probs: FloatArray  # (K,) of `played`
    run_id: str = ""

    thinks: ClassVar[str] = "workbench.poker.search.thinking:CardMind"  # for a `Searcher`

    # ---- judging -----------------------------------------------------------------------

    def gains(self, values: bool = True) -> FloatArray:
        """(2,) what each player would win by deviating alone; without `values`, what she wins."""
        value = self.expected_values() if values else 0.0
        if not self.tree.judged:
            raise GameError(self.tree.unjudged)
        if not self.tree.perfect_recall:
            raise GameError(
                f"in {self.tree.name!r} a player forgets what she knew, so there is no exact best "
                "response; take the strategy of the real game, run.strategy"
            )
        probs = self.tree.spelled_out(self)
        return np.array([self.tree.worth(player, probs) for player in (0, 1)]) - value

    def exploitability(self) -> float:
        """The mean gain; what both win at best, because what one wins the other loses."""
        return float(self.gains(values=False).mean())

    def expected_values(self, *others: PublicStrategy) -> FloatArray:
        """(2,) what both seats win; with another strategy in the second seat, if one is given."""
        other = others[0] if others else self
        if not isinstance(other, PublicStrategy) or other.tree.rules != self.tree.rules:
            raise GameError(f"{other!r} is no strategy of {self.tree.name!r}; they cannot meet")
        game = self.played.real
        value = game.worth(0, game.spelled_out(other), game.spelled_out(self))
        return np.array([value, -value])

    def best_response(self, player: int) -> tuple[float, PublicStrategy]:
        """What a player wins at best, and the profile in which she does."""
        player = need_whole("player", player, 0, 1)
        if not self.tree.judged:
            self.gains()  # says why not
        full = self.tree.real
        theirs = full.spelled_out(self)
        probs = theirs.copy()
        return full.worth(player, theirs, chosen=probs), PublicStrategy(full, full, probs)

    def weighted(self, weights: FloatArray) -> PublicStrategy:
        """Another one of the same game, proportional to weights ≥ 0."""
        return replace(self, probs=self.played.matched(weights), run_id="")

    # ---- looking -----------------------------------------------------------------------

    def at(self, seen: Any, player: int | None = None) -> dict[str, float]:
        """`{action: probability}` where a player has seen `seen`, as the rules spell it."""
        rules: Any = self.tree.rules
        try:
            private, public, betting = rules.spot(seen)
            node, at = self.played.flat.node(betting), rules.betting.follow(betting)
        except (GameError, ValueError, TypeError, IndexError):
            node = -1
        if node < 0 or not at.actions or len(public) != sum(rules.public_cards[: at.round + 1]):
            raise GameError(
                f"a strategy of {self.tree.name!r} is asked about {shown(seen)}, which it does not "
                "know; play the game it was made for"
            )
        bucket = self._buckets(betting).at(private, public)
        if bucket < 0:
            raise GameError(f"{shown(seen)} names a card twice; a deck has each card once")
        (mix,) = self._mix(betting, np.array([bucket])).tolist()
        return dict(zip(at.actions, mix, strict=True))

    def on(self, public: Sequence[int], betting: str) -> FloatArray:
        """(H, moves) what each hand does on public cards, after betting where somebody decides; of
        hands that share a card with them, anything."""
        return self._mix(betting, np.maximum(self._buckets(betting).on(public), 0))

    def _group(self, betting: str) -> Any:
        layout = self.played.layout
        return layout.groups[layout.group[self.played.flat.node(betting)]]

    def _buckets(self, betting: str) -> Any:
        return self.played.kinds[self._group(betting)[KIND]]

    def _mix(self, betting: str, bucket: IntArray) -> FloatArray:
        """(n, moves) what n buckets do."""
        group, node = self._group(betting), self.played.flat.node(betting)
        first = group[FIRST] + node * group[NODE] + bucket[:, None] * group[BUCKET]
        moves = self.played.rules.betting.follow(betting).actions
        choices = first + group[CHOICE] * np.array([MOVES.index(move) for move in moves])
        return np.asarray(self.probs[choices], np.float64)

    def probabilities(self, player: int, seen: Any, actions: Sequence[Any]) -> list[float]:
        """As a policy is asked; see `workbench.policies`."""
        known = self.at(seen)
        return [known[action] for action in actions]

    def table(self, board: str = "") -> pd.DataFrame:
        """One row per choice in the round of these public cards ("K♥ 2♥"; none: the first round),
        as `Strategy.table`; of hands that differ only in the names of suits the first (in Hold'em:
        of hands that share a bucket)."""
        import pandas as pd

        rules: Any = self.tree.rules
        public = rules.deck.parse(board)
        r = round_of(rules, public)
        one, limit = rules.betting.rounds[r], rules.betting
        starts = [""]
        for before in limit.rounds[:r]:
            starts = [f"{text}{end}/" for text in starts for end in before.ends]
        seen_classes, rows = set(), []
        for hand in rules.deck.hands(rules.private_cards).tolist():
            found = self.played.alike(hand, public)
            if found is None or found in seen_classes:
                continue
            seen_classes.add(found)
            for start in starts:
                for text, player in zip(one.text, one.kind, strict=True):
                    if player < 2:
                        seen = rules.seen_with(hand, public, start + text)
                        label = " ".join(filter(None, seen))
                        rows += [(player + 1, label, *pair) for pair in self.at(seen).items()]
        return pd.DataFrame(rows, columns=["player", "information set", "action", "probability"])

    def __repr__(self) -> str:
        of_run = f", from run {self.run_id}" if self.run_id else ""
        return (
            f"PublicStrategy of {self.tree.name!r}: {self.played.num_infosets:,} infosets{of_run}"
        )

    # ---- keeping -----------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write to an npz file; a reader can check that it is whole, and whose game it is."""
        return save_arrays(path, SAVED, **self.saved())

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        whose = {"game": self.tree.name, "fingerprint": self.played.fingerprint, "run": self.run_id}
        buckets = {} if self.played.lossless else self.played.buckets.saved()
        return {"probs": self.probs, **whose, **buckets}

    @classmethod
    def load(cls, path: str | Path, rules: Any) -> PublicStrategy:
        """Read what `save` wrote; refuse a damaged file, or a strategy of another game."""
        return cls.restored(load_arrays(path, SAVED), rules, str(path))

    @classmethod
    def restored(cls, saved: Any, rules: Any, where: str) -> PublicStrategy:
        """The strategy of the real game out of its arrays, which were kept in `where`."""
        real = need_form(rules)
        with fitting(where):
            played = rules.public_game(restored_buckets(rules, saved))
        need_same_game(where, saved, rules.name, played.fingerprint, "the rules it was made for")

        def at(infoset: int) -> str:
            total = played.sums(probs)[infoset]
            return f"infoset {infoset} of {played.name!r} the probabilities sum to {total}"

        with fitting(where):
            shape, whose = (played.num_choices,), f"a strategy of {played.name!r}"
            probs = need_numbers("probabilities", saved["probs"], shape, whose, played.dtype)
            need_probabilities(probs, played.sums, at, 1e-9 if probs.itemsize > 4 else 1e-5)
            return cls(real, played, probs, run_of(saved))

    @classmethod
    def uniform(cls, rules: Any) -> PublicStrategy:
        """Every action equally likely."""
        game = need_form(rules)
        found: PublicStrategy = game.normalised(np.zeros(game.num_choices))
        return found
