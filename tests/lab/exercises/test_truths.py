"""What the exercises call true is true: recorded answers, slips and predictions, found again."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import hstack

import workbench as wb
from tests.lab.exercises.course import FILES, accepted, solved
from workbench.linear_programs import (
    need_zero_sum,
    payoff_matrix,
    plan_constraints,
    plan_of,
    solve_program,
)
from workbench.passes import reach
from workbench.strategy import normalised


def test_recorded_numbers_found_another_way(kuhn):
    bold = wb.Strategy.from_function(kuhn, lambda *asked: "b").probs
    owner = np.repeat(kuhn.infoset_player, np.diff(kuhn.first_choice))
    touched = sum(reach(kuhn, np.where(owner == i, 1.0, bold)).sum() for i in (0, 1))
    accepted("03", bound=[wb.judge.regret_bound(kuhn, 10_000)[0] / 3])
    best = solved("04")[0].best  # the LP on the small game in which only player 2 forgets
    accepted("04", forgets=[(best.at(("c", "l"), 1)["x"], wb.best_response(best, 0).value)])
    accepted("05", touches=[touched], outcome=[{"−4": "1/48", "+2": "1/24", "4": "1/48"}])
    enough = 3 * ((1 + 40**0.5) * (131_763 + 245_195)) ** 2
    accepted("08", blind=[0.9 * 50_000 / 0.1], linear=[11 / 36], enough=[enough, "23e12"])
    assert solved("08")[0].factor["2/2/2b"] == 496 / 336  # Table 3.1, and with following suit
    accepted("left-for-later", settle=[[1012, 416, 1054, 415, 1054]])
    accepted(
        "is-that-what-the-paper-says",
        fourth=[{"null": 45.9, "JQ.K": 13.65, "J.Q.K": 11.95, "J.QK": -71.5}],
    )


def test_mixed_labels_counted_again():
    """Without the notebook's way: a label is mixed if cards and words meet in it."""
    rules = wb.load_game("toepen", suits=3, ranks=3, hand=2, suit_isomorphism=True)
    tree = wb.compile_game(rules)
    made = wb.abstract(tree, "simple-history")
    kinds: dict[int, set[bool]] = {}
    for infoset, first in enumerate(tree.first_choice[:-1]):
        place = int(np.searchsorted(made.coarse.first_choice, made.choice_map[first], "right"))
        kinds.setdefault(place, set()).add(tree.actions_at(infoset)[0][-1] in "♠♥♦")
    assert FILES["07"].check_mixed(sum(len(found) == 2 for found in kinds.values()))


def test_no_answer_after_r_is_worse_than_x():
    names, losses = solved("09")[0], {}
    for pair in ("xx", "xy", "yx", "yy"):

        def expert(player: int, seen: Any, actions: Any, pair: str = pair) -> Any:
            return pair[int(seen[0] == "c")] if player == 1 else "l"

        sigma = wb.Strategy.from_function(names.small, expert)
        losses[pair] = names.loss(wb.stitch(names.base, names.two.only(["r"]), {"r": sigma}))
    assert max(losses.values()) == losses["xx"] == pytest.approx(4 / 3)


def test_no_pair_of_random_plans_is_worse():
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
def test_every_equilibrium_beats_the_field():
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
def test_grafts_do_not_hang_on_the_number_of_iterations(ranked):
    how: dict[str, Any] = {"solver": "pcfr+", "iterations": 10_000}
    base = wb.solve(ranked, abstraction="JQ.K", **how).strategy

    def lost(part: wb.GraftingPartition, partner: str) -> float:
        grafts = [
            wb.theory.graft_gains(ranked, base, part.of(i), i, outside=partner, **how)
            for i in (0, 1)
        ]
        return 500 * wb.exploitability(wb.seated([each.strategy for each in grafts]))

    assert FILES["12"].check_betting(
        lost(wb.betting_experts(ranked, ["r", "cr", "ccr", "cccr"]), "JQ.K")
    )
    names = solved("12")[0]
    best = wb.best_response(names.plain, 0).value - wb.expected_values(names.plain)[0]
    assert "best response would" in FILES["12"].check_jack((1 / 6, best)).text
