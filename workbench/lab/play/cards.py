"""Playing cards as SVG: our own drawings, no fonts with suits in them, no pictures from elsewhere.

A card says what it is to those who cannot see it (`role="img"` and a title): "Queen of spades",
"face-down card". Cards of games without suits (Kuhn) carry their rank and an emblem. `card.svg.j2`
puts a card together, of what is drawn in `cards.toml`.

>>> svg = card_svg("Q♠")
>>> svg.startswith('<svg') and "Queen of spades" in svg
True
>>> "face-down" in card_svg(None)
True
"""

import tomllib
from functools import lru_cache
from pathlib import Path

from workbench.games.words import card_name
from workbench.lab.html import Html, template

INK, RED, GOLD, NEUTRAL = "#1b1b1f", "#b3202c", "#d9a520", "#1d4f91"
DRAWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
COLOURS = {"♥": RED, "♦": RED, "♠": INK, "♣": INK}


@lru_cache(maxsize=1000)
def card_svg(card: str | None, height: int = 126, extra: str = "") -> Html:
    """One card, `height` pixels high; None lies face down. `extra` is added to what it says."""
    name = "face-down card" if card is None else card_name(card)
    suit = card[-1:] if card and card[-1] in COLOURS else ""
    rank = "" if card is None else card.removesuffix(suit)
    rank = "10" if rank == "T" else rank
    colour = COLOURS.get(suit, NEUTRAL)
    face = DRAWN["faces"].get(rank, "").replace("\n", "").format(c=colour, g=GOLD)
    return Html(
        template(Path(__file__).with_name("card.svg.j2")).render(
            DRAWN, card=card, name=f"{name}, {extra}" if extra else name, height=height, suit=suit,
            rank=rank, colour=colour, face=face,
        )
    )  # fmt: skip
