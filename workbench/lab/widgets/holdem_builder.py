"""HoldemBuilder: a Hold'em player of your own, within a limit of information sets.

    builder = wb.widgets.HoldemBuilder(limit=500_000, way="S=N", experts=("r",))
    builder

Sliders choose the limit, how the memory is spent, the most buckets in any round, and how long to
train; a table says at once how many buckets fit. Train makes the player and lets it meet the house
in a duplicate match: each row has what it wins per hand, in thousandths of a big blind, with its
95 % interval. Buckets that nobody has used before are counted first, a minute or two, and kept.
`builder.players` are the strategies by name; `wb.widgets.PlayTable("limit_holdem",
opponent=builder.latest)` seats the latest one opposite you.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from workbench.evaluation.matches import sample_match
from workbench.games.registry import load_game
from workbench.lab.html import NOTHING, Html, table
from workbench.lab.play.equilibrium_cache import Book
from workbench.lab.widgets.controls import CodeBox, ProgressBar, choose, place, row, slide
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError
from workbench.runs.solve import solve
from workbench.settings import MANY, need_kind, need_one_of, need_several, need_whole, quick
from workbench.stitching.experts import dynamic_experts, static_experts
from workbench.stitching.fitting import Fit, fit_buckets

LIMITS = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
WAYS = [("one base", "base"), ("base and experts, S = N", "S=N"), ("dynamic experts", "dynamic")]
EXPERTS = [("r", ("r",)), ("r and cr", ("r", "cr")), ("cr", ("cr",)), ("rr", ("rr",))]
MOST = (2, 3, 4, 5, 6)  # buckets in any round
ITERATIONS = (25, 50, 100, 200, 400)
TIPS = {
    "limit": "Information sets that each computation may have",
    "way": "How the memory is spent",
    "experts": "After which moves before the flop an expert plays: r is a raise, c a call",
    "most": "The most buckets in any round",
    "training": "Iterations of CFR+ for each computation",
}


class Made(NamedTuple):
    """A player, and what became of it."""

    name: str
    fit: Fit
    strategy: Any
    seconds: float
    match: Any  # winnings, low and high against the house


class HoldemBuilder(Panel):
    """`house` is whom a player meets; if None, the card table's equilibrium with three buckets."""

    stops_unseen = True

    def __init__(
        self,
        limit: int = 500_000,
        way: Any = "base",
        experts: tuple[str, ...] = ("r",),
        *,
        most: int = 4,
        iterations: int = 100,
        house: Any = None,
        deals: int | None = None,
        seed: int = 0,
    ) -> None:
        need_one_of("way", way, tuple(value for _, value in WAYS))
        several = need_several("experts", experts, "moves before the flop, like ('r', 'cr')")
        experts = tuple(need_kind("an expert", one, str) for one in several)
        self.rules: Any = load_game("limit_holdem")
        self.house, self.seed = house, need_whole("seed", seed, 0, None)
        self.deals = need_whole("deals", quick(500_000, 20_000) if deals is None else deals)
        self.made: list[Made] = []
        super().__init__("Build a Hold'em player", "holdem-builder")
        changed = self.act(self._changed)

        def slider(label: str, some: tuple[int, ...], name: str, value: int) -> Any:
            steps = [(f"{one:,}", one) for one in sorted({*some, need_whole(name, value, 1, MANY)})]
            return slide(label, steps, name, changed, value=value, tooltip=TIPS[name], width="24em")

        lists = EXPERTS if experts in dict(EXPERTS).values() else [
            (", ".join(experts), experts), *EXPERTS
        ]  # fmt: skip
        self.limit = slider("Limit", LIMITS, "limit", limit)
        self.most = slider("Buckets", MOST, "most", most)
        self.training = slider("Iterations", ITERATIONS, "training", iterations)
        self.way = choose(
            "Memory for", WAYS, "way", changed, value=way, tooltip=TIPS["way"], width="24em"
        )
        self.experts = choose(
            "Experts",
            lists,
            "experts",
            changed,
            value=experts,
            tooltip=TIPS["experts"],
            width="24em",
        )
        self.train_button, self.stop_button = self.make_buttons(
            ("Train", "train", self.train, "Make this player and let it meet the house", "primary"),
            ("Stop", "stop", self.stop, "End this; nothing is kept", "danger"),
        )
        self.bar, self.code_box = ProgressBar(), CodeBox(folded=True)
        self.sizes, self.results = place("sizes"), place("results")
        self.lay_out(
            row(self.limit, self.way), row(self.most, self.experts), self.training, self.sizes,
            row(self.train_button, self.stop_button, self.bar.view), self.message, self.results,
            self.code_box.view, message=False,
        )  # fmt: skip
        self.stop_button.disabled = True
        changed()

    @property
    def players(self) -> dict[str, Any]:
        """name -> strategy, the latest of a name."""
        return {one.name: one.strategy for one in self.made}

    @property
    def latest(self) -> Any:
        """The strategy that was trained last."""
        if not self.made:
            raise GameError("no player is trained yet; press Train")
        return self.made[-1].strategy

    # ---- choosing --------------------------------------------------------------------

    def _fit(self) -> Fit:
        return fit_buckets(
            self.rules, self.limit.value, self.way.value,
            experts=None if self.way.value == "base" else self.experts.value, most=self.most.value,
        )  # fmt: skip

    def _changed(self) -> None:
        """Show what fits, and the code."""
        self.experts.disabled = self.way.value == "base"
        self.sizes.value = NOTHING
        self.code_box.value = "# no such player"
        fit = self._fit()
        rows = [  # dynamic experts and their base are one game
            (name, " ".join(map(str, counts)), f"{size:,}" if (size := fit.sizes.get(name)) else "")
            for name, counts in fit.counts.items()
        ]
        head = ("part", "buckets by round", "information sets")
        said, most = "What fits", self.most.value
        if max(max(counts) for counts in fit.counts.values()) < most:
            limit = f"{self.limit.value:,} information sets"
            said = f"What fits: {most} buckets a round would be more than {limit}"
        self.sizes.value = table(rows, said, head=head, left=(0, 1))
        self.code_box.value = _code(
            self.way.value, fit, self.most.value, self.training.value, self.seed
        )

    # ---- training --------------------------------------------------------------------

    def train(self) -> None:
        """Make the player and let it meet the house."""
        if self.running:
            raise GameError("a player is being trained; stop it first")
        fit, way, iterations = self._fit(), self.way.value, self.training.value
        self.train_button.disabled, self.stop_button.disabled = True, False
        self.bar.begin()

        def work(job: Job) -> Made:
            began = time.perf_counter()
            job.tell(None, "counting buckets, if they are new")
            sigma = trained(fit, way, iterations, self.seed)
            took = time.perf_counter() - began
            job.tell(None, "the house sits down")
            if self.house is None:
                self.house = Book().strategy(self.rules)
            job.tell(None, "playing")
            both = {"it": sigma, "the house": self.house}
            match = sample_match(both, deals=self.deals, seed=self.seed).loc["it"]
            return Made(f"{fit!r}, {iterations} iterations", fit, sigma, took, match)

        self.run(work, show=self.bar.show, done=self._done)

    def _done(self, outcome: Outcome) -> None:
        if outcome.value is not None:
            self.made.append(outcome.value)
        self.bar.end(stopped=outcome.value is None)
        self.train_button.disabled, self.stop_button.disabled = False, True
        rows = []  # of two columns, which fit a phone
        for one in self.made:
            interval = f"{one.match.low:+.1f}\u00a0…\u00a0{one.match.high:+.1f}"
            wins = Html("{}<br>{}").format(f"{one.match.winnings:+.1f}", interval)
            rows.append((f"{one.name.partition(': ')[2]}, {one.seconds:.0f} s", wins))
        head = ("player", "wins in mbb per hand, 95 % interval")
        said = f"Against the house, {self.deals:,} deals, each played twice"
        self.results.value = table(rows, said, head=head) if rows else NOTHING

    def stop(self) -> None:
        """End what is under way."""
        if self.job is not None:
            self.job.stop()

    def show_off(self) -> None:
        """Train what is chosen, if nobody has."""
        if not self.made:
            self.train()

    def still(self) -> Html:
        """What fits, and the players so far."""
        return NOTHING.join([self.sizes.value, self.results.value])


