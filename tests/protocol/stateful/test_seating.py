"""HELLO, JOIN-T and JOIN-M at a table: who is seated where, and who is refused."""

import pytest

from tests.support.stateful_tables import seat_stateful
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, table
from tourney.bridge import Seat
from tourney.protocol.access import TableAccess, TeamAccess, hash_phrase
from tourney.protocol.session.records import SeatTaken

NAMES_FIRST = 'NAK "HELLO and a name come first"'


@pytest.mark.clause("SS-05", "SS-06")
def test_hello_is_answered_with_the_tournament_and_no_games() -> None:
    rig = table()
    client = rig.connect_stateful()
    assert client.take() == []
    assert rig.send_line(client, "HELLO Alpha") == ["TOURNAMENTS Spring", "GAMES -"]


@pytest.mark.clause("SS-05")
@pytest.mark.parametrize("line", ["JOIN-T", "JOIN-M g1", "BID 1C", "PLAY AS", 'X-ALERT N "x"', "X-PING 1"])
def test_before_hello_there_is_nothing_but_nak(line: str) -> None:
    assert rig_says(line) == [NAMES_FIRST]


def rig_says(*lines: str) -> list[str]:
    """What a table answers to the lines of a new client."""
    rig = table()
    client = rig.connect_stateful()
    return [answer for line in lines for answer in rig.send_line(client, line)]


@pytest.mark.clause("SS-07", "SS-09")
@pytest.mark.parametrize("join", ["JOIN-T", "JOIN-T Spring", "JOIN-T Spring alpha", "JOIN-M g1"])
def test_a_client_gets_a_seat_that_its_team_lacks_a_player_for(join: str) -> None:
    rig = table()
    client = rig.connect_stateful()
    rig.send_line(client, "HELLO Alpha")
    assert rig.send_line(client, join) == ["JOINED g1 S"]
    second = rig.connect_stateful()
    rig.send_line(second, "HELLO alpha")
    assert rig.send_line(second, join) == ["JOINED g1 N"]
    (_, taken) = rig.of_kind(SeatTaken)
    assert (taken.seat, taken.team, taken.system) == (NORTH, "alpha", "stateful")


@pytest.mark.clause("SS-08")
def test_a_client_can_choose_its_seat_in_the_game() -> None:
    assert rig_says("HELLO Beta", "JOIN-M g1 w")[2:] == ["JOINED g1 W"]


@pytest.mark.clause("SS-07", "SS-11")
@pytest.mark.parametrize(
    ("join", "why"),
    [
        ("JOIN-T Autumn", "there is no tournament Autumn here, only Spring"),
        ("JOIN-T Spring Beta", "your partner is of your own team, Alpha"),
        ("JOIN-M", "no games are made here: JOIN-M g1 is the one in progress"),
        ("JOIN-M g2", "there is no game g2 here, only g1"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_with_what_there_is(join: str, why: str) -> None:
    assert rig_says("HELLO Alpha", join, "JOIN-T")[2:] == [f'NAK "{why}"', "JOINED g1 S"]


@pytest.mark.clause("SS-12")
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["HELLO Gamma", "JOIN-T"], "no seat of 'Gamma' is free"),
        (["HELLO Alpha", "JOIN-M g1 E"], "'Beta' sits EW here, East is a seat of 'Beta'"),
    ],
)
def test_a_log_on_that_is_refused_closes_the_connection(lines: list[str], why: str) -> None:
    rig = table()
    client = rig.connect_stateful()
    answers = [answer for line in lines for answer in rig.send_line(client, line)]
    assert answers[2].startswith("NAK ")
    assert client.closed


@pytest.mark.clause("SS-08", "SS-33")
@pytest.mark.parametrize(
    ("join", "why"),
    [("JOIN-M g1 N", "North is taken by 'Alpha'"), ("JOIN-M g1", "no seat of 'Alpha' is free")],
)
def test_who_joins_a_game_that_is_full_is_told_who_has_the_seat(join: str, why: str) -> None:
    rig = table()
    seat_stateful(rig)
    late = rig.connect_stateful()
    assert rig.send_line(late, "HELLO Alpha") == ["TOURNAMENTS Spring", "GAMES -"]
    assert rig.send_line(late, join) == [f'NAK "{why}"']
    assert late.closed
    assert not any(peer.closed for peer in rig.seats.values())


@pytest.mark.clause("SS-29")
def test_who_joins_a_game_that_is_over_is_told_so() -> None:
    rig = table()
    seat_stateful(rig)
    rig.stop("the director says so")
    late = rig.connect_stateful()
    assert late.take() == ['NAK "the session is over"']
    assert late.closed


@pytest.mark.clause("SS-05")
def test_a_pass_phrase_follows_the_name() -> None:
    guarded = TeamAccess(hash_phrase("open sesame", "ab" * 16))
    access = TableAccess(by_seat=dict.fromkeys((Seat.NORTH, Seat.SOUTH), guarded))
    rig = table(access=access)
    wrong = rig.connect_stateful()
    rig.send_line(wrong, "HELLO Alpha#sesame")
    (answer,) = rig.send_line(wrong, "JOIN-T")
    assert "with that pass phrase" in answer
    assert "sesame" not in answer
    right = rig.connect_stateful()
    rig.send_line(right, 'HELLO "Alpha#open sesame"')
    assert rig.send_line(right, "JOIN-T") == ["JOINED g1 S"]
    assert rig.seated == {SOUTH: "Alpha"}


@pytest.mark.clause("SS-05")
def test_a_seated_client_may_repeat_its_name_and_take_no_other() -> None:
    rig = table()
    seat_stateful(rig, seats=[NORTH])
    rig.converse("""
        N hears
        N: HELLO alpha -> TOURNAMENTS Spring -> GAMES -
        N: HELLO Beta -> NAK "this connection is Alpha's already"
    """)


@pytest.mark.clause("SS-10")
def test_extensions_are_asked_for_before_or_after_hello() -> None:
    has = "X-HELLO BOARD,DECLARER,ALERT,TURN,RESULT,TIME,PING,POINTS,END,LEFT,STOPPED,NOTE,"
    has += "STATE,READY,GAMES,CLAIM,UNDO,ASK,CLOCK,SAY,MAY"
    assert rig_says("X-HELLO BOARD", "HELLO Alpha") == [has, "TOURNAMENTS Spring", "GAMES -"]
    assert rig_says("HELLO Alpha", "X-HELLO -")[2:] == [has]


@pytest.mark.clause("SS-29")
def test_who_asked_for_it_is_told_that_the_session_is_over() -> None:
    rig = table()
    seat_stateful(rig, "END", seats=[NORTH])
    seat_stateful(rig, seats=[EAST])
    for seat in (NORTH, EAST):
        rig.take(seat)
    rig.converse("""
        stop: the director says so
        N hears -> X-END "the session is over"
        E hears -> nothing
        wait 1000
        N is disconnected
        E is disconnected
    """)
    assert WEST not in rig.seats
