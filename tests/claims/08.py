"""What lecture 08 states about its numbers. Names are those of the notebook; see test_notebooks."""

from dataclasses import replace
from functools import cache
from itertools import product

from workbench.lab.ledger.papers.toepen_program import as_evaluated
from workbench.sequence_form import sequence_form
from workbench.strategy import normalised

# 1: counts, and the value of both games
plain, betting = counts.iloc[:2], counts.iloc[2:]
assert (plain["printed"] == plain["must follow suit"]).all()
assert (betting["printed"] == betting["need not"]).all()
assert (betting["printed"] != betting["must follow suit"]).all()
printed_rows = [
    row
    for name in ("le-2021-table3.1", "le-2021-table3.2")
    for row in wb.ledger.read_ledger(name)
    if row.item.endswith(" information sets")
]
assert len(printed_rows) == 20
assert all(row.verdict == "reproduced" for row in printed_rows)
assert sum(row.item.split()[0].endswith("b") for row in printed_rows) == exercise.COUNTS.answer
if not QUICK:  # best responses to any strategy bound the value of the game from both sides
    values = {}
    for must in (True, False):
        rules = toepen("3/3/2b", follow_suit=must, suit_isomorphism=True)
        near = wb.solve(rules, "cfr+", 300, progress=False).strategy
        values[must] = -wb.best_response(near, 1).value, wb.best_response(near, 0).value
    assert 0.04 < values[True][0] - values[False][1] < 0.06

# 2: three judges
package = [
    wb.judge.trained_response(sigma, i, THESIS, iterations=10_000, seed=SEED) for i in (0, 1)
]
assert np.isclose(found, sum(each.value for each in package), rtol=0, atol=1e-12)
shares = {name: line[N.index(10_000)] / exact(sigma) for name, line in seen.items()}
assert max(max(line) for line in seen.values()) < exact(sigma)
assert shares["(a) from nothing"] > 0.85
if not QUICK:
    assert 0.65 < shares["(b) from the regrets"] < 0.8
    assert 0.1 < shares["(c) with everything"] < 1 / 6

long = state if T == 50_000 else next(wb.iterate(small, THESIS, seed=SEED, every=50_000))
lasting = wb.average(small, long)


@cache
def finds(n=10_000, *, regret=1.0, weight=0.0):
    """What a judge finds that starts with so much of the old regrets and of the old average."""
    start = replace(long, regret=regret * long.regret, strategy_sum=weight * long.strategy_sum)
    how = {"start": start, "keep_average": weight > 0}
    judges = wb.judge.trained_exploitability(lasting, THESIS, iterations=n, seeds=range(1), **how)
    return judges.estimate.mean() / exact(lasting)


# because: So the estimate is a lower bound
assert max(finds(), finds(regret=0), finds(weight=1)) < 1
assert finds(30_000, regret=0.01) > 0.97  # with time it comes close
# because: because the old regrets are so large that new ones take long to outweigh them
for n in (1_000, 10_000):
    assert finds(n, regret=0.01) > finds(n, regret=0) + 0.02
assert finds(10_000) < finds(10_000, regret=0) - 0.15
assert finds(1_000) > finds(1_000, regret=0)  # and yet it leads at first


# 3: the formula
# because: so the old parts cancel
def keeps_the_old(player, other, new=1 / 6):
    """What a perfect reply wins as a sixth of the average, five sixths of which are old."""
    reply = wb.best_response(other, player)
    plans = [sequence_form(small).plan(one.probs) for one in (sigma, reply.strategy)]
    mixed = normalised(small, ((1 - new) * plans[0] + new * plans[1])[: small.num_choices])
    seats = [other, other]
    seats[player] = mixed
    return wb.expected_values(seats)[player], new * reply.value


