"""The game browser: walk through a game by clicking, and look around at every step.

    run = wb.solve(tree, "cfr+", iterations=1000)
    wb.widgets.GameBrowser(tree, {"CFR+": run, "uniform": wb.Strategy.uniform(tree)}, at="QJpb")

Press a move to make it, a step of the way to go back to it, or a node of the tree below. For the
information set of the player who is to move it shows, by each strategy side by side: what is played
and what each action brings, what can have happened and how likely each is; the regrets a solver has
summed up, if a `Run` is given. "Deal for me" lets chance or the first strategy choose. Below stands
the tree around this place, if it fits (`draw=False`: never), and where chance moves or the game is
over its numbers can be changed and the game solved again (`tree_editor.py`). A spot can be saved as
a study, with arrows and a comment; `GameBrowser(wb.play.Study.load("a.toml"))` opens it.

>>> browser = GameBrowser("kuhn", at="QJ")
>>> browser.moves.view.children[0].click()
>>> browser.path, browser.player, browser.sights["uniform"].beliefs.tolist()
(['Q', 'J', 'p'], 1, [0.5, 0.5])
>>> browser.close()
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from workbench.compiling import compile_game, treeless
from workbench.games.registry import given_game
from workbench.games.words import speaks, words_for
from workbench.lab.analysis.infoset_view import InfosetView, StrategyView
from workbench.lab.html import (
    Html,
    abbreviation,
    bar,
    bold,
    quiet,
    side_by_side,
    signed,
    table,
    template,
)  # fmt: skip
from workbench.lab.play.action_values import worth
from workbench.lab.play.studies import Study
from workbench.lab.plots.game_tree import laid_out, plot_game_tree, tree_size
from workbench.lab.plots.history_names import History, children, find_history, path_to
from workbench.lab.plots.png import Picture
from workbench.lab.plots.tree_layout import neighbourhood
from workbench.lab.text import number
from workbench.lab.widgets.controls import TIPS, choose, place, relist, row, script, text
from workbench.lab.widgets.forms import readable
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import by_the_painter, figure, paint
from workbench.lab.widgets.study_box import StudyBox
from workbench.lab.widgets.tree_editor import TreeEditor
from workbench.policies import need_random
from workbench.rules import GameError, Rules, label_of
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.settings import FrozenDict
from workbench.strategy import Strategy, need_strategy
from workbench.tree import CHANCE, FloatArray, GameTree

BUTTONS = 16  # more moves than this are a list to choose from
LISTED = 1_000
MOST = 70  # histories in the picture of a tree
WIDTH = 8.9  # inches: as wide as a panel
ROWS = 10  # histories of an information set that are listed
OUTCOMES = 12  # of chance that are listed
SOLVED = 20_000  # histories of games that are solved if no strategy is given
LARGE = (
    "Only uniform play is shown: a game of {:,} histories is too large to be solved just for a "
    "look. Solve it (run = wb.solve(…)) and give the run: wb.widgets.GameBrowser(game, run)."
)

MEANING: dict[str, str] = TIPS["columns"]
HELP = Html(
    "<details><summary>What do these numbers mean?</summary>"
    + "".join(f"<b>{name}</b>: {means}.<br>" for name, means in MEANING.items())
    + "</details>"
)

Given = Strategy | Run | Mapping[str, Strategy | Run] | None


class GameBrowser(Panel):
    def __init__(
        self,
        game: str | Rules | GameTree | Study = "kuhn",
        strategies: Given = None,
        *,
        options: Mapping[str, Any] | None = None,
        at: History = 0,
        seed: int = 0,
        draw: bool = True,
    ) -> None:
        study = game if isinstance(game, Study) else None
        whose: Any = study.rules if study else game
        given = given_game(whose, FrozenDict("options", options or {}))
        if treeless(given):
            raise GameError(
                f"a browser shows every card and every move, and {given.name!r} has too many to "
                "list; look at some hands at the card table: wb.widgets.PlayTable(rules)"
            )
        self._know(compile_game(given), strategies)
        large = strategies is None and len(self.strategies) == 1
        self._note = LARGE.format(self.tree.num_histories) if large else ""
        super().__init__(f"Walk through {readable(self.tree.name)}", "game-browser")
        self._rng = need_random(seed)
        self.draw, self.history = draw, 0
        self.sights: dict[str, InfosetView] = {}
        buttons = self.make_buttons(
            ("Back", "back", self.back, "One move back", ""),
            ("Start again", "root", lambda: self.go(0), "Back to the beginning", ""),
            ("Deal for me", "deal", self.deal, "", "primary"),
        )
        self.when |= dict.fromkeys(buttons[:2], lambda: self.history)
        self.when[self.deal_button] = lambda: self._next
        self.crumbs = self.button_row("crumb", lambda k: self.go(self._way[k]))
        self.moves = self.button_row("move", self._move, style="info")
        self.more = choose("Choose", [""], "more", self.act(self._chosen), width="30em")
        self.place, self.tables, self.picture = place("place"), place("tables"), place("tree")
        self.goto = text("", "", "goto", self.act(self._pressed), continuous_update=False)
        self.goto.layout.display = "none"  # the tree writes into it
        self.edges = choose("Drawn with", list(self.strategies), "edges", self.act(self._draw))
        self.editor = TreeEditor(self, (self.tree, strategies))
        self.studies = StudyBox(self, self._as_study, self.open, lambda: self.tree.rules)
        self._arrows: set[int] = set()  # histories on the arrows of a study
        self.lay_out(
            row(*buttons), self.crumbs.view, self.place, row(self.moves.view, self.more),
            self.studies.shown, self.tables, self.edges, self.picture,
            self.editor.view, self.goto, self.studies.view,
        )  # fmt: skip
        if study:
            self.open(study)
        else:
            self.go(at)

    def _know(self, tree: GameTree, given: Given) -> None:
        self.tree, (self.strategies, self._regrets) = tree, compared(tree, given)
        self._views = {name: StrategyView(sigma) for name, sigma in self.strategies.items()}
        self._drawn: dict[tuple[int, str], str] = {}

    def take(self, tree: GameTree, given: Given) -> None:
        """Go on with a game of the same moves and other numbers."""
        self._know(tree, given)
        relist(self.edges, list(self.strategies))
        self.go(self.history)

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
            self.sights = {name: of.at(infoset) for name, of in self._views.items()}
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

    def open(self, study: Study) -> None:
        """Go to the spot of a study; its arrows are drawn in the tree."""
        if study.rules != self.tree.rules:
            raise GameError(
                f"this is a study of {study.rules.name!r}, not of {self.tree.name!r}; open it in a "
                "browser of its own: wb.widgets.GameBrowser(wb.play.Study.load(path))"
            )
        way = tuple(step.what for step in study.steps)
        ends = [
            find_history(self.tree, (*way, *(step.what for step in steps)))
            for steps, _ in study.lines
        ]
        self._arrows = {h for end in ends for h in path_to(self.tree, end)}
        self._drawn.clear()
        self.go(way)
        self.studies.show(study)

    def _as_study(self, text: str, title: str) -> Study:
        if self.player < 0:
            raise GameError("a study is about a decision; go to one")
        if self.tree.rules is None:
            raise GameError("a study names its game; this tree was changed, or comes from a file")
        name, sigma = next(iter(self.strategies.items()))
        found = worth(sigma, int(self.tree.infoset[self.history]))
        note = f"Exact, against others who play {name}, which is what “the equilibrium” is here."
        return Study.of(self.tree.rules, self.path, text, title, found, note)

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
        self.set_buttons()
        self.deal_button.description, self.deal_button.tooltip = (
            ("Deal for me", "Chance deals until somebody decides")
            if self.player == CHANCE
            else ("Play for me", f"As {next(iter(self.strategies))} would")
        )
        self.place.value = self._place()
        self.tables.value = self._tables()
        self.editor.show()
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
            values = {name: of.values for name, of in self._views.items()}
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

        def work(job: Job) -> str:
            told = partial(job.tell, None, "drawing")
            return draw_tree(self.tree, at, self.strategies[by], told, self._arrows)

        at, by = key = self.history, self.edges.value
        shown = self.draw and drawable(self.tree, at)
        self.edges.layout.display = "" if shown and len(self.strategies) > 1 else "none"
        self.picture.layout.display = "" if shown else "none"
        if key in self._drawn:
            self.picture.value = self._drawn[key]
        elif shown:
            self.run(work, done=done)

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
def draw_tree(
    tree: GameTree, history: int, strategy: Strategy, tell: Callable[[], None],
    arrows: Collection[int],
) -> str:  # fmt: skip
    """The tree around a history, as an SVG whose nodes can be pressed: the way there outlined, the
    place itself marked; `tell` is called in between and may raise."""
    tell()
    root, depth = neighbourhood(tree, history, MOST)
    layout = laid_out(tree, root, depth)
    width, height = tree_size(tree, layout)
    foot = 0.75  # for the legend
    made = figure(min(width, WIDTH), height + foot)
    made.subplots_adjust(left=0.01, right=0.99, top=0.99, bottom=foot / (height + foot))
    ax = plot_game_tree(
        tree, made.add_subplot(), strategy=strategy, root=root, depth=depth, title="",
        highlight={*path_to(tree, history), *arrows}, shade=_shades(tree, history),
    )  # fmt: skip
    tell()
    player = int(tree.player[history])
    what = "chance moves" if player == CHANCE else "the game is over"
    what = f"player {player + 1} moves" if player >= 0 else what
    after = f" after {tree.history_label(root)}, {depth} moves" if root else ""
    way = f"The way {tree.history_label(history)} is outlined; here {what}."
    picture = paint(made, f"The tree of {tree.name}{after}. {way}")
    places = {h: ax.transData.transform((layout.x[h], layout.y[h])) / 2 for h in layout.histories}
    return pressable(tree, picture, places, history)


def pressable(tree: GameTree, picture: Picture, places: Mapping[int, Any], here: int) -> Html:
    """The picture as SVG; places: x and y of each history, counted from the lower left.

    Over it lies a circle for each history. Whoever presses one, or an arrow key while the tree has
    the focus (up: one move back; down: the first move; left, right: another move instead), writes
    the number of a history into the field `wb-goto` of the same panel, and so tells the kernel. No
    other JavaScript is needed, and none of it contains a word of the game.
    """
    names = {h: tree.history_label(h) if h else "the beginning" for h in places}
    page = template(Path(__file__).with_name("tree.html.j2")).render(
        picture=picture, places=places, names=names, here=here, arrows=_around(tree, here),
        go=script("tree"), again=script("tree_again"),
    )  # fmt: skip
    return Html(page)


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


# ---- tables --------------------------------------------------------------------------


def _head(*names: str) -> list[Any]:
    """Columns whose names explain themselves, where there is something to explain."""
    return [abbreviation(name, MEANING[name]) if name in MEANING else name for name in names]


def actions_table(sight: InfosetView, regrets: FloatArray | None, words: Sequence[str]) -> Html:
    """One row for each action; `regrets`: (A,) what a solver has summed up."""
    numbers = [sight.expected, sight.counterfactual, sight.regret]
    numbers += [] if regrets is None else [regrets]
    head = ("action", "plays", "worth", "v(I, a)", "regret", "R")[: 2 + len(numbers)]
    columns = [map(bold, words), map(bar, sight.probs), *(map(signed, of) for of in numbers)]
    return table(zip(*columns, strict=True), "What to do here", head=_head(*head))


def beliefs_table(sight: InfosetView, here: int) -> Html:
    """The histories of the infoset, the likely ones of many, and what each action is worth."""
    names = [label_of(action) for action in sight.actions]
    place = int(np.flatnonzero(sight.histories == here)[0])
    order = list(range(len(sight.histories)))
    if len(order) > ROWS:
        order = np.argsort(-np.nan_to_num(sight.beliefs), kind="stable")[:ROWS].tolist()
    if place not in order:
        order[-1] = place
    rows: list[list[Any]] = []
    for k in order:
        name = ("▸ " if k == place else "") + sight.strategy.tree.history_label(sight.histories[k])
        rows.append([name, bar(sight.beliefs[k]), *map(signed, sight.worth[k])])
    if left := len(sight.histories) - len(order):
        rows.append([f"… and {left:,} more", *[""] * (1 + len(names))])
    rows.append(["on average", "", *map(signed, sight.expected)])
    words = "What you believe, and what each action is worth"
    kinds = {order.index(place): "here", len(rows) - 1: "sum"}
    return table(rows, words, head=_head("what happened", "belief") + names, kinds=kinds)


def outcomes_table(
    tree: GameTree, children: Sequence[int], values: Mapping[str, FloatArray]
) -> str:
    """Chance's outcomes: how likely, and what they are worth to player 1 by each strategy."""
    rows: list[list[Any]] = []
    for h in children[:OUTCOMES]:
        worth = [signed(of[h, 0]) for of in values.values()]
        rows.append([bold(tree.edge_label(h)), bar(tree.chance[h]), *worth])
    if len(children) > OUTCOMES:
        rows.append([f"… and {len(children) - OUTCOMES:,} more", *[""] * (1 + len(values))])
    words = "What chance may do, and what it is worth to player 1"
    return table(rows, words, head=("outcome", "chance", *values))


