"""Minibridge with overcalls: slips, opening, and the bidding of opener and its left-hand opponent."""

import pytest

from tests.support.money_games import further_games
from tourney.bridge import DOUBLE, PASS, Bid, Contract, Seat, Strain, parse_call, parse_deal
from tourney.bridge.slips import OPEN, Slip, SlipAuction, SlipCall, write_slip
from tourney.errors import RuleError

DEALS = further_games()["minibridge_overcalls"]["deals"]


def called(*calls: SlipCall) -> SlipAuction:
    """The bidding after these calls, North dealer."""
    auction = SlipAuction(Seat.NORTH)
    for call in calls:
        auction.add(call)
    return auction


def parsed(word: str) -> SlipCall:
    if word == "open":
        return OPEN
    return PASS if word == "pass" else parse_call(word)


def test_a_slip_has_the_points_and_the_length_of_each_suit() -> None:
    deal = parse_deal("N:4.K7643.86.QJ643 KJ.QT5.AJ73.8752 A98752.9.KT.AKT9 QT63.AJ82.Q9542.")
    assert write_slip(deal[Seat.NORTH]) == Slip(6, (1, 5, 2, 5))
    assert write_slip(deal[Seat.WEST]) == Slip(9, (4, 4, 5, 0))


@pytest.mark.parametrize("row", DEALS, ids=lambda row: row["calls"])
def test_the_last_bidder_is_declarer(row: dict[str, str]) -> None:
    contract = called(*map(parsed, row["calls"].split())).contract
    assert contract is not None
    assert (str(contract), contract.declarer.letter) == (row["contract"], row["declarer"])


def test_partners_slip_goes_to_opener_and_after_its_contract_to_its_left_hand_opponent() -> None:
    two_spades = Bid(2, Strain.SPADES)
    assert called(PASS).slip_holders == ()
    assert called(PASS, OPEN).slip_holders == (Seat.EAST,)
    assert called(PASS, OPEN, two_spades).slip_holders == (Seat.EAST, Seat.SOUTH)
    auction = called(PASS, OPEN, two_spades)
    assert (auction.turn, auction.contract) == (Seat.SOUTH, None)
    auction.add(PASS)
    assert (auction.turn, auction.contract) == (None, Contract(2, Strain.SPADES, 0, Seat.EAST))


def test_a_deal_that_all_pass_has_no_contract() -> None:
    auction = called(PASS, PASS, PASS, PASS)
    assert (auction.turn, auction.contract) == (None, None)


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ([Bid(1, Strain.CLUBS)], "North passes or opens, got 1C"),
        ([DOUBLE], "North passes or opens, got X"),
        ([OPEN, PASS], "North names a contract, got Pass"),
        ([OPEN, OPEN], "North names a contract, got open"),
        ([OPEN, Bid(2, Strain.HEARTS), DOUBLE], "East names a contract or passes, got X"),
        (
            [OPEN, Bid(2, Strain.HEARTS), Bid(2, Strain.HEARTS)],
            "a bid is higher than the one before it, 2H, got 2H",
        ),
        ([OPEN, Bid(2, Strain.HEARTS), Bid(2, Strain.DIAMONDS)], "higher than the one before it, 2H, got 2D"),
        ([OPEN, Bid(2, Strain.HEARTS), PASS, PASS], "the bidding is over, got Pass"),
        ([PASS, PASS, PASS, PASS, OPEN], "the bidding is over, got open"),
    ],
)
def test_an_illegal_call_is_refused(calls: list[SlipCall], message: str) -> None:
    auction = called(*calls[:-1])
    with pytest.raises(RuleError, match=message):
        auction.add(calls[-1])
