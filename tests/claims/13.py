"""What Lecture 13 says about Rhode Island Hold'em."""

# the game
node = rules.node(state)
assert node.seen == ("K♠", "K♥ 2♥", "cc/rc/r")
assert rules.node(rules.next(state, "c")).payoffs == (45, -45)
assert [sum(rules.betting.rounds[0].kind == player) for player in (0, 1)] == [4, 4]
assert rules.betting.starts == (1, 7, 49)
assert 52 * 4 == 208
assert 52 * 51 * 7 * 4 == 74_256
assert 52 * 51 * 50 * 49 * 4 == 25_989_600
assert 208 + 74_256 + 25_989_600 == wb.poker.infosets_per_player(rules) == 26_064_064
assert wb.poker.lp_rows(rules) == 91_224_226

# suits
small = wb.load_game("rhode_island", ranks=3, suits=2)
assert wb.poker.HandBuckets.lossless(small).classes[:2] == (3, 15)
assert by_suit == (13, 13 * 12 + 13 * 13, 13 * 12 * 11 + 3 * 13 * 12 * 13 + 13**3)
assert by_suit == (13, 325, 9_997)
assert wb.poker.infosets_per_player(rules, by_suit) == 1_968_564
assert 13 < wb.poker.infosets_per_player(rules) / wb.poker.infosets_per_player(rules, by_suit) < 14
assert round(wb.poker.lp_rows(rules, by_suit) / 1e6, 1) == 6.9

# GameShrink
assert len(types) == 9
assert {tuple(row) for row in types.to_numpy().tolist()} == {(4, 0, 0), (0, 3, 1), (2, 1, 1)}
each = types.reset_index("private").drop_duplicates()["private"].value_counts()
assert each.loc[list("JQK")].tolist() == [2, 3, 2]
assert published["Leduc"].classes == (3, 7)
assert refined["Leduc"].classes == (3, 9)
assert published["Rhode Island"].classes == (13, 205, 1_774)
assert tuple(int(classes.max()) + 1 for classes in found) == (13, 205, 1_774)
assert refined["Rhode Island"].classes == (13, 325, 7_969)
assert wb.poker.lp_rows(rules, (13, 205, 1_774)) == 1_237_238
assert round(wb.poker.lp_rows(rules, (13, 325, 7_969)) / 1e6, 1) == 5.5
assert 0.19 < 1 - 7_969 / 9_997 < 0.21
assert abs(loses(published["Leduc"]) - 191) < 1
assert loses(refined["Leduc"]) < 1e-6

# public states
assert np.allclose(showdown(strength, reach), [-2.6, -1.8, 0.8, 0.8])
assert 50 * 49 == 2_450
assert round(game.num_histories / 1e9, 1) == 6.7
assert 9.5e6 < game.num_choices < 10.5e6

# the runs
assert msb * run.exploitability <= (1_000 if QUICK else 1)
curve = merged.trace.set_index("iteration") * msb
assert (curve["exploitability"] >= curve["abstract_exploitability"] - 1e-6).all()
assert abs(msb * wb.expected_values(run.strategy)[0] + 66) < (500 if QUICK else 2)
if not QUICK:
    assert 300 < run.iterations < 450
    assert curve["exploitability"].loc[[64, 100, 150]].between(60, 80).all()
    assert curve["abstract_exploitability"].loc[150] < 6
    one, two = (
        {card: run.strategy.at((card + "♥", "", before))["r"] for card in cards}
        for before in bets.values()
    )
    for bet in (one, two):
        assert bet["8"] < 0.1
        assert min(bet["4"], bet["K"], bet["A"]) > bet["8"] + 0.15
    assert sum(two.values()) > sum(one.values()) + 1
    assert one["A"] < 0.5

# who raises a bet in Leduc
solved = wb.solve(tree, "cfr+", 1_000, progress=False).strategy
for before in ("r", "cr"):
    assert solved.at(("K", "", before))["r"] > solved.at(("Q", "", before))["r"] + 0.1

# because: A King does that more often than a Queen, so a King is now more likely
coin = wb.Strategy.uniform(tree)  # who raises with everything alike
assert coin.at(("K", "", "r"))["r"] == coin.at(("Q", "", "r"))["r"]
assert solved.at(("K", "", "r"))["r"] > solved.at(("Q", "", "r"))["r"] + 0.1

# because: because he has seen a check
if not QUICK:  # where she must check, a check says nothing, and he bets less often
    flat = wb.compile_game(small)
    opens = np.array([seen[1:] == ("", "") for seen in flat.seen])

    def rate(sigma, betting):
        return np.mean([sigma.at((f"{rank}♥", "", betting))["r"] for rank in small.rank_names])

    free = wb.solve(flat, "cfr+", 300, progress=False).strategy
    checks = wb.Strategy.from_function(
        flat,
        lambda player, seen, actions: (
            "c" if seen[1:] == ("", "") else [1 / len(actions)] * len(actions)
        ),
    )
    must = wb.theory.fix(checks, opens)
    held = must.lift(wb.solve(must.tree, "cfr+", 300, progress=False).strategy)
    assert rate(held, "c") < rate(free, "") < rate(free, "c")
# because: so the ante of 5 chips is 500 milli-small-bets
assert 5 * msb == 500 == 1000 * 5 / 10

# because: because some renamings leave a holding as it is
from itertools import permutations  # noqa: E402

holdings = [(a, b) for a in range(52) for b in range(52) if a != b]
stays = [
    sum(all(new[card % 4] == card % 4 for card in pair) for pair in holdings)
    for new in permutations(range(4))
]
assert np.mean(stays) == 325  # Burnside
assert 2652 / 24 < 111  # if none but the identity left anything as it is

# because: because a Jack and a Queen were in different classes before
assert len(types.drop_duplicates()) == 3 < 7  # without a round before

# because: so it has merged hands that are not the same up to suits
assert published["Rhode Island"].classes[1] == 205 < 325 == refined["Rhode Island"].classes[1]

# because: Exchanging the two suits pairs up the 6 private cards
one_suit = wb.load_game("rhode_island", ranks=6, suits=1)
assert wb.poker.HandBuckets.lossless(one_suit).classes[0] == 6  # nothing to exchange
assert wb.poker.HandBuckets.lossless(small).classes[0] == 3

# because: So this loss is due to what the histograms forget
judged = {name: one.trace.iloc[-1] * msb for name, one in (("old", merged), ("new", repaired))}
assert abs(judged["new"].exploitability - judged["new"].abstract_exploitability) < 0.01
assert QUICK or judged["old"].exploitability > judged["old"].abstract_exploitability + 50
assert QUICK or judged["new"].exploitability < judged["old"].exploitability / 5
