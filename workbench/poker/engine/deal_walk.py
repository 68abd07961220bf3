"""External sampling without a tree of cards: two or three players on one betting tree.

Everyday example: deal hands and a board, and let one player try everything she could do while the
others play as they would. After a million deals each has learnt from all seats.

Where the choices of a node stand is said node by node (`Layout`), so experts are nodes at which
other buckets count, and players who are held to a strategy are nodes at which nobody learns.

    choice   FIRST + node · NODE + bucket · BUCKET + move · CHOICE     (fold, call, raise: 0, 1, 2)

    next_deal   hands and a board: the bucket of each hand in each round, for some kinds of buckets
                (`seen`), and which part of the pot a seat gets, whoever is left (`share`)
    walk        one player tries everything, the others play
    play_many   the same deals in all seatings

*In Hold'em* real cards are shuffled: a signal says how strong each hand is in each round
(holdem_signals.py), and buckets are cut from it. That costs three searches for the boards and three
looks into tables for each hand, about 3 µs, most of it waiting for memory. *In games on boards* all
is listed (`BoardDeals`): a real board, each as likely, is looked up as its canonical one, and hands
are drawn there. Where passes can sum over all deals, do that: on Rhode Island a million iterations
take 6 s on one core and leave 6.3 chips, and CFR+ leaves 0.5 after as long (measured). No kernel
calls itself: a walk keeps its own stack.

Two players follow the base to where a static expert plays; a walk that leads elsewhere is taken
again with another deal. Three are dealt only hands with which they go there.

**The average.** A walk of player i adds w_t · σ at the nodes of the others, where it comes with the
probability that chance and *all* of them let it. With two players the average is right (see
solvers/external_sampling.py); with three it weighs iteration t by the third one's reach as well.

**Matches.** Every deal is played in all seatings, by two (*duplicate*) or by three (*triplicate*):
three players sit down with the same cards six times, until each has had every hand from every seat.
Whoever ends with more has played better, not been dealt better. Three share their dice as well: in
every seating of a deal the k-th decision uses the k-th random number. So three equal strategies win
exactly nothing. Two roll anew in each seating. Deals are made, looked up and played in pieces.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.evaluation.intervals import no_scores
from workbench.kernels import RandomState, draw, kernel, random_state
from workbench.poker.betting.betting_tree import BettingTree, Longs
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.board_sets import find
from workbench.poker.cards.seven_cards import strength
from workbench.poker.strength.holdem_signals import Cards
from workbench.progress import ProgressBar
from workbench.solvers.regret import match_apart
from workbench.tree import FloatArray, frozen

COLUMNS = PLAYER, ROUND, PART, KIND, BUCKETS, FIXED, FIRST, NODE, BUCKET, CHOICE = range(10)
TRIES = 10_000_000  # deals in a row that do not lead to where a walk begins
TOGETHER = 20_000  # deals in a piece of a match

Numbers = NDArray[np.floating[Any]]  # over choices: floats of 64 bits, of 32 with three players
Whole = NDArray[np.signedinteger[Any]]


# ---- deals -----------------------------------------------------------------------------


class Deal(NamedTuple):
    """Scratch for one deal."""

    deck: Longs  # (52,) shuffled as far as needed: two cards for each of n hands, and five
    boards: Longs  # (3, 2) where the flop, turn and river are found, and under which renaming
    pairs: Longs  # (n,)
    masks: Longs  # (n + 1, 4) the board, and with each hand


def new_deal(hands: int) -> Deal:
    return Deal(
        np.arange(52), np.zeros((3, 2), np.int64), np.zeros(hands, np.int64),
        np.zeros((hands + 1, 4), np.int64),
    )  # fmt: skip


@kernel
def deal_hands(rng: RandomState, deal: Deal) -> None:
    """Shuffle the private cards."""
    deck = deal.deck
    for k in range(52):  # the same deck whatever was dealt before: a run may stop and go on
        deck[k] = k
    for hand in range(len(deal.pairs)):
        for k in (2 * hand, 2 * hand + 1):
            other = k + int(draw(rng) * (52 - k))
            deck[k], deck[other] = deck[other], deck[k]
        one, two = min(deck[2 * hand], deck[2 * hand + 1]), max(deck[2 * hand], deck[2 * hand + 1])
        deal.pairs[hand] = one * 51 - one * (one - 1) // 2 + two - one - 1


@kernel
def deal_board(cards: Cards, rng: RandomState, deal: Deal) -> None:
    """Shuffle five more cards, find the boards, and put each hand together with the last."""
    deck, masks, hands = deal.deck, deal.masks, len(deal.pairs)
    masks[:] = 0
    for n in range(5):
        k = 2 * hands + n
        other = k + int(draw(rng) * (52 - k))
        deck[k], deck[other] = deck[other], deck[k]
        masks[0, deck[k] & 3] |= 1 << (deck[k] >> 2)
        if n == 2:
            deal.boards[0, 0], deal.boards[0, 1] = find(cards.flops, masks[0])
        elif n == 3:
            deal.boards[1, 0], deal.boards[1, 1] = find(cards.turns, masks[0])
    deal.boards[2, 0], deal.boards[2, 1] = find(cards.rivers, masks[0])
    for hand in range(hands):
        for suit in range(4):
            masks[1 + hand, suit] = masks[0, suit]
        for card in (deck[2 * hand], deck[2 * hand + 1]):
            masks[1 + hand, card & 3] |= 1 << (card >> 2)


@kernel
def shares(deal: Deal, share: FloatArray) -> None:
    """share: (2^n, n) of the pot, by who is left (a bit a seat) and seat."""
    seats, strengths = len(deal.pairs), np.zeros(3, np.int64)
    for seat in range(seats):
        suits = deal.masks[1 + seat]
        strengths[seat] = strength(suits[0], suits[1], suits[2], suits[3])
    share_out(strengths[:seats], share)


@kernel
def share_out(strengths: Longs, share: FloatArray) -> None:
    """The same of hands that are so strong."""
    for left in range(1, len(share)):
        best, many = -1, 0
        for seat in range(len(strengths)):
            if left >> seat & 1:
                if strengths[seat] > best:
                    best, many = strengths[seat], 0
                many += strengths[seat] == best
        for seat in range(len(strengths)):
            won = left >> seat & 1 and strengths[seat] == best
            share[left, seat] = 1.0 / many if won else 0.0


@kernel(forceinline=True)
def won_at(code: int, seat: int, share: FloatArray) -> float:
    """What a seat wins at the end of a hand (see betting_tree.py), in units."""
    first, second, third = code >> 3 & 63, code >> 9 & 63, code >> 15 & 63
    paid = first if seat == 0 else second if seat == 1 else third
    return np.float64(share[code & 7, seat] * (first + second + third) - paid)


# ---- buckets ---------------------------------------------------------------------------


class Kinds(NamedTuple):
    """Some kinds of buckets, each cutting the signals of one of some tables."""

    table: Longs  # (G,) which
    row: Longs  # (G, rounds) of the first bucket before a round
    first: Longs  # (rows,) the lowest bucket after each
    begin: Longs  # (rows + 1,) the cuts of a row: begin[row] .. begin[row + 1]
    cuts: Longs


class BoardDeals(NamedTuple):
    """All deals of a game on boards, and what some kinds of buckets know of them."""

    board: NDArray[np.int32]  # (real boards of the last round,) the number B of each
    cards: Longs  # (H,) of a hand, a bit each
    strength: Longs  # (B, H); -1 where they share a card
    buckets: NDArray[np.int32]  # (B, H, G, rounds)


def deals_of(known: Sequence[Any]) -> tuple[Any, Any, Any]:
    """What is dealt, for kernels: the tables that some buckets cut, each once, and these buckets;
    or the deals on boards."""
    if isinstance(known[0], HandBuckets):
        return None, None, _board_deals(known)
    tables: dict[Any, Cards] = {}
    for one in known:  # kernels want them all alike: none is written
        key = one.fingerprint if one.labels else one.metric
        views: Any = (frozen(of.view()) for of in one.cards)
        tables.setdefault(key, Cards(*views))
    order = [*tables]
    table = [order.index(one.fingerprint if one.labels else one.metric) for one in known]
    rows = [[len(cut.first) for cut in one.cuts] for one in known]
    row = (np.cumsum(rows) - np.ravel(rows)).reshape(len(known), -1)
    every = [cut for one in known for cut in one.cuts]
    wide = np.concatenate([np.full(len(cut.first), cut.cuts.shape[1]) for cut in every])
    return tuple(tables.values()), Kinds(
        np.array(table), row, np.concatenate([cut.first for cut in every]),
        np.append(0, np.cumsum(wide)), np.concatenate([cut.cuts.ravel() for cut in every]),
    ), None  # fmt: skip


def _board_deals(known: Sequence[HandBuckets]) -> BoardDeals:
    rules, boards, last = known[0].rules, known[0].boards, known[0].boards[-1]
    hands, on = rules.deck.hands(rules.private_cards), np.arange(len(last.cards), dtype=np.int32)
    strength, real = np.full(last.classes.shape, -1, np.int64), np.repeat(on, last.weight)
    board, hand = np.nonzero(last.classes >= 0)
    strength[board, hand] = rules.strength(np.column_stack([hands[hand], last.cards[board]]))
    buckets = np.zeros((*strength.shape, len(known), len(boards)), np.int32)
    for r in reversed(range(len(boards))):
        for kind, one in enumerate(known):
            buckets[:, :, kind, r] = one.rounds[r][on]
        on = boards[r].parent[on]
    return BoardDeals(real, (1 << hands.astype(np.int64)).sum(axis=1), strength, buckets)


@kernel
def next_deal(
    tables: tuple[Cards, ...] | None, kinds: Kinds | None, boards: BoardDeals | None,
    path_probs: FloatArray, path_player: Longs, rng: RandomState, deal: Deal, seen: Whole,
    share: FloatArray,
) -> bool:  # fmt: skip
    """seen: (seats, kinds, rounds) buckets, share: (2^n, n); False if no deal takes the path."""
    if boards is not None:  # what is None is not compiled
        board = boards.board[int(draw(rng) * len(boards.board))]
        strengths, taken = np.zeros(len(seen), np.int64), 0
        for seat in range(len(seen)):
            hand = int(draw(rng) * len(boards.cards))
            while boards.strength[board, hand] < 0 or boards.cards[hand] & taken:
                hand = int(draw(rng) * len(boards.cards))
            taken |= boards.cards[hand]
            strengths[seat] = boards.strength[board, hand]
            for kind in range(seen.shape[1]):  # to compile a slice would take four seconds
                for r in range(seen.shape[2]):
                    seen[seat, kind, r] = boards.buckets[board, hand, kind, r]
        share_out(strengths, share)
    if tables is not None and kinds is not None:
        if not deal_until(tables[0], path_probs, path_player, rng, deal):
            return False
        see(tables, kinds, deal, seen)
        shares(deal, share)
    return True


@kernel
def see(tables: tuple[Cards, ...], kinds: Kinds, deal: Deal, seen: Whole) -> None:
    """seen: (seats, kinds, 4) the buckets of each hand."""
    signal = np.zeros((len(tables), 4), np.int64)
    for seat in range(len(deal.pairs)):
        for table in range(len(tables)):
            _look(tables[table], deal.boards, deal.pairs[seat], signal[table])
        for kind in range(len(kinds.table)):
            own, bucket = signal[kinds.table[kind]], 0
            for r in range(len(own)):
                row = kinds.row[kind, r] + bucket
                bucket = kinds.first[row]
                for k in range(kinds.begin[row], kinds.begin[row + 1]):
                    bucket += own[r] >= kinds.cuts[k]
                seen[seat, kind, r] = bucket


@kernel
def _look(cards: Cards, boards: Longs, pair: int, signal: Longs) -> None:
    """signal: (4,) how strong two cards are in each round, by one of the tables."""
    signal[0] = cards.preflop[pair]
    signal[1] = cards.flop[boards[0, 0], cards.moved[boards[0, 1], pair]]
    signal[2] = cards.turn[boards[1, 0], cards.moved[boards[1, 1], pair]]
    signal[3] = cards.river[boards[2, 0], cards.moved[boards[2, 1], pair]]


# ---- walks -----------------------------------------------------------------------------


class Layout(NamedTuple):
    """A betting tree, and where the choices of each node stand in an array over all choices."""

    child: NDArray[np.int32]  # (N, 3)
    group: NDArray[np.unsignedinteger[Any]]  # (N,) one for nodes that are alike
    groups: Longs  # (G, 10)
    #   PLAYER    who decides
    #   ROUND
    #   PART      0: the base plays, j: the j-th expert
    #   KIND      which of the game's kinds of buckets count
    #   BUCKETS   how many there are; 0: the nodes are not in the game
    #   FIXED     1 where the player follows a strategy, whose probabilities stand for regrets
    #   FIRST     where the first bucket's fold would stand at node 0
    #   NODE      from one node to the next
    #   BUCKET    from one bucket to the next
    #   CHOICE    from one choice to the next


@kernel
def walk(
    root: int, i: int, weight: float, nodes: Layout, seen: Whole, share: FloatArray,
    regret: Numbers, total: Numbers, rng: RandomState, at: Longs, value: FloatArray,
    probs: FloatArray,
) -> float:  # fmt: skip
    """One walk of player i on one deal: what she wins, in units; nan if it leaves the game.

    seen: (players, kinds, rounds) buckets; scratch for i's nodes above this one: at (D, 4) node,
    first choice, how far choices are apart, and the move that is tried; value, probs (D, 3).
    """
    child, groups, keep = nodes.child, nodes.groups, regret.dtype.type
    node, top = root, 0
    while True:
        while node >= 0:
            group = nodes.group[node]
            if groups[group, BUCKETS] == 0:  # not on the way to a static expert
                return np.nan
            player, apart = groups[group, PLAYER], groups[group, CHOICE]
            bucket = seen[player, groups[group, KIND], groups[group, ROUND]]
            first = groups[group, FIRST] + node * groups[group, NODE]
            first += bucket * groups[group, BUCKET]
            low, high = 0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2
            fixed = groups[group, FIXED] != 0
            if fixed:
                for a in range(low, high):
                    probs[top, a] = regret[first + a * apart]
            else:
                match_apart(regret, first, apart, low, high, probs[top])
            if player == i and not fixed:
                at[top, 0], at[top, 1], at[top, 2], at[top, 3] = node, first, apart, low
                top += 1
                node = child[node, low]
            else:
                luck, taken = draw(rng), low
                for a in range(low, high):
                    p = probs[top, a]
                    if not fixed:
                        total[first + a * apart] += keep(weight * p)
                    if p > 0.0 and luck >= 0.0:
                        taken = a
                        luck -= p
                node = child[node, taken]
        worth = won_at(~node, i, share)
        while top > 0:
            here = top - 1
            node, first, apart, move = at[here, 0], at[here, 1], at[here, 2], at[here, 3]
            value[here, move] = worth
            move += 1
            if move < 3 and child[node, move] != 0:
                at[here, 3] = move
                node = child[node, move]
                break
            top, worth = here, 0.0
            low = 0 if child[node, 0] != 0 else 1
            for a in range(low, move):
                worth += probs[here, a] * value[here, a]
            for a in range(low, move):
                regret[first + a * apart] += keep(weight * (value[here, a] - worth))
        else:
            return worth


@kernel
def deal_until(
    cards: Cards, path_probs: FloatArray, path_player: Longs, rng: RandomState, deal: Deal
) -> bool:
    """Deal until the hands are such that their owners play to where the walk begins; False if that
    takes too long.

    path_probs: (moves, 1326) the chance that a hand makes each move there; path_player: (moves,)
    """
    for _ in range(TRIES):
        deal_hands(rng, deal)
        chance = 1.0
        for k in range(len(path_player)):
            chance *= path_probs[k, deal.pairs[path_player[k]]]
        if len(path_player) == 0 or draw(rng) < chance:
            deal_board(cards, rng, deal)
            return True
    return False


@kernel
def sample(
    done: int, iterations: int, linear: bool, root: int, walkers: Longs, nodes: Layout, depth: int,
    tables: tuple[Cards, ...] | None, kinds: Kinds | None, boards: BoardDeals | None,
    path_probs: FloatArray, path_player: Longs, regret: Numbers, total: Numbers, rng: RandomState,
    deal: Deal, seen: Whole,
) -> bool:  # fmt: skip
    """So many iterations: one deal and one walk for each of the walkers; False if no deal leads to
    an expert."""
    share = np.zeros((1 << len(seen), len(seen)))
    at, value, probs = np.zeros((depth, 4), np.int64), np.zeros((depth, 3)), np.zeros((depth, 3))
    for t in range(done + 1, done + iterations + 1):
        weight = float(t) if linear else 1.0
        for i in walkers:
            won, tries = np.nan, 0
            while np.isnan(won):
                if tries == TRIES or not next_deal(
                    tables, kinds, boards, path_probs, path_player, rng, deal, seen, share
                ):
                    return False
                tries += 1
                won = walk(
                    root, i, weight, nodes, seen, share, regret, total, rng, at, value, probs
                )
    return True


@kernel
def normalise(nodes: Layout, sums: Numbers, out: Numbers) -> None:
    """The strategy proportional to sums; all allowed moves alike where there are none."""
    child, groups, probs = nodes.child, nodes.groups, np.zeros(3)
    for node in range(len(child)):
        group = nodes.group[node]
        first, apart = groups[group, FIRST] + node * groups[group, NODE], groups[group, CHOICE]
        low, high = 0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2
        for _ in range(groups[group, BUCKETS]):
            match_apart(sums, first, apart, low, high, probs)
            for a in range(low, high):
                out[first + a * apart] = probs[a]
            first += groups[group, BUCKET]


@kernel
def add_up(nodes: Layout, values: Numbers, out: FloatArray) -> None:
    """out: the sum at each information set, in the order of the nodes."""
    child, groups, place = nodes.child, nodes.groups, 0
    for node in range(len(child)):
        group = nodes.group[node]
        first = groups[group, FIRST] + node * groups[group, NODE]
        low, high = 0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2
        for _ in range(groups[group, BUCKETS]):
            for a in range(low, high):
                out[place] += values[first + a * groups[group, CHOICE]]
            first += groups[group, BUCKET]
            place += 1


@kernel
def copy(
    wanted: NDArray[np.bool_], nodes: Layout, values: Numbers, there: Layout, given: Numbers
) -> None:
    """Write what stands at nodes of the `wanted` groups to where it stands in another layout."""
    child = nodes.child
    for node in range(len(child)):
        if not wanted[nodes.group[node]]:
            continue
        mine, theirs = nodes.groups[nodes.group[node]], there.groups[there.group[node]]
        to, by = mine[FIRST] + node * mine[NODE], theirs[FIRST] + node * theirs[NODE]
        low, high = 0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2
        for _ in range(mine[BUCKETS]):
            for a in range(low, high):
                values[to + a * mine[CHOICE]] = given[by + a * theirs[CHOICE]]
            to += mine[BUCKET]
            by += theirs[BUCKET]


# ---- matches -----------------------------------------------------------------------------


def match_scores(
    tree: BettingTree, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool = True
) -> FloatArray:
    """(deals, n) what n strategies win from each deal, the mean over all seatings; without
    `duplicate` every seating gets cards and dice of its own."""
    n = len(strategies)
    seatings, scores = np.array([*permutations(range(n))], np.int64), no_scores(deals, n)
    known = {one.fingerprint: one for sigma in strategies for one in sigma.played.kinds}
    dealt = deals_of([*known.values()])
    own = np.zeros((n, max(len(sigma.played.kinds) for sigma in strategies)), np.int64)
    for member, sigma in enumerate(strategies):
        places = [[*known].index(one.fingerprint) for one in sigma.played.kinds]
        own[member, : len(places)] = places
    # kernels want them all alike: none is written
    plans = tuple(frozen(np.ascontiguousarray(sigma.probs)) for sigma in strategies)
    layouts = tuple(sigma.played.layout for sigma in strategies)
    cards, dice, deal = random_state(2 * seed), random_state(2 * seed + 1), new_deal(n)
    each = 1 if duplicate else len(seatings)
    with ProgressBar("hands in all seatings", deals) as bar:
        for done in range(0, deals, TOGETHER):
            here = scores[done : done + TOGETHER]
            seen = np.zeros((len(here) * each, n, len(known), len(tree.first) - 1), np.int32)
            share = np.zeros((len(seen), 1 << n, n))
            deal_many(*dealt, cards, deal, seen, share)
            play_many(seatings, plans, layouts, own, seen, share, tree.depth, n > 2, dice, here)
            here *= tree.unit
            bar.show(min(done + TOGETHER, deals))
    return scores


@kernel
def deal_many(
    tables: tuple[Cards, ...] | None, kinds: Kinds | None, boards: BoardDeals | None,
    rng: RandomState, deal: Deal, seen: Whole, share: FloatArray,
) -> None:  # fmt: skip
    """For each of many deals: seen (n, seats, kinds, rounds), share (n, 2^seats, seats)."""
    path_probs, path_player = np.zeros((0, 0)), np.zeros(0, np.int64)
    for k in range(len(seen)):
        next_deal(tables, kinds, boards, path_probs, path_player, rng, deal, seen[k], share[k])


@kernel
def play_many(
    seatings: Longs, plans: tuple[Numbers, ...], layouts: tuple[Layout, ...], own: Longs,
    seen: Whole, share: FloatArray, depth: int, shared: bool, dice: RandomState, scores: FloatArray,
) -> None:  # fmt: skip
    """scores: (n, members) what each member wins, the mean over seatings; in units.

    own: (members, kinds) where `seen` has the buckets that count for a member. There is a deal for
    each score, or one for each of its seatings. shared: every seating of a deal begins with the
    same dice.
    """
    each, luck = len(seen) // len(scores), np.zeros_like(dice)
    for k in range(len(scores)):
        for t in range(len(seatings)):
            here = k * each + (t if each > 1 else 0)
            for word in range(len(dice)):
                luck[word] = dice[word]
            node = 0
            while node >= 0:
                group = layouts[0].group[node]
                player = layouts[0].groups[group, PLAYER]
                member = seatings[t, player]
                layout, plan = layouts[member], plans[member]
                child, groups = layout.child, layout.groups
                group = layout.group[node]
                kind = own[member, groups[group, KIND]]
                bucket = seen[here, player, kind, groups[group, ROUND]]
                first = groups[group, FIRST] + node * groups[group, NODE]
                first += bucket * groups[group, BUCKET]
                number, taken = draw(luck), 0
                for a in range(0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2):
                    p = plan[first + a * groups[group, CHOICE]]
                    if p > 0.0 and number >= 0.0:
                        taken = a
                        number -= p
                node = child[node, taken]
            for seat in range(len(seatings[t])):
                scores[k, seatings[t, seat]] += won_at(~node, seat, share[here])
            if not shared:
                for word in range(len(dice)):
                    dice[word] = luck[word]
            elif each > 1 or t == len(seatings) - 1:
                for _ in range(depth):
                    draw(dice)
        for member in range(scores.shape[1]):
            scores[k, member] /= len(seatings)
