"""The boards to play that a PBN text holds."""

from dataclasses import replace

import pytest

from tests.support.refusals import refused_texts
from tourney.bridge import DoubleDummyTable, Seat, Vulnerability, board_from_seed, format_deal
from tourney.errors import FormatError
from tourney.formats.boards import format_boards, parse_boards
from tourney.formats.file_kinds import decode_text

ONE = board_from_seed(1, "pbn", 1)
TWO = board_from_seed(1, "pbn", 2)
DEAL_ONE = format_deal(ONE.deal)
DEAL_TWO = format_deal(TWO.deal)


def _game(deal: str = DEAL_ONE, **tags: str) -> str:
    values = {"Board": "1", "Dealer": "N", "Vulnerable": "None", "Deal": deal} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in values.items() if value != "omit") + "\n"


def _refusal(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        parse_boards(text, "boards.pbn")
    return str(caught.value)


def test_boards_come_in_the_order_of_the_file() -> None:
    text = _game(DEAL_TWO, Board="2", Dealer="E", Vulnerable="NS") + _game()
    assert parse_boards(text, "boards.pbn") == [TWO, ONE]


@pytest.mark.parametrize(
    ("written", "vulnerability"),
    [
        *[(text, Vulnerability.NONE) for text in ("None", "Love", "-", "none", "NONE")],
        *[(text, Vulnerability.NS) for text in ("NS", "N/S", "N-S", "ns")],
        *[(text, Vulnerability.EW) for text in ("EW", "E/W", "E-W", "ew")],
        *[(text, Vulnerability.ALL) for text in ("All", "Both", "both", " All ")],
    ],
)
def test_vulnerability_in_every_spelling(written: str, vulnerability: Vulnerability) -> None:
    (board,) = parse_boards(_game(Board="6", Vulnerable=written), "boards.pbn")
    assert board.vulnerability is vulnerability


@pytest.mark.parametrize("silence", ["", "?", "omit"])
def test_vulnerability_and_dealer_not_given_follow_from_the_number(silence: str) -> None:
    (board,) = parse_boards(_game(Board="6", Vulnerable=silence, Dealer=silence), "boards.pbn")
    assert (board.dealer, board.vulnerability) == (Seat.EAST, Vulnerability.EW)


@pytest.mark.parametrize("silence", ["", "?", "omit"])
def test_a_board_without_a_number_has_the_next(silence: str) -> None:
    text = _game(Board="7") + _game(DEAL_TWO, Board=silence)
    assert [board.number for board in parse_boards(text, "boards.pbn")] == [7, 8]
    assert [board.number for board in parse_boards(_game(Board=silence), "boards.pbn")] == [1]


def test_the_two_rooms_of_a_board_are_one_board() -> None:
    adjacent = _game() + _game() + _game(DEAL_TWO, Board="2") + _game(DEAL_TWO, Board="2")
    by_room = (_game() + _game(DEAL_TWO, Board="2")) * 2
    unnumbered = _game(Board="omit") * 2
    inherited = _game() + _game("#", Board="#", Dealer="#", Vulnerable="#") + _game("#", Board="#")
    assert [b.number for b in parse_boards(adjacent, "x")] == [1, 2]
    assert [b.number for b in parse_boards(by_room, "x")] == [1, 2]
    assert [b.number for b in parse_boards(unnumbered, "x")] == [1]
    assert [b.number for b in parse_boards(inherited, "x")] == [1]


def _with_hand(north: str) -> str:
    rest = DEAL_ONE.split(" ", 1)[1]
    return f"N:{north} {rest}"


NORTH = DEAL_ONE[2:].split(" ", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        *refused_texts("boards"),
        (_game(Board="9" * 5000), f"boards.pbn line 1: a board number is 1 to 999999, got '{'9' * 20}'"),
        (_game(Board="\u0661"), "boards.pbn line 1: a board number is 1 to 999999, got '\u0661'"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    assert _refusal(text) == sentence


def _lettered(order: str, *, dots: bool = True) -> str:
    """The first deal with the letters of suits before them, in another order."""
    hands = [dict(zip("SHDC", hand.split("."), strict=True)) for hand in DEAL_ONE[2:].split()]
    return "N:" + " ".join(("." if dots else "").join(suit + hand[suit] for suit in order) for hand in hands)


@pytest.mark.parametrize("order", ["SHDC", "CDHS", "DSCH"])
def test_hands_may_have_letters_of_suits_in_any_order(order: str) -> None:
    for text in (
        _lettered(order),
        _lettered(order, dots=False),
        _lettered(order).lower(),
        _lettered(order).replace("T", "10"),
    ):
        assert parse_boards(_game(text), "x") == [ONE]


def test_a_hand_with_letters_before_some_suits_or_one_twice_is_refused() -> None:
    for hand in ("SAK2.T83.DKQ3.C752", "SAK2.ST83.DKQ3.C752"):
        assert "has each suit once, with its letter in front, got" in _refusal(_game(_with_hand(hand)))


def test_deals_are_read_where_a_record_is_read_leniently() -> None:
    broken = decode_text(('{ not closed\n[West "\x02"]\n' + _game() + "\x1a").encode())
    assert parse_boards(broken, "x") == [ONE]


@pytest.mark.parametrize("place", ["qx|o{}|", "qx|o{}|ah|Board 1|", "ah|Board 1|"])
def test_the_deals_of_lin_are_read_each_once(place: str) -> None:
    hands = [hand.replace(".", "") for hand in _lettered("SHDC")[2:].split()]
    deal = f"md|3{hands[2]},{hands[3]},{hands[0]},{hands[1]}|sv|o|mb|p|\n"
    number = 1 if "ah" in place else 41
    (board,) = parse_boards(place.format(41) + deal + place.format(57) + deal, "x")
    assert (board.number, board.deal, board.dealer) == (number, ONE.deal, ONE.dealer)


# Double-dummy tables

TABLE = DoubleDummyTable.parse("0123456789abcd012345")


def test_double_dummy_tables_are_read_where_they_are_asked_for() -> None:
    text = format_boards([replace(ONE, makes=TABLE), TWO], "test")
    assert [board.makes for board in parse_boards(text, "boards.pbn", reads_tables=True)] == [TABLE, None]
    assert [board.makes for board in parse_boards(text, "boards.pbn")] == [None, None]
    (board,) = parse_boards(_game(DoubleDummyTricks=str(TABLE)), "boards.pbn", reads_tables=True)
    assert board.makes == TABLE


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (("N  S  1", "N  S 14"), "a row is a declarer, a denomination and 0 to 13 tricks"),
        (("N  S  1", "N  X  1"), "a row is a declarer, a denomination and 0 to 13 tricks"),
        (("N  S  1\r\n", ""), "a double-dummy table has 20 rows, got 19"),
    ],
)
def test_a_table_that_is_none_is_refused_where_boards_are_decided_by_it(damaged: tuple[str, str], why: str) -> None:
    text = format_boards([replace(ONE, makes=TABLE)], "test").replace(*damaged)
    with pytest.raises(FormatError) as caught:
        parse_boards(text, "boards.pbn", reads_tables=True)
    assert str(caught.value).startswith("boards.pbn line ")
    assert str(caught.value).endswith(why)
    assert parse_boards(text, "boards.pbn") == [ONE]
