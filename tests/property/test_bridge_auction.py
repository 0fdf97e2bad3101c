"""Legality of calls against a slow reading of Laws 18, 19 and 22 that looks at the whole auction each time."""

from hypothesis import given

from tests.support.strategies import auctions, whole_boards
from tourney.bridge import CALLS, PASS, Auction, Seat

STRAIN_ORDER = ["C", "D", "H", "S", "NT"]


def slow_is_over(texts: list[str]) -> bool:
    if len(texts) < 4:
        return False
    return texts[-3:] == ["Pass"] * 3


def slow_is_legal(texts: list[str], text: str) -> bool:
    """Whether `text` may follow `texts`; the side of a call is known by whether its place is even or odd."""
    if slow_is_over(texts):
        return False
    if text == "Pass":
        return True
    told = [(place, said) for place, said in enumerate(texts) if said != "Pass"]
    own = len(texts) % 2
    if text == "X":
        return bool(told) and told[-1][1] not in ("X", "XX") and told[-1][0] % 2 != own
    if text == "XX":
        return bool(told) and told[-1][1] == "X" and told[-1][0] % 2 != own
    bids = [said for _, said in told if said not in ("X", "XX")]
    return not bids or height(text) > height(bids[-1])


def height(text: str) -> int:
    return int(text[0]) * 5 + STRAIN_ORDER.index(text[1:])


def slow_contract(dealer: Seat, texts: list[str]) -> tuple[str, Seat] | None:
    """The contract as text, and its declarer."""
    places = [place for place, said in enumerate(texts) if said not in ("Pass", "X", "XX")]
    if not slow_is_over(texts) or not places:
        return None
    last = places[-1]
    strain = texts[last][1:]
    first = min(place for place in places if texts[place][1:] == strain and place % 2 == last % 2)
    doubles = "".join(said for said in texts[last:] if said == "XX") or "".join(
        said for said in texts[last:] if said == "X"
    )
    return texts[last] + doubles, Seat((dealer + first) % 4)


@whole_boards
@given(auctions(complete=False))
def test_a_call_is_legal_exactly_when_the_slow_reading_says_so(auction: Auction) -> None:
    texts = [str(call) for call in auction.calls]
    legal = {call for call in CALLS if slow_is_legal(texts, str(call))}
    assert {call for call in CALLS if auction.why_illegal(call) is None} == legal
    listed = auction.legal_calls()
    assert set(listed) == legal
    assert len(listed) == len(legal)
    assert auction.is_over == slow_is_over(texts)


@whole_boards
@given(auctions(complete=False))
def test_contract_and_declarer_are_those_of_the_slow_reading(auction: Auction) -> None:
    contract = auction.contract
    found = None if contract is None else (str(contract), contract.declarer)
    assert found == slow_contract(auction.dealer, [str(call) for call in auction.calls])


@whole_boards
@given(auctions())
def test_a_whole_auction_is_passed_out_or_has_a_contract(auction: Auction) -> None:
    assert auction.is_over
    assert auction.is_passed_out == (auction.contract is None)
    assert auction.calls[-3:] == [PASS] * 3
    assert auction.turn == Seat((auction.dealer + len(auction.calls)) % 4)
