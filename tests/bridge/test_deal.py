"""Deals as PBN text, with every refusal; and from a seed, dealt again by a second hand."""

import hashlib
import itertools

import pytest

from tests.support.refusals import refused_texts
from tourney.bridge import Seat, board_from_seed, deal_from_seed, format_deal, parse_deal
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


# Deals from a seed: frozen, and dealt again by a second hand from the written algorithm


PINNED = [
    (1, "main", 1, "N:A976.KJT53.Q.J94 Q3.72.A7642.QT65 K52.AQ96.KT93.K7 JT84.84.J85.A832"),
    (2026, "round-1", 16, "N:KQJ92.K2.AQT.T96 A75.98753.8752.K T863.J4.K3.QJ743 4.AQT6.J964.A852"),
    ("näher", "x", 999, "N:AK83.K92.J7.7543 6.AQJ875.KT.KQJ6 JT974.T643.652.8 Q52..AQ9843.AT92"),
]


def dealt_by_the_written_algorithm(seed: int | str, set_name: str, number: int) -> str:
    stream = b"".join(
        hashlib.sha256(f"tourney-deal-1|{seed}|{set_name}|{number}|{block}".encode()).digest() for block in range(32)
    )
    numbers = (int.from_bytes(stream[at : at + 4], "big") for at in itertools.count(0, 4))
    pack = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]
    for last in reversed(range(1, 52)):
        choices = last + 1
        drawn = next(numbers)
        while drawn >= (2**32 // choices) * choices:
            drawn = next(numbers)
        other = drawn % choices
        pack[last], pack[other] = pack[other], pack[last]
    hands = []
    for start in range(0, 52, 13):
        hand = pack[start : start + 13]
        suits = ["".join(rank for rank in "AKQJT98765432" if suit + rank in hand) for suit in "SHDC"]
        hands.append(".".join(suits))
    return "N:" + " ".join(hands)


@pytest.mark.parametrize(("seed", "set_name", "number", "text"), PINNED)
def test_a_seed_gives_the_deal_it_has_always_given(seed: int | str, set_name: str, number: int, text: str) -> None:
    assert format_deal(deal_from_seed(seed, set_name, number)) == text
    assert dealt_by_the_written_algorithm(seed, set_name, number) == text


def test_two_hundred_deals_follow_the_written_algorithm() -> None:
    for number in range(1, 201):
        deal = deal_from_seed("again", "set", number)
        assert format_deal(deal) == dealt_by_the_written_algorithm("again", "set", number)
        assert parse_deal(format_deal(deal)) == deal


def test_a_board_from_a_seed_is_numbered() -> None:
    board = board_from_seed(1, "main", 7)
    assert board.deal == deal_from_seed(1, "main", 7)
    assert (board.number, board.dealer.letter, str(board.vulnerability)) == (7, "S", "All")


def test_every_card_comes_to_every_seat_about_equally_often() -> None:
    deals = 4000
    counts: dict[tuple[int, str], int] = {}
    for number in range(1, deals + 1):
        for seat, hand in enumerate(deal_from_seed("evenness", "main", number).hands):
            for card in hand.cards:
                counts[seat, str(card)] = counts.get((seat, str(card)), 0) + 1
    # A count is binomial with p = 1/4: mean 1000, standard deviation 27.4. Five deviations for 208 counts.
    assert len(counts) == 208
    assert max(abs(count - deals / 4) for count in counts.values()) < 5 * 27.4
    # Together they spread no less and no more than chance has them: chi-square with 3 * 51 = 153 degrees of freedom,
    # standard deviation 17.5; 51 / 52 since a hand is drawn without putting cards back.
    chi_square = 51 / 52 * sum((count - deals / 4) ** 2 / (deals / 4) for count in counts.values())
    assert abs(chi_square - 153) < 5 * 17.5
