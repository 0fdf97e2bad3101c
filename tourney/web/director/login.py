"""Logging in at the desk: who is asked to wait after wrong pass phrases, and what goes on record."""

from dataclasses import dataclass
from typing import Final

from tourney.errors import UsageError
from tourney.store.db.database import Database
from tourney.store.desk.log import LOGIN, LOGIN_REFUSED, NewEntry, count_refused_logins, log_done
from tourney.store.desk.sessions import begin_session, has_logged_in_from, new_token
from tourney.store.desk.users import load_phrase_hash, parse_user_name

TRIES_MAX: Final = 5
TRIES_MS: Final = 15 * 60_000
"""So many wrong pass phrases in so many milliseconds lock the name and the address that they came with."""


@dataclass(frozen=True, slots=True)
class LoginTry:
    """A name and an address that want to log in; `user_id` and `phrase_hash` are None of a name that nobody has."""

    name: str
    address: str
    user_id: int | None
    phrase_hash: str | None
    is_locked: bool


def begin_login(database: Database, event_id: int, name: str, address: str, now_ms: int) -> LoginTry:
    """Find the user of a name, and whether there were too many wrong pass phrases.

    A name is locked for addresses from which its user has never logged in: nobody can lock a director out of the
    desk by typing wrong pass phrases elsewhere.

    Raises:
        StoreError: the database cannot be used.
    """
    try:
        login = parse_user_name(name)
    except UsageError:
        login = ""
    found = load_phrase_hash(database, event_id, login) if login else None
    since_ms = now_ms - TRIES_MS
    is_locked = count_refused_logins(database, event_id, since_ms, address=address) >= TRIES_MAX
    if not is_locked and found is not None:
        is_locked = count_refused_logins(
            database, event_id, since_ms, user=login
        ) >= TRIES_MAX and not has_logged_in_from(database, event_id, login, address)
    if found is None:
        return LoginTry("", address, None, None, is_locked)  # what was typed may be a pass phrase: it is not kept
    return LoginTry(login, address, found[0], found[1], is_locked)


def end_login(database: Database, event_id: int, tried: LoginTry, *, is_right: bool, now_ms: int) -> str | None:
    """Put on record how a log-in ended; returns the token of the session, or None if it was refused.

    Raises:
        StoreError: the database cannot be used.
    """
    if not is_right or tried.user_id is None:
        log_done(
            database, event_id, NewEntry(tried.name, tried.address, LOGIN_REFUSED), "wrong name or phrase", now_ms
        )
        return None
    token = new_token()
    begin_session(database, tried.user_id, token, tried.address, now_ms)
    log_done(database, event_id, NewEntry(tried.name, tried.address, LOGIN), "logged in", now_ms)
    return token
