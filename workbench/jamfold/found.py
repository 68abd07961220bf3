"""Solve a tournament, and look at what was found: values, charts, the ex-post check.

>>> from workbench.jamfold.tournament import Tournament
>>> found = solve(Tournament(units=4, players=2, prizes=(1, 0)), "pi-fp")
>>> found.stopped, found.ex_post_gain < 0.001
('target', True)
>>> bool(found.push((2, 2), "button")[0, 0] == 1)  # aces go in
True
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.files import fitting, load_arrays, save_arrays
from workbench.jamfold.equity_tables import Equities
from workbench.jamfold.solving import METHODS, Effort, Round, best_policy, last, rounds, value_of
from workbench.jamfold.stage import all_outcomes, deal_of, play_of
from workbench.jamfold.tournament import INFOSETS, SEATS, Tournament
from workbench.later import pd
from workbench.poker.cards.hand_classes import COMBOS, hand_class
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.settings import (
    known_in,
    need_kind,
    need_number,
    need_one_of,
    need_whole,
    quick,
    unknown_name,
)
from workbench.strategy import need_numbers

KIND, FORM = "tournament strategy", 2
COLUMNS = ("round", "seconds", "moved", "ex_post_gain")
Row = tuple[int, float, float, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TournamentSolution:
    """How to play a tournament: a strategy for every state and seat, and what it is worth."""

    game: Tournament
    method: str
    now: Round
    rows: tuple[Row, ...]
    stopped: Literal["target", "iterations", "interrupted"]
    instead: ClassVar[str] = "it is solved; the card table plays wb.jamfold.TournamentMatch(found)"

    def __repr__(self) -> str:
        return (
            f"TournamentSolution({self.method}, {len(self.game.states)} states, "
            f"{self.now.outer} rounds, ex-post gain {self.ex_post_gain:.2g})"
        )

    def values(self, stacks: Sequence[int]) -> tuple[float, ...]:
        """What the seats of a state win on average: button, small blind, big blind; two players
        left: button, big blind."""
        return self._present(self.now.real, stacks)

    def gains(self, stacks: Sequence[int]) -> tuple[float, ...]:
        """What each seat could win more by playing best from this state on, alone."""
        return self._present(self.now.best - self.now.real, stacks)

    @property
    def ex_post_gain(self) -> float:
        """The most that anybody could gain by deviating, in any state, in the prizes' unit."""
        return self.now.gain

    @property
    def trace(self) -> pd.DataFrame:
        """One row a round of the outer loop."""
        return pd.DataFrame(list(self.rows), columns=list(COLUMNS))

    def push(self, stacks: Sequence[int], seat: str, after: str = "") -> Floats:
        """(13, 13) how often each hand goes in, aces first, suited hands above the diagonal.

        `after`: what the players before did, J (jam) and F (fold): "" for the button, "J" or "F"
        for the small blind, "JJ", "JF" or "FJ" for the big blind; with two players left the
        button's own is "" and the big blind's "J"."""
        s, k = self._place(stacks, seat, after)
        return np.array(self.now.play.sigma[s, k].reshape(13, 13))

    def advantage(self, stacks: Sequence[int], seat: str, hand: str, after: str = "") -> float:
        """What going in with a hand is worth more than folding it, if all go on as found."""
        goes, folds = self.action_values(*self._place(stacks, seat, after), hand_class(hand))
        return float(goes - folds)

    def action_values(self, s: int, k: int, h: int) -> Floats:
        """(2,) what going in and folding are worth, by the numbers of the state, the information
        set and the hand; nothing where nobody comes."""
        out = all_outcomes(self.now.play, slice(s, s + 1))[0, k, :, :, h]
        worth = self.game.arrays.values(self.now.real)[s, :, INFOSETS[k][0]]
        reached = out[0].sum()
        return out @ worth / reached if reached > 1e-7 * COMBOS[h] / 1326 else np.zeros(2)

    def icm_error(self) -> pd.DataFrame:
        """By state and seat of all players: the value found, ICM's, and what ICM is off by."""
        seats = SEATS if self.game.players == 3 else ("button", "big blind")
        rows = [
            (state, seat, value, worth, worth - value)
            for state in self.game.states
            for seat, value, worth in zip(
                seats, self.values(state), self.game.icm(state), strict=True
            )
        ]
        return pd.DataFrame(rows, columns=["stacks", "seat", "value", "icm", "error"])

    def save(self, path: str | Path) -> Path:
        """The strategies in a file with a checksum."""
        game, now = self.game, self.now
        table = now.play.deal.table
        about = [FORM, game.units, game.players, *game.blinds, now.outer, table.boards, table.seed]
        replies = {} if now.reply is None else {"reply": now.reply}
        return save_arrays(
            path, KIND, sigma=now.play.sigma, beta=now.play.beta, worth=now.worth,
            rows=np.array(self.rows).reshape(-1, len(COLUMNS)), about=np.array(about),
            prizes=np.array(game.prizes), said=np.array([self.method, self.stopped]), **replies,
        )  # fmt: skip

    @staticmethod
    def load(path: str | Path, equities: Equities | None = None) -> TournamentSolution:
        """What `save` wrote, checked again; solving goes on from it with `start=`. `equities`: the
        table it was solved with, if that is not the one that comes along."""
        kept = load_arrays(path, KIND)
        with fitting(str(path), "solve and save it again"):
            form, *about = need_numbers("about", kept["about"], None, "it", np.int64).tolist()
            if "said" not in kept or form != FORM:
                raise GameError("an older workbench has written it")
            units, players, small, big, outer, boards, seed = about
            game = Tournament(units, players, tuple(kept["prizes"].tolist()), (small, big))
            shape = (len(game.every_state), len(INFOSETS), 169)
            chosen = {name: kept[name] for name in ("sigma", "beta", "reply") if name in kept}
            for name, given in chosen.items():
                chosen[name] = need_numbers(name, given, shape, "it")
                if not (np.abs(chosen[name] - 0.5) <= 0.5 + 1e-9).all():
                    raise GameError(f"{name} holds what is no probability")
            worth = need_numbers("values", kept["worth"], (shape[0], 3), "it")
            rows = need_numbers("rows", kept["rows"], (len(kept["rows"]), len(COLUMNS)), "it")
            if not np.isfinite(worth).all() or np.isnan(rows).any():
                raise GameError("some of its numbers are not finite")
            method, stopped = map(str, kept["said"])
            need_one_of("method", method, METHODS)
            need_one_of("stopped", stopped, ("target", "iterations", "interrupted"))
            sigma, beta = chosen["sigma"], chosen["beta"]
        deal, arrays = deal_of(equities), game.arrays
        if (boards, seed) != (deal.table.boards, deal.table.seed):
            raise GameError(
                f"{path} was solved with equities from {boards:,} boards, seed {seed}; give them: "
                "wb.jamfold.TournamentSolution.load(path, equities=wb.jamfold.equities(file))"
            )
        play = play_of(deal, sigma, last(arrays), beta)
        out = all_outcomes(play)
        real = value_of(arrays, out, play.sigma)
        best = best_policy(arrays, out, play.sigma)[1]
        said = tuple((int(k), *rest) for k, *rest in rows.tolist())
        moved = said[-1][2] if said else 0.0
        now = Round(outer, play, worth, real, best, moved, chosen.get("reply"))
        return TournamentSolution(game, method, now, said, stopped)  # type: ignore[arg-type]

    def _present(self, what: Floats, stacks: Sequence[int]) -> tuple[float, ...]:
        s = self.game.state(stacks)
        held = self.game.every_state[s]
        return tuple(float(what[s, seat]) for seat in range(3) if held[seat])

    def _place(self, stacks: Sequence[int], seat: str, after: str) -> tuple[int, int]:
        s = self.game.state(stacks)
        if not self.game.every_state[s][0]:  # two players: inside, the button is the small blind
            known = {("button", ""): 2, ("big blind", "J"): 5}
        else:
            known = {(SEATS[who], before): k for k, (who, before) in enumerate(INFOSETS)}
        own = {before: k for (name, before), k in known.items() if known_in(seat, [name])}
        if not own:
            raise unknown_name("seat", seat, dict.fromkeys(name for name, _ in known))
        if not known_in(after, own):
            raise GameError(
                f"the {seat} decides after {', '.join(map(repr, own))}, not {shown(after)}"
            )
        return s, own[after]


