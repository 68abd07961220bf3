"""What the glossary says in numbers."""

import numpy as np

assert np.allclose(best, [1 / 2, 5 / 12], atol=1e-12)
assert abs(nashconv - 11 / 12) < 1e-12
assert abs(epsilon - 11 / 24) < 1e-12
assert np.allclose(queen.expected, [-1, 0])
# because: lead to this information set with probability 1/6, so folding has
assert np.allclose(queen.others.sum(), 1 / 6)
assert np.allclose(queen.counterfactual, [-1 / 6, 0])
probs = uniform.probs.copy()
for card in "JK":  # player 2 bets after every pass: she is led there twice as often
    at = kuhn.first_choice[kuhn.find_infoset((card, "p"), 1)]
    probs[at : at + 2] = 0, 1
often = wb.judge.look(wb.Strategy(kuhn, probs), ("Q", "pb"))
assert np.allclose(often.others.sum(), 1 / 3)
assert np.allclose(often.counterfactual[0], -1 / 3)
assert np.allclose(queen.regret, [-1 / 12, 1 / 12])
assert small.coarse.num_infosets == 132
assert abs(exact - 3 / 8) < 1e-12
assert dealt.low < exact < dealt.high
assert abs(loss - 1) < 1e-9
# because: So the 496.31 milli-antes of one paper would be 248.2 millibets in another
assert round(496.31 / 2, 1) == 248.2
