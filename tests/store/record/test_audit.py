"""The record as auditors read it: the same on SQLite and PostgreSQL, all of one moment."""

from sqlalchemy import delete, insert, select, update

from tests.support.audited import begin_match, play_match, played
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, CallRow, CardRow, ResultRow
from tourney.store.record.audit import call_cells, count_rows, load_board_rows, load_match_rows, snapshot


def test_a_match_that_was_played_to_every_kind_of_end_is_without_findings(database: Database) -> None:
    outcome = play_match(database).verify()
    assert (outcome.findings, outcome.boards, outcome.records) == ([], 8, 192)


def test_a_card_that_was_changed_is_named_with_its_place(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        connection.execute(
            update(CardRow).where(CardRow.table_id == 1, CardRow.board == 3, CardRow.seq == 13).values(thinking_ms=1)
        )
        (seat, card) = connection.execute(
            select(CardRow.seat, CardRow.card).where(CardRow.table_id == 1, CardRow.board == 3, CardRow.seq == 13)
        ).one()
    assert match.findings()[0] == (
        f"match 1, open room, board 3, attempt 1, card 14 ({seat.title}'s {card}): "
        "its chain does not fit: the row was changed after it was written"
    )


def test_a_first_call_that_does_not_fit_may_be_the_fault_of_the_deal(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        connection.execute(
            update(BoardAttempt).where(BoardAttempt.table_id == 1, BoardAttempt.board == 2).values(began_at_ms=5)
        )
    assert match.findings() == [
        "match 1, open room, board 2, attempt 1, call 1 (East's Pass): its chain does not fit: the row was changed "
        "after it was written, or the deal of the board, or how the attempt began"
    ]


def test_a_reason_that_was_changed_shows_at_the_end_of_the_attempt(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        connection.execute(update(BoardAttempt).where(BoardAttempt.ended == "stall").values(reason="it was tired"))
    assert match.findings() == [
        "match 1, open room, board 4, attempt 1: the chain of its end does not fit: "
        "its end or its result was changed after it was written, or rows are gone"
    ]


def test_a_hash_that_was_taken_away_is_missed(database: Database) -> None:
    match = play_match(database)
    of_board = (CallRow.table_id == 1, CallRow.board == 2)
    with database.write() as connection:
        connection.execute(update(CallRow).where(*of_board, CallRow.seq == 2).values(chain=None))
        connection.execute(update(BoardAttempt).where(BoardAttempt.ended == "stall").values(chain=None))
    assert match.findings() == [
        "match 1, open room, board 2, attempt 1, call 3 (West's Pass): it has no chain",
        "match 1, open room, board 4, attempt 1: the chain of its end is gone",
    ]


def test_a_board_that_is_gone_from_a_finished_table_is_missed(database: Database) -> None:
    match = play_match(database)
    with database.write() as connection:
        for model in (CallRow, CardRow, ResultRow, BoardAttempt):
            connection.execute(delete(model).where(model.table_id == 2, model.board == 3))
    assert match.findings() == [
        "match 1, closed room, board 3: it was not played to an end, and the table is finished",
        "match 1, score: there is one, though boards are left to be played",
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
    assert [(sum(map(count_rows, rows.cards.values())), len(rows.results)) for rows in (before, after)] == [
        (4, 0),
        (52, 1),
    ]


def test_a_snapshot_ends_with_its_block_and_the_next_transaction_writes(database: Database) -> None:
    match = begin_match(database)
    with snapshot(database) as connection:
        load_match_rows(connection, match.match)
    match.write(Room.OPEN, played(match.boards[0]))
    assert match.findings() == []


def test_rows_are_read_as_the_database_has_them(database: Database) -> None:
    match = play_match(database)
    with snapshot(database) as connection:
        boards = load_board_rows(connection, match.match.board_set_id)
        rows = load_match_rows(connection, match.match)
    assert [(cells["number"], cells["dealer"], cells["vulnerability"]) for cells in boards] == [
        (1, "N", "None"),
        (2, "E", "NS"),
        (3, "S", "EW"),
        (4, "W", "All"),
    ]
    last = rows.attempts[4]
    assert (last["ended"], last["final"], last["fault"]) == ("stall", True, "E")
    calls = [cells for columns in rows.calls.values() for cells in call_cells(columns)]
    assert {type(cells[name]) for cells in calls for name in ("alerted", "substituted")} == {bool}
    assert {cells["state"] for cells in rows.tables.values()} == {"finished"}


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
