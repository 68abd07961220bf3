"""Experts with buckets: against the same game as a tree, and limits on information sets.

A tiny limit game stands in for Hold'em: its deals are 16 sequences of bits for each player, with
random matrices, so no table of cards is needed, and its tree can be compiled.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

import workbench as wb
from workbench.poker.betting.betting import Limit
from workbench.poker.betting.betting_tree import BettingParts
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.buckets.joint_buckets import JointBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.cards import threads
from workbench.poker.engine import card_walk, hand_space
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.games.limit_holdem import LimitHoldem
from workbench.stitching.experts import plan_of

HOLDEM = wb.load_game("limit_holdem")
BITS = list(product((0, 1), repeat=4))  # what a player is told, one bit a round
KNOWN = {"base": (0, 3), "r": (0, 1, 2, 3), "ccr": (0, 2, 3)}  # which bits buckets tell apart
EXPERTS = ("r", "cr", "ccr")


@dataclass(frozen=True)
class Tiny(LimitHoldem):
    betting: ClassVar[Limit] = Limit((500, 1000), (1000,) * 4, (2, 1, 1, 1), (0, 1, 1, 1))


TINY = Tiny()


def _buckets(kind):
    cuts, count = [], 1
    for bit in range(4):
        each = 2 if bit in KNOWN[kind] else 1
        cuts.append((np.arange(count) * each, np.full((count, each - 1), 5)))
        count *= each
    return HoldemBuckets(TINY, cuts, name=kind)


def _bucket(kind, bits):
    known = [bit for k, bit in enumerate(bits) if k in KNOWN[kind]]
    return int("".join(map(str, known)), 2)


rng = np.random.default_rng(5)
MEETS = rng.uniform(0.2, 1, (16, 16))
MEETS = (MEETS + MEETS.T) / (MEETS + MEETS.T).sum()
WINS = MEETS * np.tril(rng.uniform(-1, 1, (16, 16)), -1)
WINS = WINS - WINS.T


def _joint(buckets):
    to = np.eye(buckets.classes[-1])[[_bucket(buckets.name, bits) for bits in BITS]]
    return JointBuckets(to.T @ MEETS @ to, to.T @ WINS @ to, 1.0)


class TinyTree:
    """The same game for the compiler."""

    name, players, unit, per = "tiny", 2, "milli big blind", "hand"

    def start(self):
        return None

    def next(self, state, action):
        if state is None:
            return action, ""
        text = state[1] + action
        at = TINY.betting.follow(text)
        return state[0], text + ("/" if at.player < 0 and at.folded < 0 and at.round < 3 else "")

    def node(self, state):
        if state is None:
            return wb.Chance({(i, j): MEETS[i, j] for i in range(16) for j in range(16)})
        (i, j), text = state
        at = TINY.betting.follow(text)
        if at.player >= 0:
            bits = BITS[(i, j)[at.player]][: at.round + 1]
            return wb.Decision(at.player, (bits, text), at.actions)
        stake = min(at.paid)
        share = WINS[i, j] / MEETS[i, j] if at.folded < 0 else 2 * at.folded - 1
        return wb.Terminal((stake * share, -stake * share))


def _forget(kind):
    return lambda player, seen, actions: (_bucket(kind, seen[0]), len(seen[0]), seen[1])


@pytest.fixture(autouse=True)
def matrices(monkeypatch):
    monkeypatch.setattr(hand_space, "joint_buckets", _joint)


@pytest.fixture(scope="module")
def tree():
    return wb.compile_game(TinyTree())


@pytest.fixture
def part():
    return wb.betting_experts(TINY, EXPERTS)


FINE = {"r": _buckets("r"), "cr": _buckets("r"), "ccr": _buckets("ccr")}
FLAT = {"r": None, "cr": None, "ccr": _forget("ccr")}  # the same on the tree


def _bases(tree):
    """The base with buckets, and on the tree."""
    rules = ((TINY, _buckets("base")), (tree, _forget("base")))
    return [wb.solve(game, iterations=20, abstraction=one).strategy for game, one in rules]


def _flat(verb, tree, base, players, **how):
    """A verb of experts on the tree."""
    part = wb.betting_experts(tree, EXPERTS)
    how |= {"abstraction": FLAT, "outside": _forget("base")}
    return verb(tree, base, part, players, **how)


def _place(sigma, text):
    """Where the choices after some betting stand: the first, apart, by choice; and whose buckets
    count."""
    layout, node = sigma.played.layout, sigma.played.flat.node(text)
    _, _, _, kind, _, _, first, _, apart, choice = layout.groups[layout.group[node]]
    first += choice * (layout.child[node, 0] == 0)
    return first, apart, choice, sigma.played.kinds[kind].name


def _same(tree, flat, sigma):
    """Whether a strategy of the tree and one with buckets are the same everywhere."""
    for infoset, (bits, text) in enumerate(tree.seen):
        first, apart, choice, kind = _place(sigma, text)
        at = first + apart * _bucket(kind, bits)
        low, high = tree.first_choice[infoset : infoset + 2]
        found = sigma.probs[at + choice * np.arange(high - low)]
        np.testing.assert_allclose(found, flat.probs[low:high], atol=1e-7, err_msg=str(text))


@pytest.mark.parametrize(
    ("players", "more"),
    [
        ({0, 1}, {"residual": 0.05}), pytest.param({0}, {}, marks=pytest.mark.slow),
        ({1}, {"tremble": 0.1}),
    ],
)  # fmt: skip
def test_static_experts_are_those_of_the_tree(tree, part, players, more):
    how, (base, flat) = {"iterations": 15, **more}, _bases(tree)
    found = wb.static_experts(TINY, base, part, players, abstraction=FINE, **how)
    _same(tree, flat, base)
    _same(tree, _flat(wb.static_experts, tree, flat, players, **how), found)


def test_the_base_may_be_one_kind_of_buckets_in_pieces(part):
    found = []
    for cut in (_buckets("base"), MixedBuckets(_buckets("base"), BettingParts(TINY, ()), {})):
        base = wb.solve(TINY, iterations=5, abstraction=cut).strategy
        stitched = wb.static_experts(TINY, base, part, {0}, abstraction=FINE, iterations=5)
        found.append([stitched.probs, stitched.played.name])
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-12)
    assert found[0][1] == found[1][1]


def test_no_residual_drops_every_move(part):
    base = PublicStrategy(*[TINY.public_game(_buckets("base"))] * 2, np.zeros(0))
    for residual, wrong in ((0.4, True), (0.3, False)):
        with pytest.raises(wb.GameError, match="residual") if wrong else nullcontext():
            plan_of(TINY, part)(TINY, base, part, abstraction=FINE, residual=residual)
    with pytest.raises(wb.GameError, match="residual"):
        wb.stitching.cut(base, 0.4)


def test_sizes_are_those_of_the_tree(tree, part):
    for players in ({0, 1}, {0}, {1}):
        flat = wb.stitching.expert_sizes(
            tree, wb.betting_experts(tree, EXPERTS), players, outside=_forget("base"),
            abstraction=FLAT,
        )  # fmt: skip
        own = wb.stitching.expert_sizes(
            TINY, part, players, abstraction=FINE, outside=_buckets("base")
        )
        assert own == flat


def test_dynamic_experts_are_those_of_the_tree(tree, part):
    run = wb.dynamic_experts(TINY, _buckets("base"), part, abstraction=FINE, iterations=15)
    flat = wb.dynamic_experts(
        tree, _forget("base"), wb.betting_experts(tree, EXPERTS), abstraction=FLAT, iterations=15
    )
    _same(tree, flat.strategy, run.strategy)
    assert run.abstract_exploitability == pytest.approx(
        flat.trace["abstract_exploitability"].iloc[-1]
    )
    assert run.trace["infosets"].iloc[-1] == flat.trace["infosets"].iloc[-1]


def test_the_games_of_experts_are_judged_as_those_of_the_tree(tree, part):
    base, flat = _bases(tree)
    for players in ({0, 1}, {1}):
        expected = _flat(wb.experts, tree, flat, players, iterations=15)
        found = wb.experts(TINY, base, part, players, abstraction=FINE, iterations=15)
        for one, other in zip(found, expected, strict=True):
            assert one.run.abstract_exploitability == pytest.approx(
                other.run.trace["abstract_exploitability"].iloc[-1]
            )


def test_result_does_not_depend_on_threads(part, monkeypatch):
    monkeypatch.setattr(threads, "SMALL", 0)
    monkeypatch.setattr(card_walk, "LANES", 4)  # several units a round
    found = []
    for number in (1, 3):
        monkeypatch.setattr(threads, "cores", lambda number=number: number)
        run = wb.dynamic_experts(TINY, _buckets("base"), part, abstraction=FINE, iterations=6)
        found.append((run.strategy.probs, run.abstract_exploitability))
    assert np.array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


def test_stopping_and_going_on_changes_nothing(part, tmp_path):
    base = _buckets("base")
    sigma = wb.solve(TINY, iterations=5, abstraction=base).strategy
    game = MixedBuckets(
        base, part.only("r"), {"r": FINE["r"]}, expert="r", players={0}, base_probs=sigma.probs
    )
    whole = wb.solve(TINY, iterations=12, abstraction=game)
    half = wb.solve(TINY, iterations=5, abstraction=game)
    more = wb.solve(TINY, iterations=7, abstraction=game, start=half.state)
    assert np.array_equal(more.strategy.probs, whole.strategy.probs)
    stored = wb.solve(TINY, iterations=12, abstraction=game, store=tmp_path)
    again = wb.solve(TINY, iterations=12, abstraction=game, store=tmp_path)
    assert np.array_equal(stored.strategy.probs, again.strategy.probs)


@pytest.mark.parametrize("seats", ["S = N", "S = {0}", "S = {i}", "dynamic"])
def test_files(part, tmp_path, seats):
    base = wb.solve(TINY, iterations=5, abstraction=_buckets("base")).strategy
    made = {
        name: wb.static_experts(TINY, base, part, who, abstraction=FINE, iterations=5)
        for name, who in (("S = N", {0, 1}), ("S = {0}", 0), ("1", 1))
    }
    made["S = {i}"] = wb.seated([made["S = {0}"], made["1"]])
    run = wb.dynamic_experts(TINY, _buckets("base"), part, abstraction=FINE, iterations=5)
    sigma = (made | {"dynamic": run.strategy})[seats]
    again = wb.Strategy.load(sigma.save(tmp_path / "sigma"), TINY)
    assert np.array_equal(again.probs, sigma.probs)
    assert all(map(np.array_equal, again.played.layout, sigma.played.layout))
    assert again.played.num_infosets == sigma.played.num_infosets


def test_one_seat_at_a_time(part):
    """Whoever puts strategies together of seats gets the choices of each seat."""
    base = wb.solve(TINY, iterations=5, abstraction=_buckets("base")).strategy
    both = wb.static_experts(TINY, base, part, {0, 1}, abstraction=FINE, iterations=5)
    put = wb.seated([both, base])
    assert put.played.num_infosets < both.played.num_infosets
    first, *_, kind = _place(put, "r")  # the second player decides
    assert kind == "base"
    assert put.probs[first] == base.probs[_place(base, "r")[0]]
    with pytest.raises(wb.GameError, match="sample_match"):
        wb.expected_values(put)


SMALL = wb.load_game("rhode_island", ranks=3, suits=2)
_cut = partial(wb.cluster_hands, SMALL)
PLANS = {  # a base and an abstraction of its experts
    "names": lambda: ("2-3-4", {"r": "2-5-9", "cr": None}),
    "hands": lambda: (None, None),
    "buckets": lambda: (_cut((2, 3, 4)), _cut((2, 5, 9))),
    "each": lambda: (_cut((1, 2, 3)), {"r": _cut((1, 4, 6), metric="ehs2"), "cr": _cut((1, 2, 3))}),
}


@pytest.mark.parametrize("given", PLANS)
def test_a_plan_prints_the_code_that_makes_it(given):
    part, (base, rule) = wb.betting_experts(SMALL, ["r", "cr"]), PLANS[given]()
    plan = wb.stitching.plan(SMALL, base, part, abstraction=rule, iterations=2)
    assert (given == "each") == ('metric="ehs2"' in repr(plan))
    again = eval(repr(plan), {"wb": wb, "rules": SMALL})
    assert np.array_equal(again.probs, plan.stitch().probs)


def test_parts_of_a_round_begin_with_each_way_to_it():
    part, tree = wb.round_experts(SMALL), wb.round_experts(wb.compile_game(SMALL))
    assert [name.rstrip("/") for name in part.names] == [*tree.names]
    base = _cut((2, 3, 4))
    found = wb.abstract(SMALL, base)
    whole = wb.solve(SMALL, iterations=2, abstraction=base).strategy
    again = wb.solve(SMALL, iterations=2, abstraction=found).strategy
    assert np.array_equal(again.probs, whole.probs)
    assert found.coarse.num_infosets == again.played.num_infosets
    plan = wb.stitching.plan(SMALL, base, part, {0, 1}, iterations=2)
    again = eval(repr(plan), {"wb": wb, "rules": SMALL})
    assert np.array_equal(again.probs, plan.stitch().probs)


# ---- what does not fit ---------------------------------------------------------------------


def test_experts_share_what_was_decided_with():
    other = HoldemBuckets(TINY, [([0], [[7]]), *_buckets("r").cuts[1:]])
    part = BettingParts(TINY, ("r",))
    with pytest.raises(wb.GameError, match="round 1 they must be the same"):
        MixedBuckets(_buckets("base"), part, {"r": other})
    with pytest.raises(wb.GameError, match="round 2 they must be the same"):
        MixedBuckets(_buckets("base"), part.__class__(TINY, ("ccr",)), {"ccr": _buckets("r")})


def _betting(limit, text=""):
    """Every betting string after which somebody decides."""
    at = limit.follow(text)
    if at.player < 0 and at.folded < 0 and at.round < 3:
        return _betting(limit, text + "/")
    deeper = [one for move in at.actions for one in _betting(limit, text + move)]
    return [text, *deeper] if at.actions else []


def test_groups_hold_every_decision_once():
    base = HoldemBuckets(HOLDEM, [FORGET] * 4)
    for names in ((), ("r",), ("r", "cr", "ccr", "cccr"), ("rc", "crc"), ("ccrcr",)):
        parts = BettingParts(HOLDEM, names)
        game = HOLDEM.public_game(MixedBuckets(base, parts, dict.fromkeys(names, base)))
        numbers = PublicStrategy(game, game, np.arange(game.num_choices))
        first = [_place(numbers, text)[0] for text in _betting(HOLDEM.betting)]
        assert len(first) == len({*first}) == 8 + 10 * (7 + 63 + 567)
        for name in names:
            assert game.layout.groups[game.flat.node(name), 2] == parts.number(name)


def test_null_is_every_hand_and_without_parts_the_base_plays():
    sigma = wb.static_experts(SMALL, "null", wb.betting_experts(SMALL, []), iterations=2)
    assert np.array_equal(sigma.probs, wb.solve(SMALL, iterations=2).strategy.probs)
