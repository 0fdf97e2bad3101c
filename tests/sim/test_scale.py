"""What a coordinator costs does not grow with the tables that just go on."""

from pathlib import Path

from tests.sim.scale import simulate


def test_a_coordinator_sends_as_many_statements_for_sixty_tables_as_for_four(tmp_path: Path) -> None:
    costs = []
    for tables in (4, 60):
        folder = tmp_path / str(tables)
        folder.mkdir()
        costs.append(simulate(tables, 20, board_s=10_000, hosts=2, folder=folder))
    few, many = costs
    assert few.boards == 0
    assert round(20 * (many.queries_s - few.queries_s)) <= 2 * many.boards, (
        "when a board ends, its table's progress and the rulings are asked for, which nobody asks for in between"
    )
    assert few.queries_s < 13
