"""What lecture 20 says about lists of bets, mappings, their price, the trap, and advice in print."""

values = {name: wb.expected_values(sigma)[0] for name, sigma in (("full", exact), ("small", small))}
assert np.allclose([*values.values()], -1 / 18)
assert all(exact.at((card, ""))[f"r{to}"] < 1e-9 for card in "JQK" for to in range(3, 10))
assert all(exact.at((card, "c"))[f"r{to}"] < 1e-9 for card in "JQK" for to in range(3, 10))
assert np.isclose(wb.exploitability(small), 0)
# because: so from the ante it is a bet of 4
assert game.paid("r5") == (5, 1)
assert wb.load_game("no_limit_kuhn", stack=9, ante=2).paid("r5") == (5, 2)  # another ante: 3
sizes_of = dict(zip(tree.actions_at(0), game.bet_sizes(tree.seen[0], tree.actions_at(0))))
assert sizes_of["r2"] == 1 / 2
assert sizes_of["r5"] == 2
assert sizes_of["r9"] == 4

# because: It has the same value as the full game, so with the missing bets
other = wb.solve(small_game(["pot", "all-in"]).coarse, "lp").strategy
assert abs(wb.expected_values(other)[0]) < 1e-9  # another list: another value, bets are missed
one_sided = [wb.solve(wb.abstract(tree, wb.abstraction.BetSizes(["half pot", "all-in"]),
             players=seat).coarse, "lp").strategy for seat in (0, 1)]  # fmt: skip
assert np.allclose([wb.expected_values(sigma)[0] for sigma in one_sided], -1 / 18)

# the mappings
pencil = {name: f(1 / 2, 4, 3 / 2) for name, f in MAPPINGS.items()}
assert np.allclose([*pencil.values()], [1, 0, 6.875 / 14.875, 3 / 7])
harmonic = MAPPINGS["pseudo-harmonic"]
for A, B, x in ((0.5, 4, 1.5), (0, 1, 0.25), (1, 3, 2.9)):
    f = harmonic(A, B, x)
    assert np.isclose(f / (1 + A) + (1 - f) / (1 + B), 1 / (1 + x))
    other_f = MAPPINGS["randomized geometric"](A, B, x)
    assert not np.isclose(other_f / (1 + A) + (1 - other_f) / (1 + B), 1 / (1 + x))
steps = [harmonic(0.5, 4, x) for x in np.linspace(0.5, 4, 30)]
assert (np.diff(steps) < 0).all()

# because: So she calls with
assert np.isclose(players["pseudo-harmonic"].at(("Q", "r4"))["c"], 1 / 7)
assert np.isclose(small.at(("Q", "r2"))["c"], 1 / 3)
assert np.isclose(small.at(("Q", "r9"))["c"], 0)
assert np.isclose(players["nearest"].at(("Q", "r4"))["c"], 1 / 3)  # without the coin
costs = {name: wb.exploitability(sigma) for name, sigma in players.items()}
assert np.allclose([costs[name] for name in list(MAPPINGS)[:3]], [1 / 6, 1 / 18, 1 / 42])
assert 8 < costs["nearest"] / costs["pseudo-harmonic"] < 9.5

# because: so all of it is the price of hearing wrong
assert np.isclose(wb.exploitability(small), 0)  # the opponent uses listed bets only
for seat in (0, 1):  # she has the list to bet with and hears every bet as it is
    heard = wb.abstract(tree, wb.abstraction.BetSizes(["half pot", "all-in"]), players=seat)
    well = heard.lift(wb.solve(heard.coarse, "lp").strategy)
    worst = wb.best_response(well, 1 - seat).value
    assert np.isclose(worst, 1 / 18 if seat == 0 else -1 / 18)

# the trap
assert np.isclose(robber.value, 1 / 9)
assert [max(robber.strategy.at((card, "")).items(), key=lambda one: one[1])[0]
        for card in "JQK"] == ["c", "c", "r5"]  # fmt: skip
