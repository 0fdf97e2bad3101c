"""The command `tourney rulings`."""

import re
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.cli._output import DIRECTOR_NOTE
from tourney.protocol.session.records import IncidentKind, RulingKind

WHEN = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d \S+")


def run(path: Path, *words: str) -> Result:
    return commands.run("rulings", path, "--director", *words)


def lines_of(result: Result) -> list[str]:
    """Times of day made equal, runs of blanks kept."""
    assert (result.exit_code, result.stderr) == (0, f"for the director only: {DIRECTOR_NOTE}\n")
    return [WHEN.sub("TIME", line.rstrip()) for line in result.stdout.splitlines()]


@pytest.fixture
@once
def ruled(tmp_path: Path) -> PlayedEvent:
    """Two matches of Alpha and Beta; in the second Beta is at home."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=2, stage='format = "double-round-robin"'))
    played.forfeit(1, OPEN, 1, Seat.EAST)
    played.withdraw(played.rule(2, "Alpha", RulingKind.PENALTY_VP, "rude", amount=150, law="Law 74", author="Joe"))
    played.rule(None, "Beta", RulingKind.WITHDRAWAL, "gone home", law="", author="Jane")
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.EAST, "EAST bids 8C")
    played.incident(2, CLOSED, None, IncidentKind.PAUSED, None, "lunch")
    return played


def test_rulings_and_incidents_are_told_in_the_time_zone_of_the_event(tmp_path: Path) -> None:
    text = event_text("Alpha", "Beta").replace("[[team]]", 'timezone = "Asia/Tokyo"\n[[team]]', 1)
    played = draw_event(tmp_path, text)
    played.withdraw(played.rule(1, "Alpha", RulingKind.PENALTY_VP, "rude", amount=150))
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.EAST, "EAST bids 8C")
    found = WHEN.findall(run(played.path, "--incidents").stdout)
    assert len(found) == 3
    assert {each.rpartition(" ")[2] for each in found} == {"JST"}


def test_incidents_are_listed_when_asked_for(ruled: PlayedEvent) -> None:
    lines = lines_of(run(ruled.path, "--incidents"))
    start = lines.index("2 incidents")
    assert [re.split(r"\s{2,}", line) for line in lines[start + 2 :]] == [
        ["TIME", "1", "open", "1", "illegal-call", "East", "Beta", "EAST bids 8C"],
        ["TIME", "2", "closed", "paused", "lunch"],
    ]
    assert lines_of(run(ruled.path, "--incidents", "--match", "2"))[-1].endswith("lunch")


def test_an_event_without_rulings_says_so(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    assert lines_of(run(played.path)) == ["Test Cup: 0 rulings"]
    assert lines_of(run(played.path, "--incidents")) == ["Test Cup: 0 rulings", "", "0 incidents"]
