"""Limit Hold'em for three: rules, betting tree, kernels against naive twins, experts, matches."""

from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np
import pytest
from workbench.lab.ledger.papers.holdem_three import EXPERTS, sizes

import workbench as wb
from tests.oracles import node_after
from workbench.kernels import draw, random_state
from workbench.poker.betting.betting_tree import BettingParts, betting_tree
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets
from workbench.poker.cards.seven_cards import strength_of
from workbench.poker.engine import deal_walk
from workbench.poker.engine.public_strategy import PublicStrategy

RULES = wb.load_game("limit_holdem", players=3)
_after = partial(node_after, RULES)
BETTING = RULES.betting
HOW = {"metric": "ehs2", "method": "percentile", "recall": "imperfect"}


class Short(type(RULES)):
    """With fewer raises, so that the betting has thousands of nodes and not ten million."""

    betting = replace(BETTING, most=(3, 2, 2, 2))


SHORT = Short(players=3)


def _team(base, fine, names=EXPERTS, players=range(3), **how):
    rules = base.tree.rules
    how |= {"abstraction": fine, "solver": "external-sampling"}
    return wb.static_experts(rules, base, wb.betting_experts(rules, names), players, **how)


def _buckets(*counts, rules=SHORT):
    """Buckets without any tables: cuts at made-up signals."""
    before, cuts = 1, []
    for count in counts:
        row = np.arange(1, count) * 10
        cuts.append((np.zeros(before, np.int64), np.tile(row, (before, 1))))
        before = count
    return HoldemBuckets(rules, cuts)


@pytest.fixture(scope="module")
def tree():
    return betting_tree(BETTING)


@pytest.fixture(scope="module")
def few():
    return betting_tree(SHORT.betting)


@pytest.fixture(scope="module")
def cut():
    return wb.cluster_hands(RULES, (169, 2, 2, 2), **HOW)


@pytest.fixture(scope="module")
def base(cut):
    return wb.solve(RULES, "external-sampling", iterations=3000, abstraction=cut).strategy


# ---- rules and betting -----------------------------------------------------------------


DEALT = ("A♥ K♥", "7♠ 7♦", "2♠ 2♦")


def test_rules():
    assert _after(*DEALT) == wb.Decision(2, ("2♠ 2♦", "", ""), ("f", "c", "r"))  # the button
    assert _after(*DEALT, "f", "f").payoffs == (-500.0, 500.0, 0.0)
    assert _after(*DEALT, "c", "c").actions == ("c", "r")  # the big blind may raise
    assert _after(*DEALT, "c", "c").player == 1
    assert _after(*DEALT, "r", "r", "r").actions == ("f", "c")  # the blind was the first bet
    flop = (*DEALT, "c", "c", "c", "Q♥ J♥ 2♣")
    assert _after(*flop).player == 0  # and the button is last
    assert _after(*flop, "r", "f").player == 2
    assert _after(*flop, "r", "f", "f").payoffs == (2000.0, -1000.0, -1000.0)
    river = (*flop, "c", "c", "c", "T♥", "c", "c", "c", "2♥")
    assert _after(*river, "c", "c", "c").payoffs == (2000.0, -1000.0, -1000.0)  # royal flush
    again = (*flop[:-1], "9♠ 9♥ 9♣", "c", "c", "c", "9♦", "c", "c", "c", "A♣")
    assert _after(*again, "c", "c", "c").payoffs == (0.0, 0.0, 0.0)  # four nines and an ace for all
    assert _after(*again, "r", "c", "f").payoffs == (500.0, 500.0, -1000.0)


def test_sizes():
    for k, most in ((2, 19.4), (3, 29.2), (5, 48.6), (16, 155.4)):
        assert sizes(RULES, (169, k, k, k))["base"] / 1e6 == pytest.approx(most, abs=0.05)
    assert f"{RULES.public_game().num_infosets:.0e}" == "5e+17"  # Gibson & Szafron 2011, section 4
    two = wb.load_game("limit_holdem").betting
    each = zip(two.rounds, two.starts, strict=True)
    assert betting_tree(two).sizes == tuple((one.count > 0).sum() * n for one, n in each)


