"""One end of a tunnel, client or server: its session, the streams in it, and what is kept to be sent again."""

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from tourney.errors import ProtocolError
from tourney.protocol.tunnel.events import (
    ByeReceived,
    CallAnswered,
    Connected,
    ConnectionDead,
    DataReceived,
    DelayMeasured,
    DirectorCalled,
    EofReceived,
    RoomMade,
    StreamClosed,
    StreamOpened,
    StreamReset,
    TunnelEvent,
)
from tourney.protocol.tunnel.frames import (
    ONLY_FROM_CLIENT,
    ONLY_FROM_SERVER,
    OWN_MS_MAX,
    VERSION,
    FrameKind,
    Hello,
    TunnelFrame,
    decode_text,
    encode_text,
    format_bye,
    format_frame,
    parse_frame,
)

SUBPROTOCOL: Final = "tourney-tunnel-1"
"""The subprotocol of the WebSocket."""

TRY_AGAIN: Final = 1013
"""The code with which a server closes the WebSocket of a client that has to wait (RFC 6455, registered with IANA)."""

DATA_BYTES_MAX: Final = 32_768
"""Maximum number of a stream's bytes that are sent in one message."""

KEPT_BYTES_MAX: Final = 262_144
"""Maximum number of bytes of a stream, in one direction, that the far end's reader has not taken."""

STREAMS_MAX: Final = 8
"""Streams that may be open at once: a team has four programs at two tables."""

CALLS_MAX: Final = 3
"""Calls for the director that may wait for their answer at once."""

PING_MS: Final = 10_000
"""How often each end asks whether the other is there, in milliseconds."""

DEAD_MS: Final = 25_000
"""After so long without a message a connection is dead, in milliseconds."""

HELLO_MS: Final = 5_000
"""How long a server's shell waits for the first message, in milliseconds."""

_SENT_BYTES_MAX: Final = STREAMS_MAX * KEPT_BYTES_MAX
_SENT_MESSAGES_MAX: Final = 8192
"""What is sent and not known to be received; when there is as much, the rest waits."""

_UNSENT_MESSAGES_MAX: Final = 256
"""Messages that may wait when the other end wants something new that will be answered by more."""


class TunnelSide(Enum):
    """Which end of a tunnel this is."""

    CLIENT = "client"
    SERVER = "server"


class _ConnectionState(Enum):
    """Whether messages can be exchanged.

    DISCONNECTED -> GREETING (client) or CONNECTED (server) by `connect`; GREETING -> CONNECTED by a welcome; either
    -> DISCONNECTED when the connection is lost; all -> ENDED by a bye, or when a session was held for too long.
    """

    DISCONNECTED = auto()
    GREETING = auto()
    CONNECTED = auto()
    ENDED = auto()


class _FlowState(Enum):
    """How far one direction of a stream has come; only ever forward."""

    OPEN = auto()
    ENDED = auto()
    """Its source has ended; not all has been taken."""
    FINISHED = auto()


@dataclass(slots=True)
class _Flow:
    """One direction of a stream."""

    passed: int = 0
    """Bytes that this end has sent or received."""
    taken: int = 0
    """Bytes that the reader at the receiving end has taken."""
    state: _FlowState = _FlowState.OPEN

    @property
    def room(self) -> int:
        """How many more bytes may pass now."""
        return KEPT_BYTES_MAX - (self.passed - self.taken) if self.state is _FlowState.OPEN else 0


@dataclass(slots=True)
class _Kept:
    """A numbered message, kept until it is known to be received."""

    kind: FrameKind
    stream: int
    value: int
    body: bytes | bytearray
    number: int = 0
    """Given when it is first sent; 0 until then."""


@dataclass(slots=True)
class _Stream:
    outgoing: _Flow = field(default_factory=_Flow)
    incoming: _Flow = field(default_factory=_Flow)
    tail: _Kept | None = None
    """The last message with its bytes; more are added to it while it is not sent."""


