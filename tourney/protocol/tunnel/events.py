"""What a tunnel's end tells its shell: connections, streams, and calls for the director."""

from typing import NamedTuple


class Connected(NamedTuple):
    """The ends understand each other, at the first connection or again; streams go on."""

    lost_ms: int
    """How long there was no connection, in milliseconds; 0 at the first one."""


class ConnectionDead(NamedTuple):
    """Nothing has come for `DEAD_MS`, so that the WebSocket is to be closed."""


class DelayMeasured(NamedTuple):
    """A ping was answered."""

    round_trip_ms: int


class StreamOpened(NamedTuple):
    """A program has connected at the author's machine; only a server is told so."""

    stream: int


class DataReceived(NamedTuple):
    """Bytes for the program, or from it."""

    stream: int
    data: bytes
    own_ms: int | None
    """The program's own time before these bytes, by the client's word, in milliseconds; None where it says none."""


class EofReceived(NamedTuple):
    """No more bytes come from the other end of this stream; it may still take some."""

    stream: int


class RoomMade(NamedTuple):
    """A stream whose source had to wait may send again: `room` says how much."""

    stream: int


class StreamClosed(NamedTuple):
    """All bytes of a stream have been taken, in both directions."""

    stream: int


class StreamReset(NamedTuple):
    """A stream has ended before its bytes did; bytes may be missing."""

    stream: int
    reason: str
    """One sentence or a part of one, printable."""


class DirectorCalled(NamedTuple):
    """The author calls the director; a server answers with `answer_call`."""

    call: int
    text: str


class CallAnswered(NamedTuple):
    """What the server says to a call for the director."""

    call: int
    text: str


class ByeReceived(NamedTuple):
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
