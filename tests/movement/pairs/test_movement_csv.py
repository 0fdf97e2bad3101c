"""An organiser's own movement: read, checked, and written row for row."""

import pytest

from tests.support.refusals import refused_texts
from tourney.errors import ConfigError
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.mitchell import Phantom, plan_mitchell
from tourney.movement.pairs.movement import Movement, make_barometer
from tourney.movement.pairs.movement_csv import format_movement, parse_movement

HEAD = "round,table,ns,ew,set\n"


@pytest.mark.parametrize(
    "movement",
    [plan_howell(12), plan_howell(9, has_phantom=True), plan_mitchell(15, phantom=Phantom.ROVER), plan_mitchell(8)],
    ids=lambda movement: movement.name,
)
def test_a_movement_is_read_as_it_was_written(movement: Movement) -> None:
    text = format_movement(movement)
    assert text.startswith(HEAD)
    read = parse_movement(text, "own.csv")
    assert read.rows == movement.rows
    assert format_movement(read) == text


def test_columns_may_be_in_any_order_and_lines_empty() -> None:
    text = "\ufeffSet, EW, NS, Table, Round\r\n1,2,1,1,1\r\n\r\n1,4,3,2,1\r\n"
    (row, _) = parse_movement(text, "own.csv").rows
    assert (row.round, row.table, row.ns, row.ew, row.board_set) == (1, 1, 1, 2, 1)


def test_a_line_without_a_table_is_a_pair_that_sits_out() -> None:
    movement = parse_movement(f"{HEAD}1,1,1,2,1\n1,,3,,\n", "own.csv")
    assert format_movement(movement) == f"{HEAD}1,1,1,2,1\n1,0,3,,\n"
    assert "pairs play 0 to 1 rounds" in movement.remarks


def test_an_own_movement_may_be_played_as_a_barometer() -> None:
    own = parse_movement(format_movement(plan_howell(9, has_phantom=True)), "own.csv")
    barometer = make_barometer(own)
    assert [(row.ns, row.ew) for row in barometer.rows] == [(row.ns, row.ew) for row in own.rows]
    assert all(row.board_set == (row.round if row.is_played else None) for row in barometer.rows)
    assert max(row.round for row in barometer.by_set[3]) == 3


@pytest.mark.parametrize(("lines", "why"), [*refused_texts("movements"), ("", "own.csv: no two pairs meet in it")])
def test_what_fails_in_a_movement_is_named(lines: str, why: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_movement(HEAD + lines + "\n", "own.csv")
    assert str(refused.value) == why


def test_a_file_without_the_columns_is_refused() -> None:
    with pytest.raises(ConfigError) as refused:
        parse_movement("round,table,ns,ew,boards\n1,1,1,2,1\n", "own.csv")
    assert str(refused.value) == "own.csv: the first line names the columns round,table,ns,ew,set, got no 'set'"
