"""External sampling from the rules: equal to a naive twin, resumable, never half an iteration."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games
from tests.test_compiling import Told, told
from workbench.evaluation.values import exploitability
from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.games.registry import load_game
from workbench.lab.analysis.rules_sampling import run as growing
from workbench.lab.analysis.rules_sampling.infoset_store import FullError, InfosetTable, code_of
from workbench.lab.analysis.rules_sampling.policy import Sampled, mark_of
from workbench.lab.analysis.rules_sampling.run import sample_rules as sample
from workbench.policies import Dealer, Dice, as_policy, pick
from workbench.rules import Chance, Decision, GameError, Terminal
from workbench.solvers.base import average, iterate
from workbench.solvers.external_sampling import ExternalSampling
from workbench.strategy import Strategy


def naive(rules, iterations, seed):
    """{(player, seen): {action: number}} of regrets and of sums of strategies."""
    regrets = {}
    sums = {}

    def meet(node):
        key, ordered = (node.player, node.seen), sorted(node.actions, key=repr)
        regret = regrets.setdefault(key, dict.fromkeys(ordered, 0.0))
        total = sums.setdefault(key, dict.fromkeys(ordered, 0.0))
        positive = [max(regret[a], 0.0) for a in ordered]
        even = [1 / len(ordered)] * len(ordered)
        sigma = [r / sum(positive) for r in positive] if sum(positive) > 0 else even
        return ordered, sigma, regret, total

    def luck(uniforms, rng):
        if not uniforms:
            uniforms.extend(rng.random(48).tolist())
        return uniforms.pop(0)

    def walk(state, i, uniforms, rng):
        node = rules.node(state)
        if isinstance(node, Terminal):
            return node.payoffs[i]
        if isinstance(node, Chance):
            outcome = pick(node.probabilities, node.probabilities.values(), rng.random())
            return walk(rules.next(state, outcome), i, uniforms, rng)
        assert isinstance(node, Decision)
        if len(node.actions) == 1:
            return walk(rules.next(state, node.actions[0]), i, uniforms, rng)
        ordered, sigma, regret, total = meet(node)
        if node.player == i:
            values = [walk(rules.next(state, a), i, uniforms, rng) for a in ordered]
            mean = sum(p * v for p, v in zip(sigma, values, strict=True))
            for a, v in zip(ordered, values, strict=True):
                regret[a] += v - mean
            return mean
        if rules.players == 2:
            for a, p in zip(ordered, sigma, strict=True):
                total[a] += p
        taken = pick(ordered, sigma, luck(uniforms, rng))
        return walk(rules.next(state, taken), i, uniforms, rng)

    def average(state, i, uniforms, rng):
        node = rules.node(state)
        if isinstance(node, Chance):
            outcome = pick(node.probabilities, node.probabilities.values(), rng.random())
            average(rules.next(state, outcome), i, uniforms, rng)
        elif isinstance(node, Decision):
            taken = [node.actions[0]]
            if len(node.actions) > 1 and node.player == i:
                ordered, sigma, _, total = meet(node)
                for a, p in zip(ordered, sigma, strict=True):
                    total[a] += p
                taken = [pick(ordered, sigma, luck(uniforms, rng))]
            elif len(node.actions) > 1 and node.player == (i + 1) % rules.players:
                taken = [*node.actions[1:], node.actions[0]]
            elif len(node.actions) > 1:
                taken = [node.actions[int(luck(uniforms, rng) * len(node.actions))]]
            for action in taken:
                average(rules.next(state, action), i, uniforms, rng)

    dice, dealer = Dice(seed), Dealer(rules)
    for t in range(1, iterations + 1):
        rng = dice.throw(t)
        for i in range(rules.players):
            if rules.players != 2:
                average(dealer.open(rng), i, [], rng)
            walk(dealer.open(rng), i, [], rng)
    return regrets, sums


@settings(max_examples=40)
@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_equals_the_naive_twin(rules, seed):
    run = sample(rules, 7, seed=seed)
    regrets, sums = naive(rules, 7, seed)
    assert run.infosets == len(regrets)
    for (player, seen), regret in regrets.items():
        actions = list(regret)
        row = run._find(player, seen, actions)[0]
        expected = list(sums[player, seen].values())
        np.testing.assert_allclose(run.table.weights(row, regret=True), list(regret.values()))
        np.testing.assert_allclose(run.table.weights(row), expected)
        total = sum(expected)
        answer = [p / total if total else 1 / len(actions) for p in expected]
        np.testing.assert_allclose(run.probabilities(player, seen, actions), answer)


def same(one, other):
    mine, hers = one.table.arrays(), other.table.arrays()
    return all(np.array_equal(mine[name], hers[name]) for name in mine)


def test_never_reached_is_uniform(kuhn):
    run = sample(load_game("kuhn"), 1, memory=0)
    assert run.probabilities(0, ("J", ""), ("p", "b")) == [0.5, 0.5]
    assert not run.knows(0, ("J", ""), ("p", "b"))
    assert exploitability(run.to_strategy(kuhn)) == pytest.approx(11 / 24)


# ---- stop and go on ------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 17, 39])
def test_a_split_run_equals_an_uninterrupted_one(cut, tmp_path):
    rules = load_game("leduc")
    whole = sample(rules, 40, seed=3)
    half = sample(rules, cut, seed=3)
    before = half.table.arrays()
    half.probabilities(0, "never met", ("x", "y", "z"))  # asking leaves no trace
    loaded = Sampled.load(half.save(tmp_path / "half"), rules)
    for start in (half, loaded):
        assert same(sample(rules, 40 - cut, seed=3, start=start), whole)
    assert all(np.array_equal(half.table.arrays()[name], before[name]) for name in before)
    assert whole.trace["infosets"].iloc[-1] == whole.infosets
    assert list(whole.trace["iteration"]) == list(range(1, 41))


def test_full_memory_stops_the_run_and_keeps_it():
    rules = load_game("leduc")
    run = sample(rules, 1_000, seed=1, memory=40_000)
    assert run.stopped == "memory"
    assert 0 < run.iterations < 1_000
    assert run.bytes <= 40_000
    assert "does not fit into 40 kB" in repr(run)
    assert same(run, sample(rules, run.iterations, seed=1))
    more = sample(rules, 60 - run.iterations, seed=1, start=run)
    assert more.stopped == "iterations"
    assert same(more, sample(rules, 60, seed=1))


@dataclass(frozen=True)
class Stopping(Kuhn):
    """Kuhn poker that somebody interrupts at the n-th question."""

    at: int = 0
    asked: Any = None

    def node(self, state):
        self.asked.append(state)
        if len(self.asked) == self.at:
            raise KeyboardInterrupt
        return super().node(state)


@pytest.mark.parametrize("at", [2, 333])
def test_interrupts_leave_whole_iterations(at):
    first = []
    mark_of(Stopping(asked=first))  # a look at the rules comes before the run
    run = sample(Stopping(at=len(first) + at, asked=[]), 1_000, seed=4)
    assert run.stopped == "interrupted"
    assert run.iterations < 1_000
    clean = sample(Kuhn(), run.iterations or 1, seed=4, memory=10**6 * bool(run.iterations))
    assert same(run, clean)
    assert run.table.nbytes == clean.table.nbytes


def test_a_long_iteration_is_told_and_stopped(monkeypatch):
    monkeypatch.setattr(growing, "TOLD", 4)
    told = []

    def tell(done, total, infosets):
        told.append((done, infosets))
        if len(told) == 3:
            raise KeyboardInterrupt

    run = sample(Leduc(), 50, progress=tell)
    assert told == [(0, 4), (0, 8), (0, 12)]  # all in the first iteration
    assert (run.iterations, run.infosets, run.stopped) == (0, 0, "interrupted")


# ---- what the rules may do, and what not ---------------------------------------------------


class Shuffled(Kuhn):
    """Kuhn poker whose deals nobody lists."""

    def node(self, state):
        if state == self.start():
            raise GameError("too many deals to list")
        return super().node(state)

    def draw(self, state, random):
        if state == self.start():
            return "JQK"[random.integers(3)]
        return None


def test_deals_may_be_drawn(kuhn):
    run = sample(Shuffled(), 2_000)
    assert run.infosets == 12
    assert exploitability(run.to_strategy(kuhn)) < 0.05


def tiny(second=("a", "b"), seen="same", payoffs=(1.0,)):
    """Chance, then one decision in an infoset of two histories."""
    rules = told(
        Chance({"0": 0.5, "1": 0.5}),
        lambda moves: Decision(0, seen, ("a", "b") if moves == ("0",) else second),
        lambda moves: Terminal(payoffs if moves[1] == "a" else (0.0,)),
    )
    return replace(rules, players=1)


def test_actions_match_by_name_not_by_place():
    run = sample(tiny(second=("b", "a")), 50)
    assert run.infosets == 1
    assert np.argmax(run.table.weights(0, regret=True)) == 0  # "a" pays


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Told(lambda moves: Decision(0, moves[:1], ("a", "b")), players=1), "endless"),
        (tiny(second=("a", "c")), "same actions"),
        (tiny(payoffs=(1.0, 2.0)), "payoffs"),
        (tiny(seen=["a", "list"]), "hashable"),
        (tiny(seen=("a", object())), "lasting text"),
    ],
)
def test_wrong_rules_are_refused(rules, message):
    with pytest.raises(GameError, match=message):
        sample(rules, 50)


def test_going_on_needs_the_same_game_and_seed(tmp_path):
    run = sample(load_game("kuhn"), 5, seed=1)
    for game, seed in (("kuhn", 2), ("leduc", 1)):
        with pytest.raises(GameError, match="give the same again"):
            sample(load_game(game), 5, seed=seed, start=run)
    with pytest.raises(GameError, match="holds a sampled run on 'kuhn'"):
        Sampled.load(run.save(tmp_path / "run"), load_game("leduc"))
    named = sample(load_game("leduc"), 5, abstraction="null").save(tmp_path / "named")
    assert Sampled.load(named, load_game("leduc"), "null").iterations == 5
    with pytest.raises(GameError, match="abstraction 'null'"):
        Sampled.load(named, load_game("leduc"))


def test_going_on_with_other_rules_of_the_same_name(tmp_path):
    """Names say little: what the rules show and the abstraction remembers is compared."""
    rules = load_game("leduc")
    by_rank, by_suit = (lambda player, seen, actions, k=k: (seen[0][k], *seen[1:]) for k in (0, 1))
    run = sample(rules, 5, abstraction=by_rank)
    with pytest.raises(GameError, match="give other answers"):
        sample(rules, 5, abstraction=by_suit, start=run)
    with pytest.raises(GameError, match="give other answers now"):
        Sampled.load(run.save(tmp_path / "run"), rules, by_suit)
    assert sample(rules, 5, abstraction=by_rank, start=run).iterations == 10


def test_a_response_wins_what_there_is(kuhn):
    timid = as_policy(lambda player, seen, actions: "p")  # never bets, always folds
    run = sample(load_game("kuhn"), 200, against=(1, timid))
    assert run.infosets <= 6  # none of player 0
    sigma = Strategy.from_function(kuhn, run.response(timid).probabilities)
    assert sigma.at(("J", "p"), player=1) == {"p": 0.0, "b": 1.0}
    assert sigma.at(("J", ""), player=0) == {"p": 1.0, "b": 0.0}


@pytest.mark.parametrize(
    ("rules", "iterations", "seeds"),
    [
        (load_game("kuhn"), 300, 10),
        pytest.param(load_game("leduc"), 2_000, 8, marks=pytest.mark.slow),
        pytest.param(load_game("toepen", suits=2), 3_000, 5, marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_as_good_as_sampling_on_the_tree(rules, iterations, seeds):
    """Exploitability after as many iterations, with and without a tree: the same but for luck.

    By hand: 2/3/2 with betting, 50,000 iterations: 0.067 (b1 + b2), as a prototype found.
    """
    tree = compiled(rules)
    table = [
        exploitability(sample(rules, iterations, seed=s).to_strategy(tree)) for s in range(seeds)
    ]
    walks, textbook = [], ExternalSampling(linear=False)
    for seed in range(40):
        state = next(iterate(tree, textbook, seed=seed, every=iterations))
        walks.append(exploitability(average(tree, state)))
    error = np.hypot(np.std(table) / np.sqrt(seeds), np.std(walks) / np.sqrt(len(walks)))
    assert abs(np.mean(table) - np.mean(walks)) < 4 * error
    assert np.mean(walks) < 0.5 * exploitability(Strategy.uniform(tree))


# ---- the growing table ---------------------------------------------------------------------


def test_codes_that_begin_in_the_same_slot():
    table = InfosetTable(10**6)
    shape = table.shape(0, ("a", "b"))
    codes = [(1023, 1), (1023, 2), (2047, 1), (0, 1), (1023 + 2**40, 3)]  # around the end
    assert [table.add(code, shape) for code in codes] == [0, 1, 2, 3, 4]
    assert [table.find(code) for code in codes] == [0, 1, 2, 3, 4]
    assert table.find((1023, 3)) == table.find((1, 1)) == -1


def test_arrays_that_do_not_fit_are_refused():
    table = InfosetTable(10**6)
    for k in range(10):
        table.add(code_of(0, k), table.shape(0, ("f", "c")))
    arrays = table.arrays()
    for name in ("regret", "low", "shape_of"):
        with pytest.raises(ValueError, match="different sizes"):
            InfosetTable.from_arrays({**arrays, name: arrays[name][:-1]}, 10**9)
    with pytest.raises(ValueError, match="unknown shapes"):
        InfosetTable.from_arrays({**arrays, "shape_of": arrays["shape_of"] + 7}, 10**9)


def test_the_limit_is_never_passed():
    table = InfosetTable(200_000)
    shape = table.shape(0, ("a", "b", "c"))

    def fill():
        for k in range(10_000):
            table.add(code_of(0, k), shape)

    with pytest.raises(FullError):
        fill()
    assert 150_000 < table.nbytes <= 200_000
    assert len(table._slots) > 1.5 * table.num_infosets
    assert table.find(code_of(0, table.num_infosets)) == -1  # the one that was refused
    held = [table.low, table.high, table.shape_of, table.regret, table.strategy_sum]
    held += [table.first_choice, table._slots]
    really = sum(buffer.buffer_info()[1] * buffer.itemsize for buffer in held)
    assert really <= table.nbytes


def test_codes_last(run_python):
    seen = (frozenset({"K♠", "9♥", "10♦"}), "{", ("x", 1))
    code = "from workbench.lab.analysis.rules_sampling.infoset_store import code_of; "
    code += "print(*code_of(1, (frozenset({'K♠', '9♥', '10♦'}), '{', ('x', 1))))"
    done = run_python("-c", code, env={"PYTHONHASHSEED": "1"})
    assert tuple(map(int, done.stdout.split())) == code_of(1, seen), done.stderr
    assert code_of(0, "{1}") != code_of(0, frozenset({1}))
