"""What a director sees of a running event: alarm first, and what hosts and the record say of each table."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.live_event import put, write_doing
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, draw_event, event_text
from tests.support.store_records import made_call
from tourney.bridge import PASS, Bid, Call, Seat, Strain
from tourney.coordinator.run_lease import hold_run_lock
from tourney.protocol.session.records import BoardBegan, CardPlayed
from tourney.store.control.hosts import WorkerInfo, add_host, join_host, record_workers
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.table_state import assign_table
from tourney.times import format_utc

NOW_MS = BEGINS_AT_MS + 100_000
STATUS = "$ status EVENT --director --json"
OPEN_TABLE = f"{STATUS} | tables.0"
WAITS = f"{STATUS} | tables.0.waits: seat for since"
TROUBLE = f"{STATUS} | trouble: kind text"


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.runtime.clock.wall_ms", lambda: NOW_MS)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedEvent]:
    """One match of two boards, Alpha against Beta, which a run plays."""
    played = draw_event(tmp_path)
    with hold_run_lock(played.file.results):
        yield played


# What a table does


def test_the_word_of_the_host_says_what_a_table_does(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        1-open board 2: 0 calls
        N E sit at 1-open
        1-open says E owes ready for cards since 99.995 s; last North bids 1NT
        {OPEN_TABLE}: round boards finished board last paused -> 1 2 0 2 North bids 1NT no
        {OPEN_TABLE}: seats -> N=Alpha E=Beta S=- W=-
        {WAITS} -> E ready for cards 2026-09-21T14:14:59.995Z
        """,
    )


def test_without_a_word_of_the_host_the_record_says_whose_call_it_is(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        N S sit at 1-open
        1-open board 1: 2 calls
        {OPEN_TABLE}: board last seats -> 1 East passes N=Alpha E=- S=Alpha W=-
        {WAITS} -> S call 2026-09-21T14:13:20.001Z
        """,
    )


def test_before_the_first_call_dealer_has_owed_one_since_the_board_began(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        1-open board 2: 0 calls
        {OPEN_TABLE}: last waits.0.seat waits.0.since -> E 2026-09-21T14:13:20Z
        """,
    )


def test_without_a_word_of_the_host_declarer_owes_the_card_of_dummy(played: PlayedEvent) -> None:
    converse(played, "1-open opens")
    auction: list[Call] = [Bid(1, Strain.NOTRUMP), PASS, PASS, PASS]
    calls = [made_call(seq, Seat(seq), call) for seq, call in enumerate(auction)]
    lead = played.boards(1)[0].deal[Seat.EAST].cards[0]
    card = CardPlayed(board=1, seq=0, seat=Seat.EAST, card=lead, thinking_ms=1, at_ms=BEGINS_AT_MS + 70)
    put(played, played.match(1).tables_at(0)[OPEN], BoardBegan(1, BEGINS_AT_MS), *calls, card)
    converse(
        played,
        f"""
        {OPEN_TABLE}: last -> East plays {lead}
        {WAITS} -> N card 2026-09-21T14:13:20.070Z
        """,
    )


def test_a_word_that_is_older_than_the_state_of_the_table_is_of_another_session(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        1-open says last North bids 1NT; at -60 s
        {OPEN_TABLE}: paused last -> no
        1-open says last North bids 1NT; at -0.5 s
        {OPEN_TABLE}: last -> North bids 1NT
        """,
    )


def test_a_word_that_cannot_be_read_is_none(played: PlayedEvent) -> None:
    converse(played, "1-open opens")
    write_doing(played, played.match(1).tables_at(0)[OPEN], '{"at_ms": "soon"}')
    converse(played, f"1-open board 1: 1 call\n{OPEN_TABLE}: last -> North passes")


def test_when_no_run_is_going_on_nobody_sits_and_nobody_owes_anything(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path),
        f"""
        1-open opens
        N sits at 1-open
        1-open board 1: 1 call
        1-open says E owes call since 0 s; problem late; last something else
        {OPEN_TABLE}: seats waits board last -> none none 1 North passes
        {TROUBLE} -> nothing
        """,
    )


def test_a_table_that_is_not_open_has_no_seats_and_does_nothing(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open says E owes call since 0 s; last something
        {OPEN_TABLE}: seats waits board last -> none none -
        """,
    )


