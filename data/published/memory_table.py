"""How much memory a solver of Rhode Island Hold'em needs: the talk's table, measured again.

Four games of growing size, the same betting with more and more classes of hands, and four ways to
hold one:

    simplex          the linear program of Koller, Megiddo & von Stengel (1994), by HiGHS
    interior point   the same program by the other method of HiGHS (a barrier method)
    sparse           the payoff matrix as the sequence form keeps it, a list for each player, and
                     plans and gradients of both: all that one iteration of CFR or EGT needs
    product          the card form, which is the talk's F ⊗ B without matrices, running EGT

Each cell is a process of its own. Measured is the most memory that it holds at any moment, less
what a process holds that has imported the same modules and done the same with four cards. Counted
is what must be there: entries of matrices (12 bytes each: a number and its column), and arrays over
sequences.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from workbench.lab.ledger.papers.kronecker import factors, flow, stored
from workbench.lab.ledger.papers.lp_size import lp_entries, lp_rows

from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.gameshrink import gameshrink
from workbench.poker.buckets.hand_clustering import cluster_hands
from workbench.poker.cards.boards import boards_of, holdings
from workbench.solvers.egt import EGT

GB, ENTRY, NUMBER = 1e9, 12, 8  # bytes
SIMPLEX, BARRIER, SPARSE, PRODUCT = METHODS = "simplex", "interior point", "sparse", "product"
SMALL, MIDDLE, SHRUNK, ALL = GAMES = "10k", "160k", "after GameShrink", "all hands"
CUTS = {SMALL: (4, 8, 13), MIDDLE: (13, 50, 225)}
LIMIT, ROOM = 300.0, 12e9  # seconds and bytes that HiGHS may take
LONG = "each number is a process of its own, together half an hour"
MEASURED = "measured", "whole process"
OTHER_GAME = "a game of ours with about as many rows; the talk's is not known"
SAME_GAME = "the same game; what the talk's programs keep besides is not known"
STEPS = 5  # iterations of EGT: more need no more memory


def hands(game: str) -> tuple[Any, HandBuckets]:
    """The rules, and what players tell apart in each round."""
    rules: Any = load_game("rhode_island")
    if game in CUTS:
        return rules, cluster_hands(rules, CUTS[game])
    return rules, gameshrink(rules) if game == SHRUNK else HandBuckets.lossless(rules)


# ---- one cell, in a process of its own -------------------------------------------------------


def cell(method: str, path: str = "") -> dict[str, Any]:
    """What a process finds that holds a game in one way; without a path it stops after a rehearsal
    with four cards. The classes of hands come from a file: making them takes more memory than some
    of the games."""
    four: Any = load_game("rhode_island", ranks=2, suits=2)
    held(method, four, HandBuckets.lossless(four))
    if not path:
        return {"peak": peak()}
    rules: Any = load_game("rhode_island")
    with np.load(path) as rounds:
        buckets = HandBuckets(rules, [rounds[name] for name in rounds.files])
    began = time.process_time()
    told = held(method, rules, buckets)
    return {**told, "seconds": time.process_time() - began, "peak": peak()}


def held(method: str, rules: Any, buckets: HandBuckets) -> dict[str, Any]:
    """Hold a game in one way, and use it."""
    if method in (SIMPLEX, BARRIER):
        return program(rules, buckets, method)
    if method == SPARSE:
        made = factors(rules, buckets)
        lists = [stored(made, player) for player in (0, 1)]
        plans = [np.full(one.shape[1], 0.5) for one in lists]
        gradients = [one @ plan for one, plan in zip(lists, plans, strict=True)]
        return {"won": float(gradients[0] @ plans[1] + gradients[1] @ plans[0])}
    form, solver = rules.public_game(buckets), EGT()
    state = form.start_state()
    for _ in range(STEPS):
        state = form.advance(solver, state, 1)
    return {"iterations": state.iteration}


def program(rules: Any, buckets: HandBuckets, method: str) -> dict[str, Any]:
    """The linear program of `workbench.solvers.lp`, from the talk's matrices."""
    import resource

    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    resource.setrlimit(resource.RLIMIT_AS, (int(ROOM), int(ROOM)))
    losses = stored(factors(rules, buckets), 1)  # −Aᵀ
    scale = 1.0 / abs(losses).max()
    losses.data *= scale
    losses.resize(losses.shape[0] + 1, losses.shape[1] + 1)  # the empty sequences
    e: Any = flow(rules, buckets, 0)
    theirs = flow(rules, buckets, 1)
    sure: Any = csr_array(hstack([losses, theirs.T], "csr"))
    x, q = e.shape[1], theirs.shape[0]
    e.resize(e.shape[0], x + q)
    how: Any = "highs-ds" if method == SIMPLEX else "highs-ipm"
    bounds: Any = np.full((x + q, 2), np.inf)
    bounds[:, 0] = np.r_[np.zeros(x), np.full(q, -np.inf)]
    answer: Any = linprog(
        c=-np.eye(1, x + q, x)[0], A_ub=sure, b_ub=np.zeros(sure.shape[0]), A_eq=e,
        b_eq=np.eye(1, e.shape[0])[0], method=how,
        bounds=bounds,
        options={"time_limit": LIMIT},
    )  # fmt: skip
    told = {"solved": bool(answer.status == 0), "entries": int(sure.nnz + e.nnz)}
    return told | ({"value": float(-answer.fun / scale)} if told["solved"] else {})


