r"""A study: a spot of a game, arrows of play and a comment, as a small text file to send.

    game = "kuhn"
    title = "Call with the Queen?"
    comment = "He bets every King, and one Jack in three."
    moves = "Q → J → p → b"
    arrows = ["-> call: wins 2 from a Jack", "-> fold"]
    worth = [["p", -1.0, 0.67], ["b", -1.0, 0.33]]
    note = "…"

`game` and `moves` must be there, and `options = {players = 3}` if the game has some; rules of one's
own (`own = true`) are given when the file is opened. `moves` lead to the spot, a decision; deals
count as moves. An arrow is a line of play from there on, and a remark. Moves are labels, or the
words of the table ("call"), with → or -> between them. `worth` is what each choice was worth on
average when the study was made, and how often the equilibrium chose it; `note` says what these are.

>>> import workbench as wb
>>> study = Study.of(wb.load_game("kuhn"), ["Q", "J", "p", "b"], "Call?\n-> call: wins from a Jack")
>>> study.node.seen, study.comment, study.arrows
(('Q', 'pb'), 'Call?', ('-> call: wins from a Jack',))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from workbench.files import naming, need_target, read_toml, write_named
from workbench.games.registry import describe, name_at_table
from workbench.games.words import words_for
from workbench.lab.html import NOTHING, Html, bar, bold, framed, marked, quiet, table
from workbench.lab.play.action_values import Worth
from workbench.lab.play.felt import felt
from workbench.lab.play.hand_record import Step, replay
from workbench.lab.play.session import Session, rules_of
from workbench.lab.play.session_file import tuples
from workbench.rules import Decision, GameError, Rules, label_of, rules_in, shown
from workbench.settings import MOST, changed, check, make, need_number, need_several


@dataclass(frozen=True)
class Study:
    """A spot with arrows and a comment; see help('workbench.lab.play.studies')."""

    game: str
    moves: str
    options: Any = None  # of the game
    own: bool = False  # rules of one's own, whatever their name
    title: str = ""
    comment: str = ""
    arrows: Any = ()
    worth: Any = ()  # (label of the action, value, probability)
    note: str = ""
    kind: Literal["study"] = "study"
    format: Literal[1] = 1
    rules: Any = None  # given with a file, not in it
    steps: tuple[Step, ...] = field(init=False, compare=False)  # up to the spot
    node: Any = field(init=False, compare=False)  # the decision there
    lines: tuple[Any, ...] = field(init=False, compare=False)  # of arrows: steps, and a remark

    def __post_init__(self) -> None:
        check(self)
        own, options = vars(self), None if self.own else self.options or {}
        rules = own["rules"] = rules_in(rules_of(self.game, options, self.rules))  # of a match
        steps = own["steps"] = replay(rules, _names(self.moves))
        node = own["node"] = rules.node(steps[-1].state if steps else rules.start())
        if not isinstance(node, Decision):
            raise GameError(f"a study is about a decision, and nobody decides after {self.moves!r}")
        own["lines"] = tuple(map(self._line, need_several("arrows", self.arrows, "texts")))
        for row in need_several("worth", self.worth, "rows"):
            move, *numbers = row if isinstance(row, tuple) else [row]
            if len(numbers) != 2 or move not in map(label_of, node.actions):
                raise GameError(f"worth has a move, its value, its probability, not {shown(row)}")
            need_number(f"worth of {move!r}", numbers[0], -MOST, MOST)
            need_number(f"probability of {move!r}", numbers[1], 0, 1)

    def _line(self, arrow: Any) -> tuple[tuple[Step, ...], str]:
        text, _, remark = str(arrow).partition(":")
        if not (names := _names(text)):
            raise GameError(f"the arrow {arrow!r} has no move; write -> bet -> call: why")
        return replay(self.rules, _names(self.moves) + names)[len(self.steps) :], remark.strip()

    @property
    def table(self) -> tuple[str | Rules, dict[str, Any] | None]:
        """What one sits down to: a game by its name, and its options if it has any."""
        return (self.rules if self.own else self.game), self.options or None

    @classmethod
    def of(
        cls, rules: Rules, moves: Sequence[Any], text: str = "", title: str = "",
        worth: Worth | None = None, note: str = "",
    ) -> Study:  # fmt: skip
        """Of a spot, by its moves; lines of `text` that begin with an arrow are arrows."""
        name, options = describe(rules) or (rules.name, None)
        said = [line.strip() for line in text.split("\n")]
        arrows = tuple(line for line in said if line.startswith(("->", "→")))
        comment = "\n".join(line for line in said if line not in arrows).strip()
        every = zip(worth.actions, worth.values, worth.probs, strict=True) if worth else ()
        rows = tuple((label_of(a), round(float(v), 6), round(float(p), 4)) for a, v, p in every)
        way, own = " → ".join(map(label_of, moves)), options is None
        return cls(name, way, options or None, own, title, comment, arrows, rows, note, rules=rules)

    @classmethod
    def at(cls, session: Session, text: str = "", title: str = "") -> Study:
        """Of the question that a session asks, or else of the costliest decision of its last hand;
        with what each choice is worth, if the session judges."""
        steps, asked, rules = session.steps, session.asked, session.hand_rules
        if asked is None:
            hand = session.played[-1] if session.played and session.reviewing else None
            if not hand or not (found := session.review(hand).verdicts):
                raise GameError("there is no decision to save; deal a hand first")
            asked, rules = max(found, key=lambda verdict: verdict.cost).step, hand.rules
            steps = hand.steps[: hand.steps.index(asked)]
        judge = session.judge(rules) if session.reviewing else None
        worth = judge.worth(asked.player, asked.seen) if judge else None
        note = (judge.note or "Exact, against others who play the equilibrium.") if judge else ""
        return cls.of(rules, [step.what for step in steps], text, title, worth, note)

    def save(self, path: str | Path) -> Path:
        """Write the file; one that is there is written over."""
        own = " --play GAME, or wb.write_report(wb.play.Study.load(FILE, rules))," * self.own
        use = f"workbench report FILE{own} makes a page"
        lines = [f"# A study of {label_of(self.rules.name)}; {use}"]
        lines += [f"{k} = {_toml(one)}" for k, one in changed(self).items() if k != "rules"]
        return write_named(need_target(path), "\n".join([*lines, ""]).encode())

    @classmethod
    def load(cls, path: str | Path, rules: Rules | None = None) -> Study:
        """The study of a file; `rules`: of the game, where it is one of one's own."""
        found = tuples(read_toml(path))
        with naming(path):
            found["rules"] = rules if found.get("own") else None
            return make(cls, found, "a study", "field")

    def __str__(self) -> str:
        return self.title or f"A study of {name_at_table(self.rules)}"

    def __repr__(self) -> str:
        return f"<Study of {self.rules.name}: {self.title or self.moves}>"

    def _repr_html_(self) -> Html:
        return framed(Html('<div class="wb-head">{}</div>').format(str(self)) + self.html())

    def html(self) -> Html:
        """The table, the way there, the arrows and the comment, what each choice is worth."""
        node, you, words = self.node, self.node.player, words_for(self.rules)
        names = ["You" if k == you else f"Player {k + 1}" for k in range(self.rules.players)]
        drawn = felt(words.scene(self.steps, you, set()), names, you, words, you)
        told = [text for step in self.steps for text in words.told(step, names, you)]
        way = Html('<p class="wb-way">{}</p>').format(_chain([*told, "Your move?"]))
        moves = {label_of(a): words.move(a, node.seen, node.actions) for a in node.actions}
        say, best = words.number, max((value for _, value, _ in self.worth), default=0.0)
        rows = [(bold(moves[a]), say(v), say(best - v), bar(often)) for a, v, often in self.worth]
        head = "choice", "worth", "cost", "the equilibrium does"
        judged = table(rows, "What each choice is worth", head=head) if rows else NOTHING
        return drawn + way + self.said() + judged + quiet(self.note)

    def said(self) -> Html:
        """The arrows with their remarks, and the comment."""
        arrow, text = Html('<p class="wb-way wb-arrow">➜ {} {}</p>'), Html("<p>{}</p>")
        made = words_for(self.rules).made
        arrows = [arrow.format(_chain(map(made, one)), marked(said)) for one, said in self.lines]
        comment = [text.format(marked(part)) for part in self.comment.split("\n\n") if part]
        return NOTHING.join([*arrows, *comment])


def _names(text: str) -> list[tuple[None, str]]:
    """The moves of a line, as `replay` takes them."""
    parts = text.replace("->", "→").split("→")
    return [(None, name.strip()) for name in parts if name.strip()]


def _chain(parts: Iterable[str]) -> Html:
    return Html(" → ").join(Html("<span>{}</span>").format(part) for part in parts)


def _toml(value: Any) -> str:
    """A value as TOML writes it: as JSON does, but for names with values."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {_toml(one)}' for name, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
