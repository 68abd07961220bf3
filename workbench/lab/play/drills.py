"""A drill: twenty questions about one game, a score, and what you missed comes back sooner.

A question is a spot of a hand in which the others play the equilibrium, and in which at least one
of your choices costs something; what each choice costs is what `review.py` says: exact where the
game has exact values, within buckets in Hold'em. Your own moves before it are random, so that
you also meet what you would avoid.

    street    only questions of this round: a number from 1, or preflop, flop, turn, river
    spot      only after this line of play: "cr/c"; * stands for anything: "cr*", "*/". The labels
              of all moves, a slash where chance deals in between, spaces if labels are longer

**What comes back.** A spot that you miss is asked again after 3 other questions. Whenever you then
get it right it waits three times as long (9, 27, … questions); missed again, 3. After one that came
back comes a new one, as long as there are any. The questions of all drills in one `file` are
counted through, so the next drill goes on with what is due, and so does one that was broken off.

>>> drill = Drill("kuhn", seed=1, questions=2)
>>> drill.ask().actions, drill.number, drill.line
(('p', 'b'), 1, '')
>>> print(drill.answer("b"))
Betting cost you 0.17 chips on average: betting −0.50, passing −0.33.
>>> drill.ask().seen, drill.answer("b").fine, drill.ask()
(('K', 'p'), True, None)
>>> drill.score
'1 of 2 right, 0.17 chips given away'
>>> drill.missed()[["question", "seen", "did", "best"]]
   question seen  did  best
0         1    Q  bet  pass
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.games.registry import describe
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.play.hand_record import Move, Step, replay
from workbench.lab.play.review import Verdict
from workbench.lab.play.session import Session
from workbench.lab.play.session_file import need_moves, read_lines, write_lines
from workbench.poker.cards.hand_classes import hand_class
from workbench.policies import decider, play_hand
from workbench.rules import GameError, Rules, label_of
from workbench.settings import MANY, Positive, check, need_whole, unknown_name

if TYPE_CHECKING:
    import pandas as pd

LATER = 3  # questions until a spot that was missed comes back, and how much later each time
HANDS = 300  # dealt in search of a question
STREETS = ("preflop", "flop", "turn", "river")
Spot = tuple[tuple[tuple[int, Any], ...], int]  # the moves up to a question, and who is asked


@dataclass(frozen=True)
class Head:
    """The first line of a file: whose spots these are."""

    game: str
    options: Any  # names with their values; None for a game of one's own


@dataclass(frozen=True)
class Answer:
    """A question that was asked, and what was said; the line of a file."""

    question: Positive
    of: Positive  # questions of this drill
    seat: int
    moves: Any  # pairs (seat, what), up to the question
    answer: Any
    right: bool

    def __post_init__(self) -> None:
        check(self)
        need_moves(self.moves)


class Drill:
    """Questions about one game; see help('workbench.lab.play.drills')."""

    def __init__(
        self,
        game: str | Rules = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        street: int | str | None = None,
        spot: str = "*",
        seat: int | None = None,  # None: the seats go round
        questions: int = 20,
        seed: int | None = None,  # None: other questions every time
        file: str | Path | None = None,  # where the answers are kept
        iterations: int | None = None,
        book: EquilibriumCache | None = None,
    ) -> None:
        self.session = Session(game, options=options, seat=seat, iterations=iterations, book=book)
        if self.session.unjudged:
            raise GameError(f"there are no drills without costs: {self.session.unjudged}")
        self.rules, self.words, self.file = self.session.rules, self.session.words, file
        self._name = describe(self.rules) or (self.rules.name, None)
        self.street = None if street is None else _round(str(street))
        self.spot, self.seat = spot or "*", seat
        self.seed = secrets.randbelow(MANY) if seed is None else need_whole("seed", seed, 0)
        self.of = need_whole("questions", questions, 1, 1000)
        self.answers: tuple[Answer, ...] = ()  # of all drills in the file
        if file is not None and Path(file).exists():
            head, kept = read_lines(file, "drill", Head, Answer, "answer")
            if (head.game, head.options) != self._name:
                raise GameError(f"{file} has answers about {head.game!r}, not {self.rules.name!r}")
            self.answers = tuple(kept)
        self.before = len(self.answers)
        if self.answers and (last := self.answers[-1]).question < last.of:  # it goes on
            self.before, self.of = self.before - last.question, last.of
        self.asked: Step | None = None  # the question

    # ---- how it went -----------------------------------------------------------------

    @property
    def verdicts(self) -> list[Verdict]:
        """Of the answers of this drill."""
        return [self.verdict(self._step(one)) for one in self.mine]

    @property
    def score(self) -> str:
        """How many were right, and what the others cost."""
        cost = self.words.amount(sum(found.cost for found in self.verdicts if not found.fine))
        right = sum(one.right for one in self.mine)
        return f"{right} of {len(self.mine)} right, {cost} given away"

    def table(self) -> pd.DataFrame:
        """One row for each question: what you had seen and did, the best move, what yours cost."""
        import pandas as pd

        rows = []
        for one, found in zip(self.mine, self.verdicts, strict=True):
            step, cost = found.step, 0.0 if found.fine else found.cost / self.words.coin
            moves = found.move(step.what), found.move(found.worth.best)
            rows.append((one.question, step.player + 1, label_of(step.seen), *moves, cost))
        return pd.DataFrame(rows, columns=["question", "seat", "seen", "did", "best", "cost"])

    def missed(self) -> pd.DataFrame:
        """The rows of `table` that cost something, the dearest first."""
        return self.table().query("cost > 0").sort_values("cost", ascending=False)

    def chart(self) -> dict[int, float] | None:
        """What each hand of the 13 × 13 chart cost in this drill, by its place there; None where
        nobody holds two cards of that deck."""
        if getattr(self.rules, "private_cards", 0) != 2:
            return None
        costs: dict[int, float] = {}
        for found in self.verdicts:
            place = chart_place(found.step.seen)
            costs[place] = costs.get(place, 0.0) + (0.0 if found.fine else found.cost)
        return costs

    # ---- questions -------------------------------------------------------------------

    @property
    def number(self) -> int:
        """Of the question that is asked, or was asked last."""
        return len(self.answers) - self.before + (self.asked is not None)

    @property
    def mine(self) -> tuple[Answer, ...]:
        """The answers of this drill."""
        return self.answers[self.before :]

    @property
    def line(self) -> str:
        """What was done up to the question: "cr/c"."""
        return line_of(self.session.steps)

    def ask(self) -> Step | None:
        """The next question, what you know and may do; None when the drill is over. The session
        is in that position: `session_view.py` shows it."""
        if self.asked is None and len(self.mine) < self.of:
            self.session.set_up(*self._due() or self._new(len(self.answers), set(self._met())))
            self.asked = self.session.asked
        return self.asked

    def answer(self, action: Any) -> Verdict:
        """Your answer, and what it costs."""
        if self.asked is None:
            raise GameError("there is no question; drill.ask() asks the next one")
        step = self.asked._replace(kind="action", what=self.session.meant(action))
        found = self.verdict(step)
        told = len(self.mine) + 1, self.of, step.player, self.session.moves, step.what, found.fine
        self.answers, self.asked = (*self.answers, Answer(*told)), None
        if self.file is not None:
            lines = map(asdict, self.answers)
            self.file = write_lines(self.file, "drill", asdict(Head(*self._name)), lines)
        return found

    def pool(self, count: int) -> Iterator[Step]:
        """So many different questions, each set up in the session; fewer where there are fewer."""
        met: set[Any] = set()
        for number in range(count):
            self.session.set_up(*self._new(number, met))
            asked = self.session.asked
            if asked is None or (asked.player, asked.seen) in met:
                return
            met.add((asked.player, asked.seen))
            yield asked

    def verdict(self, step: Step) -> Verdict:
        """What an answer costs, in words."""
        judge = self.session.judge(self.rules)
        return Verdict(step, judge.worth(step.player, step.seen), self.words, small=judge.small)

    def _met(self) -> list[tuple[int, Any]]:
        """The spot of each answer: a seat, and what it has seen."""
        return [(one.seat, self._step(one).seen) for one in self.answers]

    def _step(self, one: Answer) -> Step:
        return replay(self.rules, (*one.moves, (one.seat, one.answer)))[-1]

    def _due(self) -> Spot | None:
        """A spot that was missed and that comes back now, the longest waiting one."""
        spots = self._met()
        waits: dict[Any, tuple[int, int, Answer]] = {}  # when it is due, how long it waits
        if spots[-1:] and spots[-1] in spots[:-1]:
            return None  # one has just come back
        for n, (spot, one) in enumerate(zip(spots, self.answers, strict=True), 1):
            if not one.right:
                waits[spot] = n + LATER, LATER, one
            elif spot in waits:
                wait = LATER * waits[spot][1]
                waits[spot] = n + wait, wait, one
        for when, _, one in sorted(waits.values(), key=lambda each: each[0]):
            if when <= len(self.answers) and self._fits(line_of(replay(self.rules, one.moves))):
                return one.moves, one.seat
        return None

    def _fits(self, line: str) -> bool:
        there = self.street in (None, 1 + line.count("/"))
        return there and fnmatchcase(line, self.spot)

    def _new(self, number: int, met: set[Any]) -> Spot:
        """A question that was not met so far, or, if there is none, one that was."""
        self.session.prepare()
        random, players = np.random.default_rng([self.seed, number]), self.session.players
        again: Spot | None = None
        lines: set[str] = set()
        for turn in range(number, number + HANDS):
            seat = turn % players if self.seat is None else self.seat
            found = list(self._decisions(seat, random))
            lines |= {line_of(steps) for _, steps in found}
            found = [(asked, steps) for asked, steps in found if self._fits(line_of(steps))]
            for k in random.permutation(len(found)).tolist():
                asked, steps = found[k]
                verdict = self.verdict(asked)
                if verdict.worth.trembling or np.ptp(verdict.worth.values) < verdict.small:
                    continue
                spot = tuple(Move(one.player, one.what) for one in steps), seat
                if (seat, asked.seen) not in met:
                    return spot
                again = again or spot
        if again is not None:
            return again
        some = ", ".join(map(repr, sorted(sorted(lines), key=len)[:12]))
        where = f" in round {self.street}" if self.street else ""
        raise GameError(
            f"in {HANDS} hands of {self.rules.name!r} against the equilibrium no choice cost "
            f"anything{where} at the spot {self.spot!r}; lines that were met: {some}, …"
        )

    def _decisions(self, seat: int, random: Any) -> Iterator[tuple[Step, tuple[Step, ...]]]:
        """What one is asked in a hand, each time with what happened before: the others play the
        equilibrium, one's own moves lead to the spot or are random."""
        others = [decider(policy, random) for policy in self.session.policies()]
        hand = play_hand(self.rules, [*others[:seat], None, *others[seat:]], random)
        steps: tuple[Step, ...] = ()
        step = next(hand)
        while step.kind != "over":
            if step.kind == "ask":
                yield step, steps
                lines = [line_of((*steps, step._replace(what=what))) for what in step.actions]
                there = [k for k, line in enumerate(lines) if self.spot.startswith(line)]
                moves = there or range(len(lines))
                step = hand.send(step.actions[moves[int(random.integers(len(moves)))]])
            else:
                steps, step = (*steps, step), next(hand)


def _round(street: str) -> int:
    if street.isdecimal() and int(street):
        return int(street)
    if street not in STREETS:
        raise unknown_name("street", street, [*STREETS, "1", "2"])
    return 1 + STREETS.index(street)


def line_of(steps: Sequence[Step]) -> str:
    """What people did, in labels; a slash where chance deals in between.

    >>> line_of([Step("action", 0, "c"), Step("action", 1, "c"), Step("chance")])
    'cc/'
    """
    parts: list[str] = []
    for step in steps:
        if step.player >= 0:
            parts.append(label_of(step.what))
        elif parts and parts[-1] != "/":
            parts.append("/")
    return ("" if max(map(len, parts), default=1) == 1 else " ").join(parts)


def chart_place(seen: Any) -> int:
    """
    >>> chart_place(("K♥ A♥", "", "")), chart_place(("2♥ 2♣", "", ""))
    (1, 168)
    """
    one, two = seen[0].replace("10", "T").split()
    suits = "" if one[0] == two[0] else "s" if one[-1] == two[-1] else "o"
    return hand_class(one[0] + two[0] + suits)
