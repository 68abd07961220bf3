"""TournamentPanel: who pushes, who calls, and what is a chip worth, seat by seat.

    wb.widgets.TournamentPanel(units=9, prizes=(50, 30, 20))
    wb.widgets.TournamentPanel(found=found)         what wb.jamfold.solve found, shown at once

Sliders choose prizes and stacks, a list whose decision is shown; the chart says which hands go in.
Beside it stand ICM's value of every stack and the value found. The sum of the prizes stays: the
third wins what the first two leave. Other prizes are solved in the background.
Below it you play from these stacks, on the button at first, and hear what each decision cost.
"""

from __future__ import annotations

from typing import Any

from workbench.lab.lectures.push_chart import DID, plot_push_chart

from workbench.games.words import number
from workbench.jamfold.found import TournamentSolution, solve
from workbench.jamfold.hand import TournamentMatch
from workbench.jamfold.solving import METHODS
from workbench.jamfold.tournament import INFOSETS, SEATS, Tournament
from workbench.lab.html import NOTHING, Html, table
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.plots.alt_text import describe
from workbench.lab.widgets.controls import CodeBox, ProgressBar, choose, place, row, slide
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Drawing, figure
from workbench.rules import GameError
from workbench.settings import need_kind, need_one_of

STEP = 5  # of the prizes, in percent of their sum
ROUNDS = 25  # at most: some prizes never settle, and the panel says what is left to gain
DECISIONS = [(f"{SEATS[seat]}, {DID[after]}", (SEATS[seat], after)) for seat, after in INFOSETS]

LINES = 24  # of the tournament that is played
TIPS = {
    "first": "What the first wins",
    "second": "What the second wins; the third has what is left",
    "button": "Chips of the button; the big blind has what is left",
    "small": "Chips of the small blind; the big blind has what is left",
    "decision": "Whose decision the chart shows",
}


