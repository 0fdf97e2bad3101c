"""Databases that cannot be used: commands say it in one sentence with what to do, exit with 1, and lose nothing."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import make_url

from tests.support.databases import PostgresServer
from tests.support.ordinary_user import ordinary_user
from tests.support.played_event import draw_event, event_text, write_event
from tourney import __version__
from tourney.cli.main import cli
from tourney.event.place import DATABASE_VARIABLE
from tourney.store.db import connections
from tourney.store.db.database import Database, file_url

COMMANDS = (["run"], ["standings"], ["check", "--database"])

each_command = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)


def _run(words: list[str], event_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.setenv(DATABASE_VARIABLE, database_url)
    # A file that is held is waited for in tests as well, but not for ten seconds.
    monkeypatch.setitem(Database.__init__.__kwdefaults__ or {}, "busy_ms", 20)
    return CliRunner().invoke(cli, [*words, str(event_path)])


def _sentence(result: Result) -> str:
    """The one sentence of a command that was refused."""
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    return result.stderr.removeprefix("Error: ").rstrip("\n")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an event that has been played."""
    event = draw_event(tmp_path_factory.mktemp("played"))
    event.play_all()
    event.database.close()
    assert event.database.file is not None
    return event.database.file.read_bytes()


@pytest.fixture
def event_path(tmp_path: Path) -> Path:
    return write_event(tmp_path, event_text())


# SQLite


def _no_database(path: Path, _played: bytes) -> None:
    path.write_bytes(b"Dear diary\n" * 2000)


def _no_bytes(path: Path, _played: bytes) -> None:
    path.touch()


def _half(path: Path, played: bytes) -> None:
    path.write_bytes(played[: len(played) // 2])


def _newer(path: Path, played: bytes) -> None:
    path.write_bytes(played)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '99.0.0'")


def _of_another_program(path: Path, _played: bytes) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE recipes (id INTEGER)")


@each_command
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_no_database, ": file is not a database: name another file, or put a backup in its place"),
        (_no_bytes, " is an empty file, of 0 bytes: put a backup in its place, or remove it to start again"),
        (
            _half,
            ": database disk image is malformed: "
            "put a backup in its place; keep the damaged file until the event is over",
        ),
        (
            _newer,
            " has schema 99.0.0, which tourney 99.0.0 and later versions can read: "
            f"install one of them, this is {__version__}",
        ),
        (
            _of_another_program,
            " holds tables of another program, such as 'recipes': give tourney a separate database",
        ),
    ],
    ids=["no database", "no bytes", "cut in half", "newer", "another program's"],
)
def test_a_file_that_is_not_a_database_of_ours_is_refused_and_keeps_every_byte(
    event_path: Path,
    played: bytes,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    spoil: Callable[[Path, bytes], None],
    sentence: str,
) -> None:
    path = event_path.parent / "databases" / "event.db"
    path.parent.mkdir()
    spoil(path, played)
    before = path.read_bytes()
    result = _run(command, event_path, file_url(path), monkeypatch)
    assert _sentence(result) == f"database sqlite:///{path}{sentence}"
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@each_command
def test_a_folder_in_place_of_the_file_is_refused(
    event_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    path = event_path.parent / "event.db"
    path.mkdir()
    result = _run(command, event_path, file_url(path), monkeypatch)
    assert _sentence(result) == f"database sqlite:///{path}: a folder has this name, and a database is a file"


@each_command
def test_a_file_and_a_folder_that_may_not_be_written_are_refused(
    played: bytes, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    with ordinary_user() as home:
        event_path = write_event(home, event_text())
        path = home / "databases" / "event.db"
        path.parent.mkdir()
        path.write_bytes(played)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        result = _run(command, event_path, file_url(path), monkeypatch)
        assert path.read_bytes() == played
    assert _sentence(result) == (
        f"database sqlite:///{path}: attempt to write a readonly database: "
        "its file and its folder must be writable for you"
    )


def test_a_file_that_may_only_be_read_gives_its_standings(played: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with ordinary_user() as home:
        event_path = write_event(home, event_text())
        path = home / "event.db"
        path.write_bytes(played)
        path.chmod(0o444)
        shown = _run(["standings"], event_path, file_url(path), monkeypatch)
        checked = _run(["check", "--database"], event_path, file_url(path), monkeypatch)
        assert path.read_bytes() == played
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "attempt to write a readonly database" in _sentence(checked)


@contextmanager
def _full_disk(monkeypatch: pytest.MonkeyPatch, path: Path) -> Iterator[None]:
    """No connection of a Database makes the file larger than it is."""
    pages = path.stat().st_size // 4096
    set_up = connections.set_up_sqlite

    def set_up_with_limit(connection: sqlite3.Connection, record: object, **options: Any) -> None:
        set_up(connection, record, **options)
        connection.execute(f"PRAGMA max_page_count = {pages}")

    with monkeypatch.context() as patch:
        patch.setattr(connections, "set_up_sqlite", set_up_with_limit)
        yield


def test_an_event_that_the_disk_has_no_room_for_is_refused_and_another_in_the_file_stays(
    event_path: Path, played: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = event_path.parent / "event.db"
    path.write_bytes(played)
    (event_path.parent / "second").mkdir()
    teams = [f"Team {number}" for number in range(20)]
    second = write_event(event_path.parent / "second", event_text(*teams, name="Second Cup", boards=20))
    before = _run(["standings", "--director"], event_path, file_url(path), monkeypatch)
    assert before.exit_code == 0
    with _full_disk(monkeypatch, path):
        result = _run(["run"], second, file_url(path), monkeypatch)
        assert _sentence(result) == (
            f"database sqlite:///{path}: database or disk is full: make room and try again; what is on record stays"
        )
        assert _run(["standings", "--director"], event_path, file_url(path), monkeypatch).output == before.output
        assert _run(["check", "--database"], event_path, file_url(path), monkeypatch).exit_code == 0
    assert path.read_bytes() == played
    assert _run(["schedule"], second, file_url(path), monkeypatch).exit_code == 0
    assert _run(["standings", "--director"], event_path, file_url(path), monkeypatch).output == before.output


# PostgreSQL


@each_command
def test_a_schema_in_whose_text_bits_have_changed_is_damaged(
    command: list[str], tmp_path: Path, event_path: Path, played: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite quotes the text of the schema, which is no UTF-8 any more."""
    place = tmp_path / "flipped.db"
    column = played.index(b") NOT NULL", played.index(b"CREATE TABLE stages")) + len(") ")
    place.write_bytes(played[:column] + bytes([played[column] ^ 0x80]) + played[column + 1 :])
    said = _sentence(_run(command, event_path, file_url(place), monkeypatch))
    assert said.startswith(f"database sqlite:///{place}: malformed database schema (stages)")
    assert said.endswith("put a backup in its place; keep the damaged file until the event is over")


@each_command
def test_a_server_database_without_an_encoding_is_refused(
    command: list[str],
    event_path: Path,
    postgres_server: PostgresServer,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "tourney_without_encoding"
    postgres_server.run(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
        said = _sentence(_run(command, event_path, url, monkeypatch))
    finally:
        postgres_server.run(f"DROP DATABASE {name} WITH (FORCE)")
    assert "has encoding SQL_ASCII, in which texts are bytes that nobody can read: make one with" in said
