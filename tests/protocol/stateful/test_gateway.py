"""The port of an event, without sockets: who is let in, and who is seated where."""

from ipaddress import ip_network

import pytest

from tourney.bridge import Seat
from tourney.protocol.access import TeamAccess, hash_phrase
from tourney.protocol.lines import Overlong
from tourney.protocol.stateful.front_door import (
    BAD_LINES_MAX,
    AdmitClient,
    CloseClient,
    FrontDoorEffect,
    LeaveTable,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
)
from tourney.protocol.stateful.gateway import CLIENTS_MAX, CLIENTS_PER_ADDRESS_MAX, GatewayCore

NORTH, EAST, SOUTH, WEST = Seat
WELCOME = ["TOURNAMENTS spring", "GAMES -"]
ALPHA, BETA = SeatOffer("Alpha", "match001open"), SeatOffer("Beta", "match001open")


class Port:
    """A gateway core with its clients."""

    def __init__(self, **access: TeamAccess) -> None:
        teams = {"Alpha": TeamAccess(), "Beta": TeamAccess()} | access
        self.core = GatewayCore("spring", teams)
        self.now_ms = 1000

    @classmethod
    def with_client(cls, *lines: str) -> "Port":
        """Return a port with a client that has said some lines."""
        port = cls()
        port.connect(1)
        for line in lines:
            port.send_line(1, line)
        return port

    def connect(self, number: int, peer: str = "10.0.0.7:4000") -> None:
        assert self.core.open_client(number, peer, self.now_ms) == []

    def send_line(self, number: int, line: str) -> list[FrontDoorEffect]:
        self.now_ms += 1
        return self.core.receive_line(number, line.encode(), self.now_ms)

    def join(self, number: int, team: str = "Alpha") -> list[FrontDoorEffect]:
        self.connect(number)
        self.send_line(number, f"HELLO {team}")
        return self.send_line(number, "JOIN-T")

    def offer(self, seat: Seat, offer: SeatOffer = ALPHA, *, host: int = 0, table: int = 1) -> list[FrontDoorEffect]:
        return self.core.offer_seat(SeatKey(host, table, seat), offer)

    def seat(self, number: int, seat: Seat = NORTH, *, host: int = 0) -> None:
        """Join and get a seat that is offered afterwards."""
        self.join(number)
        (taken,) = self.offer(seat, host=host)
        assert isinstance(taken, TakeSeat)
        self.core.receive_table_line(host, number, f"JOINED match001open {seat.letter}")


def seat_taken(effects: list[FrontDoorEffect]) -> TakeSeat:
    """Return the only effect, which is that."""
    (taken,) = effects
    assert isinstance(taken, TakeSeat)
    return taken


def lines(effects: list[FrontDoorEffect]) -> list[str]:
    return [effect.line for effect in effects if isinstance(effect, SendToClient)]


@pytest.mark.clause("SS-05", "SS-06")
def test_a_client_says_the_name_of_a_team_and_is_told_the_tournament() -> None:
    port = Port()
    port.connect(1)
    assert lines(port.send_line(1, "JOIN-T")) == ['NAK "HELLO and a name come first"']
    admitted, *told = port.send_line(1, "HELLO alpha")
    assert admitted == AdmitClient(1)
    assert lines(told) == WELCOME
    assert lines(port.send_line(1, "HELLO Beta")) == ['NAK "this connection is Alpha\'s already"']


@pytest.mark.clause("SS-35")
def test_a_seat_is_given_to_the_client_that_waits_for_it_longest() -> None:
    port = Port()
    assert port.join(1) == []
    assert port.join(2) == []
    said = ("HELLO Alpha", "JOIN-T")
    assert port.offer(NORTH) == [TakeSeat(1, SeatKey(0, 1, NORTH), "10.0.0.7:4000", said, 1)]
    assert port.offer(EAST, BETA) == []
    assert port.offer(SOUTH) == [TakeSeat(2, SeatKey(0, 1, SOUTH), "10.0.0.7:4000", said, 1)]


