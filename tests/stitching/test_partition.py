"""Grafting partitions: the three conditions, and partitions read off a game."""

import numpy as np
import pytest
from hypothesis import given

import workbench as wb
from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games
from tests.stitching.partitions import closed, random_partition
from tests.test_compiling import Told, told
from workbench import GameError, GraftingPartition, compile_game, load_game
from workbench.rules import Chance, Decision, Terminal
from workbench.stitching.partition import betting_experts, card_experts, round_experts


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_condition_3_is_checked_as_it_is_written(rules, seed):
    tree = compiled(rules)
    part = np.random.default_rng(seed).integers(0, 3, tree.num_infosets).astype(np.int32)
    if closed(tree, part):
        assert GraftingPartition(tree, ("a", "b"), part).part.tolist() == part.tolist()
    else:
        with pytest.raises(GameError, match="after a part a player may only be in the same part"):
            GraftingPartition(tree, ("a", "b"), part)


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_by_histories_or_by_information_sets(rules, seed):
    tree = compiled(rules)
    part = random_partition(tree, seed)
    where = np.append(part.part, 0)[tree.infoset]  # where nobody decides it is -1: the last one
    masks = {name: where == part.number(name) for name in part.names}
    lists = {name: np.flatnonzero(mask).tolist() for name, mask in masks.items()}
    for parts in (masks, lists):
        again = GraftingPartition.from_histories(tree, parts)
        assert again.part.tolist() == part.part.tolist()


def test_a_part_may_end_but_not_turn_into_another(kuhn):
    """Back to the base is allowed; from the base into a part too."""
    first = [kuhn.infoset_label(i).count(" ") == 0 for i in range(kuhn.num_infosets)]
    GraftingPartition(kuhn, ("first",), np.array(first, np.int32))
    GraftingPartition(kuhn, ("later",), 1 - np.array(first, np.int32))
    with pytest.raises(GameError, match="'first' at 'J Q' and later in part 'later' at 'J Q p b'"):
        GraftingPartition(kuhn, ("first", "later"), 2 - np.array(first, np.int32))


def test_a_torn_information_set_names_its_histories(figure1):
    with pytest.raises(GameError, match="'b' is in 'x', 'c' in the base, and player 0 cannot tell"):
        GraftingPartition.from_histories(figure1, {"x": [1, 2]})


def test_betting_experts_play_after_their_prefix(leduc):
    """Counted on what Leduc says a player has seen: private card, board, betting."""
    prefixes = ["r", "cr", "ccr", "cccr"]
    part = betting_experts(leduc, prefixes)
    for j, (_, _, betting) in zip(part.part, leduc.seen, strict=True):
        begins = [betting.replace("/", "").startswith(prefix) for prefix in prefixes]
        assert j == (begins.index(True) + 1 if any(begins) else 0)
    spelled = betting_experts(leduc, [tuple(prefix) for prefix in prefixes])
    assert spelled.part.tolist() == part.part.tolist()
    assert spelled.names == ("r", "c r", "c c r", "c c c r")


def test_psopti_splits_at_the_flop(leduc):
    by_round = round_experts(leduc)
    by_betting = betting_experts(leduc, ["cc", "rc", "crc", "rrc", "crrc"])
    assert by_round.names == by_betting.names
    assert by_round.part.tolist() == by_betting.part.tolist()
    one = round_experts(leduc, by_betting=False)
    flop = [bool(seen[1]) for seen in leduc.seen]
    assert one.part.tolist() == flop == (by_round.part > 0).tolist()
    assert one.names == ("round 1",)


def test_heads_up_experts_play_when_two_are_left(ranked3):
    part = wb.stitching.heads_up_experts(ranked3)
    assert {"rf", "rrf", "rcf"} <= set(part.names)
    for infoset, (_, _, betting) in enumerate(ranked3.seen):
        folds = betting.split("/")[0].count("f")
        assert (part.part[infoset] > 0) == (folds == 1)
    late = wb.stitching.heads_up_experts(ranked3, last_round=1)
    assert set(part.names) < set(late.names)
    named = betting_experts(ranked3, ["rf", "rrf", "rcf"])
    assert named.part.tolist() == part.only(["rf", "rrf", "rcf"]).part.tolist()


