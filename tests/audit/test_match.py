"""Checking a match: what verdicts, segments, replays and restarts leave on record is sound."""

from pathlib import Path
from typing import Any

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


def replayed(played: PlayedEvent, board: int) -> None:
    """The board is void and played once more."""
    table = played.table(1, OPEN, board)
    give_replay(played.database, table.id, board, author="Jane", reason="wrong hands", now_ms=BEGINS_AT_MS + 200_000)
    assert findings(played) == []
    played.play(1, [OPEN], [board], seed="again")


AT_TABLE = {"room": OPEN, "attempt": 1}
BY_JANE = {"author": "Jane"}


@pytest.mark.parametrize("board", [1, 4])
@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (RulingKind.WARNING, AT_TABLE),
        (RulingKind.PENALTY_IMPS, AT_TABLE | {"amount": 3}),
        (RulingKind.PENALTY_VP, AT_TABLE | {"amount": 50}),
        (RulingKind.MATCH_FORFEIT, AT_TABLE),
        (RulingKind.ADJUSTED_SCORE, BY_JANE | {"amount": 3}),
        (RulingKind.BOARD_FORFEIT, BY_JANE | {"room": OPEN}),
        (RulingKind.MATCH_FORFEIT, BY_JANE | {"board": None}),
    ],
)
def test_rulings_of_every_kind_in_a_match_of_segments_are_sound(
    segments: PlayedEvent, kind: RulingKind, given: dict[str, Any], board: int
) -> None:
    segments.play(1)
    segments.rule(1, "Alpha", kind, **{"board": board} | given)
    segments.score()
    assert findings(segments) == []


@pytest.mark.parametrize("is_forfeited", [False, True])
@pytest.mark.parametrize("board", [1, 4])
def test_a_board_that_was_played_or_forfeited_and_then_played_again_is_sound(
    segments: PlayedEvent, board: int, is_forfeited: bool
) -> None:
    if is_forfeited:
        segments.forfeit(1, OPEN, board, Seat.EAST)
        play_the_rest(segments, OPEN, board)
    else:
        segments.play(1)
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
