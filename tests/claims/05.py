"""What lecture 05 states about its numbers. Names are those of the notebook; see test_notebooks."""

from time import process_time
from types import SimpleNamespace

from workbench.passes import reach

# 1: the tree grows
assert [tree.num_histories for tree in trees.values()] == [679, 10_603, 100_333]
small = trees["3/3/2"]
arrays = [array for array in vars(small).values() if isinstance(array, np.ndarray)]
assert 40 < sum(array.nbytes for array in arrays) / 100_333 < 44
assert abs(sizes["estimate"]["3/3/2"] - 100_333) < 1.5 * sizes["±"]["3/3/2"]
all_cards = sizes["estimate"]["4/8/4"]
assert 1e13 < all_cards < 9e13
if not QUICK:
    assert 0.02 < sizes["±"]["3/3/2"] / 100_333 < 0.1  # a few per cent
    assert 2e13 < all_cards < 7e13
    assert 12 < 2 * all_cards / 1e9 / 3600 < 30  # hours: most of a day
    assert 5e4 < all_cards / (16e9 / 42) < 2e5
    assert 1.5e12 < 42 * sizes["estimate"]["4/4/4"] < 2e12  # almost two terabytes

# the hand that is told
told, state = toepen("2/3/2"), toepen("2/3/2").start()
for move in ["10♠ 9♥ | 9♠ 10♥", *"check 9♥ check 10♥ bet call 9♠ bet call 10♠".split()]:
    state = told.next(state, move)
assert told.node(state).payoffs == (3, -3)
assert 140 < 100_333 / 679 < 155

# 2: one walk instead of all
owner = np.repeat(kuhn.infoset_player, np.diff(kuhn.first_choice))
blind = wb.Strategy.uniform(kuhn).probs
walks = [reach(kuhn, np.where(owner == i, 1.0, blind)).sum() for i in (0, 1)]
assert np.allclose(walks, [8, 6.5])
assert kuhn.num_histories == 58
assert sum(map(len, walk.values())) == 9
owner = np.repeat(small.infoset_player, np.diff(small.first_choice))
blind = wb.Strategy.uniform(small).probs
exact = sum(reach(small, np.where(owner == i, 1.0, blind)).sum() for i in (0, 1))
assert abs(visits.loc["external-sampling", "3/3/2"] / exact - 1) < (0.2 if QUICK else 0.1)
assert abs(visits.loc["outcome-sampling", "3/3/2"] / 27.5 - 1) < (0.2 if QUICK else 0.1)
growth = visits["4/8/4"] / visits["2/2/2"]
assert growth["cfr"] > 1e10
assert (8 if QUICK else 10) < growth["external-sampling"] < (25 if QUICK else 20)
many = visits.loc["cfr", "3/3/2"] / visits.loc["external-sampling", "3/3/2"]
assert (3_000 if QUICK else 3_500) < many < (5_500 if QUICK else 4_700)
later = race["external-sampling"][0].iteration.iloc[-1]
probs = wb.solve(small, SAMPLER, int(later), seed=0, progress=False).strategy.probs
walks = sum(reach(small, np.where(owner == i, 1.0, probs)).sum() for i in (0, 1))
assert abs(walks / exact - 1) < 0.1  # a walk stays as long while the strategy changes

# 3 and 4: right on average
assert kuhn.num_choices == 24
bet = kuhn.first_choice[kuhn.seen.index(("Q", ""))] + 1
first = [next(wb.iterate(kuhn, SAMPLER, seed=seed)).regret[[bet, call]] for seed in range(300)]
assert [1.25, -0.5] in np.array(first).tolist()
assert np.isclose(next(wb.iterate(kuhn, wb.solvers.CFR(alternating=False))).regret[call], 1 / 12)
said = {name: set(np.unique(r).tolist()) for name, r in reports.items()}
assert said["external-sampling"] == {-0.5, 0, 1.5}
assert said["chance-sampling"] == {-0.25, 0, 0.75}
assert said["outcome-sampling"] == {-4, 0, 2, 4}
away = (reports.mean() - 1 / 12) / reports.sem()
assert (away.abs() < 4).all()
if not QUICK:  # luck, as the text says
    assert 2 < away["external-sampling"] < 3
chance, external, outcome = reports.std()
assert chance < external < outcome
assert 3 < (outcome / external) ** 2 < 5


# because: so it has to multiply by his 1/2
assert said["chance-sampling"] == {x / 2 for x in said["external-sampling"]}
twice = 2 * reports["chance-sampling"]  # without it: near 1/6
assert twice.mean() > 1 / 12 + (2 if QUICK else 4) * twice.sem()
# because: so it has to divide by the probability of having drawn them
undivided = reports["outcome-sampling"] / 4  # her pass, and her call or fold: 1/2 each
assert undivided.mean() + 4 * undivided.sem() < 1 / 12


