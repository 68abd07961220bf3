"""The table as text: what lies there, what you may do, and afterwards what it cost.

`TextTable(session, ask, show)` gets its line of input and its output from outside, `ask(prompt)`
and `show(line)`, so that a person, a pipe and a test are all the same to it.

>>> from workbench.lab.play.session import Session
>>> answers = iter(["b"])
>>> session = Session("kuhn", opponent="always-bet", seat=0, seed=3, review=False)
>>> TextTable(session, lambda prompt: next(answers), print, hands=1).run()
You play kuhn against: always-bet. ? is help, q stops.
Cards and dice have seed 3.
<BLANKLINE>
── Hand 1 · You begin · score 0.00 chips
You are dealt the Jack.
  you [J] · Player 2 [??] · pot 2 chips
You bet. Player 2 calls. Player 2 shows the Queen.
You lose 2 chips.
1 hand, −2.00 chips. Goodbye.
False
"""

import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from workbench.games.words import Scene, amount, plural
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import COMMANDS, Choice, SessionView
from workbench.lab.text import printable
from workbench.rules import GameError, label_of
from workbench.settings import did_you_mean

WIDTH = 78
WORDS = {"help": "?", "quit": "q"}  # that are commands, too
_SUITS = str.maketrans("shdc", "♠♥♦♣")


