"""Deals as PBN text: what is read, and every refusal."""

import pytest

from tests.support.refusals import refused_texts
from tourney.bridge import Board, Seat, Vulnerability, format_deal, parse_deal
from tourney.errors import FormatError

HANDS = ("A976.KJT53.Q.J94", "Q3.72.A7642.QT65", "K52.AQ96.KT93.K7", "JT84.84.J85.A832")
TEXT = "N:" + " ".join(HANDS)


def with_hands(*hands: str) -> str:
    return "N:" + " ".join(hands)


def test_a_deal_is_read_clockwise_from_the_seat_it_names() -> None:
    deal = parse_deal("S:" + " ".join(HANDS))
    assert [str(deal[seat]) for seat in (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)] == list(HANDS)


@pytest.mark.parametrize(
    "text",
    [
        f"  {TEXT}  ",
        TEXT.replace("N:", "n: "),
        TEXT.replace(" ", "   "),
        TEXT.lower(),
        TEXT.replace("T", "10"),
        with_hands("679A.35TJK.Q.49J", *HANDS[1:]),
    ],
    ids=["blanks around", "small letter and blank", "blanks between", "small letters", "ten as 10", "not sorted"],
)
def test_what_other_programs_write_is_read_as_the_same_deal(text: str) -> None:
    assert parse_deal(text) == parse_deal(TEXT)


def test_a_void_is_nothing_or_a_dash() -> None:
    plain = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    dashed = "N:AKQJT98765432.-.-.- -.AKQJT98765432.-.- -.-.AKQJT98765432.- -.-.-.AKQJT98765432"
    assert parse_deal(dashed) == parse_deal(plain)
    assert format_deal(parse_deal(dashed)) == plain


@pytest.mark.parametrize(
    ("text", "sentence"), [*refused_texts("deals"), ("", "a deal starts with N:, E:, S: or W:, got ''")]
)
def test_a_text_that_is_no_whole_deal_is_refused_with_the_first_thing_that_is_wrong(text: str, sentence: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_deal(text)
    assert str(refused.value) == sentence


def test_a_numbered_board_has_the_dealer_and_vulnerability_of_its_number() -> None:
    board = Board.numbered(6, parse_deal(TEXT))
    assert (board.number, board.dealer, board.vulnerability) == (6, Seat.EAST, Vulnerability.EW)
