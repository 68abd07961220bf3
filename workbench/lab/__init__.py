"""The laboratory: what a student of the algorithms need not read."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__, submodules=["exercises", "ledger", "play", "plots", "reports", "widgets"]
)
