"""The benchmark: how fast and how small, next to other solvers, in one run on one core.

    make bench                          everything, some minutes
    make bench ARGS=--quick             the essentials, under a minute
    make bench ARGS='--only exploitability target'
    make bench ARGS=--list              what would be measured, and which peers are here

Speed depends on the machine, ratios hardly do. So every row that has a peer runs the peer
in the same process, turn by turn with ours (A B C A B C ...), in pieces of equal length, and
compares the fastest piece of each: what slows the machine down meets everybody alike. What
has no peer is held against a fixed limit. All seconds are seconds of the processor: those of
an idle machine. No test measures time; this is no test.
"""
