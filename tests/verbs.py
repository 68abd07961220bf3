"""Every verb on every game: `python -m tests.verbs` tries each on a small instance and writes
data/verbs.md.

A cell is ✓, or the number of the sentence in which the workbench says why there is no such thing.
A verb here is true if the answer is what it must be; REFUSED says where there is none, with a word
of the sentence. Anything else is a mistake of ours. `tests/test_verbs.py` tries the cells.
"""

import tempfile
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, permutations
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
    forgets: Any  # what the base forgets: a name, a rule, or how many buckets it knows
    parts: tuple[str, ...]  # bettings from which on experts play
    fine: Any = "null"  # for experts
    spot: tuple[str, str] = ("", "")  # a board and a betting, to resolve from
    solver: str = "cfr+"

    def buckets(self, counts):
        if not isinstance(counts, tuple):
            return counts
        how = {"metric": "ehs2", "method": "percentile"}
        how |= {"recall": "imperfect"} if self.rules.players == 3 else {}
        return wb.cluster_hands(self.rules, counts, **how)

    def solve(self, **more):
        return wb.solve(self.rules, **self.asked | more)

    def stitched(self, *players):
        return wb.static_experts(*self.plan, players, **self.how)

    seats = property(lambda self: range(self.rules.players))
    abstraction = cached_property(lambda self: self.buckets(self.forgets))
    within = property(lambda self: self.abstraction if hands_unlisted(self.rules) else None)
    twice = property(lambda self: {"solver": self.solver, "iterations": 2})
    asked = property(lambda self: self.twice | {"abstraction": self.within})
    how = property(lambda self: self.twice | {"abstraction": self.buckets(self.fine)})
    tree = property(lambda self: self.rules if form_of(self.rules) else wb.compile_game(self.rules))
    steps = property(lambda self: self.rules.public_game(self.within) if self.within else self.tree)
    part = property(lambda self: wb.betting_experts(self.tree, self.parts))
    plan = property(lambda self: (self.tree, self.base.strategy, self.part))
    run = cached_property(solve)
    base = cached_property(lambda self: self.solve(abstraction=self.abstraction))
    strategy = property(lambda self: self.run.strategy)
    uniform = property(lambda self: wb.Strategy.uniform(self.steps))

    @cached_property
    def alike(self):
        """Different strategies that know the same."""
        return {str(k): self.solve(iterations=2 + 3 * k).strategy for k in self.seats}

    @cached_property
    def mixed(self):
        """Experts, and bases: they know different buckets."""
        later = self.solve(iterations=5, abstraction=self.abstraction).strategy
        every = self.stitched(*self.seats), self.base.strategy, later
        return {str(k): every[k] for k in self.seats}

    @cached_property
    def spots(self):
        """(player, what she has seen) in some hands."""
        found = {}

        def note(player, seen, actions):
            return found.setdefault((player, seen), [1 / len(actions)] * len(actions))

        wb.judge.play_match(self.rules, {str(k): note for k in self.seats}, deals=30)
        return [*found]

    def plays(self, sigma):
        """What a strategy does there."""
        return [dict(sigma.at(seen, player)) for player, seen in self.spots]

    def changed(self, sigma, base=None):
        """The players who do otherwise there than the base, if there is anything left of it."""
        both = zip(self.plays(sigma), self.plays(base or self.base.strategy), strict=True)
        same = [one == other for one, other in both]
        return any(same) and {self.spots[k][0] for k, kept in enumerate(same) if not kept}


def merged(player, seen, actions):
    """A coarse view of any game: what one holds is forgotten, what was done is not."""
    return str(seen)[-3:], actions


