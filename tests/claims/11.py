"""What Lecture 11 says about three players."""

assert odd.num_terminals == 8
assert np.allclose(wb.expected_values(coins), 0)
assert np.allclose(wb.gains(coins), 0)
assert max(wb.gains(each).max() for each in ends) < 1e-3
assert np.allclose(values.min(axis=1), -1, atol=0.01)
assert np.ptp(values, axis=0).min() > 2.5
assert (np.bincount(values.argmin(axis=1), minlength=3) > len(ends) / 7).all()

for heads in np.linspace(0, 1, 11):
    assert np.allclose(wb.expected_values(edge(heads)), [2 - 3 * heads, 3 * heads - 1, -1])
    assert np.allclose(wb.gains(edge(heads)), 0)
assert np.allclose([wb.gains(one), wb.gains(other)], 0)
assert np.allclose(wb.gains(mixed), 2)

assert aunt.zero_sum
assert aunt.num_players == 3
assert regret.iloc[-1] < 0.003
assert 0.145 < gain.loc[10:].min() < 0.2
assert 0.15 < gain.iloc[-1] < 0.25
assert 0.15 < wb.gains(averages[99]).max() < 0.25
assert (together[:2] > apart[:2] + 0.1).all()
assert together[2] < apart[2] - 0.2
assert all(min(stuck[name]) > 0.05 for name in solvers if name != "pcfr+")
assert all(min(stuck[name][1:]) > 0.5 * stuck[name][0] for name in solvers if name != "pcfr+")
assert max(stuck["pcfr+"]) < 0.01

assert (trio.num_infosets, trio.zero_sum) == (48, True)
assert 48 * wb.gains(sigma).max() < 0.01
assert 48 * max(wb.gains(each).max() for each in found) < 0.01
assert np.allclose(worth[:, 1], -1, atol=0.01)
assert np.allclose(np.ptp(worth, axis=0)[[0, 2]], 0.42, atol=0.04)
assert 0.9 < np.median(table) < 1.2
assert 5 < max(table) < 10
assert np.allclose(kings.loc["player 2"], -1, atol=0.01)
assert np.allclose(kings["as PCFR+ plays"], [-1.26, -1, 2.26], atol=0.03)
assert np.allclose(kings["a favour for player 1"], [5, -1, -4], atol=0.05)
assert np.allclose(kings["a favour for player 3"], [-3, -1, 4], atol=0.05)
if not QUICK:
    assert len(ends) == 200
    assert stuck["pcfr+"][-1] < 1e-3
    assert all(stuck[name][-1] > stuck[name][0] for name in ("cfr", "dcfr", "cfr+"))
