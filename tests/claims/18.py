"""What Lecture 18 says about experts on limit Hold'em: information sets, and mbb per hand."""

# counting with a pencil
assert rules.betting.starts == (1, 7, 63, 567)
ways = "cc crc crrc crrrc rc rrc rrrc".split()
assert sorted(rules.betting.rounds[0].ends) == sorted(ways)
places = [(one.count > 0).sum() for one in rules.betting.rounds]
assert places == [8, 10, 10, 10]
assert [3 * 8, 9 * 70, 27 * 630, 81 * 5670] == [24, 630, 17_010, 459_270]
assert fits["base"].counts == {"base": (3, 3, 3, 3)}
assert fits["base"].sizes["base"] == 24 + 630 + 17_010 + 459_270 == 476_934

# because: so three per round is what the limit allows
assert (108 - 81) * 5670 == 153_090
assert 476_934 + 153_090 > LIMIT
assert wb.fit_buckets(rules, 476_934 + 153_090, "base").counts["base"] == (3, 3, 3, 4)

# with S = {2} player 1 decides outside, too, and 3444 no longer fits
# because: so only what comes after it needs memory
outside = 3 * 3 + 4 * 5 * 9 + 36 * 5 * 27 + 324 * 5 * 81
assert fits["S={i}"].sizes["r"] == 9 + 270 + 9_720 + 349_920 + outside == 496_188
assert fits["S=N"].sizes["r"] + outside > LIMIT

# because: and therefore her expert has 144 buckets on the river instead of 192
his = 2 * 3 + 4 * 5 * 9 + 36 * 5 * 27 + 324 * 5 * 81  # what he would do after her call
hers = {counts: fits["S=N"].sizes["r"] if counts[1] == 4 else 9 + 270 + 9_720 + 349_920
        for counts in ((3, 4, 4, 4), (3, 3, 4, 4))}  # fmt: skip
assert hers[3, 4, 4, 4] < LIMIT < hers[3, 4, 4, 4] + his  # without his memory 192 would fit
assert hers[3, 3, 4, 4] + his < LIMIT
roomy = wb.fit_buckets(rules, fits["S=N"].sizes["r"] + outside, "S={i}", most=4)
assert np.prod(fits["S={i}"].counts["r"]) == 144 < 192 == np.prod(roomy.counts["r"])
# and with the same view of the cards she learns the same in both ways, which he does not
leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
coarse = wb.solve(leduc, "cfr+", 300, abstraction="JQ-K", seed=SEED).strategy
owner = np.repeat(leduc.infoset_player, np.diff(leduc.first_choice))
learn = {"iterations": 300, "seed": SEED}
for entry, seat, alike in (("r", 0, True), ("r", 1, False), ("cr", 0, False)):
    raised = wb.betting_experts(leduc, [entry])
    plays = np.repeat(raised.part > 0, np.diff(leduc.first_choice)) & (owner == seat)
    ways = [wb.static_experts(leduc, coarse, raised, S, outside="JQ-K", **learn).probs[plays]
            for S in ({seat}, {0, 1})]  # fmt: skip
    assert np.allclose(*ways, atol=1e-9) == alike

# because: before her raise he has nothing to decide, because she acts first
opening = rules.betting.rounds[0]
asked = dict(zip(opening.text, opening.kind, strict=True))
assert [asked["r"[:k]] for k in range(1)] == [0]
assert [asked["cr"[:k]] for k in range(2)] == [0, 1]  # in the part of cr he has

# because: needs memory only for its own part
assert fits["S=N"].counts["r"] == (3, 4, 4, 4)
assert fits["S=N"].sizes["r"] == 9 + 360 + 12_960 + 466_560 == 479_889
assert known.to_dict() == {"base": 81, "dynamic experts": 108, "S = {i}": 144, "S = N": 192}
assert fits["S={i}"].counts["ccr"] == (3, 3, 4, 4)
free = wb.fit_buckets(rules, LIMIT, "S={i}")
assert free.counts["ccr"] == free.counts["cccr"] == (3, 3, 9, 9)
assert free.counts["r"] == fits["S={i}"].counts["r"]
assert sum(fits["S=N"].sizes.values()) == 1_436_712
assert wb.fit_buckets(rules, 1_492_992).counts["base"] == (4, 4, 4, 4)
assert wb.fit_buckets(rules, 1_492_991).counts["base"] != (4, 4, 4, 4)
assert 24_000_000 / LIMIT == 48
assert wb.fit_buckets(rules, 24_000_000).counts["base"] == (8, 8, 8, 8)