load, RAISES, ISLAND, RIVER = wb.load_game, ("r", "cr"), ("QhKh", "cc/cc/"), "2s3s4s5h9d"
THREE = load("leduc", players=3, suit_isomorphism=True)
GAMES = {
    "Kuhn": Game(load("kuhn"), merged, ("b", "pb")),
    "Leduc": Game(load("leduc"), "JQ-K", RAISES),
    "Leduc, three players": Game(THREE, "J-QK", RAISES),
    "Toepen": Game(load("toepen", ranks=3, suits=2, hand=2), "lossless-suits", ("bet",)),
    "a game of one's own": Game(SpokenKuhn4(), merged, ("b", "pb")),
    "no-limit Leduc": Game(load("no_limit_leduc"), wb.abstraction.merge_cards("JQ", "K"), ("c",)),
    "Rhode Island": Game(load("rhode_island", ranks=3, suits=2), (2, 3, 4), RAISES, None, ISLAND),
    "Rhode Island, all cards": Game(load("rhode_island"), (13, 50, 250), RAISES, None, ISLAND),
    "Hold'em": Game(load("limit_holdem"), (2, 1, 1, 1), RAISES, (2, 2, 2, 2), (RIVER, 3 * "cc/")),
    "Hold'em, three players": Game(
        load("limit_holdem", players=3), (2, 1, 1, 1), ("f", "rf"), (2, 2, 2, 2),
        (RIVER, 3 * "ccc/"), "external-sampling",
    ),
}  # fmt: skip


def same(one, other):
    return np.array_equal(one.probs, other.probs)


def sets(run):
    return run.trace["infosets"].iloc[-1]


def solved(name, game):
    """A small deck has a tree as well, with buckets or without."""
    cards = game.abstraction if form_of(game.rules) and "sampling" in name else game.within
    often = 99 if "sampling" in name else 2
    run = game.solve(solver=name, iterations=often, abstraction=cards)
    learnt = not same(run.strategy, run.strategy.weighted(0 * run.strategy.probs))
    return learnt and (run.exploitability < 1e-6 if run.solver.exact else run.iterations == often)


def answered(game):
    """A best response wins what it says, and that is more."""
    found, before = wb.best_response(game.strategy, 1), wb.expected_values(game.strategy)[1]
    return before < found.value and np.isclose(found.value, wb.expected_values(found.strategy)[1])


def seated(game):
    """Each plays as she would alone."""
    each, both = [*map(game.plays, game.mixed.values())], wb.seated([*game.mixed.values()])
    return game.plays(both) == [each[who][k] for k, (who, _) in enumerate(game.spots)]


def worth(players):
    """What the first wins on average over all seatings, exactly."""
    orders = [*permutations(range(len(players)))]
    won = [wb.expected_values([players[k] for k in order]) for order in orders]
    assert np.allclose(np.sum(won, axis=1), 0.0)
    return np.mean([one[order.index(0)] for one, order in zip(won, orders, strict=True)])


def ranked(players):
    """A match says the same, roughly."""
    won, match = wb.tournament(players).iloc[0, 1], wb.sample_match(players, deals=100_000)
    return 0 < abs(won - match.iloc[0]["winnings"]) < 1.5 * match.iloc[0]["margin"]


def played_out(game):
    """What some win others lose; from the rules the same is won as in the kernels, roughly."""
    match = wb.sample_match(game.mixed, deals=4000)
    slow = wb.judge.play_match(game.rules, game.mixed, deals=200)
    assert np.allclose([slow["winnings"].sum(), match["winnings"].sum()], 0.0)
    off = abs(slow["winnings"] - match["winnings"]) - slow["margin"] - match["margin"]
    return off.max() < 0 < match["winnings"].max()


def resolved(safe, game):
    """Solved again, the rest is played better."""
    if form_of(game.rules):
        found = wb.poker.resolve(game.strategy, *game.spot, safe=safe, iterations=2)
        more = found.more(50)
        return more.margin > found.margin if safe else more.gap < found.gap
    sigma = wb.stitching.resolve_parts(game.strategy, game.part, safe=safe, iterations=50)
    return wb.exploitability(sigma) < game.run.exploitability


def saved(game):
    """Saved and loaded it is the same; so is a run that was stopped on the way and goes on."""

    def stop(*_):
        raise KeyboardInterrupt

    with tempfile.TemporaryDirectory() as folder:
        for sigma in game.mixed.values():
            again = wb.Strategy.load(sigma.save(Path(folder) / "strategy.npz"), game.tree)
            assert again.tree.same_as(sigma.tree)
            assert same(again, sigma)
            assert game.plays(again) == game.plays(sigma)
        assert game.solve(store=folder, progress=stop).iterations == 1
        later = vars(game.solve(store=folder).state)
    return all(np.array_equal(later[name], value) for name, value in vars(game.run.state).items())


