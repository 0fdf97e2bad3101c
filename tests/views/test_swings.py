"""The biggest swings, from boards on record."""

from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.views.swings import Swings, load


def find(
    played: PlayedEvent,
    least: int = 1,
    top: int = 10,
    *,
    round_number: int | None = None,
    match_number: int | None = None,
) -> Swings:
    return load(played.drawn, least=least, top=top, round_number=round_number, match_number=match_number)


def rows(swings: Swings) -> list[tuple[int, int, int]]:
    return [(swing.match.number, swing.board.number, swing.imps) for swing in swings.rows]


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Two matches of three boards each: 10, 0 and -10 IMPs, then 1, 10 and an unfinished board."""
    played = draw_event(
        tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=3, deals='seed = 1\nshared = "match"')
    )
    for match, board, in_open, in_closed in (
        *((1, 1, 10, 9), (1, 2, 10, 10), (1, 3, 9, 10)),
        *((2, 1, 11, 10), (2, 2, 10, 8)),
    ):
        played.record(match, OPEN, board, "4S N", in_open)
        played.record(match, CLOSED, board, "4S N", in_closed)
    played.record(2, OPEN, 3, "7NT N", 13)
    return played


def test_the_biggest_swings_come_first_and_equal_ones_in_the_order_of_the_event(played: PlayedEvent) -> None:
    swings = find(played)
    assert rows(swings) == [(2, 2, 13), (1, 1, 10), (1, 3, -10), (2, 1, 1)]
    assert (swings.boards, swings.swings, swings.adjusted) == (5, 4, 0)
    worst = swings.rows[2]
    assert (worst.winner, worst.size) == ("Delta", 10)
    assert [worst.board.results[room].result.tricks for room in Room] == [9, 10]


def test_swings_of_one_match_or_one_round(played: PlayedEvent) -> None:
    assert rows(find(played, match_number=1)) == [(1, 1, 10), (1, 3, -10)]
    assert rows(find(played, round_number=2)) == []
    assert len(find(played, round_number=1).rows) == 4


def test_a_board_whose_score_a_ruling_has_changed_is_no_swing(played: PlayedEvent) -> None:
    played.record(3, CLOSED, 1, "7NT N", 13)
    played.forfeit(3, OPEN, 1, Seat.EAST)
    swings = find(played)
    assert (len(swings.rows), swings.adjusted) == (4, 1)
