"""What the exercises call true is true: recorded answers, slips and predictions, found again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import hstack

import workbench as wb
from tests.lab.exercises.course import FILES, accepted, judges, solved
from workbench.lab import ledger
from workbench.linear_programs import (
    need_zero_sum,
    payoff_matrix,
    plan_constraints,
    plan_of,
    solve_program,
)
from workbench.passes import reach
from workbench.strategy import normalised

FIRST = ["r", "cr", "ccr", "cccr"]


@pytest.fixture(scope="module")
def by_rank() -> wb.GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


def toepen(suits: int, ranks: int, **options: Any) -> wb.GameTree:
    return wb.compile_game(wb.load_game("toepen", suits=suits, ranks=ranks, hand=2, **options))


def milli(sigma: wb.Strategy) -> float:
    return 1000 * wb.exploitability(sigma)


def test_recorded_numbers_found_another_way(kuhn: wb.GameTree) -> None:
    bold = wb.Strategy.from_function(kuhn, lambda *asked: "b").probs
    owner = np.repeat(kuhn.infoset_player, np.diff(kuhn.first_choice))
    touched = sum(reach(kuhn, np.where(owner == i, 1.0, bold)).sum() for i in (0, 1))
    accepted("03", bound=[wb.judge.regret_bound(kuhn, 10_000)[0] / 3])
    accepted("04", seats=[(-0.22360553, 0.11583184)])  # the LP on both lopsided games
    accepted("05", touches=[touched], outcome=[{"−4": "1/48", "+2": "1/24", "4": "1/48"}])
    enough = 3 * ((1 + 40**0.5) * (131_763 + 245_195)) ** 2
    accepted("08", blind=[0.9 * 50_000 / 0.1], linear=[11 / 36], enough=[enough, "23e12"])
    assert solved("08")[0].factor["2/2/2b"] == 496 / 336  # Table 3.1, and with following suit
    accepted("left-for-later", settle=[[1012, 416, 1054, 415, 1054]])
    accepted(
        "is-that-what-the-paper-says",
        fourth=[{"null": 45.9, "JQ.K": 13.65, "J.Q.K": 11.95, "J.QK": -71.5}],
    )


def test_mixed_labels_counted_again() -> None:
    """Without the notebook's way: a label is mixed if cards and words meet in it."""
    tree = toepen(3, 3, suit_isomorphism=True)
    made = wb.abstract(tree, "simple-history")
    kinds: dict[int, set[bool]] = {}
    for infoset, first in enumerate(tree.first_choice[:-1]):
        place = int(np.searchsorted(made.coarse.first_choice, made.choice_map[first], "right"))
        kinds.setdefault(place, set()).add(tree.actions_at(infoset)[0][-1] in "♠♥♦")
    assert FILES["07"].check_mixed(sum(len(found) == 2 for found in kinds.values()))


def test_no_answer_after_r_is_worse_than_x() -> None:
    names, losses = solved("09")[0], {}
    for pair in ("xx", "xy", "yx", "yy"):

        def expert(player: int, seen: Any, actions: Any, pair: str = pair) -> Any:
            return pair[int(seen[0] == "c")] if player == 1 else "l"

        sigma = wb.Strategy.from_function(names.small, expert)
        losses[pair] = names.loss(wb.stitch(names.base, names.two.only(["r"]), {"r": sigma}))
    assert max(losses.values()) == losses["xx"] == pytest.approx(4 / 3)


def test_no_pair_of_random_plans_is_worse() -> None:
    """The exhaustive search of the solution against climbing from random mixed plans."""
    names, rng, found = solved("11")[0], np.random.default_rng(0), []
    for _ in range(20):
        plans = wb.Strategy.from_function(names.ruin, lambda *_: rng.dirichlet([1, 1]))
        pair = wb.seated([plans, plans, wb.Strategy(names.ruin, names.sigma.probs)])
        for _ in range(6):
            pair = wb.best_response(wb.best_response(pair, 0).strategy, 1).strategy
        found.append(48 * wb.expected_values(pair)[2])
    assert min(found) >= -48 * names.loss(names.most) - 1e-9
    assert FILES["11"].check_worst(min(found))


