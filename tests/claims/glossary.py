"""What the glossary says in numbers."""

import numpy as np

assert np.allclose(best, [1 / 2, 5 / 12], atol=1e-12)
assert abs(nashconv - 11 / 12) < 1e-12
assert abs(epsilon - 11 / 24) < 1e-12
assert np.allclose(queen.expected, [-1, 0])
assert np.allclose(queen.others.sum(), 1 / 6)
assert np.allclose(queen.counterfactual, [-1 / 6, 0])
assert np.allclose(queen.regret, [-1 / 12, 1 / 12])
assert small.coarse.num_infosets == 132
assert abs(exact - 3 / 8) < 1e-12
assert dealt.low < exact < dealt.high
assert abs(loss - 1) < 1e-9
assert round(496.31 / 2, 1) == 248.2
