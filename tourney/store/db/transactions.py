"""Several functions of the store in one transaction: a database that is one for as long as a block lasts.

Every function of the store takes a database and has a transaction of its own. Given the database of `one_transaction`
instead, they read and write in that one, and all of it goes on record together, or nothing does.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final, TypeVar

from sqlalchemy import Connection, Integer, cast, func, select

from tourney.errors import StoreLocked, StoreUnavailable
from tourney.store.db.database import Database

UNKNOWN_TRIES: Final = 10
"""How often it is looked whether a transaction went on record whose end was not heard of."""

UNKNOWN_PAUSE_S: Final = 0.5
"""The pause before each look: a server that was restarted answers within some seconds."""

_Result = TypeVar("_Result")


@contextmanager
def one_transaction(database: Database) -> Iterator[Database]:
    """Begin a transaction that writes; yield the database that is in it, for functions that take one.

    On SQLite nobody else writes until its end. On PostgreSQL what must not change meanwhile has to be locked. Within
    a transaction it is a part of that one.

    Raises:
        StoreError: the database cannot be used; so the block.
    """
    with database.write() as connection:
        yield database if database.is_joined else database.joining(connection)


def lock(database: Database, connection: Connection, key: int, of: int | None = None) -> None:
    """Have whoever else takes this lock wait until the transaction ends; SQLite has one writer anyway.

    Args:
        database: the record.
        connection: that of the transaction.
        key: tells this lock of PostgreSQL's from others.
        of: the row that it is for; None where there is but one of its kind.
    """
    if not database.is_sqlite:
        keys = [key] if of is None else [key, cast(of, Integer)]
        connection.execute(select(func.pg_advisory_xact_lock(*keys)))


def writing(store: Database | Connection) -> AbstractContextManager[Connection]:
    """Begin a transaction that writes, or go on in the one that is given; yield its connection."""
    return nullcontext(store) if isinstance(store, Connection) else store.write()


def reading(store: Database | Connection) -> AbstractContextManager[Connection]:
    """Begin a transaction that reads, or go on in the one that is given; yield its connection."""
    return nullcontext(store) if isinstance(store, Connection) else store.read()


def transact(database: Database, work: Callable[[Database], _Result]) -> _Result:
    """Do something in one transaction, once, although the word that it is on record may get lost.

    A connection may break after the server was asked to commit. Then `work` is called again, in another transaction.

    Args:
        database: the record.
        work: is given the database that is in the transaction; called again, it has to find out itself whether what
            it did the last time is on record.

    Raises:
        StoreUnavailable: the database cannot be used. If it says that more may be on record, the end of the
            transaction was not heard of, nor could it be found out.
    """
    tries, is_unknown = 0, False
    while True:
        is_done = False
        try:
            with one_transaction(database) as joined:
                result = work(joined)
                is_done = True
        except StoreUnavailable as error:
            is_lost = is_done and not isinstance(error, StoreLocked)
            if database.is_joined or not (is_lost or is_unknown):
                raise
            is_unknown = True
            tries += 1
            if tries > UNKNOWN_TRIES:
                raise StoreUnavailable(
                    f"{error}; the connection was lost at the very end: what was asked for may be on record, look "
                    "before you ask for it again"
                ) from error
            time.sleep(UNKNOWN_PAUSE_S)
        else:
            return result
