"""A game as a student writes it on her first day, who has read about `wb.Rules` and no more."""

import workbench as wb


class Kuhn4:
    """Kuhn poker with four cards: ante 2, bet 1, and a bet may be raised once."""

    name, players = "kuhn4", 2

    def start(self):
        return "", ""

    def next(self, state, action):
        cards, bets = state
        return (cards + action, bets) if len(cards) < 2 else (cards, bets + action)

    def node(self, state):
        cards, bets = state
        if len(cards) < 2:
            left = [card for card in "JQKA" if card not in cards]
            return wb.Chance({card: 1 / len(left) for card in left})
        paid = [2 + sum({"b": 1, "c": 1, "r": 2}.get(x, 0) for x in bets[s::2]) for s in (0, 1)]
        me = len(bets) % 2
        if bets.endswith("f"):
            return wb.Terminal((paid[1], -paid[1]) if me == 0 else (-paid[0], paid[0]))
        if bets.endswith("c") or bets == "pp":
            lost = min(paid) if "JQKA".index(cards[0]) < "JQKA".index(cards[1]) else -min(paid)
            return wb.Terminal((-lost, lost))
        moves = "fc" if bets.endswith("r") else "fcr" if bets.endswith("b") else "pb"
        return wb.Decision(me, (cards[me], bets), tuple(moves))


class SpokenKuhn4(Kuhn4):
    """The same with a few words: names of moves, cards, the unit, the rules."""

    name, unit = "spoken kuhn4", "chip"
    moves = {"p": "check", "b": "bet", "f": "fold", "c": "call", "r": "raise"}  # noqa: RUF012
    about = "Both put 2 chips into the pot and get one of four cards. The higher card wins."

    def cards(self, seen):
        return [seen[0]]


class Longer:
    """Kuhn or, with a board and no second bets, Leduc, with another deck."""

    name, players = "longer", 2

    def __init__(self, deck: str, board: bool = False) -> None:
        self.deck, self.board = deck.split(), board

    def start(self):
        return (), ""

    def next(self, state, action):
        cards, bets = state
        return (cards, bets + action) if action in "pb" else ((*cards, action), bets)

    def node(self, state):
        cards, bets = state
        if len(cards) < 2 + self.board:
            left = [card for card in self.deck if card not in cards]
            return wb.Chance(dict.fromkeys(left, 1 / len(left)))
        if bets in ("", "p", "b", "pb"):
            me = len(bets) % 2
            return wb.Decision(me, (cards[me], *cards[2:], bets), ("p", "b"))
        stake = 1.0 + bets.endswith("bb")
        paired = [card[:-1] == cards[-1][:-1] for card in cards[:2]] if self.board else [0, 0]
        key = [(paired[k], self.deck.index(cards[k])) for k in (0, 1)]
        loser = key.index(min(key)) if len(set(bets[-2:])) == 1 else 1 - len(bets) % 2
        return wb.Terminal((-stake, stake) if loser == 0 else (stake, -stake))


class Named(Longer):
    """The same, whose rules say what the ranks are."""

    @property
    def rank_names(self):
        return list(dict.fromkeys(card.strip("♠♥") for card in self.deck))
