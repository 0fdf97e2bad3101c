"""A tunnel over connections that are cut: every stream's bytes arrive, or both ends are told."""

from collections import defaultdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import seeds
from tourney.errors import ProtocolError
from tourney.protocol.tunnel.end import KEPT_BYTES_MAX, STREAMS_MAX, TunnelEnd, TunnelSide
from tourney.protocol.tunnel.events import (
    ByeReceived,
    CallAnswered,
    Connected,
    ConnectionDead,
    DataReceived,
    DirectorCalled,
    EofReceived,
    StreamClosed,
    StreamOpened,
    StreamReset,
)
from tourney.protocol.tunnel.frames import format_bye, parse_hello

SESSION = b"0123456789abcdef"


def kept_bytes(end: TunnelEnd) -> int:
    """How many bytes are kept to be sent, or sent again."""
    return end._sent_bytes + sum(len(kept.body) for kept in end._unsent)


class Shell:
    """One end with its programs, which say random bytes and take what they get when they feel like it."""

    def __init__(self, random: Random, end: TunnelEnd) -> None:
        self.random = random
        self.end = end
        self.said: defaultdict[int, bytearray] = defaultdict(bytearray)
        self.heard: defaultdict[int, bytearray] = defaultdict(bytearray)
        self.unread: defaultdict[int, int] = defaultdict(int)
        self.ended: set[int] = set()
        self.at_eof: set[int] = set()
        self.closed: set[int] = set()
        self.reasons: dict[int, str] = {}

    def settle(self) -> None:
        while (event := self.end.next_event()) is not None:
            match event:
                case DataReceived(stream, data, _):
                    assert stream not in self.at_eof
                    self.heard[stream] += data
                    self.unread[stream] += len(data)
                    assert self.unread[stream] <= KEPT_BYTES_MAX
                case EofReceived(stream):
                    self.at_eof.add(stream)
                case StreamClosed(stream):
                    self.closed.add(stream)
                case StreamReset(stream, reason):
                    self.reasons[stream] = reason
                case _:
                    pass

    def speak(self, stream: int) -> None:
        room = self.end.room(stream)
        length = min(room, self.random.choice((1, 30, 5000, 300_000)))
        data = self.random.randbytes(length)
        self.said[stream] += data
        self.end.send(stream, data, self.random.choice((None, 12)))

    def finish(self, stream: int) -> None:
        if stream in self.end.streams and stream not in self.ended:
            self.ended.add(stream)
            self.end.send_eof(stream)

    def give_up(self, stream: int) -> None:
        if stream in self.end.streams:
            self.reasons[stream] = "given up"
            self.end.reset(stream, "given up")

    def read(self, stream: int) -> None:
        length = self.random.randint(0, self.unread[stream])
        self.unread[stream] -= length
        self.end.acknowledge(stream, length)
        self.settle()

    def act(self) -> None:
        streams = self.end.streams
        if not streams:
            return
        stream = self.random.choice(streams)
        match self.random.randrange(20):
            case 0:
                self.finish(stream)
            case 1:
                self.give_up(stream)
            case choice if choice < 11:
                self.read(stream)
            case _:
                if stream not in self.ended:
                    self.speak(stream)


