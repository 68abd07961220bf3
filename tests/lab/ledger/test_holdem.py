"""Hold'em in the ledger: what was kept is what prototypes had found at the same scale."""

from workbench.lab.ledger.entries import read_result

TABLE = "gibson-szafron-2011-table2"
THREE = "gibson-szafron-2011-table2-three"


def test_experts_and_the_large_base() -> None:
    ours = read_result(TABLE).ours
    assert abs(ours["2p S=N wins from Base"].value - 18) < 6
    assert abs(ours["2p large base wins from Base"].value - 36) < 6
    for row in ("Base", "Dynamic", "Static.S={i}", "Static.S=N", "large base"):
        found = ours[f"2p earnings {row}"]
        assert found.high - found.low < 10
    for claim in ("the large base earns most", "S=N earns more than Base"):
        assert ours[f"2p {claim}"].holds


def test_grafts_among_other_strategies() -> None:
    ours = read_result("waugh-2009-holdem").ours
    assert ours["grafts beat their base"].holds
    assert not ours["grafts beat the base that forgets"].holds


def test_three_players_and_the_control() -> None:
    """Experts with finer buckets beat two bases; with the base's own they win nothing we can tell
    from zero, once the base is finished."""
    found = read_result(THREE).ours["finer buckets outweigh the assumptions"]
    assert found.holds
    assert found.low is not None
    assert found.high is not None
    assert abs(found.value - 26.2) < 4.8 + (found.high - found.low) / 2  # a prototype's
    assert found.high - found.low < 7
    control = found.facts["experts with the base's own three buckets"]
    assert control["low"] < 0 < control["high"] < found.low
    assert found.facts["less training, the base's own three"]["low"] > 0
