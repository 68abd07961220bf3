"""Big card games, in rooms: cards, strength of hands, betting, buckets, the engine that walks
public states with a vector over private hands, real best responses, search, and the rules."""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "games.deck": "Deck",
        "poker.buckets.buckets": "HandBuckets",
        "poker.buckets.holdem_buckets": "HoldemBuckets",
        "poker.buckets.joint_buckets": "joint_buckets",
        "poker.cards.board_sets": "board_sets",
        "poker.cards.hand_classes": "COMBOS NAMES",
        "poker.cards.boards": "infosets_per_player",
        "poker.cards.seven_cards": "strength_of",
        "poker.response.flop_response": "answer_flop",
        "poker.response.real_response": "bucket_response opponent_named",
        "poker.response.response_rounds": "columns",
        "poker.search.phases": "first_phase rollout",
        "poker.search.resolving": "Resolved resolve resolve_all",
        "poker.strength.holdem_tables": "hand_strength",
        "lab.ledger.papers.lp_size": "lp_rows",
        "lab.ledger.papers.real_signals": "real_signals",
    },
)
