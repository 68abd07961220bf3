"""What lecture 06 states about its numbers. Names are those of the notebook; see test_notebooks."""

# 1: the smallest deck
merged = wb.abstract(smallest, "lossless-suits")
assert (smallest.num_infosets, merged.coarse.num_infosets, merged.forced) == (10, 6, 2)
assert len(set(map(problem, smallest.seen))) == 6

# 2: two translations
assert sizes.to_numpy().tolist() == [
    [10, 6, 6],
    [51, 14, 12],
    [3_048, 822, 528],
    [18_342, 4_698, 3_141],
]
for one in (tree, by_thesis.coarse, by_orbit.coarse):
    assert abs(wb.expected_values(wb.solve(one, "lp").strategy)[0] - 0.534463) < 1e-6
ends = {name: [one.exploitability for one in group] for name, group in runs.items()}
lost = np.array(ends["thesis-suits"])
assert 0.01 < lost.mean() < 0.07
assert lost.min() > 0.002
for name in ("thesis-suits", "lossless-suits"):
    inside = max(one.trace["abstract_exploitability"].iloc[-1] for one in runs[name])
    assert inside < (0.005 if QUICK else 0.001), name
for one in runs["lossless-suits"]:
    assert np.allclose(one.trace["exploitability"], one.trace["abstract_exploitability"], atol=1e-9)

# 3: the habit, in thirtieths of a point
assert abs(wb.expected_values(wb.solve(plain, "lp").strategy)[0] - 13 / 30) < 1e-9
for name, worth in {"fair": 13, "habit": 14}.items():
    assert np.allclose(wins(players[name]), [13, -13]), name
    assert np.allclose(wins(game.lift(players[name])), [worth, -13]), name
assert (reply.at(("10♠ 9♥", ""))["10♠"], reply.at(("10♠ 9♦", ""))["9♦"]) == (1, 1)
for lead in ("10♠", "9♥"):  # against coins both leads are equally good
    always = wb.Strategy.from_function(
        plain,
        lambda p, seen, actions: lead if (p, seen) == (0, ("10♠ 9♥", "")) else reply.at(seen, p),
    )
    assert abs(wb.expected_values([always, game.lift(players["fair"])])[0] - 13 / 30) < 1e-9


def lead_earns(start, sigma):
    """What each lead of player 1 earns in this deal if she replies best afterwards."""

    def value(h):
        if plain.terminal[h] >= 0:
            return plain.utility[plain.terminal[h], 0]
        choice = slice(*plain.first_choice[plain.infoset[h] : plain.infoset[h] + 2])
        probs = (replies if plain.player[h] == 0 else sigma).probs[choice]
        return probs @ [value(k) for k in children(h)]

    def children(h):
        return range(plain.first_child[h], plain.first_child[h + 1])

    replies = wb.best_response(sigma, 0).strategy
    h = next(h for h in range(plain.num_histories) if plain.history_label(h) == start)
    return [round(value(k)) for k in children(h)]  # the ten first


against = ["9♠ 10♥", "9♠ 10♦", "9♠ 9♦", "10♥ 10♦", "10♥ 9♦", "10♦ 9♦"]
fair_sigma = game.lift(players["fair"])
earns = np.array([lead_earns(f"10♠ 9♥ | {hand}", fair_sigma) for hand in against]).T
assert earns.tolist() == [[-1, 1, 1, 0, 0, 1], [1, 1, 1, -1, -1, 1]]
habitual = np.array([lead_earns(f"10♠ 9♥ | {hand}", hearts_first) for hand in against]).T
assert (habitual - earns).tolist() == [[0, 0, 0, 1, 0, 0], [0] * 6]
assert lead_earns("10♠ 9♦ | 10♥ 10♦", hearts_first) == [-1, -1]
assert thesis(0, ("10♠ 9♥", ""), ())[0] == thesis(0, ("10♠ 9♦", ""), ())[0]

# 4: labels without actions end where the thesis's names end
assert half.coarse.num_infosets == ours.coarse.num_infosets == 528
assert 0.01 < np.mean(ends["labels only"]) < 0.1
assert max(ends["lossless-suits"]) < (0.005 if QUICK else 0.001)
assert len(best_names(("10♥ 10♦", ""))[1]) == 2
assert len(best_names(("10♥ 10♦", "9♦"))[1]) == 1

# 5: shuffled names, and what it buys
assert (mended["shuffled"] < (0.005 if QUICK else 0.001)).all()
assert nameless.num_infosets == (3_099 if QUICK else 124_883)
if not QUICK:
    assert run.exploitability < 0.01
