"""Every message as an object: those of the source document, and our extensions to it (SS-04, SS-10).

`parse_player_message` parses a line of a client, `parse_server_message` one of a server, `format_message` formats
either. Names whose first letters are `X-` are extensions, which are sent only to clients that have asked for them.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tourney.bridge import Call, Card, Contract, Seat, Side, Strain, Vulnerability
from tourney.errors import FormatError
from tourney.protocol.lines import decode_line
from tourney.protocol.stateful import values


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


class StatefulMessage(ABC):
    """One message. `NAME` is its name, `FORM` how it is written, for refusals."""

    __slots__ = ()
    NAME: ClassVar[str]
    FORM: ClassVar[str]

    @abstractmethod
    def arguments(self) -> tuple[str, ...]:
        """Format the arguments; those that are left out come last."""

    @classmethod
    @abstractmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        """Parse the arguments.

        Raises:
            FormatError: they are not those of this message.
        """

    @classmethod
    def check(cls, arguments: Sequence[str], least: int, most: int | None = None) -> None:
        """Check the number of arguments.

        Raises:
            FormatError: there are too few, or too many.
        """
        if not least <= len(arguments) <= (least if most is None else most):
            found = f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"
            raise FormatError(f"the message is {cls.FORM}, got {found}")


def format_message(message: StatefulMessage) -> str:
    """Format a message, without a line end."""
    return " ".join((message.NAME, *message.arguments()))


# From players


@dataclass(frozen=True, slots=True)
class HelloMessage(StatefulMessage):
    """Announces a client. `name` may have a pass phrase after it, as in `Alpha#secret`."""

    NAME: ClassVar[str] = "HELLO"
    FORM: ClassVar[str] = "HELLO name"
    name: str

    def arguments(self) -> tuple[str, ...]:
        return (values.format_string(self.name),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        # A name of several words without quotes is what a person types.
        name = " ".join(" ".join(arguments).split())
        if not name:
            raise FormatError(f"the message is {cls.FORM}, and the name is empty")
        if len(name) > NAME_CHARS_MAX:
            raise FormatError(f"a name has at most {NAME_CHARS_MAX} characters, this one has {len(name)}")
        return cls(name)


NAME_CHARS_MAX: Final = 160
"""Longest name of a client: that of a team, and a pass phrase."""


@dataclass(frozen=True, slots=True)
class JoinTournamentMessage(StatefulMessage):
    """Asks for a seat in a tournament. Without `tournament` it is the only one in progress, or a new one."""

    NAME: ClassVar[str] = "JOIN-T"
    FORM: ClassVar[str] = "JOIN-T [tournamentid [partner]]"
    tournament: str | None = None
    partner: str | None = None

    def arguments(self) -> tuple[str, ...]:
        if self.tournament is None:
            return ()
        return (self.tournament,) if self.partner is None else (self.tournament, values.format_string(self.partner))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0, 2)
        partner = " ".join(arguments[1].split()) if len(arguments) == 2 else None
        return cls(values.parse_id(arguments[0]) if arguments else None, partner)


@dataclass(frozen=True, slots=True)
class JoinGameMessage(StatefulMessage):
    """Asks for a seat in a game. Without `game` it is a new one; without `position` any seat that is free."""

    NAME: ClassVar[str] = "JOIN-M"
    FORM: ClassVar[str] = "JOIN-M [gameid [position]]"
    game: str | None = None
    position: Seat | None = None

    def arguments(self) -> tuple[str, ...]:
        if self.game is None:
            return ()
        return (self.game,) if self.position is None else (self.game, self.position.letter)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0, 2)
        position = values.parse_position(arguments[1]) if len(arguments) == 2 else None
        return cls(values.parse_id(arguments[0]) if arguments else None, position)


@dataclass(frozen=True, slots=True)
class LeaveMessage(StatefulMessage):
    """Gives up the seat in a game, or the place in a tournament that has not begun."""

    NAME: ClassVar[str] = "X-LEAVE"
    FORM: ClassVar[str] = "X-LEAVE"

    def arguments(self) -> tuple[str, ...]:
        return ()

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0)
        return cls()


@dataclass(frozen=True, slots=True)
class StartMessage(StatefulMessage):
    """Begins the tournament that the sender has made."""

    NAME: ClassVar[str] = "X-START"
    FORM: ClassVar[str] = "X-START"

    def arguments(self) -> tuple[str, ...]:
        return ()

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0)
        return cls()


@dataclass(frozen=True, slots=True)
class BidMessage(StatefulMessage):
    """Makes a call."""

    NAME: ClassVar[str] = "BID"
    FORM: ClassVar[str] = "BID bid"
    call: Call

    def arguments(self) -> tuple[str, ...]:
        return (values.format_bid(self.call),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_bid(arguments[0]))


@dataclass(frozen=True, slots=True)
class PlayMessage(StatefulMessage):
    """Plays a card: the player's own, or dummy's as declarer."""

    NAME: ClassVar[str] = "PLAY"
    FORM: ClassVar[str] = "PLAY card"
    card: Card

    def arguments(self) -> tuple[str, ...]:
        return (values.format_card(self.card),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_card_text(arguments[0]))


# From the server, to one client


@dataclass(frozen=True, slots=True)
class TournamentsMessage(StatefulMessage):
    """Lists the tournaments in progress."""

    NAME: ClassVar[str] = "TOURNAMENTS"
    FORM: ClassVar[str] = "TOURNAMENTS list"
    tournaments: tuple[str, ...] = ()

    def arguments(self) -> tuple[str, ...]:
        return (values.format_list(self.tournaments),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_list(arguments[0], values.parse_id))


@dataclass(frozen=True, slots=True)
class GamesMessage(StatefulMessage):
    """Lists the games of no tournament that have a free seat."""

    NAME: ClassVar[str] = "GAMES"
    FORM: ClassVar[str] = "GAMES list"
    games: tuple[str, ...] = ()

    def arguments(self) -> tuple[str, ...]:
        return (values.format_list(self.games),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_list(arguments[0], values.parse_id))


@dataclass(frozen=True, slots=True)
class NakMessage(StatefulMessage):
    """Says what was wrong."""

    NAME: ClassVar[str] = "NAK"
    FORM: ClassVar[str] = "NAK description"
    description: str

    def arguments(self) -> tuple[str, ...]:
        return (values.format_string(self.description),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        return cls(" ".join(arguments))


@dataclass(frozen=True, slots=True)
class HandMessage(StatefulMessage):
    """Lists the cards that the player still holds."""

    NAME: ClassVar[str] = "HAND"
    FORM: ClassVar[str] = "HAND list"
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return (_format_cards(self.cards),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(_parse_cards(arguments[0]))


# From the server, to everybody in a game


@dataclass(frozen=True, slots=True)
class JoinedMessage(StatefulMessage):
    """Says that a player has a seat in a game: the receiver, if it has no name."""

    NAME: ClassVar[str] = "JOINED"
    FORM: ClassVar[str] = "JOINED gameid position [name]"
    game: str
    position: Seat
    name: str | None = None

    def arguments(self) -> tuple[str, ...]:
        own = (self.game, self.position.letter)
        return own if self.name is None else (*own, values.format_string(self.name))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2, 3)
        name = arguments[2] if len(arguments) == 3 else None
        return cls(values.parse_id(arguments[0]), values.parse_position(arguments[1]), name)


@dataclass(frozen=True, slots=True)
class AucopenMessage(StatefulMessage):
    """Shows the auction. `turn` is the player that is to call, None while no call is accepted."""

    NAME: ClassVar[str] = "AUCOPEN"
    FORM: ClassVar[str] = "AUCOPEN position list"
    turn: Seat | None
    calls: tuple[Call, ...]

    def arguments(self) -> tuple[str, ...]:
        return values.format_position(self.turn), values.format_list(map(values.format_bid, self.calls))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        calls = values.parse_list(arguments[1], values.parse_bid)
        return cls(values.parse_position_or_nobody(arguments[0]), calls)


@dataclass(frozen=True, slots=True)
class AuccloseMessage(StatefulMessage):
    """Shows the contract and whose it is; all four are None or 0 for a board that was passed out."""

    NAME: ClassVar[str] = "AUCCLOSE"
    FORM: ClassVar[str] = "AUCCLOSE suit value doubled team"
    strain: Strain | None
    level: int
    doubled: int
    side: Side | None

    def arguments(self) -> tuple[str, ...]:
        suit = values.NOBODY if self.strain is None else values.format_suit(self.strain)
        return suit, str(self.level), values.format_doubled(self.doubled), values.format_team(self.side)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 4)
        suit, level, doubled, team = arguments
        if suit == values.NOBODY:
            return cls(None, 0, 0, None)
        value = values.parse_number(level)
        if not 1 <= value <= 7:
            raise FormatError(f"a contract value is 1 to 7, got {value}")
        return cls(values.parse_suit(suit), value, values.parse_doubled(doubled), values.parse_team(team))

    @classmethod
    def of_contract(cls, contract: Contract | None) -> Self:
        """Make the message about a contract; None for a board that was passed out."""
        if contract is None:
            return cls(None, 0, 0, None)
        return cls(contract.strain, contract.level, contract.doubled, contract.declarer.side)


@dataclass(frozen=True, slots=True)
class DummyMessage(StatefulMessage):
    """Lists the cards that dummy still holds."""

    NAME: ClassVar[str] = "DUMMY"
    FORM: ClassVar[str] = "DUMMY list"
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return (_format_cards(self.cards),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(_parse_cards(arguments[0]))


@dataclass(frozen=True, slots=True)
class TrickMessage(StatefulMessage):
    """Shows the trick. `turn` is the hand that is to play, None while no card is accepted."""

    NAME: ClassVar[str] = "TRICK"
    FORM: ClassVar[str] = "TRICK position list"
    turn: Seat | None
    cards: tuple[Card, ...]

    def arguments(self) -> tuple[str, ...]:
        return values.format_position(self.turn), _format_cards(self.cards)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        return cls(values.parse_position_or_nobody(arguments[0]), _parse_cards(arguments[1]))


@dataclass(frozen=True, slots=True)
class TricksWonMessage(StatefulMessage):
    """Lists who has won the tricks so far, in their order."""

    NAME: ClassVar[str] = "TRICKSWON"
    FORM: ClassVar[str] = "TRICKSWON list"
    winners: tuple[Seat, ...]

    def arguments(self) -> tuple[str, ...]:
        return (values.format_list(seat.letter for seat in self.winners),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_list(arguments[0], values.parse_position))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreMessage(StatefulMessage):
    """Shows the score of a rubber or Chicago; not sent in tournaments."""

    NAME: ClassVar[str] = "SCORE-M"
    FORM: ClassVar[str] = "SCORE-M above below vulnerable above below vulnerable, of NS and then of EW"
    ns_above: int
    ns_below: int
    ns_vulnerable: bool
    ew_above: int
    ew_below: int
    ew_vulnerable: bool

    def arguments(self) -> tuple[str, ...]:
        ns = (str(self.ns_above), str(self.ns_below), str(int(self.ns_vulnerable)))
        return *ns, str(self.ew_above), str(self.ew_below), str(int(self.ew_vulnerable))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 6)
        return cls(
            ns_above=values.parse_number(arguments[0]),
            ns_below=values.parse_number(arguments[1]),
            ns_vulnerable=values.parse_flag(arguments[2]),
            ew_above=values.parse_number(arguments[3]),
            ew_below=values.parse_number(arguments[4]),
            ew_vulnerable=values.parse_flag(arguments[5]),
        )


# Extensions


@dataclass(frozen=True, slots=True)
class ExtensionsMessage(StatefulMessage):
    """Lists what the sender can do; from a client, what it asks for. Words that are not known are left out."""

    NAME: ClassVar[str] = "X-HELLO"
    FORM: ClassVar[str] = "X-HELLO list"
    extensions: frozenset[Extension]

    def arguments(self) -> tuple[str, ...]:
        return (values.format_list(each.value for each in Extension if each in self.extensions),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        words = values.parse_list(arguments[0], str.upper)
        return cls(frozenset(each for each in Extension if each.value in words))


@dataclass(frozen=True, slots=True)
class BoardMessage(StatefulMessage):
    """Describes the board, before the hand."""

    NAME: ClassVar[str] = "X-BOARD"
    FORM: ClassVar[str] = "X-BOARD number dealer vulnerability"
    number: int
    dealer: Seat
    vulnerability: Vulnerability

    def arguments(self) -> tuple[str, ...]:
        return str(self.number), self.dealer.letter, values.format_vulnerability(self.vulnerability)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        number, dealer, vulnerability = arguments
        return cls(
            values.parse_number(number),
            values.parse_position(dealer),
            values.parse_vulnerability(vulnerability),
        )


@dataclass(frozen=True, slots=True)
class DeclarerMessage(StatefulMessage):
    """Says who is declarer, after `AUCCLOSE`."""

    NAME: ClassVar[str] = "X-DECLARER"
    FORM: ClassVar[str] = "X-DECLARER position"
    declarer: Seat

    def arguments(self) -> tuple[str, ...]:
        return (self.declarer.letter,)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_position(arguments[0]))


@dataclass(frozen=True, slots=True)
class PointsMessage(StatefulMessage):
    """Tells the high-card points that a player announces at Minibridge."""

    NAME: ClassVar[str] = "X-POINTS"
    FORM: ClassVar[str] = "X-POINTS position points"
    position: Seat
    points: int

    def arguments(self) -> tuple[str, ...]:
        return self.position.letter, str(self.points)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2)
        return cls(values.parse_position(arguments[0]), values.parse_number(arguments[1]))


@dataclass(frozen=True, slots=True)
class AlertMessage(StatefulMessage):
    """Explains a call: from a player its next one, from the server call `number` of the auction, counted from 1."""

    NAME: ClassVar[str] = "X-ALERT"
    FORM: ClassVar[str] = 'X-ALERT position "text" [number]'
    position: Seat
    text: str
    number: int | None = None

    def arguments(self) -> tuple[str, ...]:
        said = (self.position.letter, values.format_string(self.text))
        return said if self.number is None else (*said, str(self.number))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2, 3)
        number = values.parse_number(arguments[2]) if len(arguments) == 3 else None
        return cls(values.parse_position(arguments[0]), arguments[1], number)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMessage(StatefulMessage):
    """Tells the player that is to act all that it knows of the board, so that it need have remembered nothing.

    `position` is the player's own; whose hand plays next follows from the calls and cards, as in an auction's record.
    """

    NAME: ClassVar[str] = "X-TURN"
    FORM: ClassVar[str] = "X-TURN position number dealer vulnerability hand calls dummy cards"
    position: Seat
    number: int
    dealer: Seat
    vulnerability: Vulnerability
    hand: tuple[Card, ...]
    """The 13 cards that the player was dealt."""
    calls: tuple[Call, ...]
    dummy: tuple[Card, ...]
    """The 13 cards that dummy was dealt; none before they lie open."""
    cards: tuple[Card, ...]
    """Every card played so far, in order."""

    def arguments(self) -> tuple[str, ...]:
        return (
            self.position.letter,
            str(self.number),
            self.dealer.letter,
            values.format_vulnerability(self.vulnerability),
            _format_cards(self.hand),
            values.format_list(map(values.format_bid, self.calls)),
            _format_cards(self.dummy),
            _format_cards(self.cards),
        )

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 8)
        return cls(
            position=values.parse_position(arguments[0]),
            number=values.parse_number(arguments[1]),
            dealer=values.parse_position(arguments[2]),
            vulnerability=values.parse_vulnerability(arguments[3]),
            hand=_parse_cards(arguments[4]),
            calls=values.parse_list(arguments[5], values.parse_bid),
            dummy=_parse_cards(arguments[6]),
            cards=_parse_cards(arguments[7]),
        )


@dataclass(frozen=True, slots=True)
class ResultMessage(StatefulMessage):
    """Shows the result of a board; `score` is North-South's."""

    NAME: ClassVar[str] = "X-RESULT"
    FORM: ClassVar[str] = "X-RESULT contract tricks score"
    contract: Contract | None
    tricks: int
    score: int

    def arguments(self) -> tuple[str, ...]:
        return values.format_contract(self.contract), str(self.tricks), str(self.score)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        contract, tricks, score = arguments
        return cls(values.parse_contract(contract), values.parse_number(tricks), values.parse_number(score))


