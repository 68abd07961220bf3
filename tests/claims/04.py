"""What lecture 04 states about its numbers. Names are those of the notebook; see test_notebooks."""

from workbench.sequence_form import sequence_form
from workbench.strategy import normalised

# 1: the example with a pencil
assert (small.num_infosets, blinded.coarse.num_infosets) == (6, 3)
assert np.allclose([wb.best_response(lifted, player).value for player in (0, 1)], [2 / 3, 0])
assert abs(wb.expected_values(wb.solve(blinded.coarse, "lp").strategy)[0]) < 1e-9

# because: In the abstract game her move could tell player 2 nothing about the draw
sees = wb.abstract(small, blind, players=1)  # a player 1 who looks at the draw in training, too
met = sees.lift(wb.solve(sees.coarse, "lp").strategy)
fair_share = wb.expected_values(met)[0]
assert wb.best_response(met, 0).value < fair_share + 1e-9 < 2 / 3 - 0.01

# 2: sizes, landmarks, and both sides of three abstractions
assert tree.num_infosets == 936
assert [game.coarse.num_infosets for game in games.values()] == [132, 198, 132]
for name, other in [("JQ.K", "JQ.K"), ("JQ.K", "JQ-K"), ("J.Q.K", "J.Q.K"), ("J.QK", "J-QK")]:
    assert np.array_equal(games[name].choice_map, wb.abstract(tree, other).choice_map), other
folder = wb.Strategy.from_function(tree, lambda p, seen, actions: "f" if "f" in actions else "c")
assert abs(wb.exploitability(folder) - 1) < 1e-9
assert abs(1000 * wb.exploitability(wb.Strategy.uniform(tree)) - 2373.6111) < 1e-3
for (name, run), low, high in zip(runs.items(), (480, 630, 730), (500, 655, 760)):
    real, inside = run.trace["exploitability"], run.trace["abstract_exploitability"]
    assert low < 1000 * real.iloc[-1] < high, name
    assert 1000 * inside.iloc[-1] < (10 if QUICK else 1), name
    assert run.trace["iteration"][real.idxmin()] < 500, name
    assert 1000 * (real.iloc[-1] - real.min()) > 20, name

# 3: the band of equilibria
# because: More iterations cannot remove this loss
exactly = wb.solve(tree, "lp", abstraction=games["JQ.K"])  # nothing left to improve
assert 1000 * exactly.exploitability > 489
# because: so its second number is a loss that some equilibrium really has
for end, name in ((bands["JQ.K"].worst, "largest"), (bands["JQ.K"].best, "smallest")):
    assert abs(wb.exploitability(end) - getattr(bands["JQ.K"], name)) < 1e-6
    plan = sequence_form(tree).plan(end.probs)[: tree.num_choices]
    inside = normalised(games["JQ.K"].coarse, games["JQ.K"].gather(plan))
    assert wb.exploitability(inside) < 1e-5
# because: The published number lies inside the band, so it does not contradict ours
assert not 1000 * bands["J.Q.K"].smallest < 496.31  # inside another band it would
assert np.allclose(
    [1000 * band.smallest for band in bands.values()], [489.769, 639.515, 738.923], atol=0.02
)
assert bands["JQ.K"].largest > (0.55 if QUICK else 0.7)
assert 1000 * bands["JQ.K"].smallest < 496.31 < 1000 * bands["JQ.K"].largest
assert 486 < 1000 * wb.solve(tree, "cfr+", 1_000, abstraction="JQ.K").exploitability < 489  # panel
if not QUICK:
    assert bands["J.Q.K"].largest > 0.7
    assert max(found["JQ.K"][:3]) < 520  # those that learn end near the lower end
    assert bands["JQ.K"].largest > bands["J.Q.K"].largest

# 4: the ladder
assert [step.coarse.num_infosets for step in steps.values()] == [132, 198, 228, 288]
for coarser, finer in zip(list(steps.values()), list(steps.values())[1:]):
    pairs = set(zip(finer.choice_map.tolist(), coarser.choice_map.tolist()))
    assert len(pairs) == finer.coarse.num_choices, "a refinement"
assert np.allclose(best, [489.769, 639.515, 382.292, 0], atol=0.02)
assert np.allclose(floor, [169.719, 107.658, 41.646, 0], atol=0.02)

# because: is what we lose because the opponent in training had forgotten the same things
for lost_here, without in zip(best[:3], floor[:3]):  # the same rules, trained against real eyes
    assert lost_here - without > 300
# because: and that is why the dashed line can never rise
assert all(later < before for before, later in zip(floor, floor[1:]))
assert best[1] > best[0]  # on the solid line it can


def one_side(mine, theirs):  # seat by seat, the best equilibrium between two kinds of eyes
    won = []
    for seat in (0, 1):

        def rule(player, *told, seat=seat):
            return ladder[mine if player == seat else theirs](player, *told)

        sigma = wb.theory.equilibrium_range(wb.abstract(tree, rule), tries=1).best
        won.append(wb.best_response(sigma, 1 - seat).value)
    return 500 * sum(won)


# because: so we can lose more in the real game
assert np.allclose(
    [one_side(*pair) for pair in (("J.Q.K", "JQ.K"), ("JQ.K", "J.Q.K"))], [671.8, 457.2], atol=0.1
)
# its equilibrium can be worse: it is fitted to an imagined opponent
one_seat = [
    wb.expected_values(wb.solve(tree, "lp", abstraction=one).strategy)
    for one in (wb.abstract(tree, name, players=0) for name in ("JQ.K", "J.Q.K"))
]
assert one_seat[1][0] > one_seat[0][0]  # against an opponent who stays the same, finer is better
# because: because an unfinished strategy may lose less
early = wb.solve(tree, "cfr+", 1_000, abstraction="JQ.K").trace
assert early["exploitability"].iloc[-1] < bands["JQ.K"].smallest  # no equilibrium does
assert early["abstract_exploitability"].iloc[-1] > 1e-4  # and it is none

# 5: fallbacks
# because: So doing without the move costs only 31 milli-antes
assert (calm.coarse.num_infosets, calm.uncovered) == (384, 552)
fold, random, call, met = loss.values()
assert 3700 < fold < 3800
assert 2330 < random < 2390
assert 1010 < call < 1060
assert abs(met - 31.467) < 0.02
assert min(fold, random, call) > 30 * met  # the same missing move with no answer to it
answered = []
for seat in (0, 1):  # the equilibrium where it says something, the best possible elsewhere
    kept = (tree.infoset_player == seat) & ~calm.uncovered_infosets
    rest = wb.theory.fix(calm_run.strategy, kept)
    answered.append(rest.lift(wb.solve(rest.tree, "lp").strategy))
assert abs(1000 * wb.exploitability(wb.seated(answered)) - 190) < 5

# where it breaks: a player who forgets
assert not forgetful.tree.perfect_recall
assert abs(toss.value) < 1e-9
assert abs(wb.expected_values(again)[0] + 1 / 2) < 1e-9
for hide, name in ((0.5, 0.5), (0.6, 0.6), (0.3, 0.7), (1, 1)):  # no two tosses guarantee more
    assert 2 * min(hide * name, (1 - hide) * (1 - name)) - 1 <= -1 / 2
