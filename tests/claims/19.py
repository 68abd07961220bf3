"""What lecture 19 says about smoothing, one step of EGT, the race and sampling."""

rng = np.random.default_rng(SEED)
best_first = [bool((payoffs[0] @ [q, 1 - q]).argmax() == 0) for q in (0.19, 0.21)]
assert best_first == [True, False]
value = wb.solve(smuggler, "lp").strategy.probs
assert np.allclose(value, [3 / 5, 2 / 5, 1 / 5, 4 / 5])
full = wb.solve(wb.load_game("smuggler"), "lp").strategy.probs
assert np.allclose(full, [3 / 5, 2 / 5, 1 / 5, 4 / 5, 0])  # he never waits on the road

# because: because she could still play the best response itself, and pay for it
spots = np.linspace(0, 1, 101)
for mu_now in (0.1, 1.0, 5.0):
    hidden = [(payoffs[0] @ [q, 1 - q]).max() - response(0, np.array([q, 1 - q]), mu_now)[1]
              for q in spots]  # fmt: skip
    assert 0 <= min(hidden)
    assert max(hidden) <= mu_now / 4 + 1e-12
many = np.linspace(1e-9, 1 - 1e-9, 20_001)
for stake in (1, 100, 10_000):  # a price that is infinite for the best response hides ever more
    gains = payoffs[0] @ [1.0, 0.0]
    worth_now = (
        stake * (many * gains[0] + (1 - many) * gains[1]) + np.log(4 * many * (1 - many))
    ).max()
    assert stake * gains.max() - worth_now > max(0.25, np.log(stake))
entropy = lambda p: sum(x * np.log(len(p) * x) for x in p if x > 0)
assert np.isclose(max(entropy(p) for p in np.eye(3)), np.log(3))
g = np.array([0.3, 0.9, -0.2])
soft = np.exp(g / 0.5) / np.exp(g / 0.5).sum()
for other in rng.dirichlet([1, 1, 1], 200):
    assert soft @ g - 0.5 * entropy(soft) >= other @ g - 0.5 * entropy(other)

# because: so it glides where a best response jumps
before_it, after_it = (np.array([q, 1 - q]) for q in (0.19, 0.21))
assert abs(response(0, before_it, 1.0)[0] - response(0, after_it, 1.0)[0])[0] < 0.06
assert abs(response(0, before_it, 1e-9)[0] - response(0, after_it, 1e-9)[0])[0] == 1  # no price

# because: if we can make both $\mu$ smaller and keep the excessive gap
seen = {True: [], False: []}
for _ in range(4_000):
    some = [np.array([p, 1 - p]) for p in rng.random(2)]
    mus = 10 ** rng.uniform(-2, 1, 2)
    seen[excess(some, mus) <= 0].append(gap(some) / (mus.sum() / 4))
assert len(seen[True]) > 100
assert max(seen[True]) <= 1
assert max(seen[False]) > 10  # without it the bound fails

# because: The sum is $-0.125$, so there is an excessive gap
assert np.isclose(excess(*pencil), -0.125)
assert excess(pencil[0], [0.125, 0.25]) > 0  # with a tenth of the smoothing there is none
parts = [response(i, pencil[0][1 - i], pencil[1][i]) for i in (0, 1)]
assert np.allclose([one[0][0] for one in parts], [0.3, 0.2])
assert np.allclose([one[1] for one in parts], [1.70, -1.825])
assert np.isclose(gap(pencil[0]), 0.6)
# because: The sum is $-0.075$, so the excessive gap is still there
assert np.isclose(excess(*after), -0.075)
assert np.allclose(
    [response(i, after[0][1 - i], after[1][i])[1] for i in (0, 1)], [1.5875, -1.6625]
)
assert np.isclose(gap(after[0]), 0.35)
bold = [np.array([0.5125, 0.4875]), np.array([0.175, 0.825])], [0.625, 0.625]
assert excess(*step(*bold, tau=1 / 2, i=0)) > 0 > excess(*step(*bold, tau=1 / 4, i=0))
for t, (p, q), (one, two) in ((1, (0.3, 0.3), (1.25, 2.5)), (2, (0.35, 0.15), (1.25, 1.25)),
                              (4, (0.5125, 0.175), (0.625, 0.625))):  # fmt: skip
    assert np.allclose(states[t].strategy_sum, [p, 1 - p, q, 1 - q])
    assert np.allclose(states[t].memory[:3], [one, two, 0.5])
assert states[5].memory[2] == 0.25
assert (table["gap"] <= table["at most"]).all()
assert 0.8 < -np.polyfit(np.log(table.index[9:]), np.log(table["at most"][9:]), 1)[0] < 1.2
plain = [np.array([0.3, 0.7]), np.array([0.4, 0.6])], [2.5, 2.5]
for t in range(1, 301):  # Nesterov's rule, from a large μ
    plain = step(*plain, tau=2 / (t + 3), i=(t + 1) % 2)
    assert excess(*plain) <= 1e-12
