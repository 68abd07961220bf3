"""Opponents who make mistakes: watch them, believe something about them, answer with care.

    Hand            what a player knows of a hand that is over: the ends she cannot tell apart
    Counts, Types   what she believes about an opponent, learnt from such hands
    safe_response   most against a model, and sure of what she does not want to risk
    data_biased_response    trusts the model only where there are observations
    gifts           what an opponent's moves cost the opponent: chips that may be risked later
    Adaptive        a policy that plays, looks, believes and answers anew

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> bold = wb.Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> wb.models.safe_response(bold, 0, budget=0.05)
Answer of player 0: wins 0.2111 from the model, sure of -0.1056 (the value is -0.0556)
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "lab.lectures.opponent_types": "Types",
        "models.beliefs": "Counts Hand Model",
        "models.answers": "Answer data_biased_response gifts safe_response",
        "models.adaptive": "Adaptive",
    },
)
