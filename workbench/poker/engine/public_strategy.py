"""A strategy of a card game without a tree: probabilities for buckets, judged exactly.

It plays for both seats, knows what a hand is worth against it, and may be asked as a policy:

>>> import workbench as wb
>>> rules = wb.load_game("rhode_island", ranks=3, suits=2)
>>> sigma = wb.Strategy.uniform(rules)
>>> sigma.at(("A♥", "", "r"))
{'f': 0.3333333333333333, 'c': 0.3333333333333333, 'r': 0.3333333333333333}
>>> round(wb.exploitability(sigma), 2) > 0
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from workbench.later import pd
from workbench.poker.cards.boards import round_of
from workbench.poker.engine.deal_walk import BUCKET, BUCKETS, CHOICE, FIRST, NODE, PART
from workbench.rules import GameError, shown
from workbench.settings import need_whole
from workbench.strategy import Profile, need_weights
from workbench.tree import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class PublicStrategy(Profile):
    """`probs[c]` is the probability of a choice of `played`, whose buckets it can tell apart;
    `tree` is the game it is a strategy of: the same one, or the real game."""

    tree: Any  # a `CardGame`, as `played`
    played: Any
    probs: FloatArray  # (K,) of `played`
    run_id: str = ""

    thinks: ClassVar[str] = "workbench.poker.search.thinking:CardMind"

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

    def exploitability(self) -> float:  # what both win at best: what one wins the other loses
        return float(self.gains(values=False).mean())

    def seated(self, *others: PublicStrategy) -> PublicStrategy:
        return self.tree.seated([self, *others])  # type: ignore[no-any-return]

    def expected_values(self, *others: PublicStrategy) -> FloatArray:
        other = others[0] if others else self
        game = self.played.real
        value = game.worth(0, game.spelled_out(other), game.spelled_out(self))
        return np.array([value, -value])

    def best_response(self, player: int) -> tuple[float, PublicStrategy]:
        player = need_whole("player", player, 0, 1)
        if not self.tree.judged:
            self.gains()  # says why not
        full = self.tree.real
        theirs = full.spelled_out(self)
        probs = theirs.copy()
        return full.worth(player, theirs, chosen=probs), PublicStrategy(full, full, probs)

    def weighted(self, weights: FloatArray) -> PublicStrategy:
        probs = self.played.matched(need_weights(self.played, weights))
        return replace(self, probs=probs, run_id="")

    # ---- looking -----------------------------------------------------------------------

    def at(self, seen: Any, player: int | None = None) -> dict[str, float]:
        rules: Any = self.tree.rules
        try:
            private, public, betting = rules.spot(seen)
            node, at = self.played.flat.node(betting), rules.betting.follow(betting)
        except (GameError, ValueError, TypeError, IndexError):
            node = -1
        if node < 0 or len(public) != sum(rules.public_cards[: at.round + 1]) or not at.actions:
            raise GameError(
                f"a strategy of {self.tree.name!r} is asked about {shown(seen)}, which it does not "
                "know; play the game it was made for"
            )
        if player not in (None, at.player):
            raise GameError(f"player {at.player} decides at {shown(seen)}, not {shown(player)}")

        def bucket(buckets: Any) -> IntArray:
            if (found := buckets.at(private, public)) < 0:
                raise GameError(f"{shown(seen)} names a card twice; a deck has each card once")
            return np.array([found])

        mix = self.choices(np.array([node]), bucket).ravel().tolist()
        return dict(zip(at.actions, mix, strict=True))

    def on(self, board: Sequence[int], betting: str) -> FloatArray:
        """(H, moves) what each hand does on those cards of a board that lie there after betting,
        where somebody decides; of hands that share a card with them, anything."""
        public = board[: sum(self.tree.rules.public_cards[: 1 + betting.count("/")])]
        node = np.array([self.played.flat.node(betting)])
        return self.choices(node, lambda buckets: np.maximum(buckets.on(public), 0))[:, :, 0].T

    def choices(self, nodes: Any, things: Callable[[Any], Any]) -> FloatArray:
        """(moves, n, S) what is done at S nodes of the flat tree where the same moves are allowed,
        with n things: `things(buckets)` says which of some buckets each of them is in."""
        game, layout = self.played, self.played.layout
        rows, moves = layout.groups[layout.group[nodes]], np.flatnonzero(layout.child[nodes[0]])
        part, found = np.where(rows[:, BUCKETS] > 0, rows[:, PART], -1), None
        for kind in {*part.tolist()}:
            here = part == kind
            if kind < 0:  # where the game of an expert does not go
                some = game.base.choices(nodes[here], things)
            else:
                at, bucket = rows[here], things(game.known[kind])[:, None]
                first = at[:, FIRST] + nodes[here] * at[:, NODE] + bucket * at[:, BUCKET]
                some = self.probs[first + at[:, CHOICE] * moves[:, None, None]]
            found = np.empty((*some.shape[:2], len(nodes))) if found is None else found
            found[:, :, here] = some
        return np.asarray(found)

    def table(self, board: str = "") -> pd.DataFrame:
        """One row per choice in the round of these public cards ("K♥ 2♥"; none: the first round),
        as `Strategy.table`; of hands that differ only in the names of suits the first (in Hold'em:
        of hands that share a bucket)."""
        rules: Any = self.tree.rules
        public = rules.deck.parse(board)
        r = round_of(rules.public_cards, public)
        one, limit = rules.betting.rounds[r], rules.betting
        starts = [""]
        for before in limit.rounds[:r]:
            starts = [f"{text}{end}/" for text in starts for end in before.ends]
        hands, alike = rules.deck.hands(rules.private_cards), self.played.real.known
        on_board = np.column_stack([buckets.on(public) for buckets in alike])
        kinds, first = np.unique(on_board, axis=0, return_index=True)
        rows, shown_board = [], " ".join(map(rules.deck.name, public))
        for hand in hands[np.sort(first[(kinds >= 0).all(axis=1)])].tolist():
            held = " ".join(map(rules.deck.name, hand))
            for start in starts:
                for text, player in zip(one.text, one.kind, strict=True):
                    if player < 2:
                        seen = held, shown_board, start + text
                        label = " ".join(filter(None, seen))
                        rows += [(player + 1, label, *pair) for pair in self.at(seen).items()]
        return pd.DataFrame(rows, columns=["player", "information set", "action", "probability"])

    def saved(self) -> dict[str, Any]:
        return super().saved() | ({} if self.played.lossless else self.played.buckets.saved())
