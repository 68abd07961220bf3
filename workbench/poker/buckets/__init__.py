"""Buckets of hands: how they are made, mixed, and how they meet."""