@dataclass(frozen=True, slots=True)
class TimeMessage(StatefulMessage):
    """Shows a side's thinking time on all boards of the table, and what it has left; None without a limit."""

    NAME: ClassVar[str] = "X-TIME"
    FORM: ClassVar[str] = "X-TIME side used_ms left_ms"
    side: Side
    used_ms: int
    left_ms: int | None

    def arguments(self) -> tuple[str, ...]:
        left = values.EMPTY_LIST if self.left_ms is None else str(self.left_ms)
        return values.format_team(self.side), str(self.used_ms), left

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 3)
        side, used, left = arguments
        left_ms = None if left == values.EMPTY_LIST else values.parse_number(left)
        return cls(values.parse_team(side), values.parse_number(used), left_ms)


@dataclass(frozen=True, slots=True)
class PingMessage(StatefulMessage):
    """Asks for `X-PONG` with the same token."""

    NAME: ClassVar[str] = "X-PING"
    FORM: ClassVar[str] = "X-PING token"
    token: str

    def arguments(self) -> tuple[str, ...]:
        return (self.token,)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_id(arguments[0]))


@dataclass(frozen=True, slots=True)
class PongMessage(StatefulMessage):
    """Answers `X-PING`."""

    NAME: ClassVar[str] = "X-PONG"
    FORM: ClassVar[str] = "X-PONG token"
    token: str

    def arguments(self) -> tuple[str, ...]:
        return (self.token,)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 1)
        return cls(values.parse_id(arguments[0]))


