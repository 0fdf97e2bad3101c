"""Lines to messages: every message that clients and servers may send, by its name (SS-04)."""

from typing import Final

from tourney.errors import FormatError
from tourney.protocol.lines import decode_line
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.auction import (
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BidMessage,
    DeclarerMessage,
    PointsMessage,
)
from tourney.protocol.stateful.messages.board import (
    BoardMessage,
    ResultMessage,
    ScoreMessage,
    TimeMessage,
    TurnMessage,
)
from tourney.protocol.stateful.messages.connection import (
    EndMessage,
    ExtensionsMessage,
    HelloMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PongMessage,
    StoppedMessage,
)
from tourney.protocol.stateful.messages.message import StatefulMessage
from tourney.protocol.stateful.messages.play import (
    DummyMessage,
    HandMessage,
    PlayMessage,
    TrickMessage,
    TricksWonMessage,
)
from tourney.protocol.stateful.messages.seating import (
    GamesMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    LeftMessage,
    StartMessage,
    TournamentsMessage,
)

_FROM_BOTH: Final = (ExtensionsMessage, AlertMessage, PingMessage, PongMessage)


PLAYER_MESSAGES: Final[dict[str, type[StatefulMessage]]] = {
    kind.NAME: kind
    for kind in (
        HelloMessage,
        JoinTournamentMessage,
        JoinGameMessage,
        BidMessage,
        PlayMessage,
        LeaveMessage,
        StartMessage,
        *_FROM_BOTH,
    )
}
"""The messages of clients, by name."""


SERVER_MESSAGES: Final[dict[str, type[StatefulMessage]]] = {
    kind.NAME: kind
    for kind in (
        TournamentsMessage,
        GamesMessage,
        NakMessage,
        HandMessage,
        JoinedMessage,
        AucopenMessage,
        AuccloseMessage,
        DummyMessage,
        TrickMessage,
        TricksWonMessage,
        ScoreMessage,
        BoardMessage,
        DeclarerMessage,
        PointsMessage,
        TurnMessage,
        ResultMessage,
        TimeMessage,
        EndMessage,
        StoppedMessage,
        LeftMessage,
        NoteMessage,
        *_FROM_BOTH,
    )
}
"""The messages of servers, by name."""


def parse_player_message(line: bytes) -> StatefulMessage:
    """Parse a line of a client, without its end.

    Raises:
        FormatError: it is none; the message says what is wrong, and what is right.
    """
    name, arguments = _split(line)
    kind = PLAYER_MESSAGES.get(name)
    if kind is not None:
        return kind.parse(arguments)
    if not name:
        raise FormatError("the line is empty")
    if name in SERVER_MESSAGES:
        raise FormatError(f"{name} is sent by the server")
    known = ", ".join(each for each in PLAYER_MESSAGES if not each.startswith("X-"))
    raise FormatError(f"a message of a player is {known}, got {values.shown(name)}")


def parse_server_message(line: bytes) -> StatefulMessage | None:
    """Parse a line of a server, without its end; None for a name that is not known, which clients ignore.

    Raises:
        FormatError: it has the name of a message, and is none.
    """
    name, arguments = _split(line)
    kind = SERVER_MESSAGES.get(name)
    return kind.parse(arguments) if kind is not None else None


def _split(line: bytes) -> tuple[str, list[str]]:
    if len(line) > values.LINE_BYTES_MAX:
        raise FormatError(f"a line has at most {values.LINE_BYTES_MAX} bytes, this one has {len(line)}")
    name, _, rest = decode_line(line).strip().partition(" ")
    return name.upper(), values.split_arguments(rest)
