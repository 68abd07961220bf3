"""The laboratory: what a student of the algorithms need not read."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=[
        "analysis",
        "cli", "exercises", "formats", "ledger", "play", "plots", "reports", "sweep",
        "widgets",
    ],
)  # fmt: skip