def peak() -> int:
    """The most bytes that this process has held so far; needs Linux."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("this system does not tell how much memory a process has held")


def once(effort: Effort, name: str, make: Callable[[], Any]) -> Any:
    """What somebody has made, or the store has kept: after a crash it goes on there."""
    if effort.store is None:
        return make()
    path = Path(str(effort.store)) / f"{name.replace('/', '-')}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(make()), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def measured(game: str, method: str) -> dict[str, Any]:
    """What a fresh process says; if it fails for lack of room, that."""
    code = "import json, sys; from {} import cell; print(json.dumps(cell(*sys.argv[1:])))"
    known = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with TemporaryDirectory() as folder:
        path = f"{folder}/hands.npz"
        np.savez(path, *hands(game or SMALL)[1].rounds)
        run = [sys.executable, "-c", code.format(__name__), method, *([path] if game else [])]
        process = subprocess.Popen(
            run, env=known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return {"solved": False, "failed": process.returncode, "peak": used.ru_maxrss * 1024}
    told: dict[str, Any] = json.loads(said.splitlines()[-1])
    return told


# ---- the table --------------------------------------------------------------------------------


class Size(NamedTuple):
    """What must be stored, counted."""

    rows: int  # of the linear program
    payoffs: int  # that are not zero
    entries: int  # of the linear program: payoffs, and how sequences go on
    sequences: int  # of both players
    product: int  # bytes of F, B, S and W

    def counted(self, method: str) -> int:
        """Bytes: a matrix once for a linear program, once for each player in the sequence form; and
        numbers over sequences: a plan and a gradient, or what EGT keeps on cards (plans, the next
        plans, and responses)."""
        if method in (SIMPLEX, BARRIER):
            return ENTRY * self.entries
        if method == SPARSE:
            return 2 * ENTRY * self.payoffs + 2 * NUMBER * self.sequences
        return self.product + 3 * NUMBER * self.sequences


class MemoryTable:
    """The cells that somebody asks for."""

    def __init__(self, effort: Effort) -> None:
        self.effort, self.found = effort, dict[str, dict[str, Any]]()
        self.size, self.cell = cache(self._size), cache(self._cell)

    def _size(self, game: str) -> Size:
        rules, buckets = hands(game)
        form, made = rules.public_game(None if game == ALL else buckets), factors(rules, buckets)
        entries = sum(lp_entries(rules, buckets).values())
        rows = lp_rows(rules, buckets.classes)
        return Size(rows, made.payoffs, entries, form.num_choices, made.nbytes)

    def _cell(self, game: str, method: str) -> dict[str, Any]:
        self.effort.full_only(LONG)
        found: dict[str, Any] = once(
            self.effort, f"memory, {game}, {method}", lambda: measured(game, method)
        )
        return found

    def gigabytes(self, game: str, method: str) -> float:
        """The peak of a process, less that of one that stops after the rehearsal."""
        told = {**self.cell(game, method)}
        before: int = self.cell("", method)["peak"]
        whole: float = told.pop("peak") / GB
        gigabytes = whole - before / GB
        facts = dict(zip(MEASURED, (round(gigabytes, 4), round(whole, 4)), strict=True)) | told
        if "seconds" in facts:
            facts["seconds"] = round(facts["seconds"], 1)
        self.found[f"{game} by {method}"] = facts
        return gigabytes

    @property
    def settings(self) -> dict[str, Any]:
        counted = {
            game: {
                "classes": "-".join(map(str, hands(game)[1].classes)),
                **self.size(game)._asdict(),
            }
            for game in GAMES
        }
        cells = {} if self.effort.quick else {"cells, in gigabytes": self.found}
        return {
            "game": "rhode_island", "counted": counted, **cells,
            "limits of HiGHS": {"seconds": LIMIT, "gigabytes of address space": ROOM / GB},
            **NO_SEEDS,
        }  # fmt: skip


def _cell(work: MemoryTable, game: str, method: str, more_than: float | None = None) -> Ours:
    """A number of the talk, or a bound."""
    work.effort.full_only(LONG)
    size, gigabytes = work.size(game), work.gigabytes(game, method)
    told, note = work.found[f"{game} by {method}"], SAME_GAME if game == SHRUNK else OTHER_GAME
    if "failed" in told:
        note += f"; HiGHS gave up: {ROOM / GB:.0f} GB of address space were not enough"
    elif not told.get("solved", True):
        note += f"; not solved within {LIMIT:.0f} s on the wall: what it held until then"
    facts = {"counted": size.counted(method) / GB, "rows": size.rows, "non-zeros": size.entries}
    if method == PRODUCT:
        facts = {"counted": size.counted(method) / GB, "whole process": told["whole process"]}
    holds = None if more_than is None else gigabytes > more_than
    return Ours(gigabytes, note=note, facts=facts, holds=holds)


def _smaller(work: MemoryTable) -> Ours:
    """How many times as much memory the sparse matrix takes as the card form."""
    work.effort.full_only(LONG)
    parts = {game: work.gigabytes(game, SPARSE) / work.gigabytes(game, PRODUCT) for game in GAMES}
    counted = {
        game: work.size(game).counted(SPARSE) / work.size(game).counted(PRODUCT) for game in GAMES
    }
    true = [game for game, times in parts.items() if times > 1.0]
    cells = {game: work.found[f"{game} by {PRODUCT}"] for game in GAMES}
    held, whole = ({game: of[name] for game, of in cells.items()} for name in MEASURED)
    return Ours.spread(
        parts, ALL, "games", holds=len(true) == len(parts), true_of=true,
        note="sparse sequence form by card form, peaks of processes",
        facts={"counted": counted, "gigabytes of the card form": held, "whole process": whole},
    )  # fmt: skip


def _bottleneck(work: MemoryTable) -> Ours:
    """The payoffs' share of the bytes that the sequence form must keep."""
    parts = {}
    for game in GAMES:
        size = work.size(game)
        parts[game] = 2 * ENTRY * size.payoffs / size.counted(SPARSE)
    return Ours.spread(parts, ALL, "games", holds=min(parts.values()) > 0.5, note="counted")


