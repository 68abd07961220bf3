"""The card table: play a hand with the mouse or the keyboard, then see what it cost.

    table = wb.widgets.PlayTable("leduc", opponent="equilibrium", seed=1)
    table

The opponent is solved in the background, then the first hand is dealt. The buttons are the moves
that are allowed; the cards of others stay hidden until a showdown, and after a fold until somebody
asks. Below stands what each decision cost against the equilibrium, and how much was luck.
Cards are others every time unless `seed` is given, and no hand is lost: a file of another session
is left alone, and `table.earlier` has the sessions that were not saved.
`table.session` is the session itself (`table.session.table()` is a DataFrame), and a session that
was loaded from a file can be played on: `PlayTable(session)`.

>>> table = PlayTable("kuhn", opponent="always-bet", seed=3)
>>> table.wait()
True
>>> [button.description for button in table.moves if button.layout.display == ""]
['Pass', 'Bet (1)']
>>> table.moves[0].click()
>>> table.session.moves[2]
(0, 'p')
>>> table.close()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from workbench.games.toepen.match import ToepenMatch
from workbench.games.words import amount
from workbench.lab.play.equilibrium_cache import Book
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import Moment
from workbench.lab.widgets.card_table_html import FELT, felt
from workbench.lab.widgets.forms import need_options
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.progress_bar import ProgressBar
from workbench.lab.widgets.review_html import log_html, now_html, review_html, summary_html
from workbench.lab.widgets.style import button, choose, row, say, tag, text
from workbench.rules import GameError, Rules
from workbench.settings import need_whole

TABLES: dict[str, dict[str, Any]] = {
    "Kuhn poker": {"game": "kuhn"},
    "Leduc poker": {"game": "leduc"},
    "Leduc poker for three": {"game": "leduc", "options": {"players": 3}},
    "Toepen, one hand": {"game": "toepen"},
    "Toepen, a match to 15": {"game": "toepen", "match": 15},
}
NOTHING = {"options": None, "match": None}
DOUBLE = 0.3  # seconds: a second click so soon was meant for the first
OPPONENTS = ("equilibrium", "uniform", "always-call", "always-bet", "always-fold")


class PlayTable(Panel):
    """Somebody to play with; the first lines of this file say how."""

    def __init__(
        self,
        game: str | Rules | ToepenMatch | Session = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        opponent: Any = "equilibrium",
        match: int | None = None,
        seat: int | None = None,
        seed: int | None = None,
        review: bool = True,
        abstraction: str | None = None,
        solver: str = "cfr+",
        iterations: int | None = None,
    ) -> None:
        before = game if isinstance(game, Session) else None
        if before is not None:  # its settings, not ours
            game, opponent = before.match or before.rules, list(before.opponents)
            seat, seed, review, abstraction, solver, iterations = (
                before.seat, before.seed, before.reviewing, before.abstraction, before.solver,
                before.iterations,
            )  # fmt: skip
        elif seed is not None:
            need_whole("seed", seed, least=0)
        need_options(options)
        self._given: dict[str, Any] = {"game": game, "options": options, "match": match}
        self._opponent = opponent
        self._settings: dict[str, Any] = {
            "seat": seat, "seed": seed, "review": review, "abstraction": abstraction,
            "solver": solver, "iterations": iterations,
        }  # fmt: skip
        self._book = before.book if before else Book(solver, iterations)
        self._evenings = 0  # sessions begun
        self.earlier: list[Session] = []  # those with hands that somebody got up from
        self.session = before or self._session(self._given, opponent)
        self._file: Path | None = None  # where this session was saved, and how many hands
        self._kept = len(before.hands) if before else 0
        self._open = False  # cards of others shown after a fold
        self._clicked: tuple[object, float] = None, 0.0  # what was clicked last, and when
        self._make_controls()
        top = row(self.game, self.opponent, self.sit_button)
        log = widgets.VBox(
            [self.log], layout=widgets.Layout(flex="1 1 15em", min_width="min(15em, 100%)")
        )
        here = widgets.VBox(
            [self.felt], layout=widgets.Layout(flex="3 1 27em", min_width="min(20em, 100%)")
        )
        buttons = row(*self.moves, self.deal_button, self.undo_button, self.show_button)
        parts = [
            widgets.HTML(FELT), top, self.score, row(here, log, align="flex-start"), self.now,
            self.bar.view, buttons, self.reviewed, self.summary, row(self.file, self.save_button),
        ]  # fmt: skip
        self._buttons = buttons
        super().__init__("Card table", parts, "table")
        self.message.layout.order = "1"  # at the end, where the buttons are
        self._draw()
        self._prepare()

    def _session(self, what: Mapping[str, Any], opponent: Any) -> Session:
        settings = dict(self._settings)
        if settings["seed"] is not None:
            settings["seed"] += self._evenings  # other cards, and the same ones every time
        self._evenings += 1
        return Session(**what, opponent=opponent, book=self._book, **settings)

    # ---- controls --------------------------------------------------------------------

    def _make_controls(self) -> None:
        session = self.session
        kinds = {name: {**NOTHING, **what} for name, what in TABLES.items()}
        mine = next((name for name, what in kinds.items() if what == self._given), "")
        self._own = "" if mine else session.rules.name
        names = [*([self._own] if self._own else []), *TABLES]
        self.game = choose(
            "Game", names, "game", value=mine or self._own, width="20em", label_width="4em"
        )
        against = session.opponents[0].name if session.opponents else "nobody"
        self._whom = self._opponent if isinstance(self._opponent, str) else against
        known = [self._whom, *(name for name in OPPONENTS if name != self._whom)]
        self.opponent = choose(
            "Against", known, "opponent", value=self._whom, width="18em", label_width="5em"
        )
        self.sit_button = button("Sit down", "sit", tip="Begin a new session with these settings")
        self.score = tag(widgets.HTML(), "score")
        self.felt = tag(widgets.HTML(), "felt-place")
        self.log = tag(widgets.HTML(), "log-place")
        self.now = tag(widgets.HTML(), "now-place")
        self.bar = ProgressBar()
        self.moves = [self._move_button(k) for k in range(4)]
        self.deal_button = button("New hand", "deal", style="primary", tip="Deal the next hand")
        self.undo_button = button("Take back", "undo", tip="Take your last move back")
        self.show_button = button("Show cards", "show", tip="Look at the cards of the others")
        self.reviewed = tag(widgets.HTML(), "review")
        self.summary = tag(widgets.HTML(), "summary")
        self.file = text("File", "evening.jsonl", "file", width="20em", label_width="3em")
        self.save_button = button("Save", "save", tip="Write all hands to this file")
        for control, action in (
            (self.sit_button, partial(self._once, "sit down", self.sit_down)),
            (self.deal_button, partial(self._once, "deal", self.new_hand)),
            (self.undo_button, self.take_back),
            (self.show_button, self.show_cards),
            (self.save_button, self.save),
        ):
            control.on_click(self.act(action))

    def _move_button(self, k: int) -> Any:
        made = button("", f"move-{k + 1}", style="primary", width="auto")
        tag(made, "move").layout.min_width = "7em"
        made.on_click(self.act(partial(self._once, k, partial(self.play, k))))
        return made

    def _once(self, what: object, action: Callable[[], None]) -> None:
        """Do it, unless it was done just now: the second of two clicks was meant for the first."""
        if self._clicked[0] != what or time.monotonic() - self._clicked[1] >= DOUBLE:
            action()
            self._clicked = what, time.monotonic()

    # ---- what one can do -------------------------------------------------------------

    def sit_down(self) -> None:
        """Begin a new session with the game and the opponent that are chosen."""
        name, whom = self.game.value, self.opponent.value
        what = (
            self._given if name == self._own else {"options": None, "match": None, **TABLES[name]}
        )
        before = self.session
        self.session = self._session(what, self._opponent if whom == self._whom else whom)
        unsaved, self._file, self._kept = len(before.hands) > self._kept, None, 0
        self._draw()
        self._prepare()
        if unsaved:
            self.earlier.append(before)
            hands = amount(len(before.hands), "hand")
            say(self.message, f"{hands} not saved; table.earlier[-1] is that session", "note")

    def new_hand(self) -> None:
        """Deal; what the hand needs is solved first, in the background."""
        if self.running:
            raise GameError("wait until the opponent is ready")
        if self.session.needed:
            self._prepare()
            return
        self._deal()
        self.moves[0].focus()

    def play(self, k: int) -> None:
        """Make the move of a button; a click that comes too late does nothing."""
        asked = self.session.asked
        if asked is None or k >= len(asked.actions):
            return
        self.session.play(asked.actions[k])
        self._draw()
        if not self.session.playing:
            self.deal_button.focus()

    def take_back(self) -> None:
        """Take your last move back."""
        self.session.undo()
        self._draw()

    def show_cards(self) -> None:
        """Look at the cards of those who did not show them."""
        self._open = True
        self._draw()

    def save(self) -> None:
        """Write the hands to the file that is named, or beside it if it holds another session."""
        path = Path(self.file.value).expanduser()
        if path != self._file and path.is_file():
            path = next(
                free for k in count(2) if not (free := path.with_stem(f"{path.stem}-{k}")).exists()
            )
        self._file, self._kept = self.session.save(path), len(self.session.hands)
        self.file.value = str(path)
        say(self.message, f"{amount(len(self.session.hands), 'hand')} written to {path}", "note")

    def wait(self, seconds: float | None = 60.0) -> bool:
        """Wait until the opponent is ready; False if that takes longer."""
        return self.job is None or self.job.wait(seconds)

    def still(self) -> str:
        """The table, the moves that can be made, and what the last hand cost."""
        moves = [control.description for control in self.moves if control.layout.display == ""]
        offered = f"<p>Your moves: {escape(', '.join(moves))}.</p>" if moves else ""
        told = f"{self.felt.value}{self.now.value}{offered}{self.reviewed.value}"
        return f"{FELT}<p>{self.score.value}</p>{told}{self.summary.value}"

    # ---- the opponent gets ready -----------------------------------------------------

    def _prepare(self) -> None:
        session = self.session

        def work(job: Job) -> Session:
            def tell(done: int, total: int, exploitability: float | None) -> None:
                job.tell(done / total, f"solving {session.hand_rules.name}: {done:,} of {total:,}")

            session.prepare(tell)
            return session

        self._busy(True)
        self.bar.begin()
        self.run(work, show=self._show_progress, done=self._prepared)

    def _show_progress(self, progress: Progress) -> None:
        self.bar.show(progress)

    def _prepared(self, outcome: Outcome) -> None:
        self._busy(False)
        if outcome.value is not self.session or outcome.stopped or outcome.error:
            return
        begun = self.session.playing  # a session that was given in the middle of a hand
        self.act(self._draw if begun else self._deal)()

    def _busy(self, busy: bool) -> None:
        self.bar.view.layout.display = "" if busy else "none"
        for control in (self.deal_button, self.sit_button):
            control.disabled = busy

    def _deal(self) -> None:
        self._open = False
        self.session.deal()
        self._draw()

    # ---- what one sees ---------------------------------------------------------------

    def _draw(self) -> None:
        session = self.session
        now = Moment(session)
        found = session.review(-1) if now.over and session.reviewing else None
        scene, turn = now.scene(self._open), now.you if session.asked else -1
        line = ". ".join(filter(None, [*now.told[-1:], now.result, now.match_result]))
        if not now.over:
            line = f"{now.situation}. Your move?" if turn >= 0 else "Your opponent is getting ready"
        drawn = {  # all of it first, so that the page changes at once
            self.felt: felt(scene, now.names, now.you, now.words.unit, turn, now.result),
            self.log: log_html(now.told),
            self.score: escape(f"{now.headline} · seed {session.seed}"),
            self.now: now_html(line if line.endswith("?") else f"{line}."),
            self.reviewed: review_html(found, now.names) if found else "",
            self.summary: summary_html(session),
        }
        for place, html in drawn.items():
            place.value = html
        hidden = any(None in place.cards for place in scene.places)
        self._draw_buttons(now, now.over and hidden)

    def _draw_buttons(self, now: Moment, hidden: bool) -> None:
        offered = now.choices
        while len(self.moves) < len(offered):
            self.moves.append(self._move_button(len(self.moves)))
            self._buttons.children = (*self.moves, *self._buttons.children[-3:])
        for k, control in enumerate(self.moves):
            control.layout.display = "" if k < len(offered) else "none"
            if k < len(offered):
                move, _, price = offered[k]
                words = move[:1].upper() + move[1:]
                control.description = f"{words} ({price:g})" if price else words
                control.tooltip = control.description
        mine = any(step.player == now.you and len(step.actions) > 1 for step in now.steps)
        for control, there in (
            (self.deal_button, not self.session.playing),
            (self.undo_button, mine and not now.over),
            (self.show_button, hidden),
        ):
            control.layout.display = "" if there else "none"
