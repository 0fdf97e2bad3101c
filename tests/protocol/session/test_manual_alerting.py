"""After which calls the table waits for the operator: the list of version 18, line by line (BC-25, BC-26)."""

from itertools import combinations, product

import pytest

from tests.support.refusals import golden_cases
from tourney.bridge import PASS, Auction, Call, Seat, parse_call
from tourney.protocol.session.board.alerting import pauses_after
from tourney.protocol.session.rules import PairMethods


def calls_of(text: str) -> list[Call]:
    """`1C (P) 1NT` as calls. Raises unless all are legal."""
    auction = Auction(Seat.NORTH)
    for word in text.replace("(", "").replace(")", "").split():
        auction.add(PASS if word == "P" else parse_call(word.replace("D", "X") if {*word} == {"D"} else word))
    return auction.calls


@pytest.mark.clause("BC-25", "BC-26")
@pytest.mark.parametrize(("kind", "text"), [case.values[:2] for case in golden_cases("alerting_pauses")])
def test_the_table_waits_after_calls_outside_the_list_in_any_suit_and_position(kind: str, text: str) -> None:
    for line, (low, high), passes in product(text.splitlines(), combinations("CDHS", 2), range(4)):
        auction = line.partition("#")[0].replace("X", low).replace("Y", high)
        calls = calls_of("P " * passes + auction)
        for methods in (PairMethods(*each) for each in product((False, True), repeat=2)):
            expected = kind == "always" or getattr(methods, kind, False)
            assert pauses_after(calls, methods) is expected, (passes, auction, methods)


@pytest.mark.clause("BC-26")
def test_a_pair_plays_negative_doubles_and_no_inverted_minors_unless_told_otherwise() -> None:
    assert PairMethods() == PairMethods(inverted_minors=False, negative_doubles=True)
