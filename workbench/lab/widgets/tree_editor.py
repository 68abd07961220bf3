"""The line of the game browser in which payoffs and chances are changed, and the game solved again.

At the end of a game it shows what everybody wins, where chance moves how likely each outcome is, as
fractions. Write other numbers, press "Solve again", and the answer to "what if" stands beside the
play from before the change. `browser.tree` is then the changed game; `wb.to_efg(browser.tree,
"mine.efg")` keeps it, `wb.load_game("mine.efg")` brings it back.

>>> import workbench as wb
>>> kuhn = wb.compile_game(wb.load_game("kuhn"))
>>> bold = changed(kuhn, kuhn.num_histories - 1, "3 -3")
>>> bold.utility[-1].tolist(), kuhn.utility[-1].tolist()
([3.0, -3.0], [2.0, -2.0])
"""

from dataclasses import replace
from typing import Any

from workbench.lab.formats.gambit import distribution, fraction
from workbench.lab.widgets.controls import button, row, text
from workbench.lab.widgets.jobs import Outcome
from workbench.rules import Chance, GameError, Terminal, complaint
from workbench.runs.solve import solve
from workbench.settings import exact
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree

MOST = 20_000  # histories of a game that is solved again in a moment
ITERATIONS = 1000
BEFORE, NOW = "before the change", "now"


def numbers_at(tree: GameTree, history: int) -> str:
    """What can be changed there: payoffs or chances, as fractions; nothing where a player moves."""
    end = int(tree.terminal[history])
    if end >= 0:
        found = tree.utility[end].tolist()
        return " ".join(
            min(str(fraction(x)), repr(x), key=lambda one: len(one) > 30) for x in found
        )
    if tree.player[history] != CHANCE:
        return ""
    below = slice(*tree.first_child[history : history + 2])
    return " ".join(map(str, distribution(tree.chance[below].tolist())))


def changed(tree: GameTree, history: int, written: str) -> GameTree:
    """The same game with these numbers at one history."""
    if not numbers_at(tree, history):
        raise GameError("a player moves here; go where chance moves or where the game is over")
    words = written.replace(",", " ").replace("−", "-").split()  # the minus that the panel shows
    numbers = [float(exact(word)) for word in words]
    end, below = int(tree.terminal[history]), range(*tree.first_child[history : history + 2])
    if end >= 0:
        wrong = complaint(Terminal(numbers), tree.num_players)
    elif len(numbers) != len(below):
        wrong = f"{len(numbers)} probabilities, but chance has {len(below)} outcomes here"
    elif wrong := complaint(Chance(dict(zip(below, numbers, strict=True))), tree.num_players):
        low, total = min(numbers), sum(numbers)
        why = f"{low:g} is less than 0" if low < 0 else f"these sum to {total:.6g}"
        wrong = f"chances are at least 0 and sum to 1; {why}"
    if wrong:
        raise GameError(wrong)
    utility, chance = tree.utility.copy(), tree.chance.copy()
    if end >= 0:
        utility[end] = numbers
    else:
        chance[below.start : below.stop] = numbers
    name = tree.name.removesuffix(" (changed)") + " (changed)"
    return replace(tree, name=name, utility=utility, chance=chance, rules=None, derived_from=None)


class TreeEditor:
    """The line itself; it asks its browser where it stands, and gives it the changed game."""

    def __init__(self, browser: Any, first: tuple[GameTree, Any]) -> None:
        self.browser, self.first = browser, first
        self.field = text("", "", "numbers", continuous_update=False, width="16em")
        self.field.tooltip = "Write other numbers or fractions, then solve again"
        self.again = button(
            "Solve again", "again", browser.act(self.solve),
            tip="Solve the game with these numbers, and compare with the play from before",
        )  # fmt: skip
        self.undo = button(
            "As it was", "as-it-was", browser.act(self.restore), tip="The game from the beginning"
        )
        self.view = row(self.field, self.again, self.undo)

    def show(self) -> None:
        tree, here = self.browser.tree, self.browser.history
        numbers = numbers_at(tree, here) if tree.num_histories <= MOST else ""
        self.view.layout.display = "" if numbers or tree is not self.first[0] else "none"
        for control in (self.field, self.again):
            control.layout.display = "" if numbers else "none"
        self.undo.layout.display = "none" if tree is self.first[0] else ""
        self.field.description = "Chances" if tree.player[here] == CHANCE else "Payoffs"
        self.field.value = numbers

    def solve(self) -> None:
        browser = self.browser
        tree = changed(browser.tree, browser.history, self.field.value)
        old = Strategy(tree, next(iter(browser.strategies.values())).probs)

        def done(outcome: Outcome) -> None:
            if outcome.value is not None:
                browser.say("")
                browser.take(tree, {NOW: outcome.value, BEFORE: old})

        browser.say("Solving the changed game …", "note")
        browser.run(lambda job: solve(tree, "cfr+", ITERATIONS), done=done, lane="again")

    def restore(self) -> None:
        self.browser.take(*self.first)