@pytest.mark.clause("SS-08", "SS-35")
def test_a_client_may_choose_game_and_position_among_the_seats_of_its_team() -> None:
    port = Port()
    for seat, offer in ((NORTH, ALPHA), (SOUTH, ALPHA), (EAST, BETA)):
        port.offer(seat, offer)
    port.connect(1)
    port.send_line(1, "HELLO Alpha")
    assert lines(port.send_line(1, "JOIN-M")) == ['NAK "no games are made here: JOIN-T spring asks for a seat"']
    assert lines(port.send_line(1, "JOIN-M match001open E")) == [
        'NAK "no seat E of game match001open is free for Alpha: JOIN-T spring asks for any"'
    ]
    assert lines(port.send_line(1, "JOIN-M match9")) == [
        'NAK "no seat in game match9 is free for Alpha: JOIN-T spring asks for any"'
    ]
    taken = seat_taken(port.send_line(1, "JOIN-M match001open N"))
    assert taken.key.seat is NORTH


def test_partners_who_come_back_before_their_table_has_been_started_again_keep_their_seats() -> None:
    port = Port()
    for number, seat in ((1, NORTH), (2, SOUTH)):
        port.connect(number)
        port.send_line(number, "HELLO Alpha")
        assert port.send_line(number, f"JOIN-M match001open {seat.letter}") == []
    for number, seat in ((2, SOUTH), (1, NORTH)):
        taken = seat_taken(port.offer(seat))
        assert (taken.client, taken.key.seat) == (number, seat)


def test_who_comes_back_to_a_game_that_is_over_gets_a_seat_of_the_next() -> None:
    port = Port.with_client("HELLO Alpha")
    assert port.send_line(1, "JOIN-M match001open N") == []
    seat_taken(port.offer(SOUTH, SeatOffer("Alpha", "match002closed")))
    port.join(2)
    assert lines(port.send_line(2, "JOIN-M match001open N")) == [
        'NAK "no seat N of game match001open is free for Alpha: JOIN-T spring asks for any"'
    ]


@pytest.mark.clause("SS-07")
def test_a_client_that_has_chosen_room_and_position_gets_them_in_every_round_and_no_other_seat() -> None:
    port = Port()
    for seat in (NORTH, SOUTH):
        port.offer(seat)
    port.connect(1)
    port.send_line(1, "HELLO Alpha")
    waits = 'NAK "South of Alpha in the closed room is not free now: the next that is free is yours"'
    assert lines(port.send_line(1, "JOIN-T - - CLOSED S")) == [waits]
    assert port.offer(EAST, SeatOffer("Alpha", "match001closed"), table=2) == []
    taken = seat_taken(port.offer(WEST, SeatOffer("Alpha", "match001closed"), table=2))
    assert taken.key.seat is WEST, "its team sits East-West there"
    port.core.receive_table_line(0, 1, "JOINED match001closed W")
    assert port.core.leave_table(0, 1, "the session is over", port.now_ms, is_over=True) == []
    assert port.offer(SOUTH, SeatOffer("Alpha", "match002open"), table=3) == []
    assert isinstance(port.offer(SOUTH, SeatOffer("Alpha", "match002closed"), table=4)[0], TakeSeat)
    port.core.receive_table_line(0, 1, "JOINED match002closed S")
    port.core.leave_table(0, 1, "the session is over", port.now_ms, is_over=True)
    assert isinstance(port.send_line(1, "JOIN-T")[0], TakeSeat), "it wants any seat now"


