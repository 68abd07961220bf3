"""What the lab about stitching says in numbers."""

import numpy as np

assert (judged["exploitability"].drop("base") < 170).all()
assert judged["wins from bases"].idxmax() == "S = N"
assert judged.loc["S = N", "wins from bases"] > 2 * judged.loc["base", "wins from bases"]
assert (judged.loc[["S = {i}", "dynamic"], "wins from bases"] < 75).all()
assert (judged["from null"] < 0).all()
assert judged["from null"].idxmax() == "dynamic"
assert judged["from J-QK"].idxmax() == "S = N"
# the reading that the experiment refutes
wins = entered["from J-QK"]
assert abs(wins["trained beside null"] - wins["trained beside JQ-K"]) < 25
assert wins.min() > judged.loc["S = {i}", "from J-QK"] + 30
assert entered["exploitability"].idxmin() == "trained beside JQ-K"
assert np.ptp(entered["exploitability"]) > 300
assert np.ptp(leftovers["S = N, all"]) > 300
# because: the base itself raises before the flop often enough to train
assert np.ptp(leftovers["S = N, r and cr"]) < 0.5
shy = base.probs.copy()
for card in {seen[0] for seen in tree.seen}:  # a base that hardly ever raises before the flop
    for player, bets in ((0, ""), (1, "c")):
        at = tree.first_choice[tree.find_infoset((card, "", bets), player)]
        shy[at : at + 2] = 0.995, 0.005
shy = wb.Strategy(tree, shy)
lost = [wb.static_experts(tree, shy, early, {0, 1}, **rule, **how) for rule in rules.values()]
assert np.ptp([1000 * wb.exploitability(sigma) for sigma in lost]) > 100
assert np.ptp(leftovers["S = {i}, all"]) < 10
assert (
    by_card.loc["experts by card, S = N", "exploitability"]
    > 2.8 * by_card.loc["base", "exploitability"]
)
# because: So the expert learns to beat the base, which cannot change
deaf = wb.seated([everybody(cards), base])
assert wb.expected_values(deaf)[0] > wb.expected_values(base)[0] + 0.1  # it does beat the base …
met = [wb.best_response(sigma, player=1).value for sigma in (everybody(cards), base)]
assert met[0] > met[1] + 0.5  # … and is open to others
both_decide = everybody(first)
assert wb.exploitability(both_decide) < 0.4 * wb.exploitability(base)
# because: because then it learns against an opponent who can react
frozen = wb.seated(
    [wb.static_experts(tree, base, first.of(i), players={0, 1}, **how) for i in (0, 1)]
)  # nobody reacts inside the part
assert wb.exploitability(frozen) > 3 * wb.exploitability(both_decide)
# because: because a perfect opponent always goes to the weakest place
some = {names: wb.exploitability(everybody(first.only(names.split()))) for names in
        ("ccr", "r cr", "r cr ccr")}  # fmt: skip
assert some["ccr"] > wb.exploitability(base)
assert some["r cr ccr"] < some["r cr"] - 0.02
# because: In her part the opponent knows that she has neither Jack nor King
whole = wb.compile_game(kuhn)
once = joined.probs.copy()
at = whole.first_choice[whole.find_infoset("Q pb", 0)]
once[at : at + 2] = 2 / 3, 1 / 3  # one call in three
assert abs(wb.best_response(wb.Strategy(whole, once), player=1).value - 1 / 18) < 1e-9
queens = wb.compile_game(wb.theory.subgame(kuhn, "Q"))
part_value = [
    wb.best_response(wb.Strategy(queens, p), player=1).value
    for p in (
        parts["Q"].probs,
        np.where(
            np.isclose(parts["Q"].probs, 2 / 3),
            1 / 3,
            np.where(np.isclose(parts["Q"].probs, 1 / 3), 2 / 3, parts["Q"].probs),
        ),
    )
]
assert part_value[1] > part_value[0] + 0.05
# station 6: the best that we know
rounds = wb.round_experts(tree)
sees = wb.solve(tree, "cfr+", abstraction="J.Q.K", **how).strategy
halves = [wb.static_experts(tree, sees, rounds, i, outside="J.Q.K", **how) for i in (0, 1)]
assert 1000 * wb.exploitability(wb.seated(halves)) < 90
assert wb.abstract(tree, "J.Q.K").coarse.num_infosets == 198
assert max(wb.stitching.expert_sizes(tree, rounds, 0, outside="J.Q.K").values()) == 171
assert wb.exploitability(sees) > wb.exploitability(base)
assert max(wb.stitching.expert_sizes(tree, rounds, 0, outside="JQ-K").values()) == 144
assert np.isclose(leak, 1 / 9)  # solved part by part: twice the 1/18 of an equilibrium
assert np.allclose([joined.at(card, 0)["b"] for card in "JQ"], 0)
assert np.isclose(joined.at("Q pb", 0)["b"], 2 / 3)  # 1/3 would do in the whole game

if not QUICK:
    assert abs(judged.loc["S = N", "wins from bases"] - 125) < 3
    assert (judged["exploitability"].drop("base") < 165).all()
    assert (judged.loc[["S = {i}", "dynamic"], "wins from bases"] < 70).all()
    assert abs(by_card.loc["experts by card, S = N", "exploitability"] - exercise.CARD.answer) < 15
    assert abs(1000 * wb.exploitability(each(rounds)) - 163) < 2