small = [np.array([0.3, 0.7]), np.array([0.4, 0.6])], [0.25, 0.25]
assert excess(*step(*small, tau=1 / 2, i=0)) > 0  # and from a small one

# because: there are too many pure strategies to mix, so EGT mixes plans
assert wb.theory.count_pure_strategies(leduc)[0] > 1e14
assert leduc.num_choices == 672
assert wb.theory.count_pure_strategies(smuggler)[0] == 2  # where there are few, a plan is a mixture

# the Queen
assert np.allclose(wb.judge.look(uniform, ("Q", "pb")).counterfactual, [-1 / 6, 0])
assert np.isclose(wb.judge.look(uniform, ("Q", "")).counterfactual[1], 1 / 6)
assert np.isclose(-1 / 36 - (1 / 4) * (1 / 3) ** 2, -1 / 18)
assert np.isclose(bet, 13 / 18)
assert np.isclose(call, 5 / 6)
# because: So she bets with $\tfrac12 + \tfrac29 = 13/18$
assert np.isclose(1 / 2 + (1 / 6 + 1 / 18) / (2 * 2 * mu), 13 / 18)
assert not np.isclose(1 / 2 + (1 / 6 + 1 / 18) / (2 * 1 * mu), 13 / 18)  # with β = 1
assert not np.isclose(1 / 2 + 1 / 6 / (2 * 2 * mu), 13 / 18)  # without what went up
# because: because the lower price is multiplied by how often she passes
fine = np.arange(181) / 180


def best_call(first, dilated):
    lower = (1 - first) if dilated else 1.0
    earned = (1 - first) * -(1 / 6) * (1 - fine) - mu * lower * (fine - 1 / 2) ** 2
    return fine[earned.argmax()]


assert {best_call(first, True) for first in (0.0, 0.5, 0.9)} == {fine[150]}  # 5/6
assert len({best_call(first, False) for first in (0.0, 0.5, 0.9)}) == 3

# the race
ends = pd.DataFrame({game: {name: trace.exploitability.iloc[-1] for name, trace in traces.items()}
                     for game, traces in races.items()})  # fmt: skip
at = {name: (lambda G, trace=trace: np.exp(np.interp(
    np.log(G), np.log(trace.iteration), np.log(trace.exploitability))))
    for name, trace in races["Leduc"].items()}  # fmt: skip
relatives, kinds = ("cfr+", "dcfr", "pcfr+"), ("egt", "egt, euclidean", "egt, plain")
for G in np.geomspace(150, T, 20):
    assert max(at[name](G) for name in relatives) < min(at[name](G) for name in kinds)
assert min(at[name](30) for name in kinds) < min(at[name](30) for name in relatives)
ratios = [at["egt, plain"](G) / at["egt"](G) for G in np.geomspace(100, T, 40)]
assert 1.8 < min(ratios) < 4.5 < np.median(ratios) < 7 < max(ratios) < 12
assert ends.loc["egt", "Leduc"] > 10 * ends.loc["cfr+", "Leduc"]
assert 6 < ends.loc["cfr", "Leduc"] / ends.loc["egt", "Leduc"] < 25
assert ends.loc["egt, euclidean", "Leduc"] > 1.5 * ends.loc["egt", "Leduc"] or QUICK
for name in kinds:
    assert 0.9 < slopes[name] < 1.3
assert slopes["cfr+"] > 1.3
assert slopes["pcfr+"] == slopes.max() or QUICK
assert min(slopes[name] for name in ("cfr", *relatives)) > 0.5
if not QUICK:
    assert ends.loc["cfr", "Leduc"] > 10 * ends.loc["egt", "Leduc"]
    assert 20 < ends.loc["egt", "Leduc"] / ends.loc["cfr+", "Leduc"] < 45
    assert 1.7 < ends.loc["egt, euclidean", "Leduc"] / ends.loc["egt", "Leduc"] < 2.3
late = races["Kuhn"]["iterated-smoothing"]
first = {name: trace[trace.iteration > 300].exploitability.iloc[0]
         for name, trace in races["Kuhn"].items()}  # fmt: skip
assert max(first, key=first.get) == "iterated-smoothing"
assert ends["Kuhn"].nsmallest(2).index.isin(["iterated-smoothing", "pcfr+"]).all()


def when(tree, marks, iterations):
    """After how many steps iterated smoothing has these gaps."""
    solver = wb.solvers.IteratedSmoothing()
    trace = wb.solve(tree, solver, iterations, checkpoints=10, progress=False).trace
    return np.diff([trace.iteration[2 * trace.exploitability <= mark].min() for mark in marks])