@pytest.mark.slow  # the solution of 12 is
def test_every_equilibrium_beats_the_field() -> None:
    """Exact, over all equilibria: the least and the most that one wins (said in 12.toml)."""
    names = solved("12")[0]
    field, form = list(names.field.values()), need_zero_sum(names.tree, "this")
    won = np.zeros((2, len(field) + 1))  # least or most; from each of the nine, or from their mean
    poorest = np.zeros(names.tree.num_choices)
    for i in (0, 1):
        e, f, pay = plan_constraints(form, i), plan_constraints(form, 1 - i), payoff_matrix(form, i)
        x, q = e.shape[1], f.shape[0]
        low = np.r_[np.zeros(x), np.full(q, -np.inf)]
        program = {"at_most": hstack([-pay.T, f.T], format="csr"), "equal": e, "low": low}
        low[x] = solve_program(np.eye(1, x + q, x)[0], **program)[0][x] - 1e-9  # an equilibrium
        plans = [plan_of(form, form.plan(sigma.probs), 1 - i) for sigma in field]
        for k, y in enumerate([*plans, np.mean(plans, axis=0)]):
            for row, sign in enumerate((1, -1)):  # the least comes last
                gain = np.r_[sign * (pay @ y), np.zeros(q)]
                plan = solve_program(gain, **program)[0][:x]
                won[row, k] += 250 * (pay @ y) @ plan  # millibets, mean of both seats
        mine = names.tree.choices_of(i)
        poorest[mine.start : mine.stop] = plan[:-1]
    assert won[1, :-1].min() > 5  # so every equilibrium beats all nine
    assert won[:, -1] == pytest.approx([39.9, 23.7], abs=0.1)
    guests = {"poorest": normalised(names.tree, np.maximum(poorest, 0))}
    assert list(wb.standings(names.field | guests).index[:2]) == ["J.Q.K pre-flop", "poorest"]
    for solver in ("lp", "cfr+"):
        guest = {solver: wb.solve(names.tree, solver, 2_000).strategy}
        table = wb.standings(names.field | guest)
        accepted("12", guest=[[1 + table.index.get_loc(solver), table["wins"][solver]]])
    assert 500 * table["winnings"]["cfr+"] == pytest.approx(37, abs=0.5)


@pytest.mark.slow  # the solution of 12 is
def test_grafts_do_not_hang_on_the_number_of_iterations(by_rank: wb.GameTree) -> None:
    how: dict[str, Any] = {"solver": "pcfr+", "iterations": 10_000}
    base = wb.solve(by_rank, abstraction="JQ.K", **how).strategy

    def lost(part: wb.GraftingPartition, partner: str) -> float:
        grafts = [
            wb.theory.graft_gains(by_rank, base, part.of(i), i, outside=partner, **how)
            for i in (0, 1)
        ]
        return 500 * wb.exploitability(wb.seated([each.strategy for each in grafts]))

    assert FILES["12"].check_betting(lost(wb.betting_experts(by_rank, FIRST), "JQ.K"))
    names = solved("12")[0]
    best = wb.best_response(names.plain, 0).value - wb.expected_values(names.plain)[0]
    assert "best response would" in FILES["12"].check_jack((1 / 6, best)).text