def solve(
    game: Tournament,
    method: str = "vi-fp",
    *,
    iterations: int | None = None,
    target: float | None = None,
    start: TournamentSolution | None = None,
    effort: Effort | None = None,
    equities: Equities | None = None,
    progress: bool | Callable[[int, int, Any], None] | None = None,
) -> TournamentSolution:
    """Solve a tournament by "vi-fp", "pi-fp", "fp-pi" or "fp-vi" (see `solving.py`).

    It ends when nobody could gain more than `target` (default: a ten-thousandth of the top prize,
    two of them in quick mode) and values no longer move by more than ten times that, after so
    many `iterations` of the outer loop, or at Ctrl-C, with what was reached;
    `solve(game, method, start=found)` goes on from there. `equities`: another table than the one
    that comes along, such as `wb.jamfold.equities("other.npz")`. Nine units, three players: 5 to
    10 s and 300 MB; 60 units need 3 GB.
    """
    need_kind("game", game, Tournament)
    method = str(need_one_of("method", method, METHODS))
    most = need_whole("iterations", 300 if iterations is None else iterations)
    if start is not None and need_kind("start", start, TournamentSolution).game != game:
        raise GameError("start is of another tournament; solve that one, or leave out start")
    if start is not None and equities not in (None, start.now.play.deal.table):
        raise GameError("start was solved with other equities; leave out equities, or start")
    goal = game.prizes[0] * quick(1e-4, 2e-4) if target is None else need_number("target", target)
    effort = quick(Effort(), Effort(inner=20)) if effort is None else effort
    now, rows = (start.now, list(start.rows)) if start else (None, [])
    before, spent = (now.outer if now else 0), (rows[-1][1] if rows else 0.0)
    began, stopped = time.perf_counter(), "iterations"
    steps = rounds(game, method, now, effort, equities)
    with ProgressBar(
        f"solving by {method}", most, shown=progress, note="gain {:.4f}".format
    ) as bar:
        try:
            for now in steps:
                took = spent + time.perf_counter() - began
                rows.append((now.outer, took, now.moved, now.gain))
                done = now.outer - before
                bar.show(done, now.gain)
                if now.gain <= goal and (method.startswith("fp") or now.moved <= 10 * goal):
                    stopped = "target"
                    break
                if done >= most:
                    break
        except KeyboardInterrupt:
            stopped = "interrupted"
            if now is None:
                raise
    assert now is not None
    return TournamentSolution(game, method, now, tuple(rows), stopped)  # type: ignore[arg-type]
