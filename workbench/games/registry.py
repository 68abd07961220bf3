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
>>> describe(load_game("leduc", players=3)), game_code(load_game("leduc", players=3))
(('leduc', {'players': 3}), 'wb.load_game("leduc", players=3)')

Adding a game: write its rules as a frozen dataclass in a file of its own (see `kuhn.py`) and
put it into `GAMES`; its fields become the options of `load_game`. Or write it as text (see
`text_game.py`) and put the file into the folder `data/games`.
"""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from workbench.rules import GameError, Rules
from workbench.settings import changed, code, make, refuse_unknown, unknown_name

GAMES: dict[str, str | type[Any]] = {  # a class, or where to find it below workbench.games
    "kuhn": "kuhn.Kuhn",
    "leduc": "leduc.Leduc",
    "limit_holdem": "limit_holdem.LimitHoldem",
    "no_limit_leduc": "no_limit_leduc.NoLimitLeduc",
    "rhode_island": "rhode_island.RhodeIsland",
    "toepen": "toepen.rules.Toepen",
}


def list_games() -> list[str]:
    """The names that `load_game` knows, in alphabetical order."""
    return sorted({*GAMES, *_matrix_games(), *_text_games()})


def load_game(name: str | Path, /, **options: Any) -> Rules:
    """The rules of a game: by its name and options, or from a text file (a path or *.txt)."""
    if not isinstance(name, (str, Path)):
        raise unknown_name("game", name, list_games())
    if name in GAMES:
        rules: Rules = make(game_class(str(name)), options, str(name))
        return rules
    text = Path(name) if isinstance(name, Path) or str(name).endswith(".txt") else None
    text = text or _text_games().get(name)
    if text is None and name not in _matrix_games():
        raise unknown_name("game", name, list_games())
    refuse_unknown(options, [], str(name))
    if text is None:
        return _matrix_games()[name]
    from workbench.games.text_game import load_text

    return load_text(text)


def game_class(name: str) -> type[Any]:
    """The dataclass of a game with options."""
    found = GAMES[name]
    if isinstance(found, str):
        found = GAMES[name] = resolve_name(f"workbench.games.{found}")
    assert isinstance(found, type)
    return found


def describe(rules: object) -> tuple[str, dict[str, Any]] | None:
    """The name and the options with which `load_game` makes these rules; None for one's own."""
    for name in GAMES:
        if type(rules) is game_class(name):
            return name, changed(rules)
    try:
        name = getattr(rules, "name", "")
        return (name, {}) if load_game(name) == rules else None
    except (GameError, TypeError):
        return None


def game_code(rules: object) -> str:
    """Python that makes these rules again; one's own have only their name."""
    found = describe(rules)
    if found is None:
        return "game"
    return code("load_game", found[1], f'"{found[0]}"')


def _matrix_games() -> dict[Any, Rules]:
    from workbench.games.matrix import MATRIX_GAMES

    return {**MATRIX_GAMES}


def _text_games() -> dict[Any, Path]:
    from workbench.shipped import shipped

    return {path.stem: path for path in shipped("data/games").glob("*.txt")}
