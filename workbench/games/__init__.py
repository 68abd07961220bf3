"""The games of the workbench, by name.

>>> load_game("kuhn")
Kuhn(cards=3)
>>> load_game("leduc", players=3).name
'leduc(players=3)'
>>> load_game("leduc", player=3)
Traceback (most recent call last):
    ...
workbench.rules.GameError: leduc has no option 'player'; did you mean 'players'? \
Options: players, ranks, suit_isomorphism

Adding a game: write its rules as a frozen dataclass in a file of its own (see `kuhn.py`) and
put it into `GAMES`; its fields become the options of `load_game`. Or write it as text (see
`textfile.py`) and put the file into the folder `data/games`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.games.matrix import MATRIX_GAMES
from workbench.games.options import option_names
from workbench.games.text_game import load_text
from workbench.games.toepen import Toepen
from workbench.rules import GameError, Rules, did_you_mean, unknown_name

__all__ = ["list_games", "load_game"]

GAMES: dict[str, type[Rules]] = {
    "kuhn": Kuhn,
    "leduc": Leduc,
    "toepen": Toepen,
}

TEXT_FOLDER = Path(__file__).parents[2] / "data" / "games"  # absent in an installed package


def list_games() -> list[str]:
    """The names that `load_game` knows, in alphabetical order."""
    return sorted({*GAMES, *MATRIX_GAMES, *_text_games()})


def load_game(name: str | Path, /, **options: Any) -> Rules:
    """The rules of a game: by its name and options, or from a text file (a path or *.txt)."""
    if isinstance(name, Path) or (isinstance(name, str) and name.endswith(".txt")):
        _refuse_unknown(str(name), options, [])
        return load_text(Path(name))
    if name in GAMES:
        _refuse_unknown(name, options, option_names(GAMES[name]))
        return GAMES[name](**{option: _plain(value) for option, value in options.items()})
    if name in MATRIX_GAMES:
        _refuse_unknown(name, options, [])
        return MATRIX_GAMES[name]
    texts = _text_games()
    if name in texts:
        _refuse_unknown(name, options, [])
        return load_text(texts[name])
    raise unknown_name("game", name, list_games())


def _plain(value: Any) -> Any:
    """Numbers of numpy (from a table of settings, say) as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _text_games() -> dict[str, Path]:
    return {path.stem: path for path in TEXT_FOLDER.glob("*.txt")}


def _refuse_unknown(game: str, options: dict[str, Any], known: list[str]) -> None:
    for option in options:
        if option not in known:
            raise GameError(
                f"{game} has no option {option!r}{did_you_mean(option, known)} "
                + (f"Options: {', '.join(known)}" if known else "it has no options")
            )