def test_predictions_of_notebooks_00_to_04(kuhn: wb.GameTree, leduc: wb.GameTree) -> None:
    uniform = wb.Strategy.uniform
    assert FILES["00"].COINS.answer == pytest.approx(wb.exploitability(uniform(leduc)), abs=1e-4)
    for tree, order in ((kuhn, ("pcfr+", "cfr+", "cfr")), (leduc, ("cfr+", "pcfr+", "cfr"))):
        ends = [wb.solve(tree, name, 500).exploitability for name in order]
        assert ends == sorted(ends)  # NEWEST
    assert FILES["01"].HISTORIES.answer == kuhn.num_histories
    plays = (lambda *asked: "b"), (lambda _, seen, __: "b" if seen[0] == "K" else "p")
    bold, honest = (wb.Strategy.from_function(kuhn, play) for play in plays)
    won = [wb.expected_values([sigma, uniform(kuhn)])[0] for sigma in (bold, honest)]
    assert won == pytest.approx([1 / 2, 0])  # JUDGED
    assert wb.expected_values(uniform(kuhn))[0] == pytest.approx(1 / 8)  # FAIR
    assert [*map(wb.exploitability, (bold, honest))] == pytest.approx([1 / 3, 1 / 4])
    assert FILES["03"].PROMISE.answer == pytest.approx(
        wb.judge.regret_bound(kuhn, 10_000)[0], abs=5e-4
    )
    rule = wb.abstraction.restrict_actions(
        lambda player, seen, action: not (action == "r" and seen[2].endswith("r"))
    )
    lost = [
        1000 * wb.solve(leduc, "cfr+", 3_000, abstraction=name).exploitability
        for name in (rule, "JQ.K", "J.Q.K", "null")
    ]
    assert 2_300 < lost[0] < 2_400  # RAISE, with the random fallback
    assert 480 < lost[1] < 500 < lost[1] + 100 < lost[2]  # OUTSIDE
    assert lost[3] < 1
    assert FILES["05"].GROWTH.answer == toepen(3, 3).num_histories


def test_predictions_of_toepen() -> None:
    smallest = wb.abstract(toepen(2, 2, betting=False), "lossless-suits")
    assert smallest.coarse.num_infosets == FILES["06"].ORBITS.answer
    tree = toepen(3, 2)
    rules = [wb.abstract(tree, name) for name in ("thesis-suits", "lossless-suits")]
    assert [rule.coarse.num_infosets for rule in rules] == [822, 528]  # FINER
    loss = [wb.solve(tree, "lp", abstraction=rule).exploitability for rule in rules]
    assert loss[0] > 0.01 > 1e-6 > loss[1]
    tree, trained = toepen(3, 3, suit_isomorphism=True), judges("07").trained
    simple, history = (wb.abstract(tree, f"{name}-history") for name in ("simple", "advanced"))
    players = {"few": simple.lift(trained(simple.coarse, 1_000)), "all": trained(tree, 1_000)}
    assert wb.tournament(players).loc["few", "all"] > 0.05  # BEGINNERS
    assert history.lift(trained(history.coarse)).at(("10♠ 9♠", ""), 0)["bet"] > 0.95  # BETTING
    rules = wb.load_game("toepen", suits=4, ranks=8, hand=4)
    state = rules.next(rules.start(), "J♠ K♥ 10♦ 8♦ | A♥ 7♦ 9♣ K♣")
    moves = "check J♠ check K♣ check K♥ bet call A♥ 9♣ check 8♦ 7♦ bet call 10♦"
    for move in moves.split():
        state = rules.next(state, move)
    assert rules.node(state).payoffs == (3, -3)  # Example 3.1.1: two calls, and three points


