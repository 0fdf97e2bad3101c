"""Chains: what a hash covers, how the recorder links one row to the next, and where a chain goes on."""

import hashlib
from typing import Any

import pytest
from sqlalchemy import update

from tests.support.audited import AuditedMatch, begin_match, forfeited, played
from tests.support.store_events import NOW_MS
from tourney.errors import StoreError
from tourney.movement.seating import Room, TableState
from tourney.store.control.table_state import set_table_state
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, Model
from tourney.store.record.audit import load_match_rows, snapshot
from tourney.store.record.hash_chain import (
    CALL,
    CARD,
    END,
    RESULT,
    board_text,
    chain_end,
    chain_start,
    close_chain,
    hash_row,
    load_board_texts,
    load_last_chain,
)
from tourney.store.record.writer import TableLedger

DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


# The texts


def test_a_chain_starts_from_the_attempt_and_the_board_as_it_lay_on_the_table() -> None:
    text = f'["tourney 1","begin",12,3,1,2,1790000000123,"3 S EW {DEAL}"]'
    start = chain_start(12, 3, 1, 2, 1_790_000_000_123, board_text(3, "S", "EW", DEAL, None))
    assert start == hashlib.sha256(text.encode()).hexdigest()


def test_a_row_is_hashed_as_a_json_array_in_ascii_after_the_hash_before() -> None:
    values = [0, "S", "1NT", True, "15 à 17 HCP", None, None, 250, 1_790_000_000_123, False]
    text = r'["before","call",0,"S","1NT",true,"15 \u00e0 17 HCP",null,null,250,1790000000123,false]'
    assert hash_row("before", "call", values) == hashlib.sha256(text.encode()).hexdigest()


def test_a_chain_is_closed_with_the_end_and_the_result_or_with_that_there_is_none() -> None:
    end = [5, "stall", "East owed a card", True, "E"]
    text = '["before","end",5,"stall","East owed a card",true,"E",null]'
    assert chain_end("before", end, None) == hashlib.sha256(text.encode()).hexdigest()
    text = '["before","end",5,"passed-out","",true,null,["Pass",null,null,0,1,2,5,0]]'
    closed = chain_end("before", [5, "passed-out", "", True, None], ["Pass", None, None, 0, 1, 2, 5, 0])
    assert closed == hashlib.sha256(text.encode()).hexdigest()


def test_every_column_of_a_row_that_is_not_its_place_is_covered() -> None:
    place = {"table_id", "board", "attempt", "chain"}
    covered = {
        "calls": {*CALL},
        "cards": {*CARD},
        "board_attempts": {*END, "table_attempt", "began_at_ms"},
        "results": {*RESULT},
    }
    for table, columns in covered.items():
        assert set(Model.metadata.tables[table].c.keys()) - place == columns


# What the recorder writes


def _rows(match: AuditedMatch, board: int, attempt: int = 1) -> dict[str, list[dict[str, Any]]]:
    with snapshot(match.database) as connection:
        rows = load_match_rows(connection, match.match)
    table_id = match.ledgers[Room.OPEN].table_id
    key = {"table_id": table_id, "board": board, "attempt": attempt}
    kinds = {"attempts": rows.attempts, "calls": rows.calls, "cards": rows.cards, "results": rows.results}
    return {name: [cells for cells in found if cells.items() >= key.items()] for name, found in kinds.items()}


def _start(match: AuditedMatch, board: int, attempt: int = 1) -> str:
    ledger = match.ledgers[Room.OPEN]
    with match.database.read() as connection:
        text = load_board_texts(connection, ledger.table_id)[board]
    (row,) = _rows(match, board, attempt)["attempts"]
    return chain_start(ledger.table_id, board, attempt, ledger.attempt, row["began_at_ms"], text)


