"""What the lab about Hold'em players says in numbers."""

from workbench.poker.buckets.fitting import infosets

assert small.counts["base"] == (2, 2, 2, 2)
assert small.sizes["base"] == 96_056
four = wb.fit_buckets(rules, 10_000_000, most=4)
assert four.counts["base"] == (4, 4, 4, 4)
assert 15 < four.sizes["base"] / 96_056 < 16
# because: because the river remembers all four rounds
alone = fit.part.only(())
doubled = [
    infosets(alone, counts) / 96_056 for counts in ((2, 2, 2, 4), (4, 2, 2, 2), (4, 4, 4, 4))
]
assert doubled[0] < 2
assert doubled[1] == 2  # a bucket of the first round is kept to the end
assert 15 < doubled[2] < 16
assert fit.counts["r"] == fit.counts["cr"] == (3, 4, 4, 4)
assert QUICK or won["winnings"].idxmin() == "base 2222"
assert won["low"].lt(won["high"]).all()
assert builder.limit.value == 100_000
assert "96,056" in builder.sizes.value
# because: so all that you can win with the same training must come from experts
itself = wb.sample_match({"it": house, "house": house}, deals=20_000, seed=SEED).loc["it"]
assert itself["low"] < 0 < itself["high"]

# because: So r plays in about 7,700 hands of 10,000
if not QUICK:
    first, called = (
        pd.DataFrame({name: house.at((hand, "", after)) for name, hand in hands.items()})
        for after in ("", "c")
    )
    call, raised, again = first.loc["c"].mean(), first.loc["r"].mean(), called.loc["r"].mean()
    assert abs(call - 0.068) < 0.001
    assert abs(again - 0.54) < 0.01
    assert abs(raised - 0.77) < 0.01
    assert 350 < 10_000 * call * again < 380
# the four players
if not QUICK:
    assert won.loc["base 2222", "high"] < -30
    assert won.loc["house with expert r", "low"] > 5
    assert won.loc["house with both", "low"] > 5
    lucky = won.loc["house with expert cr"]
    assert lucky["low"] < 0 < lucky["winnings"]
    pair = {"it": players["house with expert cr"], "house": house}
    other = [wb.sample_match(pair, deals=DEALS, seed=k).loc["it", "winnings"] for k in (1, 3)]
    assert 4.6 < other[0] < 4.8
    assert -0.6 < other[1] < -0.4
    added = won.loc["house with both", "winnings"] - won.loc["house with expert r", "winnings"]
    assert added < won.loc["house with expert r", "winnings"]
    per_hand = won.loc["house with expert r", "winnings"] / raised
    assert 0.3 < per_hand * call * again < 2
