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
