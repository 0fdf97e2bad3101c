"""Sessions of the director's desk: log-ins on record, which can therefore be ended from anywhere.

A browser has a token of 256 random bits, the record its SHA-256: who can read the record cannot log in with it.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from tourney.store.db.database import Database
from tourney.store.db.queries import AnyRow, change_rows, load_column, load_row, load_rows, load_value, make_object
from tourney.store.desk.users import USER_COLUMNS, DeskUser, end_sessions_of
from tourney.store.models import SessionRow, Team, UserRow

SESSION_MS: Final = 12 * 3_600_000
"""A session ends so long after the log-in, whatever happens."""

IDLE_MS: Final = 2 * 3_600_000
"""It ends so long after its user last opened a page or sent a form."""

_SEEN_MS: Final = 60_000
"""That it is used is put on record at most so often."""

_KEPT_MS: Final = 30 * 24 * 3_600_000
"""Ended sessions are kept so long, for the addresses from which users have logged in."""

ADDRESS_CHARS_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class DeskSession:
    """A session that has not ended."""

    id: int
    user: DeskUser
    address: str
    created_at_ms: int
    seen_at_ms: int


def new_token() -> str:
    """Return what a browser keeps: 256 random bits, in characters that a cookie may have."""
    return secrets.token_urlsafe(32)


def begin_session(database: Database, user_id: int, token: str, address: str, now_ms: int) -> None:
    """Put a log-in on record, and forget those that ended long ago.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.write() as connection:
        connection.execute(delete(SessionRow).where(SessionRow.seen_at_ms < now_ms - _KEPT_MS))
        connection.execute(
            insert(SessionRow).values(
                user_id=user_id,
                token_hash=hash_token(token),
                address=address[:ADDRESS_CHARS_MAX],
                created_at_ms=now_ms,
                seen_at_ms=now_ms,
            )
        )


def load_session(
    database: Database, event_id: int, token: str, now_ms: int, *, is_used: bool = True
) -> DeskSession | None:
    """Load the session of a token; None if there is none that has not ended.

    Args:
        database: the record.
        event_id: the event whose desk it is.
        token: what the browser has.
        now_ms: the time.
        is_used: whether its user did something, as opposed to a page that keeps itself up to date.

    Raises:
        StoreError: the database cannot be used.
    """
    query = _SESSIONS.where(
        UserRow.event_id == event_id, SessionRow.token_hash == hash_token(token), _is_open(now_ms)
    )
    row = load_row(database, query)
    if row is None:
        return None
    if is_used and now_ms - row.seen_at_ms >= _SEEN_MS:
        change_rows(database, update(SessionRow).where(SessionRow.id == row.session_id).values(seen_at_ms=now_ms))
    return _read_session(row)


def load_sessions(database: Database, event_id: int, now_ms: int) -> list[DeskSession]:
    """Load all sessions of an event that have not ended, the newest first.

    Raises:
        StoreError: the database cannot be used.
    """
    query = _SESSIONS.where(UserRow.event_id == event_id, _is_open(now_ms)).order_by(SessionRow.id.desc())
    return [_read_session(row) for row in load_rows(database, query)]


def _read_session(row: AnyRow) -> DeskSession:
    user = make_object(DeskUser, row)
    return DeskSession(row.session_id, user, row.address, row.began_at_ms, row.seen_at_ms)


def load_open_sessions(database: Database, ids: Collection[int], now_ms: int) -> frozenset[int]:
    """Load which of these sessions, by id, have not ended.

    Raises:
        StoreError: the database cannot be used.
    """
    query = select(SessionRow.id).where(SessionRow.id.in_(ids), _is_open(now_ms))
    return frozenset(load_column(database, query))


def has_logged_in_from(database: Database, event_id: int, name: str, address: str) -> bool:
    """Return whether a user has logged in from an address before.

    Raises:
        StoreError: the database cannot be used.
    """
    query = (
        select(SessionRow.id)
        .join_from(SessionRow, UserRow)
        .where(UserRow.event_id == event_id, UserRow.name == name, SessionRow.address == address)
    )
    return load_value(database, query.limit(1)) is not None


def end_session(database: Database, session_id: int, now_ms: int) -> None:
    """End a session.

    Raises:
        StoreError: the database cannot be used.
    """
    is_it = SessionRow.id == session_id, SessionRow.ended_at_ms.is_(None)
    change_rows(database, update(SessionRow).where(*is_it).values(ended_at_ms=now_ms))


def end_all_sessions(database: Database, user_id: int, now_ms: int) -> None:
    """End all sessions of a user.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.write() as connection:
        end_sessions_of(connection, user_id, now_ms)


def hash_token(token: str) -> str:
    """Return what is on record of a token: it is random, so a plain hash tells nothing of it."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _is_open(now_ms: int) -> ColumnElement[bool]:
    return and_(
        SessionRow.ended_at_ms.is_(None),
        SessionRow.created_at_ms > now_ms - SESSION_MS,
        SessionRow.seen_at_ms > now_ms - IDLE_MS,
    )


_SESSIONS: Final = (
    select(
        *USER_COLUMNS,
        SessionRow.id.label("session_id"),
        SessionRow.address,
        SessionRow.created_at_ms.label("began_at_ms"),
        SessionRow.seen_at_ms,
    )
    .select_from(SessionRow)
    .join(UserRow)
    .outerjoin(Team)
)
