"""Choosing what to stitch: the controls of a stitching recipe.

The choices depend on each other: Kuhn has no second round, and experts by card have other names
than experts by betting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from workbench.lab.widgets.controls import Ticks, caption, choose, column, number, relist, row
from workbench.lab.widgets.stitching_recipe import StitchingRecipe, abstractions, games, partitions
from workbench.solvers.registry import list_solvers

STITCHING = [
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


class StitchingForm:
    """Controls that make a recipe; `heard` is called when they make another one."""

    def __init__(self, recipe: StitchingRecipe) -> None:
        wide: dict[str, Any] = {"width": "27em", "label_width": "8.5em"}
        change = self._changed
        self.heard: Callable[[], None] = lambda: None
        self._setting = True
        self.game = choose("Game", games(), "game", self._fit, **wide)
        self.base = choose("Base", [recipe.base], "base", change, **wide)
        self.stitching = choose("Stitching", STITCHING, "stitching", change, **wide)
        self.leftovers = choose("Leftovers", DROPPED, "leftovers", change, **wide)
        self.leftovers.tooltip = LEFTOVERS
        self.way = choose("Experts by", [recipe.way], "way", self._fit, **wide)
        self.abstraction = choose("Inside experts", [], "inside", change, **wide)
        self.solver = choose("Solver", list_solvers(), "solver", change, **wide)
        self.iterations = number("Iterations", recipe.iterations, "iterations", change, **wide)
        self.seed = number("Seed", recipe.seed, "seed", change, **wide)
        self.experts = Ticks("expert", change)
        left = column(self.game, self.base, self.stitching, self.leftovers)
        right = column(self.way, self.abstraction, self.solver, self.iterations, self.seed)
        experts = row(caption("Experts"), self.experts.view)
        self.view = column(row(left, right, align="flex-start"), experts)
        self.put(recipe)

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
        self._show_experts(recipe.experts)

    def _fit(self) -> None:
        """Another game or way: other choices."""
        if not self._setting:
            self._setting = True
            self._list_choices()
            self._show_experts(None)

    def _list_choices(self) -> None:
        names, ways = abstractions(self.game.value), list(partitions(self.game.value))
        known = [("null: forget nothing" if name == "null" else name, name) for name in names]
        for control, options in ((self.base, known), (self.abstraction, known), (self.way, ways)):
            relist(control, options)

    def _show_experts(self, ticked: Any) -> None:
        self.experts.show(partitions(self.game.value)[self.way.value].names, ticked)
        self._setting = False
        self._changed()

    def _changed(self) -> None:
        if not self._setting:
            self.leftovers.disabled = self.stitching.value == "dynamic"
            self.heard()
