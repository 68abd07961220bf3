r"""A study: a spot of a game, arrows of play and a comment, as a small text file to send.

    kind = "study"
    game = "kuhn"
    options = {}
    title = "Call with the Queen?"
    comment = "He bets every King, and one Jack in three."
    moves = "Q → J → p → b"
    arrows = ["b: wins 2 from a Jack", "p"]
    worth = [["p", -1.0, 0.67], ["b", -1.0, 0.33]]
    note = "…"

`moves` lead to the spot, a decision; deals count as moves. An arrow is a line of play from there
on, and what is to be said about it: labels, or the words of the table ("call"), with → or ->
between them. `worth` has what each choice was worth on average when the study was made, and how
often the equilibrium chose it; `note` says what these numbers are. A file holds only texts and
numbers, the cards of others among them. It names a game of the workbench; one's own rules are
given when it is opened.

>>> import workbench as wb
>>> study = Study.of(wb.load_game("kuhn"), ["Q", "J", "p", "b"], "Call?\n-> call: wins from a Jack")
>>> study.seat, study.comment, study.arrows
(0, 'Call?', ('b: wins from a Jack',))
>>> [arrow.moves for arrow in study.lines]
[(Move(seat=0, what='b'),)]
>>> study.line
'Q → J → p → b'
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from workbench.files import need_path, need_target, read_file, write_named
from workbench.games.registry import describe
from workbench.games.words import words_for
from workbench.lab.html import NOTHING, Html, bar, bold, framed, marked, table
from workbench.lab.play.action_values import Worth
from workbench.lab.play.felt import felt
from workbench.lab.play.hand_record import Move, Step, replay
from workbench.lab.play.session import Session, rules_of
from workbench.lab.play.session_file import tuples
from workbench.rules import Chance, Decision, GameError, Rules, label_of
from workbench.settings import check, did_you_mean, make

ARROW = " → "
FORMAT = 1
EXACT = "Exact, against others who play the equilibrium."


@dataclass(frozen=True)
class Content:
    """What stands in the file."""

    game: str
    moves: str
    options: Any = None  # of the game; None for one's own
    title: str = ""
    comment: str = ""
    arrows: tuple[str, ...] = ()
    worth: Any = ()  # (label of the action, value, probability)
    note: str = ""

    def __post_init__(self) -> None:
        check(self)
        if not all(
            isinstance(row, tuple) and len(row) == 3 and isinstance(row[0], str)
            and all(type(number) in (int, float) for number in row[1:])
            for row in (self.worth if isinstance(self.worth, tuple) else [None])
        ):  # fmt: skip
            raise GameError("worth must be rows of a move, its value and its probability")
        if not isinstance(self.arrows, tuple) or not all(
            isinstance(one, str) for one in self.arrows
        ):
            raise GameError("arrows must be a list of texts")


class Line(NamedTuple):
    """An arrow: moves from the spot on, their words, and a remark."""

    moves: tuple[Move, ...]
    words: tuple[str, ...]
    remark: str


class Study:
    """A spot with arrows and a comment; see help('workbench.lab.play.studies')."""

    def __init__(self, rules: Rules, content: Content) -> None:
        self.rules, self.content, self.words = rules, content, words_for(rules)
        self.title, self.comment, self.arrows = content.title, content.comment, content.arrows
        self.moves = _follow(rules, rules.start(), content.moves, "moves").moves
        self.steps: tuple[Step, ...] = replay(rules, self.moves)
        self.state = self.steps[-1].state if self.steps else rules.start()
        self.line = ARROW.join(label_of(what) for _, what in self.moves)
        node = rules.node(self.state)
        if not isinstance(node, Decision):
            raise GameError(f"a study is about a decision, and nobody decides after {self.line!r}")
        self.node, self.seat = node, node.player
        self.lines = tuple(_follow(rules, self.state, text, "arrow") for text in self.arrows)

    @property
    def table(self) -> tuple[str | Rules, dict[str, Any] | None]:
        """What one sits down to: a game by its name, and its options if it has any."""
        name, options = describe(self.rules) or (self.rules, None)
        return name, options or None

    # ---- making and keeping ----------------------------------------------------------

    @classmethod
    def of(
        cls, rules: Rules, moves: Sequence[Any], text: str = "", title: str = "",
        worth: Worth | None = None, note: str = "",
    ) -> Study:  # fmt: skip
        """Of a spot, by its moves; lines of `text` that begin with an arrow are arrows."""
        name, options = describe(rules) or (rules.name, None)
        said = [line.strip().replace("->", "→") for line in text.split("\n")]
        rows = zip(worth.actions, worth.values, worth.probs, strict=True) if worth else ()
        content = Content(
            name, ARROW.join(map(label_of, moves)), options, title,
            "\n".join(line for line in said if not line.startswith("→")).strip(),
            tuple(line.strip("→ ") for line in said if line.startswith("→")),
            tuple((label_of(a), round(float(v), 6), round(float(p), 4)) for a, v, p in rows), note,
        )  # fmt: skip
        study = cls(rules, content)
        named = [ARROW.join(label_of(what) for _, what in one.moves) for one in study.lines]
        arrows = tuple(
            f"{name}: {one.remark}" if one.remark else name
            for name, one in zip(named, study.lines, strict=True)
        )
        return cls(rules, Content(**asdict(content) | {"arrows": arrows}))

    @classmethod
    def at(cls, session: Session, text: str = "", title: str = "") -> Study:
        """Of the question that a session asks, or else of the costliest decision of its last hand;
        with what each choice is worth, if the session judges."""
        steps, asked, rules = session.steps, session.asked, session.rules
        if asked is None:
            hand = session.played[-1] if session.played else None
            found = session.review(hand).verdicts if hand and session.reviewing else ()
            if hand is None or not found:
                raise GameError("there is no decision to save; deal a hand first")
            asked, rules = max(found, key=lambda verdict: verdict.cost).step, hand.rules
            steps = hand.steps[: hand.steps.index(asked)]
        judge = session.judge(rules) if session.reviewing else None
        worth = judge.worth(asked.player, asked.seen) if judge else None
        note = (judge.note if judge and judge.note else EXACT) if worth else ""
        return cls.of(rules, [step.what for step in steps], text, title, worth, note)

    def save(self, path: str | Path) -> Path:
        """Write the file; one that is there is written over."""
        lines = [f"# A study of {self.rules.name}; workbench report FILE makes a page of it."]
        lines += ['kind = "study"', f"format = {FORMAT}"]
        for name, value in asdict(self.content).items():
            if name == "options" and value is not None:
                inner = ", ".join(f"{one} = {_toml(given)}" for one, given in value.items())
                lines.append(f"options = {{{inner}}}")
            elif value not in (None, "", ()):
                lines.append(f"{name} = {_toml(value)}")
        text = "\n".join(lines) + "\n"
        if _read(text.encode(), "it") != self.content:
            raise GameError(f"the moves of {self.rules.name!r} cannot be written as text")
        return write_named(need_target(path), text.encode())

    @classmethod
    def load(cls, path: str | Path, rules: Rules | None = None) -> Study:
        """The study of a file; `rules`: of a game of one's own."""
        file = need_path(path, "a study")
        if not file.is_file():
            raise GameError(f"there is no file {file}")
        content = _read(read_file(file), str(file))
        try:
            return cls(rules_of(content.game, content.options, rules), content)
        except GameError as error:
            raise GameError(f"{file}: {error}") from None

    # ---- showing ---------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Study of {self.rules.name}: {self.title or self.line}>"

    def _repr_html_(self) -> Html:
        return framed(Html("<h3>{}</h3>{}").format(self.title or "A study", self.html()))

    def html(self) -> Html:
        """The table, the way there, what each choice is worth, the arrows and the comment."""
        seats, words = range(self.rules.players), self.words
        names = ["You" if seat == self.seat else f"Player {seat + 1}" for seat in seats]
        scene = words.scene(self.steps, self.seat, set())
        told = [text for step in self.steps for text in words.told(step, names, self.seat)]
        way = Html('<p class="wb-way">{}</p>').format(_chain([*told, "Your move?"]))
        drawn = felt(scene, names, self.seat, words, self.seat)
        return drawn + way + self.said() + self._worth()

    def said(self) -> Html:
        """The arrows with their remarks, and the comment."""
        arrow, text = Html('<p class="wb-way wb-arrow">➜ {} {}</p>'), Html("<p>{}</p>")
        arrows = [arrow.format(_chain(one.words), marked(one.remark)) for one in self.lines]
        said = [text.format(marked(part)) for part in self.comment.split("\n\n") if part]
        return NOTHING.join([*arrows, *said])

    def _worth(self) -> Html:
        rows, best = [], max((row[1] for row in self.content.worth), default=0.0)
        said = {
            label_of(a): self.words.move(a, self.node.seen, self.node.actions)
            for a in self.node.actions
        }
        for label, value, often in self.content.worth:
            numbers = self.words.number(value), self.words.number(best - value)
            rows.append((bold(said.get(label, label)), *numbers, bar(often)))
        head = "choice", "worth", "cost", "the equilibrium does"
        made = table(rows, "What each choice is worth", head=head) if rows else NOTHING
        return made + Html('<p class="wb-quiet">{}</p>').format(self.content.note)


