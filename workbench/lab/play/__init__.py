"""Play: sit down at a table with any strategy, and learn afterwards what it cost.

    session   hands one after the other, seats, score, take back, save and load
    words     cards and moves in words
    review    what each decision cost against the equilibrium, and what was luck
    terminal  the table as text

>>> session = Session("leduc", opponent="always-call", seed=1)
>>> session.deal()
>>> session.words.holds(session.asked.seen)
['You hold the Jack of hearts']
"""

from workbench.lab.play.hand_record import Hand, Move, Step, replay
from workbench.lab.play.opponents import Opponent, find_opponent
from workbench.lab.play.review import Judge, Review, Verdict
from workbench.lab.play.session import Session
from workbench.lab.play.equilibrium_cache import Book
from workbench.lab.play.words import Words, words_for
from workbench.lab.play.action_values import Worth, worth

__all__ = [
    "Book",
    "Hand",
    "Judge",
    "Move",
    "Opponent",
    "Review",
    "Session",
    "Step",
    "Verdict",
    "Words",
    "Worth",
    "find_opponent",
    "replay",
    "words_for",
    "worth",
]
