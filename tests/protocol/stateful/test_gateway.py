"""The port of an event, without sockets: who is let in, and who is seated where."""

from collections.abc import Sequence
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

    def __init__(self, *settings: str) -> None:
        """The `settings` are such as `Alpha says open sesame`, `Beta from 192.168.1.0/24`."""
        teams = {"Alpha": TeamAccess(), "Beta": TeamAccess()}
        for team, how, *words in map(str.split, settings):
            phrase = hash_phrase(" ".join(words), "ab" * 16) if how == "says" else None
            teams[team] = TeamAccess(phrase) if phrase else TeamAccess(allow=(ip_network(words[0]),))
        self.core = GatewayCore("spring", teams)
        self.now_ms = 1000
        self._taken: list[TakeSeat] = []
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
        1 finishes, 1 is sent away: why, it is over, it stops, 1 connects for Alpha
        taken -> 1 of 1 from 10.0.0.7:4000: HELLO Alpha, JOIN-T        what each seat was given with
        """
        for step in steps_of(script):
            self.now_ms += 1
            told = self._take_step(step.what)
            step.check([each if isinstance(each, str) else self._told(each) for each in told])

    def _take_step(self, step: str) -> Sequence[FrontDoorEffect | str]:
        who, _, said = step.partition(": ")
        match who.split():
            case [number, "connects", *more]:
                return self.core.open_client(int(number), "10.0.0.7:4000", self.now_ms, 1 if more else None)
            case ["it", "is", "over"]:
                return self.core.interrupt("the event is over", is_over=True)
            case ["it", "stops"]:
                return self.core.interrupt("until later")
            case ["taken"]:
                return [f"{t.client} of {t.team_number} from {t.peer}: {', '.join(t.lines)}" for t in self._taken]
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
                self._taken.append(effect)
                return f"{client} takes {key.seat.letter} of {key.host}.{key.table}"
            case _:
                raise AssertionError(effect)


@pytest.mark.clause("SS-12")
def test_the_twentieth_bad_line_closes_a_connection_that_has_no_seat() -> None:
    port = Port()
    port.converse("1 connects\n" + "1: SHOUT -> 1 hears ...\n" * (BAD_LINES_MAX - 1))
    assert isinstance(port.core.receive_line(1, Overlong(8192), 1)[-1], CloseClient)


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
