"""The cards and moves of a game in words, and what lies on its table.

Everyday example: the rules say seen=("Q", "pb"), actions=("p", "b"). A person says "I hold the
Queen, I passed, and he bet: do I call or fold?"

Rules may say more about themselves than how they are played; panels, tables and reports ask for
`unit`, `per`, `about`, `moves`, `cards` and `rank_names` (help(wb.Rules)), and for

    words               a subclass of `Words`, for more: names that depend on the moment ("bet" or
                        "call"), a board, tricks, a pot, what is said when
    tables              how people sit down to it, by name: {"Leduc poker for three": {"options":
                        {"players": 3}}}, more arguments of `workbench.lab.play.session.Session`
    match               where matches of several hands are defined, "package.file:Class"
    counts              a function of the last state of a hand: what a match goes by, if that is not
                        the payoffs
    equilibrium         of rules that bring their solution: a policy, whose `worth(player, seen)` is
                        what each action is worth
    simplest            the same game in its simplest description: equal games are solved once
    abstractions        what a player may forget, by name; see `workbench.abstraction.abstraction`
    abstraction_steps   a dataclass of choices that make such a name, where there are many

A game that says nothing is told in the names its rules use, so that everything can be played. Its
cards are then what chance has dealt and the player has seen, in places of `seen` where nothing else
ever stands (a number that somebody says may be one that is dealt, too). A place that may be empty
("", None or an empty tuple: no card yet) counts as well, and so does one inside a tuple of `seen`.
Cards that all players see alike are on the board, with `cards` and without:

>>> from workbench.games.registry import load_game
>>> words = words_for(load_game("kuhn"))
>>> words.move("b", ("Q", "p"), ("p", "b")), words.move("b", ("Q", "pb"), ("p", "b"))
('bet', 'call')
>>> words.holds(("Q", "pb")), unit_of(load_game("kuhn"))
(['You hold the Queen'], 'chips per game')
>>> words = words_for(load_game("bluff"))
>>> words.move("bet", "ace", ("bet", "fold")), words.move("b", "ace", ("b", "f"))
('bet', 'play b')
>>> words.holds(("ace",)), words.cards(0, ("ace",))
(['You see “ace”'], ('ace',))

`names` below is what people are called, by seat; the one who reads is "You".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.rules import Chance, Decision, GameError, Rules, label_of
from workbench.settings import need_several

if TYPE_CHECKING:
    from workbench.policies import Step
    from workbench.tree import GameTree

RANKS = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace", "T": "10"}
SUITS = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
VERBS = {  # moves that need no "play" before them
    "accept", "ask", "bet", "bid", "call", "challenge", "check", "cooperate", "defect", "draw",
    "fold", "give", "hit", "keep", "pass", "play", "raise", "refuse", "share", "stand", "stay",
    "stop", "take", "trust", "wait",
}  # fmt: skip
LOOK_AT = 2_000  # states, to learn what a game is like


# ---- a little English ----------------------------------------------------------------


def says(name: str, phrase: str) -> str:
    """A subject and what it does: only "You" takes the phrase as it is.

    >>> says("You", "call"), says("Player 2", "go"), says("Player 2", "play the 10♥")
    ('You call', 'Player 2 goes', 'Player 2 plays the 10♥')
    """
    verb, _, rest = phrase.partition(" ")
    if name != "You":
        verb = {"are": "is", "have": "has", "go": "goes", "do": "does"}.get(verb) or _with_s(verb)
    return f"{name} {verb} {rest}".rstrip()


def _with_s(word: str) -> str:
    """The third person of a verb, the plural of a noun."""
    if word.endswith("y") and word[-2:-1] not in (*"aeiou", ""):
        return f"{word[:-1]}ies"
    return word + ("es" if word.endswith((*"sxz", "sh", "ch")) else "s")


def plural(unit: str) -> str:
    """More than one of them; a unit that ends in s stays as it is, and so do big blinds' bb and
    signs.

    >>> plural("chip"), plural("penny"), plural("chips"), plural("bb"), plural("€")
    ('chips', 'pennies', 'chips', 'bb', '€')
    """
    stays = unit.endswith(("s", "bb")) or not any(map(str.isalpha, unit))
    return unit if stays else _with_s(unit)


def number(value: float, digits: int = 2, sign: bool = False) -> str:
    """So many digits, a real minus, and no minus zero.

    >>> number(-1.305), number(2, sign=True), number(-1e-9)
    ('−1.30', '+2.00', '0.00')
    """
    text = f"{value:{'+' if sign else ''}.{digits}f}"
    if text.strip("+-0.") == "":
        return f"{0:.{digits}f}"
    return text.replace("-", "−")


def amount(value: float, unit: str) -> str:
    """So many of them; whole numbers, up to rounding, without digits.

    >>> amount(1 - 1e-15, "chip"), amount(1234, "hand"), amount(0.5, "point"), amount(-1, "chip")
    ('1 chip', '1,234 hands', '0.50 points', '−1 chip')
    """
    whole = round(float(value), 9) + 0.0  # no minus zero
    text = f"{whole:,.0f}".replace("-", "−") if whole.is_integer() else number(value)
    return f"{text} {unit if text in ('1', '−1') else plural(unit)}"


def listed(parts: Sequence[str]) -> str:
    """
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def card_name(card: str) -> str:
    """A card in words: rank, and suit if it has one.

    >>> card_name("Q♠"), card_name("10♥"), card_name("K"), a_card("A"), a_card("K")
    ('Queen of spades', '10 of hearts', 'King', 'an Ace', 'a King')
    """
    suit = SUITS.get(card[-1:], "")
    rank = card[:-1] if suit else card
    return RANKS.get(rank, rank) + (f" of {suit}" if suit else "")


