"""Judges for lecture 17, *How strong is a hand?*"""

from itertools import combinations

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, right, wrong

DECK = wb.poker.Deck()
TURN = "Q♥ 7♥ 4♠ 2♣"


def cards(text, count, what):
    if not isinstance(text, str):
        raise UnfitError(f"{what} is needed as a text such as 'A♥ K♥'")
    found = DECK.parse(text)  # refuses what is no card
    if len(found) != count:
        raise UnfitError(f"{what} has {count} cards, not {len(found)}")
    return found


def need_different(*groups):
    dealt = [card for group in groups for card in group]
    if len({*dealt}) < len(dealt):
        twice = next(card for card in dealt if dealt.count(card) > 1)
        raise UnfitError(f"{DECK.name(twice)} is there twice; a deck has each card once")


def strength(hand, board):
    """HS on a board of five, without any table."""
    rest = [card for card in range(52) if card not in (*hand, *board)]
    own = wb.poker.strength_of((*hand, *board))
    theirs = np.array([wb.poker.strength_of((*other, *board)) for other in combinations(rest, 2)])
    return ((theirs < own).sum() + (theirs == own).sum() / 2) / 990


def check_alike(answer):
    try:
        first, second = answer
    except (TypeError, ValueError):
        raise UnfitError("two hands are needed, such as 'A♦ A♣', 'K♦ K♣'") from None
    board, moments = DECK.parse(TURN), []
    for text in (first, second):
        hand = cards(text, 2, "a hand")
        need_different(hand, board)
        rest = [card for card in range(52) if card not in (*hand, *board)]
        later = np.array([strength(hand, (*board, card)) for card in rest])
        moments.append((later.mean(), (later**2).mean()))
    (mean, square), (other, other_square) = moments
    if abs(mean - other) >= 0.005:
        return wrong(f"Their E[HS] are {mean:.3f} and {other:.3f}; that is not the same strength.")
    if abs(square - other_square) <= 0.1:
        return wrong(
            f"E[HS] is {mean:.3f} and {other:.3f}, close enough. But E[HS²] is {square:.3f} and "
            f"{other_square:.3f}; take one hand that will be a flush or nothing."
        )
    return right(
        f"E[HS] is {mean:.3f} and {other:.3f}, E[HS²] is {square:.3f} and {other_square:.3f}."
    )


def check_blocker(answer):
    try:
        better, other, board = answer
    except (TypeError, ValueError):
        raise UnfitError("two hands and a board are needed, three texts") from None
    hands = cards(better, 2, "the better hand"), cards(other, 2, "the other hand")
    public = cards(board, 5, "the board")
    need_different(*hands, public)
    if max(np.bincount([card % 4 for card in public])) > 2:
        return wrong("The board has three cards of one suit, so a flush is possible.")
    if any(DECK.name(card)[0] == "J" for card in public):
        return wrong("There is a jack on the board, as in section 8; find a case without one.")
    first, second = (wb.poker.strength_of((*hand, *public)) for hand in hands)
    if first <= second:
        does = "ties with" if first == second else "loses to"
        return wrong(f"The first hand {does} the second one; it should beat it.")
    low, high = (strength(hand, public) for hand in hands)
    if low >= high:
        return wrong(
            f"The better hand has strength {low:.4f}, the other one {high:.4f}; look for a worse "
            "hand whose cards take good hands away from the opponents."
        )
    return right(f"The better hand has strength {low:.4f}, and the one that it beats {high:.4f}.")
