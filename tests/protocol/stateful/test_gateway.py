"""The port of an event, without sockets: who is let in, and who is seated where."""

from ipaddress import ip_network

import pytest

from tests.support.conversation import steps_of
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


class Port:
    """A gateway core with its clients."""

    def __init__(self, **access: TeamAccess) -> None:
        teams = {"Alpha": TeamAccess(), "Beta": TeamAccess()} | access
        self.core = GatewayCore("spring", teams)
        self.now_ms = 1000
        self.taken: list[TakeSeat] = []
        """The seats that clients have been sent to."""

    def offer(self, where: str, team: str, game: str, host: int = 0, table: int = 1) -> list[FrontDoorEffect]:
        return self.core.offer_seat(SeatKey(host, table, Seat.from_letter(where)), SeatOffer(team, game))

    def converse(self, script: str) -> None:
        """Hold a conversation; its steps, with clients by their numbers, and what comes of them:

        1 connects, 1 hangs up
        1 joins: Alpha                 it connects, says its name and asks for a seat
        1: JOIN-T -> 1 hears ...       also: `1 is admitted`, `1 is closed: why`, `table 0 hears 1: BID 1NT`
        offered: N Alpha match001open -> 1 takes N of 0.1     host and table; these may follow: `E Beta match2 3 9`
        table 0 to 1: JOINED ...       a table says a line to a client
        1 finishes, 1 is sent away: why
        """
        for step in steps_of(script):
            self.now_ms += 1
            step.check([self._told(effect) for effect in self._take_step(step.what)])

    def _take_step(self, step: str) -> list[FrontDoorEffect]:
        who, _, said = step.partition(": ")
        match who.split():
            case [number, "connects"]:
                return self.core.open_client(int(number), "10.0.0.7:4000", self.now_ms)
            case [number, "joins"]:
                self.converse(f"{number} connects\n{number}: HELLO {said}")
                return self.core.receive_line(int(number), b"JOIN-T", self.now_ms)
            case [number, "hangs", "up"]:
                return self.core.close_client(int(number), "gone", self.now_ms)
            case [number, "finishes"]:
                return self.core.leave_table(0, int(number), "the session is over", self.now_ms, is_over=True)
            case [number, "is", "sent", "away"]:
                return self.core.leave_table(0, int(number), said, self.now_ms, is_over=False)
            case ["offered"]:
                seat, team, game, *place = said.split()
                return self.offer(seat, team, game, *map(int, place))
            case ["table", host, "to", number]:
                return self.core.receive_table_line(int(host), int(number), said)
            case [number]:
                return self.core.receive_line(int(number), said.encode(), self.now_ms)
            case _:
                raise AssertionError(f"a conversation has no step {step!r}")

    def _told(self, effect: FrontDoorEffect) -> str:
        match effect:
            case SendToClient(client, line):
                return f"{client} hears {line}"
            case AdmitClient(client):
                return f"{client} is admitted"
            case CloseClient(client, reason):
                return f"{client} is closed: {reason}"
            case LeaveTable(host, client, reason):
                return f"{client} leaves {host}: {reason}"
            case SendToTable(host, client, line):
                return f"table {host} hears {client}: {line.decode()}"
            case TakeSeat(client, key):
                self.taken.append(effect)
                return f"{client} takes {key.seat.letter} of {key.host}.{key.table}"
            case _:
                raise AssertionError(effect)


FREE = ": JOIN-T spring asks for any"
SEATED = """
    1 joins: Alpha
    offered: N Alpha match001open -> 1 takes N of 0.1
    table 0 to 1: JOINED match001open N
"""


@pytest.mark.clause("SS-35")
def test_a_seat_is_given_to_the_client_that_waits_for_it_longest() -> None:
    port = Port()
    port.converse("""
        1 joins: Alpha -> nothing
        2 joins: Alpha -> nothing
        offered: N Alpha match001open -> 1 takes N of 0.1
        offered: E Beta match001open -> nothing
        offered: S Alpha match001open -> 2 takes S of 0.1
    """)
    told = ("10.0.0.7:4000", ("HELLO Alpha", "JOIN-T"), 1)
    assert port.taken == [(1, SeatKey(0, 1, NORTH), *told), (2, SeatKey(0, 1, SOUTH), *told)]


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
    Port().converse(f"""
        1 connects
        1: HELLO Alpha
        1: {join} -> 1 hears NAK "{why}"
    """)