class TunnelEnd:
    """One end of a tunnel: a session of one client, over any number of connections, one at a time.

    What is said about a stream that has ended is ignored: its end may be on its way.
    """

    def __init__(self, side: TunnelSide, session: bytes, *, incarnation: int = 0, hold_ms: int | None = None) -> None:
        """Create the end of a session that has not been connected yet.

        Args:
            side: which end this is.
            session: `SESSION_BYTES` random bytes that the client has chosen.
            incarnation: at a server a random number from 1 to 2**64 - 1, new for each end; 0 at a client.
            hold_ms: how long the session is held without a connection before its streams are reset and it has ended,
                in milliseconds; None for ever, as at a client.
        """
        self._side = side
        self.session = session
        """The random name of the session."""
        self._incarnation = incarnation
        self._hold_ms = hold_ms
        self._state = _ConnectionState.DISCONNECTED
        self._lost_at_ms: int | None = None
        self._heard_at_ms = 0
        self._events: deque[TunnelEvent] = deque()
        self._streams: dict[int, _Stream] = {}
        self._last_stream = 0
        self._calls: dict[int, str] = {}
        self._last_call = 0

        self._unsent: deque[_Kept] = deque()
        self._sent: deque[_Kept] = deque()
        self._sent_bytes = 0
        self._sent_count = 0
        """Number of the last message that was given one."""
        self._received_count = 0

        # What waits to be sent and is made anew after each connection.
        self._greeting: bytes | None = None
        self._farewell: bytes | None = None
        self._is_receipt_due = False
        self._acknowledgements: set[int] = set()
        self._last_ping = 0
        self._ping_due = False
        self._pinged_at_ms: int | None = None
        """When the ping was sent that is not answered yet."""
        self._next_ping_at_ms = 0
        self._pong: int | None = None

    # The state

    @property
    def is_connected(self) -> bool:
        """Whether both ends have greeted each other on a connection that is not known to be lost."""
        return self._state is _ConnectionState.CONNECTED

    @property
    def has_ended(self) -> bool:
        """Whether the session is over for good."""
        return self._state is _ConnectionState.ENDED

    @property
    def streams(self) -> tuple[int, ...]:
        """The streams that have not ended, in the order of their opening."""
        return tuple(self._streams)

    @property
    def wake_at_ms(self) -> int | None:
        """When `tick` has something to do at the latest, if nothing else happens; None for never."""
        match self._state:
            case _ConnectionState.CONNECTED:
                return min(self._next_ping_at_ms, self._heard_at_ms + DEAD_MS)
            case _ConnectionState.GREETING:
                return self._heard_at_ms + DEAD_MS
            case _ConnectionState.DISCONNECTED if self._hold_ms is not None and self._lost_at_ms is not None:
                return self._lost_at_ms + self._hold_ms
            case _:
                return None

    def next_event(self) -> TunnelEvent | None:
        """Return what has happened since, one after the other; None for nothing more."""
        return self._events.popleft() if self._events else None

    def next_message(self) -> bytes | None:
        """Return the next binary message to send on the connection; None for none at the moment."""
        if self._farewell is not None:
            message, self._farewell = self._farewell, None
        elif self._greeting is not None:
            message, self._greeting = self._greeting, None
        elif self._state is not _ConnectionState.CONNECTED:
            return None
        elif self._pong is not None:
            message, self._pong = format_frame(FrameKind.PONG, self._pong), None
        elif self._ping_due:
            message, self._ping_due = format_frame(FrameKind.PING, self._last_ping), False
        elif self._acknowledgements or self._is_receipt_due:
            message = self._take_acknowledgement()
        elif self._unsent and self._sent_bytes < _SENT_BYTES_MAX and len(self._sent) < _SENT_MESSAGES_MAX:
            message = self._take_kept()
        else:
            return None
        return message

    # The connection

    def connect(self, now_ms: int, hello: Hello | None = None) -> None:
        """Begin on a new connection; an older one is thereby given up.

        Args:
            now_ms: the time.
            hello: at a server the client's first message.

        Raises:
            ProtocolError: the hello does not fit what has been sent; or the session has ended.
        """
        if self.has_ended:
            raise ProtocolError("the session has ended")
        if self._side is TunnelSide.CLIENT:
            self._drop_connection(now_ms)
            self._state = _ConnectionState.GREETING
            self._greeting = format_frame(
                FrameKind.HELLO, self._received_count, VERSION, self._incarnation, self.session
            )
            self._heard_at_ms = now_ms
            return
        if hello is None:
            raise ProtocolError("a server is connected by a client's hello")
        self._drop_connection(now_ms)
        if hello.incarnation == self._incarnation:
            self._release_received(hello.received)
        else:
            self._forget("the other end does not know this connection any more")
        self._greeting = format_frame(FrameKind.WELCOME, self._received_count, 0, self._incarnation)
        self._begin(now_ms)

    def disconnect(self, now_ms: int) -> None:
        """Note that the connection is lost. Streams stay, and wait for the next one."""
        if not self.has_ended:
            self._drop_connection(now_ms)

    def tick(self, now_ms: int) -> None:
        """Do what is due by the clock: pings, a dead connection, the end of a session that nobody came back to."""
        match self._state:
            case _ConnectionState.GREETING | _ConnectionState.CONNECTED:
                if now_ms - self._heard_at_ms >= DEAD_MS:
                    self._drop_connection(now_ms)
                    self._events.append(ConnectionDead())
                elif self._state is _ConnectionState.CONNECTED and now_ms >= self._next_ping_at_ms:
                    self._ping(now_ms)
            case _ConnectionState.DISCONNECTED:
                wake_at_ms = self.wake_at_ms
                if wake_at_ms is not None and now_ms >= wake_at_ms:
                    lost_s = (now_ms - (self._lost_at_ms or now_ms)) // 1000
                    self._end(f"the tunnel has been lost for {lost_s} s")
            case _ConnectionState.ENDED:
                pass

    def send_bye(self, reason: str) -> None:
        """End the session for good; the reason is shown to people at the other end. No events follow."""
        if self.has_ended:
            return
        farewell = format_bye(reason)
        self._end("")
        self._events.clear()
        self._farewell = farewell

    def receive(self, message: bytes, now_ms: int) -> None:
        """Take a binary message of the connection.

        Raises:
            ProtocolError: it is garbage, or not what may come now. Nothing has changed.
        """
        if self._state not in {_ConnectionState.GREETING, _ConnectionState.CONNECTED}:
            raise ProtocolError("a message came without a connection")
        frame = parse_frame(message)
        kind = frame.kind
        if kind in (ONLY_FROM_CLIENT if self._side is TunnelSide.CLIENT else ONLY_FROM_SERVER):
            raise ProtocolError(f"a {kind.name.lower()} message came from the wrong end")
        if self._state is _ConnectionState.GREETING:
            is_timely = kind in {FrameKind.WELCOME, FrameKind.BYE}
        else:
            is_timely = kind not in {FrameKind.WELCOME, FrameKind.HELLO}
        if not is_timely:
            raise ProtocolError(f"a {kind.name.lower()} message came at the wrong time")
        self._carry_out(frame, now_ms)
        self._heard_at_ms = now_ms

    # Streams

    def open_stream(self) -> int:
        """Open a stream for a program that has connected; return its number, never used again in this session.

        Raises:
            ProtocolError: `STREAMS_MAX` are open, this is a server, or the session has ended.
        """
        if self._side is TunnelSide.SERVER:
            raise ProtocolError("only a client opens streams")
        if self.has_ended:
            raise ProtocolError("the session has ended")
        if len(self._streams) >= STREAMS_MAX:
            raise ProtocolError(f"no more than {STREAMS_MAX} programs can be connected through a tunnel at once")
        self._last_stream += 1
        self._streams[self._last_stream] = _Stream()
        self._keep(FrameKind.OPEN, self._last_stream)
        return self._last_stream

    def room(self, stream: int) -> int:
        """Return how many bytes of a stream may be given to `send` now; 0 for one that takes no more."""
        state = self._streams.get(stream)
        return 0 if state is None else state.outgoing.room

    def send(self, stream: int, data: bytes, own_ms: int | None = None) -> None:
        """Send bytes of a stream, now or as soon as there is a connection.

        Args:
            stream: the stream.
            data: at most `room(stream)` bytes.
            own_ms: at a client, how long the program has thought before these bytes: from the last byte it was given
                to the first of its answer, in milliseconds; None where they answer nothing.

        Raises:
            ProtocolError: more bytes than there is room for, or after the end of file.
        """
        state = self._streams.get(stream)
        if state is None or not data:
            return
        if len(data) > state.outgoing.room:
            raise ProtocolError(f"{len(data)} bytes are more than the {state.outgoing.room} that may be sent")
        state.outgoing.passed += len(data)
        value = 0 if own_ms is None else 1 + min(max(own_ms, 0), OWN_MS_MAX)
        tail = state.tail
        if tail is not None and not tail.number and not value and isinstance(tail.body, bytearray):
            rest = DATA_BYTES_MAX - len(tail.body)
            tail.body += data[:rest]
            data = data[rest:]
        for start in range(0, len(data), DATA_BYTES_MAX):
            state.tail = self._keep(FrameKind.DATA, stream, value, bytearray(data[start : start + DATA_BYTES_MAX]))
            value = 0

    def send_eof(self, stream: int) -> None:
        """Say that no more bytes of a stream follow from here; again it is ignored."""
        state = self._streams.get(stream)
        if state is not None and state.outgoing.state is _FlowState.OPEN:
            state.outgoing.state = _FlowState.ENDED
            self._keep(FrameKind.EOF, stream)

    def acknowledge(self, stream: int, length: int) -> None:
        """Note that the program has taken so many more bytes of a stream, which makes room for others.

        Raises:
            ProtocolError: so many have not been received.
        """
        state = self._streams.get(stream)
        if state is None or not length:
            return
        if length > state.incoming.passed - state.incoming.taken:
            raise ProtocolError(f"{length} more bytes of stream {stream} were not received")
        state.incoming.taken += length
        self._acknowledgements.add(stream)
        self._finish_incoming(stream, state)

    def reset(self, stream: int, reason: str) -> None:
        """End a stream at once; the other end is told why. No event follows at this end."""
        if stream not in self._streams:
            return
        is_known = stream not in self._unknown_streams()
        self._drop_stream(stream)
        if is_known:
            self._keep(FrameKind.RESET, stream, body=encode_text(reason))

    # The director

    def call_director(self, text: str) -> int:
        """Call the director, at a client; return the number of the call, which `CallAnswered` will name.

        Raises:
            ProtocolError: `CALLS_MAX` calls have no answer yet, this is a server, or the session has ended.
        """
        if self._side is TunnelSide.SERVER or self.has_ended:
            raise ProtocolError("only a client whose session has not ended calls the director")
        if len(self._calls) >= CALLS_MAX:
            raise ProtocolError(f"{CALLS_MAX} calls for the director have no answer yet")
        self._last_call += 1
        self._calls[self._last_call] = text
        self._keep(FrameKind.CALL_DIRECTOR, 0, self._last_call, encode_text(text))
        return self._last_call

    def answer_call(self, call: int, text: str) -> None:
        """Answer a call for the director, at a server: whether the director is told, in a sentence."""
        if self._calls.pop(call, None) is not None:
            self._keep(FrameKind.ANSWER_CALL, 0, call, encode_text(text))

    # Receiving: for each message first its checks, then the changes

    def _carry_out(self, frame: TunnelFrame, now_ms: int) -> None:
        match frame.kind:
            case FrameKind.WELCOME:
                self._take_welcome(frame, now_ms)
            case FrameKind.ACKNOWLEDGE:
                self._take_acknowledged(frame)
            case FrameKind.PING:
                self._pong = frame.number
            case FrameKind.PONG:
                if frame.number > self._last_ping:
                    raise ProtocolError(f"ping {frame.number} is answered and was not sent")
                if frame.number == self._last_ping and self._pinged_at_ms is not None:
                    self._events.append(DelayMeasured(now_ms - self._pinged_at_ms))
                    self._pinged_at_ms = None
            case FrameKind.BYE:
                reason = decode_text(frame.body)
                self._end(reason)
                self._events.append(ByeReceived(reason))
            case _:
                due = self._received_count + 1
                if frame.number > due:
                    raise ProtocolError(f"message {frame.number} came where {due} was due")
                if frame.number == due:  # else it is sent again
                    self._take_numbered(frame)
                    self._received_count = due
                self._is_receipt_due = True

    def _take_welcome(self, frame: TunnelFrame, now_ms: int) -> None:
        if not frame.value:
            raise ProtocolError("the server has no incarnation")
        if frame.value == self._incarnation:
            self._release_received(frame.number)
        elif frame.number:
            raise ProtocolError(f"a server that knows nothing of a session has received {frame.number} messages")
        elif self._incarnation:
            self._forget("the server was started again")
        self._incarnation = frame.value
        self._begin(now_ms)

    def _take_acknowledged(self, frame: TunnelFrame) -> None:
        stream, taken = frame.stream, frame.value
        self._check_opened(stream)
        state = self._streams.get(stream)
        if state is not None and taken > state.outgoing.passed:
            raise ProtocolError(
                f"{taken} bytes of stream {stream} are acknowledged, and {state.outgoing.passed} sent"
            )
        self._release_received(frame.number)
        if state is not None and taken > state.outgoing.taken:
            had_room = state.outgoing.room > 0
            state.outgoing.taken = taken
            if not had_room and state.outgoing.room > 0:
                self._events.append(RoomMade(stream))

    def _take_numbered(self, frame: TunnelFrame) -> None:
        stream, call = frame.stream, frame.value
        match frame.kind:
            case FrameKind.OPEN:
                self._take_open(stream)
            case FrameKind.CALL_DIRECTOR:
                if len(self._calls) >= CALLS_MAX:
                    raise ProtocolError(f"more than {CALLS_MAX} calls for the director wait for an answer")
                if call <= self._last_call:
                    raise ProtocolError(f"call {call} for the director came after {self._last_call}")
                self._last_call = call
                self._calls[call] = text = decode_text(frame.body)
                self._events.append(DirectorCalled(call, text))
            case FrameKind.ANSWER_CALL:
                if self._calls.pop(call, None) is not None:
                    self._events.append(CallAnswered(call, decode_text(frame.body)))
            case _:
                if not stream:
                    raise ProtocolError("stream 0 was never opened")
                self._check_opened(stream)
                if (state := self._streams.get(stream)) is not None:
                    self._take_of_stream(frame, state)

    def _take_open(self, stream: int) -> None:
        if stream <= self._last_stream:
            raise ProtocolError(f"stream {stream} is opened after stream {self._last_stream}")
        if len(self._streams) >= STREAMS_MAX:
            raise ProtocolError(f"more than {STREAMS_MAX} streams are opened at once")
        if len(self._unsent) >= _UNSENT_MESSAGES_MAX:
            raise ProtocolError("streams are opened faster than what is sent about them is received")
        self._last_stream = stream
        self._streams[stream] = _Stream()
        self._events.append(StreamOpened(stream))

    def _take_of_stream(self, frame: TunnelFrame, state: _Stream) -> None:
        stream = frame.stream
        match frame.kind:
            case FrameKind.DATA:
                if state.incoming.state is not _FlowState.OPEN:
                    raise ProtocolError(f"bytes of stream {stream} came after its end of file")
                if len(frame.body) > state.incoming.room:
                    raise ProtocolError(
                        f"more than {KEPT_BYTES_MAX} bytes of stream {stream} came that were not taken"
                    )
                if not frame.body:
                    raise ProtocolError(f"a message for stream {stream} has no bytes")
                state.incoming.passed += len(frame.body)
                self._events.append(DataReceived(stream, frame.body, frame.value - 1 if frame.value else None))
            case FrameKind.EOF:
                if state.incoming.state is not _FlowState.OPEN:
                    raise ProtocolError(f"the end of file of stream {stream} came twice")
                state.incoming.state = _FlowState.ENDED
                self._events.append(EofReceived(stream))
                self._finish_incoming(stream, state)
            case FrameKind.FINISHED:
                if state.outgoing.state is not _FlowState.ENDED:
                    raise ProtocolError(f"stream {stream} is finished that has not ended")
                state.outgoing.taken = state.outgoing.passed
                state.outgoing.state = _FlowState.FINISHED
                self._close_if_finished(stream, state)
            case _:
                self._drop_stream(stream)
                self._events.append(StreamReset(stream, decode_text(frame.body)))

    def _check_opened(self, stream: int) -> None:
        if stream > self._last_stream:
            raise ProtocolError(f"stream {stream} was never opened")

    def _unknown_streams(self) -> set[int]:
        """Return the streams that the other end does not know about."""
        return {kept.stream for kept in self._unsent if kept.kind is FrameKind.OPEN and not kept.number}

    def _drop_stream(self, stream: int) -> None:
        """Forget a stream, and what is to be said of it but not yet numbered."""
        del self._streams[stream]
        self._acknowledgements.discard(stream)
        self._unsent = deque(kept for kept in self._unsent if kept.stream != stream or kept.number)

    def _finish_incoming(self, stream: int, state: _Stream) -> None:
        if state.incoming.state is _FlowState.ENDED and state.incoming.taken == state.incoming.passed:
            state.incoming.state = _FlowState.FINISHED
            self._keep(FrameKind.FINISHED, stream)
            self._close_if_finished(stream, state)

    def _close_if_finished(self, stream: int, state: _Stream) -> None:
        if state.incoming.state is state.outgoing.state is _FlowState.FINISHED:
            del self._streams[stream]
            self._acknowledgements.discard(stream)
            self._events.append(StreamClosed(stream))

    # Keeping and sending

    def _keep(self, kind: FrameKind, stream: int, value: int = 0, body: bytes | bytearray = b"") -> _Kept:
        kept = _Kept(kind, stream, value, body)
        self._unsent.append(kept)
        return kept

    def _take_kept(self) -> bytes:
        kept = self._unsent.popleft()
        if not kept.number:
            self._sent_count += 1
            kept.number = self._sent_count
        self._sent.append(kept)
        self._sent_bytes += len(kept.body)
        return format_frame(kept.kind, kept.number, kept.stream, kept.value, kept.body)

    def _take_acknowledgement(self) -> bytes:
        self._is_receipt_due = False
        stream = self._acknowledgements.pop() if self._acknowledgements else 0
        taken = self._streams[stream].incoming.taken if stream else 0
        return format_frame(FrameKind.ACKNOWLEDGE, self._received_count, stream, taken)

    def _release_received(self, count: int) -> None:
        """Forget the kept messages that the other end has received by its word.

        Raises:
            ProtocolError: that cannot be; nothing has changed.
        """
        kept = self._sent or self._unsent
        released = ((kept[0].number if kept else 0) or self._sent_count + 1) - 1
        if not released <= count <= self._sent_count:
            raise ProtocolError(
                f"the other end has received {count} messages by its word; {released} to {self._sent_count} can be"
            )
        while self._sent and self._sent[0].number <= count:
            self._sent_bytes -= len(self._sent.popleft().body)
        while self._unsent and 0 < self._unsent[0].number <= count:
            self._unsent.popleft()

    def _ping(self, now_ms: int) -> None:
        self._last_ping += 1
        self._ping_due = True
        self._pinged_at_ms = now_ms
        self._next_ping_at_ms = now_ms + PING_MS

    # Beginning and ending

    def _begin(self, now_ms: int) -> None:
        lost_ms = 0 if self._lost_at_ms is None else now_ms - self._lost_at_ms
        self._lost_at_ms = None
        self._state = _ConnectionState.CONNECTED
        self._heard_at_ms = now_ms
        self._is_receipt_due = True
        self._acknowledgements = {stream for stream, state in self._streams.items() if state.incoming.taken}
        self._ping(now_ms)
        self._events.append(Connected(lost_ms))

    def _drop_connection(self, now_ms: int) -> None:
        """Forget the connection: what was sent on it and not received is first in what is to be sent."""
        if self._state is _ConnectionState.CONNECTED:
            self._lost_at_ms = now_ms
        self._state = _ConnectionState.DISCONNECTED
        self._unsent.extendleft(reversed(self._sent))
        self._sent.clear()
        self._sent_bytes = 0
        self._greeting = None
        self._is_receipt_due = self._ping_due = False
        self._acknowledgements.clear()
        self._pinged_at_ms = None
        self._pong = None

    def _forget(self, reason: str) -> None:
        """Begin the session anew: reset the streams that the other end may know; the rest has not been sent yet."""
        unknown = self._unknown_streams()
        for stream in self.streams:
            if stream not in unknown:
                del self._streams[stream]
                self._events.append(StreamReset(stream, reason))
        self._unsent = deque(kept for kept in self._unsent if kept.stream in self._streams)
        self._sent_count = self._received_count = 0
        if self._side is TunnelSide.CLIENT:
            for call, text in self._calls.items():
                self._keep(FrameKind.CALL_DIRECTOR, 0, call, encode_text(text))
        else:
            self._last_stream = self._last_call = 0
            self._calls.clear()

    def _end(self, reason: str) -> None:
        for stream in self.streams:
            self._events.append(StreamReset(stream, reason))
        self._streams.clear()
        self._unsent.clear()
        self._sent.clear()
        self._sent_bytes = 0
        self._greeting = self._farewell = None
        self._acknowledgements.clear()
        self._state = _ConnectionState.ENDED
