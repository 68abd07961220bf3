"""Verbs of the table: calling, called.

>>> gerund("raise"), gerund("go all-in"), gerund("play the 10♥"), gerund("x")
('raising', 'going all-in', 'playing the 10♥', '“x”')
>>> past("raise"), past("go all-in"), past("bet"), past("x")
('raised', 'went all-in', 'bet', 'chose “x”')
"""

_FORMS = {
    "bet": ("betting", "bet"), "call": ("calling", "called"), "check": ("checking", "checked"),
    "fold": ("folding", "folded"), "go": ("going", "went"), "jam": ("jamming", "jammed"),
    "pass": ("passing", "passed"), "play": ("playing", "played"), "raise": ("raising", "raised"),
}  # fmt: skip


def gerund(phrase: str) -> str:
    """call -> calling; a move without an English name stays as it is, in quotation marks."""
    verb, _, rest = phrase.partition(" ")
    return f"{_FORMS[verb][0]} {rest}".rstrip() if verb in _FORMS else f"“{phrase}”"


def past(phrase: str) -> str:
    """call -> called"""
    verb, _, rest = phrase.partition(" ")
    return f"{_FORMS[verb][1]} {rest}".rstrip() if verb in _FORMS else f"chose “{phrase}”"
