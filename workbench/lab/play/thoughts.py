"""What an opponent considered in a hand, and what it believes about you: titles and tables.

>>> session = Session("kuhn", opponent="learning", seat=0, seed=0)
>>> for _ in range(5):
...     session.deal()
...     while session.asked:
...         session.play("p")
>>> title, believed = minds_at(session)[0]
>>> title
'What it believes about you after 5 hands'
>>> [*believed]
['you see', 'you do', 'expected', 'times seen', 'at first']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.games.words import amount, words_for
from workbench.lab.play.grammar import past
from workbench.lab.play.hand_record import Hand
from workbench.lab.play.session import Session
from workbench.policies import Step
from workbench.rules import label_of
from workbench.search.searcher import Searcher

if TYPE_CHECKING:
    import pandas as pd

ROWS, SHORT = 8, 16  # of a table that is shown: rows, and letters that stay in one line
BELIEFS = {
    "information set": "you see", "action": "you do", "probability": "expected",
    "times": "times seen", "prior": "at first",
}  # fmt: skip


def minds_at(session: Session, hand: Hand | None = None) -> list[tuple[str, pd.DataFrame]]:
    """What the opponents considered in a hand (the last one), and what they believe by now: titles
    and tables. Nothing for those who have no thoughts to show."""
    if hand is None and session.played:
        hand = session.played[-1]
    found: list[tuple[str, pd.DataFrame]] = []
    for player, policy in enumerate(session.policies(hand.rules) if hand else (), 1):
        if hand is not None and isinstance(policy, Searcher):
            found += [_thought(policy, step, hand) for step in hand.decisions_of(player)]
        if hasattr(policy, "believes"):
            after = amount(len(session.hands), "hand")
            table = policy.believes().head(ROWS).drop(columns="player").rename(columns=BELIEFS)
            table[["expected", "at first"]] = table[["expected", "at first"]].map(_percent)
            table["you see"] = table["you see"].map(_unbroken)
            found.append((f"What it believes about you after {after}", table))
    return found


def _thought(policy: Searcher, step: Step, hand: Hand) -> tuple[str, pd.DataFrame]:
    """Ask again, and look: an answer depends on what was seen, and on nothing else."""
    policy.probabilities(step.player, step.seen, step.actions)
    thought, words = policy.thought, words_for(hand.rules)
    moves = {
        label_of(action): words.move(action, step.seen, step.actions) for action in thought.actions
    }
    chances = zip(moves.values(), map(_percent, thought.probabilities), strict=True)
    often = ", ".join(f"{move} {chance}" for move, chance in chances)
    wins = {f"{name} wins": f"{move} wins" for name, move in moves.items()}
    table = thought.table().head(ROWS).rename(columns={"hand": "you hold", **wins})
    table["belief"] = table["belief"].map(_percent)
    table[[*wins.values()]] = table[[*wins.values()]].map(words.number)
    did = past(words.move(step.what, step.seen, step.actions))
    why = "it had thought" if thought.searched else "by heart"
    return f"It {did} ({often}; {why})", table


def _percent(share: float) -> str:
    return f"{share * 100:.{0 if share >= 0.1 else 1}f}\u00a0%"


def _unbroken(text: str) -> str:
    """A short text stays in one line, where a table is narrow."""
    return text.replace(" ", "\u00a0") if len(text) <= SHORT else text
