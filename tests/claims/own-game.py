"""What the lab about one's own game says about Peek."""

assert (peek.num_infosets, peek.num_choices) == (12, 30)
assert abs(wb.expected_values(never)[0] + 1 / 18) < 1e-9
assert exact.exploitability < 1e-9
assert abs(wb.expected_values(exact.strategy)[0] + 1 / 30) < 1e-9
assert all(exact.strategy.at(seen)["l"] < 1e-9 for seen in ("J pb", "K pb", "J b", "K b"))
assert abs(exact.strategy.at("Q b")["l"] - 2 / 5) < 1e-9
assert abs(exact.strategy.at("J p")["b"] - 1 / 5) < 1e-9
assert abs(wb.solve(wb.load_game("kuhn"), "lp").strategy.at("J p")["b"] - 1 / 3) < 1e-9

cheap = prices < 3 / 4
assert np.allclose(bluffs, np.where(cheap, prices / (3 - prices), 1 / 3), atol=1e-8)
assert np.allclose(looks, np.where(cheap, 1 / (3 - prices), 0), atol=1e-8)
assert np.allclose(value, -bluffs / 6, atol=1e-8)
