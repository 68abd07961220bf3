"""What lecture 02 says about its numbers."""

assert np.allclose(regret_matching(np.array([0, 1, 2])), [0, 1 / 3, 2 / 3])

# rock, paper, scissors: the current strategy never settles, the average falls like 1/√T
assert rps_curves["current"][1000:].min() > 0.66
for rounds in (100, 1_000, 10_000):
    assert 0.8 < rps_curves["average"][rounds - 1] * rounds**0.5 < 1.2
assert (P[1:300].min(axis=1) < 1e-12).mean() > 0.9  # it runs along the edge
assert abs((R1 + R2) / 2 - rps_curves["average"][-1]) < 1e-12
assert abs(np.maximum(R, 0) @ r) < 1e-15
assert old.tolist() == [3, 1]  # the picture of the right angle
assert new.tolist() == [0.5, -1.5]
assert (old @ new, new @ new, old @ old) == (0, 2.5, 10)
assert (np.maximum(old + new, 0) ** 2).sum() < 12.5 == ((old - new) ** 2).sum()

# the sizes of the matrices, 64 rows and 10^52
sizes = [np.log10(np.diff(tree.first_choice)[tree.infosets_of(0)]).sum() for tree in (kuhn, leduc)]
assert round(10 ** sizes[0]) == 64
assert 51.5 < sizes[1] < 52
assert [len(tree.infosets_of(i)) for tree in (kuhn, leduc) for i in (0, 1)] == [6, 6, 144, 144]

# CFR by hand and in 25 lines
import inspect

assert len(inspect.getsource(cfr).splitlines()) <= 25
assert np.allclose(12 * regret[queen], [-1, 1], rtol=0, atol=1e-12)
halves = {"Q J p b": ([-1, 2], 1 / 24, 1 / 8), "Q K p b": ([-1, -2], -1 / 8, -1 / 24)}
for name, (wins, returned, to_call) in halves.items():  # the walk, traced on paper
    h = next(h for h in range(kuhn.num_histories) if kuhn.history_label(h) == name)
    after = kuhn.terminal[kuhn.first_child[h] : kuhn.first_child[h + 1]]
    assert kuhn.utility[after, 0].tolist() == wins
    v = np.array(wins) / 12
    assert np.allclose([v.mean(), v[1] - v.mean()], [returned, to_call], rtol=0, atol=1e-12)
assert apart < 1e-12
assert 0.005 < wb.exploitability(wb.average(kuhn, states[-1])) < 0.01
assert abs(wb.exploitability(uniform) - 11 / 24) < 1e-12
assert abs(wb.exploitability(wb.average(kuhn, states[0])) - 11 / 24) < 1e-12

# the Queen: the current strategy swings, the average stays among the equilibria
late = calls["current"].to_numpy()[70:]  # QUEEN
assert 0.2 < late.min() < 0.3
assert 0.75 < late.max() < 0.87
assert (calls["current"].to_numpy()[:20].min(), calls["current"].to_numpy()[:20].max()) == (0, 1)
assert calls["average"].to_numpy()[20:].min() > 0.45
assert calls["average"].to_numpy()[20:].max() < 0.62

# without the weight learning stops near 0.05
assert weighted["counterfactual"].exploitability.iloc[-1] < 0.005
assert weighted["all histories equal"].exploitability.iloc[-100:].between(0.03, 0.065).all()

# mixed and behavioural
assert abs(one_coin - many_coins) < 1e-12
