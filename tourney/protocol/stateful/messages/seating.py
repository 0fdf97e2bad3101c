"""Messages about tournaments, games and seats: what there is, who wants which, who has which (SS-06 to SS-09)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from tourney.bridge import Seat
from tourney.protocol.stateful import values
from tourney.protocol.stateful.messages.message import StatefulMessage


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
class JoinTournamentMessage(StatefulMessage):
    """Asks for a seat in a tournament. Without `tournament` it is the only one in progress, or a new one."""

    NAME: ClassVar[str] = "JOIN-T"
    FORM: ClassVar[str] = "JOIN-T [tournamentid [partner]]"
    tournament: str | None = None
    partner: str | None = None

    def arguments(self) -> tuple[str, ...]:
        if self.tournament is None:
            return () if self.partner is None else (values.EMPTY_LIST, values.format_string(self.partner))
        return (self.tournament,) if self.partner is None else (self.tournament, values.format_string(self.partner))

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0, 2)
        partner = " ".join(arguments[1].split()) if len(arguments) == 2 else values.EMPTY_LIST
        tournament = values.parse_left_out(arguments[0], values.parse_id) if arguments else None
        return cls(tournament, partner if partner != values.EMPTY_LIST else None)


@dataclass(frozen=True, slots=True)
class JoinGameMessage(StatefulMessage):
    """Asks for a seat in a game. Without `game` it is a new one; without `position` any seat that is free."""

    NAME: ClassVar[str] = "JOIN-M"
    FORM: ClassVar[str] = "JOIN-M [gameid [position]]"
    game: str | None = None
    position: Seat | None = None

    def arguments(self) -> tuple[str, ...]:
        if self.game is None:
            return () if self.position is None else (values.EMPTY_LIST, self.position.letter)
        return (self.game,) if self.position is None else (self.game, self.position.letter)

    @classmethod
    def parse(cls, arguments: Sequence[str]) -> Self:
        cls.check(arguments, 0, 2)
        position = values.parse_left_out(arguments[1], values.parse_position) if len(arguments) == 2 else None
        return cls(values.parse_left_out(arguments[0], values.parse_id) if arguments else None, position)


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
