"""What a player of Leduc poker may be allowed to forget.

Everyday example: a beginner who only asks "do I hold a King?" and, once the board is there,
"do I have a pair?" plays Leduc in the abstraction JQ-K: Jack and Queen are one bucket to her.

A rule is a function f(player, seen, actions) -> label. Information sets of one player with
equal labels become one. `seen` is what `workbench.games.leduc` shows, (private, board,
betting), and every rule works with suits ("Q♠") and with ranks alone ("Q").

    name           before the flop          on the flop                         infosets (3 players)
    null           rank                     rank and the board card             288 (4,203)
    J.Q.K          J | Q | K                that bucket, paired or not          198 (2,835)
    JQ-K, JQ.K     J or Q | K               that bucket, paired or not          132 (1,890)
    J-QK, J.QK     J | Q or K               that bucket, paired or not          132 (1,890)

The null abstraction forgets only the suit of the private card. Suits never decide a hand, so the
value stays what it was; but an opponent still sees the suit of the board, and an equilibrium that
plays ♠ and ♥ differently for no reason can lose a little to that (CFR finds none, the LP may).
On the tree with suits it leaves 468 sets: the board keeps its suit unless it pairs the private
card, because "I hold a Queen and the board is the Queen of hearts" would give the suit away; so a
rank sees five different boards. Names with a dash are those of Gibson and Szafron (2011), names
with dots those of Waugh, Bard and Bowling (2009).

>>> JQ_K = LEDUC_ABSTRACTIONS["JQ-K"]
>>> JQ_K(0, ("Q♠", "", "cr"), ("f", "c", "r"))
('JQ', '', 'cr')
>>> JQ_K(0, ("Q♠", "Q♥", "crc/r"), ("f", "c", "r"))
('JQ', 'pair', 'crc/r')
>>> LEDUC_ABSTRACTIONS["null"](0, ("Q♠", "K♥", "crc/r"), ("f", "c", "r"))
('Q', 'K♥', 'crc/r')
>>> LEDUC_ABSTRACTIONS["null"](0, ("Q♠", "Q♥", "crc/r"), ("f", "c", "r"))
('Q', 'Q', 'crc/r')
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from workbench.rules import GameError

__all__ = ["LEDUC_ABSTRACTIONS", "Rule"]

Seen = tuple[str, str, str]  # private card, board card or "", betting
Rule = Callable[[int, Any, tuple[Any, ...]], Any]  # f(player, seen, actions) -> label


def null(player: int, seen: Seen, actions: Sequence[Hashable]) -> Seen:
    """Forget the suit of the private card and nothing else."""
    private, board, betting = seen
    rank = private[0]
    return rank, rank if board.startswith(rank) else board, betting


def buckets(name: str, *groups: str) -> Rule:
    """The rule that remembers the private card's group and whether it pairs the board."""
    bucket_of = {rank: group for group in groups for rank in group}

    def rule(player: int, seen: Seen, actions: Sequence[Hashable]) -> Seen:
        private, board, betting = seen
        for card in (private, board):
            if card and card[0] not in bucket_of:
                raise GameError(
                    f"the abstraction {name!r} is for Leduc with the ranks J, Q and K, "
                    f"and player {player + 1} sees {seen!r}; use 'null' or a rule of your own"
                )
        paired = "" if not board else "pair" if board[0] == private[0] else "no pair"
        return bucket_of[private[0]], paired, betting

    return rule


LEDUC_ABSTRACTIONS: dict[str, Rule] = {
    "null": null,
    "JQ-K": buckets("JQ-K", "JQ", "K"),
    "J-QK": buckets("J-QK", "J", "QK"),
    "J.Q.K": buckets("J.Q.K", "J", "Q", "K"),
    "JQ.K": buckets("JQ.K", "JQ", "K"),
    "J.QK": buckets("J.QK", "J", "QK"),
}
