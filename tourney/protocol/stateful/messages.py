"""Every message of the stateful-server protocol, each declared once (SS-04): those of its source, and our extensions.

How to read the table. A message is a class with `@message(FORM, SENDER)` above it. `FORM` is how it is written, which
a refusal shows; its first word is the name on the wire. `SENDER` is who sends it: the server, where none is named.
The fields are the arguments in their order, each annotated with its type in the program and its `Codec`, which parses
and formats it. A field that is None by default may be left out at the end of the line. Arguments are checked from the
first to the last, or as `checked` says: of several faults in a line the first is named. All that is done with
messages follows from this: the dataclass, `parse_player_message`, `parse_server_message`, `format_message`, and the
messages that the tests draw.

Names whose first letters are `X-` are extensions (SS-10), which are sent only to clients that have asked for them, by
the word after the `X-`, or by the one that the declaration names (`asked`).
"""

import enum
from collections.abc import Callable, Collection, Sequence
from dataclasses import Field, dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias, TypeVar, dataclass_transform, get_args

from tourney.bridge import Call, Card, Contract, Seat, Side, Strain, Vulnerability
from tourney.errors import FormatError
from tourney.plurals import count
from tourney.protocol.lines import decode_line
from tourney.protocol.stateful.values import (
    ANSWER,
    BID,
    CARD,
    CONTRACT,
    DOUBLED,
    FLAG,
    ID,
    LEFT_OUT,
    LEVEL,
    LINE_BYTES_MAX,
    NAME,
    NOBODY,
    NUMBER,
    PARTNER,
    POSITION,
    ROOM,
    STRING,
    SUIT,
    TEAM,
    TEXT,
    VULNERABILITY,
    Codec,
    list_of,
    or_none,
    shown,
    split_arguments,
)


class Extension(enum.StrEnum):
    """What a client may ask for with `X-HELLO`; the values are the words of its list."""

    BOARD = "BOARD"
    """The number, dealer and vulnerability of each board."""
    DECLARER = "DECLARER"
    ALERT = "ALERT"
    """The explanations of the opponents' calls."""
    TURN = "TURN"
    """All that the player knows, in one line, whenever it is to call or play."""
    RESULT = "RESULT"
    """The result of each board."""
    TIME = "TIME"
    """The thinking times after each board."""
    PING = "PING"
    """The client answers `X-PING`."""
    POINTS = "POINTS"
    """The points that the players announce at Minibridge."""
    END = "END"
    """A farewell before the connection is closed."""
    LEFT = "LEFT"
    """Who has left a game, in a lobby."""
    STOPPED = "STOPPED"
    """That the server stops, and play goes on where it was once it is there again."""
    NOTE = "NOTE"
    """News in a sentence that refuses nothing, which other clients are sent as `NAK`."""
    STATE = "STATE"
    """All that the player knows, in one line, with the state of a board in progress."""
    READY = "READY"
    """The table waits after a board until its player has said that it is ready for the next."""
    GAMES = "GAMES"
    """The kind and the players of each game of the list, in a lobby."""
    CLAIM = "CLAIM"
    """Claims of the rest of the tricks, which the client answers, and what comes of them."""
    UNDO = "UNDO"
    """Wishes to take a call or card back, which the client answers, and what comes of them."""
    ASK = "ASK"
    """Questions of opponents about calls, which the client answers, and the answers to its own."""
    CLOCK = "CLOCK"
    """How long the player in turn may still think."""
    SAY = "SAY"
    """What players say to each other."""
    MAY = "MAY"
    """What the player may ask for now, beside calls and cards."""


# How messages are declared, parsed and formatted


class Sender(enum.Flag):
    """Who sends a message."""

    PLAYER = enum.auto()
    SERVER = enum.auto()
    BOTH = PLAYER | SERVER


