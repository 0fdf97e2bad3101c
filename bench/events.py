"""Draws the events that are measured, and creates the databases that hold them."""

import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import make_url

from bench.made_events import play_first_set
from tourney.config import Durability, parse_event_file
from tourney.coordinator.draw import ensure_drawn
from tourney.errors import UsageError
from tourney.event.file import EventFile
from tourney.movement.seating import TableInfo
from tourney.runtime.clock import wall_ms
from tourney.store.control.host_settings import save_settings
from tourney.store.db.database import Database, file_url
from tourney.store.draw.objects import EventInfo

COMMITS: Final = 100
"""How many one-row transactions are timed."""

AT_ONCE_MAX: Final = 1000
"""Matches played at the same time: more than are ever measured."""

_LONG_S: Final = 86_400
"""How long hosts go on without a run: a measurement has none."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of one event, all of which play the same boards."""

    file: EventFile
    event: EventInfo
    tables: tuple[TableInfo, ...]
    boards: int
    """Boards at each table."""


@contextmanager
def bench_database(url: str | None) -> Iterator[Database]:
    """Provides a database for one measurement, without a schema, and removes it afterwards.

    Args:
        url: an SQLite file that does not exist yet, or any database of a PostgreSQL server, on which the measurement
            creates one of its own. None for an SQLite file in a temporary folder.

    Raises:
        UsageError: the SQLite file exists.
        StoreError: the URL is invalid, or the server does not allow creating a database.
    """
    if url is None:
        with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
            yield from _sqlite(Path(folder) / "bench.db")
        return
    given = Database(url)
    if given.file is not None:
        if given.file.exists():
            raise UsageError(f"--database is a file of its own, removed afterwards; {given.file} exists")
        yield from _sqlite(given.file)
        return
    name = f"tourney_bench_{uuid.uuid4().hex[:12]}"
    _run(given, f"CREATE DATABASE {name}")
    try:
        database = Database(make_url(url).set(database=name).render_as_string(hide_password=False))
        try:
            yield database
        finally:
            database.close()
    finally:
        _run(given, f"DROP DATABASE {name} WITH (FORCE)")
        given.close()


def _sqlite(file: Path) -> Iterator[Database]:
    database = Database(file_url(file))
    database.make_folder()
    try:
        yield database
    finally:
        database.close()
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)


def _run(database: Database, statement: str) -> None:
    with database.outside() as connection:
        connection.exec_driver_sql(statement)


def describe(database: Database, durability: Durability = Durability.FULL) -> str:
    """Names the database and how durable the commits of calls and cards are."""
    if database.is_sqlite:
        return f"SQLite, WAL, synchronous={'FULL' if durability is Durability.FULL else 'NORMAL'}"
    with database.write() as connection:
        version = connection.exec_driver_sql("SHOW server_version").scalar()
        commit = connection.exec_driver_sql("SHOW synchronous_commit").scalar()
        fsync = connection.exec_driver_sql("SHOW fsync").scalar()
    return f"PostgreSQL {str(version).split()[0]}, synchronous_commit={commit}, fsync={fsync}"


def time_commit(database: Database) -> float:
    """Returns the seconds until a one-row transaction is durable: the median of `COMMITS`."""
    taken = []
    with database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE bench_commits (number INTEGER)")
    for _ in range(COMMITS):
        began = time.perf_counter()
        with database.write() as connection:
            connection.exec_driver_sql("INSERT INTO bench_commits VALUES (1)")
        taken.append(time.perf_counter() - began)
    return median(taken)


def draw_tables(
    folder: Path,
    database: Database,
    name: str,
    tables: int,
    boards: int,
    *,
    wire_log: bool,
    trick_pause_ms: int = 0,
    durability: Durability = Durability.FULL,
    stateful_port: int | None = None,
) -> Tables:
    """Draws an event in a folder of its own and returns its first tables, not yet assigned to a host.

    All matches play the same boards, so that one script fits every table.

    Raises:
        TourneyError: the folder or the database cannot be used.
    """
    teams = next(teams for teams in count(2) if teams * (teams - 1) >= tables)
    place = folder / name.replace(" ", "-")
    place.mkdir()
    text = (
        f'[event]\nname = "{name}"\n{teams_text(teams)}[[stage]]\nboards_per_match = {boards}\n'
        f'[deals]\nseed = 1\n[tables]\nports = "20000-29999"\ntrick_pause_ms = {trick_pause_ms}\n'
        f"at_once = {AT_ONCE_MAX}\norphan_s = {_LONG_S}\nwire_log = {str(wire_log).lower()}\n"
        f'[record]\ndurability = "{durability.value}"\n'
    )
    if stateful_port is not None:
        text += f"[stateful]\nport = {stateful_port}\n"
    event_file = EventFile(place / "event.toml", parse_event_file(text, "event.toml"))
    event = ensure_drawn(event_file, database, wall_ms())
    play_first_set(database, event.id)
    save_settings(database, event.id, event_file.host_settings)
    rooms = [table for match in event.matches for table in match.tables]
    return Tables(event_file, event, tuple(rooms[:tables]), boards)


def teams_text(teams: int) -> str:
    """Returns the `[[team]]` sections of an event file, for programs that need no gap between two lines."""
    return "".join(f'[[team]]\nname = "Team {n}"\nprofile = "tourney"\n' for n in range(1, teams + 1))
