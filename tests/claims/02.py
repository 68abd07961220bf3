"""What lecture 02 says about its numbers."""

assert np.allclose(regret_matching(np.array([0, 1, 2])), [0, 1 / 3, 2 / 3])

# rock, paper, scissors: the current strategy never settles, the average falls like 1/√T
assert rps_curves["current"][13:].min() > 0.6666 > rps_curves["current"][12]
for rounds in (100, 1_000, 10_000):
    assert 0.8 < rps_curves["average"][rounds - 1] * rounds**0.5 < 1.2
assert (P[1:300].min(axis=1) < 1e-12).mean() > 0.9  # it runs along the edge
assert (P[1000:3000].min(axis=1) < 0.05).mean() > 0.99  # and goes on to do so
from_star = [np.linalg.norm(P_mean[n - 1] - 1 / 3) for n in (10, 30, 100, 300, 1000, 3000)]
assert (np.diff(from_star) < 0).all()
assert from_star[-1] < 0.02 < 0.2 < from_star[0]
# because: The amount that was really won drops out because the game is zero-sum
half = (R1.max() + R2.max()) / 2 / len(t)
assert abs(half - rps_curves["average"][-1]) < 1e-12
won = np.einsum("ta,ab,tb->t", P, A, Q).mean()  # with one more chip a round for him it stays
assert abs((A @ Q_mean[-1]).max() - won - R1.max() / len(t)) < 1e-12
assert abs((A @ Q_mean[-1]).max() + ((1 - A.T) @ P_mean[-1]).max() - 2 * half - 1) < 1e-12
# because: Players who start without any regret would begin there and never leave
still = self_play(A, rounds=100, start=np.zeros(3))[0]
assert np.allclose(still, 1 / 3)
# because: She moves to paper because he played rock, he answers with scissors
for he_plays in (*np.eye(3), np.full(3, 1 / 3)):
    sums = np.array([0.0, 0, 0])
    for _ in range(20):
        sums += A @ he_plays - regret_matching(sums) @ A @ he_plays
    answer = regret_matching(sums)  # without a move of his to answer she stays where she is
    assert np.allclose(answer, he_plays if he_plays.max() < 1 else np.roll(he_plays, 1))
corner = P[(P.max(axis=1) > 0.99)].argmax(axis=1)  # clockwise: rock, scissors, paper
turns = np.diff(corner)[np.diff(corner) != 0] % 3
assert (turns == 2).mean() > 0.9
R, q = np.random.default_rng(SEED).normal(size=3), np.array([0.2, 0.5, 0.3])
assert abs(np.maximum(R, 0) @ (A @ q - regret_matching(R) @ A @ q)) < 1e-15
assert old.tolist() == [3, 1]  # the picture of the right angle
assert new.tolist() == [0.5, -1.5]
assert (old @ new, new @ new, old @ old) == (0, 2.5, 10)
assert (np.maximum(old + new, 0) ** 2).sum() < 12.5 == ((old - new) ** 2).sum()

# the matcher at the table, and how little can be won from it


def won_from_matcher(game, rounds, reads=True):
    """What a player wins on average who knows the next probabilities, or always plays rock."""
    sums, won = np.zeros(3), 0.0
    for _ in range(rounds):
        its = regret_matching(sums)
        mine = int((game @ its).argmax()) if reads else 0
        won += game[mine] @ its
        sums += game[mine] @ its - game[mine]  # what each of its actions would have won more
    return won / rounds


# because: because the best of its three actions never loses to you in total
assert (A.sum(axis=1) == 0).all()
for rounds in (10, 100, 1_000):
    assert max(won_from_matcher(A, rounds, reads) for reads in (True, False)) <= 3.5 / rounds**0.5
assert won_from_matcher(A + 1, 1_000) > 3.5 / 1_000**0.5  # its actions lose together: you win
assert abs(2 * 3**0.5 - 3.5) < 0.05
matcher = wb.widgets.RegretMatcher("rock_paper_scissors", seed=SEED)
for _ in range(20):
    matcher.play("rock")
    assert np.allclose(matcher.probs, regret_matching(matcher.regret))
assert matcher.probs[1] == 1
matcher.close()

