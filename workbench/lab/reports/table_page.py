"""A card table in a page: anybody plays against a strategy, without a kernel or a network.

The page holds what the live table would ask for, as one compressed text: the tree, the others'
strategies, the equilibrium and the value of each of its choices (`action_values.py`), and what the
table shows and says wherever you are asked or a hand ends, in pieces that are kept once. The script
beside this file, `table_page.js`, knows no game: it walks down the tree, draws for chance and for
the others, and adds up

    payoff = value of your seat − cost of your decisions + luck          (`review.py`)
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from workbench.compiling import compile_game
from workbench.games.registry import name_with_options
from workbench.games.words import Scene, plural, says
from workbench.lab.html import Html, template
from workbench.lab.play.action_values import worths
from workbench.lab.play.review import Review, Verdict
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import keyed
from workbench.lab.widgets.card_table_html import FELT, felt_pieces
from workbench.policies import Step
from workbench.rules import Chance, Decision, GameError, Rules
from workbench.tree import NOBODY, GameTree, ask_each

MOST = 120_000  # histories: a page of some 4 MB, made in about a minute
CARD = re.compile(r"<svg.*?</svg>", re.DOTALL)
DIGITS = 9  # of probabilities


class Kept(dict[Any, int]):
    """Things that are kept once, each with its number."""

    def number(self, thing: Any) -> int:
        return self.setdefault(thing, len(self))


def table_html(session: Session, alone: bool = False) -> Html:
    """A table for a page that has `table_page.js`, with the rules and the opponents of a session.
    alone: the page has nothing else, so keys are for the table."""
    rules, whom = session.rules, " and ".join(dict.fromkeys(o.name for o in session.opponents))
    if session.match:
        raise GameError("a page plays single hands, not matches; sit down without match=…")
    if minds := [one.name for one in session.opponents if one.mind]:
        raise GameError(
            f"the opponent {minds[0]!r} thinks or learns at the table; a page has strategies only: "
            "equilibrium, uniform, always-MOVE or a strategy's npz file"
        )
    try:
        compile_game(rules, MOST)
    except GameError as error:
        if "max_histories" not in str(error):
            raise
        raise GameError(
            f"{rules.name!r} has more than {MOST:,} histories, too many for a page; play it live "
            "(workbench play), or try a smaller variant"
        ) from None
    session.prepare()
    text = json.dumps(_data(session), ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
    name = name_with_options(rules)
    page = template(Path(__file__).with_suffix(".html.j2"))
    return Html(
        page.render(name=name, whom=whom, about=session.words.about, packed=packed, alone=alone)
    )


def _data(session: Session) -> dict[str, Any]:
    """All that the script needs, in plain lists."""
    rules, words, players = session.rules, session.words, session.players
    tree, judge = session.book.tree(rules), session.judge(rules)
    found, value = worths(judge.reference), [judge.value(seat) for seat in range(players)]
    texts, pieces, cards, scenes, moves = (Kept() for _ in range(5))
    told, scene = ([[0] * tree.num_histories for _ in range(players)] for _ in range(2))
    move, verdict, hints = [0] * tree.num_choices, [""] * tree.num_choices, [""] * tree.num_infosets

    @cache
    def kept(piece: str) -> int:
        return pieces.number(CARD.sub(lambda card: f"\ue000{cards.number(card[0])};", piece))

    @cache
    def drawn(now: Scene, names: tuple[str, ...], you: int, turn: int, result: str) -> Any:
        parts = felt_pieces(now, names, you, words, turn, result)
        return tuple(tuple(map(kept, part)) for part in parts)

    def look(view: SessionView, line: str, *more: Any) -> int:
        """The number of a scene: with the cards that are shown, and all cards of the others."""
        rest = view.names, view.you, -1 if view.over else view.you, view.result
        shown = drawn(view.scene(), *rest)
        every = drawn(view.scene(True), *rest) if view.over else shown
        return scenes.number((*shown, every[0], line, *more))

    for h, before, steps, node in _histories(tree, rules):
        infoset, over = int(tree.infoset[h]), tree.player[h] == NOBODY
        for seat in range(players) if session.seat is None else [session.seat]:
            asked = None
            if isinstance(node, Decision) and node.player == seat:
                state = steps[-1].state if steps else rules.start()
                asked = Step("ask", seat, "", node.seen, tuple(node.actions), state, state)
            seats = tuple((one - seat) % players for one in range(players))
            paid = node.payoffs if over else ()
            hand = SimpleNamespace(
                seats=seats, steps=steps, match=0, practice=0, payoffs=paid,
                payoff_of=lambda player, paid=paid, seat=seat: paid[seat],
            )  # fmt: skip
            at: Any = SimpleNamespace(
                words=words, names=session.names, seats=seats, steps=steps, asked=asked,
                playing=not over, played=(hand,), hand_rules=rules, reviewing=True,
                judge=lambda rules: SimpleNamespace(worth=lambda player, seen: found[infoset]),
            )  # fmt: skip
            view = SessionView(at)
            told[seat][h] = texts.number("\n".join(view.told_since(before)))
            if over:
                said = Review(hand, seat, (), 0.0, words).summary.partition(":")[0]
                scene[seat][h] = look(view, view.result, said, float(paid[seat]))
            elif asked:
                scene[seat][h] = look(view, view.situation)
                if not hints[infoset]:
                    hints[infoset] = view.hint
                    low, known = int(tree.first_choice[infoset]), tree.actions_at(infoset)
                    for one, (key, *_) in zip(view.choices, keyed(view), strict=True):
                        choice = low + known.index(one.action)
                        label = f"{one.move[:1].upper()}{one.move[1:]} {one.cost}".rstrip()
                        move[choice] = moves.number((label, key))
                        step = asked._replace(kind="action", what=one.action)
                        verdict[choice] = str(Verdict(step, found[infoset], words))
    return {
        "players": players, "seat": session.seat, "value": value, "coin": words.coin,
        "unit": plural(words.unit), "names": session.names,
        "begin": [says(session.names[-seat % players], "begin") for seat in range(players)],
        "first": tree.first_child.tolist(), "infoset": tree.infoset.tolist(),
        "choice": tree.choice.tolist(), "chance": tree.chance.tolist(),
        "owner": tree.infoset_player.tolist(), "firstChoice": tree.first_choice.tolist(),
        "others": [_probabilities(tree, one.policy(rules)) for one in session.opponents],
        "cost": [each.cost(action) for each in found for action in each.actions],
        "move": move, "moves": [*moves], "verdict": verdict, "hint": hints,
        "told": told, "texts": [*texts], "scene": scene, "scenes": [*scenes],
        "pieces": [*pieces], "cards": [*cards], "felt": FELT.split("{}"),
    }  # fmt: skip


def _probabilities(tree: GameTree, policy: Any) -> list[float]:
    """(K,) how a policy plays."""
    asked = ask_each(tree, policy.probabilities)
    return [round(float(one), DIGITS) for *_, probs in asked for one in probs]


def _histories(tree: GameTree, rules: Rules) -> Iterator[tuple[int, int, tuple[Step, ...], Any]]:
    """Each history, with the number of steps to the one before, its own steps, and its node. Moves
    that leave no choice are steps, and no histories."""
    first, choice, outcome = (
        each.tolist() for each in (tree.first_child, tree.choice, tree.outcome)
    )
    waiting: list[tuple[int, int, tuple[Step, ...]]] = [(0, 0, ())]
    while waiting:
        h, before, steps = waiting.pop()
        state = steps[-1].state if steps else rules.start()
        node: Any = rules.node(state)
        while len(open_ := _open(node)) == 1:
            steps = (*steps, _step(rules, node, state, *open_))
            state = steps[-1].state
            node = rules.node(state)
        yield h, before, steps, node
        for child in range(first[h], first[h + 1]):
            c = choice[child]
            what = tree.actions[c] if c >= 0 else tree.outcomes[outcome[child]]
            waiting.append((child, len(steps), (*steps, _step(rules, node, state, what))))


def _open(node: Any) -> tuple[Any, ...]:
    """What may happen."""
    if isinstance(node, Decision):
        return tuple(node.actions)
    return tuple(node.probabilities) if isinstance(node, Chance) else ()


def _step(rules: Rules, node: Any, state: Any, what: Any) -> Step:
    after = rules.next(state, what)
    if isinstance(node, Decision):
        return Step("action", node.player, what, node.seen, tuple(node.actions), after, state)
    return Step("chance", what=what, state=after, before=state)
