"""Logging in at the console: whose tries wait for each other, devices that are known, and what goes on record."""

import hmac
import re
import secrets
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from tourney.errors import UsageError
from tourney.store.console_log import LOGIN, LOGIN_REFUSED, NewEntry, log_done
from tourney.store.db.database import Database
from tourney.store.users import begin_session, has_logged_in_from, load_phrase_hash, new_token, parse_user_name

DEVICE_S: Final = 180 * 86_400
"""A browser in which a user has logged in is known for so long."""

_DEVICE: Final = re.compile(r"([0-9]{1,15})\.([0-9a-f]{32})\.([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class LoginTry:
    """A name and an address that want to log in; `user_id` and `phrase_hash` are None of a name that nobody has."""

    name: str
    address: str
    user_id: int | None
    phrase_hash: str | None
    lane: Hashable
    """Tries of the same lane wait for each other."""
    is_known_device: bool = False
    """Whether its user has logged in with this browser before: what strangers do is nothing to it."""


def begin_login(
    database: Database, event_id: int, name: str, address: str, device: Callable[[int], str], now_ms: int
) -> LoginTry:
    """Find the user of a name, and with whom the try has to wait.

    A browser in which the user has logged in before waits for nobody. An address from which the user has has its own
    lane for that name; from everywhere else all wait for each other.

    Args:
        database: the record.
        event_id: the event whose console it is.
        name: what was typed as a name.
        address: where it comes from.
        device: returns what the browser has as a known device of a user, by the user's id.
        now_ms: the time.

    Raises:
        StoreError: the database cannot be used.
    """
    try:
        login = parse_user_name(name)
    except UsageError:
        login = ""
    found = load_phrase_hash(database, event_id, login) if login else None
    if found is None:  # what was typed may be a passphrase: it is not kept
        return LoginTry("", address, None, None, ("name", sha256(name.encode("utf-8", "replace")).digest()))
    user_id, phrase_hash = found
    known = _DEVICE.fullmatch(device(user_id))
    if (
        known is not None
        and 0 <= now_ms - int(known[1]) < DEVICE_S * 1000
        and hmac.compare_digest(_sign(user_id, phrase_hash, f"{known[1]}.{known[2]}"), known[3])
    ):
        return LoginTry(login, address, user_id, phrase_hash, ("device", user_id, known[2]), is_known_device=True)
    lane = ("address", login, address) if has_logged_in_from(database, event_id, login, address) else ("name", login)
    return LoginTry(login, address, user_id, phrase_hash, lane)


def end_login(
    database: Database, event_id: int, tried: LoginTry, *, is_right: bool, now_ms: int
) -> tuple[str, str] | None:
    """Put on record how a log-in ended; return the tokens of the session and the device, or None if it was refused.

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
    # The device is what the browser is known by. It lets nobody in, and is signed with the hash of the passphrase, so
    # that another phrase ends all of them.
    assert tried.phrase_hash is not None
    device = f"{now_ms}.{secrets.token_hex(16)}"
    return token, f"{device}.{_sign(tried.user_id, tried.phrase_hash, device)}"


def _sign(user_id: int, phrase_hash: str, words: str) -> str:
    return hmac.new(phrase_hash.encode(), f"tourney console device {user_id} {words}".encode(), sha256).hexdigest()
