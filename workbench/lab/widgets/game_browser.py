"""The game browser: walk through a game by clicking, and look around at every step.

    run = wb.solve(tree, "cfr+", iterations=1000)
    wb.widgets.GameBrowser(tree, {"CFR+": run, "uniform": wb.Strategy.uniform(tree)}, at="QJpb")

Press a move to make it, a step of the way to go back to it, or a node of the tree below. For the
information set of the player who is to move it shows, by each strategy side by side: what is played
and what each action brings, what can have happened and how likely each is; the regrets a solver has
summed up, if a `Run` (or `state=`) is given. "Deal for me" lets chance or the first strategy
choose. Below stands the tree around this place, if it fits (`draw=False`: never).

>>> browser = GameBrowser("kuhn", at="QJ")
>>> browser.moves.view.children[0].click()
>>> browser.path, browser.player, browser.sights["uniform"].beliefs.tolist()
(['Q', 'J', 'p'], 1, [0.5, 0.5])
>>> browser.close()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.compiling import compile_game
from workbench.games.registry import given_game
from workbench.lab.analysis.infoset_view import Outlook, Sight
from workbench.lab.html import Html, bold, quiet, show, side_by_side
from workbench.lab.plots.game_tree import laid_out, plot_game_tree, tree_size
from workbench.lab.plots.history_names import History, children, find_history, path_to
from workbench.lab.plots.png import Picture
from workbench.lab.plots.tree_layout import neighbourhood
from workbench.lab.text import number
from workbench.lab.widgets.controls import choose, place, row, script, text
from workbench.lab.widgets.forms import readable
from workbench.lab.widgets.infoset_tables import (
    HELP,
    Given,
    actions_table,
    beliefs_table,
    compared,
    outcomes_table,
    words_at,
)  # fmt: skip
from workbench.lab.widgets.jobs import Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import by_the_painter, figure, paint
from workbench.policies import need_random
from workbench.rules import GameError, Rules
from workbench.settings import FrozenDict
from workbench.solvers.base import State
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree, hands_unlisted

BUTTONS = 16  # more moves than this are a list to choose from
LISTED = 1_000
MOST = 70  # histories in the picture of a tree
WIDTH = 8.9  # inches: as wide as a panel
LARGE = (
    "Only uniform play is shown: a game of {:,} histories is too large to be solved just for a "
    "look. Solve it (run = wb.solve(…)) and give the run: wb.widgets.GameBrowser(game, run)."
)


class GameBrowser(Panel):
    def __init__(
        self,
        game: str | Rules | GameTree = "kuhn",
        strategies: Given = None,
        *,
        options: Mapping[str, Any] | None = None,
        at: History = 0,
        state: State | None = None,
        seed: int = 0,
        draw: bool = True,
    ) -> None:
        given = given_game(game, FrozenDict("options", options or {}))
        if hands_unlisted(given):
            raise GameError(
                f"a browser shows every card and every move, and nobody lists the hands of "
                f"{given.name!r}; look at some at the card table: wb.widgets.PlayTable(rules)"
            )
        self.tree = compile_game(given)
        self.strategies, self._regrets = compared(self.tree, strategies, state)
        large = strategies is None and len(self.strategies) == 1
        self._note = LARGE.format(self.tree.num_histories) if large else ""
        self._outlooks = {name: Outlook(sigma) for name, sigma in self.strategies.items()}
        super().__init__(f"Walk through {readable(self.tree.name)}", "game-browser")
        self._rng = need_random(seed)
        self._drawn: dict[tuple[int, str], str] = {}
        self.draw, self.history = draw, 0
        self.sights: dict[str, Sight] = {}
        buttons = self.make_buttons(
            ("Back", "back", self.back, "One move back", ""),
            ("Start again", "root", lambda: self.go(0), "Back to the beginning", ""),
            ("Deal for me", "deal", self.deal, "", "primary"),
        )
        self.crumbs = self.button_row("crumb", lambda k: self.go(self._way[k]))
        self.moves = self.button_row("move", self._move, style="info")
        self.more = choose("Choose", [""], "more", self.act(self._chosen), width="30em")
        self.place, self.tables, self.picture = place("place"), place("tables"), place("tree")
        self.goto = text("", "", "goto", self.act(self._pressed), continuous_update=False)
        self.goto.layout.display = "none"  # the tree writes into it
        self.edges = choose("Drawn with", list(self.strategies), "edges", self.act(self._draw))
        self.lay_out(
            row(*buttons), self.crumbs.view, self.place, row(self.moves.view, self.more),
            self.tables, self.edges, self.picture, self.goto,
        )  # fmt: skip
        self.go(at)

    # ---- walking ---------------------------------------------------------------------

    @property
    def path(self) -> list[str]:
        """The moves up to here."""
        return [self.tree.edge_label(h) for h in self._way[1:]]

    @property
    def player(self) -> int:
        """Who is to move: 0, 1, …, chance -1, nobody -2."""
        return int(self.tree.player[self.history])

    def go(self, history: History) -> None:
        """To a history: its number, its moves ("QJpb"), or a tuple of moves."""
        self.history = find_history(self.tree, history)
        self._way = path_to(self.tree, self.history)
        self._next = children(self.tree, self.history)
        infoset = int(self.tree.infoset[self.history])
        self.sights = {}
        if infoset >= 0:
            self._said, self._knows = words_at(self.tree, infoset)
            self._first = self.tree.first_choice[infoset]
            self.sights = {name: of.at(infoset) for name, of in self._outlooks.items()}
        self._show()

    def back(self) -> None:
        self.go(int(max(self.tree.parent[self.history], 0)))

    def deal(self) -> None:
        """Let chance deal until somebody must decide; a decision is the first strategy's."""
        here = self._draw_move(self.history)
        while self.player == CHANCE and self.tree.player[here] == CHANCE:
            here = self._draw_move(here)
        self.go(here)

    def _draw_move(self, history: int) -> int:
        below = np.array(children(self.tree, history))
        if not len(below):
            raise GameError("the game is over; go back or start again")
        choice, weights = self.tree.choice[below], self.tree.chance[below]
        if choice[0] >= 0:
            weights = weights * next(iter(self.strategies.values())).probs[choice]
        return int(self._rng.choice(below, p=weights / weights.sum()))

    def _move(self, k: int) -> None:
        if k < len(self._next):  # else a second click that came too late
            self.go(self._next[k])

    def _pressed(self) -> None:
        if self.goto.value:
            at, self.goto.value = self.goto.value, ""
            self.go(int(at))

    def _chosen(self) -> None:
        if self.more.value not in (None, ""):
            self.go(self.more.value)

    # ---- showing ---------------------------------------------------------------------

    def _show(self) -> None:
        tree = self.tree
        names = [tree.edge_label(h) for h in self._next]
        if self.player >= 0:
            names = [self._said[int(tree.choice[h] - self._first)] for h in self._next]
        self.crumbs.show(["Start", *self.path])
        for crumb, there in zip(self.crumbs.shown, self._way, strict=True):
            crumb.disabled = there == self.history
        few = len(names) <= BUTTONS
        self.moves.show(names if few else [])
        self.more.layout.display = "none" if few else ""
        if not few:
            listed = list(zip(names, self._next, strict=True))[:LISTED]
            self.more.options = [(f"one of {len(names):,} outcomes", ""), *listed]
            self.more.value = ""
        self.back_button.disabled = self.root_button.disabled = self.history == 0
        self.deal_button.disabled = not names
        self.deal_button.description, self.deal_button.tooltip = (
            ("Deal for me", "Chance deals until somebody decides")
            if self.player == CHANCE
            else ("Play for me", f"As {next(iter(self.strategies))} would")
        )
        self.place.value = self._place()
        self.tables.value = self._tables()
        self._draw()

    def _place(self) -> Html:
        tree, player = self.tree, self.player
        if player >= 0:
            infoset = int(tree.infoset[self.history])
            alike = len(next(iter(self.sights.values())).histories)
            looks = f"{alike:,} histories look like this to you" if alike > 1 else "you know all"
            return Html("<b>You are player {}, and it is your turn.</b> {}{} {}: {}.").format(
                player + 1, f"{self._knows}. " if self._knows else "", "Information set",
                bold(tree.infoset_label(infoset)), looks,
            )  # fmt: skip
        if player == CHANCE:
            return Html("<b>Chance is to move.</b> Press an outcome, or let chance deal.")
        paid = tree.utility[tree.terminal[self.history]]
        won = [f"player {i + 1} {number(u, sign=True, figures=4)}" for i, u in enumerate(paid)]
        return Html("<b>The game is over:</b> {}.").format(", ".join(won))

    def _tables(self) -> Html:
        if self.player == CHANCE:
            values = {name: of.values for name, of in self._outlooks.items()}
            return quiet(self._note) + outcomes_table(self.tree, self._next, values)
        blocks = {}
        for name, sight in self.sights.items():
            low, high = self.tree.first_choice[sight.infoset : sight.infoset + 2]
            summed = self._regrets.get(name)
            regrets = None if summed is None else summed[low:high]
            often = f"Play comes here with probability {number(sight.reach, figures=4)}"
            if sight.others.sum() == 0.0:
                often += "; the others never let it come to this, so there is nothing to believe"
            tables = actions_table(sight, regrets, self._said), beliefs_table(sight, self.history)
            blocks[name] = Html('<div class="wb-quiet">{}.</div>{}{}').format(often, *tables)
        return quiet(self._note) + side_by_side(blocks) + (HELP if blocks else "")

    def _draw(self) -> None:
        """In the background: a picture takes longer than a click."""

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                self._drawn[key] = self.picture.value = outcome.value

        at, by = key = self.history, self.edges.value
        shown = self.draw and drawable(self.tree, at)
        self.edges.layout.display = "" if shown and len(self.strategies) > 1 else "none"
        self.picture.layout.display = "" if shown else "none"
        if key in self._drawn:
            self.picture.value = self._drawn[key]
        elif shown:
            self.run(
                lambda job: draw_tree(
                    self.tree, at, self.strategies[by], lambda: job.tell(None, "drawing")
                ),
                done=done,
            )

    def still(self) -> Html:
        """Where somebody stands, and what is to be seen there."""
        where = " › ".join(["Start", *self.path])
        return Html("<p>{}</p><p>{}</p>{}").format(where, self._place(), self._tables())


