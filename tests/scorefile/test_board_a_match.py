"""Matches at board-a-match in files: in points where the tag Scoring says so, our own exports as the record."""

import random
from pathlib import Path

import pytest

from tests.support.event_director import EventDirector
from tests.support.exports import export_pbn
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import load_scorecard, work_out_score
from tourney.scorefile.score import read_files, score_document, score_matches
from tourney.scoring import WBF_CONTINUOUS
from tourney.scoring.assigned import parse_all_assigned

BAM = 'scoring = "board-a-match"\n'


def play(played: PlayedEvent, seed: int = 1) -> None:
    chance = random.Random(seed)
    for match in played.event.matches:
        for board in played.boards(match.number):
            for room in Room:
                played.record(match.number, room, board.number, chance.choice(["3NT N", "4S E", "Pass"]), 9)
    played.score()


@pytest.mark.parametrize("points", ["", "board_points = 2\n"])
def test_an_exported_match_has_the_points_of_the_record_again(tmp_path: Path, points: str) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=6, stage=BAM + points))
    play(played)
    director = EventDirector(played)
    first = played.match(1)
    director.assign(played.table(1, Room.OPEN), 1, parse_all_assigned(["60: 4S N 10", "40: 4S N 9"]), first.teams)
    played.rule(1, first.home, RulingKind.BOARD_FORFEIT, room=Room.CLOSED, board=2)
    path = export_pbn(played, tmp_path / ".")[-1]
    scored = score_matches(read_files([(path.name, path.read_bytes())]), WBF_CONTINUOUS)
    assert [found.finding.text for match in scored.matches for found in match.findings] == []
    scale = played.file.scales[1]
    assert scale is not None
    cards = {
        match.teams: load_scorecard(played.database, played.event, match, played.file.scales[1])
        for match in played.event.matches
    }
    assert len(scored.matches) == 3
    for match in scored.matches:
        card = cards[match.home, match.away]
        assert [
            (board.comparison.imps_home, board.comparison.imps_away) for board in match.boards if board.comparison
        ] == [(board.imps, board.imps_away) for board in card.boards]
        score = work_out_score(played.database, played.event, card.match, scale)
        assert score is not None
        assert (match.imps_home, match.imps_away) == score.totals[:2]
        assert match.vp is None


def test_the_document_has_points_and_no_imps(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=2, stage=BAM))
    played.record(1, Room.OPEN, 1, "3NT N", 10)
    played.record(1, Room.CLOSED, 1, "3NT N", 9)
    played.record(1, Room.OPEN, 2, "3NT N", 9)
    played.record(1, Room.CLOSED, 2, "3NT N", 9)
    played.score()
    path = export_pbn(played, tmp_path / ".")[-1]
    (match,) = score_document(score_matches(read_files([(path.name, path.read_bytes())]), WBF_CONTINUOUS))["matches"]
    assert (match["imps_home"], match["imps_away"], match["vp_home"]) == (None, None, None)
    assert {match["points_home"], match["points_away"]} == {"1.5", "0.5"}
    assert [board["imps"] for board in match["boards"]] == [None, None]
    assert (match["boards"][1]["points"], match["boards"][1]["points_away"]) == ("0.5", "0.5")


def test_points_that_do_not_follow_from_the_scores_are_told(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=2, stage=BAM))
    play(played)
    text = export_pbn(played, tmp_path / ".")[-1].read_bytes()
    wrong = text.replace(b'[ScoreMP "NS 0.5"]', b'[ScoreMP "NS 1"]', 1)
    if wrong == text:
        wrong = text.replace(b'[ScoreMP "NS 0"]', b'[ScoreMP "NS 0.5"]', 1)
    assert wrong != text
    (match,) = score_matches(read_files([("a.pbn", wrong)]), WBF_CONTINUOUS).matches
    (found,) = match.findings
    assert "by the scores of both rooms they are NS" in found.finding.text
