"""A session as tables: one row for each decision, one row for each hand.

Players and seats are counted from 1 here, as people do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.lab.play.session import YOU, Session
from workbench.rules import label_of

if TYPE_CHECKING:
    import pandas as pd

DECISIONS = (
    "hand", "player", "seat", "seen", "action", "move", "probability", "value", "best",
    "best value", "cost", "trembling", "strayed",
)  # fmt: skip
SCORES = ("hand", "seat", "payoff", "value", "cost", "luck", "net", "adjusted")


def decision_table(session: Session, everybody: bool = False) -> pd.DataFrame:
    """What was seen and done, how often the equilibrium does it, and what it cost.

    Without reviews (`review=False`) the numbers are missing.
    """
    import pandas as pd

    rows: list[tuple[object, ...]] = []
    for hand in session.hands:
        for player in sorted(hand.seats) if everybody else [YOU] if YOU in hand.seats else []:
            seat = hand.seat_of(player)
            start = (hand.number, player + 1, seat + 1)
            if not session.reviewing:
                rows += [
                    (
                        *start, label_of(step.seen), label_of(step.what),
                        session.words.move(step.what, step.seen, step.actions),
                        None, None, None, None, None, None, None,
                    )
                    for step in hand.decisions
                    if step.player == seat
                ]  # fmt: skip
                continue
            for verdict in session.review(hand, player).verdicts:
                judged, chosen = verdict.worth, verdict.step.what
                rows.append(
                    (
                        *start, label_of(verdict.step.seen), label_of(chosen), verdict.move(chosen),
                        verdict.probability, judged.value(chosen), label_of(judged.best),
                        judged.value(judged.best), verdict.cost, judged.trembling,
                        judged.strayed,
                    )
                )  # fmt: skip
    return pd.DataFrame(rows, columns=list(DECISIONS))


def score_table(session: Session) -> pd.DataFrame:
    """payoff = value − cost + luck for each hand; `net` and `adjusted` (value − cost) added up."""
    import pandas as pd

    rows: list[tuple[object, ...]] = []
    net = adjusted = 0.0
    for hand in session.hands:
        seat, payoff = hand.seat_of(YOU), hand.payoff_of(YOU)
        net += payoff
        if not session.reviewing:
            rows.append((hand.number, seat + 1, payoff, None, None, None, net, None))
            continue
        found = session.review(hand)
        adjusted += found.value - found.cost
        rows.append(
            (hand.number, seat + 1, payoff, found.value, found.cost, found.luck, net, adjusted)
        )
    return pd.DataFrame(rows, columns=list(SCORES))
