"""A card table as HTML: cards on green felt, the others above, you below.

Cards are SVG with a name for screen readers, everything else is text.
"""

from collections.abc import Sequence
from functools import lru_cache

from workbench.games.words import Place, Scene, Trick, Words
from workbench.lab.html import NOTHING, Html
from workbench.lab.play.cards import card_svg

LARGE, SMALL = 72, 48  # pixels
FELT = Html(
    '<div class="wb-felt" role="group" aria-label="the table">'
    '<div class="seats">{}</div><div class="middle">{}<div class="stake">{}</div></div>'
    '<div class="seats">{}</div></div>'
)


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