class Path:
    """Two ends and a connection between them that does not last."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.now_ms = 0
        self.client = Shell(random, TunnelEnd(TunnelSide.CLIENT, SESSION))
        self.server = self.new_server()
        self.is_up = False
        self.is_greeted = False
        """Whether the server has had the client's hello on this connection."""
        self.ends = {TunnelSide.CLIENT: self.client, TunnelSide.SERVER: self.server}

    def new_server(self) -> Shell:
        incarnation = self.random.randrange(1, 2**64)
        return Shell(self.random, TunnelEnd(TunnelSide.SERVER, SESSION, incarnation=incarnation))

    def connect(self) -> None:
        self.cut()
        self.is_up = True
        self.client.end.connect(self.now_ms)
        self.client.settle()

    def cut(self) -> None:
        """Lose the connection; what was sent last on it may be lost with it."""
        if self.random.random() < 0.5:
            for shell in self.ends.values():
                while self.is_up and self.random.random() < 0.8 and shell.end.next_message() is not None:
                    pass
        self.is_up = self.is_greeted = False
        for shell in self.ends.values():
            if self.random.random() < 0.8:  # else it has not noticed yet
                shell.end.disconnect(self.now_ms)
            shell.settle()

    def restart_server(self) -> None:
        """Kill the server's process: what its programs said and heard is theirs no more."""
        self.cut()
        self.server = self.ends[TunnelSide.SERVER] = self.new_server()

    def move(self, side: TunnelSide) -> bool:
        """Carry one message to an end; return whether there was one."""
        if not self.is_up or (side is TunnelSide.CLIENT and not self.is_greeted):
            return False
        sender = self.ends[TunnelSide.SERVER if side is TunnelSide.CLIENT else TunnelSide.CLIENT]
        message = sender.end.next_message()
        if message is None:
            return False
        if side is TunnelSide.SERVER and not self.is_greeted:
            self.server.end.connect(self.now_ms, parse_hello(message))
            self.is_greeted = True
        else:
            self.ends[side].end.receive(message, self.now_ms)
        self.ends[side].settle()
        return True

    def drain(self) -> None:
        """Let everything arrive over a good connection, and every program end and read all."""
        self.connect()
        for _ in range(100_000):
            has_moved = [self.move(side) for side in TunnelSide]
            for shell in (self.client, self.server):
                for stream in shell.end.streams:
                    shell.finish(stream)
                    length, shell.unread[stream] = shell.unread[stream], 0
                    shell.end.acknowledge(stream, length)
                shell.settle()
            if not any(has_moved) and not self.client.end.streams and not self.server.end.streams:
                return
        raise AssertionError("it does not come to an end")

    def kept(self) -> int:
        return max(kept_bytes(self.client.end), kept_bytes(self.server.end))


def check_streams(path: Path) -> None:
    """Each stream came to an end: equal and complete, or with a reason at both ends."""
    for stream in {*path.client.closed, *path.client.reasons}:
        is_reset = stream in path.client.reasons or stream in path.server.reasons
        for sender, receiver in ((path.client, path.server), (path.server, path.client)):
            said, heard = sender.said[stream], receiver.heard[stream]
            assert said.startswith(heard)
            if stream in sender.closed or stream in receiver.at_eof:
                assert said == heard
        if is_reset:  # where one end has all its bytes, and was told that so has the other, it may have closed
            for shell in (path.client, path.server):
                assert shell.reasons.get(stream) or stream in shell.closed or shell is path.server
        else:
            assert stream in path.client.closed
            assert stream in path.server.closed


@given(seeds)
@examples(60)
def test_bytes_arrive_over_any_connections_or_both_ends_are_told(seed: int) -> None:
    random = Random(seed)
    path = Path(random)
    path.connect()
    for _ in range(random.choice((30, 300))):
        path.now_ms += random.randrange(100)
        match random.randrange(40):
            case 0:
                path.connect()
            case 1 | 2 | 3 | 4:
                if len(path.client.end.streams) < STREAMS_MAX:
                    path.client.end.open_stream()
            case choice if choice < 20:
                random.choice((path.client, path.server)).act()
            case _:
                path.move(random.choice(list(TunnelSide)))
        assert path.kept() <= 2 * STREAMS_MAX * KEPT_BYTES_MAX
    path.drain()
    check_streams(path)
    assert kept_bytes(path.client.end) == kept_bytes(path.server.end) == 0


