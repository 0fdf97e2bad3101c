"""Minibridge as a game: announcements, the choice of the contract with dummy in sight, the play."""

import pytest

from tourney.bridge import (
    DOUBLE,
    PASS,
    Auction,
    Bid,
    Board,
    Call,
    Contract,
    Seat,
    Strain,
    Vulnerability,
    parse_deal,
)
from tourney.bridge.minibridge import LOWEST_GAMES, MinibridgeChoice, MinibridgeContract, nearest_contract

DEAL = parse_deal("N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98")
"""North has 16 points, East 12, South 12, West 0."""

LEVEL = parse_deal("N:4.K7643.86.QJ643 KJ.QT5.AJ73.8752 A98752.9.KT.AKT9 QT63.AJ82.Q9542.")
"""20 points on both sides."""

BOARD = Board(1, Seat.EAST, Vulnerability.ALL, DEAL)


def test_points_are_announced_from_the_dealer_clockwise() -> None:
    choice = MinibridgeChoice(BOARD)
    assert choice.announcements == [(Seat.EAST, 12), (Seat.SOUTH, 12), (Seat.WEST, 0), (Seat.NORTH, 16)]
    assert (choice.declarer, choice.dummy) == (Seat.NORTH, Seat.SOUTH)


def auction_of(board: Board, *bids: Bid) -> Auction:
    """The auction that stands for a choice: passes, and what declarer bids."""
    choice, auction, made = MinibridgeChoice(board), Auction(board.dealer), iter(bids)
    while not auction.is_over:
        auction.add(PASS if choice.passes(auction) else next(made))
    return auction


def test_a_board_with_twenty_points_on_both_sides_is_redealt_and_stands_as_passed_out() -> None:
    board = Board(1, Seat.NORTH, Vulnerability.NONE, LEVEL)
    assert (MinibridgeChoice(board).declarer, MinibridgeChoice(board).dummy) == (None, None)
    assert auction_of(board).is_passed_out


def test_the_auction_that_stands_for_a_choice_has_one_bid_which_is_declarers() -> None:
    auction = auction_of(BOARD, Bid(3, Strain.NOTRUMP))
    assert [str(call) for call in auction.calls] == ["Pass", "Pass", "Pass", "3NT", "Pass", "Pass", "Pass"]
    assert auction.contract is not None
    assert auction.contract.declarer is Seat.NORTH


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (Bid(1, Strain.CLUBS), None),
        (Bid(5, Strain.CLUBS), None),
        (Bid(3, Strain.CLUBS), "Minibridge has 1C for a part score and 5C for a game, got 3C"),
        (Bid(6, Strain.NOTRUMP), "Minibridge has 1NT for a part score and 3NT for a game, got 6NT"),
        (PASS, "declarer at Minibridge names a contract, 1S for a part score or 4S for a game, got Pass"),
        (DOUBLE, "declarer at Minibridge names a contract, 1S for a part score or 4S for a game, got X"),
    ],
)
def test_a_bid_of_one_is_a_part_score_and_the_lowest_game_is_a_game(call: Call, why: str | None) -> None:
    assert MinibridgeChoice(BOARD).why_illegal(call) == why


def test_the_table_names_a_part_score_in_the_longest_suit_of_both_hands() -> None:
    hands = DEAL[Seat.EAST], DEAL[Seat.WEST]
    assert MinibridgeChoice.stand_in_bid(*hands) == Bid(1, Strain.SPADES)
    assert MinibridgeChoice.stand_in_bid(DEAL[Seat.NORTH], DEAL[Seat.SOUTH]) == Bid(1, Strain.DIAMONDS)


def test_a_ruling_may_give_any_contract_of_bridge_which_counts_as_part_score_or_game() -> None:
    def nearest(level: int) -> str:
        return str(nearest_contract(Contract(level, Strain.HEARTS, 0, Seat.WEST)))

    assert [nearest(level) for level in (2, 3, 4, 6)] == ["part H", "part H", "game H", "game H"]


def test_the_contract_that_is_played_needs_the_tricks_of_its_bid() -> None:
    for strain, level in LOWEST_GAMES.items():
        game = MinibridgeContract(strain, True, Seat.WEST)
        assert (game.tricks_needed, game.level) == (level + 6, level)
        part = MinibridgeContract(strain, False, Seat.WEST)
        assert (part.tricks_needed, part.level) == (7, 1)