# ---- strategies ----------------------------------------------------------------------


def compared(tree: GameTree, given: Given) -> tuple[dict[str, Strategy], dict[str, FloatArray]]:
    """name -> strategy, and (K,) the regrets that their solvers have summed up."""
    if given is None:
        small = tree.num_histories <= SOLVED
        given = {"CFR+": solve(tree, "cfr+", 1000)} if small else {}
        given = {**given, "uniform": Strategy.uniform(tree)}
    if not isinstance(given, Mapping):
        given = {given.solver.name if isinstance(given, Run) else "strategy": given}
    if not given:
        raise GameError("strategies: give at least one, {name: strategy}")
    strategies, regrets = {}, {}
    for name, one in given.items():
        sigma = one.strategy if isinstance(one, Run) else need_strategy(one)
        if not sigma.tree.same_as(tree):
            raise GameError(f"{name!r} is a strategy of {sigma.tree!r}, not of {tree!r}")
        strategies[str(name)] = sigma
        if isinstance(one, Run):  # in an abstraction those of the coarse choice, nan without one
            cut, regret = one.abstraction, one.state.regret
            there = np.arange(len(regret)) if cut is None else cut.choice_map
            regrets[str(name)] = np.where(there >= 0, regret[there], np.nan)
    return strategies, regrets


# ---- words ---------------------------------------------------------------------------


def words_at(tree: GameTree, infoset: int) -> tuple[list[str], str]:
    """What the actions are called in this moment, and what the player holds and sees; what the
    rules call things, where a game brings no words."""
    rules, actions, seen = tree.rules, tree.actions_at(infoset), tree.seen[infoset]
    plain = [label_of(action) for action in actions]
    if rules is None or not speaks(rules):
        return plain, ""
    words = words_for(rules)
    said = [words.move(action, seen, actions) for action in actions]
    moves = [
        word if name in word.split() else f"{word} ({name})"
        for word, name in zip(said, plain, strict=True)
    ]
    return moves, "; ".join(words.holds(seen))
