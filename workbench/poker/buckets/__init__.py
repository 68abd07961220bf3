"""Buckets of hands: how they are made, mixed, fitted to a limit, and how they meet."""