# who is named first does not matter
turned = wb.sample_match({"base": base, "S = N": both}, deals=DEALS, seed=SEED)
apart = abs(turned.loc["S = N", "winnings"] - match.loc["S = N", "winnings"])
assert apart < 2 * match.loc["S = N", "margin"]

# the table
assert table["published"].round(2).tolist() == [6.04, -2.66, 5.9]
assert (table["low"] > 0).all()  # all three earn more than the base here
assert table["ours"].is_monotonic_increasing  # as in the picture of section 1
leads = {name: rows[f"2p earnings {name}"].ours for name in ("Base", "large base")}
assert round(32.59 + 10.47) == 43
assert round(leads["large base"] - leads["Base"]) == 47
assert round(rows["2p large base wins from Base"].ours) == 37
assert rows["2p S=N earns more than S={i}"].low > 0
assert rows["2p S=N and Dynamic earn alike"].low > 0
assert rows["2p Dynamic earns more than S={i}"].high < 0

# a player who forgets
few = (169, 9, 9, 9) if QUICK else (20, 8, 8, 8)  # the first of them come along
forgets = wb.cluster_hands(rules, few, metric="ehs2", method="percentile", recall="imperfect")
assert 20 * 8 + 8 * (70 + 630 + 5670) == 51_120
assert rules.public_game(forgets).num_infosets == few[0] * 8 + few[1] * (70 + 630 + 5670)
grafts = {row.item: row for row in wb.ledger.read_ledger("waugh-2009-holdem")}
assert round(grafts["grafts beat the base that forgets"].ours) == -10

# how bad it is
# because: because whoever sees cards can do at least as well
assert run.abstract_exploitability < np.mean(bound)  # who sees less
if not QUICK:
    assert np.mean(wb.poker.bucket_response(base, fits["base"].base)) < np.mean(bound)

# because: so what it does on the river depends on the betting
assert cut.nested
assert not forgets.nested  # buckets that do not say what went before
assert (len(np.unique(bucket)) > 9, cut.classes[-1], forgets.classes[-1]) == (True, 81, few[-1])

assert W.shape == (1081, 81)
assert ends.shape == (9, 81, 567)
assert worth.shape == (1081, 9, 567)
from itertools import product

pairs = list(product((0, 7, 500), repeat=2))
for h, y in pairs:  # against counting one by one
    z = bucket[y]
    others = [k for k in range(1081) if bucket[k] == z and not {*hands[k]} & {*hands[h]}]
    count = sum((strength[h] > strength[k]) - 1 * (strength[h] < strength[k]) for k in others)
    assert W[h, z] == count
assert all(value > 0 for value in lost.values())
assert exercise.REAL.answer == "about 370 mbb"

# three players
assert (
    28
    < three.loc["experts with 60 buckets", "low"]
    < 31
    < three.loc["experts with 60 buckets", "high"]
    < 35
)
# because: So the finer buckets are the cause
assert three.loc["control: 3 buckets", "low"] < 0 < three.loc["control: 3 buckets", "high"]

assert three.loc["less training, control"].round().tolist() == [7, 13]
assert round(middle["less training: 20 buckets"]) == 44

# because: plays one hand in several hundred
thirds = {"weak third": "3♣ 2♣", "middle third": "2♣ 2♦", "strong third": "A♣ 2♣"}
after_call = pd.Series({name: base.at((hand, "", "c"))["r"] for name, hand in thirds.items()})
reached = first.loc["all hands", "c"] / 100 * (size @ after_call.to_numpy())
assert QUICK or 1 / 1000 < reached < 1 / 200
assert (size @ after_call.to_numpy()) > 0.2  # a small blind who always calls: one hand in a few

