"""Forms made of dataclasses: a control for each field, and what its annotation says as a tip.

A new game or solver needs nothing here: a field that is True or False becomes a box to tick, a
number a number, a `Literal` a list.

>>> game = GameChoice("leduc")
>>> game.controls["players"].value = 3
>>> game.options, game.controls["suit_isomorphism"].tooltip
({'players': 3}, 'cards are ranks only: the same game, smaller')
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.games import registry
from workbench.lab.widgets import controls as ui
from workbench.rules import GameError, Rules, need_rules
from workbench.runs.experiment import Experiment
from workbench.settings import FrozenDict, Option, changed, make, options_of
from workbench.solvers.base import (
    SOLVERS,
    Solver,
    find_solver,
    is_listed,
    list_solvers,
    needs,
    solver_class,
    solver_name,
)
from workbench.tree import Form, GameTree


def spoken(abstraction: str) -> str:
    """An abstraction in a list or a table: a name that says nothing has its meaning beside it.

    >>> spoken("JQ-K"), spoken("null")
    ('JQ-K', 'null (only suits forgotten)')
    """
    return f"{abstraction} (only suits forgotten)" if abstraction == "null" else abstraction


def readable(game: str) -> str:
    """A game's name as people write it; its options are called as they are.

    >>> readable("limit_holdem(players=3)")
    'limit holdem(players=3)'
    """
    name, *options = game.partition("(")
    return name.replace("_", " ") + "".join(options)


class SettingsForm:
    """The controls of a dataclass, below others that stay; `fill` puts those of another there.

    `lists`: what a field may hold if its annotation does not say; of a number, the steps of its
    slider. `labels`: of fields whose names are not said as they are written. `look`: widths.
    """

    def __init__(
        self, heard: Callable[[], None], *first: Any,
        lists: Mapping[str, Sequence[Any]] | None = None,
        labels: Mapping[str, str] | None = None, **look: Any,
    ) -> None:  # fmt: skip
        self.kind: Any = None
        self.controls: dict[str, Any] = {}
        self._kept: dict[str, Any] = {}  # values without a control
        self.view, self._first, self._heard = ui.column(*first), first, heard
        self._lists, self._labels, self._look = lists or {}, labels or {}, look

    def fill(self, kind: Any, values: Mapping[str, Any]) -> None:
        """Show the options of `kind` (None: there are none), with these values for some."""
        before, self.kind, self.controls = self.controls, kind, {}
        self._kept = dict(values)
        for option in options_of(kind) if kind else ():
            if (made := self._control(option, values.get(option.name, option.default))) is not None:
                self._kept.pop(option.name, None)
                self.controls[option.name] = made
        self.view.children = (*self._first, *self.controls.values())
        for control in before.values():
            ui.close(control)

    def _control(self, option: Option, value: Any) -> Any:
        """None for a field that is empty, and says nothing, or that people do not set by hand."""
        name, listed = option.name, self._lists.get(option.name)
        label = self._labels.get(name, name.replace("_", " ").capitalize())
        more = {**self._look, "tooltip": option.help or ui.TIPS.get(name, label)}
        if value is None:
            return None
        if option.kind is bool:
            return ui.switch(label, value, name, self._heard, **more)
        if listed and option.kind is int:
            steps = [(f"{step:,}", step) for step in sorted({*listed, value})]
            return ui.slide(label, steps, name, self._heard, value=value, **more)
        if listed or option.choices:
            known = listed or [(option.labels.get(one, str(one)), one) for one in option.choices]
            return ui.choose(label, known, name, self._heard, value=value, **more)
        if option.kind in (int, float):
            whole = option.kind is int
            return ui.number(label, option.kind(value), name, self._heard, whole=whole, **more)
        return None

    @property
    def values(self) -> dict[str, Any]:
        """What the controls say."""
        return {name: control.value for name, control in self.controls.items()}

    @values.setter
    def values(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self.controls[name].value = value

    @property
    def options(self) -> dict[str, Any]:
        """What differs from the default, and what was given but has no control."""
        values = self.values
        usual = {one.name: one.default for one in options_of(self.kind)} if values else {}
        set_here = {name: value for name, value in values.items() if value != usual[name]}
        return {**self._kept, **set_here}


class _Choice(SettingsForm):
    """A name, and below it the options of what was chosen, of the dataclass `kind_of` it; `own` are
    somebody's, by name."""

    def __init__(
        self, heard: Callable[[], None], label: str, own: Mapping[str, Any], names: list[str],
        name: str, options: Mapping[str, Any], kind_of: Callable[[str], Any],
    ) -> None:  # fmt: skip
        listed = [(readable(one), one) for one in (*own, *names)]
        self.name = ui.choose(label, listed, label.lower(), self._chosen, value=name)
        super().__init__(heard, self.name)
        self._own, self._kind_of, self._given = own, kind_of, {name: options}
        self.fill(kind_of(name), options)

    def _chosen(self) -> None:
        name = self.name.value
        self.fill(self._kind_of(name), self._given.get(name, {}))
        self._heard()

    @property
    def value(self) -> Any:
        """The name, or the thing itself if it is somebody's own."""
        return self._own.get(self.name.value, self.name.value)


