"""Scores of matches that do not balance are worked out again; those of earlier versions keep their own figures."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.audit.event import verify_event
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.scoring.match import MatchScore
from tourney.store.results.matches import load_match_score, save_match_score


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """A match of two boards: nothing on the first, average plus to both on the other."""
    played = draw_event(tmp_path)
    for room in Room:
        for board in (1, 2):
            played.record(1, room, board, "Pass")
    for team in ("Alpha", "Beta"):
        played.rule(1, team, RulingKind.ADJUSTED_SCORE, board=2, amount=3)
    played.score()
    return played


def findings(played: PlayedEvent, score: MatchScore) -> list[str]:
    match = played.match(1)
    save_match_score(played.database, match, score)
    found = verify_event(played.database, played.event, [match], played.file.scales, BEGINS_AT_MS).findings
    return [each.text for each in found if each.record == "score"]


def test_a_score_that_does_not_balance_is_worked_out_again(played: PlayedEvent) -> None:
    score = load_match_score(played.database, played.match(1))
    assert score is not None
    assert (score.totals.margins, score.lost_home, score.lost_away) == ((3, 3), -3, -3)
    assert findings(played, score) == []
    assert findings(played, replace(score, lost_home=0)) != []
