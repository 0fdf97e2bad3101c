"""The tunnels of remote teams on record: who has come, from where, and what has passed through."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import insert, select, update

from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows, make_object, make_values
from tourney.store.director_calls import call_director
from tourney.store.models import Team, TunnelRow
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
        """Load the teams of all keys that are valid, by the hashes of these.

        Raises:
            StoreError: the database cannot be used.
        """
        return load_keys(self._database, self._event_id)

    def call_director(self, team: KeyTeam, text: str) -> bool:
        """Put on record that a team calls the director; return whether it plays at a table.

        Raises:
            StoreError: the database cannot be used.
        """
        return call_director(self._database, self._event_id, team.id, text, self._wall_ms())

    def save(self, tunnels: list[TunnelRecord]) -> None:
        """Put on record what has passed through tunnels so far, new ones and known ones.

        Raises:
            StoreError: the database cannot be used.
        """
        with self._database.write(synced=False) as connection:
            for tunnel in tunnels:
                session_hash = sha256(tunnel.session).hexdigest()
                values = make_values(TunnelRow, tunnel, event_id=self._event_id, session_hash=session_hash)
                known = update(TunnelRow).where(TunnelRow.session_hash == session_hash).values(**values)
                if not connection.execute(known).rowcount:
                    connection.execute(insert(TunnelRow).values(**values))

    def end_former(self, reason: str) -> None:
        """Note that all tunnels have ended that go on by the record: the process that had them is gone.

        Raises:
            StoreError: the database cannot be used.
        """
        going_on = (TunnelRow.event_id == self._event_id, TunnelRow.ended_at_ms.is_(None))
        ended = {"ended_at_ms": self._wall_ms(), "reason": reason}
        with self._database.write(synced=False) as connection:
            connection.execute(update(TunnelRow).where(*going_on).values(**ended))


def load_tunnels(database: Database, event_id: int) -> list[TunnelState]:
    """Load the tunnels that go on, in the order of teams and of their beginning.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(TunnelRow, Team.name.label("team"))
        .join(Team, Team.id == TunnelRow.team_id)
        .where(TunnelRow.event_id == event_id, TunnelRow.ended_at_ms.is_(None))
        .order_by(Team.number, TunnelRow.id)
    )
    return [make_object(TunnelState, row) for row in load_rows(database, query)]
