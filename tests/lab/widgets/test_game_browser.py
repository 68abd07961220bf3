"""The game browser without kernel and browser: walking, looking, comparing."""

import re
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import workbench as wb
from tests.lab.widgets.helpers import SOON, said, text
from workbench.lab.plots.tree_layout import neighbourhood
from workbench.lab.widgets import game_browser
from workbench.lab.widgets.game_browser import GameBrowser, drawable
from workbench.lab.widgets.tree_editor import changed, numbers_at


@pytest.fixture
def browsers(panels: Any) -> Any:
    return partial(panels, GameBrowser, draw=False)


def labels(buttons: Any) -> list[str]:
    return [one.description for one in buttons.shown]


def press(buttons: Any, label: str) -> None:
    next(one for one in buttons.shown if one.description == label).click()


def test_a_hand_of_kuhn_by_clicking(browsers):
    browser = browsers("kuhn")
    assert "Chance is to move" in browser.place.value
    assert labels(browser.moves) == ["J", "Q", "K"]
    press(browser.moves, "Q")
    press(browser.moves, "J")
    assert labels(browser.moves) == ["pass (p)", "bet (b)"]
    assert "You hold the Queen" in browser.place.value
    assert "2 histories look like this to you" in browser.place.value
    press(browser.moves, "pass (p)")
    assert browser.player == 1
    press(browser.moves, "bet (b)")
    assert browser.path == ["Q", "J", "p", "b"]
    assert labels(browser.moves) == ["fold (p)", "call (b)"]
    assert labels(browser.crumbs) == ["Start", "Q", "J", "p", "b"]
    press(browser.moves, "call (b)")
    assert "The game is over:</b> player 1 +2, player 2 −2" in browser.place.value
    assert browser.moves.shown == []
    assert browser.deal_button.disabled
    browser.deal_button.click()  # the second of two clicks
    assert said(browser) == ""
    with pytest.raises(wb.GameError, match="the game is over"):
        browser.deal()
    browser.back_button.click()
    assert said(browser) == ""
    press(browser.crumbs, "J")
    assert browser.path == ["Q", "J"]
    browser.root_button.click()
    assert browser.path == []
    assert browser.back_button.disabled


def test_every_number_is_the_judges(browsers, kuhn):
    sigma, tau = wb.solve(kuhn, iterations=300).strategy, wb.Strategy.uniform(kuhn)
    browser = browsers(kuhn, {"CFR+": sigma, "coin": tau}, at="QJpb")
    for name, strategy in {"CFR+": sigma, "coin": tau}.items():
        seen, ours = wb.judge.look(strategy, ("Q", "pb")), browser.sights[name]
        assert np.array_equal(seen.beliefs, ours.beliefs)
        assert np.array_equal(seen.counterfactual, ours.counterfactual)
    shown = text(browser.tables.value)
    coin = shown[shown.index("coin") :]
    # by hand: he bets Jack and King alike; a call wins or loses 2, a fold loses 1
    for line in (
        "fold (p) 0.500 −1.000 −0.167 −0.083", "call (b) 0.500 0 0 +0.083",
        "▸ Q J p b 0.500 −1.000 +2.000", "Q K p b 0.500 −1.000 −2.000 on average −1.000 0",
    ):  # fmt: skip
        assert line in coin
    assert "regret R" not in shown  # nobody gave regrets


def test_regrets_of_a_run(browsers, kuhn):
    run = wb.solve(kuhn, "cfr", iterations=50)
    first = kuhn.first_choice[kuhn.find_infoset("Q pb")]
    wanted = f"{run.state.regret[first]:+.3f}".replace("-", "−")
    shown = text(browsers(kuhn, run, at="QJpb").tables.value)
    assert f"{wanted} call (b)" in shown
    assert "regret R" in shown


def test_regrets_of_an_abstraction_are_those_of_the_coarse_set(browsers, ranked):
    run = wb.solve(ranked, "cfr", iterations=20, abstraction="JQ-K")
    browser = browsers(ranked, {"coarse": run}, at="JK")
    jack = text(browser.tables.value)
    browser.go("QK")
    queen = text(browser.tables.value)
    last = re.compile(r"check \(c\) .*? ([−+]?[\d.]+) bet")
    found = [match.group(1) for match in map(last.search, (jack, queen)) if match]
    assert len(found) == 2
    assert found[0] == found[1]


