"""A green table with cards on it, as HTML: others above, what is public in the middle, you below.

Cards are SVG with a name for screen readers, everything else is text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from workbench.games.words import Place, Scene, Trick, amount
from workbench.lab.play.cards import card_svg

LARGE, SMALL = 118, 68  # pixels

FELT = """<style>
.wb-felt {background: radial-gradient(ellipse at 50% 45%, #2a7d58, #1c6043 65%, #154d35);
  border: 7px solid #6a4a2b; border-radius: 26px; box-shadow: inset 0 0 26px rgba(0,0,0,.35);
  padding: 12px; min-height: 400px; box-sizing: border-box; color: #fdfbf2; font-size: 14px;
  line-height: 1.35; display: flex; flex-direction: column; justify-content: space-between;
  gap: 8px}
.wb-felt .seats, .wb-felt .middle {display: flex; flex-wrap: wrap; justify-content: center;
  align-items: center; gap: 8px 26px}
.wb-felt .middle {min-height: 128px}
.wb-felt .stake {display: flex; flex-direction: column; gap: 8px; align-items: center}
.wb-felt .place {display: flex; flex-direction: column; align-items: center; gap: 5px;
  padding: 7px 14px; border-radius: 14px}
.wb-felt .turn {background: rgba(255,255,255,.13); box-shadow: 0 0 0 2px #ffd866}
.wb-felt .cards {display: flex; gap: 7px; min-height: 20px}
.wb-felt .cards svg {filter: drop-shadow(0 2px 3px rgba(0,0,0,.4))}
.wb-felt .folded .cards {opacity: .45}
.wb-felt .name {font-weight: 600} .wb-felt .more {font-size: 12.5px; margin-top: -5px}
.wb-felt .pill {background: #0f3d2a; border-radius: 999px; padding: 3px 13px; white-space: nowrap}
.wb-felt .pill::before {content: ""; display: inline-block; width: 11px; height: 11px;
  border-radius: 50%; margin-right: 7px; background: #e8b93a; border: 2px solid #a97c12;
  vertical-align: -3px}
.wb-felt .result {background: #ffd866; color: #1b1b1f; font-weight: 600; border-radius: 999px;
  padding: 3px 13px; white-space: nowrap}
.wb-felt .trick {text-align: center; font-size: 12.5px}
.wb-felt .trick .cards {justify-content: center; margin-bottom: 3px}
.wb-felt figure {margin: 0; text-align: center}
.wb-felt figcaption {font-size: 12.5px; margin-top: 2px}
.wb-tiles {display: flex; flex-wrap: wrap; gap: 6px 22px; align-items: flex-end; margin: 2px 0}
.wb-tiles div {line-height: 1.25}
.wb-tiles b {display: block; font-size: 19px; font-weight: 600; font-variant-numeric: tabular-nums}
.wb-tiles span {color: var(--jp-ui-font-color2, #555)}
.wb-log {margin: 0; padding-left: 2.2em; line-height: 1.5; overflow-y: auto; max-height: 400px}
.wb-now {font-size: 15px; line-height: 1.4; min-height: 1.4em; padding: 2px 0}
.wb-panel table.wb td.long, .wb-panel table.wb td.parts {white-space: normal; line-height: 1.4}
.wb-panel table.wb td.long {min-width: 13em} .wb-panel table.wb td.parts span {white-space: nowrap}
.wb-panel table.wb td {vertical-align: top}
.wb-panel .wb-review .widget-html-content {width: 100%; min-width: 0; line-height: 1.4}
.wb-review .wide {overflow-x: auto}
.wb-good {color: #0b7a55; font-weight: 600} .wb-bad {color: #b94a00; font-weight: 600}
[data-jp-theme-light="false"] .wb-good {color: #4cc79b}
[data-jp-theme-light="false"] .wb-bad {color: #ff9b5c}
</style>"""


def felt(
    scene: Scene, names: Sequence[str], you: int, unit: str, turn: int = -1, result: str = ""
) -> str:
    """The table. `names` by seat; `turn`: the seat that is to move; `result`: when it is over."""
    places = [
        (seat, _place(scene.places[seat], names[seat], unit, seat == turn))
        for seat in _around(you, len(names))
    ]
    others = "".join(drawn for seat, drawn in places if seat != you)
    stake = f'<div class="pill">{escape(scene.at_stake)}</div>' if scene.at_stake else ""
    stake += f'<div class="result">{escape(result)}</div>' if result else ""
    return (
        f'<div class="wb-felt" role="group" aria-label="the table">'
        f'<div class="seats">{others}</div>'
        f'<div class="middle">{_middle(scene, names)}<div class="stake">{stake}</div></div>'
        f'<div class="seats">{places[0][1]}</div></div>'
    )


def _around(you: int, players: int) -> list[int]:
    """You first, then the others in the order of play."""
    return [(you + k) % players for k in range(players)]


def _place(place: Place, name: str, unit: str, turn: bool) -> str:
    kinds = " ".join(["place", *(["turn"] if turn else []), *(["folded"] if place.folded else [])])
    more = ["folded"] if place.folded else []
    if place.paid is not None:
        more.append(f"{escape(amount(place.paid, unit))} in the pot")
    cards = "".join(card_svg(card, LARGE) for card in place.cards)
    below = f'<div class="name">{escape(name)}</div><div class="more">{", ".join(more)}</div>'
    return f'<div class="{kinds}"><div class="cards">{cards}</div>{below}</div>'


def _middle(scene: Scene, names: Sequence[str]) -> str:
    board = "".join(
        f"<figure>{card_svg(card, LARGE, 'on the board')}<figcaption>board</figcaption></figure>"
        for card in scene.board
    )
    tricks = [*scene.tricks]
    last = tricks[-1:]
    small = "".join(_trick(trick, k, names, SMALL) for k, trick in enumerate(tricks[:-1], 1))
    return board + small + "".join(_trick(trick, len(tricks), names, LARGE) for trick in last)


def _trick(trick: Trick, number_: int, names: Sequence[str], height: int) -> str:
    cards = "".join(
        f"<figure>{card_svg(card, height, f'played by {names[seat]}')}"
        f"<figcaption>{escape(names[seat])}</figcaption></figure>"
        for seat, card in trick.cards
    )
    won = f"trick {number_}: {escape(names[trick.winner])}" if trick.winner >= 0 else "on the table"
    return f'<div class="trick"><div class="cards">{cards}</div>{won}</div>'
