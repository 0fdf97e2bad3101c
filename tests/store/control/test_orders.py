"""Orders of directors: given, read by hosts, answered, in effect where no host is, and boards taken back."""

import threading

import pytest
from sqlalchemy import insert, select, update

from tests.support.store_events import NOW_MS, give, make_draw, ports_from, save_event, table_of, take
from tests.support.store_records import abandoned, board_ended, ended, load_attempts, write_records
from tourney.bridge import Board, Contract, Seat, Side, Strain
from tourney.errors import StoreError
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import BoardBegan, BoardEnd, RulingKind, TimeExtended
from tourney.store.control.orders import (
    ExtensionInfo,
    OrderInfo,
    give_orders,
    give_replay,
    load_extensions,
    load_holds,
    load_outcomes,
    mark_acted,
    pending_orders,
    settle_replays,
    void_board,
)
from tourney.store.control.table_state import set_table_ports, set_table_state, take_table
from tourney.store.control.tables import load_job, load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import BoardAttempt, OrderKind, RulingRow
from tourney.store.record.writer import TableLedger
from tourney.store.results.matches import load_board_results, load_match_boards

FOUR_SPADES = Contract(4, Strain.SPADES, 0, Seat.NORTH)


def _order(database: Database, table: TableInfo, kind: OrderKind, now_ms: int = NOW_MS) -> int:
    (order_id,) = give_orders(database, [table.id], kind, author="Ada", now_ms=now_ms)
    return order_id


def _kinds(database: Database, host: str = "host-1") -> list[OrderKind]:
    return [order.kind for order in pending_orders(database, host)]


def _open(database: Database, table: TableInfo, host: str = "host-1") -> TableLedger:
    ledger = take(database, table, host)
    set_table_ports(database, table.id, ledger.attempt, ports_from(2000), NOW_MS)
    return ledger


def _boards(database: Database, event: EventInfo) -> tuple[Board, ...]:
    return load_match_boards(database, event.matches[0])


def _state(database: Database, table: TableInfo) -> TableState:
    return load_progress(database, [table.id])[table.id].table.state


# Given and read


def test_a_host_reads_everything_that_an_order_says(database: Database) -> None:
    table = table_of(save_event(database))
    _open(database, table)
    (order_id,) = give_orders(
        database,
        [table.id],
        OrderKind.ALERT,
        author="Ada",
        now_ms=NOW_MS + 7,
        seat=Seat.WEST,
        board=2,
        call=3,
        text="12 to 14 total points",
    )
    assert pending_orders(database, "host-1") == [
        OrderInfo(
            id=order_id,
            table_id=table.id,
            kind=OrderKind.ALERT,
            seat=Seat.WEST,
            board=2,
            call=3,
            seconds=None,
            no_forfeit=False,
            after_board=False,
            whole_event=False,
            text="12 to 14 total points",
            author="Ada",
            created_at_ms=NOW_MS + 7,
        )
    ]


def test_extended_time_is_read_by_the_host_that_has_the_table_and_by_the_one_that_takes_it_up(
    database: Database,
) -> None:
    event = save_event(database)
    table = table_of(event)

    def extend(seconds: int, seat: Seat | None = None, board: int | None = None) -> int:
        (order_id,) = give_orders(
            database,
            [table.id],
            OrderKind.EXTEND,
            author="Ada",
            now_ms=NOW_MS,
            seat=seat,
            board=board,
            seconds=seconds,
            text="a slow network",
        )
        return order_id

    before = extend(300)
    assert load_outcomes(database, [before]) == {before: "it counts when the table is played"}
    _open(database, table)
    during = extend(-60, Seat.EAST, 2)
    assert [each.extension for each in pending_orders(database, "host-1")] == [
        TimeExtended(during, 2, Side.EW, -60_000)
    ]
    assert load_job(database, table.id).extensions == (
        TimeExtended(before, None, None, 300_000),
        TimeExtended(during, 2, Side.EW, -60_000),
    )
    assert load_extensions(database, event.id) == (
        ExtensionInfo(before, 1, Room.OPEN, None, None, 300, "a slow network", "Ada", NOW_MS),
        ExtensionInfo(during, 1, Room.OPEN, 2, table.ew_team, -60, "a slow network", "Ada", NOW_MS),
    )
    assert load_job(database, table_of(event, room=Room.CLOSED).id).extensions == ()


def test_a_host_reads_orders_of_tables_that_it_has_taken_alone(database: Database) -> None:
    event = save_event(database)
    mine, others = table_of(event), table_of(event, room=Room.CLOSED)
    _open(database, mine)
    _open(database, others, "host-2")
    _order(database, mine, OrderKind.PAUSE)
    _order(database, others, OrderKind.STOP)
    assert _kinds(database, "host-1") == [OrderKind.PAUSE]
    assert _kinds(database, "host-2") == [OrderKind.STOP]


def test_an_order_for_a_table_that_is_given_out_waits_until_its_host_has_taken_it(database: Database) -> None:
    table = table_of(save_event(database))
    give(database, table)
    _order(database, table, OrderKind.PAUSE)
    assert _kinds(database) == []
    take_table(database, table.id, "host-1", NOW_MS)
    assert _kinds(database) == [OrderKind.PAUSE]


