"""Tables 3.1 and 3.2 of Le (2021): ten small versions of Toepen, their names and their sizes.

`3/3/2b` is a deck of 3 suits and 3 ranks, hands of 2 cards, with betting.

The text says that players must follow suit. With betting, the printed numbers are those of a
game in which they need not (`follow_suit=False`): that game gives all of them, the other none.
Without betting the printed numbers are those of the game as it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb, factorial, prod

from workbench.lab.ledger.papers.predetermined import predetermined

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.runs.experiment import Experiment

VARIANTS = {
    f"{suits}/{ranks}/{hand}{'b' * betting}": Toepen(suits, ranks, hand, betting, not betting)
    for suits, ranks, hand in [(2, 2, 2), (2, 3, 2), (3, 2, 2), (3, 3, 2), (3, 3, 3)]
    for betting in (False, True)
}
LARGEST = "3/3/3b"  # 6.8 million histories
SETTINGS = {"game": "toepen", "follow_suit": "True without betting, False with it", **NO_SEEDS}
SOLVED, SOLVERS = "3/2/2b", ("pcfr+", "lp")  # to see whether the translation loses anything
STEPS = 50_000, 5_000  # iterations for that, and in quick mode
NOTHING = 0.001  # points: what an unfinished solver may lose


def as_told(variant: Toepen) -> Toepen:
    """The variant with the rules of the text: follow suit if you can."""
    return replace(variant, follow_suit=True)


def hands(variant: Toepen) -> int:
    """How many hands a player can be dealt."""
    return comb(variant.suits * variant.ranks, variant.hand)


def upper_bound(variant: Toepen, players: int = 2) -> int:
    """Section 3.1.2: hands, times what may be played, times what may be bet.

    In every trick but the last the opponent's card is one of those unseen, the own card one of
    those held. With betting there is one doubling for each of the cards of both hands and one
    more, since the second player acts after the first one's first card; the table gives it to
    both players.
    """
    unseen = variant.suits * variant.ranks - variant.hand
    tricks = [(unseen - k) * (variant.hand - k) for k in range(variant.hand - 1)]
    bets = 2 ** (2 * variant.hand + 1) if variant.betting else 1
    return players * hands(variant) * prod(tricks) * bets


def sets(effort: Effort, name: str, count: Callable[[Toepen], int]) -> Ours:
    """The information sets of a variant, and with betting those of the game that is told."""
    if name == LARGEST:
        effort.full_only("its 6.8 million histories take minutes")
    variant = VARIANTS[name]
    if not variant.betting:
        return Ours(count(variant))
    told = {"players who must, as the text says": count(as_told(variant))}
    return Ours(count(variant), note="need not follow suit", facts=told)


def payoffs(variant: Toepen) -> Ours:
    """The range of a player's payoffs. The stake is 1, and 1 more for each call."""
    won = compile_game(variant).utility[:, 0]
    facts = {"largest payoff": float(won.max()), "calls": float(won.max()) - 1}
    return Ours(float(won.max() - won.min()), facts=facts)


def _bound(variant: Toepen) -> Ours:
    how = "two players × hands × cards of the opponent and own cards in all tricks but the last"
    bets = {"× for bets": 2 ** (2 * variant.hand + 1)} if variant.betting else {}
    return Ours(upper_bound(variant), note=how, facts=bets)


def _compiled(variant: Toepen) -> int:
    return compile_game(variant).num_infosets


def _translated(variant: Toepen) -> int:
    return abstract(compile_game(variant), "thesis-suits").coarse.num_infosets


