"""Judges: how good is a strategy, exactly? None of them knows which solver made it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "best_response": ["BestResponse", "best_response", "exploitability", "gains"],
        "earnings": ["earnings", "earnings_table"],
        "matches": ["sample_match", "sample_standings", "sample_tournament"],
        "regret": ["measured_regrets", "regret_bound", "sampled_regret_bound", "sampled_regrets"],
        "rules_match": ["play_match"],
        "tournament": ["all_seatings", "meetings", "standings", "tournament"],
        "values": ["expected_values", "seated"],
    },
)
