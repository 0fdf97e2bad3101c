"""Our own players at foreign table managers: looser forms of a server's lines are understood.

Each form names the program that sends it.
"""

import re

import pytest

from tests.support.wire_players import (
    CARDS,
    DUMMY,
    ONE_NT,
    converse,
    declarer,
    defender,
    hear,
    in_auction,
    only,
    says,
    seated_player,
)
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST
from tourney.bridge import PASS, Bid, Call, Card, Strain, Suit, Vulnerability, parse_card
from tourney.errors import ProtocolError, RuleError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import Overlong
from tourney.protocol.player import Leave

SOUTHS_CARDS = "Dummy's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8."
"""The line that shows dummy to the defenders of `defender`."""

TRICK_1 = f"""
    hears: West plays 4S
    hears: {DUMMY}
    plays: N AS
    hears: East plays TS
    plays: S 5S
"""
"""The trick of `declarer` that dummy wins."""


@pytest.mark.parametrize(
    "line",
    [
        "South Alpha seated",  # Bridge Moniteur, bridge_env
        'south ("Alpha") SEATED',
        "South (Alpha) seated.",
        "south the long name of a team seated",
    ],
)
def test_other_forms_of_seated_are_understood(line: str) -> None:
    player = PlayerCore(SOUTH, "Alpha")
    assert hear(player, line) == says("South ready for teams")


def test_a_player_that_asked_for_any_seat_sits_where_it_is_told() -> None:
    player = PlayerCore(None, "Alpha", version=19, system="sayc")
    assert player.start() == says('Connecting "Alpha" as ANYPL using protocol version 19 sayc')
    assert hear(player, "Start of board") == []
    with pytest.raises(ProtocolError, match="the table has not said which seat"):
        _ = player.seat
    assert hear(player, 'West ("Alpha") seated') == says("West ready for teams")
    assert player.seat is WEST


@pytest.mark.parametrize(
    "line",
    [
        'Teams : N/S : "Alpha". E/W : "Beta"',  # version 18 as printed
        'Teams : N/S : "Alpha" E/W : "Beta". Playing IMP',  # RoboTM
        'Teams: N/S "Alpha" E/W "Beta"',  # open_spiel
        'Teams: N/S: "Alpha". E/W: "Beta"',  # ZBridgeE
        'teams : n/s : "Alpha" e/w : "Beta".',
    ],
)
def test_other_forms_of_the_teams_line_are_understood(line: str) -> None:
    player = PlayerCore(SOUTH, "Alpha")
    hear(player, 'South ("Alpha") seated')
    assert hear(player, line) == says("South ready to start")


def test_the_teams_told_again_are_answered_again() -> None:
    # Bridge Moniteur repeats the line when a tournament is started again.
    converse(seated_player(), 'hears: Teams : N/S : "Alpha" E/W : "Beta" -> South ready to start')


@pytest.mark.parametrize("line", ["Start of Board", "start of board", "START OF BOARD", "Start of board."])
def test_start_of_board_is_read_in_any_case(line: str) -> None:
    # Bridge Moniteur writes `Board`, open_spiel all small.
    assert hear(seated_player(), line) == says("South ready for deal")


@pytest.mark.parametrize(
    "line",
    [
        "Board number 5. Dealer North. N/S vulnerable. Open room.",  # RoboTM
        "Board number 5. Dealer NORTH. N/S vulnerable",  # Brdge-Bot, open_spiel
        "board number 5. dealer north. n/s vulnerable.",
        "Board number 5.Dealer North.N/S vulnerable.",
    ],
)
def test_other_forms_of_the_board_line_are_understood(line: str) -> None:
    player = seated_player()
    hear(player, "Start of board")
    assert hear(player, line) == says("South ready for cards")
    hear(player, CARDS)
    assert player.view is not None
    assert (player.view.number, player.view.dealer) == (5, NORTH)
    assert player.view.vulnerability is Vulnerability.NS


