"""Every message as an object: those of the source document, and our extensions to it (SS-04, SS-10).

`parse_player_message` parses a line of a client, `parse_server_message` one of a server, `format_message` formats
either. Names whose first letters are `X-` are extensions, which are sent only to clients that have asked for them.
"""

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
    NAME_CHARS_MAX,
    EndMessage,
    Extension,
    ExtensionsMessage,
    HelloMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PongMessage,
    StoppedMessage,
)
from tourney.protocol.stateful.messages.message import StatefulMessage, format_message
from tourney.protocol.stateful.messages.parsing import (
    PLAYER_MESSAGES,
    SERVER_MESSAGES,
    parse_player_message,
    parse_server_message,
)
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

__all__ = [
    "NAME_CHARS_MAX",
    "PLAYER_MESSAGES",
    "SERVER_MESSAGES",
    "AlertMessage",
    "AuccloseMessage",
    "AucopenMessage",
    "BidMessage",
    "BoardMessage",
    "DeclarerMessage",
    "DummyMessage",
    "EndMessage",
    "Extension",
    "ExtensionsMessage",
    "GamesMessage",
    "HandMessage",
    "HelloMessage",
    "JoinGameMessage",
    "JoinTournamentMessage",
    "JoinedMessage",
    "LeaveMessage",
    "LeftMessage",
    "NakMessage",
    "NoteMessage",
    "PingMessage",
    "PlayMessage",
    "PointsMessage",
    "PongMessage",
    "ResultMessage",
    "ScoreMessage",
    "StartMessage",
    "StatefulMessage",
    "StoppedMessage",
    "TimeMessage",
    "TournamentsMessage",
    "TrickMessage",
    "TricksWonMessage",
    "TurnMessage",
    "format_message",
    "parse_player_message",
    "parse_server_message",
]