# the sizes of the matrices, 64 rows and 10^52
sizes = [wb.theory.count_pure_strategies(tree, reduced=False)[0] for tree in (kuhn, leduc)]
assert sizes[0] == 64
assert 10**51.5 < sizes[1] < 10**52
assert [len(tree.infosets_of(i)) for tree in (kuhn, leduc) for i in (0, 1)] == [6, 6, 144, 144]

# CFR by hand and in 25 lines
import inspect

assert len(inspect.getsource(cfr).splitlines()) <= 25
first = next(cfr(kuhn))[0]
assert np.allclose(12 * first[0, ("Q", "pb")], [-1, 1], rtol=0, atol=1e-12)
states = [state for _, state in zip(range(100), wb.iterate(kuhn, "cfr"))]
uniform = wb.Strategy.uniform(kuhn)
for (sums, own), state in zip(cfr(kuhn), states):
    assert np.allclose(own.probs, wb.average(kuhn, state).probs, rtol=0, atol=1e-12)
    flat = np.concatenate([sums[p, seen] for p, seen in zip(kuhn.infoset_player, kuhn.seen)])
    assert np.allclose(flat, state.regret, rtol=0, atol=1e-12)
assert np.array_equal(ours.probs, own.probs)
assert 0.005 < wb.exploitability(wb.average(kuhn, states[-1])) < 0.01
assert abs(wb.exploitability(uniform) - 11 / 24) < 1e-12
assert abs(wb.exploitability(wb.average(kuhn, states[0])) - 11 / 24) < 1e-12

# without the weight learning stops at 1/6
assert weighted["counterfactual"].exploitability.iloc[-1] < 0.005
assert (abs(weighted["all histories equal"].exploitability.iloc[-100:] - 1 / 6) < 0.002).all()


def learned(weight, iterations=150):
    return next(islice(cfr(kuhn, weight), iterations - 1, None))[1]


# because: so a bet tells them nothing
equal, right = learned(lambda mine, others: 1.0), learned(lambda mine, others: others)
assert (equal.at("Q b", 1)["b"] > 0.99, equal.at("J")["b"] < 0.02) == (True, True)
assert abs(right.at("Q b", 1)["b"] - 1 / 3) < 0.05  # with the weight a bet is news
# because: The reason is that she plays in proportion to
for matched, zero in ((True, True), (False, False)):  # another rule has no right angle
    x = np.array([3.0, 1, -2])
    plays = regret_matching(x) if matched else np.array([0.5, 0.5, 0])
    gains = A @ q - plays @ A @ q
    assert (abs(np.maximum(x, 0) @ gains) < 1e-12) == zero
# because: each of the $n$ entries of $r$, one for each action, is at most
gains = A @ Q.T - np.einsum("ta,ab,tb->t", P, A, Q)
delta = A.max() - A.min()
assert np.abs(gains).max() <= delta
assert (gains**2).sum(axis=0).max() <= delta**2 * 3
assert max(R1.max(), R2.max()) <= delta * np.sqrt(3 * len(t))

# the regret of the whole game is at most the sum of the sets
# because: By section 3 each term is at most
from workbench.sequence_form import sequence_form
from workbench.strategy import normalised

everyone, hers = sequence_form(kuhn), np.flatnonzero(kuhn.infoset_player == 0)
profile, plans, earned = uniform.probs, np.zeros(kuhn.num_choices), 0.0
for state in states:
    plans += everyone.plan(profile)[: kuhn.num_choices]
    earned += wb.expected_values(wb.Strategy(kuhn, profile))[0]
    profile = state.probs
whole = len(states) * wb.best_response(normalised(kuhn, plans), 0).value - earned
sets = sum(max(sums[0, kuhn.seen[I]].max(), 0) for I in hers)  # of the last iteration
assert 0 < whole <= sets <= 4 * len(hers) * np.sqrt(2 * len(states))
# because: because the average must visit each information set as often as a randomly drawn
played = list(wb.solvers.profiles(kuhn, "cfr", 100))
one_coin = np.mean([wb.expected_values([sigma, uniform])[0] for sigma in played])
many_coins = wb.expected_values([wb.average(kuhn, states[-1]), uniform])[0]
naive = wb.Strategy(kuhn, np.mean([sigma.probs for sigma in played], axis=0))  # no plans
assert abs(wb.expected_values([naive, uniform])[0] - one_coin) > 1e-3

# mixed and behavioural
assert abs(one_coin - many_coins) < 1e-12
