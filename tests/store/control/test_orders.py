"""Orders of directors: given, read by hosts, answered, in effect where no host is, and boards taken back."""

import threading
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.support.event_conversation import converse
from tests.support.live_event import HOST, take_up
from tests.support.played_event import PlayedEvent
from tests.support.store_events import NOW_MS, give, make_draw
from tests.support.store_records import load_attempts
from tests.support.stored_event import stored_event
from tourney.bridge import Seat, Side
from tourney.errors import StoreError
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BoardEnd, RulingKind, TimeExtended
from tourney.store.control.orders import (
    ExtensionInfo,
    OrderInfo,
    give_orders,
    load_extensions,
    load_holds,
    mark_acted,
    pending_orders,
    void_board,
)
from tourney.store.control.table_state import take_table
from tourney.store.control.tables import load_job
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, OrderKind, RulingRow
from tourney.store.results.matches import load_board_results


@pytest.fixture
def stored(database: Database) -> PlayedEvent:
    return stored_event(database)


def open_table(stored: PlayedEvent) -> TableInfo:
    return stored.match(1).tables_at(0)[Room.OPEN]


# Given and read


def test_a_host_reads_everything_that_an_order_says(stored: PlayedEvent) -> None:
    table = take_up(stored)
    said: dict[str, Any] = {"seat": Seat.WEST, "board": 2, "call": 3, "text": "12 to 14 total points"}
    (order_id,) = give_orders(stored.database, [table.id], OrderKind.ALERT, author="Ada", now_ms=NOW_MS, **said)
    assert pending_orders(stored.database, HOST) == [
        OrderInfo(
            id=order_id,
            table_id=table.id,
            kind=OrderKind.ALERT,
            seconds=None,
            no_forfeit=False,
            after_board=False,
            whole_event=False,
            author="Ada",
            created_at_ms=NOW_MS,
            **said,
        )
    ]


def test_extended_time_is_read_by_the_host_that_has_the_table_and_by_the_one_that_takes_it_up(
    stored: PlayedEvent,
) -> None:
    database, table = stored.database, open_table(stored)

    def extend(seconds: int, seat: Seat | None = None, board: int | None = None) -> int:
        body = {"seat": seat, "board": board, "seconds": seconds, "text": "a slow network"}
        (order_id,) = give_orders(database, [table.id], OrderKind.EXTEND, author="Ada", now_ms=NOW_MS, **body)  # type: ignore[arg-type]
        return order_id

    before = extend(300)
    converse(stored, "outcomes -> it counts when the table is played\n1-open opens")
    during = extend(-60, Seat.EAST, 2)
    assert [each.extension for each in pending_orders(database, HOST)] == [TimeExtended(during, 2, Side.EW, -60_000)]
    assert load_job(database, table.id).extensions == (
        TimeExtended(before, None, None, 300_000),
        TimeExtended(during, 2, Side.EW, -60_000),
    )
    assert load_extensions(database, stored.event.id) == (
        ExtensionInfo(before, 1, Room.OPEN, None, None, 300, "a slow network", "Ada", NOW_MS),
        ExtensionInfo(during, 1, Room.OPEN, 2, table.ew_team, -60, "a slow network", "Ada", NOW_MS),
    )
    assert load_job(database, stored.match(1).tables_at(0)[Room.CLOSED].id).extensions == ()


def test_a_host_reads_orders_of_tables_that_it_has_taken_alone(stored: PlayedEvent) -> None:
    converse(
        stored,
        """
        1-open opens
        host-2 opens 1-closed
        Ada: pause 1-open
        Ada: stop 1-closed
        orders -> pause 1-open by Ada
        orders of host-2 -> stop 1-closed by Ada
        """,
    )


def test_an_order_for_a_table_that_is_given_out_waits_until_its_host_has_taken_it(stored: PlayedEvent) -> None:
    give(stored.database, open_table(stored))
    converse(stored, "Ada: pause 1-open\norders -> nothing")
    take_table(stored.database, open_table(stored).id, HOST, NOW_MS)
    converse(stored, "orders -> pause 1-open by Ada")


