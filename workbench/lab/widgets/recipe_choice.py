"""Choosing what to sew: the controls of a stitching recipe.

The choices depend on each other: Kuhn has no second round, and experts by card have other names
than experts by betting.

>>> choice = RecipeChoice(StitchingRecipe("leduc", experts=("r", "cr")))
>>> choice.experts.names, choice.experts.value
(('r', 'cr', 'ccr', 'cccr'), ('r', 'cr'))
>>> choice.game.value = "kuhn"
>>> choice.recipe == StitchingRecipe("kuhn")
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import ipywidgets as widgets

from workbench.lab.widgets import stitching_recipe as pieces
from workbench.lab.widgets.stitching_recipe import StitchingRecipe
from workbench.lab.widgets.style import caption, choose, number, row
from workbench.lab.widgets.ticks import Ticks
from workbench.solvers.registry import list_solvers

SEWING = [
    ("static, S = N: everybody", "N"),
    ("static, S = {i}: each alone", "each"),
    ("static, S = {1}: player 1", "1"),
    ("static, S = {2}: player 2", "2"),
    ("dynamic: all in one", "dynamic"),
]
DROPPED = [
    ("count, however small", "count"),
    ("are dropped; then uniform", "uniform"),
    ("are dropped; then the base", "base"),
]
LEFTOVERS = (
    "Leftovers are probabilities of the base below a hundredth, where learning has not ended. They "
    "decide what experts learn where the base hardly ever goes: see notebook 08."
)


class RecipeChoice:
    """Controls that make a recipe; `on_change` tells when they make another one."""

    def __init__(self, recipe: StitchingRecipe) -> None:
        wide: dict[str, Any] = {"width": "27em", "label_width": "8.5em"}
        self._setting = False
        self._heard: list[Callable[[], None]] = []
        self.game = choose("Game", pieces.games(), "game", **wide)
        self.base = choose("Base", [recipe.base], "base", **wide)
        self.sewing = choose("Sewing", SEWING, "sewing", **wide)
        self.way = choose("Experts by", [recipe.way], "way", **wide)
        self.experts = Ticks("expert", self._changed)
        self.abstraction = choose("Inside experts", [recipe.abstraction], "inside", **wide)
        self.leftovers = choose("Leftovers", DROPPED, "leftovers", **wide)
        self.leftovers.tooltip = LEFTOVERS
        self.solver = choose("Solver", list_solvers(), "solver", **wide)
        self.iterations = number("Iterations", recipe.iterations, "iterations", **wide)
        self.seed = number("Seed", recipe.seed, "seed", **wide)
        left = [self.game, self.base, self.sewing, self.leftovers]
        right = [self.way, self.abstraction, self.solver, self.iterations, self.seed]
        both = row(widgets.VBox(left), widgets.VBox(right), align="flex-start")
        self.view = widgets.VBox([both, row(caption("Experts"), self.experts.view)])
        self.put(recipe)
        for control in (*left, *right):
            fits = control in (self.game, self.way)
            control.observe(self._fit if fits else lambda change: self._changed(), "value")

    def on_change(self, heard: Callable[[], None]) -> None:
        """Call this whenever something else is chosen."""
        self._heard.append(heard)

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        said = {field.name: getattr(self, field.name).value for field in fields(StitchingRecipe)}
        if said["experts"] == self.experts.names:
            said["experts"] = None
        return StitchingRecipe(**said)

    def put(self, recipe: StitchingRecipe) -> None:
        """Set the controls."""
        self._setting = True
        self.game.value = recipe.game
        self._list_choices()
        for field in fields(recipe):
            if field.name != "experts":
                getattr(self, field.name).value = getattr(recipe, field.name)
        self.experts.show(pieces.partition(recipe.game, recipe.way).names, recipe.experts)
        self._setting = False
        self._changed()

    def _fit(self, change: Any) -> None:
        """Another game or way: other choices."""
        if not self._setting:
            self._setting = True
            self._list_choices()
            self.experts.show(pieces.partition(self.game.value, self.way.value).names)
            self._setting = False
            self._changed()

    def _list_choices(self) -> None:
        known = list(pieces.abstractions(self.game.value))
        for control, options in (
            (self.base, known), (self.abstraction, known), (self.way, pieces.ways(self.game.value))
        ):  # fmt: skip
            if list(control.options) != options:
                kept = control.value
                control.options = options
                control.value = kept if kept in options else options[0]

    def _changed(self) -> None:
        if not self._setting:
            self.leftovers.disabled = self.sewing.value == "dynamic"
            for heard in self._heard:
                heard()