@pytest.mark.parametrize(
    "line",
    [
        "SOUTH's cards : C T 9 8. D A K Q J. H 4 3 2. S 7 6 5.",  # open_spiel
        "South's cards : S 7 6 5.H 4 3 2.D A K Q J.C T 9 8.",  # RoboTM of 2017
        "South's cards: S 765. H 432. D AKQJ. C T98.",
        "south's cards : s 7 6 5. h 4 3 2. d a k q j. c 10 9 8.",
        "South\x92s cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8",
    ],
)
def test_other_forms_of_a_hand_are_understood(line: str) -> None:
    player = seated_player()
    hear(player, "Start of board", "Board number 1. Dealer North. Neither vulnerable.")
    assert player.receive_line(line.encode("latin-1")) == says("South ready for North's bid")
    assert player.view is not None
    assert str(player.view.hand) == "765.432.AKQJ.T98"


@pytest.mark.parametrize("void", ["H -.", "H .", "H.", "", "H --."])
def test_a_void_may_be_a_dash_or_nothing(void: str) -> None:
    player = seated_player()
    hear(player, "Start of board", "Board number 1. Dealer North. Neither vulnerable.")
    hear(player, f"South's cards : S 7 6 5. {void} D A K Q J T 9. C T 9 8 7.")
    assert player.view is not None
    assert str(player.view.hand) == "765..AKQJT9.T987"


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("NORTH PASSES", PASS),  # open_spiel
        ("North passes.", PASS),  # Bridge Moniteur
        ("North bids Pass", PASS),
        ("NORTH bids 1n", ONE_NT),
        ("North bids 1NT Alert.", ONE_NT),
        ("North bids 1NT Infos.C=2-5", ONE_NT),
        ("North  bids  1NT", ONE_NT),
    ],
)
def test_other_forms_of_a_call_are_understood(line: str, call: Call) -> None:
    player = in_auction()
    assert hear(player, line) == says("South ready for East's bid")
    assert player.view is not None
    assert player.view.auction.calls == [call]


@pytest.mark.parametrize(
    "text",
    ["Asking partner to lead.", "North is seated", "Partner's cards : unknown", "Teams", "error", "End of session"],
)
def test_an_alert_may_end_in_the_words_of_another_line(text: str) -> None:
    player = in_auction()
    assert hear(player, f"North bids 3NT Alert. {text}") == says("South ready for East's bid")
    assert player.view is not None
    assert len(player.view.auction.calls) == 1


@pytest.mark.parametrize("line", ["Dummy to lead", "South to lead", "SOUTH to lead.", "dummy TO LEAD"])
def test_declarer_may_be_named_when_dummy_is_on_lead(line: str) -> None:
    # open_spiel says declarer's name.
    converse(declarer(), f"{TRICK_1}\nhears: {line} -> a card of N")


@pytest.mark.parametrize(
    "line", ["South plays 7S", "Dummy plays 7S", "North plays 7S", "SOUTH plays s7", "South plays 7S. low"]
)
def test_a_card_of_dummys_is_understood_by_three_names(line: str) -> None:
    player = defender()
    converse(player, f"hears: East plays TS\nhears: {SOUTHS_CARDS}\nhears: {line} -> a card of W")
    assert player.view is not None
    assert player.view.cards[-1] == (SOUTH, Card(Suit.SPADES, 7))


def test_dummy_may_be_shown_before_the_lead_is_told() -> None:
    converse(declarer(), f"hears: {DUMMY} -> nothing\nhears: West plays 4S -> a card of N")


def test_a_card_told_before_dummy_is_shown_does_not_make_the_player_ask_for_dummy_again() -> None:
    converse(
        defender(),
        f"""
        hears: East plays TS -> West ready for dummy
        hears: South plays 7S -> nothing
        hears: {SOUTHS_CARDS} -> a card of W
        """,
    )


def test_a_leader_that_is_told_the_first_trick_before_dummy_leads_to_the_second_once_dummy_is_shown() -> None:
    player = in_auction(EAST, "East's cards : S T 9 8. H 7 6 5. D 4 3 2. C A K Q J.")
    converse(
        player,
        f"""
        hears: North bids 1NT
        calls: Pass
        hears: South passes
        hears: West passes
        hears: East to lead
        plays: E AC
        hears: South plays 8C
        hears: West plays 5C
        hears: North plays 2C
        hears: East to lead -> nothing
        hears: {SOUTHS_CARDS} -> a card of E
        """,
    )


def test_a_prompt_that_comes_twice_asks_for_one_card() -> None:
    converse(declarer(), f"{TRICK_1}\nhears: Dummy to lead -> a card of N\nhears: Dummy to lead -> nothing")