class StatefulMessage:
    """One message. `@message` makes its class and the constants from its declaration."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    NAME: ClassVar[str]
    FORM: ClassVar[str]
    EXTENSION: ClassVar[Extension | None]
    """What a client has asked for that is sent it; None for what is sent to all."""
    ARGUMENTS_MIN: ClassVar[int]
    FORMATTERS: ClassVar[Sequence[tuple[str, str, Callable[[Any], str]]]]
    """For each field its name, how None is written, and what formats anything else."""
    PARSERS: ClassVar[Sequence[tuple[int, Callable[[str], Any]]]]
    """Where an argument stands, and what parses it; of several faults the first in this order is named."""
    TAKES_ALL: ClassVar[bool]
    """Whether its one argument is all that follows its name."""

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        """Parse the arguments.

        Raises:
            FormatError: they are not those of this message.
        """
        if cls.TAKES_ALL:
            arguments = (" ".join(arguments),)
        found, most = len(arguments), len(cls.PARSERS)
        if not cls.ARGUMENTS_MIN <= found <= most:
            raise FormatError(f"the message is {cls.FORM}, got {count(found, 'argument')}")
        values: list[Any] = [None] * most
        for at, parse in cls.PARSERS:
            if at < found:
                values[at] = parse(arguments[at])
        make: Callable[..., Self] = cls
        return make(*values)

    def is_for(self, extensions: Collection[Extension]) -> bool:
        """Return whether a client that has asked for some extensions is sent it."""
        return self.EXTENSION is None or self.EXTENSION in extensions


MessageT = TypeVar("MessageT", bound=StatefulMessage)

PLAYER_MESSAGES: Final[dict[str, type[StatefulMessage]]] = {}
"""The messages of clients, by name."""

SERVER_MESSAGES: Final[dict[str, type[StatefulMessage]]] = {}
"""The messages of servers, by name."""


@dataclass_transform(frozen_default=True)
def message(
    form: str, sender: Sender = Sender.SERVER, *, checked: Sequence[int] = (), asked: Extension | None = None
) -> Callable[[type[MessageT]], type[MessageT]]:
    """Declare a message.

    Args:
        form: how it is written.
        sender: who sends it; most are sent by the server.
        checked: the order in which its arguments are checked, if it is not theirs.
        asked: what a client has asked for that is sent it, if that is not the word after the `X-` of its name.
    """

    def declare(cls: type[MessageT]) -> type[MessageT]:
        kind = dataclass(frozen=True)(cls)
        kind.FORM, kind.NAME = form, form.split(maxsplit=1)[0]
        kind.EXTENSION = asked or next((each for each in Extension if f"X-{each}" == kind.NAME), None)
        kind.ARGUMENTS_MIN = sum(each.default is not None for each in fields(kind))
        codecs = [codec_of(each) for each in fields(kind)]
        kind.FORMATTERS = [
            (each.name, codec.none, codec.format) for each, codec in zip(fields(kind), codecs, strict=True)
        ]
        kind.PARSERS = [(at, codecs[at].parse) for at in checked or range(len(codecs))]
        kind.TAKES_ALL = any(codec.takes_all for codec in codecs)
        if Sender.PLAYER in sender:
            PLAYER_MESSAGES[kind.NAME] = kind
        if Sender.SERVER in sender:
            SERVER_MESSAGES[kind.NAME] = kind
        return kind

    return declare


def codec_of(field: Field[Any]) -> Codec[Any]:
    """Return the type of an argument, with which a field of a message is annotated."""
    codec: Codec[Any] = get_args(field.type)[1]
    return codec


def format_message(message: StatefulMessage) -> str:
    """Format a message, without a line end."""
    words = [message.NAME]
    for name, none, format_value in message.FORMATTERS:
        value = getattr(message, name)
        words.append(none if value is None else format_value(value))
    while len(words) > message.ARGUMENTS_MIN + 1 and words[-1] == LEFT_OUT:
        words.pop()
    return " ".join(words)


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
    raise FormatError(f"a message of a player is {known}, got {shown(name)}")


def parse_server_message(line: bytes) -> StatefulMessage | None:
    """Parse a line of a server, without its end; None for a name that is not known, which clients ignore.

    Raises:
        FormatError: it has the name of a message, and is none.
    """
    name, arguments = _split(line)
    kind = SERVER_MESSAGES.get(name)
    return kind.parse(arguments) if kind is not None else None


def _split(line: bytes) -> tuple[str, list[str]]:
    if len(line) > LINE_BYTES_MAX:
        raise FormatError(f"a line has at most {LINE_BYTES_MAX} bytes, this one has {len(line)}")
    name, _, rest = decode_line(line).strip().partition(" ")
    return name.upper(), split_arguments(rest)


# What several messages have

Answer: TypeAlias = Annotated[bool, ANSWER]
Calls: TypeAlias = Annotated[tuple[Call, ...], list_of(BID)]
Cards: TypeAlias = Annotated[tuple[Card, ...], list_of(CARD)]
Flag: TypeAlias = Annotated[bool, FLAG]
Id: TypeAlias = Annotated[str, ID]
IdOrNone: TypeAlias = Annotated[str | None, or_none(ID)]
Ids: TypeAlias = Annotated[tuple[str, ...], list_of(ID)]
NameOrNone: TypeAlias = Annotated[str | None, STRING]
PlayerOrNobody: TypeAlias = Annotated[str | None, or_none(replace(STRING, none=LEFT_OUT))]
Number: TypeAlias = Annotated[int, NUMBER]
NumberOrNone: TypeAlias = Annotated[int | None, NUMBER]
Position: TypeAlias = Annotated[Seat, POSITION]
PositionOrNone: TypeAlias = Annotated[Seat | None, or_none(replace(POSITION, none=LEFT_OUT))]
PositionOrNobody: TypeAlias = Annotated[Seat | None, or_none(POSITION)]
String: TypeAlias = Annotated[str, STRING]
Text: TypeAlias = Annotated[str, TEXT]
Vulnerable: TypeAlias = Annotated[Vulnerability, VULNERABILITY]


# A connection: whose it is, what it can do, what was wrong, whether it lives (SS-05, SS-10)


def _parse_extensions(text: str) -> frozenset[Extension]:
    words = _EXTENSION_WORDS.parse(text)
    return frozenset(each for each in Extension if each in words)


_EXTENSION_WORDS: Final = list_of(Codec(str.upper))
EXTENSIONS: Final = Codec(
    _parse_extensions,
    lambda extensions: _EXTENSION_WORDS.format(tuple(each for each in Extension if each in extensions)),
)


@message("HELLO name", Sender.PLAYER)
class HelloMessage(StatefulMessage):
    """Announces a client. `name` may have a passphrase after it, as in `Alpha#secret`."""

    name: Annotated[str, NAME]


@message("X-HELLO list", Sender.BOTH)
class ExtensionsMessage(StatefulMessage):
    """Lists what the sender can do; from a client, what it asks for. Words that are not known are left out."""

    extensions: Annotated[frozenset[Extension], EXTENSIONS]


@message("NAK description")
class NakMessage(StatefulMessage):
    """Says what was wrong."""

    description: Text


@message("X-NOTE text")
class NoteMessage(StatefulMessage):
    """Says what a player should know, and refuses nothing."""

    text: Text


@message("X-PING token", Sender.BOTH)
class PingMessage(StatefulMessage):
    """Asks for `X-PONG` with the same token."""

    token: Id


@message("X-PONG token", Sender.BOTH)
class PongMessage(StatefulMessage):
    """Answers `X-PING`."""

    token: Id


@message("X-END text")
class EndMessage(StatefulMessage):
    """Says why the connection is about to be closed."""

    text: Text


@message("X-STOPPED text")
class StoppedMessage(StatefulMessage):
    """Says that the server stops: the connection is about to be closed, and nothing is over."""

    text: Text


# Tournaments, games and seats: what there is, who wants which, who has which (SS-06 to SS-09)


@message("TOURNAMENTS list")
class TournamentsMessage(StatefulMessage):
    """Lists the tournaments in progress."""

    tournaments: Ids = ()


@message("GAMES list")
class GamesMessage(StatefulMessage):
    """Lists the games of no tournament that have a free seat."""

    games: Ids = ()


@message("X-GAME gameid kind north east south west", asked=Extension.GAMES)
class GameMessage(StatefulMessage):
    """Describes a game of the list to come: what is played, and who sits there; None where nobody does."""

    game: Id
    kind: Id
    north: PlayerOrNobody
    east: PlayerOrNobody
    south: PlayerOrNobody
    west: PlayerOrNobody


@message("JOIN-T [tournamentid [partner [room [position]]]]", Sender.PLAYER)
class JoinTournamentMessage(StatefulMessage):
    """Asks for a seat in a tournament. Without `tournament` it is the only one in progress, or a new one."""

    tournament: IdOrNone = None
    partner: Annotated[str | None, PARTNER] = None
    room: Annotated[str | None, or_none(replace(ROOM, none=LEFT_OUT))] = None
    position: PositionOrNone = None


@message("JOIN-M [gameid [position]]", Sender.PLAYER, checked=(1, 0))
class JoinGameMessage(StatefulMessage):
    """Asks for a seat in a game. Without `game` it is a new one; without `position` any seat that is free."""

    game: IdOrNone = None
    position: PositionOrNone = None


@message("JOINED gameid position [name]")
class JoinedMessage(StatefulMessage):
    """Says that a player has a seat in a game: the receiver, if it has no name."""

    game: Id
    position: Position
    name: NameOrNone = None


@message("X-LEAVE", Sender.PLAYER)
class LeaveMessage(StatefulMessage):
    """Gives up the seat in a game, or the place in a tournament that has not begun."""


@message("X-LEFT gameid position [name]")
class LeftMessage(StatefulMessage):
    """Says that a player has left a seat in a game: the receiver, if it has no name."""

    game: Id
    position: Position
    name: NameOrNone = None


@message("X-START", Sender.PLAYER)
class StartMessage(StatefulMessage):
    """Begins the tournament that the sender has made."""


# A board: which it is, all that a player knows of it, its result and score (SS-25 to SS-28)


@message("X-BOARD number dealer vulnerability")
class BoardMessage(StatefulMessage):
    """Describes the board, before the hand."""

    number: Number
    dealer: Position
    vulnerability: Vulnerable


@message("X-POINTS position points")
class PointsMessage(StatefulMessage):
    """Tells the high-card points that a player announces at Minibridge."""

    position: Position
    points: Number


@dataclass(frozen=True)
class KnownBoard(StatefulMessage):
    """Has all that a player knows of the board, so that it need have remembered nothing.

    `position` is the player's own; whose hand plays next follows from the calls and cards, as in an auction's record.
    """

    position: Position
    number: Number
    dealer: Position
    vulnerability: Vulnerable
    hand: Cards
    """The 13 cards that the player was dealt."""
    calls: Calls
    dummy: Cards
    """The 13 cards that dummy was dealt; none before they lie open."""
    cards: Cards
    """Every card played so far, in order."""


@message("X-TURN position number dealer vulnerability hand calls dummy cards")
class TurnMessage(KnownBoard):
    """Tells the player that is to act all that it knows."""


@message("X-STATE position number dealer vulnerability hand calls dummy cards")
class StateMessage(KnownBoard):
    """Tells a player that is sent the state all that it knows, whoever is to act."""


@message("X-READY [wait_ms]", Sender.BOTH)
class ReadyMessage(StatefulMessage):
    """Says from a player that the next board may begin, from the server for how long the table waits for that."""

    wait_ms: NumberOrNone = None


@message("X-RESULT contract tricks score")
class ResultMessage(StatefulMessage):
    """Shows the result of a board; `score` is North-South's."""

    contract: Annotated[Contract | None, or_none(CONTRACT)]
    tricks: Number
    score: Number


