"""Where things enter: one clear error for what cannot work, whoever is asked.

A row is what somebody tries, and one word that the answer must say. The answer is a GameError of
one printable line, and nothing is written. A check that several functions share is tried once.
"""

import itertools
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from workbench.lab.lectures.opponent_types import Types
from workbench.lab.lectures.worked_iteration import update_at
from workbench.lab.ledger.papers.matrix import Matrix
from workbench.lab.ledger.papers.worked_examples import thesis_example

import workbench as wb
from tests.abstraction.test_merge_cards import dealt
from tests.games.test_toepen_match import first
from tests.lab.plots.test_convergence import regrets, trace
from tests.random_games import compiled, forgetful
from tests.random_games import tree_of as tree
from tests.test_compiling import told
from workbench.abstraction.bets import BetSizes
from workbench.evaluation.intervals import intervals
from workbench.games.text_game import load_text
from workbench.games.toepen.match import ToepenMatch
from workbench.jamfold.hand import TournamentMatch
from workbench.jamfold.solving import Effort
from workbench.lab.play.action_values import worth
from workbench.models.adaptive import Adaptive
from workbench.models.answers import data_biased_response, safe_response
from workbench.models.beliefs import Counts, Hand
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.cards.seven_cards import strength_of
from workbench.poker.response.flop_response import FixedOpponent, answer_flop
from workbench.poker.response.real_response import drawn_flops, opponent_named, summed
from workbench.policies import as_policy
from workbench.solvers.base import average, find_solver
from workbench.stitching.joining import Fixed, fix, fix_others, fix_players
from workbench.stitching.partition import GraftingPartition

KUHN = wb.load_game("kuhn")
TREE = wb.compile_game(KUHN)
UNIFORM = wb.Strategy.uniform(TREE)
FORGETFUL = wb.Strategy.uniform(forgetful())
PAIR = {"a": UNIFORM, "b": UNIFORM}
NAN = float("nan")
HUGE, LONG = 10**400, 10**5000  # the second one is too long to be printed
NAME = np.array("x")  # it says that it can be gone through, and cannot
FEW = np.ones(3)  # it is neither true nor false
HOLDEM = wb.load_game("limit_holdem")
HOLDEM3 = wb.load_game("limit_holdem", players=3)
ALIKE = HoldemBuckets(HOLDEM, [FORGET] * 4, name="1")
ONE, SAME = ([0], [[100]]), ([0, 0], [[100], [100]])
FORGETS = HOLDEM.public_game(HoldemBuckets(HOLDEM, [ONE, SAME, SAME, SAME]))
RHODE, LEDUC4 = wb.load_game("rhode_island"), wb.load_game("leduc", ranks=4)
SMALL = wb.load_game("rhode_island", ranks=3, suits=2)
FIRST = ("egt", "iterated-smoothing", "fictitious-play")
strength = wb.poker.hand_strength
DEALT = [(-1, "Q"), (-1, "K")]

solve = partial(wb.solve, KUHN, iterations=3)
clustered = partial(wb.cluster, TREE, features=np.zeros(12), buckets=6)
sampled = partial(wb.sample_rules, wb.load_game("leduc"), iterations=3)
session = partial(wb.play.Session, "kuhn")
resolve, first_phase = wb.poker.resolve, wb.poker.first_phase
merge_cards = wb.abstraction.merge_cards
BOTH = partial(wb.static_experts, players={0, 1})
cut = partial(wb.cluster_hands, HOLDEM, metric="ehs2", method="percentile")
hands = partial(wb.cluster_hands, RHODE, buckets=(13, 50, 250))
shrunk, TWO = partial(wb.gameshrink, outcome=max), [((1,), (2,))]
played = partial(Hand.played, TREE, 0)
search = partial(wb.search.Searcher, UNIFORM)
public = cache(lambda: wb.Strategy.uniform(wb.load_game("rhode_island", ranks=3)))
few_walks = cache(partial(wb.sample_rules, KUHN, iterations=3))
no_memory = cache(partial(wb.cluster_hands, SMALL, (1, 3, 2), recall="imperfect"))
caller = cache(partial(opponent_named, HOLDEM, "always-call"))
same = cache(lambda name: wb.abstract(tree(name), lambda player, seen, actions: seen))
jqk = cache(lambda: wb.abstract(tree("leduc"), "JQ-K"))
histories = partial(GraftingPartition.from_histories, tree("leduc"))
heads_up = partial(wb.stitching.heads_up_experts, tree("leduc"))


def river(*more, **how):
    return resolve(public(), "A♥ K♥", *more, **how)


def at_cards(depth=1, **how):
    return wb.search.Searcher(public(), depth=depth, **how)


def uniform(name, **options):
    return wb.Strategy.uniform(tree(name, **options))


stitched = partial(wb.stitch, uniform("leduc"), wb.betting_experts(tree("leduc"), ["r"]))
three = partial(uniform, "leduc", players=3, suit_isomorphism=True)
named_by = partial(GraftingPartition.from_function, tree("leduc"))
toepen = partial(wb.abstract, tree("toepen", suits=2, ranks=2, betting=False))
parts = partial(GraftingPartition, tree("leduc"), names=["a"], part=np.zeros(936))
J_QK = wb.Strategy.uniform(wb.abstract(tree("leduc"), "J-QK").coarse)


def answered(*answers):
    """Kuhn abstracted by a rule that gives the first answer about a Jack, the last about others."""
    return wb.abstract(TREE, lambda player, seen, actions: answers[0 if seen[0] == "J" else -1])


def after(solver, game=KUHN):
    """Where a run stands after ten iterations."""
    return wb.solve(game, solver, 10).state


def play(deals=5, **policies):
    return wb.judge.play_match(KUHN, policies, deals=deals)


def strengths(first, second):
    return [first, np.full((13, 52), second), np.zeros((325, 52))]


def experts(**options):
    return wb.betting_experts(tree("leduc", **options), ["r"])


def static(base="null", part=None, **options):
    how = {"players": {0, 1}, "iterations": 3, **options}
    return wb.static_experts(tree("leduc"), base, part or experts(), **how)


def grafted(player, **options):
    full = tree("leduc", **options)
    return wb.theory.graft_gains(full, wb.Strategy.uniform(full), experts(**options), player)


def steps(iterations):
    """The states before and after so many iterations of CFR."""
    return START, S.CFR().advance(TREE, START, iterations)


def holdem_experts(players, abstraction=ALIKE):
    part = wb.betting_experts(HOLDEM, ["r"])
    return wb.static_experts(HOLDEM, ALIKE, part, players, abstraction=abstraction, iterations=1)


def without_cr(verb):
    part = wb.betting_experts(HOLDEM, ["r", "cr"])
    return verb(HOLDEM, ALIKE, part, abstraction={"r": ALIKE}, iterations=1)


def on_cards(verb, base="2-3-4", **how):
    return verb(SMALL, base, wb.betting_experts(SMALL, ["r", "cr"]), iterations=1, **how)


def meet(*games):
    return wb.sample_match({str(k): wb.Strategy.uniform(game) for k, game in enumerate(games)})


def bets(*how):
    return wb.abstract(tree("no_limit_kuhn", stack=9), BetSizes(*how))


