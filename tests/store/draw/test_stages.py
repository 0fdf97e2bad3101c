"""What is drawn while an event goes on: later rounds, extra boards, late teams; and boards still to be played."""

import pytest

from tests.support.store_events import draw_final, save_event, stages_draw
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.matches import load_match_boards


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database, stages_draw())


def test_a_round_that_is_drawn_later_is_read_back_with_who_plays_in_its_stage(
    database: Database, event: EventInfo
) -> None:
    drawn = draw_final(database, event)
    (match,) = drawn.rounds[3].matches
    assert (match.number, match.round, match.stage, match.home, match.away) == (7, 4, 2, "Team 1", "Team 3")
    assert (match.carry_home, match.carry_away, match.boards) == (250, 0, 2)
    assert [(e.team, e.rank, e.carry_vp) for e in drawn.stages[1].entries] == [
        *(("Team 1", 1, 50), ("Team 3", 2, 0)),
    ]
    # The extra boards are in the set, and not in the match.
    assert [board.number for board in load_match_boards(database, match)] == [1, 2]
