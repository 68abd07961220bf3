"""A stitching recipe as Python: the cell that does it again, bit for bit.

>>> from workbench.stitching.recipe import StitchingRecipe
>>> recipe = StitchingRecipe("kuhn", sewing="1", way="card", experts=("K",), leftovers="base")
>>> print(code_of(recipe).splitlines()[6])
sewn = wb.static_experts(tree, base, part.of(0), players=0, abstraction=None,
outside=wb.merge_cards("JQ"), residual=0.01, unreached="base", **how)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.stitching import pieces

if TYPE_CHECKING:
    from workbench.stitching.recipe import StitchingRecipe


def code_of(recipe: StitchingRecipe) -> str:
    """The cell."""
    rules = pieces.abstractions(recipe.game)
    others = ", ".join(rules[name].code for name in recipe.opponents)
    how = {"solver": recipe.solver, "iterations": recipe.iterations, "seed": recipe.seed}
    return "\n".join(
        [
            "import workbench as wb",
            "",
            f"tree = wb.compile_game({_game(recipe.game)})",
            f"part = {_part(recipe)}",
            f"how = {json.dumps(how)}",
            f"base = wb.solve(tree, abstraction={rules[recipe.base].code}, **how).strategy",
            f"sewn = {_sewing(recipe)}",
            f"others = [wb.solve(tree, abstraction=rule, **how).strategy for rule in [{others}]]",
            "print(wb.exploitability(sewn), wb.earnings(sewn, others))",
        ]
    )


def _game(game: str) -> str:
    name, options = pieces.GAMES[game]
    return f'wb.load_game("{name}"{_options(options)})'


def _options(options: Mapping[str, object]) -> str:
    """, residual=0.01, unreached="base" """
    said = {
        name: f'"{value}"' if isinstance(value, str) else str(value)
        for name, value in options.items()
    }
    return "".join(f", {name}={value}" for name, value in said.items())


def _part(recipe: StitchingRecipe) -> str:
    names = json.dumps(list(recipe.part.names))
    made = pieces.WAYS[recipe.way][1]
    if "{names}" in made:
        return made.format(names=names)
    return made if recipe.experts is None else f"{made}.only({names})"


def _sewing(recipe: StitchingRecipe) -> str:
    from workbench.stitching.recipe import LEFTOVERS

    rules = pieces.abstractions(recipe.game)
    inside, base = rules[recipe.abstraction].code, rules[recipe.base].code
    if not recipe.static:
        return f"wb.dynamic_experts(tree, {base}, part, abstraction={inside}, **how).strategy"
    more = _options(LEFTOVERS[recipe.leftovers][1])
    if recipe.sewing == "N":
        everybody = ", ".join(map(str, range(recipe.tree.num_players)))
        return (
            f"wb.static_experts(tree, base, part, players={{{everybody}}}, abstraction={inside}"
            f"{more}, **how)"
        )
    i = "i" if recipe.sewing == "each" else str(int(recipe.sewing) - 1)
    call = (
        f"wb.static_experts(tree, base, part{f'.of({i})' if recipe.by_card else ''}, players={i}, "
        f"abstraction={inside}, outside={base}{more}, **how)"
    )
    if recipe.sewing == "each":
        return f"wb.seated([{call} for i in range({recipe.tree.num_players})])"
    return call
