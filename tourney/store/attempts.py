"""Tries at boards, counted over an event."""

from sqlalchemy import func, select

from tourney.bridge import Seat, Side
from tourney.protocol.records import BoardEnd
from tourney.store.database import Database
from tourney.store.models import BoardAttempt, Match, TableRow, Team


def count_ends(database: Database, event_id: int, end: BoardEnd) -> dict[str, int]:
    """How many tries at boards each team has ended in this way by its own fault; teams with none are left out."""
    query = (
        select(TableRow.ns_team_id, TableRow.ew_team_id, BoardAttempt.fault, func.count().label("ends"))
        .join(TableRow, TableRow.id == BoardAttempt.table_id)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.event_id == event_id, BoardAttempt.ended == end, BoardAttempt.fault.is_not(None))
        .group_by(TableRow.ns_team_id, TableRow.ew_team_id, BoardAttempt.fault)
    )
    counts: dict[str, int] = {}
    with database.read() as connection:
        names = {row.id: row.name for row in connection.execute(select(Team.id, Team.name))}
        for row in connection.execute(query):
            side = Seat.from_letter(row.fault).side
            name = names[row.ns_team_id if side is Side.NS else row.ew_team_id]
            counts[name] = counts.get(name, 0) + int(row.ends)
    return counts
