"""Matches: many hands are dealt and played, and the score comes with an interval.

Everyday example: at a bridge club every table plays the same deals, so that the best pair wins and
not the luckiest. Here each deal is played once for every way to seat the players: twice by two
(*duplicate*), six times by three (*triplicate*). What a strategy wins from a deal is the mean over
these seatings, and deals are independent of one another, so winnings ± margin holds the exact value
95 times in a hundred (intervals.py), unless much depends on what hardly ever happens. It serves
games whose terminals are too many to sum over, and repeats what papers did that had nothing else.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: actions[-1])
>>> sample_match({"bold": bold, "uniform": Strategy.uniform(tree)}, deals=20_000, seed=1)
         winnings   margin       low      high
bold     1.859325  0.05207  1.807255  1.911395
uniform -1.859325  0.05207 -1.911395 -1.807255

What exactly is shared: for each deal one list of random numbers is drawn, and whenever chance moves
for the k-th time in a game it uses the k-th of them, in every seating. Where the odds are
the same (cards dealt one by one, a board turned up after any betting) the outcome is the same.
Players' own dice are thrown anew in each game. The deals depend on the seed alone: all tables of
one seed play the same hands, and more deals begin with the fewer.

Two people who disagree about a card game do not compute, they play a hundred evenings and count:
`play_match` plays straight from the rules, for games that have no tree, or policies that have none.
Nothing is compiled, so it is slower and knows no limits.

>>> def bold(player, seen, actions): return actions[-1]
>>> def uniform(player, seen, actions): return [1 / len(actions)] * len(actions)
>>> both = {"bold": bold, "uniform": uniform}
>>> play_match(wb.load_game("leduc"), both, deals=500, seed=1).round(2)
         winnings  margin   low  high
bold          2.0    0.34  1.66  2.34
uniform      -2.0    0.34 -2.34 -1.66
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.evaluation.intervals import intervals, margins, no_scores
from workbench.evaluation.tournament import need_names, ranked, tables_of
from workbench.evaluation.values import common_tree
from workbench.kernels import RandomState, draw, kernel, random_state
from workbench.later import pd
from workbench.passes import how_often, luck, own_reach
from workbench.policies import Dealer, Dice, Policy, as_policy
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules, need_rules
from workbench.settings import need_bool, need_one_of
from workbench.strategy import Strategy
from workbench.tree import CHANCE, FloatArray, Form, GameTree, IntArray, kept

CARDS = 1000  # a stream of random numbers that no solver uses


def sample_match(
    players: Mapping[str, Strategy], *, deals: int = 10_000, seed: int = 0, duplicate: bool = True
) -> pd.DataFrame:
    """What each of P players wins: one row a name, columns winnings, margin, low, high.

    Each deal is played in all P! seatings; with `duplicate=False` every seating gets cards of its
    own, as in a plain simulation. With the same seed another order of the names gets the same cards
    and other dice: {"a": …, "b": …} and {"b": …, "a": …} are two samples of one match.

    winnings ± margin, from low to high, is a 95 % interval (intervals.py). It cannot know of what
    the deals have not shown: play several times as many as the rarest outcome that matters needs
    to turn up. If all deals score alike, the margin allows for an outcome that has not turned up
    yet; it is 0 only if the rules and the strategies leave no other, and nan (unknown) in a game
    without a tree.
    """
    strategies = list(need_names(players).values())
    scores = sample_scores(strategies, deals=deals, seed=seed, duplicate=duplicate)
    return intervals(list(players), scores, partial(_span, strategies))


def sample_tournament(
    players: Mapping[str, Strategy], *, deals: int = 10_000, seed: int = 0
) -> pd.DataFrame:
    """The same for any number of players: all tables of different strategies play the same deals.

    A row is the mean over the tables where a strategy sits, best first.
    """
    names, strategies = list(need_names(players)), list(players.values())
    scores = tournament_scores(strategies, deals=deals, seed=seed)
    found = intervals(names, scores, partial(_span, strategies))
    return found.sort_values("winnings", ascending=False)


def tournament_scores(strategies: list[Strategy], *, deals: int, seed: int = 0) -> FloatArray:
    """(deals, strategies) what each wins from each deal, the mean over the tables it sits at."""
    seats, many = common_tree(strategies).num_players, len(strategies)
    members, total, tables = tables_of(many, seats), no_scores(deals, many), np.zeros(many)
    for member in map(list, members):
        total[:, member] += sample_scores([strategies[a] for a in member], deals=deals, seed=seed)
        tables[member] += 1
    return total / tables


def sample_standings(
    players: Mapping[str, Strategy],
    *,
    deals: int = 10_000,
    seed: int = 0,
    scoring: Literal["bankroll", "run-off"] = "bankroll",
) -> pd.DataFrame:
    """Who is first, by matches instead of exact values: columns winnings, margin, wins, losses.

    All tables of different strategies play the same deals. A table is won if the 95 % interval of
    what is won there lies above zero, and lost if it lies below. `scoring`: see `standings`.
    """
    names, strategies = list(need_names(players)), list(players.values())
    need_one_of("scoring", scoring, ("bankroll", "run-off"))
    seats = common_tree(strategies).num_players
    played = {
        member: sample_scores([strategies[a] for a in member], deals=deals, seed=seed)
        for member in tables_of(len(names), seats)
    }
    tables = []
    for member, scores in played.items():
        span = partial(_span, [strategies[a] for a in member])
        won = intervals([names[a] for a in member], scores, span)
        tables.append((member, won["winnings"].to_numpy(), won["margin"].to_numpy()))
    ranking = ranked(names, tables, scoring)
    order, last = [names.index(name) for name in ranking.index], []
    for place, a in enumerate(order, start=1):
        left = {*order[: max(place, seats)]} if scoring == "run-off" else {*order}
        own = [scores[:, m.index(a)] for m, scores in played.items() if a in m and {*m} <= left]
        span = partial(_span, strategies, [a])
        last.append(margins(np.mean(own, axis=0)[:, None], span).item())
    ranking.insert(1, "margin", last)
    return ranking


def sample_scores(
    strategies: list[Strategy], *, deals: int, seed: int = 0, duplicate: bool = True
) -> FloatArray:
    """(deals, P) what each strategy wins from each deal, the mean over all seatings."""
    tree: Any = common_tree(strategies)
    seats = tree.num_players
    if len(strategies) != seats:
        raise GameError(f"{tree.name!r} is for {seats} players, not {len(strategies)}")
    need_bool("duplicate", duplicate)
    random_state(seed)  # refuses what is no seed
    if isinstance(tree, Form):
        return tree.sample_scores(strategies, deals=deals, seed=seed, duplicate=duplicate)
    cards, dice = random_state(2 * seed), random_state(2 * seed + 1)
    seatings = np.array(list(permutations(range(seats))), np.int64)  # (P!, P) who sits in seat s
    scores = no_scores(deals, seats)
    _play(
        tree.first_child, tree.player, tree.choice, tree.chance, tree.terminal, tree.utility,
        np.stack([strategy.probs for strategy in strategies]), seatings, duplicate, cards, dice,
        np.empty(most_chance_moves(tree)), scores,
    )  # fmt: skip
    return scores


def _span(strategies: Sequence[Strategy], some: Sequence[int] = ()) -> FloatArray:
    """(strategies,) how far apart what each of them (or of `some`) wins can be in two games, of all
    tables and seatings; nan if that takes a tree."""
    tree: Any = common_tree(strategies)
    if not isinstance(tree, GameTree):
        return np.full(len(some) or len(strategies), np.nan)
    lucky = luck(tree)[tree.terminal >= 0] > 0.0  # (Z,)
    own = np.stack([own_reach(tree, strategy.probs) > 0.0 for strategy in strategies])  # (n, P, Z)
    least, most = np.full((2, len(strategies)), [[np.inf], [-np.inf]])
    for seating in permutations(range(len(strategies)), tree.num_players):
        met = lucky & np.all([own[a, seat] for seat, a in enumerate(seating)], axis=0)
        for seat, a in enumerate(seating):
            won = tree.utility[met, seat]
            least[a] = min(least[a], won.min(initial=np.inf))
            most[a] = max(most[a], won.max(initial=-np.inf))
    return np.asarray((most - least)[list(some) or slice(None)])


@kept
def most_chance_moves(tree: GameTree) -> int:
    """The largest number of moves of chance in one game."""
    return int(how_often(tree, tree.player == CHANCE).max())


@kernel
def _play(
    first_child: IntArray, player: NDArray[np.int8], choice: IntArray, chance: FloatArray,
    terminal: IntArray, utility: FloatArray, probs: FloatArray, seatings: NDArray[np.int64],
    duplicate: bool, cards: RandomState, dice: RandomState, luck: FloatArray, scores: FloatArray,
) -> None:  # fmt: skip
    """Play every deal in every seating; probs: (P, K), luck: (most moves of chance,) scratch."""
    for deal in range(len(scores)):
        for t in range(len(seatings)):
            if t == 0 or not duplicate:
                for k in range(len(luck)):
                    luck[k] = draw(cards)
            h, dealt = 0, 0
            while terminal[h] < 0:
                if player[h] == CHANCE:
                    number = luck[dealt]
                    dealt += 1
                    member = -1
                else:
                    number = draw(dice)
                    member = seatings[t, player[h]]
                child = first_child[h]
                for c in range(first_child[h], first_child[h + 1]):
                    weight = chance[c]
                    if member >= 0:
                        weight *= probs[member, choice[c]]
                    if weight > 0.0:
                        child = c  # the last possible one, if rounding leaves a gap
                        number -= weight
                        if number < 0.0:
                            break
                h = child
            for seat in range(seatings.shape[1]):
                scores[deal, seatings[t, seat]] += utility[terminal[h], seat] / len(seatings)


# ---- straight from the rules ---------------------------------------------------------


def play_match(
    rules: Rules, players: Mapping[str, Any], *, deals: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """What each of P players wins: one row a name, columns winnings, margin, low, high.

    A player is a `Strategy`, a function f(player, seen, actions) as `Strategy.from_function` asks
    it, or an object with `probabilities(player, seen, actions)`, such as a sampled run.
    """
    need_rules(rules)
    if not isinstance(players, Mapping) or len(players) != rules.players:
        raise GameError(
            f"{rules.name!r} is for {rules.players} players: give a dict with {rules.players} "
            "names and their policies"
        )
    policies = [as_policy(policy, str(name)) for name, policy in players.items()]
    seatings = list(permutations(range(rules.players)))
    tables = [[policies[member] for member in seating] for seating in seatings]
    scores = no_scores(deals, rules.players)
    played = played_scores(rules, tables, deals=deals, seed=seed)
    for seating, won in zip(seatings, played, strict=True):
        scores[:, seating] += won
    return intervals([str(name) for name in players], scores / len(seatings))


def played_scores(
    rules: Rules, tables: Sequence[Sequence[Policy]], *, deals: int, seed: int = 0
) -> list[FloatArray]:
    """For each table (deals, P) what each seat wins from each deal, the same at all tables."""
    scores, dealer = [no_scores(deals, rules.players) for _ in tables], Dealer(rules)
    with ProgressBar(f"playing {rules.name}", deals * len(tables)) as bar:
        for number, seated in enumerate(tables):
            cards, coins = Dice(seed, stream=CARDS), Dice(seed, stream=CARDS + 1)
            for deal in range(deals):
                scores[number][deal] = dealer.play(seated, cards.throw(deal), coins.throw(deal))
                bar.show(number * deals + deal + 1)
    return scores
