"""Static and dynamic experts on Leduc: the papers' sizes, golden numbers, known special cases."""

import numpy as np
import pytest

import workbench as wb
from tests import golden
from workbench import Strategy

PREFIXES = ["r", "cr", "ccr", "cccr"]
EVERYBODY = {0, 1}


@pytest.fixture(scope="module")
def tree(ranked):
    return ranked


@pytest.fixture(scope="module")
def part(tree):
    return wb.betting_experts(tree, PREFIXES)


@pytest.fixture(scope="module")
def base(tree):
    return wb.solve(tree, iterations=5000, abstraction="JQ-K", checkpoints=5000).strategy


def milli_antes(strategy):
    return 1000 * wb.exploitability(strategy)


# ---- sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "coarse"), [(2, "JQ-K"), pytest.param(3, "J-QK", marks=pytest.mark.slow)]
)
def test_sizes_as_the_paper_counts_them(players, coarse):
    tree = wb.compile_game(wb.load_game("leduc", players=players))
    sizes = golden.LEDUC_EXPERT_SIZES[players]
    part = wb.betting_experts(tree, wb.stitching.first_bets(tree))
    assert part.names == (*PREFIXES, "ccccr", "cccccr")[: 2 * players]
    assert wb.abstract(tree, coarse).coarse.num_infosets == sizes["Base"]
    dynamic = wb.abstract(tree, wb.stitching.expert_rule(tree, part, coarse))
    assert dynamic.coarse.num_infosets == sizes["Dynamic"]
    one = [wb.stitching.expert_sizes(tree, part, i, outside=coarse) for i in range(players)]
    assert [max(of_player.values()) for of_player in one] == [sizes["S={i}"]] * players
    if players == 3:
        assert [of_player["r"] for of_player in one] == golden.LEDUC3_R_EXPERTS
    assert max(wb.stitching.expert_sizes(tree, part, range(players)).values()) == sizes["S=N"]


def test_sizes_are_those_of_the_runs(tree, part, base):
    for players in ({0}, {1}, EVERYBODY):
        found = wb.experts(tree, base, part, players, outside="JQ-K", iterations=2)
        sizes = wb.stitching.expert_sizes(tree, part, players, outside="JQ-K")
        assert {expert.name: expert.size for expert in found} == sizes


# ---- Table 1, two players ------------------------------------------------------------------


