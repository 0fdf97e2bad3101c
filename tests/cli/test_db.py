"""The commands of `tourney db`."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import document_of, lines_of, printed, refusal, run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once, write_event
from tests.support.second_schema import add_second_schema
from tourney.coordinator.run_lease import hold_run_lock
from tourney.launch.hosts import this_process
from tourney.runtime.clock import wall_ms
from tourney.store.control.hosts import add_host, end_host, join_host
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import HEAD

FILE = "sqlite:///FOLDER/results/test-cup/event.db"


def database_file(played: PlayedEvent) -> Path:
    assert played.database.file is not None
    return played.database.file


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    played = draw_event(tmp_path)
    played.play_all()
    return played


# The schema


def test_the_schema_is_brought_up_to_date_by_whatever_may_draw_the_event_and_a_backup_is_made(
    played: PlayedEvent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = printed(run("standings", played.path))
    add_second_schema(tmp_path, monkeypatch)
    converse(
        played,
        """
        $ standings EVENT -> refused: ...`tourney schedule EVENT` brings it up to date
        $ schedule EVENT -> ...
        """,
    )
    assert len([*(database_file(played).parent / "backups").iterdir()]) == 1
    assert printed(run("standings", played.path)) == before


# check


def test_check_counts_the_rows_of_every_table(played: PlayedEvent) -> None:
    counted = "rows.events rows.teams rows.matches rows.results"
    converse(
        played,
        f"""
        $ check EVENT --database
            -> database {FILE} is sound: schema {HEAD} -> Table Rows
            -> ... -> events 1 -> ... -> matches 1 -> ... -> results 4 -> ... -> teams 2 -> ...
        $ check EVENT --database --json | : database schema {counted} -> {FILE} {HEAD} 1 2 1 4
        """,
    )


# backup


def test_backup_goes_into_the_results_folder_under_the_events_name_and_keeps_so_many(played: PlayedEvent) -> None:
    folder = played.file.results / "backups"
    with hold_run_lock(played.file.results):
        (line,) = [lines_of(run("db", "backup", played.path, "--keep", "2"))[0] for _ in range(3)][2:]
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 2
    assert all(name.startswith("test-cup-2") for name in names)
    path = Path(line.partition(": ")[0])
    assert path.parent == folder
    assert line == f"{path}: {path.stat().st_size} bytes, checked"


def test_backup_to_a_file_that_is_there_is_refused_and_keep_does_not_go_with_out(
    played: PlayedEvent, tmp_path: Path
) -> None:
    taken = tmp_path / "kept.db"
    taken.write_text("mine", encoding="utf-8")
    converse(
        played,
        """
        $ db backup EVENT --out FOLDER/kept.db
            -> refused: file FOLDER/kept.db exists already, and a backup overwrites nothing: give another name
        $ db backup EVENT --out FOLDER/other.db --keep 2
            -> refused 2: --keep counts the backups in the results folder, so it does not go with --out
        $ db backup EVENT --keep 0 -> refused 2: ...
        """,
    )
    assert taken.read_text(encoding="utf-8") == "mine"


# restore


@pytest.fixture
def backup(played: PlayedEvent, tmp_path: Path) -> Path:
    backup = tmp_path / "kept.db"
    converse(played, "$ db backup EVENT --out FOLDER/kept.db")
    return backup


@pytest.fixture
def backed_up(tmp_path: Path) -> tuple[PlayedEvent, Path]:
    """An event that has gone on since its backup, and whose processes were all killed: its log is still there."""
    played = draw_event(tmp_path)
    backup = tmp_path / "kept.db"
    converse(
        played,
        """
        1-open board 1: 4S N 10
        $ db backup EVENT --out FOLDER/kept.db
        1-open board 2: 4S N 10
        """,
    )
    played.database.close()
    file = database_file(played)
    killed = (
        "import os, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('UPDATE events SET settings = ?', ('{}'.ljust(10_000),))\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", killed, file], check=True)
    assert file.with_name(f"{file.name}-wal").stat().st_size
    return played, backup


def asked(played: PlayedEvent, statement: str) -> object:
    with closing(Database(file_url(database_file(played)))) as database, database.read() as connection:
        return connection.exec_driver_sql(statement).scalar()


def test_restore_puts_a_backup_in_place_without_the_old_log_and_keeps_what_was_there(
    backed_up: tuple[PlayedEvent, Path],
) -> None:
    played, backup = backed_up
    file, before = database_file(played), printed(run("standings", played.path))
    document = document_of(run("db", "restore", played.path, backup, "--json"))
    kept = Path(document["kept"])
    assert document == {
        "database": str(played.database),
        "backup": str(backup),
        "schema": HEAD,
        "kept": str(kept),
    }
    assert kept.parent == file.parent / "backups"
    assert file.read_bytes() == backup.read_bytes()
    assert not file.with_name(f"{file.name}-wal").exists()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert asked(played, "SELECT count(*) FROM results") == 1
    # and back again: what was kept has all that was in the log
    converse(
        played,
        f"""
        $ db restore EVENT {kept}
            -> database {FILE} is what FOLDER/.../{kept.name} has, checked: schema {HEAD}
            -> what it was before is in FOLDER/results/test-cup/backups/event-before-restore-...
        """,
    )
    assert printed(run("standings", played.path)) == before
    assert asked(played, "SELECT length(settings) FROM events") == 10_000


def test_a_backup_that_was_put_beside_the_log_of_another_database_is_not_opened(
    backed_up: tuple[PlayedEvent, Path],
) -> None:
    played, backup = backed_up
    file = database_file(played)
    file.write_bytes(backup.read_bytes())
    beside = (
        f"refused: database {FILE} was put in the place of another, whose log event.db-wal is still beside it and "
        "would be read into it: remove event.db-wal and event.db-shm, or use `tourney db restore EVENT BACKUP`"
    )
    converse(played, f"$ standings EVENT -> {beside}\n$ schedule EVENT -> {beside}")
    assert file.read_bytes() == backup.read_bytes()
    converse(
        played,
        f"""
        $ db restore EVENT {backup} -> ...checked: schema {HEAD} -> ...
        $ standings EVENT -> ...0 of 1 match scored... -> ...
        """,
    )


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda data: data[: len(data) // 2], "cannot be restored: database disk image is malformed"),
        (
            lambda data: b"not a database, though as long as one" * 200,
            "cannot be restored: file is not a database",
        ),
        (lambda data: b"", "cannot be restored: it is an empty file, of 0 bytes"),
        (
            lambda data: data.replace(b"Test Cup", b"Best Cup").replace(b"test cup", b"best cup"),
            "is not of this event: ",
        ),
    ],
)
def test_a_backup_that_is_damaged_or_of_another_event_changes_nothing(
    played: PlayedEvent, backup: Path, spoil: Callable[[bytes], bytes], sentence: str
) -> None:
    backup.write_bytes(spoil(backup.read_bytes()))
    played.database.close()
    before = {path: path.read_bytes() for path in database_file(played).parent.rglob("*.db*")}
    assert f"backup {backup} {sentence}" in refusal(run("db", "restore", played.path, backup))
    assert {path: path.read_bytes() for path in database_file(played).parent.rglob("*.db*")} == before


def test_a_damaged_database_is_replaced_and_kept_with_its_log(
    backed_up: tuple[PlayedEvent, Path],
) -> None:
    played, backup = backed_up
    database_file(played).write_bytes(b"the disk has lost it" * 1000)
    kept = Path(document_of(run("db", "restore", played.path, backup, "--json"))["kept"])
    assert kept.read_bytes().startswith(b"the disk has lost it")
    assert kept.with_name(f"{kept.name}-wal").exists()
    converse(played, "$ standings EVENT -> ...0 of 1 match scored... -> ...")


def test_restore_is_refused_while_a_run_a_host_or_anybody_else_has_the_database(
    played: PlayedEvent, backup: Path
) -> None:
    restore = f"$ db restore EVENT {backup}"
    with hold_run_lock(played.file.results):
        converse(played, f"{restore} -> refused: this event is being run already, by ...")
    host = add_host(played.database, played.event.id, "1", 0)
    join_host(played.database, "1", this_process(), wall_ms())
    converse(
        played,
        f"""
        {restore}
            -> refused: 1 table host of this event plays on: stop the event before you restore a backup, with...
        """,
    )
    end_host(played.database, host, "", 0)
    played.database.close()
    reader = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('SELECT count(*) FROM events').fetchall()\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", reader, str(database_file(played))]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        converse(played, f"{restore} -> refused: ... has database {FILE} open: end it first, then restore")
        other.communicate()
    converse(played, restore)


def test_a_backup_of_an_event_of_the_same_name_that_was_drawn_otherwise_is_refused(
    played: PlayedEvent, backup: Path
) -> None:
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("UPDATE events SET seed = '99'")
    played.database.close()
    converse(played, f"$ db restore EVENT {backup} -> refused: ... is of another event of this name, drawn on ...")


def test_a_backup_of_a_server_is_restored_with_its_own_program(tmp_path: Path) -> None:
    write_event(tmp_path, event_text().replace("[event]\n", '[event]\ndatabase = "postgresql://h/d"\n', 1))
    program = "createdb NEW, pg_restore --no-owner --dbname=NEW a.dump, and name NEW in the event file"
    commands.converse(tmp_path, f"$ db restore FOLDER/event.toml a.dump -> refused: ...{program}...")
