"""Judges for Lecture 01, *What does it mean to play well?*: Kuhn poker."""

from collections.abc import Mapping

import workbench as wb
from workbench.lab.exercises import UnfitError, game, numbers, right, strategy, wrong


def check_mine(answer):
    sigma = strategy(answer, game("kuhn"))
    epsilon = wb.exploitability(sigma)
    if epsilon < 1 / 10:
        return right(f"Exploitability {max(epsilon, 0):.4f}. Everything below 1/10 counts.")
    fair = {1: 1 / 18, 0: -1 / 18}  # what a best response in this seat wins from an equilibrium
    lost = [wb.best_response(sigma, seat).value - fair[seat] for seat in (1, 0)]
    worse = 0 if lost[0] >= lost[1] else 1
    return wrong(
        f"Exploitability {epsilon:.4f}, not below 0.1. In the seat of player {worse + 1} yours "
        f"gives away {lost[worse]:.3f} more than an equilibrium, in the other "
        f"{lost[1 - worse]:.3f}: mend player {worse + 1} first."
    )


def family(alpha):
    """The equilibria of Kuhn poker, as in the notebook."""
    bet = {
        "": {"J": alpha, "Q": 0, "K": 3 * alpha},
        "pb": {"J": 0, "Q": alpha + 1 / 3, "K": 1},
        "p": {"J": 1 / 3, "Q": 0, "K": 1},
        "b": {"J": 0, "Q": 1 / 3, "K": 1},
    }

    def play(player, seen, actions):
        card, betting = seen
        return {"b": bet[betting][card], "p": 1 - bet[betting][card]}

    return wb.Strategy.from_function(game("kuhn"), play)


def check_alphas(answer):
    others = {
        "uniform": wb.Strategy.uniform(game("kuhn")),
        "honest": wb.Strategy.from_function(game("kuhn"), lambda _, seen, __: "bp"[seen[0] != "K"]),
        "bold": wb.Strategy.from_function(game("kuhn"), lambda *_: "b"),
    }
    asked = answer if isinstance(answer, Mapping) else {}
    tied = [name for name in others if isinstance(asked.get(name), str)]
    if any(asked[name].strip().lower() != "all" for name in tied):
        raise UnfitError('an α between 0 and 1/3 is needed here, or "all" if every α wins the same')
    alone = {name: alpha for name, alpha in asked.items() if name not in tied} if tied else answer
    given = numbers(alone, [name for name in others if name not in tied]) if alone else {}
    for name, other in others.items():
        low, high = (wb.expected_values([family(a), other])[0] for a in (0, 1 / 3))
        if name in tied and abs(low - high) > 1e-9:
            return wrong(f"{name}: not every α wins the same; α = 0 wins {low:.4f}.")
        if name in tied:
            continue
        alpha = given[name]
        if not 0 <= alpha <= 1 / 3 + 1e-3:
            return wrong(f"{name}: α must lie between 0 and 1/3, since the King bets with 3α.")
        won = wb.expected_values([family(min(alpha, 1 / 3)), other])[0]
        if won < max(low, high) - 1e-3:
            best = max(low, high)
            return wrong(f"{name}: α = {alpha:.3g} wins {won:.4f}; another wins {best:.4f}.")
        if abs(low - high) < 1e-9:
            return wrong(f'{name}: α = {alpha:.3g} is as good as any; answer "all", and ask why.')
    return right(
        "Against uniform α = 1/3 wins most, half of the gain by the Jack's bluffs and half by the "
        "Queen's calls. Against the other two every α wins the same. Honest folds too many Queens "
        "to the Jack's bluffs, but bets only with the King, so her calls lose just as much. "
        "Bold never folds and always bets, and there it is the other way round."
    )
