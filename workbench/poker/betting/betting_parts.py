"""Parts of the betting: where experts play.

Everyday example: a poker player has one plan for hands in which nobody raised before the flop, and
another for hands that began with a raise. What has been bet is public, so both players know at any
moment which plan is on.

    part     all betting that begins with some moves: "r", "cr"; "ccr" is a bet after two calls, on
             the flop (Gibson & Szafron 2011, Section 6: the b-experts)

A part that begins within a round knows the cards of that round as the base does, because both have
already decided with them; finer buckets begin with the next card (`shared`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.poker.betting.betting import END, Limit
from workbench.rules import GameError, shown
from workbench.settings import as_tuple, known_in, unknown_name
from workbench.tree import IntArray


@dataclass(frozen=True)
class BettingParts:
    """Which expert plays where in a game without a tree: what a `GraftingPartition` is for trees.

    >>> from workbench.games.registry import load_game
    >>> part = BettingParts(load_game("limit_holdem"), ("r", "cr", "ccr", "cccr"))
    >>> part.begins("cccr"), part.shared("r"), part.shared("cccr")
    ('cc/cr', 1, 2)
    >>> part
    BettingParts of 'limit_holdem': r, cr, ccr, cccr
    """

    rules: Any
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        given: Any = self.names
        if not isinstance(given, Iterable):
            raise GameError(f"experts are named by their betting, ['r', 'cr'], not {shown(given)}")
        names = (given,) if isinstance(given, str) else tuple(given)
        object.__setattr__(self, "names", names)
        spelt = [self.begins(name) for name in names]
        for k, text in enumerate(spelt):
            for other in spelt[:k]:
                longer, shorter = sorted((text, other), key=len, reverse=True)
                if longer.startswith(shorter):
                    raise GameError(
                        f"parts {names[k]!r} and {names[spelt.index(other)]!r} overlap; parts must "
                        "be disjoint: no betting may begin with another's"
                    )

    @property
    def code(self) -> str:
        """The Python that makes it."""
        listed = ", ".join(f'"{name}"' for name in self.names)
        return f"wb.betting_experts(rules, [{listed}])"

    def begins(self, name: str) -> str:
        """The betting after which a part begins, with a slash after each round; a name may have
        the slashes, too."""
        limit: Limit = self.rules.betting
        text = ""
        for letter in name.replace("/", "") if isinstance(name, str) else ():
            at = limit.follow(text)
            if letter not in at.actions:
                allowed = f"; there one may play {', '.join(at.actions)}" if at.actions else ""
                raise GameError(
                    f"nobody ever bets {name!r} in {self.rules.name!r}: {letter!r} is not possible "
                    f"after {text!r}{allowed}"
                )
            text += letter
            at = limit.follow(text)
            if at.player < 0 and at.folded < 0 and at.round + 1 < len(limit.bets):
                text += "/"
        if text and "/" in name and name not in (text, text.rstrip("/")):
            raise GameError(
                f"a slash stands where a round ends, and only there: {text!r}, not {name!r}"
            )
        if not text or limit.follow(text).player < 0:
            raise GameError(
                f"no expert can play after {name!r} in {self.rules.name!r}: a part is some moves "
                "after which somebody still has to decide, like 'r' or 'cr'"
            )
        if self.first_free(text) >= len(limit.bets):
            raise GameError(
                f"after {name!r} no card is to come, so an expert there would know nothing that "
                "the base does not know; let parts begin before the last round"
            )
        return text

    def first_free(self, text: str) -> int:
        """The first round in which an expert behind this betting may have other buckets."""
        return text.count("/") + (text[-1] != "/")

    def shared(self, name: str) -> int:
        """In how many rounds, from the first on, an expert has the buckets of the base."""
        return self.first_free(self.begins(name))

    def number(self, name: str) -> int:
        """1, 2, …: the place of an expert; 0 is the base."""
        if not known_in(name, self.names):
            raise unknown_name("expert", name, self.names)
        return self.names.index(name) + 1

    def only(self, names: Iterable[str] | str) -> BettingParts:
        """The same with these experts only."""
        chosen = (names,) if isinstance(names, str) else as_tuple(names)
        for name in chosen:
            self.number(name)
        return BettingParts(self.rules, chosen)

    def parts(self) -> list[IntArray]:
        """Who plays at each node of each round, (starts, nodes): 0 the base, j the j-th expert."""
        limit: Limit = self.rules.betting
        spots = {limit.start_of(self.begins(name)): self.number(name) for name in self.names}
        found: list[IntArray] = []
        for r, (one, starts) in enumerate(zip(limit.rounds, limit.starts, strict=True)):
            here = np.zeros((starts, len(one.text)), np.int32)
            if r:
                here[:, 0] = found[-1][:, limit.rounds[r - 1].kind == END].ravel()
            for d, above in enumerate(one.parent):
                here[:, d] = here[:, max(above, 0)]
                for (number, start, node), part in spots.items():
                    if (number, node) == (r, d):
                        here[start, d] = part
            found.append(here)
        return found

    def __repr__(self) -> str:
        return f"BettingParts of {self.rules.name!r}: {', '.join(self.names)}"