@given(seeds)
@examples(20)
def test_a_server_that_was_started_again_resets_what_it_knew(seed: int) -> None:
    random = Random(seed)
    path = Path(random)
    path.connect()
    for _ in range(100):
        match random.randrange(12):
            case 0:
                path.restart_server()
                path.connect()
            case 1:
                path.connect()
            case 2 if len(path.client.end.streams) < STREAMS_MAX:
                path.client.end.open_stream()
            case 3 | 4:
                path.client.act()
            case _:
                path.move(random.choice(list(TunnelSide)))
    old = path.server
    path.restart_server()
    known = set(path.client.end.streams) & set(old.end.streams)
    path.drain()
    assert known <= path.client.reasons.keys()
    new = path.client.end.open_stream()
    path.drain()
    assert new in path.client.closed


def frame(kind: int, number: int = 0, stream: int = 0, value: int = 0, body: bytes = b"") -> bytes:
    """A message, by the layout that the module's description gives."""
    return bytes([kind]) + number.to_bytes(8, "big") + stream.to_bytes(4, "big") + value.to_bytes(8, "big") + body


messages = st.builds(
    frame,
    st.integers(0, 24),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 2**64 - 1),
    st.binary(max_size=30),
)


@given(st.binary(max_size=80) | messages, st.sampled_from(list(TunnelSide)))
@examples(200)
def test_garbage_is_one_clear_error_and_changes_nothing(garbage: bytes, side: TunnelSide) -> None:
    client, server = joined()
    end = client if side is TunnelSide.CLIENT else server
    before = (end.streams, kept_bytes(end), end.is_connected)
    try:
        end.receive(garbage, 0)
    except ProtocolError:
        assert (end.streams, kept_bytes(end), end.is_connected) == before


# By hand


def joined() -> tuple[TunnelEnd, TunnelEnd]:
    """A client and a server that have greeted each other and are quiet."""
    client = TunnelEnd(TunnelSide.CLIENT, SESSION)
    server = TunnelEnd(TunnelSide.SERVER, SESSION, incarnation=7, hold_ms=120_000)
    client.connect(0)
    server.connect(0, parse_hello(only_message(client)))
    exchange(client, server)
    return client, server


def only_message(end: TunnelEnd) -> bytes:
    message = end.next_message()
    assert message is not None
    return message


def exchange(client: TunnelEnd, server: TunnelEnd, now_ms: int = 0) -> list[object]:
    """Carry all messages; return the events of the server and the client."""
    while True:
        to_server, to_client = client.next_message(), server.next_message()
        if to_server is not None:
            server.receive(to_server, now_ms)
        if to_client is not None:
            client.receive(to_client, now_ms)
        if to_server is to_client is None:
            break
    events: list[object] = []
    for end in (server, client):
        while (event := end.next_event()) is not None:
            events.append(event)
    return events


OPEN, DATA, EOF, FINISHED = 16, 17, 18, 19


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([frame(OPEN, 2, 1)], "message 2 came where 1 was due"),
        ([frame(DATA, 1, 1, 0, b"x")], "stream 1 was never opened"),
        ([frame(OPEN, 1, 1), frame(OPEN, 2, 1)], "stream 1 is opened after stream 1"),
        ([frame(OPEN, at, at) for at in range(1, 10_000)], "more than 8 streams are opened at once"),
        ([frame(OPEN, 1, 1), frame(EOF, 2, 1), frame(DATA, 3, 1, 0, b"x")], "came after its end of file"),
        ([frame(OPEN, 1, 1), frame(FINISHED, 2, 1)], "finished that has not ended"),
        (
            [frame(OPEN, 1, 1), *(frame(DATA, at, 1, 0, bytes(60_000)) for at in range(2, 9))],
            "more than 262144 bytes of stream 1 came that were not taken",
        ),
        ([frame(3, 99)], "the other end has received 99 messages by its word; 0 to 0 can be"),
        ([frame(5, 99)], "ping 99 is answered and was not sent"),
        ([frame(2, 0, 0, 7)], "a welcome message came from the wrong end"),
        ([frame(1, 0, 1, 0, SESSION)], "a hello message came at the wrong time"),
        ([frame(99)], "a tunnel has no messages of kind 99"),
        ([b""], "has 21 to 65536 bytes, not 0"),
        ([bytes(65_537)], "has 21 to 65536 bytes, not 65537"),
        ([frame(6, body=b"\x1b[2J")], "printable characters only"),
        ([frame(6, body=b"\xff")], "in UTF-8"),
        ([frame(21, at, 0, at, b"help") for at in range(1, 9)], "more than 3 calls for the director"),
    ],
)
def test_what_breaks_the_rules_is_refused_in_a_sentence(messages: list[bytes], sentence: str) -> None:
    _, server = joined()

    with pytest.raises(ProtocolError, match=sentence):  # noqa: PT012 # the last of them is refused
        for message in messages:
            server.receive(message, 0)