# ---- the tree ------------------------------------------------------------------------


def drawable(tree: GameTree, history: int) -> bool:
    """False where there are too many moves next to each other."""
    root, depth = neighbourhood(tree, history, MOST)
    return depth != 1 or len(children(tree, root)) <= MOST // 2


@by_the_painter
def draw_tree(tree: GameTree, history: int, strategy: Strategy, tell: Callable[[], None]) -> str:
    """The tree around a history, as an SVG whose nodes can be pressed: the way there outlined, the
    place itself marked; `tell` is called in between and may raise."""
    tell()
    root, depth = neighbourhood(tree, history, MOST)
    width, height = tree_size(tree, root=root, depth=depth)
    foot = 0.75  # for the legend
    made = figure(min(width, WIDTH), height + foot)
    made.subplots_adjust(left=0.01, right=0.99, top=0.99, bottom=foot / (height + foot))
    ax = plot_game_tree(
        tree, made.add_subplot(), strategy=strategy, root=root, depth=depth, title="",
        highlight=set(path_to(tree, history)), shade=_shades(tree, history),
    )  # fmt: skip
    tell()
    player = int(tree.player[history])
    what = "chance moves" if player == CHANCE else "the game is over"
    what = f"player {player + 1} moves" if player >= 0 else what
    after = f" after {tree.history_label(root)}, {depth} moves" if root else ""
    way = f"The way {tree.history_label(history)} is outlined; here {what}."
    picture = paint(made, f"The tree of {tree.name}{after}. {way}")
    layout = laid_out(tree, root, depth)
    places = {h: ax.transData.transform((layout.x[h], layout.y[h])) / 2 for h in layout.histories}
    return pressable(tree, picture, places, history)


