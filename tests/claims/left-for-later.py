"""What the project *What did the authors leave for later?* states; names are the notebook's."""

from workbench.passes import how_often, reach

FULL = not QUICK
NINE = [*SOLVERS, *starts]
assert len(NINE) == len(runs) == (4 if QUICK else 9)


def change(one, other, column="exploitability"):
    return (one - other).loc[NINE, column]


# 1: how far one recipe is spread
spread = known["all"]["exploitability"]
# it differs among the starts
pairs = [
    wb.expected_values(wb.seated([a.base, b.base]))
    for a in starts.values()
    for b in starts.values()
]
assert 1000 * np.ptp(pairs, axis=0).max() < 1  # equilibria of one game can be interchanged …
assert np.ptp([run.base.probs for run in starts.values()], axis=0).max() > 0.2  # … and differ
assert np.ptp(spread[[*starts]]) > 5
assert spread.max() > 1.4 * spread.min()
assert (
    known["base"].loc[SOLVERS, "earnings"].min()
    > 0
    > known["base"].loc[[*starts], "earnings"].max()
)
if FULL:
    assert 110 < spread.min() < 135
    assert 115 < spread[SOLVERS].min() < spread[SOLVERS].max() < 205  # the first picture
    assert spread[SOLVERS].max() > 190
    assert 235 < spread.max() < 260


def all_on(run, often):
    """The base with four experts that were trained where everybody trembles so often."""
    there = wb.static_experts(tree, run.base, part, N, tremble=often, **run.how)
    return 1000 * wb.exploitability(there)


if FULL:
    assert np.ptp([all_on(run, 1e-4) for run in starts.values()]) < 4

# 2: the base, rebuilt
assert change(rebuilt_all, known["early"]).min() > (450 if QUICK else 500)
assert change(rebuilt_all, known["early"], "earnings").max() < 0
assert abs(rebuilt_all.loc["cfr+", "exploitability"] - 770) < 15
assert abs(known["early"].loc["cfr+", "exploitability"] - 220) < 5
at_once, after_check = opens.values()
assert np.allclose(at_once.iloc[:, 2], [0, 0, 1], atol=0.01)
assert at_once["base"].between(0.2, 0.6).all()
assert np.allclose(after_check.iloc[:, 2], 1, atol=0.01)
assert np.allclose(after_check["base"], [0.25, 0.25, 1], atol=0.05)
# because: frozen experts do not, so the new base does whatever is better
assert at_once.iloc[:, 1].between(0.1, 0.9).all()  # with a free opponent behind the raise it mixes


def forced(sigma, player, bets, moves):
    """The strategy with a sure first move for some cards."""
    probs = sigma.probs.copy()
    for card, action in moves.items():
        at = tree.find_infoset((card, "", bets), player)
        actions = list(sigma.at((card, "", bets), player))
        probs[tree.first_choice[at] : tree.first_choice[at + 1]] = np.array(actions) == action
    return wb.Strategy(tree, probs)


