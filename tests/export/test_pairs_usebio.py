"""USEBIO of pairs events, parsed again and held against the standings and the travellers."""

import random
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.pairs_events import draw_pairs_event, export_pairs, pairs_standings, play_by_chance, rule_by_chance
from tests.support.played_event import PlayedEvent, once
from tourney.errors import UsageError
from tourney.views.pair_figures import format_percentage

HOWELL = 'format = "howell"\nboards_per_round = 2'


def export(played: PlayedEvent, folder: Path) -> ET.Element:
    (path,) = export_pairs(played, "usebio", folder)
    data = path.read_bytes()
    assert data.isascii()
    return ET.fromstring(data)


@pytest.fixture
@once
def howell(tmp_path: Path) -> PlayedEvent:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    play_by_chance(played)
    return played


def texts(element: ET.Element) -> dict[str, str]:
    return {child.tag: child.text or "" for child in element if not len(child)}


@pytest.mark.parametrize(
    ("scoring", "method"),
    [("matchpoints", "MATCH_POINTS"), ("cross-imps", "CROSS_IMPS"), ("butler", "BUTLER_IMPS")],
)
def test_the_event_says_that_it_is_one_of_pairs_and_how_it_is_scored(
    tmp_path: Path, scoring: str, method: str
) -> None:
    played = draw_pairs_event(tmp_path, 4, f'format = "howell"\nscoring = "{scoring}"')
    play_by_chance(played)
    event = export(played, tmp_path / "out").find("EVENT")
    assert event is not None
    about = texts(event)
    assert event.get("EVENT_TYPE") == "PAIRS"
    assert (about["BOARD_SCORING_METHOD"], about["WINNER_TYPE"], about["DATE"]) == (method, "1", "21/09/2026")
    points = {tag for line in event.iter("TRAVELLER_LINE") for tag in texts(line) if tag.endswith("_POINTS")}
    kind = "MATCH" if scoring == "matchpoints" else "CROSS_IMP"
    assert points == {f"NS_{kind}_POINTS", f"EW_{kind}_POINTS"}
    assert (event.find(".//PERCENTAGE") is not None) is (scoring == "matchpoints")


def test_pairs_have_their_percentages_and_places(howell: PlayedEvent, tmp_path: Path) -> None:
    pairs = export(howell, tmp_path / "out").findall("EVENT/SESSION/SECTION/PARTICIPANTS/PAIR")
    numbers = {team.name: str(team.number) for team in howell.event.teams}
    rows = pairs_standings(howell).rows
    assert [(texts(pair)["PAIR_NUMBER"], texts(pair)["PERCENTAGE"]) for pair in pairs] == [
        (numbers[row.team], format_percentage(row.pairs.level if row.pairs is not None else None)) for row in rows
    ]
    assert [texts(pair)["PLACE"].rstrip("=") for pair in pairs] == [str(row.rank) for row in rows]
    assert [[name.text for name in pair.iter("PLAYER_NAME")] for pair in pairs] == [[row.team] * 2 for row in rows]


def test_two_lists_are_told_by_the_direction_of_the_pairs(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, 'format = "mitchell"')
    play_by_chance(played)
    root = export(played, tmp_path / "out")
    assert root.findtext("EVENT/WINNER_TYPE") == "2"
    pairs = [texts(pair) for pair in root.iter("PAIR")]
    assert [pair["DIRECTION"] for pair in pairs] == ["N"] * 4 + ["E"] * 4
    lines = [texts(line) for line in root.iter("TRAVELLER_LINE")]
    for key, direction in (("NS_PAIR_NUMBER", "N"), ("EW_PAIR_NUMBER", "E")):
        assert {line[key] for line in lines} == {p["PAIR_NUMBER"] for p in pairs if p["DIRECTION"] == direction}


def test_artificial_scores_are_percentages(howell: PlayedEvent, tmp_path: Path) -> None:
    rule_by_chance(howell, random.Random(3))
    (path,) = export_pairs(howell, "usebio", tmp_path / "out")
    root = ET.parse(path).getroot()
    scores = [line.findtext("SCORE") or "" for line in root.iter("TRAVELLER_LINE")]
    assert "A6040" in scores
    assert len(scores) == 55  # one is cancelled
    assert scores.count("") == 2  # one weighted, one split


def test_one_match_of_pairs_is_refused_in_a_sentence(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    with pytest.raises(UsageError, match="compared over all tables: leave out --match"):
        export_pairs(played, "usebio", tmp_path / "out", match=1)
