"""Who owns which part of the tree, as a picture with words, in HTML.

>>> from workbench.lab.widgets.stitching_recipe import StitchingRecipe
>>> page = draw_partition(StitchingRecipe("kuhn"))
>>> page[:26], "base 6, b 3, pb 3" in page
('<img src="data:image/png;b', True)
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from workbench.lab.plots.partition import plot_partition
from workbench.lab.widgets.stitching_recipe import SEWINGS, StitchingRecipe
from workbench.lab.widgets.style import figure, paint
from workbench.stitching.partition import GraftingPartition

WIDTH = 8.8  # inches: as wide as a panel
FOOT = 0.85  # inches for the legend


def draw_partition(recipe: StitchingRecipe, tell: Callable[[], None] = lambda: None) -> str:
    """The parts that are sewn in; `tell` is called in between and may raise."""
    part, small = recipe.owned, recipe.tree.num_histories <= 200
    said = ", ".join(f"{name} {size:,}" for name, size in part.sizes().items())
    whole = small and recipe.by_card
    drawn = _together(part) if recipe.by_card and not small else part
    width, height = (WIDTH, 6.2) if whole else (6.0, 3.0) if small else (WIDTH, 5.4)
    made = figure(width, height)
    made.subplots_adjust(left=0.01, right=0.99, top=1 - 0.32 / height, bottom=FOOT / height)
    title = f"{recipe.tree.name}: who plays where? ({SEWINGS[recipe.sewing]})"
    plot_partition(drawn, made.add_subplot(), bets=not whole, title=title)
    tell()
    place = SimpleNamespace()
    paint(place, made, f"The tree, coloured by who plays where; information sets: {said}.")
    return str(place.value)


def _together(part: GraftingPartition) -> GraftingPartition:
    """Experts by card as one: bets do not tell them apart."""
    return GraftingPartition(part.tree, (" ".join(part.names),), np.minimum(part.part, 1))
