"""What Lecture 16 says about jam/fold tournaments: dollars, chips and shares of hands."""

from workbench.poker.hand_classes import NAMES

# two hands
assert np.allclose(one_hand(24, 12), (24, 12))
assert np.allclose(guesses[-1], (24, 12), atol=0.15)
assert one_hand(22, 11) != (22, 11)
two, one = PRIZE - 12, PRIZE - 24  # of the big blind
assert (two, one) == (21, 9)
assert (PRIZE + two) / 2 > two > (two + one) / 2 > one > one / 2  # high goes in, low folds

# ICM
assert [round(v, 2) for v in wb.jamfold.icm((6000, 4500, 3000), prizes)] == [36.83, 33.62, 29.56]
second = 1 / 3 * 2 / 3 + 2 / 9 * 4 / 7
assert np.isclose(second, 22 / 63)
assert np.isclose(50 * 4 / 9 + 30 * second + 20 * (1 - 4 / 9 - second), 36.825, atol=0.001)
assert round(100 * 6000 / 13500) == 44
assert [round(v, 2) for v in (before, winner, watcher)] == [33.33, 43.33, 36.67]
assert round(flip - before, 2) == -1.67
assert np.isclose(watcher - before, -2 * (flip - before))
assert np.isclose((before - 20) / (winner - 20), 4 / 7)
assert (worth[0], worth[-1]) == (20, 50)
assert (np.diff(worth, 2) < 0).all()  # each further chip is worth less

# an algorithm that converges to no equilibrium
assert (first[["believed", "wait", "stop", "stops", "real", "best", "gain"]]
        == [2, 2, 1, 0, 0, 1, 1]).all(axis=None)  # fmt: skip
cured = wb.jamfold.worked_example("pi-fp", start=2.0, rounds=3)
assert cured["believed"].tolist() == [2, 1, 1]
assert cured["gain"].iloc[-1] == 0

# the chart
assert len(game.states) == 28
assert len(COMBOS) == 169
assert 0.30 < found.trace["ex_post_gain"].iloc[0] < 0.38
assert found.ex_post_gain < 0.01
assert QUICK or 0.0015 < 100 * found.ex_post_gain / prizes[0] < 0.0025
assert np.allclose(found.values((3, 3, 3)), (34.7, 32.9, 32.4), atol=0.1)
assert (19 if QUICK else 20.5) < share(found, "button") < 21.5
goes = dict(zip(NAMES, found.push((3, 3, 3), "button").ravel(), strict=True))
assert min(goes[2 * rank] for rank in "AKQJT98765") > 0.9 > 0.1 > max(goes["44"], goes["22"])
assert (
    min(goes[f"A{rank}s"] for rank in ("KQJT987654" if QUICK else "KQJT9876543"))
    > 0.9
    > goes["A2s"]
)
assert min(goes[f"A{rank}o"] for rank in "KQJT987") > 0.9 > 0.1 > goes["A6o"]
assert sum(0.05 < p < 0.95 for p in goes.values()) < 15

# ICM's errors
button, small, big = (errors[errors["seat"] == seat]["error"] for seat in wb.jamfold.SEATS)
assert (button < 0).all()
assert abs(button.mean() + 1.11) < (0.05 if QUICK else 0.03)
assert abs(big.mean() - 0.89) < (0.05 if QUICK else 0.03)
assert (big > 0).mean() > 0.7
worst = errors.loc[errors["error"].abs().idxmax()]
assert (worst["stacks"], worst["seat"]) == ((1, 4, 4), "button")
assert 2.9 < -worst["error"] < 3.1
assert round(worst["icm"], 2) == 25.11
assert abs(worst["value"] - 28.13) < 0.1
alone = found.push((1, 4, 4), "button").ravel() @ COMBOS / COMBOS.sum()
assert 0.03 < alone < 0.06
assert abs(found.values((4, 1, 4))[1] - 25.30) < 0.1
assert abs(found.values((4, 4, 1))[2] - 24.82) < 0.1
assert abs(sum(found.values((3, 3, 3))) - 100) < 1e-4

# the cash game
assert cash.game.icm((3, 3, 3)) == (3, 3, 3)
assert abs(share(cash, "small blind", "J") - 88) < 2
assert abs(share(found, "small blind", "J") - 8) < (1.5 if QUICK else 0.5)
assert abs(share(cash, "button") - 43) < (1.5 if QUICK else 0.5)
assert share(found, "big blind", "JF") > 99
assert 0.0035 < wb.jamfold.equities().error < 0.0045  # 0.004 on average, 0.006 at most
assert wb.jamfold.equities().largest < 0.006

# two players
cost = gaps.set_index("stack")["gap"]
assert abs(cost[2]) < 1e-6
assert cost[4] < 0.01
assert cost.is_monotonic_increasing
if not QUICK:
    assert 0.15 < cost[8] < 0.18
# two equal prizes never settle, 12 and 18 units: tests/jamfold/test_solving.py
