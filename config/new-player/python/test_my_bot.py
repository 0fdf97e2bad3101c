"""The player's decisions, and whole boards at a table without a socket: run them with `pytest`."""

from my_bot import MyBot

from tourney.player import PASS, Bid, Strain
from tourney.testing import calling_view, play_boards


def test_twelve_points_open_the_longest_suit() -> None:
    assert MyBot().call(calling_view("AK974.K32.QT3.87")) == Bid(1, Strain.SPADES)


def test_less_is_passed() -> None:
    assert MyBot().call(calling_view("AK974.932.QT3.87")) is PASS


def test_an_opponents_opening_is_passed() -> None:
    assert MyBot().call(calling_view("AK974.K32.QT3.87", "1C")) is PASS


def test_boards_are_played_to_their_end() -> None:
    boards = play_boards(MyBot, 4)
    assert [board.result is not None for board in boards] == [True] * 4
