"""What lecture 06 states about its numbers. Names are those of the notebook; see test_notebooks."""

from workbench.lab.play.session import Session

# 1: which ten?
for throws in ("10♥", "10♦"):
    at_table = Session("toepen", options=options, opponent="always-10♠", seat=1, seed=6903)
    won = []
    for nine in ("9♦", "9♥"):
        at_table.deal()
        assert at_table.asked.seen == ("10♥ 10♦", "10♠")
        at_table.play(throws)
        assert at_table.hands[-1].moves[0].what == f"10♠ {nine} | 10♥ 10♦"
        won.append(at_table.net - sum(won))
    assert sorted(won) == [-1, 1]
    assert abs(at_table.table()["cost"]).max() < 1e-9

# 1: the smallest deck
merged = wb.abstract(smallest, "lossless-suits")
assert (smallest.num_infosets, merged.coarse.num_infosets, merged.forced) == (10, 6, 2)
assert len(set(map(problem, smallest.seen))) == 6

# 2: two translations
assert sizes.to_numpy().tolist() == [
    [10, 6, 6],
    [51, 14, 12],
    [3_048, 822, 528],
    [18_342, 4_698, 3_141],
]
for one in (tree, by_thesis.coarse, by_orbit.coarse):
    assert abs(wb.expected_values(wb.solve(one, "lp").strategy)[0] - 0.534463) < 1e-6
lost = np.array(ends["thesis-suits"])
# because: Different runs may find different equilibria, so we start several
assert lost.max() > 1.3 * lost.min()
assert learn(by_thesis, SEED).exploitability == lost[0]  # from one start, one end
assert 0.01 < lost.mean() < 0.07
assert lost.min() > 0.002
usual = wb.solve(tree, "cfr+", ITERATIONS, abstraction=by_thesis, progress=False)
assert usual.exploitability < 0.002  # no random start, and no loss to speak of
assert 0.08 < wb.solve(tree, "lp", abstraction=by_thesis).exploitability < 0.11
for name in ("thesis-suits", "lossless-suits"):
    inside = max(one.trace["abstract_exploitability"].iloc[-1] for one in runs[name])
    assert inside < (0.005 if QUICK else 0.001), name
for one in runs["lossless-suits"]:
    assert np.allclose(one.trace["exploitability"], one.trace["abstract_exploitability"], atol=1e-9)

# 3: the habit, in thirtieths of a point
assert abs(wb.expected_values(wb.solve(plain, "lp").strategy)[0] - 13 / 30) < 1e-9
for name, sigma in players.items():
    assert np.allclose(wins(sigma), [13, -13]), name
    worth = 14 if name == "blunder, habit" else 13
    assert np.allclose(wins(game.lift(sigma)), [worth, -13]), name
assert (reply.at(("10♠ 9♥", ""))["10♠"], reply.at(("10♠ 9♦", ""))["9♦"]) == (1, 1)
wrong = wb.judge.dominated_choices(plain)
for name, sigma in players.items():  # the blunder is the only dominated choice
    assert (game.lift(sigma).probs[wrong].max() > 0) == ("blunder" in name), name


def lead_earns(start, sigma):
    """What each lead of player 1 earns in this deal if she replies best afterwards."""

    def value(h):
        if plain.terminal[h] >= 0:
            return plain.utility[plain.terminal[h], 0]
        choice = slice(*plain.first_choice[plain.infoset[h] : plain.infoset[h] + 2])
        probs = (replies if plain.player[h] == 0 else sigma).probs[choice]
        return probs @ [value(k) for k in children(h)]

    def children(h):
        return range(plain.first_child[h], plain.first_child[h + 1])

    replies = wb.best_response(sigma, 0).strategy
    h = next(h for h in range(plain.num_histories) if plain.history_label(h) == start)
    return [round(value(k)) for k in children(h)]  # the ten first


def earned(name, nine="9♥"):
    sigma = game.lift(players[name])
    return np.array([lead_earns(f"10♠ {nine} | {hand}", sigma) for hand in against]).T


against = ["9♠ 10♥", "9♠ 10♦", "9♠ 9♦", "10♥ 10♦", "10♥ 9♦", "10♦ 9♦"]
assert earned("careful").tolist() == [[-1, 1, 1, 0, -1, 1], [1, 1, 1, -1, -1, 1]]
assert earned("blunder").tolist() == [[-1, 1, 1, 0, 0, 1], [1, 1, 1, -1, -1, 1]]
# because: they become +1, because he keeps the 10♦ and her 9♥ wins the last trick
for name in ("careful", "blunder"):
    assert (earned(f"{name}, habit") - earned(name)).tolist() == [[0, 0, 0, 1, 0, 0], [0] * 6]
    # with the other nine, which the 10♦ beats, the same habit wins him the trick
    assert lead_earns("10♠ 9♦ | 10♥ 10♦", game.lift(players[f"{name}, habit"])) == [-1, -1]
