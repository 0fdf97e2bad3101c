"""What a director sees of a running event: alarm first, and what hosts and the record say of each table."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.live_event import ask, put, say_doing, set_state, sit, take_up, write_doing
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tests.support.store_records import made_call
from tourney.bridge import PASS, Bid, Call, Seat, Strain
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import BoardBegan, CardPlayed
from tourney.store.control.hosts import WorkerInfo, add_host, join_host, record_workers
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.orders import give_orders
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import Wait
from tourney.store.models import OrderKind
from tourney.times import format_utc
from tourney.views.status import (
    LONG_WAIT_MS,
    AlarmKind,
    EventStatus,
    TableStatus,
    load_status,
)
from tourney.views.status_tables import StatusReport, worker_table

NOW_MS = BEGINS_AT_MS + 100_000
ONE_NOTRUMP = Bid(1, Strain.NOTRUMP)
N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """One match of two boards, Alpha against Beta."""
    return draw_event(tmp_path)


def status_of(played: PlayedEvent, *, is_run_going: bool = True, now_ms: int = NOW_MS) -> EventStatus:
    return load_status(played.database, played.event, is_run_going=is_run_going, now_ms=now_ms)


def open_table(played: PlayedEvent, **more: bool) -> TableStatus:
    return status_of(played, **more).tables[0]


def order(played: PlayedEvent, kind: OrderKind, *rooms: Room, at_ms: int = NOW_MS) -> None:
    tables = [played.match(1).tables_at(0)[room].id for room in rooms]
    give_orders(played.database, tables, kind, author="Ada", now_ms=at_ms)


# What a table does


def test_the_word_of_the_host_says_what_a_table_does(played: PlayedEvent) -> None:
    table = take_up(played)
    wait = Wait(E, "ready for cards", NOW_MS - 5)
    say_doing(played, table, board=2, seated=(N, E), waits=[wait], last="North bids 1NT")
    found = open_table(played)
    assert (found.round, found.boards, found.boards_finished, found.board) == (1, 2, 0, 2)
    assert found.seats == {N: "Alpha", E: "Beta", S: None, W: None}
    assert (found.waits, found.last, found.is_paused) == ((wait,), "North bids 1NT", False)


def test_without_a_word_of_the_host_the_record_says_whose_call_it_is(played: PlayedEvent) -> None:
    table = take_up(played)
    sit(played, table, N, S)
    played.begin(1, OPEN, 1, calls=2)
    found = open_table(played)
    assert found.seats == {N: "Alpha", E: None, S: "Alpha", W: None}
    assert (found.board, found.last) == (1, "East passes")
    assert found.waits == (Wait(S, "call", BEGINS_AT_MS + 1),)


def test_before_the_first_call_dealer_has_owed_one_since_the_board_began(played: PlayedEvent) -> None:
    take_up(played)
    played.begin(1, OPEN, 2, calls=0)
    found = open_table(played)
    assert (found.waits, found.last) == ((Wait(E, "call", BEGINS_AT_MS),), "")


def test_without_a_word_of_the_host_declarer_owes_the_card_of_dummy(played: PlayedEvent) -> None:
    table = take_up(played)
    board = played.boards(1)[0]
    auction: list[Call] = [ONE_NOTRUMP, PASS, PASS, PASS]
    calls = [made_call(seq, N.plus(seq), call) for seq, call in enumerate(auction)]
    lead = board.deal[E].cards[0]
    put(
        played,
        table,
        BoardBegan(1, BEGINS_AT_MS),
        *calls,
        CardPlayed(board=1, seq=0, seat=E, card=lead, thinking_ms=1, at_ms=BEGINS_AT_MS + 70),
    )
    found = open_table(played)
    assert (found.waits, found.last) == ((Wait(N, "card", BEGINS_AT_MS + 70),), f"East plays {lead}")


def test_a_word_that_is_older_than_the_state_of_the_table_is_of_another_session(played: PlayedEvent) -> None:
    table = take_up(played)
    say_doing(played, table, at_ms=BEGINS_AT_MS - 60_000, board=2, last="North bids 1NT")
    assert (open_table(played).board, open_table(played).last) == (None, "")
    say_doing(played, table, at_ms=BEGINS_AT_MS - 500, board=2, last="North bids 1NT")
    assert (open_table(played).board, open_table(played).last) == (2, "North bids 1NT")


def test_a_word_that_cannot_be_read_is_none(played: PlayedEvent) -> None:
    table = take_up(played)
    write_doing(played, table, '{"at_ms": "soon"}')
    played.begin(1, OPEN, 1, calls=1)
    assert open_table(played).last == "North passes"


def test_when_no_run_is_going_on_nobody_sits_and_nobody_owes_anything(played: PlayedEvent) -> None:
    table = take_up(played)
    sit(played, table, N)
    played.begin(1, OPEN, 1, calls=1)
    say_doing(played, table, waits=[Wait(E, "call", BEGINS_AT_MS)], problem="late", last="something else")
    status = status_of(played, is_run_going=False)
    found = status.tables[0]
    assert (found.seats, found.waits, found.problem) == ({}, (), None)
    assert (found.board, found.last) == (1, "North passes")
    assert status.alarms == ()


def test_a_table_that_is_not_open_has_no_seats_and_does_nothing(played: PlayedEvent) -> None:
    table = played.match(1).tables_at(0)[OPEN]
    say_doing(played, table, waits=[Wait(E, "call", BEGINS_AT_MS)], last="something")
    found = open_table(played)
    assert (found.seats, found.waits, found.last, found.board) == ({}, (), "", None)


def test_tables_are_counted_by_where_they_stand(played: PlayedEvent) -> None:
    assert status_of(played).counts == {TableState.WAITING: 2}
    table = take_up(played)
    assert status_of(played).counts == {TableState.WAITING: 1, TableState.OPEN: 1}
    assert not status_of(played).is_over
    for each in (table, take_up(played, room=CLOSED)):
        set_state(played, each, TableState.FINISHED)
    assert status_of(played).counts == {TableState.FINISHED: 2}
    assert status_of(played).is_over
    assert status_of(played).live == ()


# Alarm


def lines_of(status: EventStatus) -> list[str]:
    """The lines of alarms as the command prints them, below the line of the event."""
    return [str(part).removeprefix("  ") for part in StatusReport(status).text() if str(part).startswith("  ")]


def test_what_needs_the_director_comes_worst_first(played: PlayedEvent) -> None:
    failed = take_up(played, room=CLOSED)
    set_state(played, failed, TableState.FAILED, "port 2000 is taken")
    table = take_up(played)
    played.begin(1, OPEN, 1, calls=1)
    ask(played, table, 1, 0, N, at_ms=NOW_MS - 5_000)
    say_doing(
        played,
        table,
        seated=(N, E, S),
        waits=[Wait(S, "call", NOW_MS - LONG_WAIT_MS), Wait(E, "card", NOW_MS - LONG_WAIT_MS + 1)],
        problem="East has sent 3 lines that are none",
    )
    order(played, OrderKind.STOP, CLOSED, at_ms=NOW_MS - 30_000)
    status = status_of(played)
    assert [(alarm.kind, alarm.table.place, alarm.seat) for alarm in status.alarms] == [
        (AlarmKind.FAILED, "1-closed", None),
        (AlarmKind.HOST, "1-open", None),
        (AlarmKind.STOPPED, "1-closed", None),
        (AlarmKind.ALERT, "1-open", N),
        (AlarmKind.OWES, "1-open", S),
        (AlarmKind.EMPTY, "1-open", W),
    ]
    assert lines_of(status) == [
        "1-closed: failed: port 2000 is taken (for 1:40.0)",
        "1-open: East has sent 3 lines that are none",
        "1-closed: stopped (for 0:30.0)",
        "1-open: board 1: is North's Pass alertable? (for 0:05.0)",
        "1-open: waits for South (Alpha): call (for 1:00.0)",
        "1-open: nobody sits West (Beta)",
    ]


def test_at_a_table_that_is_paused_nobody_owes_anything_long(played: PlayedEvent) -> None:
    table = take_up(played)
    say_doing(played, table, waits=[Wait(S, "call", BEGINS_AT_MS)], paused=True)
    assert [alarm.kind for alarm in status_of(played).alarms] == [AlarmKind.PAUSED]


def test_tables_that_are_paused_and_seats_that_are_empty_share_a_line(played: PlayedEvent) -> None:
    for room in Room:
        say_doing(played, take_up(played, room=room), seated=(W,))
    order(played, OrderKind.PAUSE, Room.OPEN, at_ms=NOW_MS - 9_000)
    order(played, OrderKind.PAUSE, Room.CLOSED)
    assert lines_of(status_of(played)) == [
        "the whole event is paused (for 0:09.0)",
        "1-open: nobody sits North, South (Alpha), East (Beta) (for 1:40.0)",
        "1-closed: nobody sits North, South (Beta), East (Alpha) (for 1:40.0)",
    ]


def test_a_seat_that_is_empty_is_told_of_once_however_long_it_is_waited_for(played: PlayedEvent) -> None:
    table = take_up(played)
    say_doing(played, table, seated=(N, E, S), waits=[Wait(W, "to log on", BEGINS_AT_MS)])
    assert [alarm.kind for alarm in status_of(played).alarms] == [AlarmKind.EMPTY]


def test_a_table_that_waits_is_held_as_ordered_and_goes_on_as_ordered(played: PlayedEvent) -> None:
    order(played, OrderKind.PAUSE, OPEN)
    assert (open_table(played).hold, open_table(played).is_paused) == (OrderKind.PAUSE, True)
    order(played, OrderKind.RESUME, OPEN)
    assert (open_table(played).hold, open_table(played).is_paused) == (None, False)


def test_a_finished_table_is_no_alarm(played: PlayedEvent) -> None:
    table = take_up(played)
    order(played, OrderKind.PAUSE, OPEN)
    set_state(played, table, TableState.FINISHED)
    assert status_of(played).alarms == ()


# As JSON


def test_the_document_says_what_stands_at_each_table_and_what_is_wrong(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=4))
    table = take_up(played)
    played.record(1, OPEN, 1, "Pass")
    say_doing(
        played,
        table,
        board=2,
        seated=(N, E, S),
        waits=[Wait(E, "call", BEGINS_AT_MS + 40_000)],
        last="North bids 1NT",
    )
    order(played, OrderKind.STOP, CLOSED)
    document = StatusReport(status_of(played)).document()
    assert json.loads(json.dumps(document)) == document
    assert (document["run"], document["hosts"], document["director"]) == (True, 0, True)
    assert document["counts"] == {"waiting": 1, "playing": 1}
    stopped, owes, empty = document["trouble"]
    assert (stopped["kind"], stopped["text"], stopped["since"]) == ("stopped", "stopped", "2026-09-21T14:15:00Z")
    assert (owes["text"], owes["since"]) == ("waits for East (Beta): call", "2026-09-21T14:14:00Z")
    assert (empty["seat"], empty["text"], empty["since"]) == ("W", "nobody sits West (Beta)", None)
    opened, closed = document["tables"]
    assert (opened["ports"], opened["finished"]) == ({"N": 2000, "E": 2001, "S": 2002, "W": 2003}, 1)
    assert opened["seats"] == {"N": "Alpha", "E": "Beta", "S": "Alpha", "W": None}
    assert opened["waits"] == [{"seat": "E", "for": "call", "since": "2026-09-21T14:14:00Z"}]
    assert (opened["board"], opened["last"]) == (2, "North bids 1NT")
    assert (closed["hold"], closed["ports"], closed["seats"], closed["waits"]) == ("stop", {}, {}, [])


# Machines


def test_workers_and_hosts_are_told_with_what_they_have_and_when_they_were_last_heard(played: PlayedEvent) -> None:
    database, event_id = played.database, played.event.id
    old = WorkerInfo(name="OLD", address="192.0.2.7", tables=8, heard_at_ms=NOW_MS - 2000)
    record_workers(database, event_id, [old])
    laptop = replace(old, name="LAPTOP2", load_percent=35, is_draining=True)
    record_workers(database, event_id, [laptop])
    add_host(database, event_id, "far", NOW_MS - 5000, worker="LAPTOP2")
    join_host(database, "far", ProcessIdentity("lap", 7, "b/1"), NOW_MS - 1000, "192.0.2.7")
    table = played.match(1).tables_at(0)[OPEN]
    assign_table(database, table.id, "far", dict.fromkeys(Seat, 2000), NOW_MS)
    status = status_of(played)
    document = StatusReport(status).document()
    assert document["table_hosts"] == [
        {
            "name": "far",
            "machine": "lap",
            "worker": "LAPTOP2",
            "address": "192.0.2.7",
            "heard": format_utc(NOW_MS - 1000),
            "draining": False,
            "tables": ["1-open"],
        }
    ]
    assert document["workers"][1] == {
        "name": "LAPTOP2",
        "address": "192.0.2.7",
        "state": "working",
        "draining": True,
        "load": 35,
        "heard": format_utc(NOW_MS - 2000),
        "hosts": ["far"],
        "tables": 1,
        "tables_at_most": 8,
    }
    assert document["workers"][0]["state"] == "gone"
    workers = worker_table(status).rows
    assert [row[:5] for row in workers] == [
        ("OLD", "192.0.2.7", "0", "0/8", "-"),
        ("LAPTOP2", "192.0.2.7", "1", "1/8", "35 %"),
    ]
    assert [row[6] for row in workers] == ["gone", "draining"]
