"""BetsPanel: drag the bets that a player allows, and see what the others cost her.

    wb.widgets.BetsPanel()                                    no-limit Kuhn, 9 chips
    wb.widgets.BetsPanel(rules, sizes=(0.5, 2), mapping="geometric")

Two sliders choose bets, in pots, beside all-in. On the left stands what every first bet of the
opponent is taken for, on the right the price: the exploitability in the full game of an equilibrium
of the small one, by each mapping. All of it is exact, and computed when a slider moves.

>>> prices(load_game("no_limit_kuhn", stack=9), (0.5, "all-in")).round(4).to_dict()
{'nearest': 0.1667, 'geometric': 0.0556, 'randomized geometric': 0.0238, 'pseudo-harmonic': 0.019}
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from workbench.abstraction.abstraction import abstract
from workbench.abstraction.bets import MAPPINGS, BetSizes
from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability
from workbench.games.registry import given_game, load_game
from workbench.lab.html import NOTHING, Html, status
from workbench.lab.plots.style import COLOURS, GREY, INK, label
from workbench.lab.widgets.controls import choose, place, row, slide
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Drawing, figure, painted
from workbench.later import pd
from workbench.rules import GameError, Rules, need_rules
from workbench.runs.solve import solve
from workbench.tree import GameTree

SIZE = (9.6, 3.9)
LARGEST = 20_000  # histories of a game whose prices come while a slider moves
ALL_IN = {"allowed": True, "not allowed": False}


@lru_cache(maxsize=4)
def _tree(rules: Any) -> GameTree:
    return compile_game(rules)


@lru_cache(maxsize=256)
def _prices(rules: Any, sizes: tuple[Any, ...]) -> tuple[float, ...]:
    cut: Any = abstract(_tree(rules), BetSizes(sizes))
    small = solve(cut.coarse, "lp", progress=False).strategy
    liftings = (replace(cut, bets=BetSizes(sizes, mapping)) for mapping in MAPPINGS)
    return tuple(float(exploitability(one.lift(small))) for one in liftings)


def prices(rules: Any, sizes: tuple[Any, ...]) -> pd.Series:
    """What each mapping costs if these bets are allowed: the small game is solved exactly."""
    return pd.Series(_prices(rules, tuple(sizes)), index=[*MAPPINGS])


def first_bets(rules: Any) -> tuple[Any, tuple[Any, ...], tuple[float, ...]]:
    """What the first player has seen, her actions, and their sizes in pots."""
    tree: Any = _tree(rules)
    seen, actions = tree.seen[0], tree.actions_at(0)
    return seen, actions, tuple(tree.origin.bet_sizes(seen, actions))


def taken_for(
    rules: Any, sizes: tuple[Any, ...], mapping: str
) -> tuple[list[float], dict[float, list[float]]]:
    """The first bets in pots; and for each size of the list how likely each is taken for it."""
    bets = BetSizes(sizes, mapping)
    seen, actions, real = first_bets(rules)
    names = bets.for_tree(_tree(rules))(0, seen, actions)[1]
    listed = tuple(size for size, name in zip(real, names, strict=True) if name is not None)
    shares = {size: [0.0] * len(real) for size in listed if size >= 0}
    for action, thought, share in bets.hear(real, listed, max(real)):
        shares[listed[thought]][action] += share
    some = [k for k, size in enumerate(real) if size > 0]
    return [real[k] for k in some], {size: [of[k] for k in some] for size, of in shares.items()}


class BetsPanel(Panel):
    """`first`, `second`, `all_in` and `mapping` are the controls."""

    def __init__(
        self, game: str | Rules | None = None, *, sizes: tuple[float, ...] = (0.5,),
        mapping: str = "nearest",
    ) -> None:  # fmt: skip
        given = load_game("no_limit_kuhn", stack=9) if game is None else given_game(game, {})
        rules: Any = need_rules(given)
        if not hasattr(rules, "bet_sizes"):
            raise GameError(f"{rules.name!r} has no bets of different sizes; try no_limit_kuhn")
        if _tree(rules).num_histories > LARGEST:
            raise GameError(f"{rules.name!r} is too large to be solved while a slider moves")
        BetSizes(sizes, mapping)  # refuses what is wrong
        if len(sizes) > 2:
            raise GameError("two bets at most can be dragged, beside all-in")
        self.rules = rules
        real = [size for size in first_bets(rules)[2] if size > 0]
        self.largest = max(real)
        super().__init__(f"Which bets to allow: {rules.name.replace('_', ' ')}", "bets")
        changed = self.act(lambda: self.later(self._show))
        known = sorted({*(size for size in real if size < self.largest), *sizes})
        steps = [("none", 0.0), *((f"{size:g} pot", float(size)) for size in known)]
        first, second = (*map(float, sizes), 0.0, 0.0)[:2]
        self.first = slide("One bet", steps, "first", changed, value=first)
        self.second = slide("Another", steps, "second", changed, value=second)
        self.all_in = choose("All-in", list(ALL_IN), "all-in", changed)
        self.mapping = choose("Mapping", list(MAPPINGS), "mapping", changed, value=mapping)
        self.mapping.tooltip = "What a bet outside the list is taken for"
        self.drawing = Drawing("prices", SIZE, "The picture will stand here.")
        self.words = place("status")
        controls = row(self.first, self.second, self.all_in, self.mapping)
        self.lay_out(controls, self.words, self.drawing.view)
        self._show()

    @property
    def sizes(self) -> tuple[Any, ...]:
        """What is allowed now."""
        dragged = {float(self.first.value), float(self.second.value)} - {0.0}
        return (*sorted(dragged), *(("all-in",) if ALL_IN[str(self.all_in.value)] else ()))

    def _show(self) -> None:
        found, mapping = prices(self.rules, self.sizes), str(self.mapping.value)
        said = ", ".join(f"{one:g}" if one != "all-in" else one for one in self.sizes) or "no bet"
        self.words.value = status(
            Html("Allowed: {}. {} costs {} {}s a game; the cheapest is {}, {}.").format(
                said, mapping.capitalize(), f"{found[mapping]:.4f}",
                getattr(self.rules, "unit", "point"), found.idxmin(), f"{found.min():.4f}",
            )
        )  # fmt: skip
        self.drawing.paint(self._drawn(), self._alt())

    def _alt(self) -> str:
        found = prices(self.rules, self.sizes)
        return (
            f"Left: what each first bet is taken for by the mapping {self.mapping.value}. Right: "
            + ", ".join(f"{name} {price:.4f}" for name, price in found.items())
        )

    def _drawn(self) -> Figure:
        drawn = figure(*SIZE, "constrained")
        left, right = drawn.subplots(1, 2, width_ratios=(1.25, 1))
        mapping, found = str(self.mapping.value), prices(self.rules, self.sizes)
        bets, shares = taken_for(self.rules, self.sizes, mapping)
        at, below = np.arange(len(bets)), np.zeros(len(bets))
        for k, (size, share) in enumerate(sorted(shares.items())):
            name = "check" if size == 0 else "all-in" if size == self.largest else f"{size:g} pot"
            left.bar(at, share, bottom=below, color=COLOURS[k], width=0.86, label=name)
            below = below + share
        left.set_xticks(at, [f"{bet:g}" for bet in bets])
        label(left, "first bet, in pots", "taken for … with probability", mapping.capitalize())
        left.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False)
        names = [*found.index][::-1]
        dark = [INK if name == mapping else GREY for name in names]
        right.barh(names, found[names], color=dark, height=0.6)
        for k, name in enumerate(names):
            right.text(found[name], k, f" {found[name]:.3f}", va="center", fontsize=11)
        right.set_xlim(0, max(1.25 * found.max(), 0.02))
        label(right, f"{getattr(self.rules, 'unit', 'point')}s a game", "", "Price", grid="x")
        for ax in (left, right):
            ax.title.set_fontsize(12)
        return drawn

    def still(self) -> Html:
        """What the controls say now."""
        return Html("<p>{}</p>{}").format(
            self.words.value or NOTHING, painted(self._drawn(), self._alt())
        )