def test_card_experts(leduc, kuhn):
    everything, flop = card_experts(leduc), card_experts(leduc, start=1)
    assert everything.sizes() == {"base": 0, "J": 312, "Q": 312, "K": 312}
    assert flop.sizes() == {"base": 36, "J": 300, "Q": 300, "K": 300}
    assert card_experts(kuhn).names == ("J", "Q", "K")
    assert card_experts(leduc, ["K"]).sizes() == {"base": 624, "K": 312}
    suits = card_experts(leduc, card=lambda seen: seen[0][1])
    assert suits.sizes() == {"base": 0, "♠": 468, "♥": 468}


def test_some_players_and_some_experts(leduc):
    part = betting_experts(leduc, ["r", "cr", "ccr"])
    hers = part.of(1)
    assert np.all(hers.part[leduc.infoset_player == 0] == 0)
    assert hers.part[leduc.infoset_player == 1].tolist() == part.part[468:].tolist()
    two = part.only(["ccr", "r"])
    assert (two.part == 1).tolist() == (part.part == 3).tolist()
    assert (two.part == 2).tolist() == (part.part == 1).tolist()


def test_iterators_are_read_once(leduc):
    wanted = betting_experts(leduc, ["r", "cr"])
    for again in (
        betting_experts(leduc, map(str, ["r", "cr"])),
        betting_experts(leduc, iter([iter("r"), iter("cr")])),
        wanted.only(name for name in ("r", "cr")).of(iter([0, 1])),
    ):
        assert len(again.names) == 2
        assert again.part.tolist() == wanted.part.tolist()
    cards = card_experts(leduc, iter("JK"))
    named = GraftingPartition(leduc, iter(["J", "K"]), cards.part)
    assert named.names == cards.names == ("J", "K")
    assert named.number("K") == 2


@pytest.mark.parametrize("name", ["prisoners_dilemma", "rock_paper_scissors", "odd_one_out"])
def test_games_without_cards_have_no_experts_by_card(name):
    tree = compile_game(load_game(name))
    with pytest.raises(GameError, match="has decisions where nobody has seen a card"):
        card_experts(tree)
    assert card_experts(tree, card=lambda seen: "any").names == ("any",)


def test_a_word_is_a_card_and_not_its_letters():
    coin = Chance({"heads": 0.5, "tails": 0.5})
    tree = compile_game(told(coin, lambda state: Decision(0, state[0], ["x", "y"])))
    assert card_experts(tree, ["heads"]).sizes() == {"base": 1, "heads": 1}


def test_hands_of_several_cards_have_no_first_letter():
    toepen = compile_game(load_game("toepen", suits=2, ranks=2))
    with pytest.raises(GameError, match="hold several cards; say what an expert is chosen by"):
        card_experts(toepen)
    assert len(card_experts(toepen, card=lambda seen: seen[0]).names) == 6


def in_words(longer):
    """Player 0 says `a` or something longer (after `a` also `b` or `c`), a coin falls, player 1
    answers."""

    def tell(said):
        if said in ((), ("a",)):
            return Decision(0, len(said), ["b", "c"] if said else ["a", longer])
        if said[-1] in ("b", "c", longer):
            return Chance({"heads": 0.5, "tails": 0.5})
        if said[-1] in ("heads", "tails"):
            return Decision(1, said, ["yes", "no"])
        return Terminal((1.0, -1.0) if said[-1] == "yes" else (-1.0, 1.0))

    return compile_game(Told(tell))


@pytest.fixture(scope="module")
def words():
    return in_words("ab")


def test_no_part_is_lost_where_joined_names_collide(words):
    assert round_experts(words).sizes() == {"base": 2, "ab": 2, "a b": 2, "a c": 2}


def test_a_string_with_two_readings_is_refused(words):
    with pytest.raises(GameError, match=r"'ab' can be read as \('ab',\) or as \('a', 'b'\)"):
        betting_experts(words, ["ab"])
    part = betting_experts(words, [("a", "b"), ("ab",), "ac"])
    assert part.sizes() == {"base": 2, "a b": 2, "ab": 2, "ac": 2}
    with pytest.raises(GameError, match="in the list twice"):
        betting_experts(words, ["ac", ("a", "c")])


def test_labels_with_spaces_make_no_names_alike():
    tree = in_words("a b")
    part = betting_experts(tree, [("a", "b"), ("a b",)])
    assert part.sizes() == {"base": 4, "('a', 'b')": 2, "('a b',)": 2}
    assert len(round_experts(tree).names) == 3
