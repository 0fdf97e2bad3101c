"""What people type is read in their short forms, and what is not legal is refused with the reason."""

import pytest

from tests.client.test_games import DEALT, HAND, view_of
from tourney.bridge import parse_call, parse_card
from tourney.client.typed import Command, TypedCall, TypedCommand, parse_join, parse_typed
from tourney.errors import RuleError

AUCTION = (*DEALT, HAND)
CLOSED = (*AUCTION, "AUCOPEN 0 PASS,PASS,PASS,1NT,PASS,PASS,PASS", "AUCCLOSE NT 1 0 EW", "X-DECLARER E")
DUMMY = "DUMMY 10S,10D,2D,AC,KC,QC,JC,10C,9C,8C,7C,6C,5C"
TRICK_1 = (DUMMY, "TRICK W 5D", "TRICK N 5D,2D", "TRICK E 5D,2D,AD", "TRICK 0 5D,2D,AD,3D", "TRICKSWON N")
IN_PLAY = (*CLOSED, "X-ALERT E asks 4", *TRICK_1, "TRICK N -", "TRICK E 7H", "TRICK S 7H,2H")
FOLLOWS = (*CLOSED[6:], *TRICK_1, "TRICK S 4H,3H")


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("1n", "1NT"),
        ("1NT", "1NT"),
        ("2 s", "2S"),
        ("3♥", "3H"),
        ("3♥️", "3H"),
        ("p", "Pass"),
        ("pass", "Pass"),
        ("x", "X"),
        ("dbl", "X"),
    ],
)
def test_a_call_is_typed_as_people_do(typed: str, call: str) -> None:
    assert parse_typed(typed, view_of(*AUCTION, "AUCOPEN S 1D,PASS,1H")) == (TypedCall(parse_call(call)))


@pytest.mark.parametrize("typed", ["2c! asks for majors", "2c alert asks for majors", "2C!asks for majors"])
def test_an_alert_may_follow_the_call(typed: str) -> None:
    assert parse_typed(typed, view_of(*AUCTION, "AUCOPEN S -")) == TypedCall(parse_call("2C"), "asks for majors")


@pytest.mark.parametrize(
    ("lines", "typed", "why"),
    [
        (("AUCOPEN S 1D,PASS,1H",), "1c", "1C is not possible: 1C is not higher than 1H"),
        (("AUCOPEN S -",), "x", "DOUBLE is not possible: there is no bid to double"),
        (("AUCOPEN S -",), "sa", "'sa' is a card, and it is your turn to bid: 1C .. 7NT, PASS; ? for help"),
        (("AUCOPEN S -",), "9nt", "'9nt' is not a call: 1C .. 7NT, PASS; ? for help"),
        (("AUCOPEN S -",), "hello there", "'hellothere' is not a call: 1C .. 7NT, PASS; ? for help"),
        (("AUCOPEN W 1D",), "p", "it is West's turn to call"),
        (CLOSED[6:], "h10", "no call or card is accepted at the moment"),
        (FOLLOWS, "sa", "follow suit: you hold the hearts 10 9 8"),
        (FOLLOWS, "hk", "you hold no such card: not the king of hearts"),
        ((*CLOSED[6:], *TRICK_1, "TRICK N -"), "h10", "it is North's turn to play"),
        (FOLLOWS, "1n", "the auction is over: play a card, such as sa or 10h"),
        (
            FOLLOWS,
            "zz",
            "'zz' is not a card: type suit and rank, such as sa or 10h; ? for help",
        ),
        ((*CLOSED[6:], *TRICK_1, "TRICK W 4H,3H,8H"), "d10", "it is East's turn to play from dummy"),
    ],
)
def test_a_call_or_card_that_is_not_legal_is_refused_with_the_reason(
    lines: tuple[str, ...], typed: str, why: str
) -> None:
    with pytest.raises(RuleError) as refused:
        parse_typed(typed, view_of(*AUCTION, *lines))
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("sa", "AS"),
        ("as", "AS"),
        ("10h", "TH"),
        ("th", "TH"),
        ("H10", "TH"),
        ("♥ 10", "TH"),
        ("a", "AS"),
        ("d7", "7D"),
    ],
)
def test_a_card_is_typed_as_people_do(typed: str, card: str) -> None:
    assert parse_typed(typed, view_of(*CLOSED, "TRICK S -")) == parse_card(card)


@pytest.mark.parametrize(("led", "typed", "card"), [("4H", "9", "9H"), ("KD", "d", None), ("2S", "q", "QS")])
def test_a_suit_or_a_rank_alone_is_enough_where_one_card_fits(led: str, typed: str, card: str | None) -> None:
    view = view_of(*CLOSED, *TRICK_1, f"TRICK S {led},3H")
    if card is None:
        with pytest.raises(RuleError, match="d may be D7 or D6: say which"):
            parse_typed(typed, view)
    else:
        assert parse_typed(typed, view) == parse_card(card)


def test_declarer_plays_from_dummy_and_dummy_watches() -> None:
    declarer = (*AUCTION, "AUCOPEN 0 1S,PASS,PASS,PASS", DUMMY, "TRICK N 3D")
    assert parse_typed("10", view_of(*declarer)) == parse_card("TD")
    with pytest.raises(RuleError, match="dummy holds no hearts"):
        parse_typed("h", view_of(*declarer))
    watching = (*AUCTION, "AUCOPEN 0 PASS,PASS,1S,PASS,PASS,PASS", DUMMY, "TRICK S 3D")
    with pytest.raises(RuleError, match="you are dummy: North plays your cards"):
        parse_typed("sa", view_of(*watching))


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("?", TypedCommand(Command.HELP)),
        ("STATE", TypedCommand(Command.STATE)),
        ("quit", TypedCommand(Command.QUIT)),
        ("join g3 N", TypedCommand(Command.JOIN, "g3 N")),
    ],
)
def test_a_command_is_a_word(typed: str, command: TypedCommand) -> None:
    assert parse_typed(typed, view_of()) == command


def test_join_names_a_game_and_perhaps_a_seat() -> None:
    assert parse_join("g3")[0] == "g3"
    assert parse_join("g3 west")[1] is not None
    with pytest.raises(RuleError, match="type join, the game"):
        parse_join("g3 up")
