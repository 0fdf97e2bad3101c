"""What a tunnel's end tells its shell: connections, streams, and calls for the director."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connected:
    """The ends understand each other, at the first connection or again; streams go on."""

    is_resumed: bool
    """Whether the other end knows the session; else its streams have been reset."""
    lost_ms: int
    """How long there was no connection, in milliseconds; 0 at the first one."""


@dataclass(frozen=True, slots=True)
class ConnectionDead:
    """Nothing has come for `DEAD_MS`, so that the WebSocket is to be closed."""


@dataclass(frozen=True, slots=True)
class DelayMeasured:
    """A ping was answered."""

    round_trip_ms: int


@dataclass(frozen=True, slots=True)
class StreamOpened:
    """A program has connected at the author's machine; only a server is told so."""

    stream: int


@dataclass(frozen=True, slots=True)
class DataReceived:
    """Bytes for the program, or from it."""

    stream: int
    data: bytes
    own_ms: int | None
    """The program's own time before these bytes, by the client's word, in milliseconds; None where it says none."""


@dataclass(frozen=True, slots=True)
class EofReceived:
    """No more bytes come from the other end of this stream; it may still take some."""

    stream: int


@dataclass(frozen=True, slots=True)
class RoomMade:
    """A stream whose source had to wait may send again: `room` says how much."""

    stream: int


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """All bytes of a stream have been taken, in both directions."""

    stream: int


@dataclass(frozen=True, slots=True)
class StreamReset:
    """A stream has ended before its bytes did; bytes may be missing."""

    stream: int
    reason: str
    """One sentence or a part of one, printable."""


@dataclass(frozen=True, slots=True)
class DirectorCalled:
    """The author calls the director; a server answers with `answer_call`."""

    call: int
    text: str


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """What the server says to a call for the director."""

    call: int
    text: str


@dataclass(frozen=True, slots=True)
class ByeReceived:
    """The other end has ended the session for good; its streams have been reset."""

    reason: str


TunnelEvent = (
    Connected
    | ConnectionDead
    | DelayMeasured
    | StreamOpened
    | DataReceived
    | EofReceived
    | RoomMade
    | StreamClosed
    | StreamReset
    | DirectorCalled
    | CallAnswered
    | ByeReceived
)