def pressable(tree: GameTree, picture: Picture, places: Mapping[int, Any], here: int) -> Html:
    """The picture as SVG; places: x and y of each history, counted from the lower left.

    Over it lies a circle for each history. Whoever presses one, or an arrow key while the tree has
    the focus (up: one move back; down: the first move; left, right: another move instead), writes
    the number of a history into the field `wb-goto` of the same panel, and so tells the kernel. No
    other JavaScript is needed, and none of it contains a word of the game.
    """
    (width, height), nodes, go = picture.size, [], script("tree")
    for h, (x, y) in places.items():
        now = 'tabindex="0" aria-current="true"' if h == here else 'tabindex="-1"'
        name = show(tree.history_label(h) if h else "the beginning")
        nodes.append(
            f'<g role="button" {now} data-history="{h}" aria-label="Go to {name}">'
            f'<title>{name}</title><circle cx="{x:.1f}" cy="{height - y:.1f}" r="13"/></g>'
        )
    arrows = " ".join(f'data-arrow-{key}="{h}"' for key, h in _around(tree, here).items())
    return Html(
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="group" '
        f'aria-label="{show(picture.words)}" data-lm-suppress-shortcuts="true" {arrows} '
        f'onclick="{go}" onkeydown="{go}"><image width="{width}" height="{height}" '
        f'href="{picture.source}" onload="{script("tree_again")}"/>{"".join(nodes)}</svg>'
    )


def _around(tree: GameTree, history: int) -> dict[str, int]:
    """Where the arrow keys lead."""
    below = children(tree, history)
    found = {"down": below[0]} if below else {}
    if history:
        found["up"] = int(tree.parent[history])
        beside = {"left": history - 1, "right": history + 1}
        found |= {key: h for key, h in beside.items() if h in children(tree, found["up"])}
    return found


def _shades(tree: GameTree, history: int) -> dict[str, set[int]]:
    """What is marked: the place itself, and what looks the same from there."""
    here, infoset = {"you are here": {history}}, tree.infoset[history]
    alike = set(np.flatnonzero(tree.infoset == infoset).tolist()) if infoset >= 0 else set()
    return {"looks the same": alike - {history}, **here} if len(alike) > 1 else here
