"""What the lab about three-player Leduc says, in milli-antes."""

suited = wb.compile_game(wb.load_game("leduc", players=3))
assert suited.num_histories == 396_157
low, *middle, high = sorted(seats[:, 2])
assert -43 < low < high < 198
assert max(1000 * wb.gains(sigma).max() for sigma in real) < 10

assert list(ours.values()) == [1890, 6903, 3021, 2145, 2145]
assert {size["r"] for size in alone} == {3021, 3007, 3019}
wrong = [row for row in ROWS if row_of[f"3p size {row}"].published != ours[row]]
assert wrong == ["Static.S={i}"]
assert row_of["3p size Static.S={i}"].published == 3017
assert len(earned) == 4
assert (earned["Base"] < 0).all()
assert (earned.drop(columns="Base") > 0).all(axis=None)
assert published["Base"] < 0 < published.drop("Base").min()
assert (lead < 0).all()
both = published[["Static.S=N.All", "Static.S=N.Pre-flop"]]
assert 6 < both.max() - published["Dynamic"] < 8
assert row_of["3p S=N earns more than Dynamic"].verdict == "claim does not hold"
started = notes["3p from random starts of dcfr, milli-antes, by item and start"]
other = pd.DataFrame({row: started[f"3p earnings {row}"] for row in ROWS})
ahead = other[both.index].min(axis=1) > other["Dynamic"]
assert (ahead.sum(), len(ahead)) == (1, 6)

assert len(folds.names) == 18
if not QUICK:
    assert np.allclose([low, high], [-41, 196], atol=2)
    assert np.allclose(middle, 80, atol=6)
    assert abs(high - low - exercise.SEAT.answer) < 3
    last = {name: 1000 * run.abstract_exploitability for name, run in long.items()}
    assert 80 < last["cfr"] < 130
    assert 30 < last["cfr+"] < 40
    assert last["pcfr+"] < 1
    there, gone = 1000 * again.trace["abstract_exploitability"]
    assert there < 2
    assert gone > 10
    assert (won[:, 2] > 0).all()
    who_won = [np.mean([w[k.index(name)] for k, w in meeting.items()]) for name in three]
    assert np.ptp(won.mean(axis=0)) > 1.2 * np.ptp(who_won)
    assert abs(earns(base) + 57) < 3
    assert abs(earns(behind_folds) - exercise.FOLDS.answer) < 3
    assert 100 < earns(behind_raises) < 125
    assert max(reach(tree, sigma.probs)[enters].sum() for sigma in three.values()) < 0.02
