"""A board at the table, and what one seat knows of it."""

import pytest

from tourney.bridge import (
    Board,
    BoardInPlay,
    PlayerView,
    Seat,
    Trick,
    parse_call,
    parse_card,
    parse_deal,
)
from tourney.errors import RuleError

DEAL = parse_deal("N:A976.KJT53.Q.J94 Q3.72.A7642.QT65 K52.AQ96.KT93.K7 JT84.84.J85.A832")
BOARD = Board.numbered(1, DEAL)


def board_in_play(*calls: str) -> BoardInPlay:
    in_play = BoardInPlay(BOARD)
    for call in calls:
        in_play.add_call(parse_call(call))
    return in_play


def view_from(seat: Seat, *calls: str) -> PlayerView:
    view = PlayerView(seat, BOARD.number, BOARD.dealer, BOARD.vulnerability, DEAL[seat])
    for call in calls:
        view.add_call(parse_call(call))
    return view


HEARTS_BY_NORTH = ("1H", "Pass", "4H", "Pass", "Pass", "Pass")


def test_declarer_acts_for_dummy_and_dummy_for_nobody() -> None:
    in_play = board_in_play(*HEARTS_BY_NORTH)
    assert (in_play.turn, in_play.actor, in_play.dummy_is_open) == (Seat.EAST, Seat.EAST, False)
    in_play.add_card(parse_card("QC"))
    assert (in_play.turn, in_play.actor, in_play.dummy_is_open) == (Seat.SOUTH, Seat.NORTH, True)
    in_play.add_card(parse_card("KC"))
    assert (in_play.turn, in_play.actor) == (Seat.WEST, Seat.WEST)


def test_no_card_is_played_before_there_is_a_contract() -> None:
    for in_play in (board_in_play("1H"), board_in_play("Pass", "Pass", "Pass", "Pass")):
        with pytest.raises(RuleError) as refused:
            in_play.add_card(parse_card("QC"))
        assert str(refused.value) == "card QC cannot be played: there is no contract"


def test_a_seat_does_not_see_hands_that_are_hidden_from_it() -> None:
    view = view_from(Seat.WEST, *HEARTS_BY_NORTH)
    for hidden in (Seat.NORTH, Seat.EAST, Seat.SOUTH):
        with pytest.raises(KeyError):
            view.held(hidden)
    view.add_card(parse_card("QC"))
    view.show_dummy(DEAL[Seat.SOUTH])
    assert view.held(Seat.SOUTH) == list(DEAL[Seat.SOUTH].cards)
    for hidden in (Seat.NORTH, Seat.EAST):
        with pytest.raises(KeyError):
            view.held(hidden)


def test_declarer_and_dummy_know_their_parts_once_there_is_a_contract() -> None:
    bidding = view_from(Seat.NORTH, "1H")
    assert (bidding.is_declarer, bidding.is_dummy, bidding.current) == (False, False, None)
    roles = {seat: view_from(seat, *HEARTS_BY_NORTH) for seat in Seat}
    assert [seat for seat, view in roles.items() if view.is_declarer] == [Seat.NORTH]
    assert [seat for seat, view in roles.items() if view.is_dummy] == [Seat.SOUTH]
    assert roles[Seat.WEST].current == Trick(Seat.EAST, ())


def test_an_illegal_call_does_not_enter_the_view() -> None:
    view = view_from(Seat.NORTH, "1H")
    with pytest.raises(RuleError, match="1C is not higher than 1H"):
        view.add_call(parse_call("1C"))
    assert view.auction.calls == [parse_call("1H")]
