"""What Lecture 10 says about the two-player half of Gibson and Szafron's Table 1."""

import numpy as np

assert counted.to_numpy().tolist() == [[2, 2], [2, 12], [2, 12], [0, 2], [0, 2]]
assert size.tolist() == [132, 186, 226, 444, 468]
printed = {row.item: row.published for row in rows.values() if row.item.startswith("2p size")}
assert list(printed.values()) == [132, 444, 226, 186, 186]
fine = counted @ [3, 15]
assert fine.tolist()[1:] == [186, 186, 30, 30]
assert (counted @ [2, 4]).sum() == 132
assert (counted @ [2, 4])[["base", "cr", "ccr", "cccr"]].sum() == 80
assert exercise.SAVED.answer == size["the whole game"] - size["Dynamic"]
assert (size[["S = N", "S = {i}"]] / 132).round(2).tolist() == [1.41, 1.71]
assert published["exploitability"].tolist() == [496.31, 159.84, 167.61, 214.44, 432.74]

lost = {name: milli(sigma) for name, sigma in ours.items()}
assert np.allclose(list(lost.values()), [489.8, 115.4, 155.5, 220, 150], atol=6)
learnt, exact = losses.iloc[:9], losses.iloc[9:]
assert losses["S = {i}"].between(125, 170).all()
assert np.ptp(losses["S = {i}"]) < min(
    np.ptp(losses[f"S = N, {x}"]) for x in ("pre-flop", "all", "trembling")
)
assert losses["S = N, trembling"].between(130, 220).all()
assert (learnt["S = N, trembling"] < learnt["S = N, pre-flop"] - 40).all()  # not on every base
assert (exact["S = N, all"] > 440).all()
assert losses["Dynamic"].min() > 115.2
assert losses["Dynamic"].idxmin() in (0, 1, 2, 9)

mark, near = published["exploitability"], 1  # inside what we find, or less than a milli-ante away
for name in items:
    found = [*runs[name], *(losses[name] if name != "S = N, all" else ())]
    inside = min(found) - near < mark[name] < max(found) + near
    assert inside == (name != "S = N, all")
assert len(runs["Dynamic"]) == 8
assert [round(end(runs["Dynamic"])) for end in (min, max)] == [134, 166]
some = sorted(runs["S = N, all"])
assert round(some[-1]) == 394
assert some[-2] < 290

assert lead.loc["Dynamic"].min() > 15
for column in lead:
    assert lead[column].drop("S = N, all").idxmax() == "Dynamic"
    assert lead[column].drop("S = N, all").idxmin() == "S = {i}"
assert lead["all: trembling"].idxmax() == "S = N, all"
assert lead.loc["S = N, all", "all: trapped"] < 0

kept = ledger.read_result("gibson-szafron-2011-table1").ours
for end in ("", ", dropped"):  # the verdict of the ledger, which section 4 explains
    ahead = dict(kept[f"2p Dynamic earns more than S={{i}}{end}"].parts)
    assert -0.3 < ahead.pop("cfr, simultaneous") < 0
    assert len(ahead) == 5
    assert 9.5 < min(ahead.values()) < max(ahead.values()) < 17.5
    assert rows[f"2p Dynamic earns more than S={{i}}{end}"].verdict == "claim does not hold"

stairs = {
    way: {
        limit: min(y for x, y in [*points[way], *points["base"]] if x <= limit)
        for limit in range(132, 469)
    }
    for way in ("dynamic experts", "S = {i}", "S = N, trembling")
}
static = {n: min(stairs["S = {i}"][n], stairs["S = N, trembling"][n]) for n in range(132, 469)}
leads = [n for n in static if stairs["dynamic experts"][n] < static[n] - 1]
assert leads == list(range(422, 469))
assert stairs["dynamic experts"][399] > 339
assert abs(stairs["dynamic experts"][300] - exercise.BUDGET.answer) < 4
assert static[185] > 485
assert static[186] < 160
assert abs(stairs["dynamic experts"][422] - 116) < 3

if not QUICK:
    assert 800 < losses["Base"].max() < 830
    assert losses["Dynamic"].max() > 223.5
    assert (learnt["S = N, all"] < 260).all()
    assert 220 > losses["S = N, trembling"].max() > 200
    gap = earnings.loc["Base", "all: trapped"] - earnings.loc["Base", "all: trembling"]
    assert 12 < gap < 14
    assert np.allclose(
        price["repaired per additional set"].iloc[1:], [6.2, 3.6, 1.2, 1.5], atol=0.06
    )
    assert np.allclose(price["loses"], [490, 154, 155, 115, 0], atol=1)
