"""The rest of a game as a game of its own: a small tree, for any solver and any judge.

Everyday example: in the middle of a hand you draw the tree that is left on a napkin. Four things
must be said before anybody can solve it:

    beliefs     chance moves first and picks a history of the public state, with probability in
                proportion to `weight`: chance's own share × my reach (× hers, if we trust it)
    gadget      then, if the other player may decline with what she knows: she is paid `floor` there
                (Burch, Johanson & Bowling 2014)
    leaves      where the napkin ends (`closed`), she chooses how she plays on: as one of some
                *continuations*, each worth a number there (Brown, Sandholm & Amos 2018)
    held        ... or all is drawn to the end, but what I do behind the cut is decided already

        chance ─┬─ deal 1 ── she: enter ── … the rest …
                │                stay ──── −floor
                └─ deal 2 ── …                          ── she: continuation 1 ── worth
                                                               continuation 2 ── worth
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.search.public import Histories, below, grown
from workbench.tree import CHANCE, NOBODY, FloatArray, GameTree, IntArray

Mask = NDArray[np.bool_]
STAY, ENTER = "stay away", "come in"
ROW = {  # a history, unless something else is said
    "parent": 0, "player": NOBODY, "infoset": -1, "choice": -1, "chance": 1.0, "outcome": -1,
    "wins": 0.0,  # of the other player, where it is over
}  # fmt: skip


class Subgame(NamedTuple):
    """The rest of a game below some histories, its roots."""

    tree: GameTree
    choice: IntArray  # (K of the whole game,) its number here, -1 if it is not here
    place: IntArray  # (R,) where each root is


def subgame(
    game: GameTree,
    roots: Histories,
    weight: FloatArray,  # (R,)
    other: int,  # the player who may stay away and choose among continuations
    know: IntArray,  # (N,) what she knows at each history
    *,
    floor: FloatArray | None = None,  # (R,) what she is paid if she stays away
    closed: Mask | None = None,  # (N,) nothing is drawn behind these histories
    leaves: FloatArray | None = None,  # (N, m) what she wins there with each continuation
    names: tuple[str, ...] = (),  # (m,) of the continuations
    held: FloatArray | None = None,  # (K,) behind closed histories the first player plays this
) -> Subgame:
    """The tree of all this; `roots` is a public state of a timed, two-player zero-sum game."""
    shut = np.zeros(game.num_histories, np.bool_) if closed is None else closed
    inside = below(game, roots, shut & (held is None))
    r, m = len(roots), len(names)
    rows: list[dict[str, Any]] = []
    seen, actions, sizes = list(game.seen), list(game.actions), [game.first_choice]

    def add(count: int, **given: Any) -> NDArray[np.int64]:
        """New histories; their numbers."""
        before = sum(len(row["parent"]) for row in rows)
        rows.append({name: np.broadcast_to(given.get(name, ROW[name]), count) for name in ROW})
        return before + np.arange(count)

    def ask(knows: IntArray, options: tuple[str, ...]) -> tuple[Any, Any]:
        """New information sets, one for all she may know: their numbers and first choices."""
        different, which = np.unique(knows, return_inverse=True)
        numbers, starts = len(seen) + which, len(actions) + len(options) * which
        seen.extend((options[0], int(one)) for one in different)
        actions.extend(options * len(different))
        sizes.append(sizes[-1][-1] + len(options) * np.arange(1, len(different) + 1))
        return numbers, starts

    add(1, parent=-1, player=CHANCE)
    gates: Any = 0
    enter, share = -1, weight / weight.sum()
    if floor is not None:
        number, stay = ask(know[roots], (STAY, ENTER))
        gates = add(r, parent=0, player=other, infoset=number, chance=share)
        add(r, parent=gates, choice=stay, wins=floor)
        enter, share = stay + 1, np.ones(r)
    first = sum(len(row["parent"]) for row in rows)
    new = np.empty(game.num_histories, np.int64)  # (N,) its number here
    new[inside] = first + np.arange(len(inside))
    rest = {name: getattr(game, name)[inside] for name in ROW if name not in ("parent", "wins")}
    rest |= {"parent": new[game.parent[inside]], "wins": np.zeros(len(inside))}
    rest["parent"][:r], rest["choice"][:r], rest["outcome"][:r] = gates, enter, -1
    rest["chance"][:r] = share
    over = game.terminal[inside]
    rest["wins"][over >= 0] = game.utility[over[over >= 0], other]
    ends = np.flatnonzero(shut[inside])
    if held is not None:
        mine = shut & (game.player == 1 - other)
        edge = np.flatnonzero(mine[game.parent[inside]] & (rest["parent"] >= first))
        rest["chance"][edge] *= held[rest["choice"][edge]]
        rest["player"][mine[inside]], rest["infoset"][mine[inside]] = CHANCE, -1
        rest["choice"][edge] = -1
    elif leaves is not None:
        rest["player"][ends], rest["infoset"][ends] = NOBODY, -1
        rest["wins"][ends] = leaves[inside[ends], 0]
        asked = ends[(know[inside[ends]] >= 0) & (m > 1)]
        rest["player"][asked] = other
        rest["infoset"][asked], start = ask(know[inside[asked]], names)
        said = {"choice": start[:, None] + np.arange(m), "wins": leaves[inside[asked], :m]}
    at = add(len(inside), **rest)
    if leaves is not None:
        add(m * len(asked), parent=np.repeat(at[asked], m), choice=said["choice"].ravel(),
            wins=said["wins"].ravel())  # fmt: skip
    table = {name: np.concatenate([row[name] for row in rows]) for name in ROW}
    wins = table.pop("wins") * (1.0 if other == 0 else -1.0)
    tree, numbers, place = grown(
        table, np.stack([wins, -wins], axis=1), name=f"{game.name} [the rest]", seen=seen,
        first_choice=np.concatenate(sizes), actions=actions, outcomes=game.outcomes,
        derived_from=game,
    )  # fmt: skip
    return Subgame(tree, numbers[: game.num_choices], place[at[:r]])