# because: so it needs four times as many walks for the same accuracy
def typical_error(name, walks):
    """How far from 1/12 the mean of so many walks is, over as many such means as there are."""
    means = reports[name].to_numpy()[: len(reports) // walks * walks].reshape(-1, walks)
    return ((means.mean(axis=1) - 1 / 12) ** 2).mean() ** 0.5


needed = typical_error("external-sampling", 10)
slack = 1.6 if QUICK else 1.25
assert 1 / slack < typical_error("outcome-sampling", 40) / needed < slack
assert typical_error("outcome-sampling", 10) > 1.4 * needed  # as many walks do not do
assert 1 / slack < typical_error("chance-sampling", 5) / needed < slack  # less deviation: fewer do
# because: With the same seed it must therefore take the same walks
for other, alike in ((SEED, True), (SEED + 1, False)):
    pair = zip(range(20), external_sampling(kuhn, SEED), wb.iterate(kuhn, SAMPLER, seed=other))
    for _, (sums, _), state in pair:
        same = np.allclose(sums, state.regret)
    assert same == alike
# because: and because each part is visited as often as it should count
leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
assert len(np.unique(leduc.chance[leduc.chance < 1].round(6))) > 1  # some deals are likelier
level_chance = np.zeros(leduc.num_histories)
for above in np.flatnonzero(leduc.player == -1):
    below = slice(leduc.first_child[above], leduc.first_child[above + 1])
    level_chance[below] = 1 / (below.stop - below.start)
needs = ("terminal", "utility", "first_child", "player", "first_choice", "infoset", "num_choices")
even = SimpleNamespace(**{name: getattr(leduc, name) for name in needs}, chance=level_chance)
for game, alike in ((leduc, True), (even, False)):
    pair = zip(range(30), external_sampling(game, SEED), wb.iterate(leduc, SAMPLER, seed=SEED))
    for _, (sums, _), state in pair:
        same = np.allclose(sums, state.regret)
    assert same == alike
# because: so its size is exponential in the number of decisions she makes in a hand
assert visits.loc["external-sampling", "4/8/4"] > 10 * visits.loc["external-sampling", "3/3/2"]
assert visits.loc["outcome-sampling", "4/8/4"] < 2 * visits.loc["outcome-sampling", "3/3/2"]


# 5: the race
def level(solver, x, at):
    """Exploitability at x = at, geometric mean over the seeds."""
    logs = [
        np.interp(np.log(at), np.log(run[x]), np.log(run.exploitability)) for run in race[solver]
    ]
    return np.exp(np.mean(logs))


assert abs(race["cfr"][0].exploitability.iloc[0] - 1.1448) < 1e-3  # uniform play
for at in (2e5, 2e6):
    assert level("external-sampling", "touched", at) < 0.85 * level("cfr", "touched", at)
    assert level("external-sampling", "touched", at) < level("outcome-sampling", "touched", at)
if not QUICK:
    assert level("cfr", "touched", 2e7) < level("external-sampling", "touched", 1.4e7)
# because: so we compare histories visited
for solver in ("chance-sampling", "external-sampling"):  # by iterations CFR would win by far
    assert level("cfr", "iteration", 50) < 0.5 * level(solver, "iteration", 50)


def clocked(solver, times=3):
    """CPU seconds for a history visited: the best of some runs, whatever else the machine does."""
    number, found = LAST[solver] // 10, []
    for _ in range(times):
        began = process_time()
        next(wb.iterate(trees["3/3/2"], SAMPLERS.get(solver, solver), seed=1, every=number))
        found.append(process_time() - began)
    return min(found) / (number * visits.loc[solver, "3/3/2"])


took = {solver: clocked(solver) for solver in ("cfr", "external-sampling")}
assert 3 * took["cfr"] < took["external-sampling"]
finish = min(race[solver][0].touched.iloc[-1] * took[solver] for solver in took)
by_the_clock = [level(solver, "touched", finish / took[solver]) for solver in took]
assert by_the_clock[0] < by_the_clock[1]

# 6: without a tree
assert table.stopped == "memory"
assert QUICK or (table.iterations == 144 and 65_000 < table.infosets < 75_000)
met = []


def everything(player, seen, actions):
    met.append(table.knows(player, seen, actions))
    return table.probabilities(player, seen, actions)


assert (match(everything=everything, uniform=uniform)["winnings"] == 0).all()
assert np.mean(met) < 0.05
assert QUICK or 0.001 < np.mean(met) < 0.003
if not QUICK:  # ten times the memory
    more = wb.sample_rules(full, 1_500, seed=SEED, memory=60_000_000, progress=False)
    assert (more.iterations, round(more.bytes / 1e6)) == (1_500, 56)
    assert (match(everything=more, uniform=uniform)["winnings"] == 0).all()
assert comb(32, 4) == 35_960
assert comb(9, 2) == 36
# because: because there are only 36 hands and each of them comes back soon
little = wb.sample_rules(toepen("3/3/2"), 300 if QUICK else 1_000, seed=SEED, progress=False)
again = []


def few_hands(player, seen, actions):
    again.append(little.knows(player, seen, actions))
    return little.probabilities(player, seen, actions)


wb.judge.play_match(toepen("3/3/2"), {"few": few_hands, "uniform": uniform}, deals=50, seed=SEED)
assert np.mean(again) > (0.5 if QUICK else 0.8)
assert short_memory(0, ("10♠ 9♥", ""), ("bet", "check")) != short_memory(
    0, ("10♠ 9♥", ""), ("call", "fold")
)  # the kinds of move are part of the label
assert (150 if QUICK else 250) < coarse.infosets < 350
assert coarse.bytes < 30_000
assert scores.loc["short_memory", "low"] > 0
assert QUICK or abs(scores.loc["short_memory", "winnings"] - 1.06) < 0.1