each = when(kuhn, [1e-3, 1e-5, 1e-7, 1e-9, 1e-11], 2_500)
assert each.max() < 1.7 * each.min()
each = when(leduc, [1.0, 1e-1, 1e-2], 4_000)
assert each[1] > 4 * each[0]  # no such thing on Leduc
plain_from = lambda mu: race(leduc, 3, EGT(aggressive=False, balanced=False, mu=mu))
behind = {
    mu: plain_from(mu).exploitability.iloc[-1] / ends.loc["egt", "Leduc"] for mu in (1e-6, 1.0)
}
assert 1.3 < behind[1e-6] < 2.6  # the smallest μ that is enough
assert behind[1.0] > 200
bold_too = race(leduc, 3, EGT(mu=1.0)).exploitability.iloc[-1]
assert 0.6 < bold_too / ends.loc["egt", "Leduc"] < 1.7
for how, does in (({"balanced": False}, True), ({"aggressive": False}, False)):  # one at a time
    alone = race(leduc, 3, EGT(**how)).exploitability.iloc[-1]
    assert (alone < 0.5 * ends.loc["egt, plain", "Leduc"]) == does
tried = wb.solve(leduc, EGT(), 10_000, progress=False).state
assert np.log2(0.5 / tried.memory[2]) < 20  # repeated steps are few

# Rhode Island and the matrix, from the ledger
here = {name: float(np.exp(np.interp(np.log(800), np.log(one.iteration), np.log(one.exploitability))))
        for name, one in races["rhode island"].items()}  # fmt: skip
assert abs(here["cfr+"] - 0.06) < 0.005
assert abs(here["egt"] - 0.08) < 0.005
assert here["cfr"] > 0.6
assert here["dcfr"] < 0.5 * min(value for name, value in here.items() if name != "dcfr")
still = races["rhode island"]["egt, plain"].exploitability
assert still.iloc[-1] > 0.95 * still.iloc[0]
least = stored[stored.curve == "rhode island: egt entropy plain, least μ"]
ahead = races["rhode island"]["egt"].set_index("iteration").exploitability
last_one = least.iloc[-1]
assert 8 < last_one.gap / ahead[3 * last_one.iteration] < 13
drop = races["matrix 10 × 10"]["iterated-smoothing"]
depth = -np.log10(drop.exploitability.cummin())
marks = np.interp([4, 7, 10, 13], depth, drop.iteration)
assert max(np.diff(marks)) < 1.5 * min(np.diff(marks))

# the reasons of section 5
memory = {row.item: row for row in wb.ledger.read_ledger("sandholm-2009-memory")}
for way, published, ours in (("barrier", 25.2, 8.1), ("products", 0.15, 0.09)):
    found = memory[f"Rhode Island after GameShrink, {way}"]
    assert found.published == published
    assert abs(found.ours / ours - 1) < 0.1
kept = wb.solve(leduc, EGT(), 10, progress=False).state
assert len(kept.memory) < 10
assert len(kept.regret) == len(kept.strategy_sum) == len(kept.probs) == 672
cfr_keeps = wb.solve(leduc, "cfr+", 10, progress=False).state
assert len(cfr_keeps.regret) == len(cfr_keeps.strategy_sum) == len(cfr_keeps.probs) == 672
for game in (wb.load_game("leduc", players=3), wb.load_game("forgetful")):
    wb.solve(game, "cfr+", 5, progress=False)
    for solver in (EGT(), "lp"):
        try:
            wb.solve(game, solver, 5, progress=False)
        except wb.GameError:
            continue
        raise AssertionError(f"{solver} accepts {game.name}")

last = noise.iloc[:, -1]
assert last["egt, exact"] < 0.1 * last["regret matching, exact"]
assert last["regret matching, sampled"] < 0.05
assert 0.9 < last["egt, sampled"] < 1.1
# because: the mean of the responses is not the response to the mean
q = np.array([0.2, 0.8])
for mu_now, alike in ((0.1, False), (10.0, True)):  # with much smoothing responses are linear
    drawn_mean = sum(q[b] * response(0, np.eye(2)[b], mu_now)[0] for b in (0, 1))
    assert np.allclose(drawn_mean, response(0, q, mu_now)[0]) == alike
assert np.isclose(sum(q[b] * response(0, np.eye(2)[b], 1e-3)[0][0] for b in (0, 1)), 1 - q[0])
p = np.array([0.4, 0.6])
assert np.isclose(sum(p[a] * response(1, np.eye(2)[a], 1e-3)[0][0] for a in (0, 1)), p[0])
assert np.isclose(gap([np.array([0.5, 0.5])] * 2), 1)
mean_first = lambda plan: rng.multinomial(1_000_000, plan) / 1_000_000
assert sampled("egt", 1_000, mean_first) < 0.02  # draws averaged before anybody responds
