"""A drill as a page: all questions with what every choice costs, and a script that asks them.

Nothing is solved in the page, so one small script (`drill_page.js`) serves all games. It follows
the rule of `drills.py` for what comes back, and remembers it in the reader's browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from workbench.games.registry import name_with_options
from workbench.games.words import Words, plural
from workbench.lab.html import CSS, Html, table
from workbench.lab.play.drills import LATER, Drill, chart_place
from workbench.lab.play.felt import felt
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import keyed
from workbench.lab.reports.page import Page, template
from workbench.poker.cards.hand_classes import NAMES

SPARE = 3  # times as many questions as one drill asks


def question_html(now: SessionView) -> Html:
    """The table, and what has happened so far."""
    table = felt(now.scene(), now.names, now.you, now.words, now.you)
    return Html("{}<p>{}. <b>Your move?</b></p>").format(table, ". ".join(now.told) or "You begin")


def chart_html(costs: Mapping[int, float], words: Words) -> Html:
    """The 13 × 13 chart: ✓ where all was right, else what it cost; nothing where nobody asked."""
    cell = Html('<span class="{}" data-hand="{}">{}<br>{}</span>')
    cells = []
    for k, name in enumerate(NAMES):
        kind, said = "wb-quiet", "\u00a0"
        if k in costs:
            kind, said = ("wb-bad", words.number(costs[k])) if costs[k] else ("wb-good", "✓")
        cells.append(cell.format(kind, str(k), name, said))
    said = "Hands of this drill: ✓ right, or what they cost; pairs on the diagonal, suited above it"
    rows = [cells[k : k + 13] for k in range(0, 169, 13)]
    return table(rows, said, left=(), look="wb-hands")


def drill_page(drill: Drill) -> str:
    """The page as text."""
    rules, words, made = drill.rules, drill.words, Page()
    title = f"Drill: {name_with_options(rules)}"
    questions = [_question(drill) for _ in drill.pool(SPARE * drill.of)]
    data = {"title": f"{title} {drill.street} {drill.spot}", "of": drill.of, "later": LATER,
            "coin": words.coin, "unit": plural(words.unit), "questions": questions}  # fmt: skip
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    frame = template("drill_page.html.j2").render(
        data=Markup(text), later=LATER, of=drill.of, about=words.about,
        note=drill.session.judge(rules).note,
        chart="" if drill.chart() is None else chart_html({}, words),
    )  # fmt: skip
    head = made.clean(CSS + Html("<h1>{}</h1>").format(title))
    return made.render("drill_page.js", title=title, body=head + Markup(frame), ending="A drill")


def _question(drill: Drill) -> dict[str, Any]:
    """The question that is asked now, and what each choice costs."""
    now, asked, choices = SessionView(drill.session), drill.session.asked, []
    assert asked is not None
    for choice, (key, *_) in zip(now.choices, keyed(now), strict=True):
        found = drill.verdict(asked._replace(kind="action", what=choice.action))
        best, cost = found.move(found.worth.best), 0.0 if found.fine else found.cost
        choices.append({"label": choice.label, "key": key, "move": choice.move, "best": best,
                        "cost": cost, "said": str(found)})  # fmt: skip
    hand = -1 if drill.chart() is None else chart_place(asked.seen)
    spot = "; ".join(now.words.holds(asked.seen)) + f" ({drill.line or 'first move'})"
    return {"spot": spot, "html": question_html(now), "choices": choices, "hand": hand}
