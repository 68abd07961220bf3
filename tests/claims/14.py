"""What Lecture 14 says about strengths, buckets and what they cost in the real game."""

import numpy as np

assert np.allclose(sixths["you hold K♠, board Q♥"].dropna().sort_values(), [1, 2, 4, 5])
assert np.allclose(sixths["you hold Q♥, board K♥"].dropna().sort_values(), [0, 1, 5, 6])
assert np.allclose((sixths / 6).mean(), 1 / 2)
assert np.allclose(144 * (sixths / 6).pow(2).mean(), [46, 62])
assert abs(6 * strengths(six, "K♠ Q♥")["A♠"] - 5) < 1e-9

for values in pair.values():
    assert abs(2450 * values.mean() - 999) < 1e-6
five, seven = pair.values()
assert (five < 0.2).sum() == 33
assert (five > 0.6).sum() == 17
assert seven.between(0.2, 0.5).sum() == 47

assert (1000 * first).round(0).tolist() == [327, 443, 489, 536, 568, 637]
ranked = sorted(cuts, key=cuts.get)
assert len(cuts) == 10
assert ranked[:2] == ["9 | T J | Q K A", "9 | T J Q | K A"]
assert [round(cuts[name], -2) for name in (*ranked[:2], "9 T | J Q | K A")] == [6400, 6700, 10100]
assert 1.5 < cuts["9 T | J Q | K A"] / cuts[ranked[0]] < 1.65
assert abs(1e6 * exact.errors[2] - cuts[ranked[0]]) < 1e-3
assert exact.labels(3).tolist() == [0, 1, 1, 2, 2, 2]
assert percentiles(first.to_numpy(), everyone, 3).tolist() == [0, 0, 1, 1, 2, 2]

assert best == (3, 2, 2)
assert share_children([errors[rank] for rank in "9TA"], 7).tolist() == [3, 2, 2]
assert small.loc[1, "9"] == small.loc[1].max()
assert shares.sum() == 26
assert shares.tolist() == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1]

maps = {
    name: wb.cluster_hands(deck, (6, 15, 60), metric=METRICS[name]).rounds[1]
    for name in ("E[HS]", "potential-aware")
}
suits = deck.deck.suits


def sees_suits(found):  # two hands of one rank, none a pair, in different buckets
    rows = (row.reshape(-1, suits)[k] for row in found for k in range(6))
    return any(len(set(own.tolist())) > 1 for own in rows if (own >= 0).all())


assert sees_suits(maps["E[HS]"])
assert not sees_suits(maps["potential-aware"])

assert loss.loc[240].idxmin() == exercise.FINE.answer == "potential-aware"
assert loss.loc[240, "E[HS]"] - loss.loc[240, "potential-aware"] > 10
others = meetings.drop(columns=486)
assert (others.loc["E[HS] from potential-aware"] > 1).all()
assert (loss.iloc[:-1]["E[HS²]"] > loss.iloc[:-1].min(axis=1)).all()
sizes = {name: wb.cluster_hands(deck, (6, 66, 876), metric=way) for name, way in METRICS.items()}
assert {found.classes[-1] for found in sizes.values()} <= {478, 479, 480}
for name in METRICS:
    assert limits.loc[name, "real game"] > 1.8 * limits.loc[name, "abstract game"]
assert np.allclose(*limits.loc["GameShrink, refined"], rtol=0.02)

full_deck = wb.poker.buckets.HandBuckets.lossless(full)
assert full_deck.classes == (13, 325, 9997)
verdicts = {row.item: row.verdict for row in kept}
assert verdicts["potential-aware loses when coarse"] == "claim holds"
assert verdicts["potential-aware first loses and later wins"] == "claim holds"
assert verdicts["with the most buckets little is won"] == "claim holds"
assert verdicts["win-probability-based is never lossless"] == "claim holds"
assert verdicts["potential-aware wins when finer"] == "claim does not hold"
assert verdicts["EB and EB² are nearly alike"] == "claim does not hold"
assert verdicts["potential-aware becomes lossless"] == "claim does not hold"
wins_of = big[["PA against EB", "PA against EB²"]]
assert wins_of.loc[125].round().tolist() == [-31, -26]
assert wins_of.loc[250].round().tolist() == [-12, -19]
assert wins_of.loc[750].round(1).tolist() == [5.1, 2.4]
assert wins_of.loc[1774].abs().max() < 0.05
costs = big[list(METRICS)]
assert (costs.loc[[125, 250, 500]].idxmax(axis=1) == "potential-aware").all()
assert costs.loc[750].idxmin() == "potential-aware"
assert costs.loc[1774].round().tolist() == [71, 71, 71]
alike = next(row for row in kept if row.item == "EB and EB² are nearly alike")
assert round(alike.ours, 1) == 6.4

if not QUICK:
    assert loss.loc[60].idxmax() == "potential-aware"
    assert np.ptp(loss.loc[30]) < 12
    assert loss.loc[60, "potential-aware"] - loss.loc[60].min() > 10
    assert abs(loss.loc[120, "E[HS]"] - loss.loc[120, "E[HS²]"]) > 10
    assert 1 < meetings.loc["E[HS] from potential-aware", 240] < 4
    assert limits.loc[list(METRICS), "real game"].between(80, 95).all()