def test_predictions_of_stitching(leduc: wb.GameTree, by_rank: wb.GameTree) -> None:
    names = solved("09")[0]
    how = {"abstraction": None, "solver": "lp"}
    part = names.two.only(["l"])
    lost = [
        names.loss(wb.static_experts(names.small, names.base, part, players=S, **how))
        for S in ({1}, {0, 1})
    ]
    assert lost == pytest.approx([1 / 3, 2 / 3])  # REPAIR
    both = wb.static_experts(names.small, names.base, names.two, players={1}, **how)
    assert names.loss(both) == pytest.approx(2 / 3)  # COHESION
    coarse = wb.solve(leduc, "cfr+", 5_000, abstraction="JQ-K").strategy
    experts = wb.betting_experts(leduc, FIRST)
    tidy = wb.static_experts(
        leduc, coarse, experts, players={0, 1}, residual=0.01, iterations=5_000
    )
    assert FILES["09"].TIDY.answer == pytest.approx(milli(tidy), abs=5)
    four = wb.betting_experts(by_rank, FIRST)
    both = wb.stitching.expert_rule(leduc, experts, "JQ-K")
    whole, part = (wb.abstract(leduc, rule).coarse.num_infosets for rule in ("null", both))
    assert whole - part == FILES["10"].SAVED.answer
    two = wb.dynamic_experts(by_rank, "JQ-K", four.only(["r", "cccr"]), iterations=2_000)
    assert milli(two.strategy) == pytest.approx(341, abs=5)  # BUDGET
    assert names.lost(0.01) < 170
    base = judges("left-for-later").base()
    pre, how = wb.betting_experts(by_rank, ["r", "cr"]), {"iterations": 10_000}
    sewn = wb.static_experts(by_rank, base, pre, {0, 1}, **how)
    rebuilt = wb.stitching.rebuild_base(by_rank, sewn, pre, "JQ-K", {0, 1}, **how)
    assert FILES["left-for-later"].REBUILT.answer == pytest.approx(milli(rebuilt), rel=0.01)
    eyes = []
    for where in (["rc", "crc"], ["rr", "crr"]):
        rule = wb.stitching.expert_rule(by_rank, wb.betting_experts(by_rank, where), "JQ-K")
        how = {"abstraction": rule, "iterations": 2_000}
        eyes.append(milli(wb.static_experts(by_rank, base, pre, {0, 1}, **how)))
    assert eyes[0] < 300 < 450 < eyes[1]  # EYES


@pytest.mark.slow  # the solution of 12 is
def test_predictions_of_rooms_and_papers() -> None:
    odd = wb.compile_game(wb.load_game("odd_one_out"))
    whole = wb.abstract(odd, lambda player, seen, actions: seen)
    for sigma in wb.theory.learnt_equilibria(whole, "cfr+", iterations=1_000, seeds=10):
        assert wb.expected_values(sigma).min() == pytest.approx(-1, abs=0.02)  # BORDER
    names = solved("12")[0]
    pairs = [(name, kind, part) for name in names.names for kind, part in names.parts.items()]
    informed = {f"{name} {kind}": names.grafted(name, part, None) for name, kind, part in pairs}
    lost = wb.standings(names.bases | informed)["exploitability"]
    less = [500 * (lost[name] - lost[f"{name} {kind}"]) for name, kind, _ in pairs]
    assert [min(less), max(less)] == pytest.approx([43, 118], abs=2)  # OPPONENT
    for name, kind, _ in pairs:  # in the same field as its base
        twin = f"{name} {kind}"
        won = 500 * wb.standings(names.field | {twin: informed[twin]})["winnings"]
        assert -3 < won[twin] - won[name] < 60
    assert abs(2.6597 - 2.66) <= 0.005 > 0.00005 < abs(2.6597 - 2.6600)  # DIGITS
    found = ledger.read_result("gibson-szafron-2011-table1")
    parts = found.ours["2p exploitability Base"].parts
    inside = found.settings["milli-antes from equilibrium inside"]
    assert np.ptp([parts[name] for name in inside if name in parts]) > 20  # SPREAD
    lead = ledger.read_result("waugh-2009-leduc").ours["winnings: J.Q.K is the best base"]
    assert lead.low is not None
    assert lead.low > 0  # FIELD


@pytest.mark.slow
def test_the_third_seat() -> None:
    from workbench.solvers.base import State, start_state

    tree = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))
    blank, values = start_state(tree), []
    for seed in (None, 0, 1, 2, 3):
        start = None
        if seed is not None:
            regret = np.random.default_rng(seed).exponential(0.1, tree.num_choices)
            probs = normalised(tree, regret).probs.copy()
            start = State(0, regret, probs, blank.strategy_sum.copy(), blank.rng)
        state = next(wb.iterate(tree, "pcfr+", start=start, every=4_000))
        values.append(1000 * wb.expected_values(wb.average(tree, state))[2])
    assert FILES["three-player-leduc"].SEAT.answer == pytest.approx(np.ptp(values), abs=2)