def mapped(mapping):
    ab = bets("pot", mapping)
    return ab.lift(wb.Strategy.uniform(ab.coarse))


def each(values, attempt, word):
    """The same attempt with several values."""
    return [(partial(attempt, value), word) for value in values]


S, P, W, J = wb.solvers, wb.plots, wb.widgets, wb.jamfold
MATCH = ToepenMatch(wb.load_game("toepen", players=3), bound=4)
WAYS = {"base": [(132, 490)], "all": [(186, 151)]}
CROSS = pd.DataFrame([[0.0, 3.0], [-3.0, 0.0]], index=["a", "b"], columns=["a", "b"])
START, Q = S.start_state(TREE), wb.exercises.Question
NO_ANSWERS = (
    "sea", b"p", {"sea": 1.0}, {"p": 0.5}, {"p": 1.5, "b": -0.5}, {"p": None}, [0.5, 0.6], [1.0],
    [0.5, 0.25, 0.25], [NAN, 1.0], ["p"], [[1.0], [0.0]],
)  # fmt: skip
NO_NUMBERS, NO_DEALS = (-1.0, None, "a", NAN), (1, -3, 2.5, True, None, 10**15, 10**25)

REFUSED = {
    "games": [
        (lambda: wb.load_game("ledcu"), "did you mean 'leduc'?"),
        (lambda: wb.load_game("figure 1"), "did you mean 'figure1'?"),
        (lambda: wb.load_game("xyzzy"), "Games: "),
        (lambda: wb.load_game("nowhere.txt"), "No such file"),
        (lambda: wb.load_game("figure1", cards=2), "no options"),
        (lambda: wb.load_game("kuhn", cards=3.0), "3.0"),
        (lambda: wb.load_game("leduc", player=3), "did you mean 'players'?"),
        (lambda: wb.load_game("leduc", zz=3), "Options: players, ranks, suit_isomorphism"),
        (lambda: wb.load_game("leduc", ranks=14), "13"),
        (lambda: wb.load_game("leduc", players=6), "7 cards"),
        (lambda: wb.load_game("toepen", hand=0), "hand"),
        (lambda: wb.load_game("toepen", betting="both"), "'anytime'"),
        (lambda: wb.load_game("toepen", players=3, hand=4), "12 cards"),
        (lambda: wb.load_game("toepen", limits=(3,)), "each player"),
        (lambda: wb.load_game("toepen", limits=(3, 0)), "limits"),
    ],
    "trees and strategies": [
        *each((KUHN, None, "kuhn"), wb.Strategy.uniform, "compiled"),
        (lambda: wb.Strategy.uniform(HOLDEM), "public_game"),
        (lambda: wb.Strategy.from_function(HOLDEM, lambda *_: "c"), "plays as it is"),
        (lambda: wb.judge.look(public(), ("A♥", "", "")), "solve wb.compile_game"),
        (lambda: wb.judge.trained_exploitability(public()), "solve wb.compile_game"),
        *each((TREE, None, [1], 10**30), wb.exploitability, "Strategy"),
        *each(("kuhn",), lambda x: wb.Strategy(x, np.ones(3)), "compiled"),
        *each((["a"] * 24, None, range(10**12)), lambda x: wb.Strategy(TREE, x), ""),
        *each((np.ones(3), np.ones((24, 1))), lambda x: wb.Strategy(TREE, x), "24"),
        *each((np.ones(24), np.full(24, NAN)), lambda x: wb.Strategy(TREE, x), "sum"),
        *each((np.r_[[0.5] * 20, 0.7, 0.7, 0.5, 0.5],), lambda x: wb.Strategy(TREE, x), "10"),
        *each((5, lambda seen: seen), lambda x: wb.Strategy.from_function(TREE, x), ""),
        *each(NO_ANSWERS, lambda x: wb.Strategy.from_function(TREE, lambda *_: x), "player 0"),
        *each((None, "a\0b", "no/such/folder/x", ".", "x" * 300, "a/"), UNIFORM.save, ""),
        *each((5, "/dev/zero"), lambda x: wb.Strategy.load(x, TREE), ""),
        *each((12, -1, "J"), TREE.actions_at, ""),
        *each(((("A", ""),), (("K", ""), 1)), lambda x: UNIFORM.at(*x), "no information set"),
        (lambda: uniform("smuggler").at(""), "which player"),
        *each(("/dev/zero", Path(), Path("missing"), 'game "\\ud800"\npays 1'), load_text, ""),
        (lambda: load_text('game x\nplayer 1\n  "\\u001b": pays 1'), ""),
        (lambda: wb.compile_game(KUHN, max_histories=0), "whole number"),
        (lambda: wb.compile_game(told(wb.Decision(0, object(), "lr"))).fingerprint, "lasting"),
    ],
    "evaluation": [
        *each((2, -1, "0", None, 0.5), lambda x: wb.best_response(UNIFORM, x), "players"),
        *each(([UNIFORM], [UNIFORM] * 3), wb.expected_values, "2 seats"),
        *each(([], {"a": UNIFORM}, UNIFORM, 3, FEW, pd.Series([1])), wb.seated, "list"),
        (lambda: wb.seated([UNIFORM, uniform("leduc")]), "leduc"),
        *each((3, "ab", NAME), wb.judge.measured_regrets, "profiles"),
        (lambda: wb.judge.measured_regrets([UNIFORM, uniform("smuggler")]), "another"),
        (lambda: wb.judge.regret_bound(TREE, 0), "iterations"),
        *each((0.0, 1.1, NAN, None), lambda x: wb.judge.sampled_regret_bound(TREE, 10, x), "rho"),
        *each((None, 5), lambda x: wb.judge.trained_exploitability(UNIFORM, seeds=x), "seeds"),
        *each((wb.exploitability, wb.gains), lambda x: x(FORGETFUL), "lift"),
        (lambda: wb.best_response(FORGETFUL, 0), "lift"),
    ],
    "tournaments": [
        *each(([UNIFORM], {}), wb.tournament, "names"),
        (lambda: wb.tournament({"a": UNIFORM, "b": uniform("leduc")}), "leduc"),
        (lambda: wb.tournament({"a": UNIFORM, "b": 3}), "Strategy"),
        (lambda: wb.tournament(dict.fromkeys("ab", uniform("odd_one_out"))), "3"),
        (lambda: wb.standings({"only": UNIFORM}), "needs 2"),
        (lambda: wb.standings(PAIR, scoring="runoff"), "scoring"),
        *each(NO_NUMBERS, lambda x: wb.standings(PAIR, tolerance=x), "tolerance"),
        *each((None, UNIFORM, {"a": [UNIFORM]}, "ab"), lambda x: wb.earnings(UNIFORM, x), "base"),
        *each(([[]], [UNIFORM, None]), lambda x: wb.earnings(UNIFORM, x), "base"),
        (lambda: wb.earnings(uniform("odd_one_out"), [[]]), "2 other"),
        (lambda: wb.earnings(UNIFORM, [[UNIFORM], [3]]), "Strategy"),
        *each(
            (None, {}, [UNIFORM], {"a": UNIFORM}, {"a": PAIR}, FEW), wb.judge.earnings_table, "base"
        ),
    ],
    "matches": [
        *each(NO_DEALS, lambda x: wb.sample_match(PAIR, deals=x), "deals"),
        *each(NO_DEALS[:2], lambda x: wb.judge.sample_tournament(PAIR, deals=x), "deals"),
        *each((1, 10**15), lambda x: play(x, **PAIR), "deals"),
        (lambda: wb.sample_match({**PAIR, "c": UNIFORM}), "2 players"),
        (lambda: wb.judge.sample_tournament({"a": UNIFORM}), "needs 2"),
        (lambda: wb.sample_match(PAIR, duplicate=1), "duplicate"),
        (lambda: wb.sample_match(PAIR, seed=-1), "seed"),
        (lambda: wb.sample_match([UNIFORM, UNIFORM]), "names"),
        (lambda: play(a=UNIFORM), "2 names"),
        (lambda: play(a=UNIFORM, b=3), "Strategy"),
        (lambda: play(a=UNIFORM, b=lambda p, s, a: "x"), "none of"),
        (lambda: play(a=UNIFORM, b=lambda p, s, a: [2.0, -1.0]), "sum"),
        (lambda: play(a=UNIFORM, b=uniform("smuggler")), "made for"),
        *each(([], {}, FEW, NAN, -1, 10**30, True, KUHN, ["a"]), wb.load_game, "name"),
        (lambda: wb.load_game("\ud800"), "no game"),
    ],
    "solving": [
        *each((2**63, LONG, -1, 1.5, True, "x", None), lambda x: solve(seed=x), "seed"),
        *each((HUGE, LONG), lambda x: solve(target=x), "target"),
        *each((LONG, 10**15 + 1), lambda x: solve(iterations=x), "iterations"),
        *each((solve, "x"), lambda x: solve(start=x), "start"),
        (lambda: average(TREE, solve()), ""),
        *each(("a\0b", "", "\ud800"), lambda x: solve(store=x), ""),
        *each(("yes", lambda done: None), lambda x: solve(progress=x), "progress"),
        *each(({}, itertools.count(1)), lambda x: solve(checkpoints=x), "checkpoints"),
        *each((int, lambda seen: seen), lambda x: solve(abstraction=x), ""),
        (lambda: wb.solve(Matrix("big", [[1e308, -1e308], [-1e308, 5]]), iterations=100), ""),
        *each(("crf+", S.CFRPlus), lambda x: solve(solver=x), "solver"),
        (lambda: find_solver(7), "solver"),
        *each((0, 2.5), lambda x: wb.iterate(TREE, "cfr", every=x), "every"),
        (lambda: S.CFR(engine="abacus"), "engine"),
        (lambda: S.CFR(alternating="no"), "alternating"),
        *each((NAN, "1", HUGE), lambda x: S.DCFR(alpha=x), "alpha"),
        (lambda: S.DCFR(gamma=1000), "gamma"),
        *each((0.0, 1.5, NAN, "x"), lambda x: S.OutcomeSampling(epsilon=x), "epsilon"),
        *each((None, 1), lambda x: S.ChanceSampling(linear=x), "linear"),
        (lambda: S.ExternalSampling(average_at="me"), "average_at"),
        (lambda: S.ExternalSampling(opponent="x"), "opponent"),
        (lambda: wb.iterate(forgetful(), S.CFR(engine="sequence")), "recall"),
        (lambda: wb.iterate(forgetful(), "lp"), "recall"),
        (lambda: wb.solve(wb.load_game("forgetful"), iterations=10, target=0.1), "target"),
        *each(("lp", S.CFR(engine="tree")), lambda x: wb.iterate(HOLDEM, x), "take cfr+"),
        (lambda: wb.iterate(SMALL, S.ExternalSampling(opponent="average")), "take cfr+"),
        (lambda: wb.iterate(HOLDEM, "cfr+"), "public_game"),
        (lambda: wb.iterate(tree("odd_one_out"), "lp"), "two-player"),
        *each(("gift", "prisoners_dilemma"), lambda x: wb.iterate(tree(x), "lp"), "zero-sum"),
        *each(("regret", "strategy_sum"), lambda x: replace(START, **{x: np.zeros(3)}), "shape"),
        *each((np.zeros(3, np.uint64), np.zeros(4)), lambda x: replace(START, rng=x), "rng"),
    ],
    "first-order methods": [
        *each((-1.0, 0.0, NAN, "much"), lambda x: S.EGT(mu=x), "mu"),
        (lambda: S.EGT(prox="l1"), "prox"),
        (lambda: S.EGT(balanced=1), "balanced"),
        (lambda: wb.Experiment("kuhn", solver="egt", settings={"pox": "l1"}), "did you mean"),
        (lambda: wb.Experiment("kuhn", solver=FIRST[1], settings={"mu": 1}), "no settings"),
        *each(FIRST[:2], lambda x: wb.solve(wb.load_game("leduc", players=3), x, 1), "3 players"),
        *each((*FIRST, "cfr+", "lp"), lambda x: wb.solve(HOLDEM3, x, 1), "external-sampling"),
        (lambda: wb.solve(wb.load_game("prisoners_dilemma"), "egt", 1), "zero-sum"),
        *each(FIRST, lambda x: wb.solve(wb.load_game("forgetful"), x, 1), "forgets"),
        *each(FIRST, lambda x: wb.solve(SMALL, x, 1, abstraction=no_memory()), "forgets"),
        *each(("cfr+", *FIRST[1:]), lambda x: solve(solver="egt", start=after(x)), "of its own"),
        (lambda: solve(solver=S.EGT(prox="euclidean"), start=after("egt")), "of its own"),
        (lambda: wb.solve(SMALL, "egt", 3, start=after("cfr+", SMALL)), "of its own"),
    ],
    "sweeps and stores": [
        *each((["kuhn"], 3), lambda x: wb.sweep(x, store="runs"), "Experiments"),
        *each((0, None, 1.5), lambda x: wb.sweep([], store="runs", workers=x), "workers"),
        (lambda: wb.sweep([], store="runs", retries=-1), "retries"),
        *each((1, [], NAN), wb.Store, "folder"),
    ],
    "exercises": [
        *each((None, 5, [], b"01", "", "a\0.toml", "x" * 5000 + ".toml"), wb.exercises.load, ""),
        (lambda: Q("Who?", "she", options=("he", "it")), "options"),
        (lambda: Q("Who?", "she"), "options"),
        (lambda: Q("How many?", 200), "between"),
        (lambda: Q("How many?", 5, step=0), "step"),
        (lambda: Q("How many?", 20, log=True), "low"),
    ],
    "experiments": [
        (lambda: wb.Experiment.from_toml("nowhere.toml"), "No such file"),
        (lambda: wb.Experiment(KUHN, options={"cards": 3}), "options"),
        (lambda: wb.Experiment("kuhn", solver=S.DCFR(), settings={"alpha": 1.0}), "settings"),
        *each((None, 3), wb.Experiment, "game"),
        (lambda: wb.Experiment("leduc", abstraction=same("kuhn")).problem(), "another"),
        *each((["seed"], {"seed": []}), lambda x: wb.grid(game="kuhn", over=x), ""),
        *each((itertools.count(), 3), lambda x: wb.grid(game="kuhn", over={"seed": x}), ""),
        (lambda: wb.grid(game="kuhn", over=dict.fromkeys(("seed", "target"), range(10**4))), ""),
        (lambda: wb.Experiment("kuhn", sovler="cfr"), "solver"),
        (lambda: wb.Experiment(), "game"),
        (lambda: wb.Experiment("kuhn", game="leduc"), "game"),
        (lambda: wb.Experiment("kuhn", iterations=10**15, checkpoints=10), "checkpoints"),
        *each(("options", "settings"), lambda x: wb.Experiment("kuhn", **{x: {5: 5}}), ""),
    ],
    "abstraction": [
        *each((["no", "label"], (["no"], ["p", "b"]), ("x", [["a"], ["b"]])), answered, "hashable"),
        *each((("x", ["a"]), ("x", ["a", "b", "c"])), answered, "names"),
        (lambda: answered(("x", [None, None])), "left out"),
        *each(("ac", "aa"), lambda x: answered(("x", [*"ab"]), ("x", [*x])), "merge"),
        (lambda: wb.abstract(tree("leduc"), lambda p, seen, a: seen[0]), "same names"),
        *each(("JQK", "jq-k", "JQ_K"), lambda x: wb.abstract(tree("leduc"), x), "did you mean"),
        (lambda: wb.abstract(TREE, "null"), "no abstractions"),
        *each((3, abs), lambda x: wb.abstract(SMALL, x), "cluster_hands"),
        (lambda: wb.abstract(SMALL, "222", players=0), "everybody"),
        (lambda: wb.solve(SMALL, abstraction=wb.abstract(RHODE, "222")), "another game"),
        (lambda: wb.abstract(tree("leduc"), "JQ-K", players=[2]), "players"),
        (lambda: same("kuhn").gather([1.0, 2.0]), "24"),
        *each((UNIFORM, uniform("leduc"), J_QK, FEW, None), lambda x: jqk().lift(x), ""),
        (lambda: merge_cards("JQ", "QK"), "twice"),
        (lambda: merge_cards("JQ", board="suit"), "board"),
        (lambda: merge_cards(7), "text"),
        (lambda: wb.abstract(tree("leduc"), merge_cards("KA")), "ranks"),
        (lambda: wb.abstract(tree("smuggler"), merge_cards("JQ")), "Kuhn"),
        (lambda: wb.abstract(compiled(dealt("9 10 J")), merge_cards("10J")), "in a list"),
        (lambda: wb.abstract(compiled(dealt("Q K X", ranks="QK")), merge_cards("QK")), "'X'"),
        *each((np.zeros(5), np.full(12, NAN)), lambda x: clustered(features=x), "features"),
        *each((-np.ones(12), np.ones(3)), lambda x: clustered(weights=x), "12"),
        *each((2.5, 0, 1), lambda x: clustered(buckets=x), "buckets"),
        (lambda: wb.abstract(tree("leduc"), clustered()), "made for"),
        (lambda: clustered(within="naiv"), "no abstractions"),
        (lambda: wb.abstraction.strength(UNIFORM, tremble=0.0), "tremble"),
    ],
    "hands": [
        *each(([14, 50, 250], [13, 50, 10_000], [13, 30, 20]), lambda x: hands(buckets=x), "too"),
        *each(((13, 0, 50), (13, 5, 2.5), (13, 50), 50), lambda x: hands(buckets=x), "round"),
        *each(("metric", "method", "recall"), lambda x: hands(**{x: "esh"}), ""),
        (lambda: hands(metric="potential", distance="l3"), "distance"),
        (lambda: hands(distance="emd"), "potential"),
        (lambda: hands(metric="potential", method="percentile"), "k-means"),
        *each((5, ["strong"] * 3, [np.zeros(52)] * 3), lambda x: hands(strengths=x), "strengths"),
        (lambda: hands(strengths=strengths(np.zeros((1, 52)), NAN)), "round 2"),
        (lambda: hands(strengths=strengths(np.arange(52.0)[None], 0)), "suits"),
        (lambda: wb.cluster_hands(KUHN, (3,)), "card game"),
        (lambda: wb.gameshrink(wb.load_game("leduc"), lossless="exact"), "lossless"),
        *each((-0.1, NAN), lambda x: wb.gameshrink(wb.load_game("leduc"), threshold=x), "thres"),
        (lambda: wb.gameshrink(wb.load_game("leduc"), lossless="refined", threshold=0.1), "publ"),
        (lambda: wb.gameshrink(KUHN), "card game"),
        (lambda: wb.solve(SMALL, abstraction="2-3"), "2-2-2"),
        *each(([], [((1,),)], [3], [((1,), (2,)), ((1, 2), (3, 4))]), shrunk, "deal"),
        (lambda: shrunk(TWO)(7), "nobody is ever told"),
        (lambda: wb.abstract(tree("leduc"), wb.gameshrink(LEDUC4)), "another game"),
        (lambda: shrunk(TWO, outcome=lambda mine, yours: [mine]), "hashable"),
        *each(("high", int), lambda x: shrunk(TWO, outcome=x), "outcome"),
    ],
    "bets": [
        *each((["pot", -1], [0], ["pott"]), BetSizes, "bet"),
        *each((None, lambda: 1), BetSizes, "sizes"),
        *each(("nearst", ["nearest"], {}), lambda x: BetSizes(["pot"], x), "mapping"),
        (lambda: wb.abstract(tree("leduc"), BetSizes(["pot"])), "different sizes"),
        (lambda: bets(lambda *_: 1 / 0), "ZeroDivisionError"),
        *each((lambda A, B, x: 2, lambda A, B, x: x / 0), mapped, "mapping"),
        (lambda: bets("pot").lift(uniform("no_limit_kuhn", stack=9)), "a strategy of"),
    ],
    "models of opponents": [
        (lambda: Counts(three()), "two players"),
        (lambda: safe_response(three(), 0, 0.1), "two players"),
        (lambda: Adaptive(three().tree), "two players"),
        *each(([], DEALT[:1], [*DEALT, (0, "p")]), played, "not over"),
        *each((DEALT[:1] * 2, [*DEALT, (0, "p"), (1, "p"), (0, "p")]), played, "cannot follow"),
        *each((None, 3, [1], ["Kb"], [(0, "p", 1)]), played, "pairs"),
        (lambda: played([*DEALT, (1, "p"), (0, "p")]), "turn of seat 0"),
        (lambda: played([(0, "Q")]), "turn of chance"),
        (lambda: played([*DEALT, (None, "p")]), "seat"),
        *each((None, -1, 10**6, "x", 0.5), lambda x: Hand.ended(TREE, 0, x), "end of a hand"),
        (lambda: Hand(TREE, 0, np.array([99])), "ends of a hand"),
        (lambda: Counts(UNIFORM).saw(Hand.ended(tree("smuggler"), 0, 0)), "smuggler"),
        (lambda: Types({}), "named strategies"),
        (lambda: Types({"a": UNIFORM}, {"b": 1}), "prior"),
        (lambda: safe_response(UNIFORM, 0, -1), "budget"),
        *each((2.0, FEW, "x"), lambda x: data_biased_response(UNIFORM, 0, x), "confidence"),
        (lambda: Adaptive(KUHN), "compiled"),
        *each((UNIFORM, 3, Counts(uniform("leduc"))), lambda x: Adaptive(TREE, x), "model"),
        (lambda: Adaptive(TREE, Types(PAIR), answer="data-biased"), "counts"),
        (lambda: Adaptive(TREE, budget=None, gifts=True), "gifts"),
    ],
    "searchers": [
        *each((KUHN, as_policy(first)), wb.search.Searcher, "blueprint"),
        (lambda: wb.search.Searcher(three()), "two players"),
        *each((0, -1, 2.5), lambda x: search(depth=x), "depth"),
        *each(("rollout", {}), lambda x: search(leaves=x), "leaves"),
        (lambda: search(leaves={"mine": 1}), "Strategy"),
        (lambda: search(safe=1), "safe"),
        *each(("iterations", "seconds"), lambda x: search(**{x: 0}), ""),
        *each((-1, 99, lambda: 1, lambda *_: 1 / 0), lambda x: search(when=x), "when"),
        *each(("pot", lambda *_: 1 / 0), lambda x: search(listed=x), "listed"),
        (lambda: search(solver="guess"), "solver"),
        (lambda: at_cards(leaves="all"), "tree"),
        *each(({}, {"leduc": 1}), lambda x: at_cards(leaves=x), ""),
        *each((1, None), lambda x: at_cards(listed=lambda *_: True, depth=x), "listed"),
    ],
    "experts": [
        *each(
            (["r", "q"], ["cx"], [("r", "q")], None, [3], ["r", "r"], ["r", "rr"]),
            lambda x: wb.betting_experts(tree("leduc"), x),
            "",
        ),
        *each((["J", "A"], 5, "JQJ"), lambda x: wb.card_experts(tree("leduc"), x), ""),
        *each(("J", int), lambda x: wb.card_experts(tree("leduc"), card=x), "card"),
        *each(("prisoners_dilemma", "odd_one_out"), lambda x: wb.card_experts(tree(x)), "nobody"),
        (lambda: wb.card_experts(tree("toepen", suits=2, ranks=2)), "several"),
        *each((2, -1), lambda x: wb.round_experts(tree("leduc"), x), "round"),
        (lambda: wb.round_experts(tree("leduc"), by_betting="no"), "by_betting"),
        (lambda: wb.round_experts(SMALL, 3), "from 1 to 2"),
        (lambda: wb.round_experts(SMALL, by_betting=False), "no tree"),
        (lambda: wb.round_experts(HOLDEM, 3), "127 at most"),  # of 567
        (lambda: wb.betting_experts(SMALL, ["r"]).of(1), "players=1"),
        *each(("fold", "f"), heads_up, "nobody"),
        *each((9, True), lambda x: heads_up(last_round=x), "last_round"),
        *each(("cr", None), lambda x: experts().only(x), "expert"),
        *each((2, True, [[0]], []), lambda x: experts().of(x), "players"),
        *each((FEW, ["r"], {}), lambda x: experts().number(x), "expert"),
        *each(("ab", None, (1,), ("a", "a"), ("base",), NAME), lambda x: parts(names=x), ""),
        *each((0.7, NAN, 2**40, -(2.0**32)), lambda x: parts(part=np.full(936, x)), "part"),
        *each((np.full(936, 2), np.zeros(3), None, [0, [0, 1]]), lambda x: parts(part=x), ""),
        *each(([10**6], ["x"], None, [[1], [2, 3]], FEW > 0), lambda x: histories({"a": x}), ""),
        (lambda: histories([[1]]), "named"),
        (lambda: GraftingPartition.from_histories(tree("figure1"), {"x": [1, 2]}), "cannot tell"),
        *each(("r", lambda *_: True), named_by, ""),
        *each(([True, False], np.zeros(12)), lambda x: fix(UNIFORM, x), ""),
        *each(({0, 2}, 7), lambda x: fix_players(UNIFORM, x), "players"),
        (lambda: fix_others(UNIFORM, 0).lift(UNIFORM), "lift"),
        (lambda: fix_others(UNIFORM, 0).restrict(uniform("leduc")), "lift the strategy"),
        *each((None, np.full(24, 24)), lambda x: Fixed(UNIFORM, TREE, x), ""),
        *each((None, FEW), lambda x: W.HoldemBuilder(experts=x), ""),
        (lambda: W.HoldemBuilder(deals=FEW), ""),
        *each((10**30, 10), W.HoldemBuilder, "limit"),
        *each(("x", UNIFORM), lambda x: W.HoldemBuilder(house=x), "house"),
    ],
    "stitching": [
        *each(({2}, 5, {True}, {0, "1"}), lambda x: static(players=x), "players"),
        (lambda: static(playerz={0}), "did you mean 'players'?"),
        (lambda: wb.grafts(tree("leduc")), "grafts: missing"),
        (lambda: static(None, abstraction={"R": None}), "did you mean 'r'"),
        *each(("JQK", 3, {"q": None}), lambda x: static(abstraction=x), ""),
        *each((3, FEW), lambda x: static(outside=x), "name"),
        *each(("no", FEW), lambda x: static(unreached=x), "unreached"),
        *each((2, "a", NAN, None), lambda x: static(residual=x), "residual"),
        (lambda: static(solver="cfx"), "solver"),
        (lambda: static(iterations=0), "iterations"),
        (lambda: static(store=5), "folder"),
        (lambda: static(UNIFORM), "leduc"),
        *each(("JQK", 3, np.zeros(3)), static, ""),
        (lambda: static(outside="JQK"), "did you mean"),
        (lambda: static(part=["r"]), "GraftingPartition"),
        (lambda: static(part=wb.betting_experts(TREE, ["b"])), "partition"),
        (lambda: wb.stitching.plan(tree("leduc"), "null", experts().of(1)), "nobody"),
        (lambda: wb.dynamic_experts(tree("leduc"), "JQ", experts()), "abstraction"),
        (lambda: wb.dynamic_experts(tree("leduc"), same("kuhn"), experts()), "kuhn"),
        (lambda: wb.stitching.rebuild_base(tree("leduc"), None, experts(), "JQ-K"), "Strategy"),
        *each((None, [UNIFORM], "r", {"q": UNIFORM}), stitched, "expert"),
        (lambda: stitched({"r": UNIFORM}), "lift"),
        (lambda: on_cards(BOTH, on_cards(BOTH)), "at once"),
        (lambda: on_cards(wb.static_experts, 5), "gameshrink"),
        (lambda: on_cards(wb.dynamic_experts, solver="lp"), "or the tree"),
        *each((None, "null"), lambda x: holdem_experts(0, abstraction=x), "too many hands"),
        (lambda: wb.stitching.expert_sizes(HOLDEM, wb.betting_experts(HOLDEM, "r")), "outside"),
        (lambda: on_cards(wb.grafts), "seated"),
        (lambda: wb.card_experts(SMALL), "no tree"),
        (lambda: wb.stitch(public(), None, {}), "static_experts"),
        (lambda: wb.stitching.resolve_parts(public(), None), "poker.resolve"),
        (lambda: meet(TREE, tree("leduc")), "different games"),
        (lambda: meet(tree("leduc"), jqk().coarse), "lift"),
        (lambda: meet(SMALL, RHODE), "cannot meet"),
        (lambda: meet(SMALL, wb.compile_game(SMALL)), "is of the tree"),
        (lambda: meet(HOLDEM.public_game(ALIKE), FORGETS), "abstraction="),
    ],
    "jam or fold": [
        *each((20, (20, 30, 50), (50, 30), (50, 30, -1)), lambda x: J.Tournament(prizes=x), "priz"),
        *each((2, 2.5), lambda x: J.Tournament(units=x), "units"),
        (lambda: J.Tournament(players=4), "players"),
        *each(((2, 1), 1, {1, 2}), lambda x: J.Tournament(blinds=x), "blind"),
        *each(((3, 3, 4), (9, 0, 0), "333", (4.5, 4.5), {4, 3, 2}), J.Tournament().state, ""),
        *each(((0, 0), (1, -2), 5, (1e308, 1e308)), lambda x: J.icm(x, (1, 0)), ""),
        *each(((20, 30, 50), range(30, 0, -1)), lambda x: J.icm((1,) * len(x), x), ""),
        *each(("", "AK", "AAs", "1Ks", "AKso", 7, None), J.equity, "no hand"),
        *each((("AA", "AA", "AKs"), ()), lambda x: J.equity(*x), ""),
        *each(("vi", "xx"), lambda x: J.solve(J.Tournament(), x), "method"),
        *each(("start", "effort", "equities"), lambda x: J.solve(J.Tournament(), **{x: 5}), ""),
        (lambda: J.solve("nine"), "Tournament"),
        *each(({"inner": -1}, {"inner": 2.5}, {"enough": NAN}), lambda x: Effort(**x), ""),
        (lambda: J.Waiting(players=-3), "players"),
        (lambda: J.jam_fold_gaps(5), "stacks"),
        (lambda: TournamentMatch(4), "TournamentSolution"),
        *each((wb.solve, wb.play.Session, W.PlayTable), lambda x: x(J.Tournament()), "solve it by"),
    ],
    "toepen": [
        *each(("thesis-suits+", "naive+thesis-suits", "losless-suits", 5), toepen, ""),
        (lambda: toepen(wb.toepen.hand_rule(lambda hand, table: [1])), "hashable"),
        (lambda: wb.abstract(TREE, wb.toepen.hand_rule(lambda hand, table: 0)), "kuhn"),
        (lambda: wb.toepen.hand_rule("naive"), "function"),
        (lambda: wb.judge.play_hand(KUHN, [first]), "2 players"),
        (lambda: list(wb.judge.play_hand(KUHN, [lambda *_: "bet", first])), "p, b"),
        (lambda: list(wb.judge.play_hand(KUHN, [None, first])), "send"),
        *each((None, -1, True), lambda x: wb.judge.play_hand(KUHN, [first, first], seed=x), "seed"),
        *each(({3: first}, UNIFORM, 3), lambda x: MATCH.play([first, x, first]), ""),
        (lambda: MATCH.play([first, first]), "3 players"),
        (lambda: ToepenMatch(bound=0), "bound"),
        (lambda: wb.toepen.solve_match(MATCH.rules), "a match"),
        (lambda: ToepenMatch(KUHN), "Toepen"),
        (lambda: wb.judge.decider(UNIFORM)(0, "X", ("p", "b")), "'X'"),
    ],
    "ranges, dominance, grafts": [
        (lambda: wb.theory.equilibrium_range(same("odd_one_out")), "two players"),
        (lambda: wb.theory.equilibrium_range(same("prisoners_dilemma")), "zero-sum"),
        (lambda: wb.theory.equilibrium_range(answered(("x", ["p", None]))), "learnt_equilibria"),
        *each(NO_NUMBERS, lambda x: wb.theory.equilibrium_range(jqk(), slack=x), "slack"),
        (lambda: wb.theory.equilibrium_range(jqk(), seed=0.5), "seed"),
        (lambda: wb.theory.equilibrium_range(jqk(), tries=0), "tries"),
        # at once, not only when somebody asks for the first
        (lambda: wb.theory.learnt_equilibria("x", iterations=3), "abstraction"),
        (lambda: wb.theory.learnt_equilibria(jqk(), "cfx", iterations=3), "solver"),
        (lambda: wb.theory.learnt_equilibria(jqk(), iterations=0), "iterations"),
        (lambda: wb.theory.learnt_equilibria(jqk(), iterations=3, seeds=0), "seeds"),
        (lambda: wb.judge.dominated_mass(uniform("odd_one_out")), "two players"),
        (lambda: wb.theory.count_pure_strategies(TREE, reduced=FEW), ""),
        (lambda: grafted(0, players=3), "two players"),
        (lambda: grafted(2), "0 to 1"),
    ],
    "one information set": [
        *each((12, "X", ["J"]), lambda x: wb.judge.look(UNIFORM, x), ""),
        (lambda: wb.judge.look(UNIFORM, "J", []), "players"),
        (lambda: thesis_example("3.2.3"), "did you mean"),
        (lambda: update_at(TREE, S.CFR(), *steps(2), 0), "apart"),
        (lambda: update_at(TREE, S.ExternalSampling(), *steps(1), 0), "external-sampling"),
        *each(((None, "J", "pb"), (0, "J", None)), lambda x: few_walks().knows(*x), ""),
        *each(([["p"], ["b"]], NAME), lambda x: few_walks().probabilities(0, "J", x), ""),
    ],
    "responses": [
        *each((*NO_NUMBERS, 1.5), lambda x: wb.theory.restricted_response(UNIFORM, 0, x), "p must"),
        (lambda: wb.theory.exploitation_frontier(UNIFORM, 0, 0.5), "several"),
        (lambda: wb.theory.restricted_response(UNIFORM, 0, 0.5, "cfr+"), "how long"),
        (lambda: wb.theory.restricted_response(uniform("odd_one_out"), 0, 0.5), "two players"),
        (lambda: wb.judge.trained_response(UNIFORM, 0, "cfr", iterations=0), "iterations"),
        (lambda: wb.judge.trained_response(uniform("leduc"), 0, start=START), "another"),
    ],
    "sampling from the rules": [
        *each((-1, 0), lambda x: sampled(iterations=x), "iterations"),
        (lambda: sampled(start="run.npz"), "start"),
        (lambda: sampled(memory=1.5), "memory"),
        *each(("JQK", 3), lambda x: sampled(abstraction=x), "abstraction"),
        (lambda: sampled(abstraction=lambda p, s, a: ("x", ["a"])), "name"),
        (lambda: wb.judge.estimate_exploitability(KUHN, UNIFORM, deals=1), "whole number"),
        (lambda: wb.judge.estimate_exploitability(KUHN, "bold"), "Strategy"),
        (lambda: wb.compile_game(wb.load_game("leduc"), max_histories=100), "sample_rules"),
    ],
    "pictures": [
        *each(([], {"cfr": []}, [3], 5), P.plot_convergence, ""),
        *each((trace()[["iteration"]], trace()[:0]), P.plot_convergence, "exploitability"),
        (lambda: P.plot_convergence(trace(), x="second"), "seconds"),
        (lambda: P.plot_convergence(trace(), y="expl"), "exploitab"),
        (lambda: P.plot_convergence(trace(), scale=0.0), "scale"),
        (lambda: P.plot_convergence(trace(), "left"), "Axes"),
        (lambda: P.plot_regret(regrets().drop(columns="bound")), "bound"),
        (lambda: P.plot_gaps({}), "nothing"),
        (lambda: P.plot_ranges({"a": [1]}, marks={"b": 1.0}), "row 'b'"),
        (lambda: P.plot_ranges({}), "row"),
        (lambda: P.plot_tradeoff(WAYS, stairs={"x": ["bas"]}), "base"),
        (lambda: P.plot_tradeoff({"a": []}), "way"),
        *each((CROSS[::-1], wb.standings(PAIR)), P.plot_tournament, "same players"),
        (lambda: P.plot_strategy_map(UNIFORM, player=2), "players"),
        (lambda: P.plot_strategy_map(UNIFORM, where=lambda player, seen: False), "left"),
        (lambda: P.plot_partition(wb.card_experts(tree("leduc"))), "cards"),
        (lambda: P.plot_partition(experts(), fixed={1}), "cards"),
        (lambda: P.plot_partition(experts(players=3, suit_isomorphism=True)), "picture"),
        (lambda: P.plot_game_tree(tree("leduc", suit_isomorphism=True)), "depth"),
        (lambda: P.plot_game_tree(TREE, strategy=uniform("figure1")), "strategy"),
        (lambda: P.plot_game_tree(TREE, abstraction=same("figure1")), "abstraction"),
        (lambda: P.plot_game_tree(TREE, highlight={"JX"}), "JX"),
        (lambda: P.plot_game_tree(TREE, shade={"oops": {"JX"}}), "JX"),
        (lambda: P.plot_game_tree(TREE, root=99), "99"),
        (lambda: P.plot_game_tree(TREE, highlight="JQ"), "set"),
        (lambda: P.plot_game_tree(TREE, depth=-1), "depth"),
        (lambda: W.GameBrowser(TREE, {"x": uniform("leduc")}), "leduc"),
        *each(("kuhn", "rock_paper_scissors"), W.SmoothingPanel, "two moves"),
        (lambda: W.SmoothingPanel("biased_pennies", mu=-1.0), "mu"),
        (lambda: W.AbstractionExplorer("limit_holdem", options={"players": 3}), "two players"),
        (lambda: W.AbstractionExplorer("limit_holdem", abstraction="3333"), "buckets of hands"),
    ],
    "card games": [
        *each((26, 50, 1100), lambda x: wb.load_game("no_limit_kuhn", stack=x), "raises=1"),
        *each((RHODE, HOLDEM), wb.compile_game, "buckets"),
        (lambda: wb.load_game("rhode_island", ranks=3, suits=1), "4"),
        *each(("lp", "chance-sampling"), lambda x: wb.solve(RHODE, x), "cfr+"),
        (lambda: wb.solve(RHODE, abstraction=lambda *seen: seen), "histories"),
        (lambda: wb.solve(RHODE, abstraction="nonsense"), "13-50-250"),
        (lambda: public().at(("A♥", "", ""), 7), "not 7"),
        *each((LEDUC4, RHODE), lambda x: wb.solve(x, abstraction=HandBuckets.lossless(SMALL)), ""),
        (lambda: HoldemBuckets(HOLDEM, [([0], [[5]])]), "4"),
        (lambda: HoldemBuckets(HOLDEM, [([0], [[5]])] * 4), "2 buckets"),
        *each((wb.gameshrink, HandBuckets.lossless), lambda x: x(HOLDEM), "many hands"),
        (lambda: FORGETS.buckets.parents(1), "forget what"),
        *each(([1, 2, 3], [1, 1, 2, 3, 4], [1, 2, 3, 4, 52], 3, [[1]] * 5), strength_of, "five"),
        *each((["rx"], ["ff"], ["r", "rf"]), lambda x: wb.betting_experts(HOLDEM3, x), ""),
        (lambda: wb.solve(HOLDEM3, "external-sampling", 1), "169-3-3-3"),
        (lambda: HOLDEM3.public_game(ALIKE), "no buckets"),
        *each(("AhKdQs2c", "AhAhQs"), lambda x: answer_flop(caller(), x), ""),
        (lambda: FixedOpponent(UNIFORM), "limit Hold'em"),
        (lambda: wb.solve(HOLDEM, "cfr+", 1, abstraction=FORGETS.buckets), "external-sampling"),
        (lambda: FixedOpponent(FORGETS.normalised(np.ones(FORGETS.num_choices))), "forget"),
        (lambda: summed(FixedOpponent(caller()), drawn_flops(5), {}), "missing"),
        (lambda: drawn_flops(30_000), "flops"),
    ],
    "endgames": [
        (lambda: resolve(public(), "A♥", "cc/rc/"), "round 3, whose board has 2 cards"),
        *each(((b"Ah", "cc/"), ("Ah", b"cc/")), lambda x: resolve(public(), *x), ""),
        (lambda: resolve("coarse", "A♥ K♥", "cc/rc/"), "on cards"),
        (lambda: resolve(UNIFORM, "", "p"), "resolve_parts"),
        *each(("cc/rc", "cc/x/"), river, "leads to no decision"),
        (lambda: river(3), "betting must be a str"),
        (lambda: river("cc/rc/", iterations=0), "iterations"),
        (lambda: river("cc/rc/", tremble=1), "tremble"),
        (lambda: river("cc/rc/", solver="lp"), "take cfr"),
        (lambda: wb.poker.resolve_all(public(), rounds=4), "rounds"),
        (lambda: wb.poker.resolve_all(public(), safe="yes"), "safe"),
        (lambda: first_phase(SMALL, rounds=3), "rounds"),
        (lambda: first_phase(SMALL, leaves="stats"), "rollout"),
        (lambda: first_phase(SMALL, leaves=public()), "no strategy of"),
        (lambda: first_phase(KUHN), "card games"),
        (lambda: first_phase(HOLDEM), "each pair of hands"),
        (lambda: resolve(caller(), "AhKhQd", "cc/"), "four or"),
        (lambda: resolve(caller(), "AhKhQd2c2d", "cc/cc/cc/", iterations=1).strategy, "no memory"),
        (lambda: wb.solve(RHODE, iterations=1, start=after("cfr+", SMALL)), "another game"),
    ],
    "cards of Hold'em": [
        *each(("AhAh", (0, 0)), strength, "twice"),
        *each(("", "Ah", "AhKhQh"), strength, "two cards"),
        *each(("ah10", "AhKx", ("Ah", "Kh"), (0, 52), (-1, 3), (NAN, 3)), strength, "this deck"),
        *each(((0.5, 3), (True, 3), (10**30, 3)), strength, "this deck"),
        *each((5, None), strength, "numbers, or one text as 'AhKh', not"),
        *each(("Qs", "Qs2c", "Qs2c3d4h5s6s"), lambda x: strength("AhKh", x), "four or five"),
        *each(("QsQs2c", "KhQs2c", NAN), lambda x: strength("AhKh", x), ""),
        *each(("AhAh", "Ah", "AhKx", None, (0, 52)), ALIKE.sequence, ""),
        (lambda: ALIKE.sequence("AhKh", "KhQs2c"), "share"),
        *each(("Qs2c", "Qs2c3d4h5s6s"), ALIKE.chart, "four or five"),
        (lambda: P.plot_bucket_chart("3333"), "buckets"),
        (lambda: answer_flop(opponent_named(HOLDEM, "uniform"), None), "None"),
        (lambda: answer_flop(None, "QhJh2c"), "strategy"),
        (lambda: opponent_named(HOLDEM3, "uniform"), "two players"),
        *each((None, KUHN), lambda x: opponent_named(x, "uniform"), "limit"),
        *each(("always-rise", []), lambda x: opponent_named(HOLDEM, x), "no opponent"),
        *each((4, NAN), lambda x: wb.load_game("limit_holdem", players=x), "from 2 to 3"),
        *each((NAN, np.inf), lambda x: intervals([*"ab"], np.array([[1, 0], [2, x]])), "deal 1"),
    ],
    "buckets of Hold'em": [
        *each(((0, 2, 2, 2), (NAN, 2, 2, 2), (True, 2, 2, 2), ("2", 2, 2, 2)), cut, "round 1"),
        *each(((2, 2, 2, -5), (2, 2, 2, 10**30)), cut, "round 4"),
        *each(((2, 2.5, 2, 2), (2, 1_286_793, 2, 2), (2, 57_714, 2, 2)), cut, "round 2"),
        *each(((170, 2, 2, 2), (2, 2, 2, 100_000), (2, 2, 2, 10**15)), cut, "too many"),
        (lambda: cut((2, 2, 42_488, 2), metric="ehs"), "42,487 hands"),
        (lambda: cut((2, 2, 2, 1_951), recall="imperfect"), "1,950 hands"),
        (lambda: cut((2, 2, 2, 3_901), method="k-means"), "3,900 hands"),
        *each(((2, 2, 2), "2222", None, 3), cut, "4"),
        *each(("metric", "method", "recall"), lambda x: cut((2,) * 4, **{x: "median"}), ""),
        (lambda: cut((2,) * 4, metric="potential", method="k-means"), "imperfect"),
        (lambda: cut((2,) * 4, strengths=[1]), "strengths"),
        *each((0, -3, NAN, np.inf, "much"), lambda x: wb.fit_buckets(HOLDEM, x), "limit"),
        (lambda: wb.fit_buckets(HOLDEM, 6_377), "6,378"),
        (lambda: wb.fit_buckets(HOLDEM, 20, "dynamic"), "too small"),
        (lambda: wb.fit_buckets(HOLDEM, 10**15), "55,190,538"),
        (lambda: wb.fit_buckets(HOLDEM, 10**6, "S=M"), "method"),
        (lambda: wb.fit_buckets(HOLDEM, 10**6, most=NAN), "most"),
        *each(
            ([], 5, ["rz"], ["r", "rr"], ["r/c"], ["rc//r"], ["rcr", "rc/r"]),
            lambda x: wb.fit_buckets(HOLDEM, 10**6, "S=N", experts=x),
            "",
        ),
        *each((wb.load_game("leduc"), HOLDEM3), lambda x: wb.fit_buckets(x, 10**6), ""),
        *each(
            (None, "333", "", "2-2", "JQ-K", "٣333", "3033", "170-3-3-3", (3,) * 4),
            lambda x: wb.solve(HOLDEM, iterations=1, abstraction=x),
            "",
        ),
        *each((4, NAN), lambda x: ALIKE.sizes(x), "from 0 to 3"),
        *each((wb.static_experts, wb.dynamic_experts), without_cr, "'cr' has none"),
        *each((7, (), {0, "1"}, [[0]], {True}, {1.0}), holdem_experts, "some of 0 to 1"),
    ],
    "classes, sessions, reports": [
        *each((5, FEW), wb.classroom, ""),
        (lambda: wb.classroom(name=FEW), ""),
        (lambda: wb.exercises.hand_in(5), ""),
        (lambda: wb.exercises.hand_in(".", name=FEW), ""),
        *each((5, [5], NAME, b"x"), wb.exercises.read_hand_ins, ""),
        (lambda: session(abstraction=7), ""),
        (lambda: session(seed=10**30), "seed"),
        (lambda: wb.write_report(None), ""),
        (lambda: wb.to_efg(KUHN), "compiled"),
        (lambda: W.SolverPanel("kuhn", solvers="cfr"), "solvers"),
        *each(("cfr+", "lp"), lambda x: W.SolverPanel(HOLDEM3, solver=x), "external-sampling"),
        *each(({}, 5, ["a", "b"], {"a": 3}, {1: "x", "1": "y"}), W.switch, "option"),
        *each((5, ("A", "B")), lambda x: W.switch({"a": "x"}, label=x), "name"),
        (lambda: W.switch({"a": "x", "b": "y"}, value="c"), "a, b"),
        *each((None, 12), lambda x: worth(UNIFORM, x), ""),
        *each(("equilibrum", "always-rise"), lambda x: session(opponent=x), "there is no"),
        *each((3, "nowhere.npz", uniform("leduc")), lambda x: session(opponent=x), ""),
        (lambda: session(opponent=["uniform", "uniform"]), "1 opponents"),
        *each(("seat", "seed", "match", "iterations"), lambda x: session(**{x: -1}), ""),
    ],
}


