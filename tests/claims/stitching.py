"""What the lab about stitching says in numbers."""

import numpy as np

assert (judged["exploitability"].drop("base") < 170).all()
assert judged["wins from bases"].idxmax() == "S = N"
assert judged.loc["S = N", "wins from bases"] > 2 * judged.loc["base", "wins from bases"]
assert (judged.loc[["S = {i}", "dynamic"], "wins from bases"] < 75).all()
assert (judged["from null"] < 0).all()
assert judged["from null"].idxmax() == "dynamic"
assert judged["from J-QK"].idxmax() == "S = N"
assert np.ptp(leftovers["S = N, all"]) > 300
assert np.ptp(leftovers["S = N, r and cr"]) < 0.5
assert np.ptp(leftovers["S = {i}, all"]) < 10
assert (
    by_card.loc["experts by card, S = N", "exploitability"]
    > 2.8 * by_card.loc["base", "exploitability"]
)
rounds = wb.round_experts(tree)
assert max(wb.expert_sizes(tree, rounds, 0, outside="JQ-K").values()) == 144
assert np.isclose(leak, 1 / 9)  # solved part by part: twice the 1/18 of an equilibrium
assert np.allclose([joined.at(card, 0)["b"] for card in "JQ"], 0)
assert np.isclose(joined.at("Q pb", 0)["b"], 2 / 3)  # 1/3 would do in the whole game

if not QUICK:
    assert abs(judged.loc["S = N", "wins from bases"] - 125) < 3
    assert (judged["exploitability"].drop("base") < 165).all()
    assert (judged.loc[["S = {i}", "dynamic"], "wins from bases"] < 70).all()
    assert abs(by_card.loc["experts by card, S = N", "exploitability"] - exercise.CARD.answer) < 15
    assert abs(1000 * wb.exploitability(each(rounds)) - 163) < 2
