"""A little English: who does what, how much, and what cards are called.

>>> says("You", "call"), says("Player 2", "call"), says("Player 2", "play the 10♥")
('You call', 'Player 2 calls', 'Player 2 plays the 10♥')
>>> gerund("raise"), gerund("bet"), gerund("play the 10♥"), gerund("x")
('raising', 'betting', 'playing the 10♥', '“x”')
>>> amount(1, "chip"), amount(1234, "hand"), number(-1.305), number(2, sign=True), number(-1e-9)
('1 chip', '1,234 hands', '−1.30', '+2.00', '0.00')
>>> card_name("Q♠"), card_name("10♥"), card_name("K"), a_card("A"), a_card("K")
('Queen of spades', '10 of hearts', 'King', 'an Ace', 'a King')
>>> listed(["a"]), listed(["a", "b", "c"])
('a', 'a, b and c')
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["a_card", "amount", "card_name", "gerund", "listed", "number", "past", "says"]

_GERUNDS = {
    "bet": "betting",
    "call": "calling",
    "check": "checking",
    "fold": "folding",
    "pass": "passing",
    "play": "playing",
    "raise": "raising",
}
_PAST = {"bet": "bet"}  # where it is not the verb with -ed
_RANKS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace", "T": "10"}
_SUITS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
_BE = {"are": "is", "have": "has"}


def says(name: str, phrase: str) -> str:
    """A subject and what it does: only "You" takes the phrase as it is."""
    verb, _, rest = phrase.partition(" ")
    if name != "You":
        verb = _BE.get(verb) or verb + ("es" if verb.endswith(("s", "sh", "ch")) else "s")
    return f"{name} {verb} {rest}".rstrip()


def gerund(phrase: str) -> str:
    """call -> calling; a move without an English name stays as it is, in quotation marks."""
    verb, _, rest = phrase.partition(" ")
    return f"{_GERUNDS[verb]} {rest}".rstrip() if verb in _GERUNDS else f"“{phrase}”"


def past(phrase: str) -> str:
    """
    >>> past("call"), past("raise"), past("bet"), past("play the 10♥"), past("x")
    ('called', 'raised', 'bet', 'played the 10♥', 'chose “x”')
    """
    verb, _, rest = phrase.partition(" ")
    if verb not in _GERUNDS:
        return f"chose “{phrase}”"
    ending = "d" if verb.endswith("e") else "ed"
    return f"{_PAST.get(verb, verb + ending)} {rest}".rstrip()


def number(value: float, sign: bool = False) -> str:
    """Two digits, a real minus, and no minus zero."""
    text = f"{value:+.2f}" if sign else f"{value:.2f}"
    if text.strip("+-0.") == "":
        return "0.00"
    return text.replace("-", "−")


def amount(value: float, unit: str) -> str:
    """So many of them; whole numbers without digits."""
    text = f"{value:,.0f}" if float(value).is_integer() else number(value)
    return f"{text} {unit}" if text in ("1", "−1") else f"{text} {unit}s"


def listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def card_name(card: str) -> str:
    """A card in words: rank, and suit if it has one."""
    suit = _SUITS.get(card[-1:], "")
    rank = card[:-1] if suit else card
    return _RANKS.get(rank, rank) + (f" of {suit}" if suit else "")


def a_card(card: str) -> str:
    """With its article: there is one Queen of spades, but more than one Queen."""
    name = card_name(card)
    if " of " in name:
        return f"the {name}"
    return f"{'an' if name.startswith(('A', '8')) else 'a'} {name}"
