"""The contestants: the workbench and its peers, all doing the same thing on the same game.

A contestant can start again, go on for some iterations (the average strategy is kept up in
each of them) and judge its average. OpenSpiel is called as its C++ library offers it.
LiteEFG runs its own CFR+ graph in the loop its documentation shows (`update_graph`, then
`update_strategy`), on the game file that it makes from OpenSpiel's game.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import workbench as wb

OPENSPIEL, LITEEFG = "OpenSpiel", "LiteEFG"
MODULES = {OPENSPIEL: ("pyspiel", "open_spiel"), LITEEFG: ("LiteEFG", "LiteEFG")}


@dataclass(frozen=True)
class Game:
    """One game under the names that the workbench and OpenSpiel give it."""

    label: str
    name: str
    options: tuple[tuple[str, Any], ...]
    openspiel: str


KUHN = Game("kuhn", "kuhn", (), "kuhn_poker")
SUITED = Game("leduc", "leduc", (), "leduc_poker")
MERGED = Game(
    "leduc, suits merged", "leduc", (("suit_isomorphism", True),),
    "leduc_poker(suit_isomorphism=true)",
)  # fmt: skip
TOEPEN = Game("toepen 3/3/2, betting", "toepen", (("suits", 3), ("ranks", 3), ("hand", 2)), "")
THREE = Game(
    "leduc, 3p, 8 cards", "leduc", (("players", 3), ("ranks", 4)), "leduc_poker(players=3)"
)


@cache
def tree_of(game: Game) -> wb.GameTree:
    return wb.compile_game(wb.load_game(game.name, **dict(game.options)))


class Contestant(Protocol):
    name: str

    def restart(self) -> None: ...
    def advance(self, iterations: int) -> object: ...
    def exploitability(self) -> float:
        """Of the average strategy so far."""

    def uniform_exploitability(self) -> float: ...
    def sizes(self) -> dict[str, int]:
        """Histories and information sets, as far as it tells them."""


class Ours:
    """The workbench: state after state of one solver."""

    name = "workbench"

    def __init__(self, tree: wb.GameTree, solver: str = "cfr+") -> None:
        self.tree, self.solver = tree, wb.solvers.find_solver(solver)
        self.restart()

    def restart(self) -> None:
        self.state = wb.solvers.start_state(self.tree)

    def advance(self, iterations: int) -> None:
        self.state = self.tree.advance(self.solver, self.state, iterations)

    def average(self) -> wb.Strategy:
        return wb.average(self.tree, self.state)

    def exploitability(self) -> float:
        return wb.exploitability(self.average())

    def uniform_exploitability(self) -> float:
        return wb.exploitability(wb.Strategy.uniform(self.tree))

    def sizes(self) -> dict[str, int]:
        return {"histories": self.tree.num_histories, "infosets": self.tree.num_infosets}


class OpenSpiel:
    """OpenSpiel's C++ solver, through its Python binding."""

    name = OPENSPIEL

    def __init__(self, game: Game, solver: str = "CFRPlusSolver") -> None:
        self.pyspiel: Any = import_module("pyspiel")
        self.game = self.pyspiel.load_game(game.openspiel)
        self.make = getattr(self.pyspiel, solver)
        self.restart()

    def restart(self) -> None:
        self.solver = self.make(self.game)

    def advance(self, iterations: int) -> None:
        step = self.solver.evaluate_and_update_policy
        for _ in range(iterations):
            step()

    def average(self) -> Any:
        """As a table: judged a fifth faster than the policy that looks into the solver."""
        return self.solver.tabular_average_policy()

    def exploitability(self) -> float:
        return float(self.pyspiel.exploitability(self.game, self.average()))

    def uniform_exploitability(self) -> float:
        policy = self.pyspiel.UniformRandomPolicy(self.game)
        return float(self.pyspiel.exploitability(self.game, policy))

    def sizes(self) -> dict[str, int]:
        return {"infosets": len(self.average().policy_table())}


class OpenSpielSampling(OpenSpiel):
    """OpenSpiel's C++ external sampling; its default average is the cheapest there."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, "ExternalSamplingMCCFRSolver")

    def advance(self, iterations: int) -> None:
        step = self.solver.run_iteration
        for _ in range(iterations):
            step()

    def average(self) -> Any:
        return self.solver.average_policy()

    def sizes(self) -> dict[str, int]:
        return {}


class LiteEFG:
    """LiteEFG's CFR+ on the game file it makes from OpenSpiel's game."""

    name = LITEEFG
    averaging = "linear-avg-iterate"

    def __init__(self, game: Game) -> None:
        self.lite: Any = import_module("LiteEFG")
        self.make = import_module("LiteEFG.baselines.CFRplus").graph
        self.game = import_module("pyspiel").load_game(game.openspiel)
        self.restart()

    def restart(self) -> None:
        with _elsewhere() as home, contextlib.redirect_stdout(io.StringIO()):
            self.graph = self.make()
            self.environment = self.lite.OpenSpielEnv(self.game, traverse_type="Enumerate")
            self.environment.set_graph(self.graph)
            (file,) = home.rglob("*.openspiel")
            kinds = [line.split(" ", 1)[0] for line in file.read_text("utf-8").splitlines()]
        self.counts = {"histories": kinds.count("node"), "infosets": kinds.count("infoset")}

    def advance(self, iterations: int) -> None:
        update, environment = self.graph.update_graph, self.environment
        add_up, strategy = environment.update_strategy, self.graph.current_strategy()
        for _ in range(iterations):
            update(environment)
            add_up(strategy)

    def exploitability(self) -> float:
        strategy = self.graph.current_strategy()
        gains = self.environment.exploitability(strategy, self.averaging)
        return float(sum(gains) / len(gains))

    def uniform_exploitability(self) -> float:
        """Before the first iteration only."""
        gains = self.environment.exploitability(self.graph.current_strategy())
        return float(sum(gains) / len(gains))

    def sizes(self) -> dict[str, int]:
        return self.counts


def find() -> tuple[dict[str, str], list[str]]:
    """Name and version of each peer that is here, and a line about each that is missing."""
    here, missing = {}, []
    for name, (module, package) in MODULES.items():
        try:
            import_module(module)
        except (ImportError, OSError) as error:
            missing.append(f"{name} is missing ({error}), its rows too; pip install {package}")
        else:
            with contextlib.suppress(metadata.PackageNotFoundError):
                here[name] = metadata.version(package)
            here.setdefault(name, "of unknown version")
    return here, missing


def contestants(game: Game, here: dict[str, str]) -> list[Contestant]:
    """The peers that are here, ready to play CFR+ on one game."""
    kinds = {OPENSPIEL: OpenSpiel, LITEEFG: LiteEFG}
    return [kind(game) for name, kind in kinds.items() if name in here]


@contextlib.contextmanager
def _elsewhere() -> Iterator[Path]:
    """LiteEFG keeps game files in the home folder: give it a temporary one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, dict.fromkeys(("HOME", "USERPROFILE"), folder)),
    ):
        yield Path(folder)
