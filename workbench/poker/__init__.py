"""What the big card games share: cards, hand ranks, boards, limit betting, and an engine that
walks public states with a vector over private hands."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "board_sets": ["board_sets"],
        "bucket_response": ["bucket_response"],
        "buckets": ["HandBuckets"],
        "cards": ["Deck"],
        "flop_response": ["answer_flop"],
        "hand_classes": ["COMBOS", "NAMES"],
        "holdem_buckets": ["HoldemBuckets"],
        "holdem_tables": ["hand_strength"],
        "joint_buckets": ["joint_buckets"],
        "phases": ["first_phase", "rollout"],
        "public_tables": ["infosets_per_player", "lp_rows"],
        "real_response": ["opponent_named"],
        "resolving": ["Resolved", "resolve", "resolve_all"],
        "response_rounds": ["columns"],
        "seven_cards": ["strength_of"],
    },
)