def _entries(work: MemoryTable) -> Ours:
    """Non-zeros of the program with the published classes, with all classes, and with all cards."""
    rules: Any = load_game("rhode_island")
    return Ours(
        work.size(SHRUNK).entries,
        facts={
            "of them payoffs": f"{work.size(SHRUNK).payoffs:,}",
            "with suit isomorphism alone": f"{work.size(ALL).entries:,}",
            "with every card by itself": f"{every_card(rules):,}",
        },
    )


def every_card(rules: Any) -> int:
    """Non-zeros of the linear program with every suit by itself.

    >>> every_card(load_game("rhode_island", ranks=2, suits=2))
    49018
    """
    found, last = 2, len(rules.betting.rounds) - 1
    per_round = zip(
        boards_of(rules), rules.betting.rounds, rules.betting.starts, holdings(rules), strict=True
    )
    for r, (boards, one, starts, held) in enumerate(per_round):
        others = rules.deck.size - boards.cards.shape[1] - 1
        found += starts * int((one.kind == FOLD).sum()) * held * others
        found += starts * held * int((one.count[one.kind < FOLD] + 1).sum())
        if r < last:
            continue
        for board, weight in zip(boards.cards, boards.weight, strict=True):
            cards = np.setdiff1d(np.arange(rules.deck.size), board)
            public = np.broadcast_to(board, (len(cards), len(board)))
            strength = rules.strength(np.column_stack([cards, public]))
            decided = int((strength[:, None] != strength).sum())
            found += starts * int((one.kind == END).sum()) * int(weight) * decided
    return found


ENTRIES = {
    "sandholm-2009-memory": Entry(
        """Sandholm (2009), Memory usage: linear programs, a sparse matrix, products of matrices.

        How: one process for each number; the most memory that it held, less that of a process that
        does the same with four cards. The talk's programs are CPLEX and EGT in C++, ours HiGHS and
        EGT in the card form. "After GameShrink" is the talk's game, to the last non-zero. What its
        10k and 160k count is lost in our text; ours have 9,760 and 159,434 rows (buckets by E[HS],
        4-8-13 and 13-50-225). The talk's abstraction of Texas Hold'em is not known either, so its
        row is left out. "All hands" is ours: Rhode Island as it is, but for the names of suits;
        HiGHS was not asked to hold its 209,538,344 non-zeros, 2.5 GB before any work.
        """,
        MemoryTable,
        {
            "10k, barrier": (_cell, SMALL, BARRIER),
            "10k, simplex": (_cell, SMALL, SIMPLEX, 0.051),
            "10k, products": (_cell, SMALL, PRODUCT),
            "160k, barrier": (_cell, MIDDLE, BARRIER),
            "160k, simplex": (_cell, MIDDLE, SIMPLEX, 0.664),
            "160k, products": (_cell, MIDDLE, PRODUCT),
            "Rhode Island after GameShrink, barrier": (_cell, SHRUNK, BARRIER),
            "Rhode Island after GameShrink, simplex": (_cell, SHRUNK, SIMPLEX, 3.45),
            "Rhode Island after GameShrink, products": (_cell, SHRUNK, PRODUCT),
            "non-zeros after GameShrink": _entries,
            "payoffs are most of what is stored": _bottleneck,
            "products take less than a sparse matrix": _smaller,
        },
        scale="instances 10k and 160k are ours, with as many rows; HiGHS instead of CPLEX",
    )
}  # fmt: skip
