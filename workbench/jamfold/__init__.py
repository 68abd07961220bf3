"""Poker tournaments in which whoever acts goes all-in or folds: equities, the game, solving it.

>>> import workbench as wb
>>> [round(value, 2) for value in wb.jamfold.icm((6000, 4500, 3000), (50, 30, 20))]
[36.83, 33.62, 29.56]
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "equity_tables": ["Equities", "equities", "equity"],
        "found": ["Found", "solve"],
        "chip_values": ["icm"],
        "solving": ["Effort", "METHODS", "rounds"],
        "tournament": ["SEATS", "Tournament"],
        "two_players": ["jam_fold_gaps"],
        "waiting": ["Waiting", "worked_example"],
    },
)
