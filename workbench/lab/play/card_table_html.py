"""What is said at a card table, as HTML: the hand, what it cost, how the session went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.games.words import Words, amount, plural, situation
from workbench.lab.html import NOTHING, Html, bold, show, table
from workbench.lab.play.felt import felt as felt
from workbench.lab.play.grammar import past
from workbench.lab.play.review import Review, Verdict
from workbench.lab.play.session import Session

if TYPE_CHECKING:
    import pandas as pd

NOTES = {
    "*": "The equilibrium of the others never comes here: the numbers count on others who got here "
    "by a slip, any slip being as likely as another.",
    "†": "Your equilibrium would not have come here by its own moves, so what it does here says "
    "little; the values are exact all the same.",
}
HABITS, LATELY = 5, 10  # how many are shown, and over how many hands


def log_html(told: Sequence[str]) -> Html:
    lines = NOTHING.join(Html("<li>{}</li>").format(text) for text in told)
    return Html('<div class="wb-head">This hand</div><ol class="wb-log">{}</ol>').format(lines)


def review_html(found: Review, names: Sequence[str]) -> Html:
    """The decisions of a hand, each with what its moves were worth."""
    rows = [_decision(found, verdict, k, names) for k, verdict in enumerate(found.verdicts, 1)]
    head = ("", "you saw", "you did", "worth", "the equilibrium does", "cost")
    signs = "".join(map(_signs, found.verdicts))
    note = Html('<div class="wb-quiet">{} {}</div>')
    notes = [note.format(sign, means) for sign, means in NOTES.items() if sign in signs]
    notes += [note.format("", found.note)] if found.note else []
    return Html(
        '<div class="wb-head">What it cost</div><div>{}</div><div class="wb-cost">{}</div>{}'
    ).format(
        found.summary,
        table(rows, head=head, left=range(1, 5)) if rows else "",
        NOTHING.join(notes),
    )


def minds_html(found: Sequence[tuple[str, pd.DataFrame]]) -> Html:
    """What the opponents considered and believe, folded up: one asks for it by a click."""
    alone = Html('<div class="wb-quiet">{}</div>')
    parts = [alone.format(title) if of.empty else table(of.round(2), title) for title, of in found]
    unfolds = "<details><summary>What was your opponent thinking?</summary>{}</details>"
    return Html(unfolds).format(NOTHING.join(parts)) if parts else NOTHING


def _signs(verdict: Verdict) -> str:
    """Which notes belong to a decision."""
    return "*" * verdict.worth.trembling + "†" * verdict.worth.strayed


def _decision(found: Review, verdict: Verdict, k: int, names: Sequence[str]) -> list[object]:
    judged, chosen = verdict.worth, verdict.step.what
    steps = found.hand.steps[: found.hand.steps.index(verdict.step)]
    saw = situation(found.words, steps, verdict.step.seen, names, found.seat)
    worth, often, say = list[Html](), list[Html](), found.words.number
    for place, action in enumerate(judged.actions):
        move, line = verdict.move(action), Html("<span>{} {}</span>")
        value = line.format(move, say(judged.value(action)))
        worth.append(bold(value) if action == chosen else value)
        often.append(line.format(move, f"{judged.probs[place] * 100:.0f}\u00a0%"))
    cost = Html('<span class="wb-{}">{}</span>').format(
        *(("good", f"✓ {say(verdict.cost)}") if verdict.fine else ("bad", say(verdict.cost)))
    )
    return [
        k, f"{saw} {_signs(verdict)}", past(verdict.move(chosen)), Html("<br>").join(worth),
        Html("<br>").join(often), cost,
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
            lines = score_svg(scores["net"].tolist(), scores["adjusted"].tolist(), words)
            key = "solid blue: won · dashed orange: without luck"
            picture = Html("<div>{}<br><span>{}</span></div>").format(lines, key)
    drawn = NOTHING.join(
        Html("<div><b>{}</b><span>{}</span></div>").format(*tile) for tile in tiles
    )
    return Html('<div class="wb-head">This session</div><div class="wb-tiles">{}{}</div>{}').format(
        drawn, picture, habits_html(session)
    )


def habits_html(session: Session) -> Html:
    """What each habit has cost, in all and lately, and as a line over the hands."""
    habits, words = session.habits(), session.words
    if habits.empty:
        return NOTHING
    rows = []
    for name, line in list(habits.items())[:HABITS]:
        total, before = line.iloc[-1], line.iloc[-LATELY - 1] if len(line) > LATELY else 0.0
        points = _points(line.tolist(), total, total, 120, 22)
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 22" width="120" height="22" '
            f'aria-hidden="true"><polyline points="{points}" fill="none" stroke="#D55E00" '
            'stroke-width="2"/></svg>'
        )
        rows.append([str(name), words.number(total), words.number(total - before), Html(drawn)])
    head = ("habit", "cost so far", f"last {LATELY} hands", "over the hands")
    return table(rows, f"What habits cost, in {plural(words.unit)}", head=head)


def score_svg(net: Sequence[float], adjusted: Sequence[float], words: Words) -> Html:
    """Two lines over the hands: what was won, and what would have been won without luck."""
    values = [0.0, *net, *adjusted]
    low, high = min(values), max(values)
    width, height, span = 300, 84, (high - low) or 1.0
    zero = _down(0.0, high, span, height)
    won, without = (_points(line, high, span, width, height) for line in (net, adjusted))

    said = show(
        f"Score over {amount(len(net), 'hand')}: won {words.number(net[-1], sign=True)} "
        f"{plural(words.unit)}, without luck {words.number(adjusted[-1], sign=True)}"
    )
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'width="{width}" height="{height}" aria-label="{said}" class="wb-score">'
        f"<title>{said}</title>"
        f'<path d="M0 {zero:.1f}H{width}" stroke="currentColor" stroke-opacity=".35"/>'
        f'<polyline points="{won}" fill="none" stroke="#0072B2" stroke-width="2.2"/>'
        f'<polyline points="{without}" fill="none" stroke="#D55E00" '
        'stroke-width="2.2" stroke-dasharray="6 3"/></svg>'
    )


def _down(value: float, high: float, span: float, height: float) -> float:
    return 6 + (high - value) / span * (height - 12)


def _points(line: Sequence[float], high: float, span: float, width: float, height: float) -> str:
    """A line from 0 on, for a polyline; the highest value is `high`."""
    step = (width - 10) / len(line)
    heights = enumerate([0.0, *line])
    return " ".join(f"{5 + k * step:.1f},{_down(v, high, span, height):.1f}" for k, v in heights)
