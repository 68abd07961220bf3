"""Questions about equilibria: how wide is their range, what is dominated, who can be exploited?"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "dominance": ["dominated_choices", "dominated_mass", "dominated_table"],
        "equilibrium_range": ["equilibrium_range", "learnt_equilibria"],
        "graft_theorem": ["GraftGains", "graft_gains"],
        "infoset_view": ["Outlook", "Sight", "look"],
        "normal_form": ["NormalForm", "count_pure_strategies", "normal_form"],
        "predetermined": ["predetermined"],
        "restricted_nash": ["exploitation_frontier", "restricted_response"],
        "rules_sampling.run": [
            "Estimate",
            "estimate_exploitability",
            "load_sampled",
            "sample_rules",
        ],
        "subgames": ["join_parts", "subgame"],
        "trained_response": ["trained_exploitability", "trained_response"],
    },
)
