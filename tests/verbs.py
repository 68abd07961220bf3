"""Every verb on every game: `python -m tests.verbs` tries each on a small instance and writes
data/verbs.md.

A cell is ✓, or the number of the sentence in which the workbench says why there is no such thing.
Anything but an answer or a GameError is a mistake of ours. `tests/test_verbs.py` tries the cells.
"""

import tempfile
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import workbench as wb
from tests.own_game import SpokenKuhn4
from workbench.games.registry import describe
from workbench.lab.play.session import Session
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import TextTable
from workbench.rules import label_of
from workbench.solvers.base import SOLVERS
from workbench.tree import form_of, hands_unlisted

KEPT = Path(__file__).parent.parent / "data" / "verbs.md"
HEAD = """# Every verb on every game

What can be asked of each game, tried on a small instance of it: ✓ works, and a number is the
sentence below that says why there is no such thing. Written by `python -m tests.verbs`.

"""


@dataclass(frozen=True)
class Game:
    """A small game, and what its verbs are given."""

    rules: Any
    abstraction: Any = None  # for the base: a name, a rule or buckets
    fine: Any = "null"  # for experts
    parts: tuple[str, ...] = ()  # bettings from which on experts play
    spot: tuple[str, str] = ("", "")  # a board and a betting, to resolve from
    solver: str = "cfr+"

    @property
    def tree(self):
        """What is given to verbs that take a tree, or rules that need none."""
        return self.rules if form_of(self.rules) else wb.compile_game(self.rules)

    def solve(self, **more):
        """In the whole game or, where that is too large, with the buckets of the base."""
        within = self.abstraction if hands_unlisted(self.rules) else None
        how = {"solver": self.solver, "iterations": 2, "abstraction": within}
        return wb.solve(self.rules, **how | more)

    @cached_property
    def run(self):
        return self.solve()

    @cached_property
    def coarse(self):
        return self.solve(abstraction=self.abstraction)

    @property
    def strategy(self):
        return self.run.strategy

    @property
    def steps(self):
        """What is solved step by step: what is given, or its form with the base's buckets."""
        large = hands_unlisted(self.rules)
        return self.rules.public_game(self.abstraction) if large else self.tree

    @property
    def part(self):
        return wb.betting_experts(self.tree, self.parts)

    @property
    def how(self):
        return {"abstraction": self.fine, "solver": self.solver, "iterations": 2}


def merged(player, seen, actions):
    """A coarse view of any game: what one holds is forgotten, what was done is not."""
    return str(seen)[-3:], actions


def buckets(rules, *counts, recall="perfect"):
    return wb.cluster_hands(rules, counts, metric="ehs2", method="percentile", recall=recall)


def island(*counts, **options):
    rules = wb.load_game("rhode_island", **options)
    return Game(rules, wb.cluster_hands(rules, counts), None, ("r", "cr"), ("QhKh", "cc/cc/"))


def holdem():
    rules = wb.load_game("limit_holdem")
    coarse, fine = (buckets(rules, 2, k, k, k) for k in (1, 2))
    return Game(rules, coarse, fine, ("r", "cr"), ("2s3s4s5h9d", "cc/cc/cc/"))


def three():
    rules = wb.load_game("limit_holdem", players=3)
    coarse, fine = (buckets(rules, 2, k, k, k, recall="imperfect") for k in (1, 2))
    spot = "2s3s4s5h9d", "ccc/ccc/ccc/"
    return Game(rules, coarse, fine, ("f", "rf"), spot, "external-sampling")


GAMES = {
    "Kuhn": lambda: Game(wb.load_game("kuhn"), merged, parts=("b", "pb")),
    "Leduc": lambda: Game(wb.load_game("leduc"), "JQ-K", parts=("r", "cr")),
    "Leduc, three players": lambda: Game(
        wb.load_game("leduc", players=3, suit_isomorphism=True), "J-QK", parts=("r", "cr")
    ),
    "Toepen": lambda: Game(
        wb.load_game("toepen", ranks=3, suits=2, hand=2), "lossless-suits", parts=("bet",)
    ),
    "a game of one's own": lambda: Game(SpokenKuhn4(), merged, parts=("b", "pb")),
    "no-limit Leduc": lambda: Game(
        wb.load_game("no_limit_leduc"), wb.abstraction.merge_cards("JQ", "K"), parts=("c",)
    ),
    "Rhode Island": lambda: island(2, 3, 4, ranks=3, suits=2),
    "Rhode Island, all cards": lambda: island(13, 50, 250),
    "Hold'em": holdem,
    "Hold'em, three players": three,
}


@cache
def game_called(name):
    return GAMES[name]()


def stepped(game):
    """Two steps are the run."""
    *_, state = islice(wb.iterate(game.steps, game.solver), 2)
    sigma = wb.average(game.steps, state)
    assert np.array_equal(sigma.probs, game.run.strategy.probs)


def saved(game):
    """Save and load, and a run that was stopped and goes on is the one that never was."""
    with tempfile.TemporaryDirectory() as folder:
        path = game.strategy.save(Path(folder) / "strategy.npz")
        again = wb.Strategy.load(path, game.tree)
        assert again.tree.same_as(game.strategy.tree)
        store = wb.Store(Path(folder) / "runs")
        game.solve(iterations=1, store=store)
        later = game.solve(iterations=2, store=store)
        assert np.array_equal(later.state.strategy_sum, game.run.state.strategy_sum)


def reviewed(game):
    session = Session(game.rules, opponent="uniform", seed=1, iterations=1)
    session.deal()
    while session.asked:
        session.play(session.asked.actions[0])
    if session.unjudged:
        raise wb.GameError(session.unjudged)
    session.review(-1)


