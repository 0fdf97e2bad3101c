"""Results round by round, and two teams against each other."""

from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import RulingKind
from tourney.store.models import TableRow
from tourney.views import rounds
from tourney.views.rounds import MatchState, MatchSummary


def lines(played: PlayedEvent, round_number: int | None = None) -> dict[int, MatchSummary]:
    played.reload()
    results = rounds.load(played.drawn, round_number=round_number)
    return {line.match.number: line for round_ in results.rounds for line in round_.matches}


def figures(line: MatchSummary) -> tuple[MatchState, int, int | None, int | None, int | None, int | None]:
    shown = line.row().score.figures
    return line.state, line.boards_finished, shown.imps_home, shown.imps_away, shown.vp_home, shown.vp_away


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Three teams twice round: match 1 is over, match 2 has one board, the others are to come."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", stage='format = "double-round-robin"'))
    for board, tricks in ((1, 9), (2, 10)):
        played.record(1, OPEN, board, "4S N", 10)
        played.record(1, CLOSED, board, "4S N", tricks)
    played.record(2, OPEN, 1, "4S N", 9)
    played.record(2, CLOSED, 1, "4S N", 10)
    played.score()
    return played


def test_every_match_has_its_state_and_the_figures_there_are(played: PlayedEvent) -> None:
    found = lines(played)
    assert list(found) == [1, 2, 3, 4, 5, 6]
    assert figures(found[1])[:4] == (MatchState.OVER, 2, 10, 0)
    assert figures(found[1])[4:] == (1646, 354)
    assert figures(found[2])[1:] == (1, 0, 10, None, None)
    assert figures(found[3]) == (MatchState.TO_COME, 0, None, None, None, None)


def test_a_match_with_boards_on_record_is_played_or_was_stopped(played: PlayedEvent) -> None:
    assert lines(played)[2].state is MatchState.PLAYING
    for state, expected in (
        (TableState.WAITING, MatchState.STOPPED),
        (TableState.FAILED, MatchState.STOPPED),
        (TableState.ASSIGNED, MatchState.PLAYING),
        (TableState.OPEN, MatchState.PLAYING),
    ):
        with played.database.write() as connection:
            connection.execute(update(TableRow).where(TableRow.match_id == played.match(2).id).values(state=state))
        assert lines(played)[2].state is expected


def test_a_match_that_is_over_and_not_scored_yet_is_over(played: PlayedEvent) -> None:
    for room in Room:
        played.record(2, room, 2, "Pass")
    assert figures(lines(played)[2]) == (MatchState.OVER, 2, 0, 10, 354, 1646)


def test_a_match_that_was_forfeited_is_over_with_no_board_in_its_score(played: PlayedEvent) -> None:
    played.rule(3, played.match(3).home, RulingKind.MATCH_FORFEIT)
    line = lines(played)[3]
    assert figures(line)[:4] == (MatchState.OVER, 0, 0, 0)
    assert figures(line)[4:] == (0, 1200)
    assert [ruling.kind for ruling in line.rulings] == [RulingKind.MATCH_FORFEIT]