def test_an_order_for_a_table_that_there_is_not_is_refused_and_none_is_given(stored: PlayedEvent) -> None:
    table = take_up(stored)
    with pytest.raises(StoreError, match="no table 99"):
        give_orders(stored.database, [table.id, 99], OrderKind.PAUSE, author="Ada", now_ms=NOW_MS)
    converse(stored, "orders -> nothing")


# Held


@pytest.mark.parametrize(
    ("orders", "hold"),
    [
        ("", ""),
        ("pause", "pause"),
        ("stop", "stop"),
        ("pause resume", ""),
        ("stop resume", ""),
        ("resume pause", "pause"),
        ("stop pause", "pause"),
        ("pause stop kick alert", "stop"),
        ("kick", ""),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_the_newest_of_pause_resume_and_stop_holds_a_table_with_a_host_and_without(
    stored: PlayedEvent, orders: str, hold: str, is_open: bool
) -> None:
    given = "\n".join(f"Ada: {kind} 1-open" for kind in orders.split())
    converse(
        stored,
        f"""
        {"1-open opens" if is_open else ""}
        Ada: resume 1-closed
        {given}
        Ada: stop 1-closed
        holds {f"-> {hold} 1-open" if hold else ""} -> stop 1-closed
        """,
    )
    assert {*load_holds(stored.database, [open_table(stored).id])} == ({open_table(stored).id} if hold else set())


def test_a_hold_lasts_when_it_has_been_acted_on_and_the_table_goes_to_another_host(stored: PlayedEvent) -> None:
    converse(stored, "1-open opens\nAda: pause 1-open")
    (order,) = pending_orders(stored.database, HOST)
    mark_acted(stored.database, order.id, "paused", NOW_MS)
    converse(stored, "host-2 opens 1-open\nholds -> pause 1-open")


def test_a_hold_replaces_those_that_nobody_has_acted_on(stored: PlayedEvent) -> None:
    converse(
        stored,
        """
        1-open opens
        Ada: stop 1-open
        Ada: kick 1-open
        Ada: resume 1-open
        orders -> kick 1-open by Ada -> resume 1-open by Ada
        outcomes -> replaced by resume -> - -> -
        """,
    )


def test_a_host_that_takes_a_table_as_it_is_paused_reads_the_hold_or_the_order(database: Database) -> None:
    for number in range(5):
        stored = stored_event(database, make_draw(name=f"Cup {number}"))
        table = open_table(stored)
        give(database, table)
        together = threading.Barrier(2)
        seen: list[bool] = []

        def take(table: TableInfo = table, together: threading.Barrier = together) -> None:
            together.wait()
            take_table(database, table.id, HOST, NOW_MS)
            held = table.id in load_holds(database, [table.id])
            seen.append(held)  # noqa: B023 # the thread ends before the next turn

        host = threading.Thread(target=take)
        host.start()
        together.wait()
        converse(stored, "Ada: pause 1-open")
        host.join()
        assert seen == [True] or [order.table_id for order in pending_orders(database, HOST)][-1:] == [table.id]


# A board played again


def withdrawn(stored: PlayedEvent) -> dict[int, tuple[int, str, str]]:
    with stored.database.read() as connection:
        rows = connection.execute(select(*RulingRow.__table__.c).where(RulingRow.withdrawn_at_ms.is_not(None)))
        return {row.id: (row.withdrawn_at_ms, row.withdrawn_by, row.withdrawn_reason) for row in rows}


def void(stored: PlayedEvent, board: str) -> list[str]:
    with stored.database.write() as connection:
        return [void_board(connection, open_table(stored).id, int(board), "a wrong deal", NOW_MS, author="Ada")]


def to_play(stored: PlayedEvent) -> list[str]:
    return [str(board.number) for board in load_job(stored.database, open_table(stored).id).boards]


def attempts(stored: PlayedEvent) -> list[str]:
    found = load_attempts(stored.database, open_table(stored).id)
    return [f"{each.board} {each.ended.value if each.ended is not None else 'under way'}" for each in found]


tell = partial(converse, void=void, left=to_play, attempts=attempts)


def test_a_void_board_has_no_result_and_is_to_be_played_again(stored: PlayedEvent) -> None:
    tell(
        stored,
        """
        1-open opens
        1-closed opens
        match 1 boards 1-2: 4S N 10, 4S N 10
        void 2 -> board 2 is void, it had come to 4S by North, 10 tricks, +620 for North-South
        left -> 2
        """,
    )
    results = load_board_results(stored.database, stored.match(1))
    assert (list(results[Room.OPEN]), list(results[Room.CLOSED])) == ([1], [1, 2])


def test_a_forfeited_board_can_be_void_and_its_ruling_by_rule_falls_with_it(stored: PlayedEvent) -> None:
    team = stored.event.teams[0].name
    converse(stored, "1-open opens\n1-open board 1: E forfeits")
    with stored.database.write() as connection:
        connection.execute(update(BoardAttempt).values(final=True, fault="E"))
    stored.rule(1, team, RulingKind.BOARD_FORFEIT, room=Room.OPEN, board=1, attempt=1, author="Bob")
    tell(
        stored,
        f"""
        Bob rules 1-open board 1 board-forfeit {team}
        Bob rules 1-open board 2 board-forfeit {team}
        Bob rules 1-closed board 1 board-forfeit {team}
        void 1 -> board 1 is void, it had come to stall: East owed a call for 300 s
        """,
    )
    assert withdrawn(stored) == dict.fromkeys((1, 2), (NOW_MS, "Ada", "a wrong deal"))
    with stored.database.read() as connection:
        row = connection.execute(select(*BoardAttempt.__table__.c)).one()
    assert (row.final, row.fault, row.ended) == (False, None, BoardEnd.VOID)


def test_a_replay_is_settled_once(stored: PlayedEvent) -> None:
    tell(
        stored,
        f"""
        1-open opens
        1-open board 1: 4S N 10
        Ada: replay 1-open board 1
        1-open board 2: 4S N 10
        replays are settled
        outcomes -> board 1 is void, {FOUR_SPADES}
        host-2 opens 1-open
        1-open board 1: Pass
        replays are settled
        outcomes -> board 1 is void, {FOUR_SPADES}
        attempts -> 1 void -> 1 passed-out -> 2 played
        """,
    )


FOUR_SPADES = "it had come to 4S by North, 10 tricks, +420 for North-South"


def test_a_replay_of_the_board_in_hand_needs_nothing_when_the_host_has_let_the_table_go(stored: PlayedEvent) -> None:
    tell(
        stored,
        """
        1-open opens
        1-open board 1: 0 calls
        Ada: replay 1-open board 1
        1-open is failed
        replays are settled
        outcomes -> board 1 has not been finished there: it is played anyway
        """,
    )


def test_only_replays_of_the_event_at_tables_without_a_host_are_settled(stored: PlayedEvent) -> None:
    other = stored_event(stored.database, make_draw(name="Autumn Cup"))
    tell(
        stored,
        """
        1-open opens
        1-open board 1: 0 calls
        Ada: replay 1-open board 1
        host-2 opens 1-closed
        1-closed boards 1-2: 4S N 10
        Ada: kick 1-closed
        """,
    )
    tell(
        other,
        """
        host-3 opens 1-open
        1-open board 1: 4S N 10
        Ada: replay 1-open board 1
        1-open board 2: 4S N 10
        """,
    )
    tell(stored, "replays are settled\noutcomes -> - -> - -> -")
    tell(other, f"replays are settled\noutcomes -> - -> - -> board 1 is void, {FOUR_SPADES}")
