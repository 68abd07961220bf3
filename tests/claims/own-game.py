"""What the lab about one's own game says about Peek."""

assert (peek.num_infosets, peek.num_choices) == (12, 30)
# because: A look ends the game, so it adds endings but no decisions
plain = wb.compile_game(wb.load_game("kuhn"))
assert (plain.num_infosets, plain.num_choices) == (12, 24)
assert (
    peek.num_terminals - plain.num_terminals
    == 3 * 2 * 2
    == peek.num_histories - plain.num_histories
)
# because: At a very high price nobody looks, so the game must be worth as much
assert abs(wb.expected_values(never)[0] + 1 / 18) < 1e-9
assert all(never.at(seen)["l"] < 1e-9 for seen in ("Q b", "Q pb"))
assert exact.exploitability < 1e-9
assert abs(wb.expected_values(exact.strategy)[0] + 1 / 30) < 1e-9
assert all(exact.strategy.at(seen)["l"] < 1e-9 for seen in ("J pb", "K pb", "J b", "K b"))
assert abs(exact.strategy.at("Q b")["l"] - 2 / 5) < 1e-9
assert abs(exact.strategy.at("J p")["b"] - 1 / 5) < 1e-9
assert abs(wb.solve(wb.load_game("kuhn"), "lp").strategy.at("J p")["b"] - 1 / 3) < 1e-9


class Both(Peek):
    """A player sees both cards: another game, and no error."""

    def node(self, state):
        found = super().node(state)
        if isinstance(found, wb.Decision):
            return wb.Decision(found.player, (state[:2], state[2:]), found.actions)
        return found


assert wb.compile_game(Both(1 / 2)).num_infosets == 24

# because: she calls only because he might be bluffing
answer_to = {}
for bluffing in (0, 1 / 3 + 0.01):
    probs = wb.solve(plain, "lp").strategy.probs.copy()
    for seen in ("J p", "J b"):
        at = plain.first_choice[plain.find_infoset(seen, 1)]
        probs[at : at + 2] = (1 - bluffing, bluffing) if seen == "J p" else (1, 0)
    reply = wb.best_response(wb.Strategy(plain, probs), player=0).strategy
    answer_to[bluffing] = reply.at("Q pb", 0)["b"]
assert list(answer_to.values()) == [0, 1]
# because: So he bluffs less, and his advantage shrinks
half = np.abs(prices - 1 / 2).argmin()
assert bluffs[half] < 1 / 3 - 0.1
assert abs(value[half]) < 1 / 18 - 0.01

# because: cheap looks leave little room for bluffs
cheap = prices < 3 / 4
assert np.allclose(bluffs, np.where(cheap, prices / (3 - prices), 1 / 3), atol=1e-8)
assert np.allclose(looks, np.where(cheap, 1 / (3 - prices), 0), atol=1e-8)
assert np.allclose(value, -bluffs / 6, atol=1e-8)
