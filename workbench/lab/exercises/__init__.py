"""Exercises of the notebooks: checks that explain, hints, and questions to answer before looking.

A notebook loads its exercises in one line; they stand beside it, in `notebooks/exercises`, and the
worked solutions apart, in `notebooks/solutions`:

    exercise = wb.exercises.load("01")

    answer = ...
    exercise.check_replies(answer)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
