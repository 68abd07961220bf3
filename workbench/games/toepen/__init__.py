"""Toepen: the rules of a hand, matches, and what its players may forget."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "hand_rules": ["HandRule", "hand_rule"],
        "match": ["ToepenMatch"],
        "rules": ["Toepen"],
        "suits": ["ThesisSuits", "lossless_suits"],
        "view": ["in_order"],
    },
)
