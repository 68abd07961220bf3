"""A card table as HTML: cards on green felt, the others above, you below.

Cards are SVG: our own drawings, no fonts with suits in them, no pictures from elsewhere; everything
else is text. A card says what it is to those who cannot see it (`role="img"` and a title): "Queen
of spades", "face-down card". Cards of games without suits (Kuhn) carry their rank and an emblem.
`card.svg.j2` puts a card together, of what is drawn in `cards.toml`.

>>> svg = card_svg("Q♠")
>>> svg.startswith('<svg') and "Queen of spades" in svg
True
>>> "face-down" in card_svg(None)
True
"""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from workbench.games.words import Place, Scene, Trick, Words, card_name
from workbench.lab.html import NOTHING, Html, template

LARGE, SMALL = 72, 48  # pixels
FELT = Html(
    '<div class="wb-felt" role="group" aria-label="the table">'
    '<div class="seats">{}</div><div class="middle">{}<div class="stake">{}</div></div>'
    '<div class="seats">{}</div></div>'
)
INK, RED, GOLD, NEUTRAL = "#1b1b1f", "#b3202c", "#d9a520", "#1d4f91"
DRAWN = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
COLOURS = {"♥": RED, "♦": RED, "♠": INK, "♣": INK}


def felt(
    scene: Scene, names: Sequence[str], you: int, words: Words, turn: int = -1, result: str = ""
) -> Html:
    """The table: others above, what is public in the middle, you below. `names` by seat; `turn`:
    the seat that is to move; `result`: when it is over."""
    return FELT.format(*map(NOTHING.join, felt_pieces(scene, names, you, words, turn, result)))


def felt_pieces(
    scene: Scene, names: Sequence[str], you: int, words: Words, turn: int = -1, result: str = ""
) -> tuple[list[Html], ...]:
    """What lies in the four places of `FELT`, piece by piece."""
    around = [(you + k) % len(names) for k in range(len(names))]  # in the order of play
    mine, *others = (_place(scene.places[s], names[s], words, s == turn) for s in around)
    said = [("pill", scene.at_stake), ("result", result)]
    stake = [Html('<div class="{}">{}</div>').format(*each) for each in said if each[1]]
    board = [_figure(scene.board, LARGE, "on the board", "board")] if scene.board else []
    tricks = [
        _trick(trick, k, names, LARGE if k == len(scene.tricks) else SMALL)
        for k, trick in enumerate(scene.tricks, 1)
    ]
    return others, [*board, *tricks], stake, [mine]


@lru_cache(maxsize=1000)
def _place(place: Place, name: str, words: Words, turn: bool) -> Html:
    kinds = " ".join(["place", *["turn"] * turn, *["folded"] * place.folded])
    more = [*["folded"] * place.folded, *[place.note] * bool(place.note)]
    if place.paid is not None:
        more.append(f"{words.amount(place.paid)} in the pot")
    cards = NOTHING.join(card_svg(card, LARGE) for card in place.cards)
    return Html(
        '<div class="{}"><div class="cards">{}</div><div><div class="name">{}</div>'
        '<div class="more">{}</div></div></div>'
    ).format(kinds, cards, name, ", ".join(more))


def _figure(cards: Sequence[str], height: int, extra: str, below: str) -> Html:
    drawn = NOTHING.join(card_svg(card, height, extra) for card in cards)
    figure = '<figure><div class="cards">{}</div><figcaption>{}</figcaption></figure>'
    return Html(figure).format(drawn, below)


def _trick(trick: Trick, k: int, names: Sequence[str], height: int) -> Html:
    cards = NOTHING.join(
        _figure([card], height, f"played by {names[seat]}", names[seat])
        for seat, card in trick.cards
    )
    won = f"trick {k}: {names[trick.winner]}" if trick.winner >= 0 else "on the table"
    return Html('<div class="trick"><div class="cards">{}</div>{}</div>').format(cards, won)


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