def test_the_tree_follows_the_rules(tree):
    """Random betting: the same players, moves, rounds and payments as replayed move by move."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        betting, node = "", 0
        while node >= 0:
            at = BETTING.follow(betting)
            if at.player < 0:
                betting += "/"
                at = BETTING.follow(betting)
            assert tree.info[node] == at.player + 4 * at.round
            moves = [a for a, child in zip("fcr", tree.child[node], strict=True) if child]
            assert moves == list(at.actions)
            assert tree.node(betting) == node
            betting += rng.choice(moves)
            node = int(tree.child[node, "fcr".index(betting[-1])])
        end, code = BETTING.follow(betting), ~node
        assert end.live == tuple(seat for seat in range(3) if code >> seat & 1)
        assert end.paid == tuple(500 * (code >> 3 + 6 * seat & 63) for seat in range(3))


def test_blocks_hold_what_lies_below(tree):
    for name in EXPERTS:
        inside, waiting = [set() for _ in range(4)], [tree.node(name)]
        while waiting:
            node = waiting.pop()
            inside[tree.info[node] >> 2].add(node - tree.first[tree.info[node] >> 2])
            waiting += [child for child in tree.child[node] if child > 0]
        for own, (low, high) in zip(inside, tree.blocks(name).tolist(), strict=True):
            assert own == {*range(low, high)}
    for betting, word in (("rx", "no betting"), ("ff", "nobody decides")):
        with pytest.raises(wb.GameError, match=word):
            tree.blocks(betting)


# ---- showdowns and walks against naive twins -------------------------------------------


def test_showdowns_of_three(tree):
    """The share of the pot as the rules settle it, on hands dealt at random; many of them tie."""
    rng, share, deck = np.random.default_rng(5), np.zeros((8, 3)), RULES.deck
    ties = 0
    for _ in range(300):
        cards = rng.permutation(52)[:11].tolist()
        if rng.random() < 0.3:  # a board that plays
            board = [40, 36, 32, 28, 25]
            cards = [c for c in cards if c not in board][:6] + board
        hands, board = [cards[0:2], cards[2:4], cards[4:6]], cards[-5:]
        strengths = np.array([strength_of((*hand, *board)) for hand in hands])
        deal_walk.share_out(strengths, share)
        ties += len({*strengths.tolist()}) < 3
        deals = (*hands, board[:3], board[3:4], board[4:])
        dealt = tuple(" ".join(map(deck.name, some)) for some in deals)
        for betting in ("rcc/ccc/ccc/rcc", "fcc/cc/cc/rrc", "rfc/cc/cc/cc", "ccrff"):
            node, told = tree.node(betting), RULES.node((dealt, betting)).payoffs
            ours = [500 * deal_walk.won_at(~node, seat, share) for seat in range(3)]
            assert ours == list(told)
            assert sum(ours) == 0
    assert ties > 50


def _slots(sigma, node, bucket):
    """Where fold, call and raise stand at a node, or after some betting."""
    layout = sigma.played.layout
    node = betting_tree(SHORT.betting).node(node) if isinstance(node, str) else node
    *_, first, apart, by_bucket, by_move = layout.groups[layout.group[node]]
    return first + node * apart + bucket * by_bucket + np.arange(3) * by_move


def _won(at, strengths):
    """What each seat wins at an end."""
    best = max(strengths[seat] for seat in at.live)
    share = sum(at.paid) / sum(strengths[seat] == best for seat in at.live)
    won = [share * (s in at.live and strengths[s] == best) - at.paid[s] for s in range(3)]
    return [one / 500 for one in won]


class _Naive:
    """External sampling as a textbook has it: recursion over betting strings, dicts of regrets."""

    def __init__(self, parts, rng, alone, held):
        self.parts, self.rng, self.alone, self.held = parts, rng, alone, held
        self.regret, self.total = {}, {}

    def part(self, betting):
        return max(p for p, (name, _) in enumerate(self.parts) if betting.startswith(name))

    def key(self, betting, at, seen):
        return betting, int(seen[at.player, int(self.part(betting) > 0), at.round])  # coarse, fine

    def walk(self, betting, i, weight, seen, strengths):
        at = SHORT.betting.follow(betting)
        if at.player < 0 and at.folded < 0 and at.round < 3:
            return self.walk(betting + "/", i, weight, seen, strengths)
        if at.player < 0:
            return _won(at, strengths)[i]
        key = self.key(betting, at, seen)
        regret = self.regret.setdefault(key, {a: np.float32(0) for a in at.actions})
        positive = {a: max(float(r), 0.0) for a, r in regret.items()}
        total = sum(positive.values())
        probs = {a: p / total if total > 0 else 1 / len(regret) for a, p in positive.items()}
        fixed = at.player == self.alone and self.part(betting) == 0
        if fixed:
            own = _slots(self.held, betting, key[1])
            probs = {a: float(self.held.probs[own["fcr".index(a)]]) for a in at.actions}
        if at.player != i or fixed:
            sums = self.total.setdefault(key, {a: np.float32(0) for a in at.actions})
            luck, taken = draw(self.rng), None
            for a, p in probs.items():
                sums[a] += np.float32(0 if fixed else weight * p)
                if p > 0 and luck >= 0:
                    taken = a
                    luck -= p
            return self.walk(betting + taken, i, weight, seen, strengths)
        values = {a: self.walk(betting + a, i, weight, seen, strengths) for a in at.actions}
        mean = sum(probs[a] * values[a] for a in at.actions)
        for a in at.actions:
            regret[a] += np.float32(weight * (values[a] - mean))
        return mean


@pytest.mark.parametrize(
    ("parts", "alone"),
    [
        (("",), -1),
        (("", "f", "rc"), -1),
        (("", "f"), 0),
        pytest.param(("", "rc"), 2, marks=pytest.mark.slow),
    ],
)
def test_walks_against_recursion(few, parts, alone):
    """The same random numbers, the same hands: the same regrets and averages, bit for bit."""
    coarse, fine = _buckets(3, 2, 1, 1), _buckets(5, 3, 2, 2)
    both = [("", coarse), *((name, fine) for name in parts[1:])]
    rng, held = np.random.default_rng(4), _strategy(4, coarse)
    mixed = _mixed(coarse, fine, *parts[1:], alone=alone, held=held) if parts[1:] else coarse
    game = SHORT.public_game(mixed)
    state = game.start_state(4)
    regret, total, before = state.regret, state.strategy_sum, state.regret.copy()
    assert bool(before.any()) == (alone >= 0)
    mine, theirs = random_state(4), random_state(4)
    naive, share = _Naive(both, theirs, alone, held), np.zeros((8, 3))
    at, value, probs = (
        np.zeros((few.depth, 4), np.int64), np.zeros((few.depth, 3)), np.zeros((few.depth, 3)),
    )  # fmt: skip
    for t in range(1, 7):
        for i in range(3):
            seen = np.stack(
                [[[rng.integers(n) for n in b.classes] for b in (coarse, fine)] for _ in range(3)]
            ).astype(np.int32)
            strengths = rng.integers(0, 3, 3)
            deal_walk.share_out(strengths, share)
            won = deal_walk.walk(
                0, i, float(t), game.layout, seen, share, regret, total, mine, at, value, probs
            )
            assert won == naive.walk("", i, float(t), seen, strengths)
    assert (mine == theirs).all()
    sigma = PublicStrategy(game, game, regret)
    for values, known in ((regret, naive.regret), (total, naive.total)):
        values = np.where(before != 0, 0, values)  # what is followed stays as it was
        found = 0
        for (betting, bucket), kept in known.items():
            own = _slots(sigma, betting, bucket)
            for a, number in kept.items():
                assert values[own["fcr".index(a)]] == number
                found += number != 0
        assert found == np.count_nonzero(values)


# ---- strategies and matches, without tables --------------------------------------------


def _strategy(seed, buckets):
    """Some strategy, however good."""
    game = buckets.rules.public_game(buckets)
    probs = game.matched(np.random.default_rng(seed).random(game.num_choices, np.float32))
    return PublicStrategy(buckets.rules.public_game(), game, probs)


def _mixed(coarse, fine, *names, alone=-1, held=None):
    """Experts with finer buckets; of one player who follows `held` elsewhere, if one is alone."""
    part = BettingParts(coarse.rules, names)
    how = {"expert": names[0], "players": (alone,), "base_probs": held.probs} if alone >= 0 else {}
    return MixedBuckets(coarse, part, dict.fromkeys(names, fine), **how)


def test_each_seat_keeps_the_buckets_it_knows(few):
    coarse, fine = _buckets(2, 1, 1, 1), _buckets(3, 2, 2, 2)
    members = [_strategy(1, coarse), _strategy(2, _mixed(coarse, fine, "rf")), _strategy(3, fine)]
    together, nodes = (
        wb.seated(members),
        np.random.default_rng(1).integers(len(few.info), size=99),
    )
    for node in [*nodes, *(few.node(text) for text in ("", "rf", "rfr"))]:
        member, layout = members[few.info[node] & 3], together.played.layout
        many = layout.groups[layout.group[node], deal_walk.BUCKETS]
        same = member.played.layout
        assert many == same.groups[same.group[node], deal_walk.BUCKETS]
        for bucket in range(many):
            one, other = (who.probs[_slots(who, node, bucket)] for who in (together, member))
            assert one.tolist() == other.tolist()
    sets = [np.bincount(few.info & 3, minlength=3)[seat] for seat in range(3)]
    assert together.played.num_infosets > sum(sets)  # some of them know more than one bucket


def test_matches_against_play_by_the_rules(few):
    """Kernels play three strategies, one with experts, as somebody would by betting strings."""
    coarse, fine = _buckets(2, 1, 1, 1), _buckets(3, 2, 2, 2)
    members = [_strategy(seed, coarse) for seed in range(3)]
    members[1] = _strategy(7, _mixed(coarse, fine, "rf"))
    rng, deals = np.random.default_rng(1), 40
    seen = np.array(
        [[[[rng.integers(n) for n in b.classes] for b in (coarse, fine)] for _ in range(3)]
         for _ in range(deals)],
        np.int32,  # as in a match, for the same kernel
    )  # fmt: skip
    share, dice = np.zeros((deals, 8, 3)), random_state(5)
    strengths = rng.integers(0, 4, (deals, 3))
    for k in range(deals):
        deal_walk.share_out(strengths[k], share[k])
    luck = np.array([[draw(dice) for _ in range(few.depth)] for _ in range(deals)])
    seatings = np.array([*permutations(range(3))])
    scores = np.zeros((deals, 3))
    for one in members:
        one.probs.flags.writeable = False
    deal_walk.play_many(
        seatings, tuple(one.probs for one in members), tuple(one.played.layout for one in members),
        np.array([[0, 0], [0, 1], [0, 0]]), seen, share, few.depth, True, random_state(5), scores,
    )  # fmt: skip
    expected = np.zeros_like(scores)
    for k in range(deals):
        for seating in seatings:
            betting, d = "", 0
            while True:
                at = SHORT.betting.follow(betting)
                if at.player < 0 and at.folded < 0 and at.round < 3:
                    betting += "/"
                    continue
                if at.player < 0:
                    break
                one = members[seating[at.player]]
                part = int(one is members[1] and betting.startswith("rf"))
                own = one.probs[_slots(one, betting, seen[k, at.player, part, at.round])]
                assert own.sum() == pytest.approx(1, abs=1e-6)
                number, taken = luck[k, d], ""
                for a in at.actions:
                    if own["fcr".index(a)] > 0 and number >= 0:
                        taken = a
                        number -= own["fcr".index(a)]
                betting, d = betting + taken, d + 1
            expected[k, seating] += np.array(_won(at, strengths[k])) / 6
    np.testing.assert_allclose(scores, expected, atol=1e-12)
    assert np.abs(scores.sum(axis=1)).max() < 1e-12


def test_a_strategy_is_asked_and_kept(tmp_path):
    sigma = _strategy(1, _buckets(1, 1, 1, 1))
    path = sigma.save(tmp_path / "sigma")
    again = wb.Strategy.load(path, SHORT)
    assert (again.probs == sigma.probs).all()
    assert again.played.same_as(sigma.played)
    for seen in (("A♥ K♥", "Q♥ J♥", "ccc/"), ("A♥ K♥", "", "fff"), ("A♥ A♥", "", ""), "", 3):
        with pytest.raises(wb.GameError, match="does not know"):
            sigma.at(seen)


def test_what_cannot_be_solved():
    with pytest.raises(wb.GameError, match="GB, and this"):
        RULES.public_game(_buckets(169, 900, 900, 9000, rules=RULES)).start_state()
    sigma, one, part = _strategy(1, _buckets(1, 1, 1, 1)), _buckets(1, 1, 1, 1), BettingParts
    some = one, _buckets(2, 2, 2, 2), MixedBuckets(one, part(SHORT, ("f",)), {"f": one})
    assert [SHORT.public_game(each).perfect_recall for each in some] == [True, False, True]
    for each in some:
        with pytest.raises(wb.GameError, match="pairs of hands"):
            wb.solve(SHORT, "cfr+", iterations=1, abstraction=each)
        with pytest.raises(wb.GameError, match="showdown"):
            wb.exploitability(wb.Strategy.uniform(SHORT.public_game(each)))
    run = wb.solve(SHORT, "external-sampling", iterations=1, abstraction=some[2])
    assert run.strategy.played.num_infosets == SHORT.public_game(some[2]).num_infosets
    with pytest.raises(wb.GameError, match="before the flop"):
        _team(sigma, one, ["ccc/r"])


# ---- with real cards -------------------------------------------------------------------


@pytest.mark.slow
def test_equal_strategies_win_nothing(base):
    table = wb.sample_match({"a": base, "b": base, "c": base}, deals=5000, seed=3)
    assert (table["winnings"] == 0).all()
    assert table["margin"].isna().all()  # no difference was seen, which is not to be sure of one
    plain = wb.sample_match({"a": base, "b": base, "c": base}, deals=5000, duplicate=False)
    assert plain["winnings"].sum() == pytest.approx(0, abs=1e-9)
    assert (plain["margin"] > 50).all()


@pytest.mark.slow
def test_experts_are_stored_and_play(base, cut, tmp_path):
    fine = wb.cluster_hands(RULES, (169, 9, 9, 9), **HOW)
    made = [_team(base, fine, iterations=500, store=tmp_path, seed=2) for _ in range(2)]
    assert (made[0].probs == made[1].probs).all()
    assert made[0].played.buckets.part.names == EXPERTS
    inside, instead = (sizes(RULES, one.classes, EXPERTS).values() for one in (fine, cut))
    assert made[0].played.num_infosets == base.played.num_infosets - sum(instead) + sum(inside)
    seen = ("A♥ K♥", "Q♥ J♥ 2♣", "rfc/")
    assert sum(made[0].at(seen).values()) == pytest.approx(1, abs=1e-6)
    assert made[0].at(seen) != base.at(seen)
    assert made[0].at(("A♥ K♥", "", "")) == base.at(("A♥ K♥", "", ""))


@pytest.mark.slow
def test_experts_of_each_player_and_dynamic_ones(base, tmp_path):
    fine = wb.cluster_hands(RULES, (169, 9, 9, 9), **HOW)
    alone = wb.seated([base, *(_team(base, fine, ["rf"], i, iterations=300) for i in (1, 2))])
    runs = {
        seat: wb.solve(
            RULES, "external-sampling", 300, checkpoints=300,
            abstraction=_mixed(base.played.buckets, fine, "rf", alone=seat, held=base),
        ).strategy
        for seat in (1, 2)
    }  # fmt: skip
    for seen, player in ((("A♥ K♥", "", "rf"), 1), (("A♥ K♥", "", "rfr"), 2)):
        assert alone.at(seen) == runs[player].at(seen)
    coarse, part = HoldemBuckets(RULES, [FORGET] * 4), wb.betting_experts(RULES, ["f", "rf"])
    how = {"abstraction": fine, "solver": "external-sampling", "iterations": 300}
    run = wb.dynamic_experts(RULES, coarse, part, **how, store=tmp_path)
    dynamic = run.strategy
    assert dynamic.played.buckets.part.names == ("f", "rf")
    with wb.Store(tmp_path) as store:
        again = store.strategy(run.run_id, RULES)
        store.delete(run.run_id)
    assert (again.probs == dynamic.probs).all()


@pytest.mark.slow
def test_an_expert_meets_the_hands_of_the_base(base, cut):
    """Deals that lead to "rf" have the odds that the base's play gives them."""
    part = BettingParts(RULES, ("rf",))
    how = {"expert": "rf", "players": (0, 1, 2), "base_probs": base.probs}
    game = RULES.public_game(MixedBuckets(cut, part, {"rf": cut}, **how))
    path_probs, path_player = game._path
    assert path_player.tolist() == [2, 0]
    deal, rng, met = deal_walk.new_deal(3), random_state(1), np.zeros(1326)
    for _ in range(20_000):
        deal_walk.deal_until(cut.cards, path_probs, path_player, rng, deal)
        met[deal.pairs[2]] += 1
    raises, folds = path_probs[0], path_probs[1]
    aces = [k for k, pair in enumerate(RULES.deck.hands(2)) if {*(pair // 4)} == {12}]
    assert met[aces].sum() / met.sum() == pytest.approx(
        raises[aces].sum() / raises.sum(), abs=4 * np.sqrt(0.01 / 20_000)
    )
    assert folds.mean() > 0.1


@pytest.mark.slow
def test_experts_with_finer_buckets_win_and_the_buckets_are_the_cause():
    """A base and its experts from scratch: half a minute of one core."""
    cuts = {k: wb.cluster_hands(RULES, (169, k, k, k), **HOW) for k in (3, 20)}
    base = wb.solve(
        RULES, "external-sampling", iterations=150_000, abstraction=cuts[3], seed=1,
        checkpoints=150_000,
    ).strategy  # fmt: skip
    won = {}
    for k, cut in cuts.items():
        team = _team(base, cut, iterations=100_000, seed=1)
        match = wb.sample_match({"experts": team, "base": base, "again": base}, deals=100_000)
        won[k] = match.loc["experts"]
    assert won[20].low > 0
    assert won[20].low > won[3].high
