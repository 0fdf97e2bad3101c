"""Why a database cannot be used: one sentence with what to do, and whether it may pass."""

import re
import sqlite3
from typing import Any, Final

from tourney.errors import StoreError, StoreLocked, StoreUnavailable

_PRIMARY: Final = 0xFF
"""An extended result code of SQLite holds the primary one in its lowest byte (sqlite.org/rescode.html)."""

_SQLITE_LASTING: Final = {
    sqlite3.SQLITE_NOTADB: "name another file, or put a backup in its place",
    sqlite3.SQLITE_CORRUPT: "put a backup in its place; keep the damaged file until the event is over",
    sqlite3.SQLITE_READONLY: "its file and its folder must be writable for you",
    sqlite3.SQLITE_CANTOPEN: "its folder must be there, and be writable for you",
}
_SQLITE_PASSING: Final = {
    sqlite3.SQLITE_FULL: "make room and try again; what is on record stays",
    # Quotas and drives of the network end here.
    sqlite3.SQLITE_IOERR: "look at the disk and try again; what is on record stays",
}

_SQLITE_LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_SERVER_FULL: Final = "53100"
_SERVER_PASSING: Final = ("08", "53", "57P", "40001", "40P01", "55P03", "57014", "25P03", "58030")
"""How SQLSTATEs begin that may pass (PostgreSQL 16, appendix A).

The connection, resources (memory, connections, disk), an operator's shutdown or a server that starts, two that
waited for each other, limits of time, and the server's own input and output.
"""

_REFUSALS: Final = re.compile(
    r"authentication failed|no password supplied|no pg_hba\.conf entry|does not exist|permission denied|: invalid "
)
"""A server that is asked for a connection gives its SQLSTATE to libpq, which keeps only the words."""

_HINT: Final = re.compile(r" Is the server running[^?]*\?")
"""libpq asks what we then advise."""

_TRY_AGAIN: Final = "see that the server runs and can be reached, and try again"
_OTHER_URL: Final = "mend the URL of the database, or make what it names"


def sqlite_failure(name: str, error: sqlite3.Error) -> StoreError:
    """Return the error of an SQLite file.

    Args:
        name: which file, such as "database sqlite:///event.db".
        error: the driver's.
    """
    words = one_line(error)
    # sqlite3's own errors, such as a closed connection, have none.
    code = int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY
    if code in _SQLITE_LOCKED:
        return StoreLocked(
            f"{name}: {words}: another program holds the file, or waits for a slow disk: end it, or try again"
        )
    if code in _SQLITE_PASSING:
        return StoreUnavailable(f"{name}: {words}: {_SQLITE_PASSING[code]}")
    if code in _SQLITE_LASTING:
        return StoreError(f"{name}: {words}: {_SQLITE_LASTING[code]}")
    return StoreError(f"{name}: {words}")


def postgres_failure(name: str, words: str, error: BaseException, *, is_lost: bool) -> StoreError:
    """Return the error of a PostgreSQL server.

    Args:
        name: which database, without its password.
        words: what the driver said, on one line, without a password.
        error: the driver's.
        is_lost: without an SQLSTATE, the connection is what failed.
    """
    words = _HINT.sub("", words)
    state = getattr(error, "sqlstate", None)
    if state == _SERVER_FULL:
        return StoreUnavailable(f"{name}: {words}: make room on the server's disk; what is on record stays")
    if state is not None and state.startswith(_SERVER_PASSING):
        return StoreUnavailable(f"{name}: {words}: try again")
    if state is not None or not is_lost:
        return StoreError(f"{name}: {words}")
    if _REFUSALS.search(words):
        return StoreError(f"{name}: {words}: {_OTHER_URL}")
    return StoreUnavailable(f"{name}: {words}: {_TRY_AGAIN}")


def one_line(error: Any) -> str:  # whatever a driver raised
    """Return the error's own words on one line; its kind when it has none."""
    return " ".join(str(error).split()) or type(error).__name__
