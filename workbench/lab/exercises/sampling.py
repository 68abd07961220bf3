"""Exercises of notebook 04, *How do you solve a game you cannot walk through?*"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.games.registry import load_game
from workbench.lab.exercises.answers import agree, nearly, need_function, number, numbers
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import game
from workbench.solvers.cfr import CFR
from workbench.solvers.iterate import iterate
from workbench.strategy import normalised
from workbench.tree import FloatArray

GROWTH = Question(
    "Toepen with 2 suits, 2 ranks and 2 cards each has 679 histories, forced moves not counted. "
    "Add one rank and one suit: how many has 3/3/2?",
    100_333,
    low=500,
    high=10_000_000,
    log=True,
    unit="histories",
    because="From 4 cards to 9: far more deals, and after each of them more to do.",
)
LEADER = Question(
    "External sampling and full CFR race on Toepen 3/3/2, which fits into memory. Who leads?",
    "external sampling per history touched, CFR by the clock",
    options=(
        "external sampling, per history touched and by the clock",
        "CFR, per history touched and by the clock",
        "external sampling per history touched, CFR by the clock",
        "CFR per history touched, external sampling by the clock",
    ),
    because="A sampled walk learns from fewer histories, but each costs it several times as much: "
    "it jumps about in memory and throws dice. If the tree fits, walk through it.",
)
POINTS = Question(
    "After 144 iterations on the full deck the table knows 70,000 information sets. How many "
    "points a hand will it win from somebody who tosses coins?",
    0.0,
    low=-1.0,
    high=3.0,
    step=0.1,
    unit="points",
    because="Exactly none. It has hardly ever been where it is now: 70,000 is next to nothing of "
    "five million million, and where it has not been it tosses coins itself.",
)


@exercise(
    "Do it as in section 2. Player 1's walk: the cards make 3 histories, her two moves 2 more. "
    "What happens after each of them?",
    "After her bet he calls (1). After her pass he bets (1), and she tries both answers (2). Now "
    "player 2's walk: which single move does she make?",
)
def check_touches(answer: Any) -> Verdict:
    """How many histories of Kuhn one iteration of external sampling touches if everybody bets."""
    return nearly(
        answer,
        15,
        tolerance=0,
        slips={
            9: "That is player 1's walk; an iteration has a walk for each player.",
            6: "That is player 2's walk; an iteration has a walk for each player.",
            14.5: "That is for coin-tossers. Now everybody bets whenever possible.",
            116: "That is full CFR, which touches all 58 histories twice.",
            7.5: "That is the mean of both walks; an iteration has both.",
            13: "Count the empty history, too, in both walks.",
        },
        good="9 for player 1 (3 + 2 + 1 + 1 + 2) and 6 for player 2 (3 + 1 + 2).",
        bad="Count the histories of player 1's walk, then those of player 2's, and add them.",
    )


@exercise(
    "The walk must come to `Q pb`: which deal, her pass, his bet? Then she calls or folds.",
    "One deal (Q against J, or Q against K) has probability 1/6, her pass 1/2, his bet 1/2, and "
    "her call or fold 1/2.",
    "−4 is: King dealt, and called. 4 is: Jack dealt, and called. 2 is: folded, with either deal.",
)
def check_outcome(answer: Any) -> Verdict:
    """The probabilities with which outcome sampling says −4, 2 and 4 in `Q pb`, uniform play."""
    truth = {"-4": 1 / 48, "2": 1 / 24, "4": 1 / 48}
    if hasattr(answer, "items"):
        answer = {str(key).replace("−", "-").strip("+"): value for key, value in answer.items()}
    given = numbers(answer, list(truth))
    for factor, why in {
        2: "Twice too large: one of the coin tosses is missing. Her own pass is one of them.",
        4: "Four times too large: pass, bet and call are tossed, and each halves it.",
        6: "Six times too large: the deal has a probability, too.",
        8: "Eight times too large: pass, bet and call are tossed, and each halves it.",
        24: "These are the shares among the walks that come there; asked is among all walks.",
    }.items():
        if all(agree(given[name], factor * value) for name, value in truth.items()):
            return wrong(why)
    for name, value in truth.items():
        verdict = nearly(given[name], value)
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    return right("−4/48 + 2 · 2/48 + 4/48 = 4/48 = 1/12, though no single walk says so.")


@exercise(
    "`probe` counts w wherever it stands. An ending is only where the hand stops.",
    "Forget `histories` and `infosets`; keep multiplying w, and hand it back at the end.",
)
def check_endings(answer: Any) -> Verdict:
    """A function (rules, rng) that plays one random hand and guesses the number of endings."""
    guess = need_function(answer, "endings(rules, rng)")
    for suits, ranks in ((2, 2), (2, 3)):
        rules = load_game("toepen", suits=suits, ranks=ranks, hand=2)
        tree, rng = compile_game(rules), np.random.default_rng(1)
        guesses = np.array([number(guess(rules, rng), "a guess") for _ in range(1_500)])
        mean, error = guesses.mean(), guesses.std() / len(guesses) ** 0.5
        truth, name = len(tree.utility), f"{suits}/{ranks}/2"
        if abs(mean - truth) <= 4 * error + 1e-9:
            continue
        said = f"On {name} the mean of 1,500 guesses is {mean:,.0f}; there are {truth:,} endings."
        if abs(mean - tree.num_histories) <= 4 * error + 1e-9:
            said += " It is the number of all histories."
        elif np.all(guesses == 1):
            said += " Every hand counts once: weigh it with 1 / (its probability)."
        return wrong(said)
    return right("Right on average, on 2/2/2 and on 2/3/2. Try it on 4/8/4, which nobody can list.")


@exercise(
    "Only chance is sampled. At both players' nodes go below every move, as CFR in notebook 02 "
    "does, and carry `mine` and `others` along (chance is not multiplied in).",
    "At her own nodes: `regret += others * (v - probs @ v)` if v is not yet weighted, and "
    "`strategy_sum += mine * probs`.",
    "Let the leaves bring back `others * utility`; then the regrets are weighted already. Add the "
    "new regrets after the walk, not on the way.",
)
def check_chance_sampling(answer: Any) -> Verdict:
    """Chance sampling as a generator (tree, seed) of (regret, strategy_sum), from our 23 lines."""
    make, kuhn = need_function(answer, "chance_sampling(tree, seed)"), game("kuhn")
    said = np.array([_pair(next(iter(make(kuhn, seed))))[0] for seed in range(1_000)])
    if said.shape[1:] != (kuhn.num_choices,):
        raise UnfitError(f"regret needs {kuhn.num_choices} numbers here, one for each choice")
    exact = next(iterate(kuhn, CFR(alternating=False))).regret
    call = kuhn.first_choice[kuhn.seen.index(("Q", "pb"))] + 1
    values = {round(float(value), 6) + 0.0 for value in said[:, call]}
    if values <= {round(1 / 12, 6)}:
        return wrong("This is full CFR: each walk says 1/12 in `Q pb`. Draw one deal.")
    if values <= {0.0, 1.5, -0.5}:
        return wrong("This is external sampling: his moves must all be tried, and multiplied in.")
    if values <= {0.0, 0.125, -0.0416667, -0.041667}:
        return wrong(
            "Chance is multiplied in *and* sampled. The walk goes there that often: leave it out."
        )
    if not values <= {0.0, 0.75, -0.25}:
        odd = min(values - {0.0, 0.75, -0.25})
        return wrong(f"In `Q pb` a walk should say 0.75, −0.25 or 0 about calling, not {odd:g}.")
    hers = np.repeat(kuhn.infoset_player == 0, np.diff(kuhn.first_choice))
    error = said.std(axis=0)[hers] / len(said) ** 0.5
    if np.any(np.abs(said.mean(axis=0) - exact)[hers] > 4.5 * error + 1e-12):
        return wrong("The mean of 1,000 first walks is not the regret of full CFR.")
    *_, last = islice(make(kuhn, 1), 2_000)
    lost = exploitability(normalised(kuhn, np.maximum(_pair(last)[1], 0.0)))
    if lost > 0.06:
        return wrong(
            f"The regrets are right. The average is exploitable by {lost:.3f} after 2,000 "
            "iterations: add `mine * probs` to `strategy_sum` at her own nodes."
        )
    return right(f"Right on average, and after 2,000 iterations exploitable by {lost:.3f} only.")


def _pair(step: Any) -> tuple[FloatArray, FloatArray]:
    try:
        regret, total = (np.array(part, float) for part in step)
    except (TypeError, ValueError):
        raise UnfitError("yield two arrays: regret, strategy_sum") from None
    return regret, total
