"""What the network took of calls and cards goes on record with them, and comes back with a board under way."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from tests.formats.test_plain_json import SETTINGS
from tests.support.audited import AuditedMatch, begin_match, played
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, CallMade, CardPlayed, MeasuredDelay, TableRecord
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.store.control.host_settings import load_network_ms_max, save_settings
from tourney.store.control.tables import load_job
from tourney.store.db.database import Database
from tourney.store.models import NetworkDelay

ONE, TWO = MeasuredDelay(7, 3, 2), MeasuredDelay(90_000, 0, 0)


@pytest.fixture
def match(sqlite_database: Database) -> AuditedMatch:
    return begin_match(sqlite_database)


def through_a_tunnel(records: list[TableRecord]) -> list[TableRecord]:
    """The second call and the third card have come through one."""
    delayed: list[TableRecord] = []
    for record in records:
        if isinstance(record, CallMade) and record.seq == 1:
            delayed.append(replace(record, delay=ONE))
        elif isinstance(record, CardPlayed) and record.seq == 2:
            delayed.append(replace(record, delay=TWO))
        else:
            delayed.append(record)
    return delayed


def rows(sqlite_database: Database) -> list[tuple[object, ...]]:
    names = ("board", "attempt", "is_card", "seq", "seat", "own_ms", "delay_ms", "allowed_ms")
    columns = [NetworkDelay.__table__.c[name] for name in names]
    with sqlite_database.read() as connection:
        return [tuple(row) for row in connection.execute(select(*columns).order_by(*columns))]


def test_a_delay_is_on_record_with_its_call_or_card_under_the_seat_that_has_it(match: AuditedMatch) -> None:
    board = match.boards[0]
    records = through_a_tunnel(played(board))
    match.write(Room.OPEN, records)
    call = next(each for each in records if isinstance(each, CallMade) and each.delay)
    card = next(each for each in records if isinstance(each, CardPlayed) and each.delay)
    assert rows(match.database) == [
        (1, 1, False, 1, call.seat, 7, 3, 2),
        (1, 1, True, 2, card.seat, 90_000, 0, 0),
    ]


def test_a_host_that_takes_a_board_up_knows_its_delays(match: AuditedMatch) -> None:
    records = through_a_tunnel(played(match.boards[0]))[:10]
    match.write(Room.OPEN, records)
    under_way = load_job(match.database, match.ledgers[Room.OPEN].table_id).under_way
    assert under_way is not None
    assert isinstance(records[0], BoardBegan)
    assert [getattr(made, "delay", None) for made in under_way.records] == [None, ONE, *[None] * 5, TWO, None]


def test_the_most_that_was_ever_allowed_is_known_to_who_checks_the_record(match: AuditedMatch) -> None:
    sqlite_database, event = match.database, match.event
    assert load_network_ms_max(sqlite_database, event.id) is None
    for network_ms in (250, 100):
        save_settings(
            sqlite_database, event.id, replace(SETTINGS, rules=TableRules(TimeRules(network_ms=network_ms)))
        )
        assert load_network_ms_max(sqlite_database, event.id) == 250
