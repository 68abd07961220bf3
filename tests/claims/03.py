"""What lecture 03 says about its numbers."""

family_best = ("cfr+", "dcfr")

# the bound, and how far reality is below it
assert abs(wb.judge.regret_bound(kuhn, 10_000)[0] - 0.339) < 0.0005
assert abs(wb.exploitability(wb.Strategy.uniform(kuhn)) - 0.458) < 0.0005
assert (regrets.regret <= regrets.bound).all()
assert (regrets.bound / regrets.regret).tail(2).min() > 100
state = next(wb.iterate(kuhn, simultaneous, every=N))  # what each step of the proof gives away
largest = np.maximum.reduceat(state.regret, kuhn.first_choice[:-1]).clip(0) / N
total = np.array([largest[kuhn.infosets_of(i)].sum() for i in (0, 1)])
both = regrets.tail(2)
assert (total / both.regret).between(1 - 1e-9, 1.2).all()
assert (both.bound / total > 70).all()
assert [tree.num_infosets for tree in (kuhn, leduc)] == [12, 288]

# the smuggler: 49 iterations on the road, and what three averages make of them
assert np.array(wb.load_game("smuggler").payoffs).tolist() == [[0, 2, 3], [4, 1, 0]]
goes, waits = (wb.solve(smuggler, "lp").strategy.probs[k] for k in (slice(2), slice(2, 5)))
assert np.allclose(goes, [3 / 5, 2 / 5])
assert np.allclose(goes @ [[0, 2, 3], [4, 1, 0]], [8 / 5, 8 / 5, 9 / 5])
assert abs(waits[2]) < 1e-9
assert abs(road.sum() - 49.066) < 0.001
assert t[road > 0].max() < 1_000
assert np.allclose(shares.loc[1_000] / shares.loc[10_000], [10, 100, 1_000], rtol=0.01)

# because: because all iterations count equally
assert abs(shares.loc[10_000, "weight 1"] * 10_000 - road.sum()) < 1e-6
assert shares.loc[10_000, "weight t"] < shares.loc[10_000, "weight 1"] / 10  # unequal: forgotten
# because: but 9/5 on the road, so he never waits there
assert (np.array([0.2, 0.8]) @ [[0, 2, 3], [4, 1, 0]]).argmin() == 2  # if she takes the road


# because: CFR+ has set the $-3$ to 0, so it plays the action again after one round
def rounds_until_played(regret, cut):
    count = 0
    while regret <= 0:
        regret, count = (max(regret, 0) if cut else regret) + 1, count + 1
    return count


assert [rounds_until_played(-3, cut) for cut in (True, False)] == [1, 4]
assert [rounds_until_played(-500, cut) for cut in (True, False)] == [1, 501]
# because: so iterations count in proportion to $t$, although they never have to be stored
for discount, kept in ((lambda k: k / (k + 1), np.arange(1, 11) / 11), (lambda k: 1, np.ones(10))):
    left = [np.prod([discount(k) for k in range(one, 11)]) for one in range(1, 11)]
    assert np.allclose(left, kept)
# because: so a difference in the sixteenth digit can send two long runs along different paths
from dataclasses import replace

from workbench.strategy import normalised

one = wb.solve(leduc, "dcfr", 50, progress=False).state
two = replace(one, regret=one.regret * (1 + 2e-16 * np.sign(np.arange(len(one.regret)) % 2 - 0.5)))
apart = []
for _ in range(250):
    one, two = (wb.solvers.DCFR().advance(leduc, run, 1) for run in (one, two))
    apart.append(np.abs(one.probs - two.probs).max())
assert apart[0] < 1e-14 < apart[50] < 1e-6 < 1e-3 < max(apart[200:])
assert max(b / a for a, b in zip(apart, apart[1:]) if 1e-15 < a < 1e-3) < 100  # without a jump
if not QUICK:  # even in the first digit
    ended = []
    for k in range(6):
        early = wb.solve(leduc, "dcfr", 10, progress=False).state
        hairs = 1 + 2e-16 * np.random.default_rng(k).standard_normal(len(early.regret))
        early = replace(early, regret=early.regret * hairs)
        ended.append(wb.solve(leduc, "dcfr", 10_000, start=early, progress=False).exploitability)
    assert 1e-6 < min(ended) < max(ended) / 2 < 1e-5
