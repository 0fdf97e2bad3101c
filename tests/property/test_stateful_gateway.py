"""The port of an event, whatever happens in whatever order: a seat has one client, and lines reach nobody else."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tourney.bridge import SEATS, Seat
from tourney.protocol.access import TeamAccess
from tourney.protocol.lines import Overlong
from tourney.protocol.stateful.front_door import (
    CloseClient,
    FrontDoorEffect,
    LeaveTable,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
)
from tourney.protocol.stateful.gateway import GatewayCore

TEAMS = ("Alpha", "Beta")
LINES = st.one_of(
    st.sampled_from(
        [
            *(b"HELLO Alpha", b"HELLO Beta", b"HELLO Gamma", b"JOIN-T", b"JOIN-T spring Alpha", b"JOIN-T autumn"),
            *(b"JOIN-M", b"JOIN-M g1", b"JOIN-M g2 N", b"BID 1C", b"PLAY AS", b"X-HELLO END,TURN", b"X-PING 1", b""),
        ]
    ),
    st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")),
    st.just(Overlong(2048)),
)
CLIENTS, HOSTS, TABLES = st.integers(1, 5), st.integers(0, 2), st.integers(1, 2)
KEYS = st.builds(SeatKey, HOSTS, TABLES, st.sampled_from(SEATS))
STEPS = st.one_of(
    st.tuples(st.just("open"), CLIENTS),
    st.tuples(st.just("say"), CLIENTS, LINES),
    st.tuples(st.just("close"), CLIENTS),
    st.tuples(st.just("offer"), KEYS),
    st.tuples(st.just("withdraw"), KEYS),
    st.tuples(st.just("line"), HOSTS, CLIENTS, st.sampled_from(["JOINED g1 N", "HAND AS", "NAK no", "GAMES -"])),
    st.tuples(st.just("leave"), HOSTS, CLIENTS, st.booleans()),
    st.tuples(st.just("lose"), HOSTS),
)


class Floor:
    """Hosts, tables and clients around a port, which check each effect against what they know."""

    def __init__(self) -> None:
        self.core = GatewayCore("spring", dict.fromkeys(TEAMS, TeamAccess()))
        self.open: set[int] = set()
        self.offered: dict[SeatKey, str] = {}
        self.seats: dict[int, SeatKey] = {}
        """The seat of each client that has one."""
        self.now_ms = 0

    def step(self, step: tuple[object, ...]) -> None:
        self.now_ms += 1
        core = self.core
        match step:
            case ("open", int(client)) if client not in self.open:
                self.open.add(client)
                self.check(core.open_client(client, f"10.0.0.{client}:4000", self.now_ms))
            case ("say", int(client), bytes() | Overlong() as line):
                self.check(core.receive_line(client, line, self.now_ms), says=client)
            case ("close", int(client)) if client in self.open:
                self.open.remove(client)
                self.check(core.close_client(client, "gone", self.now_ms))
                self.seats.pop(client, None)
            case ("offer", SeatKey() as key) if key not in self.seats.values():
                team = TEAMS[key.seat % 2]
                self.offered[key] = team
                self.check(core.offer_seat(key, SeatOffer(team, f"g{key.table}")))
            case ("withdraw", SeatKey() as key):
                self.offered.pop(key, None)
                core.withdraw_seat(key)
            case ("line", int(host), int(client), str(line)):
                effects = core.receive_table_line(host, client, line)
                sent = [effect for effect in effects if isinstance(effect, SendToClient)]
                assert not sent or (sent == [SendToClient(client, line)] and self.sits(client, host))
            case ("leave", int(host), int(client), bool(is_over)):
                if self.sits(client, host):
                    del self.seats[client]
                self.check(core.leave_table(host, client, "over", self.now_ms, is_over=is_over))
            case ("lose", int(host)):
                self.offered = {key: team for key, team in self.offered.items() if key.host != host}
                self.seats = {client: key for client, key in self.seats.items() if key.host != host}
                self.check(core.lose_host(host))
            case _:
                pass

    def sits(self, client: int, host: int) -> bool:
        return client in self.seats and self.seats[client].host == host

    def check(self, effects: list[FrontDoorEffect], *, says: int = 0) -> None:
        for effect in effects:
            match effect:
                case TakeSeat(client=client, key=key):
                    assert client in self.open
                    assert client not in self.seats, "it has a seat"
                    assert key in self.offered, "nobody has offered it"
                    del self.offered[key]
                    self.seats[client] = key
                case SendToTable(host=host, client=client):
                    assert client == says
                    assert self.seats[client].host == host
                case LeaveTable(client=client):
                    self.seats.pop(client, None)
                case CloseClient(client=client):
                    self.seats.pop(client, None)
                case SendToClient(client=client, line=line):
                    assert client in self.open
                    assert len(line.encode()) <= 2048
                case _:
                    pass


@given(steps=st.lists(STEPS, max_size=60))
@examples(75)
def test_whatever_happens_a_seat_has_one_client_and_a_client_one_seat(steps: list[tuple[object, ...]]) -> None:
    floor = Floor()
    for step in steps:
        floor.step(step)
        assert len(set(floor.seats.values())) == len(floor.seats)
    assert all(isinstance(key.seat, Seat) for key in floor.seats.values())
