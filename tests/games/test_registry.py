"""Games are found by name, with their options."""

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