@message("X-TIME side used_ms left_ms", checked=(2, 0, 1))
class TimeMessage(StatefulMessage):
    """Shows a side's thinking time on all boards of the table, and what it has left; None without a limit."""

    side: Annotated[Side, TEAM]
    used_ms: Number
    left_ms: Annotated[int | None, or_none(NUMBER)]


@message("SCORE-M above below vulnerable above below vulnerable, of NS and then of EW")
class ScoreMessage(StatefulMessage):
    """Shows the score of a rubber or Chicago; not sent in tournaments."""

    ns_above: Number
    ns_below: Number
    ns_vulnerable: Flag
    ew_above: Number
    ew_below: Number
    ew_vulnerable: Flag


# The auction: calls, what they mean, the contract (SS-14 to SS-16)


@message("AUCOPEN position list", checked=(1, 0))
class AucopenMessage(StatefulMessage):
    """Shows the auction. `turn` is the player that is to call, None while no call is accepted."""

    turn: PositionOrNobody
    calls: Calls


@message("BID bid", Sender.PLAYER)
class BidMessage(StatefulMessage):
    """Makes a call."""

    call: Annotated[Call, BID]


@message('X-ALERT position "text" [number]', Sender.BOTH, checked=(2, 1, 0))
class AlertMessage(StatefulMessage):
    """Explains a call: from a player its next one, from the server call `number` of the auction, counted from 1."""

    position: Position
    text: String
    number: NumberOrNone = None


