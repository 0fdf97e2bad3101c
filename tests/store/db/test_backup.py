"""Backups: one state of the whole database, checked, under names that sort by time, never in place of another."""

import os
import re
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, make_url, select, text

from tests.support.databases import SERVER_VARIABLE, PostgresServer
from tests.support.played_event import draw_event
from tests.support.postgres_role import role_with_password
from tests.support.second_schema import load_rows
from tests.support.store_events import save_event
from tourney.errors import StoreError, StoreUnavailable
from tourney.store.db.backup import backup_database
from tourney.store.db.database import Database, file_url
from tourney.store.db.maintenance import check_soundness
from tourney.store.db.schema import HEAD, check, prepare
from tourney.store.models import DealRow, Event

NOW = datetime(2026, 11, 21, 15, 30, 7, tzinfo=UTC)
SECRET = "s3cret-w0rd"


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _back_up(database: Database, folder: Path, *, keep: int | None = None, now: datetime = NOW) -> Path:
    return backup_database(database, folder, "cup", keep, now)


@pytest.fixture
def server(postgres_url: str) -> Iterator[Database]:
    """An empty PostgreSQL database."""
    with closing(Database(postgres_url)) as database:
        yield database


@pytest.fixture
def server_programs(server: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """pg_dump of the server's own version on the PATH, where it is a server of ours; an older one refuses it."""
    if SERVER_VARIABLE not in os.environ:
        with server.read() as connection:
            folder = Path(connection.exec_driver_sql("SHOW data_directory").scalar_one())
        started = (folder / "postmaster.opts").read_text(encoding="utf-8").split()[0].strip('"')
        monkeypatch.setenv("PATH", str(Path(started).parent), prepend=os.pathsep)


def test_a_backup_of_a_file_holds_every_row_and_passes_for_the_database(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all()
    database = played.database
    path = _back_up(database, tmp_path / "new" / "backups")
    assert path == tmp_path / "new" / "backups" / "cup-20261121T153007Z.db"
    assert _names(path.parent) == [path.name]
    with closing(Database(file_url(path))) as copy:
        check(copy)
        assert load_rows(copy) == load_rows(database)
    database.close()


def test_a_backup_while_others_write_is_one_state(sqlite_database: Database, tmp_path: Path) -> None:
    """Every transaction writes an event and ten deals: a backup has ten times as many deals as events."""
    with sqlite_database.read() as connection:
        connection.execute(text("SELECT 1"))
    written = threading.Event()
    enough = threading.Event()
    errors: list[StoreError] = []

    def write() -> None:
        number = 0
        try:
            while not enough.is_set():
                number += 1
                row = {"name": f"{number}", "name_key": f"{number}", "seed": "", "plan": "", "settings": ""}
                with sqlite_database.write() as connection:
                    connection.execute(insert(Event).values(id=number, created_at_ms=0, **row))
                    connection.execute(insert(DealRow), [{"event_id": number, "hands": "x" * 70} for _ in range(10)])
                written.set()
        except StoreError as error:
            errors.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert written.wait(30)
        counts = []
        for number in range(5):
            path = _back_up(sqlite_database, tmp_path / "backups", now=NOW + timedelta(seconds=number))
            with closing(Database(file_url(path))) as copy, copy.read() as connection:
                events = connection.scalar(select(func.count()).select_from(Event))
                deals = connection.scalar(select(func.count()).select_from(DealRow))
            counts.append((events, deals))
    finally:
        enough.set()
        writer.join()
    assert errors == []
    assert all(events and deals == 10 * events for events, deals in counts), counts


def test_backups_of_one_second_do_not_replace_each_other(sqlite_database: Database, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    for _ in range(3):
        _back_up(sqlite_database, folder)
    assert _names(folder) == ["cup-20261121T153007Z-2.db", "cup-20261121T153007Z-3.db", "cup-20261121T153007Z.db"]


def test_databases_and_backups_are_for_their_owner_and_group_alone(tmp_path: Path) -> None:
    database = Database(file_url(tmp_path / "event.db"))
    prepare(database)
    backup = _back_up(database, tmp_path / "backups")
    database.close()
    assert [path.stat().st_mode & 0o007 for path in (tmp_path / "event.db", backup)] == [0, 0]


def test_older_backups_of_the_same_stem_are_removed_and_nothing_else(
    sqlite_database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["cup-2-20261121T153007Z.db", "cup-20261121T153007Z.dump", "cup-old.db", "event-20200101T000000Z.db"]
    for name in (*others, "cup-20250101T000000Z.db", "cup-20260101T000000Z.db", "cup-20260101T000000Z-2.db"):
        (folder / name).write_text("", encoding="utf-8")
    _back_up(sqlite_database, folder, keep=2)
    assert _names(folder) == sorted([*others, "cup-20260101T000000Z-2.db", "cup-20261121T153007Z.db"])


def test_a_backup_that_fails_leaves_those_that_were_there(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    played = draw_event(tmp_path)
    played.play_all()
    database = played.database
    assert database.file is not None
    path = database.file
    whole = _back_up(database, folder)
    database.close()
    data = bytearray(path.read_bytes())
    data[-20_000:] = b"\xff" * 20_000
    path.write_bytes(data)
    with pytest.raises(StoreError, match=f"^database {database} is damaged, no backup was made: ") as caught:
        _back_up(database, folder, keep=1, now=NOW + timedelta(hours=1))
    database.close()
    assert "\n" not in str(caught.value)
    assert _names(folder) == [whole.name]
    assert path.read_bytes() == data


def test_a_full_disk_leaves_no_half_backup(
    sqlite_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullDisk(sqlite3.Connection):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)  # type: ignore[arg-type] # as they came
            self.execute("PRAGMA max_page_count = 3")

    connect = sqlite3.connect
    monkeypatch.setattr("tourney.store.db.backup.sqlite3.connect", lambda path, **_: connect(path, factory=FullDisk))
    folder = tmp_path / "backups"
    with pytest.raises(StoreUnavailable) as caught:
        _back_up(sqlite_database, folder)
    assert str(caught.value) == (
        f"backup of database {sqlite_database} into {folder}: database or disk is full: "
        "make room and try again; what is on record stays"
    )
    assert _names(folder) == []


# PostgreSQL


@pytest.fixture
def restored(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of another empty database on the server."""
    with postgres_server.new_database() as url:
        yield url.render_as_string(hide_password=False)


@pytest.mark.usefixtures("server_programs")
def test_a_dump_of_a_server_brings_every_row_back(server: Database, restored: str, tmp_path: Path) -> None:
    with closing(Database(restored)) as copy:
        prepare(server)
        save_event(server)
        path = _back_up(server, tmp_path / "backups")
        assert path.name == "cup-20261121T153007Z.dump"
        assert _names(path.parent) == [path.name]
        options = [f"--{key}={value}" for key, value in _places(copy).items()]
        subprocess.run(["pg_restore", "--no-password", *options, str(path)], check=True, timeout=60)
        check(copy)
        assert load_rows(copy) == load_rows(server)


def _places(database: Database) -> dict[str, str]:
    names = {"user": "username"}
    return {names.get(key, key): value for key, value in database.driver_options.items() if key != "password"}


@pytest.mark.usefixtures("server_programs")
def test_the_password_for_a_dump_is_in_no_command_line_or_environment_but_in_a_file_of_its_owner(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = r"s3cret:w\0rd"  # both have a meaning in the file
    run = subprocess.run
    seen: list[object] = []
    files: list[Path] = []

    def check(words: list[str], **options: Any) -> object:
        seen.extend((words, *options["env"].items()))
        for path in re.findall(r"passfile=(\S+)", " ".join(words)):
            files.append(Path(path))
            assert oct(files[-1].stat().st_mode & 0o777) == "0o600"
        return run(words, **options)  # as they came

    monkeypatch.setattr("tourney.store.db.backup.subprocess.run", check)
    with role_with_password(postgres_url, secret) as url:
        monkeypatch.setenv("TOURNEY_DATABASE", url)
        elsewhere = make_url(url)._replace(password=None)
        asked = elsewhere.update_query_dict({"password": secret}).render_as_string(hide_password=False)
        for address, variable in ((url, "another"), (asked, "another"), (elsewhere.render_as_string(), secret)):
            monkeypatch.setenv("PGPASSWORD", variable)
            with closing(Database(address)) as database:
                prepare(database)
                _back_up(database, tmp_path)
        monkeypatch.delenv("PGPASSWORD")
        assert len(files) == 3
        assert not any(file.parent.exists() for file in files)
        assert "cret" not in str(seen)
        assert "another" not in str(seen)
        wrong = make_url(url).set(password="not the secret").render_as_string(hide_password=False)
        with closing(Database(wrong)) as database, pytest.raises(StoreError) as caught:
            _back_up(database, tmp_path / "backups")
    assert "password authentication failed" in str(caught.value)
    assert "not the secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert _names(tmp_path / "backups") == []


def test_without_pg_dump_one_sentence_says_what_to_install(
    server: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError) as caught:
        _back_up(server, tmp_path / "backups")
    assert str(caught.value) == (
        f"database {server}: a backup is made by pg_dump, which is not on the PATH of this machine: "
        "install the client programs of PostgreSQL"
    )
    assert _names(tmp_path / "backups") == []


def _program(folder: Path, text: str) -> None:
    path = folder / "pg_dump"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "echo 'pg_dump: error: aborting because of\n server version mismatch' >&2; exit 1",
            "aborting because of server version mismatch$",
        ),
        ("exit 3", "pg_dump ended with status 3$"),
        (f"echo 'pg_dump: error: {SECRET}' >&2; exit 1", r"\*\*\*$"),
    ],
)
def test_what_pg_dump_says_when_it_fails_is_one_sentence(
    program: str, said: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _program(tmp_path, program)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    database = Database(make_url(postgres_url).set(password=SECRET).render_as_string(hide_password=False))
    with closing(database), pytest.raises(StoreError, match=f"no backup was made: {said}") as caught:
        _back_up(database, tmp_path / "backups")
    assert "\n" not in str(caught.value)
    assert _names(tmp_path / "backups") == []


def test_a_password_with_a_line_break_cannot_be_given_unseen(server: Database, tmp_path: Path) -> None:
    url = server.url.set(password=f"{SECRET}\nmore").render_as_string(hide_password=False)
    with closing(Database(url)) as database, pytest.raises(StoreError, match="password with a line break") as caught:
        _back_up(database, tmp_path / "backups")
    assert SECRET not in str(caught.value)


def test_a_passphrase_of_a_key_cannot_be_given_unseen(tmp_path: Path) -> None:
    database = Database(f"postgresql://localhost/cup?sslpassword={SECRET}")
    with pytest.raises(StoreError, match="pg_dump cannot be given 'sslpassword' unseen") as caught:
        _back_up(database, tmp_path)
    assert SECRET not in str(caught.value)


# Whether a database is sound, and the room it takes


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DROP TABLE alert_questions", "lacks table alert_questions"),
        ("ALTER TABLE tables DROP COLUMN doing", "lacks column tables.doing"),
        ("ALTER TABLE calls ADD COLUMN colour TEXT", "has, and should not, column calls.colour"),
        ("DROP INDEX ix_incidents_table_id", "lacks index ix_incidents_table_id"),
    ],
)
def test_a_schema_that_is_not_what_it_says_is_told(empty_database: Database, statement: str, what: str) -> None:
    prepare(empty_database)
    with empty_database.write() as connection:
        connection.execute(text(statement))
    with pytest.raises(StoreError) as caught:
        check_soundness(empty_database)
    message = str(caught.value)
    assert message.startswith(f"database {empty_database} is not as schema {HEAD} has it: it {what}")
    assert message.endswith(": put a backup in its place")
    assert "\n" not in message


def test_a_row_without_its_owner_is_told(sqlite_database: Database) -> None:
    with closing(sqlite3.connect(str(sqlite_database.file))) as connection, connection:
        connection.execute("INSERT INTO board_sets (id, event_id, name) VALUES (1, 99, '1.1')")
    with pytest.raises(StoreError) as caught:
        check_soundness(sqlite_database)
    assert str(caught.value) == (
        f"database {sqlite_database} is damaged: a row of table 'board_sets' refers to one of 'events' that is not "
        "there: put a backup in its place"
    )


def test_a_damaged_page_is_told_though_the_schema_can_be_read(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all()
    database = played.database
    assert database.file is not None
    path = database.file
    database.close()
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'cards'").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)
    with pytest.raises(StoreError, match=f"^database {database} is damaged: [^\n]*: put a backup in its place$"):
        check_soundness(database)
    database.close()
    assert path.read_bytes() == data


def test_a_server_that_takes_no_writes_is_told(postgres_url: str) -> None:
    """As a standby does after a failover."""
    with closing(Database(postgres_url)) as database:
        prepare(database)
    url = make_url(postgres_url).update_query_dict({"options": "-c default_transaction_read_only=on"})
    standby = Database(url.render_as_string(hide_password=False))
    with closing(standby), pytest.raises(StoreError, match="cannot execute UPDATE in a read-only transaction"):
        check_soundness(standby)
