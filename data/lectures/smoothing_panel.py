"""SmoothingPanel: a best response jumps, a smoothed one glides.

    wb.widgets.SmoothingPanel("biased_pennies")
    wb.widgets.SmoothingPanel(rules, mu=0.5)        another game of two moves for each player

Sliders choose how much player 1 smooths, μ, and how often player 2 plays his first action. On the
left stands how she answers, on the right what the answer is worth to her after its price, and how
much less that is than a best response wins. A page without a kernel has a slider for a few μ.

>>> p, worth = smoothed(np.array([2.0, 1.0]), mu=1.0)
>>> float(p), float(worth)  # 2 p + 1 (1 - p) - (p - 1/2)² is largest where p is 1
(1.0, 1.75)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from IPython.display import HTML
from matplotlib.figure import Figure

from workbench.compiling import compile_game
from workbench.games.registry import given_game
from workbench.lab.html import Html, bold, framed, status
from workbench.lab.plots.style import COLOURS, GREY, INK, label
from workbench.lab.widgets.controls import choose, place, row, slide
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Drawing, figure, painted
from workbench.lab.widgets.switches import slider
from workbench.rules import GameError, Rules
from workbench.settings import need_number
from workbench.tree import FloatArray

PRICES = {"euclidean": 1 / 4, "entropy": float(np.log(2))}  # and the largest with μ = 1
SOME = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # μ of a page without a kernel
MUS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0)
SIZE = (9.4, 4.0)


def smoothed(
    g: FloatArray, mu: float, price: str = "euclidean"
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Of two actions that win g[0] and g[1]: how often she plays the first, and what it is worth
    after its price; μ = 0 is the best response."""
    more = g[0] - g[1]
    if mu == 0.0:
        p = np.where(more > 0, 1.0, np.where(more < 0, 0.0, 0.5))
        return p, np.maximum(g[0], g[1])
    if price == "euclidean":  # (p − ½)² is ½ Σ (p − ½)² over both actions
        p = np.clip(0.5 + more / (2 * mu), 0.0, 1.0)
        paid = (p - 0.5) ** 2
    else:
        p = 1 / (1 + np.exp(np.clip(-more / mu, -500, 500)))
        both = np.array([p, 1 - p])
        paid = (both * np.log(np.where(both > 0, 2 * both, 1.0))).sum(axis=0)
    return p, p * g[0] + (1 - p) * g[1] - mu * paid


class SmoothingPanel(Panel):
    """`mu`, `price` and `q` are the controls; `payoffs` are what player 1 wins."""

    def __init__(self, game: str | Rules = "biased_pennies", *, mu: float = 1.0) -> None:
        rules = given_game(game, {})
        tree = compile_game(rules)
        moves: list[Any] = [tree.actions_at(k) for k in range(tree.num_infosets)]
        if not [len(some) for some in moves] == [2, 2] or tree.num_terminals != 4:
            raise GameError("smoothing is drawn for two moves of each player, both at once")
        mu = need_number("mu", mu, 0.0, 1e6)
        self.payoffs = tree.utility[:, 0].reshape(2, 2)
        self.names = [str(some[0]) for some in moves]  # of the first action of each
        super().__init__(f"Smoothed responses: {rules.name.replace('_', ' ')}", "smoothing")
        changed = self.act(lambda: self.later(self._show))
        steps, parts = sorted({*MUS, mu}), [k / 20 for k in range(21)]
        self.mu = slide("μ", [(f"{one:g}", one) for one in steps], "mu", changed, value=mu)
        self.mu.tooltip = "How much she smooths; 0 is the best response"
        self.q = slide(
            f"He: {self.names[1]}", [(f"{one:.0%}", one) for one in parts], "q", changed, value=0.3
        )
        self.q.tooltip = f"How often player 2 plays {self.names[1]}"
        self.price = choose("Price", list(PRICES), "price", changed)
        self.price.tooltip = "What a smoothed response pays for"
        self.drawing = Drawing("smoothed", SIZE, "The picture will stand here.")
        self.words = place("status")
        self.lay_out(row(self.mu, self.q, self.price), self.words, self.drawing.view)
        self._show()

    def _show(self) -> None:
        mu, q, price = float(self.mu.value), float(self.q.value), str(self.price.value)
        self.words.value = status(self._said(mu, q, price))
        self.drawing.paint(self._drawn(mu, q, price), self._alt(mu, price))

    def _said(self, mu: float, q: float, price: str) -> Html:
        g = self.payoffs @ np.array([q, 1 - q])
        (p, worth), best = smoothed(g, mu, price), g.max()
        return Html(
            "He plays {} {} of the time, she {} {}, worth {}; a best response wins {}. "
            "Hidden: {}, at most μD = {}."
        ).format(
            self.names[1], f"{q:.0%}", self.names[0], f"{p:.1%}", f"{worth:.4f}", f"{best:.4f}",
            f"{best - worth:.4f}", f"{mu * PRICES[price]:.4f}",
        )  # fmt: skip

    def _alt(self, mu: float, price: str) -> str:
        return (
            f"Left: how often player 1 plays {self.names[0]} against how often player 2 plays "
            f"{self.names[1]}, best response and μ = {mu:g} ({price}). Right: what it is worth."
        )

    def _drawn(self, mu: float, q: float, price: str) -> Figure:
        drawn = figure(*SIZE)
        left, right = drawn.subplots(1, 2, gridspec_kw={"wspace": 0.2})
        at = np.linspace(0, 1, 401)
        g = self.payoffs @ np.array([at, 1 - at])
        here = self.payoffs @ np.array([q, 1 - q])
        for one in sorted({0.0, mu}):
            look: Any = {"color": COLOURS[0] if one else INK, "lw": 2 if one else 1.4}
            look |= {"ls": "-" if one else ":", "label": f"μ = {one:g}" if one else "best response"}
            for k, ax in enumerate((left, right)):
                ax.plot(at, smoothed(g, one, price)[k], **look)
                ax.plot(q, float(smoothed(here, one, price)[k]), "o", color=INK, ms=5)
        for ax in (left, right):
            ax.axvline(q, color=GREY, lw=0.8)
        across = f"he plays {self.names[1]} with probability q"
        label(left, across, f"she plays {self.names[0]}", "Her response")
        label(right, across, "worth to her", "What it is worth, price subtracted")
        left.set_ylim(-0.04, 1.04)
        right.legend(loc="upper left", fontsize=10, framealpha=0.9)
        for ax in (left, right):
            ax.title.set_fontsize(12)
            ax.xaxis.label.set_fontsize(11)
            ax.yaxis.label.set_fontsize(11)
        return drawn

    def static(self) -> Html:
        said = "<p>{}. To move the other sliders as well, run this cell in JupyterLab.</p>"
        return framed(Html(said).format(bold(self.title)) + self.still())

    def still(self) -> Html:
        """A slider of its own, which needs no kernel: each step says what it shows."""
        here, q, price = float(self.mu.value), float(self.q.value), str(self.price.value)
        steps = {}
        for mu in sorted({*SOME, here}):
            shown = painted(self._drawn(mu, q, price), self._alt(mu, price))
            steps[mu] = HTML(Html("<p>{}</p>{}").format(self._said(mu, q, price), shown))
        return slider(steps, "μ", value=here)._repr_html_()
