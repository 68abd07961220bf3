"""Stitched strategies as tables: who owns how much, and what it is worth beside its base.

>>> from workbench.lab.widgets.stitching_recipe import StitchingRecipe
>>> recipe = StitchingRecipe("leduc")
>>> page = sizes_table(recipe)
>>> "<td>72</td><td>132</td>" in page, "<td>372</td><td>186</td>" in page
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from workbench.lab.widgets.infoset_tables import grid, number
from workbench.lab.widgets.stitching_recipe import Sewn, StitchingRecipe


@dataclass(frozen=True)
class Result:
    """A recipe and what became of it."""

    recipe: StitchingRecipe
    base: Sewn
    sewn: Sewn
    seconds: float


def _head(*names: str) -> list[str]:
    return [f'<th scope="col"{"" if k else " class=left"}>{n}</th>' for k, n in enumerate(names)]


def sizes_table(recipe: StitchingRecipe) -> str:
    """Who owns how much, and how much must be computed for it."""
    owned, computed = recipe.owned.sizes(), recipe.sizes()
    rows = [("", ["base", f"{owned['base']:,}", f"{recipe.base_size():,}"])]
    together = f"{computed['dynamic']:,} (all in one)" if not recipe.static else ""
    rows += [
        ("", [escape(name), f"{owned[name]:,}", together or f"{computed[name]:,}"])
        for name in recipe.part.names
    ]
    columns = _head("part", "sets it owns", "sets in its computation")
    return grid("Information sets", columns, rows)


def results_table(results: list[Result]) -> str:
    """Stitched strategies beside their bases."""
    worst = max(max(one.base.exploitability, one.sewn.exploitability) for one in results)
    rows: list[tuple[str, list[str]]] = []
    known = set()
    for k, one in enumerate(results, 1):
        recipe = one.recipe
        where = f"{recipe.solver}, {recipe.iterations:,}"
        base = recipe.game, recipe.base, recipe.solver, recipe.iterations, recipe.seed
        if base not in known:
            known.add(base)
            rows.append(("wb-quiet", [*_cells(one.base, one.base, worst), where, ""]))
        cells = _cells(one.sewn, one.base, worst)
        cells[0] = f"{k}: <b>{cells[0]}</b>"
        rows.append(("", [*cells, where, f"{one.seconds:.1f}"]))
    columns = _head(
        "strategy", "sets", "exploitability", "change", "wins from bases", "change",
        "solver", "seconds",
    )  # fmt: skip
    words = (
        "Thousandths of an ante. Sets: in the largest computation. Wins: against the other bases "
        "alone (null, JQ-K, J-QK), both seats"
    )
    return grid(words, columns, rows)


def _cells(sewn: Sewn, base: Sewn, worst: float) -> list[str]:
    share = 100 * sewn.exploitability / worst if worst else 0.0
    bar = (
        f'<span class="wb-share" aria-hidden="true"><span style="width:{share:.1f}%"></span></span>'
    )
    changes = ["", ""]
    if sewn is not base:
        changes = [
            number(1000 * (sewn.exploitability - base.exploitability), 1),
            number(1000 * (sewn.earnings - base.earnings), 1),
        ]
    return [
        escape(sewn.name),
        f"{sewn.size:,}",
        f"{1000 * sewn.exploitability:.1f}{bar}",
        changes[0],
        number(1000 * sewn.earnings, 1),
        changes[1],
    ]
