"""The card form: one betting tree with a hand space at each node, walked, solved and judged."""
