"""What Lecture 12 says about grafts: Kuhn poker in chips, Leduc poker in millibets."""

assert np.allclose(after_bet["b"], [1 / 2, 1 / 2, 1], atol=1e-3)
assert abs(wb.solve(kuhn, "lp").strategy.at("Q b", 1)["b"] - 1 / 3) < 1e-6
assert all(base.at(card, 0)["b"] > 0.999 for card in "JQK")
assert np.allclose([*kuhn_graft.gains.values(), kuhn_graft.gain], [1 / 6, 0, 0, 1 / 6], atol=1e-3)
won_lost = [
    (wb.expected_values([base, sigma])[1], wb.best_response(sigma, 0).value)
    for sigma in ways.values()
]
assert np.allclose(won_lost, [(0, 1 / 6), (1 / 6, 1 / 6), (1 / 3, 1 / 3)], atol=2e-3)

# because: because in its game player 1 may react
assert reply.at("Q b", 1)["b"] > 0.99  # against a player 1 who cannot react, every Queen calls
assert kuhn_graft.strategy.at("Q b", 1)["b"] < 0.51


def worth_of(often, other):
    """What a beginner wins as player 1 if she bets so often without the King."""
    probs = base.probs.copy()
    for k, (card, moves) in enumerate(kuhn.seen):
        if moves == "" and card != "K":
            probs[kuhn.first_choice[k] : kuhn.first_choice[k + 1]] = 1 - often, often
    return wb.expected_values([wb.Strategy(kuhn, probs), other])[0]


assert worth_of(0, reply) > worth_of(1, reply) + 0.1  # she would stop bluffing
assert abs(worth_of(0, base) - worth_of(1, base)) < 0.01  # as long as half of them call, no need
# because: because every complete hand passes through one graft at most
even = wb.Strategy.uniform(kuhn)


def moves_of(*where):
    """Player 1 always bets there; everybody else tosses coins."""
    here = {k for k, (_, told) in enumerate(kuhn.seen) if told in where}
    probs = np.where(np.isin(kuhn.choice_infoset, list(here)), np.arange(kuhn.num_choices) % 2, 0.5)
    return wb.expected_values(wb.Strategy(kuhn, probs))[0] - wb.expected_values(even)[0]


assert [kuhn.actions_at(k) for k in range(kuhn.num_infosets)] == [("p", "b")] * kuhn.num_infosets
assert abs(moves_of("", "pb") - moves_of("") - moves_of("pb")) > 0.01  # a hand meets both: no sum

assert tree.num_infosets == 288
# because: because the player's other cards are fixed while one card learns
assert 144 + 99 > 198 > sizes["pre-flop"]["J.Q.K"] == 48 + 99  # all of her cards, and one of them
assert [wb.abstract(tree, name).coarse.num_infosets for name in names] == [198, 132, 132]
assert [[sizes[kind][name] for name in names] for kind in cuts] == [
    [147, 114, 114],
    [144, 111, 111],
]
assert sum(len(each.gains) for each in sides.values()) == 36
assert all(each.holds for each in proofs)
assert sum(len(each.gains) for each in proofs) == 36 * len(fields)
assert single.min(axis=None) > -0.5
assert np.allclose([min(together), max(together)], [17, 143], atol=10 if QUICK else 1.5)
assert single.filter(like="JQ.K", axis=0)["K"].abs().max() < 0.3
assert single.filter(like="J.QK", axis=0)["J"].abs().max() < 0.3

# because: The reason is the opponent
blind, sighted = (single.filter(regex=rf"^{name} ", axis=0)["K"] for name in (r"JQ\.K", r"J\.Q\.K"))
assert blind.abs().max() < 0.3 < 1.5 < sighted.min()
# because: so knowing which of the two it is cannot win anything from him
assert single.filter(like="J.Q.K", axis=0)["K"].min() > 1.5  # from one who can tell them, it does
assert np.allclose(
    bases["JQ.K"].at(("Q", "J", "cc/"), 0)["r"], bases["JQ.K"].at(("J", "Q", "cc/"), 0)["r"]
)