class TournamentPanel(Panel):
    """`found` is what is shown now, None before the first solution."""

    stops_unseen = True

    def __init__(
        self,
        units: int = 9,
        prizes: tuple[float, ...] = (50, 30, 20),
        method: str = "pi-fp",
        *,
        found: TournamentSolution | None = None,
    ) -> None:
        if found is not None and need_kind("found", found, TournamentSolution).game.players != 3:
            raise GameError("the panel shows three players; solve a Tournament(players=3)")
        self.game = found.game if found else Tournament(units=units, prizes=prizes)
        self.method = str(need_one_of("method", method, METHODS))
        self.found: TournamentSolution | None = None
        self.known: dict[Tournament, TournamentSolution] = {found.game: found} if found else {}
        super().__init__("Jam or fold", "tournament")
        units, given = self.game.units, self.game.prizes
        third = units // 3
        changed, other = self.act(lambda: self.later(self._draw)), self.act(self._solve)
        some = list(range(1, units - 1))
        steps = [sum(given) * k / 100 for k in range(0, 101, STEP)]
        names = (("First prize", "first"), ("Second prize", "second"))
        self.first, self.second = (
            slide(label, [(f"{prize:g}", prize) for prize in sorted({*steps, mine})], name, other,
                  value=mine)
            for (label, name), mine in zip(names, given, strict=False)
        )  # fmt: skip
        self.button = slide("Button", some, "button-stack", changed, value=third)
        self.small = slide("Small blind", some, "small-stack", changed, value=third)
        self.decision = choose("Decision", DECISIONS, "decision", changed, width="24em")
        for name, tip in TIPS.items():
            getattr(self, name).tooltip = tip
        self.bar = ProgressBar()
        self.values = place("values", flex="1 1 20em")
        self.drawing = Drawing("chart", (4.8, 5.1), "The chart will stand here.")
        self.code_box = CodeBox()
        self.session: Session | None = None  # the tournament that is played
        self.lines: list[str] = []
        self.log = place("played", display="none")
        self.deal_button, self.jam_button, self.fold_button = self.make_buttons(
            ("Play", "deal", self._deal, "A new tournament from these stacks; you are the button",
             "primary"),
            ("All-in", "jam", lambda: self._say("J"), "Put all your chips in", ""),
            ("Fold", "fold", lambda: self._say("F"), "Give up this hand", ""),
        )  # fmt: skip
        self.when[self.deal_button] = lambda: self.found
        self.when[self.jam_button] = self.when[self.fold_button] = lambda: self.session
        self.lay_out(
            self.bar.view, row(self.first, self.second), row(self.button, self.small),
            self.decision,
            row(self.drawing.view, self.values, align="flex-start"),
            row(self.deal_button, self.jam_button, self.fold_button), self.log,
            self.code_box.view,
        )  # fmt: skip
        self._solve()

    @property
    def stacks(self) -> tuple[int, int, int]:
        """Button, small blind, big blind."""
        button, small = int(self.button.value), int(self.small.value)
        return button, small, self.game.units - button - small

    def _solve(self) -> None:
        """Solve for these prizes, unless that has been done."""
        first, second = float(self.first.value), float(self.second.value)
        third = sum(self.game.prizes) - first - second
        if third < 0:
            raise GameError(f"the prizes are {sum(self.game.prizes):g} in all; lower one of them")
        prizes = (first, second, round(third, 9))
        self.game = Tournament(self.game.units, 3, prizes, self.game.blinds)
        self.session = None
        if self.game in self.known:
            if self.job is not None:
                self.job.close()  # the solution of other prizes is no longer wanted
            self.found = self.known[self.game]
            self.bar.end()
            self.later(self._draw)
            return
        self.found = None
        self._clear()
        self.bar.begin()
        self.run(self._work, show=self.bar.show, done=self._done)

    def _work(self, job: Job) -> TournamentSolution:
        def tell(done: int, total: int, gain: float) -> None:
            job.tell(None, f"round {done}: anybody could gain {gain:.3f}")

        job.tell(None, "reading the equities")
        return solve(self.game, self.method, iterations=ROUNDS, progress=tell)

    def _done(self, outcome: Outcome) -> None:
        self.bar.end(stopped=outcome.stopped or outcome.error is not None)
        if outcome.value is not None:
            self.known[outcome.value.game] = outcome.value
        if self.game in self.known:
            self.found = self.known[self.game]
            self._draw()

    def _clear(self) -> None:
        """Show nothing that belongs to other prizes or stacks."""
        self.drawing.clear()
        self.values.value = NOTHING
        self.code_box.value = ""

    def _draw(self) -> None:
        if self.found is None or self.closed:
            return
        if self.stacks[2] < 1:
            self._clear()
            self.say(
                f"{self.game.units} chips are not enough: the big blind needs one; give the button "
                "or the small blind fewer",
                "note",
            )
            return
        seat, after = self.decision.value
        drawn = figure(*self.drawing.size, "constrained")
        ax = plot_push_chart(self.found, self.stacks, seat, after, drawn.add_subplot())
        self.drawing.paint(drawn, describe(ax))
        worth = zip(
            self.stacks, self.game.icm(self.stacks), self.found.values(self.stacks), strict=True
        )
        rows = [(SEATS[k], n, f"{icm:.2f}", f"{found:.2f}", number(icm - found, sign=True))
                for k, (n, icm, found) in enumerate(worth)]  # fmt: skip
        head = ("seat", "chips", "ICM", "found", "off by")
        left = number(self.found.ex_post_gain, 4)
        self.values.value = table(rows, "What a stack is worth", head=head) + Html(
            "<p>Nobody could gain more than {} by playing otherwise.</p>"
        ).format(left)
        given = ", ".join(f"{prize:g}" for prize in self.game.prizes)
        blinds = "" if self.game.blinds == (1, 2) else f", blinds={self.game.blinds}"
        self.code_box.value = (
            f"game = wb.jamfold.Tournament(units={self.game.units}, prizes=({given}){blinds})\n"
            f'found = wb.jamfold.solve(game, "{self.found.method}")\n'
            f'wb.plots.plot_push_chart(found, {self.stacks}, "{seat}"'
            + (f', "{after}")' if after else ")")
        )

    # ---- playing ---------------------------------------------------------------------

    def _deal(self) -> None:
        """A new tournament."""
        assert self.found is not None
        self.lines = []
        self.session = Session(TournamentMatch(self.found, self.stacks), seed=None)
        self._say(None)

    def _say(self, answer: str | None) -> None:
        """Go on to the next question, or to the end: hands without one are told on the way."""
        session = self.session
        assert session is not None
        asked = False
        while not asked and not (over := SessionView(session).match_result):
            if answer is None:
                self.lines += ["", f"── {SessionView(session, ahead=True).headline}"]
                session.deal()
            else:
                session.play(answer)
            asked, answer = session.asked is not None, None
            if not asked:
                view = SessionView(session)
                found = session.review(-1)
                self.lines += [*view.told, view.result, *map(str, found.verdicts), found.summary]
        told = self.lines
        if asked:
            now = SessionView(session)
            told = [*told, *now.told, now.situation]
        else:
            cost = number(session.scores()["cost"].sum())
            self.lines.append(f"{over}; your decisions cost {cost} in all.")
            self.session = None
        self.log.value = Html('<pre class="wb-log">{}</pre>').format("\n".join(told[-LINES:]))
        self.log.layout.display = ""

    def still(self) -> Html:
        """The finished picture, and the values."""
        parts: list[Any] = [self.drawing.view.value, self.values.value]
        return NOTHING.join(parts)
