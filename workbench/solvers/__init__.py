"""The algorithms: each a frozen dataclass of settings, found by its name.

>>> import workbench as wb
>>> wb.solvers.DCFR(alpha=2.0)
DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "base": ["Solver", "State", "average", "current", "need_state", "start_state"],
        "cfr": ["CFR", "DCFR", "CFRPlus", "LinearCFR", "PCFRPlus"],
        "chance_sampling": ["ChanceSampling"],
        "external_sampling": ["ExternalSampling"],
        "iterate": ["iterate", "profiles"],
        "lp": ["LP"],
        "outcome_sampling": ["OutcomeSampling"],
        "registry": ["find_solver", "list_solvers"],
    },
)
