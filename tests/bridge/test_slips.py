"""Minibridge with overcalls: slips, opening, and the bidding of opener and its left-hand opponent."""

import pytest

from tests.support.money_games import further_games
from tourney.bridge import DOUBLE, PASS, Bid, Contract, Seat, Strain, parse_call
from tourney.bridge.slips import OPEN, SlipAuction, SlipCall
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


@pytest.mark.parametrize("row", DEALS, ids=lambda row: row["calls"])
def test_the_last_bidder_is_declarer(row: dict[str, str]) -> None:
    contract = called(*map(parsed, row["calls"].split())).contract
    assert contract is not None
    assert (str(contract), contract.declarer.letter) == (row["contract"], row["declarer"])


def test_after_openers_contract_its_left_hand_opponent_passes_or_overcalls() -> None:
    auction = called(PASS, OPEN, Bid(2, Strain.SPADES))
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
