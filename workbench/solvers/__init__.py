"""The algorithms: each a frozen dataclass of settings, found by its name.

>>> import workbench as wb
>>> wb.solvers.DCFR(alpha=2.0)
DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)
"""

from workbench._group import group
from workbench.solvers.registry import SOLVERS

_PLACES = {
    "base": "Solver State current normalised random_state start_state",
    "iterate": "profiles",
    "registry": "find_solver list_solvers",
    "sampling": "draw",
}
for _file, _, _name in (str(place).rpartition(".") for place in SOLVERS.values()):
    _PLACES[_file] = f"{_PLACES.get(_file, '')} {_name}"

__getattr__, __dir__, __all__ = group(
    __name__, {f"solvers.{file}": names for file, names in _PLACES.items()}
)