def test_calls_and_cards_of_a_board_are_one_chain_that_its_end_closes(database: Database) -> None:
    match = begin_match(database)
    match.write(Room.OPEN, played(match.boards[0]))
    rows = _rows(match, 1)
    last = _start(match, 1)
    for cells in rows["calls"]:
        last = hash_row(last, "call", [cells[name] for name in CALL])
        assert cells["chain"] == last
    for cells in rows["cards"]:
        last = hash_row(last, "card", [cells[name] for name in CARD])
        assert cells["chain"] == last
    (end,), (result,) = rows["attempts"], rows["results"]
    assert end["chain"] == chain_end(last, [end[name] for name in END], [result[name] for name in RESULT])
    assert (len(rows["calls"]), len(rows["cards"])) == (5, 52)


def test_a_chain_does_not_depend_on_how_records_were_put_into_batches(database: Database) -> None:
    match = begin_match(database)
    records = played(match.boards[0])
    match.write(Room.OPEN, records)
    at_once = _rows(match, 1)
    table_id = match.ledgers[Room.OPEN].table_id
    with database.write() as connection:
        for name in ("calls", "cards", "results", "board_attempts"):
            connection.execute(Model.metadata.tables[name].delete())
    match.ledgers[Room.OPEN] = TableLedger(table_id, match.ledgers[Room.OPEN].attempt, boards_left=4)
    for record in records:
        match.write(Room.OPEN, [record])
    assert _rows(match, 1) == at_once


def test_a_batch_that_is_not_written_leaves_the_chain_where_it_was(database: Database) -> None:
    match = begin_match(database)
    ledger = match.ledgers[Room.OPEN]
    records = played(match.boards[0])
    match.write(Room.OPEN, records[:5])
    before = ledger.chain
    with pytest.raises(StoreError):
        match.write(Room.OPEN, [records[5], records[4]])
    assert ledger.chain == before
    match.write(Room.OPEN, records[5:])
    assert match.findings() == []


def test_the_end_of_a_board_that_is_played_on_after_it_closes_what_came_later_too(database: Database) -> None:
    match = begin_match(database)
    for batch in ([*forfeited(match.boards[0])[:-3]], *([record] for record in forfeited(match.boards[0])[-3:])):
        match.write(Room.OPEN, batch)
        assert match.findings() == []
    rows = _rows(match, 1)
    (end,), last = rows["attempts"], rows["cards"][-1]
    assert end["chain"] == chain_end(last["chain"], [end[name] for name in END], None)
    assert [cells["seq"] for cells in rows["cards"]] == [*range(12)]


# Taken up again


@pytest.mark.parametrize("done", [1, 2, 6, 7, 30, 58], ids=lambda done: f"after {done} records")
def test_an_attempt_that_another_host_takes_up_goes_on_in_its_chain(database: Database, done: int) -> None:
    match = begin_match(database)
    records = played(match.boards[0])
    match.write(Room.OPEN, records[:done])
    left = match.ledgers[Room.OPEN]
    with database.read() as connection:
        assert load_last_chain(connection, (left.table_id, 1, 1)) == left.chain
    match.ledgers[Room.OPEN] = TableLedger(left.table_id, left.attempt, {1: 1}, boards_left=4)
    match.write(Room.OPEN, records[done:])
    stop = match.verify()
    assert (stop.findings, stop.records) == ([], 1 + 5 + 52 + 1)


# Ended, or changed, away from the table


def test_an_attempt_that_nobody_at_the_table_ends_can_be_closed_where_it_stands(database: Database) -> None:
    match = begin_match(database)
    table_id = match.ledgers[Room.OPEN].table_id
    match.write(Room.OPEN, forfeited(match.boards[0])[:9])
    with database.write() as connection:
        connection.execute(update(BoardAttempt).values(ended="void", ended_at_ms=NOW_MS, reason="it was a mistake"))
        close_chain(connection, (table_id, 1, 1))
        set_table_state(connection, table_id, match.ledgers[Room.OPEN].attempt, TableState.WAITING, NOW_MS)
    assert match.findings() == []
    with database.write() as connection:
        connection.execute(update(BoardAttempt).values(reason="nobody knows"))
    (finding,) = match.findings()
    assert finding.startswith("match 1, open room, board 1, attempt 1: the chain of its end does not fit")
