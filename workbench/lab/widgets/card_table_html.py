"""A card table as HTML: cards on green felt, what was said, what it cost, how the session went.

Cards are SVG with a name for screen readers, everything else is text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workbench.games.words import Place, Scene, Trick, amount, number, situation
from workbench.lab.html import Html, table
from workbench.lab.play.cards import card_svg
from workbench.lab.play.grammar import past
from workbench.lab.play.review import Review, Verdict
from workbench.lab.play.session import Session

LARGE, SMALL = 84, 56  # pixels
NOTES = {
    "*": "The equilibrium of the others never comes here: the numbers count on others who got here "
    "by a slip, any slip being as likely as another.",
    "†": "Your equilibrium would not have come here by its own moves, so what it does here says "
    "little; the values are exact all the same.",
}


HABITS, LATELY = 5, 10  # how many are shown, and over how many hands


# ---- cards ---------------------------------------------------------------------------


def felt(
    scene: Scene, names: Sequence[str], you: int, unit: str, turn: int = -1, result: str = ""
) -> str:
    """The table: others above, what is public in the middle, you below. `names` by seat; `turn`:
    the seat that is to move; `result`: when it is over."""
    around = [(you + k) % len(names) for k in range(len(names))]  # in the order of play
    mine, *others = (_place(scene.places[s], names[s], unit, s == turn) for s in around)
    stake = f'<div class="pill">{escape(scene.at_stake)}</div>' if scene.at_stake else ""
    stake += f'<div class="result">{escape(result)}</div>' if result else ""
    board = [_figure(card, LARGE, "on the board", "board") for card in scene.board]
    tricks = [
        _trick(trick, k, names, LARGE if k == len(scene.tricks) else SMALL)
        for k, trick in enumerate(scene.tricks, 1)
    ]
    middle = "".join([*board, *tricks, f'<div class="stake">{stake}</div>'])
    return (
        f'<div class="wb-felt" role="group" aria-label="the table">'
        f'<div class="seats">{"".join(others)}</div><div class="middle">{middle}</div>'
        f'<div class="seats">{mine}</div></div>'
    )


def _place(place: Place, name: str, unit: str, turn: bool) -> str:
    kinds = " ".join(["place", *["turn"] * turn, *["folded"] * place.folded])
    more = [*["folded"] * place.folded, *[place.note] * bool(place.note)]
    if place.paid is not None:
        more.append(f"{amount(place.paid, unit)} in the pot")
    cards = "".join(card_svg(card, LARGE) for card in place.cards)
    said = escape(", ".join(more))
    below = f'<div class="name">{escape(name)}</div><div class="more">{said}</div>'
    return f'<div class="{kinds}"><div class="cards">{cards}</div>{below}</div>'


def _figure(card: str, height: int, extra: str, below: str) -> str:
    drawn = card_svg(card, height, extra)
    return f"<figure>{drawn}<figcaption>{escape(below)}</figcaption></figure>"


def _trick(trick: Trick, k: int, names: Sequence[str], height: int) -> str:
    cards = "".join(
        _figure(card, height, f"played by {names[seat]}", names[seat]) for seat, card in trick.cards
    )
    won = f"trick {k}: {escape(names[trick.winner])}" if trick.winner >= 0 else "on the table"
    return f'<div class="trick"><div class="cards">{cards}</div>{won}</div>'


# ---- words ---------------------------------------------------------------------------


def log_html(told: Sequence[str]) -> str:
    lines = "".join(f"<li>{escape(text)}</li>" for text in told)
    return f'<div class="wb-head">This hand</div><ol class="wb-log">{lines}</ol>'


def review_html(found: Review, names: Sequence[str]) -> str:
    """The decisions of a hand, each with what its moves were worth."""
    rows = [_decision(found, verdict, k, names) for k, verdict in enumerate(found.verdicts, 1)]
    head = ("", "you saw", "you did", "worth", "the equilibrium does", "cost")
    signs = "".join(map(_signs, found.verdicts))
    notes = "".join(
        f'<div class="wb-quiet">{sign} {escape(note)}</div>'
        for sign, note in NOTES.items()
        if sign in signs
    )
    return (
        f'<div class="wb-head">What it cost</div><div>{escape(found.summary)}</div>'
        f'<div class="wb-cost">{table(rows, head=head, left=range(1, 5)) if rows else ""}</div>'
        f"{notes}"
    )


def _signs(verdict: Verdict) -> str:
    """Which notes belong to a decision."""
    return "*" * verdict.worth.trembling + "†" * verdict.worth.strayed


def _decision(found: Review, verdict: Verdict, k: int, names: Sequence[str]) -> list[object]:
    judged, chosen = verdict.worth, verdict.step.what
    steps = found.hand.steps[: found.hand.steps.index(verdict.step)]
    saw = situation(found.words, steps, verdict.step.seen, names, found.seat)
    worth, often = [], []
    for place, action in enumerate(judged.actions):
        move = escape(verdict.move(action))
        value = f"<span>{move} {number(judged.value(action))}</span>"
        worth.append(f"<b>{value}</b>" if action == chosen else value)
        often.append(f"<span>{move} {judged.probs[place] * 100:.0f}\u00a0%</span>")
    good = f'<span class="wb-{"good" if verdict.fine else "bad"}">'
    cost = "✓ 0.00" if verdict.fine else number(verdict.cost)
    return [
        k, f"{saw} {_signs(verdict)}", past(verdict.move(chosen)), Html("<br>".join(worth)),
        Html("<br>".join(often)), Html(f"{good}{cost}</span>"),
    ]  # fmt: skip


def summary_html(session: Session) -> str:
    """The session in numbers and one picture; empty before the first hand is over."""
    if not session.hands:
        return ""
    unit = session.words.unit
    won = f"{unit}s {'ahead' if session.match else 'won'}"
    count, _, hands = amount(len(session.hands), "hand").partition(" ")
    tiles = [(count, hands), (number(session.net, sign=True), won)]
    picture = ""
    if session.reviewing:
        scores = session.scores()
        tiles += [
            (number(-scores["cost"].sum(), sign=True), "for decisions"),
            (number(scores["luck"].sum(), sign=True), "luck"),
            (number(scores["adjusted"].iloc[-1], sign=True), "without luck"),
        ]
        if len(scores) > 1:
            lines = score_svg(scores["net"].tolist(), scores["adjusted"].tolist(), unit)
            key = "solid blue: won · dashed orange: without luck"
            picture = f"<div>{lines}<br><span>{key}</span></div>"
    drawn = "".join(f"<div><b>{value}</b><span>{name}</span></div>" for value, name in tiles)
    tiles_html = f'<div class="wb-tiles">{drawn}{picture}</div>'
    return f'<div class="wb-head">This session</div>{tiles_html}{habits_html(session)}'


def habits_html(session: Session) -> str:
    """What each habit has cost, in all and lately, and as a line over the hands."""
    habits, unit = session.habits(), session.words.unit
    if habits.empty:
        return ""
    rows = []
    for name, line in list(habits.items())[:HABITS]:
        total, before = line.iloc[-1], line.iloc[-LATELY - 1] if len(line) > LATELY else 0.0
        points = _points(line.tolist(), total, total, 120, 22)
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 22" width="120" height="22" '
            f'aria-hidden="true"><polyline points="{points}" fill="none" stroke="#D55E00" '
            'stroke-width="2"/></svg>'
        )
        rows.append([str(name), number(total), number(total - before), Html(drawn)])
    head = ("habit", "cost so far", f"last {LATELY} hands", "over the hands")
    return table(rows, f"What habits cost, in {unit}s", head=head)


def score_svg(net: Sequence[float], adjusted: Sequence[float], unit: str) -> str:
    """Two lines over the hands: what was won, and what would have been won without luck."""
    values = [0.0, *net, *adjusted]
    low, high = min(values), max(values)
    width, height, span = 300, 84, (high - low) or 1.0
    zero = _down(0.0, high, span, height)
    won, without = (_points(line, high, span, width, height) for line in (net, adjusted))

    said = escape(
        f"Score over {amount(len(net), 'hand')}: won {number(net[-1], sign=True)} {unit}s, "
        f"without luck {number(adjusted[-1], sign=True)}"
    )
    return (
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
