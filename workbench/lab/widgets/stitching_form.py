"""Choosing what to stitch: the controls of a stitching recipe.

The choices depend on each other: Kuhn has no second round, and experts by card have other names
than experts by betting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from workbench.lab.widgets.controls import Ticks, caption, choose, column, number, relist, row
from workbench.lab.widgets.stitching_recipe import Ground, StitchingRecipe, grounds
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
    "decide what experts learn where the base hardly ever goes: see lecture 09."
)


class StitchingForm:
    """Controls that make a recipe; `heard` is called when they make another one."""

    def __init__(self, recipe: StitchingRecipe) -> None:
        wide: dict[str, Any] = {"width": "27em", "label_width": "8.5em"}
        change = self._changed
        self.heard: Callable[[], None] = lambda: None
        self._setting = True
        self.grounds: dict[str, Ground] = {recipe.game.label: recipe.game, **grounds()}
        self.game = choose("Game", list(self.grounds), "game", self._fit, **wide)
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
    def ground(self) -> Ground:
        """The game that is chosen."""
        return self.grounds[self.game.value]

    @property
    def recipe(self) -> StitchingRecipe:
        """What the controls say; GameError if that makes no sense."""
        said = {field.name: getattr(self, field.name).value for field in fields(StitchingRecipe)}
        said["game"] = self.ground
        if said["experts"] == self.experts.names:
            said["experts"] = None
        return StitchingRecipe(**said)

    def put(self, recipe: StitchingRecipe) -> None:
        """Set the controls."""
        self._setting = True
        self.game.value = recipe.game.label
        self._list_choices()
        for field in fields(recipe):
            if field.name not in ("game", "experts"):
                getattr(self, field.name).value = getattr(recipe, field.name)
        self._show_experts(recipe.experts)

    def _fit(self) -> None:
        """Another game or way: other choices."""
        if not self._setting:
            self._setting = True
            self._list_choices()
            self._show_experts(None)

    def _list_choices(self) -> None:
        names, ways = self.ground.abstractions, list(self.ground.partitions)
        known = [("null: forget nothing" if name == "null" else name, name) for name in names]
        for control, options in ((self.base, known), (self.abstraction, known), (self.way, ways)):
            relist(control, options)

    def _show_experts(self, ticked: Any) -> None:
        self.experts.show(self.ground.partitions[self.way.value].names, ticked)
        self._setting = False
        self._changed()

    def _changed(self) -> None:
        if not self._setting:
            self.leftovers.disabled = self.stitching.value == "dynamic"
            self.heard()
