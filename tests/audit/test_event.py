"""Checking a record: what is whole is without findings at every moment, and whatever is changed is named."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.support.audited import PlayedRecord, begin_match, play_match, played_file, records_of_match
from tests.support.store_events import NOW_MS
from tourney.audit.findings import AuditFinding, RowKind
from tourney.movement.seating import Room
from tourney.store.db.database import Database


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedRecord]:
    victim = PlayedRecord(tmp_path_factory.mktemp("victim") / "event.db")
    yield victim
    victim.database.close()


# What is whole


def test_a_match_that_is_over_is_without_findings_and_its_rows_are_counted(sqlite_database: Database) -> None:
    outcome = play_match(sqlite_database).verify()
    # Nine attempts, one of three calls and no card; two of the others were passed out.
    calls, cards = 6 * 5 + 2 * 4 + 3, 2 * 52 + 14 + 12 + 5
    assert (outcome.matches, outcome.boards, outcome.records) == (1, 8, 9 + calls + cards + 7)
    assert (outcome.findings, outcome.notes) == ([], [])


@pytest.mark.parametrize("room", Room)
def test_a_match_is_without_findings_at_every_moment_of_its_play(sqlite_database: Database, room: Room) -> None:
    match = begin_match(sqlite_database)
    for index, (where, records) in enumerate(records_of_match(match)):
        match.write(where, records)
        if where is room and index % 5 == 0:
            assert match.verify(NOW_MS).findings == []
    match.score()
    assert match.findings() == []


# One change


@dataclass(frozen=True)
class Row:
    """A row of a played match, with what it is a row of."""

    table: str
    cells: dict[str, Any]

    @property
    def where(self) -> str:
        keys = KEYS[self.table]
        return " AND ".join(f"{key} = {self.cells[key]!r}" for key in keys)


_ATTEMPT = ["table_id", "board", "attempt"]
KEYS = {
    "calls": [*_ATTEMPT, "seq"],
    "cards": [*_ATTEMPT, "seq"],
    "board_attempts": _ATTEMPT,
    "results": ["table_id", "board"],
    "match_results": ["match_id"],
}

ROOMS = {1: Room.OPEN, 2: Room.CLOSED}
"""Keyed by the id of the table."""


@cache
def _rows() -> dict[str, list[Row]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.row_factory = sqlite3.Row
        connection.deserialize(played_file())
        found = {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3").fetchall() for table in KEYS}
    return {table: [Row(table, dict(row)) for row in rows] for table, rows in found.items()}


_COLUMNS = [
    (table, column)
    for table, columns in {
        "calls": "table_id board attempt seq seat call alerted alert meaning findings thinking_ms at_ms substituted",
        "cards": "table_id board attempt seq seat card thinking_ms at_ms substituted",
        "board_attempts": "table_id board attempt table_attempt began_at_ms ended_at_ms ended reason final fault",
        "results": "table_id board attempt contract declarer tricks score_ns ns_ms ew_ms at_ms tm_ms",
        "match_results": "match_id boards imps_home imps_away vp_home_hundredths vp_away_hundredths"
        " lost_home lost_away",
    }.items()
    for column in (columns + ("" if table in ("results", "match_results") else " chain")).split()
]


def test_every_column_is_tried() -> None:
    tried = {*_COLUMNS}
    assert tried == {(table, column) for table, rows in _rows().items() for column in rows[0].cells}


_WORDS = ["N", "E", "W", "Pass", "X", "7NT", "AS", "2C", "played", "claimed", "void", "stall", "3NT", "", "0" * 64]
_NEW: st.SearchStrategy[Any] = (
    st.sampled_from(_WORDS) | st.none() | st.integers(-3, 60) | st.integers(2**31, 2**40) | st.binary(max_size=3)
)


def _named(findings: list[AuditFinding], row: Row) -> list[AuditFinding]:
    """Those that are on the attempt, the board or the score that a row belongs to."""
    cells = row.cells
    if row.table == "match_results":
        return [found for found in findings if found.record is RowKind.SCORE]
    place = (ROOMS[cells["table_id"]], cells["board"])
    return [
        found
        for found in findings
        if (found.room, found.board) == place and found.attempt in (cells["attempt"], None)
    ]


many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@many
@given(data=st.data())
def test_any_one_value_that_is_changed_is_found_and_its_row_named(victim: PlayedRecord, data: st.DataObject) -> None:
    table, column = data.draw(st.sampled_from(_COLUMNS))
    row = data.draw(st.sampled_from(_rows()[table]))
    before = row.cells[column]
    near = st.sampled_from([before + 1, before - 1, -before]) if isinstance(before, int) else st.nothing()
    new = data.draw(near | _NEW)
    with victim.changed() as connection:
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {row.where}", (new,))
        except sqlite3.IntegrityError:
            assume(False)
        # A number in words is a number again in a column of numbers.
        where = row.where.replace(f"{column} = {before!r}", f"{column} = ?")
        values = (new,) if where != row.where else ()
        (stored,) = connection.execute(f"SELECT {column} FROM {table} WHERE {where}", values).fetchone()
        assume((type(stored), stored) != (type(before), before))
    findings = victim.findings()
    named = _named(findings, row)
    assert named
    if column not in KEYS[table] and table in ("calls", "cards"):
        assert (RowKind(table[:-1]), row.cells["seq"] + 1) in {(found.record, found.number) for found in named}


@settings(many, max_examples=60)
@given(data=st.data())
def test_a_row_that_is_gone_is_found(victim: PlayedRecord, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(sorted(KEYS)))
    row = data.draw(st.sampled_from(_rows()[table]))
    with victim.changed() as connection:
        connection.execute(f"DELETE FROM {table} WHERE {row.where}")
    findings = victim.findings()
    assert _named(findings, row)


@settings(many, max_examples=30)
@given(data=st.data())
def test_a_row_that_is_there_twice_is_found(victim: PlayedRecord, data: st.DataObject) -> None:
    table, column, step = data.draw(
        st.sampled_from([("calls", "seq", 60), ("cards", "seq", 60), ("board_attempts", "attempt", 2)])
    )
    row = data.draw(st.sampled_from(_rows()[table]))
    names = list(row.cells)
    again = row.cells | {column: row.cells[column] + step}
    with victim.changed() as connection:
        marks = ", ".join("?" * len(names))
        connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", list(again.values()))
    findings = victim.findings()
    assert [found for found in findings if (found.room, found.board) == (ROOMS[again["table_id"]], again["board"])]


@settings(many, max_examples=30)
@given(data=st.data())
def test_two_cards_that_are_swapped_are_both_named(victim: PlayedRecord, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(_rows()["cards"]))
    place = [one.cells[key] for key in _ATTEMPT]
    others = [row for row in _rows()["cards"] if [row.cells[key] for key in _ATTEMPT] == place and row != one]
    other = data.draw(st.sampled_from(others))
    with victim.changed() as connection:
        connection.execute(f"UPDATE cards SET card = '{other.cells['card']}' WHERE {one.where}")
        connection.execute(f"UPDATE cards SET card = '{one.cells['card']}' WHERE {other.where}")
    named = _named(victim.findings(), one)
    assert {one.cells["seq"] + 1, other.cells["seq"] + 1} <= {
        found.number for found in named if found.record is RowKind.CARD
    }


@settings(many, max_examples=30)
@given(data=st.data())
def test_the_last_rows_of_an_attempt_that_are_gone_are_found(victim: PlayedRecord, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(_rows()["cards"]))
    upto = row.where.replace("seq =", "seq >=")
    with victim.changed() as connection:
        connection.execute(f"DELETE FROM cards WHERE {upto}")
    findings = victim.findings()
    assert _named(findings, row)


@pytest.mark.parametrize("number", range(9))
def test_a_whole_attempt_that_is_gone_is_found(victim: PlayedRecord, number: int) -> None:
    row = _rows()["board_attempts"][number]
    with victim.changed() as connection:
        where = " AND ".join(f"{key} = {row.cells[key]}" for key in _ATTEMPT)
        for table in ("calls", "cards", "results", "board_attempts"):
            connection.execute(f"DELETE FROM {table} WHERE {where}")
    findings = victim.findings()
    place = (ROOMS[row.cells["table_id"]], row.cells["board"])
    assert [found for found in findings if (found.room, found.board) == place]