better = {
    card: 3000
    * np.subtract(*[wb.expected_values(forced(rebuilt, 0, "", {card: a}))[0] for a in "rc"])
    for card in "JQK"
}
assert 200 < better["K"] < 280
assert all(-400 < better[card] < -300 for card in "JQ")
# the best response never folds to the raise; half of the damage lies behind the check
assert all(reply.at((card, "", "r"), 1)["r"] > 0.99 for card in "JQK")
free = wb.best_response(rebuilt, player=1).value
folding = wb.seated([rebuilt, forced(reply, 1, "r", {"J": "f", "Q": "f"})])
assert abs(1000 * (free - wb.expected_values(folding)[1]) - 134) < 10
raised = np.repeat(wb.betting_experts(tree, ["r"]).part > 0, np.diff(tree.first_choice))
equilibrium = wb.solve(tree, "lp").strategy
after_the_check = wb.Strategy(tree, np.where(raised, equilibrium.probs, reply.probs))
won = 1000 * (wb.expected_values(wb.seated([rebuilt, after_the_check]))[1] - value[1])
assert 0.4 < won / by_seat.loc["rebuilt base, its experts", "player 1 loses"] < 0.6
# the experts lose the rest
assert np.allclose(by_seat, [[146, 294], [92, 155], [703, 836], [377, 237]], atol=25)
assert (
    by_seat.loc["rebuilt base, best play inside"] > by_seat.loc["old base, best play inside"]
).all()
given = {
    name: by_seat.loc[f"{name} base, its experts"] - by_seat.loc[f"{name} base, best play inside"]
    for name in ("old", "rebuilt")
}
assert (given["rebuilt"] > 3 * given["old"]).all()
assert np.allclose(given["old"], [54, 139], atol=12)
anew = loses(wb.static_experts(tree, rebuilt, pre, N, **run.how))  # experts for the new base
assert np.allclose(anew, [466, 1558], atol=40 if QUICK else 5)
same = ["dcfr", *starts]
# rebuilding starts again from uniform play and erases the random start
assert np.ptp(known["early"].loc[same, "exploitability"]) > 40
assert np.ptp(rebuilt_own.loc[same, "exploitability"]) < (5 if FULL else 30)
assert (rebuilt_own.loc[same, "exploitability"] - 264).abs().max() < 6
assert change(rebuilt_own, known["early"])[SOLVERS].min() > 0
assert change(rebuilt_own, known["early"])[[*starts]].max() < 0
assert change(rebuilt_own, known["early"]).max() < 100
if FULL:
    assert abs(known["early"].loc["dcfr", "exploitability"] - 215) < 5
    assert (known["early"].loc[[*starts], "exploitability"] - 280).abs().max() < 12

# 3: turns
assert np.allclose(turns["l", "lp"] - 2 / 9, (1 / 9) / 10.0 ** np.arange(6), rtol=0.01, atol=1e-8)
assert np.allclose(turns["r", "lp"], 2 / 5)
assert turns["r", "cfr+"][-1] < 0.3
# because: because its experts are not quite finished


def third_lap(iterations):
    sigma = wb.solve(small, "lp", abstraction=blind).strategy
    for name in 3 * "rl":
        sigma = wb.static_experts(
            small, sigma, two.only([name]), players={1}, abstraction=None, iterations=iterations
        )
    return wb.best_response(sigma, player=0).value


assert (
    third_lap(2_000) + 0.01 < third_lap(20_000) < 2 / 5
)  # the longer, the nearer to the exact ones
assert max(found.max() for found in turns.values()) < 2 / 3
blind_base = wb.solve(small, "lp", abstraction=blind).strategy
singly = [
    wb.static_experts(small, blind_base, two.only(names), {1}, abstraction=None, solver="lp")
    for names in (["l"], ["r"], ["l", "r"])
]
losses = [wb.best_response(sigma, player=0).value for sigma in (blind_base, *singly)]
assert np.allclose(losses, [2 / 3, 1 / 3, 2 / 5, 2 / 3])


def learns(sigma, name):
    return wb.static_experts(small, sigma, two.only([name]), {1}, abstraction=None, solver="lp")


# because: each expert was computed next to a base that has since been replaced
assert wb.best_response(learns(singly[0], "r"), player=0).value < 0.35  # the replaced base, known
# because: neither expert can improve alone from there
stuck = learns(learns(blind_base, "r"), "l")
alone = [wb.best_response(learns(stuck, name), player=0).value for name in "lr"]
assert np.allclose([wb.best_response(stuck, player=0).value, *alone], 2 / 5)
together = wb.theory.fix(blind_base, (small.infoset_player == 1) & (two.part == 0))
both = together.lift(wb.solve(together.tree, "lp").strategy)
assert abs(wb.best_response(both, player=0).value - 2 / 9) < 1e-9
assert abs(wb.expected_values(wb.solve(small, "lp").strategy)[0] - 2 / 9) < 1e-9
assert change(full_turns, full).max() < (-100 if FULL else -20)
assert change(full_turns, full, "earnings").min() > 0
assert change(full, known["alone"]).min() > 20
if FULL:
    assert change(coarse_turns, known["alone"])[[*starts]].max() < 0
    assert change(full_turns, known["alone"])[SOLVERS].max() < 0
    assert change(full_turns, known["alone"])[[*starts]].min() > 0

