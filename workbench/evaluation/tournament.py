"""Tournaments: everybody meets everybody in every seat, and all winnings are exact.

Everyday example: three friends argue who plays Kuhn poker best. Each pair plays, each friend sits
in each seat equally often, and the table says what the row wins from the column on average.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> friends = {
...     "uniform": Strategy.uniform(tree),
...     "bold": Strategy.from_function(tree, lambda player, seen, actions: "b"),
...     "timid": Strategy.from_function(tree, lambda player, seen, actions: "p"),
... }
>>> tournament(friends)
         uniform   bold  timid
uniform    0.000 -0.375    0.5
bold       0.375  0.000    1.0
timid     -0.500 -1.000    0.0
>>> standings(friends)
         winnings  wins  losses  exploitability
bold       0.6875     2       0        0.333333
uniform    0.0625     1       1        0.458333
timid     -0.7500     0       2        1.000000

A *table* is one strategy per seat, all different; its members play all P! seatings. With two
players a table is a pair, and the row against the column is one table. With more players a cell is
the mean over all tables where row and column sit, and on the diagonal everybody plays the row.

How: a strategy σ in seat i contributes to a terminal z the product π_i(z) of its own
probabilities, so one seating is worth Σ_z chance(z) u(z) Π_i π_i(z). These products are taken once
for each strategy and seat; then two seats at a time are one matrix product: in a field of fifteen,
0.4 ms for a seating of three-player Leduc, which `expected_values` takes 8 ms for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any, Literal

import numpy as np

from workbench.evaluation.values import common_tree, expected_values, exploitability
from workbench.later import pd
from workbench.passes import luck, own_reach
from workbench.rules import GameError
from workbench.settings import need_number, need_one_of
from workbench.strategy import Profile, Strategy, need_profile
from workbench.tree import FloatArray, GameTree


def tournament(players: Mapping[str, Strategy]) -> pd.DataFrame:
    """The exact cross table: what the row wins against the column, seats averaged."""
    worth, names = all_seatings(list(need_names(players).values())), list(players)
    seats = worth.shape[-1]
    if seats < 2:
        raise GameError(
            "in a game for one player nobody meets anybody; ask standings(players) who wins most"
        )
    total, count = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for member, won in _tables(worth) if len(names) > 1 else ():
        for i, j in permutations(range(seats), 2):
            total[member[i], member[j]] += won[i]
            count[member[i], member[j]] += 1
    for a in range(len(names)):
        total[a, a], count[a, a] = worth[(a,) * seats].mean(), 1
    return pd.DataFrame(total / count, index=names, columns=names)


def meetings(players: Mapping[str, Strategy]) -> pd.DataFrame:
    """Every table with its members: columns table, name, winnings (all seatings averaged)."""
    names = list(need_names(players))
    rows = [
        (", ".join(str(names[a]) for a in member), names[a], float(x))
        for member, won in _tables(all_seatings(list(players.values())))
        for a, x in zip(member, won, strict=True)
    ]
    return pd.DataFrame(rows, columns=["table", "name", "winnings"])


def standings(
    players: Mapping[str, Strategy],
    *,
    scoring: Literal["bankroll", "run-off"] = "bankroll",
    tolerance: float = 1e-9,
) -> pd.DataFrame:
    """Who is first: mean winnings over tables, and tables won and lost.

    A table is won by winning more than `tolerance` at it, and lost by losing more; it is a part of
    the game's largest payoff (of its unit, in a card game without a tree). The last column is what
    an opponent who knows the strategy could win: `exploitability` with two players, with more the
    mean `gain` of a player who deviates alone.

    Two ways to score, as in the AAAI Computer Poker Competition. "bankroll" adds everything up.
    In a "run-off" whoever has won least goes home, and the others are counted anew without her,
    until one table is left; each row has the numbers of the round in which its player went.
    A bankroll rewards those who win much from the weak, a run-off those who hold among the strong.
    """
    need_number("tolerance", tolerance)
    need_one_of("scoring", scoring, ("bankroll", "run-off"))
    names = list(need_names(players))
    tables = _tables(all_seatings(list(players.values())))
    tree = next(iter(players.values())).tree
    near = np.full(len(tables[0][0]), tolerance * tree.largest_payoff)
    found = ranked(names, [(member, won, near) for member, won in tables], scoring)
    found["exploitability" if tree.num_players == 2 else "gain"] = pd.Series(
        {name: exploitability(strategy) for name, strategy in players.items()}
    )
    return found


def ranked(
    names: Sequence[str],
    tables: Sequence[tuple[tuple[int, ...], FloatArray, FloatArray]],
    scoring: Literal["bankroll", "run-off"],
) -> pd.DataFrame:
    """Mean winnings, wins and losses, the first first; a table is (members, what each wins, and
    how much of it does not count as won or lost)."""
    seats, left, rows = len(tables[0][0]), list(range(len(names))), list[tuple[Any, ...]]()
    while left:
        here = [table for table in tables if {*table[0]} <= {*left}]
        won = {  # (tables, 2)
            a: np.array([(x[m.index(a)], near[m.index(a)]) for m, x, near in here if a in m])
            for a in left
        }
        order = sorted(left, key=lambda a: (float(won[a][:, 0].mean()), -a))
        going = order[:1] if scoring == "run-off" and len(left) > seats else order
        for a in going:
            each, near = won[a].T
            rows.append((names[a], each.mean(), (each > near).sum(), (each < -near).sum()))
            left.remove(a)
    columns = ["name", "winnings", "wins", "losses"]
    return pd.DataFrame(rows[::-1], columns=columns).set_index("name").rename_axis(None)


def all_seatings(strategies: Sequence[Profile]) -> FloatArray:
    """(n, …, n, P) what each seat wins when strategies a, b, … sit in seats 0, 1, …

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("kuhn"))
    >>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
    >>> all_seatings([Strategy.uniform(tree), bold])[0, 1]
    array([-0.25,  0.25])
    """
    tree = common_tree(strategies)
    n, seats = len(strategies), tree.num_players
    if not isinstance(tree, GameTree):
        rows = [expected_values(table) for table in product(strategies, repeat=seats)]
        return np.reshape(rows, (n,) * seats + (seats,))
    lucky = luck(tree)[tree.terminal >= 0]  # (Z,)
    own = np.stack([own_reach(tree, strategy.probs) for strategy in strategies])  # (n, P, Z)
    if seats == 1:
        return np.asarray(own[:, 0] @ (lucky[:, None] * tree.utility))
    worth = np.empty((n,) * seats + (seats,))
    known = seats - 1 if tree.zero_sum else seats  # the last one wins what the others lose
    for rest in np.ndindex((n,) * (seats - 2)):  # who sits in seats 2, 3, …
        weight = lucky.copy()
        for seat, a in enumerate(rest, 2):
            weight *= own[a, seat]
        for i in range(known):
            first = own[:, 0] * (weight * tree.utility[:, i])
            worth[(slice(None), slice(None), *rest, i)] = first @ own[:, 1].T
    if known < seats:
        worth[..., -1] = -worth[..., :-1].sum(axis=-1)
    return worth


def _tables(worth: FloatArray) -> list[tuple[tuple[int, ...], FloatArray]]:
    """[(members, what each wins)] of every table of different strategies, seats averaged."""
    members = tables_of(worth.shape[0], worth.shape[-1])
    return [(member, table_winnings(worth, member)) for member in members]


def tables_of(strategies: int, seats: int) -> list[tuple[int, ...]]:
    """The members of every table of different strategies."""
    if strategies < seats:
        raise GameError(
            f"a table of {seats} needs {seats} strategies, not {strategies}; add some, "
            "or ask expected_values([a, b, b]) for one seating"
        )
    return list(combinations(range(strategies), seats))


def table_winnings(worth: FloatArray, member: Sequence[int]) -> FloatArray:
    """(P,) what each member of a table wins on average over all seatings."""
    won = np.zeros(len(member))
    orders = list(permutations(range(len(member))))
    for order in orders:  # order[s]: which member sits in seat s
        won[list(order)] += worth[tuple(member[m] for m in order)]
    return won / len(orders)


def need_names(players: Mapping[str, Strategy]) -> Mapping[str, Strategy]:
    if not isinstance(players, Mapping) or not players:
        raise GameError('a tournament needs names: tournament({"base": one, "experts": other})')
    return players


# ---- against other schools -----------------------------------------------------------

Group = Strategy | Sequence[Strategy]  # strategies of one base; one alone is a base of its own

_NAMED = "strategies are named inside each base: {'JQ-K': {'base': a, 'experts': b}, 'null': …}"
_GROUPED = "opponents are grouped by base: [[a, b], [c, d]], or [a, c] with one of each"


def earnings(strategy: Strategy, opponents: Sequence[Group]) -> float:
    """What a strategy wins on average from opponents who think in other abstractions; they are
    grouped by base, `[[a, b], [c, d]]`.

    Everyday example: to compare two ways of learning, do not let pupils of one teacher play among
    themselves; send them to the other schools. So Gibson & Szafron (2011, Section 6) score a
    strategy against all combinations and orderings of opponents such that everybody at the table
    uses a different *base abstraction*: the mean over all choices of P − 1 bases and one opponent
    of each, and all seatings. Two players: of (u_1(σ_1, σ'_2) + u_2(σ'_1, σ_2)) / 2.

    >>> import workbench as wb
    >>> tree = wb.compile_game(wb.load_game("kuhn"))
    >>> uniform = Strategy.uniform(tree)
    >>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
    >>> timid = Strategy.from_function(tree, lambda player, seen, actions: "p")
    >>> earnings(bold, [uniform, timid])
    0.6875
    >>> earnings_table({"school": {"bold": bold, "uniform": uniform}, "home": {"timid": timid}})
                    earnings
    school bold         1.00
           uniform      0.50
    home   timid       -0.75
    """
    field, groups = [need_profile(strategy)], []
    for group in opponents if isinstance(opponents, Sequence) else [opponents]:
        members: Any = [group] if isinstance(group, Profile) else group
        if group is opponents or not isinstance(members, Sequence) or isinstance(members, str):
            raise GameError(f"{_GROUPED}, not {type(group).__name__}")
        groups.append(range(len(field), len(field) + len(members)))
        field += members
    return _mean_winnings(all_seatings(field), 0, groups)


def earnings_table(bases: Mapping[str, Mapping[str, Strategy]]) -> pd.DataFrame:
    """The earnings of every strategy of `{base: {name: strategy}}` against the other bases."""
    if not isinstance(bases, Mapping) or not bases:
        given = repr(bases) if isinstance(bases, Mapping) else type(bases).__name__
        raise GameError(f"{_NAMED}, not {given}")
    for base, members in bases.items():
        if not isinstance(members, Mapping):
            raise GameError(f"{_NAMED}; {base!r} has {type(members).__name__} instead")
    rows = [(base, name) for base, members in bases.items() for name in members]
    worth = all_seatings([bases[base][name] for base, name in rows])
    groups = {base: [a for a, (its, _) in enumerate(rows) if its == base] for base in bases}
    earned = [
        _mean_winnings(worth, a, [group for other, group in groups.items() if other != base])
        for a, (base, _) in enumerate(rows)
    ]
    return pd.DataFrame({"earnings": earned}, index=pd.MultiIndex.from_tuples(rows))


def _mean_winnings(worth: FloatArray, a: int, groups: Sequence[Sequence[int]]) -> float:
    """The mean of what `a` wins with one opponent of each of P − 1 different groups."""
    seats = worth.shape[-1]
    tables = [
        (a, *others) for chosen in combinations(groups, seats - 1) for others in product(*chosen)
    ]
    if not tables:
        raise GameError(
            f"a table of {seats} needs opponents of {seats - 1} other "
            f"{'base' if seats == 2 else 'bases'}; "
            f"there are {sum(map(bool, groups))} with somebody in them"
        )
    return float(np.mean([table_winnings(worth, table)[0] for table in tables]))
