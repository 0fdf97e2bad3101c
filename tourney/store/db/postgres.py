"""What only a PostgreSQL server has: a limit on its connections, and dumps by its own pg_dump and pg_restore."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import text

from tourney.errors import StoreError
from tourney.store.db.database import Database

CONNECTIONS_OF_HOST: Final = 2
"""One whose transactions wait for the disk, and one whose do not."""

_ROOM: Final = text(
    "SELECT CAST(current_setting('max_connections') AS integer) AS most, "
    "CAST(current_setting('max_connections') AS integer) "
    "- CAST(current_setting('superuser_reserved_connections') AS integer) "
    "- (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS free"
)


def describe_lack(database: Database, hosts: int) -> str | None:
    """Return a sentence if a server has fewer connections left than so many table hosts need; None if it has enough.

    An SQLite file has no such limit.

    Raises:
        StoreError: the database cannot be used.
    """
    if database.is_sqlite:
        return None
    with database.read() as connection:
        row = connection.execute(_ROOM).one()
    needed = CONNECTIONS_OF_HOST * hosts
    if row.free >= needed:
        return None
    return (
        f"{hosts} table hosts need {needed} connections to PostgreSQL, and {max(0, row.free)} are left of "
        f"max_connections = {row.most}: raise that, or start fewer hosts"
    )


DUMP_S: Final = 1800
"""How long a dump may take; one of a million boards takes minutes."""

_PASSPHRASE: Final = "sslpassword"
_PASSWORD_VARIABLE: Final = "PGPASSWORD"
_WITH_PASSWORDS: Final = (_PASSWORD_VARIABLE, "TOURNEY_DATABASE")
"""Environment variables that may have the password of a database."""


def dump_postgres(database: Database, path: Path) -> None:
    """Write a dump in pg_dump's custom format, and read it through once.

    The password goes by a file that its owner alone may read: everybody on the machine sees a command line, and the
    environment of pg_dump can be read by every process of the same user.

    Raises:
        StoreError: the server cannot be had, the password cannot be handed over, pg_dump or pg_restore is not there,
            fails or takes too long.
    """
    # The driver is optional: whoever uses SQLite need not have it.
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    options = database.driver_options
    if _PASSPHRASE in options:
        raise StoreError(
            f"database {database}: pg_dump cannot be given {_PASSPHRASE!r} unseen: "
            "use a key without a passphrase, or make the backup with the server's own means"
        )
    with database.read():
        pass  # a server that cannot be had now may be had later, which pg_dump does not tell apart
    password = options.pop("password", None) or os.environ.get(_PASSWORD_VARIABLE)
    with _password_file(database, password) as file:
        if file is not None:
            options["passfile"] = str(file)
        words = ("--no-password", "--format=custom", f"--file={path}", f"--dbname={make_conninfo(**options)}")
        _run(database, "pg_dump", words)
    _run(database, "pg_restore", (f"--file={os.devnull}", str(path)))


@contextmanager
def _password_file(database: Database, password: str | None) -> Iterator[Path | None]:
    """Make a password file as libpq reads it, mode 0600, that is gone afterwards; None without a password.

    Raises:
        StoreError: it cannot be written, or the password cannot be in such a file.
    """
    if password is None:
        yield None
        return
    if "\n" in password or "\r" in password:
        raise StoreError(
            f"database {database}: pg_dump cannot be given a password with a line break unseen: choose another"
        )
    escaped = password.replace("\\", "\\\\").replace(":", "\\:")
    with tempfile.TemporaryDirectory(prefix="tourney-") as folder:  # mode 0700
        file = Path(folder) / "pgpass"
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(f"*:*:*:*:{escaped}\n")
        except OSError as error:
            raise StoreError(f"database {database}: {file} cannot be written: {error.strerror}") from None
        yield file


def _run(database: Database, name: str, words: tuple[str, ...]) -> None:
    program = shutil.which(name)
    if program is None:
        raise StoreError(
            f"database {database}: a backup is made by {name}, which is not on the PATH of this machine: "
            "install the client programs of PostgreSQL"
        )
    try:
        # The program is the server's, its words are ours.
        done = subprocess.run(  # noqa: S603
            [program, *words],
            env={key: value for key, value in os.environ.items() if key not in _WITH_PASSWORDS},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=DUMP_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise StoreError(f"database {database}: {name} has not ended after {DUMP_S} s") from None
    except OSError as error:
        raise StoreError(f"database {database}: {program} cannot be started: {error.strerror}") from None
    if done.returncode:
        said = " ".join(done.stderr.replace(f"{name}: ", "").split()).removeprefix("error: ")
        why = database.conceal(said) or f"{name} ended with status {done.returncode}"
        raise StoreError(f"database {database}: no backup was made: {why}")
