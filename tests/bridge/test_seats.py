"""Seats, sides, and what a board's number says."""

import pytest

from tests.support.golden_figures import golden_rows
from tourney.bridge import SEATS, Seat, board_dealer, board_vulnerability


def test_dealer_and_vulnerability_of_every_published_board() -> None:
    published = [(int(row["board"]), row["dealer"], row["vulnerable"]) for row in golden_rows("boards")]
    assert len(published) == 64
    computed = [(number, board_dealer(number).letter, str(board_vulnerability(number))) for number, _, _ in published]
    assert computed == published


def test_play_goes_clockwise_and_partners_sit_opposite() -> None:
    assert [seat.next for seat in SEATS] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert [seat.previous.next for seat in SEATS] == list(SEATS)
    assert [seat.partner for seat in SEATS] == [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]
    assert [seat.plus(6) for seat in SEATS] == [seat.partner for seat in SEATS]
    assert [seat.plus(-1) for seat in SEATS] == [seat.previous for seat in SEATS]


def test_seats_are_named_by_letter_and_by_word() -> None:
    assert [(seat.letter, seat.title) for seat in SEATS] == [
        ("N", "North"),
        ("E", "East"),
        ("S", "South"),
        ("W", "West"),
    ]
    assert [Seat.from_letter(seat.letter) for seat in SEATS] == list(SEATS)


@pytest.mark.parametrize("letter", ["n", "North", "", "X"])
def test_other_letters_name_no_seat(letter: str) -> None:
    with pytest.raises(KeyError):
        Seat.from_letter(letter)


def test_a_seat_is_written_by_its_name() -> None:
    assert (str(Seat.EAST), f"{Seat.EAST:>6}", Seat.EAST + 1) == ("East", "  East", 2)