@dataclass(frozen=True, slots=True)
class EndMessage(StatefulMessage):
    """Says why the connection is about to be closed."""

    NAME: ClassVar[str] = "X-END"
    FORM: ClassVar[str] = "X-END text"
    text: str

    def arguments(self) -> tuple[str, ...]:
        return (values.format_string(self.text),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        return cls(" ".join(arguments))


@dataclass(frozen=True, slots=True)
class LeftMessage(StatefulMessage):
    """Says that a player has left a seat in a game: the receiver, if it has no name."""

    NAME: ClassVar[str] = "X-LEFT"
    FORM: ClassVar[str] = "X-LEFT gameid position [name]"
    game: str
    position: Seat
    name: str | None = None

    def arguments(self) -> tuple[str, ...]:
        own = (self.game, self.position.letter)
        return own if self.name is None else (*own, values.format_string(self.name))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 2, 3)
        name = arguments[2] if len(arguments) == 3 else None
        return cls(values.parse_id(arguments[0]), values.parse_position(arguments[1]), name)


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
        LeftMessage,
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


def _format_cards(cards: Sequence[Card]) -> str:
    return values.format_list(map(values.format_card, cards))


def _parse_cards(text: str) -> tuple[Card, ...]:
    return values.parse_list(text, values.parse_card_text)
