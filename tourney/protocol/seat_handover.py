"""What a table host and a program that plays many seats tell each other: lines of JSON on one socket.

The socket is the standard input of the program. With the line of a `HandedSeat` comes a connection to the table, as a
descriptor beside it: the program speaks the wire language there, as a program that has connected by itself. So it
needs no port, and the same holds within a sandbox that has no network.

    host      HandedSeat      a seat is to be taken, on the connection that comes with the line
    host      SeatRecall     the seat is to be left, whatever its player is doing
    program   ProgramReady   it has loaded what it needs: only then are seats offered, and log-ons awaited
    program   SeatReturn     it has left a seat, and why
"""

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Final, TypeAlias

from tourney.bridge import Seat
from tourney.errors import ProtocolError


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTerms:
    """What a program may know about its table beyond the wire language; times are in ms, None for no limit."""

    scoring: str = ""
    """How the event is scored, such as `imps`; empty if that is not known."""
    claims: bool = False
    """Whether claims are taken."""
    call_ms: int | None = None
    """For one call or card."""
    board_ms: int | None = None
    """For the side on one board."""
    match_ms: int | None = None
    """What is left to the side for all its boards at this table, from the start of the program on."""

    def format(self) -> str:
        """Return it as a text of JSON, which `parse` reads."""
        return json.dumps(asdict(self))

    @staticmethod
    def parse(text: str) -> "TableTerms":
        """Read what `format` wrote, also what a later version has.

        Raises:
            ProtocolError: it is something else.
        """
        try:
            found, terms = json.loads(text), {each.name for each in fields(TableTerms)}
            return TableTerms(**{key: value for key, value in found.items() if key in terms})
        except (ValueError, TypeError, AttributeError):
            raise ProtocolError(f"the terms of a table are an object of JSON, got {text!r:.100}") from None


UNKNOWN_TERMS: Final = TableTerms()
"""What a program knows that was told nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedSeat:
    """A seat to be taken."""

    number: int
    """Counts the seats that the program is offered; `SeatRecall` and `SeatReturn` name it."""
    name: str
    """What the output of the program calls it: `match 1, open room, North`."""
    seat: Seat
    login: str = field(repr=False)
    """The team's name with its passphrase, if it has one."""
    terms: TableTerms


@dataclass(frozen=True, slots=True)
class SeatRecall:
    """A seat to be left."""

    number: int


@dataclass(frozen=True, slots=True)
class ProgramReady:
    """The program has loaded what it needs."""


@dataclass(frozen=True, slots=True)
class SeatReturn:
    """A seat that the program has left."""

    number: int
    why: str
    """What went wrong, as a sentence without its end; empty if the session has ended as usual."""


SeatMessage: TypeAlias = HandedSeat | SeatRecall | ProgramReady | SeatReturn


_KINDS: Final[dict[str, type[SeatMessage]]] = {
    kind.__name__: kind for kind in (HandedSeat, SeatRecall, ProgramReady, SeatReturn)
}


def format_seat_message(message: SeatMessage) -> bytes:
    """Return the line of a message, with its end."""
    fields = {"kind": type(message).__name__, **asdict(message)}
    if isinstance(message, HandedSeat):
        fields |= {"seat": message.seat.letter, "terms": message.terms.format()}
    return json.dumps(fields).encode() + b"\n"


def parse_seat_message(line: bytes) -> SeatMessage:
    """Read a line without its end.

    Raises:
        ProtocolError: it is no message.
    """
    try:
        found = json.loads(line)
        kind = _KINDS[found.pop("kind")]
        if kind is HandedSeat:
            found |= {"seat": Seat.from_letter(found["seat"]), "terms": TableTerms.parse(found["terms"])}
        message = kind(**found)
        if isinstance(found.get("number", 0), int) and isinstance(found.get("why", ""), str):
            return message
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise ProtocolError(f"a table host and a program of many seats exchange lines of JSON, got {line!r:.100}")