def test_a_prompt_for_another_hand_asks_for_nothing() -> None:
    converse(declarer(), "hears: West to lead -> nothing")


@pytest.mark.parametrize(
    "line",
    [
        "Feasability 12 11",  # Bridge Moniteur
        "NS:1NT+1 120",
        "Explain North's bids 1NT",  # RoboTM
        "Timing - N/S : this board [1:15], total [0:11:23]. E/W : this board [1:18], total [0:10:23].",  # open_spiel
        "",
        "Dummy's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.",
    ],
)
def test_unknown_lines_are_not_answered(line: str) -> None:
    for player in (seated_player(), in_auction(), declarer()):
        assert hear(player, line) == []


def test_start_of_board_in_the_middle_of_a_board_begins_it_again() -> None:
    player = declarer()
    converse(player, "hears: Start of board -> South ready for deal")
    assert player.view is None
    converse(
        player,
        f"""
        hears: Board number 1. Dealer North. Neither vulnerable.
        hears: {CARDS} -> South ready for North's bid
        """,
    )


@pytest.mark.parametrize(
    "line",
    [
        "Illegal bid",
        "Illegal card",
        "Error: North is taken",
        "Error Team name mismatch",
        "ERROR: Unexpected message received.",  # bridge_env
        "Expected 'north ready for cards'",  # RoboTM
        "Unexpected 'north passes' in state WaitForCards",
        "Illegal hand 'anypl' specified",
    ],
)
def test_a_player_that_is_refused_leaves_with_what_the_table_said(line: str) -> None:
    assert hear(in_auction(), line) == [Leave(f"the table said {line!r}")]


@pytest.mark.parametrize(
    "lines",
    [
        ("East passes",),  # North calls first
        ("North passes", "East passes", "West passes"),  # it is our own turn
        ("South passes",),
        ("North plays AS",),
    ],
)
def test_a_call_or_card_out_of_turn_ends_the_player_with_the_line(lines: tuple[str, ...]) -> None:
    assert hear(in_auction(), *lines) == [Leave(f"the table sent {lines[-1]!r} out of turn")]


@pytest.mark.parametrize("line", ["East plays TS", "North plays 2C", "South plays AD"])
def test_a_card_of_the_wrong_hand_ends_the_player_with_the_line(line: str) -> None:
    assert hear(declarer(), line) == [Leave(f"the table sent {line!r} out of turn")]


def test_a_card_told_in_the_players_own_turn_that_it_could_not_play_ends_the_player_with_the_line() -> None:
    converse(
        defender(),
        f"""
        hears: East plays TS
        hears: {SOUTHS_CARDS}
        hears: South plays 7S -> a card of W
        hears: West plays AH -> leaves: the table sent 'West plays AH' out of turn
        """,
    )


def test_an_illegal_call_from_the_table_ends_the_player_with_the_reason() -> None:
    (left,) = hear(in_auction(), "North doubles")
    assert "there is no bid to double" in str(left)


def test_bytes_and_long_lines_from_the_table_end_the_player_with_the_reason() -> None:
    player = in_auction()
    assert player.receive_line(Overlong(8192)) == [Leave("the table sent a line of more than 8192 bytes")]
    effect = only(Leave, player.receive_line(b"\xff\xfe\0"))
    assert effect.reason == (
        "the table sent '\\\\xff\\\\xfe\\x00', which cannot be: byte 0 at column 3 is a control character"
    )


def test_a_board_number_of_thousands_of_digits_is_no_board_line() -> None:
    player = seated_player()
    left = only(Leave, hear(player, "Start of board", f"Board number {'9' * 5000}. Dealer North. Both vulnerable."))
    assert re.match(r"the table sent 'Board number 9{184}\.\.\.' where it owed the deal", left.reason or "")


def test_the_owner_may_not_make_an_illegal_call_or_card() -> None:
    player = in_auction()
    hear(player, "North bids 1C", "East passes")
    with pytest.raises(RuleError, match="1C is not higher than 1C"):
        player.make_call(Bid(1, Strain.CLUBS))
    player = declarer()
    hear(player, "West plays 4S", DUMMY)
    with pytest.raises(RuleError, match="North may not play TH"):
        player.make_card(NORTH, parse_card("TH"))
