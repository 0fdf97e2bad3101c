"""The messages of a tunnel as bytes: each is a frame of kind, number, stream and value, 21 bytes, and a body."""

import enum
import struct
from typing import Final, NamedTuple

from tourney.errors import ProtocolError

VERSION: Final = 1
"""The version of the tunnel's messages."""

MESSAGE_BYTES_MAX: Final = 65_536
"""Maximum length of a message; a longer one is a `ProtocolError`."""

TEXT_CHARS_MAX: Final = 300
"""Maximum length of a reason, or of words to or from the director; our own are cut."""

SESSION_BYTES: Final = 16
"""Length of a session's random name, which the client makes."""

OWN_MS_MAX: Final = 2**32
"""Upper bound of a stamp, in milliseconds; larger ones are cut to it."""

_HEADER: Final = struct.Struct("!BQIQ")


class FrameKind(enum.IntEnum):
    """Kinds of messages, with what number, stream, value and body mean. Below `OPEN` they are not kept."""

    HELLO = 1
    """Messages received so far; version; incarnation of the server that it has spoken with, or 0; session."""
    WELCOME = 2
    """Messages received so far; -; incarnation."""
    ACKNOWLEDGE = 3
    """Messages received so far; stream, or 0; its bytes that the reader has taken so far."""
    PING = 4
    """Number of the ping."""
    PONG = 5
    """Number of the ping that is answered."""
    BYE = 6
    """-; -; -; reason."""
    OPEN = 16
    """Number of the message, as in all that follow; stream."""
    DATA = 17
    """Number; stream; milliseconds of the program's own time plus 1, or 0; bytes."""
    EOF = 18
    """Number; stream: no more bytes follow in this direction."""
    FINISHED = 19
    """Number; stream: all bytes of the other direction have been taken, and its end of file."""
    RESET = 20
    """Number; stream; -; reason."""
    CALL_DIRECTOR = 21
    """Number; -; number of the call; words."""
    ANSWER_CALL = 22
    """Number; -; number of the call; words."""


ONLY_FROM_CLIENT: Final = frozenset({FrameKind.HELLO, FrameKind.OPEN, FrameKind.CALL_DIRECTOR})
ONLY_FROM_SERVER: Final = frozenset({FrameKind.WELCOME, FrameKind.ANSWER_CALL})
_WITH_TEXT: Final = frozenset({FrameKind.BYE, FrameKind.RESET, FrameKind.CALL_DIRECTOR, FrameKind.ANSWER_CALL})
_WITH_BODY: Final = _WITH_TEXT | {FrameKind.HELLO, FrameKind.DATA}


class Hello(NamedTuple):
    """The first message of a client on each connection."""

    session: bytes
    received: int
    """How many numbered messages it has received."""
    incarnation: int
    """That of the server it has spoken with in this session; 0 if it has had no welcome yet."""


class TunnelFrame(NamedTuple):
    kind: FrameKind
    number: int
    stream: int
    value: int
    body: bytes


def parse_hello(message: bytes) -> Hello:
    """Return the first message of a client.

    Raises:
        ProtocolError: it is none, or of another version.
    """
    frame = parse_frame(message)
    if frame.kind is not FrameKind.HELLO:
        raise ProtocolError(f"the first message of a tunnel is a hello, not {frame.kind.name.lower()}")
    if frame.stream != VERSION:
        raise ProtocolError(
            f"the client speaks version {frame.stream} of the tunnel and the server version {VERSION}: "
            "get the client anew from the organiser's server"
        )
    if len(frame.body) != SESSION_BYTES:
        raise ProtocolError(f"the name of a session has {SESSION_BYTES} bytes, not {len(frame.body)}")
    return Hello(frame.body, frame.number, frame.value)


def format_bye(reason: str) -> bytes:
    """Return the message by which a server refuses a client that has no session."""
    return format_frame(FrameKind.BYE, body=encode_text(reason))


def format_frame(
    kind: FrameKind, number: int = 0, stream: int = 0, value: int = 0, body: bytes | bytearray = b""
) -> bytes:
    return _HEADER.pack(kind, number, stream, value) + body


def parse_frame(message: bytes) -> TunnelFrame:
    """Take a message apart.

    Raises:
        ProtocolError: it is none of a tunnel.
    """
    if not _HEADER.size <= len(message) <= MESSAGE_BYTES_MAX:
        raise ProtocolError(
            f"a message of a tunnel has {_HEADER.size} to {MESSAGE_BYTES_MAX} bytes, not {len(message)}"
        )
    number_of_kind, number, stream, value = _HEADER.unpack_from(message)
    try:
        kind = FrameKind(number_of_kind)
    except ValueError:
        raise ProtocolError(f"a tunnel has no messages of kind {number_of_kind}") from None
    body = message[_HEADER.size :]
    if body and kind not in _WITH_BODY:
        raise ProtocolError(f"a {kind.name.lower()} message has {len(body)} bytes too many")
    if kind in _WITH_TEXT:
        decode_text(body)
    if kind is FrameKind.DATA and value > OWN_MS_MAX + 1:
        raise ProtocolError(f"a program cannot have thought for {value - 1} ms")
    return TunnelFrame(kind, number, stream, value, body)


def encode_text(text: str) -> bytes:
    printable = "".join(char if char.isprintable() else " " for char in text[:TEXT_CHARS_MAX])
    return printable.encode("utf-8")


def decode_text(body: bytes) -> str:
    """Return words.

    Raises:
        ProtocolError: they are too long, not UTF-8, or could do something to a terminal.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise ProtocolError("words in a tunnel are in UTF-8") from None
    if len(text) > TEXT_CHARS_MAX:
        raise ProtocolError(f"words in a tunnel have at most {TEXT_CHARS_MAX} characters, not {len(text)}")
    if not text.isprintable():
        raise ProtocolError("words in a tunnel have printable characters only")
    return text
