"""The algorithms: each a frozen dataclass of settings, found by its name.

>>> import workbench as wb
>>> wb.solvers.DCFR(alpha=2.0)
DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)
"""

import lazy_loader

from workbench.solvers.registry import SOLVERS

_PLACES = {
    "base": ["Solver", "State", "current", "normalised", "random_state", "start_state"],
    "iterate": ["profiles"],
    "registry": ["find_solver", "list_solvers"],
    "sampling": ["draw"],
}
for _place in map(str, SOLVERS.values()):
    _file, _, _name = _place.rpartition(".")
    _PLACES.setdefault(_file, []).append(_name)

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs=_PLACES)
