"""Logs of runs and hosts: JSON lines with an action and a place in files, sentences elsewhere."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.played_event import draw_event
from tests.support.run_context import run_context
from tourney.cli.run import LOG_LEVEL_DEFAULT, LOG_LEVELS
from tourney.coordinator.run_context import (
    RoundStarted,
    RunEvent,
    RunStarted,
    TableFailed,
    TableProgressed,
)
from tourney.errors import LaunchError
from tourney.log import DEFAULT_LEVEL, LEVELS, configure_logging

LOGGER = logging.getLogger("tourney.test")


@pytest.fixture(autouse=True)
def unchanged_logging() -> Iterator[None]:
    yield
    configure_logging(to_stderr=False)
    logging.getLogger("tourney").handlers.clear()
    logging.getLogger("tourney").setLevel(logging.NOTSET)


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_line_is_a_json_object_with_its_action_place_and_sentence(tmp_path: Path) -> None:
    file = tmp_path / "logs" / "run.jsonl"
    configure_logging(file=file, to_stderr=False)
    LOGGER.info("listens on\n2000", extra={"action": "table_opened", "match": 3, "room": "open", "ports": [2000]})
    (line,) = lines_of(file)
    assert line.pop("at").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "tourney.test",
        "action": "table_opened",
        "match": 3,
        "room": "open",
        "ports": [2000],
        "message": "listens on\n2000",
    }


def test_an_exception_is_part_of_its_line(tmp_path: Path) -> None:
    configure_logging(file=tmp_path / "log", to_stderr=False)
    LOGGER.error("the table has ended", exc_info=ValueError("a bug"), extra={"action": "table_broken"})
    (line,) = lines_of(tmp_path / "log")
    assert line["traceback"] == "ValueError: a bug"


@pytest.mark.parametrize(("level", "kept"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_what_is_below_the_level_does_not_reach_the_file(tmp_path: Path, level: str, kept: int) -> None:
    configure_logging(level=level, file=tmp_path / "log", to_stderr=False)
    for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
        LOGGER.log(number, "something", extra={"action": "test"})
    assert len(lines_of(tmp_path / "log")) == kept


@pytest.mark.parametrize(("to_stderr", "shown"), [(True, "the tables wait\n"), (False, "")])
def test_people_read_warnings_as_sentences_where_they_are_to_read_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, to_stderr: bool, shown: str
) -> None:
    configure_logging(level="debug", file=tmp_path / "log", to_stderr=to_stderr)
    LOGGER.info("a table is open", extra={"action": "table_opened"})
    LOGGER.warning("the tables wait", extra={"action": "outage_began"})
    assert capsys.readouterr().err == shown


def test_nothing_is_printed_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(to_stderr=False)
    LOGGER.error("something", extra={"action": "test"})
    assert capsys.readouterr() == ("", "")


def test_a_log_file_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match=r"^log file .* cannot be written: Is a directory$"):
        configure_logging(file=tmp_path, to_stderr=False)


def test_the_command_offers_the_levels_there_are() -> None:
    assert (LOG_LEVELS, LOG_LEVEL_DEFAULT) == (LEVELS, DEFAULT_LEVEL)


def test_what_a_display_is_told_is_logged_with_its_place(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    told: list[RunEvent] = []
    (match, *_) = played.event.matches
    (table, *_) = match.tables
    configure_logging(level="debug", file=tmp_path / "log", to_stderr=False)
    report = run_context(played, told.append).report
    events: list[RunEvent] = [
        RunStarted(played.event, 1),
        RoundStarted(played.event.rounds[0], [*played.event.rounds[0].assignments]),
        TableProgressed(match, table, 1),
        TableFailed(match, replace(table, reason="no port is free")),
    ]
    for event in events:
        report(event)
    assert told == events
    lines = lines_of(tmp_path / "log")
    assert [line["action"] for line in lines] == ["run_started", "round_started", "table_progressed", "table_failed"]
    assert (lines[3]["match"], lines[3]["room"], lines[3]["table"]) == (1, "open", table.id)
    assert lines[3]["message"] == "no port is free"


@pytest.mark.parametrize("folder", ["host", "coordinator", "launch", "store"])
def test_no_room_of_hosts_and_runs_prints_by_hand(folder: str) -> None:
    package = Path(sys.modules["tourney"].__path__[0])
    for file in (package / folder).rglob("*.py"):
        if file.name == "inside.py":  # it is the program that speaks there, before it becomes that
            continue
        text = file.read_text(encoding="utf-8")
        assert re.search(r"sys\.std(err|out)|\bprint\(|print_exc|os\.write\(2", text) is None, file
