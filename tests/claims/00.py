"""What Start here says about Leduc and Kuhn poker."""

import numpy as np

assert abs(wb.exploitability(uniform) - 2.3736111111) < 1e-9
assert wb.gains(run.strategy).sum() < 0.001
assert abs(value + 0.0856064241) < 1e-9
assert abs(wb.expected_values(run.strategy)[0] - value) < 0.001

assert ends["kuhn"]["pcfr+"] < ends["kuhn"]["cfr+"] / 200
assert ends["kuhn"]["cfr+"] < ends["kuhn"]["cfr"]
assert ends["leduc"]["cfr+"] < ends["leduc"]["pcfr+"] < ends["leduc"]["cfr"]

decisions = session.table()
assert list(decisions["seen"]) == ["J", "J pb"]
assert decisions["cost"].round(9).tolist() == [0, 1]
assert decisions["value"].round(9).tolist() == [-1, -2]

kuhn = wb.compile_game(wb.load_game("kuhn"))
bets = wb.Strategy.from_function(kuhn, lambda player, seen, actions: "b")
for seat in (0, 1):  # against somebody who always bets every Queen should call
    best = wb.best_response(bets, seat).strategy
    assert best.at("Q pb" if seat == 0 else "Q b")["b"] == 1

# because: because half of his bets come from the Jack
perfect = wb.solve(kuhn, "lp").strategy
assert wb.judge.look(bets, "Q b").beliefs.tolist() == [0.5, 0.5]
assert (
    wb.judge.look(bets, "Q b").expected[1] > wb.judge.look(bets, "Q b").expected[0]
)  # bets with everything
assert np.allclose(
    wb.judge.look(perfect, "Q pb").expected, -1
)  # one bluff in four, and it is a tie
# because: because an equilibrium wins no more from her than from a perfect player
honest = wb.Strategy.from_function(kuhn, lambda p, seen, _: "b" if seen[0] == "K" else "p")
for seat, hers in enumerate(([honest, perfect], [perfect, honest])):
    assert abs(wb.expected_values(hers)[seat] - wb.expected_values(perfect)[seat]) < 1e-9
assert abs(wb.exploitability(honest) - 1 / 4) < 1e-12  # another opponent does win more
calls = wb.Strategy.from_function(kuhn, lambda p, seen, _: "b" if seen != ("J", "") else "p")
assert wb.expected_values([calls, perfect])[0] < wb.expected_values(perfect)[0] - 0.01  # a blunder
# because: Both axes are logarithmic, so each step down the grid is a factor of ten
assert [ax.get_xscale(), ax.get_yscale()] == ["log", "log"]
