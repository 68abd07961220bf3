"""Numbers that others published or computed, with their sources; tests compare with these."""

# H. W. Kuhn, "A simplified two-person poker" (1950): value to the first player.
KUHN_VALUE = -1 / 18
# Against uniform play the best replies win 1/2 and 5/12 (also OpenSpiel's exploitability.py).
KUHN_UNIFORM_BEST_RESPONSES = (1 / 2, 5 / 12)
KUHN_UNIFORM_EXPLOITABILITY = 11 / 24

# Two-player Leduc. Counts: OpenSpiel's leduc_poker (9,457 histories, 936 information states),
# Gibson & Szafron (2011) by rank. The value: sequence-form LP of an independent prototype, which
# agrees with the -0.0856 of Waugh et al. (2009) and of OpenSpiel's CFR tests.
LEDUC_HISTORIES = 9_457
LEDUC_INFOSETS = 936
LEDUC_INFOSETS_BY_RANK = 288
LEDUC_VALUE = -0.0856064241
LEDUC_UNIFORM_BEST_RESPONSES = (2.0875, 2.6597222)
LEDUC_UNIFORM_EXPLOITABILITY = 2.3736111  # OpenSpiel's nash_conv / 2

# Abstractions of two-player Leduc: name -> infosets on the suited tree (JQ-K and J-QK: Gibson &
# Szafron 2011, Table 1), and values of the abstract games to the first player (LP, prototype).
LEDUC_ABSTRACT_INFOSETS = dict.fromkeys(("JQ-K", "J-QK", "JQ.K", "J.QK"), 132)
LEDUC_ABSTRACT_INFOSETS |= {"null": 468, "J.Q.K": 198}
LEDUC_ABSTRACT_VALUES = {"null": LEDUC_VALUE, "J.Q.K": -0.1101224262}
LEDUC_ABSTRACT_VALUES |= dict.fromkeys(("JQ-K", "JQ.K"), -0.1074307940)
LEDUC_ABSTRACT_VALUES |= dict.fromkeys(("J-QK", "J.QK"), -0.1073526042)
# Gibson & Szafron (2011), Table 1, three players.
LEDUC3_ABSTRACT_INFOSETS = {"null": 4_203, "JQ-K": 1_890, "J-QK": 1_890, "J.Q.K": 2_835}

# Equilibrium values to the first player, worked out by hand beside each game's rules.
SMALL_VALUES = {
    "kuhn": KUHN_VALUE,
    "rock_paper_scissors": 0.0,
    "biased_pennies": 1 / 7,
    "smuggler": 8 / 5,
    "bluff": 1 / 3,
    "figure1": 2 / 9,
}

# The least exploitable abstract equilibrium, chips (LP of an independent prototype).
LEDUC_SMALLEST_EXPLOITABILITY = {"JQ.K": 0.48977, "J.Q.K": 0.63952}

# Stitching on Leduc (Gibson & Szafron 2011, Table 1, and the prototype's recipe). With three
# players the paper prints 3,017 for S={i}; the recipe gives 3,021 as the largest.
LEDUC_EXPERT_SIZES = {
    2: {"Base": 132, "Dynamic": 444, "S={i}": 226, "S=N": 186},
    3: {"Base": 1_890, "Dynamic": 6_903, "S={i}": 3_021, "S=N": 2_145},
}
LEDUC3_R_EXPERTS = [3_021, 3_007, 3_019]  # the r-expert's size, for each player
LEDUC_DYNAMIC_VALUE = -0.0863567284  # r, cr, ccr, cccr-experts on JQ-K, by LP
# Exploitability in milli-antes on JQ-K: CFR+ with 5,000 iterations, and what several solvers found.
LEDUC_STITCHED_CFR_PLUS = {
    "Base": 489.7, "Dynamic": 115.6, "S={i}": 157.2, "S=N All": 150.4, "S=N Pre-flop": 220.1,
}  # fmt: skip
LEDUC_STITCHED = {
    "Base": (474, 515), "Dynamic": (115, 150), "S={i}": (130, 168), "S=N All": (118, 200),
    "S=N Pre-flop": (207, 222),
}  # fmt: skip
