"""A session: hands of one game, one after the other, and everything is written down.

>>> session = Session("kuhn", seed=3)
>>> session.deal()
>>> session.asked.seen, session.asked.actions
(('J', ''), ('p', 'b'))
>>> session.play("p")
>>> session.playing, len(session.hands), session.net
(False, 1, -1.0)
>>> session.table()[["hand", "seat", "seen", "action", "cost"]].round(2)
   hand  seat seen action  cost
0     1     1    J      p   0.0

Player 0 is "you", the others are opponents (`opponents.py`). Seats go round from hand to hand,
unless `seat` says where you sit. Each hand has a deal of its own, decided by the session's seed and
the number of the hand; the opponents' dice are others. So the same answers give the same hands, and
taking a move back cannot change what was dealt.

`again()` plays a position of a hand once more, `train()` one that you misplayed, and `set_up()` one
that is given by its moves: the same cards up to your decision, other dice afterwards. Such hands
are practice; they are in `played` and not in `hands`, the score or the file.

`match=15` plays matches of Toepen to so many points (`seat` is where you begin). A hand is judged
by the points it costs, as the rules of a hand do; that a match is a race to the bound is left out.
A jam/fold tournament is a match, too: `Session(wb.jamfold.TournamentMatch(found))`.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np

from workbench.files import naming
from workbench.games.registry import describe, given_game, known_game
from workbench.games.words import Words, amount, words_for
from workbench.lab.play.bucket_review import CardJudge
from workbench.lab.play.equilibrium_cache import EquilibriumCache, solved, treeless
from workbench.lab.play.hand_record import YOU, Hand, Move, Position, replay
from workbench.lab.play.opponents import absent_opponent, find_opponent
from workbench.lab.play.review import Judge, Review, SolvedJudge
from workbench.lab.play.session_file import Settings, read_hands, write_hands
from workbench.lab.play.tables import decision_table, habit_table, score_table
from workbench.later import pd
from workbench.poker.engine.card_game import CardGame
from workbench.policies import Match, Policy, Standing, Step, decider, play_hand
from workbench.rules import GameError, Rules, label_of, need_rules, shown
from workbench.runs.solve import Progress
from workbench.settings import MANY, FrozenDict, did_you_mean, known_in, need_whole
from workbench.strategy import Strategy

MOST_ITERATIONS = 1_000_000  # that a file may ask for: minutes, not days
UNJUDGED = "Hands are not judged, and there are no hints: the solver was stopped after {}."
KEPT = ("seat", "seed", "abstraction", "solver", "iterations")  # settings, as they are


class Session:
    """Hands of one game, played one at a time; see help('workbench.lab.play.session')."""

    def __init__(
        self,
        game: str | Rules | Match = "leduc",
        *,
        options: Mapping[str, Any] | None = None,  # of a game given by its name
        opponent: Any = "equilibrium",  # or a list of them, one for each other player
        match: int | None = None,
        seat: int | None = None,  # where you sit, from 0; None: the seats go round
        seed: int | None = 0,  # of cards and dice; None: others every time
        review: bool = True,  # judge the hands against an equilibrium?
        abstraction: str | None = None,  # in which the opponent "equilibrium" was solved
        solver: str = "cfr+",
        iterations: int | None = None,  # None: until the exploitability is small
        book: EquilibriumCache | None = None,  # of games that are solved already
    ) -> None:
        self.match = game if isinstance(game, Match) else None
        if self.match is not None:
            match, game = self.match.bound, self.match.rules
        if not (options is None or isinstance(options, Mapping)):
            raise GameError(f"options are names with their values, not {shown(options)}")
        self.rules = rules = need_rules(given_game(game, options or {}))
        told = Settings(match, seat, seed, review, abstraction, solver, iterations)
        if match is not None and self.match is None:
            if not isinstance(kind := getattr(rules, "match", None), str):
                raise GameError(
                    f"the rules of {rules.name!r} make no match, as those of Toepen do; "
                    "of a tournament give its TournamentMatch"
                )
            self.match = resolve_name(kind)(rules, match)
        players = self.players = rules.players
        self.words: Words = words_for(rules)
        self.words.check()
        self.seat = None if seat is None else need_whole("seat", seat, 0, players - 1)
        mine = 0 if match is not None else self.seat or 0  # opponents are called by their seats
        others = [(mine + k) % players + 1 for k in range(1, players)]
        self.names = "You", *(f"Player {k}" for k in others)
        self.seed = secrets.randbelow(1_000_000) if told.seed is None else told.seed
        self.unjudged = _why_unjudged(rules)
        self.reviewing = told.review and not self.unjudged
        self.abstraction, self.solver, self.iterations = abstraction, solver, told.iterations
        self.book = EquilibriumCache(solver, iterations) if book is None else book
        whom = list(opponent) if isinstance(opponent, (list, tuple)) else [opponent] * (players - 1)
        if len(whom) != players - 1:
            raise GameError(f"{rules.name!r} has {players - 1} opponents, not {len(whom)}")
        self.opponents = tuple(
            find_opponent(
                one, rules, self.book,
                iterations=iterations, seed=self.seed, abstraction=abstraction,
            )
            for one in whom
        )  # fmt: skip
        self.hands: tuple[Hand, ...] = ()
        self.played: tuple[Hand, ...] = ()  # the same, and practice
        self.practice: Hand | Position | None = None  # the hand that is played again now
        self.winners: tuple[int, ...] = ()  # of each match that is over; -1: not you
        self.standing = self._opening()  # in a match: points and seats
        self.asked: Step | None = None  # what you are asked now: seen, actions, player (your seat)
        self.steps: tuple[Step, ...] = ()  # of the hand that is on
        self._stream: Generator[Step, Any, None] | None = None
        self._rehearsed = treeless(rules) is None and not any(one.mind for one in self.opponents)
        self._met: set[str] = set()  # games for which opponents with a mind are ready
        self._judges: dict[Strategy, Judge] = {}
        self._reviews: dict[tuple[int, int], Review] = {}  # by the hand's id: reviews keep them
        self._position: tuple[int, tuple[Step, ...]] = 0, ()  # practice: the decision, steps so far

    # ---- where we are ----------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """True while a hand is on."""
        return self._stream is not None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the hand that is on: (seat, what), chance has seat -1."""
        return tuple(Move(step.player, step.what) for step in self.steps)

    @property
    def answers(self) -> list[Any]:
        """What you have answered in the hand that is on, in practice since it began."""
        mine, since = self.seats.index(YOU), self.steps[len(self._position[1]) :]
        steps = [step for step in since if step.player == mine and len(step.actions) > 1]
        return [step.what for step in steps] if self.playing else []

    @property
    def seats(self) -> tuple[int, ...]:
        """The player in each seat of the hand that is on, or of the next one."""
        if self.practice:
            return self.practice.seats
        if self.match:
            return self.standing.seats
        return self._around(len(self.hands) if self.seat is None else self.seat)

    @property
    def hand_rules(self) -> Rules:
        """The rules of the hand that is on, or of the next one: in a match they have limits."""
        if self.practice:
            return self.practice.rules
        return self.match.hand_rules(self.standing) if self.match else self.rules

    @property
    def net(self) -> float:
        """What you have won so far."""
        return sum(hand.payoff_of(YOU) for hand in self.hands)

    def _around(self, mine: int) -> tuple[int, ...]:
        """Everybody in order, with you in this seat."""
        return tuple((seat - mine) % self.players for seat in range(self.players))

    def _opening(self) -> Standing:
        begins = len(self.winners) if self.seat is None else self.seat
        points = self.match.opening().points if self.match else (0,) * self.players
        return Standing(points, self._around(begins))

    @property
    def settings(self) -> dict[str, Any]:
        """With which it was made, besides the game and the opponents; its seed is known by now."""
        return {"review": self.reviewing, **{name: getattr(self, name) for name in KEPT}}

    # ---- playing ---------------------------------------------------------------------

    @property
    def needed(self) -> list[tuple[Rules, str | None]]:
        """What has to be solved before the next hand: games, each with an abstraction or none."""
        asked = [self.abstraction for one in self.opponents if one.solved]
        asked += [None] if self.reviewing else []  # last: a wrong name is refused at once
        rules = self.hand_rules
        return [(rules, one) for one in dict.fromkeys(asked) if not self.book.knows(rules, one)]

    def prepare(self, progress: bool | Progress | None = False) -> None:
        """Solve what the next hand needs; `deal` would do the same without a word."""
        for rules, abstraction in self.needed:
            self.book.strategy(rules, abstraction, progress)
        if self.reviewing and (done := self.book.stopped_after(self.hand_rules)):
            self.reviewing, self.unjudged = False, UNJUDGED.format(amount(done, "iteration"))
        if not self._rehearsed:
            self._rehearse()
            self._rehearsed = True
        if any(one.mind for one in self.opponents) and self.hand_rules.name not in self._met:
            self.policies()
            self._met.add(self.hand_rules.name)

    def need_recall(self, rules: Rules) -> None:
        """Refuse to judge a game in which somebody forgets."""
        if not (solved(rules) or (treeless(rules) or self.book.tree(rules)).perfect_recall):
            why = f"in {rules.name!r} a player forgets, so no hand can be judged"
            raise GameError(f"{why}; try workbench play --no-review --iterations 1000")

    @property
    def ready(self) -> bool:
        """True if the next hand can begin at once."""
        met = self.hand_rules.name in self._met or not any(one.mind for one in self.opponents)
        return self._rehearsed and met and not self.needed

    def policies(self, rules: Rules | None = None) -> list[Policy]:
        """How each opponent plays the next hand, after all hands so far."""
        rules = self.hand_rules if rules is None else rules
        return [one.policy(rules, self.hands) for one in self.opponents]

    def _rehearse(self) -> None:
        """Play a hand for nobody: tables and kernels of a large game are loaded before the first
        move, and not after it."""
        rules = self.hand_rules
        policies = self.policies(rules)

        def call(player: int, seen: Any, actions: Any) -> Any:
            for policy in policies:
                policy.probabilities(player, seen, actions)
            return "c" if "c" in actions else actions[0]

        steps = [*play_hand(rules, [call] * self.players)][:-1]
        if self.reviewing:
            hand = Hand(1, rules, self.seats, tuple(Move(one.player, one.what) for one in steps))
            for seat in range(self.players):
                self.judge(rules).review(hand, seat)

    def deal(self) -> None:
        """Begin the next hand, up to the first question to you (or its end)."""
        self._need_no_hand()
        self._begin(None, 0, ())

    def again(self, hand: Hand | int = -1, decision: int | None = None) -> None:
        """Play a hand again from one of your decisions on, the costliest one unless you name
        another; this is practice and does not count."""
        self._need_no_hand()
        hand = self._hand(hand)
        mine = hand.decisions_of(YOU)
        if not mine:
            raise GameError(f"there was nothing to decide in hand {hand.number}")
        if decision is None:
            costs = [one.cost for one in self.review(hand).verdicts] if self.reviewing else [0.0]
            decision = 1 + costs.index(max(costs))
        chosen = mine[need_whole("decision", decision, 1, len(mine)) - 1]
        self._begin(hand, decision, hand.steps[: hand.steps.index(chosen)])

    def set_up(self, moves: Iterable[tuple[int, Any]], seat: int) -> None:
        """Begin in a position: these moves were made, and you sit in this seat. A hand that is on
        is given up; this is practice and does not count."""
        seat = need_whole("seat", seat, 0, self.players - 1)
        steps = replay(self.rules, moves)
        decision = 1 + sum(step.player == seat and len(step.actions) > 1 for step in steps)
        self._stream = self.asked = None
        self._begin(Position(self.rules, self._around(seat)), decision, steps)

    def train(self) -> None:
        """Practise the spot that has cost you most so far and that you have not got right since."""
        self._need_no_hand()
        spots: dict[Any, tuple[float, Hand, int]] = {}
        for hand in self.played if self.reviewing else ():
            for k, verdict in enumerate(self.review(hand).verdicts, 1):
                spot = hand.rules.name, verdict.step.player, verdict.step.seen
                if not (hand.practice or verdict.fine):
                    spots[spot] = spots.get(spot, (0.0,))[0] + verdict.cost, hand, k
                elif verdict.fine and 0 < hand.practice <= k:
                    spots.pop(spot, None)
        if not spots:
            why = "no decision so far cost you anything"
            if any(hand.practice for hand in self.played):
                why = "you got every spot right that had cost you something"
            raise GameError(f"there is nothing to train: {why}")
        _, hand, decision = max(spots.values(), key=lambda spot: spot[0])
        self.again(hand, decision)

    def _need_no_hand(self) -> None:
        if self.playing:
            raise GameError("a hand is on; play it to its end first")

    def _begin(
        self, practice: Hand | Position | None, decision: int, steps: tuple[Step, ...]
    ) -> None:
        """Go on from these steps: of a hand that is played again, or none."""
        self.practice, self._position = practice, (decision, steps)
        self.prepare()
        number, rules = len(self.hands) + 1, self.hand_rules
        policies = self.policies(rules)
        more = [len(self.played) - len(self.hands) + 1] if practice else []  # other dice each time
        dice = [np.random.default_rng([self.seed, number, k, *more]) for k in range(self.players)]
        deciders = [
            None if player == YOU else decider(policies[player - 1], dice[player])
            for player in self.seats
        ]
        start = _From(rules, steps[-1].state) if steps else rules
        self._stream = play_hand(start, deciders, dice[YOU])  # you have none, the dealer does
        self.steps = steps
        self._go_on(None)

    def play(self, action: Any) -> None:
        """Your answer, and all that follows up to the next question or the end of the hand."""
        self._go_on(self.meant(action))

    def meant(self, action: Any) -> Any:
        """One of the actions that you are asked to choose from, by itself or by its name."""
        if self.asked is None:
            raise GameError("nobody asks you; session.deal() begins a hand")
        if known_in(action, self.asked.actions):
            return action
        named = {label_of(known): known for known in self.asked.actions}
        if not known_in(action, named):
            raise GameError(
                f"you cannot choose {label_of(action)!r}{did_you_mean(action, named)} "
                f"you may choose {', '.join(named)}"
            )
        return named[action]

    def undo(self) -> None:
        """Take back your last move in the hand that is on; the cards stay as they were dealt."""
        if not (answers := self.answers):
            raise GameError("there is no move to take back in this hand")
        self._stream = None
        self._begin(self.practice, *self._position)
        for action in answers[:-1]:
            self.play(action)

    def _go_on(self, answer: Any) -> None:
        stream, self._stream, self.asked = self._stream, None, None
        assert stream is not None
        while (step := stream.send(answer)).kind != "over":  # after an error no hand is on
            answer = None
            if step.kind == "ask":
                self._stream, self.asked = stream, step
                return
            self.steps += (step,)
        if practice := self.practice:
            where = self._position[0]
            self.practice = None
            hand = Hand(practice.number, practice.rules, practice.seats, self.moves, practice=where)
            self.played += (hand,)
        else:
            self._add(len(self.hands) + 1, self.seats, self.moves)

    def _add(self, number: int, seats: tuple[int, ...], moves: tuple[tuple[int, Any], ...]) -> Hand:
        """Write down a hand that was played, as the next one."""
        match = len(self.winners) + 1 if self.match else 0
        hand = Hand(number, self.hand_rules, seats, moves, match)
        if number != len(self.hands) + 1 or seats != self.seats:
            raise GameError(f"hand {number} with seats {seats} is not the next one")
        self.hands += (hand,)
        self.played += (hand,)
        if self.match:
            self.standing = self.match.after(self.standing, hand.counts)
            left = self.standing.seats
            if len(left) == 1 or YOU not in left:
                self.winners += (left[0] if len(left) == 1 else -1,)
                self.standing = self._opening()
        return hand

    # ---- looking back ----------------------------------------------------------------

    def judge(self, rules: Rules) -> Judge:
        """Who knows the equilibrium of a hand with these rules."""
        strategy: Any = self.book.strategy(rules, progress=False)
        if strategy not in self._judges:
            kind = CardJudge if isinstance(treeless(rules), CardGame) else Judge
            self._judges[strategy] = (SolvedJudge if solved(rules) else kind)(strategy)
        return self._judges[strategy]

    def review(self, hand: Hand | int, player: int = YOU) -> Review:
        """What the decisions of a player cost in a hand (or its number, -1 is the last one)."""
        hand, player = self._hand(hand), need_whole("player", player, 0, self.players - 1)
        key = id(hand), player
        if key not in self._reviews:
            seat, judge = hand.seat_of(player), self.judge(hand.rules)
            self._reviews[key] = judge.review(hand, seat, self.names[player])
        return self._reviews[key]

    def _hand(self, hand: Hand | int) -> Hand:
        if isinstance(hand, Hand):
            return hand
        need_whole("hand", hand, -MANY)
        if not 0 < abs(hand) <= len(self.hands):
            played = amount(len(self.hands), "hand")
            raise GameError(f"there is no hand {hand}: {played} played to the end so far")
        return self.hands[hand - 1 if hand > 0 else hand]

    def habits(self) -> pd.DataFrame:
        """What each habit ("called instead of folding") has cost up to each hand, the dearest one
        first. `session.habits().plot()` draws it."""
        return habit_table(self.hands, self.review if self.reviewing else None)

    def table(self, everybody: bool = False) -> pd.DataFrame:
        """One row for each decision of yours (or of everybody), with what it cost."""
        return decision_table(self.hands, self.review if self.reviewing else None, everybody)

    def scores(self) -> pd.DataFrame:
        """One row for each hand: payoff = value − cost + luck, and the sum so far."""
        return score_table(self.hands, self.review if self.reviewing else None)

    # ---- files -----------------------------------------------------------------------

    def save(self, path: str | Path) -> Path:
        """Write all hands that are over to a text file, one line for each, in one move. If the file
        holds other hands they stay, and these go into a file beside it; the answer is its path."""
        name, options = describe(self.rules) or (self.rules.name, None)
        what = {
            "game": name,
            "options": options,
            "match": self.match.bound if self.match else None,
            "opponents": [one.name for one in self.opponents],
        }
        return write_hands(path, what | self.settings, self.hands)

    @classmethod
    def load(cls, path: str | Path, rules: Rules | Match | None = None, **settings: Any) -> Session:
        """The session that `save` wrote; it can go on. `rules`: of a game of one's own, or the
        tournament; `settings` replace those of the file (opponent, review)."""
        head, hands = read_hands(path)
        with naming(path):
            rules = rules_of(head.game, head.options, rules)
            given = {one: getattr(head, one) for one in (*KEPT, "match", "review")} | settings
            asked = 0 if "iterations" in settings else head.iterations or 0
            if asked > MOST_ITERATIONS:
                most = f"a file may ask for {MOST_ITERATIONS:,}"
                raise GameError(f"{asked:,} iterations; {most}: load(path, iterations=…)")
            names = head.opponents
            try:
                session = cls(rules, **{"opponent": names} | given)
            except GameError:
                if "opponent" in settings:
                    raise
                session = cls(rules, **given, opponent=[absent_opponent(name) for name in names])
        for number, line in enumerate(hands, 1):
            with naming(f"{path}: hand {number}"):
                hand = session._add(line.hand, line.seats, line.moves)
                if hand.payoffs != line.payoffs:
                    raise GameError(f"it pays {hand.payoffs}, not {shown(line.payoffs)}")
        return session


