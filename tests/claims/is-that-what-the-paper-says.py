"""What the project on published numbers states. Names are those of the notebook."""

# 1, 2: the book, and the verdict on every number in it
assert len(rows) == len(book) == tally.to_numpy().sum()
assert set(book[book.published.isna()].verdict) == {"claim holds", "claim does not hold"}
for source in book.source.unique():
    for text, row in zip(
        wb.ledger.read_published(source), wb.ledger.read_ledger(source), strict=True
    ):
        if text.published:
            assert verdict(text.published, row.ours, row.low, row.high) == row.verdict, row.item
assert (said.published, base.verdict) == ("496.31", "inside the range")
# because: So the tolerance is not ours to choose
assert [verdict(text, 2.6597) for text in ("2.66", "2.660")] == ["reproduced", "reproduced"]
assert verdict("2.6600", 2.6597) == "not reproduced"  # the same number, two digits more

# 3: golden values, and bounds that meet
assert list(origin.values()).count("OpenSpiel") == 4
assert list(origin.values()).count("ours") == 13
assert all(row.verdict == "reproduced" for row in rows if row.source.startswith("leduc-"))
assert abs(sure + 1 / 18) < 1e-12
assert abs(ceiling + 1 / 18) < 1e-12
assert value.high - value.low < 1e-12
# because: the best response to it shows what she can guarantee, so
for any_strategy in (wb.Strategy.uniform(kuhn.tree), kuhn):
    assert -wb.best_response(any_strategy, 1).value <= -1 / 18 + 1e-12
    assert wb.best_response(any_strategy, 0).value >= -1 / 18 - 1e-12
assert -wb.best_response(wb.Strategy.uniform(kuhn.tree), 1).value < -0.1  # a bound, not the value
toepen = [
    row
    for row in rows
    if row.source in ("le-2021-table3.1", "le-2021-table3.2")
    and row.item.endswith(" information sets")
]
assert len(toepen) == 20
assert all(row.verdict == "reproduced" for row in toepen)

# 4: six solvers, five answers
outside = six["real game, 1,000,000"]
assert len(six) == 6
assert six["abstract game"].max() < 1
assert (round(outside.min()), round(outside.max())) == (490, 511)
assert abs(outside["cfr+"] - outside["dcfr"]) < 0.01
# because: So more iterations will not bring them together
moved = (outside - six["real game, 500,000"]).abs()
settled = outside[moved < 0.1]
assert len(settled) == 5
assert round(settled.max() - settled.min()) == 21
slow = six.loc["cfr, simultaneous"]
assert (round(slow["real game, 500,000"]), round(slow["real game, 1,000,000"])) == (501, 495)
assert base.note.startswith("inside only with cfr: 510.8")

inside = {name for name in names if min(found[name]) <= printed[name] <= max(found[name])}
assert inside == {"Base", "Static.S=N.Pre-flop"}
assert "inside only with cfr, simultaneous" in table[lost["Static.S=N.Pre-flop"]].note
# because: each because of one solver
for name, solver in (("Base", "cfr"), ("Static.S=N.Pre-flop", "cfr, simultaneous")):
    others = [x for who, x in stored.ours[lost[name]].parts.items() if who != solver]
    assert not min(others) <= printed[name] <= max(others)
assert bands["Dynamic"][0] < 159.84 < bands["Dynamic"][1]
assert {len(seeds) for seeds in sampled.values()} == {4}
among = {name for name in names if min(sampled[name]) <= printed[name] <= max(sampled[name])}
assert among == {"Base", "Dynamic", "Static.S={i}"}
assert 45 < max(max(sampled[name]) - min(sampled[name]) for name in among) < 50
assert 1.0 < max(own["2p exploitability Base"].left.values()) < 1.5
by_paper = sampled["Static.S=N.All"]
assert (round(min(by_paper)), round(max(by_paper))) == (167, 210)
by_paper = own["2p exploitability Static.S=N.All, dropped"].parts.values()
assert (round(min(by_paper)), round(max(by_paper))) == (461, 477)
for name in names[1:4]:
    assert printed[name] < 496.31 / 2
    assert max(found[name]) < min(found["Base"]) / 2
