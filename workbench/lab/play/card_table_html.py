"""What is said at a card table, as HTML: the hand, what it cost, how the session went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.games.words import amount, plural, situation
from workbench.lab.html import NOTHING, Html, table, template
from workbench.lab.play.felt import felt as felt
from workbench.lab.play.grammar import past
from workbench.lab.play.review import Review, Verdict
from workbench.lab.play.session import Session
from workbench.later import pd

HABITS, LATELY = 5, 10  # how many are shown, and over how many hands
WIDE, HIGH = 300, 84  # pixels of the picture of a session


def made(part: str, *given: Any) -> Html:
    """A part of the page, as `card_table.html.j2` has it."""
    parts: Any = template(Path(__file__).with_name("card_table.html.j2")).module
    return Html(getattr(parts, part)(*given))


def review_html(found: Review, names: Sequence[str]) -> Html:
    """The decisions of a hand, each with what its moves were worth."""
    rows = [_decision(found, verdict, k, names) for k, verdict in enumerate(found.verdicts, 1)]
    head = ("", "you saw", "you did", "worth", "the equilibrium does", "cost")
    signs = "".join(map(_signs, found.verdicts))
    decisions = table(rows, head=head, left=range(1, 5)) if rows else ""
    return made("review", found.summary, decisions, signs, found.note)


def minds_html(found: Sequence[tuple[str, pd.DataFrame]]) -> Html:
    """What the opponents considered and believe, folded up: one asks for it by a click."""
    parts = [(title, "" if of.empty else table(of.round(2), title)) for title, of in found]
    return made("minds", parts) if parts else NOTHING


def _signs(verdict: Verdict) -> str:
    """Which notes belong to a decision."""
    return "*" * verdict.worth.trembling + "†" * verdict.worth.strayed


def _decision(found: Review, verdict: Verdict, k: int, names: Sequence[str]) -> list[object]:
    judged, say, what = verdict.worth, found.words.number, verdict.step.what
    steps = found.hand.steps[: found.hand.steps.index(verdict.step)]
    saw = situation(found.words, steps, verdict.step.seen, names, found.seat)
    moves = list(map(verdict.move, judged.actions))
    worth = zip(moves, map(say, judged.values), strict=True)
    often = zip(moves, (f"{p * 100:.0f}\u00a0%" for p in judged.probs), strict=True)
    return [
        k, f"{saw} {_signs(verdict)}", past(verdict.move(what)),
        made("moves", worth, judged.actions.index(what)), made("moves", often, None),
        made("cost", say(verdict.cost), verdict.fine),
    ]  # fmt: skip


def summary_html(session: Session) -> Html:
    """The session in numbers and one picture; empty before the first hand is over."""
    if not session.hands:
        return NOTHING
    words = session.words
    won = f"{plural(words.unit)} {'ahead' if session.match else 'won'}"
    count, _, hands = amount(len(session.hands), "hand").partition(" ")
    tiles = [(count, hands), (words.number(session.net, sign=True), won)]
    picture = NOTHING
    if session.reviewing:
        scores = session.scores()
        tiles += [
            (words.number(-scores["cost"].sum(), sign=True), "for decisions"),
            (words.number(scores["luck"].sum(), sign=True), "luck"),
            (words.number(scores["adjusted"].iloc[-1], sign=True), "without luck"),
        ]
        if len(scores) > 1:
            lines = [scores["net"].tolist(), scores["adjusted"].tolist()]
            low, high = min(0.0, *map(min, lines)), max(0.0, *map(max, lines))
            span = (high - low) or 1.0
            said = (
                f"Score over {amount(len(scores), 'hand')}: won {tiles[1][0]} "
                f"{plural(words.unit)}, without luck {tiles[-1][0]}"
            )
            drawn = [_points(line, high, span, WIDE, HIGH) for line in lines]
            zero = f"{_down(0.0, high, span, HIGH):.1f}"
            picture = made("score", WIDE, HIGH, said, zero, *drawn)
    return made("summary", tiles, picture, habits_html(session))


def habits_html(session: Session) -> Html:
    """What each habit has cost, in all and lately, and as a line over the hands."""
    habits, words = session.habits(), session.words
    if habits.empty:
        return NOTHING
    rows = []
    for name, line in list(habits.items())[:HABITS]:
        total, before = line.iloc[-1], line.iloc[-LATELY - 1] if len(line) > LATELY else 0.0
        drawn = made("habit", _points(line.tolist(), total, total, 120, 22))
        rows.append([str(name), words.number(total), words.number(total - before), drawn])
    head = ("habit", "cost so far", f"last {LATELY} hands", "over the hands")
    return table(rows, f"What habits cost, in {plural(words.unit)}", head=head)


def _down(value: float, high: float, span: float, height: float) -> float:
    return 6 + (high - value) / span * (height - 12)


def _points(line: Sequence[float], high: float, span: float, width: float, height: float) -> str:
    """A line from 0 on, for a polyline; the highest value is `high`."""
    step = (width - 10) / len(line)
    heights = enumerate([0.0, *line])
    return " ".join(f"{5 + k * step:.1f},{_down(v, high, span, height):.1f}" for k, v in heights)
