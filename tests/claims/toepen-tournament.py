"""What the Toepen lab states about its numbers; see test_notebooks for how it runs."""

table = wb.standings(house)
assert list(table.index[:3]) == ["advanced-history", "equilibrium", "simple-history"]
assert table.loc["equilibrium", "wins"] == 6
cross = wb.tournament(house)
assert -0.03 < cross.loc["advanced-history", "equilibrium"] < 0
for weak in ("timid", "uniform"):
    assert cross.loc["advanced-history", weak] > cross.loc["equilibrium", weak]
assert wb.standings(left).index[0] == "equilibrium"
assert (wb.tournament(field).loc["equilibrium"] > -1e-3).all()  # the row without an orange cell
assert abs(wb.exploitability(house["uniform"]) - 1.14) < 0.005
assert (calibration["high"] < 1.1448).all()
assert calibration["estimate"].is_monotonic_increasing
blind, seeing, own = verdicts["estimate"]
assert abs(blind) < 0.1
assert own < seeing
if not QUICK:
    assert verdicts["low"].iloc[1] > 1
    assert own < 0.5 * seeing
simple = wb.abstract(tree, "simple-history-by-kind")
assert simple.coarse.num_infosets == 65
assert abs(wb.exploitability(house["simple-history"]) - 0.26) < 0.01  # exercise 1
assert wb.standings(field).loc["my buckets", "winnings"] > 0.3
assert wb.tournament(field).loc["my buckets", ["advanced-history", "equilibrium"]].max() < 0