@pytest.mark.clause("SS-36")
def test_lines_pass_both_ways_while_a_client_has_its_seat_and_it_waits_for_the_next_afterwards() -> None:
    port = Port()
    port.converse("""
        1 connects
        1: X-HELLO TURN,END
        1: HELLO Alpha
        1: JOIN-T
        offered: N Alpha match001open -> 1 takes N of 0.1
        table 0 to 1: X-HELLO TURN -> nothing
        table 0 to 1: TOURNAMENTS spring -> nothing
        table 0 to 1: GAMES - -> nothing
        table 0 to 1: JOINED match001open N -> 1 hears JOINED match001open N
        table 0 to 1: TOURNAMENTS spring -> 1 hears TOURNAMENTS spring
        1: BID 1NT -> table 0 hears 1: BID 1NT
        # of another host
        table 5 to 1: HAND AS -> nothing
        table 0 to 1: X-END "the session is over" -> nothing
        1 finishes -> nothing
        offered: W Alpha match007closed 3 9 -> 1 takes W of 3.9
    """)
    assert [taken.lines for taken in port.taken] == [("X-HELLO TURN,END", "HELLO Alpha", "JOIN-T")] * 2
    assert port.taken[1][2:] == port.taken[0][2:]


@pytest.mark.clause("SS-35")
def test_a_client_made_for_one_team_needs_no_phrase_and_sits_for_no_other() -> None:
    port = Port(Alpha=TeamAccess(hash_phrase("open sesame", "ab" * 16)))
    for number in (1, 2):
        port.core.open_client(number, "10.9.9.9:5000", port.now_ms, 1)
    port.converse("""
        1: HELLO Alpha
        1: JOIN-T
        offered: N Alpha match001open -> 1 takes N of 0.1
        2: HELLO Beta
            -> 2 hears NAK "this connection is for another team than 'Beta'"
            -> 2 is closed: this connection is for another team than 'Beta'
    """)
    assert (port.taken[0].peer, port.taken[0].team_number) == ("10.9.9.9:5000", 1)


@pytest.mark.clause("SS-35")
def test_a_wrong_name_phrase_or_address_closes_the_connection() -> None:
    secret = TeamAccess(hash_phrase("open sesame", "ab" * 16))
    port = Port(Alpha=secret, Beta=TeamAccess(allow=(ip_network("192.168.1.0/24"),)))
    for name, whose in (("Gamma", "without a"), ("Alpha#sesame", "with that"), ("Beta", "without a")):
        why = f"'{name.partition('#')[0]}' {whose} pass phrase from that address does not play here"
        port.converse(f'1 connects\n1: HELLO {name} -> 1 hears NAK "{why}" -> 1 is closed: {why}')
        port.converse("1 hangs up")
    port.converse("""
        4 connects
        4: HELLO "Alpha#open sesame" -> 4 is admitted -> 4 hears TOURNAMENTS spring -> 4 hears GAMES -
    """)


@pytest.mark.clause("SS-12")
def test_the_twentieth_bad_line_closes_a_connection_that_has_no_seat() -> None:
    port = Port()
    port.converse("1 connects\n" + "1: SHOUT -> 1 hears ...\n" * (BAD_LINES_MAX - 1))
    assert isinstance(port.core.receive_line(1, Overlong(8192), 1)[-1], CloseClient)


@pytest.mark.clause("SS-29")
def test_at_the_end_every_client_is_told_and_disconnected() -> None:
    port = Port()
    port.converse("1 connects\n1: X-HELLO END\n2 connects")
    end = "the event is over"
    assert port.core.interrupt(end, is_over=True) == [
        SendToClient(1, f'X-END "{end}"'),
        CloseClient(1, end),
        CloseClient(2, end),
    ]


@pytest.mark.clause("SS-29")
def test_a_port_that_stops_for_a_while_ends_no_session_and_tells_those_who_asked() -> None:
    port = Port()
    port.converse("1 connects\n1: X-HELLO END,STOPPED\n2 connects\n2: X-HELLO END")
    assert port.core.interrupt("until later") == [
        SendToClient(1, 'X-STOPPED "until later"'),
        CloseClient(1, "until later"),
        CloseClient(2, "until later"),
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
        assert port.core.open_client(number, peer.format(number), port.now_ms) == []
    port.converse("1: HELLO Alpha")
    told = port.core.open_client(most + 1, peer.format(most + 1), port.now_ms)
    why += ", and the oldest gives way"
    assert told == [SendToClient(2, f'NAK "{why}"'), CloseClient(2, why)]
    port.converse("1 hangs up")
    assert port.core.open_client(most + 2, peer.format(most + 2), port.now_ms) == []
