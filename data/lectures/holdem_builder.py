"""HoldemBuilder: a Hold'em player of your own, within a limit of information sets.

    builder = wb.widgets.HoldemBuilder(limit=500_000, way="S=N", experts=("r",))
    builder

Sliders choose the limit, how the memory is spent, the most buckets in any round, and how long to
train; a table says at once how many buckets fit. Train makes the player, with its curve within the
buckets, and lets it meet the house in a duplicate match: each row has what it wins per hand, in
thousandths of a big blind, with its 95 % interval. Stop keeps what is learnt, without a match;
Continue goes on with it. Buckets that nobody has used before are counted first, a minute or two,
and kept. `builder.players` are the strategies by name; `wb.widgets.PlayTable("limit_holdem",
opponent=builder.latest)` seats the latest one opposite you.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, cast

from workbench.evaluation.matches import sample_match
from workbench.files import naming
from workbench.games.registry import load_game
from workbench.games.words import amount
from workbench.lab.html import NOTHING, Html, table
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.widgets.controls import place, row
from workbench.lab.widgets.jobs import Job
from workbench.lab.widgets.live_panel import Trial, TrialPanel
from workbench.lab.widgets.pictures import Curve
from workbench.poker.bucket_experts import dynamic_buckets
from workbench.poker.buckets.fitting import Fit, fit_buckets
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.settings import MANY, Between, need_kind, need_several, need_whole, quick
from workbench.stitching.experts import static_experts
from workbench.strategy import need_profile

LIMITS = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
WAYS = {"base": "one base", "S=N": "base and experts, S = N", "dynamic": "dynamic experts"}
EXPERTS = [("r", ("r",)), ("r and cr", ("r", "cr")), ("cr", ("cr",)), ("rr", ("rr",))]
MOST = (2, 3, 4, 5, 6)  # buckets in any round
ITERATIONS = (25, 50, 100, 200, 400)
POINTS = 10  # of a curve
Some = Between(1, MANY)


@dataclass(frozen=True)
class MemorySplit:
    """What the sliders ask for."""

    limit: Annotated[int, Some, "Information sets that each computation may have"] = 500_000
    way: Annotated[Literal["base", "S=N", "dynamic"], WAYS, "How the memory is spent"] = "base"
    most: Annotated[int, Some, "The most buckets in any round"] = 4
    experts: Annotated[
        Any, "After which moves before the flop an expert plays: r is a raise, c a call"
    ] = ("r",)
    iterations: Annotated[int, Some, "Iterations of CFR+ for each computation"] = 100


@dataclass(frozen=True, eq=False)
class Player(Trial):
    """What fits, and the player that is made of it."""

    fit: Any = None  # a Fit
    most: int = 0  # buckets in any round
    meet: Callable[[Any], Any] = lambda strategy: None  # the match with the house
    stitched: Any = None  # with its experts
    match: Any = None  # winnings, low and high against the house

    def work(self, job: Job) -> Player:
        job.tell(None, "counting buckets, if they are new")
        fit, asked = self.fit, self.experiment
        base, fine = fit.base, fit.experts
        if fit.method == "dynamic":
            base = dynamic_buckets(fit.rules, fit.part, base, fine)
        asked = replace(asked, abstraction=base)
        anew = replace(self, experiment=asked, stitched=None, match=None)
        made = cast("Player", Trial.work(anew, job))
        if fit.method == "S=N":
            job.tell(None, "the experts learn", made)
            stitched = static_experts(
                fit.rules, made.run.strategy, fit.part, {0, 1}, abstraction=fine,
                iterations=made.iteration, seed=asked.seed,
            )  # fmt: skip
            made = replace(made, stitched=stitched)
        job.tell(None, "playing against the house", made)
        return replace(made, match=self.meet(made.strategy))

    def longer(self, iterations: int) -> Trial:
        """To be continued: with what it lacks, before it learns any longer."""
        return self if self.match is None else super().longer(iterations)

    @property
    def strategy(self) -> Any:
        return self.stitched or self.run.strategy

    @property
    def waits(self) -> bool:
        """True if it was stopped before it had experts."""
        return self.iteration > 0 and self.fit.method == "S=N" and self.stitched is None

    @property
    def name(self) -> str:
        count = amount(self.iteration or self.experiment.iterations, "iteration")
        said = f"{repr(self.fit).partition(': ')[2]}, {count}"
        return f"{said}, no experts yet" if self.waits else said

    @property
    def game(self) -> str:
        return "limit Hold'em"

    @property
    def code(self) -> str:
        fit, way, fine = self.fit, self.fit.method, "abstraction=fit.experts, **how"
        chosen = "" if way == "base" else f', "{way}", experts={list(fit.part.names)}'
        count = self.iteration or self.experiment.iterations
        made = 'wb.solve(rules, "cfr+", abstraction=fit.base, **how)'
        if way == "dynamic":
            made = f"wb.dynamic_experts(rules, fit.base, fit.part, {fine})"
        lines = [
            "import workbench as wb\n",
            'rules = wb.load_game("limit_holdem")',
            f"fit = wb.fit_buckets(rules, {fit.limit:_}{chosen}, most={self.most})",
            f"how = {{'iterations': {count}, 'seed': {self.experiment.seed}}}",
            f"player = {made}.strategy",
        ]
        if way == "S=N" and not self.waits:
            lines.append(f"player = wb.static_experts(rules, player, fit.part, {{0, 1}}, {fine})")
        return "\n".join(lines)


class HoldemBuilder(TrialPanel):
    """`house` is whom a player meets; if None, the card table's equilibrium with three buckets."""

    verb, does = "Train", "Make this player and let it meet the house"
    noun = "player"
    kept = ("sizes",)

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
        several = need_several("experts", experts, "moves before the flop, like ('r', 'cr')")
        experts = tuple(need_kind("an expert", one, str) for one in several)
        self.rules: Any = load_game("limit_holdem")
        self.house, self.seed = house, need_whole("seed", seed, 0, None)
        if house is not None:
            with naming("house"):
                if (game := need_profile(house).tree).rules != self.rules:
                    raise GameError(f"a strategy of {game.name!r}, not of {self.rules.name!r}")
                house.played.need_whole()
        self.deals = need_whole("deals", quick(500_000, 20_000) if deals is None else deals)
        super().__init__("Build a Hold'em player", "holdem-builder", folded=True)
        mine = [] if experts in dict(EXPERTS).values() else [(", ".join(experts), experts)]
        self.ask_fields(
            MemorySplit,
            {"limit": limit, "way": way, "most": most, "experts": experts,
             "iterations": iterations},
            lists={"limit": LIMITS, "most": MOST, "iterations": ITERATIONS,
                   "experts": [*mine, *EXPERTS]},
            labels={"way": "Memory for", "most": "Buckets"}, width="24em",
        )  # fmt: skip
        self.when[self.experts] = lambda: self.way.value != "base"
        self.drawing, self.sizes = Curve(), place("sizes")
        self.lay_out(
            row(self.limit, self.way), row(self.most, self.experts), self.iterations, self.sizes,
            self.buttons, self.bar.view, self.shown, self.drawing.view, self.ticks.view,
            self.chooser, self.code_box.view, message=False,
        )  # fmt: skip
        self._show_fit()  # refuses now what does not fit
        self.show_idle()

    @property
    def players(self) -> dict[str, Any]:
        """name -> strategy, the latest of a name."""
        return {one.name: one.strategy for one in self.done}

    @property
    def latest(self) -> Any:
        """The strategy that was trained last."""
        if not self.done:
            raise GameError("no player is trained yet; press Train")
        return self.done[-1].strategy

    def _fit(self) -> Fit:
        way = self.way.value
        given = None if way == "base" else self.experts.value
        return fit_buckets(self.rules, self.limit.value, way, experts=given, most=self.most.value)

    def new_trial(self) -> Player:
        count = self.iterations.value
        asked = Experiment(
            "limit_holdem", iterations=count, seed=self.seed, checkpoints=max(count // POINTS, 1)
        )
        return Player(asked, fit=self._fit(), most=self.most.value, meet=self._meet)

    def _meet(self, strategy: Any) -> Any:
        if self.house is None:
            self.house = EquilibriumCache().strategy(self.rules)
        both = {"it": strategy, "the house": self.house}
        return sample_match(both, deals=self.deals, seed=self.seed).loc["it"]

    def edited(self) -> None:
        """Show what fits, and the code."""
        self.act(self._show_fit)()

    def _show_fit(self) -> None:
        self.sizes.value = NOTHING
        self.show_code()
        fit = self._fit()
        rows = [  # dynamic experts and their base are one game
            (name, " ".join(map(str, counts)), f"{size:,}" if (size := fit.sizes.get(name)) else "")
            for name, counts in fit.counts.items()
        ]
        head = ("part", "buckets by round", "information sets")
        said, most = "What fits", self.most.value
        if max(map(max, fit.counts.values())) < most:
            said += f": {most} buckets a round would be more than {fit.limit:,} information sets"
        self.sizes.value = table(rows, said, head=head, left=(0, 1))

    def shown_as(self) -> Html:
        rows = []  # of two columns, which fit a phone
        for name, one in zip(self.names, list(self.trials), strict=False):
            wins: Any = "no match yet"
            if one.match is not None:
                interval = f"{one.match.low:+.1f}\u00a0…\u00a0{one.match.high:+.1f}"
                wins = Html("{}<br>{}").format(f"{one.match.winnings:+.1f}", interval)
            rows.append((f"{name}, {one.seconds:.0f} s", wins))
        head = ("player", "wins in mbb per hand, 95 % interval")
        said = f"Against the house, {self.deals:,} deals, each played twice"
        return table(rows, said, head=head) if rows else NOTHING
