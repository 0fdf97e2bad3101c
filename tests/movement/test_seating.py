"""Rooms and the way teams sit in them."""

from tourney.bridge import Side
from tourney.movement.seating import Room, RoomSeating, home_side, seat_match


def test_the_home_team_sits_north_south_in_the_open_room_and_east_west_in_the_closed_room() -> None:
    seated = seat_match(3, 8)
    assert seated == {
        Room.OPEN: RoomSeating(Room.OPEN, 3, 8, 1, 1),
        Room.CLOSED: RoomSeating(Room.CLOSED, 8, 3, 2, 2),
    }
    for seating in seated.values():
        assert seating.team(home_side(seating.room)) == 3
        assert seating.team(home_side(seating.room).other) == 8


def test_home_sits_the_other_way_in_the_other_room() -> None:
    assert home_side(Room.OPEN) is Side.NS
    assert [home_side(room.other) for room in Room] == [home_side(room).other for room in Room]


def test_rooms_are_kept_as_lower_case_words() -> None:
    assert [str(room) for room in Room] == ["open", "closed"]
