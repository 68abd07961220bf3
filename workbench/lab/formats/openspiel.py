"""Games of OpenSpiel: any game that `pyspiel` knows, as rules.

Everyday example: `from_openspiel("liars_dice(numdice=1)")` compiles, solves and draws like a
game of our own, and a game that both sides have is a test of both.

    seen        OpenSpiel's information_state_string
    actions     OpenSpiel's names ("Bet", "Pass"); its integers where the names do not do
    players     0, 1, ... and chance is -1, as there

Players who move at the same moment move one after the other without seeing each other
(`pyspiel.convert_to_turn_based`), which is the same game.

An action needs a name of its own, and the same name in every history of its information set.
OpenSpiel promises that of its integers, not of its names. So the first `SCAN` histories are
looked at, and if names clash or differ anywhere, the whole game uses integers. A larger game
may hide a clash behind them: compiling refuses it, and `numbers=True` is the way out.

`pyspiel` is loaded when it is asked for: `pip install open_spiel`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from workbench.rules import Chance, Decision, GameError, Node, Terminal, shown

SCAN = 10_000  # histories whose names are compared before names are trusted


@dataclass(frozen=True, eq=False)
class SpielState:
    """A state of OpenSpiel and its moves: the integer behind each name (nothing at the end)."""

    state: Any
    moves: dict[Hashable, int]


@dataclass(frozen=True, eq=False)
class OpenSpielGame:
    """Rules that ask a turn-based `pyspiel.Game`; `numbers` says what actions are called."""

    game: Any
    numbers: bool = False

    @property
    def name(self) -> str:
        return str(self.game)

    @property
    def players(self) -> int:
        return int(self.game.num_players())

    def start(self) -> SpielState:
        return self._position(self.game.new_initial_state())

    def next(self, position: SpielState, action: Hashable) -> SpielState:
        return self._position(position.state.child(position.moves[action]))

    def node(self, position: SpielState) -> Node:
        state, moves = position.state, position.moves
        if state.is_terminal():
            return Terminal(tuple(state.returns()))
        if state.is_chance_node():
            probability = dict(state.chance_outcomes())
            return Chance({name: probability[number] for name, number in moves.items()})
        player = state.current_player()
        return Decision(player, self._seen(state, player), tuple(moves))

    def _position(self, state: Any) -> SpielState:
        if state.is_terminal():
            return SpielState(state, {})
        numbers = state.legal_actions()
        names = numbers if self.numbers else _names(state, numbers)
        return SpielState(state, dict(zip(names, numbers, strict=True)))

    def _seen(self, state: Any, player: int) -> str:
        if self.game.get_type().provides_information_state_string:
            return str(state.information_state_string(player))
        return str(state.history_str())  # perfect information: everything has been seen


def from_openspiel(game: Any, *, numbers: bool | None = None) -> OpenSpielGame:
    """The rules of a `pyspiel.Game`, or of a name such as "leduc_poker(players=2)".

    Actions keep OpenSpiel's names if these are unambiguous; `numbers=True` takes its integers,
    `numbers=False` its names without looking first.
    """
    rules = OpenSpielGame(_turn_based(_load(game)))
    if numbers is None:
        numbers = _ambiguous(rules)
    return OpenSpielGame(rules.game, numbers)


def _load(game: Any) -> Any:
    try:
        import pyspiel
    except ImportError:
        raise GameError(
            "OpenSpiel is not installed, and its games come from there: pip install open_spiel"
        ) from None
    if isinstance(game, pyspiel.Game):
        return game
    if not isinstance(game, str) or not game.isprintable():
        raise GameError(f"{shown(game)} is neither a pyspiel.Game nor the name of one")
    try:
        return pyspiel.load_game(game)
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel cannot load {game!r}: {str(error).splitlines()[0]}") from None


def _turn_based(game: Any) -> Any:
    import pyspiel

    kind, name = game.get_type(), str(game)
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise GameError(f"{name!r} is a mean-field game: it has a population, not players")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"{name!r} draws chance outcomes itself, never telling how likely they are")
    together = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    open_cards = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if not kind.provides_information_state_string and (together or not open_cards):
        raise GameError(
            f"{name!r} does not tell what a player has seen (it has no information_state_string)"
        )
    return pyspiel.convert_to_turn_based(game) if together else game


def _names(state: Any, numbers: list[int]) -> list[Hashable]:
    """A name for each number; the numbers themselves where two names are equal."""
    player = state.current_player()
    names = [state.action_to_string(player, number) for number in numbers]
    return list(names if len(set(names)) == len(names) else numbers)


def _ambiguous(rules: OpenSpielGame) -> bool:
    """Whether an information set among the first histories calls its actions differently."""
    known: dict[tuple[int, Hashable], dict[Hashable, int]] = {}
    waiting = [rules.start()]
    for _ in range(SCAN):
        if not waiting:
            break
        position = waiting.pop()
        state, moves = position.state, position.moves
        waiting.extend(rules.next(position, move) for move in moves)
        if not (state.is_terminal() or state.is_chance_node()):
            player = state.current_player()
            if known.setdefault((player, rules._seen(state, player)), moves) != moves:
                return True
    return False
