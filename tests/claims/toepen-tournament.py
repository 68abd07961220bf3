"""What the Toepen lab states about its numbers; see test_notebooks for how it runs."""

import numpy as np

from workbench.lab.ledger.entries import read_ledger

table = wb.standings(house)
assert set(table.index[:2]) == {"advanced-history", "equilibrium"}
assert table.index[2] == "simple-history"
assert abs(table.loc["advanced-history", "winnings"] - table.loc["equilibrium", "winnings"]) < 0.01
assert table.loc["equilibrium", "wins"] == 6
cross = wb.tournament(house)
assert -0.03 < cross.loc["advanced-history", "equilibrium"] < 0
for weak in ("timid", "uniform"):
    assert cross.loc["advanced-history", weak] > cross.loc["equilibrium", weak]
assert wb.standings(left).index[0] == "equilibrium"
assert (wb.tournament(field).loc["equilibrium"] > -1e-3).all()  # the row without an orange cell
assert abs(wb.exploitability(house["uniform"]) - 1.14) < 0.005
# because: so a trick that works against this opponent may be listed there as a mistake
for seat in (0, 1):
    trick = wb.best_response(ours["my rule"], player=seat).strategy
    pair = [trick, ours["my rule"]] if seat == 0 else [ours["my rule"], trick]
    plain = [house["equilibrium"], ours["my rule"]][:: 1 - 2 * seat]
    judge = [trick, house["equilibrium"]][:: 1 - 2 * seat]
    fair = wb.expected_values(house["equilibrium"])[seat]
    assert wb.expected_values(wb.seated(pair))[seat] > wb.expected_values(wb.seated(plain))[seat]
    assert wb.expected_values(wb.seated(judge))[seat] < fair - 0.01
# because: so what we get is a lower bound
assert (calibration["high"] < 1.1448).all()
assert calibration["estimate"].is_monotonic_increasing
blind, seeing, own = verdicts["estimate"]
# because: because it hardly ever meets the same hand twice
assert abs(blind) < (0.3 if QUICK else 0.1)
assert judged(toepen, house["uniform"], 80)["estimate"] > 0.1  # the same judge, a small deck
if not QUICK:
    assert own < seeing
    assert verdicts["low"].iloc[1] > 1
    assert own < 0.5 * seeing
simple = wb.abstract(tree, "simple-history-by-kind")
assert simple.coarse.num_infosets == 65
assert abs(wb.exploitability(house["simple-history"]) - 0.26) < 0.01  # exercise 1
won = wb.standings(field)["winnings"]
assert abs(won["my buckets"] - won[["advanced-history", "equilibrium"]]).max() < 0.01  # level
assert wb.tournament(field).loc["my buckets", ["advanced-history", "equilibrium"]].max() < 0
if not QUICK:  # six seeds: level each time, and the first place changes hands
    firsts = []
    for seed in range(6):
        again = wb.standings(
            {**house, "advanced-history": train("advanced-history-by-kind", seed=seed)}
        )
        firsts.append(again.index[0])
        assert abs(again["winnings"].iloc[0] - again["winnings"].iloc[1]) < 0.01
    assert set(firsts) == {"advanced-history", "equilibrium"}
    assert firsts.count("advanced-history") == 4

# station 7: when one may bet
assert betting["histories"].tolist() == [217, 1_261, 4_129, 13_897]
assert np.allclose(betting["value to player 1"].round(3), [0.378, 0.443, 0.478, 0.478])
assert abs(betting["value to player 1"].iloc[2] - betting["value to player 1"].iloc[3]) < 2e-4
assert match.loc["short memory", "low"] > 0
two = wb.load_game("toepen", suits=2, ranks=2, hand=2, betting="anytime", limits=(3, 3))
assert wb.compile_game(two).num_histories == 1_691

# if you want to go on: the match to fifteen, as the ledger has it
kept = {row.item: row for row in read_ledger("workbench-toepen-match")}
equal, unequal = (kept[f"one hand out of reach, {kind} tallies"] for kind in ("equal", "unequal"))
assert round(equal.ours, 2) == 0.08
assert "0 to 6: 0.1619" in unequal.note
whole = kept["hand play at every tally"]
assert (round(whole.low), round(whole.high)) == (5, 6)
assert abs(kept["without betting"].ours) < 1e-9
