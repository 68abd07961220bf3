"""Playing cards as SVG: our own drawings, no fonts with suits in them, no pictures from elsewhere.

A card says what it is to those who cannot see it (`role="img"` and a title): "Queen of spades",
"face-down card". Cards of games without suits (Kuhn) carry their rank and an emblem.

>>> svg = card_svg("Q♠")
>>> svg.startswith('<svg') and "Queen of spades" in svg
True
>>> "face-down" in card_svg(None)
True
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from workbench.games.words import card_name
from workbench.lab.html import Html, show

INK, RED, GOLD, NEUTRAL = "#1b1b1f", "#b3202c", "#d9a520", "#1d4f91"
PAPER = (
    '<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="#fffdf8" '
    'stroke="#8d8a80" stroke-width="1.5"/>'
)

DRAWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SUITS, FACES, PIPS = DRAWN["suits"], DRAWN["faces"], DRAWN["pips"]
COLOURS = {"♥": RED, "♦": RED, "♠": INK, "♣": INK}


def card_svg(card: str | None, height: int = 126, extra: str = "") -> Html:
    """One card, `height` pixels high; None lies face down. `extra` is added to what it says."""
    name = "face-down card" if card is None else card_name(card)
    name = f"{name}{', ' + extra if extra else ''}"
    drawn = _back() if card is None else _front(card)
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" role="img" '
        f'width="{height * 100 // 140}" height="{height}" aria-label="{show(name)}">'
        f"<title>{show(name)}</title>{drawn}</svg>"
    )


def _front(card: str) -> str:
    suit = card[-1:] if card[-1:] in SUITS else ""
    rank = card[: -len(suit)] if suit else card
    rank = "10" if rank == "T" else rank
    colour = COLOURS.get(suit, NEUTRAL)
    if len(rank) > 2:  # a word: as large as it fits
        size = min(150 // len(rank), 26)
        return (
            f'{PAPER}<text x="50" y="76" text-anchor="middle" font-size="{size}" '
            f'font-family="Georgia,serif" fill="{colour}">{show(card)}</text>'
        )
    size, spacing = (20, -2) if rank == "10" else (23, 0)
    corner = (
        f'<text x="13" y="25" text-anchor="middle" font-size="{size}" letter-spacing="{spacing}" '
        f'font-weight="700" font-family="Georgia,serif" fill="{colour}">{show(rank)}</text>'
        f"{_suit(suit, 13, 38, 15)}"
    )
    return (
        f'{PAPER}{corner}<g transform="rotate(180 50 70)">{corner}</g>{_middle(rank, suit, colour)}'
    )


def _middle(rank: str, suit: str, colour: str) -> str:
    if suit and rank == "A":
        return _suit(suit, 50, 70, 44)
    if suit and rank in PIPS:
        return "".join(_suit(suit, x, y, 17, turned=y > 71) for x, y in PIPS[rank])
    face = FACES.get(rank, "").replace("\n", "").format(c=colour, g=GOLD)
    frame = (
        f'<rect x="25" y="20" width="50" height="100" rx="5" fill="{colour}" fill-opacity=".06" '
        f'stroke="{colour}" stroke-opacity=".45" stroke-width="1.2"/>'
    )
    if not suit:
        numeral = (  # of a rank that has no emblem
            f'<text y="18" text-anchor="middle" font-size="56" font-family="Georgia,serif" '
            f'fill="{NEUTRAL}">{show(rank)}</text>'
        )
        return f'{frame}<g transform="translate(50 75) scale(.66)">{face or numeral}</g>'
    return f'{frame}<g transform="translate(50 58) scale(.72)">{face}</g>{_suit(suit, 50, 96, 26)}'


def _suit(suit: str, x: float, y: float, size: float, turned: bool = False) -> str:
    if not suit:
        return ""
    turn = " rotate(180)" if turned else ""
    return (
        f'<g transform="translate({x} {y}) scale({size / 100:g}){turn}" '
        f'fill="{COLOURS[suit]}">{SUITS[suit]}</g>'
    )


def _back() -> str:
    """Blue with a lattice."""
    diamonds = "".join(
        f"M{16 + 17 * column} {14.5 + 18.5 * row}l6 9.25-6 9.25-6-9.25Z"
        for row in range(6)
        for column in range(5)
    )
    return (
        f'{PAPER}<rect x="7" y="7" width="86" height="126" rx="5" fill="#1d4f91"/>'
        f'<path d="{diamonds}" fill="none" stroke="#9cc3ee" stroke-width="1.3"/>'
        '<rect x="10.5" y="10.5" width="79" height="119" rx="3" fill="none" '
        'stroke="#e6eefb" stroke-width="1.2"/>'
    )
