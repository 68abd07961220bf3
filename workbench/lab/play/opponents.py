"""Who sits on the other side: an equilibrium, a habit, a strategy from a file, one's own function.

    "equilibrium"       the answer of a solver (CFR+ unless another is named), solved when needed
    "uniform"           every move equally likely
    "always-call"       that move whenever possible, in the words of the game; otherwise the most
                        peaceful one there is (check, call, pass), otherwise the first; who always
                        raises also bets
    "sampled"           what external sampling from the rules learns, for games without a tree
    FILE.npz            a strategy that `save` wrote (or a sampled run)
    object              a Strategy, a Run, a function f(player, seen, actions), a policy

An `Opponent` makes policies, one for each game it meets: the hands near the end of a match of
Toepen are games of their own, because nobody may bet beyond the bound.

>>> from workbench.games.registry import load_game
>>> habit = find_opponent("always-raise", load_game("leduc"))
>>> habit.name, habit.policy(load_game("leduc")).probabilities(1, ("Q♠", "", "c"), ("c", "r"))
('always-raise', [0.0, 1.0])
>>> find_opponent("always-rise", load_game("leduc"))
Traceback (most recent call last):
    ...
workbench.rules.GameError: there is no move 'rise'; did you mean 'raise'? \
Moves: check, bet, fold, call, raise, c, r, f
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.compiling import compile_game
from workbench.games.words import words_for
from workbench.lab.analysis.rules_sampling.run import load_sampled, sample_rules
from workbench.lab.play.equilibrium_cache import Book
from workbench.policies import Policy, as_policy
from workbench.rules import Decision, GameError, Rules, Terminal, label_of
from workbench.settings import unknown_name
from workbench.strategy import Strategy

NAMES = ("equilibrium", "uniform", "sampled")
BOLD, PEACEFUL = ("raise", "bet"), ("check", "call", "pass")
SAMPLES = 2_000  # iterations of "sampled" unless another number is given
LOOK_AT = 20_000  # states, to learn which moves a game has


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against: a name, and a policy for each game."""

    name: str
    policy: Callable[[Rules], Policy]


def find_opponent(
    who: Any,
    rules: Rules,
    book: Book | None = None,
    *,
    iterations: int | None = None,
    seed: int = 0,
    abstraction: str | None = None,
) -> Opponent:
    """The opponent of this name; see the first lines of this file. `book`: who solves games."""
    book = Book() if book is None else book
    if isinstance(who, Opponent):
        return who
    if isinstance(who, Path) or (isinstance(who, str) and who.endswith(".npz")):
        return _from_file(Path(who), rules, abstraction)
    if not isinstance(who, str):
        policy = as_policy(getattr(who, "strategy", who), "the opponent")
        name = getattr(who, "__name__", "") or type(who).__name__
        return Opponent(name, lambda rules: policy)
    if who == "equilibrium":
        within = f" [{abstraction}]" if abstraction else ""
        return Opponent(
            f"{who}{within}", lambda rules: as_policy(book.strategy(rules, abstraction))
        )
    if who == "uniform":
        even = as_policy(lambda player, seen, actions: [1 / len(actions)] * len(actions))
        return Opponent(who, lambda rules: even)
    if who == "sampled":
        run = sample_rules(rules, iterations or SAMPLES, seed=seed, abstraction=abstraction)
        return Opponent(who, lambda rules: run)
    if who.startswith("always-"):
        return _habit(who, rules)
    known = [*NAMES, "always-MOVE", "FILE.npz"]
    raise unknown_name("opponent", who, known)


def _from_file(path: Path, rules: Rules, abstraction: str | None) -> Opponent:
    try:
        policy = as_policy(Strategy.load(path, compile_game(rules)))
    except GameError as error:
        if "sampled run" not in str(error):
            raise
        policy = load_sampled(path, rules, abstraction)
    return Opponent(path.name, lambda rules: policy)


def _habit(name: str, rules: Rules) -> Opponent:
    """Always the same move, where that is possible."""
    wanted, moves = name.removeprefix("always-"), _moves(rules)
    if wanted not in moves:
        raise unknown_name("move", wanted, moves)
    words = words_for(rules)
    wishes = (wanted, *(BOLD if wanted in BOLD else ()), *PEACEFUL)

    def decide(player: int, seen: Any, actions: Sequence[Any]) -> Any:
        for wish in wishes:
            for action in actions:
                if wish in (label_of(action), words.move(action, seen, actions)):
                    return action
        return actions[0]

    habit = as_policy(decide, name)
    return Opponent(name, lambda rules: habit)


def _moves(rules: Rules) -> list[str]:
    """What moves are called in this game: in words, then as the rules do (of its first states)."""
    words, spoken, written = words_for(rules), {}, {}
    waiting = [rules.start()]
    for _ in range(LOOK_AT):
        if not waiting:
            break
        state = waiting.pop()
        node = rules.node(state)
        if isinstance(node, Terminal):
            continue
        if isinstance(node, Decision):
            for action in node.actions:
                spoken[words.move(action, node.seen, node.actions)] = True
                written[label_of(action)] = True
        moves = node.actions if isinstance(node, Decision) else list(node.probabilities)[:3]
        waiting.extend(rules.next(state, move) for move in moves)
    return list({**spoken, **written})
