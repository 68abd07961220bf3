"""Choosing a game and a solver: a list of names, and below it the options of what was chosen.

The options are the fields of a frozen dataclass, so a new game or solver needs nothing here: a
field that is True or False becomes a box to tick, a number a number, a `Literal` a list.

>>> game = GameChoice("leduc")
>>> game.controls["players"].value = 3
>>> game.options, game.code
({'players': 3}, 'wb.load_game("leduc", players=3)')
>>> game.name.value = "kuhn"
>>> game.options, list(game.controls)
({}, ['cards'])
>>> solver = SolverChoice("dcfr")
>>> solver.controls["alpha"].value = 2.0
>>> solver.code
'wb.solvers.DCFR(alpha=2.0)'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets as widgets

from workbench.games.registry import GAMES, describe, game_class, list_games, load_game
from workbench.lab.widgets.style import choose, number, switch
from workbench.rules import GameError, Rules
from workbench.settings import Option, changed, options_of
from workbench.solvers.base import Solver
from workbench.solvers.registry import SOLVERS, find_solver, list_solvers, solver_class
from workbench.tree import GameTree


class _Choice:
    """A name and the controls of its options."""

    def __init__(self, label: str, names: list[str], name: str, tag: str) -> None:
        self.name = choose(label, names, tag, value=name)
        self.controls: dict[str, Any] = {}
        self._kind: Any = None
        self._box = widgets.VBox()
        self.view = widgets.VBox([self.name, self._box])
        self._heard: list[Callable[[], None]] = []
        self.name.observe(lambda change: self._chosen(), "value")

    def _type(self) -> Any:
        """The dataclass of what is chosen, or None."""
        raise NotImplementedError

    def _chosen(self, values: Mapping[str, Any] | None = None) -> None:
        self._kind = self._type()
        self.controls = _controls(self._kind, values or {}) if self._kind else {}
        for control in self.controls.values():
            control.observe(lambda change: self._changed(), "value")
        self._box.children = tuple(self.controls.values())
        self._changed()

    def _changed(self) -> None:
        for heard in self._heard:
            heard()

    def on_change(self, heard: Callable[[], None]) -> None:
        """Call this whenever something else is chosen."""
        self._heard.append(heard)

    @property
    def options(self) -> dict[str, Any]:
        """What differs from the default."""
        if not self._kind:
            return {}
        return {
            option.name: self.controls[option.name].value
            for option in options_of(self._kind)
            if option.name in self.controls and self.controls[option.name].value != option.default
        }


def need_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Refuse what are no options of a game.

    >>> need_options(5)
    Traceback (most recent call last):
    workbench.rules.GameError: options must be a dict, such as {"players": 3}, not 5
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise GameError(f'options must be a dict, such as {{"players": 3}}, not {options!r}')
    return dict(options)


class GameChoice(_Choice):
    """A game by name with its options; or one of somebody's own, which has them already."""

    def __init__(
        self, game: str | Rules | GameTree = "leduc", options: Mapping[str, Any] | None = None
    ) -> None:
        self._own: dict[str, Rules | GameTree] = {}
        options = need_options(options)
        if not isinstance(game, str):
            if options:
                raise GameError("options belong to a game given by name; yours has them already")
            game, options = self._known(game)
        if game not in self._own:
            load_game(game, **options)  # a wrong name or option is refused here
        super().__init__("Game", [*self._own, *list_games()], game, "game")
        self._chosen(options)

    def _known(self, game: Rules | GameTree) -> tuple[str, dict[str, Any]]:
        if found := describe(game):
            return found
        if not (isinstance(game, GameTree) or hasattr(game, "node")):
            raise GameError(f"game must be a name, rules or a tree, not {game!r}")
        label = f"{game.name} (your own)"
        self._own[label] = game
        return label, {}

    def _type(self) -> Any:
        return game_class(self.name.value) if self.name.value in GAMES else None

    @property
    def value(self) -> str | Rules | GameTree:
        """The name, or the game itself if it is somebody's own."""
        name = str(self.name.value)
        return self._own.get(name, name)

    @property
    def code(self) -> str:
        """Python that makes this game."""
        if self.name.value in self._own:
            return "game  # the game that was given to the panel"
        return f"wb.load_game({_call(repr(self.name.value), self.options)})".replace("'", '"')


class SolverChoice(_Choice):
    """A solver with its settings."""

    def __init__(self, solver: str | Solver = "cfr+") -> None:
        found = find_solver(solver)
        if found.name not in SOLVERS or type(found) is not solver_class(found.name):
            raise GameError(f"this panel knows the solvers {', '.join(list_solvers())}")
        super().__init__("Solver", list_solvers(), found.name, "solver")
        self._chosen(changed(found))

    def _type(self) -> Any:
        return solver_class(self.name.value)

    @property
    def value(self) -> str:
        """Its name."""
        return str(self.name.value)

    @property
    def code(self) -> str:
        """Python that makes this solver: its name if all settings are the usual ones."""
        if not self.options:
            return f'"{self.value}"'
        return f"wb.solvers.{self._kind.__name__}({_call('', self.options)})".replace("'", '"')


def _call(first: str, options: Mapping[str, Any]) -> str:
    return ", ".join([*([first] if first else []), *(f"{k}={v!r}" for k, v in options.items())])


def _controls(kind: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """One control for each option that people can set."""
    found = {}
    for option in options_of(kind):
        name, value, label = option.name, values.get(option.name, option.default), _label(option)
        if option.kind is bool:
            found[name] = switch(label, value, name)
        elif option.choices:
            listed = [(option.label(choice), choice) for choice in option.choices]
            found[name] = choose(label, listed, name, value=value)
        elif option.kind in (int, float):
            found[name] = number(label, option.kind(value), name, whole=option.kind is int)
    return found


def _label(option: Option) -> str:
    return option.name.replace("_", " ").capitalize()
