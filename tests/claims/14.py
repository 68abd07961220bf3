"""What Lecture 14 says about strengths, buckets and what they cost in the real game."""

from dataclasses import replace

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
assert wb.abstraction.percentiles(first.to_numpy(), everyone, 3).tolist() == [0, 0, 1, 1, 2, 2]

assert best == (3, 2, 2)
assert wb.abstraction.share_children([errors[rank] for rank in "9TA"], 7).tolist() == [3, 2, 2]
assert small.loc[1, "9"] == small.loc[1].max()
shared = {total: wb.abstraction.share_children(ways, total) for total in (26, 39)}
shares = shared[26]
assert shares.sum() == 26
assert shares.tolist() == [3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1]
assert [full.rank_names[k] for k in np.flatnonzero(shared[39] == shared[39].max())] == ["7", "8"]

maps = {
    name: wb.cluster_hands(deck, (6, 15, 60), **how).rounds[1]
    for name, how in {**WAYS, "L1": {**POTENTIAL, "distance": "l1"}}.items()
}
suits = deck.deck.suits


def sees_suits(found):  # two hands of one rank, none a pair, in different buckets
    rows = (row.reshape(-1, suits)[k] for row in found for k in range(6))
    return any(len(set(own.tolist())) > 1 for own in rows if (own >= 0).all())


assert sees_suits(maps["E[HS]"])

# because: The reason is its distance
assert not sees_suits(maps["potential-aware, L2"])
assert not sees_suits(maps["L1"])
assert sees_suits(maps["potential-aware, EMD"])

# because: Squaring rewards extremes
values = sixths / 6
assert np.ptp(values.mean()) < 1e-12  # without the square the two are alike
assert values.pow(2).mean().idxmax() == "you hold Q♥, board K♥"
assert values.pow(0.5).mean().idxmin() == "you hold Q♥, board K♥"  # a root punishes extremes

# because: a bucket is an interval, so the best
spots = first.to_numpy()
two = [wb.abstraction.LineClusters(spots[:j], np.ones(j), most=2).errors[-1] for j in range(2, 6)]
last = [((spots[j:] - spots[j:].mean()) ** 2).sum() for j in range(2, 6)]
assert np.isclose(min(map(sum, zip(two, last, strict=True))), exact.errors[2])

# because: so the 9s and the 10s never share a bucket again
remembered, forgotten = (
    wb.cluster_hands(deck, (6, 15, 60), recall=recall).rounds[1]
    for recall in ("perfect", "imperfect")
)


def shared(found):  # buckets that hold a 9 and a 10
    nine, ten = (found[:, rank * suits : (rank + 1) * suits] for rank in (0, 1))
    return {*nine[nine >= 0].tolist()} & {*ten[ten >= 0].tolist()}


assert not shared(remembered)
assert shared(forgotten)

# the lowest get most
calm = {**later, "2": later["2"].mean() + (later["A"] - later["A"].mean())}  # varies like an ace
calm = [
    wb.abstraction.LineClusters(values, np.full(51, 1 / 51), most=6).errors
    for values in calm.values()
]
assert (
    wb.abstraction.share_children(calm, 26)[0]
    == wb.abstraction.share_children(calm, 26)[-1]
    < shares[0]
    == 3
)

# because: the errors are convex
assert all((np.diff(one, 2) > -1e-12).all() for one in ways)
greedy = np.ones(13, int)
for _ in range(13):
    greedy[np.argmax([one[k - 1] - one[k] for one, k in zip(ways, greedy, strict=True)])] += 1
cost = [sum(one[k - 1] for one, k in zip(ways, given, strict=True)) for given in (greedy, shares)]
assert np.isclose(*cost)

# because: nobody can win 16 small bets in every hand
most = full.betting.paid(3).max()  # chips, if everybody always raises
assert most / 10 == 15.5 < 16.6
assert replace(full.betting, most=(4, 4, 4)).paid(3).max() / 10 > 16.6  # one more raise: one can

