"""The schema: made, checked and brought up to date by the migrations, and refused where it is not ours."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, insert, inspect, make_url, select, text

from tests.support.audited import play_match
from tests.support.blank_database import make_by_migrations
from tests.support.second_schema import SECOND, add_second_schema, load_rows
from tourney.errors import StoreError
from tourney.store.db import schema
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import HEAD, MIGRATION_LOCK, alembic_config, check, load_revision, prepare
from tourney.store.models import Event, Model


def _tables(database: Database) -> set[str]:
    with database.read() as connection:
        return set(inspect(connection).get_table_names())


def test_head_is_the_newest_migration() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_heads() == [HEAD]


def test_the_migrations_build_what_the_models_describe(database: Database) -> None:
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Model.metadata) == []


def test_a_prepared_database_is_left_alone(empty_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(empty_database)
    with empty_database.write() as connection:
        connection.execute(
            insert(Event).values(name="Cup", name_key="cup", seed="1", plan="{}", settings="{}", created_at_ms=0)
        )
    monkeypatch.delattr(command, "upgrade")  # which takes a second
    prepare(empty_database)
    with empty_database.read() as connection:
        assert connection.scalar(text("SELECT name FROM events")) == "Cup"


def test_reading_commands_do_not_load_alembic(sqlite_database: Database) -> None:
    script = (
        "import sys; from tourney.store.db.database import Database;"
        "from tourney.store.db.schema import check, prepare;"
        f"database = Database({str(sqlite_database)!r}); check(database); prepare(database);"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_whoever_migrates_postgresql_waits_for_those_who_do_so_already(postgres_url: str) -> None:
    holder = Database(postgres_url)
    impatient = Database(
        make_url(postgres_url)
        .update_query_dict({"options": "-c lock_timeout=100"})
        .render_as_string(hide_password=False)
    )
    with holder.write() as connection:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        with pytest.raises(StoreError, match="canceling statement due to lock timeout"):
            prepare(impatient)
    prepare(impatient)
    check(holder)
    holder.close()
    impatient.close()


def test_a_second_migration_keeps_every_row(
    empty_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(empty_database)
    match = play_match(empty_database)
    rows = load_rows(empty_database)
    assert len(rows["results"]) > 4
    add_second_schema(tmp_path, monkeypatch)
    with pytest.raises(StoreError) as caught:
        check(empty_database)
    assert str(caught.value) == (
        f"database {empty_database} has schema {HEAD}, this program reads {SECOND}: "
        "`tourney schedule EVENT` brings it up to date"
    )
    found = prepare(empty_database)
    check(empty_database)
    assert load_rows(empty_database) == rows
    assert match.findings() == []
    with empty_database.read() as connection:
        countries = connection.execute(text("SELECT country FROM teams ORDER BY number")).scalars().all()
    assert countries == ["of Team 1", "of Team 2"]
    assert (found.before, found.backup is not None) == (HEAD, empty_database.is_sqlite)
    if found.backup is not None:  # what it was before
        assert found.backup.parent == tmp_path / "backups"
        assert found.backup.name.startswith(f"empty-schema-{HEAD}-2")
        with closing(Database(file_url(found.backup))) as backup:
            assert load_rows(backup) == rows
            assert load_revision(backup) == HEAD
    assert prepare(empty_database).backup is None


# What is not ours


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("", encoding="utf-8")
    with pytest.raises(StoreError) as caught:
        prepare(Database(file_url(tmp_path / "results" / "event.db")))
    assert str(caught.value) == f"folder {tmp_path}/results cannot be made: a file has this name"
    with pytest.raises(StoreError) as caught:
        prepare(Database(file_url(tmp_path / "results" / "deeper" / "event.db")))
    assert str(caught.value) == f"folder {tmp_path}/results/deeper cannot be made: Not a directory"


def test_the_folder_of_a_new_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "results" / "spring cup" / "50% off?.db"
    database = Database(file_url(path))
    assert database.is_missing
    prepare(database)
    database.close()
    assert path.is_file()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert not database.is_missing


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_log_without_its_database_is_not_read_into_a_new_one(tmp_path: Path, suffix: str) -> None:
    log = tmp_path / f"event.db{suffix}"
    log.write_bytes(b"boards")
    with pytest.raises(StoreError) as caught:
        prepare(Database(file_url(tmp_path / "event.db")))
    assert str(caught.value) == (
        f"database sqlite:///{tmp_path}/event.db is gone, but event.db{suffix} beside it may hold boards of it: "
        "put the database back, or remove that file to start again"
    )
    assert [file.name for file in tmp_path.iterdir()] == [log.name]


def test_a_new_file_gets_its_name_with_the_schema_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "event.db"

    def fail(*_: object) -> None:
        assert not path.exists()
        raise StoreError("the power is gone")

    monkeypatch.setattr(schema, "_make_database", make_by_migrations)
    monkeypatch.setattr(command, "upgrade", fail)
    with pytest.raises(StoreError, match="the power is gone"):
        prepare(Database(file_url(path)))
    assert list(tmp_path.iterdir()) == []


def test_a_database_without_tables_holds_no_event_and_stays_empty(empty_database: Database) -> None:
    with empty_database.write() as connection:
        connection.execute(text("CREATE TABLE passing (id INTEGER)"))
        connection.execute(text("DROP TABLE passing"))
    with pytest.raises(StoreError) as caught:
        check(empty_database)
    assert str(caught.value) == f"database {empty_database} holds no event: `tourney schedule EVENT` draws one"
    assert _tables(empty_database) == set()
    assert prepare(empty_database).before is None
    check(empty_database)
