"""The algorithms: each a frozen dataclass of settings, found by its name.

>>> import workbench as wb
>>> wb.solvers.DCFR(alpha=2.0)
DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)
>>> kuhn = wb.load_game("kuhn")
>>> wb.solve(kuhn, "cfr+", 400)
Run of cfr+ on kuhn: 400 iterations, exploitability 0.0002...
>>> wb.solve(kuhn, "egt", 400)  # the excessive gap technique: both smooth less, step by step
Run of egt on kuhn: 400 iterations, exploitability 0.0002...
>>> wb.solve(kuhn, wb.solvers.EGT(prox="euclidean", aggressive=False, mu=1.0), 400)
Run of egt on kuhn: 400 iterations, exploitability 0.00...
>>> wb.solve(kuhn, "iterated-smoothing", 400)  # in stages
Run of iterated-smoothing on kuhn: 400 iterations, exploitability 0.000...
>>> wb.solve(kuhn, "fictitious-play", 400)  # best responses to averages
Run of fictitious-play on kuhn: 400 iterations, exploitability 0.0...
"""

from workbench.later import group
from workbench.solvers.base import SOLVERS

_PLACES = {
    "base": "Solver State current find_solver list_solvers normalised profiles random_state "
    "start_state",
    "sampling": "draw",
}
for _file, _, _name in (str(place).rpartition(".") for place in SOLVERS.values()):
    _PLACES[_file] = f"{_PLACES.get(_file, '')} {_name}"

__getattr__, __dir__, __all__ = group(
    __name__, {f"solvers.{file}": names for file, names in _PLACES.items()}
)
