"""A movement that is played several times."""

from dataclasses import replace

from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.planning import HOWELL, MovementSettings, plan_movement


def test_each_session_has_the_same_rows_with_its_own_rounds_and_sets() -> None:
    once, twice = plan_howell(8), plan_movement(HOWELL, MovementSettings(sessions=2), 8)
    again = [
        replace(row, round=row.round + once.rounds, board_set=(row.board_set or 0) + once.sets) for row in once.rows
    ]
    assert twice.rows == (*once.rows, *again)
    assert (twice.rounds, twice.sets, twice.sessions) == (14, 14, 2)
