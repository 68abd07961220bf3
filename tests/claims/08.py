"""What lecture 08 states about its numbers. Names are those of the notebook; see test_notebooks."""

# 1: counts, and the value of both games
plain, betting = counts.iloc[:2], counts.iloc[2:]
assert (plain["printed"] == plain["must follow suit"]).all()
assert (betting["printed"] == betting["need not"]).all()
assert (betting["printed"] != betting["must follow suit"]).all()
printed_rows = [
    row
    for name in ("le-2021-table3.1", "le-2021-table3.2")
    for row in ledger.read_ledger(name)
    if row.item.endswith(" information sets")
]
assert len(printed_rows) == 20
assert all(row.verdict == "reproduced" for row in printed_rows)
assert sum(row.item.split()[0].endswith("b") for row in printed_rows) == exercise.COUNTS.answer
assert 0.04 < values[True][0] - values[False][1] < 0.06

# 2: three judges
package = [wb.trained_response(sigma, i, THESIS, iterations=10_000, seed=SEED) for i in (0, 1)]
assert np.isclose(found, sum(each.value for each in package), rtol=0, atol=1e-12)
shares = {name: line[N.index(10_000)] / exact(sigma) for name, line in seen.items()}
assert max(max(line) for line in seen.values()) < exact(sigma)
assert shares["(a) from nothing"] > 0.85
if not QUICK:
    assert 0.65 < shares["(b) from the regrets"] < 0.8
    assert 0.1 < shares["(c) with everything"] < 1 / 6

# 3: the formula
share = pd.DataFrame({
    deck: means[f"{deck}, as told, estimated"] / means[f"{deck}, as told, exact"] for deck in decks
})  # fmt: skip
ratio = share.div(10_000 / (10_000 + share.index.to_numpy()), axis=0)
assert (round(ratio.min().min(), 2), round(ratio.max().max(), 2)) == (0.78, 0.94)
assert 1 / 8 < share.loc[50_000].mean() < 1 / 6.5
stopped = means[[f"{deck}, as told, exact" for deck in decks]]
assert (stopped.loc[50_000] > 0.9 * stopped.loc[20_000]).all()
assert (stopped.loc[50_000].min().round(1), stopped.loc[50_000].max().round(1)) == (0.7, 1.1)
lift = 1 / share.mean(axis=1)
assert (lift.loc[2_000].round(1), lift.loc[50_000].round()) == (1.3, 7)

# 4: two details, and what becomes of the order
last = table[table.iteration == T].groupby("curve").exploitability.mean()
textbook, walker, opponent, both = last[list(ways)]
if not QUICK:
    assert 4 < walker / textbook < 6
    assert 7 < opponent / textbook < 9
    assert 0.8 < both / opponent < 1.25
assert len(verdicts) == 3
assert (verdicts["trained and estimated as told"] == "yes").all()
assert (verdicts["trained as told, exact"] == "yes").all()
assert (verdicts["standard training, exact"] == "no").all()

# 5: 0.914, the sizes of its game with and without names, and the wrong sign; tests/lab/ledger/test_toepen_program.py measures WRONG again
large, renamed = (row.ours for row in printed_rows if row.item.startswith("3/3/3b "))
assert large > 1_000_000 > renamed == 131_763 + 245_195 == 376_958
assert worths.to_numpy().T.tolist() == [[0.3395, 0.2715], [0.5471, 0.4663]]
assert results["wrong sign"][0] < results["right sign"][0]
assert results["wrong sign"][1] > results["right sign"][1]
assert (round(min(WRONG), 2), round(max(WRONG), 2)) == (0.76, 0.93)
assert min(WRONG) < 0.914 < max(WRONG)
assert 3.6 < np.mean(WRONG_EXACT) < 3.65
assert (round(estimate.low, 2), round(estimate.high, 2)) == (1.27, 1.30)
assert (round(told.ours, 2), round(standard.ours, 2), round(uniform, 2)) == (2.86, 0.46, 3.75)
walked = ledger.read_curves("le-2021-section4.2.3").query("curve == 'cfr+, exact'")
assert round(walked.set_index("iteration").exploitability[100], 3) == 0.024
nothing = [row.ours for row in ledger.read_ledger("le-2021-figure4.2") if "uniform" in row.item]
assert 2.45 < min(nothing) < max(nothing) < 2.6
first = [judged(small, 1, 10_000, sign_error=wrong)[0] for wrong in (False, True)]
assert 2.3 < first[0] < 2.45
assert 2.05 < first[1] < 2.2