# because: So grafting cannot hurt, but only against
assert won.loc["JQ.K pre-flop", "J.QK"] < won.loc["JQ.K", "J.QK"] - 20  # somebody else
assert min(each.gain for each in sides.values()) > 0

assert all(won.loc[grafted, base] > 15 for base, grafted in pairs)
assert (won.loc["J.QK"].drop("J.QK") < 0).all()
assert np.allclose([won.loc["JQ.K", "J.QK"], won.loc["JQ.K pre-flop", "J.QK"]], [76, 47], atol=2)
assert sum(table.loc[g, "exploitability"] > table.loc[b, "exploitability"] for b, g in pairs) == 3
expected = {
    "sees as the base": [25.5, 22.7, 28.0, 12.6, 72.8, 45.9],
    "sees everything": [-0.8, -0.6, 2.1, 14.6, 38.7, 55.3],
}
for column, numbers in expected.items():  # the same field for a graft and its base
    assert np.allclose(leads[column], numbers, atol=5 if QUICK else 1.5)
lower = [500 * (wb.exploitability(bases[b]) - wb.exploitability(twins[g])) for b, g in pairs]
assert np.allclose([min(lower), max(lower)], [43, 118], atol=6 if QUICK else 2)
other_field = {grafted: lead(twins, base, grafted) for base, grafted in pairs}
assert sum(x < 0 for x in other_field.values()) == 4
# field effect: the same six grafts seem worse when all of their twins are replaced at once
replaced = [-20.3, -8.6, -9.3, -8.6, 37.9, 43.2]
assert np.allclose(list(other_field.values()), replaced, atol=5 if QUICK else 1.5)
moved = 500 * wb.standings(twins)["winnings"]
assert np.allclose([table.loc["J.Q.K", "winnings"], moved["J.Q.K"]], [2.8, 21.4], atol=1)
cross = 500 * wb.tournament(twins)
own = ["J.Q.K pre-flop", "J.Q.K flop"]
elsewhere = [grafted for _, grafted in pairs if grafted not in own]
for some in (own, elsewhere):  # half of the change each
    swapped = 500 * wb.standings(field | {name: twins[name] for name in some})["winnings"]
    assert abs(swapped["J.Q.K"] - table.loc["J.Q.K", "winnings"] - 9.3) < 0.6
assert np.allclose(won.loc["J.Q.K", own], [-23, -20], atol=1)
assert np.allclose(cross.loc["J.Q.K", own], [19, 12], atol=3 if QUICK else 1)
# because: so now $\varepsilon$ has to be measured among such opponents
assert max(each.epsilon for both in informed.values() for each in both) > 0.3  # chips
assert epsilon < 0.001
assert max(3 * 3 * each.epsilon for both in informed.values() for each in both) > 3

assert (dominated.sum(), dominated.size) == (109, 672)
assert mistakes(field).max() < 1.05
# because: So in Leduc poker dominated choices explain little of what grafts earn
assert (
    better.max() < 0.6 * leads["sees as the base"].min()
)  # taken away, a few millibets are gained
assert mistakes(field)["J.QK"] < 0.02
more = [mistakes(field)[name] > mistakes(field)[name.split()[0]] for name in field if " " in name]
assert (len(more), sum(more)) == (6, 5)
assert better.min() > -0.1
assert 4 < better.max() < 8
steps = leads["sees as the base"]
assert np.allclose([steps.min(), steps.max()], [13, 73], atol=5 if QUICK else 1.5)

assert len(fields) == (3 if QUICK else 11)
assert all(earned.loc[b].max() < earned.loc[g].min() for b, g in pairs)
assert counts.iloc[:3].tolist() == 3 * [len(fields)]
assert counts.iloc[3] >= (1 if QUICK else 8)
assert 440 < risk.max(axis=None) < 515
if not QUICK:
    assert abs(table["exploitability"].max() - 451) < 3
    assert abs(risk.max(axis=None) - 502) < 1
    assert risk.max().idxmax() == "cfr+"
if not QUICK:
    assert epsilon < 1e-5
    assert 9 * 500 * epsilon < 0.05