@message("X-ASK number", Sender.PLAYER)
class AskMessage(StatefulMessage):
    """Asks what call `number` of the auction means, counted from 1."""

    number: Number


@message("X-ASKED number", asked=Extension.ASK)
class AskedMessage(StatefulMessage):
    """Asks a player what its call `number` means."""

    number: Number


@message('X-TELL number "text"', Sender.BOTH, asked=Extension.ASK)
class TellMessage(StatefulMessage):
    """Tells what a call means: from its player, and from the server to those who have asked."""

    number: Number
    text: String


@message("AUCCLOSE suit value doubled team", checked=(1, 0, 2, 3))
class AuccloseMessage(StatefulMessage):
    """Shows the contract and whose it is; all four are None or 0 for a board that was passed out."""

    strain: Annotated[Strain | None, SUIT]
    level: Annotated[int, LEVEL]
    doubled: Annotated[int, DOUBLED]
    side: Annotated[Side | None, TEAM]

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        if len(arguments) == len(cls.PARSERS) and arguments[0] == NOBODY:
            return cls.of_contract(None)
        return super().parse(arguments)

    @classmethod
    def of_contract(cls, contract: Contract | None) -> Self:
        """Make the message about a contract; None for a board that was passed out."""
        if contract is None:
            return cls(None, 0, 0, None)
        return cls(contract.strain, contract.level, contract.doubled, contract.declarer.side)


