"""Users of the director's console, each with a role and a passphrase that is kept as a hash, and their sessions.

Log-ins are on record, and can therefore be ended from anywhere. A browser has a token of 256 random bits, the record
its SHA-256: who can read the record cannot log in with it.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import ColumnElement, Connection, Update, and_, delete, insert, select, update

from tourney.errors import RuleError, UsageError
from tourney.protocol.session.records import RULE_AUTHOR
from tourney.store.db.database import Database
from tourney.store.db.queries import (
    AnyRow,
    change_rows,
    has_rows,
    load_objects,
    load_row,
    load_rows,
    make_object,
    update_row,
)
from tourney.store.models import SessionRow, Team, UserRole, UserRow

PHRASE_CHARS_MIN: Final = 12
PHRASE_CHARS_MAX: Final = 200

NAME_CHARS_MAX: Final = 40

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")

_SCRYPT_N: Final = 2**15
_SCRYPT_R: Final = 8
_SCRYPT_P: Final = 3
"""A third of a second and 32 MiB for each try: people type phrases that a dictionary has."""
_SCRYPT_BYTES_MAX: Final = 64 * 1024 * 1024

_NOBODY: Final = f"scrypt${_SCRYPT_N}${_SCRYPT_R}${_SCRYPT_P}${'00' * 16}${'00' * 32}"
"""The hash for a name that no user has: it fits no phrase, and takes as long to find that out."""


@dataclass(frozen=True, slots=True)
class ConsoleUser:
    """A user of the console of one event."""

    id: int
    name: str
    role: UserRole
    team: str | None
    """The team that the user belongs to."""
    created_at_ms: int


def parse_user_name(text: str) -> str:
    """Return the name of a user as it is stored, in lower case.

    Raises:
        UsageError: it is none that a user may have.
    """
    name = text.strip().lower()
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"the name of a user is 1 to 40 of a-z, 0-9, '.', '_' and '-', and begins with a letter or digit, "
            f"got {text!r}"
        )
    if name == RULE_AUTHOR:
        raise UsageError(f"{name!r} is the author of rulings that are given by rule, so no user can have that name")
    return name


def check_phrase(phrase: str, name: str) -> str:
    """Return a passphrase that is good enough.

    Raises:
        UsageError: it is too short, too long, of too few characters, or the user's name.
    """
    if not PHRASE_CHARS_MIN <= len(phrase) <= PHRASE_CHARS_MAX:
        raise UsageError(f"a passphrase has {PHRASE_CHARS_MIN} to {PHRASE_CHARS_MAX} characters, got {len(phrase)}")
    if not phrase.isprintable() or phrase != phrase.strip():
        raise UsageError("a passphrase has only characters that can be printed, and no blank at its ends")
    if len(set(phrase)) < PHRASE_CHARS_MIN // 3 or phrase.lower().replace(name, "").strip(" 0123456789") == "":
        raise UsageError("this passphrase is too easy to guess: take several words, or what a password manager gives")
    return phrase


def hash_user_phrase(phrase: str) -> str:
    """Hash a passphrase, in a third of a second: `scrypt$N$r$p$SALT$DIGEST`, the last two in hexadecimal."""
    salt = secrets.token_bytes(16)
    digest = _scrypt(phrase, salt, _SCRYPT_N, _SCRYPT_R, _SCRYPT_P)
    return f"scrypt${_SCRYPT_N}${_SCRYPT_R}${_SCRYPT_P}${salt.hex()}${digest.hex()}"


def is_user_phrase(phrase: str, hashed: str | None) -> bool:
    """Return whether this is the phrase of a hash; None, of a user who is not there, takes as long."""
    _, n, r, p, salt, digest = (hashed or _NOBODY).split("$")
    found = _scrypt(phrase[: PHRASE_CHARS_MAX + 1], bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(found, bytes.fromhex(digest)) and hashed is not None


def _scrypt(phrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    spoken = phrase.encode("utf-8", "replace")
    return hashlib.scrypt(spoken, salt=salt, n=n, r=r, p=p, maxmem=_SCRYPT_BYTES_MAX, dklen=32)


# On record


def load_users(database: Database, event_id: int) -> list[ConsoleUser]:
    """Load the users of an event by name."""
    query = _USERS.where(UserRow.event_id == event_id).order_by(UserRow.name)
    return load_objects(database, ConsoleUser, query)


def has_users(database: Database, event_id: int) -> bool:
    """Return whether an event has any user."""
    return has_rows(database, select(UserRow.id).where(UserRow.event_id == event_id))


def load_phrase_hash(database: Database, event_id: int, name: str) -> tuple[int, str] | None:
    """Load the id and the hash of the user of a name; None if there is none."""
    query = select(UserRow.id, UserRow.phrase_hash).where(UserRow.event_id == event_id, UserRow.name == name)
    row = load_row(database, query)
    return (row.id, row.phrase_hash) if row is not None else None


def add_user(
    database: Database,
    event_id: int,
    name: str,
    role: UserRole,
    team_id: int | None,
    phrase_hash: str,
    now_ms: int,
) -> None:
    """Put a user on record.

    Args:
        database: the record.
        event_id: the event whose console it is.
        name: as `parse_user_name` returns it.
        role: what the user may do.
        team_id: the team that the user belongs to.
        phrase_hash: as `hash_user_phrase` returns it.
        now_ms: the time.

    Raises:
        RuleError: there is a user of that name.
    """
    with database.write() as connection:
        if _id_of(connection, event_id, name) is not None:
            raise RuleError(
                f"there is a user {name!r} already", remedy="`tourney user` has passphrase and role to change one"
            )
        row = {"name": name, "role": role, "team_id": team_id, "phrase_hash": phrase_hash, "created_at_ms": now_ms}
        connection.execute(insert(UserRow).values(event_id=event_id, **row))


def remove_user(database: Database, event_id: int, name: str) -> None:
    """Remove a user and end what sessions there are; orders, rulings and the log keep the name.

    Raises:
        RuleError: there is no such user, or it is the last organiser while there are others.
    """
    with database.write() as connection:
        user_id = _existing(connection, event_id, name)
        _check_organiser_is_left(connection, event_id, user_id)
        connection.execute(delete(SessionRow).where(SessionRow.user_id == user_id))
        connection.execute(delete(UserRow).where(UserRow.id == user_id))


def change_phrase(database: Database, event_id: int, name: str, phrase_hash: str, now_ms: int) -> None:
    """Give a user another passphrase, and end all sessions of the old one.

    Raises:
        UsageError: there is no such user.
    """
    with database.write() as connection:
        user_id = _existing(connection, event_id, name)
        update_row(connection, UserRow, user_id, phrase_hash=phrase_hash)
        connection.execute(_end_sessions(SessionRow.user_id == user_id, now_ms))


def change_role(
    database: Database, event_id: int, name: str, role: UserRole, team_id: int | None, now_ms: int
) -> None:
    """Give a user another role and team, and end all sessions that had the old ones.

    Raises:
        RuleError: there is no such user, or it is the last organiser while there are others.
    """
    with database.write() as connection:
        user_id = _existing(connection, event_id, name)
        if role is not UserRole.ORGANISER:
            _check_organiser_is_left(connection, event_id, user_id)
        update_row(connection, UserRow, user_id, role=role, team_id=team_id)
        connection.execute(_end_sessions(SessionRow.user_id == user_id, now_ms))


def _id_of(connection: Connection, event_id: int, name: str) -> int | None:
    query = select(UserRow.id).where(UserRow.event_id == event_id, UserRow.name == name)
    return connection.scalar(query.with_for_update())


def _existing(connection: Connection, event_id: int, name: str) -> int:
    user_id = _id_of(connection, event_id, name)
    if user_id is None:
        raise UsageError(f"there is no user {name!r}", remedy="`tourney user list EVENT` names them")
    return user_id


def _check_organiser_is_left(connection: Connection, event_id: int, without: int) -> None:
    """Check that after a change the users that are left have an organiser among them, if they have one now."""
    rows = connection.execute(select(UserRow.id, UserRow.role).where(UserRow.event_id == event_id)).all()
    is_one_now = any(row.role is UserRole.ORGANISER for row in rows if row.id == without)
    others = [row for row in rows if row.id != without]
    if is_one_now and others and all(row.role is not UserRole.ORGANISER for row in others):
        raise RuleError("this is the only organiser among the users: make another one an organiser first")


_USER: Final = (UserRow.id, UserRow.name, UserRow.role, Team.name.label("team"), UserRow.created_at_ms)
_USERS: Final = select(*_USER).select_from(UserRow).outerjoin(Team)


# Sessions

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
class ConsoleSession:
    """A session that has not ended."""

    id: int
    user: ConsoleUser
    address: str
    created_at_ms: int
    seen_at_ms: int


def new_token() -> str:
    """Return what a browser keeps: 256 random bits, in characters that a cookie may have."""
    return secrets.token_urlsafe(32)


def begin_session(database: Database, user_id: int, token: str, address: str, now_ms: int) -> None:
    """Put a log-in on record, and forget those that ended long ago."""
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
    database: Database, event_id: int, token: str, now_ms: int, *, is_used: bool
) -> ConsoleSession | None:
    """Load the session of a token; None if there is none that has not ended.

    Args:
        database: the record.
        event_id: the event whose console it is.
        token: what the browser has.
        now_ms: the time.
        is_used: whether its user did something, as opposed to a page that keeps itself up to date.
    """
    query = _SESSIONS.where(
        UserRow.event_id == event_id, SessionRow.token_hash == hash_token(token), _is_open(now_ms)
    )
    row = load_row(database, query)
    if row is None:
        return None
    if is_used and now_ms - row.seen_at_ms >= _SEEN_MS:
        update_row(database, SessionRow, row.session_id, seen_at_ms=now_ms)
    return _read_session(row)


def load_sessions(database: Database, event_id: int, now_ms: int) -> list[ConsoleSession]:
    """Load all sessions of an event that have not ended, the newest first."""
    query = _SESSIONS.where(UserRow.event_id == event_id, _is_open(now_ms)).order_by(SessionRow.id.desc())
    return [_read_session(row) for row in load_rows(database, query)]


def _read_session(row: AnyRow) -> ConsoleSession:
    user = make_object(ConsoleUser, row)
    return ConsoleSession(row.session_id, user, row.address, row.began_at_ms, row.seen_at_ms)


def has_logged_in_from(database: Database, event_id: int, name: str, address: str) -> bool:
    """Return whether a user has logged in from an address before."""
    query = (
        select(SessionRow.id)
        .join_from(SessionRow, UserRow)
        .where(UserRow.event_id == event_id, UserRow.name == name, SessionRow.address == address)
    )
    return has_rows(database, query)


def end_session(database: Database, session_id: int, now_ms: int) -> None:
    """End a session."""
    change_rows(database, _end_sessions(SessionRow.id == session_id, now_ms))


def end_all_sessions(database: Database, user_id: int, now_ms: int) -> None:
    """End all sessions of a user."""
    change_rows(database, _end_sessions(SessionRow.user_id == user_id, now_ms))


def _end_sessions(which: ColumnElement[bool], now_ms: int) -> Update:
    return update(SessionRow).where(which, SessionRow.ended_at_ms.is_(None)).values(ended_at_ms=now_ms)


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
        *_USER,
        SessionRow.id.label("session_id"),
        SessionRow.address,
        SessionRow.created_at_ms.label("began_at_ms"),
        SessionRow.seen_at_ms,
    )
    .select_from(SessionRow)
    .join(UserRow)
    .outerjoin(Team)
)
