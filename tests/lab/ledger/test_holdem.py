"""Hold'em in the ledger: what was kept is what prototypes had found at the same scale."""

from workbench.lab.ledger.entries import read_result

TABLE = "gibson-szafron-2011-table2"


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
    assert ours["relative size of the grafts"].value > 6
