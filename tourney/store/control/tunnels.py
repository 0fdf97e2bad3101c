"""The tunnels of remote teams on record: who has come, from where, and what has passed through."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import insert, or_, select, update

from tourney.movement.seating import TableState
from tourney.protocol.session.records import DIRECTOR_GAP_MS, PLAYER_TEXT_CHARS_MAX, IncidentKind
from tourney.store.db.database import Database
from tourney.store.db.queries import load_objects, make_values
from tourney.store.models import BoardAttempt, IncidentRow, Match, TableRow, Team, TunnelRow
from tourney.store.team_access import KeyTeam, load_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class TunnelState:
    """A session of a team's client; times are milliseconds since 1970."""

    team: str
    address: str
    opened_at_ms: int
    seen_at_ms: int
    ended_at_ms: int | None
    reason: str
    resumes: int
    bytes_up: int
    bytes_down: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TunnelRecord(TunnelState):
    """What goes on record of a session."""

    team_id: int
    session: bytes
    """Its random name, of which the record has the SHA-256."""


class TunnelStore:
    """What the door of an event's tunnels reads and writes; its methods may be called in any thread."""

    def __init__(self, database: Database, event_id: int, wall_ms: Callable[[], int]) -> None:
        self._database = database
        self._event_id = event_id
        self._wall_ms = wall_ms

    def load_keys(self) -> dict[str, KeyTeam]:
        """Load the teams of all keys that are valid, by the hashes of these."""
        return load_keys(self._database, self._event_id)

    def call_director(self, team: KeyTeam, text: str) -> bool:
        """Put on record that a team calls the director from afar, at a table where it plays now (Law 9B).

        The incident is on the table's board in play and names the team, but no seat. A text of more than
        `PLAYER_TEXT_CHARS_MAX` characters is cut. A team that has called less than `DIRECTOR_GAP_MS` ago is on record
        already, and nothing is added.

        Returns:
            Whether the team plays at a table.
        """
        now_ms, prefix = self._wall_ms(), f"{team.name} calls the director"
        with self._database.write() as connection:
            table = connection.execute(
                select(TableRow.id, BoardAttempt.board, BoardAttempt.attempt)
                .join_from(TableRow, Match)
                .outerjoin(BoardAttempt, (BoardAttempt.table_id == TableRow.id) & BoardAttempt.ended.is_(None))
                .where(Match.event_id == self._event_id, TableRow.state.in_([TableState.PLAYING, TableState.OPEN]))
                .where(or_(TableRow.ns_team_id == team.id, TableRow.ew_team_id == team.id))
                .order_by(TableRow.state != TableState.PLAYING, TableRow.id)
            ).first()
            if table is None:
                return False
            recent = select(IncidentRow.id).where(
                IncidentRow.table_id == table.id,
                IncidentRow.kind == IncidentKind.DIRECTOR_CALLED,
                IncidentRow.at_ms > now_ms - DIRECTOR_GAP_MS,
                IncidentRow.seat.is_(None),
                IncidentRow.text.startswith(prefix, autoescape=True),
            )
            if connection.execute(recent).first() is None:
                said = " ".join(text.split())[:PLAYER_TEXT_CHARS_MAX]
                row = {"table_id": table.id, "board": table.board, "attempt": table.attempt, "at_ms": now_ms}
                row |= {"kind": IncidentKind.DIRECTOR_CALLED, "text": f"{prefix}: {said}" if said else prefix}
                connection.execute(insert(IncidentRow).values(row))
            return True

    def save(self, tunnels: list[TunnelRecord]) -> None:
        """Put on record what has passed through tunnels so far, new ones and known ones."""
        with self._database.write(synced=False) as connection:
            for tunnel in tunnels:
                session_hash = sha256(tunnel.session).hexdigest()
                values = make_values(TunnelRow, tunnel, event_id=self._event_id, session_hash=session_hash)
                known = update(TunnelRow).where(TunnelRow.session_hash == session_hash).values(**values)
                if not connection.execute(known).rowcount:
                    connection.execute(insert(TunnelRow).values(**values))

    def end_former(self, reason: str) -> None:
        """Note that all tunnels have ended that go on by the record: the process that had them is gone."""
        going_on = (TunnelRow.event_id == self._event_id, TunnelRow.ended_at_ms.is_(None))
        ended = {"ended_at_ms": self._wall_ms(), "reason": reason}
        with self._database.write(synced=False) as connection:
            connection.execute(update(TunnelRow).where(*going_on).values(**ended))


def load_tunnels(database: Database, event_id: int) -> list[TunnelState]:
    """Load the tunnels that go on, in the order of teams and of their beginning."""
    query = (
        select(TunnelRow, Team.name.label("team"))
        .join(Team)
        .where(TunnelRow.event_id == event_id, TunnelRow.ended_at_ms.is_(None))
        .order_by(Team.number, TunnelRow.id)
    )
    return load_objects(database, TunnelState, query)
