"""What a table core asks its shell to do, in order, and the list in which that is collected.

The shell makes no decisions; the core performs no I/O.

A record is an effect as it is: put it on record, durably, before anything that follows. It must be durable before any
later line is written: everything shown to a player is on record.
"""

from dataclasses import dataclass
from typing import TypeAlias

from tourney.bridge import Seat
from tourney.protocol.session.records import TableRecord

Send: TypeAlias = tuple[int, str, int | None]
"""Write to a connection one line, without its line end. Third is a clock if the line lets its player act: the shell
then reports the moment the line was written with `TableDriver.note_written`, from which that player is charged.

It is a plain tuple, as there are more lines than anything else, and a class would take a call for each."""


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Call `receive_timer(name, now_ms)` at `at_ms`; a timer of the same name is replaced."""

    name: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection once everything sent to it has been written."""

    connection: int


@dataclass(frozen=True, slots=True)
class RestartProgram:
    """The program of this seat has lost its connection: end it and start it again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Probe:
    """Somebody asks for the seat of this connection: find out whether its other end is still there."""

    connection: int


@dataclass(frozen=True, slots=True)
class LogRemark:
    """A remark for the wire log: why a line was ignored or refused. `connection` is None for the whole table."""

    connection: int | None
    text: str


@dataclass(frozen=True, slots=True)
class EndTable:
    """The table has finished. `reason` is None if every board was finished, else what stopped it."""

    reason: str | None


Effect: TypeAlias = Send | TableRecord | StartTimer | Close | RestartProgram | Probe | LogRemark | EndTable


class Outbox:
    """Collects effects. Each timer has a name; arming it again replaces its time."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.armed: dict[str, int] = {}
        """Expiry times of armed timers, by name; a disarmed timer may still expire, and is then ignored."""

    def take_effects(self) -> list[Effect]:
        """Return the effects since the last call, in order."""
        effects, self.effects = self.effects, []
        return effects

    def start_timer(self, name: str, at_ms: int) -> None:
        """Start a timer that cannot be disarmed."""
        self.effects.append(StartTimer(name, at_ms))

    def arm(self, name: str, at_ms: int) -> None:
        """Start a timer that can be disarmed."""
        self.armed[name] = at_ms
        self.effects.append(StartTimer(name, at_ms))

    def disarm(self, name: str) -> None:
        self.armed.pop(name, None)
