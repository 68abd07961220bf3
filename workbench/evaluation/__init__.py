"""Judges: how good is a strategy, exactly? None of them knows which solver made it."""

from workbench.evaluation.best_response import BestResponse, best_response, exploitability, gains
from workbench.evaluation.regret import measured_regrets, regret_bound
from workbench.evaluation.values import expected_values, seated

__all__ = [
    "BestResponse",
    "best_response",
    "expected_values",
    "exploitability",
    "gains",
    "measured_regrets",
    "regret_bound",
    "seated",
]
