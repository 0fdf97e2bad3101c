"""The record as auditors read it: the same on SQLite and PostgreSQL, all of one moment."""

from sqlalchemy import insert, update

from tests.support.audited import begin_match, play_match, played
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CardRow, ResultRow
from tourney.store.record.audit import load_match_rows, snapshot


def test_a_match_that_was_played_to_every_kind_of_end_is_without_findings(database: Database) -> None:
    outcome = play_match(database).verify()
    assert (outcome.findings, outcome.boards, outcome.records) == ([], 8, 192)


def test_a_hash_that_was_taken_away_is_missed(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        connection.execute(update(BoardAttempt).where(BoardAttempt.ended == "stall").values(chain=None))
    assert match.findings() == [
        "match 1, open room, board 4, attempt 1: the chain of its end is gone, its rows are chained",
    ]


def test_processes_that_share_the_work_open_the_database_themselves(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        connection.execute(update(CardRow).where(CardRow.table_id == 2, CardRow.seq == 3).values(at_ms=1))
    alone = match.verify()
    assert len(alone.findings) == 2
    assert match.verify(jobs=2) == alone


def test_an_auditor_sees_nothing_of_what_is_written_after_it_began_to_read(database: Database) -> None:
    match = begin_match(database)
    records = played(match.boards[0])
    match.write(Room.OPEN, records[:10])
    with snapshot(database) as connection:
        before = load_match_rows(connection, match.match)
        match.write(Room.OPEN, records[10:])
        assert load_match_rows(connection, match.match) == before
    with snapshot(database) as connection:
        after = load_match_rows(connection, match.match)
    assert [(len(rows.cards), len(rows.results)) for rows in (before, after)] == [
        (4, 0),
        (52, 1),
    ]


def test_a_snapshot_ends_with_its_block_and_the_next_transaction_writes(database: Database) -> None:
    match = begin_match(database)
    with snapshot(database) as connection:
        load_match_rows(connection, match.match)
    match.write(Room.OPEN, played(match.boards[0]))
    assert match.findings() == []


def test_results_that_name_an_attempt_that_is_not_there_are_found(sqlite_database: Database) -> None:
    # References forbid it everywhere; a file can be changed without them.
    match = play_match(sqlite_database)
    row = {"contract": "Pass", "score_ns": 0, "ns_ms": 0, "ew_ms": 0, "at_ms": 0, "tm_ms": 0}
    with sqlite_database.outside() as connection:
        connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        connection.execute(insert(ResultRow).values(row | {"table_id": 2, "board": 9, "attempt": 1}))
    assert match.findings() == [
        "match 1, closed room, board 9, attempt 1: there is none; "
        "1 rows of calls, cards or results say that they are of it"
    ]
