"""Checking a match: what verdicts, segments, replays and restarts leave on record is sound."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from tests.support.audited import begin_match, begun_again, played, records_of_match, taken_back
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.audit.event import verify_event
from tourney.bridge import DOUBLE, PASS, SEATS, Bid, Seat, Strain
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.control.orders import give_replay
from tourney.store.db.database import Database
from tourney.store.models import RulingRow

LATER_MS = BEGINS_AT_MS + 86_400_000


@pytest.fixture
def segments(tmp_path: Path) -> PlayedEvent:
    """Two teams, a match of four boards in two segments: four tables, two in each room."""
    return draw_event(tmp_path, event_text(boards=4, stage='format = "match"\nsegments = 2'))


def findings(played: PlayedEvent) -> list[str]:
    event = played.reload()
    scales = {stage.number: played.file.scales[stage.number] for stage in event.stages}
    return [found.text for found in verify_event(played.database, event, event.matches, scales, LATER_MS).findings]


def play_the_rest(played: PlayedEvent, room: Room, board: int) -> None:
    for each in Room:
        played.play(1, [each], {1, 2, 3, 4} - ({board} if each is room else set()))


@pytest.mark.parametrize("seat", SEATS)
def test_a_board_begun_again_because_of_a_program_is_sound(sqlite_database: Database, seat: Seat) -> None:
    match = begin_match(sqlite_database)
    match.write(OPEN, begun_again(match.boards[0], seat))
    assert match.findings() == []
    for room, records in records_of_match(match):
        match.write(room, records)
    match.score()
    assert match.findings() == []


@pytest.mark.clause("SS-52")
def test_a_board_goes_on_from_the_attempt_of_which_something_was_taken_back(sqlite_database: Database) -> None:
    match = begin_match(sqlite_database)
    one, two = match.boards[:2]
    match.write(OPEN, [*taken_back(one), *taken_back(one, Bid(1, Strain.NOTRUMP), DOUBLE), *played(one)])
    assert match.findings() == []
    match.write(OPEN, [*taken_back(two, *[PASS] * 3, Bid(1, Strain.CLUBS), PASS, PASS, PASS), *played(two)])
    (found,) = match.findings()
    assert found.endswith("it does not go on from the one before, of which a call or card was taken back")


@pytest.mark.parametrize("room", Room)
@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_a_board_forfeited_in_any_segment_is_sound(segments: PlayedEvent, room: Room, board: int) -> None:
    segments.forfeit(1, room, board, Seat.EAST)
    assert findings(segments) == []
    play_the_rest(segments, room, board)
    segments.score()
    assert findings(segments) == []


def on_the_attempt(kind: RulingKind, amount: int = 0) -> Callable[[PlayedEvent, int], object]:
    """A ruling by rule on what happened in the first attempt at a board in the open room."""

    def rule(played: PlayedEvent, board: int) -> None:
        played.rule(1, "Alpha", kind, room=OPEN, board=board, attempt=1, amount=amount)

    return rule


def by_the_director(
    kind: RulingKind, amount: int = 0, room: Room | None = None
) -> Callable[[PlayedEvent, int], object]:
    def rule(played: PlayedEvent, board: int) -> None:
        place = board if kind is not RulingKind.MATCH_FORFEIT else None
        played.rule(1, "Alpha", kind, room=room, board=place, amount=amount, author="Jane")

    return rule


def forfeited_at_the_table(played: PlayedEvent, board: int) -> None:
    played.rule(1, "Alpha", RulingKind.MATCH_FORFEIT, room=OPEN, board=board, attempt=1)


def replayed(played: PlayedEvent, board: int) -> None:
    """The board is void and played once more."""
    table = played.table(1, OPEN, board)
    give_replay(played.database, table.id, board, author="Jane", reason="wrong hands", now_ms=BEGINS_AT_MS + 200_000)
    assert findings(played) == []
    played.play(1, [OPEN], [board], seed="again")


RULINGS: dict[str, Callable[[PlayedEvent, int], object]] = {
    "warning": on_the_attempt(RulingKind.WARNING),
    "penalty in IMPs": on_the_attempt(RulingKind.PENALTY_IMPS, 3),
    "penalty in VPs": on_the_attempt(RulingKind.PENALTY_VP, 50),
    "adjusted": by_the_director(RulingKind.ADJUSTED_SCORE, 3),
    "board forfeited": by_the_director(RulingKind.BOARD_FORFEIT, room=OPEN),
    "match forfeited": by_the_director(RulingKind.MATCH_FORFEIT),
    "match forfeited at the table": forfeited_at_the_table,
    "replayed": replayed,
}


@pytest.mark.parametrize("board", [1, 4])
@pytest.mark.parametrize("ruling", RULINGS)
def test_rulings_of_every_kind_in_a_match_of_segments_are_sound(
    segments: PlayedEvent, ruling: str, board: int
) -> None:
    segments.play(1)
    RULINGS[ruling](segments, board)
    segments.score()
    assert findings(segments) == []


@pytest.mark.parametrize("board", [1, 4])
def test_a_board_that_was_forfeited_and_then_played_again_is_sound(segments: PlayedEvent, board: int) -> None:
    segments.forfeit(1, OPEN, board, Seat.EAST)
    play_the_rest(segments, OPEN, board)
    replayed(segments, board)
    segments.score()
    assert findings(segments) == []


@pytest.mark.parametrize(("board", "attempt"), [(1, 2), (4, 2), (4, 0)])
def test_a_ruling_on_an_attempt_that_is_not_on_record_is_found_in_any_segment(
    segments: PlayedEvent, board: int, attempt: int
) -> None:
    segments.play(1)
    number = segments.rule(1, "Alpha", RulingKind.WARNING, room=OPEN, board=board, attempt=attempt)
    segments.score()
    where = f"match 1, open room, board {board}, attempt {attempt}, ruling"
    assert findings(segments) == [f"{where}: number {number} is on an attempt that is not on record"]


def test_a_ruling_moved_to_another_match_is_found(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta"))
    played.play(1)
    number = played.rule(1, "Alpha", RulingKind.WARNING, room=OPEN, board=1, attempt=1)
    other = played.match(2).tables[0].id
    with played.database.write() as connection:
        connection.execute(update(RulingRow).values(table_id=other))
    played.score()
    assert findings(played) == [
        f"match 1, board 1, attempt 1, ruling: number {number} is on an attempt that is not on record"
    ]


def test_a_forfeit_whose_ruling_is_in_the_other_room_is_found(segments: PlayedEvent) -> None:
    segments.forfeit(1, OPEN, 1, Seat.EAST)
    other = segments.table(1, CLOSED, 1).id
    with segments.database.write() as connection:
        connection.execute(update(RulingRow).values(table_id=other))
    assert "match 1, open room, board 1, attempt 1: it ended as stall, and there is no ruling on it" in findings(
        segments
    )
