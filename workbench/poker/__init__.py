"""What the big card games share: cards, hand ranks, boards, limit betting, and an engine that
walks public states with a vector over private hands."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "buckets": ["HandBuckets"],
        "cards": ["Deck"],
        "holdem_buckets": ["HoldemBuckets"],
        "holdem_tables": ["hand_strength"],
        "phases": ["first_phase", "rollout"],
        "resolving": ["Resolved", "resolve", "resolve_all"],
    },
)
