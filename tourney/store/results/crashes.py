"""Crashes of programs, counted over an event."""

from sqlalchemy import func, select

from tourney.bridge import Seat, Side
from tourney.protocol.session.records import IncidentKind
from tourney.store.db.database import Database
from tourney.store.models import IncidentRow, Match, TableRow, Team


def count_crashes(database: Database, event_id: int) -> dict[str, int]:
    """How often each team's programs have ended by themselves in the middle of a board, by team name.

    Those that came back count as well; teams without any are left out.
    """
    query = (
        select(TableRow.ns_team_id, TableRow.ew_team_id, IncidentRow.seat, func.count().label("crashes"))
        .join(TableRow, TableRow.id == IncidentRow.table_id)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.event_id == event_id, IncidentRow.kind == IncidentKind.CRASH, IncidentRow.seat.is_not(None))
        .group_by(TableRow.ns_team_id, TableRow.ew_team_id, IncidentRow.seat)
    )
    counts: dict[str, int] = {}
    with database.read() as connection:
        names = {row.id: row.name for row in connection.execute(select(Team.id, Team.name))}
        for row in connection.execute(query):
            side = Seat.from_letter(row.seat).side
            name = names[row.ns_team_id if side is Side.NS else row.ew_team_id]
            counts[name] = counts.get(name, 0) + int(row.crashes)
    return counts
