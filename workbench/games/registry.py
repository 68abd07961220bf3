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

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench.files import need_path
from workbench.later import named_class
from workbench.rules import GameError, Rules, need_rules, rules_in, shown
from workbench.settings import call, changed, code, make, options_of, unknown_name

GAMES: dict[str, str | type[Any]] = {  # a class, or where to find it below workbench
    "kuhn": "games.kuhn.Kuhn",
    "leduc": "games.leduc.Leduc",
    "limit_holdem": "poker.games.limit_holdem.LimitHoldem",
    "no_limit_kuhn": "games.no_limit_kuhn.NoLimitKuhn",
    "no_limit_leduc": "games.no_limit_leduc.NoLimitLeduc",
    "rhode_island": "poker.games.rhode_island.RhodeIsland",
    "toepen": "games.toepen.rules.Toepen",
}


def list_games() -> list[str]:
    """The names that `load_game` knows, in alphabetical order."""
    return sorted({*GAMES, *_text_games()})


def load_game(name: str | Path, /, **options: Any) -> Rules:
    """The rules of a game by its name and options, or from a file: a game as text (a path, *.txt,
    or the text itself, in lines), one of Gambit's (*.efg, *.nfg), or your own in Python,
    "dice.py:Dice" (see `workbench.games.own_files`: the file is run)."""
    return need_rules(make(game_maker(name), options, str(name)))


def known_game(name: str, /, **options: Any) -> Rules:
    """The rules of a game of `list_games`: for names that stand in a file somebody else may have
    written, where a name must never be that of a file to read or to run."""
    if not isinstance(name, str) or name not in list_games():
        raise unknown_name("game", name, list_games())
    return load_game(name, **options)


def game_maker(name: str | Path) -> Callable[..., Any]:
    """What makes a game when it is called with its options, those of `options_of`: a class, or a
    function without any."""
    if not isinstance(name, str | Path):
        raise GameError(f"the name of a game must be a text or a Path, not {shown(name)}")
    if name in GAMES:
        return game_class(str(name))
    text, known = name, _text_games()
    if name in known:
        text = known[name]
    elif "\n" in str(name):
        pass
    elif names_file(name):
        from workbench.games.own_files import own_maker

        return own_maker(str(name))
    elif is_path(name) or isinstance(name, Path):
        text = need_path(name, "a game")
    else:
        raise unknown_name("game", name, list_games())
    from workbench.games.text_game import load_text

    return lambda: load_text(text)


def names_file(name: object) -> bool:
    """Whether a name is that of a Python file, with or without its class.

    >>> [names_file(name) for name in ("kuhn", "own/dice.py", "own/dice.py:Dice", "dice.txt")]
    [False, True, True, False]
    """
    return str(name).endswith(".py") or ".py:" in str(name)


def is_path(name: str | Path) -> bool:
    """Whether a name is that of a file."""
    return (
        str(name).endswith((".txt", ".efg", ".nfg"))
        or names_file(name)
        or Path(name).name != str(name)
    )


def game_class(name: str) -> type[Any]:
    """The dataclass of a game with options."""
    return named_class(GAMES, name, "workbench")  # type: ignore[no-any-return]


def describe(rules: object) -> tuple[str, dict[str, Any]] | None:
    """The name and the options with which `load_game` makes these rules; None for one's own."""
    for name in GAMES:
        if type(rules) is game_class(name):
            return name, changed(rules)
    try:
        name = getattr(rules, "name", "")
        return (name, {}) if known_game(name) == rules else None
    except (GameError, TypeError):
        return None


def game_code(rules: object) -> str:
    """Python that makes these rules again: one's own by their class and options, or, if these do
    not tell it, by the name `game`."""
    if found := describe(rules):
        return code("load_game", found[1], json.dumps(found[0]))
    kind, given = made_of(rules)
    if kind is None or "<locals>" in kind.__qualname__:
        return "game"
    if file := getattr(kind, "__own_file__", ""):
        return code("load_game", given, json.dumps(file, ensure_ascii=False))
    return call(kind.__qualname__, given)


def made_of(rules: object) -> tuple[Any, dict[str, Any]]:
    """The class of somebody's own rules and the options that make them again; None and nothing, if
    what they were made of is not to be seen."""
    kind: Any = type(rules)
    try:
        options = {one.name: (getattr(rules, one.name), one.default) for one in options_of(kind)}
        given = {name: now for name, (now, usual) in options.items() if now != usual}
        same = vars(kind(**given)) == vars(rules) and all(map(_is_plain, given.values()))
    except Exception:
        same = False
    return (kind, given) if same else (None, {})


def name_with_options(game: Any) -> str:
    """The name of rules or of a tree; where it is somebody's own, with the options that it does not
    say itself, as our games do.

    >>> class Dice:
    ...     name, __module__ = "dice", "mine"
    ...     def __init__(self, sides=6): self.sides = sides
    >>> name_with_options(Dice()), name_with_options(Dice(sides=4))
    ('dice', 'dice(sides=4)')
    """
    name, rules = str(game.name), rules_in(game)
    if type(rules).__module__.startswith("workbench."):
        return name
    given = made_of(rules)[1]
    unsaid = {one: value for one, value in given.items() if str(value) not in name}
    return call(name, unsaid) if unsaid else name


def name_at_table(rules: Any) -> str:
    """What people call a game: as its rules list their tables, or else by its name.

    >>> name_at_table(load_game("odd_one_out")), name_at_table(load_game("kuhn", cards=4))
    ('Odd one out', 'Kuhn poker (cards 4)')
    >>> name_at_table(load_game("leduc", players=3, suit_isomorphism=True))
    'Leduc poker for three (suit isomorphism)'
    """
    listed, options = getattr(rules, "tables", {}).items(), (describe(rules) or ("", {}))[1]
    titles = {
        title: more.get("options", {}) for title, more in listed if more.keys() <= {"options"}
    }
    mine = [title for title, said in titles.items() if said.items() <= options.items()]
    if not mine:
        name = name_with_options(rules)
        return name if "(" in name else name[:1].upper() + name[1:].replace("_", " ")
    title = max(mine, key=lambda one: len(titles[one]))
    unsaid = {name: value for name, value in options.items() if name not in titles[title]}
    more = [name if value is True else f"{name} {value}" for name, value in unsaid.items()]
    return f"{title} ({', '.join(more).replace('_', ' ')})" if more else title


def given_game(game: Any, options: Mapping[str, Any]) -> Any:
    """The game that somebody has given: by its name and options, or as it is."""
    if isinstance(game, str):
        return load_game(game, **options)
    if options:
        raise GameError("options belong to a game given by name; yours has them already")
    return game


def _is_plain(value: Any) -> bool:
    """Whether Python reads back what it writes of a value."""
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


def _text_games() -> dict[Any, Path]:
    from workbench.shipped import shipped

    return {path.stem: path for path in shipped("data/games").glob("*.txt")}