@message("X-DECLARER position")
class DeclarerMessage(StatefulMessage):
    """Says who is declarer, after `AUCCLOSE`."""

    declarer: Position


# The play: cards held, dummy, tricks (SS-17 to SS-21)


@message("HAND list")
class HandMessage(StatefulMessage):
    """Lists the cards that the player still holds."""

    cards: Cards


@message("DUMMY list")
class DummyMessage(StatefulMessage):
    """Lists the cards that dummy still holds."""

    cards: Cards


@message("TRICK position list")
class TrickMessage(StatefulMessage):
    """Shows the trick. `turn` is the hand that is to play, None while no card is accepted."""

    turn: PositionOrNobody
    cards: Cards


@message("PLAY card", Sender.PLAYER)
class PlayMessage(StatefulMessage):
    """Plays a card: the player's own, or dummy's as declarer."""

    card: Annotated[Card, CARD]


@message("TRICKSWON list")
class TricksWonMessage(StatefulMessage):
    """Lists who has won the tricks so far, in their order."""

    winners: Annotated[tuple[Seat, ...], list_of(POSITION)]


# Talk, calls for the director, and time


@message("X-SAY text", Sender.PLAYER)
class ChatMessage(StatefulMessage):
    """Says something to all four players."""

    text: Text


@message('X-SAID position "text"', asked=Extension.SAY)
class SaidMessage(StatefulMessage):
    """Tells what a player says."""

    position: Position
    text: String


@message("X-DIRECTOR text", Sender.PLAYER)
class DirectorMessage(StatefulMessage):
    """Calls the director. The text says why, and may be left out."""

    text: Text


@message("X-CLOCK position left_ms")
class ClockMessage(StatefulMessage):
    """Says how long the player in turn may still think."""

    position: Position
    left_ms: Number


@message("X-MAY claim undo chat calls")
class MayMessage(StatefulMessage):
    """Says whether the player may claim, take back and say something now, and about which calls it may ask."""

    claim: Flag
    undo: Flag
    chat: Flag
    calls: Annotated[tuple[int, ...], list_of(NUMBER)]


# Offers: what a player proposes and opponents answer, by the number of the offer (SS-51)


@message("X-CLAIM [number [position [list]]]", Sender.BOTH)
class ClaimMessage(StatefulMessage):
    """Claims the rest of the tricks; the server adds a number, whose claim it is, and the cards that player holds."""

    number: NumberOrNone = None
    position: PositionOrNone = None
    cards: Annotated[tuple[Card, ...] | None, or_none(list_of(CARD))] = None


@message("X-CLAIMED number answer", asked=Extension.CLAIM)
class ClaimedMessage(StatefulMessage):
    """Says whether a claim was accepted."""

    number: Number
    is_accepted: Answer


@message("X-UNDO [number [position]]", Sender.BOTH)
class UndoMessage(StatefulMessage):
    """Asks to take the player's last call or card back; the server adds a number, and who asks."""

    number: NumberOrNone = None
    position: PositionOrNone = None


@message("X-UNDONE number answer", asked=Extension.UNDO)
class UndoneMessage(StatefulMessage):
    """Says whether a call or card is taken back."""

    number: Number
    is_accepted: Answer


@message("X-ACCEPT number", Sender.PLAYER)
class AcceptMessage(StatefulMessage):
    """Accepts an offer."""

    number: Number


@message("X-REJECT number", Sender.PLAYER)
class RejectMessage(StatefulMessage):
    """Rejects an offer."""

    number: Number
