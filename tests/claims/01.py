"""What Lecture 01 says about Kuhn poker."""

leduc = wb.compile_game(wb.load_game("leduc"))
always = players["bold"]

assert (tree.num_histories, tree.num_terminals, leduc.num_histories) == (58, 30, 9457)
assert [len(tree.infosets_of(player)) for player in (0, 1)] == [6, 6]
assert np.allclose(wb.expected_values(uniform), [1 / 8, -1 / 8], atol=1e-12)

assert abs(reply.value - 1 / 2) < 1e-12
assert reply.strategy.at("J")["b"] == 1
assert len(earned) == 64
assert abs(max(earned) - reply.value) < 1e-12
assert np.log10(np.diff(leduc.first_choice)[list(leduc.infosets_of(0))]).sum() > 100  # too many
assert np.allclose(best, [1 / 2, 5 / 12], atol=1e-12)
assert abs(epsilon - 11 / 24) < 1e-12

assert np.allclose(judged.loc[["honest", "bold"], "wins from uniform"], [0, 1 / 2], atol=1e-12)
assert np.allclose(judged.loc[["honest", "bold"], "exploitability"], [1 / 4, 1 / 3], atol=1e-12)

assert worst < 1e-12
costs = {what: wb.exploitability(sigma) for what, sigma in broken.items()}
assert abs(costs.pop("equilibrium (α = 0.2)")) < 1e-12
assert all(0.01 < cost < 0.025 for cost in costs.values())
bluff, easy, jack_first = wb.look(perfect, "Q b"), wb.look(uniform, "Q b"), wb.look(perfect, "J")
assert np.allclose(bluff.beliefs, [1 / 4, 3 / 4])
assert np.allclose(easy.beliefs, 1 / 2)
assert np.allclose(bluff.expected, -1)
assert np.allclose(easy.expected, [-1, 0])
assert np.allclose(jack_first.expected, -1)

assert np.allclose(values, -1 / 18, atol=1e-12)
assert np.allclose(rows, [(1 / 18, won) for won in (1 / 18, 1 / 9, 1 / 6)], atol=1e-12)

bets = found["Jack bets"]
assert np.allclose(found["King bets"], 3 * bets, atol=0.02)
assert np.allclose(found["Queen calls"], bets + 1 / 3, atol=0.02)
assert min(bets["lp"], 1 / 3 - bets["lp"]) > -1e-9  # a linear program may stop anywhere on it
assert np.min(epsilons) > -1e-12
assert 0.12 < np.max(epsilons) < 0.13
assert all(wb.exploitability(profile(j, k, j + 1 / 3)) > 0.01 for j, k in ((0.1, 0.6), (0.4, 0.6)))
