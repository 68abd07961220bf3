"""Solving and judging, next to the peers.

The time to a target counts iterations only: after 1, 2, 3, ... iterations, each stop about a
tenth later than the one before and the same for everybody, the clock is stopped, the average
strategy judged, and the first stop at or below the target is the one that counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import workbench as wb
from tests.bench import peers
from tests.bench.clock import Settings, repeat, seconds, seconds_each
from tests.bench.peers import KUHN, LITEEFG, MERGED, OPENSPIEL, SUITED, THREE, Contestant, Ours
from tests.bench.student import StudentLeduc
from tests.bench.table import Row, above, at_least, below, noted, same

GAMES = (SUITED, MERGED, KUHN)
ITERATIONS = {OPENSPIEL: 300.0, LITEEFG: 60.0}  # on Leduc
THREE_PLAYERS = 100.0
SAMPLING = {OPENSPIEL: 60.0}  # on Leduc
TOEPEN_SAMPLING = 100_000.0  # iterations per second of the processor
EVALUATION = {OPENSPIEL: 500.0, LITEEFG: 1.0}  # on Leduc
FIRST_ORDER = 3.0  # iterations of CFR+ in the time of one of EGT
OWN_GAME = 0.9
TARGETS = (0.01, 0.001)


def iterations(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """CFR+ iterations per second, average strategy included; same trees verified"""
    for game in GAMES:
        ours, others = Ours(peers.tree_of(game)), peers.contestants(game, here)
        for other in others:
            yield from _same_game(game.label, ours, other)
        took = seconds_each([c.advance for c in [ours, *others]], settings)
        speeds, required = [1 / each for each in took], {} if game is KUHN else ITERATIONS
        yield from _compare("CFR+ iterations", game.label, "iterations/s", speeds, others, required)


def target(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Time to exploitability 0.01 and 0.001 with CFR+ (0.01 alone in --quick)"""
    targets = TARGETS[:1] if settings.quick else TARGETS
    for game in GAMES:
        racers = [Ours(peers.tree_of(game)), *peers.contestants(game, here)]
        racers[0].advance(1)  # compiles the kernels
        best: dict[tuple[str, float], tuple[float, int]] = {}
        for _ in range(1 if settings.quick else 2):
            for racer in racers:
                for _ in range(5 if isinstance(racer, Ours) else 1):
                    for goal, found in _race(racer, targets).items():
                        best[racer.name, goal] = min(found, best.get((racer.name, goal), found))
        for goal in targets:
            for k, (what, unit) in enumerate((("time", "s"), ("iterations", "iterations"))):
                values = [best[racer.name, goal][k] for racer in racers]
                yield from _compare(f"{what} to {goal}", game.label, unit, values, racers[1:])


def _race(racer: Contestant, targets: tuple[float, ...]) -> dict[float, tuple[float, int]]:
    """Seconds and iterations to each target."""
    racer.restart()
    spent, done = 0.0, 0
    reached: dict[float, tuple[float, int]] = {}
    while len(reached) < len(targets):
        stop = max(done + 1, round(done * 1.1))
        spent += seconds(racer.advance, stop - done)
        done = stop
        now = racer.exploitability()
        for goal in targets:
            if now <= goal and goal not in reached:
                reached[goal] = (spent, done)
    return reached


