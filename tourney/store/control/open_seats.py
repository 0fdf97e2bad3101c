"""Where the seats of open tables are, on record: for programs that are led to them."""

from typing import NamedTuple

from sqlalchemy import and_, or_, select

from tourney.bridge import SEATS, Seat, Side
from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows
from tourney.store.draw.reader import PORT_COLUMNS
from tourney.store.models import Host, Match, TableRow, TableState, Team


class OpenSeat(NamedTuple):
    """A seat at a table whose ports are open."""

    team: int
    """The number of its team in the draw."""
    table_id: int
    attempt: int
    """Another one whenever the table is given to a host, or taken from one."""
    seat: Seat
    host: str | None
    """The address of the table; None for that of the event."""
    port: int


def load_open_seats(database: Database, event_id: int) -> list[OpenSeat]:
    """Load the seats of the tables of an event that are open, in the order of the tables.

    Raises:
        StoreError: the database cannot be used.
    """
    teams = {side: Team.__table__.alias() for side in Side}
    query = (
        select(
            TableRow.id,
            TableRow.attempt,
            teams[Side.NS].c.number.label("north_south"),
            teams[Side.EW].c.number.label("east_west"),
            Host.address,
            *PORT_COLUMNS,
        )
        .join_from(TableRow, Match, Match.id == TableRow.match_id)
        .join(teams[Side.NS], teams[Side.NS].c.id == TableRow.ns_team_id)
        .join(teams[Side.EW], teams[Side.EW].c.id == TableRow.ew_team_id)
        .outerjoin(Host, and_(Host.event_id == Match.event_id, Host.name == TableRow.host))
        .where(
            Match.event_id == event_id,
            or_(TableRow.state == TableState.OPEN, TableRow.state == TableState.PLAYING),
        )
        .order_by(TableRow.id)
    )
    return [
        OpenSeat(
            row.north_south if seat.side is Side.NS else row.east_west, row.id, row.attempt, seat, row.address, port
        )
        for row in load_rows(database, query)
        for seat, port in zip(SEATS, row[-len(PORT_COLUMNS) :], strict=True)
        if port is not None
    ]
