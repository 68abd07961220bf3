"""Leduc as a student writes it in a notebook: no helper of the package, nothing fast.

Compiled, it must solve as fast as the game that comes with the package.
"""

from __future__ import annotations

from workbench import Chance, Decision, Terminal

State = tuple[tuple[str, ...], str]  # the cards (player 0, player 1, board), the betting


class StudentLeduc:
    name = "leduc by a student"
    players = 2
    deck = ("J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥")

    def start(self) -> State:
        return (), ""

    def next(self, state: State, action: str) -> State:
        cards, bets = state
        if action in self.deck:
            return (*cards, action), bets + "/" if len(cards) == 2 else bets
        return cards, bets + action

    def node(self, state: State) -> Chance | Decision | Terminal:
        cards, bets = state
        now = bets.split("/")[-1]  # this round's betting
        player = len(now) % 2
        if len(cards) < 2:
            return self.deal(cards)
        paid = self.paid(bets)
        if bets.endswith("f"):  # it was the other player who folded
            lost = min(paid)
            return Terminal((lost, -lost) if player == 0 else (-lost, lost))
        if len(now) < 2 or now[-1] == "r":
            actions = ["f", "c", "r"] if paid[0] != paid[1] else ["c", "r"]
            if now.count("r") == 2:
                actions.remove("r")
            return Decision(player, (cards[player], cards[2:], bets), actions)
        if len(cards) == 2:
            return self.deal(cards)
        mine, hers = (self.strength(card, cards[2]) for card in cards[:2])
        won = paid[0] * ((mine > hers) - (mine < hers))
        return Terminal((won, -won))

    def deal(self, cards: tuple[str, ...]) -> Chance:
        left = [card for card in self.deck if card not in cards]
        return Chance({card: 1 / len(left) for card in left})

    def strength(self, card: str, board: str) -> int:
        return 3 if card[0] == board[0] else "JQK".index(card[0])

    def paid(self, bets: str) -> list[int]:
        paid = [1, 1]
        for size, betting in zip((2, 4), bets.split("/"), strict=False):
            for turn, action in enumerate(betting):
                if action != "f":
                    paid[turn % 2] = max(paid) + (size if action == "r" else 0)
        return paid
