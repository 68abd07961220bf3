"""What Lecture 09 says about the small game and about stitching in Leduc poker."""

assert np.allclose([loss(base), loss(best), loss(patched)], [2 / 3, 2 / 9, 4 / 9], atol=1e-9)
assert part.part.tolist() == [0, 0, 1, 0, 1, 0]
assert {name: game.tree.num_infosets for name, game in games.items()} == {
    "S = {2}": 4,
    "S = N = {1, 2}": 2,
}
assert np.allclose([loss(single), loss(everybody)], [1 / 3, 2 / 3], atol=1e-9)
assert np.allclose(everybody.probs, base.probs, atol=1e-9)  # plays exactly like the base
assert np.allclose(list(losses.values()), [1 / 3, 2 / 5, 2 / 3], atol=1e-9)
assert np.isclose(loss(trapped), 5 / 6)
assert np.allclose([trapped.at(seen, 1)["x"] for seen in ("a or b r", "c r")], 1 / 2)

for S in ({1}, {0, 1}):  # the eleven lines and the package do the same
    for solver in ("lp", "cfr+"):
        ours = stitch_experts(base, part, S, solver=solver)
        theirs = wb.static_experts(small, base, part, players=S, abstraction=None, solver=solver)
        assert np.array_equal(ours.probs, theirs.probs)
ours = stitch_experts(coarse, experts, {0, 1}, "null", "cfr+", ITERATIONS)
assert np.array_equal(ours.probs, stitched.probs)

assert (experts.part == 0).sum() == 24  # four decisions: two before the flop, two after
assert answers["base", "J"] == answers["base", "Q"]
assert answers["base", "J"]["c"] > 0.9
assert 0.4 < answers["stitched", "J"]["f"] < 0.6
assert answers["stitched", "Q"]["f"] < 0.01
assert answers["stitched", "Q"]["r"] > 0.5
game = wb.stitching.expert_game(wb.stitching.cut(coarse, 0.01), experts, "ccr", {0, 1})
assert game.unreached.all()
assert abs(milli(cleaned) - exercise.TIDY.answer) < 6
assert milli(cleaned) > 2.8 * milli(stitched)
edges = [int(np.argmax(np.array(curve) > 400)) for curve in cliffs.values()]
assert edges == sorted(edges, reverse=True)
assert edges[0] > edges[-1]
for curve in cliffs.values():
    assert curve[-1] > 2.8 * curve[0]
assert limits[edges[0]] < 1.1e-3 or QUICK
assert np.allclose(cured, 154, atol=2)
assert np.ptp(cured) < 1

# because: the move tells him nothing, and a and b are equally likely
free = games["S = {2}"]
answer = free.lift(wb.solve(free.tree, "lp").strategy)
moves = [answer.probs[small.first_choice[k]] for k in range(2)]  # her l with a, and with b or c
assert moves[0] - moves[1] > 0.2  # if she is free, it does tell him something
assert np.allclose([base.probs[small.first_choice[k]] for k in range(2)], 1)
# because: So x is right, as in the base
assert (2 - 2) / 2 < (1 + 0) / 2
# because: So there was no harm in letting a and r pay two chips as well
beside = stitch_experts(single, two.only(["r"]), {1})  # another neighbour: the l-expert
assert loss(beside) < 0.6
assert np.isclose(loss(stitch_experts(base, two.only(["l", "r"]), {1})), 2 / 3)

# because: Suits never decide a hand, so we merge them from the start
with_suits = wb.Strategy.uniform(wb.compile_game(wb.load_game("leduc")))
assert np.allclose(wb.expected_values(with_suits), wb.expected_values(wb.Strategy.uniform(leduc)))
assert np.isclose(milli(with_suits), milli(wb.Strategy.uniform(leduc)))
# because: so after a raise the opponent in training sees everything as well
frozen = wb.seated([wb.best_response(coarse, i).strategy for i in (0, 1)])
deaf = wb.stitch(coarse, experts, dict.fromkeys(experts.names, frozen))  # learned from the base
assert milli(deaf) > 1_000 > milli(coarse) > 2 * milli(stitched)

at_flop = [k for k in range(leduc.num_infosets) if leduc.seen[k][2] == "cc/"]


def raising(sigma, change):
    """The base, with another probability to raise first after the flop."""
    probs = sigma.probs.copy()
    for k in at_flop:
        c, n = leduc.first_choice[k], leduc.actions_at(k).index("r")
        often = change(probs[c + n])
        probs[c : leduc.first_choice[k + 1]] *= (1 - often) / (1 - probs[c + n])
        probs[c + n] = often
    return wb.Strategy(leduc, probs)


def taught_by(sigma, limit=0.0):
    """The loss of the base with experts that learned beside another one."""
    made = wb.static_experts(leduc, sigma, experts, {0, 1}, residual=limit, **how)
    return milli(wb.stitch(coarse, experts, dict.fromkeys(experts.names, made)))


