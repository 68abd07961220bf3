"""A drill: twenty questions about one game, a score, and what you missed comes back sooner.

    wb.play.Drill("leduc", street="flop")                        at the end of a cell: it asks there
    wb.play.Drill(wb.play.Session("leduc", seat=0), seed=7)      a session has more settings
    wb.write_report(wb.play.Drill("limit_holdem"), "drill.html")                     in a page
    workbench drill leduc --spot "cr*" --save mine.json                              in a terminal

A question is a spot in which one of your choices costs something, as `review.py` judges it. The
others have played the equilibrium so far, and you at random: you also meet what you would avoid.

    street    only questions of this round: a number from 1, or preflop, flop, turn, river
    spot      only after this line of play: "crc/c"; * stands for anything: "cr*", "*/". The labels
              of all moves, a slash where chance deals in between, spaces if labels are longer

Questions are a deck, and the first one is asked. If you miss it, it goes back behind 3 others that
do not come back themselves; each time you then get it right, behind three times as many (9, 27, …);
one that you never missed goes to the end. Cell and page remember your answers in the browser
(`drills.js`), and the terminal keeps its deck in a `file`.

>>> drill = Drill("kuhn", questions=2)
>>> drill.ask().spot, drill.answer("b").said
('You are dealt the Queen', 'Betting cost you 0.17 chips on average: betting −0.50, passing −0.33.')
>>> drill.ask().spot, [*drill.ask().choices], drill.answer("p").cost, drill.ask()
('You are dealt the Jack. Player 2 bets', ['p', 'b'], 0.0, None)
>>> drill.summary[1:]
['1 × 0.17 chips: You are dealt the Queen: bet instead of passing']
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from workbench.files import need_target, read_tables, write_named
from workbench.games.registry import name_at_table
from workbench.games.words import amount, plural
from workbench.lab.html import Html, scripted
from workbench.lab.play.felt import felt
from workbench.lab.play.hand_record import line_of
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import JudgedMove, SessionView, moment
from workbench.lab.play.terminal import TextTable
from workbench.lab.text import columns
from workbench.poker.cards.hand_classes import NAMES, class_of_cards
from workbench.policies import Step, decider, play_hand
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules
from workbench.settings import need_whole, unknown_name

LATER = 3  # questions until a spot that was missed comes back, and how much later each time
SPARE = 3  # times as many questions in the deck as one drill asks
HANDS = 300  # dealt in vain before a deck is complete
STREETS = {"preflop": 1, "flop": 2, "turn": 3, "river": 4} | {str(k): k for k in range(1, 10)}


class DrillQuestion:
    """A decision of a hand, and what would be said of each choice."""

    def __init__(self, session: Session, asked: Step, before: tuple[Step, ...]) -> None:
        self.at = moment(session, asked.player, before, session.rules.node(asked.state))
        now, two = SessionView(self.at), getattr(session.rules, "private_cards", 0) == 2
        self.spot = ". ".join(now.told) or "You begin"  # what you have noticed so far
        self.table = felt(now.scene(), now.names, now.you, now.words, now.you)
        self.hand = class_of_cards(asked.seen[0]) if two else -1  # its place on the 13 × 13 chart
        self.choices = now.judged  # by action


class Drill:
    """Questions about a game; see help('workbench.lab.play.drills')."""

    def __init__(
        self, game: str | Rules | Session = "leduc", *, questions: int = 20, spot: str = "*",
        street: int | str | None = None, seed: int | None = None, file: str | Path | None = None,
    ) -> None:  # fmt: skip
        self.session = session = game if isinstance(game, Session) else Session(game)
        if session.match or not session.reviewing:
            why = session.unjudged or "Give a session without a match, and with review=True."
            raise GameError(f"a drill needs single hands with review. {why}")
        session.need_recall(session.rules)
        if street is not None and str(street) not in STREETS:
            raise unknown_name("street", str(street), STREETS)
        self.rules, self.words = session.rules, session.words
        self.street, self.spot = STREETS.get(str(street)), spot or "*"
        self.of = need_whole("questions", questions, 1, 1000)
        self.seed = session.seed if seed is None else need_whole("seed", seed, 0, None)
        self.about = name_at_table(self.rules) + ("" if street is None else f", street {street}")
        self.about += "" if self.spot == "*" else f", after {self.spot}"
        self.name = f"{self.about}, seed {self.seed}"  # of its deck
        self.file = None if file is None else need_target(file)
        self._decks = read_tables(self.file, int, "name another file") if self.file else {}
        self.given: list[tuple[DrillQuestion, JudgedMove]] = []  # in this drill
        everybody, random = [None] * self.rules.players, np.random.default_rng(0)
        if not any([*self._hand(everybody, random)] for _ in range(HANDS)):  # before it is solved
            raise GameError(f"no hand comes to {self.about}; a line of play is such as crc/c")

    @cached_property
    def deck(self) -> list[tuple[DrillQuestion, int]]:
        """Questions, the next one first, and behind how many others each was put, or 0."""
        self.session.prepare(progress=None)
        random, judge = np.random.default_rng(self.seed), self.session.judge(self.rules)
        others = [decider(policy, random) for policy in self.session.policies()]
        seats = range(self.rules.players) if self.session.seat is None else [self.session.seat]
        found, vain = dict[Any, DrillQuestion](), 0
        with ProgressBar(f"questions about {self.about}", SPARE * self.of) as bar:
            while len(found) < SPARE * self.of and vain < HANDS:
                seat, vain = int(random.choice(seats)), vain + 1
                for asked, before in self._hand([*others[:seat], None, *others[seat:]], random):
                    spot, worth = (seat, asked.seen), judge.worth(seat, asked.seen)
                    costly = not worth.trembling and np.ptp(worth.values) >= judge.small
                    if costly and spot not in found:
                        found[spot], vain = DrillQuestion(self.session, asked, before), 0
                bar.show(len(found))
        if not found:
            raise GameError(f"in {HANDS} hands of {self.about}, no choice made a difference")
        deck, kept = [*found.values()], self._decks.get(self.name, {})
        random.shuffle(deck)  # several come from one hand
        deck.sort(key=lambda one: [*kept, one.spot].index(one.spot))  # as it was left
        return [(one, kept.get(one.spot, 0)) for one in deck]

    def _hand(self, deciders: list[Any], random: Any) -> Iterator[tuple[Step, tuple[Step, ...]]]:
        """What is asked in a hand, and what was before; answers lead to the spot, or anywhere."""
        hand, before, answer = play_hand(self.rules, deciders, random), tuple[Step, ...](), None
        while (step := hand.send(answer)).kind != "over":
            if step.kind != "ask":
                before, answer = (*before, step), None
                continue
            line = line_of(before)
            if self.street in (None, 1 + line.count("/")) and fnmatchcase(line, self.spot):
                yield step, before
            lines = [line_of([*before, step._replace(what=action)]) for action in step.actions]
            there = [k for k, line in enumerate(lines) if self.spot.startswith(line)]
            answer = step.actions[random.choice(there or len(lines))]

    def ask(self) -> DrillQuestion | None:
        """The next question; None when the drill is over."""
        return self.deck[0][0] if len(self.given) < self.of else None

    def answer(self, action: Any) -> JudgedMove:
        """Your answer, with what it costs; the question goes back into the deck."""
        if not (question := self.ask()):
            raise GameError("the drill is over; make another one")
        choice = question.choices[question.at.meant(action)]
        self.given.append((question, choice))
        (_, before), *deck = self.deck
        number = LATER if choice.cost else LATER * before
        place = number + sum(back > 0 for _, back in deck[:number]) if number else len(deck)
        self.deck = [*deck[:place], (question, number), *deck[place:]]
        if self.file:
            self._decks[self.name] = {one.spot: number for one, number in self.deck}
            write_named(self.file, json.dumps(self._decks, ensure_ascii=False, indent=1).encode())
        return choice

    @property
    def summary(self) -> list[str]:
        """The score, and what was misplayed, the costliest first."""
        say, wrong = self.words.amount, Counter((q.spot, one) for q, one in self.given if one.cost)
        right, lost = len(self.given) - wrong.total(), say(sum(one.cost for _, one in self.given))
        dear = sorted(wrong.items(), key=lambda each: -each[0][1].cost * each[1])
        lines = [f"{times} × {say(one.cost)}: {spot}: {one.habit}" for (spot, one), times in dear]
        return [f"{right} of {len(self.given)} right, {lost} given away", *lines]

    def _repr_html_(self, alone: bool = False) -> Html:
        """All questions, and the script that asks them. alone: it hears all keys of its page."""
        choices = [[one._asdict() for one in each.choices.values()] for each, _ in self.deck]
        told = {"drill": self, "choices": choices, "check": crc32(str(choices).encode())}
        more = {"names": NAMES, "later": LATER, "unit": plural(self.words.unit), "alone": alone}
        return scripted(Path(__file__), "moves.js", **told, **more)

    def run(self, *ways: Any) -> bool:
        """Ask in a terminal (`TextTable` says in which ways); True if somebody interrupted it."""
        at, judge = TextTable(self.session, *ways, commands="?hq"), self.session.judge(self.rules)
        with at.stoppable():
            at.show(f"{self.about}: {amount(self.of, 'question')}. q stops.\n{judge.note}".strip())
            while question := self.ask():
                at.show(f"\n── Question {len(self.given) + 1} of {self.of}")
                at.session, at.told = question.at, 0
                choice = self.answer(at.choose())
                at.show(f"  {'✗' if choice.cost else '✓'} {choice.said}")
        for line in self.summary:
            at.show(f"{line}.")
        worst = {q.hand: one.cost for q, one in sorted(self.given, key=lambda one: one[1].cost)}
        say = {k: self.words.number(cost) if cost else "✓" for k, cost in worst.items()}
        if max(worst, default=-1) >= 0:
            rows = [[say.get(k + j, NAMES[k + j]) for j in range(13)] for k in range(0, 169, 13)]
            at._show("\n".join(columns(rows)))
        return at.interrupted