def _why_unjudged(rules: Rules) -> str:
    """Why no hand of a game can be judged: without a tree, it takes cards and two players."""
    game = treeless(rules)
    if game is None or (isinstance(game, CardGame) and rules.players == 2):
        return ""
    two = f"for two players here, not for {rules.players}"
    why = f"values of actions are counted {two if rules.players > 2 else 'in trees or card games'}"
    return f"Hands of this game are not judged, and there are no hints: {why}."


class _From:
    """The rest of a game: its rules from a state on."""

    def __init__(self, rules: Rules, state: Any) -> None:
        self._rules, self._state = rules, state

    def start(self) -> Any:
        return self._state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def rules_of(name: str, options: Any, given: Rules | Match | None) -> Any:
    """The rules of the hands in a file; `given` are those of a game of one's own."""
    if given is None and options is None:
        raise GameError(
            f"give the rules of {name!r}: load(path, rules=…), in a shell --play GAME; or, of a "
            "tournament, its TournamentMatch: load(path, rules=match)"
        )
    if given is None:
        return known_game(name, **FrozenDict("options", options))
    own = given.rules if isinstance(given, Match) else need_rules(given)
    if (describe(own) or (own.name,))[0] != name:
        raise GameError(f"it holds hands of {name!r}, not of {own.name!r}")
    return given