def _lossless(effort: Effort) -> Ours:
    """What both best responses win together in the real game, as the thesis measures."""
    tree, iterations = compile_game(VARIANTS[SOLVED]), effort.pick(*STEPS)
    thesis, lossless = (
        effort.solve(
            Experiment(tree, abstraction=abstract(tree, name), solver=solver, iterations=iterations)
            for solver in SOLVERS
        )
        for name in ("thesis-suits", "lossless-suits")
    )
    lost = {run.solver.name: 2 * run.exploitability for run in thesis}
    fine = [name for name, points in lost.items() if points < NOTHING]
    return Ours.spread(
        lost, SOLVERS[0], note="what both best responses win in the real game",
        holds=len(fine) == len(lost), true_of=fine,
        facts={
            "game": SOLVED,
            "iterations": iterations,
            "inside the smaller game at most": 2 * max(r.abstract_exploitability for r in thesis),
            "with lossless-suits at most": 2 * max(run.exploitability for run in lossless),
        },
    )  # fmt: skip


def _decided(effort: Effort) -> Ours:
    """Where no strategy changes what the cards have decided."""
    found = predetermined(abstract(compile_game(VARIANTS["2/3/2"]), "thesis-suits").coarse)
    known = {"known to the player herself": int(found["known"].sum())}
    return Ours(int(found["dealt"].sum()), facts=known, note=f"of {len(found)} sets")


DEALS = comb(32, 4) * comb(28, 4)  # Section 3.1.2: 32 cards, four each
PLAYS = DEALS * factorial(4) ** 2
ALONE = upper_bound(Toepen(4, 8, 4, betting=False), players=1)
BOTH = upper_bound(Toepen(4, 8, 4, betting=True))

TABLE_3_1 = Entry(
    """Le (2021), Table 3.1: how many information sets small versions of Toepen have.

    How: the rules are compiled, and the information sets counted. The hands and the upper bounds
    are formulas: the thesis prints them for the full deck (Section 3.1.2), and its table follows
    from the same ones. The rows with betting (`b`) are those of players who need not follow suit,
    which is not what the text says but what its numbers count; the notes say how many there are if
    they must.
    """,
    lambda effort: effort,
    {
        "full deck, deals": DEALS,
        "full deck, ways to play without betting": PLAYS,
        "full deck, ways to play": Ours(PLAYS * 2**8, note="2 for each of the eight cards"),
        "full deck, one player's sets without betting": ALONE,
        "full deck, one player's sets": Ours(ALONE * 2**8, note="eight bets"),
        "full deck, both players' sets": Ours(BOTH, note="nine bets for each, as in the table"),
        **{f"{name} hands": hands(variant) for name, variant in VARIANTS.items()},
        **{f"{name} upper bound": _bound(variant) for name, variant in VARIANTS.items()},
        **{f"{name} information sets": (sets, name, _compiled) for name in VARIANTS},
    },
    lambda effort: {
        **SETTINGS,
        "histories": {
            name: compile_game(variant).num_histories
            for name, variant in VARIANTS.items()
            if name != LARGEST or not effort.quick
        },
    },
)

TABLE_3_2 = Entry(
    """Le (2021), Table 3.2: how many information sets are left when suits lose their names.

    How: the versions of Table 3.1 are compiled with all suits, and `thesis-suits`, the translation
    of the thesis, says which information sets are one. As there, the rows with betting (`b`) are
    those of players who need not follow suit.

    The text calls the translation lossless. That is a claim of its own: every equilibrium of the
    smaller game should be one of the real game, so a single one that loses there refutes it. We
    solve 3/2/2b in translation, and again with names that depend on the situation alone
    (`lossless-suits`), and ask what best responses win in the real game.
    """,
    lambda effort: effort,
    {
        **{f"{name} information sets": (sets, name, _translated) for name in VARIANTS},
        "the translation loses nothing": _lossless,
        "2/3/2 sets where the hand is decided": _decided,
    },
    lambda effort: {
        **SETTINGS,
        "abstraction": "thesis-suits",
        "claim": f"{', '.join(SOLVERS)} on {SOLVED}, {effort.pick(*STEPS):,} iterations",
    },
)

ENTRIES = {"le-2021-table3.1": TABLE_3_1, "le-2021-table3.2": TABLE_3_2}
