"""Verbs of the table: calling, called.

>>> gerund("raise"), gerund("bet"), gerund("play the 10♥"), gerund("x")
('raising', 'betting', 'playing the 10♥', '“x”')
"""

from __future__ import annotations

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
