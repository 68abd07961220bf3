"""Judges for the lab *Who wins a Toepen tournament?*: 3/3/2 with betting."""

from functools import cache
from types import FunctionType

import workbench as wb
from workbench.lab.exercises import UnfitError, game, right, same_merging, strategy, wrong

SOLVER = wb.solvers.ExternalSampling(linear=False)


def toepen():
    return game("toepen", suits=3, ranks=3, hand=2, suit_isomorphism=True)


def trained(rule, seed=0):
    return wb.solve(toepen(), SOLVER, 100_000, seed=seed, abstraction=rule, progress=False).strategy


def check_stake(answer):
    if isinstance(answer, FunctionType) and answer.__code__.co_argcount == 2:
        answer = wb.toepen.hand_rule(answer)
    if not (callable(answer) or isinstance(answer, (str, wb.toepen.HandRule))):
        raise UnfitError("a rule is needed here: `wb.toepen.hand_rule(lambda hand, table: …)`")
    made = wb.abstract(toepen(), answer)

    def remembers(rule, by_kind=True):
        return same_merging(made, wb.abstract(toepen(), wb.toepen.hand_rule(rule, by_kind=by_kind)))

    for by_kind in (True, False):
        if remembers(lambda hand, table: (hand.high, table.stake), by_kind):
            kinds = "" if by_kind else " (With kinds kept apart there are 40, and it is better.)"
            return right(
                f"{made.coarse.num_infosets} information sets, exploitability "
                f"{wb.exploitability(trained(answer)):.2f} points per hand.{kinds} "
                "`simple-history` by kind has 65 and 0.26: the cards tell more than the stake."
            )
    if remembers(lambda hand, table: hand.high):
        return wrong("It remembers the high cards and forgets the stake.")
    if remembers(lambda hand, table: table.stake):
        return wrong("It remembers the stake and forgets the high cards.")
    return wrong(
        f"{made.coarse.num_infosets} information sets; high cards and stake alone leave 40 (18 "
        "with kinds mixed)."
    )


@cache
def house():
    """The seven players of station 4."""
    tree = toepen()

    def habit(*moves):
        def choose(player, seen, actions):
            first = next((move for move in moves if move in actions), None)
            return first or [1 / len(actions)] * len(actions)

        return wb.Strategy.from_function(tree, choose)

    return {
        "equilibrium": wb.solve(tree, "cfr+", 1_000, progress=False).strategy,
        "advanced-history": trained("advanced-history-by-kind"),
        "simple-history": trained("simple-history-by-kind"),
        "bold": habit("bet", "call"),
        "caller": habit("check", "call"),
        "uniform": habit(),
        "timid": habit("check", "fold"),
    }


def check_bankroll(answer):
    mine = strategy(answer, toepen())
    table = wb.standings({"yours": mine, **house()})
    place, won = list(table.index).index("yours") + 1, table["winnings"]
    said = f"It wins {won['yours']:.3f} points per hand over the field"
    if place == 1:
        left = {"yours": mine, **house()}
        while len(left) > 2 and "yours" in left:
            del left[wb.standings(left).index[-1]]
        survives = "yours" in left and wb.standings(left).index[0] == "yours"
        run_off = "It also wins the run-off." if survives else "It does not win the run-off."
        return right(f"{said}, and is first ({won.index[1]}: {won.iloc[1]:.3f}). {run_off}")
    return wrong(f"{said} and is number {place}; {won.index[0]} wins {won.iloc[0]:.3f}.")