class TextTable:
    """Plays a session line by line."""

    def __init__(
        self,
        session: Session,
        ask: Callable[[str], str],
        show: Callable[[str], None],
        *,
        hands: int | None = None,
        saved: Callable[[], object] = lambda: None,  # called after each hand
        commands: Collection[str] = COMMANDS,
    ) -> None:
        self.session, self.ask, self._show = session, ask, show
        self.hands, self.saved, self.commands = hands, saved, commands
        self.told = 0  # steps of the hand that were told
        self.interrupted = False

    def show(self, text: str = "") -> None:
        """Lines of a width that fits."""
        for line in map(printable, text.split("\n")):
            start = len(line) - len(line.lstrip())
            start += 3 * line.lstrip()[:1].isdigit()  # a numbered line
            self._show(textwrap.fill(line, WIDTH, subsequent_indent=" " * start) if line else "")

    def run(self) -> bool:
        """Play until the hands are over, or somebody stops; True if she was interrupted."""
        with self.stoppable():
            self.welcome()
            while self.hands is None or len(self.session.hands) < self.hands:
                self.hand()
                if result := SessionView(self.session).match_result:
                    self.show(f"{result}.")
                    break
        self.goodbye()
        return self.interrupted

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Inside, somebody may stop: by q, the end of the input or Ctrl+C."""
        try:
            yield
        except (EOFError, KeyboardInterrupt) as error:
            self.show()
            self.interrupted = isinstance(error, KeyboardInterrupt)

    # ---- one hand --------------------------------------------------------------------

    def hand(self) -> None:
        """One hand: deal, ask until it is over, review."""
        session = self.session
        self.show()
        self.show(f"── {SessionView(session, ahead=True).headline}")
        session.prepare(progress=None)  # near the end of a match hands are new games
        session.deal()
        self.told = 0
        while session.asked is not None:
            if (action := self.choose()) is not None:
                session.play(action)
        self.tell()
        if session.reviewing:
            found = session.review(-1)
            self.show(found.summary)
            for k, verdict in enumerate(found.verdicts, 1):
                self.show(f"  {k}. {verdict}")
            if found.note and len(session.hands) == 1:
                self.show(found.note)
        else:
            self.show(f"{SessionView(session).result}.")
        self.saved()

    def tell(self) -> None:
        """What has happened since the last question."""
        now = SessionView(self.session)
        texts = now.told_since(self.told)
        self.told = len(now.steps)
        if texts:
            self.show(". ".join(texts) + ".")

    def choose(self) -> Any:
        """Tell and ask until there is a move; None if the last one was taken back."""
        self.tell()
        now = SessionView(self.session)
        scene, asked, choices = now.scene(), self.session.asked, now.choices
        if asked and not scene.places[now.you].cards:  # nothing that can lie on a table
            self.show(f"  {'; '.join(now.words.holds(asked.seen))}.")
        if table := _table(scene, now.you, now.names):
            self.show(table)
        moves = "   ".join(
            f"{k} {_with_key(one.move, one.key)} {one.cost}".rstrip()
            for k, one in enumerate(choices, 1)
        )
        while True:
            said = self.ask(printable(f"  {moves}   > ")).strip()
            command = WORDS.get(said.lower(), said.lower())
            if command == "q":
                raise EOFError
            if command in self.commands:
                if {"?": self.help, "h": self.hint, "u": self.undo, "w": self.thoughts}[command]():
                    return None
            elif (action := _read(said, choices)) is not None:
                return action
            elif said:
                known = [one.move for one in choices]
                self.show(f"  There is no move {said!r}{did_you_mean(said, known)} ? is help.")

    def hint(self) -> None:
        self.show(f"  {SessionView(self.session).hint}")

    def thoughts(self) -> None:
        """What the opponents considered in the last hand, and what they believe."""
        found = SessionView(self.session).minds
        for title, table in found:
            self.show(f"  {title}{'.' if table.empty else ':'}")
            text = (
                "" if table.empty else table.round(2).to_string(index=False, line_width=WIDTH - 4)
            )
            for line in text.splitlines():
                self._show(printable(f"    {line}".rstrip()))
        if not found:
            self.show("  There is nothing to see: no hand so far, or nobody who thinks or learns.")

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        try:
            self.session.undo()
        except GameError as error:
            self.show(f"  {error}")
            return False
        self.show("  You take your last move back.")
        self.told = 0
        return True

    def help(self) -> None:
        self.show(f"  {self.session.words.about}")
        keys = ", ".join(f"{key} {COMMANDS[key]}" for key in self.commands)
        self.show(f"  Type the number of a move, its letter or its name. Also: {keys}.")

    # ---- beginning and end -----------------------------------------------------------

    def welcome(self) -> None:
        session = self.session
        against = ", ".join(dict.fromkeys(one.name for one in session.opponents))
        what = f"a match to {session.match.bound} of " if session.match else ""
        self.show(f"You play {what}{session.rules.name} against: {against}. ? is help, q stops.")
        self.show(f"Cards and dice have seed {session.seed}.")
        if session.unjudged:
            self.show(session.unjudged)

    def goodbye(self) -> None:
        """The score, and what it would have been without luck."""
        session = self.session
        if not session.hands:
            self.show("No hand was played to its end. Goodbye.")
            return
        say = partial(session.words.number, sign=True)
        score = f"{say(session.net)} {plural(session.words.unit)}"
        text = f"{amount(len(session.hands), 'hand')}, {score}"
        if session.reviewing:
            scores = session.scores()
            without, cost = scores["adjusted"].iloc[-1], session.words.number(scores["cost"].sum())
            text += f"; without luck {say(without)}: decisions cost {cost}"
        self.show(f"{text}. Goodbye.")


def _with_key(move: str, key: str) -> str:
    """
    >>> _with_key("call", "c"), _with_key("check", "e"), _with_key("play the 10♥", "")
    ('[c]all', 'ch[e]ck', 'play the 10♥')
    >>> _with_key("play p", "p")
    'play [p]'
    """
    word = move.rfind(" ") + 1
    place = move.lower().find(key, word) if key else -1
    return f"{move[:place]}[{key}]{move[place + 1 :]}" if place >= 0 else move


def _read(said: str, choices: Sequence[Choice]) -> Any:
    """The action that was meant, None if there is none.

    A number, a key, the name of a move or its beginning, or a card such as 10h for 10♥.
    """
    low = said.lower()
    card = (low[:-1].upper() + low[-1:].translate(_SUITS)) if len(low) > 1 else said
    for k, one in enumerate(choices, 1):
        names = str(k), one.key, one.move.lower(), label_of(one.action).lower()
        if said and (low in names or card == label_of(one.action)):
            return one.action
    near = [one.action for one in choices if said and one.move.lower().startswith(low)]
    return near[0] if len(near) == 1 else None


def _table(scene: Scene, you: int, names: Sequence[str]) -> str:
    """The table in one or two lines.

    >>> from workbench.games.words import Place
    >>> places = Place(("Q♠",), 1.0), Place((None,), 3.0)
    >>> _table(Scene(places, ("K♥",), at_stake="pot 4"), 0, "AB")
    '  you [Q♠] · board [K♥] · B [??] · pot 4'
    """
    parts = [f"you {_cards(scene.places[you].cards)}"] if scene.places[you].cards else []
    if scene.board:
        parts.append(f"board {_cards(scene.board)}")
    if scene.tricks and scene.tricks[-1].winner < 0:
        played = " ".join(f"{names[seat]} [{card}]" for seat, card in scene.tricks[-1].cards)
        parts.append(f"on the table: {played}")
    for seat, place in enumerate(scene.places):
        if seat != you and place.cards:
            parts.append(f"{names[seat]} {'out' if place.folded else _cards(place.cards)}")
    parts += [scene.at_stake] if scene.at_stake else []
    return "  " + " · ".join(parts) if parts else ""


def _cards(cards: Sequence[str | None]) -> str:
    return " ".join(f"[{card or '??'}]" for card in cards)
