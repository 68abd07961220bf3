"""Toepen: the rules of a hand, matches, and what its players may forget."""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "games.toepen.hand_rules": "HandRule hand_rule",
        "games.toepen.match": "ToepenMatch",
        "games.toepen.rules": "Toepen",
        "games.toepen.suits": "ThesisSuits lossless_suits",
        "games.toepen.view": "in_order",
        "match_play": "MatchPlay solve_match",
    },
)