class GameChoice(_Choice):
    """A game with its options: by name, or somebody's own, which is made anew with others."""

    def __init__(
        self, game: str | Rules | GameTree, options: Mapping[str, Any] | None = None,
        heard: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        options, maker = dict(FrozenDict("options", options or {})), None
        if isinstance(game, str) and registry.is_path(game):
            maker, game = registry.game_maker(game), registry.load_game(game, **options)
        Experiment(game, {} if maker else options)  # refuses no games, wrong names and options
        own: dict[str, Rules | GameTree] = {}
        if not isinstance(game, str) and (known := registry.describe(game)):
            game, options = known
        elif not isinstance(game, str):
            if maker is None:
                maker, options = registry.made_of(game)
            name = game.name.partition("(")[0] if options else game.name
            own[f"{name} (your own)"] = game

        def kind_of(name: str) -> Any:
            return maker if name in own else registry.GAMES.get(name) and registry.game_class(name)

        name = game if isinstance(game, str) else next(iter(own))
        super().__init__(heard, "Game", own, registry.list_games(), name, options, kind_of)
        self._made = super().options, None if isinstance(game, str) else game

    @property
    def value(self) -> str | Rules | GameTree:
        """The name, or the game itself if it is somebody's own."""
        name, options = str(self.name.value), super().options
        if name not in self._own:
            return name
        if self._made[0] != options:
            self._made = options, need_rules(make(self.kind, options, name))
        return self._made[1] or self._own[name]

    @property
    def options(self) -> dict[str, Any]:
        """Those of a game by name; one's own has them already."""
        return {} if self.name.value in self._own else super().options

    @property
    def rules(self) -> Rules | GameTree:
        """The game with its options, or somebody's own."""
        found: Rules | GameTree = registry.given_game(self.value, self.options)
        return found


class SolverChoice(_Choice):
    """A solver with its settings; or one of somebody's `own`, which has them already."""

    def __init__(
        self, solver: str | Solver, own: Solver | Sequence[Solver], heard: Callable[[], None]
    ) -> None:
        found = find_solver(solver)
        if isinstance(own, str):
            raise GameError(
                f"solvers is for solvers of your own, solvers=[MySolver()]; one of ours is chosen "
                f"by solver={own!r}"
            )
        mine = [find_solver(one) for one in (own if isinstance(own, Sequence) else [own])]
        mine += [] if is_listed(found) or any(one is found for one in mine) else [found]
        named = {solver_name(one): one for one in mine}
        if len(named) < len(mine):
            names = ", ".join(sorted(one.name for one in mine))
            raise GameError(f"solvers: each needs a name of its own to be told apart, not {names}")
        name, given = (found.name, changed(found)) if is_listed(found) else (solver_name(found), {})
        super().__init__(
            heard, "Solver", named, list_solvers(), name, given,
            lambda name: solver_class(name) if name in SOLVERS else None,
        )  # fmt: skip

    def serve(self, form: Form | None) -> None:
        """List those that a game without a tree serves (None: it has one); one's own stay."""
        names = [n for n in list_solvers() if not form or needs(find_solver(n)) in form.offers]
        ui.relist(self.name, [(readable(one), one) for one in (*self._own, *names)])