def test_a_peer_that_opens_and_resets_for_ever_is_refused_before_memory_grows() -> None:
    _, server = joined()

    with pytest.raises(ProtocolError, match="opened faster than what is sent about them"):  # noqa: PT012
        for stream in range(1, 10_000):
            server.receive(frame(OPEN, stream, stream), 0)
            server.reset(stream, "no table")
    assert kept_bytes(server) < 10_000


def test_a_hello_of_another_version_says_what_to_do() -> None:
    with pytest.raises(ProtocolError, match="version 2 of the tunnel and the server version 1: get the client anew"):
        parse_hello(frame(1, 0, 2, 0, SESSION))


def test_stamps_come_with_the_bytes_they_belong_to_also_when_sent_again() -> None:
    client, server = joined()
    stream = client.open_stream()
    client.send(stream, b"North ", 250)
    while client.next_message() is not None:
        pass  # lost with the connection
    client.disconnect(0)
    client.send(stream, b"bids 1NT\r\n")
    client.send(stream, b"North ready\r\n", 30)
    client.connect(1000)
    server.connect(1000, parse_hello(only_message(client)))

    events = [event for event in exchange(client, server) if isinstance(event, DataReceived)]
    assert events == [
        DataReceived(stream, b"North ", 250),
        DataReceived(stream, b"bids 1NT\r\n", None),
        DataReceived(stream, b"North ready\r\n", 30),
    ]


def test_silence_for_25_s_is_a_dead_connection_and_a_held_session_ends() -> None:
    client, server = joined()
    stream = client.open_stream()
    exchange(client, server)
    assert [client.wake_at_ms, server.wake_at_ms] == [10_000, 10_000]

    for end in (client, server):
        end.tick(10_000)
        assert end.next_message() == frame(4, 2)
        end.tick(24_999)
        assert end.is_connected
        end.tick(25_000)
        assert end.next_event() == ConnectionDead()
        assert not end.is_connected

    assert [client.wake_at_ms, server.wake_at_ms] == [None, 145_000]
    server.tick(145_000)
    assert server.has_ended
    assert server.next_event() == StreamReset(stream, "the tunnel has been lost for 120 s")


def test_a_call_for_the_director_is_answered_though_its_connection_was_lost() -> None:
    client, server = joined()
    call = client.call_director("North's program hangs")
    assert client.next_message()
    client.disconnect(0)
    client.connect(5000)
    server.connect(5000, parse_hello(only_message(client)))

    assert DirectorCalled(call, "North's program hangs") in exchange(client, server)
    server.answer_call(call, "The director is called.")
    assert exchange(client, server) == [CallAnswered(call, "The director is called.")]


def test_a_server_can_refuse_a_client_before_its_welcome() -> None:
    client = TunnelEnd(TunnelSide.CLIENT, SESSION)
    client.connect(0)
    client.receive(format_bye("There are too many tunnels."), 0)

    assert client.next_event() == ByeReceived("There are too many tunnels.")


def test_a_connection_made_again_says_how_long_there_was_none() -> None:
    client, server = joined()
    stream = client.open_stream()
    exchange(client, server)
    client.disconnect(1000)
    client.connect(4000)
    server.connect(4000, parse_hello(only_message(client)))

    events = exchange(client, server, 4100)
    assert Connected(lost_ms=3100) in events
    assert StreamOpened(stream) not in events
    assert client.streams == server.streams == (stream,)
