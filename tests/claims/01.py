"""What lecture 01 states about its numbers. Names are those of the notebook; see test_notebooks."""

assert tree.num_histories == 58
assert tree.num_infosets == 12