def met(opponent, game):
    """A hand against somebody who thinks or learns; then she is asked what she thought."""
    session = Session(game.rules, opponent=opponent, seed=1, review=False, iterations=1)
    said = iter("w" + "2" * 99)  # no fold, so that everybody has something to decide
    TextTable(session, lambda _: next(said), lambda _: None, hands=1).run()
    assert SessionView(session).minds


def terminal(game):
    session = Session(game.rules, opponent="uniform", seed=1, review=False)
    TextTable(session, lambda _: "1", lambda _: None, hands=1).run()


def drilled(game):
    drill = wb.play.Drill(Session(game.rules, seed=1, iterations=1), questions=3)
    while asked := drill.ask():
        drill.answer(next(iter(asked.choices)))
    drill._repr_html_()


def studied(game):
    """A spot is saved with an arrow, and read again."""
    session = Session(game.rules, opponent="uniform", seed=1, review=False)
    session.deal()
    assert session.asked is not None
    arrow = f"Look.\n-> {label_of(session.asked.actions[0])}: because"
    with tempfile.TemporaryDirectory() as folder:
        path = wb.play.Study.at(session, arrow).save(Path(folder) / "spot.toml")
        rules = game.rules if describe(game.rules) is None else None
        assert wb.play.Study.load(path, rules).node.seen == session.asked.seen


def reported(game):
    with tempfile.TemporaryDirectory() as folder:
        wb.write_report(game.run, Path(folder) / "run.html")


def shown(name, game):
    panel = getattr(wb.widgets, name)(game.rules)
    panel.close()


def two(game):
    many = game.rules.players
    return {str(k): game.strategy for k in range(max(many, 2))}


def resolved(safe, game):
    if not form_of(game.rules):
        return wb.stitching.resolve_parts(game.strategy, game.part, safe=safe, iterations=2)
    return wb.poker.resolve(game.strategy, *game.spot, safe=safe, iterations=2)


def solved(name, game):
    """A small deck has a tree as well; buckets ask whoever samples for the card form."""
    cards = game.abstraction if form_of(game.rules) and "sampling" in name else None
    return game.solve(solver=name, **({"abstraction": cards} if cards else {}))


VERBS = {
    **{name: partial(solved, name) for name in SOLVERS},
    "step by step (wb.iterate)": stepped,
    "uniform strategy": lambda game: wb.Strategy.uniform(game.steps),
    "sampling by the rules": lambda game: wb.sample_rules(game.rules, 2),
    "exploitability": lambda game: wb.exploitability(game.strategy),
    "abstraction": lambda game: game.coarse,
    "exploitability of a lifted strategy": lambda game: wb.exploitability(game.coarse.strategy),
    "static experts": lambda game: wb.static_experts(
        game.tree, game.coarse.strategy, game.part, **game.how
    ),
    "dynamic experts": lambda game: wb.dynamic_experts(
        game.tree, game.abstraction, game.part, **game.how
    ),
    "grafts": lambda game: wb.grafts(game.tree, game.coarse.strategy, game.part, **game.how),
    "seats": lambda game: wb.seated([game.strategy] * game.rules.players),
    "tournament, exact": lambda game: wb.tournament(two(game)),
    "match, sampled": lambda game: wb.sample_match(two(game), deals=2),
    "match by the rules": lambda game: wb.judge.play_match(game.rules, two(game), deals=2),
    "resolve, safe": partial(resolved, True),
    "resolve, unsafe": partial(resolved, False),
    "save, load, resume": saved,
    "review after play": reviewed,
    "terminal": terminal,
    "opponent who thinks at the table": partial(met, "searching"),
    "opponent who learns from you": partial(met, "learning"),
    "drill": drilled,
    "study": studied,
    "report": reported,
    **{name: partial(shown, name) for name in
       ("SolverPanel", "AbstractionExplorer", "StitchingExplorer", "GameBrowser", "PlayTable")},
}  # fmt: skip


def verdict(verb, name):
    """A cell: ✓, or why there is no such thing."""
    try:
        VERBS[verb](game_called(name))
    except wb.GameError as error:
        return str(error)
    return "✓"


def written(cells):
    """The table: a row for each verb, a column for each game, and the sentences it counts."""
    reasons = [*dict.fromkeys(why for row in cells.values() for why in row.values() if why != "✓")]
    number = {"✓": "✓"} | {why: str(k) for k, why in enumerate(reasons, start=1)}
    lines = [["", *GAMES], [":--", *[":-:"] * len(GAMES)]]
    lines += [[verb, *(number[why] for why in row.values())] for verb, row in cells.items()]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return HEAD + table + "\n\n" + "\n".join(f"{number[why]}. {why}" for why in reasons) + "\n"


def kept():
    """The cells of the table as it was written."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    why = dict(line.split(". ", 1) for line in lines if line[:1].isdigit())
    cells = {verb: [why.get(cell, cell) for cell in row] for verb, *row in rows[2:]}
    return {verb: dict(zip(rows[0][1:], row, strict=True)) for verb, row in cells.items()}


def main():
    """Try each cell, and write the table; a cell that is a mistake ends it."""
    cells = {verb: {} for verb in VERBS}
    for name in GAMES:
        for verb in VERBS:
            cells[verb][name] = verdict(verb, name)
            print(f"{name}: {verb}: {cells[verb][name]}", flush=True)
    KEPT.write_text(written(cells), encoding="utf-8")


if __name__ == "__main__":
    main()
