"""What a table core asks its shell to do, in order. The shell decides nothing; the core does nothing itself.

A `Record` must be durable before any `Send` that follows it is written: what a player has been shown is on record.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tourney.bridge import Seat
from tourney.protocol.session.records import TableRecord


class Send(NamedTuple):
    """Write one line, without its line end, to a connection.

    `clock` is not None when the line lets its player act: the shell then reports the moment the line was written
    with `note_sent(clock, now_ms)`, from which that player is charged.
    """

    connection: int
    line: str
    clock: int | None = None


class Record(NamedTuple):
    """Put on record, durably, before anything that follows."""

    record: TableRecord


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Call `receive_timer(name, now_ms)` at `at_ms`; a timer of the same name is replaced."""

    name: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection after what was sent to it has been written."""

    connection: int
    reason: str


@dataclass(frozen=True, slots=True)
class Vacate:
    """The program of this seat has no connection any more and another is wanted: end it, start it again."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for the wire log: why a line was ignored or refused. `connection` is None for the whole table."""

    connection: int | None
    text: str


@dataclass(frozen=True, slots=True)
class EndTable:
    """The table is over. `reason` is None when every board was finished, else what stopped it."""

    reason: str | None


Effect: TypeAlias = Send | Record | StartTimer | Close | Vacate | Note | EndTable
