"""Judges: how good is a strategy, exactly? None of them knows which solver made it."""

from workbench.evaluation.best_response import BestResponse, best_response, exploitability, gains
from workbench.evaluation.sampling_bound import sampled_regret_bound, sampled_regrets
from workbench.lab.analysis.dominance import dominated_choices, dominated_mass, dominated_table
from workbench.evaluation.earnings import earnings, earnings_table
from workbench.lab.analysis.infoset_view import Outlook, Sight, look
from workbench.evaluation.matches import sample_match, sample_tournament
from workbench.evaluation.regret import measured_regrets, regret_bound
from workbench.evaluation.rules_match import play_match
from workbench.evaluation.tournament import all_seatings, meetings, standings, tournament
from workbench.evaluation.values import expected_values, seated

__all__ = [
    "BestResponse",
    "Outlook",
    "Sight",
    "all_seatings",
    "best_response",
    "dominated_choices",
    "dominated_mass",
    "dominated_table",
    "earnings",
    "earnings_table",
    "expected_values",
    "exploitability",
    "gains",
    "look",
    "measured_regrets",
    "meetings",
    "play_match",
    "regret_bound",
    "sample_match",
    "sample_tournament",
    "sampled_regret_bound",
    "sampled_regrets",
    "seated",
    "standings",
    "tournament",
]
