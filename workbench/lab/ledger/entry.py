"""An entry of the ledger: one expression for each published item, and the work they share.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> entry = Entry(
...     "Doe (2030), Table 4: the size of Leduc.",
...     lambda effort: compile_game(load_game("leduc")),
...     {"cards": 6, "information sets": lambda tree: tree.num_infosets},
...     lambda tree: {"game": tree.name, "seeds": "none"},
... )
>>> [ours.value for ours in entry.measure(Effort(quick=True)).ours.values()]
[6, 936]

An expression is what we find; or a function of the work; or such a function with further arguments,
`(function, argument, …)`. The work is made once; what it computes lazily (`cached_property`) is
computed if an expression asks. It receives the effort: a lecture's minute, or a night that
survives a crash. The effort chooses numbers that fit (`pick`), does the runs (`solve`: in a store,
on one core, eight or a cluster), and leaves out what takes too long for a lecture (`full_only`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.lab.ledger.ledger import Ours, Result
from workbench.later import pd
from workbench.rules import GameError, shown

if TYPE_CHECKING:
    from distributed import Client

    from workbench.runs.experiment import Experiment
    from workbench.runs.run import Run
    from workbench.runs.store import Store

T = TypeVar("T")
Expression = Ours | float | Callable[[Any], Ours | float] | tuple[Any, ...]
NO_SEEDS = {"seeds": "none: nothing is drawn at random"}  # a setting


class TooLongError(Exception):
    """Why a quick measurement leaves an item out."""


@dataclass(frozen=True)
class Effort:
    """What the work of an entry receives."""

    quick: bool = False
    store: Store | str | Path | None = None  # a folder that keeps the runs, half done ones too
    workers: int = 1
    dask: Client | str | None = None
    progress: bool = False

    def pick(self, full: T, quick: T) -> T:
        """The first for the night, the second for a lecture."""
        return quick if self.quick else full

    def full_only(self, why: str) -> None:
        """Leave the item that asks for this out of a quick measurement."""
        if self.quick:
            raise TooLongError(why)

    def solve(self, experiments: Iterable[Experiment]) -> list[Run]:
        """A run for each experiment; what the store already has is not computed again."""
        from workbench.lab.sweep.sweep import sweep

        with TemporaryDirectory() as nowhere:
            store = nowhere if self.store is None else self.store
            done = sweep(experiments, store, self.workers, self.dask, progress=self.progress)
        if failed := [error for error in done.errors if error]:
            raise GameError(f"{len(failed)} of {len(done.runs)} runs failed, first: {failed[0]}")
        return [run for run in done.runs if run is not None]


@dataclass(frozen=True)
class Entry:
    """How the items of one published table or figure are measured."""

    about: str  # a title that cites the source; then how we measure
    work: Callable[[Effort], Any]
    items: Mapping[str, Expression]  # item -> what we find
    settings: Mapping[str, Any] | Callable[[Any], Any] | None = None  # how; None: the work's own
    curves: Callable[[Any], pd.DataFrame] | None = None  # of a figure; see `check_curves`
    scale: str = ""  # what stands here for the text's larger game or longer run

    def measure(self, effort: Effort) -> Result:
        """Every item that the effort allows."""
        work, ours, skipped = self.work(effort), {}, {}
        for item, expression in self.items.items():
            try:
                found = value(expression, work)
            except TooLongError as why:
                skipped[item] = str(why)
            else:
                ours[item] = found if isinstance(found, Ours) else Ours(found)
        given = getattr(work, "settings", None) if self.settings is None else self.settings
        settings = given(work) if callable(given) else given
        if not isinstance(settings, Mapping):
            raise GameError(
                "the settings of an entry are a mapping, or a function of the work that gives one "
                f"(lambda work: {{'game': work.name}}), not {shown(settings)}"
            )
        settings = {**settings, "scale": self.scale} if self.scale else settings
        return Result(ours, settings, self.curves and self.curves(work), skipped)


def value(expression: Expression, work: Any) -> Any:
    """What an expression comes to."""
    if isinstance(expression, tuple):
        function, *arguments = expression
        return function(work, *arguments)
    return expression(work) if callable(expression) else expression
