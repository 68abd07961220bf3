"""What Lecture 21 says about thinking at the table: thousandths of an ante."""

Searcher = wb.search.Searcher

assert milli(blueprint) < 0.5
assert milli(searcher.strategy()) < 2
assert 230 < milli(ahead) < 270
again = milli(wb.solve(leduc, "cfr+", 17, checkpoints=17).strategy)
assert 0.8 < milli(ahead) / again < 1.2
searcher.probabilities(1, seen, moves)
fold, call, bet = searcher.thought.moves().itertuples(index=False)
assert abs(fold.wins - call.wins) < 0.1
assert 0.4 < fold.probability < 0.6
assert 0.4 < call.probability < 0.6

# because: what player 1 does depends on what she believes him to have
game = searcher._mind
infoset = leduc.find_infoset(seen, 1)
roots = game.roots(int(game.state[np.argmax(leduc.infoset == infoset)]))
queens = np.flatnonzero(leduc.infoset == infoset)
assert set(queens) < set(roots)
from workbench.search.subgame import subgame  # noqa: E402

raised = leduc.find_infoset(("Q", "K", "crc/rr"), 0)  # her Queen, after a raise
answers = []
for deals in (roots, queens):
    weight = wb.judge.reach(leduc, blueprint.probs)[deals]
    rest = subgame(leduc, deals, weight, 0, game.know[0])
    found = wb.solve(rest.tree, "cfr+", 2000, checkpoints=2000).strategy
    answers.append(found.probs[rest.choice[leduc.first_choice[raised]]])
assert answers[0] > 0.99 > 0.01 > answers[1]  # she folds; if he must have a Queen, she calls
assert len(roots) > len(queens) == 3

# because: So the searcher takes every deal of this public state
assert len({leduc.history_label(int(h)).split()[1] for h in roots}) == 3  # his three cards

# if he folded every time, she would bet all her Jacks
probs = blueprint.probs.copy()
probs[leduc.first_choice[infoset] : leduc.first_choice[infoset + 1]] = [1, 0, 0]
robbed = wb.best_response(wb.Strategy(leduc, probs), 0)
assert robbed.value > wb.best_response(blueprint, 0).value + 0.2
assert robbed.strategy.at(("J", "K", "crc/"), 0)["r"] == 1

# because: Therefore we can ask it everywhere and write all answers down
other = Searcher(blueprint, when=1)
order = np.random.default_rng(SEED).permutation(leduc.num_infosets)[:60].tolist()
whole = searcher.strategy()
for i in order:  # in another order
    who, known = int(leduc.infoset_player[i]), leduc.actions_at(i)
    asked = other.probabilities(who, leduc.seen[i], known)
    assert np.allclose(asked, [whole.at(leduc.seen[i], who)[a] for a in known])

# because: These values are right, because the blueprint is an equilibrium
value = wb.expected_values(wb.solve(leduc, "lp").strategy)
assert np.allclose(wb.expected_values(blueprint), value, atol=1e-3)
assert not np.allclose(wb.expected_values(start["JQ-K"]), value, atol=1e-2)  # of another one

# the coin
assert np.allclose(exact.probs, [2 / 3, 1 / 3, 2 / 3, 1 / 3])
assert np.allclose(wb.expected_values(exact), [-1 / 3, 1 / 3])
# because: So every $p$ looks equally good to her
assert np.ptp(lines["one continuation"]) < 1e-12
assert all(np.ptp(wins(q)) > 0.1 for q in (0.5, 0.8))  # another q, another matter
# because: because he answers that
always = wb.Strategy.from_function(coin, lambda player, *_: "right" if player == 0 else "left")
assert np.isclose(wb.best_response(always, 1).value, 3)
held = wb.theory.fix_players(exact, 1)  # he does not answer
for side in ("left", "right"):
    sure = wb.Strategy.from_function(held.tree, lambda *_, side=side: side)
    assert np.isclose(wb.expected_values(sure)[0], -1 / 3)
for name in ("three continuations", "every answer"):
    assert abs(p[lines[name].argmax()] - 2 / 3) < 0.005
    assert np.isclose(lines[name].max(), -1 / 3, atol=0.01)
assert (lines["every answer"] <= lines["three continuations"] + 1e-12).all()
assert np.isclose(5 * 2 / (5 * 2 + 1), 10 / 11)
assert np.isclose(2 / (2 + 5), 2 / 7)
assert rows["blueprint"][1] > 0.9
for leaves in ("biased", "all"):
    assert abs(rows[leaves][0] - 2 / 3) < 0.01
    assert abs(rows[leaves][1] - 1 / 3) < 0.01
# because: because the opponent answers the strategy that leads there
assert rows["blueprint"][1] > rows["biased"][1] + 0.5

# Leduc
one, four, every = (cut[name] for name in ways.values())
assert one.min() > 200
assert 1 < four[2] < 3
assert 25 < four[1] < 40
assert 0.5 < every[1] < 1.5
assert every.max() < 3
copies = {str(k): blueprint for k in range(4)}
assert abs(milli(Searcher(blueprint, depth=2, leaves=copies).strategy()) - 252) < 5
if not QUICK:
    assert one[3] > one[2]
    assert one[4] > 200
    assert 45 < four[4] < 65
    assert 1.5 < every[4] < 2.5
assert (trust.loc["second round, safe"] < trust.loc["blueprint"] + 2).all()
assert (trust.loc["second round, unsafe"] > trust.loc["blueprint"]).all()
assert (trust.loc["two moves, unsafe"] > 1000).all()
assert (trust.loc["two moves, safe"] < trust.loc["blueprint"] + 4).all()
assert [round(trust["JQ-K"][row]) for row in ("blueprint", "two moves, safe")] in (
    [457, 423], [458, 423],
)  # fmt: skip

# unlisted bets
mapped_best = min(list(lost.values())[:4])
assert lost["thinking, safe"] < mapped_best / 2
assert lost["thinking, unsafe"] > max(list(lost.values())[:4])
if not QUICK:
    assert round(mapped_best) == 163
    assert round(lost["thinking, safe"]) == 8
written = plays["thinking"]
for place in (("Q", "", f"r{chips}"), ("K", "", "c"), ("J", "Q", "cc/c")):
    assert written.at(place) == mapped.at(place)
# because: But she could have made a listed bet, so her floor is the best that a listed action
loose = wb.search.Searcher(mapped, when=lambda i, s, a: s[2].endswith("r2") and s[1] == "")
assert lost["thinking, safe"] < milli(loose.strategy())  # floors of the bet itself, as mapped
# because: so Bayes' rule says nothing about who does
trusting = wb.search.Searcher(mapped, when=None, listed=small, safe=False)
trusting.probabilities(1, ("Q", "", "r2"), bets.actions_at(bets.find_infoset(("Q", "", "r2"))))
assert np.allclose(trusting.thought.belief, [0.4, 0.2, 0.4], atol=1e-3)
trusting.probabilities(1, ("Q", "", "r3"), bets.actions_at(bets.find_infoset(("Q", "", "r3"))))
assert not np.allclose(trusting.thought.belief, [0.4, 0.2, 0.4], atol=0.02)  # after a listed one

# time
assert 1300 < time.exploitability[3] < 1700
assert round(1000 * wb.exploitability(wb.Strategy.uniform(leduc)), 0) == 2374
assert time.exploitability[300] < 2
if not QUICK:
    assert time.exploitability[100] < 10
    milliseconds = time["milliseconds per answer"]
    assert milliseconds[100] < 2 * milliseconds[3]
# because: because the opponent's answer is missing
assert one[2] > 100 * four[2]