def played(game, said="1" * 9, **how):
    """A session with one hand, what stood on the screen, and all that it must be."""
    session, screen, words = Session(game.rules, seed=1, iterations=1, **how), [], iter(said)
    TextTable(session, lambda _: next(words), screen.append, hands=1).run()
    return screen[-1].startswith("1 hand, ") and session


def reviewed(game):
    session = played(game, opponent="uniform")
    if session.unjudged:
        raise wb.GameError(session.unjudged)
    costs = [one.cost for one in session.review(-1).verdicts]
    return costs and 0 <= min(costs) <= max(costs) < np.inf


def met(opponent, game):
    """She is asked what she thought; no fold, so that everybody has something to decide."""
    return SessionView(played(game, "w" + "2" * 99, opponent=opponent, review=False)).minds


def drilled(game):
    drill = wb.play.Drill(Session(game.rules, seed=1, iterations=1), questions=3)
    while asked := drill.ask():
        drill.answer(next(iter(asked.choices)))
    return " of 3 right" in drill.summary[0] and drill._repr_html_()


def studied(game):
    """A spot is saved with an arrow, and read again."""
    session = Session(game.rules, opponent="uniform", seed=1, review=False)
    session.deal()
    arrow = f"Look.\n-> {label_of(session.asked.actions[0])}: because"
    with tempfile.TemporaryDirectory() as folder:
        path = wb.play.Study.at(session, arrow).save(Path(folder) / "spot.toml")
        rules = game.rules if describe(game.rules) is None else None
        return wb.play.Study.load(path, rules).node.seen == session.asked.seen


def reported(game):
    with tempfile.TemporaryDirectory() as folder:
        page = wb.write_report(game.run, Path(folder) / "run.html").path.read_text("utf-8")
    return game.strategy.tree.name in page


def pressed(name, game, **settings):
    """A panel whose main button was pressed, at a table after a hand; it had nothing against it."""
    panel = getattr(wb.widgets, name)(game.rules, **settings)
    panel.wait()
    while name == "PlayTable" and panel.session.asked:
        panel.play(0)
    getattr(panel, f"{'deal' if 'deal_button' in panel.named else 'start'}_button").click()
    panel.wait()
    assert panel.message.layout.display == "none", panel.message.value
    panel.close()
    return panel


VERBS = {
    **{name: partial(solved, name) for name in SOLVERS},
    "step by step (wb.iterate)": lambda game: same(
        wb.average(game.steps, [*islice(wb.iterate(game.steps, game.solver), 2)][1]), game.strategy
    ),
    "uniform strategy": lambda game: all(
        len({*mix.values()}) == 1 for mix in game.plays(game.uniform)
    ),
    "sampling by the rules": lambda game: wb.sample_rules(game.rules, 2).table.num_infosets,
    "exploitability": lambda game: (
        0 < wb.exploitability(game.strategy) < wb.exploitability(game.uniform)
    ),
    "best response": answered,
    "best response on a flop": lambda game: (
        wb.poker.answer_flop(game.mixed["0"], "7s7h7d").exploitability("rc") > 0
    ),
    "abstraction": lambda game: (
        0
        < sets(game.base)
        == wb.abstract(game.tree, game.abstraction).coarse.num_infosets
        < game.base.strategy.tree.num_infosets
    ),
    "exploitability of a lifted strategy": lambda game: (
        wb.exploitability(game.base.strategy) > game.base.abstract_exploitability
    ),
    "static experts": lambda game: (
        game.changed(game.stitched(0)) == {0} and game.changed(game.mixed["0"])
    ),
    "dynamic experts": lambda game: (
        sets(game.base)
        < sets(wb.dynamic_experts(game.tree, game.abstraction, game.part, **game.how))
    ),
    "grafts": lambda game: game.changed(wb.grafts(*game.plan, **game.how)),
    "stitch": lambda game: game.changed(
        wb.stitch(*game.plan[1:], dict.fromkeys(game.parts, game.alike["1"]))
    ),
    "seats": seated,
    "expected values": lambda game: np.isclose(
        worth([*game.alike.values()]), wb.tournament(game.alike).iloc[0, 1]
    ),
    "tournament, exact": lambda game: ranked(game.alike),
    "tournament, different buckets": lambda game: ranked(game.mixed),
    "matches, sampled and by the rules": played_out,
    "first phase": lambda game: game.changed(
        wb.poker.first_phase(game.rules, rounds=1, iterations=2), wb.poker.rollout(game.rules)
    ),
    "resolve, safe": partial(resolved, True),
    "resolve, unsafe": partial(resolved, False),
    "save, load, resume": saved,
    "review after play": reviewed,
    "terminal": lambda game: played(game, opponent="uniform", review=False),
    "opponent who thinks at the table": partial(met, "searching"),
    "opponent who learns from you": partial(met, "learning"),
    "drill": drilled,
    "study": studied,
    "report": reported,
    "SolverPanel": lambda game: same(
        pressed("SolverPanel", game, iterations=2, abstraction=game.within).runs[0].strategy,
        game.strategy,
    ),
    "AbstractionExplorer": lambda game: pressed("AbstractionExplorer", game, iterations=2).runs,
    "StitchingExplorer": lambda game: pressed("StitchingExplorer", game, iterations=2).done,
    "GameBrowser": lambda game: pressed("GameBrowser", game).history,
    "PlayTable": lambda game: (
        pressed("PlayTable", game, opponent="uniform", seed=1, iterations=1).session.playing
    ),
}

