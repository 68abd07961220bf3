"""A drill: twenty questions about one game, a score, and what you missed comes back sooner.

    wb.play.Drill("leduc", street="flop")                        at the end of a cell: it asks there
    wb.play.Drill(wb.play.Session("leduc", seat=0, seed=7))      a session has more settings
    wb.write_report(wb.play.Drill("limit_holdem"), "drill.html")                     in a page
    workbench drill leduc --spot "cr*" --save mine.json                              in a terminal

A question is a spot of a hand in which the others play the equilibrium, and in which at least one
of your choices costs something; what each choice costs is what `review.py` says: exact where the
game has exact values, within buckets in Hold'em. Your own moves before it are random, so that
you also meet what you would avoid.

    street    only questions of this round: a number from 1, or preflop, flop, turn, river
    spot      only after this line of play: "crc/c"; * stands for anything: "cr*", "*/". The labels
              of all moves, a slash where chance deals in between, spaces if labels are longer

**What comes back.** Questions are a deck, and the first one is asked. If you miss it, it goes back
behind 3 others, not counting those that come back themselves; each time you then get it right,
behind three times as many (9, 27, …), and one that you never missed to the end. Cell and page
remember their deck in the browser (`drills.js`), and the terminal in a `file`.

>>> drill = Drill("kuhn", questions=2)
>>> drill.ask().spot, drill.answer("b").said
('You are dealt the Queen', 'Betting cost you 0.17 chips on average: betting −0.50, passing −0.33.')
>>> drill.ask().spot, [*drill.ask().choices], drill.answer("p").cost, drill.ask()
('You are dealt the Jack. Player 2 bets', ['p', 'b'], 0.0, None)
>>> print(" | ".join(drill.summary))
1 of 2 right, 0.17 chips given away | 1 × 0.17 chips: You are dealt the Queen: bet instead of pass
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from workbench.files import need_target, read_file, read_json, write_named
from workbench.games.registry import name_at_table
from workbench.games.words import amount, plural
from workbench.lab.html import CSS, Html, template
from workbench.lab.play.felt import felt
from workbench.lab.play.hand_record import Step, line_of
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView, moment
from workbench.lab.play.terminal import Terminal, keyed
from workbench.lab.text import columns
from workbench.poker.cards.hand_classes import NAMES, class_of_cards
from workbench.policies import decider, play_hand
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules
from workbench.settings import need_whole, unknown_name

LATER = 3  # questions until a spot that was missed comes back, and how much later each time
SPARE = 3  # times as many questions in the deck as one drill asks
HANDS = 300  # dealt in vain before a deck is complete
STREETS = {"preflop": 1, "flop": 2, "turn": 3, "river": 4} | {str(k): k for k in range(1, 10)}


class Choice(NamedTuple):
    """An answer to a question."""

    label: str  # of its button
    key: str  # a letter to press
    cost: float  # 0 if it is right
    said: str  # the verdict
    missed: str  # what should have been done where


class Question(NamedTuple):
    at: Any  # the session in this position
    spot: str  # what you have noticed so far
    table: Html
    hand: int  # its place on the 13 × 13 chart; -1 where there is none
    choices: dict[Any, Choice]  # by action


class Drill:
    """Questions about a game; see help('workbench.lab.play.drills')."""

    def __init__(
        self,
        game: str | Rules | Session = "leduc",
        *,
        street: int | str | None = None,
        spot: str = "*",
        questions: int = 20,
        file: str | Path | None = None,  # where decks are kept
    ) -> None:
        self.session = game if isinstance(game, Session) else Session(game)
        if self.session.match or not self.session.reviewing:
            raise GameError(f"a drill needs single hands with review. {self.session.unjudged}")
        if street is not None and str(street) not in STREETS:
            raise unknown_name("street", str(street), STREETS)
        self.rules, self.words = self.session.rules, self.session.words
        self.street, self.spot = STREETS.get(str(street)), spot or "*"
        self.of = need_whole("questions", questions, 1, 1000)
        self.about = name_at_table(self.rules) + ("" if street is None else f", street {street}")
        self.about += "" if self.spot == "*" else f", after {self.spot}"
        self.file = None if file is None else need_target(file)
        self._decks = _read(self.file) if self.file and self.file.exists() else {}
        self._name = f"{self.about}, seed {self.session.seed}"
        self.given: list[tuple[Question, Choice]] = []  # in this drill
        everybody, random = [None] * self.rules.players, np.random.default_rng(0)
        if not any([*self._hand(everybody, random)] for _ in range(HANDS)):  # before it is solved
            raise GameError(f"no hand comes to {self.about}; a line of play is such as crc/c")

    # ---- questions -------------------------------------------------------------------

    @cached_property
    def deck(self) -> list[tuple[Question, int]]:
        """Different questions, the next one first, each with its number: behind how many others it
        was put after it was missed, else 0. They are fewer where there are fewer."""
        self.session.prepare(progress=None)
        random, vain, found = np.random.default_rng(self.session.seed), 0, dict[Any, Question]()
        others = [decider(policy, random) for policy in self.session.policies()]
        seats = range(self.rules.players) if self.session.seat is None else [self.session.seat]
        with ProgressBar(f"questions about {self.about}", SPARE * self.of) as bar:
            while len(found) < SPARE * self.of and vain < HANDS:
                seat, vain = seats[int(random.integers(len(seats)))], vain + 1
                for step, before in self._hand([*others[:seat], None, *others[seat:]], random):
                    spot = seat, step.seen
                    if spot not in found and (question := self._question(step, before)):
                        found[spot], vain = question, 0
                bar.show(len(found))
        if not found:
            raise GameError(f"in {HANDS} hands of {self.about}, no choice of yours cost anything")
        deck, kept = [*found.values()], self._decks.get(self._name, {})
        random.shuffle(deck)  # several come from one hand
        deck.sort(key=lambda one: [*kept, one.spot].index(one.spot))  # as it was left
        return [(one, kept.get(one.spot, 0)) for one in deck]

    def _hand(self, deciders: Sequence[Any], random: Any) -> Iterator[tuple[Step, list[Step]]]:
        """The moves of a hand that are drilled, each with what happened before. Who has no decider
        is drilled, and goes to the spot or anywhere."""
        before: list[Step] = []

        def lead(player: int, seen: Any, actions: Sequence[Any]) -> Any:
            lines = [line_of([*before, Step("action", player, action)]) for action in actions]
            there = [k for k, line in enumerate(lines) if self.spot.startswith(line)]
            return actions[random.choice(there or len(lines))]

        for step in play_hand(self.rules, [one or lead for one in deciders], random):
            line = line_of(before)
            here = self.street in (None, 1 + line.count("/")) and fnmatchcase(line, self.spot)
            if here and len(step.actions) > 1 and deciders[step.player] is None:
                yield step, before[:]
            before.append(step)

    def _question(self, step: Step, before: list[Step]) -> Question | None:
        """What is asked where somebody made this move; None where no choice costs anything."""
        judge, node = self.session.judge(self.rules), self.rules.node(step.before)
        worth = judge.worth(step.player, step.seen)
        if worth.trembling or np.ptp(worth.values) < judge.small:
            return None
        at = moment(self.session, step.player, tuple(before), node, worth)
        now, choices = SessionView(at), dict[Any, Choice]()
        spot = ". ".join(now.told) or "You begin"
        for one, (key, *_) in zip(now.choices, keyed(now), strict=True):
            found = judge.verdict(step._replace(what=one.action), self.words)
            missed = f"{spot}: {one.move} instead of {found.move(worth.best)}"
            cost = 0.0 if found.fine else found.cost
            choices[one.action] = Choice(one.label, key, cost, str(found), missed)
        two = getattr(self.rules, "private_cards", 0) == 2
        hand = class_of_cards(step.seen[0]) if two else -1
        table = felt(now.scene(), now.names, now.you, self.words, now.you)
        return Question(at, spot, table, hand, choices)

    # ---- asking ----------------------------------------------------------------------

    def ask(self) -> Question | None:
        """The next question; None when the drill is over."""
        return self.deck[0][0] if len(self.given) < self.of else None

    def answer(self, action: Any) -> Choice:
        """Your answer, with what it costs; the question goes back into the deck."""
        if self.ask() is None:
            raise GameError("the drill is over; make another one")
        (question, before), *deck = self.deck
        choice = question.choices[question.at.meant(action)]
        self.given.append((question, choice))
        number = LATER if choice.cost else LATER * before
        place = number + sum(back > 0 for _, back in deck[:number]) if number else len(deck)
        deck.insert(place, (question, number))
        self.deck = deck
        if self.file:
            self._decks[self._name] = {one.spot: number for one, number in self.deck}
            write_named(self.file, json.dumps(self._decks, ensure_ascii=False, indent=1).encode())
        return choice

    @property
    def summary(self) -> list[str]:
        """The score, and what was misplayed, the dearest first."""
        wrong = Counter(choice for _, choice in self.given if choice.cost)
        lost = self.words.amount(sum(choice.cost for _, choice in self.given))
        right = f"{len(self.given) - wrong.total()} of {len(self.given)} right"
        dearest = sorted(wrong, key=lambda one: -one.cost * wrong[one])
        missed = [f"{wrong[one]} × {self.words.amount(one.cost)}: {one.missed}" for one in dearest]
        return [f"{right}, {lost} given away", *missed]

    # ---- in a cell or a page, and in a terminal --------------------------------------

    def html(self, alone: bool = False) -> Html:
        """All questions, and the script that asks them. alone: it hears all keys of its page."""
        choices = [[each._asdict() for each in one.choices.values()] for one, _ in self.deck]
        text = json.dumps({
            "name": f"Drill: {self._name}, {crc32(str(choices).encode())}",
            "of": self.of, "later": LATER, "coin": self.words.coin, "unit": plural(self.words.unit),
            "hands": [one.hand for one, _ in self.deck], "choices": choices,
        })  # fmt: skip
        page = template(Path(__file__).with_suffix(".html.j2"))
        js = Path(__file__).with_suffix(".js").read_text("utf-8")
        return CSS + Html(page.render(drill=self, data=text, hands=NAMES, script=js, alone=alone))

    _repr_html_ = html


class DrillTerminal(Terminal):
    """Asks the questions line by line."""

    def __init__(self, drill: Drill, *ways: Any) -> None:
        super().__init__(drill.session, *ways)
        self.drill = drill

    def welcome(self) -> None:
        self.show(f"{amount(self.drill.of, 'question')} about {self.drill.about}. q stops.")

    def hand(self) -> None:
        if not (question := self.drill.ask()):
            raise EOFError
        if not self.drill.given and (note := self.drill.session.judge(self.drill.rules).note):
            self.show(note)
        self.show(f"\n── Question {len(self.drill.given) + 1} of {self.drill.of}")
        self.session, self.told = question.at, 0
        self.tell()
        self.answer()

    def play(self, action: Any) -> None:
        choice = self.drill.answer(action)
        self.show(f"  {'✗' if choice.cost else '✓'} {choice.said}")

    def goodbye(self) -> None:
        """The score, what was misplayed, and the 13 × 13 chart where there is one."""
        for line in self.drill.summary:
            self.show(f"{line}.")
        given, cells = self.drill.given, [*NAMES]
        if given and given[0][0].hand >= 0:
            for question, choice in sorted(given, key=lambda one: one[1].cost):
                cells[question.hand] = self.drill.words.number(choice.cost) if choice.cost else "✓"
            self._show("\n".join(columns([cells[k : k + 13] for k in range(0, 169, 13)])))


def _read(file: Path) -> dict[str, dict[str, int]]:
    """The decks of a file: spots in their order, with their numbers."""
    try:
        decks = read_json(read_file(file)).items()
        return {name: {spot: int(n) for spot, n in deck.items()} for name, deck in decks}
    except (AttributeError, TypeError, ValueError) as error:
        raise GameError(f"{file} has no decks of drills ({error}); name another file") from None
