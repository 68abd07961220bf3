"""Hold'em in the ledger: what was kept is what prototypes had found at the same scale."""

from workbench.lab.ledger.entries import read_result

TABLE = "gibson-szafron-2011-table2"


def test_experts_and_their_base() -> None:
    ours = read_result(TABLE).ours
    assert abs(ours["2p S=N wins from Base"].value - 18) < 6
    for claim in ("S=N earns more than Base", "Dynamic earns more than Base"):
        assert ours[f"2p {claim}"].holds
