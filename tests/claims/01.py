"""What Lecture 01 says about Kuhn poker."""

from itertools import product

leduc = wb.compile_game(wb.load_game("leduc"))
always = players["bold"]

assert (tree.num_histories, tree.num_terminals, leduc.num_histories) == (58, 30, 9457)
assert [len(tree.infosets_of(player)) for player in (0, 1)] == [6, 6]
assert np.allclose(wb.expected_values(uniform), [1 / 8, -1 / 8], atol=1e-12)

assert abs(reply.value - 1 / 2) < 1e-12
assert reply.strategy.at("J")["b"] == 1
# the best of the 64 plans is a best response
sets = [tree.seen[I] for I in tree.infosets_of(0)]
earned = []
for actions in product("pb", repeat=6):
    pure = wb.Strategy.from_function(
        tree,
        lambda _player, seen, _, plan=dict(zip(sets, actions, strict=True)): plan.get(seen, "p"),
    )
    earned.append(wb.expected_values([pure, uniform])[0])
assert len(earned) == 64
assert abs(max(earned) - reply.value) < 1e-12
assert np.log10(np.diff(leduc.first_choice)[list(leduc.infosets_of(0))]).sum() > 100  # too many
assert np.allclose(best, [1 / 2, 5 / 12], atol=1e-12)
assert abs(epsilon - 11 / 24) < 1e-12

assert np.allclose(judged.loc[["honest", "bold"], "wins from uniform"], [0, 1 / 2], atol=1e-12)
assert np.allclose(judged.loc[["honest", "bold"], "exploitability"], [1 / 4, 1 / 3], atol=1e-12)

assert worst < 1e-12
# because: it is half of what she loses beyond 1/18
for jack, king in [(0.2, 0.4), (0.4, 1), (0.1, 0.9), (0.5, 0)]:
    off = profile(jack, king, jack + 1 / 3)
    assert abs(wb.best_response(off, 0).value + 1 / 18) < 1e-12  # player 2 plays perfectly
    beyond = wb.best_response(off, 1).value - 1 / 18
    assert abs(wb.exploitability(off) - beyond / 2) < 1e-12
    assert beyond > 0.01
bluff, easy, jack_first = (
    wb.judge.look(perfect, "Q b"),
    wb.judge.look(uniform, "Q b"),
    wb.judge.look(perfect, "J"),
)
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


# because: Showdowns even out because both cards are random and nobody looks at them


def from_showdowns(sigma):
    """What player 1 wins in games that end without a fold."""
    ends = [tree.history_label(h) for h in np.flatnonzero(tree.terminal >= 0)]
    chances = wb.judge.reach(tree, sigma.probs)[tree.terminal >= 0]
    shown = np.array([not end.endswith("b p") for end in ends])
    order = tree.terminal[tree.terminal >= 0]
    return float((chances * tree.utility[order, 0])[shown].sum())


assert abs(from_showdowns(uniform)) < 1e-12
assert abs(from_showdowns(players["mine"])) > 0.01  # somebody looks at the cards
# because: because mixing plans only averages their results
coin_first = wb.Strategy.from_function(tree, lambda p, seen, _: "p" if seen[1] else [0.5, 0.5])
pass_first, bet_first = (
    wb.Strategy.from_function(tree, lambda p, seen, _, a=a: "p" if seen[1] else a) for a in "pb"
)
mixed = [wb.expected_values([sigma, uniform])[0] for sigma in (coin_first, pass_first, bet_first)]
assert abs(mixed[0] - np.mean(mixed[1:])) < 1e-12
assert mixed[0] < max(mixed[1:])
# because: A King always calls, because it cannot lose
for card, sign in (("K", 1), ("J", -1)):  # the fold is worth −1, whoever bets
    assert np.allclose(wb.judge.look(perfect, f"{card} pb").expected, [-1, 2 * sign])
    assert np.allclose(wb.judge.look(uniform, f"{card} pb").expected, [-1, 2 * sign])
assert np.allclose(wb.judge.look(perfect, "Q pb").expected, -1)  # a card that can do both mixes
# because: because only a Jack would fold and only a King would call
first, coin = wb.judge.look(perfect, "Q").expected, wb.judge.look(uniform, "Q").expected
assert first[1] < first[0] - 0.1
assert coin[1] > coin[0] + 0.1  # a King that may fold makes the bet right
# because: Half of the coin-tosser's bets are bluffs, so a call breaks even
rare = wb.Strategy.from_function(tree, lambda p, seen, _: [0.9, 0.1] if seen[0] == "J" else [0, 1])
assert wb.judge.look(rare, "Q b").expected[1] < -1
# because: because without bluffs player 2's Queen would never call
silent = wb.judge.look(profile(jack=0, king=1, queen=1 / 3), "Q b").expected
assert silent[1] == -2
assert wb.best_response(profile(jack=0, king=1, queen=1 / 3), 1).strategy.at("Q b")["b"] == 0
# because: It is negative because player 2 sees what player 1 did before he moves
blind = wb.abstract(tree, lambda p, seen, names: ((seen[0], "" if p else seen[1]), list(names)))
assert blind.coarse.num_infosets == 9
assert abs(wb.expected_values(wb.solve(blind.coarse, "lp").strategy)[0]) < 1e-9
# because: In a zero-sum game the two
assert abs(sum(best) / 2 - epsilon) < 1e-12

# where it breaks: histories of limit Hold'em, cards that come together without an order
sizes = {row.item: row.ours for row in wb.ledger.read_ledger("sandholm-2009-holdem-sizes")}
assert round(sizes["states"] / 1e17) == 9
