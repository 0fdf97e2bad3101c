"""Directors' orders to tables: rows that hosts read, carry out and answer.

Of pause, resume and stop, the newest counts, even if no host has the table; these orders then take effect as soon as
they are given, because a host that takes up the table, and the run that would start it, read `load_holds`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict, Unpack

from sqlalchemy import Connection, bindparam, delete, func, or_, select, true, update

from tourney.bridge import Seat
from tourney.errors import RuleError, StoreError
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import RULE_AUTHOR, BoardEnd, RulingKind, TimeExtended, describe_end
from tourney.store.changes import announce
from tourney.store.control.table_state import WITH_HOST, WITHOUT_HOST, reopen_table
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    insert_row,
    insert_rows,
    load_objects,
    load_rows,
    make_object,
    make_values,
    one_of,
)
from tourney.store.db.transactions import reading, writing
from tourney.store.draw.tables import SEATED_TABLES, TABLE_PLACE, game_of, stage_plan, team_at
from tourney.store.models import (
    BoardAttempt,
    Event,
    Match,
    MatchResult,
    Order,
    OrderKind,
    ResultRow,
    Round,
    RulingRow,
    StageRow,
    TableRow,
)
from tourney.store.record.hash_chain import close_chain
from tourney.store.record.results import SELECT_ATTEMPTS, attempt_result
from tourney.store.record.rulings import NewRuling, save_ruling


@dataclass(frozen=True, slots=True)
class OrderInfo:
    """A director's order to one table. `text` is the reason, or the answer to a question (empty: not alertable).

    The `board` of a kick is the one that the director was told it costs, `NO_BOARD` for none: it costs no other.
    The `seat` of an extension is North or East, for the side that it is for; None for both sides.
    The other fields are those of `OrderBody`.
    """

    id: int
    table_id: int
    kind: OrderKind
    seat: Seat | None
    board: int | None
    call: int | None
    seconds: int | None
    no_forfeit: bool
    after_board: bool
    whole_event: bool
    text: str
    author: str
    created_at_ms: int

    @property
    def extension(self) -> TimeExtended:
        """What an extension does at its table."""
        assert self.seconds is not None
        side = self.seat.side if self.seat is not None else None
        return TimeExtended(self.id, self.board, side, 1000 * self.seconds)


class OrderBody(TypedDict, total=False):
    """What only some kinds of orders say."""

    seat: Seat | None
    board: int | None
    call: int
    """The number of the call that an answer is about, in its auction, from 0."""
    seconds: int
    """How much time an extension gives; below 0 if it takes some back."""
    no_forfeit: bool
    """Whether the board in play is begun again after a kick, and nobody forfeits it."""
    after_board: bool
    """Whether the board in play may be finished before a stop."""
    whole_event: bool
    """Whether a pause, resume or stop is for the whole event, with the tables that are drawn later."""


NO_BOARD: Final = 0
"""The `board` of a kick given when no board was in play."""

IN_EFFECT: Final = {
    OrderKind.PAUSE: "it starts paused",
    OrderKind.RESUME: "it will be played in its turn",
    OrderKind.STOP: "it will not start until it is resumed",
}
"""The outcomes of orders that hold or resume a table while no host has it."""

_AT_ONCE: Final = {**IN_EFFECT, OrderKind.EXTEND: "it counts when the table is played"}
"""The outcomes of orders that need no host: whoever takes the table up reads them."""

# Giving orders


def give_orders(
    database: Database,
    table_ids: Iterable[int],
    kind: OrderKind,
    *,
    author: str,
    now_ms: int,
    text: str = "",
    **body: Unpack[OrderBody],
) -> list[int]:
    """Write an order to each of the tables; return the ids of the orders, in the sequence of the tables.

    A pause, resume or stop replaces earlier ones that no host has acted on. These and extensions take effect at once
    if no host has the table.

    Raises:
        StoreError: one of the tables does not exist, and nothing was written; or the database cannot be used.
    """
    ids = list(table_ids)
    with database.write() as connection:
        announce(connection)
        return _insert_orders(connection, ids, {"kind": kind, "text": text, "author": author, **body}, now_ms)


def _lock_tables(connection: Connection, table_ids: Sequence[int]) -> dict[int, TableState]:
    """Lock tables until the transaction ends, so that a host that takes one reads our orders; return their states."""
    query = select(TableRow.id, TableRow.state).where(one_of(TableRow.id, table_ids)).order_by(TableRow.id)
    states = {row.id: row.state for row in connection.execute(query.with_for_update())}
    for table_id in table_ids:
        if table_id not in states:
            raise StoreError(f"there is no table {table_id} to give an order to")
    return states


def _insert_orders(
    connection: Connection, table_ids: Sequence[int], order: Mapping[str, Any], now_ms: int
) -> list[int]:
    """Lock tables and insert an order to each of them, in the place of holds that no host has acted on."""
    states, kind = _lock_tables(connection, table_ids), order["kind"]
    if kind in IN_EFFECT:
        connection.execute(
            update(Order)
            .where(one_of(Order.table_id, table_ids), Order.kind.in_(IN_EFFECT), Order.acted_at_ms.is_(None))
            .values(acted_at_ms=now_ms, outcome=f"replaced by {kind.value}")
        )
    at_once = {"acted_at_ms": now_ms, "outcome": _AT_ONCE.get(kind)}
    later = {"acted_at_ms": None, "outcome": None}
    rows = [
        {**order, "table_id": each, "created_at_ms": now_ms}
        | (at_once if kind in _AT_ONCE and states[each] in WITHOUT_HOST else later)
        for each in table_ids
    ]
    return insert_rows(connection, Order, rows)


# Orders to tables of a round that is drawn again


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """An order to a table that has not begun, with the place of the table and the teams that sat there."""

    match: int
    segment: int
    room: Room
    ns_team: str
    ew_team: str
    kind: OrderKind
    values: Mapping[str, Any]
    """The order on record, without its id."""

    @property
    def team(self) -> str | None:
        """The only team that an extension is for; None for both."""
        return team_at(self.values["seat"], self.ns_team, self.ew_team)


def load_placed_orders(database: Database, round_ids: Sequence[int]) -> list[PlacedOrder]:
    """Load the orders that hold or resume the tables of rounds or give time there, oldest first; lock the tables."""
    of_rounds = Match.round_id.in_(round_ids)
    placed = select(Order, *TABLE_PLACE).select_from(SEATED_TABLES.join(Order))
    with database.write() as connection:
        _lock_tables(connection, connection.scalars(select(TableRow.id).join(Match).where(of_rounds)).all())
        rows = connection.execute(placed.where(of_rounds, Order.kind.in_(_AT_ONCE)).order_by(Order.id))
        return [make_object(PlacedOrder, row, values=make_values(Order, row)) for row in rows]


def keep_orders(database: Database, round_ids: Sequence[int], orders: Iterable[PlacedOrder]) -> list[PlacedOrder]:
    """Give orders to the tables that rounds have after a new draw; return the extensions of time that are lost.

    A table is held or resumed by its place, whoever plays there. Time stays with the two teams that it was given to,
    and is lost if they no longer meet.
    """
    tables = select(TableRow.id, *TABLE_PLACE).select_from(SEATED_TABLES).where(Match.round_id.in_(round_ids))
    rows, lost = [], []
    with database.write() as connection:
        drawn = connection.execute(tables).all()
        by_place = {(table.match, table.segment, table.room): table for table in drawn}
        by_teams = {(frozenset((table.ns_team, table.ew_team)), table.segment, table.room): table for table in drawn}
        for order in orders:
            is_time = order.kind is OrderKind.EXTEND
            if is_time:
                teams = frozenset((order.ns_team, order.ew_team))
                table = by_teams.get((teams, order.segment, order.room))
            else:
                table = by_place.get((order.match, order.segment, order.room))
            if table is not None:
                seat = None if order.team is None else Seat.NORTH if order.team == table.ns_team else Seat.EAST
                rows.append({**order.values, "table_id": table.id, "seat": seat})
            elif is_time:
                lost.append(order)
        insert_rows(connection, Order, rows)
    return lost


# Acting on orders

# Built once, as hosts run it whenever something was written.
_PENDING: Final = (
    select(Order)
    .join_from(Order, TableRow)
    .where(TableRow.host == bindparam("by_host"), TableRow.taken.is_(True), Order.acted_at_ms.is_(None))
    .where(or_(Order.kind != OrderKind.REPLAY, TableRow.state.in_(WITH_HOST)))
    .order_by(Order.id)
)


def pending_orders(database: Database, host: str) -> list[OrderInfo]:
    """Load the orders to the tables of this host that nobody has acted on, oldest first.

    Replays at finished tables are no longer for hosts (`settle_replays`).
    """
    return load_objects(database, OrderInfo, _PENDING, {"by_host": host})


def mark_acted(store: Database | Connection, order_id: int, outcome: str, now_ms: int) -> bool:
    """Record the outcome of an order; False, without a change, if it has one already.

    Args:
        store: the database, or a transaction that writes.
        order_id: the order.
        outcome: a sentence, or part of one.
        now_ms: the time.
    """
    with writing(store) as connection:
        marked = connection.execute(
            update(Order)
            .where(Order.id == order_id, Order.acted_at_ms.is_(None))
            .values(acted_at_ms=now_ms, outcome=outcome)
        )
        return marked.rowcount == 1


def load_outcomes(database: Database, order_ids: Iterable[int]) -> dict[int, str]:
    """Load the outcomes of the orders that have been acted on, by order id."""
    query = select(Order.id, Order.outcome).where(one_of(Order.id, order_ids), Order.acted_at_ms.is_not(None))
    return {row.id: row.outcome or "" for row in load_rows(database, query)}


def load_ordered_tables(database: Database, order_ids: Iterable[int]) -> list[tuple[int, int]]:
    """Load the ids of orders, in their sequence, each with that of its table."""
    query = select(Order.id, Order.table_id).where(one_of(Order.id, order_ids)).order_by(Order.id)
    return [(row.id, row.table_id) for row in load_rows(database, query)]


def load_holds(database: Database, table_ids: Iterable[int], author: str | None = None) -> dict[int, OrderKind]:
    """Load the tables that are paused or stopped, each with which of these it is (`load_hold_orders`)."""
    return {order.table_id: order.kind for order in load_hold_orders(database, table_ids, author)}


def load_hold_orders(database: Database, table_ids: Iterable[int], author: str | None = None) -> list[OrderInfo]:
    """Load the orders by which tables are paused or stopped: the newest of pause, resume and stop is not a resume.

    Args:
        database: where the orders are.
        table_ids: the tables.
        author: who gave the order; None for anybody.
    """
    is_wanted = (Order.kind != OrderKind.RESUME) & ((Order.author == author) if author is not None else true())
    of_tables = (one_of(Order.table_id, table_ids), Order.kind.in_(IN_EFFECT))
    newest = select(func.max(Order.id)).where(*of_tables).group_by(Order.table_id)
    query = select(Order).where(Order.id.in_(newest), is_wanted)
    return load_objects(database, OrderInfo, query)


def hold_new_tables(database: Database, event_id: int, now_ms: int) -> None:
    """Pause or stop the tables that were drawn since the whole event was paused or stopped.

    The event is held no more once it has been resumed as a whole, or each of the tables that were held with it.
    """
    of_event = Match.event_id == event_id
    newest = select(func.max(Order.id)).join_from(Order, TableRow).join(Match)
    newest = newest.where(of_event, Order.kind.in_(IN_EFFECT)).group_by(Order.table_id)
    free = select(TableRow.id).join(Match).where(of_event, TableRow.state.in_(WITHOUT_HOST)).order_by(TableRow.id)
    with database.write() as connection:
        orders = connection.execute(select(Order).where(Order.id.in_(newest)).order_by(Order.id.desc())).all()
        hold = next((order for order in orders if order.whole_event), None)
        if hold is None or hold.kind is OrderKind.RESUME:
            return
        ordered = {order.table_id for order in orders}
        new = [table_id for table_id in connection.scalars(free) if table_id not in ordered]
        _insert_orders(connection, new, make_values(Order, hold), now_ms)


# Thinking time that directors have given


@dataclass(frozen=True, slots=True)
class ExtensionInfo:
    """Thinking time that a director has given in a room of a match, or taken back: `seconds` is then below 0.

    It counts from when it was given, whether a host has the table or will take it up. `id` is that of the order;
    `board` is None for the limit of the match, `team` for both teams; `text` is the reason.
    """

    id: int
    match: int
    room: Room
    board: int | None
    team: str | None
    seconds: int
    text: str
    author: str
    created_at_ms: int


_EXTENSIONS: Final = (
    select(Order, *TABLE_PLACE)
    .select_from(SEATED_TABLES.join(Order))
    .where(Order.kind == OrderKind.EXTEND)
    .order_by(Order.id)
)


def load_extensions(
    store: Database | Connection, event_id: int, match_id: int | None = None
) -> tuple[ExtensionInfo, ...]:
    """Load the thinking time that directors have given in an event, or in one of its matches, the oldest first."""
    query = _EXTENSIONS.where(Match.event_id == event_id)
    if match_id is not None:
        query = query.where(Match.id == match_id)
    with reading(store) as connection:
        rows = connection.execute(query).all()
    return tuple(make_object(ExtensionInfo, row, team=team_at(row.seat, row.ns_team, row.ew_team)) for row in rows)


# Replaying boards


def give_replay(database: Database, table_id: int, board: int, *, author: str, reason: str, now_ms: int) -> int:
    """Have a board of a table played again; return the id of the order.

    A host that has the table acts on the order, or `settle_replays` does if the table ends first. Otherwise the
    board is void when this returns, and the order is on record as acted on.

    Raises:
        RuleError: the table has not begun the board, or not finished it and will play it anyway.
        StoreError: there is no such table, or the database cannot be used.
    """
    with database.write() as connection:
        state = _lock_tables(connection, [table_id])[table_id]
        at_board = (BoardAttempt.table_id == table_id, BoardAttempt.board == board)
        are_final = connection.scalars(select(BoardAttempt.final).where(*at_board)).all()
        if not are_final:
            raise RuleError(f"board {board} has not been begun there, so it cannot be played again")
        if any(are_final):
            _check_nothing_follows(connection, table_id, board)
        order = {"kind": OrderKind.REPLAY, "board": board, "text": reason, "author": author, "created_at_ms": now_ms}
        order_id = insert_row(connection, Order, order | {"table_id": table_id})
        announce(connection)
        if state not in WITH_HOST:
            outcome = void_board(connection, table_id, board, reason, now_ms, author=author)
            mark_acted(connection, order_id, outcome, now_ms)
        event_id, match_id = connection.execute(
            select(Match.event_id, Match.id).join_from(Match, TableRow).where(TableRow.id == table_id)
        ).one()
        save_ruling(
            connection,
            NewRuling(
                event_id=event_id,
                match_id=match_id,
                table_id=table_id,
                kind=RulingKind.BOARD_REPLAY,
                board=board,
                reason=reason,
                author=author,
                now_ms=now_ms,
            ),
        )
        return order_id


# Built once, as a run uses it five times a second.
_REPLAYS_LEFT: Final = (
    select(Order)
    .join_from(Order, TableRow)
    .join(Match)
    .where(Match.event_id == bindparam("event_id"), Order.kind == OrderKind.REPLAY, Order.acted_at_ms.is_(None))
    .where(TableRow.state.not_in(WITH_HOST))
    .order_by(Order.id)
)


def settle_replays(database: Database, event_id: int, now_ms: int) -> None:
    """Carry out replays that were given while a host had the table and that it did not act on before the table ended.

    The boards become void and the orders are recorded as acted on, as if given after the end. Both those who wait for
    an order and the run call this, so that no order is forgotten.
    """
    for order in load_rows(database, _REPLAYS_LEFT, {"event_id": event_id}):
        with database.write() as connection:
            state = _lock_tables(connection, [order.table_id])[order.table_id]
            unacted = select(Order.id).where(Order.id == order.id, Order.acted_at_ms.is_(None))
            if state in WITH_HOST or connection.scalar(unacted) is None:
                continue
            try:
                outcome = void_board(connection, order.table_id, order.board, order.text, now_ms, author=order.author)
            except RuleError as error:
                outcome = str(error)
            mark_acted(connection, order.id, outcome, now_ms)


def _check_nothing_follows(connection: Connection, table_id: int, board: int) -> None:
    """Check that a finished board is none of a game in which dealer and vulnerability of later ones follow from it.

    Raises:
        RuleError: it is.
    """
    stage = select(StageRow.number, Event.plan).join_from(TableRow, Match).join(Round).join(StageRow)
    of_table = stage.join(Event, Event.id == Match.event_id).where(TableRow.id == table_id)
    number, plan = connection.execute(of_table).one()
    game = game_of(stage_plan(plan, number))
    if game is not None:
        raise RuleError(
            f"only the board in play can be played again at {game.kind}, for what comes after a board depends on it",
            remedy=f"`tourney rule` assigns a score to board {board}",
        )


def void_board(connection: Connection, table_id: int, board: int, reason: str, now_ms: int, *, author: str) -> str:
    """Void a finished board of a table, so that it has to be played again; say which result it had.

    The attempt stays on record as void, with the reason and the former result. Its result row and the score of the
    match are removed; rulings given at the table on the board, by rule or by a kick, are withdrawn; a finished table
    waits for a host again.

    Raises:
        RuleError: the table has not finished the board.
    """
    at_board = (BoardAttempt.table_id == table_id, BoardAttempt.board == board)
    counts = or_(BoardAttempt.final, ResultRow.contract.is_not(None))
    final = connection.execute(SELECT_ATTEMPTS.where(*at_board, counts)).one_or_none()
    if final is None:
        raise RuleError(f"board {board} has not been finished there: it is played anyway")
    _check_nothing_follows(connection, table_id, board)
    found = attempt_result(final)
    came_to = describe_end(final.ended, final.reason, found.result if found is not None else None)
    connection.execute(delete(ResultRow).where(ResultRow.table_id == table_id, ResultRow.board == board))
    connection.execute(
        update(BoardAttempt)
        .where(*at_board, BoardAttempt.attempt == final.attempt)
        .values(ended=BoardEnd.VOID, final=False, fault=None, reason=f"{reason}; it had come to {came_to}")
    )
    close_chain(connection, (table_id, board, final.attempt))
    match = select(TableRow.match_id).where(TableRow.id == table_id)
    connection.execute(delete(MatchResult).where(MatchResult.match_id.in_(match)))
    connection.execute(
        update(RulingRow)
        .where(
            RulingRow.table_id == table_id,
            RulingRow.board == board,
            or_(RulingRow.author == RULE_AUTHOR, RulingRow.attempt.is_not(None)),
            RulingRow.withdrawn_at_ms.is_(None),
        )
        .values(withdrawn_at_ms=now_ms, withdrawn_by=author, withdrawn_reason=reason)
    )
    reopen_table(connection, table_id, now_ms)
    return f"board {board} is void, it had come to {came_to}"
