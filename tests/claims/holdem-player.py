"""What the lab about Hold'em players says in numbers."""

assert small.counts["base"] == (2, 2, 2, 2)
assert small.sizes["base"] == 96_056
four = wb.fit_buckets(rules, 10_000_000, most=4)
assert four.counts["base"] == (4, 4, 4, 4)
assert 15 < four.sizes["base"] / 96_056 < 16
assert fit.counts["r"] == fit.counts["cr"] == (3, 4, 4, 4)
assert won["winnings"].idxmin() == "base 2222"
assert builder.limit.value == 100_000
assert "96,056" in builder.sizes.value

if not QUICK:
    assert won.loc["base 2222", "high"] < -30
    assert -30 < won.loc["base 3333", "winnings"] < -8
    gain = won["winnings"] - won.loc["base 3333", "winnings"]
    assert gain["with expert r"] > 8
    assert abs(gain["with expert cr"]) < won.loc["with expert cr", "margin"]
    assert abs(won.loc["with expert r", "winnings"]) < 8
    calls = [base.at((hand, "", ""))["c"] for hand in hands.values()]
    assert 0.04 < sum(calls) / 3 < 0.1
