"""An event that was played under the first schema is the same under the newest, on both databases."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Column, MetaData, Table

from tests.support.first_schema import (
    EVENT_TEXT,
    FIRST,
    PBN,
    golden_documents,
    load_rows,
    make_first_database,
    make_first_file,
    migrate,
    tables_of,
)
from tests.support.store_events import make_draw, save_event
from tourney.cli.main import cli
from tourney.event.place import DATABASE_VARIABLE
from tourney.movement.seating import Room, SeatsRule
from tourney.store.db.database import Database, file_url
from tourney.store.db.schema import HEAD, check, prepare
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_boards


@pytest.fixture
def first_tables(empty_database: Database, tmp_path: Path) -> MetaData:
    """The database with the event in it."""
    return make_first_database(empty_database, tmp_path)


def _run(event_path: Path, *words: str) -> Result:
    result = CliRunner().invoke(cli, [words[0], str(event_path), *words[1:]])
    assert (result.exit_code, result.stderr) == (0, "")
    return result


def _without_byes(tables: MetaData) -> MetaData:
    """The tables but for the column that the newest schema has as a table of its own."""
    copies = MetaData()
    for table in tables.sorted_tables:
        columns = (column for column in table.columns if column.name != "bye_team_id")
        Table(table.name, copies, *(Column(column.name, column.type) for column in columns))
    return copies


def _parts(now: Any, then: Any) -> Any:
    """Keeps those parts of a document that one of that time had."""
    if isinstance(then, dict):
        return {key: _parts(now[key], value) for key, value in then.items()}
    if isinstance(then, list):
        assert len(now) == len(then)
        return [_parts(one, other) for one, other in zip(now, then, strict=True)]
    return now


def _without_times(pbn: bytes) -> bytes:
    """Keeps what a PBN export had before it had the thinking times, under any version."""
    pbn = re.sub(rb"(?<=%Creator: tourney )\S+", b"0", pbn)
    return re.sub(rb"\[(?:Auction|Play)TimeTable [^\]]*\]\r\n(?:[-0-9 ]+\r\n)*", b"", pbn)


def test_every_row_of_the_first_schema_is_kept_up_to_the_newest_and_back(
    empty_database: Database, first_tables: MetaData
) -> None:
    then = load_rows(empty_database, first_tables)
    counts = {name: len(rows) for name, rows in then.items()}
    assert (counts["cards"], counts["calls"], counts["board_attempts"], counts["results"]) == (964, 182, 20, 18)
    assert all(counts.values())
    kept = _without_byes(first_tables)
    kept_then = load_rows(empty_database, kept)
    assert prepare(empty_database).before == FIRST
    assert load_rows(empty_database, kept) == kept_then
    byes = load_rows(empty_database, tables_of(empty_database))["byes"]
    assert byes == sorted((round_id, team_id) for round_id, _, _, _, team_id in then["rounds"])
    migrate(empty_database, FIRST, down=True)
    assert load_rows(empty_database, first_tables) == then


@pytest.mark.parametrize("revision", ["0002", "0003", "0004"])
def test_every_row_of_a_later_schema_is_kept_up_to_the_newest_and_back(
    empty_database: Database, first_tables: MetaData, revision: str
) -> None:
    migrate(empty_database, revision)
    tables = tables_of(empty_database)
    then = load_rows(empty_database, tables)
    assert len(then["cards"]) == 964
    assert prepare(empty_database).before == revision
    assert _byes_and_entries(empty_database) == BYES_AND_ENTRIES
    migrate(empty_database, revision, down=True)
    assert load_rows(empty_database, tables) == then


BYES_AND_ENTRIES = (
    [("Alpha",), ("Gamma",), ("Beta",)],
    [("Alpha", 1, 1, 0, 1, 0), ("Beta", 2, 1, 0, 1, 0), ("Gamma", 3, 1, 0, 1, 0)],
)
"""Who sits out in each round of the event; team, seed, group, rank, first round and points carried over."""


def _byes_and_entries(database: Database) -> tuple[list[tuple[str, ...]], list[tuple[object, ...]]]:
    stage = _load(database).stages[0]
    entries = [(e.team, e.seed, e.group, e.rank, e.from_round, e.carry_vp) for e in stage.entries]
    return [round_.byes for round_ in stage.rounds], list(entries)


def _load(database: Database) -> EventInfo:
    event = load_event(database, "Club Evening")
    assert event is not None
    return event


def test_its_teams_byes_and_boards_are_where_the_newest_schema_has_them(
    empty_database: Database, first_tables: MetaData
) -> None:
    prepare(empty_database)
    event = _load(empty_database)
    (stage,) = event.stages
    assert (stage.groups, stage.segments, stage.seats, stage.extra_boards) == (1, 1, SeatsRule.FIXED, 0)
    assert _byes_and_entries(empty_database) == BYES_AND_ENTRIES
    assert [(r.number, r.number_in_stage, r.is_drawn, len(r.matches)) for r in event.all_rounds] == [
        (1, 1, True, 1),
        (2, 2, True, 1),
        (3, 3, True, 1),
    ]
    for match in event.matches:
        assert [board.number for board in load_match_boards(empty_database, match)] == [1, 2, 3]
        (segment,) = match.segments
        assert (match.boards, segment.first, segment.boards) == (3, 0, 3)
        assert (match.carry_home, match.carry_away, match.is_third_place) == (0, 0, False)
        seats = [(t.room, t.segment, t.first, t.boards, t.ns_pair, t.ew_pair) for t in segment.tables.values()]
        assert seats == [(Room.OPEN, 1, 0, 3, 1, 1), (Room.CLOSED, 1, 0, 3, 2, 2)]


@pytest.mark.parametrize(
    ("stage_format", "more"),
    [("swiss", "rounds = 2"), ("knockout", ""), ("round-robin", "segments = 2"), ("round-robin", "groups = 2")],
)
def test_an_event_that_has_no_place_in_the_schema_before_is_not_taken_there(
    database: Database, stage_format: str, more: str
) -> None:
    save_event(database, make_draw(4, stage_format=stage_format, starts=more))
    tables = tables_of(database)
    then = load_rows(database, tables)
    with pytest.raises(ValueError, match="schema 0004 has no place for the stages of event 'Spring Cup'"):
        migrate(database, "0004", down=True)
    check(database)
    assert load_rows(database, tables) == then


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
    assert _without_times((tmp_path / "pbn" / "all.pbn").read_bytes()) == _without_times(PBN)


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


def test_of_attempts_that_an_older_program_has_left_under_way_the_newest_goes_on(
    empty_database: Database, first_tables: MetaData
) -> None:
    migrate(empty_database, "0007")
    with empty_database.write() as connection:
        (table_id,) = connection.exec_driver_sql("SELECT min(table_id) FROM board_attempts").one()
        connection.exec_driver_sql(f"DELETE FROM results WHERE table_id = {table_id}")
        connection.exec_driver_sql(
            "UPDATE board_attempts SET ended = NULL, ended_at_ms = NULL, final = false, began_at_ms = 7 "
            f"WHERE table_id = {table_id}"
        )
        before = connection.exec_driver_sql("SELECT count(*) FROM board_attempts").scalar()
    assert prepare(empty_database).before == "0007"
    with empty_database.read() as connection:
        rows = connection.exec_driver_sql(
            f"SELECT ended FROM board_attempts WHERE table_id = {table_id} ORDER BY board, attempt"
        ).all()
        assert connection.exec_driver_sql("SELECT count(*) FROM board_attempts").scalar() == before
    assert len(rows) > 1
    assert [row.ended for row in rows] == ["void"] * (len(rows) - 1) + [None]