# because: because only their relative frequencies count
often = max(coarse.at((*cards, "cc/"), 0)["r"] for cards in hands.values())
more = taught_by(raising(coarse, lambda p: p * 0.001 / often))  # a thousandth, and the same shares
assert abs(more - milli(stitched)) < 5
assert abs(taught_by(raising(coarse, lambda p: 0.001)) - milli(stitched)) > 10  # other shares
# because: The climb has steps, because different hands leave different traces
alike = raising(coarse, lambda p: 1e-6)
climb = [taught_by(alike, limit) for limit in (0, 9e-7, 1.1e-6)]
assert abs(climb[0] - climb[1]) < 1  # equal traces: a single step
assert max(climb[:2]) < 200 < 400 < climb[2]
# because: because beside the base *r* paid 0 as well
repaired = stitch_experts(base, two.only(["r"]), {1})  # where "b or c" and r pays less than 0
answers = [
    stitch_experts(one, two.only(["l"]), {1}).at(("a or b", "l"), 1)["x"]
    for one in (base, repaired)
]
assert answers[0] < 0.01 < answers[1]  # x takes more from l with b
# because: so nothing that it does there changes anybody's winnings
tidy = wb.stitching.cut(coarse, 0.01)
for who in (tidy, coarse):
    other = wb.stitch(who, experts, {"ccr": wb.Strategy.uniform(leduc)})
    change = abs(wb.expected_values(other) - wb.expected_values(who)).max()
    assert (change == 0) == (who is tidy)
# because: so with $S = N$ an r-expert learns nothing
somebody = wb.stitching.trembling(base, 0.01)
arrives = stitch_experts(somebody, two.only(["r"]), {0, 1}, solver="cfr+")
assert max(abs(arrives.at(seen, 1)["x"] - 1 / 2) for seen in ("a or b r", "c r")) > 0.4
# because: because its leftovers keep shrinking
traces = [max(s.at((*cards, "cc/"), 0)["r"] for cards in hands.values()) for s in bases.values()]
assert traces == sorted(traces, reverse=True)
assert traces[0] > 5 * traces[-1]
# because: So a better base makes the trap more likely
between = np.sqrt(traces[0] * traces[-1])  # a limit that traps the last one only
caught = [taught_by(sigma, between) > 400 for sigma in (bases[lengths[0]], bases[lengths[-1]])]
assert caught == [False, True]
# because: so we make sure that somebody always arrives
assert wb.stitching.expert_game(tidy, experts, "ccr", {0, 1}).unreached.all()
somebody = wb.stitching.trembling(tidy, 0.01)
assert not wb.stitching.expert_game(somebody, experts, "ccr", {0, 1}).unreached.any()
# because: So the other two experts gain about 65 milli-antes if they learn from somebody
assert milli(early) - milli(rules["trembling"]) > 40
assert milli(early) < milli(cleaned) - 200  # from nobody
# because: so it is as good as that game's assumptions about the opponent
assert loss(single) < loss(everybody) - 0.3  # another opponent in training
assert loss(single) < losses["l and r"] - 0.3  # another neighbour afterwards
# because: so the cccr-expert has learned
third = [coarse.at((*cards, "cc/c"), 1)["r"] for cards in hands.values()]
assert 0.05 < min(third) < max(third) > 0.99
assert wb.stitching.expert_game(tidy, experts, "cccr", {0, 1}).unreached.mean() < 0.2
without = wb.stitch(coarse, experts, dict.fromkeys(["r", "cr", "cccr"], cleaned))
assert abs(milli(without) - 217) < 6
tiny = [
    wb.static_experts(leduc, tidy, experts, {0, 1}, tremble=ever, **how) for ever in (1e-8, 1e-2)
]
ended = [milli(wb.stitch(coarse, experts, dict.fromkeys(experts.names, s))) for s in tiny]
assert abs(ended[1] - 154) < 4
assert 150 < ended[0] < 200
if not QUICK:
    assert abs(ended[0] - 171) < 1
    assert np.allclose([min(third), max(third)], [0.07, 1.00], atol=0.01)

if not QUICK:
    near = int(np.argmin(abs(limits - 1e-6)))  # where the steps of the climb are read off
    shown = {hand: float(p) for hand, p in raises.items()}
    assert abs(limits[near] - 1e-6) < 1e-8
    assert {hand for hand, p in shown.items() if p > 1e-6} == {"J or Q, pair", "K, pair"}
    assert max(shown, key=shown.get) == "J or Q, pair"
    assert abs(cliffs[5_000][near] - 220) < 5
    found = {name: milli(sigma) for name, sigma in rules.items()}
    expected = [490, 463, 220, 217, 154, 150]
    assert np.allclose(list(found.values()), expected, atol=3)
    assert max(float(x) for x in raises.values()) < 1e-5
    assert abs(found["only the experts r and cr"] - found["trembling"] - 65) < 4
    assert abs(found["cleaned, then uniform"] - found["only the experts r and cr"] - 243) < 6