(one, share_one), (two, share_two) = (keeps_the_old(i, sigma) for i in (0, 1))
assert np.isclose(one + two, share_one + share_two)
assert abs(one - share_one) > 0.01  # in one seat the old part stays
assert np.isclose(one - share_one, share_two - two)  # and is what the other seat loses
(one, share_one), (two, share_two) = (
    keeps_the_old(i, other) for i, other in enumerate((sigma, wb.Strategy.uniform(small)))
)  # two opponents that are not each other's
assert abs(one + two - share_one - share_two) > 0.01
# because: So the curve falls although nothing improves
falls = [finds(weight=each) for each in (0.2, 1.0, 5.0)]  # the same strategy, an older average
assert falls[0] > 2 * falls[1] > 4 * falls[2]
# because: so its curve falls by itself
for each, found_there in zip((0.2, 1.0, 5.0), falls, strict=True):
    assert 0.6 < found_there / (10_000 / (10_000 + each * 50_000)) < 1
# because: That is why (c) found so little
assert falls[0] > 2.2 * falls[1]
assert finds() > 4 * falls[1]  # without the old average

share = pd.DataFrame({
    deck: means[f"{deck}, as told, estimated"] / means[f"{deck}, as told, exact"] for deck in decks
})  # fmt: skip
ratio = share.div(10_000 / (10_000 + share.index.to_numpy()), axis=0)
assert (round(ratio.min().min(), 2), round(ratio.max().max(), 2)) == (0.78, 0.94)
assert 1 / 8 < share.loc[50_000].mean() < 1 / 6.5
stopped = means[[f"{deck}, as told, exact" for deck in decks]]
assert (stopped.loc[50_000] > 0.9 * stopped.loc[20_000]).all()
assert (stopped.loc[50_000].min().round(1), stopped.loc[50_000].max().round(1)) == (0.7, 1.1)
lift = 1 / share.mean(axis=1)
assert (lift.loc[2_000].round(1), lift.loc[50_000].round()) == (1.3, 7)

# because: so double its numbers before
assert np.isclose(exact(sigma), sum(wb.best_response(sigma, i).value for i in (0, 1)))


# 4: two details, and what becomes of the order
# because: so each iteration is weighted by what the opponent did
def collected(lead_there, walks=20_000):
    """What the walker's own visits add up to, if his moves lead there so often in the two."""
    came = np.random.default_rng(SEED).random((walks, 2)) < lead_there
    return came.sum(axis=0) @ plays / came.sum()


assert np.allclose(collected(arrives), [0.91, 0.09], atol=0.01)
for alike in (0.1, 0.9):  # if he plays alike in both, no harm is done
    assert np.allclose(collected([alike, alike]), plays.mean(axis=0), atol=0.02)
last = table[table.iteration == T].groupby("curve").exploitability.mean()
textbook, walker, opponent, both = last[list(ways)]
if not QUICK:
    assert 4 < walker / textbook < 6
    assert 7 < opponent / textbook < 9
    assert 0.8 < both / opponent < 1.25
