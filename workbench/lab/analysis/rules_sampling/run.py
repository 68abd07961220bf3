"""Sampling from the rules: for games too large to compile, with names for abstractions.

Everyday example: Toepen as it is played has 32 cards, 736 million deals and 5 million million
information sets. A table of those that were met fits into a laptop, and says when it is full.

>>> import workbench as wb
>>> run = sample_rules(wb.load_game("leduc"), 200, seed=1)
>>> run.infosets, run.iterations, run.stopped
(833, 200, 'iterations')
>>> run.probabilities(1, ("K♠", "", "r"), ("f", "c", "r"))[0] < 0.2  # would you fold a king?
True
>>> sample_rules(wb.load_game("leduc"), 200, seed=1, abstraction="JQ-K").infosets
131
>>> sample_rules(wb.load_game("leduc"), 200, seed=1, memory=40_000)
Sampled run on leduc: 48 iterations, 506 infosets reached, 39 kB; \
stopped: the next one does not fit into 40 kB
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from workbench.abstraction.abstraction import Rule, chain, label_and_names
from workbench.lab.analysis.rules_sampling.policy import EVERYTHING, Sampled, View
from workbench.lab.analysis.rules_sampling.sampling import sample
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules, need_rules
from workbench.settings import need_whole
from workbench.tree import GameTree

Progress = Callable[[int, int, int], None]


def sample_rules(
    rules: Rules,
    iterations: int = 1000,
    *,
    seed: int = 0,
    memory: int = 2_000_000_000,
    abstraction: Rule | str | None = None,
    progress: bool | Progress | None = None,
    start: Sampled | None = None,
) -> Sampled:
    """External sampling without a tree; the run is a policy and knows what it has reached.

    `memory`: bytes that the table may take (75 or so per information set; what Python and an
    abstraction keep in mind comes on top, some 100 MB). When it is full, or after Ctrl-C, the run
    ends before the iteration that was not finished, keeps all the others, and `stopped` says why.
    Iterations weigh the same, as with `ExternalSampling(linear=False)`.

    `abstraction`: as in `wb.abstract`, a name or f(player, seen, actions); `progress`: True or
    False, None to show it after two seconds, or a function of (done, total, infosets), called
    within long iterations, too. `start`: an earlier run to go on from, with the same seed; it is
    not changed.

    Games that compile are better compiled: `wb.solve(rules, "external-sampling")` is a hundred
    times as fast and measures exploitability. Here `wb.judge.estimate_exploitability` and
    `wb.judge.play_match` judge, and `run.to_strategy(tree)` hands over to the exact judges where
    there is a tree.
    """
    view = view_of(need_rules(rules), abstraction)
    need_whole("iterations", iterations)
    need_whole("memory", memory, 0)
    if not (start is None or isinstance(start, Sampled)):
        raise GameError(
            f"start must be a sampled run (wb.judge.load_sampled reads one), not {start!r}"
        )
    total = int(iterations) + (0 if start is None else start.iterations)
    with bar_of(rules, total, progress) as bar:
        return sample(
            rules, int(iterations), seed=seed, memory=int(memory), view=view, start=start,
            tell=bar.show,
        )  # fmt: skip


def load_sampled(path: str | Path, rules: Rules, abstraction: Rule | str | None = None) -> Sampled:
    """A run that `run.save(path)` wrote, for the same rules and abstraction."""
    return Sampled.load(path, rules, view_of(need_rules(rules), abstraction))


def view_of(rules: Rules, abstraction: Rule | str | None) -> View:
    """What players remember and what they call their actions, by an abstraction."""
    if abstraction is None:
        return EVERYTHING
    rule = chain(abstraction)
    try:
        function = rule.for_tree(cast(GameTree, _Glimpse(rules, rules.name, rules.players)))
    except AttributeError as error:
        raise GameError(
            f"abstraction {rule.name!r} needs the whole tree of {rules.name!r}, not only its rules "
            f"({error}); compile it"
        ) from None

    def see(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Any, Sequence[Any]]:
        label, names = label_and_names(function(player, seen, actions), seen, actions)
        if len(names) != len(actions) or all(name is None for name in names):
            raise GameError(
                f"abstraction {rule.name!r}, player {player} who has seen {seen!r}: the names "
                f"{names} for the actions {list(actions)}; one name for each is needed, None to "
                "leave an action out, but not all of them"
            )
        return label, names

    return View(rule.name, see)


class _Glimpse(NamedTuple):
    """As much of a tree as is known without one: enough for rules that ask about the deck."""

    rules: Rules
    name: str
    num_players: int


def bar_of(rules: Rules, total: int, progress: bool | Progress | None = None) -> ProgressBar:
    return ProgressBar(f"sampling {rules.name}", total, progress, "{:,} infosets reached".format)
