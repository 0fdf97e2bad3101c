"""Total points and boards won by match, on both kinds of database."""

import pytest
from sqlalchemy import insert, update

from tests.support.store_events import NOW_MS, make_draw, save_event, take
from tests.support.store_records import ended
from tourney.bridge import Contract, Seat, Strain
from tourney.movement.ranking import NO_BOARDS, BoardTotals, RankingRules
from tourney.movement.seating import Room
from tourney.movement.tie_breaks import TieBreak
from tourney.protocol.session.records import BoardBegan, RulingKind, TableRecord
from tourney.results.load import load_results
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import RulingRow
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import load_match_boards, save_match_score

SPADES = Contract(4, Strain.SPADES, 0, Seat.NORTH)
NOTRUMP = Contract(3, Strain.NOTRUMP, 0, Seat.WEST)
ONE_NOTRUMP = Contract(1, Strain.NOTRUMP, 0, Seat.SOUTH)

FIRST, SECOND = BoardTotals(470, 400, 2, 2), BoardTotals(90, 90, 2, 2)


def play(database: Database, event: EventInfo, number: int, room: Room, *boards: tuple[Contract | None, int]) -> None:
    """Put results on record, in the order of the boards: contract and declarer's tricks."""
    match = event.matches[number - 1]
    ledger = take(database, match.tables_at(0)[room])
    records: list[TableRecord] = []
    for board, (contract, tricks) in zip(load_match_boards(database, match), boards, strict=False):
        records += [BoardBegan(board.number, NOW_MS), ended(board, contract, tricks)]
    Recorder(database).write([(ledger, record) for record in records])


def score(database: Database, event: EventInfo, number: int, boards: int = 2) -> None:
    stored = MatchScore(boards, 0, 0, VpHundredths(1000), VpHundredths(1000))
    save_match_score(database, event.matches[number - 1], stored, NOW_MS)


def rule(database: Database, event: EventInfo, number: int, kind: RulingKind, board: int) -> None:
    """A row as it lies in the database, whatever else a ruling of its kind would have."""
    values = {"amount": 0, "reason": "", "law": "Law 12C", "author": "Jane", "at_ms": NOW_MS, "terms": None}
    values |= {"event_id": event.id, "match_id": event.matches[number - 1].id, "board": board, "kind": kind}
    with database.write() as connection:
        connection.execute(insert(RulingRow).values(values))


def totals(database: Database, event: EventInfo) -> dict[int, BoardTotals]:
    """The totals of the matches that have any, by number, as tie-breaks are given them."""
    rules = {1: RankingRules(tie_breaks=[TieBreak.BOARDS_WON])}
    finished = load_results(database, event.seen_whole(), rules).finished
    return {number: match.totals for number, match in finished.items() if match.totals != NO_BOARDS}


@pytest.fixture
def event(database: Database) -> EventInfo:
    """Three teams, three matches of two boards; the first two are over.

    Match 1, board 1: 4S makes 420 for the home team in the open room, and is down one, 50 to it, in the closed room:
    470 to 0. Board 2: 3NT by West makes 400 for the away team, and is not bid in the closed room: 0 to 400.
    Match 2, board 1: 90 to North-South in both rooms. Board 2 is passed out in both.
    """
    event = save_event(database, make_draw(3))
    play(database, event, 1, Room.OPEN, (SPADES, 10), (NOTRUMP, 9))
    play(database, event, 1, Room.CLOSED, (SPADES, 9), (None, 0))
    play(database, event, 2, Room.OPEN, (ONE_NOTRUMP, 7), (None, 0))
    play(database, event, 2, Room.CLOSED, (ONE_NOTRUMP, 7), (None, 0))
    score(database, event, 1)
    score(database, event, 2)
    return event


def test_totals_are_each_teams_points_at_both_tables_and_its_boards(database: Database, event: EventInfo) -> None:
    assert totals(database, event) == {1: FIRST, 2: SECOND}


def test_a_match_counts_once_it_has_a_score_with_boards_in_it(database: Database, event: EventInfo) -> None:
    for room in Room:
        play(database, event, 3, room, (SPADES, 10), (NOTRUMP, 9))
    assert totals(database, event).keys() == {1, 2}
    score(database, event, 3, boards=0)
    assert totals(database, event).keys() == {1, 2}


def test_a_board_whose_score_a_ruling_has_changed_counts_for_nobody_while_it_stands(
    database: Database, event: EventInfo
) -> None:
    for kind in (
        RulingKind.BOARD_FORFEIT,
        RulingKind.ADJUSTED_SCORE,
        RulingKind.ASSIGNED_SCORE,
        RulingKind.BOARD_CANCELLED,
    ):
        rule(database, event, 2, kind, board=2)
        assert totals(database, event) == {1: FIRST, 2: BoardTotals(90, 90, 1, 1)}
        with database.write() as connection:
            connection.execute(update(RulingRow).values(withdrawn_at_ms=NOW_MS))
        assert totals(database, event) == {1: FIRST, 2: SECOND}