@pytest.mark.parametrize("about", REFUSED)
def test_refused(about, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, (attempt, word) in enumerate(REFUSED[about]):
        with pytest.raises(wb.GameError) as caught:
            print(f"row {number}, {word!r}:", attempt())
        said = str(caught.value)
        assert word in said, number
        assert said.isprintable(), number
        assert len(said) < 600, number
        assert not list(tmp_path.iterdir()), number


def test_a_mistake_in_a_students_function_says_where_it_happened():
    def clumsy(player, seen, actions):
        return {"J": "b"}[seen[0]]

    def experts(tree, f):
        return wb.card_experts(tree, card=lambda seen: f(0, seen, ()))

    for ask in (wb.Strategy.from_function, wb.abstract, GraftingPartition.from_function, experts):
        with pytest.raises(KeyError) as caught:
            ask(TREE, clumsy)
        assert any("who has seen ('Q'," in note for note in caught.value.__notes__)


def test_at_prefers_what_was_really_seen():
    two = told(wb.Chance({"1": 0.5, (1,): 0.5}), lambda state: wb.Decision(0, state[0], "lr"))
    sigma = wb.Strategy.from_function(
        wb.compile_game(two), lambda player, seen, actions: "l" if seen == "1" else "r"
    )
    assert sigma.at("1") == {"l": 1.0, "r": 0.0}
    assert sigma.at((1,)) == {"l": 0.0, "r": 1.0}


def test_probabilities_that_nearly_sum_to_one_are_made_to():
    sigma = wb.Strategy.from_function(TREE, lambda player, seen, actions: [0.3333333, 0.6666666])
    assert np.abs(np.add.reduceat(sigma.probs, TREE.first_choice[:-1]) - 1).max() < 1e-15
