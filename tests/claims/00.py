"""What Start here says about Leduc and Kuhn poker."""

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
