"""Calls for the director on record: incidents at tables, also from where there is no seat."""

from typing import Final

from sqlalchemy import Connection, insert, or_, select

from tourney.protocol.session.records import DIRECTOR_GAP_MS, PLAYER_TEXT_CHARS_MAX, IncidentKind
from tourney.store.db.database import Database
from tourney.store.models import BoardAttempt, IncidentRow, Match, TableRow, TableState, Team

_PLAYS: Final = (TableState.PLAYING, TableState.OPEN)


def call_director(database: Database, event_id: int, team_id: int, text: str, now_ms: int) -> bool:
    """Put on record that a team calls the director from afar, at a table where it plays now (Law 9B).

    The incident is on the table's newest board and names the team, but no seat. A text of more than
    `PLAYER_TEXT_CHARS_MAX` characters is cut. A team that has called less than `DIRECTOR_GAP_MS` ago is on record
    already, and nothing is added.

    Returns:
        Whether the team plays at a table.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.write() as connection:
        table_id = _find_table(connection, event_id, team_id)
        if table_id is None:
            return False
        team = connection.execute(select(Team.name).where(Team.id == team_id)).scalar_one()
        said = " ".join(text.split())[:PLAYER_TEXT_CHARS_MAX]
        prefix = f"{team} calls the director"
        recent = (
            select(IncidentRow.id)
            .where(IncidentRow.table_id == table_id, IncidentRow.kind == IncidentKind.DIRECTOR_CALLED)
            .where(IncidentRow.at_ms > now_ms - DIRECTOR_GAP_MS, IncidentRow.seat.is_(None))
            .where(IncidentRow.text.startswith(prefix, autoescape=True))
        )
        if connection.execute(recent).first() is not None:
            return True
        newest = (
            select(BoardAttempt.board, BoardAttempt.attempt)
            .where(BoardAttempt.table_id == table_id)
            .order_by(BoardAttempt.began_at_ms.desc(), BoardAttempt.attempt.desc())
        )
        under_way = connection.execute(newest.limit(1)).first()
        incident = {
            "table_id": table_id,
            "board": under_way.board if under_way is not None else None,
            "attempt": under_way.attempt if under_way is not None else None,
            "kind": IncidentKind.DIRECTOR_CALLED,
            "seat": None,
            "text": f"{prefix}: {said}" if said else prefix,
            "at_ms": now_ms,
        }
        connection.execute(insert(IncidentRow).values(**incident))
    return True


def _find_table(connection: Connection, event_id: int, team_id: int) -> int | None:
    """Return the id of a table where a team plays, rather than one where it waits; None if it has none."""
    query = (
        select(TableRow.id, TableRow.state)
        .join(Match, Match.id == TableRow.match_id)
        .where(Match.event_id == event_id, TableRow.state.in_(_PLAYS))
        .where(or_(TableRow.ns_team_id == team_id, TableRow.ew_team_id == team_id))
        .order_by(TableRow.id)
    )
    tables = sorted(connection.execute(query).all(), key=lambda row: _PLAYS.index(row.state))
    return tables[0].id if tables else None
