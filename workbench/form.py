"""A form: a game as solvers, judges and stores see it.

Every algorithm of the workbench is a local rule at an information set and three passes over the
game: down (how likely is it that a player plays to here), gradient (what is every choice worth
against the others), up (what follows from that). There are three forms of a game:

    tree form     `GameTree`: histories in arrays; the passes are functions on these arrays
                  (`passes.py`, and `sequence_form.py` under perfect recall)
    card form     one tree of betting, and at each of its nodes what players tell apart: hands on
                  boards, or buckets that meet by a matrix (`poker/`); no tree of histories is built
    rules form    no arrays at all: walks by the rules (`sample_rules`, `play_match`)

A form without a tree brings its passes itself: it is a subclass of `Form`, and rules that have one
offer it, `rules.public_game()`. Everything else asks `form_of` and knows no game by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from workbench.tree import FloatArray

__all__ = ["Buckets", "Form", "form_of", "hands_unlisted", "has_form"]


Buckets = Any  # of hands: what a form without a tree is abstracted by


class Form(ABC):
    """A game without a tree. Strategies and states are its own; see `strategy.JudgesItself`."""

    rules: Any
    name: str
    num_players: int
    judged: bool  # whether an exact best response takes seconds
    num_infosets: Any  # where somebody decides and is not held to a strategy
    num_choices: Any  # the length of a state's arrays
    num_histories: Any  # of the tree that nobody builds
    perfect_recall: Any
    zero_sum = True
    fingerprint: Any  # a hash of the game itself
    derived_from = None

    @property
    def checksum(self) -> int:
        return int(self.fingerprint[:8], 16) or 1

    def same_as(self, other: Any) -> bool:
        """Whether this is the same game."""
        return self is other or bool(self.fingerprint == other.fingerprint)

    @abstractmethod
    def abstraction(self, buckets: Any) -> Any:
        """The game with these buckets, which may be named: `coarse`, a form, and `lift`, from there
        to here."""

    # ---- solving: what depends on the solver is its weights and whether it walks at random

    @abstractmethod
    def start_state(self, seed: int = 0) -> Any:
        """Before the first iteration."""

    @abstractmethod
    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        """The state after so many more iterations, in kernels of the form's own."""

    @abstractmethod
    def average(self, state: Any) -> Any:
        """The average strategy."""

    # ---- judging: a strategy answers for itself (`gains`, `best_response`, `expected_values`)

    @abstractmethod
    def seated(self, strategies: Sequence[Any]) -> Any:
        """The profile in which seat i is played by strategies[i]."""

    @abstractmethod
    def sample_scores(
        self, strategies: Any, *, deals: int, seed: int, duplicate: bool
    ) -> FloatArray:
        """(deals, P) what each strategy wins from each deal, the mean over all seatings."""

    # ---- stitching

    @property
    @abstractmethod
    def stitching(self) -> Any:
        """What makes a plan of experts here, as `workbench.stitching.experts.Stitching` does."""

    @abstractmethod
    def parts(self, moves: Sequence[Any]) -> Any:
        """Where experts play: behind these moves."""

    # ---- keeping

    @abstractmethod
    def restored(self, saved: Any, where: str) -> Any:
        """A strategy from the arrays that it was saved as."""


def form_of(rules: Any) -> Form | None:
    """The form that these rules bring; None: their tree is compiled."""
    form: Form | None = rules.public_game() if has_form(rules) else None
    return form


def has_form(rules: object) -> bool:
    """Whether rules bring one, which is then not made."""
    return hasattr(rules, "public_game")


def hands_unlisted(rules: object) -> bool:
    """Whether there are too many hands to list: their buckets are cut by a signal."""
    return bool(getattr(rules, "hands_unlisted", False))
