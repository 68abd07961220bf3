"""Runs: a game, a solver and a seed in; a strategy and what happened on the way out."""
