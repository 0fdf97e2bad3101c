"""The USEBIO export, parsed again and held against the scorecards, the standings and the record."""

import dataclasses
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.event_conversation import converse
from tests.support.exports import matches_of
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.export.usebio import write_usebio
from tourney.movement.ranking import RankingRules
from tourney.results.standings import load_standings
from tourney.store.models import Team


def _export(played: PlayedEvent, folder: Path) -> ET.Element:
    path = folder / "event.xml"
    standings = load_standings(played.database, played.event, {1: RankingRules()})
    write_usebio(played.event, standings, matches_of(played), path)
    data = path.read_bytes()
    assert data.isascii()
    return ET.fromstring(data)


NAME = '"A" < B & Ç ]]>'
TEAMS = ("Ants", "Bees & <Co>", "Łódź \x85Öst")
"""Not all of them are names that an event file may have: a file of another version may."""


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Three matches; the first is over, the second has one board, the third none."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=2))
    converse(
        played,
        """
        match 1 is played
        match 2 board 1 is played
        scored
        """,
    )
    with played.database.write() as connection:
        for number, name in enumerate(TEAMS, 1):
            connection.execute(update(Team).where(Team.number == number).values(name=name))
    played.event = dataclasses.replace(played.reload(), name=NAME)
    return played


def test_an_event_that_has_not_begun_has_teams_without_places_and_matches_and_no_date(tmp_path: Path) -> None:
    root = _export(draw_event(tmp_path), tmp_path)
    assert [team.find("PLACE") for team in root.iterfind(".//TEAM[@TEAM_ID]")] == [None] * 2
    assert root.find(".//DATE") is None
    assert len(root.findall(".//MATCH")) == 1


def test_the_date_is_that_of_the_first_match_with_a_board(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=1))
    played.play(2)
    root = _export(played, tmp_path)
    assert root.findtext(".//DATE") == "21/09/2026"
    assert [match.findtext("ROUND_NUMBER") for match in root.iterfind(".//MATCH")] == ["1", "2", "3"]


def test_the_date_is_that_of_the_schedule_before_the_first_board(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", stage="starts = [2027-02-03T23:30:00Z]"))
    assert _export(played, tmp_path).findtext(".//DATE") == "03/02/2027"
