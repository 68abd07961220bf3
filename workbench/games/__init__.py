"""The games of the workbench, by name.

>>> load_game("kuhn")
Kuhn(cards=3)
>>> load_game("leduc", players=3).name
'leduc(players=3)'
>>> load_game("ledcu")
Traceback (most recent call last):
    ...
workbench.rules.GameError: there is no game 'ledcu'; did you mean 'leduc'? Games: kuhn, leduc

Adding a game: write its rules as a frozen dataclass in a file of its own (see `kuhn.py`) and
put it into `GAMES`. Its fields become the options of `load_game`.
"""

from __future__ import annotations

from typing import Any

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.games.options import did_you_mean, option_names
from workbench.rules import GameError, Rules

__all__ = ["list_games", "load_game"]

GAMES: dict[str, type[Rules]] = {
    "kuhn": Kuhn,
    "leduc": Leduc,
}


def list_games() -> list[str]:
    """The names that `load_game` knows, in alphabetical order."""
    return sorted(GAMES)


def load_game(name: str, **options: Any) -> Rules:
    """The rules of the game `name` with the given options; unknown names are refused."""
    if name not in GAMES:
        known = list_games()
        raise GameError(
            f"there is no game {name!r}{did_you_mean(name, known) or ';'} Games: {', '.join(known)}"
        )
    game = GAMES[name]
    known = option_names(game)
    for option in options:
        if option not in known:
            raise GameError(
                f"{name} has no option {option!r}{did_you_mean(option, known) or ';'} "
                f"Options: {', '.join(known)}"
            )
    return game(**options)