# 4: a better base
gain = stacked - known["dynamic"]
assert gain.loc["cfr+", "exploitability"] < 0 < gain.loc["cfr+", "earnings"]
assert gain.loc[SOLVERS, "earnings"].min() > 0
assert blame["cccr"] > blame.drop("cccr").max() + 40
assert (blame[["r", "cr", "ccr"]] - blame["none"]).max() < 3
after_checks = ("Q", "K", "cc/cr")  # a Queen, a King on the board, three checks and a raise
kings = bad.dynamic.at(("K", "", "c"), 1)["c"]  # player 2 checks a King before the flop
bluffs = bad.dynamic.at(("Q", "K", "cc/c"), 1)["r"]  # and bluffs here with a Queen
last = part.only(["cccr"])


def checks_kings(often):
    probs, at = bad.dynamic.probs.copy(), tree.find_infoset(("K", "", "c"), 1)
    probs[tree.first_choice[at] : tree.first_choice[at + 1]] = often, 1 - often
    return wb.Strategy(tree, probs)


def trained_on(base):
    expert = wb.static_experts(tree, base, last, N, **bad.how)
    return 1000 * wb.exploitability(wb.stitch(bad.dynamic, last, {"cccr": expert}))


# because: so the expert learns to fold every Queen
assert on_top.at(after_checks, 0)["f"] > 0.99
assert kings > 3 * bluffs
thinned = wb.static_experts(tree, checks_kings(kings / 10), last, N, **bad.how)
assert thinned.at(after_checks, 0)["f"] < 0.01
# because: If that is the reason, a smaller leftover must cure it
assert trained_on(bad.dynamic) > blame["none"] + 40
for base in (checks_kings(kings / 10), wb.stitching.trembling(bad.dynamic, 0.01)):
    assert abs(trained_on(base) - blame["none"]) < 3


def with_trembling(run):
    return wb.static_experts(tree, run.dynamic, part, N, tremble=0.01, **run.how)


if FULL:
    assert abs(bad.dynamic.at(after_checks, 0)["f"] - 0.23) < 0.02
    more = change(score(with_trembling), stacked).drop("start 1")
    assert more.between(8.5, 22.5).all()
    assert abs(gain.loc["start 1", "exploitability"] - 65) < 10
    assert gain.loc[SOLVERS, "earnings"].between(4, 14).all()
    assert gain.drop("start 1")["exploitability"].abs().max() < 15

# 5: experts with experts
assert list(sets.values()) == [52, 119, 118, 186]
call = inside["fine after a call"] - inside["coarse"]
again = inside["fine after a second raise"] - inside["coarse"]
assert call["earnings"].max() < 0


def visits(sigma, prefixes):
    there = np.append(wb.betting_experts(tree, prefixes).part > 0, False)[tree.infoset]
    arrives = there & (how_often(tree, there) == 1)  # not again after the flop
    return reach(tree, sigma.probs)[arrives].sum()


often = [visits(runs["cfr+"].base, inner[f"fine after a {x}"]) for x in ("second raise", "call")]
assert np.allclose(often, [0.054, 0.58], atol=0.01)
assert call["exploitability"].max() < -150
assert again["exploitability"].between(-60, 0, inclusive="neither").all()
if FULL:
    assert call["exploitability"].between(-240, -160).all()
    assert again["exploitability"].between(-50, -10).all()