def a_card(card: str) -> str:
    """With its article: there is one Queen of spades, but more than one Queen."""
    name = card_name(card)
    if " of " in name:
        return f"the {name}"
    return f"{'an' if name.startswith((*'AEIOaeio8', '11', '18')) else 'a'} {name}"


# ---- the table -----------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """What lies in front of one seat. A card is a name such as "Q♠", or None: face down."""

    cards: tuple[str | None, ...] = ()
    paid: float | None = None  # into the pot, where there is one
    folded: bool = False
    note: str = ""  # what else is to be said of it


@dataclass(frozen=True)
class Trick:
    """Cards that were played together, in order, and the seat that took them (-1: not yet)."""

    cards: tuple[tuple[int, str], ...]  # (seat, card)
    winner: int = -1


@dataclass(frozen=True)
class Scene:
    """The table in one moment, as one player sees it."""

    places: tuple[Place, ...]  # by seat
    board: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()
    at_stake: str = ""  # "pot 4 chips"


# ---- words ---------------------------------------------------------------------------


class Glance(NamedTuple):
    """What the first states of a game show."""

    decisions: list[Decision]
    public: bool  # whoever decides knows what everybody has done
    dealt: set[Any]  # (player, place in `seen`): there is always, and only, what chance has dealt
    board: set[Any]  # places with dealt cards that all players see alike


def glance(rules: Rules) -> Glance:
    """Look at some states of a game, three outcomes of chance each time."""
    decisions: list[Decision] = []
    knew: dict[Any, tuple[Any, ...]] = {}
    other, unsaid = set(), set()  # places with what is not dealt, and with what nobody has said
    first: dict[Any, tuple[int, Any]] = {}  # who saw what, when this was dealt
    alike, unlike = set[Any](), set[Any]()  # places where players see the same, and do not
    waiting: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = [(rules.start(), (), ())]
    public = True
    for _ in range(LOOK_AT):
        if not waiting:
            break
        state, done, dealt = waiting.pop()
        try:
            node = rules.node(state)
        except GameError:
            continue  # a deck too large to list
        if isinstance(node, Decision):
            decisions.append(node)
            public &= knew.setdefault((node.player, node.seen), done) == done
            for place, part in places_of(node.seen):
                if part not in dealt:
                    other.add((node.player, place))
                if part not in done:
                    unsaid.add((node.player, place))
                who, what = first.setdefault((dealt, place), (node.player, part))
                if who != node.player:
                    (alike if what == part else unlike).add(place)
            waiting += [(rules.next(state, move), (*done, move), dealt) for move in node.actions]
        elif isinstance(node, Chance):
            some = list(node.probabilities)[:3]
            turn = len(dealt) % len(some)  # so that the first hands differ
            some = some[turn:] + some[:turn]
            waiting += [(rules.next(state, one), done, (*dealt, one)) for one in some]
    cards = unsaid - other
    mixed = {place for _, place in other}
    return Glance(decisions, public, cards, {place for _, place in cards} & alike - unlike - mixed)