TREES, CARDS = [*GAMES][:6], [*GAMES][6:]
LARGE, HOLDEM, LAST = CARDS[1:], CARDS[2:], CARDS[3:]
EXACT = ["exploitability", "exploitability of a lifted strategy", "best response"]
MINDS = ["opponent who thinks at the table", "opponent who learns from you"]
REFUSED = {
    (verb, name): word
    for word, names, verbs in (
        ("external-sampling", LARGE, ["chance-sampling", "outcome-sampling", "lp"]),
        ("external-sampling", LAST, ["cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+"]),
        ("external-sampling", LAST, ["egt", "iterated-smoothing", "fictitious-play"]),
        ("for 3", ["Leduc, three players"], ["lp", "egt", "iterated-smoothing", *MINDS]),
        ("for 3", LAST, [*MINDS, "review after play", "drill"]),
        ("abstract_exploitability", ["Hold'em"], EXACT),
        ("sample_match", LAST, [*EXACT, "expected values", "tournament, exact"]),
        ("sample_match", HOLDEM, ["tournament, different buckets"]),
        ("buckets", {*GAMES} - {"Hold'em"}, ["best response on a flop"]),
        ("phase", TREES + HOLDEM, ["first phase"]),
        ("three players", LAST, ["resolve, safe", "resolve, unsafe"]),
        ("static_experts", CARDS, ["grafts"]),
        ("tree", CARDS, ["stitch"]),
        ("static_experts", LARGE, ["StitchingExplorer"]),
        ("PlayTable", LARGE, ["GameBrowser"]),
        ("cluster_hands", LAST, ["AbstractionExplorer"]),
        ("6,000", ["Rhode Island"], MINDS[1:]),
        ("tree", LARGE[:2], MINDS[1:]),
    )
    for name in names
    for verb in verbs
}


def verdict(verb, name):
    """A cell: ✓, or why there is no such thing."""
    game, word = GAMES[name], REFUSED.get((verb, name))
    try:
        assert VERBS[verb](game), f"{verb} on {name}: a wrong answer"
    except wb.GameError as error:
        if word is None or word not in str(error):
            raise
        return str(error).replace(repr(game.rules), game.rules.name)
    assert word is None, f"{verb} on {name} is not refused"
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
    games, _, *rows = [line.strip("| ").split(" | ") for line in lines if line[:1] == "|"]
    said = dict(line.split(". ", 1) for line in lines if line[:1].isdigit())
    cells = {verb: [said.get(cell, cell) for cell in row] for verb, *row in rows}
    return {verb: dict(zip(games, row, strict=True)) for verb, row in cells.items()}


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