def test_tables_are_counted_by_where_they_stand(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {STATUS} | counts -> waiting=2
        1-open opens
        {STATUS} | counts -> waiting=1 open=1
        1-closed opens
        1-open is finished
        1-closed is finished
        {STATUS} | counts -> finished=2
        """,
    )


# Alarm

IN_WORDS = "$ status EVENT --director -> Test Cup: tables ..."


def test_what_needs_the_director_comes_worst_first(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-closed opens
        1-closed is failed: port 2000 is taken
        1-open opens
        1-open board 1: 1 call
        1-open asks about call 0 of board 1 at 95 s
        N E S sit at 1-open
        1-open says S owes call since 40 s; E owes card since 40.001 s; problem it hangs
        Ada: stop 1-closed at 70 s
        {IN_WORDS}
            -> 1-closed: failed: port 2000 is taken (for 1:40.0)
            -> 1-open: it hangs
            -> 1-closed: stopped (for 0:30.0)
            -> 1-open: board 1: is North's Pass alertable? (for 0:05.0)
            -> 1-open: waits for South (Alpha): call (for 1:00.0)
            -> 1-open: nobody sits West (Beta)
            -> ...
        """,
    )


def test_at_a_table_that_is_paused_nobody_owes_anything_long(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        N E S W sit at 1-open
        1-open says S owes call since 0 s; paused
        {TROUBLE} -> paused paused
        """,
    )


def test_tables_that_are_paused_and_seats_that_are_empty_share_a_line(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        W sits at 1-open
        1-open says nothing
        1-closed opens
        W sits at 1-closed
        1-closed says nothing
        Ada: pause 1-open at 91 s
        Ada: pause 1-closed at 100 s
        {IN_WORDS}
            -> the whole event is paused (for 0:09.0)
            -> 1-open: nobody sits North, South (Alpha), East (Beta) (for 1:40.0)
            -> 1-closed: nobody sits North, South (Beta), East (Alpha) (for 1:40.0)
            -> ...
        """,
    )


def test_a_seat_that_is_empty_is_told_of_once_however_long_it_is_waited_for(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        N E S sit at 1-open
        1-open says W owes to log on since 0 s
        {TROUBLE} -> empty nobody sits West (Beta)
        """,
    )


def test_a_table_that_waits_is_held_as_ordered_and_goes_on_as_ordered(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        Ada: pause 1-open
        {OPEN_TABLE}: hold paused -> pause yes
        Ada: resume 1-open
        {OPEN_TABLE}: hold paused -> - no
        """,
    )


def test_a_finished_table_is_no_alarm(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        Ada: pause 1-open
        1-open is finished
        {TROUBLE} -> nothing
        """,
    )


# As JSON


def test_the_document_says_what_stands_at_each_table_and_what_is_wrong(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=4))
    with hold_run_lock(played.file.results):
        converse(
            played,
            f"""
            1-open opens
            1-open board 1: Pass
            1-open board 2: 0 calls
            N E S sit at 1-open
            1-open says E owes call since 40 s; last North bids 1NT
            Ada: stop 1-closed at 100 s
            {STATUS} | : run hosts director counts -> yes 0 yes waiting=1 playing=1
            {STATUS} | trouble: kind text seat since
                -> stopped stopped - 2026-09-21T14:15:00Z
                -> owes waits for East (Beta): call E 2026-09-21T14:14:00Z
                -> empty nobody sits West (Beta) W -
            {STATUS} | tables.0: finished board last -> 1 2 North bids 1NT
            {STATUS} | tables.0: ports -> N=2000 E=2001 S=2002 W=2003
            {STATUS} | tables.0: seats -> N=Alpha E=Beta S=Alpha W=-
            {WAITS} -> E call 2026-09-21T14:14:00Z
            {STATUS} | tables.1: hold ports seats waits -> stop none none none
            """,
        )


# Machines


def test_workers_and_hosts_are_told_with_what_they_have_and_when_they_were_last_heard(played: PlayedEvent) -> None:
    database, event_id = played.database, played.event.id
    old = WorkerInfo(name="OLD", address="192.0.2.7", tables=8, heard_at_ms=NOW_MS - 2000)
    record_workers(database, event_id, [old])
    record_workers(database, event_id, [replace(old, name="LAPTOP2", load_percent=35, is_draining=True)])
    add_host(database, event_id, "far", NOW_MS - 5000, worker="LAPTOP2")
    join_host(database, "far", ProcessIdentity("lap", 7, "b/1"), NOW_MS - 1000, "192.0.2.7")
    assign_table(database, played.match(1).tables_at(0)[OPEN].id, "far", dict.fromkeys(Seat, 2000), NOW_MS)
    converse(
        played,
        f"""
        {STATUS} | table_hosts: name machine worker address heard draining tables
            -> far lap LAPTOP2 192.0.2.7 {format_utc(NOW_MS - 1000)} no 1-open
        {STATUS} | workers: name address state draining load heard hosts tables tables_at_most
            -> OLD 192.0.2.7 gone no - {format_utc(NOW_MS - 2000)} none 0 8
            -> LAPTOP2 192.0.2.7 working yes 35 {format_utc(NOW_MS - 2000)} far 1 8
        $ status EVENT --director
            -> ...
            -> OLD 192.0.2.7 0 0/8 - ... gone
            -> LAPTOP2 192.0.2.7 1 1/8 35 % ... draining
            -> ...
        """,
    )
