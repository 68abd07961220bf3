"""What Lecture 15 says about solving a last round again: thousandths of a small bet."""

assert 3 < milli(nearly) < 4.5
assert 28 < milli(unsafe) < 38
assert milli(unsafe) > 8 * milli(nearly)
assert milli(safe) < milli(nearly)

assert whole.min() == 0
assert q[whole.argmin()] == 0.25
assert (whole > 1e-9).sum() == len(q) - 1
assert np.allclose(list(alone.at("go", 1).values()), 0.5, atol=1e-9)
assert np.isclose(gained, 500)
assert np.isclose(wb.best_response(blueprint, player=0).value, 0)
assert np.isclose(named["red"], 0.25)

hands = answers["unsafe"].table().set_index("hand")
assert hands.loc[["J♥", "J♠"], ["player 1 holds it", "player 2 holds it"]].to_numpy().max() < 0.001
assert hands["player 1 holds it"].drop(["J♥", "J♠"]).between(0.2, 0.3).all()
ends = course.groupby("way").last()
assert ends.loc["unsafe", "margin"] < -300
assert ends.loc["safe", "margin"] > -5
assert ends["gap"].max() < 3
assert -300 < course.query("way == 'safe' and iterations == 20")["margin"].item() < -150
assert {name: len(one) for name, one in course.groupby("way")} == dict.fromkeys(
    ("safe", "unsafe"), 5 if QUICK else 7
)

from workbench.poker.resolving import _floor  # noqa: E402

long = answers["unsafe"].more(310)
here = long.part.hands
less = _floor(nearly, long.part, 0)[here] - long.part.answer(0, long._plan)[here]
less = 100 * less / long.part.believed(1)[here]
less = dict(zip(hands.index, less[:, 0], strict=True))
assert less["K♠"] < -300
assert less["Q♥"] > 250

for name, losses in after.items():
    worse = [new > old for old, new in zip(before, losses, strict=True)]
    assert worse == [name == "unsafe" and n >= 100 for n in lengths]
pairs = zip(lengths, after["unsafe"], after["safe"], strict=True)
assert all(u < s for n, u, s in pairs if n < 100)

lost, even, against = (deck[name] for name in deck)
assert lost["safe"] < lost["blueprint"] < lost["unsafe"]
assert round(lost["blueprint"]) == 153
assert even["safe"] < 0 < even["unsafe"]
assert against["safe"] < against["blueprint"] < against["unsafe"] < 0
assert [round(phases[name]) for name in ways] == [342, 193, 52, 12]
assert notes["iterations"]["as a whole"] == 150
wins = {row.item: row for row in ledger.read_ledger("sandholm-2009-phases")}["GS2 wins from GS1"]
assert round(wins.ours, 1) == 7.7

jacks = [one.table().set_index("hand").loc["J♥"] for one in lines.values()]
assert [round(one["player 1 holds it"], 3) for one in jacks] == [0.001, 0.02]
assert [round(one["player 1 wins"]) for one in jacks] == [56, -95]
assert 18 < shaken.loc["unsafe", "1 in 100"] < 25
assert shaken.loc["safe", "1 in 100"] > milli(nearly)
