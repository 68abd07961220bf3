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
