"""The command `tourney rulings`."""

import re
from pathlib import Path

import pytest

from tests.support.commands import NOTE, printed, run
from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.protocol.session.records import IncidentKind

WHEN = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d \S+")


@pytest.fixture
def ruled(tmp_path: Path) -> PlayedEvent:
    """Two matches of Alpha and Beta in Tokyo."""
    text = event_text(stage='format = "double-round-robin"')
    played = draw_event(tmp_path, text.replace("[[team]]", 'timezone = "Asia/Tokyo"\n[[team]]', 1))
    converse(played, "rule 1 penalty-vp Alpha 150: rude\nruling 1 is withdrawn")
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.EAST, "EAST bids 8C")
    played.incident(2, CLOSED, None, IncidentKind.PAUSED, None, "lunch")
    return played


def test_rulings_and_incidents_are_told_in_the_time_zone_of_the_event_when_asked_for(ruled: PlayedEvent) -> None:
    shown = printed(run("rulings", ruled.path, "--director", "--incidents"), NOTE)
    assert {each.rpartition(" ")[2] for each in WHEN.findall(shown)} == {"JST"}
    converse(
        ruled,
        """
        $ rulings EVENT --director --incidents
            -> ...
            -> 2 incidents
            -> ...
            -> ... JST 1 open 1 illegal-call East Beta EAST bids 8C
            -> ... JST 2 closed paused lunch
        $ rulings EVENT --director --incidents --match 2 -> ... -> ...lunch
        """,
    )


def test_an_event_without_rulings_says_so(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path),
        """
        $ rulings EVENT --director -> Test Cup: 0 rulings
        $ rulings EVENT --director --incidents -> Test Cup: 0 rulings -> 0 incidents
        """,
    )
