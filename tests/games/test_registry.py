"""Games are found by name; a wrong name or option is answered with the nearest right one."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.games.registry import list_games, load_game
from workbench.games.toepen.rules import Toepen
from workbench.rules import GameError, Rules


def test_every_listed_game_loads_and_knows_its_name():
    names = list_games()
    assert names == sorted(set(names))
    assert {"kuhn", "leduc", "rock_paper_scissors", "figure1", "bluff", "gift"} <= set(names)
    for name in names:
        rules = load_game(name)
        assert isinstance(rules, Rules)
        assert rules.name == name


def test_options_reach_the_game():
    assert load_game("leduc", players=3, ranks=4) == Leduc(players=3, ranks=4)
    assert load_game("kuhn", cards=4) == Kuhn(cards=4)
    settings = pd.DataFrame({"suits": [2], "betting": [True]}).iloc[0]
    assert load_game("toepen", **settings).name == load_game("toepen", suits=2, betting=True).name
    assert load_game("leduc", ranks=np.int64(4)).name == "leduc(ranks=4)"
    assert load_game("toepen", hand=3, follow_suit=False) == Toepen(hand=3, follow_suit=False)
    assert load_game("toepen", limits=[1, 2]) == Toepen(limits=(1, 2))
    assert Toepen(players=3, hand=1, betting=False).name == (
        "toepen(hand=1, betting=False, players=3)"
    )


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("ledcu", {}, "there is no game 'ledcu'; did you mean 'leduc'? Games: "),
        ("Kuhn", {}, "there is no game 'Kuhn'; did you mean 'kuhn'?"),
        ("figure 1", {}, "did you mean 'figure1'?"),
        ("xyzzy", {}, "there is no game 'xyzzy'; Games: "),
        ("leduc", {"player": 3}, "leduc has no option 'player'; did you mean 'players'? Options:"),
        ("leduc", {"zz": 3}, "leduc has no option 'zz'; Options: players, ranks, suit_isomorphism"),
        ("leduc", {"players": "3"}, "leduc: players must be a whole number from 2 to 10, not '3'"),
        ("kuhn", {"players": 2}, "kuhn has no option 'players'; Options: cards"),
        ("figure1", {"cards": 2}, "figure1 has no option 'cards'; it has no options"),
        ("smuggler", {"name": "x"}, "smuggler has no option 'name'; it has no options"),
        ("nowhere.txt", {}, "cannot read the game file 'nowhere.txt': No such file"),
        ("", {}, "there is no game ''; Games:"),
        ("leduc", {"players": 1}, "players must be a whole number from 2 to 10, not 1"),
        ("leduc", {"ranks": 14}, "ranks must be a whole number from 2 to 13, not 14"),
        ("leduc", {"ranks": True}, "not True"),
        ("leduc", {"players": 6}, "6 players and the board need 7 cards, 3 ranks give 6"),
        ("leduc", {"suit_isomorphism": "no"}, "suit_isomorphism must be True or False, not 'no'"),
        ("kuhn", {"cards": 2}, "cards must be a whole number from 3 to 13, not 2"),
        ("kuhn", {"cards": 3.0}, "not 3.0"),
        ("toepen", {"suits": 5}, "toepen: suits must be a whole number from 1 to 4, not 5"),
        ("toepen", {"ranks": 9}, "toepen: ranks must be a whole number from 1 to 8, not 9"),
        ("toepen", {"hand": 0}, "toepen: hand must be a whole number from 1 to 16, not 0"),
        ("toepen", {"hand": 5}, "two hands of 5 need 10 cards, 3 suits of 3 ranks give 9; take"),
        ("toepen", {"betting": "both"}, "betting must be True, False, 'leader' or 'anytime', not"),
        ("toepen", {"betting": 1}, "betting must be True, False, 'leader' or 'anytime', not 1"),
        ("toepen", {"follow_suit": None}, "follow_suit must be True or False, not None"),
        ("toepen", {"suit_isomorphism": 1}, "suit_isomorphism must be True or False, not 1"),
        ("toepen", {"players": 9}, "players must be a whole number from 2 to 8, not 9"),
        ("toepen", {"players": 8}, "eight hands of 2 need 16 cards, 3 suits of 3 ranks give 9"),
        ("toepen", {"players": 3, "hand": 4}, "three hands of 4 need 12 cards, 3 suits of 3 ranks"),
        ("toepen", {"limits": (3,)}, "limits must be 2 whole numbers, one for each player, not (3"),
        ("toepen", {"limits": (3, 0)}, "limits must be a whole number of at least 1, not 0"),
        ("toepen", {"limits": 3}, "limits must be a list of whole numbers, not 3"),
    ],
)
def test_what_is_no_game_or_impossible_is_refused(name, options, message):
    with pytest.raises(GameError, match=re.escape(message)):
        load_game(name, **options)


def test_a_file_is_a_game(tmp_path, monkeypatch):
    path = tmp_path / "mine.txt"
    path.write_text("game mine\nplayer 1\n  stop: pays 1\n  go: pays 2\n", encoding="utf-8")
    assert load_game(path).name == load_game(str(path)).name == "mine"
    assert "mine" not in list_games()
    monkeypatch.setattr("workbench.shipped.shipped", lambda _: tmp_path)
    assert "mine" in list_games()
    assert load_game("mine").players == 1


def test_without_the_data_folder_there_are_fewer_games(monkeypatch):
    monkeypatch.setattr("workbench.shipped.shipped", lambda _: Path("no-such-folder"))
    assert "kuhn" in list_games()
    assert "figure1" not in list_games()
    with pytest.raises(GameError, match="there is no game 'figure1'"):
        load_game("figure1")