nearest = players["nearest"]
assert np.allclose([nearest.at(("Q", f"r{to}"))["c"] for to in range(2, 10)], [1 / 3] * 4 + [0] * 4)
assert np.isclose((4 / 3 - 1 / 3) / 6, 1 / 6)
wins = {name: [bet * sigma.at(("Q", f"r{1 + bet}"))["c"] for bet in chips]
        for name, sigma in players.items()}  # fmt: skip
assert np.allclose(np.diff(wins["nearest"][:4]), 1 / 3)
for name in ("randomized geometric", "pseudo-harmonic"):
    assert max(wins[name]) < 1 / 3 + 0.15
    calls = np.array(wins[name]) / chips
    assert (np.diff(calls) < 0).all()
# because: The geometric border comes earlier, at 1.41 pots, so he stops at 2 chips
answer_to = wb.best_response(players["geometric"], 0).strategy
assert answer_to.at(("K", ""))["r3"] == 1
assert int(np.argmax(wins["geometric"])) == 1
assert robber.strategy.at(("K", ""))["r5"] == 1  # with the later border of 2.25 pots he goes on

# closing it
assert np.allclose(closed.loc["nearest"], [1 / 6, 1 / 9, 0], atol=1e-9)
assert np.allclose(closed["and the pot"].iloc[:3], 0, atol=1e-9)
assert abs(closed.loc["pseudo-harmonic", "and the pot"] - 0.011) < 0.0005
for card in "JQK":  # up to two pots the nearest rule calls as after half a pot
    calls = [players["nearest"].at((card, f"r{to}"))["c"] for to in range(2, 10)]
    assert np.allclose(calls[:4], calls[0])
    assert np.allclose(calls[4:], calls[4])
assert players["nearest"].at(("Q", "r6"))["c"] < 1e-9 < players["nearest"].at(("Q", "r5"))["c"]
one = pd.DataFrame(one_size)  # one size beside all-in
assert np.allclose(one[0.5], closed["half pot, all-in"], atol=1e-9)
assert one.loc["nearest"].round(2).tolist() == [0.17, 0.17, 0.42, 0.46, 0.86]
assert (one.T >= one[0.5] - 1e-9).all(axis=None)
assert bet_pot < 1e-9
assert (closed["and two pots"] > closed["half pot, all-in"]).tolist() == [False, True, False, True]
assert moved.at(("K", "c"))["r3"] == 1
three = wb.exploitability(mapped("nearest", (0.5, 3, "all-in")))
assert three > 0.05  # three pots do not close it
small_raise = small_game(lists["and the pot"], "pseudo-harmonic")
share = MAPPINGS["pseudo-harmonic"](0, 1 / 2, 1 / 4)
assert share > 0.3  # a raise of a quarter of the pot is taken for a call
never = lambda A, B, x: MAPPINGS["pseudo-harmonic"](A, B, x) if A else 0.0
assert (
    wb.exploitability(mapped(never, lists["and the pot"])) < 1e-9
)  # not taken for a call: nothing

# Leduc
opening = {card: dict(zip(leduc8.actions_at(0), wb.judge.look(robber8, (card, "", "")).expected))
           for card in "JK"}  # fmt: skip
best = {card: max(of.values()) for card, of in opening.items()}
assert np.isclose(opening["K"]["r4"], best["K"])
assert np.isclose(opening["K"]["r5"], best["K"])
assert best["K"] > max(opening["K"][one] for one in ("c", "r2", "r3", "r6", "r7", "r8")) + 0.3
assert opening["J"]["r2"] == best["J"]
assert abs(opening["J"]["r2"] + 0.13) < 0.006
assert abs(opening["J"]["r3"] + 0.47) < 0.006
for card in "JQK":  # she answers one, two, three and four chips alike: as the pot
    alike = [robbed.at((card, "", bet)) for bet in ("r2", "r3", "r4", "r5")]
    assert all(np.isclose(alike[0]["f"], one["f"]) for one in alike)
    assert all(np.isclose(alike[0]["c"], one["c"]) for one in alike)
