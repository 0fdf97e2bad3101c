"""An event that was played under the first schema is the same under the newest, on both databases."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import MetaData

from tests.first_schema import (
    EVENT_TEXT,
    FIRST,
    PBN,
    golden_documents,
    load_rows,
    make_first_database,
    make_first_file,
    migrate,
)
from tourney.cli.main import cli
from tourney.coordinator.event_file import DATABASE_VARIABLE
from tourney.store.database import Database, file_url
from tourney.store.schema import HEAD, prepare


@pytest.fixture
def first_tables(empty_database: Database, tmp_path: Path) -> MetaData:
    """The database with the event in it."""
    return make_first_database(empty_database, tmp_path)


def _run(event_path: Path, *words: str) -> Result:
    result = CliRunner().invoke(cli, [words[0], str(event_path), *words[1:]])
    assert (result.exit_code, result.stderr) == (0, "")
    return result


def _parts(now: Any, then: Any) -> Any:
    """Of a document those parts that one of then had."""
    if isinstance(then, dict):
        return {key: _parts(now[key], value) for key, value in then.items()}
    if isinstance(then, list):
        assert len(now) == len(then)
        return [_parts(one, other) for one, other in zip(now, then, strict=True)]
    return now


def _without_times(pbn: bytes) -> bytes:
    """Of a PBN export what there was before it had the thinking times."""
    return re.sub(rb"\[(?:Auction|Play)TimeTable [^\]]*\]\r\n(?:[-0-9 ]+\r\n)*", b"", pbn)


def test_every_row_of_the_first_schema_is_kept_up_to_the_newest_and_back(
    empty_database: Database, first_tables: MetaData
) -> None:
    then = load_rows(empty_database, first_tables)
    counts = {name: len(rows) for name, rows in then.items()}
    assert (counts["cards"], counts["calls"], counts["board_attempts"], counts["results"]) == (964, 182, 20, 18)
    assert all(counts.values())
    assert prepare(empty_database).before == FIRST
    assert load_rows(empty_database, first_tables) == then
    migrate(empty_database, FIRST, down=True)
    assert load_rows(empty_database, first_tables) == then


def test_commands_say_of_it_what_they_said_then(
    empty_url: str,
    empty_database: Database,
    first_tables: MetaData,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepare(empty_database)
    monkeypatch.setenv(DATABASE_VARIABLE, empty_url)
    event_path = tmp_path / "club.toml"
    event_path.write_text(EVENT_TEXT, encoding="utf-8")
    golden = golden_documents()
    now = json.loads(_run(event_path, "standings", "--json").stdout)
    assert _parts(now, golden["standings"]) == golden["standings"]
    for number, match in enumerate(golden["matches"], 1):
        now = json.loads(_run(event_path, "match", str(number), "--json").stdout)
        assert _parts(now, match) == match
    _run(event_path, "export", "--format", "pbn", "--out", str(tmp_path / "pbn"))
    assert _without_times((tmp_path / "pbn" / "all.pbn").read_bytes()) == PBN


def test_an_older_file_is_backed_up_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "event.db"
    make_first_file(path)
    database = Database(file_url(path))
    found = prepare(database)
    assert (found.before, prepare(database).backup) == (FIRST, None)
    database.close()
    assert found.backup is not None
    assert found.backup.parent == tmp_path / "backups"
    assert found.backup.name.startswith(f"event-schema-{FIRST}-2")
    backup = Database(file_url(found.backup))
    with backup.read() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == FIRST
        assert connection.exec_driver_sql("SELECT count(*) FROM cards").scalar() == 964
    backup.close()
    assert HEAD != FIRST
