"""A session at one moment, in words: what terminal and notebook have to say in common.

>>> from workbench.lab.play.session import Session
>>> session = Session("kuhn", opponent="always-bet", seat=0, seed=3, review=False)
>>> session.deal()
>>> now = SessionView(session)
>>> now.headline, now.told, now.situation
('Hand 1 · You begin · score 0.00 chips', ['You are dealt the Jack'], 'You hold the Jack')
>>> [(choice.move, choice.cost) for choice in now.choices]
[('pass', ''), ('bet', '(1)')]
>>> session.play("p"), session.play("p")
(None, None)
>>> SessionView(session).result
'You lose 1 chip'
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from workbench.games.words import Scene, amount, plural, says, situation, words_for
from workbench.lab.play.action_values import Worth
from workbench.lab.play.grammar import past
from workbench.lab.play.hand_record import YOU, Hand
from workbench.lab.play.session import Session
from workbench.later import pd
from workbench.policies import Step
from workbench.rules import Decision, Terminal, label_of
from workbench.search.searcher import Searcher

ROWS = 8  # of a table of thoughts
COMMANDS = {  # of a terminal: letters that no move has
    "?": "this help", "h": "what would the equilibrium do?", "u": "take back", "q": "stop",
    "w": "what was your opponent thinking in the last hand?",
}  # fmt: skip
BELIEFS = {
    "player": "seat", "information set": "you see", "action": "you do", "probability": "expected",
    "times": "times seen", "prior": "at first",
}  # fmt: skip


class Choice(NamedTuple):
    """A move that is allowed."""

    move: str  # in words
    action: Any  # as the rules call it
    cost: str  # what it puts into the pot, if there is one, in words: "(1)" or "to 2"
    key: str  # a letter to press; "" if there is none

    @property
    def label(self) -> str:
        """Of a button: "Bet (1)"."""
        return f"{self.move[:1].upper()}{self.move[1:]} {self.cost}".rstrip()


class JudgedMove(NamedTuple):
    """A move that is allowed, and what would be said of it."""

    label: str  # of its button
    key: str  # a letter to press
    cost: float  # what it gives away, 0 if it is right
    said: str  # the verdict
    habit: str  # what it would be, and should be: "called instead of folding"


class SessionView:
    """The hand that is on, or else the last one; before the first hand nothing has happened."""

    def __init__(self, session: Session, *, ahead: bool = False) -> None:
        """`ahead`: look at the next hand, not at the one that is over."""
        self.session = session
        on = session.playing or ahead or not session.played
        self.hand = None if on else session.played[-1]
        self.over = not on
        rules = self.hand.rules if self.hand else session.hand_rules
        self.words = session.words if rules is session.rules else words_for(rules)
        self.seats = self.hand.seats if self.hand else session.seats
        self.names = tuple(session.names[player] for player in self.seats)  # by seat
        self.you = self.seats.index(YOU)
        on_table = session.steps if session.playing else ()
        self.steps = self.hand.steps if self.hand else on_table

    @property
    def headline(self) -> str:
        """Which hand, who begins, the score."""
        session = self.session
        hand = f"Hand {len(session.hands) + (not self.over)}"
        again = session.practice or (self.hand if self.hand and self.hand.practice else None)
        if again:
            hand = f"Practice, hand {again.number} again" if again.number else "Practice"
        if session.match:
            points = zip(session.names, session.standing.points, strict=True)
            score = ", ".join(f"{name} {have}" for name, have in points)
            score = f"{self.words.scored.format(session.match.bound)}: {score}"
        else:
            score = f"score {self.words.number(session.net, sign=True)} {plural(self.words.unit)}"
        return f"{hand} · {says(self.names[0], 'begin')} · {score}"

    def told_since(self, step: int) -> list[str]:
        """What has happened from a step on, as you notice it."""
        told = [
            text for one in self.steps[step:] for text in self.words.told(one, self.names, self.you)
        ]
        return told + (self.words.shown(self.steps, self.names, self.you) if self.over else [])

    @property
    def told(self) -> list[str]:
        """Everything that has happened in this hand."""
        return self.told_since(0)

    @property
    def situation(self) -> str:
        """What you have before you; nothing if nobody asks you."""
        asked = self.session.asked
        if asked is None:
            return ""
        return situation(self.words, self.steps, asked.seen, self.names, self.you)

    @property
    def choices(self) -> list[Choice]:
        """What you may do now."""
        asked = self.session.asked
        if asked is None:
            return []
        found, paid = list[Choice](), self.scene().places[self.you].paid or 0.0
        for action in asked.actions:
            after = self.session.hand_rules.next(asked.state, action)
            step = asked._replace(kind="action", what=action, state=after)
            then = self.words.scene((*self.steps, step), self.you, set()).places[self.you].paid
            move = self.words.move(action, asked.seen, asked.actions)
            price = max((then or 0.0) - paid, 0.0)
            cost = self.words.price(move, asked.seen, price) if price else ""
            taken = {*COMMANDS, *(one.key for one in found)}
            found.append(Choice(move, action, cost, _key(move, label_of(action), taken)))
        return found

    @property
    def judged(self) -> dict[Any, JudgedMove]:
        """What you may do now, by action, each as the judge would see it."""
        asked: Any = self.session.asked
        judge, found = self.session.judge(self.session.hand_rules), dict[Any, JudgedMove]()
        for one in self.choices:
            step = asked._replace(kind="action", what=one.action)
            verdict = judge.verdict(step, self.words)
            cost = 0.0 if verdict.fine else verdict.cost
            found[one.action] = JudgedMove(one.label, one.key, cost, str(verdict), verdict.habit)
        return found

    @property
    def hint(self) -> str:
        """How often the equilibrium makes each move."""
        session, asked = self.session, self.session.asked
        if asked is None:
            return "Nobody asks you now; deal a hand first."
        if not session.reviewing:
            without = "There is no equilibrium to ask: this session is played without review."
            return session.unjudged or without
        found = session.judge(session.hand_rules).worth(asked.player, asked.seen)
        parts = [
            f"{self.words.move(action, asked.seen, asked.actions)} {often * 100:.0f}\u00a0%"
            for action, often in zip(found.actions, found.probs, strict=True)
        ]
        never = " (It would never be here.)" if found.strayed or found.trembling else ""
        return f"The equilibrium: {', '.join(parts)}.{never}"

    def scene(self, everything: bool = False) -> Scene:
        """The table as you see it; `everything`: with the cards that nobody has shown."""
        faces: set[int] = set()
        if self.over:
            faces = {*range(len(self.seats))} if everything else self.words.showdown(self.steps)
        return self.words.scene(self.steps, self.you, faces)

    @property
    def result(self) -> str:
        """What the hand has brought you; nothing while it is on."""
        if not self.hand:
            return ""
        payoff = self.hand.payoff_of(YOU)
        if self.hand.match:
            return self.words.points(self.names, self.hand.counts)
        verb = "win" if payoff > 0 else "lose"
        return f"You {verb} {self.words.amount(abs(payoff))}" if payoff else "You break even"

    @property
    def match_result(self) -> str:
        """Who has won the match, if this hand has ended it."""
        session = self.session
        if not self.hand or not self.hand.match or self.hand.match > len(session.winners):
            return ""
        winner = session.winners[-1]
        return says(session.names[winner], "win the match") if winner >= 0 else "You are out"

    @property
    def minds(self) -> list[tuple[str, pd.DataFrame]]:
        """What opponents considered in the last hand, and what they believe by now: titles and
        tables, which are empty for moves that were made without a thought. Nothing of those who
        neither think nor learn."""
        session, found = self.session, list[tuple[str, Any]]()
        hand = session.played[-1] if session.played else None
        for player, policy in enumerate(session.policies(hand.rules) if hand else (), 1):
            if hand is not None and isinstance(policy, Searcher):
                when = f"In hand {hand.number}{', played again,' if hand.practice else ''} it"
                found += [self._thought(policy, step, when) for step in hand.decisions_of(player)]
            if hasattr(policy, "believes"):
                table = policy.believes().head(ROWS).rename(columns=BELIEFS)
                for name in {"expected", "at first"} & {*table}:
                    table[name] = table[name].map(_percent)
                what = "What it believes" if len(table) else "It has learnt nothing"
                after = amount(len(session.hands), "hand")
                found.append((f"{what} about you after {after}", table))
        return found

    def _thought(self, policy: Searcher, step: Any, when: str) -> tuple[str, pd.DataFrame]:
        """Ask again, and look: what it thought in this session it remembers."""
        policy.probabilities(step.player, step.seen, step.actions)
        thought, words = policy.thought, self.words
        moves = [words.move(action, step.seen, step.actions) for action in thought.actions]
        chances = zip(moves, map(_percent, thought.probabilities), strict=True)
        often = ", ".join(f"{move} {chance}" for move, chance in chances)
        many = len(thought.hands)
        some = f"; your {ROWS} likeliest hands of {many:,}" if many > ROWS else ""
        table = thought.table().head(ROWS)
        table["belief"] = table["belief"].map(_percent)
        table[[*table][2:]] = table[[*table][2:]].map(words.number)
        did = past(words.made(step))
        why = "it had thought" if thought.searched else "by heart"
        names = ["you hold", "belief", *(f"{move} wins" for move in moves)]
        return f"{when} {did} ({often}; {why}{some})", table.set_axis(names, axis=1)


def moment(
    session: Session, seat: int, steps: tuple[Step, ...], node: Any, judged: Worth | None = None
) -> Any:
    """The session as it would stand after these steps of a hand that counts, with you in this
    seat: as much of it as a `SessionView` looks at. `judged`: what the judge says, if that is known
    already."""
    at: Any = copy(session)
    at.seat, at.steps, at.asked, at.practice, at.reviewing = seat, steps, None, None, True
    at._stream, at.played = (None if isinstance(node, Terminal) else session), ()
    at._position = 0, steps  # there is nothing to take back
    if isinstance(node, Terminal):
        at.played = (Hand.over(session.rules, at.seats, steps, node.payoffs),)
    elif isinstance(node, Decision) and node.player == seat:
        state = steps[-1].state if steps else session.rules.start()
        at.asked = Step("ask", seat, "", node.seen, tuple(node.actions), state, state)
    if judged:
        judge: Any = copy(session.judge(session.rules))
        judge.worth, at.judge = lambda *asked: judged, lambda rules: judge
    return at


def _key(move: str, label: str, taken: set[str]) -> str:
    word = move if " " not in move else label if len(label) == 1 else ""  # cards have none
    letters = word.lower() if word[:1].isalpha() else ""
    return next((c for c in letters if c.isalpha() and c not in taken), "")


def _percent(share: float) -> str:
    return f"{share * 100:.{0 if share >= 0.1 else 1}f}\u00a0%"