def exploitability(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """One exact exploitability of an average strategy"""
    for game in GAMES:
        ours, others = Ours(peers.tree_of(game)), peers.contestants(game, here)
        for racer in [ours, *others]:
            racer.advance(20)
        works = [repeat(partial(wb.exploitability, ours.average()))]
        for other in others:
            if isinstance(other, peers.OpenSpiel):  # making the table is off the clock
                judge = partial(other.pyspiel.exploitability, other.game, other.average())
                works.append(repeat(judge))
            else:
                works.append(repeat(other.exploitability))
        times = [1e3 * each for each in seconds_each(works, settings)]
        required = {} if game is KUHN else EVALUATION
        yield from _compare("one exploitability", game.label, "ms", times, others, required)


def first_order(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """One iteration of the excessive gap technique, in iterations of CFR+ on the same tree"""
    for game in (SUITED, MERGED):
        names = ("cfr+", "egt", "fictitious-play", "iterated-smoothing")
        racers = [Ours(peers.tree_of(game), name) for name in names]
        base, egt, *others = seconds_each([one.advance for one in racers], settings)
        yield below(FIRST_ORDER, "EGT / CFR+, an iteration", game.label, egt / base, "×")
        for name, each in zip(names[2:], others, strict=True):
            yield noted(f"{name} / CFR+", game.label, each / base, "×")


def sampling(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """External sampling, walks for both players and average included"""
    ours = Ours(peers.tree_of(SUITED), "external-sampling")
    others = [peers.OpenSpielSampling(SUITED)] if OPENSPIEL in here else []
    for other in others:
        yield from _same_game(SUITED.label, ours, other)
        other.advance(2000)  # its table of information sets is filled off the clock
    speeds = [1 / each for each in seconds_each([c.advance for c in [ours, *others]], settings)]
    what, unit = "external sampling", "iterations/s"
    yield from _compare(what, SUITED.label, unit, speeds, others, SAMPLING)
    toepen = Ours(peers.tree_of(peers.TOEPEN), "external-sampling")
    (each,) = seconds_each([toepen.advance], settings, rounds=5)
    yield above(TOEPEN_SAMPLING, what, peers.TOEPEN.label, 1 / each, unit)


def three_players(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """CFR on three-player Leduc with eight cards (not in --quick)"""
    if settings.quick:
        return
    began = seconds(lambda _: peers.tree_of(THREE))
    tree = peers.tree_of(THREE)
    yield noted("compile", THREE.label, began, "s")
    ours = Ours(tree, "cfr")
    yield noted("sequence form, kernels", THREE.label, seconds(ours.advance), "s")
    if OPENSPIEL not in here:
        (mine,) = seconds_each([ours.advance], settings)
        yield noted("CFR iterations", THREE.label, 1 / mine, "iterations/s")
        return
    other = peers.OpenSpiel(THREE, "CFRSolver")
    infosets = other.sizes()["infosets"]
    yield same("same game: infosets", THREE.label, tree.num_infosets, "", infosets, OPENSPIEL)
    mine = theirs = float("inf")
    for _ in range(2):  # the peer takes seconds for one iteration: ours before and after it
        for _ in range(2):
            mine = min(mine, *seconds_each([ours.advance], settings, rounds=5))
        theirs = min(theirs, seconds(other.advance))
    yield at_least(
        THREE_PLAYERS, "CFR iterations", THREE.label, 1 / mine, "iterations/s", 1 / theirs,
        OPENSPIEL,
    )  # fmt: skip


def own_game(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """A game written in plain Python solves as fast as a built-in one"""
    built_in, own = Ours(peers.tree_of(SUITED)), Ours(wb.compile_game(StudentLeduc()))
    built_in.name, label = "built-in", own.tree.name
    yield from _same_game(label, own, built_in)
    # Equals must be told from nearly equals: on a busy machine 15 rounds were off by a seventh.
    works = [own.advance, built_in.advance]
    mine, theirs = seconds_each(works, settings, rounds=3 * settings.rounds)
    yield at_least(
        OWN_GAME, "CFR+ iterations", label, 1 / mine, "iterations/s", 1 / theirs, "built-in"
    )


def _same_game(label: str, ours: Contestant, other: Contestant) -> Iterator[Row]:
    """Whether two contestants work on the same game, as far as they tell."""
    sizes, theirs = ours.sizes(), other.sizes()
    for what in theirs:
        yield same(f"same game: {what}", label, sizes[what], "", theirs[what], other.name)
    worth = ours.uniform_exploitability(), other.uniform_exploitability()
    yield same("same game: uniform play", label, worth[0], "chips", worth[1], other.name)


def _compare(
    measure: str, game: str, unit: str, values: Sequence[float], others: Sequence[Contestant],
    required: Mapping[str, float] = MappingProxyType({}),
) -> Iterator[Row]:  # fmt: skip
    """One row for each peer; one without a peer if there is none. `values`: ours, then theirs."""
    ours, *theirs = values
    for other, value in zip(others, theirs, strict=True):
        if other.name in required:
            yield at_least(required[other.name], measure, game, ours, unit, value, other.name)
        else:
            yield noted(measure, game, ours, unit, value, other.name)
    if not others:
        yield noted(measure, game, ours, unit)