def trained(fit: Fit, way: str, iterations: int, seed: int = 0) -> Any:
    """The player that a fit describes."""
    how: Any = {"iterations": iterations, "seed": seed}
    base: Any = fit.base
    part: Any = fit.part
    fine: Any = {"abstraction": fit.experts, **how}
    if way == "dynamic":
        return dynamic_experts(fit.rules, base, part, checkpoints=iterations, **fine).strategy
    sigma = solve(fit.rules, "cfr+", abstraction=base, checkpoints=iterations, **how).strategy
    return sigma if way == "base" else static_experts(fit.rules, sigma, part, {0, 1}, **fine)


def _code(way: str, fit: Fit, most: int, iterations: int, seed: int) -> str:
    names = list(fit.part.names)
    chosen = "" if way == "base" else f', "{way}", experts={names}'
    chosen += f", most={most}"
    lines = [
        'rules = wb.load_game("limit_holdem")',
        f"fit = wb.fit_buckets(rules, {fit.limit:_}{chosen})",
        f"how = {{'iterations': {iterations}, 'seed': {seed}}}",
    ]
    if way == "dynamic":
        mine = "wb.dynamic_experts(rules, fit.base, fit.part, abstraction=fit.experts, **how)"
        return "\n".join([*lines, f"player = {mine}.strategy"])
    lines.append('player = wb.solve(rules, "cfr+", abstraction=fit.base, **how).strategy')
    if way == "S=N":
        mine = "wb.static_experts(rules, player, fit.part, {0, 1}, abstraction=fit.experts, **how)"
        lines.append(f"player = {mine}")
    return "\n".join(lines)
