"""Messages about a connection: whose it is, what it can do, what was wrong, whether it lives (SS-05, SS-10)."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tourney.errors import FormatError
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.message import StatefulMessage


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


NAME_CHARS_MAX: Final = 160
"""Longest name of a client: that of a team, and a pass phrase."""


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
class StoppedMessage(StatefulMessage):
    """Says that the server stops: the connection is about to be closed, and nothing is over."""

    NAME: ClassVar[str] = "X-STOPPED"
    FORM: ClassVar[str] = "X-STOPPED text"
    text: str

    def arguments(self) -> tuple[str, ...]:
        return (values.format_string(self.text),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        return cls(" ".join(arguments))


@dataclass(frozen=True, slots=True)
class NoteMessage(StatefulMessage):
    """Says what a player should know, and refuses nothing."""

    NAME: ClassVar[str] = "X-NOTE"
    FORM: ClassVar[str] = "X-NOTE text"
    text: str

    def arguments(self) -> tuple[str, ...]:
        return (values.format_string(self.text),)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        return cls(" ".join(arguments))