def test_dynamic_value(tree, part):
    run = wb.dynamic_experts(tree, "JQ-K", part, solver="lp")
    assert isinstance(run, wb.Run)
    assert wb.expected_values(run.strategy)[0] == pytest.approx(
        golden.LEDUC_DYNAMIC_VALUE, abs=1e-9
    )
    assert run.abstract_exploitability == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize(
    ("solver", "iterations"),
    [
        (wb.solvers.CFRPlus(), 5000),
        pytest.param(wb.solvers.CFR(), 20_000, marks=pytest.mark.slow),
        pytest.param(wb.solvers.CFR(alternating=False), 100_000, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_exploitability_is_in_the_known_ranges(tree, part, solver, iterations):
    """With CFR+, the golden numbers of an independent prototype, after as many iterations."""
    how = {"solver": solver, "iterations": iterations}
    base = wb.solve(tree, abstraction="JQ-K", checkpoints=iterations, **how).strategy
    grafts = [wb.static_experts(tree, base, part, i, outside="JQ-K", **how) for i in (0, 1)]
    dynamic = wb.dynamic_experts(tree, "JQ-K", part, checkpoints=iterations, **how).strategy
    strategies = {
        "Base": base,
        "Dynamic": dynamic,
        "S={i}": wb.seated(grafts),
        "S=N All": wb.static_experts(tree, base, part, EVERYBODY, **how),
        "S=N Pre-flop": wb.static_experts(tree, base, part.only(["r", "cr"]), EVERYBODY, **how),
    }
    found = {name: milli_antes(one) for name, one in strategies.items()}
    for name, (low, high) in golden.LEDUC_STITCHED.items():
        assert low <= found[name] <= high, name
        if solver == wb.solvers.CFRPlus():
            assert found[name] == pytest.approx(golden.LEDUC_STITCHED_CFR_PLUS[name], abs=0.1)
    fine = max(found["Dynamic"], found["S={i}"])
    assert fine < found["S=N Pre-flop"] < found["Base"]


def test_the_trap_of_unreached_experts(tree, part, base):
    """S = N with all experts: leftovers of the base decide how the experts behind cc/ play."""

    def everything(**rule):
        return milli_antes(wb.static_experts(tree, base, part, EVERYBODY, iterations=5000, **rule))

    low, high = golden.LEDUC_STITCHED["S=N All"]
    assert low < everything() < high
    assert everything(residual=0.01) == pytest.approx(462.6, abs=0.1)
    # where somebody always arrives, they have learnt; trained so, stitched into the base itself
    shaken = Strategy(tree, 0.99 * base.probs + 0.01 * Strategy.uniform(tree).probs)
    trained = wb.static_experts(tree, shaken, part, EVERYBODY, iterations=5000)
    found = wb.stitch(base, part, dict.fromkeys(part.names, trained))
    assert everything(tremble=0.01) == pytest.approx(milli_antes(found), abs=1e-9)
    assert 140 < everything(residual=0.01, tremble=0.01) < 170
    # with the base's play where nobody arrives, the late experts do no harm
    assert everything(residual=0.01, unreached="base") == pytest.approx(217.0, abs=0.1)


def test_experts_play_uniformly_where_nobody_arrives(tree, part, base):
    how = {"residual": 0.01, "iterations": 50}
    for unreached in ("uniform", "base"):
        for expert in wb.experts(tree, base, part, EVERYBODY, unreached=unreached, **how):
            game = expert.game
            alone = np.repeat(game.unreached, np.diff(game.tree.first_choice))
            played = Strategy.uniform(tree) if unreached == "uniform" else base
            wanted = game.restrict(played).probs[alone]
            assert game.restrict(expert.strategy).probs[alone] == pytest.approx(wanted)
            assert alone.any() == (expert.name in ("ccr", "cccr"))


# ---- what must be so -----------------------------------------------------------------------


def test_an_expert_beats_the_base_in_its_own_game(tree, part, base):
    """Nobody could gain more than a little in Γ^j; with the base's play there, somebody could."""
    for expert in wb.experts(tree, base, part.only("r"), EVERYBODY, iterations=2000):
        assert expert.run.abstract_exploitability < 0.002
        assert wb.exploitability(expert.game.restrict(base)) > 0.02


def test_one_expert_for_everything_is_the_game_itself(leduc):
    """With G_1 = H and nothing forgotten, static expert, dynamic expert and `solve` agree."""
    whole = wb.betting_experts(leduc, [""])
    base = Strategy.uniform(leduc)
    direct = wb.solve(leduc, iterations=50).strategy.probs
    static = wb.static_experts(leduc, base, whole, EVERYBODY, abstraction=None, iterations=50)
    dynamic = wb.dynamic_experts(leduc, "JQ-K", whole, abstraction=None, iterations=50)
    assert static.probs == pytest.approx(direct)
    assert dynamic.strategy.probs == pytest.approx(direct)


def test_a_rule_for_each_expert(tree, part):
    rules = {"r": "null", "cr": "J.Q.K", "ccr": "JQ-K", "cccr": None}
    sizes = wb.stitching.expert_sizes(tree, part, EVERYBODY, abstraction=rules)
    for name, rule in rules.items():
        same = wb.stitching.expert_sizes(tree, part.only(name), EVERYBODY, abstraction=rule)
        assert sizes[name] == same[name]


ENOUGH = {"outcome-sampling": 200_000, "external-sampling": 5000, "chance-sampling": 10_000}


@pytest.mark.parametrize("solver", wb.solvers.list_solvers())
def test_any_solver(tree, part, base, solver):
    how = {"solver": solver, "iterations": ENOUGH.get(solver, 1000), "seed": 1}
    early = part.only(["r", "cr"])
    stitched = wb.static_experts(tree, base, early, EVERYBODY, **how)
    assert milli_antes(stitched) < milli_antes(base)
    how["iterations"] = 100
    once, twice = (wb.static_experts(tree, base, early, EVERYBODY, **how) for _ in range(2))
    assert once.probs.tolist() == twice.probs.tolist()


@pytest.mark.parametrize("solver", ["egt", "iterated-smoothing", "fictitious-play"])
def test_first_order_methods_solve_parts_and_opponents(ranked, solver):
    """A part that is solved by them is played better than in the coarse base."""
    part = wb.betting_experts(ranked, ["r", "cr"])
    how = {"solver": solver, "iterations": 400}
    base = wb.solve(ranked, abstraction="JQ-K", **how).strategy
    for stitched in (
        wb.grafts(ranked, base, part, abstraction="null", **how),
        wb.dynamic_experts(ranked, "JQ-K", part, abstraction="null", **how).strategy,
        wb.stitching.resolve_parts(base, part, safe=True, **how),
    ):
        assert wb.exploitability(stitched) < wb.exploitability(base)
    session = wb.play.Session(ranked.rules, opponent="equilibrium", seed=1, **how)
    session.deal()
    while session.asked:
        session.play(session.asked.actions[0])
    assert session.review(-1)


def test_games_without_abstractions_have_a_null_one(kuhn):
    part = wb.betting_experts(kuhn, ["b"])
    assert wb.stitching.expert_sizes(kuhn, part, EVERYBODY) == {"b": 3}
    run = wb.dynamic_experts(kuhn, lambda p, seen, actions: seen[1], part, iterations=10)
    assert run.trace["infosets"].iloc[-1] == 3 + 3  # start, p, pb; and three cards after b


def test_experts_are_kept_in_a_store(tree, part, base, tmp_path):
    how = {"iterations": 20, "store": tmp_path / "runs"}
    first, again = (wb.experts(tree, base, part, EVERYBODY, **how) for _ in range(2))
    found = {one.run.run_id: one.strategy.probs.tolist() for one in first}
    assert len(found) == 4
    assert {one.run.run_id: one.strategy.probs.tolist() for one in again} == found


def test_rebuilding_the_base(tree, part, base):
    """Far worse if everybody knows everybody's experts, about neutral if one knows one's own."""
    early = part.only(["r", "cr"])
    before = wb.static_experts(tree, base, early, EVERYBODY, iterations=5000)
    for_all = wb.stitching.rebuild_base(tree, before, early, "JQ-K", EVERYBODY, iterations=5000)
    own = wb.seated(
        [wb.stitching.rebuild_base(tree, before, early, "JQ-K", i, iterations=5000) for i in (0, 1)]
    )
    assert milli_antes(for_all) == pytest.approx(772, abs=5)
    assert milli_antes(own) == pytest.approx(milli_antes(before), abs=20)
    inside = np.repeat(early.part > 0, np.diff(tree.first_choice))
    for rebuilt in (for_all, own):
        assert rebuilt.probs[inside].tolist() == before.probs[inside].tolist()
        assert np.abs(rebuilt.probs[~inside] - before.probs[~inside]).max() > 0.01


# ---- three players -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def base3(ranked3):
    return wb.solve(ranked3, abstraction="J-QK", iterations=200, checkpoints=200).strategy


def test_a_plan_on_a_tree_prints_code_that_makes_no_other(tree):
    """What is somebody's own goes by a name; names of ours are printed for what is ours alone."""

    def null(player, seen, actions):
        return seen[0] in "QK", seen[2]

    part, own = wb.betting_experts(tree, ["r"]), wb.abstract(tree, null)
    for base, rule, outside in (
        (own, "null", None), (null, own, null), (wb.abstract(tree, "JQ-K"), {"r": null}, own),
        (wb.abstract(tree, "JQ-K", players=1), "J-QK", None),
        (wb.cluster_hands(tree.rules, (2, 2)), wb.cluster_hands(tree.rules, (2, 5)), None),
    ):  # fmt: skip
        plan = wb.stitching.plan(
            tree, base, part, {0, 1}, abstraction=rule, outside=outside, iterations=2
        )
        mine = {"wb": wb, "tree": tree, "null": null}
        mine |= {"base": base, "rule": rule, "outside": outside}
        assert np.array_equal(eval(repr(plan), mine).probs, plan.stitch().probs), repr(plan)


def test_hybrid_experts(ranked3, base3):
    """|S| = 2: smaller games than S = {i}, larger ones than S = N."""
    part = wb.betting_experts(ranked3, ["r", "cr"])
    sizes = [
        max(wb.stitching.expert_sizes(ranked3, part, players, outside="J-QK").values())
        for players in ({0}, {0, 1}, {0, 1, 2})
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == 3
    hybrid = wb.static_experts(ranked3, base3, part, {0, 1}, outside="J-QK", iterations=50)
    third = list(ranked3.choices_of(2))
    assert hybrid.probs[third].tolist() == base3.probs[third].tolist()
    assert wb.gains(hybrid).shape == (3,)


def test_heads_up_experts(ranked3, base3):
    """After a fold two players are left, and the experts know it."""
    part = wb.stitching.heads_up_experts(ranked3).only(["rf", "rrf", "rcf"])
    found = wb.experts(ranked3, base3, part, {0, 1, 2}, iterations=100)
    for expert in found:
        assert len(set(expert.game.tree.infoset_player)) == 2  # who folded decides nothing
        still = expert.run.trace["abstract_exploitability"].iloc[-1]
        assert still < wb.exploitability(expert.game.restrict(base3))
    stitched = wb.stitch(base3, part, {expert.name: expert.strategy for expert in found})
    assert np.abs(stitched.probs - base3.probs).max() > 0.1


def test_safe_parts_lose_no_more_than_the_blueprint(tree, base):
    """After two checks and a bet, beliefs that the blueprint suggests are a trap: whoever trusts
    them loses 41 milli-antes more. What lies outside the parts stays as it is."""
    how = {"iterations": 1000}
    for names, worse in ((["ccr"], True), (PREFIXES, False)):
        part = wb.betting_experts(tree, names)
        outside = np.repeat(part.part == 0, np.diff(tree.first_choice))
        safe, unsafe = (
            wb.stitching.resolve_parts(base, part, safe=safe, **how) for safe in (True, False)
        )
        for one in (safe, unsafe):
            np.testing.assert_array_equal(one.probs[outside], base.probs[outside])
        for i in (0, 1):
            lost, before = (wb.best_response(one, i).value for one in (safe, base))
            assert lost <= before + 1e-3
        assert (milli_antes(unsafe) > milli_antes(base) + 30) == worse
    together, apart = (
        milli_antes(safe),
        milli_antes(wb.seated([wb.static_experts(tree, base, part, i, **how) for i in (0, 1)])),
    )
    assert together < apart / 2
    part = wb.betting_experts(tree, ["r"])
    trusting = wb.static_experts(tree, base, part, EVERYBODY, **how)
    again = wb.stitching.resolve_parts(base, part, safe=False, **how)
    np.testing.assert_array_equal(again.probs, trusting.probs)


def test_the_empty_betting_is_a_name(tree):
    everything = wb.betting_experts(tree, [""])
    assert everything.sizes() == {"base": 0, "": 288}
    fine = wb.abstract(tree, wb.stitching.expert_rule(tree, everything, "JQ-K"))
    coarse = wb.abstract(tree, wb.stitching.expert_rule(tree, everything, None, "JQ-K"))
    base = wb.abstract(tree, "JQ-K").coarse.num_infosets
    assert (fine.coarse.num_infosets, coarse.coarse.num_infosets) == (288, base)
    assert wb.round_experts(tree, 0).sizes() == {"base": 0, "": 288}


# ---- parts of others, abstractions, options ------------------------------------------------


def test_a_part_that_nobody_in_s_has_needs_no_expert(kuhn):
    """Player 0 bets first or never: to player 1 alone there is an expert for "b" only."""
    part = wb.betting_experts(kuhn, ["b", "pb"])
    base = Strategy.uniform(kuhn)
    for player, names in ((0, ["pb"]), (1, ["b"])):
        found = wb.experts(kuhn, base, part, player, iterations=10)
        assert [expert.name for expert in found] == names
        assert list(wb.stitching.expert_sizes(kuhn, part, player)) == names
    assert list(wb.stitching.expert_sizes(kuhn, part, (0, 1))) == ["b", "pb"]


def test_an_abstraction_is_a_rule(tree, part, base):
    """`solve` takes an abstraction that was made before, and so do experts."""
    coarse = wb.abstract(tree, "JQ-K")
    named, made = (wb.dynamic_experts(tree, rule, part, iterations=20) for rule in ("JQ-K", coarse))
    assert np.array_equal(named.strategy.probs, made.strategy.probs)
    for option in ("abstraction", "outside"):
        one, same = (
            wb.static_experts(tree, base, part, 0, iterations=20, **{option: rule})
            for rule in ("JQ-K", coarse)
        )
        assert np.array_equal(one.probs, same.probs)
    sizes = [wb.stitching.expert_sizes(tree, part, 0, outside=rule) for rule in ("JQ-K", coarse)]
    assert sizes[0] == sizes[1]


def test_an_abstraction_that_leaves_actions_out_is_a_rule(tree):
    part = wb.round_experts(tree)

    def careful(player, seen, actions):
        return seen, [
            None if action == "r" and "/" not in seen[2] else action for action in actions
        ]

    sizes = [
        wb.abstract(tree, wb.stitching.expert_rule(tree, part, rule)).coarse.num_infosets
        for rule in (careful, wb.abstract(tree, careful))
    ]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    "option",
    [{"residual": 0.01}, {"residual": 0.01, "unreached": "base"}, {"tremble": 0.01}],
    ids=str,
)
def test_grafts_have_the_options_of_static_experts(tree, part, base, option):
    how = {"outside": "JQ-K", "iterations": 20, **option}
    found = wb.grafts(tree, base, part, **how)
    each = [wb.static_experts(tree, base, part.of(i), i, **how) for i in (0, 1)]
    assert np.array_equal(found.probs, wb.seated(each).probs)
    del how[list(option)[-1]]  # it matters
    assert not np.array_equal(found.probs, wb.grafts(tree, base, part, **how).probs)
