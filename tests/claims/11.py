"""What Lecture 11 says about three players."""

assert odd.num_terminals == 8
assert np.allclose(wb.expected_values(coins), 0)
assert np.allclose(wb.gains(coins), 0)
assert max(wb.gains(each).max() for each in ends) < 1e-3
assert np.allclose(values.min(axis=1), -1, atol=0.01)
assert np.ptp(values, axis=0).min() > 2.5
assert (np.bincount(values.argmin(axis=1), minlength=3) > len(ends) / 7).all()

losers = (values < -1e-3).sum(axis=1)
assert (losers == 2).mean() > 0.5
assert values.max() > 1.8
for each in ends:  # two show different sides for certain
    first = [each.probs[2 * i] for i in range(3)]
    assert sum(min(p, 1 - p) < 1e-3 for p in first) >= 2
    assert min(first) < 1e-3 < 0.999 < max(first)
# because: because all equilibria of a two-player zero-sum game have the same value
kuhn = wb.abstract(wb.compile_game(wb.load_game("kuhn")), lambda player, seen, actions: seen)
two = [
    wb.expected_values(s)[0]
    for s in wb.theory.learnt_equilibria(kuhn, "cfr+", iterations=2_000, seeds=4)
]
assert np.ptp(two) < 0.001
# because: so we can draw them as one point in a triangle
assert np.allclose(values.sum(axis=1), 0)
# because: so "the value of the game" no longer exists
assert np.ptp(values[:, 0]) > 2.5
# because: and therefore always loses one chip
same = [pure("heads", "heads", side) for side in ("heads", "tails")]
assert [wb.expected_values(s)[2] for s in same] == [0, 2]  # two who agree cannot do this to her
# because: so every point of it is an equilibrium
off = wb.Strategy(odd, np.where(np.arange(6) < 2, [0.9, 0.1, 0, 0, 0, 0], edge(0.2).probs))
assert wb.gains(off).max() > 0.05  # beside the edge it is none

for heads in np.linspace(0, 1, 11):
    assert np.allclose(wb.expected_values(edge(heads)), [2 - 3 * heads, 3 * heads - 1, -1])
    assert np.allclose(wb.gains(edge(heads)), 0)
assert np.allclose([wb.gains(one), wb.gains(other)], 0)
assert np.allclose(wb.gains(mixed), 2)

# because: may therefore play badly as soon as they meet
assert np.allclose(wb.gains(wb.seated([one, one, one])), 0)  # halves of the same one fit

assert aunt.zero_sum
assert aunt.num_players == 3
assert regret.iloc[-1] < 0.003
assert 0.145 < gain.loc[10:].min() < 0.2
assert 0.15 < gain.iloc[-1] < 0.25
assert 0.15 < wb.gains(averages[99]).max() < 0.25
assert (together[:2] > apart[:2] + 0.1).all()
assert together[2] < apart[2] - 0.2
# because: so this must still be true
assert regret.iloc[-1] < 0.05 * regret.loc[10]  # three players, and it falls
# because: so they rarely tie
ties = np.mean([s.probs[:3] @ s.probs[3:6] for s in played])
assert ties < 0.01
# because: because each child now draws from its own average
last = averages[-1].probs
joint = np.mean([np.outer(s.probs[:3], s.probs[3:6]) for s in played], axis=0)
assert np.allclose(joint.sum(axis=1), last[:3], atol=0.01)  # the averages are those of the play
assert (
    abs(joint - np.outer(last[:3], last[3:6])).max() > 0.05
)  # and forget what was played together
# because: because ties are back, and the aunt saves the difference
again = last[:3] @ last[3:6]
assert again > 0.2
assert abs(apart[:2].sum() / (1 - again) - together[:2].sum()) < 0.06  # without ties as before
assert all(min(stuck[name]) > 0.05 for name in solvers if name != "pcfr+")
assert all(min(stuck[name][1:]) > 0.5 * stuck[name][0] for name in solvers if name != "pcfr+")
assert max(stuck["pcfr+"]) < 0.01

assert (trio.num_infosets, trio.zero_sum) == (48, True)
assert 48 * wb.gains(sigma).max() < 0.01
assert 48 * max(wb.gains(each).max() for each in found) < 0.01
assert np.allclose(worth[:, 1], -1, atol=0.01)
assert np.allclose(np.ptp(worth, axis=0)[[0, 2]], 0.42, atol=0.04)
assert 0.9 < np.median(table) < 1.2
assert 5 < max(table) < 10
assert np.allclose(kings.loc["player 2"], -1, atol=0.01)
assert np.allclose(kings["as PCFR+ plays"], [-1.26, -1, 2.26], atol=0.03)
assert np.allclose(kings["a favour for player 1"], [5, -1, -4], atol=0.05)
assert np.allclose(kings["a favour for player 3"], [-3, -1, 4], atol=0.05)
# because: So we ask him for a favour
low, high = found[worth[:, 0].argmin()], found[worth[:, 0].argmax()]
for i in range(3):
    swapped = 48 * wb.expected_values(wb.seated([high if j == i else low for j in range(3)]))
    to = high if i == 1 else low
    assert np.allclose(swapped, 48 * wb.expected_values(to), atol=0.02)


def moved(who, friend):
    """What everybody wins if this player does this friend a favour."""

    class Fond(Kuhn3):
        def wish(self, payoffs):
            payoffs[who] += 0.001 * payoffs[friend]
            return payoffs

    fond = wb.Strategy(wb.compile_game(Fond()), sigma.probs)
    return 48 * wb.expected_values(wb.Strategy(trio, wb.best_response(fond, who).strategy.probs))


# because: because what another player does, even at no cost to himself, can help a third
assert np.ptp([moved(1, friend)[2] for friend in (0, 2)]) > 7.9
assert np.ptp([moved(0, friend) for friend in (1, 2)], axis=0).max() < 0.02  # player 1 cannot
assert np.allclose(
    np.ptp([moved(2, friend) for friend in (0, 1)], axis=0), [1.5, 1.5, 0], atol=0.02
)
if not QUICK:
    assert len(ends) == 200
    assert (losers == 2).sum() == 117
    assert stuck["pcfr+"][-1] < 1e-3
    assert all(stuck[name][-1] > stuck[name][0] for name in ("cfr", "dcfr", "cfr+"))