def test_an_order_for_a_table_that_there_is_not_is_refused_and_none_is_given(database: Database) -> None:
    table = table_of(save_event(database))
    _open(database, table)
    with pytest.raises(StoreError, match="no table 99"):
        give_orders(database, [table.id, 99], OrderKind.PAUSE, author="Ada", now_ms=NOW_MS)
    assert _kinds(database) == []


# Acted on


# Held


@pytest.mark.parametrize(
    ("orders", "hold"),
    [
        ([], None),
        ([OrderKind.PAUSE], OrderKind.PAUSE),
        ([OrderKind.STOP], OrderKind.STOP),
        ([OrderKind.PAUSE, OrderKind.RESUME], None),
        ([OrderKind.STOP, OrderKind.RESUME], None),
        ([OrderKind.RESUME, OrderKind.PAUSE], OrderKind.PAUSE),
        ([OrderKind.STOP, OrderKind.PAUSE], OrderKind.PAUSE),
        ([OrderKind.PAUSE, OrderKind.STOP, OrderKind.KICK, OrderKind.ALERT], OrderKind.STOP),
        ([OrderKind.KICK], None),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_the_newest_of_pause_resume_and_stop_holds_a_table_with_a_host_and_without(
    database: Database, orders: list[OrderKind], hold: OrderKind | None, is_open: bool
) -> None:
    event = save_event(database)
    table, other = table_of(event), table_of(event, room=Room.CLOSED)
    if is_open:
        _open(database, table)
    _order(database, other, OrderKind.RESUME)
    for kind in orders:
        _order(database, table, kind)
    _order(database, other, OrderKind.STOP)
    expected = {table.id: hold, other.id: OrderKind.STOP}
    assert load_holds(database, [table.id, other.id]) == {t: h for t, h in expected.items() if h is not None}
    assert load_holds(database, [table.id]) == ({table.id: hold} if hold is not None else {})


def test_a_hold_lasts_when_it_has_been_acted_on_and_the_table_goes_to_another_host(database: Database) -> None:
    table = table_of(save_event(database))
    _open(database, table)
    mark_acted(database, _order(database, table, OrderKind.PAUSE), "paused", NOW_MS)
    _open(database, table, "host-2")
    assert load_holds(database, [table.id]) == {table.id: OrderKind.PAUSE}


def test_a_hold_replaces_those_that_nobody_has_acted_on(database: Database) -> None:
    table = table_of(save_event(database))
    _open(database, table)
    stop = _order(database, table, OrderKind.STOP)
    kick = _order(database, table, OrderKind.KICK)
    resume = _order(database, table, OrderKind.RESUME)
    assert [order.id for order in pending_orders(database, "host-1")] == [kick, resume]
    assert load_outcomes(database, [stop, kick, resume]) == {stop: "replaced by resume"}


def test_a_host_that_takes_a_table_as_it_is_paused_reads_the_hold_or_the_order(database: Database) -> None:
    for number in range(5):
        table = table_of(save_event(database, make_draw(name=f"Cup {number}")))
        give(database, table)
        together = threading.Barrier(2)
        seen: list[bool] = []

        def take_up(table: TableInfo = table, together: threading.Barrier = together) -> None:
            together.wait()
            take_table(database, table.id, "host-1", NOW_MS)
            held = table.id in load_holds(database, [table.id])
            seen.append(held)  # noqa: B023 # the thread ends before the next turn

        host = threading.Thread(target=take_up)
        host.start()
        together.wait()
        _order(database, table, OrderKind.PAUSE)
        host.join()
        assert seen == [True] or OrderKind.PAUSE in _kinds(database)


# A board played again


def _finish_all(database: Database, event: EventInfo, table: TableInfo) -> TableLedger:
    boards = _boards(database, event)
    ledger = _open(database, table)
    for board in boards:
        write_records(database, ledger, BoardBegan(board.number, NOW_MS), ended(board, FOUR_SPADES, 10))
    return ledger


def _rule(
    database: Database,
    event: EventInfo,
    table: TableInfo,
    board: int,
    author: str = "rule",
    attempt: int | None = 1,
) -> int:
    with database.write() as connection:
        key = connection.scalar(
            insert(RulingRow)
            .values(
                event_id=event.id,
                match_id=event.matches[0].id,
                table_id=table.id,
                board=board,
                attempt=attempt,
                team_id=event.teams[0].id,
                kind=RulingKind.BOARD_FORFEIT,
                amount=0,
                reason="a stall",
                law="BC-45",
                author=author,
                at_ms=NOW_MS,
            )
            .returning(RulingRow.id)
        )
    assert key is not None
    return int(key)


def _withdrawn(database: Database) -> dict[int, tuple[int, str, str]]:
    with database.read() as connection:
        rows = connection.execute(select(*RulingRow.__table__.c).where(RulingRow.withdrawn_at_ms.is_not(None)))
        return {row.id: (row.withdrawn_at_ms, row.withdrawn_by, row.withdrawn_reason) for row in rows}


def _void(database: Database, table: TableInfo, board: int) -> str:
    with database.write() as connection:
        return void_board(connection, table.id, board, "a wrong deal", NOW_MS + 50, author="Ada")


def test_a_void_board_has_no_result_and_is_to_be_played_again(database: Database) -> None:
    event = save_event(database)
    table, other = table_of(event), table_of(event, room=Room.CLOSED)
    _finish_all(database, event, table)
    _finish_all(database, event, other)
    assert _void(database, table, 2) == "board 2 is void, it had come to 4S by North, 10 tricks, +620 for North-South"
    results = load_board_results(database, event.matches[0])
    assert list(results[Room.OPEN]) == [1]
    assert list(results[Room.CLOSED]) == [1, 2]
    assert [board.number for board in load_job(database, table.id).boards] == [2]


def test_a_forfeited_board_can_be_void_and_its_ruling_by_rule_falls_with_it(database: Database) -> None:
    event = save_event(database)
    table = table_of(event)
    ledger = _open(database, table)
    write_records(
        database,
        ledger,
        BoardBegan(1, NOW_MS),
        board_ended(1, BoardEnd.STALL, reason="East fell silent", fault=Seat.EAST),
    )
    with database.write() as connection:
        connection.execute(
            update(BoardAttempt).where(BoardAttempt.table_id == table.id).values(final=True, fault="E")
        )
    by_rule = _rule(database, event, table, 1)
    by_a_kick = _rule(database, event, table, 1, author="Bob")
    others = [
        _rule(database, event, table, 1, author="Bob", attempt=None),
        _rule(database, event, table, 2),
        _rule(database, event, table_of(event, room=Room.CLOSED), 1),
    ]
    assert _void(database, table, 1) == "board 1 is void, it had come to stall: East fell silent"
    assert _withdrawn(database) == dict.fromkeys((by_rule, by_a_kick), (NOW_MS + 50, "Ada", "a wrong deal"))
    assert not set(others) & set(_withdrawn(database))
    with database.read() as connection:
        row = connection.execute(select(*BoardAttempt.__table__.c)).one()
    assert (row.final, row.fault, row.ended) == (False, None, BoardEnd.VOID)


def _ask_for_replay(database: Database, table: TableInfo, board: int = 1) -> int:
    return give_replay(database, table.id, board, author="Ada", reason="a wrong deal", now_ms=NOW_MS)


def test_a_replay_is_settled_once(database: Database) -> None:
    event = save_event(database)
    table, boards = table_of(event), _boards(database, event)
    ledger = _open(database, table)
    write_records(database, ledger, BoardBegan(1, NOW_MS), ended(boards[0]))
    order_id = _ask_for_replay(database, table)
    write_records(database, ledger, BoardBegan(2, NOW_MS), ended(boards[1]))
    settle_replays(database, event.id, NOW_MS + 50)
    outcomes = load_outcomes(database, [order_id])
    again = _open(database, table, "host-2")
    again.board_attempts[1] = 1
    write_records(database, again, BoardBegan(1, NOW_MS), ended(boards[0]))
    settle_replays(database, event.id, NOW_MS + 60)
    assert load_outcomes(database, [order_id]) == outcomes
    assert [attempt.ended for attempt in load_attempts(database, table.id)][-1] is BoardEnd.PASSED_OUT


def test_a_replay_of_the_board_in_hand_needs_nothing_when_the_host_has_let_the_table_go(database: Database) -> None:
    event = save_event(database)
    table = table_of(event)
    ledger = _open(database, table)
    write_records(database, ledger, BoardBegan(1, NOW_MS))
    order_id = _ask_for_replay(database, table)
    write_records(database, ledger, abandoned(_boards(database, event)[0]))
    with database.write() as connection:
        set_table_state(connection, table.id, ledger.attempt, TableState.FAILED, NOW_MS)
    settle_replays(database, event.id, NOW_MS + 50)
    outcome = "board 1 has not been finished there: it is played anyway"
    assert load_outcomes(database, [order_id]) == {order_id: outcome}


def test_only_replays_of_the_event_at_tables_without_a_host_are_settled(database: Database) -> None:
    event, other = save_event(database), save_event(database, make_draw(name="Autumn Cup"))
    playing, finished = table_of(event), table_of(event, room=Room.CLOSED)
    write_records(database, _open(database, playing), BoardBegan(1, NOW_MS))
    orders = [_ask_for_replay(database, playing)]
    _finish_all(database, event, finished)
    kick = _order(database, finished, OrderKind.KICK)
    elsewhere = table_of(other)
    ledger = _open(database, elsewhere)
    write_records(database, ledger, BoardBegan(1, NOW_MS), ended(_boards(database, other)[0]))
    orders.append(_ask_for_replay(database, elsewhere))
    write_records(database, ledger, BoardBegan(2, NOW_MS), ended(_boards(database, other)[1]))
    settle_replays(database, event.id, NOW_MS + 50)
    assert load_outcomes(database, [*orders, kick]) == {}
    settle_replays(database, other.id, NOW_MS + 50)
    assert list(load_outcomes(database, orders)) == orders[1:]
