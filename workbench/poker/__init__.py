"""What the big card games share: cards, hand ranks, boards, limit betting, and an engine that
walks public states with a vector over private hands."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "bucket_response": ["bucket_response"],
        "buckets": ["HandBuckets"],
        "cards": ["Deck"],
        "flop_response": ["answer_flop"],
        "holdem_buckets": ["HoldemBuckets"],
        "holdem_tables": ["hand_strength"],
        "phases": ["first_phase", "rollout"],
        "real_response": ["opponent_named"],
        "resolving": ["Resolved", "resolve", "resolve_all"],
    },
)