# because: Against the careful player the ten now earns 2, which the nine earned all along
assert earned("careful, habit").sum(axis=1).tolist() == [2, 2]
assert earned("blunder, habit").sum(axis=1).tolist() == [3, 2]  # without his care it is a gain
# because: player 1 cannot tell these two hands apart
hand_of = [thesis(0, (hand, ""), ())[0] for hand in ("10♠ 9♥", "10♠ 9♦")]
assert hand_of[0] == hand_of[1]
# because: nothing in the abstract game discourages it
one_sided = wb.abstract(plain, "thesis-suits", players=1)  # player 1 remembers names again
seen_through = wb.Strategy.from_function(
    one_sided.coarse,
    lambda p, seen, actions: (
        players["blunder, habit"].at(seen, p) if p == 1 else np.ones(len(actions)) / len(actions)
    ),
)
assert abs(30 * wb.best_response(seen_through, 0).value - 14) < 1e-9
# because: The thesis's rule leaves two, because it breaks the tie by the alphabet
assert len(set(thesis(1, ("10♥ 10♦", "10♠"), ("10♥", "10♦"))[1])) == 2
assert len(set(wb.toepen.lossless_suits(1, ("10♥ 10♦", "10♠"), ("10♥", "10♦"))[1])) == 1
tied = [("9♥ 10♦", ("9♥", "10♦")), ("10♥ 9♦", ("9♦", "10♥"))]  # no tie, no alphabet
assert len({str(thesis(1, (hand, "10♠"), cards)) for hand, cards in tied}) == 1
# because: neither of them ever merges two situations that are really different
for rule in (by_thesis, by_orbit):
    merged = set(zip(rule.infoset_map.tolist(), by_orbit.infoset_map.tolist()))
    assert len(merged) == rule.coarse.num_infosets  # a class lies in one orbit

# the habit alone, where player 1 may raise once
value = wb.expected_values(exact)[0]
assert abs(value - 28 / 45) < 1e-9
assert abs(gain - 1 / 15) < 1e-9
changed = np.abs(habitual.probs - exact.probs) > 1e-9
assert {raising.seen[i][0] for i in raising.choice_infoset[changed]} == {
    "10♠ 10♥",
    "10♠ 10♦",
    "10♥ 10♦",
}
attack = wb.best_response(habitual, 0).strategy
assert attack.at(("10♠ 9♥", ""))["bet"] == attack.at(("10♠ 9♥", "bet call"))["10♠"] == 1
assert abs(habitual.at(("10♥ 10♦", "bet"), 1)["call"] - 1) < 1e-9
names = wb.abstract(raising, "thesis-suits")  # the same play, by the thesis's names
probs = np.zeros(names.coarse.num_choices)
probs[names.choice_map] = habitual.probs
by_names = wb.solvers.normalised(names.coarse, probs)
assert np.allclose(names.lift(by_names).probs, habitual.probs)  # so it can be said in these names
assert abs(wb.best_response(by_names, 0).value - value) < 1e-9
if not QUICK:
    assert wb.judge.dominated_mass(habitual).max() < 1e-9

# 4: labels without actions end where the thesis's names end
assert half.coarse.num_infosets == ours.coarse.num_infosets == 528
assert 0.01 < np.mean(ends["labels only"]) < 0.1
assert max(ends["lossless-suits"]) < (0.005 if QUICK else 0.001)
assert len(best_names(("10♥ 10♦", ""))[1]) == 2
assert len(best_names(("10♥ 10♦", "9♦"))[1]) == 1

# 5: shuffled names
assert (mended["shuffled"] < (0.005 if QUICK else 0.001)).all()
# because: Its strategies treat all names alike by construction
for rule, alike in ((by_orbit, True), (by_thesis, False)):  # any strategy, not only a solution
    anything = wb.solvers.normalised(
        rule.coarse, np.random.default_rng(SEED).random(rule.coarse.num_choices)
    )
    apart = wb.exploitability(rule.lift(anything)) - wb.exploitability(anything)
    assert (abs(apart) < 1e-9) == alike
# because: so merging saves a factor of at most 24
for sets, orbits_left in sizes[["all names", "lossless-suits"]].to_numpy()[1:]:
    assert 1 < sets / orbits_left <= 6  # three suits: 6 ways
