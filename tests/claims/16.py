"""What Lecture 16 says about jam/fold tournaments: dollars, chips and shares of hands."""

from workbench.poker.cards.hand_classes import NAMES

# two hands
assert np.allclose(one_hand(24, 12), (24, 12))
assert np.allclose(guesses[-1], (24, 12), atol=0.15)
assert one_hand(22, 11) != (22, 11)
two, one = PRIZE - 12, PRIZE - 24  # of the big blind
assert (two, one) == (21, 9)
assert (PRIZE + two) / 2 > two > (two + one) / 2 > one > one / 2  # high goes in, low folds

# ICM
assert [round(v, 2) for v in wb.jamfold.icm((6000, 4500, 3000), prizes)] == [36.83, 33.62, 29.56]
# other prizes: what counts are the steps between them
assert [round(100 * must_win(some)) for some in steps] == [50, 59, 57, 55, 53, 50]
for some in steps:
    to_first, to_second = some[0] - some[1], some[1] - some[2]
    formula = (to_first + 2 * to_second) / (2 * to_first + 3 * to_second)
    assert abs(must_win(some) - formula) < 1e-12
worth = stack_curve(prizes).axes[0].lines[0].get_ydata()
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
assert len(wb.poker.COMBOS) == 169
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
alone = found.push((1, 4, 4), "button").ravel() @ wb.poker.COMBOS / wb.poker.COMBOS.sum()
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
# two equal prizes never settle, 12 and 18 chips: tests/jamfold/test_solving.py

# because: because the button may fold and the big blind may not
always = np.linalg.solve([[5 / 4, 1 / 2], [1 / 2, 5 / 4]], [33, 33 / 4 + 33 / 2])
assert np.allclose(always, (22, 11))  # a button that must go in: the seat is worth nothing

# because: so there is more to lose than to win
flat = [wb.jamfold.icm((m, (9 - m) / 2, (9 - m) / 2), (100, 0, 0))[0] for m in chips[1:-1]]
assert np.allclose(np.diff(flat, 2), 0)  # one prize only: a straight line

# because: So the two lose 1.67 dollars each
lone = wb.jamfold.icm((3, 3, 3), (100, 0, 0))[0], wb.jamfold.icm((6, 3), (100, 0))[0]
assert np.isclose(lone[1] / 2, lone[0])  # one prize only: the flip is fair

# because: so a fair all-in costs both players money
equal = wb.jamfold.icm((3, 3, 3), (50, 50, 0))[0], wb.jamfold.icm((6, 3), (50, 50))[0]
assert equal[1] / 2 < equal[0] - 5  # two equal prizes: it costs even more

# a player keeps the policy that the check has left her with
assert wb.jamfold.worked_example("pi-fp", start=2.0, rounds=3)["stops"].tolist() == [0, 1, 1]
assert (wb.jamfold.worked_example("vi-fp", start=1.0, rounds=3)["stops"] == 0).all()  # no check

# because: so a third of all chips are in the blinds
assert sum(game.blinds) / game.units == 1 / 3

# because: the big blind has two chips of three in the pot and calls with everything
deep = found.push((4, 1, 4), "big blind", "JF").ravel() @ wb.poker.COMBOS / wb.poker.COMBOS.sum()
assert share(found, "big blind", "JF") > 99 > 80 > 100 * deep  # two chips of four

# the first matters most, and the big blind's caution is no reason to fold
from workbench.jamfold.stage import advantages, all_outcomes, move


def calls(solution, worth, seats):  # her best reply, with other players' play at some seats
    at, play = solution.game.state((3, 3, 3)), solution.now.play.copy()
    target, gain = play.sigma[at].copy(), np.empty((6, 169))
    for seat, other in seats.items():
        target[seat] = other.now.play.sigma[other.game.state((3, 3, 3)), seat]
    move(play, at, target, 1.0)
    out = all_outcomes(play, slice(at, at + 1))[0]
    advantages(out, solution.game.arrays.values(worth)[at], gain)
    return 100 * ((gain[1] > 0) @ wb.poker.COMBOS.ravel()) / wb.poker.COMBOS.sum()


button, beside = 0, 3  # the big blind after two all-ins
assert 85 < calls(cash, cash.game.arrays.icm, {}) < 91
assert calls(cash, cash.game.arrays.icm, {beside: found}) > 99
assert calls(found, found.now.real, {}) < 9
assert 13 < calls(found, found.now.real, {button: cash, beside: cash}) < 16
assert share(cash, "big blind", "JJ") > 85
assert share(found, "big blind", "JJ") < 12

# because: so both play for the difference
pairs = [wb.jamfold.icm((mine, 9 - mine), (50, 30))[0] for mine in range(1, 9)]
assert np.allclose(np.diff(pairs, 2), 0)
assert (np.diff(worth, 2) < -1e-6).all()  # with three players it bends

# because: So in this game jam or fold is good advice where stacks are a few antes
assert cost[2] < cost[4] < cost[5]
assert QUICK or cost[8] > 5 * cost[4]  # deeper stacks