potential = ["potential-aware, L2", "potential-aware, EMD"]
assert exercise.FINE.answer == "potential-aware"
assert loss.loc[486].notna().all()
if not QUICK:
    assert loss.loc[486].max() < loss.loc[30].min()  # buckets help, whatever they are cut by
    assert (loss.loc[240, "E[HS]"] - loss.loc[240, potential] > 10).all()
    others = meetings.drop(columns=486)
    assert (others.loc["E[HS] from potential-aware, L2"] > 1).all()
    assert others.loc["E[HS] from potential-aware, EMD", 240] < -1

# because: there are no more different strengths to tell apart
sizes = {name: wb.cluster_hands(deck, (6, 66, 876), **how) for name, how in WAYS.items()}
assert {found.classes[-1] for found in sizes.values()} <= {478, 479, 480}
boards = wb.poker.HandBuckets.lossless(deck)
tags = [np.where(own < 0, 0.0, own) for own in boards.rounds]  # every hand a strength of its own
assert wb.cluster_hands(deck, (6, 66, 876), strengths=tags).classes == boards.classes

# because: a strength does not say which opponents it beats
for name in WAYS:
    excess = limits.loc[name, "real game"] / limits.loc[name, "abstract game"]
    assert excess > (1.001 if QUICK else 1.8)  # few iterations: the abstract game is not solved

# because: so for playing the hand it matters
assert np.allclose(*limits.loc["GameShrink, refined"], rtol=0.02)  # it keeps which opponents

# because: a story about a distance
assert (whole["potential-aware, EMD"] < whole["E[HS]"]).all()
assert (won.loc["potential-aware, EMD"] > 0).all()
for name in ("potential-aware, L2", "potential-aware, L1"):
    assert won.loc[name, 125] < won.loc[name, 250] < -10 < 0 < won.loc[name, 500]
    assert (whole[name] > whole["E[HS]"]).tolist()[:2] == [True, True]
    assert whole.loc[750, name] < whole.loc[750, "E[HS]"]

full_deck = wb.poker.HandBuckets.lossless(full)
assert full_deck.classes == (13, 325, 9997)
from workbench.lab import ledger  # noqa: E402

kept = {row.item: row for row in ledger.read_ledger("sandholm-2009-abstractions")}
assert round(kept["EB and EB² are nearly alike"].ours, 1) == 6.4
assert round(kept["row 1, EB against PA"].published, 1) == 16.6
assert round(kept["win-probability-based is never lossless"].ours) == 71
inside = ledger.read_settings("sandholm-2009-abstractions")[
    "exploitability, thousandths of a small bet"
]
for row in ("13-50-250", "13-75-500", "13-100-750"):
    assert inside[f"EB² {row}"]["real game"] < inside[f"EB {row}"]["real game"]

if not QUICK:
    assert loss.loc[60].idxmax() == "potential-aware, L2"
    assert 25 < loss.loc[60, "potential-aware, L2"] - loss.loc[60, "E[HS]"] < 35
    assert 7 < loss.loc[60, "potential-aware, EMD"] - loss.loc[60, "E[HS]"] < 11
    assert abs(loss.loc[120, "E[HS]"] - loss.loc[120, "E[HS²]"]) > 10
    narrow = [clustered((6, 15, 240), n).exploitability for n in ("E[HS]", "potential-aware, L2")]
    assert 43 < MSB * (narrow[1] - narrow[0]) < 53
    assert 1 < meetings.loc["E[HS] from potential-aware, L2", 240] < 4
    assert meetings.loc["E[HS] from potential-aware, EMD", 120] < -1
    assert limits.loc[list(WAYS), "real game"].between(80, 95).all()
    left = [100 * one.abstract_exploitability for run in runs.values() for one in run.values()]
    assert 22 < min(left) < max(left) < 28
    # longer training: nearer to equilibrium inside, more exploitable outside
    long = wb.cluster_hands(deck, (6, 15, 60))
    long = wb.solve(deck, "cfr+", 600, abstraction=long, checkpoints=600, progress=False)
    assert MSB * long.abstract_exploitability < 3
    assert abs(MSB * long.exploitability - 312) < 2
    # all cards, 150 iterations
    for name in ("E[HS]", "potential-aware, EMD"):
        cut = wb.cluster_hands(full, (13, 50, 250), **WAYS[name])
        run = wb.solve(full, "cfr+", 150, abstraction=cut, checkpoints=150, progress=False)
        assert abs(MSB * run.exploitability - whole.loc[250, name]) < 1