assert np.allclose(wb.solvers.DCFR().weights(np.array([9.0])), [[27 / 28], [1 / 2], [81]])

# one change at a time
keep, cut = changes.loc["keep"].to_numpy(), changes.loc["cut"].to_numpy()
if not QUICK:
    assert 1 < keep[0] / cut[0] < 3
    assert 6 < keep[1] / keep[0] < 15
    assert keep[0] / cut[1] > 200
assert keep[2] > keep[1] > keep[0] > cut[0] > cut[1]
# because: regret matching keeps the plain sum of regrets small
sums = {}
for state in islice(wb.iterate(leduc, "cfr"), 2_000):
    if state.iteration in (200, 1_500, 2_000):
        sums[state.iteration] = state.strategy_sum.copy()
lost = lambda sums: wb.exploitability(normalised(leduc, sums + 1e-12))
assert 2.5 < lost(sums[2_000] - sums[200]) / lost(sums[2_000]) < 4  # without the first tenth
assert lost(sums[1_500]) < 1.4 * lost(sums[2_000])  # fewer iterations are not the reason
late = {}
for name in ("cfr", "cfr+"):
    some = [state for _, state in zip(range(8), wb.iterate(leduc, name, every=40))]
    late[name] = [wb.exploitability(wb.solvers.current(leduc, state)) for state in some]
assert np.mean(late["cfr"][4:]) > 0.5 * np.mean(late["cfr"][:4])  # no better
assert np.mean(late["cfr+"][4:]) < 0.7 * np.mean(late["cfr+"][:4]) < 0.1 * np.mean(late["cfr"])

# the referee
assert [np.diff(leduc.first_choice)[leduc.infosets_of(i)].sum() + 1 for i in (0, 1)] == [337, 337]
assert abs(wb.expected_values(exact["Kuhn"].strategy)[0] + 1 / 18) < 1e-9
assert abs(wb.expected_values(exact["Leduc"].strategy)[0] + 0.0856064241) < 1e-9
assert all(run.exploitability < 1e-9 for run in exact.values())
for (game_name, _), run in runs.items():  # exploitable by ε on average: within 2 ε of the value
    found, value = (wb.expected_values(one.strategy)[0] for one in (run, exact[game_name]))
    assert abs(found - value) <= 2 * run.exploitability + 1e-9

# the race
leduc_end, kuhn_end = table["Leduc", "alternating"], table["Kuhn", "alternating"]
assert (leduc_end["cfr"] > leduc_end.drop("cfr")).all()
assert kuhn_end.idxmin() == "pcfr+"
assert leduc_end.idxmin() in family_best
if not QUICK:
    assert leduc_end["cfr"] > 90 * leduc_end[["cfr+", "dcfr", "pcfr+"]].max()
    assert leduc_end["cfr"] > 200 * leduc_end[["cfr+", "dcfr"]].min()
    assert kuhn_end.drop("pcfr+").min() > 1e5 * kuhn_end["pcfr+"]
    assert 0.5 < kuhn_end["linear-cfr"] / kuhn_end["cfr+"] < 2
    assert 900 < measured[T // 10] / measured[T] < 1_100
ratio = np.concatenate(
    [table[g, "simultaneous"] / table[g, "alternating"] for g in ("Leduc", "Kuhn")]
)
assert (ratio > 1).all()
if not QUICK:
    assert 4.5 < ratio.min() < 6
    assert ratio.max() > 1_000
assert last < 1e-12 or QUICK

# because: because the number of iterations that it needs does not grow
assert growth["needed"].between(150, 500).all()
assert growth["needed"].iloc[-1] < 1.5 * growth["needed"].iloc[0]  # growing like the game: × 7
if not QUICK:
    assert growth.index.tolist() == [288, 504, 780, 1_116, 1_968]
