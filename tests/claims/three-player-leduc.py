"""What the lab about three-player Leduc says, in milli-antes."""

if not QUICK:
    assert suited.num_histories == 396_157
low, *middle, high = sorted(seats[:, 2])
if not QUICK:
    assert -43 < low < high < 198
assert max(1000 * wb.gains(sigma).max() for sigma in real) < (200 if QUICK else 10)

if not QUICK:
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
# because: Suits never decide who wins
if not QUICK:
    for game in (tree, suited):
        best = wb.best_response(wb.Strategy.uniform(game), player=2).value
        assert abs(best - wb.best_response(wb.Strategy.uniform(tree), player=2).value) < 1e-9
# the numbers of the stations
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
# because: means of the seats differ by more
if not QUICK:
    assert np.ptp(won.mean(axis=0)) > 1.2 * np.ptp(list(by_name.values()))
    by_seat = {
        name: [
            np.mean([w[seat] for who, w in meeting.items() if who[seat] == name])
            for seat in range(3)
        ]
        for name in three
    }
    assert min(map(np.ptp, by_seat.values())) > np.ptp(list(by_name.values()))
    assert abs(earns(base) + 57) < 3
    assert abs(earns(behind_folds) - exercise.FOLDS.answer) < 3
    assert 100 < earns(behind_raises) < 125
    assert abs(often.max() - 0.226) < 0.005
    assert abs(often.mean() - 0.057) < 0.003
    assert 4e-6 < visits(3 * ["J-QK"]) < 6e-6
    assert max(visits(3 * [name]) for name in three) < 0.02
    raises_part = np.append(part.part > 0, False)[tree.infoset]
    met = raises_part & (wb.judge.how_often(tree, raises_part) == 1)
    plays = [wb.judge.reach(tree, wb.seated([three[name] for name in who]).probs)[met].sum()
             for who in permutations(three)]  # fmt: skip
    assert min(plays) > 0.5
# because: If that is the reason, the cure of Lecture 09 must help
if not QUICK:
    assert abs(trembling["behind folds", "0.01"] + 35) < 1
    assert all(abs(trembling["behind folds", eps] + 36) < 1.5 for eps in ("0.0001", "0.2"))
    assert abs(trembling["behind folds", "0"] - earns(behind_folds)) < 1e-6
    assert abs(trembling["behind folds", "1"] + 55) < 1
    *some, fully = (won for (kind, _), won in trembling.items() if kind == "behind raises")
    assert (round(min(some)), round(max(some)), round(fully)) == (116, 125, 59)
