"""Who sits on the other side: an equilibrium, a habit, a strategy from a file, one's own function.

    "equilibrium"       the answer of a solver (CFR+ unless another is named), solved when needed
    "uniform"           every move equally likely
    "always-call"       that move whenever possible, in the words of the game; otherwise the most
                        peaceful one there is (check, call, pass), otherwise the first; who always
                        raises also bets
    "searching"         thinks at the table; "learning" learns from you; "match" plays Toepen for
                        the match: opponents with a mind (`minds.py`)
    "sampled"           what external sampling from the rules learns, for games without a tree
    FILE.npz            a strategy that `save` wrote (or a sampled run)
    object              a Strategy, a Run, a function f(player, seen, actions), a policy

An `Opponent` makes policies, one for each game it meets: the hands near the end of a match of
Toepen are games of their own, because nobody may bet beyond the bound. It is told the hands that
were played so far, for those who learn from them.

>>> from workbench.games.registry import load_game
>>> habit = find_opponent("always-raise", load_game("leduc"))
>>> habit.name, habit.policy(load_game("leduc")).probabilities(1, ("Q♠", "", "c"), ("c", "r"))
('always-raise', [0.0, 1.0])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.games.words import glance, words_for
from workbench.lab.analysis.rules_sampling.run import load_sampled, sample_rules
from workbench.lab.play.equilibrium_cache import EquilibriumCache
from workbench.lab.play.hand_record import Hand
from workbench.lab.play.minds import MINDS, Policies, mind_named, minds_for
from workbench.policies import Dealer, Dice, Policy, as_policy
from workbench.rules import GameError, Rules, label_of
from workbench.settings import unknown_name
from workbench.strategy import Strategy

NAMES = ("equilibrium", *MINDS, "uniform", "sampled", "always-MOVE", "FILE.npz")
BOLD, PEACEFUL = ("raise", "bet"), ("check", "call", "pass")
SAMPLES = 2_000  # iterations of "sampled" unless another number is given
HABITS = 6  # that are offered, at most


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against: a name, and a policy for each game."""

    name: str
    policy: Policies
    solved: bool = False  # its policies come from the book, so each game is solved first
    mind: bool = False  # it thinks or learns: there is something to make ready, and to look at


def find_opponent(
    who: Any,
    rules: Rules,
    book: EquilibriumCache | None = None,
    *,
    iterations: int | None = None,
    seed: int = 0,
    abstraction: str | None = None,
) -> Opponent:
    """The opponent of this name; see help('workbench.lab.play.opponents').

    book: who solves games.
    """
    if isinstance(who, Opponent):
        return who
    name, known = str(who), EquilibriumCache() if book is None else book
    if isinstance(who, Path) or (isinstance(who, str) and who.endswith(".npz")):
        name, policy = Path(who).name, _from_file(Path(who), rules, abstraction)
    elif not isinstance(who, str):
        name = getattr(who, "__name__", "") or type(who).__name__
        strategy = getattr(who, "strategy", who)
        policy = as_policy(strategy, "the opponent")
        if hasattr(strategy, "tree"):  # one of another game is refused now, not when it moves
            Dealer(rules).play([policy] * rules.players, Dice(0).throw(0), Dice(1).throw(0))
    elif who == "equilibrium":
        name = f"{who} [{abstraction}]" if abstraction else who
        return Opponent(
            name, lambda rules, hands=(): as_policy(known.strategy(rules, abstraction)), True
        )
    elif who in MINDS:
        return Opponent(name, *mind_named(who, rules, known, abstraction), mind=True)
    elif who == "uniform":
        policy = as_policy(lambda player, seen, actions: [1 / len(actions)] * len(actions))
    elif who == "sampled":
        policy = sample_rules(rules, iterations or SAMPLES, seed=seed, abstraction=abstraction)
    elif who.startswith("always-"):
        policy = _habit(who, rules)
    else:
        raise unknown_name("opponent", who, NAMES)
    return Opponent(name, lambda rules, hands=(): policy)


def absent_opponent(name: str) -> Opponent:
    """Somebody who played then and is not here now: good enough to look back."""

    def refuse(rules: Rules, hands: Sequence[Hand] = ()) -> Policy:
        raise GameError(f"the opponent {name!r} is not here; load with opponent=… to play on")

    return Opponent(name, refuse)


def _from_file(path: Path, rules: Rules, abstraction: str | None) -> Policy:
    try:
        return as_policy(Strategy.load(path, rules))
    except GameError as error:
        if "sampled run" not in str(error):
            raise
        return load_sampled(path, rules, abstraction)


def _habit(name: str, rules: Rules) -> Policy:
    """Always the same move, where that is possible."""
    wanted, (spoken, written) = name.removeprefix("always-"), _moves(rules)
    if wanted not in (moves := list(dict.fromkeys(spoken + written))):
        raise unknown_name("move", wanted, moves)
    words = words_for(rules)
    wishes = (wanted, *(BOLD if wanted in BOLD else ()), *PEACEFUL)

    def decide(player: int, seen: Any, actions: Sequence[Any]) -> Any:
        names = {one: (label_of(one), words.move(one, seen, actions)) for one in actions}
        return next((one for wish in wishes for one in actions if wish in names[one]), actions[0])

    return as_policy(decide, name)


def _moves(rules: Rules) -> tuple[list[str], list[str]]:
    """What moves are called in this game (in its first states): in words, and as the rules do."""
    words, found = words_for(rules), glance(rules).decisions
    spoken = [words.move(move, at.seen, at.actions) for at in found for move in at.actions]
    written = [label_of(move) for at in found for move in at.actions]
    return list(dict.fromkeys(spoken)), list(dict.fromkeys(written))


def opponents_for(rules: Rules, match: bool = False) -> list[str]:
    """Whom a game, or a match of it, can be played against, by name: the habits are its own moves.

    >>> from workbench.games.registry import load_game
    >>> opponents_for(load_game("kuhn"))[:4]
    ['equilibrium', 'searching', 'learning', 'uniform']
    """
    spoken, written = _moves(rules)
    moves = [move for move in spoken if " " not in move] or written
    habits = [f"always-{move}" for move in moves][:HABITS]
    return ["equilibrium", *minds_for(rules, match), "uniform", *habits]
