"""Where things enter: one clear error for what cannot work, whoever is asked.

A row is what somebody tries, and what the answer must say: what is wrong, where, what next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from tests.lab.plots.test_convergence import regrets, trace
from tests.random_games import forgetful
from tests.test_compiling import told
from workbench.evaluation.tournament import all_seatings
from workbench.games.matrix import Matrix
from workbench.lab.analysis.worked_iteration import thesis_example, update_at
from workbench.solvers.registry import find_solver

KUHN = wb.load_game("kuhn")
TREE = wb.compile_game(KUHN)
UNIFORM = wb.Strategy.uniform(TREE)
PAIR = {"a": UNIFORM, "b": UNIFORM}
NAN = float("nan")
Row = tuple[Callable[[], Any], str]


@cache
def tree(name: str, **options: Any) -> wb.GameTree:
    return wb.compile_game(wb.load_game(name, **options))


def uniform(name: str, **options: Any) -> wb.Strategy:
    return wb.Strategy.uniform(tree(name, **options))


def same(name: str) -> wb.Abstraction:
    return wb.abstract(tree(name), lambda player, seen, actions: seen)


def jqk() -> wb.Abstraction:
    return wb.abstract(tree("leduc"), "JQ-K")


def answered(*answers: Any) -> wb.Abstraction:
    """Kuhn abstracted by a rule that gives the first answer about a Jack, the last about others."""
    return wb.abstract(TREE, lambda player, seen, actions: answers[0 if seen[0] == "J" else -1])


def play(deals: Any = 5, **policies: Any) -> Any:
    return wb.judge.play_match(KUHN, policies, deals=deals)


def clustered(**changes: Any) -> Any:
    return wb.cluster(TREE, **{"features": np.zeros(12), "buckets": 6, **changes})


def sampled(**changes: Any) -> Any:
    return wb.sample_rules(wb.load_game("leduc"), **{"iterations": 3, **changes})


def experts(**options: Any) -> wb.GraftingPartition:
    return wb.betting_experts(tree("leduc", **options), ["r"])


def grafted(player: int, **options: Any) -> Any:
    full = tree("leduc", **options)
    return wb.theory.graft_gains(full, wb.Strategy.uniform(full), experts(**options), player)


def trained(**options: Any) -> Any:
    return wb.judge.trained_response(UNIFORM, 0, **options)


def each(values: tuple[Any, ...], attempt: Callable[[Any], Any], message: str) -> list[Row]:
    """The same attempt with several values."""
    return [(partial(attempt, value), message) for value in values]


S, P = wb.solvers, wb.plots
WAYS = {"base": [(132, 490)], "all": [(186, 151)]}
CROSS = pd.DataFrame([[0.0, 3.0], [-3.0, 0.0]], index=["a", "b"], columns=["a", "b"])
START = S.start_state(TREE)
NO_NUMBERS, NO_DEALS = (-1.0, None, "a", NAN), (1, -3, 2.5, True, None)
SOME = "players must be some of 0 to 1 of 'kuhn'"
RHO = "rho is a probability above 0"
DEALS = "deals must be a whole number of at least 2"
MERGE = r"'Q': label 'x' would merge actions \['a', 'c'\] with \['a', 'b'\] of 'J'"
LARGE = "more than 200 histories.*pass depth=5.*root='J J c c'"

REFUSED: dict[str, list[Row]] = {
    "trees and strategies": [
        (lambda: wb.Strategy.uniform(KUHN), "a compiled game is needed"),
        (lambda: wb.Strategy.load("x.npz", KUHN), "a compiled game is needed"),
        (lambda: wb.abstract(KUHN, "null"), "a compiled game is needed"),
        (lambda: wb.iterate(KUHN, "cfr"), "a compiled game is needed"),
        (lambda: wb.judge.regret_bound(None, 10), "a compiled game is needed here, not NoneType"),
        (lambda: wb.judge.dominated_choices("kuhn"), "a compiled game is needed"),
        (lambda: wb.exploitability(TREE), "a Strategy is needed"),
        (lambda: wb.best_response(TREE, 0), "a Strategy is needed"),
        (lambda: wb.expected_values(TREE), "a Strategy is needed"),
        (lambda: wb.expected_values([TREE, TREE]), "a Strategy is needed"),
        (lambda: wb.judge.measured_regrets("ab"), "profiles must be a list of strategies"),
    ],
    "evaluation": [
        *each((2, -1, "0", None, 0.5), lambda who: wb.best_response(UNIFORM, who), SOME),
        (lambda: wb.expected_values([UNIFORM]), "'kuhn' has 2 seats, not 1; give one"),
        (lambda: wb.expected_values([UNIFORM] * 3), "'kuhn' has 2 seats, not 3"),
        (lambda: wb.expected_values([]), r"a list of strategies is needed here, .* not \[\]"),
        (lambda: wb.seated({"a": UNIFORM}), "a list of strategies is needed here, .* not dict"),
        (lambda: wb.seated(UNIFORM), "a list of strategies is needed here, .* not Strategy"),
        (lambda: all_seatings(3), "a list of strategies is needed here, .* not int"),
        (lambda: wb.seated([UNIFORM, uniform("leduc")]), "strategy 1 is of 'leduc', strategy 0 of"),
        (lambda: wb.judge.measured_regrets(3), "profiles must be a list of strategies, not 3"),
        (
            lambda: wb.judge.measured_regrets([UNIFORM, uniform("smuggler")]),
            "profile 2 is of another",
        ),
        (
            lambda: wb.judge.regret_bound(TREE, 0),
            "iterations must be a whole number of at least 1, not 0",
        ),
        *each((0.0, -1.0, 1.1, NAN), lambda rho: wb.judge.sampled_regret_bound(TREE, 10, rho), RHO),
        (lambda: wb.judge.sampled_regrets([UNIFORM], 2.0), RHO),
    ],
    "tournaments": [
        (lambda: wb.tournament([UNIFORM]), "needs names"),
        (lambda: wb.tournament({}), "needs names"),
        (lambda: wb.tournament({"a": UNIFORM, "b": uniform("leduc")}), "strategy 1 is of 'leduc'"),
        (lambda: wb.tournament({"a": UNIFORM, "b": 3}), "Strategy is needed"),
        (lambda: wb.tournament(dict.fromkeys("ab", uniform("odd_one_out"))), "3 strategies, not 2"),
        (lambda: wb.standings({"only": UNIFORM}), "a table of 2 needs 2 strategies, not 1; add"),
        (lambda: wb.judge.meetings({"only": UNIFORM}), "a table of 2 needs 2 strategies, not 1"),
        *each(NO_NUMBERS, lambda x: wb.standings(PAIR, tolerance=x), "tolerance must be a number"),
        (lambda: wb.earnings(UNIFORM, [[]]), "a table of 2 needs opponents of 1 other base; "),
        (lambda: wb.earnings(uniform("odd_one_out"), [[]]), "opponents of 2 other bases"),
        (lambda: wb.earnings(UNIFORM, None), "opponents are grouped by base: .* not NoneType"),
        (lambda: wb.earnings(UNIFORM, UNIFORM), "grouped by base: .* not Strategy"),
        (lambda: wb.earnings(UNIFORM, {"a": [UNIFORM]}), "grouped by base: .* not dict"),
        (lambda: wb.earnings(UNIFORM, "ab"), "grouped by base: .* not str"),
        (lambda: wb.earnings(UNIFORM, [UNIFORM, None]), "grouped by base: .* not with NoneType in"),
        (lambda: wb.earnings(UNIFORM, [[UNIFORM], [3]]), "a Strategy is needed here, not int"),
        (lambda: wb.earnings(None, [UNIFORM]), "a Strategy is needed here, not NoneType"),
        (lambda: wb.judge.earnings_table(None), "named inside each base: .* not None"),
        (lambda: wb.judge.earnings_table({}), "named inside each base: .* not {}"),
        (lambda: wb.judge.earnings_table([UNIFORM]), "named inside each base: .* not list"),
        (lambda: wb.judge.earnings_table({"a": UNIFORM}), "base: .*; 'a' has Strategy instead"),
        (lambda: wb.judge.earnings_table({"a": {"c": 1}, "b": PAIR}), "a Strategy is needed here"),
        (lambda: wb.judge.earnings_table({"a": PAIR}), "needs opponents of 1 other base; "),
    ],
    "matches": [
        *each(NO_DEALS, lambda deals: wb.sample_match(PAIR, deals=deals), DEALS),
        *each(NO_DEALS, lambda deals: wb.judge.sample_tournament(PAIR, deals=deals), DEALS),
        *each(NO_DEALS, lambda deals: play(deals, **PAIR), DEALS),
        (lambda: wb.sample_match(PAIR, deals=10**15), "0 deals do not fit into memory"),
        (lambda: wb.sample_match(PAIR, deals=10**25), "deals must be at most 1,000,000"),
        (lambda: wb.judge.sample_tournament(PAIR, deals=10**15), "0 deals do not fit into memory"),
        *each(
            ([], {}, np.zeros(2), np.zeros((2, 2)), NAN, -1, 10**30, True, KUHN, ["a"]),
            wb.load_game,
            "the name of a game must be a text or a Path",
        ),
        (lambda: wb.load_game("\ud800"), "there is no game"),
        *each((np.zeros(2), pd.Series([1])), wb.seated, "a list of strategies is needed"),
        *each((np.zeros(2), pd.Series([1])), wb.judge.earnings_table, "named inside each base"),
        *each((np.zeros(2), ["r"], {}), lambda x: experts().number(x), "there is no expert"),
        *each((np.zeros(2), None, [1], 10**30), lambda x: jqk().lift(x), "a Strategy is needed"),
        *each((10**30,), lambda x: wb.widgets.HoldemBuilder(x), "limit must be at most"),
        (lambda: play(10**15, **PAIR), "1,000,000,000,000,000 deals do not fit into memory"),
        (lambda: wb.sample_match({**PAIR, "c": UNIFORM}), "'kuhn' is for 2 players, not 3"),
        (
            lambda: wb.judge.sample_tournament({"a": UNIFORM}),
            "a table of 2 needs 2 strategies, not 1",
        ),
        (lambda: wb.sample_match(PAIR, duplicate=1), "duplicate must be True or False, not 1"),
        (lambda: wb.sample_match(PAIR, seed=-1), "seed must be a whole number"),
        (lambda: wb.sample_match([UNIFORM, UNIFORM]), "needs names"),
        (lambda: play(a=UNIFORM), "is for 2 players: give a dict with 2 names"),
        (lambda: play(a=UNIFORM, b=3), "b must be a Strategy"),
        (lambda: play(a=UNIFORM, b=lambda p, s, a: "x"), "none of the actions"),
        (lambda: play(a=UNIFORM, b=lambda p, s, a: [2.0, -1.0]), "at least 0 and sum to 1"),
        (lambda: play(a=UNIFORM, b=uniform("smuggler")), "play the game it was made for"),
    ],
    "solvers": [
        (lambda: wb.iterate(TREE, "crf+"), r"no solver 'crf\+'; did you mean 'cfr\+'\?"),
        (lambda: find_solver(7), "is no solver; give settings such as"),
        (lambda: wb.solve(TREE, S.CFRPlus), "is no solver"),
        *each((0, 2.5), lambda x: wb.iterate(TREE, "cfr", every=x), "every must be a whole number"),
        (lambda: S.CFR(engine="gpu"), "engine must be 'auto', 'sequence' or 'tree'"),
        (lambda: S.CFR(alternating="no"), "alternating must be"),
        (lambda: S.DCFR(alpha=NAN), "alpha must be"),
        (lambda: S.DCFR(alpha="1"), "alpha must be a number"),
        (lambda: S.DCFR(gamma=1000), "gamma must be a number from 0"),
        *each((0.0, 1.5), lambda x: S.OutcomeSampling(epsilon=x), "epsilon must be above 0"),
        *each((NAN, "x"), lambda x: S.OutcomeSampling(epsilon=x), "epsilon must be a number"),
        (lambda: S.OutcomeSampling(linear=None), "linear must be True or False"),
        (lambda: S.ChanceSampling(linear=1), "linear must be True or False"),
        (lambda: S.ExternalSampling(average_at="me"), "average_at must be"),
        (lambda: S.ExternalSampling(opponent="x"), "opponent must be 'current'"),
        (lambda: wb.iterate(forgetful(), S.CFR(engine="sequence")), "imperfect recall"),
        (lambda: wb.iterate(forgetful(), "lp"), "imperfect recall"),
        (lambda: wb.iterate(tree("odd_one_out"), "lp"), "lp solves two-player .* is for 3 players"),
        (lambda: wb.iterate(tree("gift"), "lp"), r"'gift' is not zero-sum: try cfr\+"),
        (lambda: wb.iterate(tree("prisoners_dilemma"), "lp"), "'prisoners_dilemma' is not zero"),
        (
            lambda: replace(START, strategy_sum=np.zeros(3)),
            r"strategy_sum of a state has shape \(3",
        ),
        (lambda: replace(START, rng=np.zeros(3, np.uint64)), r"rng of a state has shape \(3,\)"),
        (lambda: replace(START, rng=np.zeros(4)), "type float64; it needs"),
        *each(
            (-1, 1.5, True, "x", None), lambda x: wb.iterate(TREE, "cfr", seed=x), "seed must be"
        ),
    ],
    "abstraction": [
        (lambda: answered(["no", "label"]), r"the label \['no', 'label'\] is not hashable"),
        (lambda: answered((["no"], ["p", "b"])), r"player 0 who has seen 'J': the label \['no'\]"),
        (lambda: answered(("x", ["a"])), r"'J': 1 names \['a'\] for 2 actions \['p', 'b'\]"),
        (lambda: answered(("x", ["a", "b", "c"])), "3 names"),
        (lambda: answered(("x", [None, None])), "every action is left out"),
        (lambda: answered(("x", [["a"], ["b"]])), "not hashable; use strings"),
        (lambda: answered(("x", ["a", "b"]), ("x", ["a", "c"])), MERGE),
        (lambda: answered(("x", [*"ab"]), ("x", [*"aa"])), r"actions \['a'\] with \['a', 'b'\]"),
        (
            lambda: wb.abstract(tree("leduc"), lambda p, seen, a: seen[0]),
            "actions of the same names",
        ),
        *each(
            ("JQK", "jq-k", "JQ_K"), lambda x: wb.abstract(tree("leduc"), x), "'; did you mean 'J"
        ),
        (lambda: wb.abstract(TREE, "null"), "'kuhn' brings no abstractions; give a function"),
        (lambda: wb.abstract(tree("leduc"), "JQ-K", players=[2]), "players must be some of 0 to 1"),
        (lambda: same("kuhn").gather([1.0, 2.0]), "one number for each of the 24 choices"),
        (lambda: jqk().lift(UNIFORM), "lift needs a strategy of the coarse game of 'JQ-K'"),
        (
            lambda: jqk().lift(uniform("leduc")),
            "lift needs a strategy of the coarse game of 'JQ-K'",
        ),
        (lambda: wb.abstraction.merge_cards("JQ", "QK"), "'Q' is named twice"),
        (lambda: wb.abstraction.merge_cards("JQ", board="suit"), "board must be"),
        (lambda: wb.abstraction.merge_cards(7), "a group of ranks is a text"),
        (
            lambda: wb.abstract(tree("leduc"), wb.abstraction.merge_cards("KA")),
            "no 'A' in 'leduc'; its ranks",
        ),
        (
            lambda: wb.abstract(tree("smuggler"), wb.abstraction.merge_cards("JQ")),
            "for games like Kuhn and",
        ),
        (lambda: clustered(features=np.zeros(5)), r"features must be finite .* shape is \(5,\)"),
        (lambda: clustered(features=np.full(12, NAN)), "features must be finite numbers"),
        (lambda: clustered(weights=-np.ones(12)), "12 numbers, one per infoset, none below 0"),
        (lambda: clustered(weights=np.ones(3)), "weights must be 12 numbers"),
        *each(
            (2.5, 0), lambda x: clustered(buckets=x), "buckets must be a whole number of at least"
        ),
        (lambda: clustered(buckets=1), "1 buckets are too few: 'same_actions' keeps 2 kinds"),
        (lambda: clustered(within="naiv"), "'kuhn' brings no abstractions"),
        (lambda: wb.abstraction.strength(UNIFORM, tremble=0.0), "tremble must be above 0"),
    ],
    "matrices": [
        (lambda: Matrix("g", []), "payoffs must be a rectangle with at least one cell"),
        (lambda: Matrix("g", [[1, 2], [3]]), r"not rows of lengths \[2, 1\]"),
        (lambda: Matrix("g", [[1, NAN]]), "every number in payoffs must be finite"),
        (lambda: Matrix("g", [["one"]]), "payoffs must be a list of rows of numbers"),
        (lambda: Matrix("g", 3), "payoffs must be a list of rows of numbers"),
        (lambda: Matrix("g", [[1, 2]], ["a", "b"]), r"1 rows and row_actions is \['a', 'b'\]"),
        (lambda: Matrix("g", [[1, 2]], ["a"], ["x", "x"]), "give every column its own name"),
        (lambda: Matrix("g", [[1, 2]], "a", "xy", [[1], [2]]), "1 x 2 but column_payoffs is 2 x 1"),
    ],
    "ranges, dominance, grafts": [
        (
            lambda: wb.theory.equilibrium_range(same("odd_one_out")),
            "equilibrium_range is for two players",
        ),
        (lambda: wb.theory.equilibrium_range(same("prisoners_dilemma")), "is not zero-sum"),
        (
            lambda: wb.theory.equilibrium_range(
                wb.abstract(TREE, lambda p, seen, a: (seen, ["p", None]))
            ),
            "leaves out actions.*learnt_equilibria",
        ),
        *each(
            NO_NUMBERS,
            lambda x: wb.theory.equilibrium_range(jqk(), slack=x),
            "slack must be a number",
        ),
        (
            lambda: wb.theory.equilibrium_range(jqk(), seed=0.5),
            "seed must be a whole number of at least 0",
        ),
        (
            lambda: wb.theory.equilibrium_range(jqk(), tries=0),
            "tries must be a whole number of at least 1",
        ),
        # at once, not only when somebody asks for the first
        (
            lambda: wb.theory.learnt_equilibria("x", iterations=3),
            "an abstraction of a tree is needed",
        ),
        (
            lambda: wb.theory.learnt_equilibria(jqk(), "cfx", iterations=3),
            "there is no solver 'cfx'",
        ),
        (
            lambda: wb.theory.learnt_equilibria(jqk(), iterations=0),
            "iterations must be a whole number",
        ),
        (
            lambda: wb.theory.learnt_equilibria(jqk(), iterations=3, seeds=0),
            "seeds must be a whole number",
        ),
        (
            lambda: wb.judge.dominated_mass(uniform("odd_one_out")),
            "dominated_choices is for two players",
        ),
        (lambda: grafted(0, players=3), "two players and zero sum"),
        (lambda: grafted(2), "some of 0 to 1"),
    ],
    "one information set": [
        (lambda: wb.judge.look(UNIFORM, 12), "12 information sets, no number 12"),
        (lambda: wb.judge.look(UNIFORM, "X"), "has seen 'X'"),
        (lambda: wb.judge.look(UNIFORM, ["J"]), r"a text or a tuple, not \['J'\]"),
        (
            lambda: wb.judge.look(UNIFORM, "J", []),
            r"players must be some of 0 to 1 of 'kuhn', not \[\]",
        ),
        (lambda: thesis_example("3.2.3"), "did you mean"),
        (lambda: update_at(TREE, S.CFR(), *steps(2), 0), "one iteration apart, not 2"),
        (lambda: update_at(TREE, S.ExternalSampling(), *steps(1), 0), "external-sampling walks at"),
    ],
    "responses": [
        *each(
            (*NO_NUMBERS, 1.5),
            lambda p: wb.theory.restricted_response(UNIFORM, 0, p),
            "p must be a num",
        ),
        (
            lambda: wb.theory.exploitation_frontier(UNIFORM, 0, 0.5),
            r"are several, like .* not 0\.5",
        ),
        (
            lambda: wb.theory.restricted_response(UNIFORM, 0, 0.5, "cfr+"),
            r"cfr\+ learns: say for how long",
        ),
        (lambda: wb.theory.restricted_response(UNIFORM, 2, 0.5), SOME),
        (
            lambda: wb.theory.restricted_response(uniform("odd_one_out"), 0, 0.5),
            "is for two players",
        ),
        (lambda: wb.judge.trained_response(UNIFORM, 5, "cfr"), f"{SOME}, not 5"),
        (
            lambda: wb.judge.trained_response(UNIFORM, 0, "cfr", iterations=0),
            "iterations must be a whole",
        ),
        (lambda: trained(start=S.start_state(tree("leduc"))), "start is a state of another game"),
    ],
    "sampling from the rules": [
        (lambda: sampled(iterations=-1), "iterations must be"),
        (lambda: sampled(iterations=0), "iterations must be"),
        (lambda: sampled(start="run.npz"), "start must be a sampled run"),
        (lambda: sampled(memory=1.5), "memory must be"),
        (lambda: sampled(seed=-3), "seed must be"),
        (lambda: sampled(abstraction="JQK"), "did you mean"),
        (lambda: sampled(abstraction=3), "abstraction must be"),
        (lambda: sampled(abstraction=lambda p, s, a: ("x", ["a"])), "one name for each is needed"),
        (lambda: wb.judge.estimate_exploitability(KUHN, UNIFORM, iterations=-1), "whole number"),
        (lambda: wb.judge.estimate_exploitability(KUHN, UNIFORM, deals=1), "whole number"),
        (lambda: wb.judge.estimate_exploitability(KUHN, UNIFORM, seed=None), "whole number"),
        (lambda: wb.judge.estimate_exploitability(KUHN, "bold"), "must be a Strategy"),
        (lambda: wb.compile_game(wb.load_game("leduc"), max_histories=100), r"wb\.sample_rules"),
    ],
    "pictures": [
        (lambda: P.plot_convergence([]), "no runs to plot"),
        (lambda: P.plot_convergence({"cfr": []}), "no runs to plot under 'cfr'"),
        (lambda: P.plot_convergence([3]), "run: a run or its trace is needed, not int"),
        (lambda: P.plot_convergence(trace()[["iteration"]]), "no column 'exploitability'"),
        (lambda: P.plot_convergence(trace()[:0]), "no exploitability at a positive iteration"),
        (lambda: P.plot_convergence(trace(), x="second"), "did you mean 'seconds'"),
        (lambda: P.plot_convergence(trace(), y="expl"), "no y column 'expl'; there are 'exploitab"),
        (
            lambda: P.plot_convergence(trace(), scale=0.0),
            "scale must be a positive number, not 0.0",
        ),
        (lambda: P.plot_convergence(trace(), "left"), "ax must be one matplotlib Axes, not str"),
        (lambda: P.plot_regret(regrets().drop(columns="bound")), "no column 'bound'"),
        (lambda: P.plot_gaps({}), "nothing to draw"),
        (lambda: P.plot_ranges({"a": [1]}, marks={"b": 1.0}), "no row 'b'; Rows: a"),
        (lambda: P.plot_ranges({}), "at least one row"),
        (lambda: P.plot_tradeoff(WAYS, marks={"bas": 1.0}), "no way 'bas'; did you mean 'base'"),
        (lambda: P.plot_tradeoff(WAYS, stairs={"x": ["best"]}), "no way 'best'; Ways: base, all"),
        (lambda: P.plot_tradeoff({"a": []}), "at least one way"),
        (lambda: P.plot_tournament(CROSS[::-1]), "same players in its rows and columns"),
        (lambda: P.plot_tournament(wb.standings(PAIR)), "same players in its rows and columns"),
        (lambda: P.plot_strategy_map(UNIFORM, player=2), "players must be some of 0 to 1"),
        (lambda: P.plot_strategy_map(UNIFORM, where=lambda player, seen: False), "is left to draw"),
        (
            lambda: P.plot_partition(wb.card_experts(tree("leduc"))),
            r"after .* depends on the cards",
        ),
        (lambda: P.plot_partition(experts(), fixed={1}), "a tree of bets has no cards"),
        (lambda: P.plot_partition(experts(players=3)), "more than one picture can show"),
        (lambda: P.plot_game_tree(tree("leduc", suit_isomorphism=True)), LARGE),
        (lambda: P.plot_game_tree(TREE, strategy=uniform("figure1")), "strategy belongs to"),
        (lambda: P.plot_game_tree(TREE, abstraction=same("figure1")), "abstraction belongs to"),
        (lambda: P.plot_game_tree(TREE, highlight={"JX"}), "no history 'JX'; after 'J' come Q, K"),
        (lambda: P.plot_game_tree(TREE, shade={"oops": {"JX"}}), "no history 'JX'"),
        (lambda: P.plot_game_tree(TREE, root=99), "no number 99"),
        (lambda: P.plot_game_tree(TREE, highlight="JQ"), "give a set of histories"),
        (lambda: P.plot_game_tree(TREE, depth=-1), "depth must be at least 0"),
    ],
}


def steps(iterations: int) -> tuple[Any, Any]:
    """The states before and after so many iterations of CFR."""
    return START, S.CFR().advance(TREE, START, iterations)


@pytest.mark.parametrize(("attempt", "message"), [row for rows in REFUSED.values() for row in rows])
def test_refused(attempt: Callable[[], Any], message: str) -> None:
    with pytest.raises(wb.GameError, match=message):
        attempt()


def test_a_mistake_in_a_students_function_says_where_it_happened() -> None:
    def clumsy(player: int, seen: Any, actions: Any) -> Any:
        return {"J": "b"}[seen[0]]

    for ask in (wb.Strategy.from_function, wb.abstract):
        with pytest.raises(KeyError) as caught:
            ask(TREE, clumsy)
        assert any("who has seen ('Q'," in note for note in caught.value.__notes__)


def test_at_prefers_what_was_really_seen() -> None:
    two = told(wb.Chance({"1": 0.5, (1,): 0.5}), lambda state: wb.Decision(0, state[0], "lr"))
    sigma = wb.Strategy.from_function(
        wb.compile_game(two), lambda player, seen, actions: "l" if seen == "1" else "r"
    )
    assert sigma.at("1") == {"l": 1.0, "r": 0.0}
    assert sigma.at((1,)) == {"l": 0.0, "r": 1.0}


def test_probabilities_that_nearly_sum_to_one_are_made_to() -> None:
    sigma = wb.Strategy.from_function(TREE, lambda player, seen, actions: [0.3333333, 0.6666666])
    assert np.abs(np.add.reduceat(sigma.probs, TREE.first_choice[:-1]) - 1).max() < 1e-15


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12, 1e15])
def test_lp_is_exact_for_payoffs_of_any_size(size: float) -> None:
    payoffs = np.random.default_rng(0).normal(size=(5, 7)) * size
    game = Matrix("big", payoffs, [*"abcde"], [*"tuvwxyz"])
    assert wb.solve(game, "lp").exploitability < 1e-9 * size


def test_lp_is_not_fooled_by_the_state_of_another_solver() -> None:
    start = wb.solve(TREE, "cfr", 5).state
    assert wb.solve(TREE, "lp", start=start).exploitability < 1e-9


def test_there_is_no_target_without_perfect_recall() -> None:
    """A player who does not remember her own first move."""
    rules = told(wb.Decision(0, 0, "lr"), wb.Decision(0, 0, "lr"))
    assert not wb.compile_game(rules).perfect_recall
    assert wb.solve(rules, "cfr", 10).iterations == 10
    with pytest.raises(wb.GameError, match="target: in 'told' a player forgets"):
        wb.solve(rules, "cfr", 10, target=0.1)


def test_names_that_change_with_the_process_are_no_names() -> None:
    with pytest.raises(wb.GameError, match="no lasting name; use plain values"):
        _ = wb.compile_game(told(wb.Decision(0, object(), "lr"))).fingerprint
