"""What is drawn while an event goes on: later rounds, extra boards, late teams; and boards still to be played."""

import pytest

from tests.support.store_events import NOW_MS, draw_final, reload, save_event, stages_draw, take
from tests.support.store_records import ended
from tourney.bridge import Board
from tourney.protocol.session.records import BoardBegan, TableRecord
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.writer import drop_rounds
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import load_match_boards


def passed_out(board: Board) -> tuple[TableRecord, ...]:
    return BoardBegan(board.number, NOW_MS), ended(board)


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
    assert [(e.team, e.seed, e.rank, e.carry_vp) for e in drawn.stages[1].entries] == [
        *(("Team 1", 1, 1, 50), ("Team 3", 2, 2, 0)),
    ]
    # The extra boards are in the set, and not in the match.
    assert [board.number for board in load_match_boards(database, match)] == [1, 2]


def test_a_round_with_a_board_that_was_begun_stays_drawn(database: Database, event: EventInfo) -> None:
    drawn = draw_final(database, event)
    match = drawn.rounds[3].matches[0]
    ledger = take(database, match.tables[0])
    Recorder(database).write((ledger, record) for record in passed_out(load_match_boards(database, match)[0]))
    assert drop_rounds(database, drawn.stages[1], drawn.stages[1].rounds) is False
    assert len(reload(database).rounds) == 4