def test_chance_and_the_strategy_may_choose(browsers, kuhn):
    bold = wb.Strategy.from_function(kuhn, lambda *_: "b")
    paths = set()
    for seed in range(12):
        browser = browsers(kuhn, bold, seed=seed)
        browser.deal_button.click()
        assert browser.player == 0  # both cards are dealt
        assert browser.deal_button.description == "Play for me"
        browser.deal_button.click()
        browser.deal_button.click()
        assert browser.path[2:] == ["b", "b"]
        paths.add(tuple(browser.path))
    assert len(paths) > 2
    again = [browsers(kuhn, bold, seed=3) for _ in range(2)]
    for browser in again:
        browser.deal()
    assert again[0].path == again[1].path


def test_many_outcomes_are_a_list(browsers):
    tree = wb.compile_game(wb.load_game("toepen", suits=2))
    browser = browsers(tree, wb.Strategy.uniform(tree))
    assert browser.moves.shown == []
    assert browser.more.layout.display == ""
    assert "and 78 more" in browser.tables.value
    assert browser.picture.layout.display == "none"
    browser.more.value = browser.more.options[5][1]
    assert len(browser.path) == 1
    assert browser.more.layout.display == "none"
    assert labels(browser.moves) == ["bet", "check"]
    assert "You hold the 10♠ and 9♠" in browser.place.value
    assert "information sets look" not in browser.place.value


def test_the_picture_follows(browsers, kuhn):
    both = {"a": wb.Strategy.uniform(kuhn), "b": wb.solve(kuhn).strategy}
    browser = browsers(kuhn, both, draw=True)
    assert browser.job.wait(SOON)
    first = browser.picture.value
    words = "The tree of kuhn. The way the start is outlined; here chance moves."
    assert ElementTree.fromstring(first).get("aria-label") == words
    browser.go("QJ")
    assert browser.job.wait(SOON)
    assert "here player 1 moves" in browser.picture.value
    browser.edges.value = "b"
    assert browser.job.wait(SOON)
    browser.go(0)
    browser.edges.value = "a"
    assert browser.picture.value == first  # remembered


def test_nodes_of_the_tree_can_be_pressed(browsers, kuhn):
    browser = browsers(kuhn, wb.Strategy.uniform(kuhn), draw=True, at="QJp")

    def drawn() -> tuple[Any, dict[int, Any]]:
        assert browser.job.wait(SOON)
        svg = ElementTree.fromstring(browser.picture.value)
        return svg, {int(node.get("data-history")): node for node in svg.iter("g")}

    svg, nodes = drawn()
    assert list(nodes) == list(range(kuhn.num_histories))
    (here,) = [h for h, node in nodes.items() if node.get("tabindex") == "0"]
    assert here == browser.history
    places = {h: node.find("circle").attrib for h, node in nodes.items()}
    for h in range(1, kuhn.num_histories):  # a move is below the one before
        assert float(places[h]["cy"]) > float(places[int(kuhn.parent[h])]["cy"])
    _, _, width, height = map(float, svg.get("viewBox").split())
    assert all(
        0 < float(at["cx"]) < width and 0 < float(at["cy"]) < height for at in places.values()
    )
    target = next(h for h, node in nodes.items() if node.find("title").text == "K Q b p")
    browser.goto.value = str(target)  # as a press does
    assert browser.path == ["K", "Q", "b", "p"]
    assert browser.goto.value == ""  # the same node can be pressed again
    browser.go("QJp")
    arrows = {key: svg.get(f"data-arrow-{key}") for key in ("up", "down", "left", "right")}
    for key, path in {"up": "QJ", "down": "QJpp", "right": "QJb"}.items():
        browser.go("QJp")
        browser.goto.value = arrows[key]
        assert "".join(browser.path) == path
    assert arrows["left"] is None


def test_a_large_game_says_why_only_uniform_play_is_shown(browsers, monkeypatch):
    monkeypatch.setattr(game_browser, "SOLVED", 50)
    browser = browsers("kuhn", at="QJ")
    assert list(browser.strategies) == ["uniform"]
    assert "a game of 58 histories is too large to be solved" in text(browser.tables.value)
    tree = browser.tree
    assert "too large" not in browsers(tree, wb.Strategy.uniform(tree), at="QJ").tables.value


