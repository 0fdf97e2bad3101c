"""Logs in the record: parts in the order in which they were handed in, each once."""

from tests.support.store_events import NOW_MS, save_event, table_of
from tourney.store.control.hosts import LogFile, iter_log, load_log_files, record_log
from tourney.store.db.database import Database

WIRE = "wire/match-001-open.jsonl"


def test_parts_of_a_log_are_stored_once_each_and_come_back_in_their_order(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    table = table_of(event).id
    first, second = b'{"line": "one"}\n' * 1000, b'{"line": "two"}\n\xff\x00'

    def hand_in(mark: str, data: bytes, host: str) -> bool:
        return record_log(
            sqlite_database, event.id, path=WIRE, mark=mark, data=data, host=host, at_ms=NOW_MS, table_id=table
        )

    assert hand_in("zz", first, "host-1")
    assert hand_in("aa", second, "host-2")
    assert not hand_in("zz", first, "host-1")
    assert record_log(sqlite_database, event.id, path="hosts/1.log", mark="m", data=b"", host="host-1", at_ms=NOW_MS)
    assert b"".join(iter_log(sqlite_database, event.id, WIRE)) == first + second
    wire = LogFile(path=WIRE, parts=2, size_bytes=len(first + second))
    assert load_log_files(sqlite_database, event.id) == [LogFile(path="hosts/1.log", parts=1, size_bytes=0), wire]
    assert load_log_files(sqlite_database, event.id, frozenset({table})) == [wire]
    assert list(iter_log(sqlite_database, event.id, "wire/none.jsonl")) == []
