"""Tables of a played event as a host has them: taken, open, with words on what goes on, questions and orders."""

from collections.abc import Callable, Sequence

from sqlalchemy import insert, update

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tests.support.store_events import ports_from
from tests.support.store_records import seat_taken, write_records
from tourney.bridge import Seat
from tourney.formats.plain_json import format_plain
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.session.records import TableRecord
from tourney.store.control.orders import OrderInfo, mark_acted, pending_orders
from tourney.store.control.table_state import assign_table, set_table_ports, set_table_state, take_table
from tourney.store.control.tables import TableActivity, TimeLeft, Wait
from tourney.store.models import AlertQuestion, NetworkDelay, TableRow
from tourney.store.record.writer import TableLedger

HOST = "host-1"


def take_up(
    played: PlayedEvent, number: int = 1, room: Room = Room.OPEN, *, first_port: int = 2000, host: str = HOST
) -> TableInfo:
    """Have a host take a table and open it; boards put on record after this are of this attempt."""
    table = played.match(number).tables_at(0)[room]
    ports = ports_from(first_port)
    assign_table(played.database, table.id, host, ports, BEGINS_AT_MS)
    attempt = take_table(played.database, table.id, host, BEGINS_AT_MS)
    assert attempt is not None
    set_table_ports(played.database, table.id, attempt, ports, BEGINS_AT_MS)
    played.reload()
    return played.match(number).tables_at(0)[room]


def put(
    played: PlayedEvent, table: TableInfo, *records: TableRecord, board_attempts: dict[int, int] | None = None
) -> None:
    """Put records of a table on record, as its host, which counts in `board_attempts` what it begins."""
    counts = board_attempts if board_attempts is not None else {}
    ledger = TableLedger(table.id, table.attempt, counts, boards_left=99)
    write_records(played.database, ledger, *records)
    counts |= ledger.board_attempts


def sit(played: PlayedEvent, table: TableInfo, *seats: Seat) -> None:
    put(
        played,
        table,
        *(seat_taken(seat, seat + 1, table.team(seat.side), at_ms=BEGINS_AT_MS) for seat in seats),
    )


def say_doing(
    played: PlayedEvent,
    table: TableInfo,
    *,
    at_ms: int = BEGINS_AT_MS,
    paused: bool = False,
    waits: Sequence[Wait] = (),
    last: str = "",
    problem: str | None = None,
    left: Sequence[TimeLeft] = (),
) -> None:
    """Write what goes on at a table, as its host does."""
    doing = TableActivity(
        at_ms=at_ms,
        paused=paused,
        waits=tuple(waits),
        last=last,
        problem=problem,
        left=tuple(left),
    )
    write_doing(played, table, format_plain(doing))


def write_doing(played: PlayedEvent, table: TableInfo, text: str) -> None:
    with played.database.write() as connection:
        connection.execute(update(TableRow).where(TableRow.id == table.id).values(doing=text))


def set_state(played: PlayedEvent, table: TableInfo, state: TableState, reason: str = "") -> None:
    if state is TableState.ASSIGNED:
        with played.database.write() as connection:  # no host reports that, and the table keeps its attempt
            connection.execute(update(TableRow).where(TableRow.id == table.id).values(state=state))
        return
    with played.database.write() as connection:
        set_table_state(connection, table.id, table.attempt, state, BEGINS_AT_MS, reason)


def ask(
    played: PlayedEvent,
    table: TableInfo,
    board: int,
    seq: int,
    seat: Seat,
    *,
    at_ms: int = BEGINS_AT_MS,
) -> None:
    """Have the table ask the operator about a call that is on record."""
    with played.database.write() as connection:
        connection.execute(
            insert(AlertQuestion).values(
                table_id=table.id, board=board, attempt=1, seq=seq, seat=seat.letter, asked_at_ms=at_ms
            )
        )


def delay_card(played: PlayedEvent, table: TableInfo, seat: Seat, delay_ms: int, allowed_ms: int) -> None:
    """Put it on record how long the network took for a card of board 1."""
    place = {"table_id": table.id, "board": 1, "attempt": 1, "is_card": True, "seq": delay_ms, "seat": seat.letter}
    times = {"own_ms": 5, "delay_ms": delay_ms, "allowed_ms": allowed_ms}
    with played.database.write() as connection:
        connection.execute(insert(NetworkDelay).values(**place, **times))


def acting_host(played: PlayedEvent, outcome: str = "done") -> tuple[Callable[[float], None], list[OrderInfo]]:
    """A host that acts when somebody sleeps: what to call in place of `sleep`, and the orders it has acted on."""
    acted: list[OrderInfo] = []

    def act(_seconds: float) -> None:
        for order in pending_orders(played.database, HOST):
            mark_acted(played.database, order.id, outcome, BEGINS_AT_MS)
            acted.append(order)

    return act, acted