if not QUICK:
    assert run.abstract_exploitability < 5
    assert 12 < match.loc["S = N", "winnings"] < 25
    assert 3.5 < match.loc["S = N", "margin"] < 5
    assert second.loc["dynamic", "low"] > 0
    assert second.loc["dynamic", "winnings"] < match.loc["S = N", "winnings"]
    assert 0.2 < first.loc["all hands", "c"] < 1
    assert 20 < first.loc["all hands", "f"] < 33
    assert 68 < first.loc["all hands", "r"] < 80
    assert 60 < np.mean(bound) < 85
    assert abs(lost["rc"] - 800) < 30
    assert abs(wb.poker.answer_flop(base, "Q♥ 8♠ 3♦").exploitability("rc") - 320) < 15
    # S = N against S = {i}, with the buckets of S = {i} in both
    equal = {name: fits["S={i}"].experts[name] for name in fit.part.names}
    everybody, small_blind, big_blind = (
        wb.static_experts(rules, base, fit.part, S, abstraction=equal, **how)
        for S in ({0, 1}, {0}, {1})
    )
    for hand in thirds.values():  # she learns the same, he does not
        hers_there, all_there = (one.at((hand, "", "rr")) for one in (small_blind, everybody))
        assert np.isclose(hers_there["c"], all_there["c"], atol=1e-9)
    he_alone, he_with_all = (one.at(("A♣ 2♣", "", "r"))["r"] for one in (big_blind, everybody))
    assert abs(he_alone - he_with_all) > 1e-6
    single = wb.seated([small_blind, big_blind])
    equals = wb.sample_match({"N": everybody, "i": single}, deals=4 * DEALS, seed=SEED)
    assert equals.loc["N", "low"] < 0 < equals.loc["N", "high"]
    assert np.allclose(equals.loc["N", ["winnings", "margin"]], [-0.8, 2.0], atol=0.5)
    # a single base with four buckets per round
    four = wb.cluster_hands(rules, (4, 4, 4, 4), metric="ehs2", method="percentile")
    assert rules.public_game(four).num_infosets == 1_492_992
    large = wb.solve(rules, "cfr+", ITERATIONS, abstraction=four, checkpoints=ITERATIONS, seed=SEED)
    for name, other, wins in (("S = N", both, 9), ("base", base, 28)):
        found = wb.sample_match({"4444": large.strategy, name: other}, deals=DEALS, seed=SEED)
        assert abs(found.loc["4444", "winnings"] - wins) < 4

# at the paper's own scale
large = wb.ledger.read_result("gibson-szafron-2011-table2-24m").ours
assert whole["earnings", "ours"].round(1).tolist() == [0.0, 0.9, 1.3, 8.2]
assert whole["exploitability", "ours"].round(1).tolist() == [309.7, 306.3, 287.8, 295.1]
said = {"S=N earns more than Base": (8.2, 1.5), "S=N earns more than S={i}": (6.9, 1.5),
        "S={i} fails to improve on Base": (1.3, 1.5), "Dynamic earns more than Base": (0.9, 1.4),
        "S=N and Dynamic earn alike": (7.3, 1.5)}  # fmt: skip
for item, (lead, margin) in said.items():
    one = large[f"2p {item}"]
    assert (round(one.value, 1), round(one.high - one.value, 1)) == (lead, margin), item
assert [large[f"2p {item}"].holds for item in said] == [True, True, True, False, False]
lost = {row: large[f"2p exploitability {row}"] for row in ("Base", "Dynamic", "Static.S={i}",
                                                           "Static.S=N")}  # fmt: skip
assert [round(one.high - one.value, 1) for row, one in lost.items() if row != "Base"] == [
    0.5, 1.1, 1.7,
]  # fmt: skip
assert lost["Static.S={i}"].high < lost["Static.S=N"].low < lost["Static.S=N"].high
assert lost["Static.S=N"].high < lost["Dynamic"].low < lost["Dynamic"].high < lost["Base"].value
assert wb.fit_buckets(rules, 24_000_000, "S=N").counts["r"] == (8, 10, 11, 11)
rivers = np.prod(wb.fit_buckets(rules, 797_000_000, "base").counts["base"], dtype=float)
assert round(8 * rivers**2 / 1e9, -1) == 150  # GB, of each of two matrices

# on a graphics card
from workbench.shipped import shipped

measured = pd.read_csv(shipped("data") / "results" / "gpu.csv")
measured = measured.set_index(["measure", "game"])["found"]
assert round(float(measured["an iteration of cfr+", "holdem 8888"])) == 23
assert round(float(measured["time of an exact best response", "holdem 3333"])) == 86
assert round(float(measured["time of an exact best response", "holdem 8888"]) / 60) == 4
for game, value in {"2222": 421, "3333": 369, "5555": 330, "8888": 310}.items():
    assert round(float(measured["exact best response", f"holdem {game}"])) == value
assert round(float(measured["an iteration of cfr+", "toepen 3/3/3 with betting"]), 2) == 0.24  # 05
