"""Toepen told once more, as slowly as possible: every question replays the hand from its deal."""

from itertools import combinations

RANKS = ["10", "9", "8", "7", "A", "K", "Q", "J"]


class Naive:
    """The hand in plain words, told by a referee with a list of what has to happen, most urgent
    first; `ask` gives (seat, options), or the payoffs as a dict."""

    def __init__(self, suits, ranks, hand, betting, players, limits=None):
        self.deck = [rank + suit for suit in "♠♥♦♣"[:suits] for rank in RANKS[:ranks]]
        self.hand, self.betting, self.players, self.limits = hand, betting, players, limits
        self.anytime = betting == "anytime"

    def deals(self, left=None, seats=-1):
        left = self.deck if left is None else left
        seats = self.players if seats < 0 else seats
        if seats == 0:
            yield []
            return
        for held in combinations(left, self.hand):
            rest = [card for card in left if card not in held]
            for others in self.deals(rest, seats - 1):
                yield [list(held), *others]

    def speakers(self, order, table):
        """Who may still speak before the next card; its player is the first of `order`."""
        if not order or not self.betting or (self.betting == "leader" and table):
            return []
        everyone = list(range(self.players))
        return everyone[order[0] :] + everyone[: order[0]] if self.anytime else order[:1]

    def ask(self, deal, moves):
        hands, said = [set(held) for held in deal], list(moves)
        everyone = list(range(self.players))
        bounds = self.limits or [15 if self.anytime else 1000] * self.players
        stake, last, table = 1, None, list[tuple[int, str]]()
        paid = {}
        order, rounds = list(everyone), 0  # who has still to play to this trick
        speakers = self.speakers(order, table)
        while True:
            if not order:  # the trick is over
                alive = [pair for pair in table if pair[0] not in paid]
                fits = [pair for pair in alive if pair[1][-1] == table[0][1][-1]] or alive[:1]
                winner = min(fits, key=lambda pair: RANKS.index(pair[1][:-1]))[0]
                rounds, table = rounds + 1, []
                if rounds == self.hand:
                    return self.payoffs(winner, paid, stake)
                order = [s for s in everyone[winner:] + everyone[:winner] if s not in paid]
                speakers = self.speakers(order, table)
            if speakers:
                speaker = speakers.pop(0)
                limited = stake + 1 > bounds[speaker]
                if speaker in paid or speaker == last or (self.anytime and limited):
                    continue
                if not said:
                    return speaker, ["check"] if limited else ["bet", "check"]
                if said.pop(0) == "check":
                    continue
                circle = everyone[speaker + 1 :] + everyone[:speaker]
                for other in [s for s in circle if s not in paid]:
                    if not said:
                        return other, ["call", "fold"]
                    if said.pop(0) == "fold":
                        paid[other] = stake
                if len(paid) == self.players - 1:
                    return self.payoffs(speaker, paid, stake)
                stake, last = stake + 1, speaker
                order = [s for s in order if s not in paid]
                speakers = self.speakers(order, table) if self.anytime else []
                continue
            seat = order[0]
            suited = {card for card in hands[seat] if table and card[-1] == table[0][1][-1]}
            if not said:
                return seat, sorted(suited or hands[seat])
            order.pop(0)
            card = said.pop(0)
            hands[seat].remove(card)
            table.append((seat, card))
            speakers = self.speakers(order, table)

    def payoffs(self, winner, paid, stake):
        lost = {
            seat: -paid.get(seat, stake) if seat != winner else 0 for seat in range(self.players)
        }
        return lost | {winner: -sum(lost.values())}

    def measure(self):
        """Histories (forced moves merged), information sets, values of uniform play."""
        infosets = set()
        histories, values, deals = 1, [0.0] * self.players, list(self.deals())
        for deal in deals:
            stack = [([], 1 / len(deals))]
            while stack:
                moves, reach = stack.pop()
                answer = self.ask(deal, moves)
                if isinstance(answer, dict):
                    histories += 1
                    for seat, payoff in answer.items():
                        values[seat] += reach * payoff
                    continue
                seat, options = answer
                if len(options) > 1:
                    histories += 1
                    infosets.add((seat, tuple(sorted(deal[seat])), tuple(moves)))
                stack += [([*moves, option], reach / len(options)) for option in options]
        return histories, len(infosets), values
