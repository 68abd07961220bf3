"""A card table in a page: anybody plays against a strategy, without a kernel or a network.

The page holds what the live table would ask for: the tree, the others' strategies, what each choice
costs against the equilibrium and what the judge says of it, what lies on the table and is said.
The script `table_page.js` knows no game: it walks down the tree, and draws for chance and others.
"""

import base64
import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from workbench.compiling import compile_game
from workbench.games.registry import name_at_table
from workbench.games.words import Scene, plural, says
from workbench.lab.html import Html, template
from workbench.lab.play.action_values import worths
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.play.felt import FELT, felt_pieces
from workbench.lab.play.hand_record import histories
from workbench.lab.play.review import Review
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView, moment
from workbench.rules import GameError
from workbench.tree import ask_each

MOST = 120_000  # histories: a page of some 2 MB, made in less than a minute
TOO_LARGE = "{!r} has more than {:,} histories, too many for a page; try workbench play"
BOOK = EquilibriumCache()  # by which hands are judged, if nobody brings another
CARD = re.compile(r"<svg.*?</svg>", re.DOTALL)


def table_html(session: Session, alone: bool = False) -> Html:
    """A table for a page that has `table_page.js`, with the game and the opponents of a session.
    alone: the page has nothing else, so the first hand is dealt at once."""
    rules = session.rules
    if session.match or any(one.mind for one in session.opponents):
        raise GameError(
            "a page has single hands against strategies (equilibrium, uniform, always-MOVE, an npz "
            "file): no matches, and nobody who thinks or learns at the table"
        )
    try:
        tree = compile_game(rules, MOST)
    except GameError as error:
        large = "max_histories" in str(error)
        raise GameError(TOO_LARGE.format(rules.name, MOST)) if large else error from None
    if tree.num_choices == tree.num_infosets:
        raise GameError(f"nobody has a choice in {rules.name!r}, so there is nothing to play")
    session.need_recall(rules)
    session.prepare()
    if session.book.stopped_after(rules):
        raise GameError("the solver was stopped, so no hand can be judged; sit down again first")
    text = json.dumps(_data(session), ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
    whom = ", ".join(dict.fromkeys(one.name for one in session.opponents))
    said = {"game": name_at_table(rules), "whom": whom, "about": session.words.about}
    page = template(Path(__file__).with_suffix(".html.j2"))
    return Html(page.render(said, packed=packed, alone=alone))


def _data(session: Session) -> dict[str, Any]:
    """All that the script needs, in plain lists."""
    rules, words, players = session.rules, session.words, session.players
    tree, judge = session.book.tree(rules), session.judge(rules)
    found, first = worths(judge.reference), tree.first_choice.tolist()
    texts, pieces, cards, scenes = (dict[Any, int]() for _ in range(4))  # each kept once
    told, scene = ([[0] * tree.num_histories for _ in range(players)] for _ in range(2))
    moves: list[Any] = [""] * tree.num_choices  # what button, key and judge say
    hints = [""] * tree.num_infosets

    def kept(known: dict[Any, int], thing: Any) -> int:
        return known.setdefault(thing, len(known))

    @cache
    def piece(html: str) -> int:
        return kept(pieces, CARD.sub(lambda card: f"\ue000{kept(cards, card[0])};", html))

    @cache
    def drawn(now: Scene, names: tuple[str, ...], you: int, turn: int, result: str) -> Any:
        parts = felt_pieces(now, names, you, words, turn, result)
        return tuple(tuple(map(piece, part)) for part in parts)

    for h, before, steps, node in histories(tree, rules):
        infoset = int(tree.infoset[h])
        for seat in range(players) if session.seat is None else [session.seat]:
            at = moment(session, seat, steps, node, found[infoset])
            view = SessionView(at)
            told[seat][h] = kept(texts, "\n".join(view.told_since(before)))
            if not view.over and not at.asked:
                continue
            rest = view.names, view.you, -1 if view.over else view.you, view.result
            lines: list[Any] = [view.situation]
            if view.over:
                said = Review(at.played[0], seat, (), 0.0, words).summary.partition(":")[0]
                lines = [view.result, said, float(node.payoffs[seat])]
            shown, every = (drawn(view.scene(each), *rest) for each in (False, True))
            scene[seat][h] = kept(scenes, (*shown, every[0], *lines))
            if view.over or hints[infoset]:
                continue
            hints[infoset] = view.hint
            for action, one in view.judged.items():
                choice = first[infoset] + found[infoset].actions.index(action)
                moves[choice] = one.label, one.key, one.said, one.cost > 0
    others = [ask_each(tree, one.policy(rules).probabilities) for one in session.opponents]
    return {
        "players": players, "seat": session.seat, "unit": plural(words.unit), "coin": words.coin,
        "begin": [says(session.names[-seat % players], "begin") for seat in range(players)],
        "first": tree.first_child.tolist(), "infoset": tree.infoset.tolist(),
        "choice": tree.choice.tolist(), "chance": tree.chance.tolist(),
        "owner": tree.infoset_player.tolist(), "firstChoice": first,
        "others": [[round(float(p), 9) for *_, each in one for p in each] for one in others],
        "value": [judge.value(seat) for seat in range(players)],
        "cost": [each.cost(action) for each in found for action in each.actions],
        "moves": moves, "hint": hints,
        "told": told, "texts": [*texts], "scene": scene, "scenes": [*scenes],
        "pieces": [*pieces], "cards": [*cards], "felt": FELT.split("{}"),
    }  # fmt: skip