@pytest.mark.clause("SS-07")
@pytest.mark.parametrize(
    ("join", "why"),
    [
        ("JOIN-T autumn", "there is no tournament autumn here, only spring"),
        ("JOIN-T spring Beta", "your partner is of your own team, Alpha"),
        ("BID 1C", "Alpha has no seat yet: JOIN-T spring asks for one"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused(join: str, why: str) -> None:
    port = Port.with_client("HELLO Alpha")
    assert lines(port.send_line(1, join)) == [f'NAK "{why}"']


@pytest.mark.clause("SS-33", "SS-35")
def test_one_client_too_many_is_told_so_and_gets_the_seat_when_it_is_free_again() -> None:
    port = Port()
    port.seat(1)
    assert lines(port.join(2)) == ['NAK "no seat of Alpha is free now: the next that is free is yours"']
    assert port.core.close_client(1, "gone", port.now_ms) == [LeaveTable(0, 1, "gone")]
    taken = seat_taken(port.offer(NORTH))
    assert taken.client == 2


@pytest.mark.clause("SS-36")
def test_lines_pass_both_ways_while_a_client_has_its_seat_and_it_waits_for_the_next_afterwards() -> None:
    port = Port.with_client("X-HELLO TURN,END", "HELLO Alpha", "JOIN-T")
    taken = seat_taken(port.offer(NORTH))
    assert taken.lines == ("X-HELLO TURN,END", "HELLO Alpha", "JOIN-T")
    table = port.core.receive_table_line
    for own in ("X-HELLO TURN", "TOURNAMENTS spring", "GAMES -"):
        assert table(0, 1, own) == []
    assert table(0, 1, "JOINED match001open N") == [SendToClient(1, "JOINED match001open N")]
    assert table(0, 1, "TOURNAMENTS spring") == [SendToClient(1, "TOURNAMENTS spring")]
    assert port.send_line(1, "BID 1NT") == [SendToTable(0, 1, b"BID 1NT")]
    assert table(5, 1, "HAND AS") == []  # of another host
    assert table(0, 1, 'X-END "the session is over"') == []
    assert port.core.leave_table(0, 1, "the session is over", port.now_ms, is_over=True) == []
    (again,) = port.offer(WEST, SeatOffer("Alpha", "match007closed"), host=3, table=9)
    assert again == TakeSeat(1, SeatKey(3, 9, WEST), "10.0.0.7:4000", taken.lines, 1)


@pytest.mark.clause("SS-36")
def test_a_client_that_was_sent_away_is_disconnected() -> None:
    port = Port.with_client("X-HELLO END", "HELLO Alpha", "JOIN-T")
    port.offer(NORTH)
    port.core.receive_table_line(0, 1, "JOINED match001open N")
    effects = port.core.leave_table(0, 1, "the director says so", port.now_ms, is_over=False)
    assert effects == [SendToClient(1, 'X-END "the director says so"'), CloseClient(1, "the director says so")]
    assert port.send_line(1, "JOIN-T") == []


def test_a_seat_that_a_table_refuses_is_not_tried_again_by_the_same_client() -> None:
    port = Port()
    port.join(1)
    port.offer(NORTH)
    assert port.core.leave_table(0, 1, "taken", port.now_ms, is_over=True) == []
    assert port.offer(NORTH) == []
    assert isinstance(port.offer(SOUTH)[0], TakeSeat)


@pytest.mark.clause("SS-35")
def test_a_client_made_for_one_team_needs_no_phrase_and_sits_for_no_other() -> None:
    secret = TeamAccess(hash_phrase("open sesame", "ab" * 16))
    port = Port(Alpha=secret)
    port.core.open_client(1, "10.9.9.9:5000", port.now_ms, 1)
    port.send_line(1, "HELLO Alpha")
    port.send_line(1, "JOIN-T")
    taken = seat_taken(port.offer(NORTH))
    assert (taken.peer, taken.team_number) == ("10.9.9.9:5000", 1)
    port.core.open_client(2, "10.9.9.9:5001", port.now_ms, 1)
    refused = port.send_line(2, "HELLO Beta")
    assert lines(refused) == ["NAK \"this connection is for another team than 'Beta'\""]
    assert any(isinstance(effect, CloseClient) for effect in refused)


@pytest.mark.clause("SS-35")
def test_a_wrong_name_phrase_or_address_closes_the_connection() -> None:
    secret = TeamAccess(hash_phrase("open sesame", "ab" * 16))
    near = TeamAccess(allow=(ip_network("192.168.1.0/24"),))
    port = Port(Alpha=secret, Beta=near)
    refused = {
        "HELLO Gamma": "'Gamma' without a pass phrase from that address does not play here",
        "HELLO Alpha#sesame": "'Alpha' with that pass phrase from that address does not play here",
        "HELLO Beta": "'Beta' without a pass phrase from that address does not play here",
    }
    for number, (line, why) in enumerate(refused.items(), 1):
        port.connect(number)
        effects = port.send_line(number, line)
        assert lines(effects) == [f'NAK "{why}"']
        assert CloseClient(number, why) in effects
    port.connect(4)
    assert lines(port.send_line(4, 'HELLO "Alpha#open sesame"')) == WELCOME


@pytest.mark.clause("SS-12")
def test_the_twentieth_bad_line_closes_a_connection_that_has_no_seat() -> None:
    port = Port()
    port.connect(1)
    for _ in range(BAD_LINES_MAX - 1):
        assert len(port.send_line(1, "SHOUT")) == 1
    assert isinstance(port.core.receive_line(1, Overlong(8192), 1)[-1], CloseClient)


@pytest.mark.clause("SS-29")
def test_at_the_end_every_client_is_told_and_disconnected() -> None:
    port = Port.with_client("X-HELLO END")
    port.connect(2)
    end = "the event is over"
    assert port.core.interrupt(end, is_over=True) == [
        SendToClient(1, f'X-END "{end}"'),
        CloseClient(1, end),
        CloseClient(2, end),
    ]


@pytest.mark.clause("SS-29")
def test_a_port_that_stops_for_a_while_ends_no_session_and_tells_those_who_asked() -> None:
    port = Port.with_client("X-HELLO END,STOPPED")
    port.connect(2)
    port.send_line(2, "X-HELLO END")
    assert port.core.interrupt("until later") == [
        SendToClient(1, 'X-STOPPED "until later"'),
        CloseClient(1, "until later"),
        CloseClient(2, "until later"),
    ]


@pytest.mark.clause("SS-32", "SS-10")
def test_pings_and_extensions_are_answered_before_there_is_a_seat() -> None:
    port = Port.with_client("HELLO Alpha")
    assert lines(port.send_line(1, "X-PING 7")) == ["X-PONG 7"]
    assert lines(port.send_line(1, "X-HELLO TURN")) == [
        "X-HELLO BOARD,DECLARER,ALERT,TURN,RESULT,TIME,PING,POINTS,END,LEFT,STOPPED,NOTE,"
        "STATE,READY,GAMES,CLAIM,UNDO,ASK,CLOCK,SAY,MAY"
    ]


@pytest.mark.clause("SS-35")
@pytest.mark.parametrize(
    ("peer", "most", "why"),
    [
        ("10.0.0.7:{}", CLIENTS_PER_ADDRESS_MAX, "this port takes 1100 connections at once from 10.0.0.7"),
        ("", CLIENTS_MAX, "this port takes 4096 connections at once"),
    ],
)
def test_at_a_full_port_the_oldest_connection_without_a_name_gives_way(peer: str, most: int, why: str) -> None:
    port = Port()
    for number in range(1, most + 1):
        port.connect(number, peer.format(number))
    port.send_line(1, "HELLO Alpha")
    told = port.core.open_client(most + 1, peer.format(most + 1), port.now_ms)
    why += ", and the oldest gives way"
    assert told == [SendToClient(2, f'NAK "{why}"'), CloseClient(2, why)]
    port.core.close_client(1, "gone", port.now_ms)
    assert port.core.open_client(most + 2, peer.format(most + 2), port.now_ms) == []


def test_a_client_may_have_the_seat_again_that_it_had_before() -> None:
    port = Port()
    port.seat(1)
    port.core.leave_table(0, 1, "the session is over", port.now_ms, is_over=True)
    seat_taken(port.offer(NORTH))
