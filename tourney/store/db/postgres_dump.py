"""A PostgreSQL database to a file and back to be tried, by the server's own pg_dump and pg_restore."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tourney.errors import StoreError
from tourney.store.db.database import Database

DUMP_S: Final = 1800
"""How long a dump may take; one of a million boards takes minutes."""

_PASSPHRASE: Final = "sslpassword"


def dump_postgres(database: Database, path: Path) -> None:
    """Write a dump in pg_dump's custom format, and read it through once.

    Passwords go by the environment: a command line can be seen by everybody on the machine.

    Raises:
        StoreError: the server cannot be had, pg_dump or pg_restore is not there, fails or takes too long.
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
    password = options.pop("password", None)
    environment = dict(os.environ) if password is None else os.environ | {"PGPASSWORD": password}
    words = ("--no-password", "--format=custom", f"--file={path}", f"--dbname={make_conninfo(**options)}")
    _run(database, "pg_dump", words, environment)
    _run(database, "pg_restore", (f"--file={os.devnull}", str(path)), dict(os.environ))


def _run(database: Database, name: str, words: tuple[str, ...], environment: dict[str, str]) -> None:
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
            env=environment,
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