def places_of(seen: Any) -> list[tuple[Any, Any]]:
    """The parts of what a player has seen that are not empty, each with its place.

    A tuple is a part, and so are its members. A place is the number of parts and the way there:

    >>> places_of(("Q", ("K", ""), ""))
    [((3, 0), 'Q'), ((3, 1), ('K', '')), ((3, 1, 0), 'K')]
    """
    parts = seen if isinstance(seen, tuple) else (seen,)
    found = []
    waiting: list[tuple[Any, Any]] = [((len(parts), k), part) for k, part in enumerate(parts)]
    while waiting:
        place, part = waiting.pop(0)
        if part not in ("", None, ()):
            found.append((place, part))
        if isinstance(part, tuple):
            waiting[:0] = [((*place, k), inner) for k, inner in enumerate(part)]
    return found


class Words:
    """What all games have, and the fallback for those without words of their own."""

    coin = 1.0  # what one `unit` at the table is in payoffs: 1,000 where those are thousandths
    scored = "penalty points, {} loses"  # what the points of a match are

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.unit = _unit(rules)[0] or "point"
        usual = "Choose one of the moves; the rules of this game say what they mean."
        kind = type(rules)
        ours = kind.__module__.startswith("workbench.")  # whose docstrings are not rules of a game
        doc = "" if ours or (kind.__doc__ or "").startswith(f"{kind.__name__}(") else kind.__doc__
        lines = re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(doc or usual))  # one for each paragraph
        about = getattr(rules, "about", lines)
        self.about = str(self._ask("about", about) if callable(about) else about)
        given, cards = getattr(rules, "moves", None), getattr(rules, "cards", None)
        if not (given is None or isinstance(given, Mapping) or callable(given)):
            raise GameError(
                f"moves of {rules.name!r} must be a dict that says what actions are called, as in "
                f"{{'p': 'pass', 'b': 'bet'}}, not {given!r}"
            )
        self._moves = given if isinstance(given, Mapping) else {}
        self._cards = cards if callable(cards) else None

    def _ask(self, name: str, method: Any, *seen: Any) -> Any:
        """What a method of the rules answers; its mistakes are told with its name."""
        try:
            return method(*seen)
        except Exception as error:
            given = ", ".join(map(repr, seen))
            raise GameError(
                f"{name}({given}) of {self.rules.name!r} fails: {type(error).__name__}: {error}; "
                f"mend the method `{name}` of the rules"
            ) from error

    def amount(self, payoff: float) -> str:
        """A payoff as people at the table say it: "2 chips"."""
        return amount(payoff / self.coin, self.unit)

    def number(self, payoff: float, *, sign: bool = False) -> str:
        """The same without the unit, in columns: "2.00"."""
        return number(payoff / self.coin, sign=sign)

    def price(self, move: str, seen: Any, paid: float) -> str:
        """What stands behind a move that puts so much into the pot."""
        return f"({paid / self.coin:g})"

    @cached_property
    def _glance(self) -> Glance:
        return glance(self.rules)

    def check(self) -> None:
        """Refuse a game whose `cards` fail, before somebody sits down to it."""
        for node in self._glance.decisions if self._cards else ():
            self._held(node.seen)

    def move(self, action: Any, seen: Any, actions: Sequence[Any]) -> str:
        """What an action is called in this moment, as a verb: "call"."""
        if action in self._moves:
            return str(self._moves[action])
        label = label_of(action)
        return label if label.partition(" ")[0].lower() in VERBS else f"play {label}"

    def made(self, step: Step) -> str:
        """The move of a step, as a verb; what chance deals, by its name."""
        what = step.what
        return self.move(what, step.seen, step.actions) if step.actions else label_of(what)

    def cards(self, player: int, seen: Any) -> tuple[str, ...]:
        """The cards of a player who has seen this; a function of `seen` alone, so nothing leaks."""
        if self._cards:
            return self._held(seen)
        mine = {place for who, place in self._glance.dealt if who == player} - self._glance.board
        return tuple(label_of(part) for place, part in places_of(seen) if place in mine)

    def board(self, seen: Any) -> tuple[str, ...]:
        """The cards that lie open for all, of a player who has seen this."""
        board = self._glance.board
        return tuple(label_of(part) for place, part in places_of(seen) if place in board)

    def _held(self, seen: Any) -> tuple[str, ...]:
        """What the rules themselves call the cards."""
        held = self._ask("cards", self._cards, seen) if self._cards else ()
        what = f"cards({seen!r}) of {self.rules.name!r}"
        several = [held] if isinstance(held, str) else held
        return tuple(map(label_of, need_several(what, several, "the player's own, ['Q']")))

    def holds(self, seen: Any) -> list[str]:
        """What "you" know besides what people did."""
        if not self._cards:
            label = label_of(seen).strip(" ·")
            return [f"You see “{label}”" if label else "You have seen nothing"]
        board = [a_card(card) for card in self.board(seen)]
        return [
            f"You hold {listed([a_card(card) for card in self._held(seen)]) or 'no cards'}",
            *([f"the board shows {listed(board)}"] if board else []),
        ]

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """What a step tells the player in seat `you`; nothing if she does not notice it."""
        if step.player < 0:
            return []  # who knows who sees it
        if step.player != you and not self._glance.public:
            return []
        return [says(names[step.player], self.made(step))]

    def done(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """The same, but only what people did."""
        return self.told(step, names, you) if step.player >= 0 else []

    def folded(self, steps: Sequence[Step]) -> set[int]:
        """The seats that are out."""
        return {step.player for step in steps if step.player >= 0 and self.made(step) == "fold"}

    def showdown(self, steps: Sequence[Step]) -> set[int]:
        """The seats that show their cards when all is over: nobody if all but one have folded."""
        stay = {*range(self.rules.players)} - self.folded(steps)
        return stay if len(stay) > 1 else set()

    def points(self, names: Sequence[str], payoffs: Sequence[float]) -> str:
        """What a hand of a match has brought whom: a loser writes down what she pays."""
        lost = [(name, -paid) for name, paid in zip(names, payoffs, strict=True) if paid < 0]
        return listed([says(name, f"get {amount(n, f'penalty {self.unit}')}") for name, n in lost])

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        """What is said when cards are shown at the end."""
        told, seen = [], _seen(steps)
        if not self._glance.public:  # what others did comes out now
            moved = [step for step in steps if step.player not in (-1, you)]
            told += [says(names[step.player], self.made(step)) for step in moved]
        for seat in sorted(self.showdown(steps) & {*seen} - {you}):
            if cards := [a_card(card) for card in self._held(seen[seat])]:
                told.append(says(names[seat], f"show {listed(cards)}"))
            elif label_of(seen[seat]).strip(" ·"):
                told.append(f"{names[seat]} had seen “{label_of(seen[seat])}”")
        return told

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        """The table; `faces`: the seats whose cards are seen, besides one's own."""
        seen = _seen(steps)
        node = self.rules.node(steps[-1].state) if steps else None
        if isinstance(node, Decision) and node.player == you:
            seen[you] = node.seen
        mine = self.cards(you, seen[you]) if you in seen else ()
        places, out = [], self.folded(steps)
        for seat in range(self.rules.players):
            cards: tuple[str | None, ...] = (None,) * len(mine)  # as many as one's own
            note = ""
            if seat in seen and seat in {*faces, you}:
                cards = self.cards(seat, seen[seat])
                label = "" if cards else label_of(seen[seat]).strip(" ·")
                note = f"{'see' if seat == you else 'sees'} “{label}”" if label else ""
            places.append(Place(cards, folded=seat in out, note=note))
        boards = [self.board(seen[seat]) for seat in sorted({*faces, you}) if seat in seen]
        return Scene(tuple(places), max(boards, key=len, default=()))


def _seen(steps: Sequence[Step]) -> dict[int, Any]:
    """What each seat knew when it moved last."""
    return {step.player: step.seen for step in steps if step.player >= 0}


class PokerWords(Words):
    """One card each, perhaps one on the board, betting, a showdown.

    For rules whose state is (cards dealt so far in seat order, board last; betting so far) and
    whose `seen` is (own card, …); `paid(betting)` of the rules says what every seat has put in.
    """

    card = staticmethod(a_card)  # "a Queen"; "the Queen", where there is one of each

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        facing = "f" in actions
        names = {"f": "fold", "c": "call" if facing else "check", "r": "raise" if facing else "bet"}
        return names[action]

    def holds(self, seen: Any) -> list[str]:
        board = [seen[1]] if len(seen) > 2 and seen[1] else []
        return [
            f"You hold {self.card(seen[0])}",
            *(f"the board shows {self.card(card)}" for card in board),
        ]

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        if step.player >= 0:
            return super().told(step, names, you)
        seat = len(step.before[0])
        if seat == you:
            return [f"You are dealt {self.card(step.what)}"]
        board = seat >= self.rules.players
        return [f"The board shows {self.card(step.what)}"] if board else []

    def shown(self, steps: Sequence[Step], names: Sequence[str], you: int) -> list[str]:
        cards = steps[-1].state[0]
        return [
            says(names[seat], f"show {self.card(cards[seat])}")
            for seat in sorted(self.showdown(steps) - {you})
        ]

    def scene(self, steps: Sequence[Step], you: int, faces: set[int]) -> Scene:
        cards, betting = steps[-1].state if steps else ((), "")
        players, out = self.rules.players, self.folded(steps)
        paid = self.rules.paid(betting)  # type: ignore[attr-defined]
        places = []
        for seat in range(players):
            held = tuple(" ".join(cards[seat : seat + 1]).split())
            seen = seat == you or seat in faces
            places.append(Place(held if seen else (None,) * len(held), paid[seat], seat in out))
        stake = f"pot {self.amount(sum(paid))}"
        return Scene(tuple(places), tuple(" ".join(cards[players:]).split()), at_stake=stake)


def speaks(rules: Rules | None) -> bool:
    """True if a game brings names for its moves."""
    return hasattr(rules, "words") or (rules is not None and bool(Words(rules)._moves))


def words_for(rules: Rules) -> Words:
    """The words of a game."""
    kind: type[Words] = getattr(rules, "words", Words)
    return kind(rules)


def situation(
    words: Words, steps: Sequence[Step], seen: Any, names: Sequence[str], you: int
) -> str:
    """What a player has before her: what she holds, and what was done since her last move."""
    last = max((k for k, step in enumerate(steps) if step.player == you), default=-1)
    told = [text for step in steps[last + 1 :] for text in words.done(step, names, you)]
    parts = [*words.holds(seen), *told]
    return "; ".join([parts[0], *(text[0].lower() + text[1:] for text in parts[1:])])


def unit_of(game: Rules | GameTree | None) -> str:
    """What a game pays in, "chips per game"; nothing for one that does not say. Labels of plots
    have room for "mbb per hand" only."""
    unit, per = _unit(getattr(game, "origin", game))  # a tree knows where it comes from
    many = {"milli big blind": "mbb"}.get(unit) or plural(unit)
    return f"{many} per {per}" if unit else ""


def _unit(rules: Any) -> tuple[str, str]:
    """One of what a game pays in, and of what: "chips per hand" is one chip, of one hand.

    >>> class Mine: unit = "points per game"
    >>> _unit(Mine()), amount(1, _unit(Mine())[0]), unit_of(Mine())
    (('point', 'game'), '1 point', 'points per game')
    >>> for Mine.unit in ("penny/hand", "Chips Per Game", "points a game", "a chip", "€ each hand"):
    ...     print(unit_of(Mine()))
    pennies per hand
    Chips per Game
    points per game
    chips per game
    € per hand
    """
    said = getattr(rules, "unit", None)
    said = re.sub(r"^an?\s+", "", said.strip()) if isinstance(said, str) else ""
    unit, *per = re.split(r"(?i)\s*(?:/|\b(?:per|an?|each)\b)\s*", said, maxsplit=1)
    unit = re.sub(r"(?<=[^seiu])s$", "", unit)  # of chips, one
    return unit, "".join(per) or str(getattr(rules, "per", "game"))
