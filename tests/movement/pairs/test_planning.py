"""Movements that are played several times, and in several sections."""

from dataclasses import replace

from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.planning import HOWELL, MovementSettings, deal_into_sections, plan_movement


def test_each_session_has_the_same_rows_with_its_own_rounds_and_sets() -> None:
    once, twice = plan_howell(8), plan_movement(HOWELL, MovementSettings(sessions=2), 8)
    again = [
        replace(row, round=row.round + once.rounds, board_set=(row.board_set or 0) + once.sets) for row in once.rows
    ]
    assert twice.rows == (*once.rows, *again)
    assert (twice.rounds, twice.sets, twice.sessions) == (14, 14, 2)


def test_seeds_go_back_and_forth_between_the_sections_that_have_room() -> None:
    movement = plan_movement(HOWELL, MovementSettings(sections=2, rounds=5), 14)
    assert [section.pairs for section in movement.sections] == [8, 6]
    assert deal_into_sections(movement, 14) == [1, 4, 5, 8, 9, 12, 13, 14, 2, 3, 6, 7, 10, 11]
