"""Hands as tables: one row for each decision, one row for each hand.

Players and seats are counted from 1 here, as people do. `review(hand, player)` judges the decisions
of a player; without it (None) the columns that depend on it are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from workbench.games.words import words_for
from workbench.lab.play.hand_record import YOU, Hand
from workbench.lab.play.review import Review
from workbench.later import pd
from workbench.rules import label_of

Reviewer = Callable[[Hand, int], Review] | None

DECISIONS = ["hand", "player", "seat", "seen", "action", "move"]
JUDGED = ["probability", "value", "best", "best value", "cost", "trembling", "strayed"]
SCORES = ["hand", "seat", "payoff", "value", "cost", "luck"]


def decision_table(hands: Iterable[Hand], review: Reviewer, everybody: bool) -> pd.DataFrame:
    """What was seen and done, how often the equilibrium does it, and what it cost."""
    rows: list[tuple[Any, ...]] = []
    for hand in hands:
        words = words_for(hand.rules)
        for player in sorted(hand.seats) if everybody else {YOU} & {*hand.seats}:
            steps, judged = hand.decisions_of(player), list[tuple[Any, ...]]()
            for verdict in review(hand, player).verdicts if review else ():
                worth, best = verdict.worth, verdict.worth.best
                judged.append((
                    verdict.probability, worth.value(verdict.step.what), label_of(best),
                    worth.value(best), verdict.cost, worth.trembling, worth.strayed,
                ))  # fmt: skip
            for step, numbers in zip(steps, judged or [(None,) * 7] * len(steps), strict=True):
                said = label_of(step.seen), label_of(step.what), words.made(step)
                rows.append((hand.number, player + 1, step.player + 1, *said, *numbers))
    return pd.DataFrame(rows, columns=DECISIONS + JUDGED)


def score_table(hands: Iterable[Hand], review: Reviewer) -> pd.DataFrame:
    """payoff = value − cost + luck for each hand; `net` and `adjusted` (value − cost) added up."""
    rows: list[tuple[Any, ...]] = []
    for hand in hands:
        found = review(hand, YOU) if review else None
        judged = (found.value, found.cost, found.luck) if found else (None,) * 3
        rows.append((hand.number, hand.seat_of(YOU) + 1, hand.payoff_of(YOU), *judged))
    table = pd.DataFrame(rows, columns=SCORES)
    adjusted = (table["value"] - table["cost"]).cumsum() if review else None
    return table.assign(net=table["payoff"].cumsum(), adjusted=adjusted)


def habit_table(hands: Iterable[Hand], review: Reviewer) -> pd.DataFrame:
    """What each kind of mistake has cost so far: a row for each hand, a column for each kind."""
    rows: dict[int, dict[str, float]] = {}
    for hand in hands:
        row = rows[hand.number] = {}
        for verdict in review(hand, YOU).verdicts if review else ():
            if not verdict.fine:
                row[verdict.habit] = row.get(verdict.habit, 0.0) + verdict.cost
    found = pd.DataFrame(list(rows.values()), index=pd.Index(rows, name="hand"))
    found = found.fillna(0.0).cumsum()
    order = sorted(found, key=lambda name: -found[name].max())
    return found[order]