many = stored.ours["2p exploitability Static.S=N.All, bases"].parts
assert len(many) == 32
assert not [each for each in many.values() if 260 < each < 450]
by_sampling = stored.settings["2p by chance sampling, milli-antes, by item and run"]
by_chance = by_sampling["2p exploitability Static.S=N.All"].values()
assert len(by_chance) == 16
assert [round(x) for x in sorted(by_chance) if 260 < x < 450] == [287, 295, 312, 394, 448]
assert (round(min(by_chance)), round(max(by_chance))) == (148, 448)
paid = by_sampling["2p earnings Static.S=N.All"].values()
assert (round(min(paid)), round(max(paid))) == (-10, 31)
assert min(own["2p earnings Static.S=N.All"].parts.values()) > 38
assert max(own["2p earnings Static.S=N.All, dropped"].parts.values()) < 3
assert (round(min(kept.values())), round(max(kept.values()))) == (123, 198)
assert (round(min(dropped.values())), round(max(dropped.values()))) == (458, 560)
assert (rule["leftovers kept"] != rule["leftovers dropped"]).sum() == 5
assert [len(wb.ledger.read_ledger(f"le-2021-table3.{k}")) for k in (1, 2)] == [36, 12]
assert len(rule) == 6
within = [key for key in earned if min(earned[key]) <= marks[key] <= max(earned[key])]
assert len(within) == 4
assert all(key.endswith("dropped") for key in within)
fits = {
    key
    for key in earned
    if own[f"2p earnings {key}"].low <= marks[key] <= own[f"2p earnings {key}"].high
}
assert fits == {"Static.S={i}", "Static.S={i}, dropped"}
assert {len(own[f"2p earnings {key}"].parts) for key in earned} == {2}
short_of = [
    marks[key] - own[f"2p earnings {key}"].value
    for key in earned
    if key not in fits and key.endswith("dropped")
]
assert [round(x) for x in sorted(short_of)] == [8, 14, 19, 28]
remains = sorted(own["2p exploitability Base"].left.values())
assert ([f"{x:.2f}" for x in (remains[0], remains[-1])]) == ["0.96", "1.41"]
arrived = stored.settings["2p, milli-antes to gain inside, largest of all games"]
assert max(x for name, x in arrived.items() if "chance" not in name) < 1
weak = [
    row
    for name, row in table.items()
    if name.startswith("3p earnings") and row.verdict == "inside the range"
]
assert len(weak) == 4
assert all(row.note.startswith("inside only with cfr: ") for row in weak)
assert all("mean gain 105 left" in row.note for row in weak)
# because: all thanks to plain CFR
for row in weak:
    others = [x for who, x in stored.ours[row.item].parts.items() if who != "cfr"]
    assert not min(others) <= row.published <= max(others)
left_over = stored.settings["3p, milli-antes to gain inside, largest of all games"]
assert [who for who, x in left_over.items() if x < 8] == ["pcfr+"]
size = table["3p size Static.S={i}"]
assert (size.published, size.ours) == (3017, 3021)
assert table["3p S=N earns more than Dynamic"].high < 0

# 5: fields
failed = {name for name, lead_of in leads.items() if min(lead_of) <= 0}
assert failed == {"JQ.K flop before JQ.K preflop grafts", "larger is better, but for J.QK flop"}
assert max(leads["JQ.K flop before JQ.K preflop grafts"]) < 0
assert won.loc["J.Q.K", "JQ.K"] > 0
assert won.loc["J.Q.K", "J.QK"] > 0
assert (round(won.loc["JQ.K", "J.QK"]), round(won.loc["J.Q.K", "J.QK"])) == (79, 45)
# because: The share is the same in three rows and the lead is not, so the share is not the reason
ahead = {name: edge([*three, *more]) for name, more in companies.items()}
bases, weak_grafts, best_grafts, rival_grafts, nine, without = ahead.values()
assert bases < 0 < nine
assert weak_grafts < 0 < best_grafts < rival_grafts
assert without < 0  # JQ.K's own grafts away, and the effect is gone
assert all(wins.loc[graft, "JQ.K"] > 0 for graft in grafts_of("JQ.K"))
assert all(wins.loc["J.Q.K", graft] > wins.loc["JQ.K", graft] for graft in grafts_of("JQ.K"))
captions = [row for row in rows if row.source.startswith("gibson-szafron-2011-figure")]
assert len(captions) == 12
assert all(row.verdict == "claim holds" for row in captions)

# the gap in the band of Static.S=N.All
(_, low_end), (high_end, _) = bands["Static.S=N.All"]
assert low_end < 260 < 432.74 < 450 < high_end
