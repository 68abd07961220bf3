"""Poker tournaments in which whoever acts goes all-in or folds: equities, the game, solving it.

>>> import workbench as wb
>>> [round(value, 2) for value in wb.jamfold.icm((6000, 4500, 3000), (50, 30, 20))]
[36.83, 33.62, 29.56]
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "jamfold.chip_values": "icm",
        "jamfold.equity_tables": "Equities equities equity",
        "jamfold.found": "TournamentSolution solve",
        "jamfold.hand": "TournamentMatch",
        "jamfold.solving": "Effort METHODS rounds",
        "jamfold.tournament": "SEATS Tournament",
        "lab.ledger.papers.two_players": "jam_fold_gaps",
        "lab.ledger.papers.waiting": "Waiting worked_example",
    },
)
