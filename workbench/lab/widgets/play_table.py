"""The card table: play a hand with the mouse or the keyboard, then see what it cost.

    table = wb.widgets.PlayTable("leduc", opponent="equilibrium", seed=1)
    table

The opponent is solved in the background, then the first hand is dealt. The cards of others stay
hidden until a showdown, and after a fold until somebody asks. Below stands what each decision cost
against the equilibrium, how much was luck, and which habits cost most; an opponent who thinks or
learns lets you see what it considered and what it believes about you. "Play again" goes back to
the costliest decision of the hand, "Train" to the spot that has cost most so far; neither counts.
Keys are the first letters of buttons, or the number of a move; they stay at the table.

Cards are others every time unless `seed` is given, and no hand is lost: a file of another session
is left alone, and `table.earlier` has the sessions that were not saved. `table.session` is the
session itself (`table.session.table()` is a DataFrame), and a session that was loaded from a file
can be played on: `PlayTable(session)`. A spot can be saved as a study, with arrows and a comment;
`PlayTable(wb.play.Study.load("spot.toml"))` begins there. A game of your own can be played as well,
`PlayTable(MyGame())`; what it may say about itself stands in `workbench.games.words`.

>>> table = PlayTable("kuhn", opponent="always-bet", seed=3)
>>> table.wait(), [button.description for button in table.moves]
(True, ['Pass', 'Bet (1)'])
>>> table.moves[0].click()
>>> table.session.steps[2].what
'p'
>>> table.close()
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from workbench.games.registry import GAMES, game_class, load_game, name_at_table
from workbench.games.words import amount
from workbench.lab.html import Html, quiet
from workbench.lab.play import card_table_html as pages
from workbench.lab.play.hand_record import YOU
from workbench.lab.play.opponents import opponents_for
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.studies import Study
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.jobs import Job, Outcome, message_of
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.study_box import StudyBox
from workbench.policies import Match
from workbench.rules import GameError, Rules
from workbench.settings import need_whole

DOUBLE = 0.3  # seconds: a second click so soon was meant for the first
NOW = '<div class="wb-now" role="status">{}</div>'
NOBODY = Html(NOW).format(
    "Nobody sits opposite you yet. Choose somebody else under Against and press Sit down, or press "
    "New hand to wait after all."
)
WEAKER = (
    "The solver was stopped after {}: your opponent plays what it had found by then, which is "
    "weaker than an equilibrium. Sit down begins again."
)
THINKING = Html(NOW).format("thinking …")


def tables() -> dict[str, dict[str, Any]]:
    """What one can sit down to, by name: the games with options, each as its rules say.

    >>> list(tables())[:3], tables()["Leduc poker for three"]["options"]
    (['Kuhn poker', 'Leduc poker', 'Leduc poker for three'], {'players': 3})
    """
    found: dict[str, dict[str, Any]] = {}
    for name in GAMES:
        kind = game_class(name)
        for title, more in getattr(kind, "tables", {name: {}}).items():
            found[title] = {"game": name, "options": None, "match": None, **more}
    return found


class PlayTable(Panel):
    def __init__(
        self,
        game: str | Rules | Match | Session | Study = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        opponent: Any = "equilibrium",
        match: int | None = None,
        **settings: Any,
    ) -> None:
        """settings: seat, seed, review, abstraction, solver, iterations, as in `Session`."""
        super().__init__("Card table", "table")
        self._study = game if isinstance(game, Study) else None  # the spot to begin with
        game, options = game.table if isinstance(game, Study) else (game, options)
        before = game if isinstance(game, Session) else None
        if before is not None:  # its settings, not ours
            game, opponent = before.match or before.rules, list(before.opponents)
            settings = before.settings
        self._settings = {"seed": None, **settings}
        self._given: dict[str, Any] = {"game": game, "options": options, "match": match}
        self._opponent = opponent
        self._enough = threading.Event()  # Stop was pressed
        self._next: Any = None  # the button that gets the focus
        self._evenings = 0  # sessions begun
        self.earlier: list[Session] = []  # those with hands that somebody got up from
        self.session = before or self._session(self._given, opponent)
        self._kept = len(before.hands) if before else 0  # hands that are in a file
        self._open = False  # cards of others shown after a fold
        self._clicked: tuple[object, float] = None, 0.0  # what was clicked last, and when
        self._make_controls()
        self._draw()
        self._prepare()

    def _session(self, what: Mapping[str, Any], opponent: Any, book: Any = None) -> Session:
        settings = dict(self._settings)
        if (seed := settings["seed"]) is not None:  # other cards, and the same ones every time
            settings["seed"] = need_whole("seed", seed, 0, None) + self._evenings
        self._evenings += 1
        return Session(**what, opponent=opponent, book=book, **settings)

    def _make_controls(self) -> None:
        self._tables = tables()
        mine = next((name for name, what in self._tables.items() if what == self._given), "")
        if not mine:  # somebody's own, or with other options
            mine = self.session.rules.name
            self._tables = {mine: self._given, **self._tables}
        self.game = ui.choose(
            "Game", list(self._tables), "game", self._list_opponents, value=mine, width="20em",
            label_width="4em",
        )  # fmt: skip
        against = self.session.opponents[0].name if self.session.opponents else "nobody"
        self._whom = self._opponent if isinstance(self._opponent, str) else against
        known = self._known_opponents(mine)
        self.opponent = ui.choose("Against", known, "opponent", width="18em", label_width="5em")
        self.score, self.felt = ui.place("score"), ui.place("felt-place")
        self.log, self.now = ui.place("log-place"), ui.place("now-place")
        self.reviewed, self.summary = ui.place("review"), ui.place("summary")
        self.minds = ui.place("minds")
        self.bar = ui.ProgressBar()
        self._moves = self.button_row(
            "move", lambda k: self._once(k, partial(self.play, k)), style="primary", least="6em"
        )
        self.file = ui.text("File", "evening.jsonl", "file", width="20em", label_width="3em")
        self.studies = StudyBox(
            self, lambda text, title: Study.at(self.session, text, title), self.open,
            lambda: self.session.rules,
        )  # fmt: skip

        def once(action: Callable[[], None]) -> Callable[[], None]:
            return lambda: self._once(action, action)

        def undo() -> None:
            self._once(object(), lambda: self._go(self.session.undo))  # two clicks are two moves

        sit, save, page, stop, *below = self.make_buttons(
            ("Sit down", "sit", once(self.sit_down), "Begin a new session with these settings", ""),
            ("Save", "save", self.save, "Write all hands to this file", ""),
            ("As a page", "page", self.save_page, "A file to play in, without a kernel", ""),
            ("Stop", "stop", self.stop, "Play with what has been found so far", "danger"),
            ("New hand", "deal", once(self.new_hand), "Deal the next hand (key n)", "primary"),
            ("Take back", "undo", undo, "Take your last move back (key u)", ""),
            ("Show cards", "show", self.show_cards, "Look at the cards of the others (key s)", ""),
            ("Play again", "again", once(self.again), "Your costliest decision again (key a)", ""),
            ("Train", "train", once(self.train), "The spot that has cost you most (key t)", ""),
            ("Hint", "hint", self.hint, "What would the equilibrium do? (key h)", ""),
            ("Rules", "rules", self.show_rules, "The rules of this game (key ?)", ""),
        )
        slow = self.deal_button, self.again_button, self.train_button
        self.when |= dict.fromkeys(slow, lambda: not self.busy())
        self.when[stop] = lambda: self.busy() and not self._enough.is_set()
        for key, control in zip("nusath?", below, strict=True):
            control.add_class(f"wb-key-{key}")
            control.layout.width, control.layout.min_width = "auto", "5em"
        log = ui.column(self.log, flex="1 1 15em", min_width="min(15em, 100%)")
        self.waiting = self.bar.view
        self.waiting.children = (self.bar.bar, stop, self.bar.words)
        here = ui.column(  # the log beside it, or below it where there is no room
            self.felt, self.now, self.waiting,
            ui.row(self._moves.view, *below, gap="4px 6px"), self.message,
            flex="3 1 27em", min_width="min(20em, 100%)",
        )  # fmt: skip
        self.lay_out(
            ui.row(self.game, self.opponent, sit), self.score,
            ui.row(here, log, align="flex-start"), self.studies.shown, self.reviewed, self.minds,
            self.summary, ui.row(self.file, save, page), self.studies.view,
            ui.place("keys", ui.run_once("table")), message=False,
        )  # fmt: skip

    def _known_opponents(self, name: str) -> list[str]:
        """Whom a game of the list can be played against."""
        what = self._tables[name]
        game = what["game"]
        if isinstance(game, str):
            game = load_game(game, **(what["options"] or {}))
        match = isinstance(game, Match)
        found = opponents_for(game.rules if match else game, match or bool(what["match"]))
        return list(dict.fromkeys([self._whom, *found] if what == self._given else found))

    def _list_opponents(self) -> None:
        ui.relist(self.opponent, self._known_opponents(self.game.value))

    @property
    def moves(self) -> tuple[Any, ...]:
        """The buttons; those of moves that are not allowed now have no display."""
        return tuple(self._moves.view.children)

    def _once(self, what: object, action: Callable[[], None]) -> None:
        """Do it, unless it was done just now: the second of two clicks was meant for the first."""
        with self._thought():
            if self._clicked[0] != what or time.monotonic() - self._clicked[1] >= DOUBLE:
                action()
                self._clicked = what, time.monotonic()

    @contextmanager
    def _thought(self) -> Iterator[None]:
        """Meanwhile nothing can be pressed, and the page says why; see table.js."""
        slow = [*self.moves, self.deal_button, self.undo_button, self.again_button]
        slow.append(self.train_button)
        before, self.now.value = self.now.value, THINKING
        for control in slow:
            control.disabled = True
        try:
            yield
        finally:
            for control in slow:
                control.disabled = False
            if self.now.value == THINKING:
                self.now.value = before
            self.set_buttons()
            if self._next is not None:  # now that it is not grey any more
                self._next.focus()
                self._next = None

    # ---- what one can do -------------------------------------------------------------

    def sit_down(self) -> None:
        """Begin a new session with the game and the opponent that are chosen."""
        whom, before = self.opponent.value, self.session
        opponent = self._opponent if whom == self._whom else whom
        book = None if before.book.unfinished else before.book
        self.session = self._session(self._tables[self.game.value], opponent, book)
        unsaved, self._kept = len(before.hands) > self._kept, 0
        self._draw()
        self._prepare()
        if unsaved:
            self.earlier.append(before)
            hands, how = amount(len(before.hands), "hand"), "table.earlier[-1].save('before.jsonl')"
            self.say(f"{hands} not saved; {how} writes them", "note")

    def new_hand(self) -> None:
        """Deal; what the hand needs is solved first, in the background."""
        if self.running:
            raise GameError("wait until the opponent is ready")
        if not self.session.ready:
            self._prepare()
            return
        self._go(self.session.deal)

    def again(self) -> None:
        self._go(lambda: self.session.again(self.session.played[-1]))

    def train(self) -> None:
        """Play a spot again that you have misplayed."""
        self._go(self.session.train)

    def hint(self) -> None:
        """Say how often the equilibrium makes each move."""
        self.say(SessionView(self.session).hint, "note")

    def show_rules(self) -> None:
        self.say(self.session.words.about, "note")

    def play(self, k: int) -> None:
        """Make the move of a button; a click that comes too late does nothing."""
        asked = self.session.asked
        if asked is None or k >= len(asked.actions):
            return
        self.session.play(asked.actions[k])
        self._draw()
        shown = self._moves.shown
        self._next = shown[k if k < len(shown) else 0] if shown else self.deal_button

    def show_cards(self) -> None:
        """Look at the cards of those who did not show them."""
        self._open = True
        self._draw()

    def save(self) -> None:
        """Write the hands to the file that is named, or beside it if it holds another session."""
        if not (name := self.file.value.strip()):
            raise GameError("name a file for the hands: evening.jsonl")
        path = self.session.save(os.path.expanduser(name))  # a Path would forget a slash at its end
        self._kept = len(self.session.hands)
        self.file.value = str(path)
        self.say(f"{amount(len(self.session.hands), 'hand')} written to {path}", "note")

    def save_page(self) -> None:
        """Write a page to play at this table without a kernel."""
        self.save_report(self.session)

    def open(self, study: Study) -> None:
        """Sit down to a study: the game, in its spot. The hand is practice."""
        self._study, (game, options) = study, study.table
        what = {"game": game, "options": options, "match": None}
        if what not in self._tables.values():
            self._tables = {**self._tables, name_at_table(study.rules): what}
            self.game.options = list(self._tables)
        self.game.value = next(name for name, one in self._tables.items() if one == what)
        self.sit_down()

    def still(self) -> Html:
        """The table, the moves that can be made, and what the last hand cost."""
        moves = [control.description for control in self._moves.shown]
        offered = Html("<p>Your moves: {}.</p>").format(", ".join(moves)) if moves else ""
        parts = (self.score, self.felt, self.now, self.reviewed, self.minds, self.summary)
        score, table, now, *rest = (part.value for part in parts)
        return Html("<p>{}</p>{}{}{}{}{}{}").format(score, table, now, offered, *rest)

    # ---- the opponent gets ready -----------------------------------------------------

    def _prepare(self) -> None:
        session = self.session
        session.book.hasty = True  # Stop keeps what there is
        enough = self._enough = threading.Event()

        def work(job: Job) -> Session:
            def tell(done: int, total: int, exploitability: float | None) -> None:
                if enough.is_set():
                    raise KeyboardInterrupt  # the solver hands over what it has
                job.tell(done / total, f"solving {session.hand_rules.name}: {done:,} of {total:,}")

            session.prepare(tell)
            return session

        self.bar.begin()
        self.run(work, show=self.bar.show, done=self._prepared)

    def stop(self) -> None:
        """Play with what has been found so far; if that is nothing, nobody sits down."""
        self.bar.text("stopping")
        self._enough.set()
        if self.job and not self.bar.bar.value:  # the solver has nothing yet, or has done its part
            self.job.stop()

    def _prepared(self, outcome: Outcome) -> None:
        session = self.session
        self.set_buttons()
        if outcome.error:
            self.now.value = ""  # nobody is getting ready; the message says why
        elif outcome.stopped:
            self.now.value = NOBODY
        if outcome.value is not session or outcome.stopped or outcome.error:
            return
        try:  # and a note that was there stays
            if session.playing:  # one that was given in the middle of a hand
                self._draw()
            else:
                self._go(self._begin, focus=False)
            done = session.book.stopped_after(session.hand_rules, session.abstraction)
            if done and any(one.solved for one in session.opponents):
                self.say(WEAKER.format(amount(done, "iteration")), "note")
        except Exception as error:
            self.now.value = ""
            self.say(message_of(error))

    def _begin(self) -> None:
        """A hand, or first the spot of a study."""
        study, self._study = self._study, None
        if study is None:
            self.session.deal()
        else:
            moves = [(step.player, step.what) for step in study.steps]
            self.session.set_up(moves, study.node.player)
            self.studies.show(study)

    def set_buttons(self) -> None:
        with self._able:
            self.waiting.layout.display = "" if self.busy() else "none"
            super().set_buttons()

    def _go(self, begin: Callable[[], None], focus: bool = True) -> None:
        """Begin a hand or a part of it, and show it."""
        self._open = False
        begin()
        self._draw()
        if focus:
            self._next = next(iter(self._moves.shown), None)

    # ---- what one sees ---------------------------------------------------------------

    def _draw(self) -> None:
        session = self.session
        now = SessionView(session)
        found = session.review(now.hand) if now.hand and session.reviewing else None
        scene, turn = now.scene(self._open), now.you if session.asked else -1
        judged = (
            pages.review_html(found, now.names)
            if found
            else session.unjudged and quiet(session.unjudged)
        )
        line = ". ".join(filter(None, [*now.told[-1:], now.result, now.match_result])) + "."
        if not now.over:
            waiting = "Your opponent is getting ready."
            line = f"{now.situation}. Your move?" if turn >= 0 else waiting
        drawn = {  # all of it first, so that the page changes at once
            self.felt: pages.felt(scene, now.names, now.you, now.words, turn, now.result),
            self.log: pages.made("log", now.told),
            self.score: f"{now.headline} · seed {session.seed}",
            self.now: Html(NOW).format(line),
            self.reviewed: judged,
            self.minds: pages.minds_html(now.minds if now.over else []),
            self.summary: pages.summary_html(session),
        }
        for shown, html in drawn.items():
            shown.value = html
        self._moves.show([one.label for one in now.choices])
        for k, (button, one) in enumerate(zip(self._moves.shown, now.choices, strict=True), 1):
            ui.press_with(button, one.key, str(k))
        costly = bool(found) and len(session.habits().columns) > 0
        hidden = any(None in place.cards for place in scene.places)
        for control, there in (
            (self.deal_button, not session.playing),
            (self.undo_button, bool(session.answers)),
            (self.show_button, now.over and hidden),
            (self.again_button, now.hand is not None and bool(now.hand.decisions_of(YOU))),
            (self.train_button, now.over and costly),
            (self.hint_button, turn >= 0 and session.reviewing),
        ):
            control.layout.display = "" if there else "none"