calls = {bet: (1 + small.at(("Q", bet))["c"]) / 2 for bet in ("r2", "r9")}  # her King always calls
assert np.isclose(calls["r2"], 2 / 3)
assert np.isclose(calls["r9"], 1 / 2)
full = stored.pivot_table(index=["stack", "list"], columns="mapping", values="price")
assert full.shape == (15, 4)
assert abs(full.loc[(10, "all-in"), "nearest"] - 2.2) < 0.05
assert abs(full.loc[(10, "half pot, pot, 2, all-in"), "pseudo-harmonic"] - 0.06) < 0.005
cheapest = full.idxmin(axis=1)
assert (cheapest == "pseudo-harmonic").sum() == 13
assert set(cheapest) == {"pseudo-harmonic", "randomized geometric"}
assert (full.loc[cheapest == "randomized geometric"].rank(axis=1)["pseudo-harmonic"] == 2).all()
apart = full.xs("half pot, all-in", level=1) - full.xs("pot, all-in", level=1)
assert (apart[["nearest", "geometric"]] > 0).all().all()
assert (apart["randomized geometric"] < 0).all()
assert [*apart.index[apart["pseudo-harmonic"] < 0]] == [8]
rows = {row.item: row for row in wb.ledger.read_ledger("workbench-bets")}
both = wb.ledger.read_curves("workbench-bets")
both[["list", "mapping"]] = both.curve.str.split("; ", expand=True)
both = both.pivot_table(index=["repeat", "stack", "mapping"], columns="list", values="price")
grown = [("all-in", "pot, all-in"), ("all-in", "half pot, all-in"),
         ("pot, all-in", "half pot, pot, all-in"), ("half pot, all-in", "half pot, pot, all-in"),
         ("half pot, pot, all-in", "half pot, pot, 2, all-in")]  # fmt: skip
dearer = [(*at, to) for one, to in grown for at in both.index[both[to] >= both[one]]]
assert dearer == [(1, 10, "randomized geometric", "half pot, pot, 2, all-in")]
assert np.allclose(both.loc[dearer[0][:3], [*grown[-1]]], [0.187, 0.208], atol=0.0005)
nearer = both.xs("nearest", level="mapping") > both.xs("pseudo-harmonic", level="mapping")
assert nearer.sum(axis=1).groupby("repeat").sum().tolist() == [15, 14]
for item, of in (("a size more", 120), ("the nearest size costs more than a coin", 30)):
    assert rows[item].verdict == "claim does not hold"
    assert f"true of {of - 1} of {of}, not of" in rows[item].note
assert (
    "nearest takes 1 first; pseudo-harmonic takes 1.5 first" in rows["sizes chosen one by one"].note
)
published = wb.ledger.read_ledger("ganzfried-sandholm-2013")
randomized = [row for row in published if "Rand" in row.item]
assert {row.verdict for row in randomized} <= {"reproduced", "inside the range"}
jump = [row for row in published if "Det" in row.item and row.verdict == "not reproduced"]
assert all(row.ours < row.published for row in jump)
order = {name: [*steps.index] for name, steps in chosen.items()}
assert order["nearest"] == ["all-in", "1", "0.5", "2"]
assert order["pseudo-harmonic"] == ["all-in", "1", "0.25", "2"]
assert all((np.diff(steps) < 0).all() for steps in chosen.values())

# other equilibria
prices, first_seat = [], []
for solver in ("cfr", "cfr+", "pcfr+"):
    run = wb.solve(cut.coarse, solver, 5_000, checkpoints=5_000, progress=False)
    lifted = cut.lift(run.strategy)
    prices.append(wb.exploitability(lifted))
    first_seat.append(wb.best_response(lifted, 0).value + 1 / 18)
assert 0.17 < min(prices) < max(prices) < 0.265
assert np.allclose(first_seat, 1 / 6, atol=0.003)
