"""Exercises of the notebooks: checks that explain, hints, and questions to answer before looking.

A notebook loads its exercises in one line; they stand beside it, in `notebooks/exercises`, and the
worked solutions apart, in `notebooks/solutions`:

    exercise = wb.exercises.load("01")

    answer = ...
    exercise.check_replies(answer)

`core.py` says what an exercise is, `questions.py` what a reader predicts before a cell runs
(`wb.widgets.predict` shows it), `answers.py` reads and compares answers, `kinds.py` lists what a
file of exercises may ask for, `loading.py` reads it, `make truths` records the worked solutions.
`class_folder.py` notes what a student does, `hand_ins.py` is the file of it that a lecturer reads.
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
