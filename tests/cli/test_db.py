"""The commands of `tourney db`."""

import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.first_schema import EVENT_TEXT, FIRST, golden_documents, make_first_file
from tests.support.played_event import PlayedEvent, draw_event, write_event
from tourney.cli.main import cli
from tourney.coordinator.run_lease import hold_run_lock
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import HEAD, check


def run(command: str, path: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["db", command, str(path), *words])


def lines_of(result: Result) -> list[str]:
    assert (result.exit_code, result.stderr) == (0, "")
    return [line.rstrip() for line in result.stdout.splitlines()]


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    played = draw_event(tmp_path)
    played.play_all()
    return played


@pytest.fixture
def old_event(tmp_path: Path) -> Path:
    """The event file of an event whose database is of the first schema."""
    results = tmp_path / "results" / "club-evening"
    results.mkdir(parents=True)
    make_first_file(results / "event.db")
    return write_event(tmp_path, EVENT_TEXT)


# upgrade


def test_upgrade_says_from_which_schema_to_which_and_where_the_backup_is(old_event: Path) -> None:
    results = old_event.parent / "results" / "club-evening"
    lines = lines_of(run("upgrade", old_event))
    (backup,) = (results / "backups").iterdir()
    assert lines == [
        f"database sqlite:///{results}/event.db: from schema {FIRST} to {HEAD}",
        f"what it was before is in {backup}",
    ]
    assert lines_of(run("upgrade", old_event)) == [
        f"database sqlite:///{results}/event.db is up to date: schema {HEAD}"
    ]
    assert [path.name for path in (results / "backups").iterdir()] == [backup.name]
    shown = CliRunner().invoke(cli, ["standings", str(old_event), "--json"])
    ranks = [(row["rank"], row["team"], row["vp"]) for row in json.loads(shown.stdout)["standings"]]
    assert ranks == [(row["rank"], row["team"], row["vp"]) for row in golden_documents()["standings"]["standings"]]


def test_a_command_that_reads_says_how_an_older_schema_is_brought_up_to_date(old_event: Path) -> None:
    result = CliRunner().invoke(cli, ["standings", str(old_event)])
    assert result.exit_code == 1
    assert result.stderr.endswith(
        f"has schema {FIRST}, this program reads {HEAD}: `tourney db upgrade EVENT` brings it up to date\n"
    )


def test_upgrade_makes_the_schema_where_there_is_none(tmp_path: Path) -> None:
    event_path = write_event(tmp_path, EVENT_TEXT)
    (line,) = lines_of(run("upgrade", event_path))
    assert line.endswith(f"/event.db was empty and has now schema {HEAD}")
    assert lines_of(run("check", event_path))[0].endswith(f" is sound: schema {HEAD}")


@pytest.mark.parametrize("command", ["upgrade", "vacuum"])
def test_what_would_hold_a_run_up_is_refused_while_one_goes_on(played: PlayedEvent, command: str) -> None:
    with hold_run_lock(played.file.results):
        result = run(command, played.path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: this event is being run already, by process {os.getpid()}\n"


# check


def test_check_counts_the_rows_of_every_table(played: PlayedEvent) -> None:
    lines = lines_of(run("check", played.path))
    assert lines[0] == f"database {played.database} is sound: schema {HEAD}"
    assert lines[1].split() == ["Table", "Rows"]
    rows = dict(line.split() for line in lines[2:])
    assert (rows["events"], rows["teams"], rows["matches"], rows["results"]) == ("1", "2", "1", "4")


def test_check_as_json_is_one_document(played: PlayedEvent) -> None:
    document = json.loads(run("check", played.path, "--json").stdout)
    assert (document["database"], document["schema"]) == (str(played.database), HEAD)
    assert document["rows"]["results"] == 4


def test_check_while_a_run_goes_on_is_no_trouble(played: PlayedEvent) -> None:
    with hold_run_lock(played.file.results):
        assert run("check", played.path).exit_code == 0


def test_check_of_an_event_that_was_never_drawn_is_refused(tmp_path: Path) -> None:
    result = run("check", write_event(tmp_path, EVENT_TEXT))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: there is no database sqlite:///")


# backup


def test_backup_goes_into_the_results_folder_under_the_events_name_and_keeps_so_many(played: PlayedEvent) -> None:
    folder = played.file.results / "backups"
    with hold_run_lock(played.file.results):
        (line,) = [lines_of(run("backup", played.path, "--keep", "2"))[0] for _ in range(3)][2:]
    names = sorted(path.name for path in folder.iterdir())
    assert len(names) == 2
    assert all(name.startswith("test-cup-2") for name in names)
    path = Path(line.partition(": ")[0])
    assert path.parent == folder
    assert line == f"{path}: {path.stat().st_size} bytes, checked"


def test_a_backup_put_in_the_place_of_the_database_gives_the_same_standings(
    played: PlayedEvent, tmp_path: Path
) -> None:
    before = CliRunner().invoke(cli, ["standings", str(played.path)])
    document = json.loads(run("backup", played.path, "--out", str(tmp_path / "kept.db"), "--json").stdout)
    assert document == {
        "database": str(played.database),
        "backup": str(tmp_path / "kept.db"),
        "bytes": (tmp_path / "kept.db").stat().st_size,
    }
    played.database.close()
    assert played.database.file is not None
    played.database.file.unlink()
    (tmp_path / "kept.db").rename(played.database.file)
    after = CliRunner().invoke(cli, ["standings", str(played.path)])
    assert (after.exit_code, after.output) == (0, before.output)


def test_backup_to_a_file_that_is_there_is_refused(played: PlayedEvent, tmp_path: Path) -> None:
    taken = tmp_path / "kept.db"
    taken.write_text("mine", encoding="utf-8")
    result = run("backup", played.path, "--out", str(taken))
    assert result.exit_code == 1
    assert (
        result.stderr == f"Error: file {taken} is there already, and a backup replaces nothing: give another name\n"
    )
    assert taken.read_text(encoding="utf-8") == "mine"


def test_keep_does_not_go_with_out(played: PlayedEvent, tmp_path: Path) -> None:
    result = run("backup", played.path, "--out", str(tmp_path / "kept.db"), "--keep", "2")
    assert result.exit_code == 2
    assert result.stderr == "Error: --keep counts the backups in the results folder, so it does not go with --out\n"
    assert run("backup", played.path, "--keep", "0").exit_code == 2


def test_a_backup_of_an_older_schema_is_of_that_schema(old_event: Path, tmp_path: Path) -> None:
    lines_of(run("backup", old_event, "--out", str(tmp_path / "kept.db")))
    with closing(Database(file_url(tmp_path / "kept.db"))) as copy, copy.read() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == FIRST


# vacuum


def test_vacuum_says_how_large_the_database_was_and_is(played: PlayedEvent) -> None:
    document = json.loads(run("vacuum", played.path, "--json").stdout)
    assert played.database.file is not None
    assert document["bytes"] == played.database.file.stat().st_size
    assert document["bytes_before"] >= document["bytes"]
    (line,) = lines_of(run("vacuum", played.path))
    assert line == f"database {played.database}: {document['bytes']} bytes, now {document['bytes']}"
    check(played.database)