def _chain(parts: Sequence[str]) -> Html:
    return Html(ARROW).join(Html("<span>{}</span>").format(part) for part in parts)


def _follow(rules: Rules, state: Any, text: str, what: str) -> Line:
    """The moves that a text names, from a state on, and what is said after a colon."""
    line, _, remark = (text, "", "") if what == "moves" else text.partition(":")
    words, moves, said = words_for(rules), list[Move](), list[str]()
    for name in filter(None, map(str.strip, line.split("→"))):
        try:
            node = rules.node(state)
        except GameError:  # a deck too large to list
            node = Chance({name: 1.0})
        spoken: dict[Any, str] = {}
        if isinstance(node, Decision):
            spoken = {a: words.move(a, node.seen, node.actions) for a in node.actions}
        elif isinstance(node, Chance):
            spoken = {a: label_of(a) for a in node.probabilities}
        known = {word: a for a, word in spoken.items()} | {label_of(a): a for a in spoken}
        if name not in known:
            some = ", ".join(map(label_of, list(spoken)[:12]))
            after = f" after {label_of(moves[-1].what)!r}" if moves else ""
            there = f"there are {some}" if some else "it is over"
            near = did_you_mean(name, known)
            raise GameError(f"{what} {text!r}: there is no {name!r}{after}{near} {there}")
        action = known[name]
        moves.append(Move(node.player if isinstance(node, Decision) else -1, action))
        said.append(spoken[action])
        state = rules.next(state, action)
    return Line(tuple(moves), tuple(said), remark.strip())


def _toml(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")
        return text.encode().decode()
    except (TypeError, ValueError) as error:
        raise GameError(f"this study cannot be written as text: {error}") from None


def _read(text: bytes, where: str) -> Content:
    """What a file says, each field checked."""
    try:
        found = tomllib.loads(text.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise GameError(f"{where} is no study: {error}") from None
    if found.pop("kind", None) != "study" or found.pop("format", FORMAT) != FORMAT:
        raise GameError(f"{where} is no study, or one of a newer workbench")
    try:
        return make(Content, tuples(found), "it", "field")
    except GameError as error:
        raise GameError(f"{where}: {error}") from None
