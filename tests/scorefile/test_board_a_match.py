"""Matches at board-a-match in files: in points where the tag Scoring says so, our own exports as the record."""

import random
from pathlib import Path

import pytest

from tests.support.event_director import EventDirector
from tests.support.exports import export_pbn
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.score_texts import both, document_of, game, match_in, score, told
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import load_scorecard, work_out_scorecard
from tourney.scorefile.match import score_matches
from tourney.scorefile.records import read_files
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
    assert [found.text for match in scored.matches for found in match.findings] == []
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
        score = work_out_scorecard(played.database, card.match, scale).score
        assert score is not None
        assert match.totals[:2] == score.totals[:2]
        assert match.vp is None


def test_the_document_has_points_and_no_imps() -> None:
    text = game("Open", Scoring="BAM", Result="8") + game("Closed", Scoring="BAM") + both(Board="2", Scoring="BAM")
    (match,) = document_of(score(text))["matches"]
    assert (match["imps_home"], match["imps_away"], match["vp_home"]) == (None, None, None)
    assert (match["points_home"], match["points_away"]) == ("1.5", "0.5")
    assert [(board["imps"], board["points"], board["points_away"]) for board in match["boards"]] == [
        (None, "1", "0"),
        (None, "0.5", "0.5"),
    ]


def test_points_that_do_not_follow_from_the_scores_are_told() -> None:
    match = match_in(game("Open", Scoring="BAM", ScoreMP="NS 1") + game("Closed", Scoring="BAM"))
    assert told(match.findings) == ["10, 1, open: the points are NS 1, by the scores of both rooms they are NS 0.5"]