assert len(verdicts) == 3
assert (verdicts["trained and estimated as the text describes"] == "yes").all()
assert (verdicts["the same strategies, exact"] == "yes").all()
# because: because at a given $T$ the factor is about the same for all decks with betting
at_end = share.loc[50_000]
assert at_end.max() / at_end.min() < 1.25
exactly = means.loc[50_000, [f"{deck}, as told, exact" for deck in decks]].to_numpy()
assert list(exactly.argsort()) == list((exactly * at_end.to_numpy()).argsort())
uneven = (
    exactly
    * share.loc[2_000].to_numpy() ** (exactly == exactly.min())
    * at_end.to_numpy() ** (exactly > exactly.min())
)  # if the least exploitable deck were judged early, it would come first
assert uneven.argmax() == exactly.argmin()
# because: because small changes to a sampling algorithm can stop it from converging
halves = table[table.iteration.isin([T // 2, T])].groupby(["curve", "iteration"]).exploitability
fall = halves.mean().unstack("iteration")
assert fall.loc["textbook", T] < 0.8 * fall.loc["textbook", T // 2]
assert (
    fall.loc["opponent plays his average", T]
    > 0.85 * fall.loc["opponent plays his average", T // 2]
)
assert (verdicts["standard training, exact"] == "no").all()
if not QUICK:  # one change at a time: training alone undoes the first, both together the second
    usual = wb.solvers.ExternalSampling(linear=False)
    as_in_thesis = wb.solvers.ExternalSampling(
        linear=False, average_at="traverser", opponent="average"
    )
    apart_lost = {}
    for how, named in product((usual, as_in_thesis), ("thesis-suits", "lossless-suits")):
        for deck in ("2/3/2b", "3/2/2b", "3/3/2b"):
            deal = wb.compile_game(toepen(deck, follow_suit=False))
            apart_lost[how, named, deck] = np.mean(
                [
                    wb.solve(deal, how, 50_000, seed=k, abstraction=named).exploitability
                    for k in range(4)
                ]
            )
    leads, alike_at = {}, {}
    for how, named in product((usual, as_in_thesis), ("thesis-suits", "lossless-suits")):
        most, one, two = (apart_lost[how, named, deck] for deck in ("2/3/2b", "3/2/2b", "3/3/2b"))
        leads[how, named] = most > max(one, two)
        alike_at[how, named] = max(one, two) < 1.5 * min(one, two)
    assert leads[as_in_thesis, "thesis-suits"]
    assert leads[as_in_thesis, "lossless-suits"]
    assert not leads[usual, "thesis-suits"]
    assert not leads[usual, "lossless-suits"]
    assert [key for key, alike in alike_at.items() if not alike] == [(usual, "lossless-suits")]

# 5: 0.914, the sizes of its game with and without names, and the wrong sign; tests/lab/wb.ledger/test_toepen_program.py measures WRONG again
large, renamed = (row.ours for row in printed_rows if row.item.startswith("3/3/3b "))
assert large > 1_000_000 > renamed == 131_763 + 245_195 == 376_958
trees = {name: wb.compile_game(toepen(name, follow_suit=False)) for name in ("2/3/2b", "3/2/2b")}
worths = [
    [wb.expected_values(wb.Strategy.uniform(each))[0].round(4) for each in (t, as_evaluated(t))]
    for t in trees.values()
]  # what the public program prints before any training is the second of each pair
assert worths == [[0.3395, 0.2715], [0.5471, 0.4663]]
# because: so nothing changes in the games without betting
for must in (True, False):
    plain_game = wb.compile_game(toepen("2/3/2", follow_suit=must))
    same = np.array_equal(as_evaluated(plain_game).utility, plain_game.utility)
    assert same == must  # if any card may be played, it would
# because: so what the program evaluates is a different game
signed_tree = as_evaluated(trees["2/3/2b"])
assert np.allclose(abs(signed_tree.utility), abs(trees["2/3/2b"].utility))  # only signs differ
assert not np.allclose(signed_tree.utility, trees["2/3/2b"].utility)
# because: because the paragraph with the rules cannot tell you
assert (betting["need not"] / betting["must follow suit"] > 1.15).all()  # one paragraph, two counts

assert results["wrong sign"][0] < results["right sign"][0]
assert results["wrong sign"][1] > results["right sign"][1]
assert (round(min(WRONG), 2), round(max(WRONG), 2)) == (0.76, 0.93)
assert min(WRONG) < 0.914 < max(WRONG)
assert 3.6 < np.mean(WRONG_EXACT) < 3.65
assert (round(estimate.low, 2), round(estimate.high, 2)) == (1.27, 1.30)
assert (round(told.ours, 2), round(standard.ours, 2), round(uniform, 2)) == (2.86, 0.46, 3.75)
walked = wb.ledger.read_curves("le-2021-section4.2.3").query("curve == 'cfr+, exact'")
assert round(walked.set_index("iteration").exploitability[100], 3) == 0.024
