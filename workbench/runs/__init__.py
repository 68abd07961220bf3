"""Runs: a game, a solver and a seed in; a strategy and what happened on the way out."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "experiment": ["Experiment", "grid"],
        "run": ["Run"],
        "solve": ["solve"],
        "store": ["Store"],
    },
)
