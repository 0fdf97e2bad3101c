"""An organiser's own movement: read, checked, and written row for row."""

import pytest

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


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("1,1,1,2,1\n1,2,3,1,2", "own.csv: pair 1 is seated twice in round 1, at table 1 and at table 2"),
        ("1,1,1,2,1\n1,2,,1,", "own.csv: pair 1 is seated twice in round 1, at table 1 and sitting out"),
        ("1,1,1,2,1\n2,1,3,2,1", "own.csv: pair 2 plays set 1 twice, in rounds 1 and 2"),
        ("1,1,1,2,1\n1,1,3,4,2", "own.csv: round 1 has two rows of table 1"),
        ("1,1,1,1,1", "own.csv: pair 1 meets itself in round 1 at table 1"),
        ("1,1,1,2,1\n3,1,1,2,2", "own.csv: there is no row of round 2, but rows of round 3"),
        ("1,1,1,2,1\n1,2,3,5,2", "own.csv: there is no row of pair 4, but pairs are numbered up to 5"),
        ("1,1,1,2,", "own.csv: pairs 1 and 2 meet in round 1, but the row has no set"),
        ("1,,1,2,1", "own.csv: pairs 1 and 2 meet in round 1, but the row has no table"),
        ("1,1,1,2,1\n1,2,3,,2", "own.csv: pair 3 sits out in round 1, so the row has no set, got set 2"),
        ("1,1,1,2,1\n1,2,,,2", "own.csv: round 1, table 2 has no pair"),
        ("0,1,1,2,1", "own.csv: rounds, tables, pairs and sets are numbered from 1, got 0,1,1,2,1"),
        ("1,1,1,,", "own.csv: no two pairs meet in it"),
        ("", "own.csv: no two pairs meet in it"),
        ("1,1,1,two,1", "own.csv, line 2: ew is a number of at most 10000, got 'two'"),
        ("1,1,1,-2,1", "own.csv, line 2: ew is a number of at most 10000, got '-2'"),
        (",1,1,2,1", "own.csv, line 2: there is no round"),
    ],
)
def test_what_fails_in_a_movement_is_named(lines: str, why: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse_movement(HEAD + lines + "\n", "own.csv")
    assert str(refused.value) == why


def test_a_file_without_the_columns_is_refused() -> None:
    with pytest.raises(ConfigError) as refused:
        parse_movement("round,table,ns,ew,boards\n1,1,1,2,1\n", "own.csv")
    assert str(refused.value) == "own.csv: the first line names the columns round,table,ns,ew,set, got no 'set'"