def test_what_is_drawn(kuhn, leduc):
    assert neighbourhood(kuhn, 31) == (0, None)
    toepen = wb.compile_game(wb.load_game("toepen", suits=3, ranks=3, hand=2))
    assert not drawable(toepen, 0)
    assert drawable(toepen, 5)
    for history in range(0, leduc.num_histories, 371):
        root, depth = neighbourhood(leduc, history, 70)
        level, shown = [root], {root}
        for _ in range(depth or 0):
            level = [c for h in level for c in range(*leduc.first_child[h : h + 2])]
            shown |= set(level)
        assert history in shown
        assert set(range(*leduc.first_child[history : history + 2])) <= shown
        assert len(shown) <= 70


def test_a_click_that_comes_too_late_does_nothing(browsers):
    """The King's button is the third: pressed twice, when only two cards are left."""
    browser = browsers("kuhn")
    king = browser.moves.shown[2]
    king.click()
    king.click()
    assert browser.path == ["K"]
    assert browser.message.layout.display == "none"


def test_numbers_are_changed_where_the_tree_is_drawn_and_the_game_solved_again(browsers, kuhn):
    run = wb.solve(kuhn, "cfr+", 100)
    browser = browsers(kuhn, {"CFR+": run}, at="KQbb")
    editor = browser.editor
    assert (editor.field.description, editor.field.value) == ("Payoffs", "2 -2")
    editor.field.value = "5/2, -2.5"
    editor.again.click()
    assert browser.wait(SOON)
    assert said(browser) == ""
    assert browser.tree.utility[browser.tree.terminal[browser.history]].tolist() == [2.5, -2.5]
    assert [*browser.strategies] == ["now", "before the change"]
    assert browser.strategies["before the change"].probs.tolist() == run.strategy.probs.tolist()
    again = wb.compile_game(wb.load_game(wb.to_efg(browser.tree)))  # a twin, by way of a file
    twin = wb.solve(again, "cfr+", 1000).strategy
    assert wb.expected_values(browser.strategies["now"])[0] == wb.expected_values(twin)[0]
    browser.go(0)
    assert (editor.field.description, editor.field.value) == ("Chances", "1/3 1/3 1/3")
    browser.go("QJ")  # a player moves
    assert editor.field.layout.display == "none"
    with pytest.raises(wb.GameError, match="a player moves here"):
        editor.solve()
    editor.undo.click()
    assert browser.tree is kuhn
    assert "summed up over its iterations" in browser.tables.value  # as by its solver
    assert editor.view.layout.display == "none"


@pytest.mark.parametrize("numbers", ["1e+300 -1e+300", "1/3 -1/3", "2 -1e-300"])
def test_odd_payoffs_are_written_as_a_person_reads_them_and_kept_in_a_file(kuhn, numbers):
    last = kuhn.num_histories - 1
    tree = changed(kuhn, last, numbers.replace("-1", "−1"))  # as the panel shows a minus
    assert numbers_at(tree, last) == numbers
    again = wb.compile_game(wb.load_game(wb.to_efg(tree)))
    assert again.utility.tolist() == tree.utility.tolist()


@pytest.mark.parametrize(
    ("at", "written", "says"),
    [
        (0, "1/2 1/2", "2 probabilities, but chance has 3"),
        (0, "1/2 1/2 1/2", "chances are at least 0 and sum to 1; these sum to 1.5"),
        (0, "-1 1 1", "chances are at least 0 and sum to 1; -1 is less than 0"),
        (0, "", "0 probabilities, but chance has 3"),
        ("KQbb", "", "2 finite numbers"),
        ("KQbb", "nan -2", "is no number; write 2, -0.5 or 1/3"),
        ("KQbb", "two -2", "is no number"),
        ("KQbb", "1e999 -2", "is no number"),
    ],
)
def test_numbers_that_make_no_game_change_nothing(browsers, at, written, says):
    browser = browsers("kuhn", at=at)
    tree = browser.tree
    browser.editor.field.value = written
    browser.editor.again.click()
    assert says in said(browser)
    assert browser.tree is tree
    assert browser.editor.field.value == written  # to be mended
