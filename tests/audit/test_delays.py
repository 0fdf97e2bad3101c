"""Checking what is on record of the network's delays."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from tests.formats.test_plain_json import SETTINGS
from tests.support.audited import AuditedMatch, begin_match, played, records_of_match
from tourney.movement.seating import Room
from tourney.protocol.session.records import CallMade, CardPlayed, MeasuredDelay, TableRecord
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.store.control.host_settings import save_settings
from tourney.store.db.database import Database
from tourney.store.models import NetworkDelay


@pytest.fixture
def match(sqlite_database: Database) -> AuditedMatch:
    """Board 1 is played; all but what the table made has come through tunnels; the event allows 5 ms a call."""
    match = begin_match(sqlite_database)
    rules = TableRules(TimeRules(network_ms=5))
    save_settings(sqlite_database, match.event.id, replace(SETTINGS, rules=rules))
    match.write(Room.OPEN, list(map(through_a_tunnel, played(match.boards[0]))))
    return match


def through_a_tunnel(record: TableRecord) -> TableRecord:
    """The network took 6 ms of what the table measured, of which 4 ms are allowed."""
    if not isinstance(record, CallMade | CardPlayed) or record.substituted:
        return record
    return replace(record, delay=MeasuredDelay(record.thinking_ms - 2, 6, 4))


def test_a_record_with_delays_is_sound(match: AuditedMatch) -> None:
    assert match.findings() == []


def test_without_delays_nothing_is_looked_for(sqlite_database: Database) -> None:
    match = begin_match(sqlite_database)
    for room, records in records_of_match(match):
        match.write(room, records)
    match.score()
    assert match.findings() == []


def change(match: AuditedMatch, of: int, **values: Any) -> None:
    with match.database.write() as connection:
        rows = update(NetworkDelay).where(NetworkDelay.is_card.is_(True), NetworkDelay.seq == of)
        connection.execute(rows.values(**values))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"seq": 77}, "the network's delay of card 78: it is not on record"),
        ({"is_card": False, "seq": 40}, "the network's delay of call 41: it is not on record"),
        ({"own_ms": 9}, "delay of card 9: it is 6 ms, and the table measured 32 ms of which its program took 9 ms"),
        ({"delay_ms": 7}, "delay of card 9: it is 7 ms, and the table measured 32 ms"),
        ({"allowed_ms": 3}, "delay of card 9: it is 6 ms, and the table measured 31 ms"),
        ({"allowed_ms": 7}, "delay of card 9: 7 ms of 6 ms are allowed"),
        ({"own_ms": -1}, "delay of card 9: 4 ms of 6 ms are allowed, and its program took -1 ms"),
        ({"delay_ms": 9, "allowed_ms": 6, "own_ms": 25}, "6 ms are allowed, and the event allows 5 ms at most"),
    ],
)
def test_a_delay_that_does_not_fit_is_found(match: AuditedMatch, changed: dict[str, Any], why: str) -> None:
    change(match, 8, **changed)
    (found,) = match.findings()
    assert "match 1, open room, board 1, attempt 1: " in found
    assert why in found


def test_a_delay_of_another_seat_and_one_of_the_table_are_found(match: AuditedMatch) -> None:
    change(match, 8, seat="?")
    (found,) = match.findings()
    assert "the network's delay of card 9: it is of " in found
    change(match, 8, seq=5)
    (found,) = match.findings()
    assert "the network's delay of card 6: it is of " in found


def test_a_side_has_no_more_than_so_many_full_allowances(
    match: AuditedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.audit.attempt.NETWORK_LINES", 20)
    found = match.findings()
    assert len(found) == 2
    assert all("ms for the network, and a side gets 100 ms at most" in each for each in found)
