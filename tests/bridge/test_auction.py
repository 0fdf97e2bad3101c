"""Auctions: turns, legality in words, the end, the contract and its declarer."""

import pytest

from tests.support.golden_figures import golden_example
from tests.support.refusals import refused_texts
from tourney.bridge import (
    BIDS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Auction,
    Bid,
    Call,
    Contract,
    Seat,
    Strain,
    describe_call,
    parse_call,
)
from tourney.errors import RuleError


def auction_of(dealer: Seat, *texts: str) -> Auction:
    auction = Auction(dealer)
    for text in texts:
        auction.add(parse_call("Pass" if text == "P" else text))
    return auction


@pytest.mark.parametrize("key", ["auction_003", "auction_004"])
def test_the_worked_auctions_end_in_their_contract_and_declarer(key: str) -> None:
    example = golden_example(key)
    auction = auction_of(Seat.from_letter(example["dealer"]), *example["calls"])
    assert auction.is_over
    assert auction.contract is not None
    assert str(auction.contract) == example["contract"]
    assert auction.contract.declarer.letter == example["declarer"]


def test_a_contract_knows_its_dummy_its_leader_and_its_tricks() -> None:
    contract = Contract(4, Strain.SPADES, 0, Seat.EAST)
    assert (contract.dummy, contract.leader, contract.tricks_needed) == (Seat.WEST, Seat.SOUTH, 10)


@pytest.mark.parametrize(("calls", "why"), refused_texts("calls"))
def test_an_illegal_call_is_refused_with_its_reason(calls: str, why: str) -> None:
    *before, call = calls.split()
    auction = auction_of(Seat.NORTH, *before)
    legal = list(auction.calls)
    with pytest.raises(RuleError) as refused:
        auction.add(parse_call("Pass" if call == "P" else call))
    assert str(refused.value) == why
    assert auction.calls == legal


def test_an_auction_can_take_319_calls_and_no_more() -> None:
    auction = auction_of(Seat.NORTH, "P", "P", "P")
    for bid in BIDS:
        for call in (bid, PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS):
            auction.add(call)
    auction.add(PASS)
    assert len(auction.calls) == 319
    assert auction.legal_calls() == []
    assert str(auction.contract) == "7NTXX"


@pytest.mark.parametrize(
    ("call", "said"),
    [(Bid(1, Strain.NOTRUMP), "bids 1NT"), (PASS, "passes"), (DOUBLE, "doubles"), (REDOUBLE, "redoubles")],
)
def test_call_is_described_with_its_seat(call: Call, said: str) -> None:
    assert describe_call(Seat.NORTH, call) == f"North {said}"
