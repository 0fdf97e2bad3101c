"""Who sits where in a match, segment by segment."""

from collections.abc import Sequence

import pytest

from tourney.bridge import Side
from tourney.movement.seating import (
    Room,
    SeatsRule,
    SegmentSeating,
    TableInfo,
    seat_match,
    seat_segments,
)


def test_the_home_team_sits_north_south_in_the_open_room_and_east_west_in_the_closed_room() -> None:
    seated = seat_match("Ants", "Bees", boards=2)
    assert seated == (
        TableInfo(Room.OPEN, "Ants", "Bees", 1, 1, boards=2),
        TableInfo(Room.CLOSED, "Bees", "Ants", 2, 2, boards=2),
    )


NS, EW = Side.NS, Side.EW


def home_open(seats: Sequence[SegmentSeating]) -> list[Side]:
    return [segment.home_open for segment in seats]


def meetings(seats: Sequence[SegmentSeating], home_pair: int) -> list[tuple[int, Side]]:
    """Which away pair the home pair meets in each segment, and in which direction it sits itself."""
    if home_pair == 1:
        return [(segment.away_pair_open, segment.home_open) for segment in seats]
    return [(3 - segment.away_pair_open, segment.home_open.other) for segment in seats]


@pytest.mark.parametrize("rule", [SeatsRule.ALTERNATE, SeatsRule.RIGHTS])
@pytest.mark.parametrize("home_pair", [1, 2])
def test_two_segments_bring_both_opponents_and_any_four_each_of_them_in_both_directions(
    rule: SeatsRule, home_pair: int
) -> None:
    met = meetings(seat_segments(12, rule), home_pair)
    for start in range(0, 12, 2):
        assert {pair for pair, _ in met[start : start + 2]} == {1, 2}
    for start in range(9):
        assert set(met[start : start + 4]) == {(1, NS), (1, EW), (2, NS), (2, EW)}


@pytest.mark.parametrize(
    ("home_sits", "away_sits", "directions"),
    [(None, None, [NS, EW, NS, EW]), (EW, NS, [EW, EW, EW, EW]), (NS, EW, [NS, NS, NS, NS])],
)
def test_the_team_with_seating_rights_sits_in_the_open_room_as_it_says(
    home_sits: Side | None, away_sits: Side | None, directions: list[Side]
) -> None:
    seats = seat_segments(4, SeatsRule.RIGHTS, home_sits, away_sits)
    assert home_open(seats) == directions
    assert [segment.away_pair_open for segment in seats] == [1, 2, 2, 1]
