"""HELLO, JOIN-T and JOIN-M at a table: who is seated where, and who is refused."""

import pytest

from tests.support.stateful_tables import seat_stateful
from tests.support.wire_tables import EAST, NORTH, WEST, table
from tourney.bridge import Seat
from tourney.protocol.access import TableAccess, TeamAccess, hash_phrase
from tourney.protocol.session.records import SeatTaken


@pytest.mark.clause("SS-05", "SS-06")
def test_hello_is_answered_with_the_tournament_and_no_games() -> None:
    table().converse("a client comes\nit: HELLO Alpha -> TOURNAMENTS Spring -> GAMES -")


@pytest.mark.clause("SS-05")
@pytest.mark.parametrize("line", ["JOIN-T", "JOIN-M g1", "BID 1C", "PLAY AS", 'X-ALERT N "x"', "X-PING 1"])
def test_before_hello_there_is_nothing_but_nak(line: str) -> None:
    table().converse(f'a client comes\nit: {line} -> NAK "HELLO and a name come first"')


@pytest.mark.clause("SS-07", "SS-09")
@pytest.mark.parametrize("join", ["JOIN-T", "JOIN-T Spring", "JOIN-T Spring alpha", "JOIN-M g1"])
def test_a_client_gets_a_seat_that_its_team_lacks_a_player_for(join: str) -> None:
    rig = table()
    rig.converse(f"""
        a client comes
        it: HELLO Alpha
        it: {join} -> JOINED g1 S
        a client comes
        it: HELLO alpha
        it: {join} -> JOINED g1 N
    """)
    (_, taken) = rig.of_kind(SeatTaken)
    assert (taken.seat, taken.team, taken.system) == (NORTH, "alpha", "stateful")


@pytest.mark.clause("SS-08")
def test_a_client_can_choose_its_seat_in_the_game() -> None:
    table().converse("a client comes\nit: HELLO Beta\nit: JOIN-M g1 w -> JOINED g1 W")


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
    table().converse(f"""
        a client comes
        it: HELLO Alpha
        it: {join} -> NAK "{why}"
        it: JOIN-T -> JOINED g1 S
    """)


@pytest.mark.clause("SS-12")
@pytest.mark.parametrize(
    ("team", "join", "why"),
    [
        ("Gamma", "JOIN-T", "no seat of 'Gamma' is free"),
        ("Alpha", "JOIN-M g1 E", "'Alpha' sits NS here, East is a seat of 'Beta'"),
    ],
)
def test_a_log_on_that_is_refused_closes_the_connection(team: str, join: str, why: str) -> None:
    table().converse(f"""
        a client comes
        it: HELLO {team}
        it: {join} -> NAK "{why}"
        it is disconnected
    """)


@pytest.mark.clause("SS-08", "SS-33")
@pytest.mark.parametrize(
    ("join", "why"),
    [("JOIN-M g1 N", "North is taken by 'Alpha'"), ("JOIN-M g1", "no seat of 'Alpha' is free")],
)
def test_who_joins_a_game_that_is_full_is_told_who_has_the_seat(join: str, why: str) -> None:
    rig = table()
    seat_stateful(rig)
    rig.converse(f"""
        a client comes
        it: HELLO Alpha -> TOURNAMENTS Spring -> GAMES -
        it: {join} -> NAK "{why}"
        it is disconnected
    """)
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
    table(access=access).converse("""
        a client comes
        it: HELLO Alpha#sesame
        it: JOIN-T -> NAK "no seat of 'Alpha' with that pass phrase is free"
        a client comes
        it: HELLO "Alpha#open sesame"
        it: JOIN-T -> JOINED g1 S
        seated -> S Alpha
    """)


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
    table().converse(f"""
        a client comes
        it: X-HELLO BOARD
        it: HELLO Alpha -> {has} -> TOURNAMENTS Spring -> GAMES -
        a client comes
        it: HELLO Alpha
        it: X-HELLO - -> {has}
    """)


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
