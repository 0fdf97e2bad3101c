"""Exports of rubber bridge and Chicago: the score sheet in PBN, CSV and JSON, kept again by tourney score."""

import json
from pathlib import Path

import pytest

from tests.support.event_director import EventDirector
from tests.support.exports import games_of, table_of
from tests.support.game_events import play_game_event
from tests.support.pairs_events import export_pairs as export
from tests.support.played_event import PlayedEvent
from tourney.bridge import Side
from tourney.bridge.score import Laws
from tourney.errors import FormatError, UsageError
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.score_sheet import ScoreSheet, load_sheet
from tourney.results.scorecard import load_scorecard
from tourney.scorefile.game import GameReport, score_game
from tourney.scoring.assigned import parse_all_assigned


def sheet_of_record(played: PlayedEvent, number: int = 1) -> ScoreSheet:
    match = played.match(number)
    sheet = load_sheet(played.database, load_scorecard(played.database, played.event, match, None))
    assert sheet is not None
    return sheet


def keep_again(path: Path, name: str) -> GameReport:
    return score_game(name, path.name, path.read_bytes(), {}, Laws.CURRENT)


def assert_same_sheet(played: PlayedEvent, path: Path, name: str) -> None:
    record, again = sheet_of_record(played), keep_again(path, name)
    assert [(entry.below, entry.above, entry.if_stopped) for _, entry in again.deals] == [
        (entry.below, entry.above, entry.if_stopped) for _, entry in record.deals
    ]
    assert [finding.text for finding in again.findings] == []
    assert (again.totals, again.is_over) == (record.totals, record.is_over)


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        ('format = "rubber"\nrubbers = 2', "rubber"),
        ('format = "rubber"\ndeals = 5\nhonours = false\nunfinished = "both"', "rubber"),
        ('format = "chicago"\nhonours = true', "chicago"),
        ('format = "chicago"\norder = "dealer"', "chicago"),
        ('format = "chicago"\nscoring = "duplicate"', "chicago-duplicate"),
        ('format = "chicago"\nscoring = "russian"', "russian"),
        ('format = "chicago"\nscoring = "estonian"', "estonian"),
    ],
)
def test_the_export_of_a_match_is_kept_again_as_the_record_has_it(tmp_path: Path, stage: str, name: str) -> None:
    played = play_game_event(tmp_path, stage)
    (path,) = export(played, "pbn", tmp_path / "out", match=1)
    assert_same_sheet(played, path, name)
    director = EventDirector(played)
    first, second, third, _ = (board.number for board in played.boards(1)[:4])
    match = played.match(1)
    director.assign(played.table(1, Room.OPEN), first, parse_all_assigned(["4S N 10"]), match.teams)
    played.rule(1, match.away, RulingKind.BOARD_FORFEIT, room=Room.OPEN, board=second)
    director.cancel(match, third)
    (path,) = export(played, "pbn", tmp_path / "ruled", match=1)
    assert_same_sheet(played, path, name)


def test_tags_of_a_rubber_follow_the_ledger(tmp_path: Path) -> None:
    played = play_game_event(tmp_path, 'format = "rubber"\nrubbers = 2')
    (path,) = export(played, "pbn", tmp_path / "out", match=1)
    games = games_of(path)
    record = sheet_of_record(played)
    assert [game["ScoreRubber"] for game in games] == [
        f"NS {entry.above.ns}/{entry.below.ns} EW {entry.above.ew}/{entry.below.ew}" for _, entry in record.deals
    ]
    assert {(game["Competition"], game["Scoring"]) for game in games} == {("Rubber", "Rubber")}
    assert not any("Room" in game or "Score" in game for game in games)
    assert games[0]["ScoreRubberHistory"] == "NS 0 0/0 EW 0 0/0"
    begins = [index + 1 for index, (_, entry) in enumerate(record.deals) if entry.after.is_between]
    second = games[begins[0]]["ScoreRubberHistory"].split()
    above = [sum(entry.above[side] for _, entry in record.deals[: begins[0]]) for side in Side]
    assert [second[1], second[4]] == [str(points) for points in above]
    assert [second[2], second[5]] == ["0/0", "0/0"]
    for game in games:  # a game that is won is a further figure below the line for both sides
        ns, ew = game["ScoreRubberHistory"].removeprefix("NS ").split(" EW ")
        assert ns.count(" ") == ew.count(" ") in (1, 2, 3)


def test_deals_of_several_matches_are_no_game(tmp_path: Path) -> None:
    played = play_game_event(tmp_path, 'format = "rubber"', "Alpha", "Beta", "Gamma", "Delta")
    whole = export(played, "pbn", tmp_path / "out")[-1]
    with pytest.raises(FormatError, match="a game is scored from the file of one match"):
        keep_again(whole, "rubber")


def test_csv_and_json_have_the_sheet_and_no_imps(tmp_path: Path) -> None:
    played = play_game_event(tmp_path, 'format = "rubber"')
    tables = {path.stem: table_of(path) for path in export(played, "csv", tmp_path / "out")}
    record = sheet_of_record(played)
    assert [(row["ns_below"], row["ew_above"], row["ew_total"]) for row in tables["sheets"]] == [
        (str(entry.below.ns), str(entry.above.ew), str(entry.if_stopped.ew)) for _, entry in record.deals
    ]
    assert {row["imps_home"] for row in tables["matches"] + tables["boards"]} == {""}
    (path,) = export(played, "json", tmp_path / "out")
    (match,) = json.loads(path.read_text(encoding="utf-8"))["matches"]
    assert match["sheet"]["totals"] == {"NS": record.totals.ns, "EW": record.totals.ew}
    assert [deal["above"]["NS"] for deal in match["sheet"]["deals"]] == [entry.above.ns for _, entry in record.deals]


def test_usebio_refuses_games_in_a_sentence(tmp_path: Path) -> None:
    played = play_game_event(tmp_path, 'format = "chicago"')
    with pytest.raises(UsageError, match="USEBIO has no element for rubber bridge, Chicago or Minibridge"):
        export(played, "usebio", tmp_path / "out")
