"""Exercises of the notebooks: checks that explain, hints, and questions to answer before looking.

A notebook loads its exercises in one line; they stand beside it, in `notebooks/exercises`, and the
worked solutions apart, in `notebooks/solutions`:

    exercise = wb.exercises.load("01")

    answer = ...
    exercise.check_replies(answer)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "answers": [
            "agree", "chosen", "equilibrium", "game", "milli", "nearly", "need_function", "number",
            "numbers", "same_merging", "strategy",
        ],
        "class_folder": ["hand_in"],
        "core": ["Exercise", "UnfitError", "Verdict", "exercise", "right", "wrong"],
        "hand_ins": ["read_hand_ins"],
        "loading": ["load"],
        "questions": ["Question"],
    },
)  # fmt: skip
