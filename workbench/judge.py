"""More judges of strategies, beside those on top (`wb.exploitability`, `wb.tournament`, …).

    look                        one information set: reach, beliefs, what each move is worth
    measured_regrets, …         what was regretted on the way, and what a theorem allows
    dominated_…                 mistakes that are mistakes against everybody
    trained_…, estimate_…       exploitability where no exact best response can be computed
    learning_match, …           a player who learns, hand by hand: what she wins and what she risks
    meetings, sample_…, …       tables of many players, exact or sampled; play_match: from the rules

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> int(wb.judge.dominated_choices(tree).sum())
5
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "evaluation.values": "BestResponse",
        "evaluation.matches": "play_match sample_standings sample_tournament",
        "evaluation.tournament": "all_seatings earnings_table meetings",
        "lab.ledger.papers.dominance": "dominated_choices dominated_mass dominated_table",
        "lab.analysis.infoset_view": "InfosetView StrategyView look",
        "lab.analysis.rules_sampling.run": "load_sampled",
        "lab.lectures.sampled_exploitability": "Estimate estimate_exploitability",
        "lab.lectures.learning_match": "learning_match match_score worst_opponent",
        "lab.lectures.regret": "measured_regrets regret_bound sampled_regret_bound sampled_regrets",
        "lab.ledger.papers.trained_response": "trained_exploitability trained_response",
        "passes": "how_often reach",
        "policies": "decider play_hand",
    },
)
