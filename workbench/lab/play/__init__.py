"""Play hands against any strategy, and learn afterwards what your decisions cost.

    session        hands one after the other: seats, score, take back, save and load
    opponents      who sits on the other side
    review         what each decision cost against the equilibrium, and what was luck
    session_view   one moment of a session in words, for the terminal and for a notebook
    terminal       the table as text

>>> import workbench as wb
>>> session = wb.play.Session("leduc", opponent="always-call", seed=1)
>>> session.deal()
>>> session.words.holds(session.asked.seen)
['You hold the Jack of hearts']
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
