"""Judges: how good is a strategy, exactly? None of them knows which solver made it."""
