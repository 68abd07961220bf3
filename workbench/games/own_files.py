"""A game of one's own by the name of its file: "dice.py:Dice" is what the class Dice there makes.

The file is run, as `python dice.py` runs it, so name only files you trust; what stands below
`if __name__ == "__main__":` is left out. A file with one game need not say which: "dice.py". After
a change the file is read again. It may import files beside it.

A store or a saved session never names such a file: what they hold is found by `known_game`.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.files import naming, need_path, read_file
from workbench.rules import GameError
from workbench.settings import options_of, unknown_name

ANSWERS = ("start", "next", "node")  # that make an object the rules of a game

_read: dict[Path, tuple[bytes, dict[str, Any]]] = {}  # what stood in a file, and what it made


def own_maker(name: str) -> Callable[..., Any]:
    """What makes the game when it is called with its options: a class, usually."""
    head, colon, last = name.rpartition(".py:")
    one, file = last if colon else "", need_path(f"{head}.py" if colon else name, "a game")
    made = _run(file)
    found = {name: one for name, one in made.items() if _plays(one) and name[0] != "_"}
    kinds = [name for name, kind in found.items() if isinstance(kind, type)]
    games = [name for name in kinds if found[name].__module__ == f"<{file.name}>"]
    games = games or [name for name in found if name not in kinds]
    if not games and one not in made:
        raise GameError(f"{file} has no game: a class with {', '.join(ANSWERS)}")
    if not one and len(games) > 1:
        forms = " or ".join(f"{file}:{each}" for each in games)
        raise GameError(f"{file} has several games; say which: {forms}")
    if (one or games[0]) not in made:
        with naming(file):
            raise unknown_name("game", one, games)
    chosen: Any = made[one or games[0]]
    makes = isinstance(chosen, type) or (callable(chosen) and not _plays(chosen))
    return chosen if makes else lambda: chosen


def _run(file: Path) -> dict[str, Any]:
    """The names that a file defines; run once for each content."""
    if not file.is_file():
        raise GameError(f"there is no file {file}")
    content, where = read_file(file), file.resolve()
    if where in _read and _read[where][0] == content:
        return _read[where][1]
    module = ModuleType(f"<{file.name}>")
    module.__file__ = str(file)
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))  # what it imports; last, so that it hides nothing
    sys.modules[module.__name__] = module  # dataclasses look for their annotations there
    try:
        exec(_compiled(content, file), vars(module))
        for name, one in [*vars(module).items()]:
            if isinstance(one, type) and one.__module__ == module.__name__ and _plays(one):
                options_of(one)  # read now, while their annotations can be found
                one.__own_file__ = f"{file}:{name}"  # type: ignore[attr-defined]
    except SystemExit:
        raise GameError(
            f"{file} ends Python when it is read; put that below `if __name__ == '__main__':`"
        ) from None
    finally:
        del sys.modules[module.__name__]  # so that its classes travel to workers as they are
    _read[where] = content, vars(module)
    return vars(module)


def _compiled(content: bytes, file: Path) -> Any:
    try:
        return compile(content, str(file), "exec")
    except (SyntaxError, ValueError) as error:
        if getattr(error, "filename", None):
            raise  # it says where
        raise GameError(f"{file} is no Python: {error}") from None


def _plays(one: object) -> bool:
    return all(hasattr(one, what) for what in ANSWERS)


def is_own_file(name: str) -> bool:
    """Whether the code of a file with this name was run here."""
    return Path(name).suffix == ".py" and Path(name).resolve() in _read