# many hands go there, and that is not enough
helped = {}
for name in ("rcr", "rccr"):
    where = [name, f"c{name}"]
    most = wb.stitching.expert_sizes(suited, behind, N, abstraction=view(where, suited))
    assert max(most.values()) == 74
    found = score(
        lambda run, rule=view(where): wb.static_experts(
            tree, run.base, pre, N, abstraction=rule, **run.how
        )
    )
    helped[name] = change(inside["coarse"], found)
    often = visits(runs["cfr+"].base, where)
    assert abs(often - {"rcr": 0.12, "rccr": 0.21}[name]) < 0.01
assert (helped["rcr"] > helped["rccr"] + 40).all()
if FULL:
    assert (round(helped["rcr"].min()), round(helped["rcr"].max())) == (68, 136)
    assert round(helped["rccr"].max()) == 28
    assert (helped["rccr"] < 0).sum() == 5

# 6: cut at the flop
assert set(wb.stitching.expert_sizes(suited, cut, N).values()) == {90}
assert (psopti["exploitability"] < 0.5 * known["base"]["exploitability"]).all()
assert change(psopti, known["early"])[[*starts]].max() < -30
assert psopti["exploitability"].max() < inside["fine after a call"]["exploitability"].min()
if FULL:
    by_solvers = change(psopti, known["early"])[SOLVERS]
    assert by_solvers.min() < 0 < by_solvers.max()

# 7: two of three
if FULL:
    kinds = {
        "S = {i}": lambda i: {i},
        "S = {i, next}": lambda i: {i, (i + 1) % 3},
        "S = {i, previous}": lambda i: {i, (i - 1) % 3},
        "S = N": lambda i: {0, 1, 2},
    }
    three_suited = wb.compile_game(wb.load_game("leduc", players=3))
    first = wb.betting_experts(three_suited, ["r"])
    games = {
        name: [
            wb.stitching.expert_sizes(three_suited, first, S(i), outside="J-QK")["r"]
            for i in range(3)
        ]
        for name, S in kinds.items()
    }
    assert [max(each) for each in games.values()] == [3021, 2589, 2589, 2145]
    three = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))
    raises = wb.betting_experts(three, ["r", "cr", "ccr"])

    def hybrids(solver, iterations):
        how = {"solver": solver, "iterations": iterations, "seed": SEED}
        null, jq_k, base = (
            wb.solve(three, abstraction=name, **how).strategy for name in ("null", "JQ-K", "J-QK")
        )
        opponents = [[null], [jq_k, wb.dynamic_experts(three, "JQ-K", raises, **how).strategy]]
        made = {"base": base} | {
            name: wb.seated(
                [
                    wb.static_experts(three, base, raises, S(i), outside="J-QK", **how)
                    for i in range(3)
                ]
            )
            for name, S in kinds.items()
        }
        return pd.Series({name: 1000 * wb.earnings(x, opponents) for name, x in made.items()})

    earned = pd.DataFrame({solver: hybrids(solver, 2_000) for solver in ("pcfr+", "cfr+", "dcfr")})
    assert (earned.drop("base").min() > earned.loc["base"] + 50).all()
    assert (earned.loc["S = {i, previous}"] > earned.loc["S = {i, next}"]).all()
    early_on = hybrids("pcfr+", 500)
    assert early_on["S = {i, previous}"] < early_on["S = {i, next}"]

# 8: the table
four = wb.betting_experts(suited, part.names)


def size(players):
    mine = np.isin(suited.infoset_player, list(players)) & (behind.part > 0)
    frozen = wb.theory.fix(wb.Strategy.uniform(suited), mine).tree
    return wb.abstract(frozen, wb.stitching.expert_rule(suited, behind, "JQ-K")).coarse.num_infosets


largest = [
    max(wb.stitching.expert_sizes(suited, four, 0, outside=x).values()) for x in ("null", "JQ-K")
]
woven = wb.abstract(suited, wb.stitching.expert_rule(suited, four, "JQ-K")).coarse.num_infosets
assert list(verdicts["sets"]) == [
    size(N), max(size({i}) for i in N), *largest, woven, *(sets[x] for x in list(inner)[2:0:-1]), 90,
]  # fmt: skip
