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

from workbench.games.words import card_name
from workbench.lab.html import Html, show

INK, RED, GOLD, NEUTRAL = "#1b1b1f", "#b3202c", "#d9a520", "#1d4f91"
PAPER = (
    '<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="#fffdf8" '
    'stroke="#8d8a80" stroke-width="1.5"/>'
)

# Each suit fits into −50 … 50 in both directions.
SUITS = {
    "♥": '<path d="M0 46C-62 2-46-44-23-44-9-44 0-34 0-23 0-34 9-44 23-44 46-44 62 2 0 46Z"/>',
    "♠": (
        '<path d="M0-48C62 0 46 34 23 34 12 34 5 29 3 22 4 35 9 44 17 48L-17 48C-9 44-4 35-3 22'
        '-5 29-12 34-23 34-46 34-62 0 0-48Z"/>'
    ),
    "♦": '<path d="M0-50C10-29 22-13 37 0 22 13 10 29 0 50-10 29-22 13-37 0-22-13-10-29 0-50Z"/>',
    "♣": (
        '<path d="M3 6C4 28 9 42 17 48L-17 48C-9 42-4 28-3 6Z"/><circle cx="0" cy="-24" r="22"/>'
        '<circle cx="-23" cy="10" r="22"/><circle cx="23" cy="10" r="22"/>'
        '<circle cx="0" cy="0" r="9"/>'
    ),
}
COLOURS = {"♥": RED, "♦": RED, "♠": INK, "♣": INK}

# Where the pips of a number stand on a card of 100 × 140; those below the middle are upside down.
_LEFT, _MIDDLE, _RIGHT = 33.0, 50.0, 67.0
_FOUR = [(_LEFT, 33.0), (_RIGHT, 33.0), (_LEFT, 107.0), (_RIGHT, 107.0)]
_SIX = [*_FOUR, (_LEFT, 70.0), (_RIGHT, 70.0)]
_EIGHT = [*_FOUR, (_LEFT, 57.7), (_RIGHT, 57.7), (_LEFT, 82.3), (_RIGHT, 82.3)]
PIPS: dict[str, list[tuple[float, float]]] = {
    "2": [(_MIDDLE, 33), (_MIDDLE, 107)],
    "3": [(_MIDDLE, 33), (_MIDDLE, 70), (_MIDDLE, 107)],
    "4": _FOUR,
    "5": [*_FOUR, (_MIDDLE, 70)],
    "6": _SIX,
    "7": [*_SIX, (_MIDDLE, 51.5)],
    "8": [*_SIX, (_MIDDLE, 51.5), (_MIDDLE, 88.5)],
    "9": [*_EIGHT, (_MIDDLE, 70)],
    "10": [*_EIGHT, (_MIDDLE, 45.3), (_MIDDLE, 94.7)],
}

# What a face wears, around (0, 0): the Jack a cap with a feather, the Queen a tiara, the King a
# crown with a cross. {c} is the colour of the card.
FACES = {
    "J": (
        '<path d="M-24 10C-24-10-10-20 6-20 18-20 24-8 24 10Z" fill="{c}"/>'
        '<path d="M-28 9H28V17H-28Z" fill="{g}"/>'
        '<path d="M14-15C24-34 12-42 30-50 32-34 30-24 18-12Z" fill="{g}"/>'
    ),
    "Q": (
        '<path d="M-28 14-26-12-13 2 0-24 13 2 26-12 28 14Z" fill="{c}"/>'
        '<path d="M-28 12H28V20H-28Z" fill="{g}"/><circle cx="0" cy="-29" r="5.5" fill="{g}"/>'
        '<circle cx="-27" cy="-17" r="4.5" fill="{g}"/><circle '
        'cx="27" cy="-17" r="4.5" fill="{g}"/>'
    ),
    "K": (
        '<path d="M-30 14V-18L-15-2 0-22 15-2 30-18V14Z" fill="{c}"/>'
        '<path d="M-30 12H30V21H-30Z" fill="{g}"/>'
        '<path d="M-2.5-44H2.5V-38H8V-33H2.5V-22H-2.5V-33H-8V-38H-2.5Z" fill="{g}"/>'
    ),
    "A": (
        '<path d="M0-34 9-9 34-9 14 7 22 32 0 16-22 32-14 7-34-9-9-9Z" fill="{g}" '
        'stroke="{c}" stroke-width="2.5" stroke-linejoin="round"/>'
    ),
}


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
    face = FACES.get(rank, "").format(c=colour, g=GOLD)
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
